/* Budgets, and what a wrong output is weighed by. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/near.h"
#include "grader/lab/describe/reading.h"

#define MOST_BUDGETS 12

static ptrdiff_t index_of(const struct reading *reading, const struct lab_budget *budget)
{
    return budget - reading->description->budgets;
}

/* A value for each plan: one for all, or {PLAN: value}. Calls `set` for each plan that has one. */
static void for_each_plan(struct reading *reading, const char *place, const yaml_node_t *node, struct lab_budget *budget,
                          void (*set)(struct reading *, const yaml_node_t *, struct lab_budget *, int plan))
{
    const struct description *description = reading->description;
    if (node->type != YAML_MAPPING_NODE) {
        for (int plan = 0; plan < description->lab.plan_count; plan++)
            set(reading, node, budget, plan);
        return;
    }
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const char *name = yaml_file_word(&reading->file, node, pair);
        int plan = name ? reading_find_plan(reading, name) : -1;
        if (plan >= 0)
            set(reading, yaml_file_node(&reading->file, pair->value), budget, plan);
        else if (name)
            yaml_file_complain(&reading->file, yaml_file_node(&reading->file, pair->key),
                               "%s: there is no plan called %.60s.", place, name);
    }
}

static const char *const metrics[] = {
#define COUNTER(name, ...) #name,
#define LARGEST(name, ...) #name,
#define DERIVED(name, ...) #name,
#include "runtime/tables/counters.def"
#undef COUNTER
#undef LARGEST
#undef DERIVED
};

static const char *read_metric(struct reading *reading, const char *key, const yaml_node_t *node)
{
    const char *metric = reading_text(reading, key, node);
    size_t count = sizeof metrics / sizeof *metrics, i = 0;
    while (metric && i < count && strcmp(metrics[i], metric) != 0)
        i++;
    if (metric && i == count) {
        const char *near = near_find(metric, metrics, count);
        yaml_file_complain(&reading->file, node, "%s: there is no counter %.60s%s%s%s", key, metric,
                           near ? "; did you mean " : "", near ? near : "", near ? "?" : ".");
    }
    return metric;
}

void read_BUDGET_metric(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    budget->metric = read_metric(reading, "metric", node);
}

static void set_ideal(struct reading *reading, const yaml_node_t *node, struct lab_budget *budget, int plan)
{
    reading->description->ideals[index_of(reading, budget)][plan] = reading_formula(reading, "ideal", node, false);
}

/* A formula, or "hook NAME": a function of hooks.c. */
void read_BUDGET_ideal(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    const char *text = yaml_file_text(node);
    budget->base = LAB_BUDGET_IDEAL;
    if (text && strncmp(text, "hook ", 5) == 0) {
        void *found = module_find(reading->description->module, text + 5);
        if (found)
            memcpy(&budget->ideal, &found, sizeof found);
        else
            yaml_file_complain(&reading->file, node, "ideal: hooks.c has no function %.60s.", text + 5);
        return;
    }
    budget->ideal = callback_ideal;
    for_each_plan(reading, "ideal", node, budget, set_ideal);
}

void read_BUDGET_base(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    const char *text = yaml_file_text(node);
    if (text && strcmp(text, "reference") == 0)
        budget->base = LAB_BUDGET_REFERENCE;
    else if (text && strcmp(text, "absolute") == 0)
        budget->base = LAB_BUDGET_ABSOLUTE;
    else
        yaml_file_complain(&reading->file, node, "base: expected reference or absolute; an ideal is given by `ideal`.");
    if (budget->ideal)
        yaml_file_complain(&reading->file, node, "base: a budget has an ideal or a base, not both.");
}

void read_BUDGET_full(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    reading_number(reading, "full", node, &budget->full_at);
}

void read_BUDGET_none(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    reading_number(reading, "none", node, &budget->zero_at);
}

void read_BUDGET_points(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    int64_t points;
    if (reading_whole(reading, "points", node, 1, 100, &points))
        budget->points = (int)points;
}

static void set_why(struct reading *reading, const yaml_node_t *node, struct lab_budget *budget, int plan)
{
    budget->why_of[plan] = reading_text(reading, "why", node);
    budget->why = budget->why ? budget->why : budget->why_of[plan];
}

void read_BUDGET_why(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    if (node->type == YAML_MAPPING_NODE)
        for_each_plan(reading, "why", node, budget, set_why);
    else
        budget->why = reading_text(reading, "why", node);
}

static void set_least(struct reading *reading, const yaml_node_t *node, struct lab_budget *budget, int plan)
{
    reading_number(reading, "least", node, &budget->least[plan]);
}

void read_BUDGET_least(struct reading *reading, const yaml_node_t *node, void *owner)
{
    for_each_plan(reading, "least", node, owner, set_least);
}

void read_BUDGET_too_little(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    budget->too_little = reading_text(reading, "too_little", node);
}

void read_BUDGET_unless(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    budget->unless = reading_text(reading, "unless", node);
}

void read_BUDGET_needs(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    budget->needs = read_metric(reading, "needs", node);
}

void read_BUDGET_needs_above(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    reading_number(reading, "needs_above", node, &budget->needs_above);
}

void read_BUDGET_needs_why(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_budget *budget = owner;
    budget->needs_why = reading_text(reading, "needs_why", node);
}

