/* Matrix product C = A * B with tiles in shared memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/hooks.h"
#include "grader/lab/tolerance.h"

enum { A, B, C };

/* Kinds of values, as lab.yaml lists them; sizes are {M, N, K}. */
enum { FRACTIONS, CANCELLING, IDENTITY, SPECIAL };

/* The tile that the budgets are derived for: the default block. */
#define TILE 16

void fill_values(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    float *a = data->array[A].f, *b = data->array[B].f;
    size_t m = (size_t)the_case->size[0], n = (size_t)the_case->size[1], k = (size_t)the_case->size[2];
    switch (the_case->values) {
    case CANCELLING:
        /* Pairs of products whose sum is 2^-12 of either: columns of A alternate in sign, rows of B come in equal pairs. */
        for (size_t i = 0; i < m * k; i++) {
            a[i] = i % k % 2 == 1 ? -a[i - 1] * (1.0f - 0x1p-12f) : a[i];
        }
        for (size_t i = n; i < k * n; i++) {
            b[i] = i / n % 2 == 1 ? b[i - n] : b[i];
        }
        break;
    case IDENTITY:
        for (size_t i = 0; i < k * n; i++) {
            b[i] = i / n == i % n ? 1.0f : 0.0f;
        }
        break;
    case SPECIAL:
        /* Infinities at the edges: an element that stands for one beyond them does not vanish, since 0 times it is NaN. */
        a[(1 + lab_random_below(random, (uint32_t)m / 2 - 1)) * k] = INFINITY;
        a[(m / 2 + lab_random_below(random, (uint32_t)m / 2)) * k + k - 1] = INFINITY;
        b[(k - 1) * n + lab_random_below(random, (uint32_t)n / 2)] = -INFINITY;
        b[lab_random_below(random, (uint32_t)k / 2) * n + n / 2 + lab_random_below(random, (uint32_t)n / 2 - 1)] = NAN;
        b[lab_random_below(random, (uint32_t)k / 2) * n + n - 1] = INFINITY;
        break;
    default: break;
    }
}

/* Sums the products of k in [begin, end) in double: row `row` of C into sum[n], their absolute values into absolute[n]. */
__attribute__((target_clones("avx2", "default"))) static void product_row(const struct lab_case *the_case,
                                                                          const struct lab_data *data, size_t row,
                                                                          size_t begin, size_t end, double *restrict sum,
                                                                          double *restrict absolute)
{
    const float *a = data->array[A].f, *b = data->array[B].f;
    size_t n = (size_t)the_case->size[1], k_count = (size_t)the_case->size[2];
    for (size_t j = 0; j < n; j++) {
        sum[j] = absolute[j] = 0;
    }
    size_t k = begin;
    for (; k + 2 <= end; k += 2) { /* two at a time, in the same order: half the loads and stores */
        double first = (double)a[row * k_count + k], second = (double)a[row * k_count + k + 1];
        const float *b_row = b + k * n;
        for (size_t j = 0; j < n; j++) {
            double product = first * (double)b_row[j], next = second * (double)b_row[n + j]; /* exact: 24 + 24 bits */
            sum[j] = sum[j] + product + next;
            absolute[j] = absolute[j] + fabs(product) + fabs(next);
        }
    }
    for (; k < end; k++) {
        for (size_t j = 0; j < n; j++) {
            double product = (double)a[row * k_count + k] * (double)b[k * n + j];
            sum[j] += product;
            absolute[j] += fabs(product);
        }
    }
}

/* The reference goes by tiles of C, whose sums stay in registers. */
enum { TILE_ROWS = 2, TILE_COLUMNS = 8 };
typedef double tile_row __attribute__((vector_size(8 * TILE_COLUMNS)));
typedef int64_t tile_bits __attribute__((vector_size(8 * TILE_COLUMNS)));

/* The sums of a[TILE_ROWS][depth] times b[depth] in the order of k, and of the absolute values; as product_row() adds,
 * bit by bit. */
