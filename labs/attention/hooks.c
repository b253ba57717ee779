/* Attention in one pass over keys and values. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grader/lab/hooks.h"
#include "grader/lab/tolerance.h"

enum { Q, K, V, OUT };
enum { HEAD = 64, TILE = 32, BLOCK = 64, WARP = 32 };

/* One query: its scores with all keys, and what follows from them. */
struct query {
    int64_t index, keys;
    const float *q, *k, *v;
    double *scores;      /* [keys] owned */
    double maximum, sum; /* of e^(score - maximum) */
    double *running;     /* [keys] the largest score up to the end of the piece that the key belongs to; owned */
};

static double dot_of(const float *a, const float *b)
{
    double dot = 0;
    for (int d = 0; d < HEAD; d++)
        dot += (double)a[d] * (double)b[d];
    return dot;
}

static bool query_init(struct query *query, const struct lab_case *the_case, const struct lab_data *data, int64_t index)
{
    *query = (struct query){index,
                            the_case->size[1],
                            data->array[Q].f + index * HEAD,
                            data->array[K].f,
                            data->array[V].f,
                            malloc((size_t)the_case->size[1] * sizeof(double)),
                            -INFINITY,
                            0,
                            malloc((size_t)the_case->size[1] * sizeof(double))};
    if (!query->scores || !query->running)
        return false;
    for (int64_t j = 0; j < query->keys; j++) {
        query->scores[j] = dot_of(query->q, query->k + j * HEAD) / 8;
        query->maximum = fmax(query->maximum, query->scores[j]);
    }
    for (int64_t j = 0; j < query->keys; j++)
        query->sum += exp(query->scores[j] - query->maximum);
    return true;
}

static void query_clear(struct query *query)
{
    free(query->scores);
    free(query->running);
}

/* What a kernel knows of the maximum that looks at it after each `piece` keys. */
static void run_maximum(struct query *query, int64_t piece)
{
    double largest = -INFINITY;
    for (int64_t from = 0; from < query->keys; from += piece) {
        int64_t end = from + piece < query->keys ? from + piece : query->keys;
        for (int64_t j = from; j < end; j++)
            largest = fmax(largest, query->scores[j]);
        for (int64_t j = from; j < end; j++)
            query->running[j] = largest;
    }
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

/* With q[i][0] = 8, what is added to k[j][0] is added to the score. */
static void set_first(struct lab_data *data, const struct lab_case *the_case)
{
    for (int64_t i = 0; i < the_case->size[0]; i++)
        data->array[Q].f[i * HEAD] = 8;
}

void fill_below(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab, (void)random;
    set_first(data, the_case);
    for (int64_t j = 0; j < the_case->size[1]; j++)
        data->array[K].f[j * HEAD] -= 1000;
}

/* The scores rise by 300 along the first half of the keys and stay there: what is added up with a maximum of the first quarter
 * would become infinite, and all keys of the second half have a share in the result. */
void fill_rising(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab, (void)random;
    set_first(data, the_case);
    for (int64_t j = 0; j < the_case->size[1]; j++)
        data->array[K].f[j * HEAD] += fminf(600 * (float)j / (float)the_case->size[1], 300) - 150;
}

/* Neighbouring queries are at least 600 apart: with the maximum of another one, every weight is 0 or infinite. */
void fill_levels(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    for (int64_t i = 0; i < the_case->size[0]; i++) {
        float level = lab_random_float(random, 300, 1000);
        data->array[Q].f[i * HEAD] = i % 2 == 0 ? level : -level;
    }
    for (int64_t j = 0; j < the_case->size[1]; j++)
        data->array[K].f[j * HEAD] = 8;
}

/* ---- the right results ---------------------------------------------------------------------------------------------- */

/* What a weight e^(score - m) may be off by, relative to itself: the score is a sum of 64 products, and the difference and the
 * power are off by up to 4 (1 + |score - m|) u, as in the lab on softmax. */
static double weight_error(const struct query *query, int64_t j)
{
    double absolute = 0, distance = query->maximum - query->scores[j];
    for (int d = 0; d < HEAD; d++)
        absolute += fabs((double)query->q[d] * (double)query->k[j * HEAD + d]);
    return tolerance_sum(HEAD, 2, absolute / 8) + 4 * (1 + distance) * TOLERANCE_UNIT;
}

/* A key goes into a sum with a product and an addition, and the sum may be rescaled each time: a product, and 4 for the power. */
#define ROUNDINGS_EACH 7
/* The quotient, or a product with a reciprocal; __fdividef is off by 2 units in the last place. */
#define QUOTIENT_ROUNDINGS 4

/* The result is sum w v / sum w. A weight that is off by the factor 1 + e moves it by w (v - result) e / sum w: that is less than
 * w (|v| + |result|) e / sum w. */
void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                    const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)plan, (void)output;
    double roundings = tolerance_relative((double)(ROUNDINGS_EACH * the_case->size[1]));
    for (int64_t i = 0; i < the_case->size[0]; i++) {
        struct query query;
        double mean[HEAD] = {0}, absolute[HEAD] = {0}, moved[HEAD] = {0}, shifted = 0;
        if (!query_init(&query, the_case, data, i))
            abort(); /* of a few kilobytes */
        for (int64_t j = 0; j < query.keys; j++) {
            double share = exp(query.scores[j] - query.maximum) / query.sum, error = weight_error(&query, j);
            shifted += share * error;
            for (int d = 0; d < HEAD; d++) {
                double value = (double)query.v[j * HEAD + d];
                mean[d] += share * value;
                absolute[d] += share * fabs(value);
                moved[d] += share * fabs(value) * error;
            }
        }
        for (int d = 0; d < HEAD; d++) {
            expected->f[i * HEAD + d] = mean[d];
            expected->bound[i * HEAD + d] = moved[d] + fabs(mean[d]) * (shifted + roundings) + absolute[d] * roundings
                                            + fabs(mean[d]) * QUOTIENT_ROUNDINGS * TOLERANCE_UNIT
                                            + 16 * (double)FLT_TRUE_MIN;
        }
        query_clear(&query);
    }
    expected->rule =
        "for each weight the error of its score, a sum of 64 products, and 4 (1 + |score - maximum|) u; 6 sqrt(7 keys) u "
        "for each of the two sums and 4 u for the quotient, where u = 2^-24";
}

