    Result<Layout> layout() const noexcept {
        return detail::layout_of<gpusched_{t}_config>(gpusched_{m}_layout, this);
    }
