#include "grader/judge/expect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/arrays.h"
#include "grader/lab/tolerance.h"

/* Cache lines keep the arrays apart. */
static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

enum lab_type expect_type(const struct lab *lab, int output)
{
    return lab->arrays[lab->outputs[output].array].type;
}

static size_t needed_bytes(const struct lab *lab, const struct plan_output counts[LAB_MAX_OUTPUTS])
{
    size_t bytes = 0;
    for (int i = 0; i < lab->output_count; i++) {
        size_t count = counts[i].present ? (size_t)counts[i].count : 0;
        bytes += types_is_float(expect_type(lab, i)) ? 2 * rounded(count * sizeof(double))
                                                     : rounded(count * sizeof(int64_t));
    }
    return bytes;
}

/* Bytes of the inputs' copies, each on cache lines of its own. */
static size_t input_bytes(const struct lab *lab, const struct lab_data *data)
{
    size_t bytes = 0;
    for (int i = 0; i < lab->array_count; i++)
        bytes += data->array[i].bytes ? rounded(data->count[i] * arrays_element_bytes(lab, i)) : 0;
    return bytes;
}

/* The inputs and the scalars, with numbers that are never negative. */
static void take_absolutes(const struct lab *lab, const struct lab_data *data, uint8_t *at, struct lab_data *absolute)
{
    *absolute = *data;
    for (int i = 0; i < lab->array_count; i++) {
        enum lab_type type = lab->arrays[i].type;
        size_t bytes = data->count[i] * arrays_element_bytes(lab, i);
        if (!data->array[i].bytes)
            continue;
        absolute->array[i].bytes = at;
        memcpy(at, data->array[i].bytes, bytes);
        for (size_t k = 0; k < data->count[i]; k++) {
            if (types_is_float(type))
                types_set_float(type, at, k, fabs(types_get_float(type, at, k)));
            else if (types_get(type)->kind == TYPES_SIGNED)
                types_set_integer(type, at, k, llabs(types_get_integer(type, at, k)));
        }
        at += rounded(bytes);
    }
    for (int i = 0; i < lab->scalar_count; i++) {
        if (types_is_float(lab->scalars[i].type))
            absolute->scalar[i].f = fabs(data->scalar[i].f);
        else if (types_get(lab->scalars[i].type)->kind == TYPES_SIGNED)
            absolute->scalar[i].i = llabs(data->scalar[i].i);
    }
}

/* A tolerance that the lab states as data. */
static void apply_rule(const struct plan_setup *setup, const struct lab_case *the_case, int output,
                       const struct lab_data *data, struct lab_expected *expected, char rule[128])
{
    const struct lab *lab = setup->lab;
    const struct lab_tolerance *tolerance = &lab->outputs[output].tolerance;
    if ((tolerance->kind != LAB_SUM && tolerance->kind != LAB_MATRIX_SUM) || !expected->f) {
        tolerance_apply(tolerance, 0, NULL, expected, rule, 128);
        return;
    }
    size_t values = rounded(expected->count * sizeof(double)), bytes = 2 * values + input_bytes(lab, data);
    uint8_t *room = allocate_secret(bytes); /* what hidden inputs give stays in this process */
    struct lab_data absolute;
    struct lab_expected sum = *expected;
    sum.f = (double *)room;
    sum.bound = (double *)(room + values);
    take_absolutes(lab, data, room + 2 * values, &absolute);
    lab->reference(lab, the_case, setup->plan, output, &absolute, &sum);
    tolerance_apply(tolerance, tolerance->terms(lab, the_case, setup->plan, output), sum.f, expected, rule, 128);
    allocate_release_secret(room, bytes);
}

void expect_compute(struct expect *expect, const struct plan_setup *setup, const struct lab_case *the_case,
                    const struct plan_output counts[LAB_MAX_OUTPUTS], const struct lab_data *data)
{
    const struct lab *lab = setup->lab;
    size_t bytes = needed_bytes(lab, counts);
    if (bytes > expect->capacity_bytes) {
        expect_release(expect);
        expect->bytes = allocate_secret(bytes);
        expect->capacity_bytes = bytes;
    }
    uint8_t *at = expect->bytes;
    memset(expect->outputs, 0, sizeof expect->outputs);
    for (int i = 0; i < lab->output_count; i++) {
        struct lab_expected *expected = &expect->outputs[i];
        if (!counts[i].present)
            continue;
        expected->type = expect_type(lab, i);
        expected->count = (size_t)counts[i].count;
        expected->elements_per_block = setup->geometry[lab->plans[setup->plan].kernels[0]].items[0];
        expected->columns = lab->columns ? lab->columns(lab, the_case, lab->outputs[i].array) : 0;
        if (types_is_float(expected->type)) {
            expected->f = (double *)at;
            expected->bound = (double *)(at + rounded(expected->count * sizeof(double)));
            at += 2 * rounded(expected->count * sizeof(double));
        } else {
            expected->i = (int64_t *)at;
            at += rounded(expected->count * sizeof(int64_t));
        }
        lab->reference(lab, the_case, setup->plan, i, data, expected);
        apply_rule(setup, the_case, i, data, expected, expect->rules[i]);
    }
}

void expect_release(struct expect *expect)
{
    if (expect->bytes)
        allocate_release_secret(expect->bytes, expect->capacity_bytes);
    memset(expect, 0, sizeof *expect);
}
