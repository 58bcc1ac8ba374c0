// The header in a C++ program: asks the library for its version and for the memory that a Tesla K20c needs.
#include <gpusched.h>

#if __has_include(<gpusched.hpp>)
#include <gpusched.hpp>
#endif

int main() {
    gpusched_frontend_config config;
    gpusched_layout layout;
    const bool ok = gpusched_frontend_config_init(&config, sizeof config, GPUSCHED_GPU_K20C) == GPUSCHED_STATUS_OK
        && gpusched_frontend_layout(&config, &layout) == GPUSCHED_STATUS_OK;
    return ok && layout.size > 0 && gpusched_abi_version() == GPUSCHED_ABI_VERSION ? 0 : 1;
}
