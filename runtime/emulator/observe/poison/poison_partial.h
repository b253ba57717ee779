/* Bytes of memory of which only some bits were written: bit-fields that are set one after another. Memory has one bit per
 * byte for "written"; the missing bits of such a byte are kept here, by a key of the byte. */
#ifndef EMULATOR_POISON_PARTIAL_H
#define EMULATOR_POISON_PARTIAL_H

#include <stddef.h>
#include <stdint.h>

struct poison_partial {
    struct poison_partial_byte {
        uint64_t key;
        uint8_t bits;
    } *bytes; /* open addressing; key 0: free */
    size_t count, capacity;
};

/* Says which bits of a poisoned byte are poison; bytes that are not in the table are all poison.
 *   key    not 0; memory says whether the byte is poison at all, so that a clean byte need not be removed
 *   bits   not 0
 * Without memory for it all of the byte stays poison. */
void poison_partial_set(struct poison_partial *partial, uint64_t key, uint8_t bits);
uint8_t poison_partial_get(const struct poison_partial *partial, uint64_t key);

/* All of the bytes [key, key + count) is poison; or all bytes are. */
void poison_partial_forget(struct poison_partial *partial, uint64_t key, uint64_t count);
void poison_partial_clear(struct poison_partial *partial);
void poison_partial_free(struct poison_partial *partial);

#endif
