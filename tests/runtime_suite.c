#include "tests/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/library/transfer.h"
#include "runtime/lockstep.h"

/* On the emulated device of this build. LOCKSTEP_CHECKS=all, so that poison can be asked for. */

static const char source[] =
    "#include <stdio.h>\n"
    "__global__ void add(const float *a, const float *b, float *c, int n)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) c[i] = a[i] + b[i];\n"
    "}\n"
    "extern \"C\" __global__ void scale(float *a, float factor, int n)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) a[i] *= factor;\n"
    "}\n"
    "__global__ void reverse(int *a, int n)\n"
    "{\n"
    "    extern __shared__ int tile[];\n"
    "    int t = threadIdx.x;\n"
    "    if (t < n) tile[t] = a[t];\n"
    "    __syncthreads();\n"
    "    if (t < n) a[t] = tile[n - 1 - t];\n"
    "}\n"
    "__global__ void __launch_bounds__(64) bounded(int *a) { a[threadIdx.x] = 64; }\n"
    "__global__ void shape(unsigned *a)\n"
    "{\n"
    "    if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z == 0) {\n"
    "        a[0] = gridDim.x; a[1] = gridDim.y; a[2] = gridDim.z; a[3] = blockDim.x; a[4] = blockDim.y; a[5] = "
    "blockDim.z;\n"
    "    }\n"
    "}\n"
    "__global__ void beyond(int *a, int n) { a[n + threadIdx.x] = 1; }\n"
    "__global__ void half_written(int *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 7; }\n"
    "__constant__ int table[4] = {2, 3, 5, 7};\n"
    "__device__ int counter;\n"
    "__global__ void use(int *a) { a[0] = table[threadIdx.x]; counter = a[0]; }\n";

static lockstep_device *device;
static lockstep_module *module;
static lockstep_error error;

static void show(lockstep_status status)
{
    char text[2048];
    if (status == LOCKSTEP_OK)
        return;
    lockstep_error_format(&error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
}
#define OK(call)                                     \
    do {                                             \
        lockstep_status status_ = (call);            \
        show(status_);                               \
        CU_ASSERT_EQUAL_FATAL(status_, LOCKSTEP_OK); \
    } while (0)

/* ---- a fault ------------------------------------------------------------------------------------------------------ */

/* In a process of its own, forked before this one opens the driver: the device stays faulty, and the driver reads its
 * environment once. Returns the line of the first claim that does not hold, 0 when all do. */
#define CLAIM(condition)     \
    do {                     \
        if (!(condition))    \
            return __LINE__; \
    } while (0)

static char folder[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];
static int fault_status = -1;

static int fault(void)
{
    lockstep_device *own = NULL;
    lockstep_module *loaded = NULL;
    lockstep_kernel *beyond = NULL;
    lockstep_buffer *b = NULL;
    int n = 1000;
    CLAIM(lockstep_device_open(LOCKSTEP_EMULATED, &own, &error) == LOCKSTEP_OK);
    CLAIM(lockstep_module_compile(own, source, "runtime_suite.cu", NULL, &loaded, &error) == LOCKSTEP_OK);
    CLAIM(lockstep_module_kernel(loaded, "beyond", &beyond, &error) == LOCKSTEP_OK);
    CLAIM(lockstep_buffer_create(own, 4000, "numbers", &b, &error) == LOCKSTEP_OK);
    lockstep_shape shape = {.grid = {1}, .block = {32}};
    lockstep_argument arguments[] = {LOCKSTEP_BUFFER(b), LOCKSTEP_VALUE(n)};
    lockstep_status status = lockstep_launch(beyond, &shape, arguments, 2, NULL, &error);
    CLAIM(status == LOCKSTEP_OK || status == LOCKSTEP_KERNEL_FAULT);
    CLAIM(lockstep_device_synchronize(own, &error) == LOCKSTEP_KERNEL_FAULT);
    CLAIM(error.cuda_result == 700 && strstr(error.message, "CUDA_ERROR_ILLEGAL_ADDRESS") && error.remedy[0]);
    lockstep_buffer_destroy(b);
    lockstep_module_unload(loaded);
    lockstep_device_close(own);
    CLAIM(lockstep_device_open(LOCKSTEP_EMULATED, &own, &error) == LOCKSTEP_OK); /* as good as new */
    CLAIM(lockstep_device_synchronize(own, &error) == LOCKSTEP_OK);
    lockstep_device_close(own);
    return 0;
}

static void run_fault(void)
{
    if (!support_temporary_directory(folder))
        return;
    support_join(findings, folder, "findings.json");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setenv("LOCKSTEP_FINDINGS", findings, 1);
        int line = fault();
        show(line ? error.status : LOCKSTEP_OK);
        _exit(line % 256);
    }
    if (child > 0)
        waitpid(child, &fault_status, 0);
}

