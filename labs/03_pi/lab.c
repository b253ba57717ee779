/* Lab 03: pi as the integral of 4 / (1 + x*x) from 0 to 1, by a map and a reduction. */
#include <math.h>
#include <stdio.h>

#include "grader/lab/tolerance.h"
#include "labs/common.h"

extern const struct lab lab_03_pi;

enum { DEST };
enum { MAPPED, PI };                         /* outputs */
enum { MAPPER, REDUCER, PI_SUM, PI_FINISH }; /* kernels */
enum { MAP_AND_REDUCE, FUSED };              /* plans */

/* Roundings in 4 / (1 + x*x) with x = i/n, as factors (1 + d), |d| <= u: the conversions of i and n (0 below 2^24, 1 each
 * above), the quotient (2 when it is a product with a reciprocal), the square, the sum, the division. An error in x enters
 * with the factor 2 x*x / (1 + x*x) <= 1, that of the square with half of it: 4 + 1/2 + 1 + 1, rounded up. */
#define MAPPER_ROUNDINGS 7

/* Threads of pi_finish, unless the student chose otherwise. */
#define FINISHING 256
#define WARP      32

static const struct lab_kernel kernels[] = {
    {"mapper", "void mapper(float *dest, int n)", {256, 1, 1}, 1, false},
    {"reducer", "void reducer(float *dest, int i, int n)", {256, 1, 1}, 1, false},
    {"pi_sum", "void pi_sum(float *partial, int n)", {256, 1, 1}, 1, false},
    {"pi_finish", "void pi_finish(float *partial, int blocks)", {256, 1, 1}, 1, false},
};

static void launch_map_and_reduce(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    lab_launch(run, &(struct lab_launch){"mapper", {n, 0}, {0, 0}, {LAB_ARRAY(DEST), LAB_INT(n)}});
    lab_check(run, MAPPED, 0, (size_t)n);
    for (int64_t i = 1; i < n; i *= 2) {
        lab_launch(run, &(struct lab_launch){"reducer", {n, 0}, {0, 0}, {LAB_ARRAY(DEST), LAB_INT(i), LAB_INT(n)}});
    }
    lab_check(run, PI, 0, 1);
}

static void launch_fused(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    int64_t blocks = lab_blocks(run, "pi_sum", n);
    if (blocks < 1) {
        return; /* the run has failed already and says why */
    }
    int partial = lab_scratch(run, "partial", LAB_FLOAT32, (size_t)blocks);
    lab_launch(run, &(struct lab_launch){"pi_sum", {n, 0}, {0, 0}, {LAB_SCRATCH(partial), LAB_INT(n)}});
    lab_launch(run, &(struct lab_launch){"pi_finish", {blocks, 0}, {1, 1}, {LAB_SCRATCH(partial), LAB_INT(blocks)}});
    lab_check_scratch(run, PI, partial, 0, 1);
}

static const struct lab_plan plans[] = {
    {"map and reduce", {MAPPER, REDUCER}, 2, launch_map_and_reduce},
    {"fused", {PI_SUM, PI_FINISH}, 2, launch_fused},
};
static const struct lab_array arrays[] = {{"dest", LAB_FLOAT32, LAB_OUTPUT}};
static const struct lab_output outputs[] = {{"dest", DEST, false}, {"pi", DEST, true}};

static const struct lab_producer producers[] = {{"dest", MAPPER}, {"partial", PI_SUM}};

