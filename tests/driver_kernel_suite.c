/* The entry points of the emulated driver around kernels: modules, functions, launches and what a failed kernel leaves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/driver_table.h"
#include "tests/support.h"

#define OK(call)            CU_ASSERT_EQUAL(call, CUDA_SUCCESS)
#define FAILS(result, call) CU_ASSERT_EQUAL(call, CUDA_ERROR_##result)

enum { COUNT = 1000, BLOCK = 256, GRID = (COUNT + BLOCK - 1) / BLOCK };

static const struct driver_table *driver;
static char directory[SUPPORT_PATH_BYTES];
static char *ptx;
static size_t ptx_bytes;
static CUcontext primary;
static CUmodule module;

static int set_up(void)
{
    char findings[SUPPORT_PATH_BYTES];
    if (!support_temporary_directory(directory))
        return -1;
    setenv("LOCKSTEP_CHECKS", "memory", 1);
    setenv("LOCKSTEP_FINDINGS", support_join(findings, directory, "findings"), 1);
    unsetenv("LOCKSTEP_GPU");
    driver = driver_table_get();
    ptx = support_read_file("tests/fixtures/vector_add.ptx", &ptx_bytes);
    if (!driver || !ptx || driver->cuInit(0) != CUDA_SUCCESS)
        return -1;
    if (driver->cuDevicePrimaryCtxRetain(&primary, 0) != CUDA_SUCCESS || driver->cuCtxSetCurrent(primary) != CUDA_SUCCESS)
        return -1;
    return driver->cuModuleLoadData(&module, ptx) == CUDA_SUCCESS ? 0 : -1;
}

static int clean_up(void)
{
    free(ptx);
    support_remove_tree(directory);
    return driver->cuDevicePrimaryCtxRelease_v2(0) == CUDA_SUCCESS ? 0 : -1;
}

static CUfunction get_function(const char *name)
{
    CUfunction function = NULL;
    OK(driver->cuModuleGetFunction(&function, module, name));
    return function;
}

static size_t findings_of(const char *code)
{
    char path[SUPPORT_PATH_BYTES], quoted[64];
    snprintf(quoted, sizeof quoted, "\"code\": \"%s\"", code);
    char *text = support_read_file(support_join(path, directory, "findings"), NULL);
    size_t count = text ? support_count_of(text, quoted) : 0;
    free(text);
    return count;
}

/* Device arrays for vector_add, and the parameters that point to them. */
struct vectors {
    CUdeviceptr a, b, c;
    int count;
    void *parameters[4];
};

static void create_vectors(struct vectors *vectors)
{
    float host[COUNT];
    for (int i = 0; i < COUNT; i++)
        host[i] = (float)i;
    OK(driver->cuMemAlloc_v2(&vectors->a, sizeof host));
    OK(driver->cuMemAlloc_v2(&vectors->b, sizeof host));
    OK(driver->cuMemAlloc_v2(&vectors->c, sizeof host));
    OK(driver->cuMemcpyHtoD_v2(vectors->a, host, sizeof host));
    OK(driver->cuMemcpyHtoD_v2(vectors->b, host, sizeof host));
    OK(driver->cuMemsetD32_v2(vectors->c, 0, COUNT));
    vectors->count = COUNT;
    vectors->parameters[0] = &vectors->a;
    vectors->parameters[1] = &vectors->b;
    vectors->parameters[2] = &vectors->c;
    vectors->parameters[3] = &vectors->count;
}

/* Is c == a + b now? Clears c. */
static bool sum_is_right(const struct vectors *vectors)
{
    float host[COUNT];
    OK(driver->cuMemcpyDtoH_v2(host, vectors->c, sizeof host));
    OK(driver->cuMemsetD32_v2(vectors->c, 0, COUNT));
    for (int i = 0; i < COUNT; i++) {
        if (host[i] != 2 * (float)i)
            return false;
    }
    return true;
}

static void destroy_vectors(struct vectors *vectors)
{
    OK(driver->cuMemFree_v2(vectors->a));
    OK(driver->cuMemFree_v2(vectors->b));
    OK(driver->cuMemFree_v2(vectors->c));
}

static CUresult launch(CUfunction function, unsigned grid, unsigned block, unsigned shared, void **parameters, void **extra)
{
    return driver->cuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared, NULL, parameters, extra);
}

