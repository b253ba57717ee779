/* The checkers of one launch: launch->checks. */
#ifndef EMULATOR_CHECKS_INTERNAL_H
#define EMULATOR_CHECKS_INTERNAL_H

#include <stdbool.h>

struct checks {
    struct races *races;  /* also numbers the sites for poison */
    bool looks_for_races; /* CHECKS_ALL */
    struct poison *poison;
    struct tracer *tracer; /* NULL: no steps are */
};

#endif
