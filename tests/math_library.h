/* A library of ours that stands for one of NVIDIA's, as a program under `lockstep exec` meets it: beside the emulated driver,
 * with device memory and what the driver reports. For suites: everything here ends in assertions. */
#ifndef TESTS_MATH_LIBRARY_H
#define TESTS_MATH_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens the driver, with all checks, and the library of that file name in build/emulated/stand_ins, and makes a context
 * current. Returns 0, or -1 as a set-up function of CUnit does. */
int math_library_open(const char *file);

/* Gives back what math_library_open took. Returns 0. */
int math_library_close(void);

/* The library's function of that name; NULL, and a failed assertion, when there is none. */
void *math_library_function(const char *name);

/* Device memory with `bytes` of `content`; NULL: never written. To be freed. */
void *math_library_memory(const void *content, size_t bytes);
void math_library_free(void *memory);
void math_library_read(const void *memory, void *to, size_t bytes);
void math_library_write(void *memory, const void *from, size_t bytes);

/* How often the text occurs in the findings so far. */
size_t math_library_findings(const char *text);

/* Does the library export exactly what NVIDIA's of that name does, by nm, under its own version? Names begin with `prefix`.
 * The test is skipped where the toolkit has none. */
void math_library_compare(const char *file, const char *prefix);

#endif
