/* What a barrier object in shared memory counts: arrivals and bytes of a phase. */
#ifndef EMULATOR_MBARRIER_OBJECT_H
#define EMULATOR_MBARRIER_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

struct block;
struct operation;
struct warp;

/* A barrier object. Memory holds a word that represents it; this is its meaning. */
struct mbarrier {
    uint32_t offset;            /* in the block's shared memory */
    uint32_t expected, pending; /* arrivals: of the next phases; that this one still lacks */
    int64_t bytes;              /* tx-count: bytes that this phase still lacks */
    uint32_t phase;             /* phases completed */
    bool valid;
    const struct operation *made, *ended; /* init; inval or NULL */
    uint64_t word;                        /* what memory must hold */
    uint32_t released, complete;          /* the checkers' own: what arrivals release; the same of completed phases */
    uint32_t *copies;                     /* [warps of a block] lanes whose copies arrive here; NULL: none yet */
    /* a wait that failed: how often since anything arrived, and the latest */
    uint64_t failures;
    const struct operation *waits;
    struct warp *waiter;
    unsigned waiting_lane;
};

/* What memory holds for the object, and arrivals return: pending arrivals in the lower 20 bits, expected ones, phase. */
uint64_t mbarrier_word_of(const struct mbarrier *barrier);
void mbarrier_store_word(struct block *block, struct mbarrier *barrier);

/* Arrivals or bytes have arrived. */
void mbarrier_arrive(struct block *block, struct mbarrier *barrier, uint32_t count);
void mbarrier_complete(struct block *block, struct mbarrier *barrier, int64_t bytes);

#endif