static void finds_kernels_and_variables_by_name(void)
{
    CUfunction function, all[8];
    CUmodule owner;
    unsigned count;
    CUdeviceptr address;
    size_t bytes, offset;
    const char *name;
    uint32_t word;
    function = get_function("vector_add");
    CU_ASSERT_PTR_EQUAL(get_function("vector_add"), function);
    FAILS(NOT_FOUND, driver->cuModuleGetFunction(&function, module, "vector_sub"));
    FAILS(INVALID_VALUE, driver->cuModuleGetFunction(&function, module, NULL));
    OK(driver->cuModuleGetFunctionCount(&count, module));
    CU_ASSERT_EQUAL(count, 3);
    OK(driver->cuModuleEnumerateFunctions(all, 8, module));
    OK(driver->cuFuncGetName(&name, all[0]));
    CU_ASSERT_STRING_EQUAL(name, "vector_add");
    OK(driver->cuFuncGetModule(&owner, all[2]));
    CU_ASSERT_PTR_EQUAL(owner, module);
    OK(driver->cuFuncGetParamInfo(all[0], 3, &offset, &bytes));
    CU_ASSERT_TRUE(offset == 24 && bytes == 4);
    FAILS(INVALID_VALUE, driver->cuFuncGetParamInfo(all[0], 4, &offset, &bytes));
    OK(driver->cuModuleGetGlobal_v2(&address, &bytes, module, "calls")); /* not .visible */
    CU_ASSERT_EQUAL(bytes, 4);
    OK(driver->cuMemcpyDtoH_v2(&word, address, 4));
    CU_ASSERT_EQUAL(word, 7);
    OK(driver->cuModuleGetGlobal_v2(&address, NULL, module, "scale"));
    OK(driver->cuMemcpyDtoH_v2(&word, address, 4));
    CU_ASSERT_EQUAL(word, 0x3f800000);
    FAILS(NOT_FOUND, driver->cuModuleGetGlobal_v2(&address, &bytes, module, "nothing"));
}

static void tells_and_takes_attributes_of_functions(void)
{
    CUfunction function = get_function("vector_add");
    int value;
    OK(driver->cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    CU_ASSERT_EQUAL(value, 1024);
    OK(driver->cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
    CU_ASSERT_TRUE(value > 0 && value <= 255);
    OK(driver->cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_BINARY_VERSION, function));
    CU_ASSERT_EQUAL(value, 80);
    OK(driver->cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, function));
    CU_ASSERT_EQUAL(value, 70); /* the module's .target */
    OK(driver->cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, function));
    CU_ASSERT_EQUAL(value, 4); /* the module's, which this function does not use */
    OK(driver->cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
    CU_ASSERT_EQUAL(value, 49152);
    OK(driver->cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
    OK(driver->cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
    CU_ASSERT_EQUAL(value, 100000);
    FAILS(INVALID_VALUE, driver->cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 166913));
    FAILS(INVALID_VALUE, driver->cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 32));
    FAILS(INVALID_VALUE, driver->cuFuncGetAttribute(&value, (CUfunction_attribute)99, function));
    OK(driver->cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 49152));
}

static size_t four_bytes_a_thread(int block_size)
{
    return (size_t)block_size * 4;
}

static void computes_occupancy(void)
{
    CUfunction function = get_function("vector_add");
    int blocks, grid, block;
    size_t bytes;
    OK(driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 0));
    CU_ASSERT_EQUAL(blocks, 8); /* 2048 threads */
    OK(driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 40000));
    CU_ASSERT_EQUAL(blocks, 4); /* 164 KiB of shared memory, 1 KiB of it reserved for each block */
    OK(driver->cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, 0));
    CU_ASSERT_TRUE(block == 1024 && grid == 2 * 108);
    OK(driver->cuOccupancyMaxPotentialBlockSize(&grid, &block, function, four_bytes_a_thread, 0, 200));
    CU_ASSERT_TRUE(block <= 200 && block > 0 && grid > 0);
    OK(driver->cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 2, 256));
    OK(driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, bytes));
    CU_ASSERT_TRUE(blocks >= 2);
    FAILS(INVALID_VALUE, driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 0, 0));
}

