/* The work that launches cost, counted so that it is the same on every machine: one unit for each warp instruction, and more
 * for what takes the emulator longer. A program may limit it (lockstepSetWork); a launch that goes beyond ends as one that
 * is out of fuel does. Fuel starts again with every block that finishes; this does not.
 */
#ifndef EMULATOR_WORK_H
#define EMULATOR_WORK_H

#include <stdbool.h>
#include <stdint.h>

/* What the slow paths cost beside the instruction itself, in units: rounded from processor time, a unit being about 10 ns. */
enum {
    WORK_REQUEST = 6,      /* of a warp, inside one array, that observers look at */
    WORK_LANE = 4,         /* of a request whose lanes are taken one by one */
    WORK_SHADOW_LANE = 2,  /* whether bytes were written, or by whom, looked up for a single lane */
    WORK_JUDGE = 4,        /* two accesses that are not ordered */
    WORK_STEP = 4,         /* an operation at which observers stop the warp */
    WORK_BARRIER_WARP = 8, /* of a barrier, for each warp of the block */
    WORK_BLOCK_WARP = 60,  /* to begin a block, for each of its warps */
    WORK_CALL = 12,        /* of a function */
    WORK_SPLIT = 6,        /* lanes part at a branch, or meet again */
    WORK_EXCHANGE = 40,    /* a shuffle or vote of a part of a warp */
    WORK_MATRIX = 30,      /* an operation of the tensor cores */
    WORK_LIBRARY = 60,     /* a lane's printf, malloc or other call of that kind; what it does costs more: */
    WORK_CONVERSION = 20,  /* a conversion of a format */
    WORK_PAGE = 64,        /* 4 KiB that a kernel allocates */
    WORK_ROW = 8,          /* of a copy or a fill of the device runtime */
    WORK_FORGOTTEN = 4,    /* memory instructions that look again where addresses lead, as memory was freed: one unit */
    WORK_CHARACTERS = 2,   /* of formats, texts and output: one unit */
    WORK_BYTES = 64,       /* that the device copies or fills: one unit */
    WORK_REPORT = 40,      /* a finding, once more */
    WORK_LAUNCH = 2000,
    WORK_ALLOCATION = 20, /* of a launch that a kernel asked for, for each allocation that there has ever been */
};

/* Units since the process began, the number at which launches end, and how many they were granted when that was set. One
 * thread at a time runs launches. */
extern uint64_t work_done, work_limit, work_granted;

/* Launches may cost so many units from now on. */
void work_grant(uint64_t units);

static inline void work_add(uint64_t units)
{
    work_done += units;
}

static inline bool work_is_spent(void)
{
    return work_done >= work_limit;
}

/* Soon: what goes on is looked at before launches end. */
static inline bool work_is_nearly_spent(void)
{
    enum { LAST = 1 << 19 };
    return work_done + LAST >= work_limit;
}

#endif
