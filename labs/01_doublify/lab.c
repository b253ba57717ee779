/* Lab 01: double every element of an array, in place. */
#include <math.h>
#include <stdio.h>

#include "labs/common.h"

extern const struct lab lab_01_doublify;

enum { A };

/* `values` of a case. */
enum { FRACTIONS, SPECIAL };

static const struct lab_kernel kernels[] = {
    {"doublify", "void doublify(float *a, int n)", {256, 1, 1}, 1, false},
};

static void launch(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    lab_launch(run, &(struct lab_launch){"doublify", {n, 0}, {0, 0}, {LAB_ARRAY(A), LAB_INT(n)}});
    lab_check(run, 0, 0, (size_t)n);
}

static const struct lab_plan plans[] = {{"one launch", {0}, 1, launch}};
static const struct lab_array arrays[] = {{"a", LAB_FLOAT32, LAB_IN_PLACE}};
static const struct lab_output outputs[] = {{"a", A, false}};

static const struct lab_case cases[] = {
    {"n = 1", "a single element, however many threads there are", {1}, FRACTIONS, false, false},
    {"n = 16", "as many elements as a block of 4 x 4 threads would have", {16}, FRACTIONS, false, false},
    {"n = 31", "one less than a warp", {31}, FRACTIONS, false, false},
    {"n = 32", "exactly one warp", {32}, FRACTIONS, false, false},
    {"n = 33", "one more than a warp", {33}, FRACTIONS, false, false},
    {"n = 255", "one less than a block of 256 threads", {255}, FRACTIONS, false, false},
    {"n = 256", "exactly one block of 256 threads", {256}, FRACTIONS, false, false},
    {"n = 257", "one more than a block of 256 threads", {257}, FRACTIONS, false, false},
    {"n = 1000", "no whole number of warps", {1000}, FRACTIONS, false, false},
    {"n = 1009, special values",
     "infinities, NaN, -0, the smallest and largest floats; n is prime",
     {1009},
     SPECIAL,
     false,
     false},
    {"n = 4095", "one less than a power of two", {4095}, FRACTIONS, false, false},
    {"n = 65537", "one more than 2^16: the index outgrows 16 bits", {65537}, FRACTIONS, false, false},
    {"n = 100003", "large; memory traffic is counted here", {100003}, FRACTIONS, false, true},
    {"hidden: few elements", "a size within a block or two", {1}, FRACTIONS, true, false, {511}},
    {"hidden: several blocks", "a size of several blocks", {600}, FRACTIONS, true, false, {3400}},
    {"hidden: special values",
     "infinities, NaN and the like, at other places and another size",
     {300},
     SPECIAL,
     true,
     false,
     {1700}},
};

static void fill(const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    /* Twice the smallest subnormal (2^-149) is not 0, twice the largest float is infinite. */
    static const float special[] = {
        INFINITY, -INFINITY, NAN, -0.0f, 0x1p-149f, -0x1.8p-127f, 0x1.fffffep127f, -0x1.fffffep127f,
    };
    float *a = data->array[A].f;
    size_t n = data->count[A];
    lab_random_fill_float(random, a, n, -100.0f, 100.0f);
    if (the_case->values == SPECIAL) {
        for (size_t i = 0; i < n; i += 1 + lab_random_below(random, 7)) {
            a[i] = special[lab_random_below(random, COMMON_COUNT(special))];
        }
    }
}

static void reference(const struct lab_case *the_case, int plan, int output, const struct lab_data *data,
                      struct lab_expected *expected)
{
    (void)the_case, (void)plan, (void)output;
    for (size_t i = 0; i < expected->count; i++) {
        expected->f[i] = (double)(2.0f * data->array[A].f[i]);
    }
    expected->bound = NULL;
    expected->rule = "only the exact result, because doubling a float changes its exponent and rounds nothing";
}

/* Every block worked on the elements of block 0, as with an index made of threadIdx alone: the others are untouched, and
 * those of block 0 doubled once a block (or, where the blocks raced, less often). */
static bool only_first_block_worked(const struct lab_wrong *wrong, const float *a, const float *got)
{
    size_t block = (size_t)wrong->elements_per_block;
    if (wrong->elements_per_block < 1 || wrong->expected->count <= block) {
        return false;
    }
    for (size_t i = block; i < wrong->expected->count; i++) {
        if (got[i] != a[i] && !isnan(a[i])) {
            return false;
        }
    }
    size_t changed = 0;
    for (size_t i = 0; i < block; i++) {
        float mantissa = frexpf(got[i], &(int){0});
        if (isfinite(got[i]) && mantissa != frexpf(a[i], &(int){0})) {
            return false;
        }
        changed += got[i] != a[i];
    }
    return changed >= block / 2;
}

