/* What is different between two gradings of one file: "2 more cases pass; the race in shared memory is gone". */
#ifndef CHANGES_H
#define CHANGES_H

#include <jansson.h>
#include <stddef.h>

/* Writes one line without an end.
 *   before, after   as progress_latest made them; before may be NULL or anything that a progress file holds
 * Nothing is written ("") where there is no grading before.
 */
void changes_write(const json_t *before, const json_t *after, char *text, size_t text_bytes);

#endif
