/* What a line of shared memory, 32 units, remembers of an epoch, and whether one more access can be wrong.
 * For race_epoch.c and race_trace.c. */
#ifndef EMULATOR_RACE_TOUCH_H
#define EMULATOR_RACE_TOUCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "runtime/emulator/observe/races/race.h"

enum { MIXED = UINT16_MAX }; /* several warps */

/* Sets of units have one bit each. */
struct race_epoch_line {
    uint32_t number;           /* epoch that the rest belongs to; another one: nothing happened here */
    uint32_t touched, written; /* atomics write */
    uint32_t several, crowded; /* touched by more than one thread; read by more than one warp */
    uint32_t atomic;           /* touched by atomics only; so is every unit that several threads write */
    uint32_t sync;             /* when the lanes of `warp` had last met before it was here; 0: not in this epoch */
    uint32_t before_touched, before_written; /* by `warp`, before that */
    uint16_t warp;                           /* that was here, its index in the block; or MIXED */
    uint16_t atomic_bytes;                   /* of all atomics here */
    uint16_t owner[RACE_LINE_WORDS]; /* of a touched unit: the first thread, its index in the block; of one that several
                                           threads of `warp` read: not set while no other warp comes */
};

#if defined(__SSE2__)
static inline __m128i owners_at(const uint16_t *owner, unsigned unit)
{
    return _mm_loadu_si128((const __m128i *)(const void *)(owner + unit));
}

/* One bit for each of 16 comparisons. */
static inline uint32_t equal_16(__m128i low, __m128i high, __m128i other_low, __m128i other_high)
{
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm_cmpeq_epi16(low, other_low), _mm_cmpeq_epi16(high, other_high)));
}
#endif

/* Units whose first thread is `thread[unit]`. */
static inline uint32_t same_owner(const uint16_t *owner, const uint16_t *thread)
{
    uint32_t same = 0;
#if defined(__SSE2__)
    for (unsigned half = 0; half < RACE_LINE_UNITS; half += 16)
        same |= equal_16(owners_at(owner, half), owners_at(owner, half + 8), owners_at(thread, half),
                         owners_at(thread, half + 8))
                << half;
#else
    for (unsigned unit = 0; unit < RACE_LINE_UNITS; unit++)
        same |= (uint32_t)(owner[unit] == thread[unit]) << unit;
#endif
    return same;
}

/* Units whose first thread is of the warp. */
static inline uint32_t same_warp(const uint16_t *owner, unsigned warp)
{
    uint32_t same = 0;
#if defined(__SSE2__)
    __m128i mine = _mm_set1_epi16((short)warp);
    for (unsigned half = 0; half < RACE_LINE_UNITS; half += 16)
        same |=
            equal_16(_mm_srli_epi16(owners_at(owner, half), 5), _mm_srli_epi16(owners_at(owner, half + 8), 5), mine, mine)
            << half;
#else
    for (unsigned unit = 0; unit < RACE_LINE_UNITS; unit++)
        same |= (uint32_t)(owner[unit] / WARP_LANES == warp) << unit;
#endif
    return same;
}

/* Gives the units their threads. */
static inline void set_owner(uint16_t *owner, uint32_t units, const uint16_t *thread)
{
#if defined(__SSE2__)
    const __m128i bits = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
    for (unsigned unit = 0; unit < RACE_LINE_UNITS; unit += 8) {
        __m128i chosen = _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16((short)(units >> unit & 0xFF)), bits), bits);
        __m128i mixed = _mm_or_si128(_mm_and_si128(chosen, owners_at(thread, unit)),
                                     _mm_andnot_si128(chosen, owners_at(owner, unit)));
        _mm_storeu_si128((__m128i *)(void *)(owner + unit), mixed);
    }
#else
    for (; units; units &= units - 1)
        owner[__builtin_ctz(units)] = thread[__builtin_ctz(units)];
#endif
}

