/* The entry points of the emulated driver that need no kernel: device, contexts, memory, copies, streams, events. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/driver_table.h"
#include "tests/support.h"

#define GARBAGE(type) ((type)(uintptr_t)0x123456789abcdef0)

static const struct driver_table *driver;
static char directory[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];
static CUcontext primary;

/* The first tests run before cuInit; all share one process. */
static int set_up(void)
{
    if (!support_temporary_directory(directory))
        return -1;
    support_join(findings, directory, "findings");
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_FINDINGS", findings, 1);
    unsetenv("LOCKSTEP_GPU");
    driver = driver_table_get();
    return driver ? 0 : -1;
}

static int clean_up(void)
{
    support_remove_tree(directory);
    return 0;
}

/* How many findings of that code have been written so far. */
static size_t findings_of(const char *code)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\"", code);
    char *text = support_read_file(findings, NULL);
    size_t count = text ? support_count_of(text, quoted) : 0;
    free(text);
    return count;
}

/* Does `call` return `result` and add exactly one finding of that code? */
#define EXPECT_FINDING(code, result, call)                 \
    do {                                                   \
        size_t before = findings_of(code);                 \
        CU_ASSERT_EQUAL(call, result);                     \
        CU_ASSERT_EQUAL(findings_of(code), before + 1);    \
    } while (0)

#define OK(call) CU_ASSERT_EQUAL(call, CUDA_SUCCESS)
#define FAILS(result, call) CU_ASSERT_EQUAL(call, CUDA_ERROR_##result)

static void use_primary(void)
{
    OK(driver->cuInit(0));
    OK(driver->cuDevicePrimaryCtxRetain(&primary, 0));
    OK(driver->cuCtxSetCurrent(primary));
}

static void release_primary(void)
{
    OK(driver->cuCtxSetCurrent(NULL));
    OK(driver->cuDevicePrimaryCtxRelease_v2(0));
}

static void refuses_everything_before_init(void)
{
    int number;
    CUdeviceptr address;
    CUcontext context;
    FAILS(NOT_INITIALIZED, driver->cuDeviceGetCount(&number));
    FAILS(NOT_INITIALIZED, driver->cuMemAlloc_v2(&address, 4));
    FAILS(NOT_INITIALIZED, driver->cuCtxGetCurrent(&context));
    FAILS(NOT_INITIALIZED, driver->cuCtxSynchronize());
    CU_ASSERT_EQUAL(driver->name_memory(1, "a", 4, 0), CUDA_ERROR_NOT_INITIALIZED);
    OK(driver->cuDriverGetVersion(&number));
    CU_ASSERT_EQUAL(number, 13000);
    FAILS(INVALID_VALUE, driver->cuInit(1));
    OK(driver->cuInit(0));
    OK(driver->cuInit(0));
    CU_ASSERT_EQUAL(driver->driver_interface(), LOCKSTEP_DRIVER_INTERFACE);
}

static void calls_that_need_a_context_say_when_there_is_none(void)
{
    CUdeviceptr address;
    CUcontext context = GARBAGE(CUcontext);
    OK(driver->cuCtxGetCurrent(&context));
    CU_ASSERT_PTR_NULL(context);
    FAILS(INVALID_CONTEXT, driver->cuMemAlloc_v2(&address, 4));
    FAILS(INVALID_CONTEXT, driver->cuCtxSynchronize());
    FAILS(INVALID_CONTEXT, driver->cuCtxPopCurrent_v2(&context));
}

