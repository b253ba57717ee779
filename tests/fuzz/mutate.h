/* Changes of a parsed module that mostly leave it one that loads: other registers of the same type, other opcodes for the
 * same operands, instructions that other seeds have, other constants, labels, guards, declarations and source lines. */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "runtime/language/ptx/module.h"
#include "tests/fuzz/draw.h"
#include "tests/fuzz/stock.h"

/* What mutations ask and remember of spellings that no seed has: does an instruction load? */
struct mutate_memory {
    uint64_t known[1 << 16]; /* hashes; the lowest bit says whether it loads */
};

struct mutation {
    struct ptx_module *module; /* changed; memory comes from its arena */
    const struct stock *stock;
    struct mutate_memory *memory;
    bool (*loads)(const char *text); /* PTX of a module */
    struct draw *draw;
};

/* Makes one change. Returns false when the one that was drawn does not apply. */
bool mutate(struct mutation *mutation);

/* Removes instruction `index`, or `count` of them. */
void mutate_delete(struct ptx_function *function, size_t index, size_t count);

#endif
