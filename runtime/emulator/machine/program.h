/* A loaded module: PTX text parsed, checked and decoded, its variables placed in device memory. */
#ifndef EMULATOR_PROGRAM_H
#define EMULATOR_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/diagnostic.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/settings/profile.h"

struct program;

struct program_parameter {
    const char *name; /* as in the PTX: "vector_add_param_0" */
    uint32_t offset;  /* in the parameter block, bytes */
    uint32_t bytes;
    uint32_t align;
    bool pointer_sized; /* .u64/.b64/.s64: may be a device pointer */
};

struct program_function {
    const char *name; /* of the .entry, as in the PTX */
    const struct program *program;
    const struct program_parameter *parameters;
    uint32_t parameter_count;
    uint32_t parameter_bytes;     /* size of the parameter block */
    uint32_t max_threads;         /* product of .maxntid; 0 when not given */
    uint32_t required_threads[3]; /* .reqntid; 0 0 0 when not given */
    uint32_t register_count;      /* estimate of 32-bit registers per thread, for occupancy and attributes */
    uint32_t shared_bytes;        /* static shared memory per block, laid out as declared */
    uint32_t local_bytes;         /* local memory per thread */
    uint32_t index;               /* for the executor: which decoded function */
};

struct program_variable {
    const char *name;                     /* as in the PTX */
    struct memory_allocation *allocation; /* address and size */
    bool constant;                        /* .const */
};

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
 *   result       out: owned by the caller, program_destroy()
 *   diagnostic   out: line and reason when the status is not PROGRAM_OK */
enum program_status program_load(const char *text, size_t length, struct memory *memory, const struct profile *profile,
                                 struct program **result, struct diagnostic *diagnostic);
void program_destroy(struct program *program);

/* Gives the text [bytes] of the file that holds the kernels, for findings; copied. Without it, that file is read when a
 * finding needs it. Returns false when out of memory. */
bool program_set_source(struct program *program, const char *text, size_t bytes);

/* Finds a kernel or variable by its PTX name, .visible or not. NULL when the module has none with that name. */
const struct program_function *program_find_function(const struct program *program, const char *name);
const struct program_variable *program_find_variable(const struct program *program, const char *name);

/* Kernels by position, for enumeration; NULL past the end. */
const struct program_function *program_function_at(const struct program *program, size_t position);
size_t program_function_count(const struct program *program);

#endif
