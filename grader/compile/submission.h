/* A submission: one .cu file, read whole, with what makes it unfit said in words. */
#ifndef SUBMISSION_H
#define SUBMISSION_H

#include <stdbool.h>
#include <stddef.h>

enum submission_status {
    SUBMISSION_READ,
    SUBMISSION_UNFIT,      /* empty, binary, too large: the student's to fix */
    SUBMISSION_UNREADABLE, /* no such file, no permission, a directory: the caller's */
};

struct submission {
    enum submission_status status;
    char path[4096]; /* as the user gave it */
    char *source; /* the file's text as text_read gives it, [source_bytes] and a NUL; owned; NULL unless SUBMISSION_READ */
    size_t source_bytes;
    char sha256[65];    /* of the file's bytes, hexadecimal; "" when it could not be read whole */
    char message[1024]; /* why it is unfit or unreadable */
};

/* Reads the file. Never fails otherwise than by status. */
void submission_read(const char *path, struct submission *submission);

/* The same for a file of an open folder (-1: opening it failed with errno): a link is not followed, and only a name
 * without '/' is meant. The path of the submission is the name. */
void submission_read_in(int folder, const char *name, struct submission *submission);
void submission_clear(struct submission *submission);

#endif
