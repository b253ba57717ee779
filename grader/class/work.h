/* A batch while it goes on: shared by batch.c (the command), find.c (who handed in what) and results.c (what is written). */
#ifndef BATCH_WORK_H
#define BATCH_WORK_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "grader/base/exit_status.h"
#include "grader/class/class.h"
#include "grader/class/decisions.h"
#include "grader/class/history.h"
#include "grader/class/names.h"
#include "grader/class/show.h"
#include "grader/class/store.h"
#include "grader/cluster/claims.h"
#include "grader/cluster/shares.h"
#include "grader/judge/hidden.h"
#include "grader/options/options.h"

/* More labs than any course has. */
#define WORK_LABS_MAX 256

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
    struct decisions decisions;
    struct history history; /* what this run changed */
    struct store store;
    struct hidden_seed hidden;
    struct names *ids;
    struct waiting *units; /* owned, [unit_count]: every grading of the class, each key once */
    size_t unit_count;
    uint64_t lab_milliseconds[WORK_LABS_MAX], lab_gradings[WORK_LABS_MAX]; /* of kept gradings, by the number of the lab */
    struct waiting *waiting; /* owned, [waiting_count]: units that are to be graded now */
    size_t waiting_count;
    size_t *queues[2]; /* owned: numbers in `waiting` of small and of large gradings, in order */
    size_t queue_counts[2], taken[2];
    size_t large_running, large_most; /* gradings of half a gigabyte: how many are going on, and may */
    json_t *failed;                   /* by key: gradings in which the kit failed; not kept */
    bool forgets_nothing;             /* --regrade is not looked at */
    bool timing;                      /* batch->waiting is of timings: gradings that passed, again and on a GPU */
    size_t timed_count;               /* units that passed, and so are timed */
    size_t missing;                   /* units that no shard has graded */
    size_t untimed;                   /* those that passed and that no shard has timed */
    size_t graded, left_to_others;    /* of a shard's: gradings kept, and those that another process is at */
    struct claims claims;             /* of a shard */
    struct show_progress progress;
    char message[1024]; /* why the batch stops; "" while it goes on */
    double seconds;     /* of the gradings of this run */
    int64_t now;        /* when this batch began, UTC: store.begun as a number */
};

/* The entry that a grading is for. */
static inline struct class_entry *work_entry(struct batch *batch, const struct waiting *waiting)
{
    return &batch->class.students[waiting->student].entries[waiting->lab];
}

/* The key of the grading that this process is at: with a time or without. */
static inline const char *work_key(const struct batch *batch, const struct class_entry *entry)
{
    return batch->timing ? entry->timing_key : entry->key;
}

/* Fills the class: everybody, every file, every time of submission, and the key of each grading. Returns false with
 * batch->message when the folder or a table of the course is unfit. */
bool find_class(struct batch *batch);

/* Lists every grading of the class in batch->units, each once, in the order of the class; those of --regrade are forgotten first.
 * Returns false with batch->message when --regrade names no known student. */
bool find_units(struct batch *batch);

/* Takes the units that are not kept yet into batch->waiting, instead of those in it.
 *   wanted   [unit_count] which to look at; NULL: all */
void find_waiting(struct batch *batch, const bool *wanted);

/* The same where nothing is graded: whether a kept grading can be read is found out when it is taken (results_take). */
void find_missing(struct batch *batch);

/* The same for timings: of the units whose grading is kept and passed, takes those that are not timed yet. From then on
 * batch->timing is set. */
void find_timings(struct batch *batch, const bool *wanted);
bool find_is_timed(const struct lab *lab, const json_t *grading);

/* Is there a GPU for timings? Returns false with batch->message where there is none. */
bool batch_has_gpu(struct batch *batch);

/* The command's beginning: what the options name, and the store (store_open's use and seed). Returns EXIT_STATUS_FULL_SCORE when all is there, else says
 * what is missing. */
enum exit_status batch_prepare(struct batch *batch, enum store_use use, const uint64_t *seed);
enum exit_status batch_give_up(const struct batch *batch, enum exit_status status);

/* How many students and labs, the seed, and `more`. */
void batch_tell_class(const struct batch *batch, const char *more);

/* Grades batch->waiting; then batch->message says why it stopped, "" when it did not. */
void batch_grade(struct batch *batch);

/* Takes the gradings, and writes and shows the results. */
enum exit_status batch_finish(struct batch *batch);

/* The same command for a part of the class, and for the results of all parts: shard.c. */
enum exit_status shard_run(struct batch *batch);
enum exit_status shard_gather(struct batch *batch);

/* Of batch->waiting, takes the gradings in which the kit failed in a shard; counts the rest as missing, or as untimed. */
void shard_take_failures(struct batch *batch);

/* The same for all timings of the class, where the class is to be timed. */
void shard_take_timings(struct batch *batch);

/* Has this process been told to end? Then no further grading is begun. */
bool shard_is_stopped(void);

/* Divides units among shards. Returns [unit_count], sorted by cost; `number` is that of the unit. Owned by the caller.
 *   units      [count] of batch->units or batch->waiting
 *   measured   costs are those of kept gradings where there are any; not where other processes must get the same parts */
struct share *shard_divide(struct batch *batch, const struct waiting *units, size_t count, uint32_t shards, bool measured);

/* The same command as jobs of Slurm: slurm_run.c. */
enum exit_status slurm_run(struct batch *batch);

/* Takes every grading into the class: scores, lateness, percent. Returns the near-duplicates, owned by the caller. */
json_t *results_take(struct batch *batch);

/* Writes students/, class.json (`document`) and notes the end. Returns false with batch->message. */
bool results_write(struct batch *batch, const json_t *document);

#endif
