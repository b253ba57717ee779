/* One trial: PTX of a module loaded and its first kernel launched, under settings that one line describes. */
#ifndef FUZZ_TRIAL_H
#define FUZZ_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/fuzz/draw.h"

#define TRIAL_MARK "// trial:"

struct trial {
    /* of the process, through the environment */
    char gpu[8], checks[8], isa[12];
    unsigned counters, trace, text; /* text: findings go to stderr */
    unsigned fuel;
    /* of the launch */
    char schedule[24];
    unsigned grid[3], block[3], shared, cooperative, launches;
    uint64_t seed; /* of the arguments and the memory */
};

enum trial_result {
    TRIAL_REFUSED, /* the module */
    TRIAL_LOADED,  /* but not launched */
    TRIAL_FAILED,  /* the kernel ran, its context is broken */
    TRIAL_RAN,
    TRIAL_RESULTS,
};

void trial_draw_process(struct trial *trial, struct draw *draw);
void trial_draw_launch(struct trial *trial, struct draw *draw);

/* The line "// trial: gpu=8.0 …", and back. Fields that the text lacks keep their values. */
void trial_print(const struct trial *trial, char text[512]);
bool trial_parse(struct trial *trial, const char *text);

/* Sets the environment and initialises the driver: once in a process. */
void trial_begin_process(const struct trial *trial);

/* With a context: does the module load? Aborts when it is refused without a reason. */
bool trial_loads(const char *text);

/* Each trial has its own context, which trial_load's callers share. */
void trial_begin(void);
enum trial_result trial_run(const struct trial *trial, const char *text);
void trial_end(void);

/* More processor time than the fuel explains, in seconds. */
unsigned trial_limit_s(const struct trial *trial);

#endif
