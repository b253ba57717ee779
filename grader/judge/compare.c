#include "grader/judge/compare.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "grader/lab/random.h"

#ifdef __FAST_MATH__
#error "comparison needs NaN and infinities as IEEE 754 has them: build without -ffast-math"
#endif

/* Elements looked at in one go before asking whether any differs. Small enough to stay in the first-level cache. */
#define CHUNK 1024

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define COMPARE_FAST __attribute__((target_clones("default", "avx2")))
#else
#define COMPARE_FAST
#endif

/* How one element compares: error and error in bounds. */
struct element_error {
    double error;
    double in_bounds;
    bool accepted, finite;
};

static struct element_error float_error(float got, double want, const double *bound)
{
    struct element_error result = {0, 0, true, true};
    if (bound && *bound == LAB_NOT_COMPARED) {
        return result;
    }
    if (isnan(want) || isinf(want) || !isfinite(got)) {
        result.accepted = isnan(want) ? isnan(got) : (double)got == want;
        result.finite = result.accepted;
        result.in_bounds = result.accepted ? 0 : (double)INFINITY;
        return result;
    }
    result.error = fabs((double)got - want);
    if (result.error == 0) {
        return result;
    }
    double limit = !bound ? 0 : *bound;
    result.accepted = result.error <= limit;
    result.in_bounds = limit > 0 ? result.error / limit : (double)INFINITY;
    return result;
}

static void record(struct compare_result *result, size_t index, const struct element_error *error)
{
    if (error->error > result->worst_error) {
        result->worst_error = error->error;
    }
    if (error->in_bounds > result->worst_in_bounds) {
        result->worst_in_bounds = error->in_bounds;
        result->worst_index = index;
    }
    if (!error->accepted) {
        result->first_bad = result->bad_count == 0 ? index : result->first_bad;
        result->last_bad = index;
        result->bad_count++;
        result->not_finite_count += !error->finite;
    }
}

/* Whether got[0, CHUNK) equals want bit for value. NaN makes it differ, which the slow path then sorts out. The trip count
 * is a constant and there is no early exit, so that the compiler can use vectors. */
COMPARE_FAST static int chunk_differs(const float *got, const double *want)
{
    int64_t differs = 0;
    for (size_t i = 0; i < CHUNK; i++) {
        differs |= -(int64_t)!((double)got[i] == want[i]);
    }
    return differs != 0;
}

static void compare_floats(const struct lab_expected *expected, const float *got, struct compare_result *result)
{
    for (size_t start = 0; start < expected->count; start += CHUNK) {
        size_t end = expected->count - start < CHUNK ? expected->count : start + CHUNK;
        if (end - start == CHUNK && !chunk_differs(got + start, expected->f + start)) {
            continue;
        }
        for (size_t i = start; i < end; i++) {
            const double *bound = !expected->bound ? NULL : expected->bound + i;
            struct element_error error = float_error(got[i], expected->f[i], bound);
            if (error.in_bounds > 0) {
                record(result, i, &error);
            }
        }
    }
}

static void compare_integers(const struct lab_expected *expected, const int32_t *got, struct compare_result *result)
{
    for (size_t start = 0; start < expected->count; start += CHUNK) {
        size_t end = expected->count - start < CHUNK ? expected->count : start + CHUNK;
        if (memcmp(got + start, expected->i + start, (end - start) * sizeof *got) == 0) {
            continue;
        }
        for (size_t i = start; i < end; i++) {
            if (got[i] != expected->i[i]) {
                struct element_error error = {fabs((double)got[i] - (double)expected->i[i]), (double)INFINITY, false, true};
                record(result, i, &error);
            }
        }
    }
}

size_t compare_output(const struct lab_expected *expected, const void *got, struct compare_result *result)
{
    assert((expected->i != NULL) != (expected->f != NULL));
    *result = (struct compare_result){.count = expected->count, .first_bad = expected->count, .last_bad = expected->count};
    if (expected->f) {
        compare_floats(expected, got, result);
    } else {
        compare_integers(expected, got, result);
    }
    return result->bad_count;
}

bool compare_element(const struct lab_expected *expected, const void *got, size_t index)
{
    assert(index < expected->count);
    if (!expected->f) {
        return ((const int32_t *)got)[index] == expected->i[index];
    }
    const double *bound = !expected->bound ? NULL : expected->bound + index;
    return float_error(((const float *)got)[index], expected->f[index], bound).accepted;
}

void compare_find_unwritten(const void *got, size_t count, uint64_t key, size_t first, const struct lab_expected *expected,
                            struct compare_unwritten *unwritten)
{
    *unwritten = (struct compare_unwritten){0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char *)got + i * sizeof word, sizeof word);
        if (word != random_poison(key, first + i) || (expected && compare_element(expected, got, i))) {
            continue;
        }
        unwritten->first = unwritten->count == 0 ? i : unwritten->first;
        unwritten->last = i;
        unwritten->count++;
    }
}
