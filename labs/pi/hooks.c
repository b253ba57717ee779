/* Pi as the integral of 4 / (1 + x*x) from 0 to 1, by a map and a reduction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/hooks.h"
#include "grader/lab/tolerance.h"

enum { DEST, NUMBERS };
enum { MAPPED, PI, SUM, STEP, PARTIAL };     /* outputs */
enum { MAPPER, REDUCER, PI_SUM, PI_FINISH }; /* kernels */
enum { MAP_AND_REDUCE, FUSED };              /* plans */

/* Roundings in 4 / (1 + x*x) with x = i/n, as factors (1 + d), |d| <= u: the conversions of i and n (0 below 2^24, 1 each
 * above), the quotient (2 when it is a product with a reciprocal), the square, the sum, the division. An error in x enters
 * with the factor 2 x*x / (1 + x*x) <= 1, that of the square with half of it: 4 + 1/2 + 1 + 1, rounded up. */
#define MAPPER_ROUNDINGS 7

/* Kinds of values, as lab.yaml lists them. PLAIN: the kernels work on what they made. Else the grader replaces the numbers that are
 * to be added by random ones, so that no formula can know their sum; and one of the reducer's steps is looked at by itself. */
enum { PLAIN };
static const int steps[] = {[PLAIN] = 0, 1, 2, 4, 8, 16, 64, 128, 256};

/* Threads of pi_finish, unless the student chose otherwise. */
#define FINISHING 256
#define WARP      32

void launch_map_and_reduce(struct lab_run *run)
{
    const struct lab_case *the_case = lab_run_case(run);
    int64_t n = the_case->size[0];
    lab_launch(run, &(struct lab_launch){"mapper", {n, 0}, {0, 0}, {LAB_ARRAY(DEST), LAB_INT(n)}});
    lab_check(run, MAPPED, 0, (size_t)n);
    if (the_case->values != PLAIN) {
        lab_overwrite(run, DEST, NUMBERS, (size_t)n);
    }
    for (int64_t i = 1; i < n; i *= 2) {
        lab_launch(run, &(struct lab_launch){"reducer", {n, 0}, {0, 0}, {LAB_ARRAY(DEST), LAB_INT(i), LAB_INT(n)}});
        if (i == steps[the_case->values]) {
            lab_check(run, STEP, 0, (size_t)n);
        }
    }
    lab_check(run, the_case->values == PLAIN ? PI : SUM, 0, 1);
}

void launch_fused(struct lab_run *run)
{
    const struct lab_case *the_case = lab_run_case(run);
    int64_t n = the_case->size[0];
    int64_t blocks = lab_blocks(run, "pi_sum", n);
    if (blocks < 1) {
        return; /* the run has failed already and says why */
    }
    int partial = lab_scratch(run, "partial", LAB_FLOAT32, (size_t)blocks);
    struct lab_launch finish = {"pi_finish", {blocks, 0}, {1, 1}, {LAB_SCRATCH(partial), LAB_INT(blocks)}};
    lab_launch(run, &(struct lab_launch){"pi_sum", {n, 0}, {0, 0}, {LAB_SCRATCH(partial), LAB_INT(n)}});
    lab_check_scratch_sum(run, PARTIAL, partial, (size_t)blocks);
    bool own = the_case->values != PLAIN;
    if (own) {
        lab_overwrite_scratch(run, partial, NUMBERS, (size_t)blocks);
    }
    lab_launch(run, &finish);
    lab_check_scratch(run, own ? SUM : PI, partial, 0, 1);
}

/* The kernels make their own data, unless the case replaces it. */
size_t hook_extent(const struct lab *lab, const struct lab_case *the_case, int index)
{
    (void)lab;
    return index == NUMBERS && the_case->values == PLAIN ? 0 : (size_t)the_case->size[0];
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

static double sum_numbers(const struct lab_data *data, int64_t from, int64_t to)
{
    double sum = 0;
    for (int64_t i = from; i < to; i++) {
        sum += (double)data->array[NUMBERS].f[i];
    }
    return sum;
}

/* dest after the step i = `step`: every multiple of 2*step holds a sum, and what the others hold is nobody's business. */
static void expect_step(int64_t n, int64_t step, const struct lab_data *data, struct lab_expected *expected)
{
    for (int64_t k = 0; k < n; k++) {
        expected->f[k] = 0;
        expected->bound[k] = LAB_NOT_COMPARED;
    }
    for (int64_t k = 0; k < n; k += 2 * step) {
        int64_t end = k + 2 * step < n ? k + 2 * step : n;
        expected->f[k] = sum_numbers(data, k, end);
        expected->bound[k] = tolerance_tree(tree_depth(end - k), 0, expected->f[k]);
    }
    expected->rule = "an error of up to d u sum, where u = 2^-24: after the step, no element has gone through more than d "
                     "additions";
}

/* The sum of the grader's own numbers: of as many as there are elements, or partial sums. */
static void expect_sum(int64_t n, int plan, const struct lab_data *data, struct lab_expected *expected)
{
    int64_t blocks = (n + expected->elements_per_block - 1) / expected->elements_per_block;
    expected->f[0] = sum_numbers(data, 0, plan == FUSED ? blocks : n);
    if (plan == FUSED) {
        expected->bound[0] = tolerance_sum(blocks, 0, expected->f[0]);
        expected->rule =
            "an error of up to 6 sqrt(blocks) u sum, where u = 2^-24: a float sum of as many terms as there are "
            "blocks, in any order";
    } else {
        expected->bound[0] = tolerance_tree(tree_depth(n), 0, expected->f[0]);
        expected->rule = "an error of up to (log2 n) u sum, where u = 2^-24: the steps fix the order, and no element goes "
                         "through more than log2 n additions";
    }
}

void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                    const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab;
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
    if (output == STEP) {
        expect_step(n, steps[the_case->values], data, expected);
        return;
    }
    if (output == SUM) {
        expect_sum(n, plan, data, expected);
        return;
    }
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += integrand(i, n);
    }
    expected->f[0] = sum;
    expected->scale = output == PARTIAL ? 1 : 1.0 / (double)n;
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

/* How many warps of 32 it takes to do `count` things, one a lane. */
static double warps_of(int64_t count)
{
    return (double)((count + 31) / 32);
}

/* ---- what the mapper, or pi_sum, may compute for an element instead --------------------------------------------------- */

static double over_one_less(double i, double n)
{
    return 4 / (1 + i / (n - 1) * (i / (n - 1)));
}

static double over_one_more(double i, double n)
{
    return 4 / (1 + i / (n + 1) * (i / (n + 1)));
}

static double turned_over(double i, double n)
{
    return 4 / (1 + n / i * (n / i));
}

static double without_brackets(double i, double n)
{
    return 4 + i / n * (i / n);
}

static double not_squared(double i, double n)
{
    return 4 / (1 + i / n);
}

static double squared_twice(double i, double n)
{
    return 4 / (1 + pow(i / n, 4));
}

static double without_four(double i, double n)
{
    return 1 / (1 + i / n * (i / n));
}

