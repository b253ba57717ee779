/* The instructions of all seeds, each form with each combination of operands once, without the registers that they had: what
 * a mutation inserts, and what it puts where another instruction with the same operands was. */
#ifndef FUZZ_STOCK_H
#define FUZZ_STOCK_H

#include "runtime/language/ptx/module.h"
#include "tests/fuzz/draw.h"

enum { STOCK_REGISTERS = 40, SIGNATURE_BYTES = 256 };

/* Operands name registers by their number in `types`, and variables by nothing but the space. */
struct stock_item {
    struct ptx_instruction instruction;
    char *signature; /* kinds and types of the operands */
    enum ptx_type types[STOCK_REGISTERS];
    unsigned type_count;
};

struct stock {
    struct arena arena;
    struct stock_item *items; /* sorted by signature once harvested */
    size_t count, capacity;
    uint64_t *known; /* hashes of spelling and signature; 0: free */
    size_t known_slots;
};

void stock_init(struct stock *stock);

/* Takes every instruction that is not there yet. Returns how many were new. */
size_t stock_harvest(struct stock *stock, const struct ptx_module *module);

/* After the last harvest. */
void stock_sort(struct stock *stock);

/* An item with these operands; NULL: none. */
const struct stock_item *stock_draw_like(const struct stock *stock, const char *signature, struct draw *draw);

/* Kinds and types of an instruction's operands. Returns false for those that name places or functions. */
bool stock_signature(const struct ptx_function *function, const struct ptx_instruction *instruction,
                     char signature[SIGNATURE_BYTES]);

uint64_t stock_hash(const char *spelling, const char *signature);

void stock_clear(struct stock *stock);

#endif
