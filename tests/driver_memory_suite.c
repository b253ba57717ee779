/* The entry points of the emulated driver around memory: allocations, copies, sets, and the findings that they make. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/driver_table.h"
#include "tests/support.h"

#define OK(call)            CU_ASSERT_EQUAL(call, CUDA_SUCCESS)
#define FAILS(result, call) CU_ASSERT_EQUAL(call, CUDA_ERROR_##result)

static const struct driver_table *driver;
static char directory[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];
static CUcontext primary;

static int set_up(void)
{
    if (!support_temporary_directory(directory))
        return -1;
    support_join(findings, directory, "findings");
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_FINDINGS", findings, 1);
    unsetenv("LOCKSTEP_GPU");
    driver = driver_table_get();
    return driver && driver->cuInit(0) == CUDA_SUCCESS ? 0 : -1;
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
#define EXPECT_FINDING(code, result, call)              \
    do {                                                \
        size_t before = findings_of(code);              \
        CU_ASSERT_EQUAL(call, result);                  \
        CU_ASSERT_EQUAL(findings_of(code), before + 1); \
    } while (0)

static void use_primary(void)
{
    OK(driver->cuDevicePrimaryCtxRetain(&primary, 0));
    OK(driver->cuCtxSetCurrent(primary));
}

static void release_primary(void)
{
    OK(driver->cuCtxSetCurrent(NULL));
    OK(driver->cuDevicePrimaryCtxRelease_v2(0));
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
    CUmemoryPool pool;
    OK(driver->cuDeviceGetDefaultMemPool(&pool, 0));
    OK(driver->cuDeviceSetMemPool(0, pool));
    FAILS(INVALID_VALUE, driver->cuDeviceSetMemPool(0, NULL));
    OK(driver->cuMemAllocAsync(&a, 64, NULL));
    OK(driver->cuMemFreeAsync(a, NULL));
    release_primary();
}

/* What cuMemPoolCreate answers for memory of a type, 1 pinned, 2 managed, at a location: 0 none, 1 a device, 2 the host,
 * 3 a NUMA node. */
static CUresult create_pool(int type, int location, int number, CUmemPoolProps properties, CUmemoryPool *pool)
{
    properties.allocType = type;
    properties.location = (CUmemLocation){location, number};
    return driver->cuMemPoolCreate(pool, &properties);
}

static CUresult try_pool(int type, int location, int number, CUmemPoolProps properties)
{
    CUmemoryPool pool;
    CUresult result = create_pool(type, location, number, properties, &pool);
    if (result == CUDA_SUCCESS)
        OK(driver->cuMemPoolDestroy(pool));
    return result;
}

/* As an H200 answers (driver 580). */
static void memory_pools_are_of_every_kind(void)
{
    const CUmemPoolProps plain = {0}, files = {.handleTypes = 1}, limited = {.maxSize = 1 << 20};
    use_primary();
    for (int location = 1; location <= 3; location++) {
        OK(try_pool(1, location, 0, plain));
        OK(try_pool(1, location, 0, limited));
        OK(try_pool(2, location, 0, plain));
        FAILS(INVALID_VALUE, try_pool(2, location, 0, limited));
        FAILS(INVALID_VALUE, try_pool(2, location, 0, files));
        FAILS(INVALID_VALUE, try_pool(0, location, 0, plain));
        FAILS(INVALID_VALUE, try_pool(3, location, 0, plain));
    }
    OK(try_pool(1, 2, 9, plain)); /* the host has no numbers */
    OK(try_pool(2, 0, 9, plain));
    OK(try_pool(2, 4, 9, plain));
    FAILS(INVALID_VALUE, try_pool(1, 0, 0, plain));
    FAILS(INVALID_VALUE, try_pool(1, 1, 9, plain));
    FAILS(INVALID_VALUE, try_pool(1, 3, 1, plain));
    FAILS(INVALID_VALUE, try_pool(1, 4, 0, plain));
    FAILS(INVALID_VALUE, try_pool(1, 2, 0, files));
    FAILS(OUT_OF_MEMORY, try_pool(1, 1, 0, (CUmemPoolProps){.maxSize = (size_t)1 << 50}));
    FAILS(INVALID_VALUE, driver->cuMemPoolCreate(NULL, &plain));
    FAILS(INVALID_VALUE, driver->cuMemPoolCreate(&(CUmemoryPool){0}, NULL));
    release_primary();
}

