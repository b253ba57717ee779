/* What is to be graded: the arguments of `grade`, turned into pairs of file and lab. */
#ifndef JOBS_H
#define JOBS_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/compile/submission.h"
#include "grader/options/options.h"
#include "runtime/lockstep.h"

struct job {
    const struct lab *lab;
    struct submission submission;
    lockstep_compiled cached; /* from the cache of compiled modules */
    bool has_cached;
};

struct jobs {
    struct job *list; /* owned */
    size_t count, capacity;
    int problems; /* arguments that lead nowhere; each was reported on stderr */
};

/* Finds files and labs for every argument, and reads the files. Problems are printed on stderr as they are found. */
void jobs_find(const struct options *options, struct jobs *jobs);

/* Adds one file for a lab. One that cannot be read is reported on stderr, and not added. */
void jobs_add(struct jobs *jobs, const struct lab *lab, const char *path);

void jobs_clear(struct jobs *jobs);

#endif
