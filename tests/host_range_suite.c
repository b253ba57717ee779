/* The host's side of copies, in the emulated driver: memory that the program has not, or may not use, is refused and told. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/driver_table.h"
#include "tests/support.h"

#define OK(call)            CU_ASSERT_EQUAL(call, CUDA_SUCCESS)
#define FAILS(result, call) CU_ASSERT_EQUAL(call, CUDA_ERROR_##result)

enum { PAGES = 16 }; /* of each piece of memory here */

static const struct driver_table *driver;
static char directory[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];
static CUcontext primary;
static CUdeviceptr device; /* PAGES pages, written */
static size_t page, whole;

static int set_up(void)
{
    if (!support_temporary_directory(directory))
        return -1;
    support_join(findings, directory, "findings");
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_FINDINGS", findings, 1);
    unsetenv("LOCKSTEP_GPU");
    page = (size_t)sysconf(_SC_PAGESIZE);
    whole = PAGES * page;
    driver = driver_table_get();
    return driver && driver->cuInit(0) == CUDA_SUCCESS ? 0 : -1;
}

static int clean_up(void)
{
    support_remove_tree(directory);
    return 0;
}

static void begin(void)
{
    OK(driver->cuDevicePrimaryCtxRetain(&primary, 0));
    OK(driver->cuCtxSetCurrent(primary));
    OK(driver->cuMemAlloc_v2(&device, whole));
    OK(driver->cuMemsetD8_v2(device, 7, whole));
}

static void end(void)
{
    OK(driver->cuMemFree_v2(device));
    OK(driver->cuDevicePrimaryCtxRelease_v2(0));
}

/* How many findings of that code say that. */
static size_t findings_that(const char *code, const char *words)
{
    char quoted[64];
    size_t count = 0;
    snprintf(quoted, sizeof quoted, "\"%s\"", code);
    char *text = support_read_file(findings, NULL), *state = NULL;
    for (char *line = text ? strtok_r(text, "\n", &state) : NULL; line; line = strtok_r(NULL, "\n", &state))
        count += strstr(line, quoted) && strstr(line, words);
    free(text);
    return count;
}

/* Is `call` refused, with exactly one finding of that code that says that? */
#define EXPECT_REFUSED(code, words, call)                        \
    do {                                                         \
        size_t before = findings_that(code, words);              \
        CU_ASSERT_EQUAL(call, CUDA_ERROR_INVALID_VALUE);         \
        CU_ASSERT_EQUAL(findings_that(code, words), before + 1); \
    } while (0)