static inline void set_owner_warp(uint16_t *owner, uint32_t units, unsigned warp)
{
    uint16_t threads[RACE_LINE_UNITS];
    if (!units)
        return;
    for (unsigned unit = 0; unit < RACE_LINE_UNITS; unit++)
        threads[unit] = (uint16_t)(warp * WARP_LANES);
    set_owner(owner, units, threads);
}

static inline void empty_line(struct race_epoch_line *line, uint32_t number, unsigned warp, uint32_t sync)
{
    line->number = number;
    line->touched = line->written = line->several = line->crowded = line->atomic = 0;
    line->before_touched = line->before_written = 0;
    line->warp = (uint16_t)warp;
    line->sync = sync;
}

/* The line, ready for the warp. sync: when its lanes last met in this epoch. */
static inline struct race_epoch_line *refresh(struct race_epoch *epoch, unsigned warp, uint32_t sync, uint32_t index)
{
    struct race_epoch_line *line = &epoch->lines[index];
    if (line->number != epoch->number) {
        empty_line(line, epoch->number, warp, sync);
    } else if (line->warp != warp) {
        if (line->warp != MIXED)
            set_owner_warp(line->owner, line->several, line->warp);
        line->warp = MIXED;
    } else if (line->sync != sync) { /* ordered for this warp, but for no other */
        line->before_touched |= line->touched;
        line->before_written |= line->written;
        line->touched = line->written = line->several = line->atomic = 0;
        line->sync = sync;
    }
    return line;
}

enum touch { TOUCH_OLD, TOUCH_NEW, TOUCH_CONFLICT }; /* adds nothing new; something; more than can be decided here */

static inline enum touch worse(enum touch a, enum touch b)
{
    return a > b ? a : b;
}

/* Units with so many recorded reads that one more by the warp adds nothing: a write there races with a recorded
 * one. */
static inline uint32_t well_read(const struct race_epoch_line *line, unsigned warp)
{
    return line->warp == warp ? line->several & ~line->written : line->crowded;
}

/* ---- each unit by one lane; same: units that the same threads touched first ---- */

static inline enum touch touch_read(struct race_epoch_line *line, unsigned warp, uint32_t units, uint32_t same)
{
    bool alone = line->warp == warp;
    uint32_t foreign = units & line->touched & ~same;
    if (units & ((line->written & (~same | line->several)) | (alone ? 0 : line->before_written)))
        return TOUCH_CONFLICT;
    uint32_t several = line->several | foreign;
    uint32_t crowded = line->crowded | (alone || !(foreign & ~line->crowded) ? 0 : foreign & ~same_warp(line->owner, warp));
    uint32_t fresh = (units & ~line->touched) | (several ^ line->several) | (crowded ^ line->crowded);
    line->touched |= units;
    line->several = several;
    line->crowded = crowded;
    line->atomic &= ~units;
    return fresh ? TOUCH_NEW : TOUCH_OLD;
}

static inline enum touch touch_write(struct race_epoch_line *line, unsigned warp, uint32_t units, uint32_t same)
{
    uint32_t before = line->warp == warp ? 0 : line->before_touched;
    if (units & ((line->touched & ~same) | line->several | before))
        return TOUCH_CONFLICT;
    enum touch result = units & ~line->written ? TOUCH_NEW : TOUCH_OLD;
    line->touched |= units;
    line->written |= units;
    line->atomic &= ~units;
    return result;
}

/* Atomics of one size do not conflict. Two threads are recorded: any other access races with one of them. */
static inline enum touch touch_atomic(struct race_epoch_line *line, unsigned warp, uint32_t units, uint32_t same,
                                      unsigned bytes)
{
    uint32_t before = line->warp == warp ? 0 : line->before_touched, foreign = units & line->touched & ~same;
    if ((units & (((foreign | line->several) & ~line->atomic) | before)) || (line->atomic && line->atomic_bytes != bytes))
        return TOUCH_CONFLICT;
    uint32_t fresh = units & ~line->touched;
    bool is_new = (units & ~line->written) || (foreign & ~line->several);
    line->touched |= units;
    line->written |= units;
    line->several |= foreign;
    line->atomic |= fresh;
    line->atomic_bytes = (uint16_t)bytes;
    return is_new ? TOUCH_NEW : TOUCH_OLD;
}

