/* Loading a module: PTX text to a program that the machine runs. */
#ifndef EMULATOR_DECODE_PROGRAM_H
#define EMULATOR_DECODE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/diagnostic.h"
#include "runtime/emulator/machine/program.h"

struct executor;

enum program_status {
    PROGRAM_OK,
    PROGRAM_INVALID_PTX, /* does not parse, or a form outside the instruction table: diagnostic says line and reason */
    PROGRAM_NOT_PTX,     /* does not begin as PTX does */
    PROGRAM_UNSUPPORTED_VERSION, /* .version of a newer major than we know */
    PROGRAM_OUT_OF_MEMORY,
};

/* Loads PTX text.
 *   text         [length] bytes, borrowed, need not end in NUL (a NUL ends the text)
 *   memory       where .global and .const variables are placed; must outlive the program
 *   executor     whose operations make up the code; NULL: this processor lacks the level of LOCKSTEP_ISA, which the
 *                diagnostic reports
 *   result       out: owned by the caller, program_destroy()
 *   diagnostic   out: line and reason when the status is not PROGRAM_OK */
enum program_status program_load(const char *text, size_t length, struct memory *memory, const struct profile *profile,
                                 const struct executor *executor, struct program **result, struct diagnostic *diagnostic);
void program_destroy(struct program *program);

/* Gives the text [bytes] of the file that holds the kernels, for findings; copied. Without it, that file is read when a
 * finding needs it. Returns false when out of memory. */
bool program_set_source(struct program *program, const char *text, size_t bytes);

/* Finds a kernel or variable by its PTX name, .visible or not. NULL when the module has none with that name. */
const struct program_function *program_find_function(const struct program *program, const char *name);
struct program_variable *program_find_variable(const struct program *program, const char *name);

/* Kernels by position, for enumeration; NULL past the end. */
const struct program_function *program_function_at(const struct program *program, size_t position);
size_t program_function_count(const struct program *program);

#endif
