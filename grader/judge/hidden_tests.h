/* Hidden tests: how they are judged, and the one place through which anything about them reaches a result.
 *
 *   visible tests -----> result --------------------------------------> report, JSON, pages, exports
 *                          |  (what a submission has cost, whether it failed)   ^
 *                          v                                                    |
 *   hidden tests ------> closed result ---> struct hidden_verdict ---> hidden_publish
 *
 * They run after everything that the visible tests decide, in processes of their own, and are judged like any other test,
 * into a result that is thrown away. Of each, a state and a cause get out: a verdict has no room for a text or a number of
 * the submission's choosing. So lines, arrays, elements, threads, values, counters, times, what kernels print and what the
 * device answers need not be cleaned: they never arrive.
 */
#ifndef HIDDEN_TESTS_H
#define HIDDEN_TESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "grader/judge/cases.h"
#include "grader/lab/lab.h"
#include "grader/result/result.h"

/* The kind of a first cause: a row of findings.def. */
enum hidden_cause {
    HIDDEN_NO_CAUSE,
#define STAGE(stage, order, heading)
#define FINDING(code, raised_by, stage, severity, in_lab, title, question, meaning, often, advice) HIDDEN_##code,
#include "runtime/tables/findings.def"
#undef STAGE
#undef FINDING
};

enum hidden_outcome {
    HIDDEN_PASS,
    HIDDEN_FAIL,    /* a crash or a refused launch too */
    HIDDEN_NOT_RUN, /* an earlier test showed that no further one is worth its time */
    HIDDEN_HARNESS, /* our fault */
};

/* Everything that is ever known of a hidden test's run. A field more is a channel more: a submission chooses its value. */
struct hidden_verdict {
    enum hidden_outcome outcome;
    enum hidden_cause cause; /* of a failure */
};

enum { HIDDEN_MOST = 16 }; /* hidden tests of a lab */

/* Judges the hidden tests of a lab.
 *   input      what the visible tests were judged with
 *   whole      the lab as it is declared
 *   key        borrowed; in memory that no child has
 *   effort     what they cost; hidden tests get the rest
 *   gpu        verify them on the GPU too
 *   verdicts   out: one for each hidden case, in order
 */
void hidden_tests_judge(const struct cases_input *input, const struct lab *whole, const uint64_t *key,
                        const struct cases_effort *effort, bool gpu, struct hidden_verdict verdicts[HIDDEN_MOST]);

/* The verdict about a hidden test that has been judged, and sorted, into a result that is thrown away. */
struct hidden_verdict hidden_verdict_of(const struct result_test *test);

/* Do all hidden tests of the lab pass? */
bool hidden_tests_pass(const struct lab *whole, const struct hidden_verdict verdicts[HIDDEN_MOST]);

/* Appends the lab's hidden tests to the result, in words that depend on their verdicts alone.
 *   verdicts   NULL: nothing ran, and they share the state of the lab
 */
void hidden_publish(const struct lab *whole, const struct hidden_verdict verdicts[HIDDEN_MOST], struct result_lab *result);

/* Appends them as skipped, worth no points, with the reason. */
void hidden_publish_skipped(const struct lab *whole, const char *reason, struct result_lab *result);

#endif
