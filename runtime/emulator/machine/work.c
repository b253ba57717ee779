#include "runtime/emulator/machine/work.h"

uint64_t work_done, work_limit = UINT64_MAX, work_granted = UINT64_MAX;

void work_grant(uint64_t units)
{
    work_granted = units;
    work_limit = units < UINT64_MAX - work_done ? work_done + units : UINT64_MAX;
}
