/* How fast the emulated driver is: lane-instructions a second, on one core, per kernel, check level and ISA level.
 *
 *   build/tests/emulator_bench [KERNEL]...
 *
 * A lane-instruction is one instruction executed by one active lane, as LOCKSTEP_COUNTERS counts them (thread_instructions).
 * The driver reads its environment once, so every level is measured in a child process: this program again, with --measure,
 * or with --count for a single launch.
 * Results are verified against the plain loops: a fast wrong answer is a failure.
 */
#include <jansson.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "runtime/lockstep.h"
#include "tests/bench/plain.h"

struct kernel {
    const char *name;
    plain_function plain;
    int n;                    /* the kernel's n */
    size_t elements, outputs; /* of a and b; of c */
    uint32_t grid[2], block[2];
    double goal, goal_all; /* G lane-instructions/s with memory checks, with all checks */
    float tolerance;       /* of an output, relative to the largest */
};

#define SIDE   512
#define AREA   (1 << 18) /* SIDE * SIDE */
#define LENGTH (1 << 22)
#define MIDDLE (1 << 20)
#define SHORT  (1 << 18)

static const struct kernel kernels[] = {
    /* name, plain, n, elements, outputs, grid, block, goals, tolerance */
    {"vector_add", plain_vector_add, LENGTH, LENGTH, LENGTH, {LENGTH / 256, 1}, {256, 1}, 8, 4, 0},
    {"matmul_naive", plain_matmul, SIDE, AREA, AREA, {SIDE / 16, SIDE / 16}, {16, 16}, 8, 4, 1e-4f},
    {"matmul_tiled", plain_matmul_tiled, SIDE, AREA, AREA, {SIDE / 16, SIDE / 16}, {16, 16}, 8, 4, 1e-4f},
    {"matmul_wmma", plain_matmul_tiled, SIDE, AREA, AREA, {SIDE / 32, SIDE / 32}, {128, 1}, 2.5, 1.5, 2e-3f},
    {"block_reduce", plain_block_reduce, LENGTH, LENGTH, LENGTH / 256, {LENGTH / 256, 1}, {256, 1}, 8, 4, 1e-4f},
    {"block_scan", plain_block_scan, MIDDLE, MIDDLE, MIDDLE, {MIDDLE / 256, 1}, {256, 1}, 2.5, 1.5, 1e-4f},
    {"divergent", plain_divergent, SHORT, SHORT, SHORT, {SHORT / 256, 1}, {256, 1}, 2.5, 1.5, 0},
    {"strided", plain_strided, LENGTH, LENGTH, LENGTH, {LENGTH / 256, 1}, {256, 1}, 2.5, 1.5, 0},
    {"histogram_uniform", plain_histogram_uniform, MIDDLE, MIDDLE, MIDDLE / 16, {MIDDLE / 4096, 1}, {256, 1}, 2.5, 1.5, 0},
    {"histogram_skewed", plain_histogram_skewed, MIDDLE, MIDDLE, MIDDLE / 16, {MIDDLE / 4096, 1}, {256, 1}, 2.5, 1.5, 0},
    {"transpose", plain_transpose, 1024, MIDDLE, MIDDLE, {32, 32}, {32, 8}, 2.5, 1.5, 0},
    {"nbody", plain_nbody, 1024, 1024, 1024, {8, 1}, {128, 1}, 2.5, 1.5, 1e-5f},
    {"shuffle_reduce", plain_shuffle_reduce, MIDDLE, MIDDLE, MIDDLE / 32, {MIDDLE / 256, 1}, {256, 1}, 8, 4, 1e-4f},
};
enum { KERNEL_COUNT = sizeof kernels / sizeof kernels[0] };

struct level {
    const char *checks, *isa;
    bool runs_here;
    const char *counters; /* a file for LOCKSTEP_COUNTERS, or NULL */
};

struct measurement {
    double thread_instructions, warp_instructions; /* of one launch; from the counting run */
    double seconds, cycles;                        /* the best launch */
    double peak;                                   /* bytes of the process that launched it, buffers included */
};

static double now_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void require(lockstep_status status, const lockstep_error *error)
{
    if (status == LOCKSTEP_OK)
        return;
    char text[2048];
    lockstep_error_format(error, text, sizeof text);
    fprintf(stderr, "emulator_bench: %s\n", text);
    exit(1);
}

static float *allocate(size_t count)
{
    float *values = malloc(count * sizeof *values);
    if (!values)
        exit(1);
    return values;
}

