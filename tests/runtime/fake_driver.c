/* Two drivers that are no good. FAKE_DRIVER_OLD: one that lacks nearly all entry points. Otherwise: one that has them all,
 * each of which answers that there is no device, as NVIDIA's does where the GPU is missing. */
#include "runtime/driver_api.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define DRIVER_CALL(member, symbol, arguments) \
    __attribute__((visibility("default"))) CUresult fake_##member arguments __asm__(symbol); \
    CUresult fake_##member arguments { return CUDA_ERROR_NO_DEVICE; }
#ifdef FAKE_DRIVER_OLD
DRIVER_CALL(cuInit, "cuInit", (unsigned flags))
#else
#include "runtime/driver_api.def"
#endif
