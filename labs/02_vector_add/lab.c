/* Lab 02: add two vectors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grader/judge/compare.h"
#include "labs/common.h"

extern const struct lab lab_02_vector_add;

enum { A, B, C };

/* `values` of a case. */
enum { FRACTIONS, CANCELLING, MAGNITUDES, SPECIAL };

static const struct lab_kernel kernels[] = {
    {"vector_add", "void vector_add(const float *a, const float *b, float *c, int n)", {256, 1, 1}, 1, false},
};

static void launch(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    lab_launch(run,
               &(struct lab_launch){"vector_add", {n, 0}, {0, 0}, {LAB_ARRAY(A), LAB_ARRAY(B), LAB_ARRAY(C), LAB_INT(n)}});
    lab_check(run, 0, 0, (size_t)n);
}

static const struct lab_plan plans[] = {{"one launch", {0}, 1, launch}};
static const struct lab_array arrays[] = {
    {"a", LAB_FLOAT32, LAB_INPUT},
    {"b", LAB_FLOAT32, LAB_INPUT},
    {"c", LAB_FLOAT32, LAB_OUTPUT},
};
static const struct lab_output outputs[] = {{"c", C, false}};

static const struct lab_case cases[] = {
    {"n = 1", "a single element, however many threads there are", {1}, FRACTIONS, false, false},
    {"n = 31", "one less than a warp", {31}, FRACTIONS, false, false},
    {"n = 32", "exactly one warp", {32}, FRACTIONS, false, false},
    {"n = 33", "one more than a warp", {33}, FRACTIONS, false, false},
    {"n = 255", "one less than a block of 256 threads", {255}, FRACTIONS, false, false},
    {"n = 256", "exactly one block of 256 threads", {256}, FRACTIONS, false, false},
    {"n = 257", "one more than a block of 256 threads", {257}, FRACTIONS, false, false},
    {"n = 1000", "no whole number of warps", {1000}, FRACTIONS, false, false},
    {"n = 1009, cancelling", "a and b nearly cancel, half of them exactly; n is prime", {1009}, CANCELLING, false, false},
    {"n = 1025, magnitudes",
     "one summand is much larger than the other, with either sign",
     {1025},
     MAGNITUDES,
     false,
     false},
    {"n = 1500, special values", "infinities, NaN, -0 and subnormal numbers", {1500}, SPECIAL, false, false},
    {"n = 100003", "large; memory traffic is counted here", {100003}, FRACTIONS, false, true},
    {"n = 16777227",
     "2^24 + 11: more elements than a float can count one by one",
     {(1 << 24) + 11},
     FRACTIONS,
     false,
     false},
    {"hidden: few elements", "a size within a block or two", {1}, FRACTIONS, true, false, {511}},
    {"hidden: several blocks", "a size of several blocks", {600}, MAGNITUDES, true, false, {3400}},
    {"hidden: special values",
     "infinities, NaN and the like, at other places and another size",
     {300},
     SPECIAL,
     true,
     false,
     {1700}},
};

static void fill_special(struct lab_random *random, float *array, size_t n)
{
    static const float special[] = {INFINITY, -INFINITY, NAN, -0.0f, 0.0f, 0x1p-149f, -0x1.8p-127f, 0x1.fffffep127f};
    for (size_t i = 0; i < n; i++) {
        if (lab_random_below(random, 2) == 0) {
            array[i] = special[lab_random_below(random, COMMON_COUNT(special))];
        }
    }
}

static void fill(const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    float *a = data->array[A].f, *b = data->array[B].f;
    size_t n = data->count[A];
    lab_random_fill_float(random, a, n, -1.0f, 1.0f);
    lab_random_fill_float(random, b, n, -1.0f, 1.0f);
    if (the_case->values == SPECIAL) {
        fill_special(random, a, n);
        fill_special(random, b, n);
    }
    for (size_t i = 0; i < n && the_case->values == CANCELLING; i++) {
        b[i] = i % 2 == 0 ? -a[i] : -a[i] * (1.0f + 0x1p-20f);
    }
    for (size_t i = 0; i < n && the_case->values == MAGNITUDES; i++) {
        a[i] *= ldexpf(1.0f, (int)lab_random_below(random, 60) - 30);
    }
}

static void reference(const struct lab_case *the_case, int plan, int output, const struct lab_data *data,
                      struct lab_expected *expected)
{
    (void)the_case, (void)plan, (void)output;
    const float *a = data->array[A].f, *b = data->array[B].f;
    double *want = expected->f;
    for (size_t i = 0; i < expected->count; i++) {
        want[i] = (double)(a[i] + b[i]);
    }
    expected->bound = NULL;
    expected->rule =
        "only the exact result, because one addition, rounded to nearest as IEEE 754 says, has one right result";
}

/* What the student may have computed instead. */
static float mistaken(int which, float a, float b)
{
    switch (which) {
    case 0: return a;
    case 1: return b;
    case 2: return a - b;
    default: return a * b;
    }
}

