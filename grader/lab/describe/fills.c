#include "grader/lab/describe/fills.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "grader/lab/types.h"

/* Stores a number into an element of any type: integers keep its whole part. */
static void store(enum lab_type type, void *array, size_t index, double value)
{
    if (types_is_float(type))
        types_set_float(type, array, index, value);
    else
        types_set_integer(type, array, index, (int64_t)value);
}

/* 53 random bits in [0, 1). */
static double fraction(struct lab_random *random)
{
    uint64_t high = lab_random_bits(random) >> 5, low = lab_random_bits(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

static void fill_uniform(enum lab_type type, void *array, size_t count, const double *numbers, struct lab_random *random)
{
    if (type == LAB_FLOAT32) {
        lab_random_fill_float(random, array, count, (float)numbers[0], (float)numbers[1]);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        double value = numbers[0] + (numbers[1] - numbers[0]) * fraction(random);
        store(type, array, i, value < numbers[1] ? value : numbers[0]);
    }
}

/* A whole number from low to high; where they are 2^32 apart or more, of 64 random bits. */
static int64_t draw_integer(struct lab_random *random, int64_t low, int64_t high)
{
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    if (span != 0 && span <= UINT32_MAX)
        return (int64_t)((uint64_t)low + lab_random_below(random, (uint32_t)span));
    uint64_t bits = (uint64_t)lab_random_bits(random) << 32 | lab_random_bits(random);
    return (int64_t)((uint64_t)low + (span == 0 ? bits : bits % span));
}

static void fill_integers(enum lab_type type, void *array, size_t count, const double *numbers, struct lab_random *random)
{
    int64_t low = (int64_t)numbers[0], high = (int64_t)numbers[1];
    if (type == LAB_INT32 && high < INT32_MAX) {
        lab_random_fill_int(random, array, count, (int32_t)low, (int32_t)high + 1);
        return;
    }
    for (size_t i = 0; i < count; i++)
        store(type, array, i, (double)draw_integer(random, low, high));
}

static void fill_constant(enum lab_type type, void *array, size_t count, const double *numbers, struct lab_random *random)
{
    (void)random;
    for (size_t i = 0; i < count; i++)
        store(type, array, i, numbers[0]);
}

static void fill_index(enum lab_type type, void *array, size_t count, const double *numbers, struct lab_random *random)
{
    (void)random;
    for (size_t i = 0; i < count; i++)
        store(type, array, i, numbers[0] + numbers[1] * (double)i);
}

static void fill_permutation(enum lab_type type, void *array, size_t count, const double *numbers, struct lab_random *random)
{
    static const double from_0[] = {0, 1};
    (void)numbers;
    fill_index(type, array, count, from_0, random);
    for (size_t i = count; i > 1; i--) { /* Fisher and Yates */
        size_t other = lab_random_below(random, (uint32_t)i);
        double a = types_get_value(type, array, i - 1), b = types_get_value(type, array, other);
        store(type, array, i - 1, b);
        store(type, array, other, a);
    }
}

static void fill_sorted(enum lab_type type, void *array, size_t count, const double *numbers, struct lab_random *random)
{
    (void)random;
    for (size_t i = 0; i < count; i++)
        store(type, array, i, floor(numbers[0] + (numbers[1] - numbers[0] + 1) * (double)i / (double)count));
}

static void fill_special(enum lab_type type, void *array, size_t count, const double *numbers, struct lab_random *random)
{
    static const double around_0[] = {-1, 1};
    static const float special[] = {INFINITY, -INFINITY, NAN, -0.0f, 0.0f, 0x1p-149f, -0x1.8p-127f, 0x1.fffffep127f};
    (void)numbers;
    fill_uniform(type, array, count, around_0, random);
    for (size_t i = 0; i < count; i++)
        if (lab_random_below(random, 2) == 0)
            store(type, array, i, (double)special[lab_random_below(random, sizeof special / sizeof *special)]);
}

static void fill_magnitudes(enum lab_type type, void *array, size_t count, const double *numbers, struct lab_random *random)
{
    static const double around_0[] = {-1, 1};
    fill_uniform(type, array, count, around_0, random);
    for (size_t i = 0; i < count; i++) {
        int most = (int)numbers[0], exponent = (int)lab_random_below(random, 2 * (uint32_t)most) - most;
        store(type, array, i, ldexp(types_get_value(type, array, i), exponent));
    }
}

static void fill_cancelling(enum lab_type type, void *array, size_t count, const double *numbers, struct lab_random *random)
{
    static const double around_0[] = {-1, 1};
    (void)numbers;
    fill_uniform(type, array, count, around_0, random);
    for (size_t i = 1; i < count; i += 2)
        store(type, array, i, -types_get_value(type, array, i - 1) * (1 + 0x1p-10));
}

static void fill_bits(enum lab_type type, void *array, size_t count, const double *numbers, struct lab_random *random)
{
    unsigned char *bytes = array;
    size_t byte_count = count * types_get(type)->bytes;
    (void)numbers;
    for (size_t i = 0; i < byte_count; i += 4) {
        uint32_t word = lab_random_bits(random);
        memcpy(bytes + i, &word, byte_count - i < 4 ? byte_count - i : 4);
    }
}

static const struct fill_kind kinds[] = {
#define FILL(name, numbers, what) {#name, numbers, fill_##name},
#include "grader/lab/describe/fills.def"
#undef FILL
};

const struct fill_kind *fills_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

const char *fills_known(void)
{
    return
#define FILL(name, numbers, what) #name ", "
#include "grader/lab/describe/fills.def"
#undef FILL
        "or a map with one of them for each array";
}
