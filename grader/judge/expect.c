#include "grader/judge/expect.h"

#include <string.h>

#include "grader/base/allocate.h"

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
    }
}

void expect_release(struct expect *expect)
{
    if (expect->bytes)
        allocate_release_secret(expect->bytes, expect->capacity_bytes);
    memset(expect, 0, sizeof *expect);
}
