/* Two devices, memory that is mapped to reserved addresses, and hints that are read back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/driver_table.h"
#include "tests/support.h"

#define OK(call)            CU_ASSERT_EQUAL(call, CUDA_SUCCESS)
#define FAILS(result, call) CU_ASSERT_EQUAL(call, CUDA_ERROR_##result)

enum { COUNT = 256, BYTES = COUNT * 4, GRANULE = 2 << 20 };

static const struct driver_table *driver;
static char directory[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];
static char *ptx;

/* A device's primary context, with the kernels of tests/fixtures/vector_add.ptx in it. */
static struct device {
    CUcontext context;
    CUmodule module;
    CUfunction add;
} devices[2];

static bool open_device(int number)
{
    struct device *device = &devices[number];
    return driver->cuDevicePrimaryCtxRetain(&device->context, number) == CUDA_SUCCESS
           && driver->cuCtxSetCurrent(device->context) == CUDA_SUCCESS
           && driver->cuModuleLoadData(&device->module, ptx) == CUDA_SUCCESS
           && driver->cuModuleGetFunction(&device->add, device->module, "vector_add") == CUDA_SUCCESS;
}

static int set_up(void)
{
    if (!support_temporary_directory(directory))
        return -1;
    support_join(findings, directory, "findings");
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_DEVICES", "2", 1);
    setenv("LOCKSTEP_FINDINGS", findings, 1);
    unsetenv("LOCKSTEP_GPU");
    driver = driver_table_get();
    ptx = support_read_file("tests/fixtures/vector_add.ptx", NULL);
    return driver && ptx && driver->cuInit(0) == CUDA_SUCCESS && open_device(1) && open_device(0) ? 0 : -1;
}

static int clean_up(void)
{
    free(ptx);
    support_remove_tree(directory);
    return 0;
}

static void use(int number)
{
    OK(driver->cuCtxSetCurrent(devices[number].context));
}

/* Gives a device another context, after a kernel failed in it. */
static void renew(int number)
{
    OK(driver->cuDevicePrimaryCtxReset_v2(number));
    CU_ASSERT_TRUE(open_device(number));
}

static size_t findings_with(const char *words)
{
    char *text = support_read_file(findings, NULL);
    size_t count = text ? support_count_of(text, words) : 0;
    free(text);
    return count;
}

/* c[i] = a[i] + a[i] on a device. */
static void launch(int number, CUdeviceptr a, CUdeviceptr c)
{
    int count = COUNT;
    void *parameters[] = {&a, &a, &c, &count};
    use(number);
    OK(driver->cuLaunchKernel(devices[number].add, 1, 1, 1, COUNT, 1, 1, 0, NULL, parameters, NULL));
}

static void fill(CUdeviceptr address)
{
    OK(driver->cuMemsetD32_v2(address, 0x3f800000, COUNT));
}

static bool holds_twos(CUdeviceptr address)
{
    float values[COUNT];
    OK(driver->cuMemcpyDtoH_v2(values, address, BYTES));
    for (int i = 0; i < COUNT; i++)
        if (values[i] != 2)
            return false;
    return true;
}

static void every_device_says_who_it_is(void)
{
    int count, slot;
    CUuuid first, second;
    CUdevice device;
    char text[32];
    OK(driver->cuDeviceGetCount(&count));
    CU_ASSERT_EQUAL(count, 2);
    OK(driver->cuDeviceGet(&device, 1));
    FAILS(INVALID_DEVICE, driver->cuDeviceGet(&device, 2));
    OK(driver->cuDeviceGetUuid(&first, 0));
    OK(driver->cuDeviceGetUuid(&second, 1));
    CU_ASSERT_NOT_EQUAL(memcmp(&first, &second, sizeof first), 0);
    OK(driver->cuDeviceGetPCIBusId(text, sizeof text, 1));
    OK(driver->cuDeviceGetByPCIBusId(&device, text));
    CU_ASSERT_EQUAL(device, 1);
    OK(driver->cuDeviceGetAttribute(&slot, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 1));
    CU_ASSERT_EQUAL(slot, 1);
    use(1);
    OK(driver->cuCtxGetDevice(&device));
    CU_ASSERT_EQUAL(device, 1);
}

