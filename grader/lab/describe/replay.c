/* The expected values of a described lab: its plan on the CPU, with the functions of reference.c instead of the kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/describe/description.h"
#include "grader/lab/describe/guard.h"
#include "grader/lab/types.h"

/* What the bytes of an output are before the reference writes them. */
static uint8_t unwritten = 0xA5;

void replay_set_unwritten(uint8_t byte)
{
    unwritten = byte;
}

/* An array on the CPU, of the type that reference.c has for it. */
struct host_array {
    enum lab_type type;
    void *bytes;
    size_t count;
};

/* The part of a plan that leads to an output. It is the context of a call (guard.h), where a child does it. */
struct replay {
    const struct description *description;
    double variables[DESCRIPTION_VARIABLES];
    int64_t block_elements;
    int plan, step_count;
    struct host_array arrays[LAB_MAX_ARRAYS], scratch[DESCRIPTION_SCRATCH];
    union lab_value scalars[LAB_MAX_SCALARS];
};

static enum lab_type host_type(const struct description *description, enum lab_type type)
{
    return type == LAB_FLOAT32 && description->in_double ? LAB_FLOAT64 : type;
}

static size_t bytes_of(const struct host_array *array)
{
    return array->count * types_get(array->type)->bytes;
}

/* Which arrays there are: the lab's, and those that the steps make. */
static void list_arrays(struct replay *replay, const struct lab_data *data)
{
    const struct description *description = replay->description;
    for (int i = 0; i < description->lab.array_count; i++)
        replay->arrays[i] = (struct host_array){host_type(description, description->arrays[i].type), NULL, data->count[i]};
    for (int i = 0; i < replay->step_count; i++) {
        const struct plan_step *step = &description->plan_steps[replay->plan].steps[i];
        if (step->kind == STEP_MAKE_SCRATCH)
            replay->scratch[step->scratch] = (struct host_array){host_type(description, step->type), NULL,
                                                                 (size_t)callback_count(step->extent, replay->variables, 0)};
    }
}

static void fill_array(const struct host_array *array, enum lab_type type, const void *from)
{
    memset(array->bytes, unwritten, bytes_of(array));
    if (!from)
        return;
    if (array->type == type) {
        memcpy(array->bytes, from, bytes_of(array));
        return;
    }
    for (size_t k = 0; k < array->count; k++) {
        if (types_is_float(type))
            types_set_float(array->type, array->bytes, k, types_get_float(type, from, k));
        else
            types_set_integer(type, array->bytes, k, types_get_integer(type, from, k));
    }
}

static void fill_arrays(struct replay *replay, const struct lab_data *data)
{
    const struct lab *lab = &replay->description->lab;
    for (int i = 0; i < lab->array_count; i++)
        fill_array(&replay->arrays[i], lab->arrays[i].type, lab->arrays[i].role == LAB_OUTPUT ? NULL : data->array[i].bytes);
    for (int i = 0; i < DESCRIPTION_SCRATCH; i++)
        if (replay->scratch[i].bytes)
            fill_array(&replay->scratch[i], replay->scratch[i].type, NULL);
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

static enum module_kind kind_of(enum lab_type type)
{
    switch (type) {
    case LAB_INT8: return MODULE_INT8;
    case LAB_UINT8: return MODULE_UINT8;
    case LAB_INT16: return MODULE_INT16;
    case LAB_UINT16: return MODULE_UINT16;
    case LAB_INT32: return MODULE_INT32;
    case LAB_UINT32: return MODULE_UINT32;
    case LAB_INT64: return MODULE_INT64;
    case LAB_UINT64: return MODULE_UINT64;
    case LAB_FLOAT64: return MODULE_DOUBLE;
    default: return MODULE_FLOAT; /* half and bfloat16 as arguments: reading refuses them */
    }
}

/* An argument of a call: `element` is where a number is kept until the call. */
static void *argument_of(struct replay *replay, const struct step_argument *argument, enum module_kind *kind,
                         uint64_t *element)
{
    const struct description *description = replay->description;
    enum lab_type type;
    switch (argument->kind) {
    case STEP_TEXTURE:
    case STEP_ARRAY: *kind = MODULE_POINTER; return &replay->arrays[argument->index].bytes;
    case STEP_SCRATCH: *kind = MODULE_POINTER; return &replay->scratch[argument->index].bytes;
    case STEP_SCALAR:
        type = host_type(description, description->scalars[argument->index].type);
        if (types_is_float(type))
            types_set_float(type, element, 0, replay->scalars[argument->index].f);
        else
            types_set_integer(type, element, 0, replay->scalars[argument->index].i);
        *kind = kind_of(type);
        return element;
    case STEP_NUMBER: break;
    }
    types_set_integer(argument->type, element, 0, callback_count(argument->number, replay->variables, 0));
    *kind = kind_of(argument->type);
    return element;
}

static void replay_launch(struct replay *replay, const struct plan_step *step)
{
    enum module_kind kinds[LAB_MAX_ARGUMENTS];
    void *values[LAB_MAX_ARGUMENTS];
    uint64_t elements[LAB_MAX_ARGUMENTS] = {0};
    for (int i = 0; i < step->argument_count; i++)
        values[i] = argument_of(replay, &step->arguments[i], &kinds[i], &elements[i]);
    module_call(replay->description->functions[step->kernel], kinds, values, step->argument_count);
}

/* Runs the steps. */
static void run(void *context)
{
    struct replay *replay = context;
    const struct module *module = replay->description->module;
    const struct plan_step *steps = replay->description->plan_steps[replay->plan].steps;
    int64_t *block_elements = module_find(module, "block_elements");
    if (block_elements)
        *block_elements = replay->block_elements;
    for (int i = 0; i < replay->step_count; i++) {
        if (steps[i].kind == STEP_LAUNCH)
            replay_launch(replay, &steps[i]);
        void **variable = steps[i].kind == STEP_SET_CONSTANT ? module_find(module, steps[i].name) : NULL;
        if (variable)
            *variable = replay->arrays[steps[i].array].bytes;
    }
}

/* ---- where they run --------------------------------------------------------------------------------------------------- */

/* Code that was built with the kit runs here. */
static void run_here(struct replay *replay, const struct lab_data *data)
{
    for (int i = 0; i < replay->description->lab.array_count; i++)
        replay->arrays[i].bytes = allocate_zeroed(bytes_of(&replay->arrays[i]));
    for (int i = 0; i < DESCRIPTION_SCRATCH; i++)
        if (replay->scratch[i].type != LAB_NO_TYPE)
            replay->scratch[i].bytes = allocate_zeroed(bytes_of(&replay->scratch[i]));
    fill_arrays(replay, data);
    run(replay);
}

static void free_arrays(struct replay *replay)
{
    for (int i = 0; i < LAB_MAX_ARRAYS; i++)
        free(replay->arrays[i].bytes);
    for (int i = 0; i < DESCRIPTION_SCRATCH; i++)
        free(replay->scratch[i].bytes);
}

static const char *scratch_name(const struct replay *replay, int scratch)
{
    const struct description_plan *plan = &replay->description->plan_steps[replay->plan];
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == STEP_MAKE_SCRATCH && plan->steps[i].scratch == scratch)
            return plan->steps[i].name;
    return "a scratch array";
}