static void launches_with_pointers_buffers_and_configurations(void)
{
    struct vectors vectors;
    CUfunction function = get_function("vector_add");
    create_vectors(&vectors);
    OK(launch(function, GRID, BLOCK, 0, vectors.parameters, NULL));
    CU_ASSERT_TRUE(sum_is_right(&vectors));

    struct {
        CUdeviceptr a, b, c;
        int count;
    } block = {vectors.a, vectors.b, vectors.c, COUNT};
    size_t bytes = sizeof block;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_END};
    OK(launch(function, GRID, BLOCK, 0, NULL, extra));
    CU_ASSERT_TRUE(sum_is_right(&vectors));
    bytes = 20;
    FAILS(INVALID_VALUE, launch(function, GRID, BLOCK, 0, NULL, extra));
    FAILS(INVALID_VALUE, launch(function, GRID, BLOCK, 0, vectors.parameters, extra));

    CUevent done;
    OK(driver->cuEventCreate(&done, 0));
    CUlaunchAttribute attributes[2] = {{.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1},
                                       {.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT}};
    attributes[1].value.launchCompletionEvent.event = done;
    CUlaunchConfig config = {.gridDimX = GRID,
                             .gridDimY = 1,
                             .gridDimZ = 1,
                             .blockDimX = BLOCK,
                             .blockDimY = 1,
                             .blockDimZ = 1,
                             .attrs = attributes,
                             .numAttrs = 2};
    OK(driver->cuLaunchKernelEx(&config, function, vectors.parameters, NULL));
    CU_ASSERT_TRUE(sum_is_right(&vectors));
    OK(driver->cuEventSynchronize(done));
    attributes[0] = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {2, 1, 1}};
    FAILS(INVALID_CLUSTER_SIZE, driver->cuLaunchKernelEx(&config, function, vectors.parameters, NULL));
    OK(driver->cuEventDestroy_v2(done));

    OK(driver->cuLaunchCooperativeKernel(function, GRID, 1, 1, BLOCK, 1, 1, 0, NULL, vectors.parameters));
    CU_ASSERT_TRUE(sum_is_right(&vectors));
    destroy_vectors(&vectors);
}

static void refused_launches_leave_the_context_usable(void)
{
    struct vectors vectors;
    CUfunction function = get_function("vector_add");
    create_vectors(&vectors);
    size_t before = findings_of("launch");
    FAILS(INVALID_VALUE, launch(function, 0, BLOCK, 0, vectors.parameters, NULL));
    FAILS(INVALID_VALUE, launch(function, 1, 0, 0, vectors.parameters, NULL));
    CU_ASSERT_NOT_EQUAL(launch(function, 1, 1025, 0, vectors.parameters, NULL), CUDA_SUCCESS);
    CU_ASSERT_NOT_EQUAL(launch(function, 1, 32, 166913, vectors.parameters, NULL), CUDA_SUCCESS);
    CU_ASSERT_NOT_EQUAL(driver->cuLaunchCooperativeKernel(function, 100000, 1, 1, BLOCK, 1, 1, 0, NULL, vectors.parameters),
                        CUDA_SUCCESS);
    CU_ASSERT_EQUAL(findings_of("launch"), before + 5);
    FAILS(INVALID_VALUE, launch(function, GRID, BLOCK, 0, NULL, NULL));
    void *holes[4] = {&vectors.a, NULL, &vectors.c, &vectors.count};
    FAILS(INVALID_VALUE, launch(function, GRID, BLOCK, 0, holes, NULL));
    CU_ASSERT_EQUAL(findings_of("launch"), before + 7);
    OK(driver->cuCtxSynchronize());
    OK(launch(function, GRID, BLOCK, 0, vectors.parameters, NULL));
    CU_ASSERT_TRUE(sum_is_right(&vectors));
    destroy_vectors(&vectors);
}

