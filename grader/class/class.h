/* A class: students, what each handed in for each lab, what is wrong with it, and which scores came of it. */
#ifndef BATCH_CLASS_H
#define BATCH_CLASS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/class/course.h"

enum problem_code {
#define PROBLEM(code, weight, what) PROBLEM_##code,
#include "grader/class/problems.def"
#undef PROBLEM
};

enum problem_weight { PROBLEM_WEIGHT_NOTE, PROBLEM_WEIGHT_LOOK, PROBLEM_WEIGHT_LAB, PROBLEM_WEIGHT_STUDENT };

struct problem {
    enum problem_code code;
    char *file;    /* path inside SUBMISSIONS, printable; NULL: none. Owned */
    char *message; /* printable; owned */
    int lab;       /* of the course, where it is about one; -1 */
    bool is_only;  /* no_lab_file: only one file was handed in */
};

struct problems {
    struct problem *list; /* owned */
    size_t count, capacity;
};

enum entry_state {
    ENTRY_MISSING, /* no file, or the skeleton as everybody gets it */
    ENTRY_NOT_DUE, /* MISSING, before the lab's due date: no zero, and no part of the course's percentage yet */
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
    char timing_key[72];         /* of the grading that was also timed on a GPU */
    char verdict[16];            /* state of the grading: "pass" … "harness_error" */
    int score, max_score;        /* as graded */
    char cause[32], pattern[32]; /* first cause; "" none */
    char when[32];               /* of the grading */
    bool untouched;              /* MISSING, and the skeleton is there */
    bool has_submitted;
    int64_t submitted;               /* UTC */
    int64_t late_seconds, late_days; /* 0: in time */
    int32_t penalty;                 /* hundredths of a percent */
    int final_score;
    bool dropped;
    /* What people decided (decided.h). */
    const char *shared_from; /* id of the member of the group whose file this is; NULL: the student's own. Borrowed */
    int64_t extended;        /* another due date, UTC; 0: the course's */
    int64_t free_days;       /* days of lateness that the student's late days pay for */
    bool is_excused, is_exempt;
    bool is_decided;   /* decided_score stands instead of score, whatever the state */
    int decided_score; /* before lateness */
    int bonus;
    json_t *decisions; /* as class.json has them; NULL: none. Owned */
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
    char *email;                 /* of the roster; NULL: unknown; owned */
    char *pseudonym;             /* for graders who must not know the student; NULL: none; owned */
    size_t decision_first, decision_count;
    int64_t late_days_all, late_days_used; /* the budget, and what of it is spent */
    json_t *decisions;                     /* those for no lab; NULL: none. Owned */
};

struct class
{
    const struct course *course; /* borrowed */
    char *submissions;           /* path of the folder; owned */
    struct student *students;    /* owned; by id once class_sort has run */
    size_t count, capacity;
    bool has_roster;
    size_t times_read, times_bad; /* files `submitted`; those whose time cannot be read */
    bool times_ambiguous;         /* one of those has day and month in an order that nobody stated */
    char bad_time[512];           /* the first of those, or an ambiguous one, in words */
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

/* Says that the problem added last is about a lab of the course. */
void problems_set_lab(struct problems *problems, int lab);

/* Forgets the problems that `is_wanted` finds. */
void problems_remove(struct problems *problems, bool (*is_wanted)(const struct problem *problem, const void *context),
                     const void *context);

/* The text with everything that does not print as \xNN. Owned by the caller. */
char *class_printable(const char *text);

/* The last name of a path: of "ada/scan.cu", "scan.cu". Points into it. */
const char *class_last_part(const char *path);

/* A form in which names that a person would take for the same are equal: composed, without case, without blanks around it.
 * Owned by the caller. */
char *class_plain_name(const char *name);

/* Is the score of the entry known, or will it be without anybody's doing: is nothing in doubt? */
bool entry_is_known(const struct class_entry *entry);

/* Is there a score to show: is it known, and the lab due or decided? */
bool entry_has_score(const struct class_entry *entry);
const char *entry_state_name(const struct class_entry *entry);

#endif
