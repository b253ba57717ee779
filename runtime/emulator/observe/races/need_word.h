/* What a word remembers of which thread accessed it when: in barriers that its block has passed. Part of race_need.c. */
#ifndef EMULATOR_NEED_WORD_H
#define EMULATOR_NEED_WORD_H

#include <stdint.h>
#include <string.h>

enum { NOBODY = UINT16_MAX, SEVERAL = UINT16_MAX - 1 }; /* instead of a thread of the block */
/* Sum: an atomic that returns no value; equal ones commute. */
enum way { WAY_READ, WAY_WRITE, WAY_SUM, WAY_COUNT };

/* When a word was accessed in one way, before the present time. 0: never. */
struct past {
    uint32_t last, last_of_others; /* by any thread; by a thread other than `thread` */
    uint16_t thread;               /* of `last` */
};

struct word {
    uint64_t place;          /* in device memory: address / 4; 0 free */
    uint32_t time;           /* of `now` */
    uint16_t now[WAY_COUNT]; /* the thread that accesses it at that time */
    uint16_t sum;            /* which atomic; SEVERAL: different ones */
    struct past past[WAY_COUNT];
};

static inline void pass(struct past *past, uint32_t time, uint16_t thread)
{
    if (thread == NOBODY)
        return;
    if (thread == SEVERAL || past->thread != thread)
        past->last_of_others = past->last;
    past->last = time;
    past->thread = thread;
}

/* What the word knows about earlier times, when the time is now `time`; `first`: before that another block ran. */
static inline void catch_up(struct word *word, uint32_t time, uint32_t first)
{
    if (word->time == time)
        return;
    if (word->time < first)
        memset(word->past, 0, sizeof word->past);
    else
        for (int way = 0; way < WAY_COUNT; way++)
            pass(&word->past[way], word->time, word->now[way]);
    word->time = time;
    word->now[WAY_READ] = word->now[WAY_WRITE] = word->now[WAY_SUM] = NOBODY;
    if (!word->past[WAY_SUM].last)
        word->sum = NOBODY;
}

/* The last time that another thread did it; 0: never. */
static inline uint32_t last_of_others(const struct past *past, uint16_t thread)
{
    return past->thread != thread ? past->last : past->last_of_others;
}

#endif
