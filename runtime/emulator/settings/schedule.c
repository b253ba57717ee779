#include "runtime/emulator/settings/schedule.h"

#include <stddef.h>
#include <string.h>

const struct schedule schedules[] = {
#define SCHEDULE(name, words, warps, blocks, resident, lanes, step) \
    {name, SCHEDULE_##warps, SCHEDULE_##blocks, resident, SCHEDULE_LANES_##lanes, SCHEDULE_STEP_##step, false},
#define SCHEDULE_OF_WORK(name, words) \
    {name, SCHEDULE_RISING, SCHEDULE_RISING, 256, SCHEDULE_LANES_TOGETHER, SCHEDULE_STEP_PLAIN, true},
#include "runtime/tables/schedule.def"
#undef SCHEDULE
#undef SCHEDULE_OF_WORK
    {0},
};

const struct schedule *schedule_find(const char *name)
{
    for (const struct schedule *schedule = schedules; schedule->name; schedule++)
        if (strcmp(schedule->name, name) == 0)
            return schedule;
    return NULL;
}
