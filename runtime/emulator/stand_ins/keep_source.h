/* Sources that outlive the program that compiled them, so that findings can show their lines. */
#ifndef STAND_INS_KEEP_SOURCE_H
#define STAND_INS_KEEP_SOURCE_H

#include <stddef.h>

/* Keeps a copy of a source under the user's cache folder ($LOCKSTEP_CACHE/sources/HASH/NAME), once for each content.
 *   text, bytes   the source
 *   name          its name for the user; folders in it are dropped
 *   path          out: the copy, NUL-terminated; at most `capacity` bytes
 * Returns 0, or -1 when there is no cache or it cannot be written: then the source has no copy, which costs excerpts only. */
int keep_source(const char *text, size_t bytes, const char *name, char *path, size_t capacity);

/* PTX with the name of one file replaced in its `.file` directives.
 * Returns a new NUL-terminated text, which the caller frees; NULL when the name is not there, or without memory. */
char *keep_source_rename(const char *ptx, const char *name, const char *path);

#endif