__attribute__((target_clones("avx512f", "avx2", "default"))) static void
product_tile(const double *a, const tile_row *b, size_t depth, tile_row sum[TILE_ROWS], tile_row absolute[TILE_ROWS])
{
    const tile_bits no_sign = (tile_bits){0} + INT64_MAX;
    tile_row sums[TILE_ROWS], absolutes[TILE_ROWS];
    memset(sums, 0, sizeof sums);
    memset(absolutes, 0, sizeof absolutes);
    for (size_t k = 0; k < depth; k++) {
        for (int row = 0; row < TILE_ROWS; row++) {
            tile_row product = a[row * depth + k] * b[k]; /* exact: 24 + 24 bits */
            sums[row] += product;
            absolutes[row] += (tile_row)((tile_bits)product & no_sign);
        }
    }
    memcpy(sum, sums, sizeof sums);
    memcpy(absolute, absolutes, sizeof absolutes);
}

/* Whole tiles: rows of A and a strip of B's columns are made double once. */
static void product_tiles(const struct lab_case *the_case, const struct lab_data *data, size_t rows, size_t n,
                          struct lab_expected *expected, double *wide, tile_row *strip)
{
    const float *a = data->array[A].f, *b = data->array[B].f;
    size_t depth = (size_t)the_case->size[2];
    for (size_t i = 0; i < rows * depth; i++) {
        wide[i] = (double)a[i];
    }
    for (size_t column = 0; column < n; column += TILE_COLUMNS) {
        for (size_t k = 0; k < depth; k++) {
            for (size_t j = 0; j < TILE_COLUMNS; j++) {
                strip[k][j] = (double)b[k * n + column + j];
            }
        }
        for (size_t row = 0; row < rows; row += TILE_ROWS) {
            tile_row sum[TILE_ROWS], absolute[TILE_ROWS];
            product_tile(wide + row * depth, strip, depth, sum, absolute);
            for (size_t i = 0; i < TILE_ROWS; i++) {
                memcpy(expected->f + (row + i) * n + column, &sum[i], sizeof sum[i]);
                memcpy(expected->bound + (row + i) * n + column, &absolute[i], sizeof absolute[i]);
            }
        }
    }
}

/* Only a product of whole tiles is worth the copies; what memory is short for goes row by row too. */
static bool product_by_tiles(const struct lab_case *the_case, const struct lab_data *data, struct lab_expected *expected)
{
    size_t rows = (size_t)the_case->size[0], n = (size_t)the_case->size[1], depth = (size_t)the_case->size[2];
    if (rows % TILE_ROWS != 0 || n % TILE_COLUMNS != 0 || n / TILE_COLUMNS < 4) {
        return false;
    }
    double *wide = malloc(rows * depth * sizeof *wide);
    tile_row *strip = aligned_alloc(sizeof(tile_row), depth * sizeof *strip);
    bool done = wide && strip;
    if (done) {
        product_tiles(the_case, data, rows, n, expected, wide, strip);
    }
    free(wide);
    free(strip);
    return done;
}

void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                    const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)plan, (void)output;
    size_t n = (size_t)the_case->size[1], k = (size_t)the_case->size[2];
    bool done = product_by_tiles(the_case, data, expected);
    for (size_t row = 0; row < (size_t)the_case->size[0]; row++) {
        double *sum = expected->f + row * n, *bound = expected->bound + row * n;
        if (!done) {
            product_row(the_case, data, row, 0, k, sum, bound);
        }
        for (size_t j = 0; j < n; j++) {
            bound[j] = isfinite(bound[j]) ? tolerance_sum((int64_t)k, 1, bound[j]) : 0;
        }
    }
    expected->columns = n;
    expected->rule =
        "an error of up to 6 sqrt(K) u sum |a b|, where u = 2^-24, and never above the worst case K u sum |a b|: a float "
        "sum of K products in any order";
}

/* Whether every element equals the given alternative within its bound, over at least 8 wrong elements. `alternative`
 * computes a row of what a mistake would give; scratch[2 n]. */
typedef void alternative_fn(const struct lab_wrong *wrong, size_t row, int64_t parameter, double *sum, double *absolute);

