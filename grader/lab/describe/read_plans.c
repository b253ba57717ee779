/* Plans: what is launched and compared, in which order; how far an output may be from the reference. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/describe/reading.h"

/* A step while its keys are read, and the plan that it belongs to. */
struct step_reading {
    struct description_plan *plan;
    struct plan_step *step;
    const char *check_name; /* `as` */
    struct formula *count;
};

/* ---- launches --------------------------------------------------------------------------------------------------------- */

static int find_scratch(const struct description_plan *plan, const char *name)
{
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == STEP_MAKE_SCRATCH && strcmp(plan->steps[i].name, name) == 0)
            return plan->steps[i].scratch;
    return -1;
}

/* One argument: an array, a scratch array, a scalar or a formula. `text` has no blanks around it. */
static void read_argument(struct reading *reading, const yaml_node_t *node, struct step_reading *at,
                          const struct prototype_parameter *parameter, const char *text)
{
    const struct description *description = reading->description;
    struct step_argument *argument = &at->step->arguments[at->step->argument_count++];
    int array = reading_find_array(reading, text), scratch = find_scratch(at->plan, text),
        scalar = reading_find_scalar(reading, text);
    char message[512];
    if (strcmp(parameter->type, READING_TEXTURE) == 0) {
        argument->kind = STEP_TEXTURE;
        argument->index = array < 0 ? 0 : array;
        if (array < 0)
            yaml_file_complain(&reading->file, node, "launch: %s needs an array, and none is called %s.", parameter->name,
                               text);
    } else if (parameter->is_pointer && (array >= 0 || scratch >= 0)) {
        argument->kind = array >= 0 ? STEP_ARRAY : STEP_SCRATCH;
        argument->index = array >= 0 ? array : scratch;
    } else if (parameter->is_pointer) {
        yaml_file_complain(&reading->file, node, "launch: %s needs an array, and none is called %s.", parameter->name, text);
    } else if (scalar >= 0) {
        argument->kind = STEP_SCALAR;
        argument->index = scalar;
        if (description->scalars[scalar].type != reading_find_type(parameter->type))
            yaml_file_complain(&reading->file, node, "launch: %s is not of the type of the parameter %s.", text,
                               parameter->name);
    } else {
        argument->kind = STEP_NUMBER;
        argument->type = reading_find_type(parameter->type);
        argument->number = formula_create(text, description->variables, DESCRIPTION_VARIABLES, message, sizeof message);
        if (!argument->number)
            yaml_file_complain(&reading->file, node, "launch: %s: %s.", text, message);
    }
}

/* Ends an argument: at a comma, or a bracket, outside of brackets. */
static size_t argument_length(const char *text)
{
    int depth = 0;
    size_t length = 0;
    while (text[length] != '\0' && (depth > 0 || (text[length] != ',' && text[length] != ')'))) {
        depth += text[length] == '(' ? 1 : text[length] == ')' ? -1 : 0;
        length++;
    }
    return length;
}

/* The arguments, from behind the bracket. */
static void read_arguments(struct reading *reading, const yaml_node_t *node, struct step_reading *at, const char *text)
{
    const struct prototype *prototype = &reading->description->prototypes[at->step->kernel];
    int count = 0;
    for (const char *start = text; *start != '\0' && *start != ')'; count++) {
        size_t length = argument_length(start), used = length;
        while (isspace((unsigned char)*start) && used > 0)
            start++, used--;
        while (used > 0 && isspace((unsigned char)start[used - 1]))
            used--;
        char *argument = allocate_text(start, used);
        if (count < prototype->parameter_count && count < LAB_MAX_ARGUMENTS)
            read_argument(reading, node, at, &prototype->parameters[count], argument);
        free(argument);
        start = start + argument_length(start);
        start += *start == ',';
    }
    if (count != prototype->parameter_count)
        yaml_file_complain(&reading->file, node, "launch: %s takes %d arguments, not %d.", prototype->name,
                           prototype->parameter_count, count);
}

