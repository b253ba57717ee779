/* Memory of the grader: plain heap blocks that are always there. A grader without memory cannot judge anybody, so running
 * out ends the process with the harness' exit status (3), which is never a student's verdict.
 */
#ifndef ALLOCATE_H
#define ALLOCATE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns `bytes` of zeroed memory, owned by the caller (free). Never NULL, also for 0 bytes. */
void *allocate_zeroed(size_t bytes);

/* Returns an array with room for `needed` elements of `element_bytes`, moved and enlarged when *capacity is smaller.
 * New elements are zero. Use: array = allocate_grown(array, &capacity, count + 1, sizeof(*array)). */
void *allocate_grown(void *array, size_t *capacity, size_t needed, size_t element_bytes);

/* Returns a copy of text[bytes] with a NUL after it, owned by the caller. */
char *allocate_text(const char *text, size_t bytes);

/* Returns the printf-style text, owned by the caller. */
char *allocate_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory that does not exist in child processes (seeds, expected values): a fork leaves a hole where it stood.
 * Zeroed, page-aligned; give back with allocate_release_secret. */
void *allocate_secret(size_t bytes);
/* Whether the next fork hands the secret on: only to another process of the grader itself. */
void allocate_hand_on_secret(const void *memory, size_t bytes, bool hand_on);
void allocate_release_secret(void *memory, size_t bytes);

#endif
