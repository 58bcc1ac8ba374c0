    Result<StorageBits> storage_bits() const noexcept {
        return detail::bits_of<StorageBits, gpusched_{t}_config>(gpusched_{t}_storage_bits, this);
    }

