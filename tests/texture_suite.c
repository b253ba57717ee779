/* Arrays, textures and surfaces of the emulated driver: values as an H200 returns them, and the findings about mistakes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/driver_table.h"
#include "tests/support.h"

#define OK(call)            CU_ASSERT_EQUAL(call, CUDA_SUCCESS)
#define FAILS(result, call) CU_ASSERT_EQUAL(call, CUDA_ERROR_##result)

static const struct driver_table *driver;
static char directory[SUPPORT_PATH_BYTES];
static char *ptx;
static CUcontext primary;
static CUmodule module;

static int load(void)
{
    if (driver->cuDevicePrimaryCtxRetain(&primary, 0) != CUDA_SUCCESS || driver->cuCtxSetCurrent(primary) != CUDA_SUCCESS)
        return -1;
    return driver->cuModuleLoadData(&module, ptx) == CUDA_SUCCESS ? 0 : -1;
}

static int set_up(void)
{
    char findings[SUPPORT_PATH_BYTES];
    if (!support_temporary_directory(directory))
        return -1;
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_FINDINGS", support_join(findings, directory, "findings"), 1);
    unsetenv("LOCKSTEP_GPU");
    driver = driver_table_get();
    ptx = support_read_file("tests/fixtures/texture.ptx", NULL);
    return driver && ptx && driver->cuInit(0) == CUDA_SUCCESS ? load() : -1;
}

static int clean_up(void)
{
    free(ptx);
    support_remove_tree(directory);
    return driver->cuDevicePrimaryCtxRelease_v2(0) == CUDA_SUCCESS ? 0 : -1;
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

static CUarray make_array(size_t width, size_t height, const void *texels)
{
    CUarray array = NULL;
    CUDA_ARRAY_DESCRIPTOR wanted = {.Width = width, .Height = height, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    OK(driver->cuArrayCreate_v2(&array, &wanted));
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = texels,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = width * 4,
                          .Height = height ? height : 1};
    if (texels)
        OK(driver->cuMemcpy2D_v2(&copy));
    return array;
}

static CUtexObject make_texture(CUarray array, CUaddress_mode mode, unsigned flags)
{
    CUtexObject texture = 0;
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    CUDA_TEXTURE_DESC description = {
        .addressMode = {mode, mode, mode}, .filterMode = CU_TR_FILTER_MODE_LINEAR, .flags = flags};
    OK(driver->cuTexObjectCreate(&texture, &resource, &description, NULL));
    return texture;
}

/* Samples at `count` places, and gives what the kernel stored. */
static void sample(const char *kernel, CUtexObject texture, unsigned count, const uint32_t (*places)[2], uint32_t *results)
{
    CUfunction function = NULL;
    CUdeviceptr in = 0, out = 0;
    OK(driver->cuModuleGetFunction(&function, module, kernel));
    OK(driver->cuMemAlloc_v2(&in, count * sizeof *places));
    OK(driver->cuMemAlloc_v2(&out, count * sizeof *results));
    OK(driver->cuMemcpyHtoD_v2(in, places, count * sizeof *places));
    void *parameters[] = {&texture, &in, &out};
    OK(driver->cuLaunchKernel(function, 1, 1, 1, count, 1, 1, 0, NULL, parameters, NULL));
    OK(driver->cuMemcpyDtoH_v2(results, out, count * sizeof *results));
    OK(driver->cuMemFree_v2(in));
    OK(driver->cuMemFree_v2(out));
}

static void lines_are_blended_as_on_an_h200(void)
{
    static const struct {
        uint32_t mode, width, x, result;
    } lines[] = {
#define LINE(mode, width, x, result) {mode, width, x, result},
#define TEXEL(bits)
#define PLANE(x, y, result)
#include "tests/fixtures/texture_h200.def"
#undef LINE
#undef TEXEL
#undef PLANE
    };
    float texels[100];
    for (size_t i = 0; i < 100; i++)
        texels[i] = (float)(i % 2);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        CUarray array = make_array(lines[i].width, 0, texels);
        CUtexObject texture = make_texture(array, (CUaddress_mode)lines[i].mode, CU_TRSF_NORMALIZED_COORDINATES);
        uint32_t place[1][2] = {{lines[i].x, 0}}, result = 0;
        sample("sample_line", texture, 1, place, &result);
        CU_ASSERT_EQUAL(result, lines[i].result);
        OK(driver->cuTexObjectDestroy(texture));
        OK(driver->cuArrayDestroy(array));
    }
}

