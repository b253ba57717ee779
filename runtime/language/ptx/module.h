/* What the parser makes of PTX text: variables, functions, instructions with resolved names. All of it lives in the module's
 * arena. */
#ifndef PTX_MODULE_H
#define PTX_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/base/diagnostic.h"
#include "runtime/language/ptx/instruction.h"
#include "runtime/language/ptx/type.h"

/* A place in the source: a row of `.loc`. */
struct ptx_location {
    int file, line, column;                         /* file: number of a `.file`; 0 unknown */
    int inlined_file, inlined_line, inlined_column; /* of the call that was inlined; file 0: not inlined */
    const char *function;                           /* mangled name of the inlined function; NULL unknown */
};

enum ptx_space { SPACE_REG, SPACE_GLOBAL, SPACE_CONST, SPACE_SHARED, SPACE_LOCAL, SPACE_PARAM };

/* An address inside an initialiser: the symbol's address goes to `offset` of the variable. */
struct ptx_relocation {
    uint64_t offset;
    const char *symbol;
    int64_t addend;
    uint64_t mask; /* 0xFF00(symbol): the one byte of the address that it covers; 0: all of it */
    bool generic;  /* generic(symbol) */
    struct ptx_relocation *next;
};

struct ptx_variable {
    const char *name;
    enum ptx_space space;
    enum ptx_type type;
    uint64_t bytes;         /* 0 for `[]` (dynamic shared memory) */
    uint32_t element_bytes; /* of a vector: all of it */
    uint32_t align;
    bool is_extern, is_visible, is_weak;
    bool in_register;       /* .reg parameter or result of a function: also a register of this name in its body */
    bool is_managed;        /* .attribute(.managed): the host reads and writes it too */
    bool starts_zeroed;     /* .shared, and zero when a block begins: what the system reserves, and repaired arrays */
    unsigned char *initial; /* [initial_bytes], what follows is zero; NULL: all zero, for .global and .const */
    uint64_t initial_bytes; /* at most `bytes` */
    struct ptx_relocation *relocations;
    int line;        /* of the PTX text */
    uint64_t offset; /* .param of a function: in its parameter block; .local: in the frame */
};

struct ptx_register {
    const char *name;
    enum ptx_type type;
};

enum ptx_operand_kind {
    OPERAND_REGISTER, /* index */
    OPERAND_INTEGER,  /* bits */
    OPERAND_F32,      /* bits */
    OPERAND_F64,      /* bits */
    OPERAND_VARIABLE, /* variable + offset */
    OPERAND_FUNCTION, /* function: its address, or the callee */
    OPERAND_SPECIAL,  /* special: %tid.x … */
    OPERAND_ADDRESS,  /* [base + offset]: base register (index >= 0) or variable, or neither (absolute) */
    OPERAND_VECTOR,   /* {elements} */
    OPERAND_LABEL,    /* label */
    OPERAND_TARGETS,  /* elements: the labels of a .branchtargets */
    OPERAND_SINK,     /* _ */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated; /* !p */
    bool indexed; /* of a variable: name[2], which stands for an address in memory instructions */
    int index;    /* register; -1 none */
    int second;   /* register after `|`; -1 none */
    uint64_t bits;
    struct ptx_variable *variable;
    int64_t offset;
    struct ptx_function *function;
    int special; /* enum ptx_special */
    struct ptx_label *label;
    struct ptx_operand *elements;
    unsigned count; /* of elements */
};

struct ptx_label {
    const char *name;
    int instruction; /* index of the instruction that follows; -1 not yet seen */
    int line;
};

struct ptx_instruction {
    struct ptx_opcode opcode;
    const char *spelling; /* "ld.global.f32" */
    int guard;            /* register of @p; -1 none */
    bool guard_negated;
    struct ptx_operand *operands;
    unsigned operand_count;
    int line, column; /* of the PTX text */
    int location;     /* index in module->locations; -1 none */
    int skips_outside; /* of a repair: outside of its array the access reads 0 and writes nothing, and the thread leaves out the
                          rest of this line; -1: goes on with it; 0: no repair */
    /* call */
    struct ptx_variable **results, **arguments;
    unsigned result_count, argument_count;
    struct ptx_function *prototype; /* of an indirect call */
};

