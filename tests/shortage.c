/* The whole emulated driver while memory runs out: contexts, streams, events, allocations, modules, libraries, links,
 * launches with all checks, findings and counters.
 *
 *     shortage FILE.ptx...
 *
 * Each file is loaded and its kernels launched again and again; each time another allocation fails, alone or with all that
 * follow. Calls must succeed or return CUDA_ERROR_OUT_OF_MEMORY, nothing may crash, and when all is destroyed there must be
 * no more blocks and mappings than after an undisturbed run. Prints what it did; exits 0 when all went well. Allocations are
 * counted through the linker's --wrap. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/machine/backing.h"
#include "tests/support.h"

enum { MOST_KERNELS = 12, BUFFER_BYTES = 4096, LARGE_BYTES = 1 << 20, EACH = 150 };

static long live, mapped, allocations, fail_at = -1;
static bool fail_once;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
void __real_free(void *memory);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int __real_munmap(void *at, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);
void __wrap_free(void *memory);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *at, size_t bytes);

static bool fails(void)
{
    allocations++;
    return fail_at >= 0 && (fail_once ? allocations == fail_at + 1 : allocations > fail_at);
}

void *__wrap_malloc(size_t bytes)
{
    void *memory = fails() ? NULL : __real_malloc(bytes);
    live += memory != NULL;
    return memory;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    void *memory = fails() ? NULL : __real_calloc(count, bytes);
    live += memory != NULL;
    return memory;
}

void *__wrap_realloc(void *old, size_t bytes)
{
    void *memory = fails() ? NULL : __real_realloc(old, bytes);
    live += memory && !old;
    return memory;
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    int error = fails() ? ENOMEM : __real_posix_memalign(memory, alignment, bytes);
    live += error == 0;
    return error;
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if (fails()) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    void *memory = __real_mmap(at, bytes, protection, flags, file, offset);
    mapped += memory == MAP_FAILED ? 0 : (long)bytes;
    return memory;
}

int __wrap_munmap(void *at, size_t bytes)
{
    int error = __real_munmap(at, bytes);
    mapped -= error ? 0 : (long)bytes;
    return error;
}

/* ---- one run ------------------------------------------------------------------------------------------------------ */

static unsigned wrong, short_calls;
static bool after_launch; /* a kernel may have broken the context: its code comes back from every call */

/* Judges a result; returns whether the call succeeded. */
static bool went(CUresult result, const char *call)
{
    short_calls += result == CUDA_ERROR_OUT_OF_MEMORY;
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY && !after_launch) {
        fprintf(stderr, "%s returns %d when allocation %ld fails\n", call, (int)result, fail_at + 1);
        wrong++;
    }
    return result == CUDA_SUCCESS;
}

#define WENT(call) went(call, #call)

static void launch(CUfunction function, CUdeviceptr small, CUdeviceptr large)
{
    static uint8_t block[4096];
    size_t bytes = 0, offset, size;
    for (size_t i = 0; cuFuncGetParamInfo(function, i, &offset, &size) == CUDA_SUCCESS && offset + size <= sizeof block;
         i++) {
        uint64_t value = size == 8 ? (i & 1 ? large : small) : 3;
        for (size_t at = 0; at < size; at += sizeof value)
            memcpy(block + offset + at, &value, size - at < sizeof value ? size - at : sizeof value);
        bytes = offset + size;
    }
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    WENT(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, NULL, NULL, extra));
    WENT(cuCtxSynchronize());
}

static void use_module(CUmodule module)
{
    CUfunction functions[MOST_KERNELS];
    CUdeviceptr small = 0, large = 0;
    unsigned count = 0;
    bool ready = WENT(cuMemAlloc_v2(&small, BUFFER_BYTES)) && WENT(cuMemAlloc_v2(&large, LARGE_BYTES))
                 && WENT(cuMemsetD8_v2(small, 1, BUFFER_BYTES)) && WENT(cuModuleGetFunctionCount(&count, module));
    count = count < MOST_KERNELS ? count : MOST_KERNELS;
    if (ready && count && WENT(cuModuleEnumerateFunctions(functions, count, module))) {
        after_launch = true;
        for (unsigned i = 0; i < count; i++)
            launch(functions[i], small, large);
    }
}