static bool explains(const struct lab_wrong *wrong, alternative_fn *alternative, int64_t parameter, double *scratch)
{
    const struct lab_expected *expected = wrong->expected;
    const float *got = wrong->got;
    size_t n = (size_t)wrong->the_case->size[1], explained_bad = 0;
    for (size_t row = 0; row < (size_t)wrong->the_case->size[0]; row++) {
        alternative(wrong, row, parameter, scratch, scratch + n);
        for (size_t j = 0; j < n; j++) {
            size_t i = row * n + j;
            double bound = tolerance_sum(wrong->the_case->size[2], 1, scratch[n + j]);
            if (!(fabs((double)got[i] - scratch[j]) <= bound)) {
                return false;
            }
            explained_bad += fabs((double)got[i] - expected->f[i]) > expected->bound[i];
        }
    }
    return explained_bad >= 8;
}

static void only_first_products(const struct lab_wrong *wrong, size_t row, int64_t depth, double *sum, double *absolute)
{
    product_row(wrong->the_case, wrong->data, row, 0, (size_t)depth, sum, absolute);
}

static void only_last_products(const struct lab_wrong *wrong, size_t row, int64_t first, double *sum, double *absolute)
{
    product_row(wrong->the_case, wrong->data, row, (size_t)first, (size_t)wrong->the_case->size[2], sum, absolute);
}

/* When all sums have the products of k = 0 up to some other one, and no more: the first that is missing. Else 0. Where the
 * first wrong element fits by accident, the others do not. */
static int64_t first_missing_product(const struct lab_wrong *wrong, double *scratch)
{
    const float *got = wrong->got, *a = wrong->data->array[A].f, *b = wrong->data->array[B].f;
    size_t n = (size_t)wrong->the_case->size[1], depth = (size_t)wrong->the_case->size[2];
    size_t row = wrong->first_bad / n, column = wrong->first_bad % n;
    double sum = 0, absolute = 0, value = (double)got[wrong->first_bad];
    int tried = 0;
    for (size_t k = 0; k + 1 < depth && tried < 8; k++) {
        double product = (double)a[row * depth + k] * (double)b[k * n + column];
        sum += product;
        absolute += fabs(product);
        if (!(fabs(value - sum) <= tolerance_sum((int64_t)depth, 1, absolute))) {
            continue;
        }
        tried++;
        if (explains(wrong, only_first_products, (int64_t)k + 1, scratch)) {
            return (int64_t)k + 1;
        }
    }
    return 0;
}

/* Whether the right values lie in C as in a matrix stored column by column. */
static bool is_stored_by_columns(const struct lab_wrong *wrong)
{
    const struct lab_expected *expected = wrong->expected;
    const float *got = wrong->got;
    size_t rows = (size_t)wrong->the_case->size[0], n = (size_t)wrong->the_case->size[1];
    for (size_t i = 0; i < expected->count; i++) {
        double error = fabs((double)got[i / n + i % n * rows] - expected->f[i]);
        if (!(error <= expected->bound[i] || (isnan(expected->f[i]) && isnan(got[i / n + i % n * rows])))) {
            return false;
        }
    }
    return wrong->bad_count >= 8;
}

/* ---- types that keep fewer digits -------------------------------------------------------------------------------------- */

/* Keeps `bits` of a number's digits: rounds to nearest, ties to even, or cuts the others off. A half's range is not looked at:
 * elements, products and sums of a test of fractions lie within it. */
static float keep_bits(double value, int bits, bool cuts)
{
    int exponent;
    double mantissa = ldexp(frexp(value, &exponent), bits);
    return (float)ldexp(cuts ? trunc(mantissa) : rint(mantissa), exponent - bits);
}

/* What passes through the narrow type. */
enum narrow { FACTORS, OF_A, OF_B, PRODUCTS, SUMS, RESULTS };

struct narrowing {
    enum narrow what;
    int bits;
    bool cuts;
};

