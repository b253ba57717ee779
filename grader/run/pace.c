#include "grader/run/pace.h"

#include <time.h>

enum { STEPS = 4 << 20 };
#define NOMINAL_MS 12.0    /* for these steps, on the machine of work.h */
#define SLOWEST    0.03125 /* a machine that measures as slower was interrupted, or its clock is not to be trusted */

static double processor_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + (double)now.tv_nsec / 1e6;
}

double pace_measure(void)
{
    double start = processor_ms(), took;
    uint64_t value = 1;
    for (int i = 0; i < STEPS; i++) /* each step waits for the one before it */
        value = (value ^ value >> 29) * UINT64_C(0x9E3779B97F4A7C15) + 1;
    __asm__ volatile("" ::"r"(value)); /* else nothing would be computed */
    took = processor_ms() - start;
    return took <= NOMINAL_MS ? 1 : NOMINAL_MS / took;
}

int64_t pace_stretch(int64_t granted_ms, double pace)
{
    return (int64_t)((double)granted_ms / (pace > 1 ? 1 : pace < SLOWEST ? SLOWEST : pace));
}
