#include "runtime/base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
};

void arena_init(struct arena *arena)
{
    arena->chunks = NULL;
}

void *arena_allocate(struct arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < bytes) {
        size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = calloc(1, sizeof *chunk + size);
        if (!chunk)
            return NULL;
        chunk->size = size;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    void *result = chunk->bytes + chunk->used;
    chunk->used += bytes;
    return result;
}

char *arena_copy_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_allocate(arena, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void *arena_grow(struct arena *arena, void *array, size_t count, size_t needed, size_t *capacity, size_t element_bytes)
{
    if (needed <= *capacity)
        return array;
    size_t grown = *capacity ? *capacity * 2 : 16;
    if (grown < needed)
        grown = needed;
    void *copy = arena_allocate(arena, grown * element_bytes);
    if (!copy)
        return NULL;
    if (count)
        memcpy(copy, array, count * element_bytes);
    *capacity = grown;
    return copy;
}

void arena_clear(struct arena *arena)
{
    while (arena->chunks) {
        struct arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
}
