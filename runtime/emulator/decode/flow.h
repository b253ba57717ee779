/* Control flow of a function: basic blocks, and where the sides of a branch meet again (immediate post-dominators). */
#ifndef EMULATOR_FLOW_H
#define EMULATOR_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/language/ptx/module.h"

enum flow_kind {
    FLOW_STRAIGHT, /* an instruction that only continues */
    FLOW_JUMP,     /* always to `target` */
    FLOW_BRANCH,   /* to `target` where the guard holds (or does not, see negated), else on */
    FLOW_RETURN,   /* the one place where the function returns */
    FLOW_EXIT,     /* ends the thread: exit, trap */
};

/* The function as a list of steps: its instructions, with guarded calls, barriers and returns taken apart into a branch
 * around them, and every return leading to one last step. */
struct flow_step {
    enum flow_kind kind;
    int instruction; /* index; -1 for the last step */
    bool synthetic;  /* a branch that the PTX text does not have */
    bool negated;    /* of the branch's guard */
    int target;      /* step */
    int choice;      /* of an indexed branch: taken where the index is this; -1: of another branch */
    int block;       /* basic block */
};

struct flow_block {
    int first, last;   /* steps */
    int successors[2]; /* blocks; -1 none */
    int meeting;       /* immediate post-dominator; -1: the end of the function */
    bool is_meeting;   /* some branch's sides meet here */
};

struct flow {
    struct flow_step *steps;
    int step_count;
    struct flow_block *blocks;
    int block_count;
};

/* Is it forbidden to run the instruction under a lane mask (it may wait or leave), so that its guard becomes a branch? */
bool flow_needs_branch(const struct ptx_instruction *instruction);

/* Analyses a function; everything is allocated from the arena. Returns false when out of memory. */
bool flow_analyse(const struct ptx_function *function, struct arena *arena, struct flow *flow);

#endif