void read_PLAN_launch(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    const char *text = yaml_file_text(node);
    size_t length = text ? strcspn(text, "( ") : 0;
    char name[64] = "";
    snprintf(name, sizeof name, "%.*s", (int)length, text ? text : "");
    const char *bracket = text ? strchr(text, '(') : NULL;
    at->step->kind = STEP_LAUNCH;
    at->step->kernel = reading_find_kernel(reading, name);
    if (at->step->kernel < 0 || !bracket) {
        yaml_file_complain(&reading->file, node, "launch: expected KERNEL(arguments) with one of the kernels above.");
        at->step->kernel = 0;
        return;
    }
    memcpy(at->step->cover, reading->description->covers[at->step->kernel], sizeof at->step->cover);
    read_arguments(reading, node, at, bracket + 1);
}

void read_PLAN_covers(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    reading_formulas(reading, "covers", node, true, 3, at->step->cover);
}

void read_PLAN_blocks(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    reading_formulas(reading, "blocks", node, true, 3, at->step->blocks);
}

void read_PLAN_shared(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    at->step->shared = reading_formula(reading, "shared", node, true);
}

void read_PLAN_constant(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    at->step->kind = STEP_SET_CONSTANT;
    at->step->name = reading_text(reading, "constant", node);
    at->step->array = -1;
}

void read_PLAN_of(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    const char *name = yaml_file_text(node);
    at->step->array = name ? reading_find_array(reading, name) : -1;
}

/* ---- checks and scratch arrays ---------------------------------------------------------------------------------------- */

static int add_output(struct reading *reading, const yaml_node_t *node, const char *name, int array, bool is_scalar)
{
    struct description *description = reading->description;
    for (int i = 0; i < description->lab.output_count; i++)
        if (strcmp(description->outputs[i].name, name) == 0 && description->outputs[i].array == array)
            return i;
    if (description->lab.output_count == LAB_MAX_OUTPUTS) {
        yaml_file_complain(&reading->file, node, "check: more than %d outputs.", LAB_MAX_OUTPUTS);
        return 0;
    }
    description->outputs[description->lab.output_count] =
        (struct lab_output){.name = allocate_text(name, strlen(name)), .array = array, .scalar = is_scalar};
    return description->lab.output_count++;
}

void read_PLAN_check(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    const char *name = yaml_file_text(node);
    int array = name ? reading_find_array(reading, name) : -1, scratch = name ? find_scratch(at->plan, name) : -1;
    at->step->kind = STEP_CHECK;
    at->step->name = name ? allocate_text(name, strlen(name)) : "";
    at->step->array = array >= 0 ? array : scratch;
    at->step->of_scratch = array < 0;
    if (array < 0 && scratch < 0) {
        yaml_file_complain(&reading->file, node, "check: there is no array called %.60s.", name ? name : "that");
        at->step->array = 0;
        at->step->of_scratch = false;
    }
}

void read_PLAN_as(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    at->check_name = reading_text(reading, "as", node);
}

void read_PLAN_from(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    at->step->from = reading_formula(reading, "from", node, true);
}

void read_PLAN_count(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    at->step->count = at->step->extent = reading_formula(reading, "count", node, true);
}

void read_PLAN_scratch(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    at->step->kind = STEP_MAKE_SCRATCH;
    at->step->name = reading_text(reading, "scratch", node);
    at->step->name = at->step->name ? at->step->name : "";
    at->step->scratch = at->plan->scratch_count;
    if (at->plan->scratch_count++ == DESCRIPTION_SCRATCH)
        yaml_file_complain(&reading->file, node, "scratch: more than %d arrays.", DESCRIPTION_SCRATCH);
}

void read_PLAN_type(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct step_reading *at = owner;
    at->step->type = reading_type(reading, "type", node);
}

/* Type of a scratch array as the last kernel that has a parameter of its name takes it. */
static enum lab_type type_by_name(const struct reading *reading, const char *name)
{
    const struct description *description = reading->description;
    for (int k = 0; k < description->lab.kernel_count; k++) {
        int at = prototype_find(&description->prototypes[k], name);
        if (at >= 0)
            return reading_find_type(description->prototypes[k].parameters[at].type);
    }
    return LAB_NO_TYPE;
}

static enum lab_type type_of_scratch(const struct description_plan *plan, int scratch)
{
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == STEP_MAKE_SCRATCH && plan->steps[i].scratch == scratch)
            return plan->steps[i].type;
    return LAB_NO_TYPE;
}

