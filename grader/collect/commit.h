/* When the commit that a clone has checked out was made. */
#ifndef COLLECT_COMMIT_H
#define COLLECT_COMMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the committer's date of HEAD with `git cat-file`, in a repository of our own that borrows the clone's objects: git
 * never sees the clone's configuration, hooks, replacements or attributes, and starts no other program. It is the time that
 * the student's machine wrote, not the time of the push.
 *   clone   path of the clone
 *   work    an empty repository, as commit_make_repository makes it
 * Returns false with a message. */
bool commit_time(const char *clone, const char *work, int64_t *utc, char *message, size_t message_bytes);

/* Makes the folder `work` an empty repository. Returns false with errno. */
bool commit_make_repository(const char *work);

#endif
