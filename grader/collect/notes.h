/* What a person should hear of while downloads are collected. */
#ifndef COLLECT_NOTES_H
#define COLLECT_NOTES_H

#include <stdbool.h>
#include <stddef.h>

struct note {
    bool must_look; /* something is not as it was handed in, or is nobody's: exit status 1 */
    char *place;    /* a student and a file, or a source; printable; owned */
    char *message;  /* printable; owned */
};

struct notes {
    struct note *list; /* owned */
    size_t count, capacity;
    size_t left_out; /* beyond NOTES_MOST */
};

#define NOTES_MOST 1000

/* Adds a note; what does not print is escaped. */
void notes_add(struct notes *notes, bool must_look, const char *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void notes_clear(struct notes *notes);

#endif
