/* The instruction table: every form of PTX that we execute, once. Rows are in instructions.def; modifiers in modifiers.def.
 */
#ifndef PTX_INSTRUCTION_H
#define PTX_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/language/ptx/type.h"

enum ptx_modifier {
#define MODIFIER(id, text) MOD_##id,
#include "runtime/language/ptx/modifiers.def"
#undef MODIFIER
    MODIFIER_COUNT
};

struct ptx_modifiers {
    uint64_t bits[(MODIFIER_COUNT + 63) / 64];
};

enum ptx_form_id {
#define INSTRUCTION(id, ...) FORM_##id,
#include "runtime/language/ptx/instructions.def"
#undef INSTRUCTION
    FORM_COUNT
};

enum ptx_role {
    PTX_CONVERGES =
        1,          /* concerns more than the lane: a guard becomes a branch around it, since it must not run under a mask */
    PTX_LOADS = 2,  /* from memory, by an address */
    PTX_STORES = 4, /* to memory, by an address; with PTX_LOADS: an atomic operation */
    PTX_BARRIER = 8,
    PTX_SHARED = 16, /* writes to shared memory alone */
    PTX_APART = 32,  /* never puts 32 bits above 32 others; PTX_SCALES: unless a factor is large */
    PTX_SCALES = 64,
    PTX_TEXELS = 128, /* its address is that of a texture or surface: [a, {x, y}] is read as two operands, a and {x, y} */
};

struct ptx_form {
    enum ptx_form_id id;
    const char *root;     /* "add" */
    const char *pattern;  /* groups of modifiers, see instructions.def */
    const char *operands; /* one letter per operand, see instructions.def */
    const char *family;   /* of operations; "_": the decoder chooses in its own way */
    const char *section;  /* of the PTX ISA manual */
    uint16_t slots;       /* issue slots of what ptxas makes of it */
    uint16_t cycles;      /* until the result */
    uint32_t role;        /* enum ptx_role */
};

enum { PTX_MAX_WORDS = 16 }; /* groups of a pattern; words of an opcode after the root */

/* An opcode as written, matched with the table. */
struct ptx_opcode {
    const struct ptx_form *form;
    struct ptx_modifiers modifiers;
    enum ptx_type types[4]; /* in the order written */
    unsigned type_count;
    uint8_t written[PTX_MAX_WORDS]; /* enum ptx_modifier, in the order written: .row.col is not .col.row */
    unsigned written_count;
    unsigned vector; /* 1, 2, 4 or 8 elements */
};

/* Matches `text` [length] ("mad.wide.s32") with the table. Returns false when no row fits; `known_root` then says whether
 * the instruction is in the table at all. */
bool ptx_opcode_match(const char *text, size_t length, struct ptx_opcode *opcode, bool *known_root);

/* The next row that `text` matches, after opcode->form. Returns false, and changes nothing, when there is none. */
bool ptx_opcode_match_next(const char *text, size_t length, struct ptx_opcode *opcode);

/* An instruction that is refused on purpose: a row of refused.def. */
struct ptx_refusal {
    const char *start;   /* "tex", "mma.sp", "vadd|vsub": the first words of the opcode */
    const char *subject; /* "textures" */
    const char *reason;  /* what it would need, or what to use instead */
};

/* The row that covers `text` [length], which no form matches; NULL when it is simply unknown. The longest start wins. */
const struct ptx_refusal *ptx_refusal_find(const char *text, size_t length);

/* The rows by position, for the printed list; NULL at the end. */
const struct ptx_refusal *ptx_refusal_at(size_t position);

static inline bool ptx_has(const struct ptx_opcode *opcode, enum ptx_modifier modifier)
{
    return opcode->modifiers.bits[modifier / 64] >> (modifier % 64) & 1;
}

/* Does the form write its first operand (the only one that any form writes)? */
static inline bool ptx_form_defines(const struct ptx_form *form)
{
    char first = *form->operands;
    return first == 'd' || first == 'v' || first == 'n' || first == 'w';
}

const char *ptx_modifier_name(enum ptx_modifier modifier);

/* The table by position, for the printed list of supported PTX. */
const struct ptx_form *ptx_form_get(enum ptx_form_id id);

#endif