static void describes_one_device(void)
{
    int value, major, minor;
    CUdevice device;
    char name[128], bus[32];
    CUuuid uuid;
    size_t bytes;
    OK(driver->cuDeviceGetCount(&value));
    CU_ASSERT_EQUAL(value, 1);
    OK(driver->cuDeviceGet(&device, 0));
    FAILS(INVALID_DEVICE, driver->cuDeviceGet(&device, 1));
    FAILS(INVALID_DEVICE, driver->cuDeviceGet(&device, -1));
    OK(driver->cuDeviceGetName(name, sizeof name, 0));
    SUPPORT_CONTAINS(name, "8.0");
    OK(driver->cuDeviceGetName(name, 5, 0));
    CU_ASSERT_EQUAL(strlen(name), 4);
    OK(driver->cuDeviceGetUuid(&uuid, 0));
    OK(driver->cuDeviceTotalMem_v2(&bytes, 0));
    CU_ASSERT_EQUAL(bytes, (size_t)40 << 30);
    OK(driver->cuDeviceComputeCapability(&major, &minor, 0));
    CU_ASSERT_EQUAL(major * 10 + minor, 80);
    OK(driver->cuDeviceGetPCIBusId(bus, sizeof bus, 0));
    OK(driver->cuDeviceGetByPCIBusId(&device, bus));
    for (int attribute = 1; attribute <= 147; attribute++)
        OK(driver->cuDeviceGetAttribute(&value, (CUdevice_attribute)attribute, 0));
    FAILS(INVALID_VALUE, driver->cuDeviceGetAttribute(&value, (CUdevice_attribute)0, 0));
    FAILS(INVALID_VALUE, driver->cuDeviceGetAttribute(&value, (CUdevice_attribute)148, 0));
    FAILS(INVALID_VALUE, driver->cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    OK(driver->cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    CU_ASSERT_EQUAL(value, 32);
    OK(driver->cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    CU_ASSERT_EQUAL(value, 108);
}

static void names_every_result(void)
{
    const char *text;
#define RESULT(result, number, words)                       \
    OK(driver->cuGetErrorName(result, &text));              \
    CU_ASSERT_STRING_EQUAL(text, #result);                  \
    OK(driver->cuGetErrorString((CUresult)number, &text));  \
    CU_ASSERT_STRING_EQUAL(text, words);
#include "runtime/driver_results.def"
#undef RESULT
    FAILS(INVALID_VALUE, driver->cuGetErrorName((CUresult)12345, &text));
    CU_ASSERT_PTR_NULL(text);
}

static void contexts_form_a_stack_for_each_thread(void)
{
    CUcontext first, second, current;
    OK(driver->cuCtxCreate_v2(&first, 0, 0));
    OK(driver->cuCtxCreate_v4(&second, NULL, CU_CTX_SCHED_SPIN, 0));
    OK(driver->cuCtxGetCurrent(&current));
    CU_ASSERT_PTR_EQUAL(current, second);
    OK(driver->cuCtxPopCurrent_v2(&current));
    CU_ASSERT_PTR_EQUAL(current, second);
    OK(driver->cuCtxGetCurrent(&current));
    CU_ASSERT_PTR_EQUAL(current, first);
    OK(driver->cuCtxPushCurrent_v2(second));
    unsigned flags, version;
    OK(driver->cuCtxGetFlags(&flags));
    CU_ASSERT_EQUAL(flags, CU_CTX_SCHED_SPIN);
    OK(driver->cuCtxGetApiVersion(first, &version));
    OK(driver->cuCtxDestroy_v2(second));
    OK(driver->cuCtxGetCurrent(&current));
    CU_ASSERT_PTR_EQUAL(current, first);
    OK(driver->cuCtxDestroy_v2(first));
    OK(driver->cuCtxGetCurrent(&current));
    CU_ASSERT_PTR_NULL(current);
    FAILS(INVALID_CONTEXT, driver->cuCtxDestroy_v2(first));
    FAILS(INVALID_CONTEXT, driver->cuCtxSetCurrent(second));
    FAILS(INVALID_CONTEXT, driver->cuCtxPushCurrent_v2(GARBAGE(CUcontext)));
    FAILS(INVALID_VALUE, driver->cuCtxCreate_v2(&first, 0x1000, 0));
    FAILS(INVALID_DEVICE, driver->cuCtxCreate_v2(&first, 0, 1));
}

static void a_destroyed_context_is_recognised_where_it_is_current(void)
{
    CUcontext context;
    CUdeviceptr address;
    CUstream stream;
    OK(driver->cuCtxCreate_v2(&context, 0, 0));
    OK(driver->cuCtxPushCurrent_v2(context));   /* twice on the stack: destroying pops it once */
    OK(driver->cuStreamCreate(&stream, 0));
    OK(driver->cuCtxDestroy_v2(context));
    FAILS(CONTEXT_IS_DESTROYED, driver->cuMemAlloc_v2(&address, 4));
    FAILS(CONTEXT_IS_DESTROYED, driver->cuStreamSynchronize(stream));
    OK(driver->cuCtxPopCurrent_v2(&context));
}

static void primary_context_lives_while_it_is_retained(void)
{
    CUcontext again;
    unsigned flags;
    int active;
    OK(driver->cuDevicePrimaryCtxGetState(0, &flags, &active));
    CU_ASSERT_FALSE(active);
    FAILS(INVALID_CONTEXT, driver->cuDevicePrimaryCtxRelease_v2(0));
    use_primary();
    OK(driver->cuDevicePrimaryCtxRetain(&again, 0));
    CU_ASSERT_PTR_EQUAL(again, primary);
    OK(driver->cuDevicePrimaryCtxRelease_v2(0));
    OK(driver->cuDevicePrimaryCtxGetState(0, &flags, &active));
    CU_ASSERT_TRUE(active);
    OK(driver->cuCtxSynchronize());
    OK(driver->cuDevicePrimaryCtxRelease_v2(0));
    FAILS(CONTEXT_IS_DESTROYED, driver->cuCtxSynchronize());
    OK(driver->cuCtxSetCurrent(NULL));
    FAILS(INVALID_CONTEXT, driver->cuCtxSetCurrent(primary));
    FAILS(INVALID_CONTEXT, driver->cuCtxDestroy_v2(primary));
}

static void garbage_handles_are_refused(void)
{
    int value;
    unsigned flags;
    const char *name;
    float elapsed;
    CUfunction function;
    CUstream stream;
    use_primary();
    FAILS(INVALID_HANDLE, driver->cuModuleUnload(GARBAGE(CUmodule)));
    FAILS(INVALID_HANDLE, driver->cuModuleGetFunction(&function, NULL, "f"));
    FAILS(INVALID_HANDLE, driver->cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, GARBAGE(CUfunction)));
    FAILS(INVALID_HANDLE, driver->cuFuncGetName(&name, NULL));
    FAILS(INVALID_HANDLE, driver->cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_HANDLE, driver->cuStreamSynchronize(GARBAGE(CUstream)));
    FAILS(INVALID_HANDLE, driver->cuStreamGetFlags((CUstream)(uintptr_t)3, &flags));
    FAILS(INVALID_HANDLE, driver->cuStreamDestroy_v2(NULL));
    FAILS(INVALID_HANDLE, driver->cuEventRecord(NULL, NULL));
    FAILS(INVALID_HANDLE, driver->cuEventElapsedTime(&elapsed, GARBAGE(CUevent), GARBAGE(CUevent)));
    FAILS(INVALID_HANDLE, driver->cuLinkDestroy(GARBAGE(CUlinkState)));
    FAILS(INVALID_HANDLE, driver->cuLibraryUnload(GARBAGE(CUlibrary)));
    OK(driver->cuStreamCreate(&stream, 0));
    FAILS(INVALID_HANDLE, driver->cuEventRecord((CUevent)stream, NULL));   /* a live handle of another kind */
    OK(driver->cuStreamDestroy_v2(stream));
    FAILS(INVALID_HANDLE, driver->cuStreamDestroy_v2(stream));
    release_primary();
}

static void limits_can_be_set_and_read(void)
{
    size_t value;
    use_primary();
    OK(driver->cuCtxGetLimit(&value, CU_LIMIT_PRINTF_FIFO_SIZE));
    CU_ASSERT_EQUAL(value, 1 << 20);
    OK(driver->cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    OK(driver->cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
    CU_ASSERT_EQUAL(value, 4096);
    FAILS(UNSUPPORTED_LIMIT, driver->cuCtxSetLimit((CUlimit)77, 1));
    FAILS(UNSUPPORTED_LIMIT, driver->cuCtxGetLimit(&value, (CUlimit)77));
    FAILS(INVALID_VALUE, driver->cuCtxSetLimit(CU_LIMIT_STACK_SIZE, (size_t)1 << 40));
    release_primary();
}

static void allocates_and_frees(void)
{
    CUdeviceptr a, b, base;
    size_t bytes, free_before, free_after, total, pitch;
    use_primary();
    OK(driver->cuMemGetInfo_v2(&free_before, &total));
    OK(driver->cuMemAlloc_v2(&a, 1000));
    OK(driver->cuMemGetInfo_v2(&free_after, &total));
    CU_ASSERT_EQUAL(free_before - free_after, 1000);
    OK(driver->cuMemGetAddressRange_v2(&base, &bytes, a + 999));
    CU_ASSERT_EQUAL(base, a);
    CU_ASSERT_EQUAL(bytes, 1000);
    FAILS(NOT_FOUND, driver->cuMemGetAddressRange_v2(&base, &bytes, a + 1000));
    FAILS(OUT_OF_MEMORY, driver->cuMemAlloc_v2(&b, (size_t)1 << 40));
    FAILS(INVALID_VALUE, driver->cuMemAlloc_v2(&b, 0));
    FAILS(INVALID_VALUE, driver->cuMemAlloc_v2(NULL, 4));
    OK(driver->cuMemAllocPitch_v2(&b, &pitch, 1000, 10, 4));
    CU_ASSERT_EQUAL(pitch, 1024);
    FAILS(INVALID_VALUE, driver->cuMemAllocPitch_v2(&b, &pitch, 1000, 10, 3));
    FAILS(OUT_OF_MEMORY, driver->cuMemAllocPitch_v2(&base, &pitch, 1000, SIZE_MAX / 2, 4));
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemFree_v2(a + 4));
    OK(driver->cuMemFree_v2(a));
    EXPECT_FINDING("use_after_free", CUDA_ERROR_INVALID_VALUE, driver->cuMemFree_v2(a));
    OK(driver->cuMemFree_v2(b));
    OK(driver->cuMemFree_v2(0));
    OK(driver->cuMemAllocAsync(&a, 64, NULL));
    OK(driver->cuMemFreeAsync(a, NULL));
    release_primary();
}

static void host_memory_of_every_kind_is_known(void)
{
    void *pinned;
    static char mine[4096];
    CUdeviceptr address, managed;
    unsigned value;
    unsigned char flag;
    use_primary();
    OK(driver->cuMemHostAlloc(&pinned, 1000, CU_MEMHOSTALLOC_DEVICEMAP));
    memset(pinned, 1, 1000);
    OK(driver->cuMemHostGetDevicePointer_v2(&address, pinned, 0));
    CU_ASSERT_EQUAL(address, (CUdeviceptr)(uintptr_t)pinned);
    OK(driver->cuMemHostGetFlags(&value, pinned));
    CU_ASSERT_EQUAL(value, CU_MEMHOSTALLOC_DEVICEMAP);
    OK(driver->cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
    CU_ASSERT_EQUAL(value, CU_MEMORYTYPE_HOST);
    OK(driver->cuMemHostRegister_v2(mine, sizeof mine, 0));
    FAILS(HOST_MEMORY_ALREADY_REGISTERED, driver->cuMemHostRegister_v2(mine + 8, 8, 0));
    OK(driver->cuMemHostUnregister(mine));
    FAILS(HOST_MEMORY_NOT_REGISTERED, driver->cuMemHostUnregister(mine));
    FAILS(INVALID_VALUE, driver->cuMemHostGetDevicePointer_v2(&address, mine, 0));
    OK(driver->cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
    *(int *)(uintptr_t)managed = 7;   /* the host may simply use it */
    OK(driver->cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
    CU_ASSERT_EQUAL(flag, 1);
    FAILS(INVALID_VALUE, driver->cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_IS_MANAGED, 0x1000));
    OK(driver->cuMemFree_v2(managed));
    FAILS(INVALID_VALUE, driver->cuMemFree_v2((CUdeviceptr)(uintptr_t)pinned));   /* that is cuMemFreeHost's */
    OK(driver->cuMemFreeHost(pinned));
    release_primary();
}

static void copies_between_host_and_device(void)
{
    static uint8_t from[1000], to[1000];
    CUdeviceptr a, b;
    for (int i = 0; i < 1000; i++)
        from[i] = (uint8_t)(i * 7);
    use_primary();
    OK(driver->cuMemAlloc_v2(&a, 1000));
    OK(driver->cuMemAlloc_v2(&b, 1000));
    OK(driver->cuMemcpyHtoD_v2(a, from, 1000));
    OK(driver->cuMemcpyDtoD_v2(b, a, 1000));
    OK(driver->cuMemcpyDtoHAsync_v2(to, b, 1000, CU_STREAM_PER_THREAD));
    CU_ASSERT_EQUAL(memcmp(from, to, 1000), 0);
    OK(driver->cuMemcpyHtoDAsync_v2(b + 500, from, 500, NULL));
    memset(to, 0, sizeof to);
    OK(driver->cuMemcpy((CUdeviceptr)(uintptr_t)to, b, 1000));
    CU_ASSERT_EQUAL(memcmp(from, to, 500), 0);
    CU_ASSERT_EQUAL(memcmp(from, to + 500, 500), 0);
    OK(driver->cuMemcpyDtoD_v2(a + 1, a, 999));   /* ranges that overlap */
    OK(driver->cuMemcpyDtoH_v2(to, a, 1000));
    CU_ASSERT_EQUAL(memcmp(from, to + 1, 999), 0);
    OK(driver->cuMemcpyDtoH_v2(NULL, a, 0));
    OK(driver->cuMemFree_v2(a));
    OK(driver->cuMemFree_v2(b));
    release_primary();
}

static void copies_outside_an_allocation_are_findings(void)
{
    static uint8_t host[1100];
    CUdeviceptr a, b;
    void *pinned;
    use_primary();
    OK(driver->cuMemAlloc_v2(&a, 1000));
    OK(driver->cuMemAlloc_v2(&b, 1000));
    OK(driver->cuMemHostAlloc(&pinned, 1000, 0));
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpyHtoD_v2(a, host, 1001));
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpyHtoD_v2(a + 1000, host, 1));
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpyHtoD_v2(a - 1, host, 10));
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpyHtoD_v2(a + 8, host, SIZE_MAX - 4));
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpyDtoD_v2(b, a + 1, 1000));
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpyDtoH_v2(pinned, a, 1001));
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE,
                   driver->cuMemcpyHtoD_v2((CUdeviceptr)(uintptr_t)host, host, 4));   /* a host pointer */
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE,
                   driver->cuMemcpyDtoH_v2((void *)(uintptr_t)a, b, 4));              /* sides swapped */
    EXPECT_FINDING("null_pointer", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpyHtoD_v2(0, host, 4));
    EXPECT_FINDING("null_pointer", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpyDtoH_v2(NULL, a, 4));
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemsetD32_v2(a, 1, 251));
    OK(driver->cuMemFree_v2(b));
    EXPECT_FINDING("use_after_free", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpyHtoD_v2(b, host, 4));
    OK(driver->cuMemFree_v2(a));
    OK(driver->cuMemFreeHost(pinned));
    release_primary();
}

