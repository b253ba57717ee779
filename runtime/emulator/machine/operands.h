/* What the rows of operations.def say: which registers an operation reads and writes, and what part it plays. */
#ifndef EMULATOR_OPERANDS_H
#define EMULATOR_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/bytecode.h"

enum operand_part { PART_NONE, PART_R, PART_Q, PART_P };

/* Parts of d, a, b and c. All PART_NONE: the operands depend on the operation, see operands_destination() and poison.c. */
struct operands {
    uint8_t d, a, b, c;
};

extern const struct operands operands_of[HANDLER_COUNT];

/* Part and offset of the register that the operation writes (a vector load: of element `element`). PART_NONE: nothing. */
enum operand_part operands_destination(const struct operation *operation, unsigned element, uint32_t *offset);

enum operation_role {
    ROLE_PRIVATE = 1,      /* only computes, or only leads elsewhere: what the lanes stored may stay unseen by others */
    ROLE_SITE = 2,         /* has a memory site */
    ROLE_REQUEST = 4,      /* loads, stores or changes memory itself, by the lanes' addresses */
    ROLE_LOADS = 8,        /* to the registers that its site lists */
    ROLE_WRITES = 16,      /* memory */
    ROLE_EXCHANGES = 32,   /* values between the lanes of its mask */
    ROLE_BOOKKEEPING = 64, /* prepares what follows: not a step of the program */
};

extern const uint8_t operation_roles[HANDLER_COUNT];

static inline bool operation_is(const struct operation *operation, enum operation_role role)
{
    return operation_roles[operation->handler] & role;
}

/* How the results of an operation follow from affine operands: see executor_affine.inc. */
enum affine_rule {
    AFFINE_none,
    AFFINE_copy,
    AFFINE_widen,
    AFFINE_narrow,
    AFFINE_sum,
    AFFINE_difference,
    AFFINE_product,
    AFFINE_product_wide,
    AFFINE_mad,
    AFFINE_mad_wide,
    AFFINE_shift,
    AFFINE_uniform,
    AFFINE_equal,
    AFFINE_different,
    AFFINE_less,
    AFFINE_less_or_equal,
    AFFINE_hand,
};

extern const uint8_t operation_affine_rules[HANDLER_COUNT];

/* The type of one lane's value, for each type of operations.def. */
#define VALUE_u16 uint16_t
#define VALUE_s16 int16_t
#define VALUE_u32 uint32_t
#define VALUE_s32 int32_t
#define VALUE_f32 float
#define VALUE_u64 uint64_t
#define VALUE_s64 int64_t
#define VALUE_f64 double

#endif
