/* Tables of places, by race_place_key: what races remember of each place that threads synchronise at. */
#ifndef EMULATOR_RACE_PLACES_H
#define EMULATOR_RACE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open addressing. An entry begins with its key, a uint64_t; 0: free. All zero: an empty table. */
struct race_places {
    void *entries; /* owned */
    size_t count, capacity;
};

/* The entry of a key; NULL: there is none. */
void *race_places_find(const struct race_places *places, size_t entry_bytes, uint64_t key);
/* The same, made where there is none: zero but for its key. NULL when out of memory. */
void *race_places_enter(struct race_places *places, size_t entry_bytes, uint64_t key);

#endif