static double twice_instead(double i, double n)
{
    return 4 / (1 + 2 * (i / n));
}

static double minus_instead(double i, double n)
{
    return 4 / (1 - i / n * (i / n));
}

static double sum_squared(double i, double n)
{
    return 4 / ((1 + i / n) * (1 + i / n));
}

static double cubed(double i, double n)
{
    return 4 / (1 + pow(i / n, 3));
}

static double under_root(double i, double n)
{
    return 4 / sqrt(1 + i / n * (i / n));
}

static double times_x(double i, double n)
{
    return 4 * (i / n) / (1 + i / n * (i / n));
}

static double multiplied(double i, double n)
{
    return 4 * (1 + i / n * (i / n));
}

static double in_int(double value)
{
    return (double)(int32_t)(uint32_t)(int64_t)value;
}

static double squares_in_int(double i, double n)
{
    return 4 / (1 + in_int(i * i) / in_int(n * n));
}

static double length_in_int(double i, double n)
{
    return 4 / (1 + i * i / in_int(n * n));
}

static double index_in_int(double i, double n)
{
    return 4 / (1 + in_int(i * i) / (n * n));
}

static double sum_in_int(double i, double n)
{
    return 4 * n * n / in_int(in_int(n * n) + in_int(i * i));
}

static double reversed(double i, double n)
{
    return 4 / (1 + (1 - i / n) * (1 - i / n));
}

static double circle(double i, double n)
{
    return 4 * sqrt(1 - i / n * (i / n));
}

static double mean_of_ends(double i, double n)
{
    return 2 / (1 + i / n * (i / n)) + 2 / (1 + (i + 1) / n * ((i + 1) / n));
}

static double angle(double i, double n)
{
    return 4 * atan(i / n);
}

static double middle(double i, double n)
{
    return 4 / (1 + (i + 0.5) / n * ((i + 0.5) / n));
}

/* `text`: of one element; `says`: what the contract says. The squares of the last ones are computed as an int. */
static const struct formula {
    const char *text, *says;
    double (*value)(double i, double n);
    enum { IN_FLOAT, IN_INT } squares;
} formulas[] = {
    {"4 / (1 + x*x) with x = id / (n - 1)", "The contract says x = id / n.", over_one_less, IN_FLOAT},
    {"4 / (1 + x*x) with x = id / (n + 1)", "The contract says x = id / n.", over_one_more, IN_FLOAT},
    {"4 / (1 + x*x) with x = n / id", "The contract says x = id / n.", turned_over, IN_FLOAT},
    {"4 / 1 + x*x, that is 4 + x*x", "The contract divides 4 by the whole sum 1 + x*x.", without_brackets, IN_FLOAT},
    {"4 / (1 + x), without the square", "The contract says 4 / (1 + x*x).", not_squared, IN_FLOAT},
    {"4 / (1 + x*x*x*x)", "The contract says 4 / (1 + x*x).", squared_twice, IN_FLOAT},
    {"4 / (1 + x*x*x)", "The contract says 4 / (1 + x*x).", cubed, IN_FLOAT},
    {"4 / ((1 + x) * (1 + x))", "The contract says 1 + x*x, the square of x alone.", sum_squared, IN_FLOAT},
    {"4 / sqrt(1 + x*x)", "The contract says 4 / (1 + x*x), without a root.", under_root, IN_FLOAT},
    {"4*x / (1 + x*x)", "The contract says 4 / (1 + x*x).", times_x, IN_FLOAT},
    {"1 / (1 + x*x)", "The contract says 4 / (1 + x*x).", without_four, IN_FLOAT},
    {"4 / (1 + 2*x)", "The contract says x*x, not 2*x.", twice_instead, IN_FLOAT},
    {"4 / (1 - x*x)", "The contract says 1 + x*x.", minus_instead, IN_FLOAT},
    {"4 * (1 + x*x)", "The contract divides 4 by 1 + x*x.", multiplied, IN_FLOAT},
    {"4 / (1 + (1 - x)*(1 - x))", "The contract says 4 / (1 + x*x).", reversed, IN_FLOAT},
    {"4 * sqrt(1 - x*x), whose integral is pi as well", "The contract says 4 / (1 + x*x).", circle, IN_FLOAT},
    {"the mean of 4 / (1 + x*x) at both ends of the strip", "The contract says x = id / n, the left end.", mean_of_ends,
     IN_FLOAT},
    {"4 * atan(x), which is an integral of 4 / (1 + x*x)", "The contract adds up 4 / (1 + x*x) itself.", angle, IN_FLOAT},
    {"4 / (1 + (id*id) / (n*n)) with both squares computed as an int", "", squares_in_int, IN_INT},
    {"4 / (1 + (id*id) / (n*n)) with n*n computed as an int", "", length_in_int, IN_INT},
    {"4 / (1 + (id*id) / (n*n)) with id*id computed as an int", "", index_in_int, IN_INT},
    {"4*n*n / (n*n + id*id) with the sum below the line computed as an int", "", sum_in_int, IN_INT},
};

/* Says which formula it is, of each element or of their sum. */
static void say_formula(const struct formula *formula, const char *beginning, int64_t n, const char **pattern, char *message,
                        size_t message_bytes)
{
    *pattern = formula->squares == IN_INT ? "overflow" : "formula";
    if (formula->squares == IN_FLOAT) {
        snprintf(message, message_bytes, "%s %s. %s", beginning, formula->text, formula->says);
        return;
    }
    int64_t i = formula->value == index_in_int ? n - 1 : n; /* the last index, or the length */
    snprintf(message, message_bytes,
             "%s %s: %lld*%lld = %lld does not fit in 32 bits and becomes %.0f. How large is the largest int?", beginning,
             formula->text, (long long)i, (long long)i, (long long)(i * i), in_int((double)i * (double)i));
}

/* Does such an n distinguish this formula from others? Squares that fit in an int make no difference. */
static bool is_possible(const struct formula *formula, int64_t n)
{
    if (formula->value == mean_of_ends && n > 256) /* it is as near as the middle of the strip */
        return false;
    return formula->squares == IN_FLOAT || n > 46341;
}

/* ---- sums ------------------------------------------------------------------------------------------------------------ */

/* Whether the sum is `other`, and `other` is neither nearly right nor so small that any number would do: the bound is made
 * for the whole sum, and that of a part is as much smaller as the part is. */
static bool is_sum(const struct lab_wrong *wrong, double other)
{
    double got = (double)*(const float *)wrong->got, want = wrong->expected->f[0], bound = wrong->expected->bound[0];
    return fabs(got - other) <= bound * fmin(1, fabs(other / want)) && fabs(want - other) > 4 * bound;
}

/* The same of a sum that is much larger, and of which more is lost by rounding. */
static bool is_larger_sum(const struct lab_wrong *wrong, double other)
{
    double got = (double)*(const float *)wrong->got, times = fabs(other / wrong->expected->f[0]);
    return times > 1.5 && times * wrong->expected->bound[0] < 0.01 * fabs(other)
           && fabs(got - other) <= times * wrong->expected->bound[0];
}

