#include "runtime/emulator/arithmetic/texel.h"

#include <math.h>
#include <string.h>

#include "runtime/emulator/arithmetic/half_math.h"

/* Coordinates beyond this are outside of every texture. */
static const float FARTHEST = 1 << 24;

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The texel that `index` stands for; only normalised coordinates repeat or mirror the texture. */
static int64_t inside(int64_t index, const struct texel_axis *axis)
{
    int64_t size = axis->size;
    if (index >= 0 && index < size)
        return index;
    if (axis->outside == TEXEL_BORDER)
        return -1;
    if (axis->normalized && axis->outside == TEXEL_WRAP) {
        index %= size;
        return index < 0 ? index + size : index;
    }
    if (axis->normalized && axis->outside == TEXEL_MIRROR) {
        index %= 2 * size;
        index = index < 0 ? index + 2 * size : index;
        return index < size ? index : 2 * size - 1 - index;
    }
    return index < 0 ? 0 : size - 1;
}

/* Normalised coordinates are cut to this many fractional bits, downwards; subnormal ones count as 0 (measured on an H200,
 * as all of this file that PTX and the CUDA Programming Guide leave open). */
enum { FRACTION_BITS = 21 };

static float usable(float coordinate)
{
    if (coordinate != coordinate || fabsf(coordinate) < 0x1p-126f)
        return 0;
    return coordinate > FARTHEST ? FARTHEST : coordinate < -FARTHEST ? -FARTHEST : coordinate;
}

/* Of a number that fits. */
static int64_t floor_of(double value)
{
    int64_t whole = (int64_t)value;
    return whole - (value < (double)whole);
}

/* 2 to the power of `shift` above the leading bit of a normal number. */
static double power_at(double value, int shift)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = ((bits >> 52 & 0x7FF) + (uint64_t)shift) << 52;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A normalised coordinate as a fraction of the axis, once the texture repeats. */
static int64_t fraction_of(float coordinate, const struct texel_axis *axis)
{
    const int64_t one = INT64_C(1) << FRACTION_BITS;
    int64_t fraction = floor_of((double)usable(coordinate) * (double)one);
    if (axis->outside == TEXEL_WRAP)
        return fraction & (one - 1);
    return fraction; /* inside() mirrors */
}

int64_t texel_nearest(float coordinate, const struct texel_axis *axis, int offset)
{
    int64_t index = axis->normalized ? (fraction_of(coordinate, axis) * axis->size) >> FRACTION_BITS
                                     : floor_of(usable(coordinate));
    return inside(index + offset, axis);
}

int64_t texel_at(int32_t coordinate, uint32_t size, int offset)
{
    int64_t index = (int64_t)coordinate + offset;
    return index >= 0 && index < size ? index : -1;
}

struct texel_pair texel_blended(float coordinate, const struct texel_axis *axis, int offset)
{
    enum { SHIFT = FRACTION_BITS - 8 };
    int64_t place;
    if (axis->normalized)
        place = (fraction_of(coordinate, axis) * axis->size + (1 << (SHIFT - 1))) >> SHIFT;
    else
        place = floor_of((double)usable(coordinate) * TEXEL_ONE + 0.5);
    place -= TEXEL_ONE / 2;
    int64_t first = (place >> 8) + offset;
    return (struct texel_pair){{inside(first, axis), inside(first + 1, axis)}, (unsigned)(place & 255)};
}

unsigned texel_face(const float direction[3], float *u, float *v)
{
    float x = direction[0], y = direction[1], z = direction[2];
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), major, s, t;
    unsigned face;
    if (az >= ax && az >= ay) {
        face = z < 0 ? 5 : 4;
        major = az;
        s = z < 0 ? -x : x;
        t = -y;
    } else if (ay >= ax) {
        face = y < 0 ? 3 : 2;
        major = ay;
        s = x;
        t = y < 0 ? -z : z;
    } else {
        face = x < 0 ? 1 : 0;
        major = ax;
        s = x < 0 ? z : -z;
        t = -y;
    }
    *u = major > 0 ? (s / major + 1) / 2 : 0.5f;
    *v = major > 0 ? (t / major + 1) / 2 : 0.5f;
    return face;
}

static const uint32_t decoded_srgb[256] = {
#include "runtime/emulator/arithmetic/srgb.def"
};

uint32_t texel_value(uint32_t raw, enum texel_kind kind, unsigned bytes, bool normalized, bool srgb)
{
    if (kind == TEXEL_FLOAT)
        return bytes == 2 ? bits_of(half_f16_to_f32((uint16_t)raw)) : raw;
    int32_t value = kind == TEXEL_UNSIGNED ? (int32_t)raw
                    : bytes == 1           ? (int8_t)raw
                    : bytes == 2           ? (int16_t)raw
                                           : (int32_t)raw;
    if (!normalized || bytes == 4)
        return (uint32_t)value;
    if (srgb && bytes == 1)
        return bits_of(ldexpf((float)decoded_srgb[raw & 255], -16));
    float largest = (float)((1 << (8 * bytes - (kind == TEXEL_SIGNED))) - 1);
    float result = (float)value / largest;
    return bits_of(result < -1 ? -1 : result);
}

