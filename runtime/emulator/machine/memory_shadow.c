/* The written bits of memory.h: one bit per byte of an allocation, 1 = written. */
#include "runtime/emulator/machine/memory.h"

#include <string.h>

/* Sets or clears the bits [first, first + count). */
static void set_bits(uint8_t *bits, uint64_t first, uint64_t count, bool value)
{
    while (count > 0 && first % 8 != 0) {
        uint8_t mask = (uint8_t)(1u << first % 8);
        bits[first / 8] = value ? bits[first / 8] | mask : bits[first / 8] & (uint8_t)~mask;
        first++;
        count--;
    }
    memset(bits + first / 8, value ? 0xff : 0, count / 8);
    first += count / 8 * 8;
    if (count % 8 != 0) {
        uint8_t mask = (uint8_t)((1u << count % 8) - 1);
        bits[first / 8] = value ? bits[first / 8] | mask : bits[first / 8] & (uint8_t)~mask;
    }
}

static bool get_bit(const uint8_t *bits, uint64_t position)
{
    return bits[position / 8] >> position % 8 & 1;
}

void memory_mark_written(struct memory_allocation *allocation, uint64_t offset, uint64_t bytes)
{
    if (allocation->written)
        set_bits(allocation->written, offset, bytes, true);
}

void memory_mark_poison(struct memory_allocation *allocation, uint64_t offset, uint64_t bytes)
{
    allocation->all_written = false;
    if (allocation->written)
        set_bits(allocation->written, offset, bytes, false);
}

bool memory_is_written(const struct memory_allocation *allocation, uint64_t offset)
{
    return !allocation->written || get_bit(allocation->written, offset);
}

bool memory_has_written(const struct memory_allocation *allocation, uint64_t offset, uint64_t bytes)
{
    const uint64_t end = offset + bytes;
    while (allocation->written && offset < end) {
        bool whole = offset % 8 == 0 && end - offset >= 8; /* eight bytes of memory in one of the shadow */
        if (whole ? allocation->written[offset / 8] != 0 : get_bit(allocation->written, offset))
            return true;
        offset += whole ? 8 : 1;
    }
    return !allocation->written;
}

uint64_t memory_first_poison(const struct memory_allocation *allocation, uint64_t offset, uint64_t bytes)
{
    uint64_t end = offset + bytes;
    if (!allocation->written)
        return end;
    while (offset < end) {
        /* eight bytes of shadow at a time: 64 MB of data are a million of these steps */
        uint64_t word;
        if (offset % 8 == 0 && end - offset >= 64) {
            memcpy(&word, allocation->written + offset / 8, sizeof word);
            if (word == UINT64_MAX) {
                offset += 64;
                continue;
            }
        }
        if (!get_bit(allocation->written, offset))
            return offset;
        offset++;
    }
    return end;
}

/* Have stores of this width been there, and narrower ones? */
static bool is_stored(uint8_t store_bytes, unsigned width)
{
    return store_bytes & width && store_bytes & (width - 1);
}

static bool may_be_padding(const struct memory_allocation *allocation, uint64_t first, uint64_t end)
{
    for (unsigned width = 2; width <= 16; width *= 2)
        if (is_stored(allocation->store_bytes, width) && end - first < width && end % width == 0)
            return true;
    return false;
}

bool memory_may_be_padding(const uint8_t *written, uint64_t end, uint8_t store_bytes, uint64_t at)
{
    for (unsigned width = 2; width <= 16; width *= 2) {
        uint64_t first = at / width * width, next = first + width, hole = at;
        if (!is_stored(store_bytes, width) || next > end)
            continue;
        while (hole < next && !get_bit(written, hole))
            hole++;
        if (hole == next && get_bit(written, first))
            return true;
    }
    return false;
}

uint64_t memory_first_hole(const struct memory_allocation *allocation, uint64_t offset, uint64_t bytes, uint64_t *last)
{
    uint64_t end = offset + bytes, hole_end;
    while ((offset = memory_first_poison(allocation, offset, end - offset)) < end) {
        for (hole_end = offset + 1; hole_end < end && !get_bit(allocation->written, hole_end);)
            hole_end++;
        *last = hole_end - 1;
        if (!may_be_padding(allocation, offset, hole_end))
            return offset;
        offset = hole_end;
    }
    return end;
}

void memory_copy_written(struct memory_allocation *target, uint64_t target_offset, const struct memory_allocation *source,
                         uint64_t source_offset, uint64_t bytes)
{
    if (!target->written)
        return;
    target->all_written = false;
    target->store_bytes |= source->store_bytes;
    if (!source->written) {
        set_bits(target->written, target_offset, bytes, true);
        return;
    }
    uint64_t aligned = target_offset % 8 == 0 && source_offset % 8 == 0 ? bytes / 8 * 8 : 0;
    /* the ranges may overlap inside one allocation: walk away from the overlap, as memmove does */
    bool backwards = target == source && target_offset > source_offset;
    for (int part = 0; part < 2; part++) {
        if ((part == 0) != backwards) {
            memmove(target->written + target_offset / 8, source->written + source_offset / 8, aligned / 8);
            continue;
        }
        for (uint64_t i = aligned; i < bytes; i++) {
            uint64_t at = backwards ? bytes - 1 - (i - aligned) : i;
            set_bits(target->written, target_offset + at, 1, get_bit(source->written, source_offset + at));
        }
    }
}