struct ptx_function {
    const char *name;
    bool is_entry, is_extern, is_visible, is_weak, has_body, noreturn;
    struct ptx_variable **parameters;
    unsigned parameter_count;
    uint32_t parameter_bytes;
    struct ptx_variable **results;
    unsigned result_count;
    uint32_t result_bytes;
    struct ptx_register *registers;
    size_t register_count, register_capacity;
    struct ptx_instruction *instructions;
    size_t instruction_count, instruction_capacity;
    size_t target_count;             /* of its indexed branches together */
    struct ptx_variable **variables; /* declared in the body: .shared, .local, .param */
    size_t variable_count, variable_capacity;
    uint32_t max_threads[3], required_threads[3];
    uint32_t required_cluster[3]; /* blocks; 0: not said */
    bool explicit_cluster;        /* the launch must say how large clusters are */
    uint32_t max_cluster;         /* blocks in a cluster; 0: not said */
    uint32_t min_blocks, max_blocks, max_registers;
    int line;
    int index; /* in module->functions */
};

struct ptx_file {
    int number;
    const char *name;
};

struct ptx_module {
    struct arena arena;
    int version_major, version_minor;
    int target; /* 80 for sm_80 */
    const char *target_text;
    struct ptx_function **functions;
    size_t function_count, function_capacity;
    struct ptx_variable **variables;
    size_t variable_count, variable_capacity;
    struct ptx_file *files;
    size_t file_count, file_capacity;
    struct ptx_location *locations;
    size_t location_count, location_capacity;
    struct ptx_variable *reserved; /* shared memory that %reserved_smem_offset_1 names; NULL: not used */
};

enum ptx_status {
    PTX_OK,
    PTX_INVALID,
    PTX_NOT_PTX, /* no .version at the beginning: some other text */
    PTX_NEWER_VERSION,
    PTX_OUT_OF_MEMORY,
};

/* Parses PTX text [length]; the diagnostic gets line and reason of the first error. On success *module is owned by the
 * caller (ptx_module_destroy). */
enum ptx_status ptx_parse(const char *text, size_t length, struct ptx_module **module, struct diagnostic *diagnostic);
void ptx_module_destroy(struct ptx_module *module);

/* Does the operand, or an element of it, name the register? */
bool ptx_operand_names(const struct ptx_operand *operand, int number);

/* Does the instruction read the register: by its guard, or by an operand or an address that is not its result? */
bool ptx_instruction_reads(const struct ptx_instruction *instruction, int number);

/* The same, or has it the register as its result? */
bool ptx_instruction_names(const struct ptx_instruction *instruction, int number);

/* Name of a source file by its number; NULL when there is none. */
const char *ptx_module_file(const struct ptx_module *module, int number);

/* The place of the call that location `index` was inlined at: the latest one before it with that file, line and column.
 * -1 when it was not inlined, or the compiler wrote no such place. */
int ptx_location_outer(const struct ptx_module *module, int index);

enum ptx_special {
#define SPECIAL(id, ...) SPECIAL_##id,
#include "runtime/language/ptx/specials.def"
#undef SPECIAL
    SPECIAL_COUNT
};

/* What a special register tells: place of the thread, size of the block, place of the block, size of the grid (each of them a
 * triple); LANE: the lane's number and masks; OTHER. All but BLOCK and OTHER are known before a launch; BLOCK_SIZE, BLOCK and
 * GRID_SIZE are the same in all lanes. */
enum ptx_special_kind { SPECIAL_THREAD, SPECIAL_BLOCK_SIZE, SPECIAL_BLOCK, SPECIAL_GRID_SIZE, SPECIAL_LANE, SPECIAL_OTHER };
enum ptx_special_kind ptx_special_kind(enum ptx_special special);
unsigned ptx_special_axis(enum ptx_special special); /* 0, 1, 2: x, y, z */
unsigned ptx_special_bytes(enum ptx_special special);
const char *ptx_special_name(enum ptx_special special);

#endif
