/* Softmax of each row of a matrix. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "grader/lab/hooks.h"
#include "grader/lab/tolerance.h"

enum { IN, OUT };
enum { BLOCK = 256, WARP = 32 };

/* Kinds of values, as lab.yaml lists them. */
enum { FRACTIONS, LARGE, FAR_BELOW, LEVELS, RISING, MASKED, EQUAL };

/* One row of a matrix; it is `length` long. */
struct row {
    const float *numbers;
    int64_t length;
    double maximum, sum; /* of e^(x - maximum) */
};

static struct row row_of(const struct lab_case *the_case, const struct lab_data *data, int64_t index)
{
    struct row row = {data->array[IN].f + index * the_case->size[1], the_case->size[1], -INFINITY, 0};
    for (int64_t c = 0; c < row.length; c++)
        row.maximum = fmax(row.maximum, (double)row.numbers[c]);
    for (int64_t c = 0; c < row.length; c++)
        row.sum += exp((double)row.numbers[c] - row.maximum);
    return row;
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

/* Neighbouring rows are at least 600 apart: with the maximum of another row, every power of e is 0 or infinite. */
static float draw_level(struct lab_random *random, int64_t row)
{
    float level = lab_random_float(random, 300, 1000);
    return row % 2 == 0 ? level : -level;
}

void fill_levels(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    int64_t rows = the_case->size[0], columns = the_case->size[1];
    for (int64_t row = 0; row < rows; row++) {
        float level = draw_level(random, row);
        for (int64_t c = 0; c < columns; c++)
            data->array[IN].f[row * columns + c] = level + lab_random_float(random, -5, 5);
    }
}

/* The first half rises from 150 below the row's level to 150 above it, and the second half stays there: what is added up with a
 * maximum of the first quarter becomes infinite, and all columns of the second half are in the sum. */
void fill_rising(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    int64_t rows = the_case->size[0], columns = the_case->size[1];
    for (int64_t row = 0; row < rows; row++) {
        float level = draw_level(random, row);
        for (int64_t c = 0; c < columns; c++) {
            float rise = fminf(600 * (float)c / (float)columns, 300);
            data->array[IN].f[row * columns + c] = level - 150 + rise + lab_random_float(random, -2, 2);
        }
    }
}

/* -infinity at the beginning of each row, up to half of it, and in every third place after that; never at its end. */
void fill_masked(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    int64_t rows = the_case->size[0], columns = the_case->size[1];
    for (int64_t row = 0; row < rows; row++) {
        float *numbers = data->array[IN].f + row * columns;
        int64_t lead = columns / 4 + lab_random_below(random, (uint32_t)(columns / 4 + 1));
        for (int64_t c = 0; c < columns - 1; c++) {
            if (c < lead || lab_random_below(random, 3) == 0)
                numbers[c] = -INFINITY;
        }
    }
}

/* ---- the right results ---------------------------------------------------------------------------------------------- */

/* Roundings of one power e^(x - m), in u: the difference, which is off by |x - m| u, and the function. CUDA's __expf is off by
 * 2 + 1.173 |x - m| units in the last place (CUDA C++ Programming Guide, "Intrinsic Functions"), each of them up to 2 u: the
 * least exact way that is in use. expf, and exp2f after a multiplication by log2(e), stay below. */
static double power_error(double distance)
{
    return 4 * (1 + distance) * TOLERANCE_UNIT;
}

/* Each number goes into the sum with a power, and the sum may be rescaled with another one each time: an addition, a product, and 4
 * for the power. What the differences of maxima are off by adds up to no more than |x - m| u, which power_error has room for. */
#define ROUNDINGS_EACH 6
/* The quotient, or a product with a reciprocal; __fdividef is off by 2 units in the last place. */
#define QUOTIENT_ROUNDINGS 4

void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                    const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)plan, (void)output;
    int64_t columns = the_case->size[1];
    for (int64_t r = 0; r < the_case->size[0]; r++) {
        struct row row = row_of(the_case, data, r);
        double sum_error = tolerance_relative((double)(ROUNDINGS_EACH * columns));
        for (int64_t c = 0; c < columns; c++) {
            double distance = row.maximum - (double)row.numbers[c];
            if (!isinf(distance))
                sum_error += exp(-distance) / row.sum * power_error(distance);
        }
        for (int64_t c = 0; c < columns; c++) {
            double distance = row.maximum - (double)row.numbers[c], right = exp(-distance) / row.sum;
            double error = isinf(distance) ? 0 : power_error(distance);
            expected->f[r * columns + c] = right;
            /* Below the smallest normal number there are fewer digits: a few units of the last one. */
            expected->bound[r * columns + c] = (error + sum_error + QUOTIENT_ROUNDINGS * TOLERANCE_UNIT) * right
                                               + 16 * (double)FLT_TRUE_MIN;
        }
    }
    expected->rule =
        "an error of up to 4 (1 + |x - maximum|) u for a power of e, 6 sqrt(6 columns) u for the sum and 4 u for the "
        "quotient, where u = 2^-24";
}

