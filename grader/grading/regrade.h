/* One grading of one file in a process of its own, which can be cancelled at any moment: for `hint` and `watch`. */
#ifndef REGRADE_H
#define REGRADE_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "grader/lab/lab.h"

struct regrade_request {
    const struct lab *lab;
    const char *path;
    uint64_t seed;
    bool gpu;
    bool colour;                 /* of the report; its width is paint_width() */
    const sigset_t *signal_mask; /* of the process; NULL: as it is */
};

struct regrade {
    pid_t pid;   /* 0: none is running */
    int channel; /* readable when the answer is there, or will never be; -1: none */
};

/* Starts a grading. Returns false when the machine cannot. */
bool regrade_start(const struct regrade_request *request, struct regrade *regrade);

/* Takes the answer of a worker (workers.h); waits for it where it is not there yet. NULL: the file could not be read, or the
 * process died. New reference. */
json_t *regrade_take(struct regrade *regrade);

/* Ends a running grading with everything below it. Nothing happens when none is running. */
void regrade_cancel(struct regrade *regrade);

#endif
