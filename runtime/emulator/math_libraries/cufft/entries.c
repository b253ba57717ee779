/* What is not offered says so, once for each name. */
#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cufft/cufft.h"

#define OWN(name)
#define REFUSED(name)               \
    CUFFT_EXPORT int name(void);    \
    int name(void)                  \
    {                               \
        refuse("cuFFT", #name);     \
        return CUFFT_NOT_SUPPORTED; \
    }
#include "runtime/emulator/math_libraries/cufft/cufft.def"
