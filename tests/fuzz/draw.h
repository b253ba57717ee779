/* Random numbers that a case number reproduces (splitmix64). */
#ifndef FUZZ_DRAW_H
#define FUZZ_DRAW_H

#include <stdbool.h>
#include <stdint.h>

struct draw {
    uint64_t state;
};

static inline uint64_t draw_bits(struct draw *draw)
{
    uint64_t z = draw->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* 0 to `count` - 1; 0 for none. */
static inline size_t draw_below(struct draw *draw, size_t count)
{
    return count ? (size_t)(draw_bits(draw) % count) : 0;
}

static inline bool draw_once_in(struct draw *draw, size_t count)
{
    return draw_below(draw, count) == 0;
}

/* A stream of its own for (seed, number). */
static inline struct draw draw_begin(uint64_t seed, uint64_t number)
{
    struct draw draw = {seed * UINT64_C(0xD1342543DE82EF95) ^ number};
    draw_bits(&draw);
    return draw;
}

/* Numbers at which integers and sizes go wrong, and others. */
static inline uint64_t draw_number(struct draw *draw)
{
    static const uint64_t edges[] = {0,           1,
                                     2,           3,
                                     4,           7,
                                     8,           15,
                                     16,          31,
                                     32,          33,
                                     63,          64,
                                     127,         128,
                                     255,         256,
                                     1023,        1024,
                                     4095,        4096,
                                     0x7FFF,      0xFFFF,
                                     0x10000,     0x7FFFFFFF,
                                     0x80000000,  0xFFFFFFFF,
                                     0x100000000, 0x7FF0000000000000,
                                     INT64_MAX,   (uint64_t)INT64_MIN,
                                     UINT64_MAX};
    uint64_t number = edges[draw_below(draw, sizeof edges / sizeof *edges)];
    switch (draw_below(draw, 6)) {
    case 0: return 0 - number;
    case 1: return number + draw_below(draw, 5) - 2;
    case 2: return draw_bits(draw) >> draw_below(draw, 64);
    default: return number;
    }
}

#endif
