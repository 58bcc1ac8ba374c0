constexpr Kernel kernel(Needs needs, KernelType type, std::uint32_t opt) noexcept {
    return Kernel{needs, gpusched_tlp_category{number(type), opt}};
}

// ---