/* ---- wrong results -------------------------------------------------------------------------------------------------- */

/* The row of the first wrong element. */
struct wrong_row {
    struct query query;
    const float *got;
    const double *want;
};

/* The weight that a kernel with one mistake gives to key j. */
typedef double weight_fn(const struct query *query, int64_t j);

static bool is_near(double got, double value, double scale)
{
    return fabs(got - value) <= 5e-5 * (fabs(value) + 0.05 * scale);
}

/* Is the row what the weights would give, divided by `divisor`, or by their sum where that is 0? */
static bool is_mean(const struct wrong_row *wrong, weight_fn *weight, const float *values, double divisor)
{
    double mean[HEAD] = {0}, sum = 0, scale = 0, difference = 0;
    for (int64_t j = 0; j < wrong->query.keys; j++) {
        double w = weight(&wrong->query, j);
        sum += w;
        for (int d = 0; d < HEAD; d++)
            mean[d] += w * (double)values[j * HEAD + d];
    }
    if (divisor == 0)
        divisor = sum;
    for (int d = 0; d < HEAD; d++) {
        mean[d] /= divisor;
        scale = fmax(scale, fabs(mean[d]));
        difference = fmax(difference, fabs(mean[d] - wrong->want[d]));
    }
    if (!isfinite(scale) || difference <= 0.01 * scale)
        return false;
    for (int d = 0; d < HEAD; d++)
        if (!isfinite(wrong->got[d]) || !is_near((double)wrong->got[d], mean[d], scale))
            return false;
    return true;
}

static double right_weight(const struct query *query, int64_t j)
{
    return exp(query->scores[j] - query->maximum);
}

static double unscaled_weight(const struct query *query, int64_t j)
{
    return exp(8 * (query->scores[j] - query->maximum));
}

static double divided_by_head(const struct query *query, int64_t j)
{
    return exp((query->scores[j] - query->maximum) / 8);
}

static double power_of_two(const struct query *query, int64_t j)
{
    return exp2(query->scores[j] - query->maximum);
}

static double equal_weight(const struct query *query, int64_t j)
{
    (void)query, (void)j;
    return 1;
}

static double score_alone(const struct query *query, int64_t j)
{
    return query->scores[j];
}

/* With the maximum of the time when the key was added. */
static double weight_then(const struct query *query, int64_t j)
{
    return exp(query->scores[j] - query->running[j]);
}

static double sum_then(const struct query *query)
{
    double sum = 0;
    for (int64_t j = 0; j < query->keys; j++)
        sum += weight_then(query, j);
    return sum;
}

static double first_tile(const struct query *query, int64_t j)
{
    return j < TILE ? right_weight(query, j) : 0;
}

