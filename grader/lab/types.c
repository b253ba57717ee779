#include "grader/lab/types.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct types_row rows[LAB_TYPE_COUNT] = {
#define TYPE(identifier, name, c, ptx, bytes, kind, digits, least) \
    [LAB_##identifier] = {name, c, ptx, bytes, TYPES_##kind, digits, least},
#include "grader/lab/types.def"
#undef TYPE
};

const struct types_row *types_get(enum lab_type type)
{
    assert(type > LAB_NO_TYPE && type < LAB_TYPE_COUNT);
    return &rows[type];
}

enum lab_type types_find(const char *word)
{
    for (int type = LAB_NO_TYPE + 1; type < LAB_TYPE_COUNT; type++)
        if (strcmp(rows[type].name, word) == 0 || strcmp(rows[type].c, word) == 0)
            return (enum lab_type)type;
    return LAB_NO_TYPE;
}

bool types_is_float(enum lab_type type)
{
    return types_get(type)->kind == TYPES_FLOAT;
}

/* ---- bits --------------------------------------------------------------------------------------------------------- */

/* The host is little-endian, as the device is. */
static uint64_t load_bits(const struct types_row *row, const void *array, size_t index)
{
    uint64_t bits = 0;
    memcpy(&bits, (const char *)array + index * row->bytes, row->bytes);
    return bits;
}

static void store_bits(const struct types_row *row, void *array, size_t index, uint64_t bits)
{
    memcpy((char *)array + index * row->bytes, &bits, row->bytes);
}

/* Exponent of the last digit of a number of that magnitude: no number of the type lies between two multiples of 2^it. */
static int last_digit(const struct types_row *row, double magnitude)
{
    int exponent;
    frexp(magnitude, &exponent); /* magnitude < 2^exponent */
    return magnitude > 0 && exponent - row->digits > row->least ? exponent - row->digits : row->least;
}

/* All numbers are below 2 to this power. */
static int power_above(const struct types_row *row)
{
    return 3 - row->least - row->digits; /* emax + 1, where emin = 1 - emax and least = emin - (digits - 1) */
}

static uint64_t encode(const struct types_row *row, double value)
{
    int fraction_bits = row->digits - 1;
    uint64_t sign = signbit(value) ? UINT64_C(1) << (8 * row->bytes - 1) : 0;
    uint64_t infinity = ((UINT64_C(1) << (8 * row->bytes - 1 - (unsigned)fraction_bits)) - 1) << fraction_bits;
    double magnitude = fabs(value);
    if (isnan(value))
        return sign | infinity | UINT64_C(1) << (fraction_bits - 1);
    if (isinf(value))
        return sign | infinity;
    int last = last_digit(row, magnitude);
    uint64_t digits = (uint64_t)ldexp(magnitude, -last);
    /* Biased exponent 1 has the last digit `least`; without the leading 1 the number is subnormal, exponent 0. */
    return sign | (digits + ((uint64_t)(last - row->least) << fraction_bits));
}

static double decode(const struct types_row *row, uint64_t bits)
{
    int fraction_bits = row->digits - 1, exponent_bits = (int)(8 * row->bytes) - row->digits;
    uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    uint64_t exponent = bits >> fraction_bits & ((UINT64_C(1) << exponent_bits) - 1);
    double sign = bits >> (8 * row->bytes - 1) & 1 ? -1.0 : 1.0;
    if (exponent == (UINT64_C(1) << exponent_bits) - 1)
        return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp((double)fraction, row->least);
    return sign * ldexp((double)(fraction | UINT64_C(1) << fraction_bits), row->least + (int)exponent - 1);
}

/* ---- elements ----------------------------------------------------------------------------------------------------- */

static int64_t extend(const struct types_row *row, uint64_t bits)
{
    unsigned unused = 64 - 8 * row->bytes;
    return row->kind == TYPES_SIGNED ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
}