static const struct lab_case cases[] = {
    {"n = 1", "one rectangle: pi is 4 here, and the reducer never runs", {1}, 0, false, false},
    {"n = 2", "one pair to add", {2}, 0, false, false},
    {"n = 3", "an odd number: the last element has no partner in the first step", {3}, 0, false, false},
    {"n = 31", "one less than a warp", {31}, 0, false, false},
    {"n = 32", "exactly one warp", {32}, 0, false, false},
    {"n = 33", "one more than a warp", {33}, 0, false, false},
    {"n = 255", "one less than a block", {255}, 0, false, false},
    {"n = 256", "exactly one block", {256}, 0, false, false},
    {"n = 257", "one more than a block: sums must cross blocks", {257}, 0, false, false},
    {"n = 1000", "four blocks, not a power of two", {1000}, 0, false, false},
    {"n = 4093", "prime: partners are missing in most steps", {4093}, 0, false, false},
    {"n = 65537",
     "one more than 2^16: the index outgrows 16 bits, and the last step adds one element",
     {65537},
     0,
     false,
     false},
    {"n = 1200007",
     "more partial sums than a block has threads, even where a block adds thousands of elements",
     {1200007},
     0,
     false,
     false},
    {"n = 100003", "17 steps; memory requests are counted here", {100003}, 0, false, true},
    {"hidden: few elements", "a size within a block or two", {4}, 0, true, false, {508}},
    {"hidden: several blocks", "a size of several blocks", {600}, 0, true, false, {3400}},
    {"hidden: many blocks", "a size of some hundred blocks", {20000}, 0, true, false, {40000}},
};

/* Nothing to fill: the kernels make their own data. */
static void fill(const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)the_case, (void)random, (void)data;
}

static double integrand(int64_t i, int64_t n)
{
    double x = (double)i / (double)n;
    return 4.0 / (1.0 + x * x);
}

/* ceil(log2(n)): additions that an element passes through in the reducer's tree. */
static int tree_depth(int64_t n)
{
    int depth = 0;
    while ((INT64_C(1) << depth) < n) {
        depth++;
    }
    return depth;
}

static void reference(const struct lab_case *the_case, int plan, int output, const struct lab_data *data,
                      struct lab_expected *expected)
{
    (void)data;
    int64_t n = the_case->size[0];
    if (output == MAPPED) {
        for (size_t i = 0; i < expected->count; i++) {
            expected->f[i] = integrand((int64_t)i, n);
            expected->bound[i] = tolerance_value(MAPPER_ROUNDINGS, expected->f[i]);
        }
        expected->rule =
            "an error of up to 7 u |4/(1+x*x)|, where u = 2^-24: conversions, quotient, square, sum and division round once "
            "each";
        return;
    }
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += integrand(i, n);
    }
    expected->f[0] = sum;
    expected->scale = 1.0 / (double)n;
    if (plan == MAP_AND_REDUCE) {
        expected->bound[0] = tolerance_tree(tree_depth(n), MAPPER_ROUNDINGS, sum);
        expected->rule =
            "an error of up to (7 + log2 n) u sum, where u = 2^-24: the steps fix the order, and no element goes through "
            "more than log2 n additions";
    } else {
        expected->bound[0] = tolerance_sum(n, MAPPER_ROUNDINGS, sum);
        expected->rule =
            "an error of up to 6 sqrt(n + 6) u sum, where u = 2^-24, and never above the worst case (n + 6) u sum: a float "
            "sum of n terms in any order";
    }
}

/* Whether the sum is `other`, and `other` is neither nearly right nor so small that any number would do: the bound is made
 * for the whole sum, and that of a part is as much smaller as the part is. */
static bool is_sum(const struct lab_wrong *wrong, double other)
{
    double got = (double)*(const float *)wrong->got, want = wrong->expected->f[0], bound = wrong->expected->bound[0];
    return fabs(got - other) <= bound * fmin(1, fabs(other / want)) && fabs(want - other) > 4 * bound;
}

