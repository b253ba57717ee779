/* Needless barriers: which barriers could go, one by one, and every pair of conflicting accesses would still be ordered.
 *
 * Two accesses of different threads of a block to one word, one of them a write, are ordered by any barrier between them.
 * So each word remembers, of writes, reads and atomic sums, the last time and the last time by another thread; times are
 * the barriers that the block has passed. An access that meets a conflicting one of an earlier time needs one of the lines
 * whose barriers were passed since: alone (it is `proven`), or as one of a choice, settled at the end of the launch.
 *
 * What is reported must be true, so in doubt a barrier is needed: nothing smaller than a word is distinguished,
 * `__syncwarp` is ignored, and where fences, releases, barriers of some threads, or threads that left order anything, all
 * barriers of the launch count as needed. A line that is proven once is never asked about again, so programs whose barriers
 * are all needed are followed for a few blocks only. Of a large launch only the first FOLLOWED accesses are followed: it
 * says nothing about lines that it did not prove.
 */
#include "runtime/emulator/observe/races/race_need.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/barrier_lines.h"
#include "runtime/emulator/machine/library.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/observe/races/need_notes.h"
#include "runtime/emulator/observe/races/need_word.h"
#include "runtime/emulator/observe/races/race.h"

enum {
    FOLLOWED = 1 << 21,    /* words that lanes access, in a launch */
    MOST_PLACES = 1 << 20, /* words of device memory that a block accesses */
};

struct need_block {
    uint32_t time, first;                /* now, and when the block began: counts barriers of the slot */
    uint32_t satisfied;                  /* latest barrier of a line that is needed anyway */
    uint32_t line;                       /* of the latest barrier */
    bool asks;                           /* what other blocks did may have been read since */
    uint32_t passed[BARRIER_LINES_MOST]; /* when each line was passed last */
    struct word *shared;                 /* [words of shared memory] */
    struct word *places;                 /* [place_capacity] of device memory: open addressing */
    size_t place_count, place_capacity;
};

struct need {
    struct barrier_lines *lines;
    uint64_t asked; /* lines that this kernel can reach and that are not proven */
    uint64_t executed;
    uint64_t told; /* lines passed right before an atomic or volatile write, which others may read */
    uint64_t left; /* of FOLLOWED */
    bool listens;  /* some block read such a write */
    bool doubt;
    bool follows;   /* barriers, and accesses while there is no doubt */
    bool cut_short; /* it stopped before the launch ended, with lines that are not proven */
};

/* ---- the launch ---- */

struct need *need_start(struct races *races)
{
    struct barrier_lines *lines = barrier_lines_of(races->launch);
    uint64_t asked = 0;
    if (!lines)
        return NULL;
    for (size_t i = 0; i < lines->count; i++)
        lines->lines[i].verdict = lines->proven >> i & 1 ? BARRIER_NEEDED : BARRIER_ABSENT;
    for (size_t i = 0; i < lines->place_count; i++) {
        const struct code *there = lines->places[i].code;
        bool reached = there == races->launch->code || !there->function->is_entry; /* perhaps */
        if (lines->places[i].line < BARRIER_LINES_MOST && reached)
            asked |= UINT64_C(1) << lines->places[i].line;
    }
    asked &= ~lines->proven;
    struct need *need = asked ? calloc(1, sizeof *need) : NULL;
    if (need)
        *need = (struct need){.lines = lines, .asked = asked, .left = FOLLOWED, .follows = true};
    return need;
}

static void stop(struct races *races)
{
    races->need->follows = false;
    races->follows_need = false;
}

static void prove(struct races *races, uint64_t lines)
{
    struct need *need = races->need;
    need->lines->proven |= lines;
    need->asked &= ~lines;
    if (!need->asked)
        stop(races);
}

void need_doubt(struct races *races)
{
    if (!races->need || races->need->doubt)
        return;
    races->need->doubt = true;
    races->follows_need = false;
    prove(races, races->need->executed);
}

/* Of each choice that no needed line satisfies, the line whose barriers were passed least is kept; the first of these. */
static uint64_t settle(const struct barrier_lines *lines)
{
    uint64_t kept = lines->proven;
    for (size_t i = 0; i < lines->choice_count; i++) {
        uint64_t least = UINT64_MAX, line = 0;
        for (uint64_t rest = lines->choices[i] & kept ? 0 : lines->choices[i]; rest; rest &= rest - 1) {
            uint64_t passed = lines->lines[__builtin_ctzll(rest)].passed;
            if (passed < least)
                line = rest & -rest;
            least = passed < least ? passed : least;
        }
        kept |= line;
    }
    return kept;
}