static void too_much_shared_memory_names_the_largest_arrays(void)
{
    static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                               ".shared .align 4 .b8 other[20000];\n.shared .align 4 .b8 _ZZ6greedyE4tile[40000];\n"
                               ".entry greedy() { .reg .b32 %r; ld.shared.b32 %r, [other];\n"
                               "st.shared.b32 [_ZZ6greedyE4tile], %r; ret; }\n";
    CUmodule greedy;
    CUfunction function;
    char path[SUPPORT_PATH_BYTES];
    OK(driver->cuModuleLoadData(&greedy, text));
    OK(driver->cuModuleGetFunction(&function, greedy, "greedy"));
    CU_ASSERT_NOT_EQUAL(launch(function, 1, 32, 0, NULL, NULL), CUDA_SUCCESS);
    char *findings = support_read_file(support_join(path, directory, "findings"), NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(findings);
    SUPPORT_CONTAINS(findings, "60000 bytes of shared memory per block (60000 static, 0 dynamic); the limit is 49152. The "
                               "largest: tile 40000, other 20000");
    free(findings);
    OK(driver->cuModuleUnload(greedy));
}

static void dynamic_shared_memory_is_limited_by_the_attribute(void)
{
    struct vectors vectors;
    CUmodule other;
    CUfunction function;
    create_vectors(&vectors);
    OK(driver->cuModuleLoadData(&other, ptx));
    OK(driver->cuModuleGetFunction(&function, other, "vector_add"));
    OK(launch(function, 1, 32, 49152, vectors.parameters, NULL));
    FAILS(INVALID_VALUE, launch(function, 1, 32, 49153, vectors.parameters, NULL));
    OK(driver->cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
    OK(launch(function, 1, 32, 100000, vectors.parameters, NULL));
    FAILS(INVALID_VALUE, launch(function, 1, 32, 100001, vectors.parameters, NULL));
    OK(driver->cuModuleUnload(other));
    destroy_vectors(&vectors);
}

/* Runs a kernel that fails in a context of its own, and checks what is left: `failure` everywhere. */
static void check_failure(const char *kernel, CUresult failure)
{
    CUcontext context;
    CUmodule own;
    CUfunction function;
    CUdeviceptr a, b;
    CUstream stream;
    OK(driver->cuCtxCreate_v2(&context, 0, 0));
    OK(driver->cuModuleLoadData(&own, ptx));
    OK(driver->cuModuleGetFunction(&function, own, kernel));
    OK(driver->cuMemAlloc_v2(&a, 64));
    OK(driver->cuStreamCreate(&stream, 0));
    void *parameters[] = {&a};
    OK(launch(function, 1, 1, 0, parameters, NULL)); /* the launch itself does not know yet */
    CU_ASSERT_EQUAL(driver->cuCtxSynchronize(), failure);
    CU_ASSERT_EQUAL(driver->cuStreamSynchronize(stream), failure);
    CU_ASSERT_EQUAL(driver->cuMemAlloc_v2(&b, 64), failure);
    CU_ASSERT_EQUAL(driver->cuMemFree_v2(a), failure);
    CU_ASSERT_EQUAL(launch(function, 1, 1, 0, parameters, NULL), failure);
    OK(driver->cuCtxDestroy_v2(context));
    OK(driver->cuCtxSynchronize()); /* the primary context is not concerned */
}

static void a_failed_kernel_poisons_its_context_until_the_end(void)
{
    size_t before = findings_of("out_of_bounds");
    check_failure("stray_store", CUDA_ERROR_ILLEGAL_ADDRESS);
    CU_ASSERT_EQUAL(findings_of("out_of_bounds"), before + 1);
    check_failure("trap_now", CUDA_ERROR_LAUNCH_FAILED);
}

static void resetting_the_primary_context_ends_a_failure(void)
{
    OK(launch(get_function("trap_now"), 1, 1, 0, NULL, NULL));
    FAILS(LAUNCH_FAILED, driver->cuCtxSynchronize());
    OK(driver->cuDevicePrimaryCtxReset_v2(0));
    OK(driver->cuCtxSynchronize());
    CUfunction function;
    FAILS(INVALID_HANDLE, driver->cuModuleGetFunction(&function, module, "vector_add")); /* gone with the rest */
    OK(driver->cuModuleLoadData(&module, ptx));
}

static void unloaded_modules_take_their_functions_along(void)
{
    CUmodule other;
    CUfunction function;
    CUdeviceptr address;
    size_t bytes;
    OK(driver->cuModuleLoadData(&other, ptx));
    OK(driver->cuModuleGetFunction(&function, other, "vector_add"));
    OK(driver->cuModuleGetGlobal_v2(&address, &bytes, other, "calls"));
    OK(driver->cuModuleUnload(other));
    FAILS(INVALID_HANDLE, driver->cuModuleUnload(other));
    FAILS(INVALID_HANDLE, launch(function, 1, 1, 0, NULL, NULL));
    FAILS(NOT_FOUND, driver->cuMemGetAddressRange_v2(&address, &bytes, address));
}

/* Loads with an error log; returns the result, the log in `log`. */
static CUresult load_logged(const void *image, char *log, size_t log_bytes, size_t *filled)
{
    CUmodule loaded;
    char info[256];
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                              CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL};
    void *values[] = {log, (void *)(uintptr_t)log_bytes, info, (void *)(uintptr_t)sizeof info, (void *)(uintptr_t)4};
    log[0] = '\0';
    CUresult result = driver->cuModuleLoadDataEx(&loaded, image, 5, options, values);
    *filled = (size_t)(uintptr_t)values[1];
    if (result == CUDA_SUCCESS)
        OK(driver->cuModuleUnload(loaded));
    return result;
}

static void refused_images_are_explained_in_the_log(void)
{
    char log[512], tiny[8];
    size_t filled;
    static const char cubin[64] = "\177ELF\2\1\1";
    FAILS(NO_BINARY_FOR_GPU, load_logged(cubin, log, sizeof log, &filled));
    SUPPORT_CONTAINS(log, "PTX text instead");
    CU_ASSERT_EQUAL(filled, strlen(log) + 1);
    FAILS(INVALID_IMAGE, load_logged("", log, sizeof log, &filled));
    SUPPORT_CONTAINS(log, "empty");
    FAILS(INVALID_IMAGE, load_logged("\1\2\3\4\5", log, sizeof log, &filled));
    FAILS(INVALID_PTX, load_logged(".version 7.0\n.target sm_80\n.address_size 64\n.entry f()\n{\n  frobnicate;\n}\n", log,
                                   sizeof log, &filled));
    SUPPORT_CONTAINS(log, "line 6");
    SUPPORT_CONTAINS(log, "frobnicate");
    FAILS(NO_BINARY_FOR_GPU, load_logged(cubin, tiny, sizeof tiny, &filled));
    CU_ASSERT_TRUE(strlen(tiny) == 7 && filled == 8); /* cut to fit */
    OK(load_logged(ptx, log, sizeof log, &filled));
    CU_ASSERT_STRING_EQUAL(log, "");
    CUjit_option unknown = (CUjit_option)1000;
    void *value = NULL;
    CUmodule loaded;
    FAILS(INVALID_VALUE, driver->cuModuleLoadDataEx(&loaded, ptx, 1, &unknown, &value));
    FAILS(FILE_NOT_FOUND, driver->cuModuleLoad(&loaded, "tests/fixtures/no_such_file.ptx"));
    FAILS(INVALID_VALUE, driver->cuModuleLoadData(&loaded, NULL));
}

enum { FAT_PLAIN = 0x11, FAT_LZ4 = 0x2011, FAT_ZSTANDARD = 0x8011 };

/* Packs the PTX as literals: what a decoder must accept, though nothing gets smaller. Returns the packed size. */
static size_t pack(uint64_t flags, uint8_t *packed)
{
    uint8_t *at = packed;
    if (flags == FAT_ZSTANDARD) { /* RFC 8878: magic, a header with a size of 4 bytes, one raw block that is the last */
        static const uint8_t start[] = {0x28, 0xb5, 0x2f, 0xfd, 0xa0};
        memcpy(at, start, sizeof start);
        memcpy(at + 5, &(uint32_t){(uint32_t)ptx_bytes}, 4);
        memcpy(at + 9, &(uint32_t){(uint32_t)ptx_bytes << 3 | 1}, 3);
        at += 12;
    } else if (flags == FAT_LZ4) { /* a token for 15 literals and more, the rest of their number in bytes */
        *at++ = 0xf0;
        size_t more = ptx_bytes - 15;
        for (; more >= 255; more -= 255)
            *at++ = 255;
        *at++ = (uint8_t)more;
    }
    memcpy(at, ptx, ptx_bytes);
    return (size_t)(at - packed) + ptx_bytes;
}

/* A fat binary with one PTX entry, as nvcc writes it. */
static uint8_t *make_fat_binary(uint64_t flags)
{
    size_t content = (2 * ptx_bytes + 64) & ~(size_t)7;
    uint8_t *fat = calloc(1, 16 + 80 + content);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fat);
    uint64_t length = 80 + content;
    size_t packed_bytes = pack(flags, fat + 96);
    memcpy(fat, &(uint32_t){0xba55ed50}, 4);
    memcpy(fat + 4, &(uint16_t){1}, 2);
    memcpy(fat + 6, &(uint16_t){16}, 2);
    memcpy(fat + 8, &length, 8);
    memcpy(fat + 16, &(uint16_t){1}, 2); /* PTX */
    memcpy(fat + 20, &(uint32_t){80}, 4);
    memcpy(fat + 24, &(uint64_t){content}, 8);
    memcpy(fat + 56, &flags, 8);
    if (flags != FAT_PLAIN) {
        memcpy(fat + 32, &(uint32_t){(uint32_t)packed_bytes}, 4);
        memcpy(fat + 72, &(uint64_t){ptx_bytes}, 8);
    }
    return fat;
}

