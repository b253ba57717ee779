/* Folders for work on one thing, which nobody else may enter and which go when the process that made them ends, however it
 * ends: a keeper, a process that no signal of a terminal or of a scheduler reaches, waits for that and removes the folder. What
 * remains when the keeper is killed, too, or the machine stops, the next such folder removes: the keeper of a folder that is in
 * use holds a lock.
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stdbool.h>
#include <sys/types.h>

enum { SCRATCH_PATH_BYTES = 512 };

struct scratch {
    char path[SCRATCH_PATH_BYTES]; /* "": there is none */
    pid_t keeper;                  /* -1: no process could be started for it */
    int alive;                     /* the keeper waits until it is closed; -1: there is no keeper, and ... */
    int lock;                      /* ... this process holds the lock; -1: it does not */
};

/* Makes one in TMPDIR, or /tmp. Returns false with errno when there can be none.
 *   kind   a word for its name, "build" */
bool scratch_make(const char *kind, struct scratch *scratch);

/* Removes it, with the files in it; there are no folders in it. Doing it twice is harmless. */
void scratch_remove(struct scratch *scratch);

#endif
