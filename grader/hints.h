/* The lab's own question for a kind of finding: the first step of its ladder in labs/NN_name/hints.md. */
#ifndef HINTS_H
#define HINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/lab.h"
#include "grader/result.h"

/* Finds the first step for the finding's code and pattern, else for its code alone. Returns false when the lab has none; the
 * text is then empty. */
bool hints_find(const struct lab *lab, const struct result_finding *finding, char *text, size_t text_bytes);

/* The section of the lab's handout that explains the finding: handouts/02_vector_add.md, "The guard". It is the first
 * heading that names the code in a comment, as `### The guard <!-- out_of_bounds -->`, or "any"; "" when there is none. */
void hints_section(const struct lab *lab, const struct result_finding *finding, char *text, size_t text_bytes);

/* Gives the lab's words to every finding of the list. */
void hints_apply(const struct lab *lab, struct result_findings *findings);

#endif