void need_end(struct races *races, bool complete)
{
    struct need *need = races->need;
    if (!need)
        return;
    const struct launch *launch = races->launch;
    if (launch->printf_length || launch->printf_dropped || launch->heap_used)
        need->doubt = true; /* the order of what is printed or allocated */
    if (need->doubt)
        need->lines->proven |= need->executed;
    if (need->listens)
        need->lines->proven |= need->told;
    uint64_t kept = settle(need->lines);
    for (size_t i = 0; i < need->lines->count; i++) {
        struct barrier_line *line = &need->lines->lines[i];
        bool executed = need->executed >> i & 1;
        if (need->lines->proven >> i & 1 || (executed && kept >> i & 1))
            line->verdict = BARRIER_NEEDED;
        else if (executed)
            line->verdict = complete && !need->cut_short && (line->turned || !line->in_loop) ? BARRIER_NEEDLESS
                                                                                             : BARRIER_UNKNOWN;
        if (line->finding && line->verdict != BARRIER_ABSENT)
            need_note(line);
    }
    free(need);
    races->need = NULL;
}

/* ---- blocks ---- */

/* Nothing will be reported about a launch with errors. */
static bool is_in_vain(const struct races *races)
{
    return races->group_count || races->gave_up || !finding_set_is_empty(races->launch->findings);
}

static void cut_short(struct races *races)
{
    races->need->cut_short = true;
    stop(races);
}

void need_block_start(struct races *races, struct race_block *block)
{
    struct need *need = races->need;
    if (need->follows && is_in_vain(races))
        cut_short(races);
    if (!need->follows)
        return;
    if (!block->need && !(block->need = calloc(1, sizeof *block->need))) {
        need->cut_short = true;
        return;
    }
    struct need_block *own = block->need;
    own->first = ++own->time;
    own->satisfied = own->first;
    own->line = BARRIER_LINES_MOST;
    own->asks = false;
}

void need_block_free(struct need_block *block)
{
    if (!block)
        return;
    free(block->shared);
    free(block->places);
    free(block);
}

/* ---- choices ---- */

static void add_choice(struct races *races, uint64_t choice)
{
    struct barrier_lines *lines = races->need->lines;
    if (!(choice & (choice - 1))) {
        prove(races, choice);
        return;
    }
    for (size_t i = lines->choice_count; i > 0; i--)
        if (lines->choices[i - 1] == choice)
            return;
    if (lines->choice_count == BARRIER_CHOICES_MOST)
        prove(races, choice);
    else
        lines->choices[lines->choice_count++] = choice;
}

/* A conflict with what was done at an earlier time. */
static void need_one_since(struct races *races, struct need_block *block, uint32_t time)
{
    const struct barrier_lines *lines = races->need->lines;
    uint64_t choice = 0;
    for (size_t i = 0; i < lines->count; i++)
        if (block->passed[i] > time)
            choice |= UINT64_C(1) << i;
    if (choice && !(choice & lines->proven))
        add_choice(races, choice);
}

/* ---- words ---- */

static inline void touch(struct races *races, struct need_block *block, struct word *word, uint16_t thread, enum way way,
                         uint16_t sum)
{
    catch_up(word, block->time, block->first);
    uint32_t last = last_of_others(&word->past[WAY_WRITE], thread);
    if (way != WAY_READ) {
        uint32_t read = last_of_others(&word->past[WAY_READ], thread);
        last = read > last ? read : last;
    }
    if (way != WAY_SUM || (word->sum != NOBODY && word->sum != sum)) {
        uint32_t added = last_of_others(&word->past[WAY_SUM], thread);
        last = added > last ? added : last;
    }
    if (last >= block->satisfied)
        need_one_since(races, block, last);
    uint16_t *now = &word->now[way];
    *now = *now == NOBODY || *now == thread ? thread : SEVERAL;
    if (way == WAY_SUM)
        word->sum = word->sum == NOBODY || word->sum == sum ? sum : SEVERAL;
}

