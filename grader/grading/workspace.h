/* The student's own folder: where the file is that `grade doublify` means, and where progress is kept.
 *
 * It is the first of these:
 *   1. LOCKSTEP_FOLDER, when it is set; empty: the kit's labs/, and no progress is kept
 *   2. the nearest folder with `.lockstep/`, from where the search begins upwards; inside the kit, not beyond the kit
 *   3. the folder that `lockstep start` made last
 *   4. the kit's labs/
 * A `.lockstep/` that belongs to another user is skipped.
 */
#ifndef WORKSPACE_H
#define WORKSPACE_H

#include <stdbool.h>

#include "grader/lab/kit.h"
#include "grader/lab/lab.h"

#define WORKSPACE_MARK ".lockstep"

struct workspace {
    char root[KIT_PATH_BYTES]; /* absolute, without a slash at the end */
    bool is_kit;               /* it is the kit's labs/ */
    bool keeps_progress;       /* not when LOCKSTEP_FOLDER is empty, and not in CI (the variable CI is set) */
};

/* Finds the folder from the working directory. */
void workspace_find(struct workspace *workspace);

/* Finds it from the folder of a file, so that `hint FILE` works from anywhere. */
void workspace_find_for(const char *file, struct workspace *workspace);

/* Makes the folder a student's own: creates it and its `.lockstep/`, and lets the kit remember it where the kit can be
 * written. Returns false with the reason in message. */
bool workspace_create(const char *folder, struct workspace *workspace, char *message, size_t message_bytes);

/* The lab's file in the folder, as the user can type it: NAME/NAME.cu, or name.cu where only that is there. Returns
 * whether it exists; the path is set in either case. */
bool workspace_lab_file(const struct workspace *workspace, const struct lab *lab, char path[KIT_PATH_BYTES]);

/* Whether the file is the lab's own in the folder, by whatever name it is reached. */
bool workspace_owns(const struct workspace *workspace, const struct lab *lab, const char *file);

#endif
