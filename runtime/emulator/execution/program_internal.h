/* The inside of struct program, for the decoder and the launcher. */
#ifndef EMULATOR_PROGRAM_INTERNAL_H
#define EMULATOR_PROGRAM_INTERNAL_H

#include "runtime/emulator/execution/bytecode.h"
#include "runtime/emulator/execution/program.h"

struct shape_table;

struct program {
    struct ptx_module *module;
    struct memory *memory;
    const struct profile *profile;
    struct program_function *kernels;      /* [kernel_count] */
    size_t kernel_count;
    struct program_variable *variables;    /* [variable_count]; in the order of module->variables without the shared ones */
    size_t variable_count;
    struct code *code;                     /* [module->function_count], by function index */
    struct memory_allocation *parameters;  /* where kernels find their parameter block when they take its address */
    struct shape_table *shapes;            /* of affine registers */
    uint32_t dynamic_slot;                 /* of dynamic shared memory; 0: none */
    uint32_t shared_slots;                 /* slots given to shared variables so far */
    int student_file;                      /* number of the .file that holds the kernels; 0 unknown */
};

/* Device address of a .global or .const variable. */
uint64_t program_variable_address(const struct program *program, const struct ptx_variable *variable);

/* Address in the shared space of a .shared variable (a slot is given on first use). */
uint32_t program_shared_address(struct program *program, struct ptx_variable *variable);

/* Demangled or plain name of a variable of the source: "tile" for _ZZ6kernelE4tile. Writes text[bytes]. */
void program_source_name(const char *ptx_name, char *text, unsigned bytes);

#endif
