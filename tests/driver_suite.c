/* The entry points of the emulated driver around device, contexts, handles, streams and events. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/driver_table.h"
#include "tests/support.h"

#define GARBAGE(type)       ((type)(uintptr_t)0x123456789abcdef0)
#define OK(call)            CU_ASSERT_EQUAL(call, CUDA_SUCCESS)
#define FAILS(result, call) CU_ASSERT_EQUAL(call, CUDA_ERROR_##result)

static const struct driver_table *driver;
static CUcontext primary;

/* The first tests run before cuInit; all share one process. */
static int set_up(void)
{
    unsetenv("LOCKSTEP_GPU");
    setenv("LOCKSTEP_CHECKS", "none", 1);
    driver = driver_table_get();
    return driver ? 0 : -1;
}

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
#define RESULT(result, number, words)                      \
    OK(driver->cuGetErrorName(result, &text));             \
    CU_ASSERT_STRING_EQUAL(text, #result);                 \
    OK(driver->cuGetErrorString((CUresult)number, &text)); \
    CU_ASSERT_STRING_EQUAL(text, words);
#include "runtime/cuda/driver_results.def"
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
    OK(driver->cuCtxPushCurrent_v2(context)); /* twice on the stack: destroying pops it once */
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
    FAILS(INVALID_HANDLE, driver->cuEventRecord((CUevent)stream, NULL)); /* a live handle of another kind */
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

static void count_call(void *data)
{
    CUcontext current;
    OK(driver->cuCtxGetCurrent(&current)); /* the driver is not locked meanwhile */
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

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
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
    FAILS(INVALID_HANDLE, driver->cuEventElapsedTime(&milliseconds, start, stop)); /* not recorded */
    OK(driver->cuEventQuery(start));
    double before = now_ms();
    OK(driver->cuEventRecord(start, stream));
    OK(driver->cuStreamWaitEvent(stream, start, 0));
    struct timespec pause = {0, 20000000};
    nanosleep(&pause, NULL);
    OK(driver->cuEventRecord(stop, stream));
    double longest = now_ms() - before;
    OK(driver->cuEventRecord(untimed, stream));
    OK(driver->cuEventSynchronize(stop));
    OK(driver->cuEventElapsedTime(&milliseconds, start, stop));
    CU_ASSERT_TRUE(milliseconds >= 20 && milliseconds <= longest + 0.001);
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
    SUPPORT_TEST(streams_run_callbacks_and_answer_queries),
    SUPPORT_TEST_OF(host, events_measure_time),
    SUPPORT_TEST(threads_may_call_at_once),
};

int driver_suite_register(void)
{
    return support_register_with("driver", set_up, NULL, tests, SUPPORT_COUNT(tests));
}
