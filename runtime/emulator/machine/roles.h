/* What part an operation plays, and how it takes affine registers: columns of operations.def. */
#ifndef EMULATOR_ROLES_H
#define EMULATOR_ROLES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/bytecode.h"

enum operation_role {
    ROLE_PRIVATE = 1,      /* only computes, or only leads elsewhere: what the lanes stored may stay unseen by others */
    ROLE_SITE = 2,         /* has a memory site */
    ROLE_REQUEST = 4,      /* loads, stores or changes memory itself, by the lanes' addresses */
    ROLE_LOADS = 8,        /* to the registers that its site lists */
    ROLE_WRITES = 16,      /* memory */
    ROLE_EXCHANGES = 32,   /* values between the lanes of its mask */
    ROLE_BOOKKEEPING = 64, /* prepares what follows: not a step of the program */
    ROLE_LANES = 128,      /* computes lane by lane: one function with hooks and without, see warp_run_alone() */
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