/* Element i of C, added in the order of k: in float, or, where the sum itself is narrow, in it. */
static double narrow_element(const struct lab_wrong *wrong, size_t i, const struct narrowing *how)
{
    const float *a = wrong->data->array[A].f, *b = wrong->data->array[B].f;
    size_t n = (size_t)wrong->the_case->size[1], depth = (size_t)wrong->the_case->size[2];
    size_t row = i / n, column = i % n;
    float narrow_sum = 0;
    double sum = 0;
    for (size_t k = 0; k < depth; k++) {
        float left = a[row * depth + k], right = b[k * n + column];
        bool both = how->what == FACTORS;
        left = both || how->what == OF_A ? keep_bits((double)left, how->bits, how->cuts) : left;
        right = both || how->what == OF_B ? keep_bits((double)right, how->bits, how->cuts) : right;
        double product = (double)left * (double)right;
        product = how->what == PRODUCTS ? (double)keep_bits((double)(left * right), how->bits, how->cuts) : product;
        sum += product;
        narrow_sum = keep_bits((double)fmaf(left, right, narrow_sum), how->bits, how->cuts);
    }
    return how->what == SUMS      ? (double)narrow_sum
           : how->what == RESULTS ? (double)keep_bits(sum, how->bits, how->cuts)
                                  : sum;
}

/* Whether all of C is what this type would give: within a float's roundings, but for a few elements, of which such a rounding
 * changes the narrow digits. absolute: scratch[2 n] as product_row() fills it. */
static bool is_narrowed(const struct lab_wrong *wrong, const struct narrowing *how, double *scratch)
{
    const float *got = wrong->got;
    size_t n = (size_t)wrong->the_case->size[1], rows = (size_t)wrong->the_case->size[0], off = 0;
    for (size_t row = 0; row < rows; row++) {
        product_row(wrong->the_case, wrong->data, row, 0, (size_t)wrong->the_case->size[2], scratch, scratch + n);
        for (size_t j = 0; j < n; j++) {
            double error = fabs((double)got[row * n + j] - narrow_element(wrong, row * n + j, how));
            off += !(error <= tolerance_sum(wrong->the_case->size[2], 1, scratch[n + j]));
        }
    }
    return off <= rows * n / 16;
}

/* Says which type explains the digits that are left; returns false when none does. */
static bool say_narrow(const struct lab_wrong *wrong, double *scratch, char *message, size_t message_bytes)
{
    static const struct {
        int bits;
        bool cuts;
        const char *how;
    } types[] = {{11, false, "rounded to 11 bits, as a __half keeps them"},
                 {8, false, "rounded to 8 bits, as a bfloat16 keeps them"},
                 {11, true, "cut off after 11 of its 24 bits"},
                 {8, true, "cut off after the upper 16 bits of a float"}};
    static const char *const whats[] = {"with every element of A and B ",     "with every element of A ",
                                        "with every element of B ",           "with every product ",
                                        "with the sum, after each product, ", "with the finished sum "};
    for (size_t type = 0; type < HOOKS_COUNT(types); type++)
        for (int what = FACTORS; what <= RESULTS; what++)
            if (is_narrowed(wrong, &(struct narrowing){(enum narrow)what, types[type].bits, types[type].cuts}, scratch)) {
                snprintf(message, message_bytes,
                         "Every element is near the right one. This is the result %s%s. Which line does that?", whats[what],
                         types[type].how);
                return true;
            }
    return false;
}

/* When every error is small beside sum |a b|, but larger than a float's roundings: the largest, as a share of it. Else 0. Of
 * sums so short, a product that is missing or wrong would be a larger share in some of the elements. */
#define COARSE_SHARE 0x1p-6
#define FINE_SHARE   0x1p-20
#define SHORT_SUM    40

static double coarseness(const struct lab_wrong *wrong, double *scratch)
{
    const struct lab_expected *expected = wrong->expected;
    const float *got = wrong->got;
    size_t n = (size_t)wrong->the_case->size[1], depth = (size_t)wrong->the_case->size[2];
    double worst = 0;
    if (depth > SHORT_SUM || expected->count < 64 || wrong->bad_count < expected->count / 4) {
        return 0;
    }
    for (size_t row = 0; row < (size_t)wrong->the_case->size[0]; row++) {
        product_row(wrong->the_case, wrong->data, row, 0, depth, scratch, scratch + n);
        for (size_t j = 0; j < n; j++) {
            double error = fabs((double)got[row * n + j] - scratch[j]);
            if (!(error <= COARSE_SHARE * scratch[n + j])) {
                return 0;
            }
            worst = scratch[n + j] > 0 ? fmax(worst, error / scratch[n + j]) : worst;
        }
    }
    return worst > FINE_SHARE ? worst : 0;
}

