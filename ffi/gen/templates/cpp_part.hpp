    Result<{family}::Config> {reach}_config() const noexcept {
        {family}::Config config;
        const Status status = gpusched_{m}_{reach}_config(c(), &config, sizeof(gpusched_{family}_config));
        return {status, config};
    }