static bool classify(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    const float *a = wrong->data->array[A].f, *got = wrong->got;
    size_t count = wrong->expected->count, quadrupled = 0, truncated = 0, squared = 0;
    if (only_first_block_worked(wrong, a, got)) {
        *pattern = "tail";
        snprintf(
            message, message_bytes,
            "Every block worked on elements 0..%lld, and on no others. What makes thread 0 of block 1 different from thread "
            "0 of block 0?",
            (long long)wrong->elements_per_block - 1);
        return true;
    }
    size_t telling = 0; /* zeros and infinities come out of many a formula */
    for (size_t i = 0; i < count; i++) {
        bool right = (double)got[i] == wrong->expected->f[i] || isnan(a[i]);
        telling += !right && got[i] != 0 && isfinite(got[i]);
        quadrupled += !right && got[i] == 4.0f * a[i];
        squared += !right && got[i] == a[i] * a[i];
        truncated += !right && got[i] == 2.0f * truncf(a[i]);
    }
    if (telling >= 4 && quadrupled == wrong->bad_count) {
        *pattern = "doubled";
        snprintf(
            message, message_bytes,
            "Every wrong element is 4 times what it was, and should be twice what it was. Which operations make 4 of it, "
            "together or alone?");
        return true;
    }
    if (telling >= 4 && squared == wrong->bad_count) {
        *pattern = "squared";
        snprintf(message, message_bytes,
                 "Every wrong element is the square of what it was. By what is an element to be multiplied?");
        return true;
    }
    if (telling >= 4 && truncated == wrong->bad_count) {
        *pattern = "typed";
        snprintf(message, message_bytes,
                 "Every wrong element is twice what it was, with the fraction cut off first. Which line cuts it off?");
        return true;
    }
    return false;
}

static double ideal_sectors(const struct lab_case *the_case, int plan)
{
    (void)plan;
    return 2 * common_sectors(the_case->size[0]);
}

static double third_of_loads(const struct lab_case *the_case, int plan)
{
    (void)plan;
    return (double)the_case->size[0] / 3;
}

static const struct lab_budget budgets[] = {
    {.metric = "global_sectors",
     .base = LAB_BUDGET_IDEAL,
     .ideal = ideal_sectors,
     .full_at = 1.05,
     .zero_at = 3,
     .points = 16,
     .why =
         "each element must be read once and written once: 2 x 4 bytes x n, in sectors of 32 bytes. Neighbouring threads "
         "on neighbouring elements achieve that, where a warp begins at a multiple of 8 elements; one thread per block, or "
         "one thread for everything, moves 8 times as much",
     .least = {0.99},
     .too_little = "less than the n elements that must be read and written once each: the work was not done here"},
    {.metric = "issued_lane_slots",
     .base = LAB_BUDGET_REFERENCE,
     .full_at = 8,
     .zero_at = 24,
     .points = 4,
     .why = "a warp spends 32 lane slots on an instruction, however many of its lanes have work; the reference keeps all 32 "
            "busy"},
    {.metric = "max_thread_share",
     .base = LAB_BUDGET_ABSOLUTE,
     .full_at = 0.1,
     .zero_at = 0.2,
     .points = 8,
     .why = COMMON_WHY_SHARE},
    {.metric = "busiest_block_loads",
     .base = LAB_BUDGET_IDEAL,
     .ideal = third_of_loads,
     .full_at = 1.2,
     .zero_at = 2.4,
     .points = 12,
     .why = COMMON_WHY_BLOCK},
};

static void work(const struct lab_case *the_case, double *bytes, double *operations)
{
    *bytes = 8.0 * (double)the_case->size[0];
    *operations = (double)the_case->size[0];
}

const struct lab lab_01_doublify = {
    .name = "01_doublify",
    .title = "Double an array",
    .handout = "handouts/01_doublify.md",
    .kernels = kernels,
    .kernel_count = COMMON_COUNT(kernels),
    .plans = plans,
    .plan_count = COMMON_COUNT(plans),
    .arrays = arrays,
    .array_count = COMMON_COUNT(arrays),
    .outputs = outputs,
    .output_count = COMMON_COUNT(outputs),
    .cases = cases,
    .case_count = COMMON_COUNT(cases),
    .points = COMMON_CORRECT_POINTS,
    .budgets = budgets,
    .budget_count = COMMON_COUNT(budgets),
    .extent = common_extent,
    .fill = fill,
    .reference = reference,
    .classify = classify,
    .elementwise = true,
    .weighing = {.kind = LAB_SUMS, .arrays = {A}, .array_count = 1},
    .work = work,
    .timing_case = {"n = 8388608", "time is measured here", {1 << 23}, FRACTIONS, false, false},
    .time = {1.2, 4, 10},
};