/* Is every element the same multiple of the right one? That is not a matter of digits. */
static bool is_multiple(const struct lab_wrong *wrong)
{
    const struct lab_expected *expected = wrong->expected;
    const float *got = wrong->got;
    size_t largest = 0;
    for (size_t i = 0; i < expected->count; i++) {
        largest = fabs(expected->f[i]) > fabs(expected->f[largest]) ? i : largest;
    }
    double ratio = (double)got[largest] / expected->f[largest];
    for (size_t i = 0; i < expected->count; i++) {
        if (!(fabs((double)got[i] - ratio * expected->f[i])
              <= 2 * expected->bound[i] + 4 * TOLERANCE_UNIT * fabs(expected->f[i]))) {
            return false;
        }
    }
    return true;
}

enum { A_TRANSPOSED, B_TRANSPOSED };

/* A or B read as if it were stored column by column. */
static void exchanged_product(const struct lab_wrong *wrong, size_t row, int64_t which, double *sum, double *absolute)
{
    const float *a = wrong->data->array[A].f, *b = wrong->data->array[B].f;
    size_t rows = (size_t)wrong->the_case->size[0], n = (size_t)wrong->the_case->size[1];
    size_t depth = (size_t)wrong->the_case->size[2];
    for (size_t j = 0; j < n; j++) {
        sum[j] = absolute[j] = 0;
        for (size_t k = 0; k < depth; k++) {
            double left = (double)(which == A_TRANSPOSED ? a[k * rows + row] : a[row * depth + k]);
            double product = left * (double)(which == B_TRANSPOSED ? b[j * depth + k] : b[k * n + j]);
            sum[j] += product;
            absolute[j] += fabs(product);
        }
    }
}

/* ---- infinities and NaN ------------------------------------------------------------------------------------------------ */

/* Adds "A[3][0] is inf", for the first numbers that are not finite in a row of A and a column of B. Returns how many there
 * are. */
static int say_special(const struct lab_wrong *wrong, size_t row, size_t column, char *text, size_t text_bytes)
{
    const float *a = wrong->data->array[A].f, *b = wrong->data->array[B].f;
    size_t n = (size_t)wrong->the_case->size[1], depth = (size_t)wrong->the_case->size[2], used = 0;
    int found = 0;
    text[0] = '\0';
    for (size_t k = 0; k < depth; k++)
        for (int factor = 0; factor < 2; factor++) {
            float value = factor == 0 ? a[row * depth + k] : b[k * n + column];
            if (isfinite(value))
                continue;
            if (found++ < 3)
                used += (size_t)snprintf(text + used, text_bytes - used, "%s%c[%zu][%zu] is %s", found > 1 ? ", " : "",
                                         factor == 0 ? 'A' : 'B', factor == 0 ? row : k, factor == 0 ? k : column,
                                         isnan(value) ? "NaN"
                                         : value > 0  ? "inf"
                                                      : "-inf");
        }
    return found;
}

static bool is_wrong(const struct lab_wrong *wrong, size_t i)
{
    double want = wrong->expected->f[i], got = (double)((const float *)wrong->got)[i];
    return !(isnan(want) ? isnan(got) : got == want || fabs(got - want) <= wrong->expected->bound[i]);
}

/* Where only numbers that are not finite make the difference: every wrong element is NaN and should not be, or the other way
 * round, or has such a number among its factors. */
