/* CUDA C from NVRTC to results on the emulated driver: both dialects of PTX, optimised and for debugging. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/lockstep.h"
#include "tests/fixture.h"
#include "tests/support.h"

enum { COUNT = 1000 };

struct variant {
    int major, minor;
    const char *option; /* NULL: none */
};

static const struct variant variants[] = {
    {8, 0, NULL}, {12, 0, NULL}, {8, 0, "--device-debug"}, {12, 0, "--device-debug"}, {8, 0, "--use_fast_math"},
};

static lockstep_device *device; /* opened by the first test that needs it: a kernel that fails would take it along */

static int set_up(void)
{
    return setenv("LOCKSTEP_FINDINGS", "/dev/null", 1); /* some of the kernels fail on purpose */
}

static int clean_up(void)
{
    if (device)
        lockstep_device_close(device);
    return 0;
}

static void run_with(const char *path, const struct variant *variant, const char *const *options, size_t option_count)
{
    struct fixture_totals totals = {0};
    struct fixture_options request = {.device = LOCKSTEP_EMULATED,
                                      .major = variant->major,
                                      .minor = variant->minor,
                                      .compile = options,
                                      .compile_count = option_count};
    fixture_run_file(path, &request, &totals);
    if (totals.failed)
        fprintf(stderr, "%s for %d.%d %s\n", path, variant->major, variant->minor, variant->option ? variant->option : "");
    CU_ASSERT_TRUE(totals.passed > 0 && totals.failed == 0);
}

static void run_file(const char *path, const struct variant *variant)
{
    run_with(path, variant, &variant->option, variant->option ? 1 : 0);
}

static void runs_control_flow_in_every_dialect(void)
{
    for (size_t i = 0; i < SUPPORT_COUNT(variants); i++)
        run_file("tests/fixtures/cuda/flow.cu", &variants[i]);
}

static void copies_asynchronously_as_the_library_does(void)
{
    static const struct variant others[] = {{7, 5, NULL}, {8, 0, NULL}, {10, 0, "--device-debug"}};
    for (size_t i = 0; i < SUPPORT_COUNT(others); i++)
        run_file("tests/fixtures/cuda/async.cu", &others[i]);
    run_file("tests/fixtures/cuda/bulk.cu", &(struct variant){9, 0, NULL});
}

static void multiplies_matrices(void)
{
    for (size_t i = 0; i < 4; i++)
        run_file("tests/fixtures/cuda/matrix.cu", &variants[i]);
}

static void prints_and_fails_as_told(void)
{
    for (size_t i = 0; i < 3; i++)
        run_file("tests/fixtures/cuda/output.cu", &variants[i]);
}

/* Programs as courses write them, for every dialect of PTX and in every way that changes it. They check themselves. */
static void run_corpus(const char *name)
{
    static const struct variant ways[] = {
        {7, 5, NULL},
        {8, 0, NULL},
        {9, 0, NULL},
        {10, 0, NULL},
        {12, 0, NULL},
        {8, 0, "--device-debug"},
        {12, 0, "--device-debug"},
        {8, 0, "--use_fast_math"},
        {9, 0, "--relocatable-device-code=true"},
    };
    char path[SUPPORT_PATH_BYTES];
    snprintf(path, sizeof path, "tests/fixtures/corpus/%s.cu", name);
    for (size_t i = 0; i < SUPPORT_COUNT(ways); i++) {
        const char *options[] = {"--device-int128", ways[i].option};
        run_with(path, &ways[i], options, ways[i].option ? 2 : 1);
    }
}

static void runs_the_language_in_every_dialect(void)
{
    run_corpus("language");
}

static void runs_warps_groups_and_atomics_in_every_dialect(void)
{
    run_corpus("warp");
}

static void runs_intrinsics_in_every_dialect(void)
{
    run_corpus("intrinsics");
}

static void runs_all_of_math_in_every_dialect(void)
{
    run_corpus("math_all");
}

/* ---- functions ---------------------------------------------------------------------------------------------------- */

typedef double real_function(double);

static double of_log(double x)
{
    return log(fabs(x) + 0.5);
}
static double of_log_float(double x)
{
    return log((double)((float)fabs(x) + 0.5f));
}
static double of_pow(double x)
{
    return pow(fabs(x), 1.75);
}
static double of_sqrt(double x)
{
    return sqrt(fabs(x));
}
static double of_rsqrt(double x)
{
    return 1 / sqrt(fabs(x) + 0.25);
}
static double of_fmod(double x)
{
    return fmod(x, 0.7);
}
static double of_fmod_float(double x)
{
    return fmod(x, (double)0.7f);
}
static double of_division(double x)
{
    return 1 / (x * x + 0.1);
}
static double of_rounding(double x)
{
    return round(x) + floor(x) + ceil(x) + trunc(x) + rint(x);
}
static double of_cos_far(double x)
{
    return cos((double)((float)x * 1000.0f));
}
/* The nearest half-precision number; not every compiler that we use has _Float16 on this processor. */
static double of_half(double x)
{
    double value = (float)x;
    if (value == 0 || !isfinite(value))
        return value;
    int exponent;
    frexp(value, &exponent);
    double step = ldexp(1, exponent < -13 ? -24 : exponent - 11); /* 11 significant bits, subnormals from 2^-24 */
    double rounded = nearbyint(value / step) * step;
    return fabs(rounded) > 65504 ? copysign(INFINITY, value) : rounded;
}

/* The bounds follow from those that the CUDA C Programming Guide documents in units of the last place, rounded up. */
static const struct {
    const char *kernel;
    real_function *reference;
    bool is_float;
    double bound; /* relative */
} functions[] = {
    {"sin_double", sin, false, 4e-16},
    {"cos_double", cos, false, 4e-16},
    {"tan_double", tan, false, 6e-16},
    {"exp_double", exp, false, 4e-16},
    {"log_double", of_log, false, 4e-16},
    {"pow_double", of_pow, false, 6e-16},
    {"sqrt_double", of_sqrt, false, 1e-30},
    {"fmod_double", of_fmod, false, 1e-30},
    {"erf_double", erf, false, 6e-16},
    {"cbrt_double", cbrt, false, 7e-16},
    {"atan_double", atan, false, 6e-16},
    {"divide_double", of_division, false, 4e-16},
    {"round_double", of_rounding, false, 1e-30},
    {"sin_float", sin, true, 2e-7},
    {"cos_float", of_cos_far, true, 2e-7},
    {"exp_float", exp, true, 2e-7},
    {"log_float", of_log_float, true, 2e-7},
    {"pow_float", of_pow, true, 6e-7},
    {"sqrt_float", of_sqrt, true, 6e-8},
    {"rsqrt_float", of_rsqrt, true, 3e-7},
    {"fmod_float", of_fmod_float, true, 1e-30},
    {"tanh_float", tanh, true, 2e-7},
    {"atan_float", atan, true, 3e-7},
    {"divide_float", of_division, true, 2e-7},
    {"round_float", of_rounding, true, 1e-30},
    {"half_float", of_half, true, 1e-30},
};

/* Compiles and loads math.cu for a variant; NULL with a failed assertion when that is impossible. */
static lockstep_module *load_math(const struct variant *variant)
{
    lockstep_error error = {0};
    lockstep_compiled compiled = {0};
    lockstep_module *module = NULL;
    size_t bytes;
    char *source = support_read_file("tests/fixtures/cuda/math.cu", &bytes);
    lockstep_compile_request request = {.source = source,
                                        .source_bytes = bytes,
                                        .file_name = "math.cu",
                                        .major = variant->major,
                                        .minor = variant->minor,
                                        .options = &variant->option,
                                        .option_count = variant->option ? 1 : 0};
    if (!device)
        CU_ASSERT_EQUAL_FATAL(lockstep_device_open(LOCKSTEP_EMULATED, &device, &error), LOCKSTEP_OK);
    if (!source || lockstep_compile(&request, &compiled, &error) != LOCKSTEP_OK
        || lockstep_module_load(device, compiled.ptx, compiled.ptx_bytes, &module, &error) != LOCKSTEP_OK)
        fprintf(stderr, "math.cu for %d.%d: %s %s\n", variant->major, variant->minor, error.message,
                compiled.diagnostic_count ? compiled.diagnostics[0].message : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(module);
    lockstep_compiled_clear(&compiled);
    free(source);
    return module;
}

static void launch(lockstep_module *module, const char *name, unsigned grid, unsigned block,
                   const lockstep_argument *arguments, size_t count)
{
    lockstep_error error = {0};
    lockstep_kernel *kernel = NULL;
    lockstep_shape shape = {.grid = {grid, 1, 1}, .block = {block, 1, 1}};
    if (lockstep_module_kernel(module, name, &kernel, &error) != LOCKSTEP_OK
        || lockstep_launch(kernel, &shape, arguments, count, NULL, &error) != LOCKSTEP_OK) {
        fprintf(stderr, "%s: %s\n", name, error.message);
        CU_FAIL("the launch failed");
    }
}

static float as_float(double x)
{
    return (float)x;
}

static void check_function(lockstep_module *module, size_t f)
{
    double in[COUNT], out[COUNT];
    float narrow_in[COUNT], narrow_out[COUNT];
    int count = COUNT;
    unsigned wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        in[i] = ((double)i - 400.25) / 47.3;
        narrow_in[i] = as_float(in[i]);
    }
    bool is_float = functions[f].is_float;
    lockstep_argument arguments[] = {is_float ? LOCKSTEP_IN(narrow_in, sizeof narrow_in) : LOCKSTEP_IN(in, sizeof in),
                                     is_float ? LOCKSTEP_OUT(narrow_out, sizeof narrow_out) : LOCKSTEP_OUT(out, sizeof out),
                                     LOCKSTEP_VALUE(count)};
    launch(module, functions[f].kernel, (COUNT + 127) / 128, 128, arguments, 3);
    for (int i = 0; i < COUNT; i++) {
        double want = functions[f].reference(is_float ? (double)narrow_in[i] : in[i]),
               got = is_float ? (double)narrow_out[i] : out[i];
        if (!(fabs(got - want) <= functions[f].bound * fmax(fabs(want), 1e-3)) && wrong++ < 3)
            fprintf(stderr, "%s(%.17g) is %.17g, not %.17g\n", functions[f].kernel, in[i], got, want);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void computes_the_mathematical_functions(void)
{
    for (size_t v = 0; v < 4; v++) {
        lockstep_module *module = load_math(&variants[v]);
        for (size_t f = 0; f < SUPPORT_COUNT(functions); f++)
            check_function(module, f);
        lockstep_module_unload(module);
    }
}

static void loads_fast_mathematics(void)
{
    lockstep_module *module = load_math(&variants[4]);
    float in[COUNT], out[COUNT];
    int count = COUNT;
    for (int i = 0; i < COUNT; i++)
        in[i] = (float)i / 400.0f;
    launch(module, "sin_float", 8, 128,
           (lockstep_argument[]){LOCKSTEP_IN(in, sizeof in), LOCKSTEP_OUT(out, sizeof out), LOCKSTEP_VALUE(count)}, 3);
    for (int i = 0; i < COUNT; i++)
        if (fabs((double)out[i] - sin((double)in[i])) > 1e-6)
            CU_FAIL("sin differs");
    lockstep_module_unload(module);
}

/* ---- integers ----------------------------------------------------------------------------------------------------- */

static int64_t divide_signed(int64_t x)
{
    return x / 7 + x % 1000003;
}

static int64_t divide_unsigned(int64_t x)
{
    return (int64_t)((uint64_t)x / 10007u + (uint64_t)x % 65537u);
}

static int64_t multiply_high(int64_t x)
{
    return (int64_t)((__int128)x * 0x123456789abcdefLL >> 64) + (int64_t)((unsigned __int128)(uint64_t)x * 3 >> 64);
}

static int64_t tricks(int64_t x)
{
    uint64_t bits = (uint64_t)x, reversed = 0;
    for (int i = 0; i < 64; i++)
        reversed |= (bits >> i & 1) << (63 - i);
    int leading = bits ? __builtin_clzll(bits) : 64;
    return __builtin_popcountll(bits) + 100 * leading + 10000 * __builtin_ffsll(x) + (int64_t)(reversed & 0xff);
}

static void computes_with_long_integers(void)
{
    static const struct {
        const char *kernel;
        int64_t (*reference)(int64_t);
    } rows[] = {{"signed_division", divide_signed},
                {"unsigned_division", divide_unsigned},
                {"high_product", multiply_high},
                {"bit_tricks", tricks}};
    int64_t in[COUNT], out[COUNT];
    int count = COUNT;
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < COUNT; i++) { /* xorshift, of all magnitudes */
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        in[i] = (int64_t)state >> (i % 64);
    }
    for (size_t v = 0; v < 4; v++) {
        lockstep_module *module = load_math(&variants[v]);
        for (size_t row = 0; row < SUPPORT_COUNT(rows); row++) {
            launch(module, rows[row].kernel, (COUNT + 127) / 128, 128,
                   (lockstep_argument[]){LOCKSTEP_IN(in, sizeof in), LOCKSTEP_OUT(out, sizeof out), LOCKSTEP_VALUE(count)},
                   3);
            unsigned wrong = 0;
            for (int i = 0; i < COUNT; i++)
                wrong += out[i] != rows[row].reference(in[i]);
            CU_ASSERT_EQUAL(wrong, 0);
        }
        lockstep_module_unload(module);
    }
}

/* ---- variables ---------------------------------------------------------------------------------------------------- */

static void shares_variables_with_the_host(void)
{
    lockstep_module *module = load_math(&variants[0]);
    uint64_t weights, counters;
    size_t bytes;
    float out[64] = {0};
    lockstep_argument arguments[] = {LOCKSTEP_OUT(out, sizeof out)};
    CU_ASSERT_EQUAL(lockstep_module_variable(module, "weights", &weights, &bytes, NULL), LOCKSTEP_OK);
    CU_ASSERT_EQUAL(bytes, 16);
    CU_ASSERT_EQUAL(lockstep_module_variable(module, "counters", &counters, &bytes, NULL), LOCKSTEP_OK);
    CU_ASSERT_EQUAL(bytes, 16);
    launch(module, "globals", 1, 64, arguments, 1);
    CU_ASSERT_TRUE(out[0] == 2.5f && out[1] == 2.25f && out[2] == 2.125f && out[63] == 2.0f);
    lockstep_module_unload(module);
}

static void sums_blocks_with_shuffles(void)
{
    static double in[4 * 256], out[4];
    for (int i = 0; i < 4 * 256; i++)
        in[i] = (double)i;
    for (size_t v = 0; v < 4; v++) {
        lockstep_module *module = load_math(&variants[v]);
        launch(module, "block_sum", 4, 256, (lockstep_argument[]){LOCKSTEP_IN(in, sizeof in), LOCKSTEP_OUT(out, sizeof out)},
               2);
        for (int b = 0; b < 4; b++)
            CU_ASSERT_EQUAL(out[b], 256.0 * (256 * b + 127.5));
        lockstep_module_unload(module);
    }
}

static const struct support_test tests[] = {
    SUPPORT_TEST(runs_the_language_in_every_dialect),
    SUPPORT_TEST_OF(sample, runs_warps_groups_and_atomics_in_every_dialect),
    SUPPORT_TEST(runs_intrinsics_in_every_dialect),
    SUPPORT_TEST_OF(sample, runs_all_of_math_in_every_dialect),
    SUPPORT_TEST_OF(sample, copies_asynchronously_as_the_library_does),
    SUPPORT_TEST(prints_and_fails_as_told),
    SUPPORT_TEST(runs_control_flow_in_every_dialect),
    SUPPORT_TEST(computes_the_mathematical_functions),
    SUPPORT_TEST(loads_fast_mathematics),
    SUPPORT_TEST(computes_with_long_integers),
    SUPPORT_TEST(shares_variables_with_the_host),
    SUPPORT_TEST(sums_blocks_with_shuffles),
    SUPPORT_TEST_OF(sample, multiplies_matrices),
};

int cuda_suite_register(void)
{
    return support_register_with("cuda", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
