    // The storage that create_in needs.
    static Result<Layout> layout(const Config& config) noexcept {
        return detail::layout_of<gpusched_{t}_config>(gpusched_{m}_layout, &config);
    }
