    Result<StorageBits> storage_bits() const noexcept {
        return detail::told<StorageBits>(gpusched_{t}_storage_bits, this);
    }

