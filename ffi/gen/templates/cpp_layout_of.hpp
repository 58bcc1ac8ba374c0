    // The storage that create_in needs.
    static Result<Layout> layout(const Config& config) noexcept {
        return detail::told<Layout>(gpusched_{m}_layout, &config);
    }
