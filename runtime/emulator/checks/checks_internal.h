/* The checkers of one launch: launch->checks. */
#ifndef EMULATOR_CHECKS_INTERNAL_H
#define EMULATOR_CHECKS_INTERNAL_H

struct checks {
    struct races *races;
    struct poison *poison;
};

#endif
