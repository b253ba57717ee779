/* The schedules by name: schedule.def. */
#ifndef EMULATOR_SCHEDULE_H
#define EMULATOR_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum schedule_order { SCHEDULE_RISING, SCHEDULE_FALLING };
enum schedule_lanes { SCHEDULE_LANES_TOGETHER, SCHEDULE_LANES_RISING, SCHEDULE_LANES_FALLING, SCHEDULE_LANES_APART };
enum schedule_step { SCHEDULE_STEP_PLAIN, SCHEDULE_STEP_TURNS, SCHEDULE_STEP_STORES_HELD, SCHEDULE_STEP_ATOMICS_REVERSED };

struct schedule {
    const char *name;
    enum schedule_order warps, blocks;
    uint32_t resident; /* blocks */
    enum schedule_lanes lanes;
    enum schedule_step step;
    bool is_late; /* of work, not of threads: it is done when the program waits for it */
};

/* All of them; one without a name ends the list. The first is the default. */
extern const struct schedule schedules[];

/* NULL when there is none with that name. */
const struct schedule *schedule_find(const char *name);

/* Must each operation of a warp be seen? Only the observed executors allow that. */
static inline bool schedule_is_stepped(const struct schedule *schedule)
{
    return schedule->lanes != SCHEDULE_LANES_TOGETHER || schedule->step != SCHEDULE_STEP_PLAIN;
}

#endif
