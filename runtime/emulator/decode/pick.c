/* Which operation an instruction means: <family>[_<variant>]_<type>. The family is in its row of instructions.def, the
 * variant follows from its modifiers, and the operation is the row of operations.def with this name. */
#include "runtime/emulator/decode/pick.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAME_BYTES = 48 };

/* Modifiers that change the value. */
enum want {
    WANT_FTZ = PICK_FTZ,
    WANT_SAT = PICK_SAT,
    WANT_ROUNDING = 4,
    WANT_NAN = 8,
    WANT_RELU = 16,
    WANT_ABS = 32,
    WANT_XORSIGN = 64,    /* with .abs, to which it belongs */
    WANT_IMPOSSIBLE = 128 /* .xorsign without .abs */
};

static const struct variant {
    const char *name;
    unsigned needs, knows;
} variants[] = {
    {"_ftz", WANT_FTZ, WANT_FTZ},
    {"_sat", WANT_SAT, WANT_SAT},
    {"_nan", WANT_NAN, WANT_NAN},
    {"_relu", WANT_RELU, WANT_RELU},
    {"_xorsign", WANT_XORSIGN, WANT_XORSIGN | WANT_NAN},
    {"", 0, 0},
    {"_mode", 0, UINT32_MAX}, /* reads them in operation->extra: mode_knows() */
};

static const char *const names[HANDLER_COUNT] = {
#define EACH_OPERATION(name) [HANDLER_##name] = #name,
#include "runtime/emulator/machine/operations.def"
};

static uint16_t by_name[HANDLER_COUNT]; /* sorted */
static pthread_once_t sorted = PTHREAD_ONCE_INIT;

static int compare(const void *a, const void *b)
{
    return strcmp(names[*(const uint16_t *)a], names[*(const uint16_t *)b]);
}

static void sort_names(void)
{
    for (unsigned i = 0; i < HANDLER_COUNT; i++)
        by_name[i] = (uint16_t)i;
    qsort(by_name, HANDLER_COUNT, sizeof *by_name, compare);
}

static int compare_name(const void *name, const void *handler)
{
    return strcmp(name, names[*(const uint16_t *)handler]);
}

static enum handler find(const char *family, const char *variant, const char *type)
{
    char name[MOST_NAME_BYTES];
    int length = snprintf(name, sizeof name, "%s%s_%s", family, variant, type);
    if (length < 0 || (size_t)length >= sizeof name)
        return HANDLER_COUNT;
    pthread_once(&sorted, sort_names);
    const uint16_t *found = bsearch(name, by_name, HANDLER_COUNT, sizeof *by_name, compare_name);
    return found ? (enum handler) * found : HANDLER_COUNT;
}

/* The type of an operation that does the same whatever the sign; for bits, the one that treats them as a number. Floats have
 * no such type: add_b64 is not add.f32x2. */
static const char *like(enum ptx_type type)
{
    bool bits = ptx_type_kind(type) == KIND_BITS;
    if (type == PTX_U16X2 || type == PTX_S16X2)
        return "b16x2";
    switch (ptx_type_bytes(type)) {
    case 2: return bits ? "u16" : "b16";
    case 4: return bits ? "u32" : "b32";
    default: return bits ? "u64" : "b64";
    }
}

static enum handler find_typed(const char *family, const char *variant, enum ptx_type type)
{
    enum handler handler = find(family, variant, ptx_type_name(type));
    bool number = ptx_type_kind(type) == KIND_FLOAT;
    return handler == HANDLER_COUNT && !number ? find(family, variant, like(type)) : handler;
}

enum handler pick_family(const char *family, enum ptx_type type)
{
    return find_typed(family, "", type);
}