/* ---- each unit by several lanes ---- */

static inline enum touch read_together(struct race_epoch_line *line, unsigned warp, uint32_t units)
{
    bool alone = line->warp == warp;
    uint32_t fresh = units & ~line->touched, crowded = line->crowded;
    if (units & (line->written | (alone ? 0 : line->before_written)))
        return TOUCH_CONFLICT;
    if (!alone) {
        crowded |= units & line->touched & ~same_warp(line->owner, warp);
        set_owner_warp(line->owner, fresh, warp);
    }
    fresh |= (units & ~line->several) | (crowded ^ line->crowded);
    line->touched |= units;
    line->several |= units;
    line->crowded = crowded;
    return fresh ? TOUCH_NEW : TOUCH_OLD;
}

/* ---- owners ---- */

/* Returns the units that the same lanes of the warp touched first; untouched ones get their owner. */
static inline uint32_t own_units(struct race_epoch_line *line, unsigned warp, uint32_t units, const uint16_t *lane)
{
    uint16_t threads[RACE_LINE_UNITS];
#if defined(__SSE2__)
    for (unsigned i = 0; i < RACE_LINE_UNITS; i += 8)
        _mm_storeu_si128((__m128i *)(void *)(threads + i),
                         _mm_add_epi16(_mm_set1_epi16((short)(warp * WARP_LANES)), owners_at(lane, i)));
#else
    for (unsigned i = 0; i < RACE_LINE_UNITS; i++)
        threads[i] = (uint16_t)(warp * WARP_LANES + lane[i]);
#endif
    uint32_t same = same_owner(line->owner, threads), fresh = units & ~line->touched;
    if (fresh == UINT32_MAX)
        memcpy(line->owner, threads, sizeof threads);
    else if (fresh)
        set_owner(line->owner, fresh, threads);
    return same;
}

/* The same when all units are one thread's. */
static inline uint32_t own_units_alone(struct race_epoch_line *line, uint32_t units, unsigned thread)
{
    uint32_t same = 0;
    for (uint32_t rest = units; rest; rest &= rest - 1) {
        unsigned unit = (unsigned)__builtin_ctz(rest);
        if (!(line->touched >> unit & 1))
            line->owner[unit] = (uint16_t)thread;
        same |= (uint32_t)(line->owner[unit] == thread) << unit;
    }
    return same;
}

/* ---- a request ---- */

/* What it touches in one line. */
struct race_piece {
    uint32_t single, several; /* units of one lane, of several */
    const uint16_t *lane;     /* [32] of the single ones */
};

/* Line i of the request, which begins `first` units into line 0. */
static inline struct race_piece piece_of(const struct race_layout *layout, unsigned first, unsigned i)
{
    const uint32_t *single = &layout->single[i], *several = &layout->several[i];
    unsigned back = (RACE_LINE_UNITS - first) % RACE_LINE_UNITS; /* of the earlier word that lies in this line */
    return (struct race_piece){.single = single[1] << first | (back ? single[0] >> back : 0),
                               .several = several[1] << first | (back ? several[0] >> back : 0),
                               .lane = layout->lane + RACE_LINE_UNITS * (i + 1) - first};
}

/* What it does to that line. */
static inline __attribute__((always_inline)) enum touch touch_piece(struct race_epoch_line *line, unsigned warp,
                                                                    const struct race_piece *piece, bool write)
{
    enum touch result = TOUCH_OLD;
    if (piece->several)
        result = write ? TOUCH_CONFLICT : read_together(line, warp, piece->several);
    if (piece->single) {
        uint32_t same = own_units(line, warp, piece->single, piece->lane);
        result = worse(result,
                       write ? touch_write(line, warp, piece->single, same) : touch_read(line, warp, piece->single, same));
    }
    return result;
}

