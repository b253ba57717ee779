/* Who handed in: what a download knows of a person, and which student of the roster that is. */
#ifndef COLLECT_PEOPLE_H
#define COLLECT_PEOPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/class/course.h"
#include "grader/class/csv.h"
#include "grader/collect/forms/forms.h"

/* What may be known of a person. */
enum person_field {
    PERSON_NAME,
    PERSON_EMAIL,
    PERSON_NUMBER, /* of the university: SID, ID number */
    PERSON_LOGIN,
    PERSON_SYSTEM, /* the number that the learning system has for them */
    PERSON_GROUP,
    PERSON_FOLDER, /* name in the download */
    PERSON_ROSTER, /* id on the roster */
    PERSON_FIELDS,
};

struct person {
    char *fields[PERSON_FIELDS]; /* owned; NULL: not known */
};

/* Sets a field to a copy of the text; "" leaves it as it is. */
void person_set(struct person *person, enum person_field field, const char *text);
void person_clear(struct person *person);

/* How surely two are the same person: 2 by a number, login or address; 1 by name alone; 0 not. */
int person_compare(const struct person *left, const struct person *right);

/* The roster of the course. */
struct people {
    struct csv roster; /* owned */
    bool has_roster;
    int id, name, folder; /* columns; -1: none */
};

/* Reads the roster of the course, if it has one. Returns false with a message when it is unfit. Clear in either case. */
bool people_read(const struct course *course, struct people *people, char *message, size_t message_bytes);
void people_clear(struct people *people);

/* The id of the student of the roster: who has the same number, login or e-mail address in any column; else the same name,
 * where only one has it; else the id before the @. NULL: nobody, or *several fit. Points into the roster.
 *   form   of the download: its system's numbers are looked for in columns named after it, such as canvas_id */
const char *people_find(const struct people *people, const struct person *person, enum form form, bool *several);

/* The id where no roster knows better: number, login, address or name, fit for a folder's name. Owned by the caller; NULL:
 * nothing is known. */
char *people_own_id(const struct person *person);

/* A text fit to be the name of a folder: no slash, no control character, no dot at its beginning. Owned by the caller. */
char *people_folder_name(const char *text);

#endif
