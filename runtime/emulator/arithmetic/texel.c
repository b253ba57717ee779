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

/* The coordinate in texels. */
static double in_texels(float coordinate, const struct texel_axis *axis)
{
    if (coordinate != coordinate)
        return 0;
    if (!axis->normalized)
        return coordinate > FARTHEST ? FARTHEST : coordinate < -FARTHEST ? -FARTHEST : coordinate;
    if (fabsf(coordinate) >= FARTHEST) /* repeats: every such float is a whole number */
        return axis->outside == TEXEL_WRAP || axis->outside == TEXEL_MIRROR ? 0 : coordinate < 0 ? -FARTHEST : FARTHEST;
    return (double)coordinate * axis->size;
}

int64_t texel_nearest(float coordinate, const struct texel_axis *axis, int offset)
{
    return inside((int64_t)floor(in_texels(coordinate, axis)) + offset, axis);
}

int64_t texel_at(int32_t coordinate, const struct texel_axis *axis, int offset)
{
    return inside((int64_t)coordinate + offset, axis);
}

struct texel_pair texel_blended(float coordinate, const struct texel_axis *axis, int offset)
{
    int64_t place = (int64_t)floor((in_texels(coordinate, axis) - 0.5) * TEXEL_ONE + 0.5);
    int64_t first = (place >> 8) + offset;
    return (struct texel_pair){{inside(first, axis), inside(first + 1, axis)}, (unsigned)(place & 255)};
}

unsigned texel_face(const float direction[3], float *u, float *v)
{
    float x = direction[0], y = direction[1], z = direction[2];
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), major, s, t;
    unsigned face;
    if (az >= ax && az >= ay) {
        face = signbit(z) ? 5 : 4;
        major = az;
        s = signbit(z) ? -x : x;
        t = -y;
    } else if (ay >= ax) {
        face = signbit(y) ? 3 : 2;
        major = ay;
        s = x;
        t = signbit(y) ? -z : z;
    } else {
        face = signbit(x) ? 1 : 0;
        major = ax;
        s = signbit(x) ? z : -z;
        t = -y;
    }
    *u = major > 0 ? (s / major + 1) / 2 : 0.5f;
    *v = major > 0 ? (t / major + 1) / 2 : 0.5f;
    return face;
}

static float decoded_srgb(unsigned byte)
{
    double c = byte / 255.0;
    return (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
}

uint32_t texel_value(uint32_t raw, enum texel_kind kind, unsigned bytes, bool normalized, bool srgb)
{
    if (kind == TEXEL_FLOAT)
        return bytes == 2 ? bits_of(half_f16_to_f32((uint16_t)raw)) : raw;
    int32_t value = kind == TEXEL_UNSIGNED ? (int32_t)raw : bytes == 1 ? (int8_t)raw : bytes == 2 ? (int16_t)raw : (int32_t)raw;
    if (!normalized || bytes == 4)
        return (uint32_t)value;
    if (srgb && bytes == 1)
        return bits_of(decoded_srgb(raw & 255));
    float largest = (float)((1 << (8 * bytes - (kind == TEXEL_SIGNED))) - 1);
    float result = (float)value / largest;
    return bits_of(result < -1 ? -1 : result);
}

uint32_t texel_stored(uint32_t value, enum texel_kind kind, unsigned bytes)
{
    if (kind == TEXEL_FLOAT)
        return bytes == 2 ? half_f32_to_f16(float_of(value)) : value;
    if (bytes == 4)
        return value;
    if (kind == TEXEL_UNSIGNED) {
        uint32_t largest = (1u << 8 * bytes) - 1;
        return value > largest ? largest : value;
    }
    int32_t largest = (1 << (8 * bytes - 1)) - 1, number = (int32_t)value;
    return (uint32_t)(number > largest ? largest : number < -largest - 1 ? -largest - 1 : number);
}

float texel_sum(const float *value, const uint32_t *weight, unsigned count, unsigned dimensions)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += (double)value[i] * weight[i];
    return (float)ldexp(sum, -8 * (int)dimensions);
}

int32_t texel_level(float level)
{
    if (level != level)
        return 0;
    level = level < -64 ? -64 : level > 64 ? 64 : level;
    return (int32_t)floorf(level * TEXEL_ONE + 0.5f);
}

uint32_t texel_border(float value, enum texel_kind kind, unsigned bytes, bool normalized)
{
    if (kind == TEXEL_FLOAT || normalized)
        return bits_of(value);
    (void)bytes;
    return (uint32_t)(int64_t)value;
}

float texel_log2(float value)
{
    return value > 0 ? log2f(value) : -64;
}
