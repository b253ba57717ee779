/* The video instructions (PTX ISA 9.7.18): arithmetic on bytes and halves of 32-bit registers, one lane at a time. */
#ifndef EMULATOR_VIDEO_H
#define EMULATOR_VIDEO_H

#include <stdint.h>

enum video_operation {
    VIDEO_ADD,
    VIDEO_SUB,
    VIDEO_ABSDIFF,
    VIDEO_AVERAGE,
    VIDEO_MIN,
    VIDEO_MAX,
    VIDEO_SHIFT_LEFT,
    VIDEO_SHIFT_RIGHT,
    VIDEO_MULTIPLY_ADD,
    VIDEO_EQ,
    VIDEO_NE,
    VIDEO_LT,
    VIDEO_LE,
    VIDEO_GT,
    VIDEO_GE,
};

/* Part of a register that a scalar instruction takes, or into which it merges its result. */
enum video_part { VIDEO_ALL, VIDEO_B0, VIDEO_B1, VIDEO_B2, VIDEO_B3, VIDEO_H0, VIDEO_H1 };

enum video_second { VIDEO_NO_SECOND, VIDEO_SECOND_ADD, VIDEO_SECOND_MIN, VIDEO_SECOND_MAX };

/* Fields of `flags`. Bits 0..3: enum video_operation. */
enum video_flags {
    VIDEO_D_SIGNED = 1 << 4,
    VIDEO_A_SIGNED = 1 << 5,
    VIDEO_B_SIGNED = 1 << 6,
    VIDEO_SATURATE = 1 << 7,
    VIDEO_A_PART = 8, /* bit position: three bits, enum video_part */
    VIDEO_B_PART = 11,
    VIDEO_D_PART = 14,    /* VIDEO_ALL: no merge */
    VIDEO_SECOND = 17,    /* bit position: two bits, enum video_second */
    VIDEO_WRAP = 1 << 19, /* shifts: the distance modulo 32, else at most 32 */
    VIDEO_SHIFT7 = 1 << 20,
    VIDEO_SHIFT15 = 1 << 21,
    VIDEO_NEGATE_PRODUCT = 1 << 22,
    VIDEO_NEGATE_C = 1 << 23,
    VIDEO_PLUS_ONE = 1 << 24,
    /* of the SIMD instructions */
    VIDEO_BYTES = 1 << 25,      /* four bytes, else two halves */
    VIDEO_ACCUMULATE = 1 << 26, /* .add: the sum of the results and c */
    VIDEO_MASK = 27,            /* bit position: four bits, the parts of d that are written */
};

/* A scalar instruction on one lane: vadd … vset, vmad. */
uint32_t video_scalar(uint32_t a, uint32_t b, uint32_t c, uint32_t flags);

/* A SIMD instruction on one lane: vadd2, vset4 …  `selectors`: four bits for each part of the left (bits 0..15) and of the
 * right side (16..31): which of the parts of b:a it is. */
uint32_t video_simd(uint32_t a, uint32_t b, uint32_t c, uint32_t flags, uint32_t selectors);

#endif
