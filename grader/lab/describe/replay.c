/* The expected values of a described lab: its plan on the CPU, with the functions of reference.c instead of the kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/describe/description.h"
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

struct replay {
    const struct lab *lab;
    const struct description *description;
    double variables[DESCRIPTION_VARIABLES];
    struct host_array arrays[LAB_MAX_ARRAYS], scratch[DESCRIPTION_SCRATCH];
    union lab_value scalars[LAB_MAX_SCALARS];
};

static enum lab_type host_type(const struct description *description, enum lab_type type)
{
    return type == LAB_FLOAT32 && description->in_double ? LAB_FLOAT64 : type;
}

static struct host_array make_array(const struct description *description, enum lab_type type, size_t count)
{
    struct host_array array = {host_type(description, type), NULL, count};
    size_t bytes = count * types_get(array.type)->bytes;
    array.bytes = allocate_zeroed(bytes);
    memset(array.bytes, unwritten, bytes);
    return array;
}

static void begin(struct replay *replay, const struct lab_data *data)
{
    const struct lab *lab = replay->lab;
    for (int i = 0; i < lab->array_count; i++) {
        struct host_array *array = &replay->arrays[i];
        enum lab_type type = lab->arrays[i].type;
        *array = make_array(replay->description, type, data->count[i]);
        if (lab->arrays[i].role == LAB_OUTPUT)
            continue;
        if (array->type == type)
            memcpy(array->bytes, data->array[i].bytes, data->count[i] * types_get(type)->bytes);
        else
            for (size_t k = 0; k < data->count[i]; k++) {
                if (types_is_float(type)) {
                    double value = types_get_float(type, data->array[i].bytes, k);
                    types_set_float(array->type, array->bytes, k, value);
                } else {
                    types_set_integer(type, array->bytes, k, types_get_integer(type, data->array[i].bytes, k));
                }
            }
    }
    for (int i = 0; i < lab->scalar_count; i++) {
        replay->scalars[i] = data->scalar[i];
    }
}

static void end(struct replay *replay)
{
    for (int i = 0; i < LAB_MAX_ARRAYS; i++)
        free(replay->arrays[i].bytes);
    for (int i = 0; i < DESCRIPTION_SCRATCH; i++)
        free(replay->scratch[i].bytes);
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

/* Runs the steps up to the check of the output. Returns what it looks at. */
static const struct host_array *run_to(struct replay *replay, int plan, int output, size_t *from)
{
    const struct description_plan *steps = &replay->description->plan_steps[plan];
    for (int i = 0; i < steps->step_count; i++) {
        const struct plan_step *step = &steps->steps[i];
        switch (step->kind) {
        case STEP_LAUNCH: replay_launch(replay, step); break;
        case STEP_SET_CONSTANT: {
            void **variable = module_find(replay->description->module, step->name);
            if (variable)
                *variable = replay->arrays[step->array].bytes;
            break;
        }
        case STEP_MAKE_SCRATCH:
            replay->scratch[step->scratch] = make_array(replay->description, step->type,
                                                        (size_t)callback_count(step->extent, replay->variables, 0));
            break;
        case STEP_CHECK:
            if (step->output != output)
                break;
            *from = (size_t)callback_count(step->from, replay->variables, 0);
            return step->of_scratch ? &replay->scratch[step->array] : &replay->arrays[step->array];
        }
    }
    return NULL; /* reading has made sure that every output is checked in some plan; this one is not its plan */
}

void replay_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                      const struct lab_data *data, struct lab_expected *expected)
{
    struct replay replay = {.lab = lab, .description = lab->description};
    size_t from = 0;
    int64_t *block_elements = module_find(replay.description->module, "block_elements");
    if (block_elements)
        *block_elements = expected->elements_per_block;
    callback_variables(replay.description, the_case, expected->elements_per_block, replay.variables);
    begin(&replay, data);
    const struct host_array *array = run_to(&replay, plan, output, &from);
    for (size_t i = 0; array && i < expected->count; i++) {
        if (expected->f)
            expected->f[i] = types_get_float(array->type, array->bytes, from + i);
        else
            expected->i[i] = types_get_integer(array->type, array->bytes, from + i);
    }
    /* The bounds are filled in by the output's rule. */
    expected->rule = replay.description->reasons[output];
    end(&replay);
}