static bool classify_special(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    const float *got = wrong->got;
    size_t n = (size_t)wrong->the_case->size[1], nan = 0, lost = 0, touched = 0, first = wrong->first_bad;
    char list[200];
    for (size_t i = 0; i < wrong->expected->count; i++) {
        if (!is_wrong(wrong, i))
            continue;
        nan += isnan(got[i]);
        lost += isnan(wrong->expected->f[i]);
        touched += say_special(wrong, i / n, i % n, list, sizeof list) > 0;
    }
    if (nan < wrong->bad_count && touched < wrong->bad_count) {
        return false;
    }
    int found = say_special(wrong, first / n, first % n, list, sizeof list);
    *pattern = "special";
    if (found == 0) {
        snprintf(
            message, message_bytes,
            "The wrong elements are NaN. Row %zu of A and column %zu of B hold neither NaN nor an infinity, other rows and "
            "columns do. Which line takes an element of these, or divides by 0?",
            first / n, first % n);
        return true;
    }
    const char *and_more = found > 3 ? ", ..." : "";
    if (lost == wrong->bad_count) {
        *pattern = "special_lost";
        snprintf(
            message, message_bytes,
            "The wrong elements should be NaN. Of the factors of C[%zu][%zu], %s%s. NaN must stay in the sum. Which line leaves a product out, or replaces a NaN?",
            first / n, first % n, list, and_more);
    } else if (nan == wrong->bad_count) {
        *pattern = "special_nan";
        snprintf(
            message, message_bytes,
            "The wrong elements are NaN. Of the factors of C[%zu][%zu], %s%s. Infinity times 0 is NaN, and so is infinity "
            "minus infinity. On which line does a NaN arise, or come in from another row or column?",
            first / n, first % n, list, and_more);
    } else {
        snprintf(
            message, message_bytes,
            "Every wrong element has NaN or an infinity among its factors; of C[%zu][%zu], %s%s. What does the kernel make of such a number?",
            first / n, first % n, list, and_more);
    }
    return true;
}

static bool classify_with(const struct lab_wrong *wrong, double *scratch, const char **pattern, char *message,
                          size_t message_bytes)
{
    const int64_t *size = wrong->the_case->size;
    int64_t tile = wrong->elements_per_block > 1 ? wrong->elements_per_block : TILE, whole = size[2] / tile * tile;
    /* A transposed C and a transposed factor are the same thing when the other factor is the identity matrix. */
    bool tells_apart = wrong->the_case->values != IDENTITY;
    int64_t first = 0;
    double off = 0;
    *pattern = "other";
    if (wrong->the_case->values == SPECIAL && classify_special(wrong, pattern, message, message_bytes))
        return true;
    if (size[2] > 1 && explains(wrong, only_first_products, size[2] - 1, scratch)) {
        /* With K = 17 that is also the last tile. */
        *pattern = "?tail";
        snprintf(message, message_bytes,
                 wrong->uses_shared && size[2] - whole == 1
                     ? "The last product of every sum is missing, that of k = %lld. Does the loop over the tiles, or "
                       "the one over k, end too early?"
                     : "The last product of every sum is missing, that of k = %lld. Where does the loop over k end?",
                 (long long)size[2] - 1);
    } else if (wrong->uses_shared && whole > 0 && whole < size[2] && explains(wrong, only_first_products, whole, scratch)) {
        *pattern = "?tail";
        snprintf(
            message, message_bytes,
            "The sums stop at k = %lld: the last, partly filled tile of K is left out. For K = %lld, how many tiles of %lld "
            "does it take?",
            (long long)whole - 1, (long long)size[2], (long long)tile);
    } else if (wrong->uses_shared && size[2] > tile && explains(wrong, only_first_products, tile, scratch)) {
        *pattern = "?one_tile";
        snprintf(
            message, message_bytes,
            "Only the first tile (k = 0..%lld) is in the sums. How many times does the loop run, and what becomes of the "
            "sum from one tile to the next?",
            (long long)tile - 1);
    } else if ((first = first_missing_product(wrong, scratch)) > (wrong->uses_shared ? tile : 1)) {
        *pattern = "?tail";
        snprintf(
            message, message_bytes,
            wrong->uses_shared
                ? "Only the products of k = 0..%lld are in the sums, and K is %lld. From k = %lld on, all are missing. Where do "
                  "the loops that should reach them end, and what do they load there?"
                : "Only the products of k = 0..%lld are in the sums, and K is %lld. From k = %lld on, all are missing. Where "
                  "does the loop over k end?",
            (long long)first - 1, (long long)size[2], (long long)first);
    } else if (wrong->uses_shared && size[2] > tile
               && explains(wrong, only_last_products, (size[2] - 1) / tile * tile, scratch)) {
        *pattern = "one_tile";
        char range[48];
        int64_t begin = (size[2] - 1) / tile * tile;
        snprintf(range, sizeof range, "k = %lld%s%.0lld", (long long)begin, begin + 1 < size[2] ? ".." : "",
                 begin + 1 < size[2] ? (long long)size[2] - 1 : 0LL);
        snprintf(message, message_bytes,
                 "Only the last tile (%s) is in the sums. What becomes of the sum from one tile to the next?", range);
    } else if (tells_apart && is_stored_by_columns(wrong)) {
        *pattern = "transposed";
        snprintf(
            message, message_bytes,
            "What belongs to C[i][j] lies where a matrix that is stored column by column has it, at i + j*M. How far apart are "
            "C[0][0] and C[0][1] in the index that the kernel computes, and how far should they be?");
    } else if (tells_apart && explains(wrong, exchanged_product, B_TRANSPOSED, scratch)) {
        *pattern = "?transposed_factor";
        snprintf(
            message, message_bytes,
            "This is the result that B[column*K + k] would give instead of B[k*N + column]. How far apart are two neighbours of a column of B?");
    } else if (tells_apart && explains(wrong, exchanged_product, A_TRANSPOSED, scratch)) {
        *pattern = "?transposed_factor";
        snprintf(
            message, message_bytes,
            "This is the result that A[k*M + row] would give instead of A[row*K + k]. How far apart are two neighbours of a row of A?");
    } else if ((off = coarseness(wrong, scratch)) > 0 && !is_multiple(wrong)) {
        *pattern = "digits";
        if (!say_narrow(wrong, scratch, message, message_bytes)) {
            snprintf(
                message, message_bytes,
                "Every element is near the right one: the errors are up to %.1g of sum |a b|, and a float's roundings would be "
                "some %.0g. Which number on the way, or which type, is not as exact as a float?",
                off, 0x1p-24);
        }
    } else {
        return false;
    }
    return true;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    double *scratch = malloc(2 * (size_t)wrong->the_case->size[1] * sizeof *scratch);
    bool known = scratch && classify_with(wrong, scratch, pattern, message, message_bytes);
    free(scratch);
    return known;
}

