/* Finding files: candidates for a library in folders that depend on the machine. Internal to the runtime. */
#ifndef RUNTIME_SEARCH_H
#define RUNTIME_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#define SEARCH_PATH_BYTES 512
#define SEARCH_MAX_PATHS  64

/* Paths in the order in which to try them. A path that is too long, or one too many, is left out. */
struct search {
    char paths[SEARCH_MAX_PATHS][SEARCH_PATH_BYTES];
    size_t count;
};

/* Adds what matches folder/pattern and is not in the list yet, versions in descending order ("cuda-13.0" before
 *   "cuda-12.9"). folder    taken as it is, without a slash at the end
 *   pattern   of the shell: "lib64/libnvrtc.so*" */
void search_add(struct search *search, const char *folder, const char *pattern);

/* Is this path a folder? */
bool search_is_folder(const char *path);

/* The folder of the running program, without a slash at the end. Returns false when /proc does not say. */
bool search_program_folder(char folder[SEARCH_PATH_BYTES]);

#endif
