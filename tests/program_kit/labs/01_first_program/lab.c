/* A lab whose learner writes a whole program: vector addition with its host side. */
#include "grader/lab/program.h"

extern const struct lab lab_01_first_program;

enum { A, B, C };

static const struct lab_array arrays[] = {
    {"a", LAB_FLOAT32, LAB_INPUT}, {"b", LAB_FLOAT32, LAB_INPUT}, {"c", LAB_FLOAT32, LAB_OUTPUT}};
static const struct lab_output outputs[] = {{"c", C, false}};
static const struct lab_case cases[] = {
    {"n = 1", "a single element", {1}},
    {"n = 255", "one less than a block of 256 threads", {255}},
    {"n = 257", "one more than a block of 256 threads", {257}},
    {"n = 10000", "many blocks; bytes and launches are counted here", {10000}, .budget = true},
    {"hidden: several blocks", "a size of several blocks", {600}, .hidden = true, .spread = {3400}},
};

static size_t extent(const struct lab_case *the_case, int index)
{
    (void)index;
    return (size_t)the_case->size[0];
}

/* Eighths, so that every decimal form of them and of their sums is short and exact. */
static void fill(const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)the_case;
    for (int array = A; array <= B; array++)
        for (size_t i = 0; i < data->count[array]; i++)
            data->array[array].f[i] = (float)(int)(1 + lab_random_below(random, 800)) / 8;
}

static void reference(const struct lab_case *the_case, int plan, int output, const struct lab_data *data,
                      struct lab_expected *expected)
{
    (void)the_case, (void)plan, (void)output;
    for (size_t i = 0; i < expected->count; i++)
        expected->f[i] = (double)(data->array[A].f[i] + data->array[B].f[i]);
    expected->bound = NULL;
    expected->rule = "six digits";
}

static double input_bytes(const struct lab_case *the_case)
{
    return 8.0 * (double)the_case->size[0];
}

static double output_bytes(const struct lab_case *the_case)
{
    return 4.0 * (double)the_case->size[0];
}

static const struct lab_rule rules[] = {
    {LAB_RULE_freed, 15, "what a program allocates it gives back"},
    {LAB_RULE_checked, 15, "each call is told to fail in turn"},
    {LAB_RULE_to_device, 5, "each input must cross the bus once: 2 x 4 bytes x n", input_bytes, 1.05, 2},
    {LAB_RULE_to_host, 5, "the result must cross the bus once: 4 bytes x n", output_bytes, 1.05, 2},
    {LAB_RULE_launches, 5, "one launch is enough", NULL, 1, 4},
};
static const struct lab_program program = {.size_count = 1, .rules = rules, .rule_count = sizeof rules / sizeof *rules};

const struct lab lab_01_first_program = {
    .name = "01_first_program",
    .title = "A program that adds two vectors",
    .handout = "handouts/01_first_program.md",
    .arrays = arrays,
    .array_count = sizeof arrays / sizeof *arrays,
    .outputs = outputs,
    .output_count = 1,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .points = 55,
    .extent = extent,
    .fill = fill,
    .reference = reference,
    .program = &program,
};
