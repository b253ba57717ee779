/* Memory of one lifetime: many small allocations, freed together. */
#ifndef EMULATOR_ARENA_H
#define EMULATOR_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
};

/* Makes an empty arena; allocates nothing. */
void arena_init(struct arena *arena);

/* Allocates zeroed bytes, 16-byte aligned, that live until arena_clear. Returns NULL when the host is out of memory. */
void *arena_allocate(struct arena *arena, size_t bytes);

/* Copies [length] characters and a NUL. Returns NULL when out of memory. */
char *arena_copy_text(struct arena *arena, const char *text, size_t length);

/* Returns an array of at least `needed` elements that begins with the `count` elements at `array`: the growth gate of every
 * list in an arena. *capacity is updated. Returns NULL when out of memory. */
void *arena_grow(struct arena *arena, void *array, size_t count, size_t needed, size_t *capacity, size_t element_bytes);

/* Frees everything. */
void arena_clear(struct arena *arena);

#endif