static char *read_source(size_t *bytes)
{
    FILE *file = fopen("tests/bench/kernels.cu", "rb");
    char *source = malloc(1 << 16);
    if (!file || !source) {
        fprintf(stderr, "emulator_bench: start it in the root of the repository\n");
        exit(1);
    }
    *bytes = fread(source, 1, (1 << 16) - 1, file);
    source[*bytes] = '\0';
    fclose(file);
    return source;
}

static bool is_wanted(const char *name, char **wanted)
{
    for (size_t i = 0; wanted[i]; i++) {
        if (strcmp(wanted[i], name) == 0)
            return true;
    }
    return !wanted[0];
}

/* One core only: the goals are for one. */
static void pin(void)
{
    cpu_set_t set;
    int here = sched_getcpu();
    CPU_ZERO(&set);
    CPU_SET((size_t)(here < 0 ? 0 : here), &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void fill_inputs(const struct kernel *kernel, float *a, float *b)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < kernel->elements; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = (float)(state >> 8) / (1 << 24);
        state = state * 1664525u + 1013904223u;
        b[i] = (float)(state >> 8) / (1 << 24);
    }
}

/* ---- the child: measures in its environment ----------------------------------------------------------------------- */

/* The largest difference, relative to the largest expected value. */
static double difference(const struct kernel *kernel, const float *got, const float *expected)
{
    double worst = 0, largest = 1e-30;
    for (size_t i = 0; i < kernel->outputs; i++) {
        double distance = fabs((double)got[i] - (double)expected[i]);
        worst = distance > worst || isnan(distance) ? distance : worst;
        largest = fmax(largest, fabs((double)expected[i]));
    }
    return worst / largest;
}

static void measure_kernel(lockstep_device *device, lockstep_module *module, const struct kernel *kernel,
                           double budget_seconds)
{
    lockstep_error error;
    lockstep_kernel *function;
    lockstep_buffer *a, *b, *c;
    float *host_a = allocate(kernel->elements), *host_b = allocate(kernel->elements), *got = allocate(kernel->outputs);
    float *expected = allocate(kernel->outputs);
    size_t bytes = kernel->elements * sizeof(float), output_bytes = kernel->outputs * sizeof(float);
    fill_inputs(kernel, host_a, host_b);
    require(lockstep_module_kernel(module, kernel->name, &function, &error), &error);
    require(lockstep_buffer_create(device, bytes, "a", &a, &error), &error);
    require(lockstep_buffer_create(device, bytes, "b", &b, &error), &error);
    require(lockstep_buffer_create(device, output_bytes, "c", &c, &error), &error);
    require(lockstep_buffer_upload(a, 0, host_a, bytes, &error), &error);
    require(lockstep_buffer_upload(b, 0, host_b, bytes, &error), &error);

    lockstep_shape shape = {.grid = {kernel->grid[0], kernel->grid[1], 1}, .block = {kernel->block[0], kernel->block[1], 1}};
    lockstep_argument arguments[] = {LOCKSTEP_BUFFER(a), LOCKSTEP_BUFFER(b), LOCKSTEP_BUFFER(c), LOCKSTEP_VALUE(kernel->n)};
    double best = INFINITY, cycles = 0, start = now_seconds();
    for (int run = 0; run < 1 || (now_seconds() - start < budget_seconds && run < 50); run++) {
        double begin = now_seconds();
        uint64_t begin_cycles = __rdtsc();
        require(lockstep_launch(function, &shape, arguments, 4, NULL, &error), &error);
        require(lockstep_device_synchronize(device, &error), &error);
        uint64_t end_cycles = __rdtsc();
        double seconds = now_seconds() - begin;
        if (seconds < best) {
            best = seconds;
            cycles = (double)(end_cycles - begin_cycles);
        }
    }
    require(lockstep_buffer_download(c, 0, got, output_bytes, &error), &error);
    kernel->plain(host_a, host_b, expected, kernel->n);
    double wrong = difference(kernel, got, expected);
    if (!(wrong <= (double)kernel->tolerance)) {
        fprintf(stderr, "emulator_bench: %s: wrong result, off by %g of the largest value\n", kernel->name, wrong);
        exit(1);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%s %.9f %.0f %.0f\n", kernel->name, best, cycles, (double)usage.ru_maxrss * 1024);
    fflush(stdout);
    lockstep_buffer_destroy(a);
    lockstep_buffer_destroy(b);
    lockstep_buffer_destroy(c);
    free(host_a);
    free(host_b);
    free(got);
    free(expected);
}

/* Prints "name seconds cycles peak-bytes" per kernel; of one launch, or of the best of those that the budget allows. */
static int measure(char **wanted, double budget_seconds)
{
    pin();
    lockstep_error error;
    lockstep_device *device;
    lockstep_module *module;
    size_t bytes;
    char *source = read_source(&bytes);
    require(lockstep_device_open(LOCKSTEP_EMULATED, &device, &error), &error);
    require(lockstep_module_compile(device, source, "tests/bench/kernels.cu", NULL, &module, &error), &error);
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        if (is_wanted(kernels[i].name, wanted))
            measure_kernel(device, module, &kernels[i], budget_seconds);
    }
    lockstep_module_unload(module);
    lockstep_device_close(device);
    free(source);
    return 0;
}

