#include "runtime/emulator/machine/operands.h"

#include "runtime/emulator/machine/async.h"
#include "runtime/emulator/machine/library.h"
#include "runtime/emulator/machine/texture.h"
#include "runtime/emulator/machine/warp.h"

#define PART_OF_u16 PART_R
#define PART_OF_s16 PART_R
#define PART_OF_u32 PART_R
#define PART_OF_s32 PART_R
#define PART_OF_f32 PART_R
#define PART_OF_u64 PART_Q
#define PART_OF_s64 PART_Q
#define PART_OF_f64 PART_Q

const struct operands operands_of[HANDLER_COUNT] = {
#define UNARY(name, D, A, expression, poison, affine)     [HANDLER_##name] = {PART_OF_##D, PART_OF_##A},
#define BINARY(name, D, A, B, expression, poison, affine) [HANDLER_##name] = {PART_OF_##D, PART_OF_##A, PART_OF_##B},
#define TERNARY(name, D, A, B, C, expression, poison, affine) \
    [HANDLER_##name] = {PART_OF_##D, PART_OF_##A, PART_OF_##B, PART_OF_##C},
#define COMPARE(name, A, expression, poison, affine)      [HANDLER_##name] = {PART_P, PART_OF_##A, PART_OF_##A},
#define REGISTERS(name, d, a, b, c, poison, affine, role) [HANDLER_##name] = {PART_##d, PART_##a, PART_##b, PART_##c},
#define BY_HAND(name, poison, affine, role)
#include "runtime/emulator/machine/operations.def"
};

enum operand_part operands_destination(const struct operation *operation, unsigned element, uint32_t *offset)
{
    const struct memory_site *site = operation->site;
    *offset = operation->d;
    if (operands_of[operation->handler].d)
        return (enum operand_part)operands_of[operation->handler].d;
    if (operation_is(operation, ROLE_LOADS)) {
        if (element >= (site->texel ? site->texel->vector : site->vector) || site->data[element] == UINT32_MAX)
            return PART_NONE;
        *offset = site->data[element];
        return site->wide[element] ? PART_Q : PART_R;
    }
    switch (operation->handler) {
    case HANDLER_convert: return operation->c ? PART_Q : PART_R;
    case HANDLER_carry: return operation->extra & CARRY_WIDE ? PART_Q : PART_R;
    case HANDLER_slot_load: return operation->extra & 32 ? PART_Q : PART_R;
    case HANDLER_atomic:
        if (site->access != SITE_ATOMIC || operation->d == UINT32_MAX)
            return PART_NONE;
        return site->wide[0] ? PART_Q : PART_R;
    case HANDLER_mbarrier:
        if (operation->d == UINT32_MAX)
            return PART_NONE;
        return (operation->extra & MBARRIER_OPERATION) >= MBARRIER_TEST ? PART_P : PART_Q;
    case HANDLER_shuffle:
    case HANDLER_match: return operation->d == UINT32_MAX ? PART_NONE : PART_R;
    case HANDLER_vote: return operation->extra == VOTE_BALLOT ? PART_R : PART_P;
    case HANDLER_barrier:
        return operation->extra & BARRIER_POPC ? PART_R : operation->extra & (BARRIER_AND | BARRIER_OR) ? PART_P : PART_NONE;
    default: return PART_NONE;
    }
}

uint64_t operands_value(const struct warp *warp, enum operand_part part, uint32_t offset, unsigned lane)
{
    switch (part) {
    case PART_R: return warp_value(warp, offset, false, lane);
    case PART_Q: return warp_value(warp, offset, true, lane);
    case PART_P: return warp->p[offset] >> lane & 1;
    default: return 0;
    }
}