/* ---- wrong results -------------------------------------------------------------------------------------------------- */

/* The row of the first wrong element. */
struct wrong_row {
    struct row row;
    int64_t index;
    const float *got;
    const double *want;
};

/* Numbers that are large enough to be compared by their ratio, of those that should be in `got`. */
static bool is_comparable(double value)
{
    return value > 0x1p-100 && value < 0x1p100;
}

static bool is_near(double got, double value)
{
    return fabs(got - value) <= 1e-3 * fabs(value);
}

/* What the row has instead, as a function of one of its numbers. */
typedef double instead_fn(const struct wrong_row *wrong, int64_t c);

static bool is_instead(const struct wrong_row *wrong, instead_fn *instead)
{
    int64_t compared = 0;
    for (int64_t c = 0; c < wrong->row.length; c++) {
        double value = instead(wrong, c);
        if (!is_comparable(value))
            continue;
        compared++;
        if (!is_near((double)wrong->got[c], value))
            return false;
    }
    return compared >= 2;
}

static double power_alone(const struct wrong_row *wrong, int64_t c)
{
    return exp((double)wrong->row.numbers[c] - wrong->row.maximum);
}

static double power_of_the_number(const struct wrong_row *wrong, int64_t c)
{
    return exp((double)wrong->row.numbers[c]);
}

static double power_of_two(const struct wrong_row *wrong, int64_t c)
{
    double sum = 0;
    for (int64_t k = 0; k < wrong->row.length; k++)
        sum += exp2((double)wrong->row.numbers[k] - wrong->row.maximum);
    return exp2((double)wrong->row.numbers[c] - wrong->row.maximum) / sum;
}

static double number_alone(const struct wrong_row *wrong, int64_t c)
{
    double sum = 0;
    for (int64_t k = 0; k < wrong->row.length; k++)
        sum += (double)wrong->row.numbers[k];
    return (double)wrong->row.numbers[c] / sum;
}

static double distance_alone(const struct wrong_row *wrong, int64_t c)
{
    double sum = 0;
    for (int64_t k = 0; k < wrong->row.length; k++)
        sum += (double)wrong->row.numbers[k] - wrong->row.maximum;
    return ((double)wrong->row.numbers[c] - wrong->row.maximum) / sum;
}

static double smallest_first(const struct wrong_row *wrong, int64_t c)
{
    double minimum = INFINITY, sum = 0;
    for (int64_t k = 0; k < wrong->row.length; k++)
        minimum = fmin(minimum, (double)wrong->row.numbers[k]);
    for (int64_t k = 0; k < wrong->row.length; k++)
        sum += exp(minimum - (double)wrong->row.numbers[k]);
    return exp(minimum - (double)wrong->row.numbers[c]) / sum;
}

/* The sum of e^(x - maximum) over columns first, first + step, ... below `end`. */
static double partial_sum(const struct wrong_row *wrong, int64_t first, int64_t step, int64_t end)
{
    double sum = 0;
    for (int64_t c = first; c < end; c += step)
        sum += power_alone(wrong, c);
    return sum;
}

