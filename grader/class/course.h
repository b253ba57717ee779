/* The course file: how much each lab counts, when it is due, and where the roster and the hidden seed are. YAML, so that an
 * instructor edits it without touching C; everything in it is optional. The keys are in course_keys.def.
 */
#ifndef BATCH_COURSE_H
#define BATCH_COURSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "grader/class/moment_any.h"
#include "grader/lab/lab.h"

/* Where a time of submission can come from. */
enum course_source {
    COURSE_TIMESTAMPS, /* the CSV of the key `timestamps` */
    COURSE_SUBMITTED,  /* a file `submitted`, one line with a date, in a folder around the file */
    COURSE_MTIME,      /* when the file was changed last */
    COURSE_SOURCES
};

struct course_lab {
    const struct lab *lab;
    int32_t weight; /* hundredths */
    bool has_due;
    int64_t due; /* UTC, seconds since 1970 */
};

struct course {
    char *file;      /* path of the course file; NULL: there is none, all is default. Owned, as all texts */
    char sha256[65]; /* of its bytes */
    /* NULL: not given; files with their folder */
    char *title, *time_zone, *roster, *timestamps, *decisions, *hidden_seed_file;
    enum moment_order date_order; /* of times as 10/11/2026 */
    struct course_lab *labs;
    int lab_count;
    int32_t grace_minutes;
    int32_t percent_per_day, cap_percent; /* hundredths of a percent */
    enum course_source times[COURSE_SOURCES];
    int time_count;
    int32_t budget_days; /* late days of each student that cost nothing */
    bool record_hints;
    int32_t drop_lowest, limit_files, limit_depth;
};

/* The defaults, for a class without a course file. */
void course_init(struct course *course);

/* Reads a course file. Every mistake is written to `errors`, one per line: file, line, what is wrong and what is allowed.
 * Returns how many there were; the course is usable only with none. Clear in either case. */
int course_read(const char *path, struct course *course, FILE *errors);
void course_clear(struct course *course);

/* Index of a lab in the course; -1: it is not part of it. */
int course_find_lab(const struct course *course, const struct lab *lab);

/* The keys as a table in Markdown, for the handout. */
void course_print_keys(FILE *file);

#endif
