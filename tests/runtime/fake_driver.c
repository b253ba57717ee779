/* Two broken drivers. FAKE_DRIVER_OLD: one that lacks nearly all entry points. Otherwise: one that has them all,
 * each of which answers that there is no device, as NVIDIA's does where the GPU is missing; or the result of the variable
 * FAKE_DRIVER_RESULT. */
#include <stdlib.h>

#include "runtime/cuda/driver_api.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static CUresult answer(void)
{
    const char *wanted = getenv("FAKE_DRIVER_RESULT");
    return wanted ? (CUresult)atoi(wanted) : CUDA_ERROR_NO_DEVICE;
}

#define DRIVER_CALL(member, symbol, arguments)                                               \
    __attribute__((visibility("default"))) CUresult fake_##member arguments __asm__(symbol); \
    CUresult fake_##member arguments                                                         \
    {                                                                                        \
        return answer();                                                                     \
    }

#ifdef FAKE_DRIVER_OLD
DRIVER_CALL(cuInit, "cuInit", (unsigned flags))
#else
#include "runtime/cuda/driver_api.def"
#endif