/* Over the columns c with c % BLOCK below `threads`: those of the block's first threads. */
static double sum_of_threads(const struct wrong_row *wrong, int64_t threads)
{
    double sum = 0;
    for (int64_t t = 0; t < threads && t < wrong->row.length; t++)
        sum += partial_sum(wrong, t, BLOCK, wrong->row.length);
    return sum;
}

/* Each result was divided by the sum of the numbers that its own thread, or its own warp, looks at. */
static bool is_divided_by_own(const struct wrong_row *wrong, int64_t threads)
{
    int64_t compared = 0;
    if (wrong->row.length <= threads)
        return false;
    double sums[BLOCK] = {0};
    for (int64_t c = 0; c < wrong->row.length; c++)
        sums[c % BLOCK / threads] += power_alone(wrong, c);
    for (int64_t c = 0; c < wrong->row.length; c++) {
        double value = power_alone(wrong, c) / sums[c % BLOCK / threads];
        if (!is_comparable(value))
            continue;
        compared++;
        if (!is_near((double)wrong->got[c], value))
            return false;
    }
    return compared >= 2;
}

/* How exact a sum is that follows from a quotient of floats, where only powers of e near the largest are looked at. */
#define NEAR_THE_TOP 1e-5
#define EXACTNESS    5e-6

/* The factor by which every result of the row is off, as far as floats can tell, or 0. */
static double common_factor(const struct wrong_row *wrong)
{
    double factor = 0;
    int64_t compared = 0;
    for (int64_t c = 0; c < wrong->row.length; c++) {
        if (power_alone(wrong, c) < NEAR_THE_TOP)
            continue;
        double ratio = (double)wrong->got[c] / wrong->want[c];
        if (compared++ == 0)
            factor = ratio;
        if (!isfinite(ratio) || ratio <= 0 || fabs(ratio - factor) > EXACTNESS * factor)
            return 0;
    }
    return compared >= 2 && fabs(factor - 1) > 4 * EXACTNESS ? factor : 0;
}

/* Is it this number that the row was divided by, and does it differ from the right one? */
static bool is_divisor(const struct wrong_row *wrong, double divisor, double sum)
{
    return fabs(divisor - sum) <= EXACTNESS * sum && fabs(wrong->row.sum - sum) > 4 * EXACTNESS * wrong->row.sum;
}

static bool classify_factor(const struct wrong_row *wrong, const char **pattern, char *message, size_t message_bytes)
{
    double factor = common_factor(wrong);
    if (factor == 0)
        return false;
    double divisor = wrong->row.sum / factor;
    const struct {
        double sum;
        const char *pattern, *what;
    } known[] = {
        {2 * wrong->row.sum, "factor", "twice that sum"},
        {sum_of_threads(wrong, 1), "first_only",
         "the sum over columns 0, 256, 512, ... alone, the numbers of one thread of 256"},
        {sum_of_threads(wrong, WARP), "first_only",
         "the sum over the numbers of warp 0 alone, the first 32 of each 256 columns"},
        {partial_sum(wrong, 0, 1, BLOCK < wrong->row.length ? BLOCK : wrong->row.length), "tail",
         "the sum over the first 256 columns alone"},
        {partial_sum(wrong, 0, 1, wrong->row.length - 1), "tail", "the sum without the last column"},
        {partial_sum(wrong, 1, 1, wrong->row.length), "factor", "the sum without column 0"},
        {partial_sum(wrong, 0, 1, wrong->row.length / BLOCK * BLOCK), "tail",
         "the sum over whole pieces of 256 columns alone"},
    };
    if (is_divisor(wrong, divisor, 1)) {
        *pattern = "not_divided";
        snprintf(
            message, message_bytes,
            "Row %lld has e^(x - maximum) itself for each of its numbers: the largest result is 1. The division by their sum, "
            "%.6g, is missing, or divides by 1.",
            (long long)wrong->index, wrong->row.sum);
        return true;
    }
    for (int k = 0; k < HOOKS_COUNT(known); k++) {
        if (is_divisor(wrong, divisor, known[k].sum)) {
            *pattern = known[k].pattern;
            snprintf(message, message_bytes,
                     "In row %lld every result is off by the same factor, %.6g. The sum of e^(x - maximum) over all %lld "
                     "columns is %.6g; the results are divided by %s, %.6g.",
                     (long long)wrong->index, factor, (long long)wrong->row.length, wrong->row.sum, known[k].what,
                     known[k].sum);
            return true;
        }
    }
    double top = wrong->row.maximum, whole = trunc(top);
    if (whole != top && fabs(factor - exp(top - whole)) <= EXACTNESS * factor) {
        *pattern = "whole";
        snprintf(
            message, message_bytes,
            "In row %lld every result is off by the same factor, %.6g. That is e^(%.6g - %.0f): the maximum of the row is "
            "%.6g, and %.0f is what remains of it without its fraction. The sum belongs to the one, what is subtracted "
            "from the numbers is the other.",
            (long long)wrong->index, factor, top, whole, top, whole);
        return true;
    }
    *pattern = "factor";
    snprintf(
        message, message_bytes,
        "In row %lld every result is %s by the same factor, %.6g: they add up to %.6g instead of 1. The powers of e are "
        "in the right proportion to each other. Either the sum that they are divided by is wrong, or it belongs to another "
        "maximum than the one that they subtract.",
        (long long)wrong->index, factor > 1 ? "too large" : "too small", factor > 1 ? factor : 1 / factor, factor);
    return true;
}

