/* libFuzzer target: any text is loaded through the driver's entry points, and every kernel in it launched with a small grid,
 * parameters drawn from the text, little fuel and all checks. Only a crash, a leak, a hang or a load that fails without a
 * word is wrong: what a kernel does is its own affair. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/entry_points.h"

enum { MOST_KERNELS = 24, BUFFERS = 4, BUFFER_BYTES = 4096, LOG_BYTES = 600 };

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % below;
}

static void demand(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        fprintf(stderr, "fuzz execute: %s: %d\n", what, (int)result);
        abort();
    }
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    setenv("LOCKSTEP_CHECKS", "all", 0);
    setenv("LOCKSTEP_FUEL", "3000", 0);
    setenv("LOCKSTEP_FINDINGS", "/dev/null", 0);
    setenv("LOCKSTEP_COUNTERS", "/dev/null", 0);
    demand(cuInit(0), "cuInit");
    return 0;
}

/* Loads the text; refusals must say why. Returns NULL for those. */
static CUmodule load(const char *text)
{
    char log[LOG_BYTES] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUmodule module = NULL;
    CUresult result = cuModuleLoadDataEx(&module, text, 2, options, values);
    if (result == CUDA_SUCCESS)
        return module;
    if (!log[0] || (uintptr_t)values[1] != strlen(log) + 1)
        demand(result, "a refusal without a reason");
    return NULL;
}

/* Fills the parameter block: pointers into the buffers for whatever is as large as a pointer, else small numbers. */
static void draw_parameters(CUfunction function, uint8_t *block, size_t capacity, size_t *bytes, const CUdeviceptr *buffers)
{
    *bytes = 0;
    for (size_t index = 0;; index++) {
        size_t offset, size;
        if (cuFuncGetParamInfo(function, index, &offset, &size) != CUDA_SUCCESS || offset + size > capacity)
            return;
        *bytes = offset + size;
        uint64_t number = size == 8 ? buffers[draw(BUFFERS)] + 4 * (draw(8) ? 0 : draw(BUFFER_BYTES / 2)) : draw(300);
        for (size_t at = 0; at < size; at += sizeof number)
            memcpy(block + offset + at, &number, size - at < sizeof number ? size - at : sizeof number);
    }
}

/* Returns whether the context is still good. */
static int launch(CUfunction function, const CUdeviceptr *buffers)
{
    static const unsigned blocks[][3] = {{1, 1, 1}, {32, 1, 1}, {33, 1, 1}, {64, 1, 1}, {16, 4, 1}, {5, 3, 2}};
    static uint8_t block[1 << 20];
    size_t bytes;
    const unsigned *threads = blocks[draw(6)];
    unsigned grid = 1 + draw(3), shared = draw(2) * 1024;
    draw_parameters(function, block, sizeof block, &bytes, buffers);
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    cuLaunchKernel(function, grid, 1, 1, threads[0], threads[1], threads[2], shared, NULL, NULL, extra);
    uint8_t back[64];
    return cuCtxSynchronize() == CUDA_SUCCESS && cuMemcpyDtoH_v2(back, buffers[0], sizeof back) == CUDA_SUCCESS;
}

/* Launches kernels from number `first` on until one breaks the context; returns the number of the next, 0 at the end. */
static unsigned launch_from(const char *text, unsigned first)
{
    CUcontext context;
    CUfunction functions[MOST_KERNELS] = {0};
    CUdeviceptr buffers[BUFFERS];
    unsigned count = 0, next = 0;
    demand(cuCtxCreate_v2(&context, 0, 0), "cuCtxCreate");
    CUmodule module = load(text);
    if (module && cuModuleGetFunctionCount(&count, module) == CUDA_SUCCESS) {
        count = count > MOST_KERNELS ? MOST_KERNELS : count;
        for (unsigned i = 0; i < BUFFERS; i++) {
            demand(cuMemAlloc_v2(&buffers[i], BUFFER_BYTES), "cuMemAlloc");
            if (i < 2)
                demand(cuMemsetD8_v2(buffers[i], (unsigned char)(i + 1), BUFFER_BYTES), "cuMemsetD8");
        }
        if (count)
            demand(cuModuleEnumerateFunctions(functions, count, module), "cuModuleEnumerateFunctions");
        for (unsigned i = first; i < count && !next; i++)
            if (!launch(functions[i], buffers))
                next = i + 1;
    }
    demand(cuCtxDestroy_v2(context), "cuCtxDestroy");
    return next < count ? next : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); /* as long as the text, so that a read behind its end shows */
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    state = size;
    for (size_t i = 0; i < size; i++)
        state = state * 31 + data[i];
    unsigned next = 0;
    do
        next = launch_from(text, next);
    while (next);
    free(text);
    return 0;
}
