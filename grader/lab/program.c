#include "grader/lab/program.h"

const struct lab_rule_row lab_rule_rows[LAB_RULES] = {
#define RULE(kind, form, metric, title) [LAB_RULE_##kind] = {LAB_RULE_##form, metric, title},
#include "grader/lab/program_rules.def"
#undef RULE
};
