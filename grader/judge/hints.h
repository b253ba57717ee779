/* The ladders of hints: three steps for each cause, in labs/NN_name/hints.md or, for every lab, in labs/hints.md. */
#ifndef HINTS_H
#define HINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/lab/lab.h"
#include "grader/result/result.h"

enum { HINTS_STEPS = 3, HINTS_STEP_BYTES = 700 };

/* A nudge, the concept, almost the code: plain text without Markdown's marks. */
struct hints_ladder {
    char heading[80]; /* where it stands: "wrong_value tail" */
    char steps[HINTS_STEPS][HINTS_STEP_BYTES];
    int count; /* steps that are there */
};

/* Finds the ladder for a heading, "out_of_bounds", "wrong_value tail", "budget global_sectors": the lab's own, else that of
 * labs/hints.md, else those for the first word alone in the same way, else what the table of findings says of the code.
 * Returns false when there is none. */
bool hints_ladder(const struct lab *lab, const char *heading, struct hints_ladder *ladder);

/* Finds the first step for the finding's code and pattern, the lab's own or that of labs/hints.md, else the lab's own
 * for its code alone. Returns false when there is none; the text is then empty. */
bool hints_find(const struct lab *lab, const struct result_finding *finding, char *text, size_t text_bytes);

/* The section that explains the finding: handouts/02_vector_add.md, "The guard". It is the first heading of the lab's
 * handout that names the pattern or else the code in a comment, as `### The guard <!-- out_of_bounds -->`, else of
 * handouts/reference.md, else the one of the lab's handout that names "any"; "" when there is none. */
void hints_section(const struct lab *lab, const struct result_finding *finding, char *text, size_t text_bytes);

/* Gives the lab's words to every finding of the list. */
void hints_apply(const struct lab *lab, struct result_findings *findings);

#endif