static void reports_a_fault_and_labels_the_array(void)
{
    CU_ASSERT_EQUAL(fault_status, 0);
    char *text = support_read_file(findings, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    SUPPORT_CONTAINS(text, "out_of_bounds");
    SUPPORT_CONTAINS(text, "numbers");
    SUPPORT_CONTAINS(text, "runtime_suite.cu");
    free(text);
}

static int open_device(void)
{
    setenv("LOCKSTEP_CHECKS", "all", 1);
    run_fault();
    setenv("LOCKSTEP_FINDINGS", "/dev/null", 1);
    lockstep_status status = lockstep_device_open(LOCKSTEP_EMULATED, &device, &error);
    if (status == LOCKSTEP_OK)
        status = lockstep_module_compile(device, source, "runtime_suite.cu", NULL, &module, &error);
    show(status);
    return status == LOCKSTEP_OK ? 0 : -1;
}

static int close_device(void)
{
    lockstep_module_unload(module);
    lockstep_device_close(device);
    support_remove_tree(folder);
    return 0;
}

static lockstep_kernel *kernel(const char *name)
{
    lockstep_kernel *found = NULL;
    OK(lockstep_module_kernel(module, name, &found, &error));
    return found;
}

static lockstep_buffer *buffer(const char *label, size_t bytes)
{
    lockstep_buffer *made = NULL;
    OK(lockstep_buffer_create(device, bytes, label, &made, &error));
    return made;
}

/* ---- devices ------------------------------------------------------------------------------------------------------ */

static void describes_the_emulated_device(void)
{
    const lockstep_device_info *info = lockstep_device_get_info(device);
    CU_ASSERT_TRUE(info->emulated);
    CU_ASSERT(strlen(info->name) > 0);
    CU_ASSERT(info->major >= 7 && info->driver_version >= 12000);
    CU_ASSERT_EQUAL(info->warp_size, 32);
    CU_ASSERT_EQUAL(info->max_threads_per_block, 1024);
    CU_ASSERT_EQUAL(info->max_grid[0], 2147483647);
    CU_ASSERT_EQUAL(info->max_grid[1], 65535);
    CU_ASSERT_EQUAL(info->shared_per_block, 48 * 1024);
    CU_ASSERT(info->shared_per_block_optin >= info->shared_per_block);
    CU_ASSERT(info->multiprocessors > 0 && info->memory_bytes > 0 && info->l2_bytes > 0 && info->memory_bus_bits > 0);
    SUPPORT_CONTAINS(info->driver_path, "emulated/libcuda.so.1");
}

static void opens_a_device_twice(void)
{
    lockstep_device *second = NULL;
    OK(lockstep_device_open(LOCKSTEP_EMULATED, &second, &error));
    lockstep_device_close(second);
    OK(lockstep_device_synchronize(device, &error)); /* the first still works */
    lockstep_buffer_destroy(buffer("after", 16));
}

static void prefers_a_gpu_but_never_takes_ours_for_one(void)
{
    lockstep_device *gpu = NULL, *any = NULL;
    lockstep_status status = lockstep_device_open(LOCKSTEP_GPU, &gpu, &error);
    CU_ASSERT(status == LOCKSTEP_OK || status == LOCKSTEP_NO_DRIVER || status == LOCKSTEP_NO_DEVICE);
    if (status == LOCKSTEP_OK) {
        CU_ASSERT_FALSE(lockstep_device_get_info(gpu)->emulated);
    } else {
        CU_ASSERT(error.message[0] && error.remedy[0]);
    }
    OK(lockstep_device_open(LOCKSTEP_AUTO, &any, &error));
    CU_ASSERT_EQUAL(lockstep_device_get_info(any)->emulated, status != LOCKSTEP_OK);
    lockstep_device_close(any);
    lockstep_device_close(gpu);
    lockstep_device_close(NULL);
    OK(lockstep_device_make_current(device, &error));
}

static void names_a_missing_emulated_driver(void)
{
    lockstep_device *none = NULL;
    setenv("LOCKSTEP_EMULATED_DRIVER", "/no/such/libcuda.so.1", 1);
    CU_ASSERT_EQUAL(lockstep_device_open(LOCKSTEP_EMULATED, &none, &error), LOCKSTEP_NO_DRIVER);
    SUPPORT_CONTAINS(error.message, "/no/such/libcuda.so.1");
    setenv("LOCKSTEP_EMULATED_DRIVER", "tests/support.h", 1);
    CU_ASSERT_EQUAL(lockstep_device_open(LOCKSTEP_EMULATED, &none, &error), LOCKSTEP_NO_DRIVER);
    SUPPORT_CONTAINS(error.message, "cannot be loaded");
    CU_ASSERT_PTR_NULL(none);
    unsetenv("LOCKSTEP_EMULATED_DRIVER");
    CU_ASSERT_EQUAL(lockstep_device_open((lockstep_device_kind)9, &none, &error), LOCKSTEP_INVALID_ARGUMENT);
}

static void tells_no_device_from_no_driver(void)
{
    char path[SUPPORT_PATH_BYTES];
    lockstep_device *none = NULL, *any = NULL;
    const char *before = getenv("LD_LIBRARY_PATH");
    char *kept = before ? strdup(before) : NULL;
    setenv("LD_LIBRARY_PATH", support_build_path("tests/fake_driver", path), 1);
    CU_ASSERT_EQUAL(lockstep_device_open(LOCKSTEP_GPU, &none, &error), LOCKSTEP_NO_DEVICE);
    CU_ASSERT_EQUAL(error.cuda_result, 100);
    CU_ASSERT_STRING_EQUAL(error.call, "cuInit");
    SUPPORT_CONTAINS(error.message, "tests/fake_driver/libcuda.so.1");
    SUPPORT_CONTAINS(error.remedy, "nvidia-smi");
    OK(lockstep_device_open(LOCKSTEP_AUTO, &any, &error));
    CU_ASSERT_TRUE(lockstep_device_get_info(any)->emulated);
    lockstep_device_close(any);
    setenv("FAKE_DRIVER_RESULT", "46", 1); /* CUDA_ERROR_DEVICE_UNAVAILABLE */
    CU_ASSERT_EQUAL(lockstep_device_open(LOCKSTEP_GPU, &none, &error), LOCKSTEP_NO_DEVICE);
    CU_ASSERT_EQUAL(error.cuda_result, 46);
    SUPPORT_CONTAINS(error.remedy, "Another program holds the GPU exclusively");
    unsetenv("FAKE_DRIVER_RESULT");
    setenv("LD_LIBRARY_PATH", support_build_path("tests/fake_driver_old", path), 1);
    CU_ASSERT_EQUAL(lockstep_device_open(LOCKSTEP_GPU, &none, &error), LOCKSTEP_NO_DRIVER);
    SUPPORT_CONTAINS(error.message, "is too old: it has no cuDriverGetVersion");
    CU_ASSERT_PTR_NULL(none);
    if (kept)
        setenv("LD_LIBRARY_PATH", kept, 1);
    else
        unsetenv("LD_LIBRARY_PATH");
    free(kept);
}

static void *launch_in_thread(void *result)
{
    lockstep_kernel *scale = NULL;
    lockstep_error own;
    float a = 3.0f, factor = 2.0f;
    int n = 1;
    lockstep_shape shape = {.grid = {1}, .block = {1}};
    lockstep_argument arguments[] = {LOCKSTEP_IN_OUT(&a, sizeof a), LOCKSTEP_VALUE(factor), LOCKSTEP_VALUE(n)};
    if (lockstep_device_make_current(device, &own) == LOCKSTEP_OK
        && lockstep_module_kernel(module, "scale", &scale, &own) == LOCKSTEP_OK
        && lockstep_launch(scale, &shape, arguments, 3, NULL, &own) == LOCKSTEP_OK)
        *(float *)result = a;
    return NULL;
}

static void another_thread_can_use_the_device(void)
{
    pthread_t thread;
    float result = 0.0f;
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, launch_in_thread, &result), 0);
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(result, 6.0f);
}

