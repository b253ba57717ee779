/* The user's cache folder: of compiled kernels, of sources, of the packages that run under `lockstep exec`. */
#ifndef BASE_USER_CACHE_H
#define BASE_USER_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that LOCKSTEP_CACHE names, else the one for lockstep in $XDG_CACHE_HOME, else in ~/.cache.
 *   own      the value of LOCKSTEP_CACHE; NULL or "": it does not count
 *   folder   out: [bytes], NUL-terminated; nothing is made
 * Returns false when there is none, or it does not fit. */
bool user_cache_folder(const char *own, char *folder, size_t bytes);

/* Makes every folder in front of the last '/' of a path that is not there yet; the path is as before when this returns. Returns
 * false with errno set when one cannot be made. */
bool user_cache_make_folders(char *path);

#endif
