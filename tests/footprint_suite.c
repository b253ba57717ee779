/* What the emulated driver takes of the host's memory: nothing that stays after launches, for device memory what is touched,
 * and an orderly refusal when there is none. */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/driver_table.h"
#include "tests/support.h"

#define OK(call) CU_ASSERT_EQUAL_FATAL(call, CUDA_SUCCESS)

static const struct driver_table *driver;
static CUcontext context;
static CUmodule module;
static CUfunction fill;

/* Every thread writes one word and reads its neighbour's through shared memory. */
static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry fill(.param .u64 out)\n{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<5>;\n    .shared .align 4 .b32 tile[64];\n"
    "    ld.param.u64 %rd1, [out];\n    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    shl.b32 %r3, %r1, 2;\n"
    "    mov.u32 %r4, tile;\n    add.u32 %r4, %r4, %r3;\n    st.shared.u32 [%r4], %r1;\n    bar.sync 0;\n"
    "    ld.shared.u32 %r5, [%r4];\n    mad.lo.u32 %r3, %r2, 64, %r1;\n    mul.wide.u32 %rd2, %r3, 4;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n    st.global.u32 [%rd3], %r5;\n    ret;\n}\n";

/* Threads go through a matrix of 1024 columns in the order of its transpose: they write, change, or count there. */
#define ELEMENT                                                                                              \
    "    .reg .b32 %r<8>;\n    .reg .b64 %rd<4>;\n    ld.param.u64 %rd1, [out];\n    mov.u32 %r1, %tid.x;\n" \
    "    mov.u32 %r2, %ctaid.x;\n    mad.lo.u32 %r1, %r2, 256, %r1;\n    mov.u32 %r2, %nctaid.x;\n"          \
    "    shr.u32 %r2, %r2, 2;\n    and.b32 %r3, %r1, 1023;\n    shr.u32 %r4, %r1, 10;\n"                     \
    "    mad.lo.u32 %r3, %r3, %r2, %r4;\n    mul.wide.u32 %rd2, %r3, 4;\n    add.u64 %rd3, %rd1, %rd2;\n"
static const char transposed[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry write(.param .u64 out)\n{\n" ELEMENT "    st.global.u32 [%rd3], %r1;\n    ret;\n}\n"
    ".visible .entry change(.param .u64 out)\n{\n" ELEMENT
    "    ld.global.u32 %r5, [%rd3];\n    add.u32 %r5, %r5, 1;\n    st.global.u32 [%rd3], %r5;\n    ret;\n}\n"
    ".visible .entry count(.param .u64 out)\n{\n" ELEMENT
    "    and.b64 %rd3, %rd3, -128;\n    red.global.add.u32 [%rd3], 1;\n    ret;\n}\n";

static int set_up(void)
{
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_FINDINGS", "/dev/null", 1);
    driver = driver_table_get();
    return driver && driver->cuInit(0) == CUDA_SUCCESS && driver->cuCtxCreate_v2(&context, 0, 0) == CUDA_SUCCESS
                   && driver->cuModuleLoadData(&module, ptx) == CUDA_SUCCESS
                   && driver->cuModuleGetFunction(&fill, module, "fill") == CUDA_SUCCESS
               ? 0
               : -1;
}

static int clean_up(void)
{
    return driver->cuCtxDestroy_v2(context) == CUDA_SUCCESS ? 0 : -1;
}

static void launch(CUdeviceptr out, unsigned blocks)
{
    void *parameters[] = {&out};
    OK(driver->cuLaunchKernel(fill, blocks, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL));
    OK(driver->cuCtxSynchronize());
}

static size_t resident_bytes(void)
{
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*s %zu", &pages) != 1)
        CU_FAIL("/proc/self/statm cannot be read");
    if (file)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* The most that the process has had since it last asked. */
static size_t peak_bytes(void)
{
    size_t kibibytes = 0;
    char line[256];
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "VmHWM: %zu", &kibibytes);
    if (file)
        fclose(file);
    file = fopen("/proc/self/clear_refs", "w");
    if (!file || fputs("5", file) < 0)
        CU_FAIL("the peak cannot be reset");
    if (file)
        fclose(file);
    return kibibytes << 10;
}

/* 0 in a sanitized build, whose allocator makes mappings of its own. */
static size_t mapping_count(void)
{
    size_t lines = 0;
    if (support_is_sanitized())
        return 0;
    FILE *file = fopen("/proc/self/maps", "r");
    for (int c = 0; file && (c = getc(file)) != EOF;)
        lines += c == '\n';
    if (file)
        fclose(file);
    return lines;
}

static void many_launches_leave_nothing_behind(void)
{
    CUdeviceptr out;
    OK(driver->cuMemAlloc_v2(&out, 64 * 4 * 8));
    for (int i = 0; i < 100; i++)
        launch(out, 8);
    size_t bytes = mallinfo2().uordblks, mapped = mallinfo2().hblkhd, mappings = mapping_count();
    for (int i = 0; i < 10000; i++)
        launch(out, 8);
    size_t now = mallinfo2().uordblks;
    if (now > bytes)
        fprintf(stderr, "10000 launches: %zu bytes more\n", now - bytes);
    CU_ASSERT_TRUE(now
                   <= bytes + 8192); /* a table may grow once more; the smallest leak, of 16 bytes per launch, is 160 kB */
    CU_ASSERT_EQUAL(mallinfo2().hblkhd, mapped);
    CU_ASSERT_EQUAL(mapping_count(), mappings);
    OK(driver->cuMemFree_v2(out));
}

static void many_loads_and_allocations_leave_nothing_behind(void)
{
    size_t bytes = 0, mappings = 0;
    for (int i = 0; i < 600; i++) {
        if (i == 300) { /* records of freed allocations and tables have grown to their size */
            bytes = mallinfo2().uordblks;
            mappings = mapping_count();
        }
        CUmodule other;
        CUdeviceptr memory;
        CUstream stream;
        CUevent event;
        OK(driver->cuModuleLoadData(&other, ptx));
        OK(driver->cuMemAlloc_v2(&memory, 1 << 20));
        OK(driver->cuStreamCreate(&stream, 0));
        OK(driver->cuEventCreate(&event, 0));
        OK(driver->cuEventDestroy_v2(event));
        OK(driver->cuStreamDestroy_v2(stream));
        OK(driver->cuMemFree_v2(memory));
        OK(driver->cuModuleUnload(other));
    }
    /* A freed allocation keeps a record of its name and size, so that later uses of its address are recognised: two a
     * turn. */
    CU_ASSERT_TRUE(mallinfo2().uordblks <= bytes + 300 * 3 * 512);
    CU_ASSERT_TRUE(mapping_count() <= mappings + 2);
}

static void untouched_memory_costs_nothing(void)
{
    enum { TOUCHED = 1 << 20 };
    CUdeviceptr large;
    OK(driver->cuMemAlloc_v2(&large, (size_t)1 << 24)); /* what the first launch over more blocks needs, once */
    launch(large, TOUCHED / 256);
    OK(driver->cuMemFree_v2(large));
    size_t before = resident_bytes();
    OK(driver->cuMemAlloc_v2(&large, (size_t)16 << 30));
    CU_ASSERT_TRUE(resident_bytes() < before + (1 << 20));
    launch(large + ((size_t)8 << 30), TOUCHED / 256);
    size_t grown = resident_bytes() - before;
    /* Data and, with all checks, a written bit a byte and a shadow of 0.38: in huge pages of 2 MiB where there are any. */
    if (grown > 12 << 20 && !support_is_sanitized())
        fprintf(stderr, "1 MiB touched of 16 GiB costs %zu KiB\n", grown >> 10);
    CU_ASSERT_TRUE(grown <= 12 << 20 || support_is_sanitized());
    OK(driver->cuMemFree_v2(large));
}

/* What looking for races takes of the host while a kernel goes through an array that has been written before. */
static void costs_at_most(const char *kernel, double times)
{
    enum { BYTES = 16 << 20 };
    CUdeviceptr array;
    CUmodule kernels;
    CUfunction function;
    void *parameters[] = {&array};
    OK(driver->cuModuleLoadData(&kernels, transposed));
    OK(driver->cuModuleGetFunction(&function, kernels, kernel));
    OK(driver->cuMemAlloc_v2(&array, BYTES));
    OK(driver->cuMemsetD32_v2(array, 0, BYTES / 4));
    peak_bytes();
    size_t before = resident_bytes();
    OK(driver->cuLaunchKernel(function, BYTES / 4 / 256, 1, 1, 256, 1, 1, 0, NULL, parameters, NULL));
    OK(driver->cuCtxSynchronize());
    double grown = (double)(peak_bytes() - before) / BYTES;
    if (!support_is_sanitized()) {
        if (grown > times || grown < 0.25)
            fprintf(stderr, "%s: %.2f times the data\n", kernel, grown);
        CU_ASSERT_TRUE(grown <= times);
        CU_ASSERT_TRUE(grown >= 0.25); /* else nothing was measured */
    }
    OK(driver->cuMemFree_v2(array));
    OK(driver->cuModuleUnload(kernels));
}

static void a_shadow_takes_few_times_the_data(void)
{
    costs_at_most("write", 2.75); /* with the bytes of each launch: earlier tests have created streams */
    costs_at_most("change", 6.5);
    costs_at_most("count", 6.5);
}

static void survives_a_shortage_of_memory_at_every_allocation(void)
{
    char program[SUPPORT_PATH_BYTES];
    struct support_result result;
    const char *arguments[] = {support_build_path("tests/shortage", program), "tests/fixtures/ptx/barriers.ptx",
                               "tests/fixtures/ptx/memory.ptx", NULL};
    if (!support_run(&(struct support_command){.arguments = arguments}, &result))
        return;
    if (result.status != 0)
        fprintf(stderr, "%s%.4000s", result.output, result.errors);
    CU_ASSERT_EQUAL(result.status, 0);
    support_result_clear(&result);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(many_launches_leave_nothing_behind),
    SUPPORT_TEST(many_loads_and_allocations_leave_nothing_behind),
    SUPPORT_TEST(untouched_memory_costs_nothing),
    SUPPORT_TEST(a_shadow_takes_few_times_the_data),
    SUPPORT_TEST(survives_a_shortage_of_memory_at_every_allocation),
};

int footprint_suite_register(void)
{
    return support_register_with("footprint", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