int64_t types_get_integer(enum lab_type type, const void *array, size_t index)
{
    const struct types_row *row = types_get(type);
    assert(row->kind != TYPES_FLOAT);
    return extend(row, load_bits(row, array, index));
}

double types_get_float(enum lab_type type, const void *array, size_t index)
{
    if (type == LAB_FLOAT32) /* nearly all: no detour */
        return (double)((const float *)array)[index];
    if (type == LAB_FLOAT64)
        return ((const double *)array)[index];
    const struct types_row *row = types_get(type);
    assert(row->kind == TYPES_FLOAT);
    return decode(row, load_bits(row, array, index));
}

double types_integer_value(enum lab_type type, int64_t integer)
{
    return types_get(type)->kind == TYPES_UNSIGNED ? (double)(uint64_t)integer : (double)integer;
}

double types_get_value(enum lab_type type, const void *array, size_t index)
{
    if (types_is_float(type))
        return types_get_float(type, array, index);
    return types_integer_value(type, types_get_integer(type, array, index));
}

void types_set_integer(enum lab_type type, void *array, size_t index, int64_t value)
{
    assert(!types_is_float(type));
    store_bits(types_get(type), array, index, (uint64_t)value);
}

void types_set_float(enum lab_type type, void *array, size_t index, double value)
{
    if (type == LAB_FLOAT32) {
        ((float *)array)[index] = (float)value;
        return;
    }
    assert(types_is_float(type));
    store_bits(types_get(type), array, index, encode(types_get(type), types_round(type, value)));
}

/* ---- numbers of a float type -------------------------------------------------------------------------------------- */

double types_round(enum lab_type type, double value)
{
    const struct types_row *row = types_get(type);
    if (!isfinite(value) || value == 0)
        return value;
    int last = last_digit(row, fabs(value));
    double rounded = ldexp(rint(ldexp(value, -last)), last); /* rint: to nearest, ties to even, the default direction */
    return fabs(rounded) >= ldexp(1.0, power_above(row) - 1) * 2 ? copysign((double)INFINITY, value) : rounded;
}

double types_next(enum lab_type type, double value, double toward)
{
    const struct types_row *row = types_get(type);
    if (type == LAB_FLOAT64)
        return nextafter(value, toward);
    if (isnan(value) || isnan(toward) || value == toward)
        return isnan(toward) ? toward : value;
    if (value == 0)
        return copysign(ldexp(1.0, row->least), toward);
    bool away = (toward > value) == (value > 0);
    if (isinf(value)) /* the largest number: all digits 1 */
        return copysign(ldexp(ldexp(1.0, row->digits) - 1, power_above(row) - row->digits), value);
    double step = ldexp(1.0, last_digit(row, fabs(value)));
    /* Just above a power of two numbers are twice as far apart as just below it. */
    if (!away)
        step = ldexp(1.0, last_digit(row, fabs(value) - step / 2));
    return types_round(type, value + copysign(step, toward - value));
}

double types_unit(enum lab_type type)
{
    return ldexp(1.0, -types_get(type)->digits);
}

void types_format_integer(enum lab_type type, int64_t integer, char *text, size_t text_bytes)
{
    if (types_get(type)->kind == TYPES_UNSIGNED)
        snprintf(text, text_bytes, "%" PRIu64, (uint64_t)integer);
    else
        snprintf(text, text_bytes, "%" PRId64, integer);
}

/* log10(2) */
#define DECIMAL_OF_BINARY 0.30102999566398120

int types_decimal_digits(enum lab_type type)
{
    return (int)(types_get(type)->digits * DECIMAL_OF_BINARY);
}

void types_format_float(enum lab_type type, double value, char *text, size_t text_bytes)
{
    int digits = 1 + (int)ceil(types_get(type)->digits * DECIMAL_OF_BINARY);
    if (isnan(value))
        snprintf(text, text_bytes, "NaN");
    else
        snprintf(text, text_bytes, "%.*g", digits, value);
}
