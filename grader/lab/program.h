/* What a lab adds whose learner writes a whole program, with main, instead of kernels (struct lab, field `program`).
 *
 * The rest of the lab is described like any other: arrays, cases, `extent`, `fill`, `reference`, points (kernels are
 * those of the reference alone). A case runs the program once:
 *   standard input    the first `size_count` sizes of the case, then the elements of each input array, each in a line
 *   standard output   the elements of each output array, in order, and nothing else
 * Sizes and elements are decimal numbers. The program ends with status 0. It never sees expected values: they are
 * computed after it has ended, by the grader.
 */
#ifndef LAB_PROGRAM_H
#define LAB_PROGRAM_H

#include "grader/lab/lab.h"

enum lab_rule_kind {
#define RULE(kind, form, metric, title) LAB_RULE_##kind,
#include "grader/lab/program_rules.def"
#undef RULE
    LAB_RULES
};

enum lab_rule_form { LAB_RULE_TEST, LAB_RULE_LESS, LAB_RULE_MORE };

/* What everybody knows of a rule: its row. */
struct lab_rule_row {
    enum lab_rule_form form;
    const char *metric, *title;
};
extern const struct lab_rule_row lab_rule_rows[LAB_RULES];

/* A rule that the lab has, and what it is worth. */
struct lab_rule {
    enum lab_rule_kind kind;
    int points;
    const char *why; /* for the student: "each input must cross the bus once" */
    /* Of a budget: what is needed for the case; NULL counts as 1. */
    double (*ideal)(const struct lab *lab, const struct lab_rule *rule, const struct lab_case *the_case);
    double full_at, zero_at; /* of a budget: ratio with full points and with none; linear between */
};

struct lab_program {
    int size_count; /* sizes of the case that head the input */
    const struct lab_rule *rules;
    int rule_count;
    bool host_finishes; /* the host may compute the results from what kernels have stored */
};

#endif
