/* What a batch says on the terminal. */
#ifndef BATCH_SHOW_H
#define BATCH_SHOW_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "grader/class/class.h"
#include "grader/class/store.h"

/* How far the gradings are: one line that is written over on a terminal, else a line now and then. */
struct show_progress {
    FILE *file;
    bool terminal;
    size_t total, done;
    char note[160];              /* after the rest of the line; "" none */
    int64_t started_ms, last_ms; /* of record_now_ms */
};
void show_begin(struct show_progress *progress, FILE *file, size_t total);
void show_done(struct show_progress *progress);
/* The same for gradings that are made elsewhere: so many are done. */
void show_at(struct show_progress *progress, size_t done);
void show_end(struct show_progress *progress);

/* The class as a table (of many students only those that a person must look at), each lab's results, and what is wrong. */
void show_class(FILE *file, const struct class *class, const json_t *duplicates, bool colour);

#endif
