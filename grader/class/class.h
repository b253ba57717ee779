/* A class: students, what each handed in for each lab, what is wrong with it, and which scores came of it. */
#ifndef BATCH_CLASS_H
#define BATCH_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/class/course.h"

enum problem_code {
#define PROBLEM(code, weight, what) PROBLEM_##code,
#include "grader/class/problems.def"
#undef PROBLEM
};

enum problem_weight { PROBLEM_WEIGHT_NOTE, PROBLEM_WEIGHT_LAB, PROBLEM_WEIGHT_STUDENT };

struct problem {
    enum problem_code code;
    char *file;    /* path inside SUBMISSIONS, printable; NULL: none. Owned */
    char *message; /* printable; owned */
};

struct problems {
    struct problem *list; /* owned */
    size_t count, capacity;
};

enum entry_state {
    ENTRY_MISSING, /* no file */
    ENTRY_PROBLEM, /* a file that was not graded */
    ENTRY_WAITING, /* a file that is to be graded */
    ENTRY_GRADED,
};

/* One lab of one student. */
struct class_entry {
    enum entry_state state;
    char *path;                  /* of the file, from SUBMISSIONS, as on the disk; owned; NULL unless WAITING or GRADED */
    char sha256[65];             /* of its bytes; "" when it is too large to be read */
    int64_t mtime;               /* of the file, UTC */
    int64_t submitted_file;      /* what a file `submitted` beside or above it says, UTC; 0: nothing */
    char key[65];                /* of the grading: the same file for the same lab has the same (store.h) */
    char verdict[16];            /* state of the grading: "pass" … "harness_error" */
    int score, max_score;        /* as graded */
    char cause[32], pattern[32]; /* first cause; "" none */
    char when[32];               /* of the grading */
    bool has_submitted;
    int64_t submitted;               /* UTC */
    int64_t late_seconds, late_days; /* 0: in time */
    int32_t penalty;                 /* hundredths of a percent */
    int final_score;
    bool dropped;
};

struct student {
    char *id;       /* printable, unique without regard to case; owned */
    char *name;     /* of the roster; NULL: unknown; owned */
    char **folders; /* [folder_count] names in SUBMISSIONS; owned */
    size_t folder_count, folder_capacity;
    bool on_roster;
    struct problems problems;
    struct class_entry *entries; /* [course->lab_count]; owned */
    double percent;              /* of the course; NAN: not known */
};

struct class
{
    const struct course *course; /* borrowed */
    char *submissions;           /* path of the folder; owned */
    struct student *students;    /* owned; by id once class_sort has run */
    size_t count, capacity;
    bool has_roster;
    struct problems problems;
};

void class_init(struct class *class, const struct course *course, const char *submissions);
void class_clear(struct class *class);

/* Adds a student and returns it; the id is made printable and, where it is taken, unique by a number after it. Pointers to
 * students are good until the next is added. */
struct student *class_add(struct class *class, const char *id);

/* Sorts the students by id. */
void class_sort(struct class *class);

const char *problem_name(enum problem_code code);
const char *problem_meaning(enum problem_code code);
enum problem_weight problem_weight(enum problem_code code);

/* Adds a problem; file may be NULL. Texts are copied and made printable. At most 100 of a student are kept. */
void problems_add(struct problems *problems, enum problem_code code, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The text with everything that does not print as \xNN. Owned by the caller. */
char *class_printable(const char *text);

/* A form in which names that a person would take for the same are equal: composed, without case, without blanks around it.
 * Owned by the caller. */
char *class_plain_name(const char *name);

/* Is the score of the entry known? */
bool entry_is_known(const struct class_entry *entry);
const char *entry_state_name(const struct class_entry *entry);

#endif
