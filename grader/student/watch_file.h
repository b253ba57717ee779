/* A file that is being worked on: notices each save, however the editor saves, and whether the file is there at all. */
#ifndef WATCH_FILE_H
#define WATCH_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* How long a file must have been left alone before it is read, and the longest wait; an empty file may be one that is being
 * written. At these intervals it is looked at even where the system tells of no changes (network file systems). */
enum { WATCH_FILE_QUIET_MS = 60, WATCH_FILE_QUIET_EMPTY_MS = 300, WATCH_FILE_LONGEST_MS = 300, WATCH_FILE_TICK_MS = 200 };

struct watch_file {
    char *path;       /* owned */
    int events;       /* inotify; -1: none, then only looking helps. Readable when something happened in the folder */
    int folder;       /* its watch; -1: the folder is not there */
    struct stat seen; /* how the file was when it was last looked at */
    bool there;
    int64_t changed_ms; /* first change that was not taken yet; 0: none */
    int64_t latest_ms;  /* … and the latest one */
};

void watch_file_open(const char *path, struct watch_file *file);
void watch_file_close(struct watch_file *file);

/* Takes the events that wait, and looks at the file. */
void watch_file_look(struct watch_file *file);

/* Milliseconds until it is worth looking again; never more than a tick. */
int watch_file_wait_ms(const struct watch_file *file);

/* Whether the file has changed and was then left alone; true once a change. `there` says whether there is one to read. */
bool watch_file_take(struct watch_file *file);

#endif
