#include "runtime/emulator/observe/races/race_pool.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 20, MAX_CHUNKS = 640, KEPT_CHUNKS = 4 }; /* of both pools together; of each between launches */

struct pool {
    size_t element_bytes;
    char *chunks[MAX_CHUNKS];
    size_t chunk_count, used; /* used: bytes in all chunks, in order */
};
static struct pool write_pool = {.element_bytes = sizeof(struct race_write)};
static struct pool reader_pool = {.element_bytes = sizeof(struct race_reader)};
static bool told;
static size_t kept_chunks; /* in all struct race_pools */

/* Returns empty cells, or NULL. */
static void *take_cells(struct pool *pool, unsigned count)
{
    size_t bytes = count * pool->element_bytes, chunk = pool->used / CHUNK_BYTES;
    if (pool->used % CHUNK_BYTES + bytes > CHUNK_BYTES)
        pool->used = ++chunk * CHUNK_BYTES;
    if (chunk == pool->chunk_count) {
        if (write_pool.chunk_count + reader_pool.chunk_count + kept_chunks >= MAX_CHUNKS) {
            if (!told)
                fprintf(stderr,
                        "lockstep: a launch needs more than %d MiB to look for races; "
                        "part of its memory is not checked\n",
                        MAX_CHUNKS * (CHUNK_BYTES >> 20));
            told = true;
            return NULL;
        }
        pool->chunks[chunk] = calloc(1, CHUNK_BYTES);
        if (!pool->chunks[chunk])
            return NULL;
        pool->chunk_count++;
    }
    void *cells = &pool->chunks[chunk][pool->used % CHUNK_BYTES];
    pool->used += bytes;
    return memset(cells, 0, bytes);
}

struct race_write *race_take_writes(unsigned count)
{
    return take_cells(&write_pool, count);
}

struct race_reader *race_take_readers(unsigned count)
{
    return take_cells(&reader_pool, count);
}

static void rewind_pool(struct pool *pool)
{
    while (pool->chunk_count > KEPT_CHUNKS)
        free(pool->chunks[--pool->chunk_count]);
    pool->used = 0;
}

void race_cells_rewind(void)
{
    rewind_pool(&write_pool);
    rewind_pool(&reader_pool);
}

struct race_pools {
    struct pool writes, readers;
};

struct race_pools *race_cells_take(void)
{
    struct race_pools *pools = malloc(sizeof *pools);
    if (!pools)
        return NULL;
    *pools = (struct race_pools){write_pool, reader_pool};
    kept_chunks += write_pool.chunk_count + reader_pool.chunk_count;
    write_pool.chunk_count = write_pool.used = reader_pool.chunk_count = reader_pool.used = 0;
    return pools;
}

static void free_chunks(struct pool *pool)
{
    kept_chunks -= pool->chunk_count;
    while (pool->chunk_count > 0)
        free(pool->chunks[--pool->chunk_count]);
}

void race_cells_free(struct race_pools *pools)
{
    if (!pools)
        return;
    free_chunks(&pools->writes);
    free_chunks(&pools->readers);
    free(pools);
}

static void visit_pool(const struct pool *pool, void (*visit)(void *context, uint32_t *segment), void *context)
{
    for (size_t at = 0; at < pool->used; at += pool->element_bytes) /* each begins with its segment */
        visit(context, (uint32_t *)(void *)&pool->chunks[at / CHUNK_BYTES][at % CHUNK_BYTES]);
}

void race_visit_cells(void (*visit)(void *context, uint32_t *segment), void *context)
{
    visit_pool(&write_pool, visit, context);
    visit_pool(&reader_pool, visit, context);
}
