/* What 128 bytes of shared memory remember of an epoch, and whether one more access can be wrong. Part of race_epoch.c. */
#ifndef EMULATOR_RACE_TOUCH_H
#define EMULATOR_RACE_TOUCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "runtime/emulator/checks/race.h"

enum { MIXED = UINT16_MAX };   /* several warps */

/* 128 bytes of shared memory. Sets of words have one bit each. */
struct race_epoch_line {
    uint32_t number;                    /* epoch that the rest is of; another one: nothing happened here */
    uint32_t touched, written;
    uint32_t several, crowded;          /* read by more than one thread; by more than one warp */
    uint32_t sync;                      /* when the lanes of `warp` had met last as it was here; 0: not in this epoch */
    uint32_t before_touched, before_written;   /* by `warp`, before that */
    uint16_t warp;                      /* that was here, its index in the block; or MIXED */
    uint16_t owner[RACE_LINE_WORDS];    /* of a touched word: the first thread, its index in the block; of one that several
                                           threads of `warp` read: not set while nobody else comes */
};

#if defined(__SSE2__)
static inline __m128i owners_at(const uint16_t *owner, unsigned word)
{
    return _mm_loadu_si128((const __m128i *)(const void *)(owner + word));
}

/* One bit for each of 16 comparisons. */
static inline uint32_t equal_16(__m128i low, __m128i high, __m128i other_low, __m128i other_high)
{
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm_cmpeq_epi16(low, other_low), _mm_cmpeq_epi16(high, other_high)));
}
#endif

/* Words whose first thread is `thread[word]`. */
static inline uint32_t same_owner(const uint16_t *owner, const uint16_t *thread)
{
    uint32_t same = 0;
#if defined(__SSE2__)
    for (unsigned half = 0; half < RACE_LINE_WORDS; half += 16)
        same |= equal_16(owners_at(owner, half), owners_at(owner, half + 8), owners_at(thread, half),
                         owners_at(thread, half + 8)) << half;
#else
    for (unsigned word = 0; word < RACE_LINE_WORDS; word++)
        same |= (uint32_t)(owner[word] == thread[word]) << word;
#endif
    return same;
}

/* Words whose first thread is of the warp. */
static inline uint32_t same_warp(const uint16_t *owner, unsigned warp)
{
    uint32_t same = 0;
#if defined(__SSE2__)
    __m128i mine = _mm_set1_epi16((short)warp);
    for (unsigned half = 0; half < RACE_LINE_WORDS; half += 16)
        same |= equal_16(_mm_srli_epi16(owners_at(owner, half), 5), _mm_srli_epi16(owners_at(owner, half + 8), 5), mine,
                         mine) << half;
#else
    for (unsigned word = 0; word < RACE_LINE_WORDS; word++)
        same |= (uint32_t)(owner[word] / WARP_LANES == warp) << word;
#endif
    return same;
}

/* Gives the words their threads. */
static inline void set_owner(uint16_t *owner, uint32_t words, const uint16_t *thread)
{
#if defined(__SSE2__)
    const __m128i bits = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
    for (unsigned word = 0; word < RACE_LINE_WORDS; word += 8) {
        __m128i chosen = _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16((short)(words >> word & 0xFF)), bits), bits);
        __m128i mixed = _mm_or_si128(_mm_and_si128(chosen, owners_at(thread, word)),
                                     _mm_andnot_si128(chosen, owners_at(owner, word)));
        _mm_storeu_si128((__m128i *)(void *)(owner + word), mixed);
    }
#else
    for (; words; words &= words - 1)
        owner[__builtin_ctz(words)] = thread[__builtin_ctz(words)];
#endif
}

static inline void set_owner_warp(uint16_t *owner, uint32_t words, unsigned warp)
{
    uint16_t threads[RACE_LINE_WORDS];
    if (!words)
        return;
    for (unsigned word = 0; word < RACE_LINE_WORDS; word++)
        threads[word] = (uint16_t)(warp * WARP_LANES);
    set_owner(owner, words, threads);
}

static inline void empty_line(struct race_epoch_line *line, uint32_t number, unsigned warp, uint32_t sync)
{
    line->number = number;
    line->touched = line->written = line->several = line->crowded = 0;
    line->before_touched = line->before_written = 0;
    line->warp = (uint16_t)warp;
    line->sync = sync;
}

/* The line, ready for the warp. sync: when its lanes have met last in this epoch. */
static inline struct race_epoch_line *refresh(struct race_epoch *epoch, unsigned warp, uint32_t sync, uint32_t index)
{
    struct race_epoch_line *line = &epoch->lines[index];
    if (line->number != epoch->number) {
        empty_line(line, epoch->number, warp, sync);
    } else if (line->warp != warp) {
        if (line->warp != MIXED)
            set_owner_warp(line->owner, line->several, line->warp);
        line->warp = MIXED;
    } else if (line->sync != sync) {   /* in order for this warp, but for no other */
        line->before_touched |= line->touched;
        line->before_written |= line->written;
        line->touched = line->written = line->several = 0;
        line->sync = sync;
    }
    return line;
}

