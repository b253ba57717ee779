/* Which of many findings is the cause, and which are consequences. Titles, questions and their order: runtime/tables/findings.def. */
#ifndef DIAGNOSE_H
#define DIAGNOSE_H

#include <stdbool.h>

#include "grader/result/result.h"

/* Sorts a list of findings: what fails a test before what does not, then by stage of the diagnosis, then as they came.
 * Poison goes behind a race over the same access (it was read too early), an address made from poison behind the poison. */
void diagnose_sort(struct result_findings *findings);

/* Whether a finding fails its test: an error, or what its row says FAILS in a lab although it is a warning. */
bool diagnose_fails(const struct result_finding *finding);

/* Is it about a loop that does not end, and says why? */
bool diagnose_explains_loop(const struct result_finding *finding);

/* Whether a program with this finding may run on a GPU: its memory accesses, barriers and loops are in order. */
bool diagnose_is_harmless(const struct result_finding *finding);

/* What the student reads for a code ("out of bounds"); the code itself when it is not in the table. */
const char *diagnose_title(const char *code);

/* Its place in the order of diagnosis, from 0: a lower one explains a higher one. Unknown codes come last. */
int diagnose_stage(const char *code);

/* The finding's own hint, else the table's; "" when neither has one. */
const char *diagnose_hint(const struct result_finding *finding);

/* The table's question, meaning and advice, borrowed. Returns false for a code without a question of its own. */
bool diagnose_explain(const char *code, const char *steps[3]);

/* The test that shows the lab's first cause: lowest stage; of wrong values a pattern that explains them before one that says
 * where they are, before none; then the first in the order of the cases. -1 when no test failed. */
int diagnose_first_test(const struct result_lab *lab);

#endif