/* An output names an array of the lab, whose type it has: for a scratch array, one of the same type, no input if possible. */
static int array_like(struct reading *reading, const yaml_node_t *node, const struct step_reading *at)
{
    const struct description *description = reading->description;
    if (!at->step->of_scratch)
        return at->step->array;
    int like = -1;
    for (int i = 0; i < description->lab.array_count; i++)
        if (description->arrays[i].type == type_of_scratch(at->plan, at->step->array)
            && (like < 0 || description->arrays[like].role == LAB_INPUT))
            like = i;
    if (like >= 0)
        return like;
    yaml_file_complain(&reading->file, node, "check: %s can be compared only if the lab has an array of its type.",
                       at->step->name);
    return 0;
}

void read_OUTPUT_name(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_output *output = owner;
    output->name = reading_text(reading, "name", node);
}

void read_OUTPUT_of(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_output *output = owner;
    const char *name = yaml_file_text(node);
    int array = name ? reading_find_array(reading, name) : -1;
    if (array < 0)
        yaml_file_complain(&reading->file, node, "of: there is no array called %.60s.", name ? name : "that");
    output->array = array < 0 ? 0 : array;
}

void read_OUTPUT_scalar(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_output *output = owner;
    reading_switch(reading, "scalar", node, &output->scalar);
}

void read_OUTPUT_added_up(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_output *output = owner;
    reading_switch(reading, "added_up", node, &output->added_up);
}

void read_LAB_outputs(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    struct description *description = reading->description;
    int count = yaml_file_count(node);
    if (node->type != YAML_SEQUENCE_NODE || count < 1 || count > LAB_MAX_OUTPUTS) {
        yaml_file_complain(&reading->file, node, "outputs: expected a list of 1 to %d.", LAB_MAX_OUTPUTS);
        return;
    }
    for (int i = 0; i < count; i++) {
        char place[40];
        snprintf(place, sizeof place, "outputs[%d]", i);
        reading_map(reading, "OUTPUT", place, yaml_file_item(&reading->file, node, i), &description->outputs[i]);
    }
    description->lab.output_count = count;
}

/* ---- plans ------------------------------------------------------------------------------------------------------------ */

/* The plan's first kernel is what elements a block are counted by: not one that always has one block. */
static void add_kernel(const struct description *description, struct lab_plan *plan, int kernel)
{
    int at = plan->kernel_count;
    for (int i = 0; i < plan->kernel_count; i++)
        if (plan->kernels[i] == kernel)
            return;
    for (; at > 0 && !description->kernels[kernel].fixed_block && description->kernels[plan->kernels[at - 1]].fixed_block;
         at--)
        plan->kernels[at] = plan->kernels[at - 1];
    plan->kernels[at] = kernel;
    plan->kernel_count++;
}

static void complete_step(struct reading *reading, const yaml_node_t *node, struct lab_plan *plan,
                          const struct step_reading *at)
{
    const struct description *description = reading->description;
    struct plan_step *step = at->step;
    switch (step->kind) {
    case STEP_LAUNCH: add_kernel(reading->description, plan, step->kernel); break;
    case STEP_CHECK: {
        double none[DESCRIPTION_VARIABLES] = {0};
        bool single = step->count && formula_is_constant(step->count) && formula_value(step->count, none) == 1;
        step->output = add_output(reading, node, at->check_name ? at->check_name : step->name, array_like(reading, node, at),
                                  single);
        break;
    }
    case STEP_SET_CONSTANT:
        if (step->array < 0 || description->arrays[step->array].role == LAB_OUTPUT)
            yaml_file_complain(&reading->file, node, "constant: of: expected the name of an input.");
        step->array = step->array < 0 ? 0 : step->array;
        break;
    case STEP_MAKE_SCRATCH:
        step->type = step->type != LAB_NO_TYPE ? step->type : type_by_name(reading, step->name);
        if (step->type == LAB_NO_TYPE)
            yaml_file_complain(&reading->file, node, "scratch: %s: type is missing.", step->name);
        if (!step->extent)
            yaml_file_complain(&reading->file, node, "scratch: %s: count is missing: how many elements?", step->name);
        break;
    }
}

