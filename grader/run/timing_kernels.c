#include "grader/run/timing_kernels.h"

#include <stdio.h>

#include "grader/compile/compile_step.h"

static const char kit_source[] =
    "extern \"C\" __global__ void copy_bytes(const uint4 *from, uint4 *to, unsigned long long bytes)\n"
    "{\n"
    "    unsigned long long i = blockIdx.x * 256ull + threadIdx.x;\n"
    "    if (16 * i + 16 <= bytes)\n"
    "        to[i] = from[i];\n"
    "    else\n"
    "        for (unsigned long long k = 16 * i; k < bytes; k++)\n"
    "            ((unsigned char *)to)[k] = ((const unsigned char *)from)[k];\n"
    "}\n"
    "extern \"C\" __global__ void sum_elements(const unsigned char *at, unsigned long long count,\n"
    "                                        unsigned long long bytes, unsigned long long *sum)\n"
    "{\n"
    "    unsigned long long own = 0;\n"
    "    for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < count; i += 256ull * gridDim.x) {\n"
    "        unsigned long long bits = bytes == 1   ? at[i]\n"
    "                                  : bytes == 2 ? ((const unsigned short *)at)[i]\n"
    "                                  : bytes == 4 ? ((const unsigned *)at)[i]\n"
    "                                               : ((const unsigned long long *)at)[i];\n"
    "        own += (bits + 1) * (2 * i + 1);\n"
    "    }\n"
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
