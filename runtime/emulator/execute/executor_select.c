#include "runtime/emulator/execute/executor_select.h"

#include <string.h>

static const struct level {
    const char *name;
    const struct executor *plain, *observed;
} levels[] = {
/* best first */
#if defined(__x86_64__)
    {"avx512", &executor_avx512_plain, &executor_avx512_observed},
    {"avx2", &executor_avx2_plain, &executor_avx2_observed},
#endif
    {"baseline", &executor_baseline_plain, &executor_baseline_observed},
};

static bool processor_has(const char *name)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (strcmp(name, "avx2") == 0)
        return avx2;
    if (strcmp(name, "avx512") == 0)
        return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
               && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
#endif
    return strcmp(name, "baseline") == 0;
}

const struct executor *executor_select(const char *isa, bool observed)
{
    for (unsigned i = 0; i < sizeof levels / sizeof *levels; i++)
        if ((!isa || strcmp(isa, levels[i].name) == 0) && processor_has(levels[i].name))
            return observed ? levels[i].observed : levels[i].plain;
    return NULL;
}
