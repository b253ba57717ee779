/* The sources of `lockstep collect`: downloads and tables, each recognised by itself, read into submissions and people. */
#ifndef COLLECT_SOURCE_H
#define COLLECT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/class/course.h"
#include "grader/collect/notes.h"
#include "grader/collect/people.h"

/* A file or folder of a submission. */
struct handed_part {
    char *path;          /* in the source's folder; owned */
    char *as;            /* its name in the student's folder; "": the folder's content goes straight into it; owned */
    bool is_online_text; /* HTML that a student typed into a form */
};

/* What one student handed in, as one source has it. A submission of a group is one for each member. */
struct handed {
    size_t source;
    struct person person;
    char *id;               /* of the roster, or as people_own_id says; set by the caller; owned */
    bool has_time, is_late; /* is_late: the system marks it so */
    int64_t submitted;      /* UTC */
    struct handed_part *parts;
    size_t part_count, part_capacity;
};

/* A line of a table: somebody, perhaps with a time. */
struct table_row {
    struct person person;
    size_t source;
    bool has_time;
    int64_t submitted;
};

struct source {
    const char *path; /* as given */
    bool is_table;
    enum form form;
    int folder; /* whose names are the download's; -1: a table */
    char *root; /* path of that folder; owned */
    char *name; /* of the download, without ending and number; owned */
    size_t submissions, rows, times;
};

struct sources {
    const struct course *course; /* borrowed */
    const char *work;            /* an empty folder that archives are unpacked into; borrowed */
    struct notes notes;
    struct source *list;
    size_t count, capacity;
    struct handed *handed;
    size_t handed_count, handed_capacity;
    struct table_row *rows;
    size_t row_count, row_capacity;
    char message[1024]; /* why a source cannot be used */
    bool disk;          /* because of the disk or the kit, not of the source */
};

/* Recognises and reads a source. Returns false with sources->message. */
bool sources_add(struct sources *sources, const char *path);
void sources_clear(struct sources *sources);

/* ---- between the readers ------------------------------------------------------------------------------------------- */

/* Adds a submission of somebody to the source. Good until the next is added. */
struct handed *sources_add_handed(struct sources *sources, size_t source);
void handed_add_part(struct handed *handed, const char *path, const char *as, bool is_online_text);

void handed_clear(struct handed *handed);

/* source_table.c: a CSV with people, times or both. */
bool source_read_table(struct sources *sources, size_t number);

/* source_gradescope.c: submission_metadata.yml. */
bool source_read_gradescope(struct sources *sources, size_t number, const struct forms_list *list);

#endif
