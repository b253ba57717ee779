/* Turning parsed functions into bytecode. */
#ifndef EMULATOR_DECODE_H
#define EMULATOR_DECODE_H

#include "runtime/base/diagnostic.h"
#include "runtime/emulator/arithmetic/rounding.h"
#include "runtime/emulator/decode/flow.h"
#include "runtime/emulator/decode/pick.h"
#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/bytecode.h"
#include "runtime/emulator/machine/executor.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/machine/program.h"

/* What is known about a register (affine.h): lanes only; affine where the kernel allows it at run time; then the same in
 * all lanes; a constant, which is affine and also in its lanes. */
enum decode_affinity { NOT_AFFINE, MAYBE_AFFINE, MAYBE_UNIFORM, ALWAYS_AFFINE, ALWAYS_UNIFORM };

struct decoder {
    struct program *program;
    struct code *code;
    const struct ptx_function *function;
    const struct ptx_instruction *instruction; /* being decoded */
    int index;                                 /* of it */
    struct arena *arena;
    struct diagnostic *diagnostic;
    const struct executor *executor;
    uint64_t *unset;              /* bit of each register: may be read before it is written; NULL: too many to know */
    uint32_t *register_offset;    /* [register_count] in its part */
    int *copy_of;                 /* [register_count] register whose slot it shares; -1 none */
    struct pick *picks;           /* [instruction_count] */
    uint8_t *known;               /* [instruction_count] 1: needs no operation */
    uint8_t *affine;              /* [register_count] enum decode_affinity */
    bool reads_affine;            /* the instruction's operations do: their sources need no lanes */
    struct operation *operations; /* grows; moves while it grows */
    size_t count, capacity;
    struct memory_site *sites; /* grows; operations refer to it by index until the end */
    size_t site_count, site_capacity;
    uint32_t *variable_slot; /* [variable_count]: place in q of .param variables, in the frame of .local */
    bool failed;
};

/* Decodes one function with a body. Returns false with the diagnostic set. */
bool decode_function(struct program *program, struct code *code, const struct executor *executor,
                     struct diagnostic *diagnostic);

/* Finds the registers that may be read before they are written: decoder->unset. Returns false when out of memory. */
bool decode_live(struct decoder *decoder, const struct flow *flow);

/* Is the register written on every path to where it is read? False where the function is too large to know. */
bool decode_is_set(const struct decoder *decoder, int index);

/* Finds the registers whose value is known before the kernel runs, and those that only copy others. Returns false when out
 * of memory. */
bool decode_known(struct decoder *decoder);

/* Tells the machine which registers of an entry may be read before they are written: code->unset. Returns false when out of
 * memory. */
bool decode_unset(struct decoder *decoder);

/* Finds the registers that may be affine. Returns false when out of memory. */
bool decode_affine(struct decoder *decoder);

/* Must the lanes of a register be filled before an ordinary operation reads it? */
bool decode_needs_lanes(const struct decoder *decoder, int index);

/* Is the instruction made of operations on affine registers? */
bool decode_reads_affine(const struct decoder *decoder, const struct ptx_instruction *instruction);

/* May the address in this register (-1: a constant) be taken from its affine form? */
bool decode_address_is_affine(const struct decoder *decoder, int index);

/* ---- for the decoders of single forms ---- */

