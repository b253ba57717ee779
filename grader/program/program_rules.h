/* The rules of a lab on programs (grader/lab/program_rules.def): tests and budgets beside its cases. */
#ifndef PROGRAM_RULES_H
#define PROGRAM_RULES_H

#include "grader/program/program_case.h"

/* Appends a test for each rule that is one, after the cases, and a budget for each of the others; nothing is judged. */
void program_rules_list(const struct lab *lab, struct result_lab *result);

/* Judges them.
 *   calls   [lab->case_count] what the driver saw of each case */
void program_rules_judge(const struct program_job *job, const struct calls *calls, struct result_lab *result);

#endif
