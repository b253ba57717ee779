/* Labs that a test puts together in memory, graded as `lockstep grade` does: the emulated device, no cache, seed 7. */
#ifndef TESTS_SMALL_LAB_H
#define TESTS_SMALL_LAB_H

#include "grader/lab/lab.h"
#include "grader/result/result.h"

/* Judges source text. The caller gives `result` back with result_lab_clear. */
void small_lab_grade(const struct lab *lab, const char *source, struct result_lab *result);

/* Judges it, and says whether it has full points. Prints the message where it has not and `right` says that it should. */
bool small_lab_passes(const struct lab *lab, const char *source, bool right);

/* Does a finding of some test, or a note, have this code, and contain this text (NULL: any)? */
bool small_lab_finds(const struct lab *lab, const char *source, const char *code, const char *text);

#endif
