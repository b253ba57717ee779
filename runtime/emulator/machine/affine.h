/* Registers that need no lanes: the value of lane 0, and how the other lanes differ from it.
 *
 * Most integers of a kernel are the same in all lanes of a warp (sizes, strides, loop counters) or differ by fixed distances
 * (an index made of threadIdx, an address made of an index). Such a register is kept as base + shape: lane l holds
 * base + shape->delta[l]. Sums, products with a uniform value, comparisons and addresses then cost one scalar operation
 * per warp, and a memory instruction recognises its addresses by comparing one pointer.
 *
 * Only registers of a kernel (not of its functions) whose every definition has a rule in operations.def take part: see
 * decode_affine.c. A register is written as affine only when all 32 lanes are active; else it falls back to lanes, as it
 * does when an operation has no rule for its operands. Shapes are shared (one object for equal deltas), so pointers decide
 * equality.
 */
#ifndef EMULATOR_AFFINE_H
#define EMULATOR_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

struct lane_shape {
    int64_t delta[32];    /* to lane 0; of registers of 32 bits: signed 32-bit distances */
    uint32_t delta32[32]; /* their lower halves */
    int64_t low, high;    /* smallest and largest delta */
};

/* All lanes alike; and one that no register has, meaning "not known yet". */
extern const struct lane_shape lane_shape_uniform, lane_shape_unknown;

/* One register. */
struct affine {
    const struct lane_shape *shape; /* NULL: the value is in the lanes */
    uint64_t base;                  /* of lane 0; 32-bit registers: zero-extended */
    bool expanded;                  /* the lanes hold the value as well */
    uint8_t unused[15];
};

enum { AFFINE_R_SHIFT = 2, AFFINE_Q_SHIFT = 3 }; /* from the byte offset of a register to that of its struct affine */
_Static_assert(sizeof(struct affine) == 128 >> AFFINE_R_SHIFT && sizeof(struct affine) == 256 >> AFFINE_Q_SHIFT,
               "offsets of registers give those of struct affine");

/* What an operation found out about its operands' shapes last time. */
struct affine_site {
    struct shape_table *table;
    const struct lane_shape *factor_shape, *product; /* product = factor_shape * factor */
    uint64_t factor;
    const struct lane_shape *left, *right, *sum; /* sum = left + right, or left - right */
    uint32_t misses;                             /* shapes change too often: lanes are cheaper */
};

/* All shapes of a program. */
struct shape_table *shape_table_create(void);
void shape_table_destroy(struct shape_table *table);

/* The shape of 32 values; wide: of 64 bits. NULL when the table is full or when out of memory. */
const struct lane_shape *shape_of_lanes(struct shape_table *table, const uint64_t value[32], bool wide);

/* The cold halves of the rules: compute, remember in the site. NULL: none, or given up. */
const struct lane_shape *affine_product(struct affine_site *site, const struct lane_shape *shape, uint64_t factor,
                                        bool wide);
const struct lane_shape *affine_sum(struct affine_site *site, const struct lane_shape *left, const struct lane_shape *right,
                                    bool subtract, bool wide);

#endif