/* ---- the parent --------------------------------------------------------------------------------------------------- */

/* Runs this program again for one kernel at one level, with --measure or --count, and reads what it prints. Returns false
 * when it failed. */
static bool measure_at(const struct level *level, const char *mode, const char *kernel, struct measurement *results)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setenv("LOCKSTEP_CHECKS", level->checks, 1);
        setenv("LOCKSTEP_ISA", level->isa, 1);
        unsetenv("LOCKSTEP_COUNTERS");
        if (level->counters)
            setenv("LOCKSTEP_COUNTERS", level->counters, 1);
        char name[64], option[16];
        snprintf(name, sizeof name, "%s", kernel);
        snprintf(option, sizeof option, "%s", mode);
        char *arguments[] = {(char[]){"emulator_bench"}, option, name, NULL};
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        execv("/proc/self/exe", arguments);
        _exit(127);
    }
    close(ends[1]);
    FILE *lines = fdopen(ends[0], "r");
    char name[64];
    double seconds, cycles, peak;
    while (lines && fscanf(lines, "%63s %lf %lf %lf", name, &seconds, &cycles, &peak) == 4) {
        for (size_t i = 0; i < KERNEL_COUNT; i++) {
            if (strcmp(kernels[i].name, name) == 0) {
                results[i].seconds = seconds;
                results[i].cycles = cycles;
                results[i].peak = peak;
            }
        }
    }
    if (lines)
        fclose(lines);
    int status = 0;
    return waitpid(child, &status, 0) == child && status == 0;
}

/* A process for each kernel, so that each has a peak of its own. */
static bool measure_level(const struct level *level, const char *mode, char **wanted, struct measurement *results)
{
    for (size_t i = 0; i < KERNEL_COUNT; i++)
        if (is_wanted(kernels[i].name, wanted) && !measure_at(level, mode, kernels[i].name, results))
            return false;
    return true;
}

/* Reads the instruction counts of one launch per kernel from a file of LOCKSTEP_COUNTERS. */
static bool read_counts(const char *path, struct measurement *results)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    json_t *launch;
    while ((launch = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL))) {
        const char *name = json_string_value(json_object_get(launch, "kernel"));
        json_t *counters = json_object_get(launch, "counters");
        for (size_t i = 0; name && i < KERNEL_COUNT; i++) {
            if (strcmp(kernels[i].name, name) != 0)
                continue;
            results[i].thread_instructions = json_number_value(json_object_get(counters, "thread_instructions"));
            results[i].warp_instructions = json_number_value(json_object_get(counters, "warp_instructions"));
        }
        json_decref(launch);
    }
    fclose(file);
    return true;
}

static double plain_seconds(const struct kernel *kernel)
{
    float *a = allocate(kernel->elements), *b = allocate(kernel->elements), *c = allocate(kernel->outputs);
    fill_inputs(kernel, a, b);
    double best = INFINITY;
    for (int run = 0; run < 5; run++) {
        double begin = now_seconds();
        kernel->plain(a, b, c, kernel->n);
        best = fmin(best, now_seconds() - begin);
    }
    free(a);
    free(b);
    free(c);
    return best;
}

static void print_level(const struct level *level, char **wanted, const struct measurement *results, const double *plain)
{
    printf("\nLOCKSTEP_CHECKS=%s LOCKSTEP_ISA=%s\n", level->checks, level->isa);
    printf("  %-18s %12s %9s %8s %9s %9s %8s %8s\n", "kernel", "lane-instr", "best ms", "G/s", "goal G/s", "cyc/warp",
           "x plain", "peak MB");
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        const struct measurement *result = &results[i];
        if (!is_wanted(kernels[i].name, wanted))
            continue;
        double goal = strcmp(level->checks, "all") == 0 ? kernels[i].goal_all : kernels[i].goal;
        if (strcmp(level->isa, "baseline") == 0)
            goal = strcmp(level->checks, "all") == 0 ? 0.7 : 2.5;
        double rate = result->thread_instructions / result->seconds * 1e-9;
        printf("  %-18s %12.0f %9.3f %8.2f %7.1f %s %9.1f %8.1f %8.0f\n", kernels[i].name, result->thread_instructions,
               result->seconds * 1e3, rate, goal, rate >= goal ? " " : "-", result->cycles / result->warp_instructions,
               result->seconds / plain[i], result->peak * 1e-6);
    }
    fflush(stdout);
}

