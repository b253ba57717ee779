/* The written bits: one per byte of memory, 1 = written, in words of 64. */
#ifndef EMULATOR_WRITTEN_H
#define EMULATOR_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t written_word(const uint8_t *written, uint64_t index)
{
    uint64_t word;
    memcpy(&word, written + index * 8, sizeof word);
    return word;
}

static inline void written_add(uint8_t *written, uint64_t index, uint64_t bits)
{
    uint64_t word = written_word(written, index) | bits;
    memcpy(written + index * 8, &word, sizeof word);
}

/* Of the words that hold the bits of [offset, offset + bytes): those of the first and of the last word. */
static inline uint64_t written_head(uint64_t offset)
{
    return UINT64_MAX << offset % 64;
}

static inline uint64_t written_tail(uint64_t end)
{
    return UINT64_MAX >> (63 - (end - 1) % 64);
}

/* Has every byte of [offset, offset + bytes), bytes > 0, been written? */
static inline bool written_range(const uint8_t *written, uint64_t offset, uint64_t bytes)
{
    uint64_t end = offset + bytes, first = offset / 64, last = (end - 1) / 64;
    if (first == last)
        return !(~written_word(written, first) & written_head(offset) & written_tail(end));
    uint64_t missing = (~written_word(written, first) & written_head(offset))
                       | (~written_word(written, last) & written_tail(end));
    for (uint64_t i = first + 1; i < last; i++)
        missing |= ~written_word(written, i);
    return !missing;
}

/* Every byte of it is now written. */
static inline void written_mark(uint8_t *written, uint64_t offset, uint64_t bytes)
{
    uint64_t end = offset + bytes, first = offset / 64, last = (end - 1) / 64;
    if (first == last) {
        written_add(written, first, written_head(offset) & written_tail(end));
        return;
    }
    written_add(written, first, written_head(offset));
    for (uint64_t i = first + 1; i < last; i++)
        written_add(written, i, UINT64_MAX);
    written_add(written, last, written_tail(end));
}

/* The bits of `count` (1 to 32, a power of two) bytes at an offset that is a multiple of it. */
static inline uint32_t written_get(const uint8_t *written, uint64_t offset, unsigned count)
{
    uint32_t bits = 0;
    if (count < 8)
        return written[offset / 8] >> offset % 8 & ((1u << count) - 1);
    memcpy(&bits, written + offset / 8, count / 8);
    return bits;
}

static inline void written_put(uint8_t *written, uint64_t offset, unsigned count, uint32_t bits)
{
    if (count < 8) {
        uint8_t field = (uint8_t)(((1u << count) - 1) << offset % 8);
        written[offset / 8] = (uint8_t)((written[offset / 8] & ~field) | (bits << offset % 8 & field));
        return;
    }
    memcpy(written + offset / 8, &bits, count / 8);
}

#endif