static double first_64(const struct query *query, int64_t j)
{
    return j < 2 * TILE ? right_weight(query, j) : 0;
}

static double whole_tiles(const struct query *query, int64_t j)
{
    return j < query->keys / TILE * TILE ? right_weight(query, j) : 0;
}

static double last_tile(const struct query *query, int64_t j)
{
    return j >= (query->keys - 1) / TILE * TILE ? right_weight(query, j) : 0;
}

static double without_first(const struct query *query, int64_t j)
{
    return j > 0 ? right_weight(query, j) : 0;
}

static double without_last(const struct query *query, int64_t j)
{
    return j + 1 < query->keys ? right_weight(query, j) : 0;
}

/* Keys from the end of the matrix up to the tile's, all of them 0: their scores are 0, their weights are not. */
static bool counts_absent_keys(const struct wrong_row *wrong, double *extra)
{
    int64_t absent = (wrong->query.keys + TILE - 1) / TILE * TILE - wrong->query.keys;
    *extra = (double)absent;
    if (absent == 0)
        return false;
    double top = fmax(wrong->query.maximum, 0), sum = (double)absent * exp(-top), scale = 0;
    double mean[HEAD] = {0};
    for (int64_t j = 0; j < wrong->query.keys; j++) {
        double w = exp(wrong->query.scores[j] - top);
        sum += w;
        for (int d = 0; d < HEAD; d++)
            mean[d] += w * (double)wrong->query.v[j * HEAD + d];
    }
    for (int d = 0; d < HEAD; d++)
        scale = fmax(scale, fabs(wrong->want[d]));
    for (int d = 0; d < HEAD; d++)
        if (!isfinite(wrong->got[d]) || !is_near((double)wrong->got[d], mean[d] / sum, scale)
            || (fabs(wrong->want[d]) > 0.1 * scale && is_near((double)wrong->got[d], wrong->want[d], 0)))
            return false;
    return true;
}

/* The factor by which all 64 results are off, or 0. */
static double common_factor(const struct wrong_row *wrong)
{
    double scale = 0, got = 0, want = 0;
    for (int d = 0; d < HEAD; d++) {
        if (!isfinite(wrong->got[d]))
            return 0;
        scale = fmax(scale, fabs(wrong->want[d]));
        got += fabs((double)wrong->got[d]);
        want += fabs(wrong->want[d]);
    }
    double factor = want > 0 ? got / want : 0;
    if (!(factor > 0) || fabs(factor - 1) < 1e-4)
        return 0;
    for (int d = 0; d < HEAD; d++)
        if (!is_near((double)wrong->got[d], factor * wrong->want[d], factor * scale))
            return 0;
    return factor;
}

static bool classify_not_finite(const struct wrong_row *wrong, const char **pattern, char *message, size_t message_bytes)
{
    int64_t bad = 0;
    double least = INFINITY;
    const char *what = "NaN";
    for (int d = 0; d < HEAD; d++) {
        bad += !isfinite(wrong->got[d]);
        if (isinf(wrong->got[d]))
            what = "infinite";
    }
    if (bad == 0)
        return false;
    for (int64_t j = 0; j < wrong->query.keys; j++)
        least = fmin(least, wrong->query.scores[j]);
    if (wrong->query.maximum > 80 || wrong->query.maximum < -80) {
        *pattern = "overflow";
        snprintf(
            message, message_bytes,
            "%lld of the 64 results of query %lld are %s. Its scores go from %.4g to %.4g; a float has room for e^x only "
            "between e^-103 and e^88. With which number is the difference taken before the power?",
            (long long)bad, (long long)wrong->query.index, what, least + 0.0, wrong->query.maximum + 0.0);
    } else {
        *pattern = "special_nan";
        snprintf(
            message, message_bytes,
            "%lld of the 64 results of query %lld are %s, though its scores only go from %.4g to %.4g: e^x is neither 0 "
            "nor infinite for any of them. 0 / 0 is NaN, and so are infinity minus infinity and 0 times infinity.",
            (long long)bad, (long long)wrong->query.index, what, least + 0.0, wrong->query.maximum + 0.0);
    }
    return true;
}