static bool classify_pi(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    int64_t n = wrong->the_case->size[0], block = wrong->elements_per_block;
    double first_block = 0, first_warps = 0, first_blocks = 0, midpoint = 0, got = (double)*(const float *)wrong->got;
    /* A sum that lacks its last element and one from i = 1 to n differ by little: only small n can tell them apart. */
    bool last_differs = integrand(n - 1, n) - 2.0 > 4 * wrong->expected->bound[0];
    double nearest_whole = fabs(wrong->expected->f[0] - rint(wrong->expected->f[0]));
    for (int64_t i = 0; i < n; i++) {
        first_block += i < block ? integrand(i, n) : 0;
        first_warps += i % block < WARP ? integrand(i, n) : 0;
        first_blocks += i < block * FINISHING ? integrand(i, n) : 0;
        midpoint += integrand(2 * i + 1, 2 * n);
    }
    double all_threads = wrong->expected->f[0];
    for (int64_t i = n; block > 1 && i < (n + block - 1) / block * block; i++) {
        all_threads += integrand(i, n);
    }
    *pattern = "other";
    if (n > block + 1 && block > 1 && is_sum(wrong, first_block)) { /* with n = block + 1 one element is missing, no more */
        *pattern = "tail";
        snprintf(
            message, message_bytes,
            "This is the sum of the first block alone (elements 0..%lld). How do the sums of the other blocks get added?",
            (long long)block - 1);
    } else if (is_sum(wrong, 2 * wrong->expected->f[0])) {
        *pattern = "doubled";
        snprintf(message, message_bytes, "This is twice the sum. Which element is added more than once?");
    } else if (n > 2 && got == 4.0) { /* with n = 2 it may also be the sum of 2 and 2 */
        *pattern = "first_only";
        snprintf(message, message_bytes, "The sum is 4, which is element 0 alone: nothing was added to it.");
    } else if (is_sum(wrong, midpoint)) {
        /* The trapezoid rule gives the same number to all digits that a float has. */
        snprintf(
            message, message_bytes,
            "This is the sum at the middles of the strips, or by trapezoids. It is closer to pi, but the contract says x = "
            "i/n: the left ends, all with equal weight.");
    } else if (n > WARP && block > WARP && is_sum(wrong, first_warps)) {
        *pattern = "period";
        snprintf(message, message_bytes,
                 "This is the sum of the first warp of each block. How do the sums of the other warps get added?");
    } else if (wrong->plan == FUSED && n > block * FINISHING && is_sum(wrong, first_blocks)) {
        *pattern = "tail";
        snprintf(
            message, message_bytes,
            "This is the sum of the first %d blocks, and there are %lld. How many partial sums does a thread of pi_finish "
            "add?",
            FINISHING, (long long)((n + block - 1) / block));
    } else if (n > 2 && is_sum(wrong, wrong->expected->f[0] - integrand(n - 1, n)) && last_differs) {
        *pattern = "tail";
        snprintf(message, message_bytes,
                 "This is the sum without the last element, dest[%lld]. To which element, and in which step, is it added?",
                 (long long)n - 1);
    } else if (is_sum(wrong, wrong->expected->f[0] - 2.0) && last_differs) {
        *pattern = "shifted";
        snprintf(message, message_bytes, "This is the sum from i = 1 to n. The contract says i = 0..n-1.");
    } else if (wrong->plan == FUSED && all_threads > wrong->expected->f[0] && is_sum(wrong, all_threads)) {
        snprintf(
            message, message_bytes,
            "This is the sum over all %lld threads, also over those that have no element. Which x do they get, and what should "
            "they add?",
            (long long)((n + block - 1) / block * block));
    } else if (n > 2 && is_sum(wrong, 4.0 * (double)n)) {
        snprintf(message, message_bytes,
                 "Every element was counted as 4, so x was always 0. What is 1/1000 when both are int?");
    } else if (n > 2 && n <= 4096 && got == rint(got) && nearest_whole > 0.01 && got < 4.0 * (double)n && got > 1) {
        snprintf(message, message_bytes,
                 "The sum is a whole number, %.9g: the fractions are lost. Which variable on the way is an int?", got);
    } else {
        return false;
    }
    return true;
}

