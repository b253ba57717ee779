/* A lab whose learner writes a whole program in which copies overlap with kernels. */
#include "grader/lab/program.h"

extern const struct lab lab_02_overlap;

enum { IN, OUT };

static const struct lab_array arrays[] = {{"in", LAB_FLOAT32, LAB_INPUT}, {"out", LAB_FLOAT32, LAB_OUTPUT}};
static const struct lab_output outputs[] = {{"out", OUT, false}};
static const struct lab_case cases[] = {
    {"n = 3", "fewer elements than pieces", {3}},
    {"n = 4099", "pieces of different sizes; overlap is measured here", {4099}, .budget = true},
};

static size_t extent(const struct lab_case *the_case, int index)
{
    (void)index;
    return (size_t)the_case->size[0];
}

static void fill(const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)the_case;
    for (size_t i = 0; i < data->count[IN]; i++)
        data->array[IN].f[i] = (float)(int)(1 + lab_random_below(random, 900));
}

static void reference(const struct lab_case *the_case, int plan, int output, const struct lab_data *data,
                      struct lab_expected *expected)
{
    (void)the_case, (void)plan, (void)output;
    for (size_t i = 0; i < expected->count; i++)
        expected->f[i] = (double)(data->array[IN].f[i] * data->array[IN].f[i]);
    expected->bound = NULL;
}

static const struct lab_rule rules[] = {
    {LAB_RULE_freed, 10, "what a program allocates it gives back"},
    {LAB_RULE_overlap, 30, "all pieces but one can be copied while another one is computed", NULL, 0.5, 0},
};
static const struct lab_program program = {.size_count = 1, .rules = rules, .rule_count = sizeof rules / sizeof *rules};

const struct lab lab_02_overlap = {
    .name = "02_overlap",
    .title = "Copies that overlap with kernels",
    .handout = "handouts/02_overlap.md",
    .arrays = arrays,
    .array_count = sizeof arrays / sizeof *arrays,
    .outputs = outputs,
    .output_count = 1,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .points = 60,
    .extent = extent,
    .fill = fill,
    .reference = reference,
    .program = &program,
};
