/* A loaded module, as the machine runs it: PTX checked and decoded, its variables placed in device memory. Made by
 * decode/program.h. */
#ifndef EMULATOR_PROGRAM_H
#define EMULATOR_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/machine/bytecode.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/settings/profile.h"

struct barrier_lines;
struct program;
struct shape_table;
struct source;

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
    int target;                   /* of the module's PTX: 80 for sm_80 */
    uint32_t required_threads[3]; /* .reqntid; 0 0 0 when not given */
    uint32_t required_cluster[3]; /* .reqnctapercluster; 0 0 0 when not given */
    uint32_t max_cluster;         /* .maxclusterrank: blocks in a cluster; 0 when not given */
    bool explicit_cluster;        /* .explicitcluster: the launch must say how large clusters are */
    uint32_t register_count;      /* estimate of 32-bit registers per thread, for occupancy and attributes */
    uint32_t shared_bytes;        /* static shared memory per block, laid out as declared */
    uint32_t local_bytes;         /* local memory per thread */
    uint32_t index;               /* for the executor: which decoded function */
};

struct program_variable {
    const char *name;                     /* as in the PTX */
    struct memory_allocation *allocation; /* address and size */
    bool constant;                        /* .const */
    bool asked_for;                       /* the host knows its address */
};

struct program {
    struct ptx_module *module;
    struct memory *memory;
    const struct profile *profile;
    struct program_function *kernels; /* [kernel_count] */
    size_t kernel_count;
    struct program_variable *variables; /* [variable_count]; in the order of module->variables without the shared ones */
    size_t variable_count;
    struct code *code;                    /* [module->function_count], by function index */
    struct memory_allocation *parameters; /* where kernels find their parameter block when they take its address */
    struct shape_table *shapes;           /* of affine registers */
    uint32_t dynamic_slot;                /* of dynamic shared memory; 0: none */
    /* for findings: the text of the kernels' file, given (program_set_source) or read when there is a finding */
    char *source_text; /* [source_bytes] as given; NULL: none */
    size_t source_bytes;
    struct source *source;          /* NULL: not read yet, or unknown */
    int source_file;                /* number of the .file that `source` is; 0: none yet */
    bool lines_missed;              /* the lack of source lines in the PTX has been reported */
    bool source_doubted;            /* it has been reported that it is not what was compiled */
    struct barrier_lines *barriers; /* the checkers' own; NULL until a launch needs it */
    uint32_t shared_slots;          /* slots given to shared variables so far */
};

/* The function that an operation belongs to; NULL: none. */
const struct code *program_code_of(const struct program *program, const struct operation *operation);

/* Device address of a .global or .const variable. */
uint64_t program_variable_address(const struct program *program, const struct ptx_variable *variable);

/* The lower halves of the addresses of a module's .const variables differ, so that a 32-bit register can hold one: each is
 * CONST_SPAN apart from the next, in the order of the module's variables, with room for accesses that miss it. */
#define CONST_SPAN (UINT64_C(1) << 17)
enum { MOST_NARROW_CONSTANTS = 1 << 15 };

/* The address of memory in the .const or .param space (is_parameter) of which only the lower half is known; whole addresses,
 * and what belongs to no variable, as they are. */
uint64_t program_widen_address(const struct program *program, uint64_t address, bool is_parameter);

/* Address in the shared space of a .shared variable (a slot is given on first use). */
uint32_t program_shared_address(struct program *program, struct ptx_variable *variable);

#endif
