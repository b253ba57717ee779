/* What a run changed: each score that is another than after the last finished run, and why, for DIR/history.csv and for the
 * terminal. The first run is what later ones are compared with; it changes nothing.
 *
 *   DIR/history.csv             when, student, lab, before, after, cause, detail: a line for each change, never rewritten
 *   DIR/.lockstep/scores.json   the scores of the last finished run, and what they came from
 */
#ifndef BATCH_HISTORY_H
#define BATCH_HISTORY_H

#include <stdio.h>

#include "grader/class/class.h"
#include "grader/class/store.h"

/* Why a score changed; history.c has the words. A change may have several causes. */
enum history_cause {
    HISTORY_FILE,
    HISTORY_DUE,
    HISTORY_KIT,
    HISTORY_TESTS,
    HISTORY_AGAIN,
    HISTORY_DECISION,
    HISTORY_TIME,
    HISTORY_COURSE,
    HISTORY_CAUSES
};

struct history {
    bool has_last;                    /* there was a run before */
    char last[MOMENT_TEXT_BYTES];     /* when it began */
    size_t changed;                   /* scores */
    size_t by_cause[HISTORY_CAUSES];  /* of them, by the first cause */
    size_t new_count, gone, percents; /* students who are new, or no longer there; percentages that changed */
};

/* Compares the class with the last finished run, adds the changes to history.csv and keeps the scores for the next run.
 *   hidden   hash of the hidden seed; "": none
 * Returns false with a message when a file cannot be written. */
bool history_note(const struct class *class, const struct store *store, const char *hidden, struct history *history,
                  char *message, size_t message_bytes);

/* One or two lines; nothing after a first run. */
void history_show(FILE *file, const struct history *history);

#endif