/* The first wrong result is NaN, infinite, or 0 where all others are 0 or NaN: an exponent was too large or too small, or infinities met.
 *   masked   how many numbers of the row are -infinity
 *   least    the smallest of the others */
static void say_not_finite(const struct wrong_row *wrong, int64_t first, int64_t masked, double least, const char **pattern,
                           char *message, size_t message_bytes)
{
    double top = wrong->row.maximum;
    const char *what = isnan(wrong->got[first]) ? "NaN" : isinf(wrong->got[first]) ? "infinite" : "0";
    if (masked > 0) {
        *pattern = "special";
        snprintf(
            message, message_bytes,
            "%lld of the %lld numbers of row %lld are -infinity. e^-infinity is 0, as it should be, but -infinity minus "
            "-infinity is NaN, and so is e^(x - m) where both x and m, the largest number so far, are -infinity.",
            (long long)masked, (long long)wrong->row.length, (long long)wrong->index);
    } else if (top > 88.73 || top < -87) {
        *pattern = "overflow";
        snprintf(
            message, message_bytes,
            "A result of row %lld is %s. The numbers of this row go from %.4g to %.4g. In a float, e^x is infinite above "
            "x = 88.73 and 0 below -104, and both infinity / infinity and 0 / 0 are NaN. With the maximum of the row "
            "subtracted first, the largest exponent is 0.",
            (long long)wrong->index, what, least, top);
    } else {
        *pattern = "special_nan";
        snprintf(
            message, message_bytes,
            "A result of row %lld is %s, though the numbers of this row only go from %.4g to %.4g: e^x is neither 0 nor "
            "infinite for any of them. 0 / 0 is NaN, and so are infinity minus infinity and 0 times infinity.%s",
            (long long)wrong->index, what, least, top,
            wrong->row.length < BLOCK
                ? " Where the sum so far is multiplied, which factor does it get at a thread's first number? "
                  "What do the threads have that looked at no number?"
                : " Where the sum so far is multiplied, which factor does it get at a thread's first number?");
    }
}

static bool classify_not_finite(const struct wrong_row *wrong, int64_t first, const char **pattern, char *message,
                                size_t message_bytes)
{
    int64_t masked = 0, none = 0, zeros = 0;
    double least = INFINITY;
    for (int64_t c = 0; c < wrong->row.length; c++) {
        masked += isinf(wrong->row.numbers[c]);
        none += isnan(wrong->got[c]);
        zeros += wrong->got[c] == 0;
        if (!isinf(wrong->row.numbers[c]))
            least = fmin(least, (double)wrong->row.numbers[c]);
    }
    if (!isfinite(wrong->got[first]) || (wrong->got[first] == 0 && none + zeros == wrong->row.length)) {
        say_not_finite(wrong, first, masked, least, pattern, message, message_bytes);
        return true;
    }
    return false;
}