static bool classify(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    if (wrong->output == PI) {
        return classify_pi(wrong, pattern, message, message_bytes);
    }
    const float *got = wrong->got;
    int64_t n = wrong->the_case->size[0];
    size_t count = wrong->expected->count, fours = 0, next = 0, middle = 0, divided = 0;
    for (size_t i = 0; i < count; i++) {
        double bound = wrong->expected->bound[i];
        fours += got[i] == 4.0f;
        divided += fabs((double)got[i] * (double)n - wrong->expected->f[i]) <= 2 * bound;
        next += fabs((double)got[i] - integrand((int64_t)i + 1, n)) <= bound;
        middle += fabs((double)got[i] - integrand(2 * (int64_t)i + 1, 2 * n)) <= bound;
    }
    if (wrong->bad_count < 4 || wrong->bad_count < count / 2) {
        return false;
    }
    *pattern = next == count ? "shifted" : "other";
    if (fours == count) {
        snprintf(message, message_bytes, "Every element is 4, so x was always 0. What is 1/1000 when both are int?");
    } else if (divided == count) {
        snprintf(message, message_bytes, "Every element is its right value divided by n. Who divides by n, and when?");
    } else if (next == count) {
        snprintf(message, message_bytes,
                 "Every element has the value of its right neighbour: x = (i+1)/n. Element 0 "
                 "belongs to x = 0.");
    } else if (middle == count) {
        snprintf(message, message_bytes,
                 "These are the values at x = (i + 1/2)/n, the middles of the strips. The contract says x = i/n.");
    } else {
        return false;
    }
    return true;
}

/* Map and reduce: step i has p = ceil((n-i) / 2i) pairs, and when neighbouring lanes take neighbouring pairs, ceil(p/32)
 * warps load two values each. Fused: one load of the partial sums, of which there is one for each 256 elements. */
static double ideal_requests(const struct lab_case *the_case, int plan)
{
    int64_t n = the_case->size[0];
    double requests = 0;
    if (plan == FUSED) {
        return common_warps((n + 255) / 256);
    }
    for (int64_t i = 1; i < n; i *= 2) {
        requests += 2 * common_warps((n - i + 2 * i - 1) / (2 * i));
    }
    return requests;
}

static const struct lab_budget budgets[] = {
    {"global_load_requests", LAB_BUDGET_IDEAL, ideal_requests, 1.25, 4.0, 12,
     "each addition of a step needs two loads, and a warp can do 32 of them in one request: 2 x pairs / 32, summed over the "
     "steps. Lanes whose id is not a multiple of 2i take no part in their warp's request; with id % (2*i) == 0 it is 6 "
     "times as many"},
    {"max_thread_share", LAB_BUDGET_ABSOLUTE, NULL, 0.08, 0.25, 8,
     "in a block of 256 threads each has 1/256 of the work; one that does more than 8 % works while the others wait"},
};

static void work(const struct lab_case *the_case, double *bytes, double *operations)
{
    *bytes = 0; /* the fused plan moves next to nothing */
    *operations = 5.0 * (double)the_case->size[0];
}

const struct lab lab_03_pi = {
    .name = "03_pi",
    .title = "Pi by map and reduce",
    .handout = "handouts/03_pi.md",
    .kernels = kernels,
    .kernel_count = COMMON_COUNT(kernels),
    .plans = plans,
    .plan_count = COMMON_COUNT(plans),
    .arrays = arrays,
    .array_count = COMMON_COUNT(arrays),
    .outputs = outputs,
    .output_count = COMMON_COUNT(outputs),
    .producers = producers,
    .producer_count = COMMON_COUNT(producers),
    .cases = cases,
    .case_count = COMMON_COUNT(cases),
    .points = COMMON_CORRECT_POINTS,
    .budgets = budgets,
    .budget_count = COMMON_COUNT(budgets),
    .extent = common_extent,
    .fill = fill,
    .reference = reference,
    .classify = classify,
    .work = work,
    .timing_case = {"n = 1048576", "time is measured here", {1 << 20}, 0, false, false},
    .time = {1.2, 4, 10},
};