/* Is the sum in question made by pi_sum, as the grader found it between the two kernels? */
static bool is_of_pi_sum(const struct lab_wrong *wrong)
{
    return wrong->output == PARTIAL;
}

/* Does pi_finish have a right sum before it, and leave a wrong one? */
static bool is_of_pi_finish(const struct lab_wrong *wrong)
{
    return wrong->plan == FUSED && (wrong->output == SUM || (wrong->output == PI && wrong->earlier_right));
}

/* What is to be added at index i: a value that the mapper made, or one of the grader's numbers. */
static double term(const struct lab_wrong *wrong, int64_t i)
{
    return wrong->output == SUM ? (double)wrong->data->array[NUMBERS].f[i] : integrand(i, wrong->the_case->size[0]);
}

/* Parts of all elements that a reduction may leave out, or keep alone. */
static bool is_in_part(int which, int64_t i, int64_t n, int64_t block)
{
    int64_t place = i % block;
    switch (which) {
    case 0: return i % 2 == 0;
    case 1: return i % 2 == 1;
    case 2: return place < (block + 1) / 2;
    case 3: return place != block - 1;
    case 4: return place != 0;
    case 5: return i >= block;
    case 6: return i < (n - 1) / block * block;
    case 7: return place == 0;
    case 8: return place % WARP < WARP / 2;
    default: return place % WARP == 0;
    }
}

/* Says of which part the sum is, if it is one of these. */
static bool describe_part(const struct lab_wrong *wrong, int64_t block, char *message, size_t message_bytes)
{
    static const char without_last[] = "without the last block", in_one_block[] = "";
    static const struct {
        const char *blocks, *block; /* of several blocks, and of one */
    } texts[] = {
        {"of the elements with an even index", "of the elements with an even index"},
        {"of the elements with an odd index", "of the elements with an odd index"},
        {"of the first half of each block", "of the elements 0..%lld alone"},
        {"without the last element of each block", "without the last element of the block"},
        {"without the first element of each block", "without element 0"},
        {"without block 0", in_one_block},
        {without_last, in_one_block},
        {"of the first element of each block", in_one_block},
        {"of the first half of each warp", "of the first half of each warp"},
        {"of the first element of each warp", "of the first element of each warp"},
    };
    int64_t n = wrong->the_case->size[0];
    int found = -1;
    for (int which = 0; which < HOOKS_COUNT(texts) && block > 1; which++) {
        double sum = 0;
        if ((texts[which].blocks == without_last && n % block == 1) /* a single element */
            || (n <= block && texts[which].block == in_one_block))
            continue;
        for (int64_t i = 0; i < n; i++)
            sum += is_in_part(which, i, n, block) ? term(wrong, i) : 0;
        if (sum == 0 || !is_sum(wrong, sum))
            continue;
        if (found >= 0) /* it could be either */
            return false;
        found = which;
    }
    if (found < 0)
        return false;
    char part[80];
    snprintf(part, sizeof part, "%s", n > block ? texts[found].blocks : texts[found].block);
    if (found == 8 && n <= WARP)
        snprintf(part, sizeof part, "of the elements 0..%d alone", WARP / 2 - 1);
    if (found == 2 && n <= block)
        snprintf(part, sizeof part, "of the elements 0..%lld alone", (long long)(block + 1) / 2 - 1);
    snprintf(message, message_bytes, "This is the sum %s. Which thread should add the others, and in which step?", part);
    return true;
}

/* Says how many times the sum it is: a whole number that the roundings leave no doubt about. */
static bool describe_multiple(const struct lab_wrong *wrong, int64_t block, char *message, size_t message_bytes)
{
    double got = (double)*(const float *)wrong->got, want = wrong->expected->f[0], times = rint(got / want);
    int64_t n = wrong->the_case->size[0], blocks = (n + block - 1) / block;
    char factor[100] = "";
    if (!(times >= 3 && times <= 1e6) || times * wrong->expected->bound[0] > 0.01 * want
        || fabs(got - times * want) > times * wrong->expected->bound[0]) {
        return false;
    }
    if (blocks > 2 && times == (double)blocks) {
        snprintf(factor, sizeof factor, ", and there are as many blocks");
    } else if (times == WARP) {
        snprintf(factor, sizeof factor, ", and a warp has as many lanes");
    } else if (times == WARP * WARP) {
        snprintf(factor, sizeof factor, ", and %d is %d times %d, the lanes of a warp", WARP * WARP, WARP, WARP);
    } else if (times == (double)block) {
        snprintf(factor, sizeof factor, ", and a block has as many threads");
    } else if (times == (double)(block / WARP)) {
        snprintf(factor, sizeof factor, ", and a block has as many warps");
    }
    snprintf(message, message_bytes,
             "This is %.0f times the sum%s. Is it multiplied, or do several threads add the same value?", times, factor);
    return true;
}

/* Says that what is missing is what the last elements have, where roundings leave no doubt how many these are: each is 2 or
 * more. */
static bool describe_last(const struct lab_wrong *wrong, int64_t block, char *message, size_t message_bytes)
{
    int64_t n = wrong->the_case->size[0], first = n;
    double got = (double)*(const float *)wrong->got, want = wrong->expected->f[0], bound = wrong->expected->bound[0],
           last = 0;
    while (first > n / 2 && want - got - last > bound) {
        last += term(wrong, --first);
    }
    bool blocks = block > 1 && first % block == 0 && n - first > 1;
    if (bound > 0.5 || first == n || blocks || fabs(want - got - last) > bound || is_sum(wrong, want - 2.0)) {
        return false;
    }
    if (n - first == 1) {
        snprintf(
            message, message_bytes,
            "The sum of all %lld elements is too small by %.5g, which is the value of the last element, number %lld. How many "
            "elements do all threads together take?",
            (long long)n, want - got, (long long)first);
    } else {
        snprintf(message, message_bytes,
                 "The sum of all %lld elements is too small by %.5g, which is what the last %lld elements, %lld..%lld, have "
                 "together. How many elements do all threads together take?",
                 (long long)n, want - got, (long long)(n - first), (long long)first, (long long)n - 1);
    }
    return true;
}

/* Says that the steps from some i on added nothing to dest[0]: each step doubles what is in it. */
static bool describe_steps(const struct lab_wrong *wrong, char *message, size_t message_bytes)
{
    int64_t n = wrong->the_case->size[0], added = 1;
    double sum = 0;
    for (int64_t i = 0; i < n - 1; i++) { /* without the last element alone, another row says more */
        sum += term(wrong, i);
        if (i + 1 < 2 * added)
            continue;
        added = i + 1;
        if (is_sum(wrong, sum) && added < n - 1) {
            snprintf(
                message, message_bytes,
                "This is the sum of the elements 0..%lld alone: the steps i = 1 to %lld are in it, and nothing from i = %lld on. "
                "Which thread should add dest[%lld] to dest[0], and what keeps it from doing so?",
                (long long)added - 1, (long long)added / 2, (long long)added, (long long)added);
            return true;
        }
    }
    return false;
}

