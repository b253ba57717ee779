/* A batch while it goes on: shared by batch.c (the command), find.c (who handed in what) and results.c (what is written). */
#ifndef BATCH_WORK_H
#define BATCH_WORK_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "grader/base/exit_status.h"
#include "grader/class/class.h"
#include "grader/class/names.h"
#include "grader/class/show.h"
#include "grader/class/store.h"
#include "grader/judge/hidden.h"
#include "grader/options/options.h"

/* A file that has to be graded; others with the same key get the same grading. */
struct waiting {
    size_t student;
    int lab;
};

struct batch {
    const struct options *options;
    FILE *out; /* for people */
    bool colour;
    struct course course;
    struct class class;
    struct store store;
    struct hidden_seed hidden;
    struct names *ids;
    struct waiting *waiting; /* owned, [waiting_count], each key once */
    size_t waiting_count;
    size_t *queues[2]; /* owned: numbers in `waiting` of small and of large gradings, in order */
    size_t queue_counts[2], taken[2];
    size_t large_running, large_most; /* gradings of half a gigabyte: how many are going on, and may */
    json_t *failed;                   /* by key: gradings in which the kit failed; not kept */
    struct show_progress progress;
    char message[1024]; /* why the batch stops; "" while it goes on */
    double seconds;     /* of the gradings of this run */
};

/* The entry that a grading is for. */
static inline struct class_entry *work_entry(struct batch *batch, const struct waiting *waiting)
{
    return &batch->class.students[waiting->student].entries[waiting->lab];
}

/* Fills the class: everybody, every file, every time of submission, and the key of each grading. Returns false with
 * batch->message when the folder or a table of the course is unfit. */
bool find_class(struct batch *batch);

/* Lists the gradings that are not kept yet, each once, in the order of the class; those of --regrade are forgotten first.
 * Returns false with batch->message when --regrade names no known student. */
bool find_waiting(struct batch *batch);

/* Takes every grading into the class: scores, lateness, percent. Returns the near-duplicates, owned by the caller. */
json_t *results_take(struct batch *batch);

/* Writes students/, class.json (`document`) and notes the end. Returns false with batch->message. */
bool results_write(struct batch *batch, const json_t *document);

/* Makes DIR/gradebook.csv of class.json. Returns false when that failed, with the reason and what to do on stderr. */
bool results_write_gradebook(const struct batch *batch);

/* Makes DIR/report, pages for people. A failure is reported on stderr and does not fail the batch: the results are there. */
void results_write_pages(const struct batch *batch);

#endif