static void copies_rectangles(void)
{
    enum { WIDTH = 12, HEIGHT = 5, PITCH = 512 };
    uint8_t from[HEIGHT][WIDTH], to[HEIGHT][20];
    CUdeviceptr a;
    size_t pitch;
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        from[i / WIDTH][i % WIDTH] = (uint8_t)(i + 1);
    memset(to, 0xee, sizeof to);
    use_primary();
    OK(driver->cuMemAllocPitch_v2(&a, &pitch, WIDTH, HEIGHT, 4));
    CU_ASSERT_EQUAL(pitch, PITCH);
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = from, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = a, .dstPitch = pitch, .WidthInBytes = WIDTH, .Height = HEIGHT};
    OK(driver->cuMemcpy2D_v2(&copy));
    /* the middle of it, to the right side of a wider array */
    CUDA_MEMCPY2D back = {.srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = a, .srcPitch = pitch, .srcXInBytes = 2,
                          .srcY = 1, .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = to, .dstPitch = 20, .dstXInBytes = 10, .dstY = 2,
                          .WidthInBytes = 8, .Height = 3};
    OK(driver->cuMemcpy2D_v2(&back));
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < 20; column++) {
            bool inside = row >= 2 && column >= 10 && column < 18;
            CU_ASSERT_EQUAL(to[row][column], inside ? from[row - 1][column - 8] : 0xee);
        }
    }
    back.srcPitch = 4;   /* shorter than a row */
    FAILS(INVALID_VALUE, driver->cuMemcpy2D_v2(&back));
    copy.Height = HEIGHT + 1;
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpy2D_v2(&copy));
    copy.Height = SIZE_MAX / 2;
    FAILS(INVALID_VALUE, driver->cuMemcpy2D_v2(&copy));
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    FAILS(NOT_SUPPORTED, driver->cuMemcpy2D_v2(&copy));
    OK(driver->cuMemFree_v2(a));
    release_primary();
}

