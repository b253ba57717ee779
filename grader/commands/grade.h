/* What grade and batch write: the result file. */
#ifndef GRADE_H
#define GRADE_H

#include <jansson.h>
#include <stdint.h>

/* The result file (result.schema.json) around graded labs, for grade and batch.
 *   submission   {id, files}; taken over
 *   labs         array of its `labs`; borrowed
 *   device       result_json_machine of the device; NULL: none; borrowed
 *   when         UTC
 * Returns a new document; NULL when it could not be encoded as JSON. */
json_t *grade_document(json_t *submission, json_t *labs, const json_t *device, uint64_t seed, const char *when);

#endif