/* Sectors that the elements [first, first + count) of an aligned array touch. */
static int64_t sectors_of(int64_t first, int64_t count)
{
    return count <= 0 ? 0 : (first + count - 1) / 8 - first / 8 + 1;
}

/* Sectors that one warp, two rows of a tile, touches in a matrix of rows x columns: the cells (row, column..column+15) and
 * (row+1, ...) as far as they exist. The two rows share a sector when the first one ends where the second begins. */
static int64_t warp_sectors(int64_t rows, int64_t row_length, int64_t row, int64_t column)
{
    int64_t width = row_length - column < TILE ? row_length - column : TILE;
    if (row >= rows || width <= 0) {
        return 0;
    }
    int64_t first = row * row_length + column;
    int64_t sectors = sectors_of(first, width);
    if (row + 1 < rows) {
        int64_t second = first + row_length;
        sectors += sectors_of(second, width) - ((first + width - 1) / 8 == second / 8);
    }
    return sectors;
}

/* Sectors of all tiles of a matrix, each loaded once by 8 warps. */
static int64_t tile_sectors(int64_t rows, int64_t row_length)
{
    int64_t sectors = 0;
    for (int64_t row = 0; row < rows; row += 2) {
        for (int64_t column = 0; column < row_length; column += TILE) {
            sectors += warp_sectors(rows, row_length, row, column);
        }
    }
    return sectors;
}

static int64_t tiles(int64_t length)
{
    return (length + TILE - 1) / TILE;
}

/* Every tile of A is loaded once for each column of tiles of C, every tile of B once for each row of tiles. For multiples
 * of 16 this is (M N K / 16) * 2 / 8. */
double ideal_load_sectors(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan)
{
    (void)lab, (void)budget, (void)plan;
    int64_t m = the_case->size[0], n = the_case->size[1], k = the_case->size[2];
    return (double)(tile_sectors(m, k) * tiles(n) + tile_sectors(k, n) * tiles(m));
}