static void sets_elements_of_every_width(void)
{
    static uint32_t words[70000];
    uint16_t *halves = (uint16_t *)words;
    uint8_t *bytes = (uint8_t *)words;
    CUdeviceptr a;
    use_primary();
    OK(driver->cuMemAlloc_v2(&a, sizeof words));
    OK(driver->cuMemsetD32_v2(a, 0x12345678, 70000));
    OK(driver->cuMemcpyDtoH_v2(words, a, sizeof words));
    bool same = true;
    for (int i = 0; i < 70000; i++)
        same &= words[i] == 0x12345678;
    CU_ASSERT_TRUE(same);
    OK(driver->cuMemsetD16_v2(a + 4, 0xabcd, 3));
    OK(driver->cuMemsetD8Async(a + 1, 0x5a, 2, NULL));
    OK(driver->cuMemsetD2D8_v2(a + 100, 50, 9, 3, 2));
    OK(driver->cuMemcpyDtoH_v2(words, a, sizeof words));
    CU_ASSERT_EQUAL(words[0], 0x125a5a78);
    CU_ASSERT_TRUE(halves[2] == 0xabcd && halves[3] == 0xabcd && halves[4] == 0xabcd && halves[5] == 0x1234);
    CU_ASSERT_TRUE(bytes[100] == 9 && bytes[102] == 9 && bytes[103] == 0x12 && bytes[150] == 9 && bytes[153] == 0x56);
    FAILS(INVALID_VALUE, driver->cuMemsetD32_v2(a + 2, 1, 1));   /* not aligned */
    FAILS(INVALID_VALUE, driver->cuMemsetD2D32_v2(a, 8, 1, 4, 2));
    OK(driver->cuMemFree_v2(a));
    release_primary();
}

