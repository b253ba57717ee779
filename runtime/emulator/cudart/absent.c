/* The entry points that are not implemented. */
#include <stdatomic.h>
#include <stdio.h>

#include "runtime/emulator/cudart/runtime.h"

static cudaError_t answer_absent(const char *name, atomic_flag *said)
{
    if (!atomic_flag_test_and_set(said))
        fprintf(stderr, "lockstep: %s is not implemented by the emulated runtime; it returns cudaErrorNotSupported\n", name);
    return runtime_fail(cudaErrorNotSupported);
}

#define ENTRY(type, name, arguments)
#define SAME(name, target)
#define ABSENT(name)                                \
    cudaError_t name(void)                          \
    {                                               \
        static atomic_flag said = ATOMIC_FLAG_INIT; \
        return answer_absent(#name, &said);         \
    }
#include "runtime/emulator/cudart/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT
