/* How far the .approx functions of PTX are from the truth: a dense sweep over all exponents, beside the bound that the PTX
 * ISA manual documents.
 *
 *     accuracy [--device emulated|gpu] [--inputs N]
 *
 * Prints a line per function: the largest error, where, and the bound, all as powers of two. With --device gpu the same of
 * the GPU, and the largest difference between the two drivers. N: inputs a function, default 2^24; they are strided over the
 * bit patterns of f32, so that every exponent gets as many. Exits 0 when every error is within its bound.
 */
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/lockstep.h"

enum { CHUNK = 1 << 20, BLOCK = 256 };

typedef double reference(double, double);

static double of_sin(double a, double b)
{
    return b == 0 ? NAN : sin(a);
}
static double of_cos(double a, double b)
{
    return b == 0 ? NAN : cos(a);
}
static double of_lg2(double a, double b)
{
    return b == 0 ? NAN : log2(a);
}
static double of_ex2(double a, double b)
{
    return b == 0 ? NAN : exp2(a);
}
static double of_rcp(double a, double b)
{
    return b == 0 ? NAN : 1 / a;
}
static double of_sqrt(double a, double b)
{
    return b == 0 ? NAN : sqrt(a);
}
static double of_rsqrt(double a, double b)
{
    return b == 0 ? NAN : 1 / sqrt(a);
}
static double of_tanh(double a, double b)
{
    return b == 0 ? NAN : tanh(a);
}
static double of_div(double a, double b)
{
    return a / b;
}

/* The bounds of the PTX ISA manual, chapter 9.7.3, each over the range that it names. */
static const struct function {
    const char *form;
    reference *truth;
    double low, high; /* magnitudes that are swept */
    bool positive;    /* only inputs above zero */
    bool absolute;    /* the bound is on the difference, else on its ratio to the truth */
    bool wide;        /* f64 */
    double bound;
} functions[] = {
    {"sin.approx.f32", of_sin, 0x1p-126, 6.2831853, false, true, false, 0x1.6A0ap-21},
    {"sin.approx.ftz.f32", of_sin, 0x1p-126, 6.2831853, false, true, false, 0x1.6A0ap-21},
    {"cos.approx.f32", of_cos, 0x1p-126, 6.2831853, false, true, false, 0x1.6A0ap-21},
    {"cos.approx.ftz.f32", of_cos, 0x1p-126, 6.2831853, false, true, false, 0x1.6A0ap-21},
    {"lg2.approx.f32", of_lg2, 0.5, 2, true, true, false, 0x1p-22},
    {"lg2.approx.ftz.f32", of_lg2, 2.001, 3e38, true, false, false, 0x1p-22},
    {"ex2.approx.f32", of_ex2, 0x1p-126, 125, false, false, false, 0x1p-22},
    {"ex2.approx.ftz.f32", of_ex2, 0x1p-126, 125, false, false, false, 0x1p-22},
    {"rcp.approx.f32", of_rcp, 0x1p-125, 0x1p125, false, false, false, 0x1p-23},
    {"rcp.approx.ftz.f32", of_rcp, 0x1p-125, 0x1p125, false, false, false, 0x1p-23},
    {"sqrt.approx.f32", of_sqrt, 0x1p-126, 3e38, true, false, false, 0x1p-23},
    {"sqrt.approx.ftz.f32", of_sqrt, 0x1p-126, 3e38, true, false, false, 0x1p-23},
    {"rsqrt.approx.f32", of_rsqrt, 0x1p-126, 3e38, true, false, false, 0x1.125p-23},
    {"rsqrt.approx.ftz.f32", of_rsqrt, 0x1p-126, 3e38, true, false, false, 0x1.125p-23},
    {"tanh.approx.f32", of_tanh, 0x1p-126, 3e38, false, false, false, 0x1p-11},
    {"div.approx.f32", of_div, 0x1p-60, 0x1p60, false, false, false, 0x1p-22},
    {"div.approx.ftz.f32", of_div, 0x1p-60, 0x1p60, false, false, false, 0x1p-22},
    {"div.full.f32", of_div, 0x1p-60, 0x1p60, false, false, false, 0x1p-22},
    {"div.full.ftz.f32", of_div, 0x1p-60, 0x1p60, false, false, false, 0x1p-22},
    {"rcp.approx.ftz.f64", of_rcp, 0x1p-126, 3e38, false, false, true, 0x1p-19},
    {"rsqrt.approx.ftz.f64", of_rsqrt, 0x1p-126, 3e38, true, false, true, 0x1p-19},
};

enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

struct driver {
    lockstep_device *device;
    lockstep_module *module;
    double *results; /* [CHUNK] */
    float *narrow;   /* [CHUNK] */
};

static void fail(const char *what, const lockstep_error *error)
{
    fprintf(stderr, "accuracy: %s: %s\n", what, error->message);
    exit(3);
}

static void *must(void *memory)
{
    if (!memory) {
        fprintf(stderr, "accuracy: out of memory\n");
        exit(3);
    }
    return memory;
}

/* One kernel a function: f<number>(a, b, d) computes d[i] from a[i] and b[i]. */
static char *write_module(void)
{
    char *text;
    size_t bytes;
    FILE *file = must(open_memstream(&text, &bytes));
    fputs(".version 7.8\n.target sm_80\n.address_size 64\n", file);
    for (int f = 0; f < FUNCTION_COUNT; f++) {
        const struct function *function = &functions[f];
        const char *type = function->wide ? "f64" : "f32", *second = function->truth == of_div ? ", %b" : "";
        unsigned size = function->wide ? 8 : 4;
        fprintf(file,
                ".visible .entry f%d(.param .u64 pa, .param .u64 pb, .param .u64 pd)\n{\n"
                "    .reg .b32 %%i, %%n;\n    .reg .b64 %%p;\n    .reg .%s %%a, %%b, %%d;\n"
                "    mov.u32 %%i, %%ctaid.x;\n    mov.u32 %%n, %%ntid.x;\n    mul.lo.u32 %%i, %%i, %%n;\n"
                "    mov.u32 %%n, %%tid.x;\n    add.u32 %%i, %%i, %%n;\n"
                "    ld.param.u64 %%p, [pa];\n    mad.wide.u32 %%p, %%i, %u, %%p;\n    ld.global.%s %%a, [%%p];\n"
                "    ld.param.u64 %%p, [pb];\n    mad.wide.u32 %%p, %%i, %u, %%p;\n    ld.global.%s %%b, [%%p];\n"
                "    %s %%d, %%a%s;\n"
                "    ld.param.u64 %%p, [pd];\n    mad.wide.u32 %%p, %%i, %u, %%p;\n    st.global.%s [%%p], %%d;\n"
                "    ret;\n}\n",
                f, type, size, type, size, type, function->form, second, size, type);
    }
    fclose(file);
    return text;
}

static void open_driver(struct driver *driver, lockstep_device_kind kind, const char *text)
{
    lockstep_error error = {0};
    if (lockstep_device_open(kind, &driver->device, &error) != LOCKSTEP_OK)
        fail("no device", &error);
    if (lockstep_module_load(driver->device, text, strlen(text), &driver->module, &error) != LOCKSTEP_OK)
        fail("the module does not load", &error);
    driver->results = must(malloc(CHUNK * sizeof *driver->results));
    driver->narrow = must(malloc(CHUNK * sizeof *driver->narrow));
}

/* Fills driver->results for one chunk. */
static void run(struct driver *driver, int number, const void *a, const void *b)
{
    const struct function *function = &functions[number];
    char name[16];
    lockstep_error error = {0};
    lockstep_kernel *kernel;
    size_t bytes = (size_t)CHUNK * (function->wide ? 8 : 4);
    void *results = function->wide ? (void *)driver->results : (void *)driver->narrow;
    lockstep_argument arguments[] = {LOCKSTEP_IN(a, bytes), LOCKSTEP_IN(b, bytes), LOCKSTEP_OUT(results, bytes)};
    lockstep_shape shape = {.grid = {CHUNK / BLOCK, 1, 1}, .block = {BLOCK, 1, 1}};
    snprintf(name, sizeof name, "f%d", number);
    if (lockstep_module_kernel(driver->module, name, &kernel, &error) != LOCKSTEP_OK
        || lockstep_launch(kernel, &shape, arguments, 3, NULL, &error) != LOCKSTEP_OK)
        fail(function->form, &error);
    for (int i = 0; i < CHUNK && !function->wide; i++)
        driver->results[i] = (double)driver->narrow[i];
}

static double error_of(const struct function *function, double got, double truth)
{
    double difference = fabs(got - truth);
    return function->absolute ? difference : truth == 0 ? difference : difference / fabs(truth);
}

/* The k-th input: bit patterns of f32 in even steps, folded into the range of the function. */
static float input(const struct function *function, uint64_t k, uint64_t count)
{
    uint32_t low, high;
    float bounds[2] = {(float)function->low, (float)function->high}, value;
    memcpy(&low, &bounds[0], 4);
    memcpy(&high, &bounds[1], 4);
    uint32_t bits = low + (uint32_t)((uint64_t)(high - low) * (k >> 1) / (count / 2));
    if (!function->positive && (k & 1))
        bits |= 0x80000000u;
    memcpy(&value, &bits, 4);
    return value;
}

struct worst {
    double error, at;
};

static void note(struct worst *worst, double error, double at)
{
    if (error > worst->error || isnan(error))
        *worst = (struct worst){isnan(error) ? INFINITY : error, at};
}

/* Sweeps one function over all drivers; true when the errors of each are within the bound. */
static bool sweep(struct driver *drivers, unsigned driver_count, int number, uint64_t count)
{
    const struct function *function = &functions[number];
    float *a = must(malloc(CHUNK * sizeof *a)), *b = must(malloc(CHUNK * sizeof *b));
    double *wide_a = must(malloc(CHUNK * sizeof *wide_a)), *wide_b = must(malloc(CHUNK * sizeof *wide_b));
    struct worst worst[2] = {{0}}, apart = {0};
    for (uint64_t start = 0; start < count; start += CHUNK) {
        for (int i = 0; i < CHUNK; i++) {
            a[i] = input(function, start + (uint64_t)i, count);
            b[i] = input(function, (start + (uint64_t)i) * 2654435761u % count, count);
            wide_a[i] = (double)a[i];
            wide_b[i] = (double)b[i];
        }
        for (unsigned d = 0; d < driver_count; d++) {
            const void *first = function->wide ? (void *)wide_a : (void *)a, *second = function->wide ? (void *)wide_b : b;
            run(&drivers[d], number, first, second);
            for (int i = 0; i < CHUNK; i++) {
                double truth = function->truth(wide_a[i], wide_b[i]);
                note(&worst[d], error_of(function, drivers[d].results[i], truth), wide_a[i]);
            }
        }
        for (int i = 0; i < CHUNK && driver_count == 2; i++)
            note(&apart, error_of(function, drivers[0].results[i], drivers[1].results[i]), wide_a[i]);
    }
    printf("%-22s %-8s 2^%-7.2f emulated 2^%-7.2f at %-12.6g", function->form, function->absolute ? "absolute" : "relative",
           log2(function->bound), log2(worst[0].error), worst[0].at);
    if (driver_count == 2)
        printf(" GPU 2^%-7.2f at %-12.6g apart 2^%-7.2f", log2(worst[1].error), worst[1].at, log2(apart.error));
    printf("\n");
    fflush(stdout);
    free(a);
    free(b);
    free(wide_a);
    free(wide_b);
    return worst[0].error <= function->bound * 1.0001 && (driver_count == 1 || worst[1].error <= function->bound * 1.0001);
}

int main(int argument_count, char **arguments)
{
    static const struct option known[] = {
        {"device", required_argument, NULL, 'd'}, {"inputs", required_argument, NULL, 'i'}, {NULL, 0, NULL, 0}};
    uint64_t count = 1 << 24;
    bool gpu = false;
    int option;
    while ((option = getopt_long(argument_count, arguments, "", known, NULL)) != -1) {
        if (option == 'd' && (strcmp(optarg, "gpu") == 0 || strcmp(optarg, "emulated") == 0))
            gpu = strcmp(optarg, "gpu") == 0;
        else if (option == 'i' && strtoull(optarg, NULL, 0) > 0)
            count = (strtoull(optarg, NULL, 0) + CHUNK - 1) / CHUNK * CHUNK;
        else
            return 2;
    }
    struct driver drivers[2];
    char *text = write_module();
    open_driver(&drivers[0], LOCKSTEP_EMULATED, text);
    if (gpu)
        open_driver(&drivers[1], LOCKSTEP_GPU, text);
    unsigned over = 0;
    printf("function               error    bound\n");
    for (int f = 0; f < FUNCTION_COUNT; f++)
        over += !sweep(drivers, gpu ? 2 : 1, f, count);
    printf("%llu inputs each; %u of %d functions beyond their bound\n", (unsigned long long)count, over, FUNCTION_COUNT);
    for (unsigned d = 0; d < (gpu ? 2u : 1u); d++) {
        lockstep_module_unload(drivers[d].module);
        lockstep_device_close(drivers[d].device);
        free(drivers[d].results);
        free(drivers[d].narrow);
    }
    free(text);
    return over ? 1 : 0;
}
