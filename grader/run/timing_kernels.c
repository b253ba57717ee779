#include "grader/run/timing_kernels.h"

#include <stdio.h>

#include "grader/compile/compile_step.h"

static const char kit_source[] =
    "extern \"C\" __global__ void copy_words(const uint4 *from, uint4 *to, unsigned long long words)\n"
    "{\n"
    "    unsigned long long i = blockIdx.x * 256ull + threadIdx.x;\n"
    "    if (4 * i + 4 <= words)\n"
    "        to[i] = from[i];\n"
    "    else\n"
    "        for (unsigned long long k = 4 * i; k < words; k++)\n"
    "            ((unsigned *)to)[k] = ((const unsigned *)from)[k];\n"
    "}\n"
    "extern \"C\" __global__ void sum_words(const unsigned *words, unsigned long long count, unsigned long long *sum)\n"
    "{\n"
    "    unsigned long long own = 0;\n"
    "    for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < count; i += 256ull * gridDim.x)\n"
    "        own += (words[i] + 1ull) * (2 * i + 1);\n"
    "    atomicAdd(sum, own);\n"
    "}\n";

const struct compile_result *timing_kernels_get(char *message, size_t message_bytes)
{
    static struct compile_result result;
    lockstep_compiled cached;
    struct compile_input input = {
        .source = kit_source,
        .source_bytes = sizeof kit_source - 1,
        .file_name = "/lockstep/timing.cu",
    };
    if (result.ptx)
        return &result;
    bool hit = compile_step_find_cached(&input, &cached);
    input.cached = hit ? &cached : NULL;
    compile_step(&input, &result);
    if (hit)
        lockstep_compiled_clear(&cached);
    if (!result.ptx)
        snprintf(message, message_bytes, "the kit's own kernels for timing do not compile: %.300s",
                 result.outcome == COMPILE_REJECTED ? result.diagnostics[0].message : result.message);
    return result.ptx ? &result : NULL;
}
