    Result<Layout> layout() const noexcept {
        return detail::told<Layout>(gpusched_{m}_layout, this);
    }
