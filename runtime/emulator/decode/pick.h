/* Which operation an instruction means. */
#ifndef EMULATOR_PICK_H
#define EMULATOR_PICK_H

#include <stdint.h>

#include "runtime/emulator/machine/bytecode.h"
#include "runtime/language/ptx/instruction.h"

struct pick {
    uint16_t handler; /* enum handler; HANDLER_COUNT: there is none */
    uint8_t left;     /* enum pick_left: what it does not do itself */
};

enum pick_left { PICK_FTZ = 1 /* flush sources and result */, PICK_SAT = 2 /* clamp the result to [0, 1] */ };

/* By the row's family, the first type and the modifiers. */
struct pick pick_operation(const struct ptx_opcode *opcode);

/* <family>_<type>, or that of a type for which it is the same; HANDLER_COUNT when there is none. */
enum handler pick_family(const char *family, enum ptx_type type);

/* A conversion that needs no mode: cvt_<to>_<from>; HANDLER_COUNT: HANDLER_convert does it. */
enum handler pick_conversion(enum ptx_type to, enum ptx_type from);

#endif
