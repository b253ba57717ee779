/* The functions of a struct lab that was read from a description: shapes, inputs, launches, ideals. */
#include <math.h>
#include <string.h>

#include "grader/lab/describe/description.h"
#include "grader/lab/describe/fills.h"
#include "grader/lab/describe/hook_calls.h"
#include "grader/lab/types.h"

static const struct description *description_of(const struct lab *lab)
{
    return lab->description;
}

void callback_variables(const struct description *description, const struct lab_case *the_case, int64_t block_elements,
                        double variables[DESCRIPTION_VARIABLES])
{
    for (int i = 0; i < LAB_MAX_SIZES; i++)
        variables[i] = i < description->size_count ? (double)the_case->size[i] : 0;
    double elements = block_elements > 0 ? (double)block_elements : 1;
    variables[DESCRIPTION_BLOCK_ELEMENTS] = elements;
    variables[DESCRIPTION_THREADS] = elements;
    variables[DESCRIPTION_BLOCKS] = ceil((double)the_case->size[0] / elements);
}

int64_t callback_count(const struct formula *formula, const double *variables, int64_t fallback)
{
    double value = formula ? floor(formula_value(formula, variables)) : (double)fallback;
    return value >= 0 && value < 0x1p62 ? (int64_t)value : 0;
}

size_t callback_extent(const struct lab *lab, const struct lab_case *the_case, int index)
{
    const struct description *description = description_of(lab);
    double variables[DESCRIPTION_VARIABLES];
    size_t elements = 1;
    callback_variables(description, the_case, 0, variables);
    for (int i = 0; i < description->ranks[index]; i++)
        elements *= (size_t)callback_count(description->shapes[index][i], variables, 1);
    return elements;
}

size_t callback_columns(const struct lab *lab, const struct lab_case *the_case, int index)
{
    const struct description *description = description_of(lab);
    double variables[DESCRIPTION_VARIABLES];
    int rank = description->ranks[index];
    if (rank < 2)
        return 0;
    callback_variables(description, the_case, 0, variables);
    return (size_t)callback_count(description->shapes[index][rank - 1], variables, 1);
}

/* ---- inputs ----------------------------------------------------------------------------------------------------------- */

/* Fills by the rule, or by that of the usual kind of values. */
static void apply(const struct fill_rule *rule, const struct fill_rule *usual, const double *variables, enum lab_type type,
                  void *array, size_t count, struct lab_random *random)
{
    double numbers[3] = {0};
    const struct fill_rule *used = rule->kind ? rule : usual;
    if (!used->kind)
        return;
    for (int i = 0; i < used->kind->numbers; i++)
        numbers[i] = formula_value(used->numbers[i], variables);
    used->kind->fill(type, array, count, numbers, random);
}

void callback_fill(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    const struct description *description = description_of(lab);
    const struct description_values *usual = &description->values[0], *values = &description->values[the_case->values];
    double variables[DESCRIPTION_VARIABLES];
    callback_variables(description, the_case, 0, variables);
    for (int i = 0; i < lab->array_count; i++)
        if (lab->arrays[i].role != LAB_OUTPUT)
            apply(&values->arrays[i], &usual->arrays[i], variables, lab->arrays[i].type, data->array[i].bytes,
                  data->count[i], random);
    for (int i = 0; i < lab->scalar_count; i++) {
        uint64_t element = 0; /* of any type */
        enum lab_type type = lab->scalars[i].type;
        apply(&values->scalars[i], &usual->scalars[i], variables, type, &element, 1, random);
        if (types_is_float(type))
            data->scalar[i].f = types_get_float(type, &element, 0);
        else
            data->scalar[i].i = types_get_integer(type, &element, 0);
    }
    if (values->hook)
        hook_calls_values(values->hook, lab, the_case, random, data);
}

/* ---- launches --------------------------------------------------------------------------------------------------------- */

/* A plan while it runs. */
struct running {
    struct lab_run *run;
    const struct description *description;
    double variables[DESCRIPTION_VARIABLES];
    int scratch[DESCRIPTION_SCRATCH];
    int64_t scratch_count[DESCRIPTION_SCRATCH];
};