static void every_place_has_a_default_pool_and_a_current_one(void)
{
    CUmemoryPool own, found, of_device, of_host;
    CUmemLocation device = {1, 0}, host = {2, 7}, none = {0, 0}, here = {4, 0}, absent = {1, 9};
    use_primary();
    OK(driver->cuDeviceGetDefaultMemPool(&of_device, 0));
    OK(driver->cuMemGetDefaultMemPool(&found, &device, 1));
    CU_ASSERT_PTR_EQUAL(found, of_device);
    OK(driver->cuMemGetDefaultMemPool(&of_host, &host, 1));
    OK(driver->cuMemGetDefaultMemPool(&found, &none, 2));
    CU_ASSERT_PTR_NOT_EQUAL(found, of_host);
    FAILS(INVALID_VALUE, driver->cuMemGetDefaultMemPool(&found, &none, 1));
    FAILS(INVALID_VALUE, driver->cuMemGetMemPool(&found, &absent, 1));
    FAILS(NOT_SUPPORTED, driver->cuMemGetMemPool(&found, &here, 1));
    FAILS(INVALID_VALUE, driver->cuMemGetMemPool(NULL, &host, 1));
    FAILS(INVALID_VALUE, driver->cuMemGetMemPool(&found, NULL, 1));

    OK(create_pool(1, 2, 0, (CUmemPoolProps){0}, &own));
    FAILS(INVALID_VALUE, driver->cuMemSetMemPool(&device, 1, own));
    FAILS(INVALID_VALUE, driver->cuMemSetMemPool(&host, 2, own));
    FAILS(INVALID_VALUE, driver->cuDeviceSetMemPool(0, own));
    OK(driver->cuMemSetMemPool(&host, 1, own));
    OK(driver->cuMemGetMemPool(&found, &host, 1));
    CU_ASSERT_PTR_EQUAL(found, own);
    OK(driver->cuMemPoolDestroy(own));
    OK(driver->cuMemGetMemPool(&found, &host, 1));
    CU_ASSERT_PTR_EQUAL(found, of_host);
    FAILS(INVALID_VALUE, driver->cuMemPoolDestroy(of_host));
    FAILS(INVALID_VALUE, driver->cuMemSetMemPool(&host, 1, own));
    release_primary();
}