/* A NaN keeps its upper bits; numbers too large for a half become the largest. */
static uint32_t stored_half(uint32_t value)
{
    uint32_t sign = value >> 16 & 0x8000, magnitude = value & 0x7FFFFFFF;
    if (magnitude > 0x7F800000)
        return sign | 0x7C00 | (magnitude >> 13 & 0x3FF);
    uint32_t half = half_f32_to_f16(float_of(value));
    return magnitude < 0x7F800000 && (half & 0x7FFF) == 0x7C00 ? sign | 0x7BFF : half;
}

uint32_t texel_stored(uint32_t value, enum texel_kind kind, unsigned bytes)
{
    if (kind == TEXEL_FLOAT)
        return bytes == 2 ? stored_half(value) : value;
    if (bytes == 4)
        return value;
    if (kind == TEXEL_UNSIGNED) {
        uint32_t largest = (1u << 8 * bytes) - 1;
        return value > largest ? largest : value;
    }
    int32_t largest = (1 << (8 * bytes - 1)) - 1, number = (int32_t)value;
    return (uint32_t)(number > largest ? largest : number < -largest - 1 ? -largest - 1 : number);
}

/* Rounded to the nearest multiple of a quantum, halves away from 0. */
static double rounded(double value, double quantum)
{
    return copysign(floor(fabs(value) / quantum + 0.5), value) * quantum;
}

/* The values are cut to `kept` bits below the leading bit of the largest, added exactly, and rounded to `bits` bits. */
static float sum_of_floats(const float *value, const unsigned *weight, unsigned count, int kept, int bits, double smallest)
{
    double sum = 0, largest = 0;
    bool special = false;
    if (count == 1 && weight[0] == TEXEL_ONE && bits == 24 && isnormal(value[0]))
        return value[0]; /* as the steps below would: a place in the middle of a texel */
    for (unsigned i = 0; i < count; i++) {
        if (!weight[i])
            continue;
        special |= !isfinite(value[i]);
        sum += (double)value[i] * weight[i];
        largest = fmax(largest, fabs(value[i]));
    }
    if (sum != sum)
        return float_of(0x7FFFFFFF);
    if (special)
        return (float)sum;
    if (largest < 0x1p-126)
        return 0;
    double grain = power_at(largest, -kept);
    sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += fabsf(value[i]) < 0x1p-126f ? 0 : trunc(value[i] / grain) * weight[i];
    sum *= grain / TEXEL_ONE;
    if (sum == 0)
        return 0;
    return (float)rounded(sum, fmax(power_at(sum, 1 - bits), smallest));
}

/* Integers are blended as such, with 16 bits. */
static float sum_of_integers(const float *value, const unsigned *weight, unsigned count, double one)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += rint(value[i] * one) * weight[i];
    return (float)(floor(sum / TEXEL_ONE + 0.5) / one);
}

float texel_sum(const float *value, const unsigned *weight, unsigned count, enum texel_kind kind, unsigned bytes)
{
    if (kind == TEXEL_UNSIGNED)
        return sum_of_integers(value, weight, count, 65535);
    if (kind == TEXEL_SIGNED)
        return sum_of_integers(value, weight, count, 32767);
    return bytes == 2 ? sum_of_floats(value, weight, count, 14, 11, 0x1p-24)
                      : sum_of_floats(value, weight, count, 27, 24, 0x1p-149);
}

/* The product of two weights. */
static unsigned product(unsigned a, unsigned b)
{
    return (a * b + TEXEL_ONE / 2) / TEXEL_ONE;
}

void texel_weights(const unsigned second[3], unsigned dimensions, unsigned weight[8])
{
    unsigned x = second[0], y = dimensions > 1 ? second[1] : 0, z = dimensions > 2 ? second[2] : 0;
    unsigned xy = product(x, y), xz = product(x, z), yz = product(y, z), xyz = product(xz, y);
    weight[0] = TEXEL_ONE - x - y - z + xy + xz + yz - xyz;
    weight[1] = x - xy - xz + xyz;
    weight[2] = y - xy - yz + xyz;
    weight[3] = xy - xyz;
    weight[4] = z - xz - yz + xyz;
    weight[5] = xz - xyz;
    weight[6] = yz - xyz;
    weight[7] = xyz;
}

int32_t texel_level(float level)
{
    if (level != level)
        return 0;
    level = level < -64 ? -64 : level > 64 ? 64 : level;
    return (int32_t)floorf(level * TEXEL_ONE);
}

uint32_t texel_border(float value, enum texel_kind kind, unsigned bytes, bool normalized)
{
    float one = normalized ? (float)((1 << (8 * bytes - (kind == TEXEL_SIGNED))) - 1) : 1; /* in the format's own steps */
    if (kind == TEXEL_UNSIGNED && normalized)
        value = rintf(fminf(fmaxf(value, 0), 1) * one) / one;
    if (kind == TEXEL_SIGNED && normalized)
        value = rintf(fminf(fmaxf(value, -1), 1) * one) / one;
    if (kind == TEXEL_FLOAT && bytes == 2)
        value = half_f16_to_f32(half_f32_to_f16(value));
    if (kind == TEXEL_FLOAT || normalized || bytes == 4)
        return bits_of(value); /* of an integer, too */
    return (uint32_t)(int64_t)value;
}

float texel_log2(float value)
{
    return value > 0 ? log2f(value) : -64;
}
