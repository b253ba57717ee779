/* Runs every case of a lab and judges it: twice in one fresh module on the emulated driver with all checks, small cases
 * again under other schedules, and on a GPU when asked and when the emulated driver found nothing unsafe.
 */
#ifndef CASES_H
#define CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/judge/barriers.h"
#include "grader/judge/cases_input.h"
#include "grader/judge/tally.h"
#include "grader/result/result.h"
#include "runtime/lockstep.h"

/* The points of the index-th of `count` tests: whole ones, which add up to the lab's. */
int cases_points(const struct lab *lab, int index, int count);

/* Prepares result->tests: one for each case, named, nothing judged yet, with its share of the points among `count` tests. */
void cases_list(const struct lab *lab, int count, struct result_lab *result);

/* What a test says that was not run because of those before it. */
extern const char cases_not_run[];

/* A case runs twice, on different inputs. */
enum { CASES_RUNS = 2 };

/* Judges every test on the emulated driver.
 *   effort     in: what was spent on tests before these; out: with these
 *   tally      out: counters of the budget case's runs; NULL: there is no such case
 *   barriers   out: what the runs have shown of each
 */
void cases_judge(const struct cases_input *input, struct result_lab *result, struct cases_effort *effort,
                 struct tally tally[CASES_RUNS], struct barriers *barriers);

/* Runs only the budget case, for its counters: for the reference solution. message gets the reason when it fails. */
void cases_count(const struct cases_input *input, struct tally tally[CASES_RUNS], char *message, size_t message_bytes);

/* The same with blocks and warps that take turns: where they take their work from a counter, the first to run takes it all
 * otherwise. Returns false when the runs do not end well, and what was counted means nothing. */
bool cases_count_in_turns(const struct cases_input *input, struct tally tally[CASES_RUNS]);

/* The GPU sees only what the emulated driver found safe: right, or wrong in nothing but its values. Opening it takes as long
 * as a diagnosis, so a process does it meanwhile; nothing of the submission goes there before cases_gpu_verify. */
struct cases_gpu;
struct cases_gpu *cases_gpu_begin(const struct cases_input *input, struct result_lab *result);
bool cases_gpu_is_safe(const struct result_lab *result);

/* Verifies every test once more on the GPU, which goes to result->device. */
void cases_gpu_verify(struct cases_gpu *gpu);

/* Times the plan against the reference's, and appends a time budget to result->budgets. */
void cases_gpu_time(struct cases_gpu *gpu, const struct cases_input *reference);

/* Ends the process and frees. */
void cases_gpu_end(struct cases_gpu *gpu);

#endif