/* What checks and counters cost: the levels side by side, each kernel at all of them in turn. Returns the exit status. */
static int print_prices(const char *isa, char **wanted, struct measurement *results)
{
    const struct level levels[] = {
        {"none", isa, true, NULL}, {"memory", isa, true, NULL},     {"memory", isa, true, "/dev/null"},
        {"all", isa, true, NULL},  {"all", isa, true, "/dev/null"},
    };
    enum { LEVELS = sizeof levels / sizeof levels[0], MEMORY = 1 };
    printf("\nWhat checks cost, LOCKSTEP_ISA=%s: G lane-instructions/s, and that as a share of memory checks\n", isa);
    printf("  %-18s %8s %8s %19s %17s %19s\n", "kernel", "none", "memory", "memory + counters", "all", "all + counters");
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        double rate[LEVELS];
        if (!is_wanted(kernels[i].name, wanted))
            continue;
        for (size_t at = 0; at < LEVELS; at++) {
            if (!measure_at(&levels[at], "--measure", kernels[i].name, results)) {
                printf("  %-18s FAILED\n", kernels[i].name);
                return 1;
            }
            rate[at] = results[i].thread_instructions / results[i].seconds * 1e-9;
        }
        printf("  %-18s %8.2f %8.2f", kernels[i].name, rate[0], rate[MEMORY]);
        for (size_t at = MEMORY + 1; at < LEVELS; at++)
            printf("  %*.2f  %4.0f%%", levels[at].counters ? 10 : 8, rate[at], 100 * rate[at] / rate[MEMORY]);
        printf("\n");
        fflush(stdout);
    }
    return 0;
}

/* Counts once, then measures every level. Returns the exit status. */
static int compare_levels(char **wanted)
{
    struct measurement results[KERNEL_COUNT] = {{0}};
    double plain[KERNEL_COUNT];
    char path[] = "/tmp/lockstep-bench-XXXXXX";
    int descriptor = mkstemp(path);
    if (descriptor < 0)
        return 1;
    close(descriptor);
    __builtin_cpu_init();
    const char *best = __builtin_cpu_supports("avx2") ? "avx2" : "baseline";
    bool counted = measure_level(&(struct level){"memory", best, true, path}, "--count", wanted, results)
                   && read_counts(path, results);
    unlink(path);
    if (!counted) {
        fprintf(stderr, "emulator_bench: the counting run failed\n");
        return 1;
    }
    pin();
    for (size_t i = 0; i < KERNEL_COUNT; i++)
        plain[i] = is_wanted(kernels[i].name, wanted) ? plain_seconds(&kernels[i]) : 0;
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
                  && __builtin_cpu_supports("avx512bw");
    bool avx2 = __builtin_cpu_supports("avx2") != 0;
    const struct level levels[] = {
        {"none", "baseline", true, NULL},   {"none", "avx2", avx2, NULL},   {"none", "avx512", avx512, NULL},
        {"memory", "baseline", true, NULL}, {"memory", "avx2", avx2, NULL}, {"memory", "avx512", avx512, NULL},
        {"all", "baseline", true, NULL},    {"all", "avx2", avx2, NULL},    {"all", "avx512", avx512, NULL},
    };
    int status = print_prices(best, wanted, results);
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (!levels[i].runs_here) {
            printf("\nLOCKSTEP_CHECKS=%s LOCKSTEP_ISA=%s: this processor cannot\n", levels[i].checks, levels[i].isa);
        } else if (measure_level(&levels[i], "--measure", wanted, results)) {
            print_level(&levels[i], wanted, results, plain);
        } else {
            printf("\nLOCKSTEP_CHECKS=%s LOCKSTEP_ISA=%s: FAILED\n", levels[i].checks, levels[i].isa);
            status = 1;
        }
    }
    return status;
}

int main(int count, char **arguments)
{
    if (count > KERNEL_COUNT + 2)
        return 2;
    if (count > 1 && strcmp(arguments[1], "--measure") == 0)
        return measure(arguments + 2, 0.4);
    if (count > 1 && strcmp(arguments[1], "--count") == 0)
        return measure(arguments + 2, 0);
    for (int i = 1; i < count; i++) {
        bool known = false;
        for (size_t k = 0; k < KERNEL_COUNT; k++)
            known = known || strcmp(kernels[k].name, arguments[i]) == 0;
        if (!known) {
            fprintf(stderr, "emulator_bench: no kernel %s\n", arguments[i]);
            return 2;
        }
    }
    return compare_levels(arguments + 1);
}