/* Says which formula every element was computed with, if only one of them gives this sum. */
static bool describe_formula(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    int64_t n = wrong->the_case->size[0];
    const struct formula *found = NULL;
    for (int k = 0; k < HOOKS_COUNT(formulas) && n >= 8; k++) {
        double sum = 0;
        for (int64_t i = 0; i < n && is_possible(&formulas[k], n); i++)
            sum += formulas[k].value((double)i, (double)n);
        if (!isfinite(sum) || sum == 0 || !(is_sum(wrong, sum) || is_larger_sum(wrong, sum)))
            continue;
        if (found)
            return false;
        found = &formulas[k];
    }
    if (!found)
        return false;
    if (found->value == without_four) { /* the 4 may be lost in any place */
        *pattern = "factor";
        snprintf(message, message_bytes,
                 "This is a quarter of the sum, as if each element were 1 / (1 + x*x). Where does the 4 get in?");
        return true;
    }
    say_formula(found, "This is the sum if every element is", n, pattern, message, message_bytes);
    return true;
}

/* Says that the sum comes of the numbers of threads and blocks where the index or n should be. */
static bool describe_threads(const struct lab_wrong *wrong, int64_t threads, const char **pattern, char *message,
                             size_t message_bytes)
{
    int64_t n = wrong->the_case->size[0], block = wrong->elements_per_block;
    double got = (double)*(const float *)wrong->got, want = wrong->expected->f[0], bound = wrong->expected->bound[0];
    double in_block_0 = 0, over_threads = 0, too_much = got - want;
    if (block < 2)
        return false;
    for (int64_t i = 0; i < n; i++) {
        in_block_0 += integrand(i % block, n);
        over_threads += integrand(i, threads);
    }
    if (n > block + 8 && is_sum(wrong, in_block_0)) {
        *pattern = "no_block";
        snprintf(message, message_bytes,
                 "This is the sum if every block computes the values of the elements 0..%lld, those of block 0. What in x "
                 "differs from block to block?",
                 (long long)block - 1);
        return true;
    }
    if (n >= 8 && threads > n && is_sum(wrong, want + (double)(threads - n) * integrand(n - 1, n))) {
        *pattern = "one_more";
        snprintf(
            message, message_bytes,
            "This is the sum and, for each of the %lld threads that have no element, the value of the last element once "
            "more. Which id do these threads compute with?",
            (long long)(threads - n));
        if (threads - n == 1)
            snprintf(
                message, message_bytes,
                "This is the sum and the value of the last element once more. One thread has no element: which id does it "
                "compute with?");
        return true;
    }
    if (n >= 8 && threads > n && is_sum(wrong, over_threads)) {
        *pattern = "formula";
        snprintf(message, message_bytes,
                 "This is the sum if x is id / %lld, and %lld is the number of all threads. The contract says x = id / n.",
                 (long long)threads, (long long)threads);
        return true;
    }
    const int64_t shares[] = {block, (n + threads / block - 1) / (threads / block)};
    for (int k = 0; k < HOOKS_COUNT(shares); k++) {
        double twice = 0;
        for (int64_t i = shares[k]; i < n; i += shares[k])
            twice += integrand(i, n);
        if (n > 2 * shares[k]
            && is_sum(wrong, want + twice)) { /* of one element alone, another row says as much as is known */
            *pattern = "one_more";
            snprintf(
                message, message_bytes,
                "The sum is too large by %.5g, which is what the elements %lld, %lld and so on have together: the first "
                "of each block but block 0, if a block takes %lld. Which elements are counted twice?",
                too_much, (long long)shares[k], (long long)shares[k] * 2, (long long)shares[k]);
            return true;
        }
    }
    double idle = (double)(threads - n), each = idle > 0 ? rint(too_much / idle) : 0;
    if (idle > 1 && each >= 1 && each <= 8 && bound < 0.01 && fabs(too_much - each * idle) <= bound + 0x1p-22 * got) {
        *pattern = "one_more";
        snprintf(message, message_bytes,
                 "The sum is too large by %.0f: %.0f for each of the %.0f threads that have no element. What do these "
                 "contribute?",
                 too_much, each, idle);
        return true;
    }
    return false;
}

/* Says that each block has added the elements of the blocks after it, too. */
static bool describe_onwards(const struct lab_wrong *wrong, int64_t block, char *message, size_t message_bytes)
{
    int64_t n = wrong->the_case->size[0];
    double sum = 0;
    for (int64_t i = 0; i < n && block > 1; i++)
        sum += (double)(i / block + 1) * integrand(i, n);
    if (n <= 2 * block || !(is_sum(wrong, sum) || is_larger_sum(wrong, sum)))
        return false;
    snprintf(message, message_bytes,
             "This is the sum if each block adds its own %lld elements and all elements behind them: those of block 1 count "
             "twice, those of block 2 three times, and so on. By how much does the index grow from turn to turn?",
             (long long)block);
    return true;
}

/* Says that each thread goes on by the number of blocks. */
static bool describe_short_steps(const struct lab_wrong *wrong, int64_t block, char *message, size_t message_bytes)
{
    int64_t n = wrong->the_case->size[0], blocks = (n + block - 1) / block;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)(i / blocks + 1) * integrand(i, n);
    if (blocks < 2 || blocks == block || !is_larger_sum(wrong, sum))
        return false;
    snprintf(message, message_bytes,
             "This is the sum if each thread begins with the element of its own number and goes on by %lld, the number of "
             "blocks: element %lld is then added by two threads, element %lld by three, and so on. By how much should the "
             "index grow from turn to turn?",
             (long long)blocks, (long long)blocks, (long long)blocks * 2);
    return true;
}

/* Says that what is missing is a multiple of a power of 2, and that what is left is below that: a number of few bits has
 * started again at 0. Of one block, in which no two numbers did. */
static bool describe_wrapped(const struct lab_wrong *wrong, int64_t block, char *message, size_t message_bytes)
{
    enum { LEAST = 64 };
    double got = (double)*(const float *)wrong->got, bound = wrong->expected->bound[0], lost = wrong->expected->f[0] - got;
    double least = LEAST;
    while (least <= got || (2 * least <= lost && fabs(lost - rint(lost / (2 * least)) * 2 * least) <= bound + 0x1p-12))
        least *= 2;
    double times = rint(lost / least);
    if (wrong->the_case->size[0] > block || got < 0 || times < 1 || bound > 0.01
        || fabs(lost - times * least) > bound + 0x1p-12)
        return false;
    snprintf(
        message, message_bytes,
        "The sum is too small by %.0f, which is %.0f times %.0f = 2^%d, as if a number on the way started again at 0 "
        "whenever it should reach %.0f. Of which type is that number, and what is the largest one that this type holds?",
        times * least, times, least, ilogb(least), least);
    return true;
}

/* Says that elements at equal distances count twice, or are left out: where neighbouring shares meet. Only small n leave no
 * doubt which distance it is. */