static void check_budget(struct reading *reading, const yaml_node_t *node, const char *place,
                         const struct lab_budget *budget)
{
    if (!budget->ideal && budget->base == LAB_BUDGET_IDEAL)
        yaml_file_complain(&reading->file, node, "%s: ideal is missing, or base: reference, or base: absolute.", place);
    if (budget->full_at == budget->zero_at)
        yaml_file_complain(&reading->file, node, "%s: full and none must differ.", place);
    if (!budget->needs != !budget->needs_why)
        yaml_file_complain(&reading->file, node, "%s: needs and needs_why belong together.", place);
    for (int plan = 0; plan < LAB_MAX_PLANS; plan++)
        if (budget->least[plan] > 0 && !budget->too_little) {
            yaml_file_complain(&reading->file, node, "%s: least needs too_little: the message to the student.", place);
            return;
        }
}

void read_LAB_budgets(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    struct description *description = reading->description;
    int count = yaml_file_count(node);
    read_default_plan(reading);
    if (node->type != YAML_SEQUENCE_NODE || count < 1 || count > MOST_BUDGETS) {
        yaml_file_complain(&reading->file, node, "budgets: expected a list of 1 to %d.", MOST_BUDGETS);
        return;
    }
    description->budgets = allocate_zeroed((size_t)count * sizeof *description->budgets);
    description->ideals = allocate_zeroed((size_t)count * sizeof *description->ideals);
    for (int i = 0; i < count; i++) {
        char place[40];
        snprintf(place, sizeof place, "budgets[%d]", i);
        reading_map(reading, "BUDGET", place, yaml_file_item(&reading->file, node, i), &description->budgets[i]);
        check_budget(reading, yaml_file_item(&reading->file, node, i), place, &description->budgets[i]);
    }
    for (int i = 0; i < count; i++) {
        bool found = !description->budgets[i].unless;
        for (int k = 0; k < count && !found; k++)
            found = description->budgets[k].metric
                    && strcmp(description->budgets[k].metric, description->budgets[i].unless) == 0;
        if (!found)
            yaml_file_complain(&reading->file, node, "budgets[%d]: unless: no budget has the metric %.60s.", i,
                               description->budgets[i].unless);
    }
    description->lab.budgets = description->budgets;
    description->lab.budget_count = count;
}

/* ---- producers, weighing ---------------------------------------------------------------------------------------------- */

void read_LAB_made_by(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    struct description *description = reading->description;
    enum { MOST = sizeof description->producers / sizeof *description->producers };
    if (!yaml_file_is_map(&reading->file, "made_by", node))
        return;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const char *name = yaml_file_word(&reading->file, node, pair),
                   *kernel = yaml_file_text(yaml_file_node(&reading->file, pair->value));
        int index = kernel ? reading_find_kernel(reading, kernel) : -1;
        if (name && index >= 0 && description->lab.producer_count < MOST)
            description->producers[description->lab.producer_count++] =
                (struct lab_producer){allocate_text(name, strlen(name)), index};
        else if (name)
            yaml_file_complain(&reading->file, yaml_file_node(&reading->file, pair->value),
                               "made_by: %s: expected the name of a kernel.", name);
    }
    description->lab.producers = description->producers;
}

static void weigh_arrays(struct reading *reading, const char *place, const yaml_node_t *node, struct lab_weighing *weighing)
{
    int count = yaml_file_count(node);
    if (count < 1 || count > 2) {
        yaml_file_complain(&reading->file, node, "%s: expected one or two arrays.", place);
        return;
    }
    for (int i = 0; i < count; i++) {
        const char *name = yaml_file_text(yaml_file_item(&reading->file, node, i));
        int array = name ? reading_find_array(reading, name) : -1;
        if (array < 0)
            yaml_file_complain(&reading->file, node, "%s: there is no array called %.60s.", place, name ? name : "that");
        else if (reading->description->arrays[array].role == LAB_OUTPUT)
            yaml_file_complain(&reading->file, node,
                               "%s: %s is an output, which holds nothing before the kernels run. Is its role `in place`?",
                               place, name);
        weighing->arrays[i] = array < 0 ? 0 : array;
    }
    weighing->array_count = count;
}

void read_WEIGH_sums_of(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_weighing *weighing = owner;
    weighing->kind = LAB_SUMS;
    weigh_arrays(reading, "sums_of", node, weighing);
}

void read_WEIGH_counts_of(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_weighing *weighing = owner;
    weighing->kind = LAB_COUNTS;
    weigh_arrays(reading, "counts_of", node, weighing);
}

void read_WEIGH_names(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_weighing *weighing = owner;
    const struct description *description = reading->description;
    for (int plan = 0; plan < description->lab.plan_count; plan++) {
        const yaml_node_t *value = reading_find(reading, node, description->plans[plan].name);
        if (value)
            weighing->name[plan] = reading_text(reading, "names", value);
    }
}

void read_WEIGH_products(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_weighing *weighing = owner;
    bool is_on;
    if (reading_switch(reading, "products", node, &is_on))
        weighing->other = is_on;
}

void read_LAB_weigh(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    const struct lab_weighing *weighing = &reading->description->lab.weighing;
    reading_map(reading, "WEIGH", "weigh", node, &reading->description->lab.weighing);
    bool matrices = weighing->array_count == 2;
    for (int i = 0; i < weighing->array_count; i++)
        matrices &= reading->description->ranks[weighing->arrays[i]] == 2;
    if (weighing->other && !matrices)
        yaml_file_complain(&reading->file, node,
                           "products: expected two arrays of two dimensions in sums_of, as in a product of matrices.");
}
