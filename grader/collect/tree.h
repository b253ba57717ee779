/* Folders of files: copied without following a link, hashed, removed. Students' archives are unpacked on the way. */
#ifndef COLLECT_TREE_H
#define COLLECT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/collect/notes.h"

/* What is copied for one student. */
struct tree_copy {
    struct notes *notes; /* borrowed */
    const char *place;   /* names the student in notes; borrowed */
    size_t files;        /* made so far */
    size_t sources;      /* of those, with the ending .cu */
    uint64_t bytes;
    size_t archives, unpacked; /* opened; and whole */
    char *message;             /* why it failed: disk, permission; borrowed */
    size_t message_bytes;
};

/* Copies a file or a folder with all in it into an open folder; archives become folders, and stay as they are, with a note,
 * where they cannot be unpacked. Links, devices and what cannot be read are left out, with a note; .git and what systems
 * leave behind, without one.
 *   path   from the open folder `from`; no part of it may be a link
 *   as     the new name; "": the content of the folder goes straight into `to`. A name that is taken gets a number
 * Returns false with the message when it cannot be written. */
bool tree_copy(struct tree_copy *copy, int from, const char *path, int to, const char *as);

/* Writes a file of its own into an open folder, as tree_copy would. */
bool tree_write(struct tree_copy *copy, int to, const char *name, const char *content, size_t bytes);

/* A hash of all names and bytes below the path. "" where nothing is there; "?" where something cannot be read, or is neither
 * a file nor a folder. */
void tree_hash(int folder, const char *path, char hash[65]);

/* Removes it with all in it. Returns false with errno. Nothing there is good. */
bool tree_remove(int folder, const char *path);

/* Opens a folder by a path in which no part may be a link. Returns -1 with errno. */
int tree_open(int folder, const char *path);

/* Makes the folders of a path. Returns false with errno. */
bool tree_make_folders(int folder, const char *path);

#endif