enum touch { TOUCH_OLD, TOUCH_NEW, TOUCH_CONFLICT };   /* tells nothing new; something; more than can be told here */

static inline enum touch touch_read(struct race_epoch_line *line, unsigned warp, uint32_t words, uint32_t same)
{
    bool alone = line->warp == warp;
    uint32_t foreign = words & line->touched & ~same;
    if (words & ((line->written & ~same) | (alone ? 0 : line->before_written)))
        return TOUCH_CONFLICT;
    uint32_t several = line->several | foreign;
    uint32_t crowded = line->crowded | (alone || !foreign ? 0 : foreign & ~same_warp(line->owner, warp));
    uint32_t fresh = (words & ~line->touched) | (several ^ line->several) | (crowded ^ line->crowded);
    line->several = several;
    line->crowded = crowded;
    return fresh ? TOUCH_NEW : TOUCH_OLD;
}

/* Each word is read by several lanes. */
static inline enum touch touch_together(struct race_epoch_line *line, unsigned warp, uint32_t words)
{
    bool alone = line->warp == warp;
    uint32_t fresh = words & ~line->touched, crowded = line->crowded;
    if (words & (line->written | (alone ? 0 : line->before_written)))
        return TOUCH_CONFLICT;
    if (!alone) {
        crowded |= words & line->touched & ~same_warp(line->owner, warp);
        set_owner_warp(line->owner, fresh, warp);
    }
    fresh |= (words & ~line->several) | (crowded ^ line->crowded);
    line->touched |= words;
    line->several |= words;
    line->crowded = crowded;
    return fresh ? TOUCH_NEW : TOUCH_OLD;
}

static inline enum touch touch_write(struct race_epoch_line *line, unsigned warp, uint32_t words, uint32_t same)
{
    uint32_t before = line->warp == warp ? 0 : line->before_touched;
    if (words & ((line->touched & ~same) | line->several | before))
        return TOUCH_CONFLICT;
    enum touch result = words & ~line->written ? TOUCH_NEW : TOUCH_OLD;
    line->written |= words;
    return result;
}

/* Thread of word w: first + (w >> shift). Returns the words that the same threads touched first; what nobody touched gets
 * its owner. */
static inline uint32_t own_words(struct race_epoch_line *line, uint32_t words, int first, unsigned shift)
{
    uint16_t threads[RACE_LINE_WORDS];
#if defined(__SSE2__)
    static const __m128i steps[3] = {{0x0003000200010000, 0x0007000600050004}, {0x0001000100000000, 0x0003000300020002},
                                     {0x0000000000000000, 0x0001000100010001}};
    for (unsigned i = 0; i < 4; i++)
        _mm_storeu_si128((__m128i *)(void *)(threads + 8 * i),
                         _mm_add_epi16(_mm_set1_epi16((short)(first + (8 * (int)i >> shift))), steps[shift]));
#else
    for (int i = 0; i < RACE_LINE_WORDS; i++)
        threads[i] = (uint16_t)(first + (i >> shift));
#endif
    uint32_t same = same_owner(line->owner, threads), fresh = words & ~line->touched;
    if (fresh == ALL_LANES)
        memcpy(line->owner, threads, sizeof threads);
    else if (fresh)
        set_owner(line->owner, fresh, threads);
    return same;
}

/* The same when all words are one thread's. */
static inline uint32_t own_words_alone(struct race_epoch_line *line, uint32_t words, unsigned thread)
{
    uint32_t same = 0;
    for (uint32_t rest = words; rest; rest &= rest - 1) {
        unsigned word = (unsigned)__builtin_ctz(rest);
        same |= (uint32_t)(line->owner[word] == thread) << word;
        line->owner[word] = line->touched >> word & 1 ? line->owner[word] : (uint16_t)thread;
    }
    return same;
}

/* What a request of the warp does to a line. */
static inline enum touch touch_piece(struct race_epoch_line *line, unsigned warp, const struct race_piece *piece, bool write)
{
    uint32_t same;
    if (piece->kind == PIECE_SEVERAL)
        return write ? TOUCH_CONFLICT : touch_together(line, warp, piece->words);
    if (!write && !(piece->words & ~line->crowded))
        return TOUCH_OLD;   /* whoever writes here races with one of those that are written down */
    if (piece->kind == PIECE_LANES)
        same = own_words(line, piece->words, (int)(warp * WARP_LANES) + piece->lane, piece->shift);
    else
        same = own_words_alone(line, piece->words, warp * WARP_LANES + (unsigned)piece->lane);
    enum touch found = write ? touch_write(line, warp, piece->words, same) : touch_read(line, warp, piece->words, same);
    line->touched |= piece->words;
    return found;
}

#endif
