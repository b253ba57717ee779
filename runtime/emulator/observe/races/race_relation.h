/* How the two statements of a race are related: what a reader must know to choose between an atomic operation, an element
 * for each thread, a barrier, and another algorithm. From the PTX alone: no run, no source. */
#ifndef EMULATOR_RACE_RELATION_H
#define EMULATOR_RACE_RELATION_H

#include <stdbool.h>

struct launch;
struct operation;

enum race_relation {
    RELATION_NONE,   /* two phases, or not understood */
    RELATION_UPDATE, /* each thread reads the element, changes it and writes it back */
    RELATION_CHAIN,  /* what a thread reads goes into what the same statement writes to another element */
    RELATION_STEP,   /* the same in a loop, with a distance that changes from turn to turn */
    RELATION_STORE,  /* several threads store to the element, and nobody's value comes from it */
};

/* What the index of the written element depends on. */
struct race_index {
    bool known;  /* it could be followed; else the rest says nothing */
    bool thread; /* the number of the thread in its block, or in its warp */
    bool block;  /* the number of the block */
    bool data;   /* something read from memory */
    bool loop;   /* a variable that changes in a loop */
};

struct race_story {
    enum race_relation relation;
    struct race_index index;      /* of the store */
    struct race_index read_index; /* of the load, where one of the two is a load */
    bool same_statement;          /* both accesses are on one line */
};

/* Relates two plain accesses of one kernel to one array. */
struct race_story race_relate(const struct launch *launch, const struct operation *first, const struct operation *second);

/* The line of a barrier that is between two accesses of a loop in each turn: on every way from the statement that
 * comes first in the text to the other, but not on the way back. So accesses that no barrier orders belong to different turns. 0: it is not so, or not known. */
int race_find_turn_barrier(const struct launch *launch, const struct operation *one, const struct operation *other);

/* Does the store set a flag: a value that no thread, block, loop or memory decides, where or because the thread found something
 * in memory (`if (a[i] != b[i]) *differ = 1`, `visited[next[i]] = 1`)? */
bool race_sets_flag(const struct launch *launch, const struct operation *store);

#endif
