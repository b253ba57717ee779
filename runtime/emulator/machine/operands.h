/* Which registers an operation reads and writes, from operations.def. */
#ifndef EMULATOR_OPERANDS_H
#define EMULATOR_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/bytecode.h"
#include "runtime/emulator/machine/roles.h"

enum operand_part { PART_NONE, PART_R, PART_Q, PART_P };

/* Parts of d, a, b and c. All PART_NONE: the operands depend on the operation, see operands_destination() and poison.c. */
struct operands {
    uint8_t d, a, b, c;
};

extern const struct operands operands_of[HANDLER_COUNT];

/* Part and offset of the register that the operation writes (a vector load: of element `element`). PART_NONE: nothing. */
enum operand_part operands_destination(const struct operation *operation, unsigned element, uint32_t *offset);

struct warp;

/* The value of a register of such a part in a lane of the running fragment, wherever it is kept; PART_NONE: 0. */
uint64_t operands_value(const struct warp *warp, enum operand_part part, uint32_t offset, unsigned lane);

#endif
