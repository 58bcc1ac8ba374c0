};

inline Result<Parameter> parameter(std::uint32_t index) noexcept {
    return detail::told<Parameter>(gpusched_{t}_parameter, index);
}

