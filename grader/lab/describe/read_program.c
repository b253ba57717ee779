/* What is asked of a whole program: the rules of grader/lab/program_rules.def. */
#include <math.h>
#include <stdlib.h>

#include "grader/lab/describe/reading.h"

static double find_ideal(const struct lab *lab, const struct lab_rule *rule, const struct lab_case *the_case)
{
    const struct description *description = lab->description;
    double variables[DESCRIPTION_VARIABLES];
    const struct formula *need = description->needs[rule - description->demands];
    callback_variables(description, the_case, 0, variables);
    return need ? formula_value(need, variables) : 1;
}

void read_DEMAND_points(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_rule *rule = owner;
    int64_t points;
    if (reading_whole(reading, "points", node, 1, 100, &points))
        rule->points = (int)points;
}

void read_DEMAND_why(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_rule *rule = owner;
    rule->why = reading_text(reading, "why", node);
}

void read_DEMAND_ideal(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_rule *rule = owner;
    reading->description->needs[rule - reading->description->demands] = reading_formula(reading, "ideal", node, false);
}

void read_DEMAND_full(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_rule *rule = owner;
    reading_number(reading, "full", node, &rule->full_at);
}

void read_DEMAND_none(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_rule *rule = owner;
    reading_number(reading, "none", node, &rule->zero_at);
}

/* Adds a demand, and reads its keys. */
static void add_demand(struct reading *reading, const char *place, const yaml_node_t *node, enum lab_rule_kind kind)
{
    struct description *description = reading->description;
    struct lab_rule *rule = &description->demands[description->program.rule_count++];
    bool is_test = lab_rule_rows[kind].form == LAB_RULE_TEST;
    *rule = (struct lab_rule){.kind = kind, .ideal = find_ideal, .why = ""};
    reading_map(reading, "DEMAND", place, node, rule);
    if (is_test && (rule->full_at != 0 || rule->zero_at != 0 || description->needs[rule - description->demands]))
        yaml_file_complain(&reading->file, node, "%s: it is met or not, so it has no ideal, full and none.", place);
    bool rises = rule->full_at<rule->zero_at, falls = rule->full_at> rule->zero_at;
    if (!is_test && (lab_rule_rows[kind].form == LAB_RULE_LESS ? !rises : !falls))
        yaml_file_complain(&reading->file, node, "%s: full must be %s than none.", place,
                           lab_rule_rows[kind].form == LAB_RULE_LESS ? "less" : "more");
}

#define RULE(kind, form, metric, title)                                                     \
    void read_PROGRAM_##kind(struct reading *reading, const yaml_node_t *node, void *owner) \
    {                                                                                       \
        (void)owner;                                                                        \
        add_demand(reading, "program: " #kind, node, LAB_RULE_##kind);                      \
    }
#include "grader/lab/program_rules.def"
#undef RULE

void read_PROGRAM_host_finishes(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    reading_switch(reading, "program: host_finishes", node, &reading->description->program.host_finishes);
}

void read_LAB_program(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    struct description *description = reading->description;
    description->program.size_count = description->size_count;
    description->program.rules = description->demands;
    description->lab.program = &description->program;
    reading_map(reading, "PROGRAM", "program", node, NULL);
}
