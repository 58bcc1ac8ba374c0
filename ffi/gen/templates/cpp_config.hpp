using StorageBits = gpusched_{m}_{storage};

// Parameters: the fields of C, set one by one or in a chain.
class Config : public gpusched_{m}_config {
public:
    {init} noexcept : gpusched_{m}_config{} {
        (void)gpusched_{m}_config_init(this, sizeof(gpusched_{m}_config){preset});
    }
    explicit Config(const gpusched_{m}_config& config) noexcept : gpusched_{m}_config(config) {}

    // Says whether every value is in its range; if one is not, and the status is BadConfig, the value tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_{m}_config>(gpusched_{m}_config_check, this);
    }
    Result<Layout> layout() const noexcept {
        return detail::layout_of<gpusched_{m}_config>(gpusched_{m}_layout, this);
    }
    Result<StorageBits> storage_bits() const noexcept {
        return detail::bits_of<StorageBits, gpusched_{m}_config>(gpusched_{m}_storage_bits, this);
    }

    Config with(std::uint32_t gpusched_{m}_config::* field, std::uint32_t value) const noexcept {
        Config changed = *this;
        changed.*field = value;
        return changed;
    }