/* The results are those of the column before or after. */
static bool is_moved(const struct wrong_row *wrong, int64_t by)
{
    for (int64_t c = 1; c + 1 < wrong->row.length; c++)
        if (!is_near((double)wrong->got[c], wrong->want[c + by]))
            return false;
    return true;
}

/* All results of the row are numbers, most of them wrong, and not in proportion to each other: it names two columns. */
static bool classify_ratio(const struct wrong_row *wrong, const char **pattern, char *message, size_t message_bytes)
{
    int64_t low = -1, high = -1, compared = 0, off = 0;
    double least = INFINITY, most = 0;
    for (int64_t c = 0; c < wrong->row.length; c++) {
        if (!isfinite(wrong->got[c]) || wrong->got[c] < 0)
            return false;
        if (power_alone(wrong, c) < NEAR_THE_TOP)
            continue;
        double ratio = (double)wrong->got[c] / wrong->want[c];
        compared++;
        off += !is_near(ratio, 1);
        if (ratio < least)
            least = ratio, low = c;
        if (ratio > most)
            most = ratio, high = c;
    }
    if (low < 0 || 2 * off < compared || !(most > 1.01 * least) || is_moved(wrong, 1) || is_moved(wrong, -1))
        return false;
    *pattern = "ratio";
    snprintf(
        message, message_bytes,
        "In row %lld, the result in column %lld is %.4g times what it should be, in column %lld %.4g times. So they are not "
        "e^(x - m) divided by s with the same m and the same s.",
        (long long)wrong->index, (long long)low, least + 0.0, (long long)high, most);
    return true;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *the_wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    int64_t columns = the_wrong->the_case->size[1], first = (int64_t)the_wrong->first_bad;
    int64_t start = first / columns * columns;
    struct wrong_row wrong = {row_of(the_wrong->the_case, the_wrong->data, first / columns), first / columns,
                              (const float *)the_wrong->got + start, the_wrong->expected->f + start};
    const struct {
        instead_fn *instead;
        const char *pattern, *what;
    } known[] = {
        {power_of_the_number, "not_divided", "e^x for each of its numbers, not divided by the sum of them"},
        {power_of_two, "base",
         "what powers of 2 would give, 2^(x - maximum) divided by their sum: the powers of e are asked for"},
        {number_alone, "formula", "its numbers themselves, divided by the sum of them: no power of e was taken"},
        {distance_alone, "formula",
         "the distances of its numbers from the maximum, divided by the sum of them: no power of e was taken"},
        {smallest_first, "sign",
         "what e^(-x) would give, divided by the sum: the smallest number has the largest result. Which way round is the "
         "difference in the exponent?"},
    };
    if (classify_not_finite(&wrong, first - start, pattern, message, message_bytes))
        return true;
    if (classify_factor(&wrong, pattern, message, message_bytes))
        return true;
    if (is_divided_by_own(&wrong, 1) || is_divided_by_own(&wrong, WARP)) {
        bool warp = !is_divided_by_own(&wrong, 1), alone = !warp && columns <= BLOCK;
        *pattern = "own_total";
        snprintf(
            message, message_bytes,
            alone
                ? "In row %lld every result is 1, as if each number were the only one of its row: so it comes out where each "
                  "of %s divides by its own sum, not by the sum over the whole row."
                : "In row %lld each result is divided by the sum over the numbers of its own %s, not by the sum over the "
                  "whole row.",
            (long long)wrong.index,
            alone  ? "256 threads"
            : warp ? "warp"
                   : "thread");
        return true;
    }
    for (int k = 0; k < HOOKS_COUNT(known); k++) {
        if (is_instead(&wrong, known[k].instead)) {
            *pattern = known[k].pattern;
            snprintf(message, message_bytes, "Row %lld has %s.", (long long)wrong.index, known[k].what);
            return true;
        }
    }
    return classify_ratio(&wrong, pattern, message, message_bytes);
}