/* ---- modules ------------------------------------------------------------------------------------------------------ */

static void finds_kernels_with_and_without_extern_c(void)
{
    lockstep_kernel_info info;
    CU_ASSERT_PTR_NOT_NULL(kernel("add"));
    CU_ASSERT_PTR_NOT_NULL(kernel("scale"));
    CU_ASSERT_PTR_NOT_NULL(kernel("_Z3addPKfS0_Pfi"));
    OK(lockstep_kernel_get_info(kernel("bounded"), &info, &error));
    CU_ASSERT_EQUAL(info.max_threads_per_block, 64);
    OK(lockstep_kernel_get_info(kernel("add"), &info, &error));
    CU_ASSERT_EQUAL(info.max_threads_per_block, 1024);
    CU_ASSERT(info.registers > 0 && info.shared_bytes == 0);
}

static void names_the_kernels_there_are(void)
{
    lockstep_kernel *none = NULL;
    CU_ASSERT_EQUAL(lockstep_module_kernel(module, "ad", &none, &error), LOCKSTEP_NOT_FOUND);
    CU_ASSERT_PTR_NULL(none);
    SUPPORT_CONTAINS(error.message, "kernel `ad` not found; the module defines: ");
    SUPPORT_CONTAINS(error.message, "add, ");
    SUPPORT_CONTAINS(error.message, "half_written");
    CU_ASSERT_PTR_NULL(strstr(error.message, "_Z"));
}