static void read_step(struct reading *reading, const char *place, const yaml_node_t *node, struct lab_plan *plan,
                      struct description_plan *steps)
{
    if (steps->step_count == DESCRIPTION_STEPS) {
        yaml_file_complain(&reading->file, node, "%s: more than %d steps.", place, DESCRIPTION_STEPS);
        return;
    }
    struct step_reading at = {.plan = steps, .step = &steps->steps[steps->step_count]};
    int kinds = 0;
    static const char *const first[] = {"launch", "check", "scratch", "constant"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        kinds += reading_find(reading, node, first[i]) != NULL;
    if (kinds != 1) {
        yaml_file_complain(&reading->file, node, "%s: a step has one of launch, check, scratch and constant.", place);
        return;
    }
    reading_map(reading, "PLAN", place, node, &at);
    complete_step(reading, node, plan, &at);
    steps->step_count++;
}

/* A plan that is a function of hooks.c: {kernels: [mapper, reducer], hook: launch_map_and_reduce, outputs: {pi: dest}}. */
static void read_hooked(struct reading *reading, const char *place, const yaml_node_t *map, struct lab_plan *plan)
{
    const yaml_node_t *hook = reading_find(reading, map, "hook"), *kernels = reading_find(reading, map, "kernels");
    const char *name = hook ? yaml_file_text(hook) : NULL;
    void *found = name ? module_find(reading->description->module, name) : NULL;
    if (found)
        memcpy(&plan->launch, &found, sizeof found);
    else
        yaml_file_complain(&reading->file, map, "%s: hooks.c has no function %.60s.", place,
                           name ? name : "(hook is missing)");
    for (int i = 0; i < (kernels ? yaml_file_count(kernels) : 0); i++) {
        const char *kernel = yaml_file_text(yaml_file_item(&reading->file, kernels, i));
        int index = kernel ? reading_find_kernel(reading, kernel) : -1;
        if (index >= 0)
            add_kernel(reading->description, plan, index);
        else
            yaml_file_complain(&reading->file, kernels, "%s: there is no kernel called %.60s.", place,
                               kernel ? kernel : "that");
    }
    if (plan->kernel_count == 0)
        yaml_file_complain(&reading->file, map, "%s: kernels is missing: which does it launch?", place);
}

void read_LAB_plans(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    struct description *description = reading->description;
    if (!yaml_file_is_map(&reading->file, "plans", node))
        return;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const char *name = yaml_file_word(&reading->file, node, pair);
        const yaml_node_t *value = yaml_file_node(&reading->file, pair->value);
        char place[128];
        if (!name)
            continue;
        if (description->lab.plan_count == LAB_MAX_PLANS) {
            yaml_file_complain(&reading->file, node, "plans: more than %d.", LAB_MAX_PLANS);
            return;
        }
        struct lab_plan *plan = &description->plans[description->lab.plan_count];
        plan->name = allocate_text(name, strlen(name));
        plan->launch = callback_launch;
        for (int i = 0; value->type == YAML_SEQUENCE_NODE && i < yaml_file_count(value); i++) {
            snprintf(place, sizeof place, "plans: %.60s: step %d", name, i + 1);
            read_step(reading, place, yaml_file_item(&reading->file, value, i), plan,
                      &description->plan_steps[description->lab.plan_count]);
        }
        snprintf(place, sizeof place, "plans: %.60s", name);
        if (value->type == YAML_MAPPING_NODE)
            read_hooked(reading, place, value, plan);
        else if (plan->kernel_count == 0)
            yaml_file_complain(&reading->file, value, "%s: expected a list of steps with at least one launch.", place);
        description->lab.plan_count++;
    }
}

void read_default_plan(struct reading *reading)
{
    struct description *description = reading->description;
    struct lab_plan *plan = &description->plans[0];
    struct description_plan *steps = &description->plan_steps[0];
    const struct prototype *prototype = &description->prototypes[0];
    if (description->lab.plan_count > 0 || reading->file.error_count > 0)
        return;
    if (description->lab.kernel_count != 1) {
        yaml_file_complain(&reading->file, NULL, "plans is missing: which of the kernels is launched when?");
        return;
    }
    *plan = (struct lab_plan){.name = "one launch", .kernels = {0}, .kernel_count = 1, .launch = callback_launch};
    description->lab.plan_count = 1;
    struct plan_step *launch = &steps->steps[steps->step_count++];
    launch->kind = STEP_LAUNCH;
    memcpy(launch->cover, description->covers[0], sizeof launch->cover);
    struct step_reading at = {.plan = steps, .step = launch};
    for (int i = 0; i < prototype->parameter_count && i < LAB_MAX_ARGUMENTS; i++)
        read_argument(reading, NULL, &at, &prototype->parameters[i], prototype->parameters[i].name);
    for (int i = 0; i < description->lab.array_count; i++)
        if (description->arrays[i].role != LAB_INPUT && steps->step_count < DESCRIPTION_STEPS) {
            struct plan_step *check = &steps->steps[steps->step_count++];
            *check = (struct plan_step){.kind = STEP_CHECK, .array = i, .name = description->arrays[i].name};
            check->output = add_output(reading, NULL, description->arrays[i].name, i, false);
        }
}

