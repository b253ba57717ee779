/* What is made of class.json for people: the gradebooks and the pages, by the converters of ../pages. A gradebook that somebody
 * edited by hand is never replaced in silence.
 */
#ifndef BATCH_GRADEBOOK_H
#define BATCH_GRADEBOOK_H

#include "grader/class/work.h"

enum gradebook_write { GRADEBOOK_WRITTEN, GRADEBOOK_EDITED, GRADEBOOK_FAILED };

/* Makes DIR/gradebook.csv and gradebook_wide.csv. GRADEBOOK_EDITED: one of them has other cells than the last run wrote; it
 * was left as it is, and standard error says which cells, and what to do. GRADEBOOK_FAILED: with the reason on standard
 * error. */
enum gradebook_write gradebook_write(const struct batch *batch);

/* Makes DIR/report, pages for people. A failure is reported on stderr and does not fail the batch: the results are there. */
void gradebook_write_pages(const struct batch *batch);

#endif