static void loads_ptx_from_files_and_fat_binaries(void)
{
    CUmodule loaded;
    CUfunction function;
    char log[512];
    size_t filled;
    OK(driver->cuModuleLoad(&loaded, "tests/fixtures/vector_add.ptx"));
    OK(driver->cuModuleUnload(loaded));
    uint8_t *fat = make_fat_binary(FAT_PLAIN);
    OK(driver->cuModuleLoadFatBinary(&loaded, fat));
    OK(driver->cuModuleGetFunction(&function, loaded, "vector_add"));
    OK(driver->cuModuleUnload(loaded));
    struct {
        uint32_t magic, version;
        const void *data, *name;
    } wrapper = {0x466243b1, 1, fat, NULL};
    OK(driver->cuModuleLoadData(&loaded, &wrapper));
    OK(driver->cuModuleUnload(loaded));
    memcpy(fat + 24, &(uint64_t){UINT64_MAX - 8}, 8); /* a length that would overflow */
    FAILS(INVALID_IMAGE, load_logged(fat, log, sizeof log, &filled));
    free(fat);
}

/* nvcc 12.8 and later compress with Zstandard, older ones with LZ4. */
static void loads_compressed_fat_binaries(void)
{
    static const uint64_t methods[] = {FAT_ZSTANDARD, FAT_LZ4};
    char log[512];
    size_t filled;
    for (size_t i = 0; i < SUPPORT_COUNT(methods); i++) {
        CUmodule loaded;
        CUfunction function;
        uint8_t *fat = make_fat_binary(methods[i]);
        OK(driver->cuModuleLoadData(&loaded, fat));
        OK(driver->cuModuleGetFunction(&function, loaded, "vector_add"));
        OK(driver->cuModuleUnload(loaded));
        memcpy(fat + 32, &(uint32_t){100}, 4); /* the end is missing */
        FAILS(INVALID_IMAGE, load_logged(fat, log, sizeof log, &filled));
        SUPPORT_CONTAINS(log, "damaged");
        memcpy(fat + 72, &(uint64_t){UINT64_MAX}, 8);
        FAILS(INVALID_IMAGE, load_logged(fat, log, sizeof log, &filled));
        memcpy(fat + 72, &(uint64_t){0}, 8);
        FAILS(INVALID_IMAGE, load_logged(fat, log, sizeof log, &filled));
        free(fat);
    }
}