static unsigned char *make(int protection)
{
    static uintptr_t place = (uintptr_t)1 << 45; /* where nothing else is put: what is unmapped here stays so */
    unsigned char *memory = mmap((void *)place, whole, PROT_READ | PROT_WRITE, /* NOLINT(performance-no-int-to-ptr) */
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    place += 4 * whole;
    CU_ASSERT_PTR_NOT_EQUAL_FATAL(memory, MAP_FAILED);
    memset(memory, 1, whole);
    mprotect(memory, whole, protection);
    return memory;
}

/* Memory of which the second half is gone. */
static unsigned char *make_torn(void)
{
    unsigned char *memory = make(PROT_READ | PROT_WRITE);
    munmap(memory + whole / 2, whole / 2);
    return memory;
}

static CUDA_MEMCPY2D rows(void *host, bool to_host, size_t width, size_t pitch, size_t height)
{
    return (CUDA_MEMCPY2D){.srcMemoryType = to_host ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST,
                           .srcHost = host,
                           .srcDevice = device,
                           .srcPitch = to_host ? width : pitch,
                           .dstMemoryType = to_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
                           .dstHost = host,
                           .dstDevice = device,
                           .dstPitch = to_host ? pitch : width,
                           .WidthInBytes = width,
                           .Height = height};
}

static void every_copy_refuses_memory_that_is_not_there(void)
{
    begin();
    unsigned char *torn = make_torn(), *gone = torn + whole / 2;
    CUdeviceptr unified = (CUdeviceptr)(uintptr_t)gone;
    CUstream stream;
    OK(driver->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    EXPECT_REFUSED("out_of_bounds", "cuMemcpyHtoD would read 4 bytes of host memory at",
                   driver->cuMemcpyHtoD_v2(device, gone, 4));
    EXPECT_REFUSED("out_of_bounds", "The program has no memory there.", driver->cuMemcpyDtoH_v2(gone, device, whole / 4));
    EXPECT_REFUSED("out_of_bounds", "cuMemcpyHtoDAsync would read", driver->cuMemcpyHtoDAsync_v2(device, gone, 4, stream));
    EXPECT_REFUSED("out_of_bounds", "cuMemcpyDtoHAsync would write", driver->cuMemcpyDtoHAsync_v2(gone, device, 4, stream));
    EXPECT_REFUSED("out_of_bounds", "cuMemcpy would read", driver->cuMemcpy(device, unified, 4));
    EXPECT_REFUSED("out_of_bounds", "cuMemcpyAsync would write", driver->cuMemcpyAsync(unified, device, 4, stream));
    CUDA_MEMCPY2D to = rows(gone, false, 8, 8, 4), from = rows(gone, true, 8, 16, 4);
    EXPECT_REFUSED("out_of_bounds", "cuMemcpy2D would read", driver->cuMemcpy2D_v2(&to));
    EXPECT_REFUSED("out_of_bounds", "cuMemcpy2DAsync would write", driver->cuMemcpy2DAsync_v2(&from, stream));
    CUDA_MEMCPY3D box = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                         .srcDevice = device,
                         .dstMemoryType = CU_MEMORYTYPE_HOST,
                         .dstHost = gone,
                         .WidthInBytes = 8,
                         .Height = 2,
                         .Depth = 2};
    EXPECT_REFUSED("out_of_bounds", "cuMemcpy3D would write", driver->cuMemcpy3D_v2(&box));
    /* what is there in part */
    EXPECT_REFUSED("out_of_bounds", "The program has no memory from byte 100 on.",
                   driver->cuMemcpyDtoH_v2(gone - 100, device, 101));
    OK(driver->cuMemcpyDtoH_v2(gone - 100, device, 100));
    CU_ASSERT_EQUAL(gone[-1], 7);
    OK(driver->cuStreamDestroy_v2(stream));
    munmap(torn, whole / 2);
    end();
}

static void what_may_only_be_read_is_only_read(void)
{
    begin();
    unsigned char *readable = make(PROT_READ), *closed = make(PROT_NONE);
    OK(driver->cuMemcpyHtoD_v2(device, readable, whole));
    EXPECT_REFUSED("out_of_bounds", "The program may only read its memory there.",
                   driver->cuMemcpyDtoH_v2(readable, device, whole));
    EXPECT_REFUSED("out_of_bounds", "The program may not use its memory (PROT_NONE) there.",
                   driver->cuMemcpyHtoD_v2(device, closed, whole));
    mprotect(closed + page, page, PROT_READ | PROT_WRITE);
    EXPECT_REFUSED("out_of_bounds", "from byte 4 on", driver->cuMemcpyDtoH_v2(closed + 2 * page - 4, device, 8));
    OK(driver->cuMemcpyDtoH_v2(closed + page, device, page));
    munmap(readable, whole);
    munmap(closed, whole);
    end();
}

static void the_end_of_a_mapped_file_is_the_end(void)
{
    char path[SUPPORT_PATH_BYTES];
    begin();
    support_join(path, directory, "file");
    CU_ASSERT_TRUE_FATAL(support_write_file(path, "12345678", 8));
    FILE *file = fopen(path, "r+");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    unsigned char *mapped = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    fclose(file);
    CU_ASSERT_PTR_NOT_EQUAL_FATAL(mapped, MAP_FAILED);
    char words[80];
    snprintf(words, sizeof words, "The file that the program has mapped ends from byte %zu on.", page - 8);
    OK(driver->cuMemcpyHtoD_v2(device, mapped, page)); /* the rest of its last page is zero */
    EXPECT_REFUSED("out_of_bounds", words, driver->cuMemcpyHtoD_v2(device, mapped + 8, page));
    munmap(mapped, 2 * page);
    end();
}

static void rows_need_not_have_memory_between_them(void)
{
    begin();
    unsigned char *memory = make(PROT_READ | PROT_WRITE);
    CUDA_MEMCPY2D copy = rows(memory, true, 64, 4 * page, 4);
    for (size_t row = 0; row < 4; row++)
        munmap(memory + (4 * row + 1) * page, 3 * page);
    OK(driver->cuMemcpy2D_v2(&copy));
    CU_ASSERT_EQUAL(memory[12 * page + 63], 7);
    copy.WidthInBytes = copy.srcPitch = page + 1;
    EXPECT_REFUSED("out_of_bounds", "cuMemcpy2D would write", driver->cuMemcpy2D_v2(&copy));
    for (size_t row = 0; row < 4; row++)
        munmap(memory + 4 * row * page, page);
    end();
}

static void pinned_memory_that_was_freed_is_told_as_that(void)
{
    begin();
    void *pinned;
    OK(driver->cuMemAllocHost_v2(&pinned, whole));
    OK(driver->cuMemFreeHost(pinned));
    EXPECT_REFUSED("use_after_free", "cuMemcpyHtoDAsync was given an address in the allocation",
                   driver->cuMemcpyHtoDAsync_v2(device, pinned, 64, NULL));
    EXPECT_REFUSED("use_after_free", "which was freed", driver->cuMemcpyDtoH_v2((char *)pinned + 8, device, 64));
    end();
}

static void memory_must_be_there_to_be_registered_and_as_long_as_it_is(void)
{
    begin();
    unsigned char *torn = make_torn(), *readable = make(PROT_READ), *mine = make(PROT_READ | PROT_WRITE);
    EXPECT_REFUSED("out_of_bounds", "cuMemHostRegister would pin", driver->cuMemHostRegister_v2(torn, whole, 0));
    EXPECT_REFUSED("out_of_bounds", "The program may only read", driver->cuMemHostRegister_v2(readable, whole, 0));
    OK(driver->cuMemHostRegister_v2(mine, whole, 0));
    OK(driver->cuMemcpyHtoDAsync_v2(device, mine, whole, NULL));
    munmap(mine, whole);
    EXPECT_REFUSED("use_after_free", "registered host memory that the program no longer has",
                   driver->cuMemcpyDtoHAsync_v2(mine, device, 64, NULL));
    EXPECT_REFUSED("use_after_free", "registered host memory", driver->cuMemsetD8_v2((CUdeviceptr)(uintptr_t)mine, 0, 64));
    OK(driver->cuMemHostUnregister(mine));
    munmap(torn, whole / 2);
    munmap(readable, whole);
    end();
}

/* From now on the kernel answers madvise as one does that does not know the question. */
static bool forget_the_question(void)
{
    struct sock_filter steps[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 1),
                                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
                                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void an_older_kernel_is_asked_for_its_mappings(void)
{
    begin();
    unsigned char *torn = make_torn(), *readable = make(PROT_READ);
    pid_t child = fork();
    if (child == 0) {
        int wrong = !forget_the_question();
        wrong |= (driver->cuMemcpyDtoH_v2(torn, device, whole / 2) != CUDA_SUCCESS) << 1;
        wrong |= (driver->cuMemcpyDtoH_v2(torn, device, whole) != CUDA_ERROR_INVALID_VALUE) << 2;
        wrong |= (driver->cuMemcpyHtoD_v2(device, readable, whole) != CUDA_SUCCESS) << 3;
        wrong |= (driver->cuMemcpyDtoH_v2(readable, device, whole) != CUDA_ERROR_INVALID_VALUE) << 4;
        _exit(wrong);
    }
    int status = -1;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    munmap(torn, whole / 2);
    munmap(readable, whole);
    end();
}

static const struct support_test tests[] = {
    SUPPORT_TEST(every_copy_refuses_memory_that_is_not_there),
    SUPPORT_TEST(what_may_only_be_read_is_only_read),
    SUPPORT_TEST(the_end_of_a_mapped_file_is_the_end),
    SUPPORT_TEST(rows_need_not_have_memory_between_them),
    SUPPORT_TEST(pinned_memory_that_was_freed_is_told_as_that),
    SUPPORT_TEST(memory_must_be_there_to_be_registered_and_as_long_as_it_is),
    SUPPORT_TEST(an_older_kernel_is_asked_for_its_mappings),
};

int host_range_suite_register(void)
{
    return support_register_with("host_range", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
