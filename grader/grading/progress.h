/* What a student has reached: `.lockstep/progress.json` in the student's folder, lockstep/progress/v1.
 *
 *   {schema, labs {NAME: entry}, files {absolute path: entry}}
 *   entry {file, latest, best {score, max_score, when, sha256}, hints {heading: {step, when}}}
 *   latest: what progress_latest makes of a grading
 *
 * `labs` has the lab's own file of the folder; `files` has others that were asked about by name. Written whole or not at
 * all, under a lock. A file of a newer version, or one that cannot be understood, is kept aside under another name, and a
 * message on stderr says so. Where nothing can be written, everything works without progress, and one message says so.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "grader/grading/workspace.h"
#include "grader/lab/lab.h"

/* A file that is graded for a lab. */
struct progress_key {
    const struct lab *lab;
    char path[KIT_PATH_BYTES]; /* as the user gave it */
    bool own;                  /* the lab's own file of the workspace */
};

/* How a verdict was shown, so that it can be shown again. */
struct progress_view {
    int columns;
    bool colour;
    uint64_t seed; /* of the inputs that it speaks of */
};

/* Makes a key; `own` is decided here. */
void progress_key_for(const struct workspace *workspace, const struct lab *lab, const char *path, struct progress_key *key);

/* What other commands call the file: its lab, or its path (labs_file_words). The caller frees it. */
char *progress_key_words(const struct progress_key *key);

/* The content, as far as it can be read; an empty one else. New reference. */
json_t *progress_read(const struct workspace *workspace);

/* The entry of a key in a content; NULL when there is none. Borrowed. */
const json_t *progress_entry(const json_t *content, const struct progress_key *key);

/* What is kept of a grading: {when, sha256, kit, state, score, max_score, seconds, cause, tests [{name, state, code, array,
 * line}], performance [{metric, state, score, max_score}], report {text, columns, colour}}.
 *   answer   of a worker (workers.h)
 * New reference. */
json_t *progress_latest(const json_t *answer, const char *sha256, const struct progress_view *view);

/* Whether the latest grading was of the inputs of this seed. */
bool progress_has_seed(const json_t *entry, uint64_t seed);

/* Keeps a grading as the latest one of its key. Returns false when it could not be kept. */
bool progress_record(const struct workspace *workspace, const struct progress_key *key, const json_t *latest);

/* Keeps that hints up to `step` were shown for a heading. Returns false when it could not be kept. */
bool progress_record_hint(const struct workspace *workspace, const struct progress_key *key, const char *heading, int step);

/* The step of the heading's ladder that was shown last; 0 for none. */
int progress_hint_step(const json_t *entry, const char *heading);

/* Steps of hints shown for the entry's file, of all causes; 0 for no entry. */
int progress_hints_used(const json_t *entry);

/* Is the latest grading of these bytes by this very kit? */
bool progress_is_current(const json_t *entry, const char *sha256);

#endif
