#include "runtime/emulator/observe/poison/poison_partial.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256, MAX_CAPACITY = 1 << 22, WHOLE = 0xFF };

static struct poison_partial_byte *slot_of(struct poison_partial_byte *bytes, size_t capacity, uint64_t key)
{
    size_t i = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (capacity - 1);
    while (bytes[i].key && bytes[i].key != key)
        i = (i + 1) & (capacity - 1);
    return &bytes[i];
}

static void grow(struct poison_partial *partial)
{
    size_t capacity = partial->capacity ? partial->capacity * 2 : FIRST_CAPACITY;
    struct poison_partial_byte *grown = capacity > MAX_CAPACITY ? NULL : calloc(capacity, sizeof *grown);
    if (!grown)
        return;
    for (size_t i = 0; i < partial->capacity; i++)
        if (partial->bytes[i].key)
            *slot_of(grown, capacity, partial->bytes[i].key) = partial->bytes[i];
    free(partial->bytes);
    partial->bytes = grown;
    partial->capacity = capacity;
}

void poison_partial_set(struct poison_partial *partial, uint64_t key, uint8_t bits)
{
    struct poison_partial_byte *byte = partial->capacity ? slot_of(partial->bytes, partial->capacity, key) : NULL;
    if (byte && byte->key) {
        byte->bits = bits;
        return;
    }
    if (bits == WHOLE)
        return;
    if (partial->count * 2 >= partial->capacity)
        grow(partial);
    if (partial->count * 2 >= partial->capacity)
        return;
    *slot_of(partial->bytes, partial->capacity, key) = (struct poison_partial_byte){key, bits};
    partial->count++;
}

uint8_t poison_partial_get(const struct poison_partial *partial, uint64_t key)
{
    if (!partial->count)
        return WHOLE;
    const struct poison_partial_byte *byte = slot_of(partial->bytes, partial->capacity, key);
    return byte->key ? byte->bits : WHOLE;
}

void poison_partial_forget(struct poison_partial *partial, uint64_t key, uint64_t count)
{
    for (size_t i = 0; partial->count && i < partial->capacity; i++)
        if (partial->bytes[i].key && partial->bytes[i].key - key < count)
            partial->bytes[i].bits = WHOLE;
}

void poison_partial_clear(struct poison_partial *partial)
{
    if (partial->count)
        memset(partial->bytes, 0, partial->capacity * sizeof *partial->bytes);
    partial->count = 0;
}

void poison_partial_free(struct poison_partial *partial)
{
    free(partial->bytes);
    *partial = (struct poison_partial){0};
}