static void poison_that_reaches_the_host_is_a_finding(void)
{
    uint8_t host[64], valid[64];
    CUdeviceptr a, b;
    use_primary();
    OK(driver->cuMemAlloc_v2(&a, 64));
    OK(driver->cuMemAlloc_v2(&b, 64));
    EXPECT_FINDING("uninitialized", CUDA_SUCCESS, driver->cuMemcpyDtoH_v2(host, a, 64));
    OK(driver->cuMemsetD8_v2(a, 0, 60));
    EXPECT_FINDING("uninitialized", CUDA_SUCCESS, driver->cuMemcpyDtoH_v2(host, a, 61));
    size_t before = findings_of("uninitialized");
    OK(driver->cuMemcpyDtoH_v2(host, a, 60));
    OK(driver->cuMemcpyDtoD_v2(b, a, 64));   /* poison moves along, and is no error */
    CU_ASSERT_EQUAL(findings_of("uninitialized"), before);
    CU_ASSERT_EQUAL(driver->written_memory(b, 64, valid), 0);
    for (int i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(valid[i], i < 60);
    CU_ASSERT_EQUAL(driver->name_memory(a, "a", 4, 0), 0);   /* whoever names memory looks for itself */
    OK(driver->cuMemcpyDtoH_v2(host, a, 64));
    CU_ASSERT_EQUAL(driver->poison_memory(a + 8, 8), 0);
    CU_ASSERT_EQUAL(driver->written_memory(a, 20, valid), 0);
    CU_ASSERT_TRUE(valid[7] == 1 && valid[8] == 0 && valid[15] == 0 && valid[16] == 1);
    OK(driver->cuMemcpyDtoH_v2(host, a, 64));
    CU_ASSERT_EQUAL(findings_of("uninitialized"), before);
    CU_ASSERT_EQUAL(driver->poison_memory(a, 65), CUDA_ERROR_INVALID_VALUE);
    CU_ASSERT_EQUAL(driver->name_memory(a + 64, "x", 0, 0), CUDA_ERROR_INVALID_VALUE);
    CU_ASSERT_EQUAL(driver->protect_memory(0, 1), CUDA_ERROR_INVALID_VALUE);
    OK(driver->cuMemFree_v2(a));
    OK(driver->cuMemFree_v2(b));
    release_primary();
}

static void memory_that_nobody_frees_is_a_leak(void)
{
    CUdeviceptr a;
    CUcontext context;
    void *pinned;
    OK(driver->cuCtxCreate_v2(&context, 0, 0));
    OK(driver->cuMemAlloc_v2(&a, 64));
    OK(driver->cuMemHostAlloc(&pinned, 64, 0));
    EXPECT_FINDING("leak", CUDA_SUCCESS, driver->cuCtxDestroy_v2(context));
    use_primary();
    EXPECT_FINDING("use_after_free", CUDA_ERROR_INVALID_VALUE, driver->cuMemFree_v2(a));
    release_primary();
}

static void count_call(void *data)
{
    CUcontext current;
    OK(driver->cuCtxGetCurrent(&current));   /* the driver is not locked meanwhile */
    ++*(int *)data;
}

static void count_stream_call(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    CU_ASSERT_EQUAL(status, CUDA_SUCCESS);
    count_call(data);
}

static void streams_run_callbacks_and_answer_queries(void)
{
    CUstream stream;
    CUcontext context;
    CUstreamCaptureStatus status;
    unsigned flags;
    int priority, least, greatest, calls = 0;
    use_primary();
    OK(driver->cuCtxGetStreamPriorityRange(&least, &greatest));
    OK(driver->cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -100));
    OK(driver->cuStreamGetPriority(stream, &priority));
    CU_ASSERT_EQUAL(priority, greatest);
    OK(driver->cuStreamGetFlags(stream, &flags));
    CU_ASSERT_EQUAL(flags, CU_STREAM_NON_BLOCKING);
    OK(driver->cuStreamGetCtx(stream, &context));
    CU_ASSERT_PTR_EQUAL(context, primary);
    OK(driver->cuStreamIsCapturing(stream, &status));
    CU_ASSERT_EQUAL(status, CU_STREAM_CAPTURE_STATUS_NONE);
    OK(driver->cuStreamAddCallback(stream, count_stream_call, &calls, 0));
    OK(driver->cuLaunchHostFunc(stream, count_call, &calls));
    OK(driver->cuStreamQuery(stream));
    OK(driver->cuStreamSynchronize(stream));
    CU_ASSERT_EQUAL(calls, 2);
    FAILS(INVALID_VALUE, driver->cuStreamCreate(&stream, 4));
    OK(driver->cuStreamDestroy_v2(stream));
    release_primary();
}

