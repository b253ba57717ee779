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

/* What of an output depends on what was in its memory before: one complaint each, with the first case. */
struct dependence {
    int cases; /* in which there is such an element */
    const struct lab_case *first_case;
    size_t elements, count, first; /* there: such elements, of how many, and the first of them */
};

struct checking {
    const struct lab *lab;
    check_cases_complain_fn *complain;
    void *context;
    struct dependence unwritten[LAB_MAX_OUTPUTS], computed[LAB_MAX_OUTPUTS]; /* left as it was; made of what it was */
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

/* Does every launch ask for one block, whatever the size? */
static bool has_one_block(const struct lab *lab)
{
    const struct description *description = lab->description;
    for (int plan = 0; plan < lab->plan_count; plan++) {
        if (lab->plans[plan].launch != callback_launch)
            return false;
        for (int i = 0; i < description->plan_steps[plan].step_count; i++) {
            const struct plan_step *step = &description->plan_steps[plan].steps[i];
            for (int k = 0; k < lab->case_count && step->kind == STEP_LAUNCH; k++) {
                double variables[DESCRIPTION_VARIABLES];
                callback_variables(description, &lab->cases[k], 0, variables);
                for (int d = 0; d < 3; d++)
                    if (callback_count(step->blocks[d], variables, d == 0 ? 0 : 1) != 1)
                        return false;
            }
        }
    }
    return true;
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
    if (has_one_block(lab))
        return;
    static const char advice[] = " Where the lab is about a single block, give its launch in `plans` the line `blocks: 1`.";
    if (ragged == 0)
        complain(checking,
                 "lab.yaml: cases: none ends within a block, after a whole one. Such as one element more than a block.%s",
                 large == 0 ? advice : "");
    if (large == 0)
        complain(checking,
                 "lab.yaml: cases: none has more than 16 blocks. Mistakes between blocks show with many of them.%s",
                 ragged == 0 ? "" : advice);
}

/* ---- the reference ---------------------------------------------------------------------------------------------------- */

/* Whether two runs of the reference on the same inputs expect different things. */
static bool differs(const struct lab_expected *a, const struct lab_expected *b, size_t i)
{
    return a->i ? a->i[i] != b->i[i] : memcmp(&a->f[i], &b->f[i], sizeof a->f[i]) != 0;
}

/* The number that the bytes of an output are before the reference writes it. */
static bool is_left(const struct lab *lab, enum lab_type type, uint8_t byte, const struct lab_expected *run, size_t i)
{
    const struct description *description = lab->description;
    uint64_t element;
    memset(&element, byte, sizeof element);
    if (run->i)
        return run->i[i] == types_get_integer(type, &element, 0);
    double left = types_get_float(type == LAB_FLOAT32 && description->in_double ? LAB_FLOAT64 : type, &element, 0);
    return memcmp(&left, &run->f[i], sizeof left) == 0;
}

static void note(struct dependence *dependence, const struct lab_case *the_case, size_t elements, size_t count, size_t first)
{
    if (elements == 0)
        return;
    if (dependence->cases++ == 0)
        *dependence = (struct dependence){1, the_case, elements, count, first};
}

static void check_output(struct checking *checking, const struct lab_case *the_case, int plan, const struct plan_step *step,
                         const struct lab_data *data)
{
    static const uint8_t bytes[] = {0xA5, 0x5B};
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
    size_t unwritten = 0, first_unwritten = 0, computed = 0, first_computed = 0;
    for (int k = 0; k < 2; k++) {
        runs[k] = (struct lab_expected){.type = type, .count = (size_t)count, .bound = bound, .elements_per_block = block};
        runs[k].i = types_is_float(type) ? NULL : allocate_zeroed((size_t)count * sizeof(int64_t));
        runs[k].f = types_is_float(type) ? allocate_zeroed((size_t)count * sizeof(double)) : NULL;
        replay_set_unwritten(bytes[k]);
        guard_watch_beginnings(k > 0); /* both ends of each array are watched in one of the two */
        lab->reference(lab, the_case, plan, step->output, data, &runs[k]);
    }
    guard_watch_beginnings(false);
    for (size_t i = 0; i < (size_t)count && !guard_fault(lab); i++) {
        if (!differs(&runs[0], &runs[1], i))
            continue;
        if (is_left(lab, type, bytes[0], &runs[0], i) && is_left(lab, type, bytes[1], &runs[1], i))
            first_unwritten = unwritten++ == 0 ? i : first_unwritten;
        else
            first_computed = computed++ == 0 ? i : first_computed;
    }
    note(&checking->unwritten[step->output], the_case, unwritten, (size_t)count, first_unwritten);
    note(&checking->computed[step->output], the_case, computed, (size_t)count, first_computed);
    for (int k = 0; k < 2; k++) {
        free(runs[k].i);
        free(runs[k].f);
    }
    free(bound);
}

/* " and 11 more" */
static void write_more(const struct dependence *dependence, char *text, size_t text_bytes)
{
    text[0] = '\0';
    if (dependence->cases > 1)
        snprintf(text, text_bytes, " and in %d other case%s", dependence->cases - 1, dependence->cases == 2 ? "" : "s");
}

static void tell_dependences(const struct checking *checking)
{
    const struct lab *lab = checking->lab;
    char more[48];
    for (int i = 0; i < lab->output_count && !guard_fault(lab); i++) {
        const struct dependence *unwritten = &checking->unwritten[i], *computed = &checking->computed[i];
        const char *name = lab->outputs[i].name, *array = lab->arrays[lab->outputs[i].array].name;
        write_more(computed, more, sizeof more);
        if (computed->cases > 0)
            complain(checking,
                     "reference.c computes %s[%zu] from what was in memory before it wrote there, in the case \"%s\"%s. "
                     "If %s has values before the kernels run, its role is `in place`.",
                     name, computed->first, computed->first_case->name, more, array);
        write_more(unwritten, more, sizeof more);
        if (unwritten->cases > 0 && computed->cases == 0) /* else that may be why */
            complain(checking, "reference.c leaves %zu of %zu elements of %s unwritten in the case \"%s\"%s, %s[%zu] first.",
                     unwritten->elements, unwritten->count, name, unwritten->first_case->name, more, name, unwritten->first);
    }
}

static void check_reference(struct checking *checking, const struct lab_case *the_case)
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
    struct checking checking = {.lab = lab, .complain = take, .context = context};
    check_points(&checking);
    check_sizes(&checking);
    for (int i = 0; i < lab->case_count && !guard_fault(lab); i++)
        if (!lab->cases[i].hidden && elements_of(&lab->cases[i]) <= ELEMENTS_A_CASE)
            check_reference(&checking, &lab->cases[i]);
    tell_dependences(&checking);
}