/* Records the first error: what is not supported, at the instruction's line. */
void decode_fail(struct decoder *decoder, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends decoding for lack of memory, without a message: that is how program_load() knows the reason. */
void decode_fail_memory(struct decoder *decoder);

/* Appends an operation; the result is valid until the next append. */
struct operation *decode_emit(struct decoder *decoder, enum handler handler);

/* The part that holds a value of the type: CONSTANT_R and so on. */
int decode_part_of(enum ptx_type type);

/* Places of values. Each makes a constant register where the operand is one; each checks the part. */
static inline bool decode_is_wide(enum ptx_type type) /* lives in q */
{
    return ptx_type_bytes(type) == 8;
}
uint32_t decode_source(struct decoder *decoder, const struct ptx_operand *operand, enum ptx_type type);
uint32_t decode_destination(struct decoder *decoder, const struct ptx_operand *operand, enum ptx_type type);
uint32_t decode_predicate(struct decoder *decoder, const struct ptx_operand *operand);
uint32_t decode_constant(struct decoder *decoder, int part, uint64_t value);
uint32_t decode_temporary(struct decoder *decoder, int part); /* fresh register */
uint32_t decode_parameter_slot(struct decoder *decoder, const struct ptx_variable *variable);
enum ptx_type decode_register_type(const struct decoder *decoder, const struct ptx_operand *operand);
struct memory_site *decode_site(struct decoder *decoder, uint32_t *index);

/* The address operand of a memory instruction: its place, and how the site reads it.
 *   affine   the operation can read addresses that are affine (affine.h); else they are in the lanes */
bool decode_in_param_space(const struct ptx_opcode *opcode);
/* From a register of a lower half of an address in the .const or .param space (is_parameter): the whole one. */
uint32_t decode_widened(struct decoder *decoder, uint32_t narrow, bool is_wide, bool is_parameter);
uint32_t decode_place(struct decoder *decoder, const struct ptx_operand *operand, struct memory_site *site, bool affine);

/* Emits an operation that fits the operands of the instruction: from[3] are the types of its sources. */
void decode_emit_sources(struct decoder *decoder, const struct ptx_instruction *instruction, enum handler handler,
                         enum ptx_type to, const enum ptx_type *from, uint32_t extra);
/* Emits the operation that was picked for the instruction, its operands as the letters of the form have them. */
void decode_lanes_with(struct decoder *decoder, const struct ptx_instruction *instruction, uint32_t extra);
/* d = a special register; wide: of 64 bits. */
void decode_emit_special(struct decoder *decoder, uint32_t d, enum ptx_special special, bool wide);
void decode_emit_unary(struct decoder *decoder, enum handler handler, uint32_t d, uint32_t a);
enum rounding decode_rounding(const struct ptx_opcode *opcode); /* to nearest where none is written */

/* Halves, in decode_half.c. A pair is two of them in one register. */
bool decode_is_half(enum ptx_type type); /* f16, bf16 or a pair of them */
bool decode_is_pair(enum ptx_type type);
uint32_t decode_half_flags(const struct ptx_opcode *opcode); /* enum half_flags */
/* The half at `source` (high: the upper one of a pair), subnormals flushed if ftz, as an f32 in a temporary. */
uint32_t decode_widened_half(struct decoder *decoder, uint32_t source, enum ptx_type type, bool ftz, bool high);

/* Appends the load or store that `site` describes; `place` holds its addresses. */
void decode_emit_site(struct decoder *decoder, struct memory_site *site, uint32_t place);

/* The place of an address operand, whose lanes hold it; fills space, offset and address_in_r of the site. */
uint32_t decode_memory_base(struct decoder *decoder, const struct ptx_operand *address, const struct ptx_opcode *opcode,
                            struct memory_site *site);

#define DECODER(name) void decode_##name(struct decoder *decoder, const struct ptx_instruction *instruction)
DECODER(lanes);
DECODER(dot_product);
DECODER(carry);
DECODER(compare);
DECODER(select);
DECODER(logic);
DECODER(lookup);
DECODER(lookup_predicate);
DECODER(permute);
DECODER(field);
DECODER(shift);
DECODER(move);
DECODER(move_vector);
DECODER(convert);
DECODER(convert_pair);
DECODER(address);
DECODER(test_float);
DECODER(convert_pack);
DECODER(differences);
DECODER(load);
DECODER(store);
DECODER(atomic);
DECODER(atomic_vector);
DECODER(hint);
DECODER(policy);
DECODER(async_copy);
DECODER(async_group);
DECODER(async_arrive);
DECODER(bulk_copy);
DECODER(mbarrier);
DECODER(mbarrier_count);
DECODER(branch);
DECODER(call);
DECODER(flow);
DECODER(barrier);
DECODER(barrier_reduce);
DECODER(warp_barrier);
DECODER(cluster_barrier);
DECODER(cluster_address);
DECODER(fence);
DECODER(nothing);
DECODER(shuffle);
DECODER(vote);
DECODER(match);
DECODER(elect);
DECODER(redux);
DECODER(matrix_load);
DECODER(matrix_store);
DECODER(matrix_rows);
DECODER(matrix_transpose);
DECODER(matrix_multiply);
DECODER(texture);
DECODER(texel_query);
DECODER(surface);

#endif
