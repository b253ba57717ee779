/* The ladders of hints: three steps for each cause, in labs/NAME/hints.md or, for every lab, in labs/hints.md. */
#ifndef HINTS_H
#define HINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/lab/lab.h"
#include "grader/result/result.h"

enum { HINTS_STEPS = 3, HINTS_STEP_BYTES = 700 };

/* A nudge, the concept, almost the code: plain text without Markdown's marks. */
struct hints_ladder {
    char heading[120]; /* where it stands: "wrong_value tail" */
    char steps[HINTS_STEPS][HINTS_STEP_BYTES];
    int count; /* steps that are there */
};

/* Finds the ladder that fits the facts best.
 *   facts    the code, and what else is known, in any order: a pattern (or the metric of a budget), kernel=NAME, array=NAME,
 *            output=NAME, plan=NAME, line=NUMBER, line2=NUMBER: "wrong_value tail output=pi plan=fused" (cause_heading)
 * A heading of hints.md begins with a code, or with "race" for every kind of race, and may name further facts. It fits if
 * all its words are among the facts. A pattern counts most, then the code, the kernel, the output, the plan; of equals, the
 * lab's own comes before that of labs/hints.md. Last comes what the table of findings says of the code. In the steps, {array},
 * {kernel}, {line} and {line2} stand for the facts' own, {first} and {last} for these lines in the order of the text. Returns false when there is none. */
bool hints_ladder(const struct lab *lab, const char *facts, struct hints_ladder *ladder);

/* Finds the first step for a finding: the ladder that fits, but of those of labs/hints.md only one with a pattern, because
 * the finding's own question says as much as the rest. Returns false when there is none; the text is then empty.
 *   plan   name of the plan that ran; NULL unknown */
bool hints_find(const struct lab *lab, const char *plan, const struct result_finding *finding, char *text,
                size_t text_bytes);

/* The section that explains the finding: handouts/vector_add.md, "The guard". It is the first heading of the lab's
 * handout that names the plan, or else the pattern, or else the code in a comment, as `### The guard <!-- out_of_bounds -->`, else of
 * handouts/reference.md, else the one of the lab's handout that names "any"; "" when there is none. */
void hints_section(const struct lab *lab, const char *plan, const struct result_finding *finding, char *text,
                   size_t text_bytes);

/* Gives the lab's words to every finding of the list. */
void hints_apply(const struct lab *lab, const char *plan, struct result_findings *findings);

#endif
