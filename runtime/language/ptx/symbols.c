#include "runtime/language/ptx/symbols.h"

#include <string.h>

void symbols_init(struct symbols *symbols, struct arena *arena)
{
    memset(symbols, 0, sizeof *symbols);
    symbols->arena = arena;
}

static unsigned bucket_of(const char *name, size_t length)
{
    unsigned hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash % SYMBOL_BUCKETS;
}

struct symbol *symbols_declare(struct symbols *symbols, const char *name, size_t length, enum symbol_kind kind)
{
    struct symbol *symbol = arena_allocate(symbols->arena, sizeof *symbol);
    if (!symbol)
        return NULL;
    struct symbol **bucket = &symbols->buckets[bucket_of(name, length)];
    *symbol = (struct symbol){.name = name,
                              .length = length,
                              .kind = kind,
                              .level = symbols->level,
                              .hidden = *bucket,
                              .previous = symbols->newest};
    *bucket = symbols->newest = symbol;
    return symbol;
}

struct symbol *symbols_find(const struct symbols *symbols, const char *name, size_t length)
{
    struct symbol *symbol = symbols->buckets[bucket_of(name, length)];
    while (symbol && !(symbol->length == length && memcmp(symbol->name, name, length) == 0))
        symbol = symbol->hidden;
    return symbol;
}

void symbols_enter(struct symbols *symbols)
{
    symbols->level++;
}

void symbols_leave(struct symbols *symbols)
{
    while (symbols->newest && symbols->newest->level == symbols->level) {
        struct symbol *symbol = symbols->newest;
        symbols->buckets[bucket_of(symbol->name, symbol->length)] = symbol->hidden;
        symbols->newest = symbol->previous;
    }
    symbols->level--;
}