static void events_measure_time(void)
{
    CUevent start, stop, untimed;
    CUstream stream;
    float milliseconds = -1;
    use_primary();
    OK(driver->cuStreamCreate(&stream, 0));
    OK(driver->cuEventCreate(&start, 0));
    OK(driver->cuEventCreate(&stop, CU_EVENT_BLOCKING_SYNC));
    OK(driver->cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
    FAILS(INVALID_HANDLE, driver->cuEventElapsedTime(&milliseconds, start, stop));   /* not recorded */
    OK(driver->cuEventQuery(start));
    OK(driver->cuEventRecord(start, stream));
    OK(driver->cuStreamWaitEvent(stream, start, 0));
    struct timespec pause = {0, 20000000};
    nanosleep(&pause, NULL);
    OK(driver->cuEventRecord(stop, stream));
    OK(driver->cuEventRecord(untimed, stream));
    OK(driver->cuEventSynchronize(stop));
    OK(driver->cuEventElapsedTime(&milliseconds, start, stop));
    CU_ASSERT_TRUE(milliseconds >= 20 && milliseconds < 5000);
    OK(driver->cuEventElapsedTime(&milliseconds, stop, start));
    CU_ASSERT_TRUE(milliseconds <= -20);
    FAILS(INVALID_HANDLE, driver->cuEventElapsedTime(&milliseconds, start, untimed));
    OK(driver->cuEventDestroy_v2(start));
    FAILS(INVALID_HANDLE, driver->cuEventRecord(start, stream));
    OK(driver->cuEventDestroy_v2(stop));
    OK(driver->cuEventDestroy_v2(untimed));
    OK(driver->cuStreamDestroy_v2(stream));
    release_primary();
}

/* Allocates, fills, reads back and frees; returns how many calls went wrong. */
static void *work(void *unused)
{
    (void)unused;
    intptr_t wrong = driver->cuCtxSetCurrent(primary) != CUDA_SUCCESS;
    for (unsigned i = 0; i < 500; i++) {
        CUdeviceptr a;
        CUstream stream;
        uint32_t word = 0;
        wrong += driver->cuMemAlloc_v2(&a, 4096 + i) != CUDA_SUCCESS;
        wrong += driver->cuStreamCreate(&stream, 0) != CUDA_SUCCESS;
        wrong += driver->cuMemsetD32Async(a, i, 1024, stream) != CUDA_SUCCESS;
        wrong += driver->cuMemcpyDtoH_v2(&word, a + 4092, 4) != CUDA_SUCCESS || word != i;
        wrong += driver->cuStreamDestroy_v2(stream) != CUDA_SUCCESS;
        wrong += driver->cuMemFree_v2(a) != CUDA_SUCCESS;
    }
    return (void *)wrong;
}

static void threads_may_call_at_once(void)
{
    pthread_t threads[4];
    use_primary();
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, work, NULL), 0);
    for (int i = 0; i < 4; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        CU_ASSERT_PTR_NULL(wrong);
    }
    release_primary();
}