/* The distance of the element of `moved` that makes the sum with the one of `fixed` in the same place, the same for all
 * wrong elements; 0: there is none. */
static int64_t find_shift(const struct lab_wrong *wrong, const float *fixed, const float *moved)
{
    enum { MOST_ELEMENTS = 1 << 18 };
    const float *got = wrong->got;
    size_t count = wrong->expected->count, first = wrong->first_bad;
    for (size_t at = 0; at < count && count <= MOST_ELEMENTS; at++) {
        size_t same = 0, telling = 0;
        int64_t shift = (int64_t)at - (int64_t)first;
        if (fixed[first] + moved[at] != got[first] || shift == 0)
            continue;
        for (size_t i = first; i < count; i++) {
            int64_t other = (int64_t)i + shift;
            if (compare_element(wrong->expected, got, i))
                continue;
            if (other < 0 || other >= (int64_t)count || fixed[i] + moved[other] != got[i])
                break;
            same++;
            telling += got[i] != 0 && isfinite(got[i]);
        }
        if (telling >= 4 && same == wrong->bad_count)
            return shift;
    }
    return 0;
}

static bool classify(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    const char *const *names = wrong->names;
    const char *first = names[A] ? names[A] : "a", *second = names[B] ? names[B] : "b";
    const float *a = wrong->data->array[A].f, *b = wrong->data->array[B].f, *got = wrong->got;
    for (int which = 0; which < 4; which++) {
        size_t same = 0, telling = 0;
        for (size_t i = wrong->first_bad; i < wrong->expected->count; i++) {
            if (!compare_element(wrong->expected, got, i)) {
                if (!(got[i] == mistaken(which, a[i], b[i]))) {
                    break;
                }
                same++;
                telling += got[i] != 0 && isfinite(got[i]); /* zeros and infinities come out of many a formula */
            }
        }
        if (telling >= 4 && same == wrong->bad_count) {
            *pattern = which < 2 ? "?other" : "other"; /* why one of the two is missing can be measured */
            snprintf(message, message_bytes, "Every wrong element of %s is exactly ", names[C] ? names[C] : "c");
            size_t used = strlen(message);
            if (which < 2)
                snprintf(message + used, message_bytes - used, "the element of %s in the same place. What should it be?",
                         which == 0 ? first : second);
            else
                snprintf(message + used, message_bytes - used, "the element of %s %s that of %s. What should it be?", first,
                         which == 2 ? "minus" : "times", second);
            return true;
        }
    }
    for (int which = A; which <= B; which++) {
        int64_t shift = which == A ? find_shift(wrong, b, a) : find_shift(wrong, a, b);
        const char *moved = which == A ? first : second, *fixed = which == A ? second : first;
        size_t i = wrong->first_bad;
        if (shift == 0)
            continue;
        *pattern = "?moved"; /* on which way it gets there can be measured */
        snprintf(
            message, message_bytes,
            "%s[%zu] is %s[%zu] + %s[%lld]; in every wrong element, the one of %s is %lld place%s too far to the %s. Which "
            "line computes %s[%zu], and with which index does it read %s?",
            names[C] ? names[C] : "c", i, fixed, i, moved, (long long)i + (long long)shift, moved,
            (long long)(shift < 0 ? -shift : shift), shift == 1 || shift == -1 ? "" : "s", shift < 0 ? "left" : "right",
            names[C] ? names[C] : "c", i, moved);
        return true;
    }
    return false;
}

static double ideal_sectors(const struct lab_case *the_case, int plan)
{
    (void)plan;
    return 3 * common_sectors(the_case->size[0]);
}

static double third_of_loads(const struct lab_case *the_case, int plan)
{
    (void)plan;
    return (double)the_case->size[0] * 2 / 3;
}

static const struct lab_budget budgets[] = {
    {.metric = "global_sectors",
     .base = LAB_BUDGET_IDEAL,
     .ideal = ideal_sectors,
     .full_at = 1.05,
     .zero_at = 3,
     .points = 16,
     .why =
         "each element must move once: the two inputs are read, the output is written, 3 x 4 bytes x n, in sectors of 32 "
         "bytes. What is read or written a second time counts again, and so does a sector that is fetched for a few of its bytes",
     .least = {0.99},
     .too_little = "less than the 3 x n elements that must move once each: the work was not done here"},
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
    *bytes = 12.0 * (double)the_case->size[0];
    *operations = (double)the_case->size[0];
}

const struct lab lab_02_vector_add = {
    .name = "02_vector_add",
    .title = "Add two vectors",
    .handout = "handouts/02_vector_add.md",
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
    .weighing = {.kind = LAB_SUMS, .arrays = {A, B}, .array_count = 2},
    .work = work,
    .timing_case = {"n = 8388608", "time is measured here", {1 << 23}, FRACTIONS, false, false},
    .time = {1.2, 4, 10},
};
