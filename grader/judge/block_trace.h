/* One block of a test, run once more with every step written down, for what only its steps tell. */
#ifndef BLOCK_TRACE_H
#define BLOCK_TRACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct cases_work;

/* The trace of a block of test `index` (runtime/emulator/observe/README.md), to be freed; NULL when it did not run to its end,
 * or there is no work left for it. */
char *block_trace(struct cases_work *work, int index, const uint32_t block[3]);

/* The next record, a new reference; NULL at the end. Lines that are not objects are skipped. */
json_t *block_trace_next(const char **at);

/* Fields of a record. */
bool block_trace_is(const json_t *record, const char *kind);
int64_t block_trace_integer(const json_t *record, const char *key);
const char *block_trace_text(const json_t *record, const char *key); /* "" none */

#endif