/* Doubles the room, without the entries of earlier blocks. Returns false where there is none. */
static bool grow_places(struct need_block *block)
{
    size_t live = 0, capacity = 1024;
    for (size_t i = 0; i < block->place_capacity; i++)
        live += block->places[i].place && block->places[i].time >= block->first;
    while (capacity < 4 * live)
        capacity *= 2;
    struct word *grown = live < MOST_PLACES ? calloc(capacity, sizeof *grown) : NULL;
    if (!grown)
        return false;
    for (size_t i = 0; i < block->place_capacity; i++) {
        const struct word *word = &block->places[i];
        if (!word->place || word->time < block->first)
            continue;
        size_t slot = (size_t)(word->place * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (capacity - 1);
        while (grown[slot].place)
            slot = (slot + 1) & (capacity - 1);
        grown[slot] = *word;
    }
    free(block->places);
    block->places = grown;
    block->place_capacity = capacity;
    block->place_count = live;
    return true;
}

/* NULL: no room. */
static struct word *device_word(struct need_block *block, uint64_t place)
{
    if (2 * (block->place_count + 1) >= block->place_capacity && !grow_places(block))
        return NULL;
    size_t slot = (size_t)(place * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (block->place_capacity - 1);
    while (block->places[slot].place && block->places[slot].place != place)
        slot = (slot + 1) & (block->place_capacity - 1);
    if (!block->places[slot].place) {
        block->place_count++;
        block->places[slot].place = place;
    }
    return &block->places[slot];
}

static bool shared_words(const struct races *races, struct need_block *block)
{
    if (!block->shared)
        block->shared = calloc(races->launch->shared_room / 4 + 2, sizeof *block->shared);
    races->need->cut_short |= !block->shared;
    return block->shared != NULL;
}

static void touch_bytes(struct races *races, struct need_block *block, const struct memory_allocation *allocation,
                        uint64_t address, uint64_t bytes, uint16_t thread, enum way way, uint16_t sum)
{
    struct need *need = races->need;
    for (uint64_t place = address / 4; place <= (address + bytes - 1) / 4 && need->follows; place++) {
        struct word *word = allocation ? device_word(block, place) : &block->shared[place];
        if (!word || need->left-- == 0) {
            cut_short(races);
            return;
        }
        touch(races, block, word, thread, way, sum);
    }
}

/* ---- accesses ---- */

/* What is written in device memory can reach other blocks, and what is read there can come from them. */
static void note_talk(struct races *races, struct need_block *block, const struct memory_site *site)
{
    struct need *need = races->need;
    bool listens = site->access == SITE_LOAD
                   || (site->access != SITE_STORE && race_reading_of(races, site->number) != READING_NOTHING);
    uint64_t line = block->line < BARRIER_LINES_MOST ? UINT64_C(1) << block->line : 0;
    if (site->access != SITE_LOAD)
        need->told |= line;
    if (!listens)
        return;
    need->listens = true;
    block->asks = true;
    prove(races, line & ~need->lines->proven);
}

void need_request(struct races *races, struct warp *warp, const struct operation *operation,
                  const struct memory_allocation *allocation, uint64_t address, const uint64_t *delta, uint32_t mask)
{
    const struct memory_site *site = operation->site;
    struct need_block *block = warp->block->races ? warp->block->races->need : NULL;
    bool atomic = site->access == SITE_ATOMIC || site->access == SITE_REDUCTION;
    if (operation->handler == HANDLER_mbarrier || site->release)
        need_doubt(races);
    if (!block || races->need->doubt || (!allocation && !shared_words(races, block)))
        return;
    if (allocation && site->strong)
        note_talk(races, block, site);
    bool adds = atomic && site->atomic != ATOMIC_EXCH && site->atomic != ATOMIC_CAS
                && race_reading_of(races, site->number) == READING_NOTHING;
    enum way way = site->access == SITE_LOAD ? WAY_READ : adds ? WAY_SUM : WAY_WRITE;
    uint16_t sum = (uint16_t)(site->atomic << 8 | site->type);
    for (uint32_t rest = mask; rest && races->follows_need; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        touch_bytes(races, block, allocation, address + delta[lane], site->request_bytes,
                    (uint16_t)(warp->index * WARP_LANES + lane), way, sum);
    }
}

void need_range(struct races *races, struct warp *warp, unsigned lane, const struct memory_allocation *allocation,
                uint64_t address, uint64_t bytes, bool write)
{
    struct need_block *block = warp->block->races ? warp->block->races->need : NULL;
    if (block && !races->need->doubt && bytes && (allocation || shared_words(races, block)))
        touch_bytes(races, block, allocation, address, bytes, (uint16_t)(warp->index * WARP_LANES + lane),
                    write ? WAY_WRITE : WAY_READ, 0);
}

/* ---- barriers ---- */

/* Its place, for a note: once per line. */
static void keep_place(struct barrier_line *line, struct block *slot, const struct operation *at)
{
    line->finding = malloc(sizeof *line->finding);
    if (line->finding)
        launch_finding(slot->warps, at, (unsigned)__builtin_ctz(slot->warps->live ? slot->warps->live : 1),
                       FINDING_barrier_needless, line->finding);
}

void need_barrier(struct races *races, struct block *slot, uint32_t number, bool whole)
{
    struct need *need = races->need;
    struct need_block *block = slot->races->need;
    const struct operation *at = slot->parked_at ? slot->parked_at : slot->barriers[number].at;
    if (!block || !need->follows)
        return;
    uint32_t line = at ? barrier_lines_find(need->lines, at) : BARRIER_LINES_MOST;
    if (!at || !whole || block->time == UINT32_MAX - 1)
        need_doubt(races);
    block->time++;
    block->line = line;
    bool asks = block->asks;
    block->asks = false;
    if (line == BARRIER_LINES_MOST) {
        block->satisfied = block->time;
        return;
    }
    need->executed |= UINT64_C(1) << line;
    need->lines->lines[line].passed++;
    need->lines->lines[line].turned |= block->passed[line] >= block->first;
    block->passed[line] = block->time;
    if (!need->lines->lines[line].finding && !(need->lines->proven >> line & 1))
        keep_place(&need->lines->lines[line], slot, at);
    if (need->doubt || asks || at->extra & (BARRIER_AND | BARRIER_OR | BARRIER_POPC))
        prove(races, UINT64_C(1) << line);
    if (need->lines->proven >> line & 1)
        block->satisfied = block->time;
    if (need->follows && is_in_vain(races))
        cut_short(races);
}
