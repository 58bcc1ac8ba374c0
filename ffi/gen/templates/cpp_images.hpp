
    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_{m}_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_{m}_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_{m}_restore(c(), image.data(), image.size());
    }
};

