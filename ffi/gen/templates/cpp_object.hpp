// {Class} alone, and the storage it lives in unless that is the caller's. Lists are written to a buffer; if that is too short the status is
// Capacity and the list holds what fits.
class {Class} : public detail::Object<gpusched_{m}> {
public:
    {Class}() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<{Class}> create(const Config& config = Config()) noexcept {
        return make<{Class}>({config}, gpusched_{m}_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<{Class}> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<{Class}>(storage, config, gpusched_{m}_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<{Class}> from_image(Span<const std::byte> image) noexcept { return make_from<{Class}>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status =
            gpusched_{m}_image_config(image.data(), image.size(), &config, sizeof(gpusched_{t}_config));
        return {status, config};
    }
{layout_of}    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_{m}_get_config(c(), &config, sizeof(gpusched_{t}_config));
        return {status, config};
    }

