/* The parts of a repair (repair.h): a function taken apart, edits that are collected, and the function put together again. */
#ifndef EMULATOR_REPAIR_EDIT_H
#define EMULATOR_REPAIR_EDIT_H

#include "runtime/emulator/decode/flow.h"

/* Instructions that are put in before instruction `before`. */
struct repair_insertion {
    int before;
    bool behind_label; /* jumps to `before` pass it too */
    struct ptx_instruction instruction;
};

struct repair_editor {
    struct ptx_module *module;
    struct ptx_function *function;
    struct arena *arena;
    struct flow flow;
    int *line;     /* [instruction_count] in the student's file; 0 unknown */
    int *block;    /* [instruction_count] of flow */
    int *divider;  /* [block_count] block whose branch lets only some threads come here; -1: all come, or none */
    bool *varies;  /* [register_count] may differ among the threads of a block */
    bool *removed; /* [instruction_count] */
    struct repair_insertion *insertions;
    size_t insertion_count, insertion_capacity;
    bool failed; /* out of memory */
};

/* Looks at a function with a body. Returns false when out of memory. */
bool repair_editor_begin(struct repair_editor *editor, struct ptx_module *module, struct ptx_function *function);

/* Puts the function together with the edits. Returns false when out of memory. */
bool repair_editor_end(struct repair_editor *editor);

/* An instruction as the parser would make it, without operands, at the place of instruction `like`. */
struct ptx_instruction repair_instruction(struct repair_editor *editor, const char *spelling, unsigned operand_count,
                                          int like);
typedef struct ptx_instruction repair_make(struct repair_editor *editor, int like);
struct ptx_operand repair_register(int index);
struct ptx_operand repair_integer(uint64_t bits);
/* A new register. */
int repair_new_register(struct repair_editor *editor, enum ptx_type type);

void repair_insert(struct repair_editor *editor, int before, bool behind_label, struct ptx_instruction instruction);

/* The same at the place nearest to `before` that all threads of the block pass: there, or where the branches and loops
 * that only some of them take are over. Returns false when there is none. Never twice at one place. */
bool repair_insert_for_all(struct repair_editor *editor, int before, struct ptx_instruction instruction);

/* Does the instruction access memory that other threads could see, or that is like it (local)? */
bool repair_is_access(const struct ptx_instruction *instruction);
bool repair_reads(const struct ptx_instruction *instruction);
bool repair_writes(const struct ptx_instruction *instruction);

/* Is the instruction's result or effect in this register? */
bool repair_defines(const struct ptx_instruction *instruction, int index);

/* Is instruction `i` the last access of a run of accesses of `line` in its basic block? A store and a read after it are two
 * runs: the line's statement begins again, as in a loop that was unrolled. */
bool repair_ends_line(const struct repair_editor *editor, int i, int line);

#endif