static bool describe_meeting(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    enum { LEAST = 16, MOST = 4096 };
    int64_t n = wrong->the_case->size[0], first = 0, distance = 0;
    double much = (double)*(const float *)wrong->got - wrong->expected->f[0], bound = wrong->expected->bound[0];
    if (n < LEAST || n > MOST || bound > 0.1)
        return false;
    for (int64_t p = 2; p <= n / 3; p++) {
        for (int64_t from = p - 1; from <= p; from++) { /* the last of each share, the first of each share but one */
            double sum = 0;
            for (int64_t i = from; i < n; i += p)
                sum += integrand(i, n);
            if (fabs(fabs(much) - sum) > bound)
                continue;
            if (distance > 0)
                return false;
            distance = p;
            first = from;
        }
    }
    if (distance == 0)
        return false;
    *pattern = much > 0 ? "one_more" : "rest";
    snprintf(
        message, message_bytes,
        "The sum is too %s by %.5g, which is what the elements %lld, %lld and so on have together, one in every %lld. Which "
        "%s element %lld%s?",
        much > 0 ? "large" : "small", fabs(much), (long long)first, (long long)(first + distance), (long long)distance,
        much > 0 ? "two threads, or turns of a loop, take" : "thread should take", (long long)first,
        much > 0 ? "" : ", and why does it not");
    return true;
}

static bool classify_pi(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    int64_t n = wrong->the_case->size[0], block = wrong->elements_per_block;
    bool made = wrong->output != SUM; /* by the kernels themselves */
    double first_block = 0, first_warps = 0, first_blocks = 0, middles = 0, got = (double)*(const float *)wrong->got;
    /* A sum that lacks its last element and one from i = 1 to n differ by little: only small n can tell them apart. */
    bool last_differs = made && integrand(n - 1, n) - 2.0 > 4 * wrong->expected->bound[0];
    double want = wrong->expected->f[0], nearest_whole = fabs(want - rint(want));
    for (int64_t i = 0; i < n; i++) {
        first_block += i < block ? term(wrong, i) : 0;
        first_warps += i % block < WARP ? term(wrong, i) : 0;
        first_blocks += i < block * FINISHING ? term(wrong, i) : 0;
        middles += middle((double)i, (double)n);
    }
    int64_t threads = block > 1 ? (n + block - 1) / block * block : n;
    double all_threads = want;
    for (int64_t i = n; i < threads; i++) {
        all_threads += integrand(i, n);
    }
    *pattern = "other";
    if (is_of_pi_sum(wrong) && got == 0) {
        snprintf(message, message_bytes,
                 "What pi_sum left adds up to 0. Which value is stored, and does the sum of the block get there?");
    } else if (made && n > 2 && got == 4.0 * (double)n && is_sum(wrong, got)) { /* sums of 4 are not rounded */
        *pattern = "integer";
        snprintf(message, message_bytes,
                 "Every element was counted as 4, so x was always 0. What is 1/1000 when both are int?");
    } else if (n > block + 1 && block > 1
               && is_sum(wrong, first_block)) { /* n = block + 1: one element is missing, no more */
        *pattern = "tail";
        snprintf(
            message, message_bytes,
            "This is the sum of the first block alone (elements 0..%lld). How do the sums of the other blocks get added?",
            (long long)block - 1);
    } else if (describe_multiple(wrong, block, message, message_bytes)) {
        *pattern = "multiple";
    } else if (is_sum(wrong, 2 * want)) {
        *pattern = "doubled";
        snprintf(message, message_bytes, "This is twice the sum. Is something multiplied by 2, or added twice?");
    } else if (n > 2 && is_sum(wrong, want / (double)n)) {
        *pattern = "divided";
        snprintf(message, message_bytes, "This is the sum divided by n. Who divides by n, and when?");
    } else if (n > 2 && is_sum(wrong, want / 2)) {
        *pattern = "factor";
        snprintf(message, message_bytes, "This is half of the sum. Which factor is another one than in the formula?");
    } else if (n > 2 && (made ? got == 4.0 : is_sum(wrong, term(wrong, 0)))) { /* n = 2: it may be the sum of 2 and 2 */
        *pattern = "first_only";
        snprintf(message, message_bytes, "%s element 0 alone: nothing was added to it.",
                 !made                 ? "This is"
                 : is_of_pi_sum(wrong) ? "This is 4, the value of"
                                       : "The sum is 4, which is");
    } else if (made && is_sum(wrong, middles)) {
        /* The trapezoid rule gives the same number to all digits that a float has. */
        *pattern = "middle";
        snprintf(
            message, message_bytes,
            "This is the sum at the middles of the strips, or by trapezoids. It is closer to pi, but the contract says x = "
            "id/n: the left ends, all with equal weight.");
    } else if (is_of_pi_sum(wrong) && describe_formula(wrong, pattern, message, message_bytes)) {
    } else if (is_of_pi_sum(wrong) && describe_threads(wrong, threads, pattern, message, message_bytes)) {
    } else if (n > WARP && block > WARP && is_sum(wrong, first_warps)) {
        *pattern = "period";
        snprintf(message, message_bytes,
                 "This is the sum of the first warp of each block. How do the sums of the other warps get added?");
    } else if (wrong->output == PI && wrong->plan == FUSED && n > block * FINISHING && is_sum(wrong, first_blocks)) {
        *pattern = "tail";
        snprintf(
            message, message_bytes,
            "This is the sum of the first %d blocks, and there are %lld. How many partial sums does a thread of pi_finish "
            "add?",
            FINISHING, (long long)((n + block - 1) / block));
    } else if (wrong->plan == MAP_AND_REDUCE && n > 2 && is_sum(wrong, want - term(wrong, n - 1))
               && (last_differs || !made)) {
        *pattern = "tail";
        snprintf(message, message_bytes,
                 "This is the sum without the last element, dest[%lld]. To which element, and in which step, is it added?",
                 (long long)n - 1);
    } else if (made && is_sum(wrong, want - 2.0) && last_differs) {
        *pattern = "shifted";
        snprintf(message, message_bytes, "This is the sum over id = 1..n. The contract says id = 0..n-1.");
    } else if (is_of_pi_sum(wrong) && n + 1 != threads && is_sum(wrong, want + 2.0)) {
        *pattern = "one_more";
        snprintf(
            message, message_bytes,
            "The sum is too large by 2, the value for id = n: this is the sum over id = 0..n. Which condition lets id = n "
            "pass?");
    } else if (is_of_pi_sum(wrong) && all_threads > want && is_sum(wrong, all_threads)) {
        *pattern = "one_more";
        snprintf(
            message, message_bytes,
            "This is the sum over all %lld threads, also over those that have no element. Which x do they get, and what should "
            "they add?",
            (long long)threads);
    } else if (wrong->plan == MAP_AND_REDUCE && describe_steps(wrong, message, message_bytes)) {
        *pattern = "steps";
    } else if (n > 2 && describe_part(wrong, block, message, message_bytes)) {
        *pattern = "part";
    } else if (is_of_pi_sum(wrong) && n > 2 && describe_last(wrong, block, message, message_bytes)) {
        *pattern = "rest";
    } else if (is_of_pi_sum(wrong) && describe_onwards(wrong, block, message, message_bytes)) {
        *pattern = "onwards";
    } else if (is_of_pi_sum(wrong) && block > 1 && describe_short_steps(wrong, block, message, message_bytes)) {
        *pattern = "onwards";
    } else if (is_of_pi_sum(wrong) && describe_wrapped(wrong, block, message, message_bytes)) {
        *pattern = "wrapped";
    } else if (is_of_pi_sum(wrong) && describe_meeting(wrong, pattern, message, message_bytes)) {
    } else if (n > 2 && n <= 4096 && got == rint(got) && nearest_whole > 0.01 && got < 4.0 * (double)n && got > 1) {
        *pattern = "whole";
        snprintf(message, message_bytes,
                 "The sum is a whole number, %.9g: the fractions are lost. What on the way holds whole numbers only?", got);
    } else if (is_of_pi_sum(wrong) && n > 2 && wrong->expected->bound[0] < 0.1 && got - want >= 2 && got - want <= 4) {
        *pattern = "one_more";
        snprintf(message, message_bytes,
                 "The sum is too large by %.5g; the value of an element is between 2 and 4. Is an element counted twice?",
                 got - want);
    } else {
        return false;
    }
    return true;
}