/* Any other runs in a child. Returns whether it did. */
static bool run_guarded(struct replay *replay, const struct lab *lab, const struct lab_case *the_case,
                        const struct lab_data *data)
{
    struct guard_call call = {
        .lab = lab, .the_case = the_case, .body = run, .context = replay, .context_bytes = sizeof *replay};
    int arrays[LAB_MAX_ARRAYS], scratch[DESCRIPTION_SCRATCH];
    enum guard_status status;
    for (int i = 0; i < lab->array_count; i++)
        arrays[i] = guard_add(&call, lab->arrays[i].name, types_get(replay->arrays[i].type)->bytes, replay->arrays[i].count);
    for (int i = 0; i < DESCRIPTION_SCRATCH; i++)
        if (replay->scratch[i].type != LAB_NO_TYPE)
            scratch[i] = guard_add(&call, scratch_name(replay, i), types_get(replay->scratch[i].type)->bytes,
                                   replay->scratch[i].count);
    do {
        guard_place(&call);
        for (int i = 0; i < lab->array_count; i++)
            replay->arrays[i].bytes = call.arrays[arrays[i]].bytes;
        for (int i = 0; i < DESCRIPTION_SCRATCH; i++)
            if (replay->scratch[i].type != LAB_NO_TYPE)
                replay->scratch[i].bytes = call.arrays[scratch[i]].bytes;
        fill_arrays(replay, data);
        status = guard_run(&call);
    } while (status == GUARD_AGAIN);
    return status == GUARD_DONE;
}

/* The step that checks the output; NULL: this is not the output's plan. Reading has made sure that each is checked in one. */
static const struct plan_step *find_check(const struct description_plan *plan, int output, int *index)
{
    for (*index = 0; *index < plan->step_count; (*index)++)
        if (plan->steps[*index].kind == STEP_CHECK && plan->steps[*index].output == output)
            return &plan->steps[*index];
    return NULL;
}

void replay_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                      const struct lab_data *data, struct lab_expected *expected)
{
    struct replay replay = {.description = lab->description, .block_elements = expected->elements_per_block, .plan = plan};
    const struct plan_step *check = find_check(&replay.description->plan_steps[plan], output, &replay.step_count);
    bool is_built = module_is_built(replay.description->module);
    callback_variables(replay.description, the_case, expected->elements_per_block, replay.variables);
    expected->rule = replay.description->reasons[output]; /* the bounds are filled in by the output's rule */
    if (!check)
        return;
    for (int i = 0; i < lab->scalar_count; i++)
        replay.scalars[i] = data->scalar[i];
    list_arrays(&replay, data);
    if (is_built)
        run_here(&replay, data);
    else if (!run_guarded(&replay, lab, the_case, data))
        return;
    const struct host_array *array = check->of_scratch ? &replay.scratch[check->array] : &replay.arrays[check->array];
    size_t from = (size_t)callback_count(check->from, replay.variables, 0);
    for (size_t i = 0; i < expected->count; i++) {
        if (expected->f)
            expected->f[i] = types_get_float(array->type, array->bytes, from + i);
        else
            expected->i[i] = types_get_integer(array->type, array->bytes, from + i);
    }
    if (is_built)
        free_arrays(&replay);
}
