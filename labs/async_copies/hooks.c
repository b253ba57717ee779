/* A filter whose next tile is copied while the present one is computed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grader/lab/hooks.h"

enum { IN, WEIGHTS_ARRAY };
enum { WEIGHTS = 16, TILE = 256, STRIP = 8192 };

/* ---- values ------------------------------------------------------------------------------------------------------- */

/* One sample is 1, in the middle, and all others are 0. The weights are different whole numbers. */
void fill_impulse(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    int64_t count = the_case->size[0] + WEIGHTS - 1;
    for (int64_t i = 0; i < count; i++)
        data->array[IN].f[i] = i == count / 2;
    int32_t first = 2 + (int32_t)lab_random_below(random, 50);
    for (int k = 0; k < WEIGHTS; k++)
        data->array[WEIGHTS_ARRAY].f[k] = (float)(first + 3 * k);
}

/* ---- wrong results ------------------------------------------------------------------------------------------------ */

struct wrong {
    const struct lab_wrong *all;
    const float *in, *weights, *got;
    int64_t n;
};

/* Wrong results that a guess explains: at least this many, and nine tenths of the wrong ones. */
enum { ENOUGH = 3 };

typedef double guess_fn(const struct wrong *wrong, int64_t i, int64_t by, bool *known);

static bool is_near(double got, double value, double bound)
{
    return fabs(got - value) <= bound + 1e-5 * fabs(value);
}

/* Does the guess explain the wrong results? One that is as right as the right value says nothing. */
static bool explains(const struct wrong *wrong, guess_fn *guess, int64_t by)
{
    int64_t explained = 0, others = 0;
    for (int64_t i = 0; i < wrong->n; i++) {
        double want = wrong->all->expected->f[i], bound = wrong->all->expected->bound[i];
        if (is_near((double)wrong->got[i], want, bound))
            continue;
        bool known = true;
        double value = guess(wrong, i, by, &known);
        bool fits = known && !is_near(value, want, bound) && is_near((double)wrong->got[i], value, bound);
        explained += fits;
        others += !fits;
    }
    return explained >= ENOUGH && explained >= 9 * others;
}

static double sum_of(const struct wrong *wrong, int64_t i, int from, int to)
{
    double sum = 0;
    for (int k = from; k < to; k++)
        sum += (double)wrong->weights[k] * (double)wrong->in[i + k];
    return sum;
}

static double moved(const struct wrong *wrong, int64_t i, int64_t by, bool *known)
{
    *known = i + by >= 0 && i + by < wrong->n;
    return *known ? wrong->all->expected->f[i + by] : 0;
}

static double backwards(const struct wrong *wrong, int64_t i, int64_t by, bool *known)
{
    (void)by, (void)known;
    double sum = 0;
    for (int k = 0; k < WEIGHTS; k++)
        sum += (double)wrong->weights[WEIGHTS - 1 - k] * (double)wrong->in[i + k];
    return sum;
}

static double without_the_last(const struct wrong *wrong, int64_t i, int64_t by, bool *known)
{
    (void)known;
    return sum_of(wrong, i, 0, WEIGHTS - (int)by);
}

static double without_the_first(const struct wrong *wrong, int64_t i, int64_t by, bool *known)
{
    (void)known;
    return sum_of(wrong, i, (int)by, WEIGHTS);
}

static double without_weights(const struct wrong *wrong, int64_t i, int64_t by, bool *known)
{
    (void)by, (void)known;
    double sum = 0;
    for (int k = 0; k < WEIGHTS; k++)
        sum += (double)wrong->in[i + k];
    return sum;
}

/* The results of the tiles before, `by` apart, are in the sum, too: it was not set to 0. */
static double carried_on(const struct wrong *wrong, int64_t i, int64_t by, bool *known)
{
    (void)known;
    double sum = 0;
    for (int64_t k = i; k >= i / STRIP * STRIP; k -= by)
        sum += wrong->all->expected->f[k];
    return sum;
}

/* Each strip has the results of the first one. */
static double of_the_first_strip(const struct wrong *wrong, int64_t i, int64_t by, bool *known)
{
    (void)by, (void)known;
    return wrong->all->expected->f[i % STRIP];
}

static bool classify_moved(const struct wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    for (int64_t by = 1; by <= STRIP; by += by < WEIGHTS ? 1 : by == WEIGHTS ? TILE - WEIGHTS : TILE) {
        int64_t sign = explains(wrong, moved, by) ? 1 : explains(wrong, moved, -by) ? -1 : 0;
        if (sign == 0)
            continue;
        bool tiles = by % TILE == 0;
        *pattern = tiles ? "stage" : "shift";
        snprintf(message, message_bytes, "The wrong results are those that belong %lld places further %s%s.", (long long)by,
                 sign > 0 ? "on" : "back",
                 tiles
                     ? ": they were computed from the samples of another tile of 256, or stored in the place of another one"
                     : "");
        return true;
    }
    return false;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *the_wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    struct wrong wrong = {the_wrong, the_wrong->data->array[IN].f, the_wrong->data->array[WEIGHTS_ARRAY].f,
                          (const float *)the_wrong->got, the_wrong->the_case->size[0]};
    if (explains(&wrong, backwards, 0)) {
        *pattern = "backwards";
        snprintf(message, message_bytes,
                 "The results are those of the weights in the opposite order: weights[15] with a result's own sample, "
                 "weights[0] with the one 15 further on.");
        return true;
    }
    if (explains(&wrong, without_weights, 0)) {
        *pattern = "weights";
        snprintf(message, message_bytes, "The results are sums of 16 samples, each with the weight 1.");
        return true;
    }
    for (int by = 1; by < WEIGHTS; by++) {
        bool last = explains(&wrong, without_the_last, by);
        if (!last && !explains(&wrong, without_the_first, by))
            continue;
        *pattern = "terms";
        if (by == 1)
            snprintf(message, message_bytes,
                     "The %s of the 16 products, that with weights[%d], is missing from the results.",
                     last ? "last" : "first", last ? WEIGHTS - 1 : 0);
        else
            snprintf(message, message_bytes, "The %s %d of the 16 products are missing from the results.",
                     last ? "last" : "first", by);
        return true;
    }
    for (int64_t by = TILE / 2; by <= 16 * TILE; by *= 2) {
        if (!explains(&wrong, carried_on, by))
            continue;
        *pattern = "carried";
        snprintf(
            message, message_bytes,
            "To each wrong result, those of the strip's results %lld, %lld ... places before it are added: the sum goes on "
            "from tile to tile.",
            (long long)by, (long long)(2 * by));
        return true;
    }
    if (explains(&wrong, of_the_first_strip, 0)) {
        *pattern = "stage";
        snprintf(message, message_bytes,
                 "Every block has the results of the first strip: they were computed from the first strip's samples.");
        return true;
    }
    return classify_moved(&wrong, pattern, message, message_bytes);
}
