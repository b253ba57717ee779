/* Performance thresholds on counters: what was measured, what it is measured against, and the points. */
#ifndef BUDGET_H
#define BUDGET_H

#include "grader/judge/tally.h"
#include "grader/lab/lab.h"
#include "grader/result/result.h"

/* Points for a ratio between two bounds: all at full_at, none at zero_at, linear between, rounded down. full_at > zero_at
 * where more is better. NAN earns nothing. */
int budget_points(double ratio, double full_at, double zero_at, int points);

/* Judges one budget of the lab.
 *   own         counters of the submission on the budget case; present or not
 *   reference   counters of the reference solution with the same plan; may be absent
 *   earned      the budget case's test passed; else nothing is earned and the state is skipped
 *   excused     the budget that it names as `unless` has full points: too little is enough, and nothing is needed
 *   result      out
 */
void budget_judge(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan,
                  const struct tally *own, const struct tally *reference, bool earned, bool excused,
                  struct result_budget *result);

/* Finds the line of the source where most of a metric was spent, and says what its requests looked like.
 *   reference   may be absent, or NULL; of several kinds of access, the one that it has fewer of is named
 *   pattern     out: "misaligned", "repeated", of the hints; "" none
 *   text        "line 6: 2048 warp loads, 32 sectors each; 32 neighbouring words of 4 bytes fit in 4"
 * Returns the line; NULL, text untouched, when no line can be named. */
const struct tally_line *budget_place(const char *metric, const struct tally *tally, const struct tally *reference,
                                      const char **pattern, char *text, size_t text_bytes);

/* Draws where the lanes of a request went: sectors of global memory, one box per word, or the banks of shared memory, one
 * row per pass. Nothing is drawn for a request that takes no more than it must. */
void budget_draw(const struct tally_request *request, char *picture, size_t picture_bytes);

#endif