static void use_link(const char *text)
{
    CUlinkState link;
    void *image;
    size_t bytes;
    if (!WENT(cuLinkCreate_v2(0, NULL, NULL, &link)))
        return;
    if (WENT(cuLinkAddData_v2(link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, strlen(text) + 1, "a", 0, NULL, NULL)))
        WENT(cuLinkComplete(link, &image, &bytes));
    WENT(cuLinkDestroy(link));
}

static void run_once(const char *text)
{
    CUcontext context;
    CUstream stream;
    CUevent event;
    CUmodule module;
    CUlibrary library;
    void *host;
    CUdeviceptr managed;
    after_launch = false;
    if (!WENT(cuCtxCreate_v2(&context, 0, 0)))
        return;
    WENT(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    WENT(cuEventCreate(&event, 0));
    WENT(cuMemAllocHost_v2(&host, 100000));
    WENT(cuMemAllocManaged(&managed, 300000, CU_MEM_ATTACH_GLOBAL));
    use_link(text);
    if (WENT(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0)))
        WENT(cuLibraryUnload(library));
    if (WENT(cuModuleLoadDataEx(&module, text, 0, NULL, NULL)))
        use_module(module);
    after_launch = false;
    if (cuCtxDestroy_v2(context) != CUDA_SUCCESS) {
        fprintf(stderr, "the context cannot be destroyed\n");
        wrong++;
    }
    backing_trim();
}

/* ---- all runs of a file ------------------------------------------------------------------------------------------- */

struct holding {
    long live, mapped; /* blocks; bytes of mappings */
};

/* One run in which allocation `limit` fails; returns what is held afterwards. */
static struct holding run_short(const char *text, long limit)
{
    allocations = 0;
    short_calls = 0;
    fail_at = limit;
    run_once(text);
    fail_at = -1;
    return (struct holding){live, mapped};
}

/* Tables may grow once and records of freed memory may be replaced; a leak grows with every repetition. */
static bool leaks(const char *text, long limit, struct holding before)
{
    struct holding after = run_short(text, limit);
    for (int again = 0; again < 3 && (after.live > before.live || after.mapped > before.mapped); again++) {
        before = after;
        after = run_short(text, limit);
    }
    return after.live > before.live || after.mapped > before.mapped;
}

static bool check_file(const char *path)
{
    char *text = support_read_file(path, NULL);
    if (!text)
        return false;
    for (int i = 0; i < 3; i++)
        run_short(text, -1);
    long total = allocations, runs = 0, missed = 0;
    for (int once = 0; once < 2 && !wrong; once++) {
        fail_once = once;
        for (long limit = 0; limit < total && !wrong; limit += limit < EACH ? 1 : 1 + limit / 16, runs++) {
            if (leaks(text, limit, (struct holding){live, mapped})) {
                fprintf(stderr, "%s: memory leaks when allocation %ld of %ld fails%s\n", path, limit + 1, total,
                        once ? ", alone" : "");
                wrong++;
            }
            missed += short_calls == 0;
        }
    }
    printf("%s: %ld allocations, %ld shortages survived, %ld of them unnoticed\n", path, total, runs, missed);
    free(text);
    return !wrong && total > 100 && missed < runs / 2;
}

/* The driver remembers the last thousand pieces of freed host memory: from here on each new one replaces another. */
static bool fill_records(void)
{
    enum { COUNT = 1100 };
    CUcontext context;
    void *host;
    bool well = cuCtxCreate_v2(&context, 0, 0) == CUDA_SUCCESS;
    for (int i = 0; i < COUNT && well; i++)
        well = cuMemAllocHost_v2(&host, 4096) == CUDA_SUCCESS;
    return cuCtxDestroy_v2(context) == CUDA_SUCCESS && well;
}

int main(int count, char **arguments)
{
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_FUEL", "20000", 1);
    setenv("LOCKSTEP_FINDINGS", "/dev/null", 1);
    setenv("LOCKSTEP_COUNTERS", "/dev/null", 1);
    bool well = count > 1 && cuInit(0) == CUDA_SUCCESS && fill_records();
    for (int i = 1; i < count && well; i++)
        well = check_file(arguments[i]);
    return well ? 0 : 1;
}