static void memory_of_pools_is_what_the_pool_is_of(void)
{
    CUmemoryPool pool, found;
    CUdeviceptr address;
    unsigned value;
    unsigned char managed;
    use_primary();
    for (int type = 1; type <= 2; type++) {
        OK(create_pool(type, 2, 0, (CUmemPoolProps){0}, &pool));
        OK(driver->cuMemAllocFromPoolAsync(&address, 64, pool, NULL));
        OK(driver->cuCtxSynchronize());
        memset((void *)(uintptr_t)address, 7, 64); /* the host's, too */
        OK(driver->cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
        CU_ASSERT_EQUAL(value, type == 1 ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
        OK(driver->cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
        CU_ASSERT_EQUAL(managed, type == 2);
        OK(driver->cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address));
        CU_ASSERT_PTR_EQUAL(found, pool);
        EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemFreeHost((void *)(uintptr_t)address));
        OK(driver->cuMemFreeAsync(address, NULL));
        FAILS(INVALID_VALUE, driver->cuMemFreeAsync(address, NULL));
        OK(driver->cuMemAllocFromPoolAsync(&address, 64, pool, NULL));
        OK(driver->cuMemPoolDestroy(pool)); /* its memory stays */
        OK(driver->cuCtxSynchronize());
        memset((void *)(uintptr_t)address, 7, 64);
        OK(driver->cuMemFree_v2(address));
    }
    release_primary();
}

static uint64_t amount(CUmemoryPool pool, CUmemPool_attribute attribute)
{
    uint64_t value = 0;
    OK(driver->cuMemPoolGetAttribute(pool, attribute, &value));
    return value;
}

static CUresult set_amount(CUmemoryPool pool, CUmemPool_attribute attribute, uint64_t value)
{
    return driver->cuMemPoolSetAttribute(pool, attribute, &value);
}

/* A pool holds memory in pieces of 32 MiB, and gives back what is not in use when the host waits: down to the threshold. */
static void a_pool_holds_memory_until_the_host_waits(void)
{
    const uint64_t piece = 32 << 20;
    CUmemoryPool pool;
    CUdeviceptr a, b;
    int reuse = 5;
    use_primary();
    OK(create_pool(1, 1, 0, (CUmemPoolProps){0}, &pool));
    OK(driver->cuMemAllocFromPoolAsync(&a, 64, pool, NULL));
    OK(driver->cuMemAllocFromPoolAsync(&b, piece, pool, NULL));
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), piece + 64);
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 2 * piece);
    OK(driver->cuMemFreeAsync(b, NULL));
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 2 * piece);
    OK(driver->cuStreamSynchronize(NULL));
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), piece);
    OK(set_amount(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX));
    OK(driver->cuMemFreeAsync(a, NULL));
    OK(driver->cuCtxSynchronize());
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0);
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), piece);
    OK(driver->cuMemPoolTrimTo(pool, 1));
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), piece);
    OK(driver->cuMemPoolTrimTo(pool, 0));
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0);
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), 2 * piece);
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), piece + 64);
    OK(set_amount(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0));
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), 0);
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), piece + 64);
    OK(set_amount(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0));
    CU_ASSERT_EQUAL(amount(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 0);
    FAILS(INVALID_VALUE, set_amount(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, 1));
    FAILS(INVALID_VALUE, set_amount(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 0));
    FAILS(INVALID_VALUE, set_amount(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, 0));
    OK(driver->cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &reuse));
    OK(driver->cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &reuse));
    CU_ASSERT_EQUAL(reuse, 1);
    OK(driver->cuMemPoolDestroy(pool));
    FAILS(INVALID_VALUE, driver->cuMemPoolTrimTo(pool, 0));
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
    *(int *)(uintptr_t)managed = 7; /* the host may simply use it */
    OK(driver->cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
    CU_ASSERT_EQUAL(flag, 1);
    FAILS(INVALID_VALUE, driver->cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_IS_MANAGED, 0x1000));
    OK(driver->cuMemFree_v2(managed));
    FAILS(INVALID_VALUE, driver->cuMemFree_v2((CUdeviceptr)(uintptr_t)pinned)); /* that is cuMemFreeHost's */
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
    OK(driver->cuMemcpyDtoD_v2(a + 1, a, 999)); /* ranges that overlap */
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
                   driver->cuMemcpyHtoD_v2((CUdeviceptr)(uintptr_t)host, host, 4)); /* a host pointer */
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE,
                   driver->cuMemcpyDtoH_v2((void *)(uintptr_t)a, b, 4)); /* sides swapped */
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
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = from,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = a,
                          .dstPitch = pitch,
                          .WidthInBytes = WIDTH,
                          .Height = HEIGHT};
    OK(driver->cuMemcpy2D_v2(&copy));
    /* the middle of it, to the right side of a wider array */
    CUDA_MEMCPY2D back = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = a,
                          .srcPitch = pitch,
                          .srcXInBytes = 2,
                          .srcY = 1,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = to,
                          .dstPitch = 20,
                          .dstXInBytes = 10,
                          .dstY = 2,
                          .WidthInBytes = 8,
                          .Height = 3};
    OK(driver->cuMemcpy2D_v2(&back));
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < 20; column++) {
            bool inside = row >= 2 && column >= 10 && column < 18;
            CU_ASSERT_EQUAL(to[row][column], inside ? from[row - 1][column - 8] : 0xee);
        }
    }
    back.srcPitch = 4; /* shorter than a row */
    FAILS(INVALID_VALUE, driver->cuMemcpy2D_v2(&back));
    copy.Height = HEIGHT + 1;
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpy2D_v2(&copy));
    copy.Height = SIZE_MAX / 2;
    FAILS(INVALID_VALUE, driver->cuMemcpy2D_v2(&copy));
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    FAILS(INVALID_HANDLE, driver->cuMemcpy2D_v2(&copy));
    OK(driver->cuMemFree_v2(a));
    release_primary();
}