static void each_device_has_memory_of_its_own(void)
{
    size_t before, after, total;
    int ordinal;
    CUdeviceptr a;
    use(1);
    OK(driver->cuMemAlloc_v2(&a, 1 << 20));
    use(0);
    OK(driver->cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, a));
    CU_ASSERT_EQUAL(ordinal, 1);
    OK(driver->cuMemGetInfo_v2(&before, &total));
    OK(driver->cuMemFree_v2(a));
    OK(driver->cuMemGetInfo_v2(&after, &total));
    CU_ASSERT_EQUAL(before, after);
}

static CUresult create_pool(CUmemoryPool *pool, int device, size_t largest)
{
    return driver->cuMemPoolCreate(pool, &(CUmemPoolProps){.allocType = 1, .location = {1, device}, .maxSize = largest});
}

static void a_memory_pool_says_which_devices_may_use_it(void)
{
    CUmemoryPool pool, other, default_pool, of_memory;
    CUdeviceptr a, c, none;
    uint64_t used;
    int flags = -1;
    const CUmemLocation first = {1, 0}, second = {1, 1};
    use(1);
    OK(create_pool(&pool, 1, 1 << 20));
    FAILS(INVALID_VALUE, create_pool(&other, 2, 0));
    OK(driver->cuMemAllocFromPoolAsync(&a, BYTES, pool, NULL));
    FAILS(OUT_OF_MEMORY, driver->cuMemAllocFromPoolAsync(&none, 32 << 20, pool, NULL)); /* which its limit is rounded to */
    fill(a);
    OK(driver->cuPointerGetAttribute(&of_memory, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, a));
    CU_ASSERT_PTR_EQUAL(of_memory, pool);
    OK(driver->cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    CU_ASSERT_EQUAL(used, BYTES);
    OK(driver->cuMemPoolGetAccess(&flags, pool, &second));
    CU_ASSERT_EQUAL(flags, 3);
    OK(driver->cuMemPoolGetAccess(&flags, pool, &first));
    CU_ASSERT_EQUAL(flags, 0);

    use(0);
    OK(driver->cuMemAlloc_v2(&c, BYTES));
    OK(driver->cuCtxEnablePeerAccess(devices[1].context, 0)); /* does not count for pools */
    launch(0, a, c);
    FAILS(ILLEGAL_ADDRESS, driver->cuCtxSynchronize());
    CU_ASSERT_NOT_EQUAL(findings_with("is not open to the device of this kernel"), 0);
    renew(0);
    use(0);
    OK(driver->cuMemAlloc_v2(&c, BYTES));
    OK(driver->cuMemPoolSetAccess(pool, &(CUmemAccessDesc){.location = {1, 0}, .flags = 3}, 1)); /* of what it gave, too */
    OK(driver->cuMemPoolGetAccess(&flags, pool, &first));
    CU_ASSERT_EQUAL(flags, 3);
    launch(0, a, c);
    OK(driver->cuCtxSynchronize());
    CU_ASSERT_TRUE(holds_twos(c));
    OK(driver->cuMemFree_v2(c));
    FAILS(INVALID_DEVICE, driver->cuMemPoolSetAccess(pool, &(CUmemAccessDesc){.location = {1, 1}, .flags = 0}, 1));
    FAILS(NOT_SUPPORTED, driver->cuMemPoolSetAccess(pool, &(CUmemAccessDesc){.location = {1, 0}, .flags = 1}, 1));
    FAILS(NOT_SUPPORTED, driver->cuMemPoolSetAccess(pool, &(CUmemAccessDesc){.location = {2, 0}, .flags = 3}, 1));

    use(1);
    FAILS(INVALID_VALUE, driver->cuDeviceSetMemPool(0, pool));
    OK(driver->cuDeviceSetMemPool(1, pool));
    OK(driver->cuMemAllocAsync(&none, 64, NULL));
    OK(driver->cuPointerGetAttribute(&of_memory, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, none));
    CU_ASSERT_PTR_EQUAL(of_memory, pool);
    OK(driver->cuMemPoolDestroy(pool)); /* its memory stays */
    FAILS(INVALID_VALUE, driver->cuMemPoolDestroy(pool));
    OK(driver->cuDeviceGetMemPool(&of_memory, 1));
    OK(driver->cuDeviceGetDefaultMemPool(&default_pool, 1));
    CU_ASSERT_PTR_EQUAL(of_memory, default_pool);
    FAILS(INVALID_VALUE, driver->cuMemPoolDestroy(default_pool));
    fill(a);
    OK(driver->cuMemFreeAsync(none, NULL));
    OK(driver->cuMemFreeAsync(a, NULL));
    OK(driver->cuDeviceGetDefaultMemPool(&other, 0));
    CU_ASSERT_PTR_NOT_EQUAL(other, default_pool);
}

static void a_memory_pool_of_the_host_is_opened_to_devices(void)
{
    CUmemoryPool pool;
    CUdeviceptr a, c, seen;
    int flags = -1;
    const CUmemLocation device = {1, 0}, host = {2, 0};
    use(0);
    OK(driver->cuMemPoolCreate(&pool, &(CUmemPoolProps){.allocType = 1, .location = host}));
    OK(driver->cuMemPoolGetAccess(&flags, pool, &host));
    CU_ASSERT_EQUAL(flags, 3);
    OK(driver->cuMemPoolGetAccess(&flags, pool, &device));
    CU_ASSERT_EQUAL(flags, 0);
    OK(driver->cuMemAllocFromPoolAsync(&a, BYTES, pool, NULL));
    OK(driver->cuMemAlloc_v2(&c, BYTES));
    OK(driver->cuCtxSynchronize());
    for (int i = 0; i < COUNT; i++)
        ((float *)(uintptr_t)a)[i] = 1;
    FAILS(INVALID_VALUE, driver->cuPointerGetAttribute(&seen, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, a));
    size_t before = findings_with("from a memory pool of the host, and the pool is not open");
    launch(0, a, c);
    FAILS(ILLEGAL_ADDRESS, driver->cuCtxSynchronize());
    CU_ASSERT_TRUE(findings_with("from a memory pool of the host, and the pool is not open") > before);
    renew(0);
    use(0);
    FAILS(NOT_SUPPORTED, driver->cuMemPoolSetAccess(pool, &(CUmemAccessDesc){.location = host, .flags = 0}, 1));
    OK(driver->cuMemPoolSetAccess(pool, &(CUmemAccessDesc){.location = device, .flags = 3}, 1));
    OK(driver->cuMemAllocFromPoolAsync(&a, BYTES, pool, NULL));
    OK(driver->cuMemAlloc_v2(&c, BYTES));
    OK(driver->cuCtxSynchronize());
    for (int i = 0; i < COUNT; i++)
        ((float *)(uintptr_t)a)[i] = 1;
    OK(driver->cuPointerGetAttribute(&seen, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, a));
    CU_ASSERT_EQUAL(seen, a);
    launch(0, a, c);
    OK(driver->cuCtxSynchronize());
    CU_ASSERT_TRUE(holds_twos(c));
    OK(driver->cuMemFreeAsync(a, NULL));
    OK(driver->cuMemPoolDestroy(pool));
    OK(driver->cuMemFree_v2(c));
}

static void a_kernel_needs_peer_access(void)
{
    CUdeviceptr a, c;
    int can;
    use(1);
    OK(driver->cuMemAlloc_v2(&a, BYTES));
    fill(a);
    use(0);
    OK(driver->cuMemAlloc_v2(&c, BYTES));
    OK(driver->cuDeviceCanAccessPeer(&can, 0, 1));
    CU_ASSERT_EQUAL(can, 1);
    FAILS(PEER_ACCESS_NOT_ENABLED, driver->cuCtxDisablePeerAccess(devices[1].context));
    FAILS(INVALID_VALUE, driver->cuCtxEnablePeerAccess(devices[1].context, 1));
    FAILS(PEER_ACCESS_UNSUPPORTED, driver->cuCtxEnablePeerAccess(devices[0].context, 0)); /* codes as of an H200 */
    OK(driver->cuCtxEnablePeerAccess(devices[1].context, 0));
    FAILS(PEER_ACCESS_ALREADY_ENABLED, driver->cuCtxEnablePeerAccess(devices[1].context, 0));
    launch(0, a, c);
    CU_ASSERT_TRUE(holds_twos(c));
    CU_ASSERT_EQUAL(findings_with("no_access"), 0);
    OK(driver->cuCtxDisablePeerAccess(devices[1].context));
    launch(0, a, c);
    FAILS(ILLEGAL_ADDRESS, driver->cuCtxSynchronize());
    CU_ASSERT_TRUE(findings_with("is memory of device 1") > 0);
    renew(0);
    use(1);
    OK(driver->cuMemFree_v2(a));
}

static void copies_between_devices_need_no_access(void)
{
    CUdeviceptr a, c;
    use(1);
    OK(driver->cuMemAlloc_v2(&a, BYTES));
    OK(driver->cuMemsetD32_v2(a, 0x40000000, COUNT));
    use(0);
    OK(driver->cuMemAlloc_v2(&c, BYTES));
    OK(driver->cuMemcpyPeer(c, devices[0].context, a, devices[1].context, BYTES));
    CU_ASSERT_TRUE(holds_twos(c));
    FAILS(INVALID_VALUE, driver->cuMemcpyPeer(c, devices[0].context, a, devices[1].context, BYTES + 4));
    OK(driver->cuMemFree_v2(a));
    OK(driver->cuMemFree_v2(c));
}

static void streams_and_events_belong_to_a_device(void)
{
    CUstream stream;
    CUevent event;
    CUdevice device;
    CUdeviceptr a = 0;
    int count = 0;
    void *parameters[] = {&a, &a, &a, &count};
    use(1);
    OK(driver->cuStreamCreate(&stream, 0));
    use(0);
    OK(driver->cuEventCreate(&event, 0));
    OK(driver->cuStreamGetDevice(stream, &device));
    CU_ASSERT_EQUAL(device, 1);
    FAILS(INVALID_HANDLE, driver->cuEventRecord(event, stream));
    OK(driver->cuEventRecord(event, NULL));
    OK(driver->cuStreamWaitEvent(stream, event, 0));
    FAILS(INVALID_HANDLE, driver->cuLaunchKernel(devices[0].add, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
    OK(driver->cuEventDestroy_v2(event));
    OK(driver->cuStreamDestroy_v2(stream));
}

static CUmemAllocationProp on_device(int number)
{
    return (CUmemAllocationProp){.type = 1, .requestedHandleTypes = 1, .location = {1, number}};
}

static void mapped_memory_needs_access(void)
{
    CUmemAllocationProp properties = on_device(0), read_back;
    CUmemGenericAllocationHandle handle, again;
    CUmemAccessDesc access = {{1, 0}, 3};
    CUdeviceptr a;
    unsigned long long flags;
    size_t granularity;
    use(0);
    OK(driver->cuMemGetAllocationGranularity(&granularity, &properties, 0));
    CU_ASSERT_EQUAL(granularity, GRANULE);
    FAILS(INVALID_VALUE, driver->cuMemCreate(&handle, 4096, &properties, 0));
    OK(driver->cuMemCreate(&handle, GRANULE, &properties, 0));
    OK(driver->cuMemAddressReserve(&a, 4 * GRANULE, 0, 0, 0));
    FAILS(NOT_SUPPORTED, driver->cuMemMap(a, GRANULE, GRANULE, handle, 0)); /* codes as of an H200 */
    FAILS(NOT_SUPPORTED, driver->cuMemMap(a, 2 * GRANULE, 0, handle, 0));
    FAILS(INVALID_VALUE, driver->cuMemSetAccess(a, GRANULE, &access, 1));
    OK(driver->cuMemMap(a, GRANULE, 0, handle, 0));
    OK(driver->cuMemMap(a + 2 * GRANULE, GRANULE, 0, handle, 0)); /* the same memory a second time */
    FAILS(INVALID_VALUE, driver->cuMemMap(a, GRANULE, 0, handle, 0));
    size_t before = findings_with("no_access");
    FAILS(INVALID_VALUE, driver->cuMemsetD32_v2(a, 0, COUNT));
    CU_ASSERT_EQUAL(findings_with("no_access"), before + 1);
    OK(driver->cuMemSetAccess(a, GRANULE, &access, 1));
    OK(driver->cuMemGetAccess(&flags, &access.location, a));
    CU_ASSERT_EQUAL(flags, 3);
    OK(driver->cuMemGetAccess(&flags, &access.location, a + 2 * GRANULE));
    CU_ASSERT_EQUAL(flags, 0);
    fill(a);
    launch(0, a, a + BYTES);
    CU_ASSERT_TRUE(holds_twos(a + BYTES));
    OK(driver->cuMemSetAccess(a + 2 * GRANULE, GRANULE, &access, 1));
    size_t unwritten = findings_with("uninitialized");
    CU_ASSERT_TRUE(holds_twos(a + 2 * GRANULE + BYTES));
    CU_ASSERT_EQUAL(findings_with("uninitialized"), unwritten); /* what was written is known there, too */
    OK(driver->cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(a + 5)));
    CU_ASSERT_EQUAL(again, handle);
    OK(driver->cuMemGetAllocationPropertiesFromHandle(&read_back, handle));
    CU_ASSERT_EQUAL(read_back.location.id, 0);
    OK(driver->cuMemRelease(again));
    OK(driver->cuMemRelease(handle));
    FAILS(INVALID_VALUE, driver->cuMemRelease(handle));
    CU_ASSERT_TRUE(holds_twos(a + BYTES)); /* mapped memory lives on */
    FAILS(INVALID_VALUE, driver->cuMemAddressFree(a, 4 * GRANULE));
    FAILS(INVALID_VALUE, driver->cuMemFree_v2(a));
    OK(driver->cuMemUnmap(a, GRANULE));
    launch(0, a, a + BYTES);
    FAILS(ILLEGAL_ADDRESS, driver->cuCtxSynchronize());
    CU_ASSERT_TRUE(findings_with("nothing is mapped") > 0);
    renew(0);
    OK(driver->cuMemUnmap(a + 2 * GRANULE, GRANULE));
    OK(driver->cuMemAddressFree(a, 4 * GRANULE));
    FAILS(INVALID_VALUE, driver->cuMemAddressFree(a, 4 * GRANULE));
}

static void access_is_given_to_each_device(void)
{
    CUmemAllocationProp properties = on_device(1);
    CUmemGenericAllocationHandle handle;
    CUmemAccessDesc access = {{1, 1}, 3};
    CUdeviceptr a;
    use(0);
    OK(driver->cuMemCreate(&handle, GRANULE, &properties, 0));
    OK(driver->cuMemAddressReserve(&a, GRANULE, 0, 0, 0));
    OK(driver->cuMemMap(a, GRANULE, 0, handle, 0));
    OK(driver->cuMemRelease(handle));
    OK(driver->cuMemSetAccess(a, GRANULE, &access, 1));
    fill(a);
    launch(1, a, a + BYTES);
    OK(driver->cuCtxSynchronize());
    launch(0, a, a + BYTES);
    FAILS(ILLEGAL_ADDRESS, driver->cuCtxSynchronize());
    CU_ASSERT_TRUE(findings_with("was not given access") > 0);
    renew(0);
    access.location.id = 0;
    access.flags = 1;
    OK(driver->cuMemSetAccess(a, GRANULE, &access, 1));
    launch(0, a, a + BYTES);
    FAILS(ILLEGAL_ADDRESS, driver->cuCtxSynchronize());
    CU_ASSERT_TRUE(findings_with("for reading only") > 0);
    renew(0);
    OK(driver->cuMemUnmap(a, GRANULE));
    OK(driver->cuMemAddressFree(a, GRANULE));
}

static void physical_memory_is_handed_on(void)
{
    CUmemAllocationProp properties = on_device(0);
    CUmemGenericAllocationHandle handle, imported;
    CUmemAccessDesc access = {{1, 0}, 3};
    CUdeviceptr a;
    int file;
    use(0);
    OK(driver->cuMemCreate(&handle, GRANULE, &properties, 0));
    FAILS(NOT_SUPPORTED, driver->cuMemExportToShareableHandle(&file, handle, 8, 0));
    OK(driver->cuMemExportToShareableHandle(&file, handle, 1, 0));
    OK(driver->cuMemImportFromShareableHandle(&imported, (void *)(intptr_t)file, 1));
    close(file);
    FAILS(INVALID_VALUE, driver->cuMemImportFromShareableHandle(&imported, (void *)(intptr_t)file, 1));
    OK(driver->cuMemAddressReserve(&a, 2 * GRANULE, 0, 0, 0));
    OK(driver->cuMemMap(a, GRANULE, 0, handle, 0));
    OK(driver->cuMemMap(a + GRANULE, GRANULE, 0, imported, 0));
    OK(driver->cuMemSetAccess(a, 2 * GRANULE, &access, 1));
    OK(driver->cuMemsetD32_v2(a, 0x40000000, COUNT));
    CU_ASSERT_TRUE(holds_twos(a + GRANULE));
    OK(driver->cuMemUnmap(a, 2 * GRANULE));
    OK(driver->cuMemAddressFree(a, 2 * GRANULE));
    OK(driver->cuMemRelease(handle));
    OK(driver->cuMemRelease(imported));
    properties.requestedHandleTypes = 0;
    OK(driver->cuMemCreate(&handle, GRANULE, &properties, 0));
    FAILS(INVALID_VALUE, driver->cuMemExportToShareableHandle(&file, handle, 1, 0));
    OK(driver->cuMemRelease(handle));
}

/* What the other process does: 0 when all went well. */
static int as_another_process(CUipcMemHandle handle, CUipcEventHandle event_handle)
{
    CUdeviceptr a;
    CUevent event;
    bool good = driver->cuIpcOpenMemHandle_v2(&a, handle, 1) == CUDA_SUCCESS
                && driver->cuIpcOpenEventHandle(&event, event_handle) == CUDA_SUCCESS
                && driver->cuEventSynchronize(event) == CUDA_SUCCESS && holds_twos(a)
                && driver->cuMemsetD32_v2(a + BYTES, 0x40000000, COUNT) == CUDA_SUCCESS
                && driver->cuMemsetD32_v2(a + BYTES, 0, COUNT + 1) == CUDA_ERROR_INVALID_VALUE
                && driver->cuMemFree_v2(a) == CUDA_ERROR_INVALID_VALUE && driver->cuIpcCloseMemHandle(a) == CUDA_SUCCESS;
    return good ? 0 : 1;
}

static void another_process_opens_memory_and_events(void)
{
    CUipcMemHandle handle;
    CUipcEventHandle event_handle;
    CUdeviceptr a, opened;
    CUevent event;
    int status;
    use(0);
    OK(driver->cuMemAlloc_v2(&a, 2 * BYTES));
    OK(driver->cuMemsetD32_v2(a, 0x40000000, COUNT));
    OK(driver->cuIpcGetMemHandle(&handle, a + 4));
    FAILS(INVALID_CONTEXT, driver->cuIpcOpenMemHandle_v2(&opened, handle, 1));
    FAILS(INVALID_VALUE, driver->cuIpcOpenMemHandle_v2(&opened, handle, 0));
    FAILS(INVALID_VALUE, driver->cuEventCreate(&event, CU_EVENT_INTERPROCESS));
    OK(driver->cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    OK(driver->cuIpcGetEventHandle(&event_handle, event));
    OK(driver->cuEventRecord(event, NULL));
    pid_t child = fork();
    if (child == 0)
        _exit(as_another_process(handle, event_handle));
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    size_t unwritten = findings_with("uninitialized");
    CU_ASSERT_TRUE(holds_twos(a + BYTES));
    CU_ASSERT_EQUAL(findings_with("uninitialized"), unwritten);
    OK(driver->cuMemFree_v2(a));
    memset(&handle, 0, sizeof handle);
    FAILS(INVALID_HANDLE, driver->cuIpcOpenMemHandle_v2(&opened, handle, 1));
    OK(driver->cuEventDestroy_v2(event));
}

static void hints_of_streams_are_read_back(void)
{
    CUstream stream;
    CUlaunchAttributeValue value = {0}, other = {0};
    use(0);
    OK(driver->cuStreamCreateWithPriority(&stream, 0, -2));
    OK(driver->cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    CU_ASSERT_EQUAL(value.priority, -2);
    memset(&value, 0, sizeof value);
    value.accessPolicyWindow.num_bytes = 4096;
    value.accessPolicyWindow.hitRatio = 2;
    FAILS(INVALID_VALUE, driver->cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
    value.accessPolicyWindow.hitRatio = 0.5f;
    OK(driver->cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
    OK(driver->cuStreamCopyAttributes(NULL, stream));
    OK(driver->cuStreamGetAttribute(NULL, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &other));
    CU_ASSERT_EQUAL(other.accessPolicyWindow.num_bytes, 4096);
    FAILS(INVALID_VALUE, driver->cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    OK(driver->cuStreamDestroy_v2(stream));
}

static void old_launches_name_the_limit(void)
{
    use(0);
    size_t before = findings_with("a block of 2000 threads in x; this device allows 1024");
    FAILS(INVALID_VALUE, driver->cuFuncSetBlockShape(devices[0].add, 2000, 1, 1));
    CU_ASSERT_EQUAL(findings_with("a block of 2000 threads in x; this device allows 1024"), before + 1);
    FAILS(INVALID_VALUE, driver->cuFuncSetBlockShape(devices[0].add, -1, 1, 1));
    OK(driver->cuFuncSetBlockShape(devices[0].add, 1024, 1, 1));
    size_t launches = findings_with("\"code\": \"launch\"");
    FAILS(INVALID_VALUE, driver->cuLaunchGrid(devices[0].add, 0, 1));
    CU_ASSERT_EQUAL(findings_with("\"code\": \"launch\""), launches + 1);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(every_device_says_who_it_is),
    SUPPORT_TEST(each_device_has_memory_of_its_own),
    SUPPORT_TEST(a_kernel_needs_peer_access),
    SUPPORT_TEST(copies_between_devices_need_no_access),
    SUPPORT_TEST(streams_and_events_belong_to_a_device),
    SUPPORT_TEST(mapped_memory_needs_access),
    SUPPORT_TEST(access_is_given_to_each_device),
    SUPPORT_TEST(physical_memory_is_handed_on),
    SUPPORT_TEST(another_process_opens_memory_and_events),
    SUPPORT_TEST(hints_of_streams_are_read_back),
    SUPPORT_TEST(old_launches_name_the_limit),
    SUPPORT_TEST(a_memory_pool_says_which_devices_may_use_it),
    SUPPORT_TEST(a_memory_pool_of_the_host_is_opened_to_devices),
};

int devices_suite_register(void)
{
    return support_register_with("devices", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
