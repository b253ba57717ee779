/* Finding files: candidates of a library in folders that depend on the machine. Internal to the runtime. */
#ifndef RUNTIME_SEARCH_H
#define RUNTIME_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#define SEARCH_PATH_BYTES 512
#define SEARCH_MAX_PATHS  64

/* Paths in the order in which they are to be tried. A path that does not fit, or is one too many, is left out. */
struct search {
    char paths[SEARCH_MAX_PATHS][SEARCH_PATH_BYTES];
    size_t count;
};

/* Adds what matches folder/pattern and is not there yet, versions in descending order ("cuda-13.0" before "cuda-12.9").
 *   folder    taken as it is, without a slash at the end
 *   pattern   of the shell: "lib64/libnvrtc.so*" */
void search_add(struct search *search, const char *folder, const char *pattern);

/* Is it a folder? */
bool search_is_folder(const char *path);

/* The folder of the running program, without a slash at the end. Returns false when /proc does not tell. */
bool search_program_folder(char folder[SEARCH_PATH_BYTES]);

#endif
