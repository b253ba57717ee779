#include "grader/lab/compare.h"

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

static struct element_error float_error(double got, double want, const double *bound)
{
    struct element_error result = {0, 0, true, true};
    if (bound && *bound == LAB_NOT_COMPARED) {
        return result;
    }
    if (isnan(want) || isinf(want) || !isfinite(got)) {
        result.accepted = isnan(want) ? isnan(got) : got == want;
        result.finite = result.accepted;
        result.in_bounds = result.accepted ? 0 : (double)INFINITY;
        return result;
    }
    result.error = fabs(got - want);
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
 * is a constant and there is no early exit, so that the compiler can use vectors: for the two types that nearly all
 * outputs have. */
COMPARE_FAST static int float_chunk_differs(const float *got, const double *want)
{
    int64_t differs = 0;
    for (size_t i = 0; i < CHUNK; i++) {
        differs |= -(int64_t)!((double)got[i] == want[i]);
    }
    return differs != 0;
}

COMPARE_FAST static int int_chunk_differs(const int32_t *got, const int64_t *want)
{
    int64_t differs = 0;
    for (size_t i = 0; i < CHUNK; i++) {
        differs |= (int64_t)got[i] ^ want[i];
    }
    return differs != 0;
}

/* Of a whole chunk; false: look at each element. */
static bool is_chunk_equal(const struct lab_expected *expected, const void *got, size_t start)
{
    if (expected->type == LAB_FLOAT32) {
        return !float_chunk_differs((const float *)got + start, expected->f + start);
    }
    return expected->type == LAB_INT32 && !int_chunk_differs((const int32_t *)got + start, expected->i + start);
}

static void compare_floats(const struct lab_expected *expected, const void *got, struct compare_result *result)
{
    for (size_t start = 0; start < expected->count; start += CHUNK) {
        size_t end = expected->count - start < CHUNK ? expected->count : start + CHUNK;
        if (end - start == CHUNK && is_chunk_equal(expected, got, start)) {
            continue;
        }
        for (size_t i = start; i < end; i++) {
            const double *bound = !expected->bound ? NULL : expected->bound + i;
            struct element_error error = float_error(types_get_float(expected->type, got, i), expected->f[i], bound);
            if (error.in_bounds > 0) {
                record(result, i, &error);
            }
        }
    }
}

/* |got - want|, of integers as wide as they come. */
static double distance(enum lab_type type, int64_t got, int64_t want)
{
    bool larger = types_get(type)->kind == TYPES_UNSIGNED ? (uint64_t)got > (uint64_t)want : got > want;
    return (double)(larger ? (uint64_t)got - (uint64_t)want : (uint64_t)want - (uint64_t)got);
}

static void compare_integers(const struct lab_expected *expected, const void *got, struct compare_result *result)
{
    for (size_t start = 0; start < expected->count; start += CHUNK) {
        size_t end = expected->count - start < CHUNK ? expected->count : start + CHUNK;
        if (end - start == CHUNK && is_chunk_equal(expected, got, start)) {
            continue;
        }
        for (size_t i = start; i < end; i++) {
            int64_t own = types_get_integer(expected->type, got, i), want = expected->i[i];
            if (own != want) {
                struct element_error error = {distance(expected->type, own, want), (double)INFINITY, false, true};
                record(result, i, &error);
            }
        }
    }
}

size_t compare_output(const struct lab_expected *expected, const void *got, struct compare_result *result)
{
    assert((expected->i != NULL) != (expected->f != NULL) && types_is_float(expected->type) == (expected->f != NULL));
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
        return types_get_integer(expected->type, got, index) == expected->i[index];
    }
    const double *bound = !expected->bound ? NULL : expected->bound + index;
    return float_error(types_get_float(expected->type, got, index), expected->f[index], bound).accepted;
}

/* What one look at the elements goes by. */
struct poisoned {
    const void *got;
    const struct lab_expected *expected; /* NULL: none */
    size_t bytes, count, first;
    uint64_t key;
};

static bool holds_poison(const struct poisoned *array, size_t i)
{
    return random_is_poison(array->key, array->bytes, array->first + i, (const char *)array->got + i * array->bytes)
           && !(array->expected && compare_element(array->expected, array->got, i));
}

/* Does all of the word of 4 bytes hold poison in which the element lies? */
static bool holds_whole_word(const struct poisoned *array, size_t i)
{
    size_t a_word = 4 / array->bytes, place = (array->first + i) % a_word;
    if (place > i || i - place + a_word > array->count) {
        return false;
    }
    for (size_t k = i - place; k < i - place + a_word; k++) {
        if (!random_is_poison(array->key, array->bytes, array->first + k, (const char *)array->got + k * array->bytes)) {
            return false;
        }
    }
    return true;
}

/* Do so many elements hold poison, and all that are wrong, that it cannot be an accident? */
static bool holds_all(const struct poisoned *array)
{
    size_t held = 0;
    for (size_t i = 0; i < array->count; i++) {
        bool holds = holds_poison(array, i);
        held += holds;
        if (!holds && !(array->expected && compare_element(array->expected, array->got, i))) {
            return false;
        }
    }
    return held * array->bytes >= 4;
}

/* The end of the elements from i on that hold poison, one after the other. */
static size_t end_of_poison(const struct poisoned *array, size_t i)
{
    while (i < array->count && holds_poison(array, i)) {
        i++;
    }
    return i;
}

void compare_find_unwritten(const void *got, enum lab_type type, size_t count, uint64_t key, size_t first,
                            const struct lab_expected *expected, struct compare_unwritten *unwritten)
{
    struct poisoned array = {got, expected, types_get(type)->bytes, count, first, key};
    *unwritten = (struct compare_unwritten){0, 0, 0};
    bool sure = array.bytes >= 4 || holds_all(&array);
    for (size_t i = 0; i < count; i++) {
        size_t end = end_of_poison(&array, i);
        bool known = sure;
        if (end == i) {
            continue;
        }
        for (size_t k = i; k < end && !known; k++) {
            known = holds_whole_word(&array, k);
        }
        if (known) {
            unwritten->first = unwritten->count == 0 ? i : unwritten->first;
            unwritten->last = end - 1;
            unwritten->count += end - i;
        }
        i = end;
    }
}
