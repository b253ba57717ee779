/* The checkers of one launch: launch->checks. */
#ifndef EMULATOR_CHECKS_INTERNAL_H
#define EMULATOR_CHECKS_INTERNAL_H

#include <stdbool.h>

struct checks {
    struct races *races;  /* also numbers the sites for poison */
    bool looks_for_races; /* CHECKS_ALL */
    bool only_races;      /* nobody else asks about a request to shared memory in which no poison is */
    struct poison *poison;
    struct recorder *recorder; /* NULL: nothing is written down */
    struct tracer *tracer;     /* NULL: no steps are */
};

#endif
