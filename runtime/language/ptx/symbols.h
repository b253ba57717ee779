/* Names in nested scopes, for the parser: inline assembly may declare the same register or label again inside braces. */
#ifndef PTX_SYMBOLS_H
#define PTX_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/arena.h"

enum symbol_kind { SYMBOL_REGISTER, SYMBOL_VARIABLE, SYMBOL_FUNCTION, SYMBOL_LABEL, SYMBOL_PROTOTYPE, SYMBOL_OPERAND };

struct symbol {
    const char *name;
    size_t length;
    enum symbol_kind kind;
    int index;    /* SYMBOL_REGISTER: in the function */
    void *target; /* the other kinds: struct ptx_variable, ptx_function, ptx_label, ptx_operand (targets, vectors) */
    int level;    /* of the scope that declared it; 0 = module */
    struct symbol *hidden;   /* older symbol in the same bucket */
    struct symbol *previous; /* declared before this one */
};

enum { SYMBOL_BUCKETS = 1 << 16 };

struct symbols {
    struct arena *arena;
    struct symbol *buckets[SYMBOL_BUCKETS];
    struct symbol *newest;
    int level;
};

void symbols_init(struct symbols *symbols, struct arena *arena);

/* Declares a name in the current scope; the name is borrowed. Returns NULL when out of memory. */
struct symbol *symbols_declare(struct symbols *symbols, const char *name, size_t length, enum symbol_kind kind);

/* Finds the innermost declaration. NULL when there is none. */
struct symbol *symbols_find(const struct symbols *symbols, const char *name, size_t length);

void symbols_enter(struct symbols *symbols);

/* Forgets everything declared since the matching symbols_enter. */
void symbols_leave(struct symbols *symbols);

#endif
