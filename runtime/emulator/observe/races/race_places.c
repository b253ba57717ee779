#include "runtime/emulator/observe/races/race_places.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1024 }; /* a power of two */

/* The entry of the key, or the free one where it belongs. */
static uint64_t *slot_of(void *entries, size_t capacity, size_t entry_bytes, uint64_t key)
{
    size_t i = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (capacity - 1);
    for (;; i = (i + 1) & (capacity - 1)) {
        uint64_t *entry = (uint64_t *)((char *)entries + i * entry_bytes);
        if (!*entry || *entry == key)
            return entry;
    }
}

void *race_places_find(const struct race_places *places, size_t entry_bytes, uint64_t key)
{
    uint64_t *entry = places->count ? slot_of(places->entries, places->capacity, entry_bytes, key) : NULL;
    return entry && *entry ? entry : NULL;
}

static bool grow(struct race_places *places, size_t entry_bytes)
{
    size_t capacity = places->capacity ? places->capacity * 2 : FIRST_CAPACITY;
    void *grown = calloc(capacity, entry_bytes);
    if (!grown)
        return false;
    for (size_t i = 0; i < places->capacity; i++) {
        const uint64_t *entry = (const uint64_t *)((const char *)places->entries + i * entry_bytes);
        if (*entry)
            memcpy(slot_of(grown, capacity, entry_bytes, *entry), entry, entry_bytes);
    }
    free(places->entries);
    places->entries = grown;
    places->capacity = capacity;
    return true;
}

void *race_places_enter(struct race_places *places, size_t entry_bytes, uint64_t key)
{
    if (places->count * 2 >= places->capacity && !grow(places, entry_bytes))
        return NULL;
    uint64_t *entry = slot_of(places->entries, places->capacity, entry_bytes, key);
    places->count += !*entry;
    *entry = key;
    return entry;
}
