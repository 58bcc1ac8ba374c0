{StorageBits}// Parameters: the fields of C, set one by one or in a chain.
class Config : public gpusched_{t}_config {
public:
    {init} noexcept : gpusched_{t}_config{} {
        (void)gpusched_{t}_config_init(this, sizeof(gpusched_{t}_config){preset});
    }
    explicit Config(const gpusched_{t}_config& config) noexcept : gpusched_{t}_config(config) {}

    // Says whether every value is in its range, and goes with the others; if one is not or does not, the value tells which.
    Result<Parameter> check() const noexcept {
        return detail::told<Parameter>(gpusched_{t}_config_check, this);
    }
{layout}{storage_bits}
    Config with(std::uint32_t gpusched_{t}_config::* field, std::uint32_t value) const noexcept {
        Config changed = *this;
        changed.*field = value;
        return changed;
    }