/* ---- pi_finish ------------------------------------------------------------------------------------------------------- */

/* What partial[b] holds when pi_finish begins: the grader's number, or the sum of a block. */
static double partial_sum(const struct lab_wrong *wrong, int64_t b)
{
    int64_t n = wrong->the_case->size[0], block = wrong->elements_per_block;
    double sum = 0;
    if (wrong->output == SUM)
        return (double)wrong->data->array[NUMBERS].f[b];
    for (int64_t i = b * block; i < n && i < (b + 1) * block; i++)
        sum += integrand(i, n);
    return sum;
}

/* Says of which partial sums the total is made. `first[k]`: of the first k. */
static bool describe_partial_sums(const struct lab_wrong *wrong, const double *first, int64_t blocks, const char **pattern,
                                  char *message, size_t message_bytes)
{
    double even = 0;
    for (int64_t b = 0; b < blocks; b += 2)
        even += first[b + 1] - first[b];
    double bound = wrong->expected->bound[0];
    *pattern = "part";
    if (is_sum(wrong, first[blocks] + first[1])) {
        *pattern = "!doubled"; /* with one partial sum, all that can be said is that the total is twice what it should be */
        snprintf(message, message_bytes, "This is the total and partial[0] once more. Where is partial[0] added?");
        return true;
    }
    if (is_sum(wrong, first[blocks] - first[1])) {
        snprintf(message, message_bytes, "partial[0] is missing in the total. Where should it be added?");
        return true;
    }
    for (int64_t k = 1; k < blocks; k++) {
        bool clear = first[k] - first[k - 1] > 4 * bound && first[k + 1] - first[k] > 4 * bound;
        if (!clear || !is_sum(wrong, first[k]))
            continue;
        *pattern = "tail";
        if (k == 1)
            snprintf(
                message, message_bytes,
                "This is partial[0] alone, and there are %lld partial sums. Which line adds the others, and where does it leave "
                "the total?",
                (long long)blocks);
        else
            snprintf(message, message_bytes,
                     "This is the sum of partial[0..%lld], and there are %lld partial sums. How do the others get added?",
                     (long long)k - 1, (long long)blocks);
        return true;
    }
    double warps = 0;
    for (int64_t b = 0; b < blocks; b++)
        warps += b % FINISHING < WARP ? first[b + 1] - first[b] : 0;
    if (blocks > WARP && is_sum(wrong, warps)) {
        *pattern = "period";
        snprintf(
            message, message_bytes,
            "This is the sum of what the first warp adds if each of %d threads t takes partial[t], partial[t + %d] and so "
            "on. How do the sums of the other warps get added?",
            FINISHING, FINISHING);
        return true;
    }
    int64_t missing = -1;
    for (int64_t k = 1; k < blocks && missing > -2; k++)
        if (is_sum(wrong, first[blocks] - (first[k + 1] - first[k])))
            missing = missing == -1 ? k : -2;
    if (missing > 0) {
        snprintf(message, message_bytes, "partial[%lld] is missing in the total. Where should it be added?",
                 (long long)missing);
        return true;
    }
    bool odd = is_sum(wrong, first[blocks] - even);
    if (blocks > 2 && (odd || is_sum(wrong, even))) {
        snprintf(message, message_bytes,
                 "This is the sum of the elements of partial with an %s index. How do the others get added?",
                 odd ? "odd" : "even");
        return true;
    }
    return false;
}

/* Says that the index of partial grows by less than pi_finish has threads: `distance`, of as many times more threads. */
static bool describe_short_finish(const struct lab_wrong *wrong, const double *first, int64_t blocks, char *message,
                                  size_t message_bytes)
{
    enum { THREADS_MOST = 1024 };
    int64_t found = 0;
    for (int64_t distance = 1; distance < blocks && distance < THREADS_MOST; distance *= 2)
        for (int64_t times = 2; times * distance <= THREADS_MOST; times *= 2) {
            double sum = 0;
            for (int64_t b = 0; b < blocks; b++) {
                int64_t threads = b / distance + 1;
                sum += (double)(threads < times ? threads : times) * (first[b + 1] - first[b]);
            }
            if (distance == found || !(is_sum(wrong, sum) || is_larger_sum(wrong, sum)))
                continue;
            if (found > 0) /* it could be either */
                return false;
            found = distance;
        }
    if (found == 0)
        return false;
    snprintf(
        message, message_bytes,
        "This is the total if each thread begins with the element of its own number and goes on by %lld, which is less "
        "than there are threads: partial[%lld] is then added by two of them. By how much should the index grow from turn "
        "to turn?",
        (long long)found, (long long)found);
    return true;
}

