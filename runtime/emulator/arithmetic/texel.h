/* How textures turn coordinates into texels, and texels into values: coordinates, address modes, formats, filter. */
#ifndef EMULATOR_TEXEL_H
#define EMULATOR_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

/* What a channel of a texel holds. */
enum texel_kind { TEXEL_UNSIGNED, TEXEL_SIGNED, TEXEL_FLOAT };

/* What lies outside of a texture; the numbers are those of CUaddress_mode. */
enum texel_outside { TEXEL_WRAP, TEXEL_CLAMP, TEXEL_MIRROR, TEXEL_BORDER };

enum { TEXEL_ONE = 256 }; /* weights of the linear filter have 8 fractional bits */

/* How one coordinate is read. */
struct texel_axis {
    uint32_t size; /* texels, at least 1 */
    enum texel_outside outside;
    bool normalized; /* 0 to 1 is all of the axis, else 0 to size */
};

/* The two texels that a linear filter blends along an axis; -1: the border. */
struct texel_pair {
    int64_t index[2];
    unsigned weight; /* of the second, in 1/TEXEL_ONE: 0 to 255 */
};

/* The texel that a coordinate lies in; -1: outside, where the border is.
 *   offset   whole texels to add (tex with an offset) */
int64_t texel_nearest(float coordinate, const struct texel_axis *axis, int offset);

/* The texel at a whole coordinate (.s32); -1: outside. */
int64_t texel_at(int32_t coordinate, uint32_t size, int offset);

/* The texels to blend at a coordinate. */
struct texel_pair texel_blended(float coordinate, const struct texel_axis *axis, int offset);

/* Face of a cube (0 to 5: +x -x +y -y +z -z) that a direction points to, and where on it: 0 to 1. */
unsigned texel_face(const float direction[3], float *u, float *v);

/* One channel as the program reads it: 32 bits, of a float unless integers are read as such.
 *   raw          its bits
 *   normalized   integers become 0 to 1, or -1 to 1
 *   srgb         8-bit colours are decoded */
uint32_t texel_value(uint32_t raw, enum texel_kind kind, unsigned bytes, bool normalized, bool srgb);

/* One channel as a formatted store writes it: the bits for memory from a register's. */
uint32_t texel_stored(uint32_t value, enum texel_kind kind, unsigned bytes);

/* Weights of the texels around a place, in 1/TEXEL_ONE, which they add up to. Texel i is the second along x, y and z where
 * bits 0, 1 and 2 of i are set.
 *   second   of the second texel along each axis
 * The products are rounded as an H200 does in one and two dimensions; in three, a weight may differ from it by 1. */
void texel_weights(const unsigned second[3], unsigned dimensions, unsigned weight[8]);

/* Texels blended with such weights, as an H200 does, bit by bit.
 *   kind, bytes   of the channel: they decide how it is rounded */
float texel_sum(const float *value, const unsigned *weight, unsigned count, enum texel_kind kind, unsigned bytes);

/* One channel of the border, as texel_value() gives those of texels. */
uint32_t texel_border(float value, enum texel_kind kind, unsigned bytes, bool normalized);

/* Logarithm to the base of 2, of a size; 0 and less than that give a level far below the first. */
float texel_log2(float value);

/* A level of detail in 1/TEXEL_ONE. */
int32_t texel_level(float level);

#endif
