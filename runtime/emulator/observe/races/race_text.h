/* A function's text as a graph of blocks, and what registers hold: for race_guess.c. Blocks, instructions and registers are
 * numbers. */
#ifndef EMULATOR_RACE_TEXT_H
#define EMULATOR_RACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/language/ptx/module.h"

struct race_edge {
    int from, to;
    bool taken; /* of a branch with a guard: the one that it takes */
};

struct race_text {
    const struct ptx_function *function;
    int block_count;
    int *first;              /* [block_count + 1] instructions */
    int *block_of;           /* [instruction_count] */
    struct race_edge *edges; /* in the order of `from` */
    int edge_count;
    int *leaving;  /* [block_count + 1] the first edge from each block */
    int *set_in;   /* [register_count] the instruction that sets it; -1: none, -2: several */
    bool *visited; /* [block_count] of a walk */
    int *stack;
};

/* Returns false when out of memory; clear it in either case. */
bool race_text_init(struct race_text *text, const struct ptx_function *function);
void race_text_clear(struct race_text *text);

/* Does the instruction set the register? The registers that it sets are the first operand, or parts of that. */
bool race_text_sets(const struct ptx_instruction *at, int number);
/* The registers that it sets. Returns how many; at most 8. */
unsigned race_text_results(const struct ptx_instruction *at, int results[8]);
const struct ptx_operand *race_text_address(const struct ptx_instruction *at);
/* Does it do nothing but compute the registers that it sets, for its own lane? */
bool race_text_computes(const struct ptx_instruction *at);

/* Can the value that a register has when the block begins be read? */
bool race_text_is_live(struct race_text *text, int number, int block);
/* The first block to which every way from the block leads; -1: none. */
int race_text_meeting(struct race_text *text, int block);
/* Marks in text->visited the blocks on the ways from the block to `end`, without both. */
void race_text_region(struct race_text *text, int block, int end);

/* Do two instructions use the same address, unless a register that both name has changed in between? */
bool race_text_same_address(const struct race_text *text, const struct ptx_instruction *a, const struct ptx_instruction *b);
/* Have two operands the same value? By copies of registers that are set once. */
bool race_text_same_value(const struct race_text *text, const struct ptx_operand *a, const struct ptx_operand *b);
/* What the operand is a copy of. */
const struct ptx_operand *race_text_origin(const struct race_text *text, const struct ptx_operand *operand);

#endif