/* The total of pi_finish, where the partial sums that it got were right. */
static bool classify_finish(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    int64_t n = wrong->the_case->size[0], block = wrong->elements_per_block, blocks = (n + block - 1) / block;
    double want = wrong->expected->f[0], got = (double)*(const float *)wrong->got;
    double *first = malloc(((size_t)blocks + 1) * sizeof *first);
    if (!first)
        return false;
    first[0] = 0;
    for (int64_t b = 0; b < blocks; b++)
        first[b + 1] = first[b] + partial_sum(wrong, b);
    bool known = true;
    if (describe_multiple(wrong, block, message, message_bytes)) {
        *pattern = "multiple";
    } else if (is_sum(wrong, 2 * want)) {
        *pattern = "doubled";
        snprintf(message, message_bytes, "This is twice the sum. Is something multiplied by 2, or added twice?");
    } else if (n > 2 && is_sum(wrong, want / (double)n)) {
        *pattern = "divided";
        snprintf(message, message_bytes, "This is the total divided by n, which the grader does at the end. Who divides?");
    } else if (is_sum(wrong, want / (double)(blocks * block))) {
        *pattern = "divided";
        snprintf(message, message_bytes,
                 "This is the total divided by %lld, the number of all threads of pi_sum. Who divides, and should anybody?",
                 (long long)(blocks * block));
    } else if (blocks > 1 && is_sum(wrong, want / (double)blocks)) {
        *pattern = "divided";
        snprintf(message, message_bytes,
                 "This is the total divided by %lld, the number of partial sums. Who divides, and should anybody?",
                 (long long)blocks);
    } else if (blocks > 1 && describe_partial_sums(wrong, first, blocks, pattern, message, message_bytes)) {
    } else if (describe_short_finish(wrong, first, blocks, message, message_bytes)) {
        *pattern = "onwards";
    } else if (n > 2 && n <= 4096 && got == rint(got) && fabs(want - rint(want)) > 0.01
               && fabs(want - got) < (double)blocks) {
        *pattern = "whole";
        snprintf(message, message_bytes,
                 "The total is a whole number, %.9g: a fraction is lost. What on the way holds whole numbers only?", got);
    } else if (blocks == 1 && n > 2 && wrong->output == PI) {
        *pattern = "alone";
        snprintf(message, message_bytes,
                 "There is one partial sum, partial[0], with the value %.9g. What does pi_finish add to it, or do with it?",
                 want);
    } else {
        known = false;
    }
    free(first);
    if (known) {
        char text[600];
        snprintf(text, sizeof text, "%s", message);
        snprintf(message, message_bytes, "%s %s",
                 wrong->output == SUM ? "The grader put numbers of its own into partial." : "What pi_sum left is right.",
                 text);
    }
    return known;
}

/* ---- one step of the reducer ------------------------------------------------------------------------------------------ */

/* What a step may take for its distance. */
enum { BY_POWER, BY_HALVES, DISTANCES };

/* dest after the step `step`, if the steps have such distances: the numbers are changed in place. */
static void reduce_otherwise(float *dest, int64_t n, int64_t step, int distance)
{
    for (int64_t i = 1; i <= step; i *= 2) {
        int64_t half = distance == BY_HALVES ? n / (2 * i) : i < 32 ? INT64_C(1) << i : n;
        int64_t apart = distance == BY_HALVES ? 1 : 2 * half, end = distance == BY_HALVES ? half : n - half;
        for (int64_t id = 0; id < end; id += apart)
            dest[id] += dest[id + half];
    }
}

/* Says which other distance gives all elements that are compared, if only one does. */
static bool describe_distance(const struct lab_wrong *wrong, char *message, size_t message_bytes)
{
    int64_t n = wrong->the_case->size[0], step = wrong->the_case->values;
    const float *got = wrong->got;
    float *dest = malloc((size_t)n * sizeof *dest);
    int found = -1, fits = 0;
    for (int distance = 0; dest && distance < DISTANCES && step > 1; distance++) {
        bool same = true;
        memcpy(dest, wrong->data->array[NUMBERS].f, (size_t)n * sizeof *dest);
        reduce_otherwise(dest, n, step, distance);
        for (int64_t k = 0; k < n && same; k += 2 * step)
            same = fabs((double)got[k] - (double)dest[k]) <= wrong->expected->bound[k];
        found = same ? distance : found;
        fits += same;
    }
    free(dest);
    if (fits != 1)
        return false;
    if (found == BY_POWER)
        snprintf(
            message, message_bytes,
            "This is dest after the step i = %lld, and it is what comes out if the step i adds what lies 2^i places to "
            "the right: 2 places for i = 1, 4 for i = 2. Which values does i have, one launch after the other, and which "
            "distance should a step have?",
            (long long)step);
    else
        snprintf(
            message, message_bytes,
            "This is dest after the step i = %lld, and it is what comes out if each step folds the array in the middle: "
            "here, in its last step, dest[t] += dest[t + %lld] for t below %lld. The contract adds dest[id + i] to "
            "dest[id]. Where are the sums after a step of the contract, and where are yours?",
            (long long)step, (long long)(n / (2 * step)), (long long)(n / (2 * step)));
    return true;
}

static bool classify_step(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    int64_t n = wrong->the_case->size[0], step = steps[wrong->the_case->values], first = (int64_t)wrong->first_bad;
    int64_t end = first + 2 * step < n ? first + 2 * step : n, missing = end;
    double got = (double)((const float *)wrong->got)[first], all = sum_numbers(wrong->data, 0, n);
    double want = wrong->expected->f[first], bound = wrong->expected->bound[first];
    bool is_all = first == 0 && fabs(got - all) <= tolerance_tree(tree_depth(n), 0, all);
    *pattern = "other";
    /* The last element has no partner in any step up to here. */
    if (end == n && end - first == 1) {
        *pattern = "!replaced";
        snprintf(
            message, message_bytes,
            "This is dest after the step i = %lld: dest[%lld] is the last element and has had no partner up to here, so it "
            "should be left as it is. Which line stores to it?",
            (long long)step, (long long)first);
        return true;
    }
    if (describe_distance(wrong, message, message_bytes)) {
        *pattern = "distance";
        return true;
    }
    /* A group that the array's end cuts short, and of which the last elements were left out. */
    for (int64_t i = first + 1; i < end && end - first < 2 * step && missing == end; i++) {
        missing = fabs(got - sum_numbers(wrong->data, first, i)) <= bound ? i : end;
    }
    if (missing < end) {
        *pattern = "tail";
        snprintf(
            message, message_bytes,
            "This is dest after the step i = %lld: dest[%lld] should be the sum of the elements %lld..%lld, but nothing from "
            "dest[%lld] on is in it. To which element, and in which step, is the last one added?",
            (long long)step, (long long)first, (long long)first, (long long)end - 1, (long long)missing);
        return true;
    }
    if (end - first == 2 * step && fabs(got * 2 * (double)step - want) <= 2 * bound) {
        *pattern = "divided";
        snprintf(message, message_bytes,
                 "This is dest after the step i = %lld: dest[%lld] should be the sum of the elements %lld..%lld, and holds "
                 "their sum divided by %lld, which is their mean. Which line divides?",
                 (long long)step, (long long)first, (long long)first, (long long)end - 1, (long long)(2 * step));
        return true;
    }
    char whole[80];
    snprintf(whole, sizeof whole, ", and holds the sum of all %lld elements already", (long long)n);
    *pattern = is_all ? "too_far" : "?other";
    snprintf(
        message, message_bytes,
        "This is dest after the step i = %lld: dest[%lld] should be the sum of the elements %lld..%lld%s. What does one "
        "launch of the reducer add?",
        (long long)step, (long long)first, (long long)first, (long long)end - 1, is_all ? whole : "");
    return true;
}

/* ---- the mapper ------------------------------------------------------------------------------------------------------- */

/* Says that all values are as many times what they should be. */
static bool describe_factor(const struct lab_wrong *wrong, char *message, size_t message_bytes)
{
    const float *got = wrong->got;
    const struct lab_expected *expected = wrong->expected;
    double factor = (double)got[0] / expected->f[0];
    for (size_t i = 0; i < expected->count; i++)
        if (!(fabs((double)got[i] - factor * expected->f[i]) <= 2 * fabs(factor) * expected->bound[i]))
            return false;
    if (factor == 0 || !isfinite(factor) || fabs(factor - 1) < 0.01)
        return false;
    snprintf(message, message_bytes,
             "Every element is %.4g times its right value. Which number in your formula differs from the contract's?",
             factor);
    return true;
}