/* ---- compare ---------------------------------------------------------------------------------------------------------- */

/* The output that a rule of compare is for: `owner` of its keys. */
static void set_rule(struct reading *reading, const char *name, const yaml_node_t *node, struct lab_output *output, int kind)
{
    struct description *description = reading->description;
    struct formula **amount = &description->amounts[output - description->outputs];
    double none[DESCRIPTION_VARIABLES] = {0};
    *amount = reading_formula(reading, name, node, false);
    output->tolerance.kind = kind;
    if (kind == LAB_SUM || kind == LAB_MATRIX_SUM) {
        output->tolerance.amount = 1; /* a product, rounded once */
        output->tolerance.terms = callback_terms;
    } else if (*amount && formula_is_constant(*amount)) {
        output->tolerance.amount = formula_value(*amount, none);
    } else if (*amount) {
        yaml_file_complain(&reading->file, node, "%s: expected a number that does not depend on the sizes.", name);
    }
}

void read_RULE_exact(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_output *output = owner;
    bool is_on;
    output->tolerance.kind = LAB_EXACT;
    if (reading_switch(reading, "exact", node, &is_on) && !is_on)
        yaml_file_complain(&reading->file, node, "exact: no: say how far the output may be from the reference instead.");
}

void read_RULE_ulps(struct reading *reading, const yaml_node_t *node, void *owner)
{
    set_rule(reading, "ulps", node, owner, LAB_ULPS);
}

void read_RULE_relative(struct reading *reading, const yaml_node_t *node, void *owner)
{
    set_rule(reading, "relative", node, owner, LAB_RELATIVE);
}

void read_RULE_absolute(struct reading *reading, const yaml_node_t *node, void *owner)
{
    set_rule(reading, "absolute", node, owner, LAB_ABSOLUTE);
}

void read_RULE_sum(struct reading *reading, const yaml_node_t *node, void *owner)
{
    set_rule(reading, "sum", node, owner, LAB_SUM);
}

void read_RULE_matrix_sum(struct reading *reading, const yaml_node_t *node, void *owner)
{
    set_rule(reading, "matrix_sum", node, owner, LAB_MATRIX_SUM);
}

void read_RULE_why(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct description *description = reading->description;
    description->reasons[(struct lab_output *)owner - description->outputs] = reading_text(reading, "why", node);
}

/* "exact" alone stands for {exact: yes}. */
static void read_rule(struct reading *reading, const char *place, const yaml_node_t *node, struct lab_output *output)
{
    const char *text = yaml_file_text(node);
    if (text && strcmp(text, "exact") == 0)
        output->tolerance.kind = LAB_EXACT;
    else
        reading_map(reading, "RULE", place, node, output);
}

void read_LAB_compare(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    struct description *description = reading->description;
    read_default_plan(reading);
    if (!yaml_file_is_map(&reading->file, "compare", node))
        return;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const char *name = yaml_file_word(&reading->file, node, pair);
        bool found = false;
        char place[80];
        snprintf(place, sizeof place, "compare: %.60s", name ? name : "");
        for (int i = 0; i < description->lab.output_count && name; i++)
            if (strcmp(description->outputs[i].name, name) == 0) {
                read_rule(reading, place, yaml_file_node(&reading->file, pair->value), &description->outputs[i]);
                found = true;
            }
        if (name && !found && description->lab.output_count > 0) /* else the plan is what is wrong */
            yaml_file_complain(&reading->file, yaml_file_node(&reading->file, pair->key),
                               "%s: no plan checks an output of this name.", place);
    }
}
