#include "runtime/emulator/machine/footprint.h"

#include <string.h>

void footprint_list_runs(struct shape *shape, unsigned request_bytes)
{
    struct byte_run *run = NULL;
    uint64_t all = 0;
    shape->run_count = 0;
    for (uint32_t rest = shape->mask; rest; rest &= rest - 1) {
        uint64_t delta = shape->delta[__builtin_ctz(rest)];
        all |= delta;
        if (run && delta - run->delta == run->bytes) {
            run->bytes += request_bytes;
        } else if (!run || delta - run->delta > run->bytes - request_bytes) { /* else: where an earlier lane is */
            run = &shape->runs[shape->run_count++];
            *run = (struct byte_run){.delta = delta, .bytes = request_bytes};
        }
    }
    shape->sector_steps = all % 32 == 0;
}

/* ---- distinct numbers ---- */

/* Numbers that occurred, in chains by some of their lower bits: those of a warp seldom share one. */
struct number_set {
    uint8_t head[32];   /* of a chain: 1 + index of its latest number; 0 none */
    uint8_t length[32]; /* of the chain */
    uint8_t next[2 * WARP_LANES];
    uint8_t times[2 * WARP_LANES];
    uint64_t number[2 * WARP_LANES];
    unsigned count;
};

static void empty(struct number_set *set)
{
    memset(set->head, 0, sizeof set->head);
    memset(set->length, 0, sizeof set->length);
    set->count = 0;
}

/* Returns the index of the number, which may be new. chain: below 32, always the same for a number. */
static inline unsigned add(struct number_set *set, uint64_t number, unsigned chain)
{
    unsigned at = set->head[chain];
    while (at && set->number[at - 1] != number)
        at = set->next[at - 1];
    if (at)
        return at - 1;
    at = set->count++;
    set->number[at] = number;
    set->times[at] = 0;
    set->next[at] = set->head[chain];
    set->head[chain] = (uint8_t)(at + 1);
    set->length[chain]++;
    return at;
}

unsigned footprint_sectors(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes)
{
    struct number_set sectors;
    empty(&sectors);
    for (; mask; mask &= mask - 1) { /* a lane has at most two: it accesses at most 32 bytes */
        uint64_t start = address[__builtin_ctz(mask)];
        add(&sectors, start / 32, start / 32 % 32);
        add(&sectors, (start + bytes - 1) / 32, (start + bytes - 1) / 32 % 32);
    }
    return sectors.count;
}

/* Passes for 4-byte words of the lanes in `mask`: the most distinct words that one bank has to serve. most_at_one: out, the
 * most lanes at one word. */
static unsigned passes(const uint64_t address[WARP_LANES], uint32_t mask, unsigned words, unsigned *most_at_one)
{
    struct number_set set;
    unsigned most = 0, times = 0;
    empty(&set);
    for (; mask; mask &= mask - 1) {
        uint64_t first = address[__builtin_ctz(mask)] / 4;
        for (uint64_t word = first; word < first + words; word++) {
            unsigned bank = word % 32, at = add(&set, word, bank);
            most = set.length[bank] > most ? set.length[bank] : most;
            times = ++set.times[at] > times ? set.times[at] : times;
        }
    }
    *most_at_one = times;
    return most;
}

unsigned footprint_multiplicity(const uint64_t address[WARP_LANES], uint32_t mask)
{
    struct number_set set;
    unsigned most = 0;
    empty(&set);
    for (; mask; mask &= mask - 1) {
        uint64_t own = address[__builtin_ctz(mask)];
        unsigned at = add(&set, own, own / 4 % 32);
        most = ++set.times[at] > most ? set.times[at] : most;
    }
    return most;
}

unsigned footprint_wavefronts(const uint64_t address[WARP_LANES], uint32_t mask, unsigned bytes, bool atomic,
                              unsigned *ideal)
{
    unsigned words = bytes <= 4 ? 1 : bytes / 4, lanes_a_pass = 32 / words, total = 0, most_at_one = 0;
    *ideal = 0;
    for (unsigned first = 0; first < WARP_LANES; first += lanes_a_pass) {
        uint32_t group = lanes_a_pass == 32 ? ALL_LANES : ((1u << lanes_a_pass) - 1) << first;
        if (!(mask & group))
            continue;
        total += passes(address, mask & group, words, &most_at_one);
        ++*ideal;
    }
    if (atomic && bytes != 4)
        most_at_one = footprint_multiplicity(address, mask);
    return atomic && most_at_one > total ? most_at_one : total;
}
