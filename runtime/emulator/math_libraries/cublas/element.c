#include "runtime/emulator/math_libraries/cublas/element.h"

#include <math.h>
#include <string.h>

uint64_t element_size(int type)
{
    switch (type) {
    case R_8I: return 1;
    case R_16F:
    case R_16BF: return 2;
    case R_32F:
    case R_32I: return 4;
    case R_64F:
    case C_32F: return 8;
    case C_64F: return 16;
    default: return 0;
    }
}

enum blas_type element_work_type(int type)
{
    return type == R_64F ? BLAS_D : type == C_32F ? BLAS_C : type == C_64F ? BLAS_Z : BLAS_S;
}

static float from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float half_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 1023;
    if (exponent == 31)
        return from_bits(sign | 0x7f800000 | fraction << 13);
    if (exponent == 0)
        return from_bits(sign | bits_of((float)fraction * 0x1p-24f));
    return from_bits(sign | (exponent + 112) << 23 | fraction << 13);
}

static uint16_t float_to_half(float value)
{
    uint16_t sign = (uint16_t)(bits_of(value) >> 16 & 0x8000);
    float size = fabsf(value);
    if (isnan(value))
        return 0x7fff;
    if (size >= 65520) /* half way to the number after the largest */
        return sign | 0x7c00;
    if (size < 0x1p-14f) /* subnormal: whole multiples of 2^-24 */
        return sign | (uint16_t)rintf(size * 0x1p24f);
    uint32_t bits = bits_of(size) - (112u << 23);
    return sign | (uint16_t)((bits + 0xfff + (bits >> 13 & 1)) >> 13);
}

static uint16_t float_to_bfloat(float value)
{
    uint32_t bits = bits_of(value);
    if (isnan(value))
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

void element_widen(int type, const void *from, int64_t from_step, void *to, int64_t to_step, int64_t count)
{
    uint64_t size = element_size(type);
    for (int64_t i = 0; i < count; i++) {
        const char *source = (const char *)from + i * from_step * (int64_t)size;
        float *target = (float *)to + i * to_step;
        uint16_t half;
        memcpy(&half, source, size == 1 ? 1 : 2);
        switch (type) {
        case R_16F: *target = half_to_float(half); break;
        case R_16BF: *target = from_bits((uint32_t)half << 16); break;
        case R_8I: *target = (float)*(const int8_t *)source; break;
        default: memcpy((char *)to + (uint64_t)(i * to_step) * size, source, size);
        }
    }
}

void element_narrow(int type, const void *from, int64_t from_step, void *to, int64_t to_step, int64_t count)
{
    uint64_t size = element_size(type);
    for (int64_t i = 0; i < count; i++) {
        const float *source = (const float *)from + i * from_step;
        char *target = (char *)to + i * to_step * (int64_t)size;
        uint16_t half;
        switch (type) {
        case R_16F:
        case R_16BF:
            half = type == R_16F ? float_to_half(*source) : float_to_bfloat(*source);
            memcpy(target, &half, sizeof half);
            break;
        default: memcpy(target, (const char *)from + (uint64_t)(i * from_step) * size, size);
        }
    }
}