static const struct support_test tests[] = {
    SUPPORT_TEST(refuses_everything_before_init),
    SUPPORT_TEST(calls_that_need_a_context_say_when_there_is_none),
    SUPPORT_TEST(describes_one_device),
    SUPPORT_TEST(names_every_result),
    SUPPORT_TEST(contexts_form_a_stack_for_each_thread),
    SUPPORT_TEST(a_destroyed_context_is_recognised_where_it_is_current),
    SUPPORT_TEST(primary_context_lives_while_it_is_retained),
    SUPPORT_TEST(garbage_handles_are_refused),
    SUPPORT_TEST(limits_can_be_set_and_read),
    SUPPORT_TEST(allocates_and_frees),
    SUPPORT_TEST(host_memory_of_every_kind_is_known),
    SUPPORT_TEST(copies_between_host_and_device),
    SUPPORT_TEST(copies_outside_an_allocation_are_findings),
    SUPPORT_TEST(copies_rectangles),
    SUPPORT_TEST(sets_elements_of_every_width),
    SUPPORT_TEST(poison_that_reaches_the_host_is_a_finding),
    SUPPORT_TEST(memory_that_nobody_frees_is_a_leak),
    SUPPORT_TEST(streams_run_callbacks_and_answer_queries),
    SUPPORT_TEST(events_measure_time),
    SUPPORT_TEST(threads_may_call_at_once),
};

int driver_suite_register(void)
{
    return support_register_with("driver", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