static void asks_for_one_of_overloads_by_its_full_name(void)
{
    static const char ptx[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                              ".visible .entry _Z1fPfi(.param .u64 a, .param .u32 b)\n{ret;}\n"
                              ".visible .entry _Z1fi(.param .u32 a)\n{ret;}\n.entry plain()\n{ret;}\n.entry declared();\n";
    lockstep_module *overloads = NULL;
    lockstep_kernel *found = NULL;
    OK(lockstep_module_load(device, ptx, sizeof ptx - 1, &overloads, &error));
    CU_ASSERT_PTR_NOT_NULL_FATAL(overloads);
    OK(lockstep_module_kernel(overloads, "plain", &found, &error));
    OK(lockstep_module_kernel(overloads, "_Z1fi", &found, &error));
    CU_ASSERT_EQUAL(lockstep_module_kernel(overloads, "f", &found, &error), LOCKSTEP_NOT_FOUND);
    SUPPORT_CONTAINS(error.message, "several kernels are called `f`; the module defines: _Z1fPfi, _Z1fi, plain");
    CU_ASSERT_PTR_NULL(strstr(error.message, "declared")); /* a declaration defines nothing to launch */
    CU_ASSERT_EQUAL(lockstep_module_kernel(overloads, "declared", &found, &error), LOCKSTEP_NOT_FOUND);
    lockstep_module_unload(overloads);
}

/* Sixteen and 64 were once the most that were known. */
static void checks_the_arguments_of_kernels_with_many_parameters(void)
{
    enum { PARAMETERS = 70 };
    char ptx[8192];
    int used = snprintf(ptx, sizeof ptx, ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry many(");
    for (int i = 0; i < PARAMETERS; i++)
        used += snprintf(ptx + used, sizeof ptx - (size_t)used, "%s.param .u32 p%d", i > 0 ? ", " : "", i);
    used += snprintf(ptx + used, sizeof ptx - (size_t)used, ")\n{ret;}\n");
    lockstep_module *loaded = NULL;
    lockstep_kernel *many = NULL;
    lockstep_shape one = {{1, 1, 1}, {1, 1, 1}, 0};
    OK(lockstep_module_load(device, ptx, (size_t)used, &loaded, &error));
    OK(lockstep_module_kernel(loaded, "many", &many, &error));
    CU_ASSERT_EQUAL(lockstep_launch(many, &one, NULL, 0, NULL, &error), LOCKSTEP_INVALID_ARGUMENT);
    SUPPORT_CONTAINS(error.message, "kernel `many` has 70 parameters; the launch has 0 arguments");
    lockstep_module_unload(loaded);
}

static void finds_variables(void)
{
    uint64_t address = 0;
    size_t bytes = 0;
    OK(lockstep_module_variable(module, "table", &address, &bytes, &error));
    CU_ASSERT(address != 0);
    CU_ASSERT_EQUAL(bytes, 16);
    OK(lockstep_module_variable(module, "counter", &address, NULL, &error));
    CU_ASSERT_EQUAL(lockstep_module_variable(module, "tables", &address, &bytes, &error), LOCKSTEP_NOT_FOUND);
    SUPPORT_CONTAINS(error.message, "`tables`");
}

static void gives_the_drivers_words_for_bad_ptx(void)
{
    static const char text[] =
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() { nonsense.u32 %r1; ret; }\n";
    lockstep_module *none = NULL;
    CU_ASSERT_EQUAL(lockstep_module_load(device, text, sizeof text - 1, &none, &error), LOCKSTEP_DRIVER_ERROR);
    CU_ASSERT_PTR_NULL(strchr(error.message, '\\')); /* the line end of the driver's log is not shown */
    CU_ASSERT_PTR_NULL(none);
    CU_ASSERT_EQUAL(error.cuda_result, 218);
    SUPPORT_CONTAINS(error.message, "CUDA_ERROR_INVALID_PTX");
    SUPPORT_CONTAINS(error.message, "nonsense");
    CU_ASSERT_STRING_EQUAL(error.call, "cuModuleLoadDataEx");
    CU_ASSERT_EQUAL(lockstep_module_load(device, NULL, 0, &none, &error), LOCKSTEP_INVALID_ARGUMENT);
    lockstep_module_unload(NULL);
}

static void returns_diagnostics_with_the_module(void)
{
    lockstep_compiled compiled;
    lockstep_module *none = NULL;
    CU_ASSERT_EQUAL(lockstep_module_compile(device, "__global__ void k( {}\n", "bad.cu", &compiled, &none, &error),
                    LOCKSTEP_COMPILE_ERROR);
    CU_ASSERT_PTR_NULL(none);
    CU_ASSERT(compiled.diagnostic_count > 0 && compiled.diagnostics[0].line == 1);
    lockstep_compiled_clear(&compiled);
    CU_ASSERT_EQUAL(lockstep_module_compile(device, "__global__ void k( {}\n", "bad.cu", NULL, &none, NULL),
                    LOCKSTEP_COMPILE_ERROR);
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static void copies_parts_of_buffers(void)
{
    uint8_t up[8] = {1, 2, 3, 4, 5, 6, 7, 8}, down[16];
    lockstep_buffer *b = buffer("bytes", 16);
    CU_ASSERT_EQUAL(lockstep_buffer_bytes(b), 16);
    CU_ASSERT(lockstep_buffer_address(b) != 0);
    OK(lockstep_buffer_fill(b, 0xab, &error));
    OK(lockstep_buffer_upload(b, 5, up, 8, &error));
    OK(lockstep_buffer_download(b, 0, down, 16, &error));
    CU_ASSERT_EQUAL(memcmp(down + 5, up, 8), 0);
    CU_ASSERT(down[4] == 0xab && down[13] == 0xab);
    OK(lockstep_buffer_upload(b, 16, up, 0, &error));
    lockstep_buffer_destroy(b);
    lockstep_buffer_destroy(NULL);
}

static void refuses_copies_out_of_range_by_label(void)
{
    uint8_t host[32];
    lockstep_buffer *b = buffer("block_sums", 16);
    CU_ASSERT_EQUAL(lockstep_buffer_upload(b, 9, host, 8, &error), LOCKSTEP_INVALID_ARGUMENT);
    SUPPORT_CONTAINS(error.message, "8 bytes at offset 9 do not fit `block_sums`, which has 16 bytes");
    CU_ASSERT_EQUAL(lockstep_buffer_download(b, 17, host, 0, &error), LOCKSTEP_INVALID_ARGUMENT);
    CU_ASSERT_EQUAL(lockstep_buffer_download(b, 8, host, SIZE_MAX - 4, &error), LOCKSTEP_INVALID_ARGUMENT);
    CU_ASSERT_EQUAL(lockstep_buffer_upload(b, 0, NULL, 4, &error), LOCKSTEP_INVALID_ARGUMENT);
    lockstep_buffer_destroy(b);
    CU_ASSERT_EQUAL(lockstep_buffer_create(device, 0, "empty", &b, &error), LOCKSTEP_INVALID_ARGUMENT);
    CU_ASSERT_PTR_NULL(b);
}

static void says_what_did_not_fit_into_memory(void)
{
    lockstep_buffer *b = NULL;
    CU_ASSERT_EQUAL(lockstep_buffer_create(device, (size_t)1 << 60, "huge", &b, &error), LOCKSTEP_OUT_OF_MEMORY);
    CU_ASSERT_PTR_NULL(b);
    CU_ASSERT_STRING_EQUAL(error.call, "cuMemAlloc");
    CU_ASSERT_EQUAL(error.cuda_result, 2);
    SUPPORT_CONTAINS(error.message, "allocating 1152921504606846976 bytes for `huge`");
    SUPPORT_CONTAINS(error.message, "CUDA_ERROR_OUT_OF_MEMORY");
    CU_ASSERT(error.remedy[0] != '\0');
}

static void tells_which_bytes_were_written(void)
{
    uint8_t written[32];
    bool known = false;
    int n = 3;
    lockstep_buffer *b = buffer("a", sizeof written);
    OK(lockstep_buffer_describe(b, 4, 4, &error));
    OK(lockstep_buffer_fill(b, 0, &error));
    OK(lockstep_buffer_written(b, written, &known, &error));
    CU_ASSERT_TRUE_FATAL(known);
    CU_ASSERT_EQUAL(written[0] + written[31], 2);
    OK(lockstep_buffer_poison(b, &error));
    lockstep_shape shape = {.grid = {1}, .block = {8}};
    lockstep_argument arguments[] = {LOCKSTEP_BUFFER(b), LOCKSTEP_VALUE(n)};
    OK(lockstep_launch(kernel("half_written"), &shape, arguments, 2, NULL, &error));
    OK(lockstep_device_synchronize(device, &error));
    OK(lockstep_buffer_written(b, written, &known, &error));
    for (int at = 0; at < 32; at++)
        CU_ASSERT_EQUAL(written[at], at < 12);
    OK(lockstep_buffer_protect(b, true, &error));
    OK(lockstep_buffer_protect(b, false, &error));
    lockstep_buffer_destroy(b);
}

/* ---- launches ----------------------------------------------------------------------------------------------------- */

static void runs_on_buffers(void)
{
    enum { N = 1000 };
    static float a[N], b[N], c[N];
    int n = N;
    for (int at = 0; at < N; at++) {
        a[at] = (float)at;
        b[at] = 0.25f;
    }
    lockstep_buffer *da = buffer("a", sizeof a), *db = buffer("b", sizeof b), *dc = buffer("c", sizeof c);
    OK(lockstep_buffer_upload(da, 0, a, sizeof a, &error));
    OK(lockstep_buffer_upload(db, 0, b, sizeof b, &error));
    lockstep_shape shape = {.grid = {(N + 255) / 256}, .block = {256}};
    lockstep_argument arguments[] = {LOCKSTEP_BUFFER(da), LOCKSTEP_BUFFER(db), LOCKSTEP_BUFFER(dc), LOCKSTEP_VALUE(n)};
    OK(lockstep_launch(kernel("add"), &shape, arguments, 4, NULL, &error));
    OK(lockstep_device_synchronize(device, &error));
    OK(lockstep_buffer_download(dc, 0, c, sizeof c, &error));
    int wrong = 0;
    for (int at = 0; at < N; at++)
        wrong += c[at] != a[at] + b[at];
    CU_ASSERT_EQUAL(wrong, 0);
    lockstep_buffer_destroy(da);
    lockstep_buffer_destroy(db);
    lockstep_buffer_destroy(dc);
}

static void moves_in_out_and_in_out_arrays(void)
{
    float a[5] = {1, 2, 3, 4, 5}, b[5] = {10, 20, 30, 40, 50}, c[5] = {-1, -1, -1, -1, -1}, factor = 0.5f;
    int n = 5, four = 4;
    lockstep_shape shape = {.grid = {1}, .block = {32}};
    lockstep_argument sum[] = {LOCKSTEP_IN(a, sizeof a), LOCKSTEP_IN(b, sizeof b), LOCKSTEP_OUT(c, sizeof c),
                               LOCKSTEP_VALUE(n)};
    OK(lockstep_launch(kernel("add"), &shape, sum, 4, NULL, &error));
    CU_ASSERT(c[0] == 11.0f && c[4] == 55.0f);
    lockstep_argument half[] = {LOCKSTEP_IN_OUT(c, sizeof c), LOCKSTEP_VALUE(factor), LOCKSTEP_VALUE(four)};
    OK(lockstep_launch(kernel("scale"), &shape, half, 3, NULL, &error));
    CU_ASSERT(c[0] == 5.5f && c[3] == 22.0f && c[4] == 55.0f);
    lockstep_argument empty[] = {LOCKSTEP_IN_OUT(c, 0), LOCKSTEP_VALUE(factor), LOCKSTEP_VALUE(four)};
    CU_ASSERT_EQUAL(lockstep_launch(kernel("scale"), &shape, empty, 3, NULL, &error), LOCKSTEP_INVALID_ARGUMENT);
}

static void counts_zero_in_y_and_z_as_one(void)
{
    unsigned got[6] = {0}, want[6] = {2, 3, 1, 4, 1, 5};
    lockstep_shape shape = {.grid = {2, 3, 0}, .block = {4, 0, 5}};
    lockstep_argument arguments[] = {LOCKSTEP_IN_OUT(got, sizeof got)};
    OK(lockstep_launch(kernel("shape"), &shape, arguments, 1, NULL, &error));
    CU_ASSERT_EQUAL(memcmp(got, want, sizeof got), 0);
}

static void check_refusal(const char *name, lockstep_shape shape, const char *words)
{
    int n = 0;
    lockstep_buffer *b = buffer("a", 4096);
    lockstep_argument arguments[] = {LOCKSTEP_BUFFER(b), LOCKSTEP_VALUE(n)};
    CU_ASSERT_EQUAL(lockstep_launch(kernel(name), &shape, arguments, strcmp(name, "bounded") == 0 ? 1 : 2, NULL, &error),
                    LOCKSTEP_LAUNCH_REFUSED);
    SUPPORT_CONTAINS(error.message, words);
    SUPPORT_CONTAINS(error.message, name);
    CU_ASSERT(error.remedy[0] != '\0');
    lockstep_buffer_destroy(b);
}

static void names_limit_and_value_of_a_refused_launch(void)
{
    check_refusal("reverse", (lockstep_shape){.grid = {0}, .block = {32}}, "grid.x is 0");
    check_refusal("reverse", (lockstep_shape){.grid = {1}, .block = {0}}, "block.x is 0");
    check_refusal("reverse", (lockstep_shape){.grid = {1}, .block = {1025}},
                  "block.x is 1025; the device allows at most 1024");
    check_refusal("reverse", (lockstep_shape){.grid = {1}, .block = {1, 1, 65}},
                  "block.z is 65; the device allows at most 64");
    check_refusal("reverse", (lockstep_shape){.grid = {1, 65536}, .block = {1}},
                  "grid.y is 65536; the device allows at most 65535");
    check_refusal("reverse", (lockstep_shape){.grid = {0x80000000u}, .block = {1}}, "grid.x is 2147483648");
    check_refusal("reverse", (lockstep_shape){.grid = {1}, .block = {64, 32}},
                  "64 x 32 x 1 = 2048 threads; the device allows");
    check_refusal("bounded", (lockstep_shape){.grid = {1}, .block = {65}},
                  "65 x 1 x 1 = 65 threads; this kernel allows at most 64");
    check_refusal("reverse", (lockstep_shape){.grid = {1}, .block = {32}, .dynamic_shared_bytes = 1u << 20},
                  "1048576 bytes of shared memory per block (0 static + 1048576 dynamic); the device allows at most");
    OK(lockstep_device_synchronize(device, &error)); /* nothing ran, nothing is broken */
}

static void grants_shared_memory_beyond_48_kib(void)
{
    int a[4] = {1, 2, 3, 4}, n = 4;
    lockstep_shape shape = {.grid = {1}, .block = {32}, .dynamic_shared_bytes = 64 * 1024};
    lockstep_argument arguments[] = {LOCKSTEP_IN_OUT(a, sizeof a), LOCKSTEP_VALUE(n)};
    lockstep_kernel *reverse = kernel("reverse");
    OK(lockstep_launch(reverse, &shape, arguments, 2, NULL, &error));
    CU_ASSERT(a[0] == 4 && a[3] == 1);
    shape.dynamic_shared_bytes = 16;
    OK(lockstep_launch(reverse, &shape, arguments, 2, NULL, &error));
    CU_ASSERT(a[0] == 1 && a[3] == 4);
}

static void counts_and_measures_arguments(void)
{
    double wide = 2.0;
    int n = 1;
    lockstep_buffer *b = buffer("a", 64);
    lockstep_shape shape = {.grid = {1}, .block = {32}};
    lockstep_argument arguments[] = {LOCKSTEP_BUFFER(b), LOCKSTEP_VALUE(wide), LOCKSTEP_VALUE(n)};
    CU_ASSERT_EQUAL(lockstep_launch(kernel("scale"), &shape, arguments, 2, NULL, &error), LOCKSTEP_INVALID_ARGUMENT);
    SUPPORT_CONTAINS(error.message, "kernel `scale` has 3 parameters; the launch has 2 arguments");
    CU_ASSERT_EQUAL(lockstep_launch(kernel("scale"), &shape, arguments, 3, NULL, &error), LOCKSTEP_INVALID_ARGUMENT);
    SUPPORT_CONTAINS(error.message, "argument 2 of kernel `scale` has 8 bytes; its parameter has 4");
    arguments[1] = LOCKSTEP_BUFFER(b);
    CU_ASSERT_EQUAL(lockstep_launch(kernel("scale"), &shape, arguments, 3, NULL, &error), LOCKSTEP_INVALID_ARGUMENT);
    SUPPORT_CONTAINS(error.message, "(a pointer)");
    arguments[1] = LOCKSTEP_BUFFER(NULL);
    CU_ASSERT_EQUAL(lockstep_launch(kernel("scale"), &shape, arguments, 3, NULL, &error), LOCKSTEP_INVALID_ARGUMENT);
    CU_ASSERT_EQUAL(lockstep_launch(kernel("scale"), &shape, arguments, 1000, NULL, &error), LOCKSTEP_INVALID_ARGUMENT);
    lockstep_buffer_destroy(b);
}

/* ---- streams and events ------------------------------------------------------------------------------------------- */

static void times_kernels_between_events(void)
{
    lockstep_stream *first = NULL, *second = NULL;
    lockstep_event *start = NULL, *stop = NULL;
    float a[64] = {0}, factor = 1.0f, elapsed_ms = -1.0f;
    int n = 64;
    lockstep_buffer *b = buffer("a", sizeof a);
    OK(lockstep_buffer_upload(b, 0, a, sizeof a, &error));
    OK(lockstep_stream_create(device, &first, &error));
    OK(lockstep_stream_create(device, &second, &error));
    OK(lockstep_event_create(device, &start, &error));
    OK(lockstep_event_create(device, &stop, &error));
    lockstep_shape shape = {.grid = {1}, .block = {64}};
    lockstep_argument arguments[] = {LOCKSTEP_BUFFER(b), LOCKSTEP_VALUE(factor), LOCKSTEP_VALUE(n)};
    OK(lockstep_event_record(start, first, &error));
    OK(lockstep_launch(kernel("scale"), &shape, arguments, 3, first, &error));
    OK(lockstep_event_record(stop, first, &error));
    OK(lockstep_stream_wait(second, stop, &error));
    OK(lockstep_launch(kernel("scale"), &shape, arguments, 3, second, &error));
    OK(lockstep_event_elapsed(start, stop, &elapsed_ms, &error));
    CU_ASSERT(elapsed_ms >= 0.0f && elapsed_ms < 10000.0f);
    OK(lockstep_event_synchronize(stop, &error));
    OK(lockstep_stream_synchronize(second, &error));
    lockstep_event *never = NULL;
    OK(lockstep_event_create(device, &never, &error));
    CU_ASSERT_EQUAL(lockstep_event_elapsed(never, stop, &elapsed_ms, &error), LOCKSTEP_INVALID_ARGUMENT);
    SUPPORT_CONTAINS(error.message, "never recorded");
    lockstep_event_destroy(never);
    lockstep_event_destroy(start);
    lockstep_event_destroy(stop);
    lockstep_event_destroy(NULL);
    lockstep_stream_destroy(first);
    lockstep_stream_destroy(second);
    lockstep_stream_destroy(NULL);
    lockstep_buffer_destroy(b);
}

static void moves_large_arrays_by_several_threads(void)
{
    enum { WORDS = 5 * 1000 * 1000 + 3 }; /* not a whole number of pieces */
    uint32_t *host = malloc(WORDS * sizeof *host), *back = calloc(WORDS, sizeof *back);
    lockstep_buffer *buffer;
    CU_ASSERT_FATAL(host && back);
    for (uint32_t i = 0; i < WORDS; i++)
        host[i] = i * 2654435761u;
    OK(lockstep_buffer_create(device, WORDS * sizeof *host, "large", &buffer, &error));
    CU_ASSERT_EQUAL(transfer_upload(device, lockstep_buffer_address(buffer), host, WORDS * sizeof *host), CUDA_SUCCESS);
    CU_ASSERT_EQUAL(transfer_download(device, back, lockstep_buffer_address(buffer), WORDS * sizeof *host), CUDA_SUCCESS);
    CU_ASSERT_EQUAL(memcmp(host, back, WORDS * sizeof *host), 0);
    CU_ASSERT_EQUAL(transfer_download(device, back, lockstep_buffer_address(buffer) + 8, WORDS * sizeof *host),
                    CUDA_ERROR_INVALID_VALUE);
    CU_ASSERT_EQUAL(transfer_download(device, back, lockstep_buffer_address(buffer) + 4, 12), CUDA_SUCCESS); /* goes on */
    CU_ASSERT_EQUAL(memcmp(host + 1, back, 12), 0);
    lockstep_buffer_destroy(buffer);
    free(host);
    free(back);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(describes_the_emulated_device),
    SUPPORT_TEST(opens_a_device_twice),
    SUPPORT_TEST(prefers_a_gpu_but_never_takes_ours_for_one),
    SUPPORT_TEST(names_a_missing_emulated_driver),
    SUPPORT_TEST(tells_no_device_from_no_driver),
    SUPPORT_TEST(another_thread_can_use_the_device),
    SUPPORT_TEST(finds_kernels_with_and_without_extern_c),
    SUPPORT_TEST(names_the_kernels_there_are),
    SUPPORT_TEST(asks_for_one_of_overloads_by_its_full_name),
    SUPPORT_TEST(checks_the_arguments_of_kernels_with_many_parameters),
    SUPPORT_TEST(finds_variables),
    SUPPORT_TEST(gives_the_drivers_words_for_bad_ptx),
    SUPPORT_TEST(returns_diagnostics_with_the_module),
    SUPPORT_TEST(copies_parts_of_buffers),
    SUPPORT_TEST(moves_large_arrays_by_several_threads),
    SUPPORT_TEST(refuses_copies_out_of_range_by_label),
    SUPPORT_TEST(says_what_did_not_fit_into_memory),
    SUPPORT_TEST(tells_which_bytes_were_written),
    SUPPORT_TEST(runs_on_buffers),
    SUPPORT_TEST(moves_in_out_and_in_out_arrays),
    SUPPORT_TEST(counts_zero_in_y_and_z_as_one),
    SUPPORT_TEST(names_limit_and_value_of_a_refused_launch),
    SUPPORT_TEST(grants_shared_memory_beyond_48_kib),
    SUPPORT_TEST(counts_and_measures_arguments),
    SUPPORT_TEST(times_kernels_between_events),
    SUPPORT_TEST(reports_a_fault_and_labels_the_array),
};

int runtime_suite_register(void)
{
    return support_register_with("runtime", open_device, close_device, tests, SUPPORT_COUNT(tests));
}
