/* What the decoders of matrix instructions share. */
#ifndef EMULATOR_DECODE_MATRIX_H
#define EMULATOR_DECODE_MATRIX_H

#include "runtime/emulator/arithmetic/matrix.h"
#include "runtime/emulator/decode/decode.h"

/* Appends the operation that waits for the whole warp; returns its place among the operations. */
size_t decode_gather(struct decoder *decoder);

/* Everything emitted since `gather` belongs to one instruction. */
void decode_end_gather(struct decoder *decoder, size_t gather);

/* The registers of a fragment, as the instruction names them: fills fragment->place. */
void decode_fragment(struct decoder *decoder, const struct ptx_operand *operand, bool destination,
                     struct matrix_fragment *fragment);

/* The n-th of .row and .col in an opcode. */
enum ptx_modifier decode_layout(const struct ptx_opcode *opcode, unsigned n);

/* Are the elements that a lane holds in different lines of memory? */
bool decode_columnwise(enum matrix_operand operand, enum ptx_modifier layout);

#endif