/* Sums in which what was added with a smaller maximum stayed as it was. */
static bool classify_rescaling(struct wrong_row *wrong, const char **pattern, char *message, size_t message_bytes)
{
    double factor = common_factor(wrong);
    const char *what = NULL;
    for (int64_t piece = 1; !what && piece <= BLOCK; piece *= 2) {
        run_maximum(&wrong->query, piece);
        double then = sum_then(&wrong->query);
        if (fabs(then / wrong->query.sum - 1) < 1e-3)
            continue; /* no larger maximum came */
        if (factor > 0 && fabs(factor * then / wrong->query.sum - 1) < 1e-4)
            what = "the 64 weighed sums became smaller when a larger score came, and the sum of the weights did not";
        else if (is_mean(wrong, weight_then, wrong->query.v, wrong->query.sum))
            what = "the sum of the weights became smaller when a larger score came, and the 64 weighed sums did not";
        else if (is_mean(wrong, weight_then, wrong->query.v, 0))
            what = "neither the sum of the weights nor the 64 weighed sums became smaller when a larger score came";
    }
    if (!what)
        return false;
    *pattern = "rescaling";
    snprintf(message, message_bytes, "Query %lld has what comes out if %s.", (long long)wrong->query.index, what);
    return true;
}

static bool classify_factor(const struct wrong_row *wrong, const char **pattern, char *message, size_t message_bytes)
{
    double factor = common_factor(wrong);
    if (factor == 0)
        return false;
    bool undivided = fabs(factor / wrong->query.sum - 1) < 1e-4;
    *pattern = undivided ? "not_divided" : "factor";
    if (undivided)
        snprintf(message, message_bytes,
                 "All 64 results of query %lld are %.6g times what they should be. That is the sum of its weights: the "
                 "division by it is missing.",
                 (long long)wrong->query.index, factor);
    else
        snprintf(message, message_bytes,
                 "All 64 results of query %lld are %.6g times what they should be. They are in the right proportion to each "
                 "other, so the weighed sums are those of one set of weights, and what they are divided by is the sum of "
                 "another one.",
                 (long long)wrong->query.index, factor);
    return true;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *the_wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    static const struct {
        weight_fn *weight;
        const char *pattern, *what;
    } known[] = {
        {unscaled_weight, "scale", "what scores without the division by 8 would give"},
        {divided_by_head, "scale", "what scores divided by 64 instead of by 8 would give"},
        {power_of_two, "base", "what powers of 2 instead of powers of e would give"},
        {equal_weight, "weights", "the plain mean of all values: every key has the same weight, whatever its score"},
        {score_alone, "weights", "what the scores themselves would give as weights: no power of e was taken"},
        {first_tile, "tiles", "what the first 32 keys alone would give"},
        {first_64, "tiles", "what the first 64 keys alone would give"},
        {whole_tiles, "tiles", "what whole tiles of 32 keys alone would give: the last few keys are left out"},
        {last_tile, "tiles", "what the last tile of 32 keys alone would give: what came before it is lost"},
        {without_first, "tiles", "what all keys but the first would give"},
        {without_last, "tiles", "what all keys but the last would give"},
    };
    int64_t first = (int64_t)the_wrong->first_bad / HEAD, start = first * HEAD;
    struct wrong_row wrong = {.got = (const float *)the_wrong->got + start, .want = the_wrong->expected->f + start};
    double absent = 0;
    bool found = false;
    if (!query_init(&wrong.query, the_wrong->the_case, the_wrong->data, first))
        return false;
    found = classify_not_finite(&wrong, pattern, message, message_bytes);
    if (!found && counts_absent_keys(&wrong, &absent)) {
        *pattern = "absent";
        snprintf(
            message, message_bytes,
            "Query %lld has what %.0f more keys would give, each with the score 0 and the value 0: the last tile is filled up "
            "with them, and they do not exist.",
            (long long)first, absent);
        found = true;
    }
    found = found || classify_rescaling(&wrong, pattern, message, message_bytes)
            || classify_factor(&wrong, pattern, message, message_bytes);
    int fits = -1;
    bool doubt = false; /* where one key has nearly all of the weight, several mistakes come to the same */
    for (int w = 0; !found && w < HOOKS_COUNT(known); w++) {
        if (!is_mean(&wrong, known[w].weight, wrong.query.v, 0))
            continue;
        doubt |= fits >= 0;
        fits = fits < 0 ? w : fits;
    }
    if (fits >= 0 && !doubt) {
        *pattern = known[fits].pattern;
        snprintf(message, message_bytes, "Query %lld has %s.", (long long)first, known[fits].what);
        found = true;
    }
    if (!found && is_mean(&wrong, right_weight, wrong.query.k, 0)) {
        *pattern = "values";
        snprintf(message, message_bytes,
                 "Query %lld has the mean of the rows of k, weighed as it should be: the rows of v are asked for.",
                 (long long)first);
        found = true;
    }
    query_clear(&wrong.query);
    return found;
}