/* What a lane does to some units of a line. */
static inline enum touch touch_units(struct race_epoch_line *line, unsigned warp, unsigned lane, uint32_t units,
                                     enum race_kind kind, unsigned bytes)
{
    uint32_t same = own_units_alone(line, units, warp * WARP_LANES + lane);
    switch (kind) {
    case RACE_READ: return touch_read(line, warp, units, same);
    case RACE_WRITE: return touch_write(line, warp, units, same);
    case RACE_ATOMIC: return touch_atomic(line, warp, units, same, bytes);
    default: return TOUCH_CONFLICT;
    }
}

/* What a lane does to one unit: the usual cases of touch_units(), in fewer steps. */
static inline __attribute__((always_inline)) enum touch
touch_unit(struct race_epoch_line *line, unsigned warp, unsigned lane, unsigned unit, enum race_kind kind, unsigned bytes)
{
    uint32_t bit = 1u << unit, before = kind == RACE_READ ? line->before_written : line->before_touched;
    bool same_bytes = kind != RACE_ATOMIC || line->atomic_bytes == bytes;
    if (kind == RACE_READ && bit & well_read(line, warp))
        return TOUCH_OLD;
    if (kind == RACE_ATOMIC && bit & line->atomic & line->several && same_bytes && !(before & bit))
        return TOUCH_OLD;
    if ((line->touched | before) & bit || (line->atomic && !same_bytes))
        return touch_units(line, warp, lane, bit, kind, bytes);
    line->touched |= bit;
    line->owner[unit] = (uint16_t)(warp * WARP_LANES + lane);
    if (kind != RACE_READ)
        line->written |= bit;
    if (kind == RACE_ATOMIC) {
        line->atomic |= bit;
        line->atomic_bytes = (uint16_t)bytes;
    }
    return TOUCH_NEW;
}

static inline __attribute__((always_inline)) enum touch touch_each(struct race_epoch *epoch, unsigned warp, uint32_t sync,
                                                                   const uint32_t *offset, uint32_t mask, uint32_t base,
                                                                   unsigned bytes, enum race_kind kind)
{
    enum touch result = TOUCH_OLD;
    unsigned units = bytes >> epoch->unit_shift, shift = epoch->unit_shift;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t unit = (base + offset[lane]) >> shift, end = unit + units;
        do {
            struct race_epoch_line *line = refresh(epoch, warp, sync, unit / RACE_LINE_UNITS);
            unsigned first = unit % RACE_LINE_UNITS, count = end - unit;
            uint32_t part = count < RACE_LINE_UNITS ? ((1u << count) - 1) << first : UINT32_MAX << first;
            result = worse(result, units == 1 ? touch_unit(line, warp, lane, first, kind, bytes)
                                              : touch_units(line, warp, lane, part, kind, bytes));
            unit = unit - first + RACE_LINE_UNITS;
        } while (unit < end);
        if (result == TOUCH_CONFLICT)
            break;
    }
    return result;
}

/* A request lane by lane. */
static inline enum touch touch_lanes(struct race_epoch *epoch, unsigned warp, uint32_t sync, const uint32_t *offset,
                                     uint32_t mask, uint32_t base, unsigned bytes, enum race_kind kind)
{
    switch (kind) {
    case RACE_READ: return touch_each(epoch, warp, sync, offset, mask, base, bytes, RACE_READ);
    case RACE_WRITE: return touch_each(epoch, warp, sync, offset, mask, base, bytes, RACE_WRITE);
    case RACE_ATOMIC: return touch_each(epoch, warp, sync, offset, mask, base, bytes, RACE_ATOMIC);
    default: return TOUCH_CONFLICT;
    }
}

#endif