static void libraries_and_links_lead_to_the_same_kernels(void)
{
    CUlibrary library;
    CUkernel kernel;
    CUfunction function;
    CUlinkState link;
    CUmodule loaded;
    void *image;
    size_t bytes;
    struct vectors vectors;
    create_vectors(&vectors);
    OK(driver->cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    OK(driver->cuLibraryGetKernel(&kernel, library, "vector_add"));
    OK(driver->cuKernelGetFunction(&function, kernel));
    OK(launch(function, GRID, BLOCK, 0, vectors.parameters, NULL));
    CU_ASSERT_TRUE(sum_is_right(&vectors));
    OK(launch((CUfunction)kernel, GRID, BLOCK, 0, vectors.parameters, NULL));
    CU_ASSERT_TRUE(sum_is_right(&vectors));
    OK(driver->cuLibraryUnload(library));
    FAILS(INVALID_HANDLE, driver->cuKernelGetFunction(&function, kernel));
    OK(driver->cuLinkCreate_v2(0, NULL, NULL, &link));
    FAILS(INVALID_VALUE, driver->cuLinkComplete(link, NULL, &bytes));
    OK(driver->cuLinkAddData_v2(link, CU_JIT_INPUT_PTX, ptx, ptx_bytes, "vector_add", 0, NULL, NULL));
    OK(driver->cuLinkComplete(link, &image, &bytes));
    OK(driver->cuModuleLoadData(&loaded, image));
    OK(driver->cuLinkDestroy(link));
    OK(driver->cuModuleGetFunction(&function, loaded, "vector_add"));
    OK(launch(function, GRID, BLOCK, 0, vectors.parameters, NULL));
    CU_ASSERT_TRUE(sum_is_right(&vectors));
    OK(driver->cuModuleUnload(loaded));
    destroy_vectors(&vectors);
}

/* A program that was written for NVIDIA's driver and knows nothing of us. */
static void python_programs_run_unchanged(void)
{
    if (support_is_sanitized()) {
        support_skip("Python does not have the sanitizer's runtime");
        return;
    }
    char library[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES + 32];
    support_build_path("emulated", library);
    snprintf(path, sizeof path, "LD_LIBRARY_PATH=%s", library);
    const char *arguments[] = {"python3", "tests/fixtures/driver_vector_add.py", "3000", NULL};
    const char *environment[] = {path, "LOCKSTEP_CHECKS=all", NULL};
    struct support_result result;
    if (!support_run(&(struct support_command){.arguments = arguments, .environment = environment}, &result))
        return;
    CU_ASSERT_EQUAL(result.status, 0);
    SUPPORT_CONTAINS(result.output, "ok 3000");
    CU_ASSERT_STRING_EQUAL(result.errors, "");
    support_result_clear(&result);
}

/* Runs the Python program with one variable set; *result is the caller's. */
static bool run_with(const char *setting, struct support_result *result)
{
    char library[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES + 32];
    snprintf(path, sizeof path, "LD_LIBRARY_PATH=%s", support_build_path("emulated", library));
    const char *arguments[] = {"python3", "tests/fixtures/driver_vector_add.py", NULL};
    const char *environment[] = {path, "LOCKSTEP_CHECKS", "LOCKSTEP_FINDINGS", setting, NULL};
    return support_run(&(struct support_command){.arguments = arguments, .environment = environment}, result);
}

static void unknown_settings_are_reported_and_unknown_devices_refused(void)
{
    struct support_result result;
    if (support_is_sanitized()) {
        support_skip("Python does not have the sanitizer's runtime");
        return;
    }
    if (!run_with("LOCKSTEP_CHECKS=everything", &result))
        return;
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_EQUAL(support_count_of(result.errors, "LOCKSTEP_CHECKS=everything is not known"), 1);
    support_result_clear(&result);
    if (!run_with("LOCKSTEP_FUEL=-1", &result))
        return;
    CU_ASSERT_EQUAL(result.status, 0);
    SUPPORT_CONTAINS(result.errors, "LOCKSTEP_FUEL=-1");
    support_result_clear(&result);
    if (!run_with("LOCKSTEP_GPU=6.1", &result))
        return;
    CU_ASSERT_EQUAL(result.status, 1);
    SUPPORT_CONTAINS(result.errors, "LOCKSTEP_GPU=6.1");
    SUPPORT_CONTAINS(result.errors, "CUDA_ERROR_NO_DEVICE");
    support_result_clear(&result);
    if (!run_with("LOCKSTEP_GPU=9.0", &result))
        return;
    SUPPORT_CONTAINS(result.output, "9.0");
    support_result_clear(&result);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(finds_kernels_and_variables_by_name),
    SUPPORT_TEST(tells_and_takes_attributes_of_functions),
    SUPPORT_TEST(computes_occupancy),
    SUPPORT_TEST(launches_with_pointers_buffers_and_configurations),
    SUPPORT_TEST(refused_launches_leave_the_context_usable),
    SUPPORT_TEST(too_much_shared_memory_names_the_largest_arrays),
    SUPPORT_TEST(dynamic_shared_memory_is_limited_by_the_attribute),
    SUPPORT_TEST(a_failed_kernel_poisons_its_context_until_the_end),
    SUPPORT_TEST(unloaded_modules_take_their_functions_along),
    SUPPORT_TEST(refused_images_are_explained_in_the_log),
    SUPPORT_TEST(loads_ptx_from_files_and_fat_binaries),
    SUPPORT_TEST(loads_compressed_fat_binaries),
    SUPPORT_TEST(libraries_and_links_lead_to_the_same_kernels),
    SUPPORT_TEST(python_programs_run_unchanged),
    SUPPORT_TEST(unknown_settings_are_reported_and_unknown_devices_refused),
    SUPPORT_TEST(resetting_the_primary_context_ends_a_failure),
};

int driver_kernel_suite_register(void)
{
    return support_register_with("driver_kernel", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