static struct lab_argument argument_of(const struct running *running, const struct step_argument *argument)
{
    switch (argument->kind) {
    case STEP_ARRAY: return LAB_ARRAY(argument->index);
    case STEP_TEXTURE: return LAB_TEXTURE(argument->index);
    case STEP_SCRATCH: return LAB_SCRATCH(running->scratch[argument->index]);
    case STEP_SCALAR: return LAB_SCALAR(argument->index);
    case STEP_NUMBER: break;
    }
    return LAB_INTEGER(argument->type, callback_count(argument->number, running->variables, 0));
}

static void run_launch(const struct running *running, const struct plan_step *step)
{
    struct lab_launch launch = {.kernel = running->description->kernels[step->kernel].name};
    double variables[DESCRIPTION_VARIABLES];
    memcpy(variables, running->variables, sizeof variables);
    if (step->shared)
        variables[DESCRIPTION_THREADS] = (double)lab_threads_per_block(running->run, launch.kernel);
    for (int i = 0; i < 3; i++) {
        launch.cover[i] = callback_count(step->cover[i], running->variables, i == 0 ? 1 : 0);
        launch.blocks[i] = (uint32_t)callback_count(step->blocks[i], running->variables, step->blocks[0] ? 1 : 0);
    }
    for (int i = 0; i < step->argument_count; i++)
        launch.arguments[i] = argument_of(running, &step->arguments[i]);
    if (step->shared)
        launch.shared_bytes = (size_t)callback_count(step->shared, variables, 0);
    lab_launch(running->run, &launch);
}

static void run_check(const struct running *running, const struct plan_step *step)
{
    const struct lab *lab = &running->description->lab;
    int64_t all = step->of_scratch ? running->scratch_count[step->array]
                                   : (int64_t)lab->extent(lab, lab_run_case(running->run), step->array),
            from = callback_count(step->from, running->variables, 0),
            count = callback_count(step->count, running->variables, all - from);
    if (step->of_scratch)
        lab_check_scratch(running->run, step->output, running->scratch[step->array], (size_t)from, (size_t)count);
    else
        lab_check(running->run, step->output, (size_t)from, (size_t)count);
}

void callback_launch(struct lab_run *run)
{
    const struct lab *lab = lab_run_lab(run);
    struct running running = {.run = run, .description = description_of(lab)};
    const struct description_plan *plan = &running.description->plan_steps[lab_run_plan(run)];
    const struct lab_plan *kernels = &lab->plans[lab_run_plan(run)];
    int64_t block_elements = lab_elements_per_block(run, lab->kernels[kernels->kernels[0]].name);
    callback_variables(running.description, lab_run_case(run), block_elements, running.variables);
    for (int i = 0; i < plan->step_count; i++) {
        const struct plan_step *step = &plan->steps[i];
        switch (step->kind) {
        case STEP_LAUNCH: run_launch(&running, step); break;
        case STEP_CHECK: run_check(&running, step); break;
        case STEP_SET_CONSTANT:
            lab_set_constant(run, step->name, step->array, 0, lab->extent(lab, lab_run_case(run), step->array));
            break;
        case STEP_MAKE_SCRATCH:
            running.scratch_count[step->scratch] = callback_count(step->extent, running.variables, 0);
            running.scratch[step->scratch] = lab_scratch(run, step->name, step->type,
                                                         (size_t)running.scratch_count[step->scratch]);
            break;
        }
    }
}

int64_t callback_terms(const struct lab *lab, const struct lab_case *the_case, int plan, int output)
{
    const struct description *description = description_of(lab);
    double variables[DESCRIPTION_VARIABLES];
    (void)plan;
    callback_variables(description, the_case, 0, variables);
    return callback_count(description->amounts[output], variables, 1);
}

/* ---- budgets ---------------------------------------------------------------------------------------------------------- */

double callback_ideal(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan)
{
    const struct description *description = description_of(lab);
    const struct formula *ideal = description->ideals[budget - lab->budgets][plan];
    double variables[DESCRIPTION_VARIABLES];
    callback_variables(description, the_case, 0, variables);
    return ideal ? formula_value(ideal, variables) : NAN;
}

void callback_work(const struct lab *lab, const struct lab_case *the_case, double *bytes, double *operations)
{
    const struct description *description = description_of(lab);
    double variables[DESCRIPTION_VARIABLES];
    callback_variables(description, the_case, 0, variables);
    *bytes = description->bytes ? formula_value(description->bytes, variables) : 0;
    *operations = description->operations ? formula_value(description->operations, variables) : 0;
}