static void planes_are_blended_as_on_an_h200(void)
{
    static const uint32_t texels[] = {
#define LINE(mode, width, x, result)
#define TEXEL(bits) bits,
#define PLANE(x, y, result)
#include "tests/fixtures/texture_h200.def"
#undef TEXEL
#undef PLANE
    };
    static const uint32_t planes[][3] = {
#define TEXEL(bits)
#define PLANE(x, y, result) {x, y, result},
#include "tests/fixtures/texture_h200.def"
#undef LINE
#undef TEXEL
#undef PLANE
    };
    enum { COUNT = sizeof planes / sizeof *planes };
    uint32_t places[COUNT][2], results[COUNT];
    CUarray array = make_array(7, 5, texels);
    CUtexObject texture = make_texture(array, CU_TR_ADDRESS_MODE_CLAMP, 0);
    for (int i = 0; i < COUNT; i++)
        memcpy(places[i], planes[i], sizeof places[i]);
    sample("sample_plane", texture, COUNT, places, results);
    for (int i = 0; i < COUNT; i++)
        CU_ASSERT_EQUAL(results[i], planes[i][2]);
    OK(driver->cuTexObjectDestroy(texture));
    OK(driver->cuArrayDestroy(array));
}

static void a_destroyed_texture_reads_zero_and_is_reported(void)
{
    float texels[4] = {1, 2, 3, 4};
    uint32_t place[1][2] = {{0, 0}}, result = 1;
    size_t before = findings_of("texture_handle");
    CUarray array = make_array(4, 0, texels);
    CUtexObject texture = make_texture(array, CU_TR_ADDRESS_MODE_CLAMP, 0);
    OK(driver->cuTexObjectDestroy(texture));
    sample("sample_line", texture, 1, place, &result);
    CU_ASSERT_EQUAL(result, 0);
    CU_ASSERT_EQUAL(findings_of("texture_handle"), before + 1);
    OK(driver->cuArrayDestroy(array));
    FAILS(INVALID_HANDLE, driver->cuArrayDestroy(array));
}

static void an_array_that_nobody_wrote_is_poison(void)
{
    uint32_t place[1][2] = {{0x3f000000, 0}}, result;
    size_t before = findings_of("uninitialized");
    CUarray array = make_array(4, 0, NULL);
    CUtexObject texture = make_texture(array, CU_TR_ADDRESS_MODE_CLAMP, 0);
    sample("sample_line", texture, 1, place, &result);
    CU_ASSERT_EQUAL(findings_of("uninitialized"), before + 1);
    OK(driver->cuTexObjectDestroy(texture));
    OK(driver->cuArrayDestroy(array));
}

static void copies_beyond_an_array_are_refused(void)
{
    float texels[8] = {0};
    size_t before = findings_of("out_of_bounds");
    CUarray array = make_array(4, 2, texels);
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = texels,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .dstY = 1,
                          .WidthInBytes = 16,
                          .Height = 2};
    FAILS(INVALID_VALUE, driver->cuMemcpy2D_v2(&copy));
    CU_ASSERT_EQUAL(findings_of("out_of_bounds"), before + 1);
    OK(driver->cuArrayDestroy(array));
}

/* Last: it ends the context. */
static void surfaces_zero_and_trap(void)
{
    uint32_t texels[6] = {1, 2, 3, 4, 5, 6}, back[6] = {0};
    CUfunction function = NULL;
    CUsurfObject surface = 0;
    CUarray array = NULL;
    CUDA_ARRAY3D_DESCRIPTOR wanted = {.Width = 3,
                                      .Height = 2,
                                      .Format = CU_AD_FORMAT_UNSIGNED_INT32,
                                      .NumChannels = 1,
                                      .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    OK(driver->cuArray3DCreate_v2(&array, &wanted));
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = texels,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = 12,
                          .Height = 2};
    OK(driver->cuMemcpy2D_v2(&copy));
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    OK(driver->cuSurfObjectCreate(&surface, &resource));
    OK(driver->cuModuleGetFunction(&function, module, "count_surface"));
    uint32_t x = 4, y = 1, mode = 0;
    void *parameters[] = {&surface, &x, &y, &mode};
    OK(driver->cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    x = 12;
    OK(driver->cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    CUDA_MEMCPY2D read = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = array,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = back,
                          .WidthInBytes = 12,
                          .Height = 2};
    OK(driver->cuMemcpy2D_v2(&read));
    texels[4] = 6;
    CU_ASSERT_EQUAL(memcmp(back, texels, sizeof back), 0);
    size_t before = findings_of("out_of_bounds");
    mode = 1;
    OK(driver->cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    FAILS(ILLEGAL_ADDRESS, driver->cuCtxSynchronize());
    CU_ASSERT(findings_of("out_of_bounds") > before);
    OK(driver->cuDevicePrimaryCtxReset_v2(0));
    OK(driver->cuDevicePrimaryCtxRetain(&primary, 0));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(lines_are_blended_as_on_an_h200),
    SUPPORT_TEST(planes_are_blended_as_on_an_h200),
    SUPPORT_TEST(a_destroyed_texture_reads_zero_and_is_reported),
    SUPPORT_TEST(an_array_that_nobody_wrote_is_poison),
    SUPPORT_TEST(copies_beyond_an_array_are_refused),
    SUPPORT_TEST(surfaces_zero_and_trap),
};

int texture_suite_register(void)
{
    return support_register_with("texture", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