enum handler pick_conversion(enum ptx_type to, enum ptx_type from)
{
    static const enum ptx_type other_sign[PTX_TYPE_COUNT] = {
        [PTX_U32] = PTX_S32, [PTX_S32] = PTX_U32, [PTX_U64] = PTX_S64, [PTX_S64] = PTX_U64};
    enum ptx_type other_to = other_sign[to], other_from = other_sign[from];
    bool whole = other_to && other_from, narrower = ptx_type_bytes(to) < ptx_type_bytes(from);
    const enum ptx_type tos[] = {to, other_to}, froms[] = {from, whole && narrower ? other_from : PTX_NONE};
    if (whole && ptx_type_bytes(to) == ptx_type_bytes(from))
        return to != from && to != PTX_U64 && to != PTX_S64 ? HANDLER_mov_b32 : HANDLER_COUNT;
    for (unsigned i = 0; i < 4; i++) {
        char family[MOST_NAME_BYTES / 2] = "cvt_";
        if (!tos[i & 1] || !froms[i >> 1])
            continue;
        strcat(family, ptx_type_name(tos[i & 1]));
        enum handler handler = find(family, "", ptx_type_name(froms[i >> 1]));
        if (handler != HANDLER_COUNT)
            return handler;
    }
    return HANDLER_COUNT;
}

/* ---- by the modifiers ---- */

static unsigned wants(const struct ptx_opcode *opcode, enum ptx_type type)
{
    bool rounds = ptx_has(opcode, MOD_rz) || ptx_has(opcode, MOD_rm) || ptx_has(opcode, MOD_rp);
    bool absolute = ptx_has(opcode, MOD_abs_mod), signs = ptx_has(opcode, MOD_xorsign);
    return (ptx_has(opcode, MOD_ftz) && type != PTX_F64 ? WANT_FTZ : 0) | (ptx_has(opcode, MOD_sat) ? WANT_SAT : 0)
           | (rounds ? WANT_ROUNDING : 0) | (ptx_has(opcode, MOD_nan) ? WANT_NAN : 0)
           | (ptx_has(opcode, MOD_relu) ? WANT_RELU : 0)
           | (signs ? (absolute ? WANT_XORSIGN : WANT_IMPOSSIBLE) : (absolute ? WANT_ABS : 0));
}

static unsigned mode_knows(enum ptx_type type)
{
    switch (type) {
    case PTX_F32: return WANT_FTZ | WANT_ROUNDING | WANT_NAN | WANT_ABS;
    case PTX_F32X2: return WANT_FTZ | WANT_ROUNDING;
    case PTX_F64: return WANT_ROUNDING;
    default: return WANT_FTZ | WANT_SAT | WANT_NAN | WANT_RELU | WANT_XORSIGN;
    }
}

/* What flush_* and sat_* can do before and after an operation. */
static unsigned can_be_left(enum ptx_type type)
{
    switch (type) {
    case PTX_F32: return WANT_FTZ | WANT_SAT;
    case PTX_F64: return WANT_SAT;
    case PTX_F16:
    case PTX_F16X2: return WANT_FTZ;
    default: return 0;
    }
}

struct pick pick_operation(const struct ptx_opcode *opcode)
{
    const char *family = opcode->form->family;
    enum ptx_type type = opcode->types[0];
    if (*family == '_' || !opcode->type_count || type == PTX_PRED)
        return (struct pick){HANDLER_COUNT, 0};
    if (opcode->form->id == FORM_MOV && ptx_type_kind(type) == KIND_FLOAT) /* bits are copied, whatever they mean */
        type = ptx_type_bytes(type) == 8 ? PTX_B64 : PTX_B32;
    unsigned want = wants(opcode, type), allowed = 0;
    for (unsigned pass = 0; pass < 2; pass++, allowed = can_be_left(type))
        for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
            const struct variant *variant = &variants[i];
            unsigned knows = variant->knows == UINT32_MAX ? mode_knows(type) : variant->knows;
            unsigned left = want & ~knows;
            if ((variant->needs & ~want) || (left & ~allowed))
                continue;
            enum handler handler = find_typed(family, variant->name, type);
            if (handler != HANDLER_COUNT)
                return (struct pick){(uint16_t)handler, (uint8_t)left};
        }
    return (struct pick){HANDLER_COUNT, 0};
}
