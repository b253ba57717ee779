/* What people decide about a class, in a file that outlives every run: decisions.csv beside the course file, one decision a
 * line. The kinds are in grader/options/decisions.def; decided.h says what each does.
 *
 * Columns: student, what, by (needed in every line), lab, value, why, date, private. `student` is an ID, a pseudonym, or a
 * name that only one student has.
 */
#ifndef BATCH_DECISIONS_H
#define BATCH_DECISIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "grader/class/class.h"

enum decision_what {
#define DECISION(name, ...) DECISION_##name,
#include "grader/options/decisions.def"
#undef DECISION
    DECISION_COUNT
};

#define DECISIONS_EVERY_LAB (-1)

struct decision {
    enum decision_what what;
    int line;                      /* of the file, from 1 */
    size_t student;                /* number in the class when the file was read */
    int lab;                       /* of the course; DECISIONS_EVERY_LAB: all, or none */
    char *value, *by, *why, *date; /* "" not given; owned */
    bool is_private;               /* the reason is not for the student */
    int64_t number;                /* points, days; of an extension the due date, or the days after the course's */
    bool is_relative;              /* an extension in days */
};

struct decisions {
    char *file;            /* path; NULL: there is none. Owned */
    char sha256[65];       /* of its bytes */
    struct decision *list; /* owned; by student, then by line */
    size_t count, capacity;
};

/* Name, and the value's form ("POINTS", "" for none). */
const char *decision_name(enum decision_what what);
const char *decision_form(enum decision_what what);

/* The decision as the student reads it, without the reason. Owned by the caller. */
char *decision_words(const struct decision *decision);

/* Finds a kind by its name. Returns false when there is none. */
bool decision_find(const char *name, enum decision_what *what);

/* Is it for a lab always, or never? Otherwise it may be for one or for all. */
bool decision_needs_lab(enum decision_what what);
bool decision_has_no_lab(enum decision_what what);

/* The file that a course names, or decisions.csv beside the course file where that exists. Owned by the caller; NULL: none. */
char *decisions_path(const struct course *course);

/* Reads a table of decisions and gives each student their part of it (decision_first, decision_count).
 *   path      as complaints name it
 *   text      [bytes] and a NUL, taken over; NULL: read the file
 *   anybody   students that the class does not have are not reported
 * Every mistake is written to `errors`, one per line: file, line, column, what is wrong and what is allowed. Returns how many
 * there were; the decisions are usable only with none. Clear in either case. */
int decisions_read(const char *path, char *text, size_t bytes, struct class *class, bool anybody,
                   struct decisions *decisions, FILE *errors);
void decisions_clear(struct decisions *decisions);

/* The student that a person means by an ID, a pseudonym, or a name that only one has. NULL, with the reason. */
struct student *decisions_find_student(struct class *class, const char *name, char *message, size_t message_bytes);

#endif
