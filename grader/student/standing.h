/* How far a student is: one lab at a time, from the file in the student's folder and the progress that was kept. */
#ifndef STANDING_H
#define STANDING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "grader/grading/workspace.h"
#include "grader/lab/lab.h"

enum standing_state {
    STANDING_ABSENT, /* no file in the student's folder */
    STANDING_UNGRADED,
    STANDING_UNJUDGED, /* the kit failed at the last grading */
    STANDING_ERROR,
    STANDING_FAIL,
    STANDING_PASS, /* every test passes, points are missing */
    STANDING_SOLVED,
};

struct standing {
    const struct lab *lab;
    enum standing_state state;
    bool changed;              /* the file is another one than was graded last */
    int score, max_score;      /* of the latest grading, 0 when there is none; max_score of the lab */
    int best;                  /* highest score so far */
    char path[KIT_PATH_BYTES]; /* of the file, as the user can type it */
    const json_t *entry;       /* borrowed from the content; NULL: none */
};

/* Finds out how far a lab is.
 *   content   of the progress file (progress_read); must outlive the standing
 */
void standing_find(const struct workspace *workspace, const json_t *content, const struct lab *lab,
                   struct standing *standing);

/* The lab to do after `lab` (NULL: from the beginning): the next one in the order of the course, and around, whose best
 * version has not all points. NULL when every lab has them, or only `lab` has not. */
const struct lab *standing_next(const struct workspace *workspace, const json_t *content, const struct lab *lab);

/* The lab that is worked on: graded last and without all points yet, else the first without. NULL when every lab has them.
 */
const struct lab *standing_current(const struct workspace *workspace, const json_t *content);

/* The lab that the last grading was of, where that left points to win, though an older version had them all; else the one
 * that is worked on (standing_current). NULL when every lab has all points. */
const struct lab *standing_latest(const struct workspace *workspace, const json_t *content);

/* Writes the course: one row per lab, the total, what to do next.
 *   map   the parts, the pages to read, and what each lab needs and teaches, as well */
void standing_write(FILE *file, const struct workspace *workspace, bool map, bool colour);

#endif
