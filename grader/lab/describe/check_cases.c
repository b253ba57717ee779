#include "grader/lab/describe/check_cases.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/describe/description.h"
#include "grader/lab/describe/guard.h"
#include "grader/lab/labs.h"
#include "grader/lab/random.h"
#include "grader/lab/types.h"

#define SEED            1
#define WARP            32
#define ELEMENTS_A_CASE 65536 /* larger cases are not computed here: the smaller ones show what is missing */

struct checking {
    const struct lab *lab;
    check_cases_complain_fn *complain;
    void *context;
};

static void complain(const struct checking *checking, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void complain(const struct checking *checking, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    checking->complain(checking->context, text);
}

static void check_points(const struct checking *checking)
{
    const struct lab *lab = checking->lab;
    int points = labs_max_score(lab);
    if (points != 100)
        complain(checking, "lab.yaml: points: %d for right results and %d for the rest are %d, not 100.", lab->points,
                 points - lab->points, points);
}

static int64_t elements_of(const struct lab_case *the_case)
{
    int64_t elements = 1;
    for (int i = 0; i < LAB_MAX_SIZES && the_case->size[i] > 0; i++)
        elements *= the_case->size[i];
    return elements;
}

static void check_sizes(const struct checking *checking)
{
    const struct lab *lab = checking->lab;
    int64_t block = 1;
    int small = 0, ragged = 0, large = 0;
    for (int i = 0; i < 3; i++)
        block *= lab->kernels[lab->plans[0].kernels[0]].block[i];
    for (int i = 0; i < lab->case_count && !lab->cases[i].hidden; i++) {
        const struct lab_case *the_case = &lab->cases[i];
        small += elements_of(the_case) < WARP;
        ragged += elements_of(the_case) > block && elements_of(the_case) % block != 0;
        large += elements_of(the_case) > 16 * block;
        for (int k = 0; k < i; k++)
            if (memcmp(the_case->size, lab->cases[k].size, sizeof the_case->size) == 0
                && the_case->values == lab->cases[k].values)
                complain(checking, "lab.yaml: cases[%d] and cases[%d] are the same: \"%s\". One of them can go.", k, i,
                         the_case->name);
    }
    if (small == 0)
        complain(
            checking,
            "lab.yaml: cases: none has fewer elements than a warp has lanes. A guard that is missing shows best there.");
    if (ragged == 0)
        complain(checking,
                 "lab.yaml: cases: none ends within a block, after a whole one. Such as one element more than a block.");
    if (large == 0)
        complain(checking, "lab.yaml: cases: none has more than 16 blocks. Mistakes between blocks show with many of them.");
}

/* ---- the reference ---------------------------------------------------------------------------------------------------- */

/* Whether two runs of the reference on the same inputs expect different things. */
static bool differs(const struct lab_expected *a, const struct lab_expected *b, size_t i)
{
    return a->i ? a->i[i] != b->i[i] : memcmp(&a->f[i], &b->f[i], sizeof a->f[i]) != 0;
}

static void check_output(const struct checking *checking, const struct lab_case *the_case, int plan,
                         const struct plan_step *step, const struct lab_data *data)
{
    const struct lab *lab = checking->lab;
    double variables[DESCRIPTION_VARIABLES];
    const struct lab_kernel *kernel = &lab->kernels[lab->plans[plan].kernels[0]];
    int64_t block = (int64_t)kernel->block[0];
    callback_variables(lab->description, the_case, block, variables);
    int64_t all = (int64_t)lab->extent(lab, the_case, step->array), from = callback_count(step->from, variables, 0),
            count = callback_count(step->count, variables, all - from);
    enum lab_type type = lab->arrays[step->array].type;
    struct lab_expected runs[2];
    double *bound = allocate_zeroed((size_t)count * sizeof(double));
    size_t unwritten = 0, first = 0;
    for (int k = 0; k < 2; k++) {
        static const uint8_t bytes[] = {0xA5, 0x5B};
        runs[k] = (struct lab_expected){.type = type, .count = (size_t)count, .bound = bound, .elements_per_block = block};
        runs[k].i = types_is_float(type) ? NULL : allocate_zeroed((size_t)count * sizeof(int64_t));
        runs[k].f = types_is_float(type) ? allocate_zeroed((size_t)count * sizeof(double)) : NULL;
        replay_set_unwritten(bytes[k]);
        guard_watch_beginnings(k > 0); /* both ends of each array are watched in one of the two */
        lab->reference(lab, the_case, plan, step->output, data, &runs[k]);
    }
    guard_watch_beginnings(false);
    for (size_t i = 0; i < (size_t)count && !guard_fault(lab); i++)
        if (differs(&runs[0], &runs[1], i)) {
            first = unwritten == 0 ? i : first;
            unwritten++;
        }
    if (unwritten > 0)
        complain(checking, "reference.c leaves %zu of %lld elements of %s unwritten in the case \"%s\", %s[%zu] first.",
                 unwritten, (long long)count, lab->outputs[step->output].name, the_case->name,
                 lab->outputs[step->output].name, first);
    for (int k = 0; k < 2; k++) {
        free(runs[k].i);
        free(runs[k].f);
    }
    free(bound);
}

static void check_reference(const struct checking *checking, const struct lab_case *the_case)
{
    const struct lab *lab = checking->lab;
    const struct description *description = lab->description;
    struct lab_random random;
    struct lab_data data = {0};
    random_init(&random, SEED, lab->name, the_case->name, 0);
    for (int i = 0; i < lab->array_count; i++) {
        data.count[i] = lab->extent(lab, the_case, i);
        data.array[i].bytes = allocate_zeroed(data.count[i] * types_get(lab->arrays[i].type)->bytes);
    }
    lab->fill(lab, the_case, &random, &data);
    for (int plan = 0; plan < lab->plan_count; plan++)
        for (int i = 0; i < description->plan_steps[plan].step_count; i++) {
            const struct plan_step *step = &description->plan_steps[plan].steps[i];
            if (step->kind == STEP_CHECK && !step->of_scratch && lab->reference == replay_reference)
                check_output(checking, the_case, plan, step, &data);
        }
    for (int i = 0; i < lab->array_count; i++)
        free(data.array[i].bytes);
}

void check_cases(const struct lab *lab, check_cases_complain_fn *take, void *context)
{
    struct checking checking = {lab, take, context};
    check_points(&checking);
    check_sizes(&checking);
    for (int i = 0; i < lab->case_count && !guard_fault(lab); i++)
        if (!lab->cases[i].hidden && elements_of(&lab->cases[i]) <= ELEMENTS_A_CASE)
            check_reference(&checking, &lab->cases[i]);
}
