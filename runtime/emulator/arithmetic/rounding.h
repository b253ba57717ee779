/* IEEE operations in the directed rounding modes, and every conversion of cvt. Not inline: they change the host's mode. */
#ifndef EMULATOR_ROUNDING_H
#define EMULATOR_ROUNDING_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/language/ptx/type.h"

enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_AWAY };
enum rounding_flags { ROUNDING_FTZ = 8 }; /* added to the mode: flush subnormal inputs and results of f32 */

float rounded_add_f32(float a, float b, uint32_t mode);
float rounded_multiply_f32(float a, float b, uint32_t mode);
float rounded_divide_f32(float a, float b, uint32_t mode);
float rounded_sqrt_f32(float a, uint32_t mode);
float rounded_fma_f32(float a, float b, float c, uint32_t mode);
double rounded_add_f64(double a, double b, uint32_t mode);
double rounded_multiply_f64(double a, double b, uint32_t mode);
double rounded_divide_f64(double a, double b, uint32_t mode);
double rounded_sqrt_f64(double a, uint32_t mode);
double rounded_fma_f64(double a, double b, double c, uint32_t mode);

/* What a cvt does; packed into operation->extra by convert_pack. */
struct conversion {
    enum ptx_type to, from;
    enum rounding rounding;
    bool to_integral; /* rni, rzi, rmi, rpi */
    bool ftz, saturate, relu, saturate_finite;
};
uint32_t convert_pack(const struct conversion *conversion);

/* A conversion between integers that keeps the lower bits: how far left a value of either type lies at the top of 64 bits. */
struct whole_conversion {
    unsigned from_left, to_left;
    bool from_signed, to_signed;
};

/* Is it one? */
bool convert_is_whole(uint32_t packed, struct whole_conversion *whole);

/* Converts one value: bits of the source type in, bits of the destination type out, sign- or zero-extended to 64. */
uint64_t convert_value(uint64_t bits, uint32_t packed);

#endif