static void copies_a_box(void)
{
    enum { WIDTH = 4, HEIGHT = 3, DEPTH = 2, PITCH = 8, ROWS = 5 };
    unsigned char from[DEPTH][HEIGHT][WIDTH], to[DEPTH][HEIGHT][WIDTH], all[DEPTH * ROWS * PITCH];
    CUdeviceptr a;
    use_primary();
    for (size_t i = 0; i < sizeof from; i++)
        ((unsigned char *)from)[i] = (unsigned char)(i + 1);
    OK(driver->cuMemAlloc_v2(&a, sizeof all));
    OK(driver->cuMemsetD8_v2(a, 0xee, sizeof all));
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = from,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = a,
                          .dstPitch = PITCH,
                          .dstHeight = ROWS,
                          .dstXInBytes = 3,
                          .dstY = 1,
                          .WidthInBytes = WIDTH,
                          .Height = HEIGHT,
                          .Depth = DEPTH};
    OK(driver->cuMemcpy3D_v2(&copy));
    OK(driver->cuMemcpyDtoH_v2(all, a, sizeof all));
    for (int z = 0; z < DEPTH; z++)
        for (int y = 0; y < ROWS; y++)
            for (int x = 0; x < PITCH; x++) {
                bool inside = y >= 1 && y < 1 + HEIGHT && x >= 3 && x < 3 + WIDTH;
                unsigned char expected = 0xee;
                if (inside)
                    expected = from[z][y - 1][x - 3];
                CU_ASSERT_EQUAL(all[(z * ROWS + y) * PITCH + x], expected);
            }
    CUDA_MEMCPY3D back = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = a,
                          .srcPitch = PITCH,
                          .srcHeight = ROWS,
                          .srcXInBytes = 3,
                          .srcY = 1,
                          .srcZ = 1,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = to,
                          .WidthInBytes = WIDTH,
                          .Height = HEIGHT,
                          .Depth = 1};
    OK(driver->cuMemcpy3DAsync_v2(&back, NULL));
    CU_ASSERT_EQUAL(memcmp(to, from[1], sizeof from[1]), 0);
    copy.Depth = DEPTH + 1;
    EXPECT_FINDING("out_of_bounds", CUDA_ERROR_INVALID_VALUE, driver->cuMemcpy3D_v2(&copy));
    copy.dstZ = SIZE_MAX / 2;
    FAILS(INVALID_VALUE, driver->cuMemcpy3D_v2(&copy));
    copy.dstZ = 0;
    copy.srcLOD = 1;
    FAILS(INVALID_VALUE, driver->cuMemcpy3D_v2(&copy));
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
    FAILS(INVALID_VALUE, driver->cuMemsetD32_v2(a + 2, 1, 1)); /* not aligned */
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
    OK(driver->cuMemcpyDtoD_v2(b, a, 64)); /* poison moves along, and is not an error */
    CU_ASSERT_EQUAL(findings_of("uninitialized"), before);
    CU_ASSERT_EQUAL(driver->written_memory(b, 64, valid), 0);
    for (int i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(valid[i], i < 60);
    CU_ASSERT_EQUAL(driver->name_memory(a, "a", 4, 0), 0); /* whoever names memory looks for itself */
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

/* The last finding that was written says so. */
static bool was_last(const char *severity, const char *range)
{
    char *text = support_read_file(findings, NULL), *line = text;
    for (char *at = text; at && (at = strstr(at, "{\"code\"")); at++)
        line = at;
    bool found = line && strstr(line, severity) && strstr(line, range);
    free(text);
    return found;
}

static void a_copy_of_what_is_written_in_part_is_a_warning(void)
{
    uint8_t host[64];
    CUdeviceptr a;
    use_primary();
    OK(driver->cuMemAlloc_v2(&a, 64));
    EXPECT_FINDING("uninitialized", CUDA_SUCCESS, driver->cuMemcpyDtoH_v2(host, a, 64));
    CU_ASSERT_TRUE(was_last("\"error\"", "bytes 0..63 of an allocation of 64 bytes"));
    OK(driver->cuMemsetD8_v2(a + 16, 0, 24));
    EXPECT_FINDING("uninitialized", CUDA_SUCCESS, driver->cuMemcpyDtoH_v2(host, a + 16, 48));
    CU_ASSERT_TRUE(was_last("\"warning\"", "bytes 40..63 of an allocation of 64 bytes"));
    EXPECT_FINDING("uninitialized", CUDA_SUCCESS,
                   driver->cuMemcpyDtoH_v2(host, a + 40, 24)); /* nothing of these was written */
    CU_ASSERT_TRUE(was_last("\"error\"", "bytes 40..63 of an allocation of 64 bytes"));
    /* rows of 8 bytes, 16 apart: 0..7 no, 16..23 yes, 32..39 yes, 48..55 no */
    CUDA_MEMCPY2D rows = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = a,
                          .srcPitch = 16,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = host,
                          .dstPitch = 8,
                          .WidthInBytes = 8,
                          .Height = 4};
    EXPECT_FINDING("uninitialized", CUDA_SUCCESS, driver->cuMemcpy2D_v2(&rows));
    CU_ASSERT_TRUE(was_last("\"warning\"", "bytes 0..7 of an allocation of 64 bytes"));
    rows.Height = 1;
    EXPECT_FINDING("uninitialized", CUDA_SUCCESS, driver->cuMemcpy2D_v2(&rows));
    CU_ASSERT_TRUE(was_last("\"error\"", "bytes 0..7 of an allocation of 64 bytes"));
    OK(driver->cuMemFree_v2(a));
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

static const struct support_test tests[] = {
    SUPPORT_TEST(allocates_and_frees),
    SUPPORT_TEST(memory_pools_are_of_every_kind),
    SUPPORT_TEST(every_place_has_a_default_pool_and_a_current_one),
    SUPPORT_TEST(memory_of_pools_is_what_the_pool_is_of),
    SUPPORT_TEST(a_pool_holds_memory_until_the_host_waits),
    SUPPORT_TEST(host_memory_of_every_kind_is_known),
    SUPPORT_TEST(copies_between_host_and_device),
    SUPPORT_TEST(copies_outside_an_allocation_are_findings),
    SUPPORT_TEST(copies_rectangles),
    SUPPORT_TEST(copies_a_box),
    SUPPORT_TEST(sets_elements_of_every_width),
    SUPPORT_TEST(poison_that_reaches_the_host_is_a_finding),
    SUPPORT_TEST(a_copy_of_what_is_written_in_part_is_a_warning),
    SUPPORT_TEST(memory_that_nobody_frees_is_a_leak),
};

int driver_memory_suite_register(void)
{
    return support_register_with("driver_memory", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