/* Says for which other x the values would be right: x + c, or c * x. */
static bool describe_x(const struct lab_wrong *wrong, char *message, size_t message_bytes)
{
    const float *got = wrong->got;
    int64_t n = wrong->the_case->size[0], count = (int64_t)wrong->expected->count;
    double factor = 0, offset = 0;
    bool times = true, plus = true;
    for (int64_t i = 0; i < count; i++) {
        double value = (double)got[i], x = (double)i / (double)n;
        if (!(value > 0 && value <= 4))
            return false;
        double own = sqrt(4 / value - 1);
        factor = own / x; /* the last one counts: near x = 0 a value says little of its x */
        offset = own - x;
    }
    for (int64_t i = 0; i < count; i++) {
        double x = (double)i / (double)n, scaled = factor * x, moved = x + offset, value = (double)got[i];
        times &= fabs(value - 4 / (1 + scaled * scaled)) <= 0x1p-18 * value;
        plus &= fabs(value - 4 / (1 + moved * moved)) <= 0x1p-18 * value;
    }
    if (times == plus || fabs(factor - 1) < 0.01)
        return false;
    double divisor = rint((double)n / factor);
    int64_t block = wrong->elements_per_block, threads = block > 1 ? (n + block - 1) / block * block : n;
    char more[60] = "";
    if (divisor == (double)threads)
        snprintf(more, sizeof more, ", and %lld is the number of all threads", (long long)threads);
    if (times && divisor >= 2 && divisor < 0x1p31 && fabs((double)n / factor - divisor) < 0x1p-12 * divisor)
        snprintf(message, message_bytes,
                 "Every element has the value of 4 / (1 + x*x) with x = id / %.0f%s. The contract says x = id / n. How do "
                 "you compute x?",
                 divisor, more);
    else if (times)
        snprintf(message, message_bytes,
                 "Every element has the value of 4 / (1 + x*x) with x = %.4g * id / n. The contract says x = id / n. How do "
                 "you compute x?",
                 factor);
    else
        snprintf(
            message, message_bytes,
            "Every element has the value of 4 / (1 + x*x) with x = (id %c %.4g) / n. The contract says x = id / n. How do you "
            "compute x?",
            offset < 0 ? '-' : '+', fabs(offset * (double)n));
    return true;
}

static bool classify_mapped(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    const float *got = wrong->got;
    int64_t n = wrong->the_case->size[0];
    size_t count = wrong->expected->count, fours = 0, next = 0, middles = 0, divided = 0, in_block_0 = 0, offsets = 0;
    int64_t block = wrong->elements_per_block;
    double added = (double)got[0] - wrong->expected->f[0];
    for (int k = 0; k < HOOKS_COUNT(formulas);
         k++) { /* but of squares of the index alone: it shows from where on they wrap */
        size_t same = 0;
        for (size_t i = 0; i < count; i++) {
            double value = formulas[k].value((double)i, (double)n);
            /* Of 4 / (1 + q) with a q near -1, which a wrapped square may give, the sum loses digits. */
            double loss = formulas[k].squares == IN_INT && fabs(value) > 4 ? 1 + fabs(4 / value - 1) * fabs(value) / 4 : 1;
            same += isinf(value) ? isinf(got[i]) : fabs((double)got[i] - value) <= 0x1p-20 * loss * fabs(value) + 0x1p-22;
        }
        if (same == count && same >= 8 && is_possible(&formulas[k], n) && formulas[k].value != index_in_int) {
            say_formula(&formulas[k], "Every element has the value of", n, pattern, message, message_bytes);
            return true;
        }
    }
    for (size_t i = 0; i < count; i++) {
        double bound = wrong->expected->bound[i];
        fours += got[i] == 4.0f;
        divided += fabs((double)got[i] * (double)n - wrong->expected->f[i]) <= 2 * bound;
        next += fabs((double)got[i] - integrand((int64_t)i + 1, n)) <= bound;
        middles += fabs((double)got[i] - integrand(2 * (int64_t)i + 1, 2 * n)) <= bound;
        in_block_0 += fabs((double)got[i] - integrand((int64_t)i % block, n)) <= bound;
        offsets += fabs((double)got[i] - added - wrong->expected->f[i]) <= 2 * bound + 0x1p-22 * fabs(added);
    }
    if (wrong->bad_count < 4 || wrong->bad_count < count / 2) {
        return false;
    }
    *pattern = "formula";
    if (fours == count) {
        *pattern = "integer";
        snprintf(message, message_bytes, "Every element is 4, so x was always 0. What is 1/1000 when both are int?");
    } else if (divided == count) {
        *pattern = "divided";
        snprintf(message, message_bytes, "Every element is its right value divided by n. Who divides by n, and when?");
    } else if (next == count) {
        *pattern = "shifted";
        snprintf(message, message_bytes,
                 "Every element has the value of its right neighbour: x = (id+1)/n. Element 0 "
                 "belongs to x = 0.");
    } else if (middles == count) {
        *pattern = "middle";
        snprintf(message, message_bytes,
                 "These are the values at x = (id + 1/2)/n, the middles of the strips%s. The contract says x = id/n.",
                 n > 256 ? ", or the means of both ends" : "");
    } else if (describe_factor(wrong, message, message_bytes)) {
        *pattern = "factor";
    } else if (in_block_0 == count && n > block + 8) {
        *pattern = "no_block";
        snprintf(
            message, message_bytes,
            "Every element has the value of the one at the same place in block 0. What in x differs from block to block?");
    } else if (isfinite(added) && fabs(added) > 0.01 && offsets == count) {
        *pattern = "added";
        snprintf(message, message_bytes, "Every element is too %s by %.4g. What is %s 4 / (1 + x*x)?",
                 added > 0 ? "high" : "low", fabs(added), added > 0 ? "added to" : "taken from");
    } else if (!describe_x(wrong, message, message_bytes)) {
        return false;
    }
    return true;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    if (wrong->output == MAPPED)
        return classify_mapped(wrong, pattern, message, message_bytes);
    if (wrong->output == STEP)
        return classify_step(wrong, pattern, message, message_bytes);
    if (is_of_pi_finish(wrong))
        return classify_finish(wrong, pattern, message, message_bytes);
    return classify_pi(wrong, pattern, message, message_bytes);
}

/* Map and reduce: step i has p = ceil((n-i) / 2i) pairs, and when neighbouring lanes take neighbouring pairs, ceil(p/32)
 * warps load two values each. Fused: one load of the partial sums, of which there is one for each 256 elements. */
double ideal_requests(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan)
{
    (void)lab, (void)budget;
    int64_t n = the_case->size[0];
    double requests = 0;
    if (plan == FUSED) {
        return warps_of((n + 255) / 256);
    }
    for (int64_t i = 1; i < n; i *= 2) {
        requests += 2 * warps_of((n - i + 2 * i - 1) / (2 * i));
    }
    return requests;
}
