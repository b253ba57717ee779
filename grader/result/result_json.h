/* The result file, lockstep/result/v1 (grader/result/result.schema.json). */
#ifndef RESULT_JSON_H
#define RESULT_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "grader/result/json_text.h"
#include "grader/result/result.h"

/* One element of `labs`. source: the student's file, NUL-terminated, for the lines that are named; NULL when it could not be
 * read. New reference. */
json_t *result_json_lab(const struct result_lab *lab, const char *source);

/* `machine`, as far as a device tells: device, driver, compute_capability, emulator. NULL device: all null. New reference.
 */
json_t *result_json_machine(const lockstep_device_info *device);

/* A number, or null for NAN and infinities, which JSON does not have. New reference. */
json_t *result_json_number(double value);

/* Writes the file whole or not at all: a temporary file beside it, then a rename. "-" is standard output; a path that is not
 * a regular file (/dev/full, a FIFO) is written directly. Returns false with the reason in message. */
bool result_json_write(const json_t *result, const char *path, char *message, size_t message_bytes);

#endif
