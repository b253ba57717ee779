/* Lab 07: reverse an array. */
#include "labs/common.h"

extern const struct lab lab_07_reverse;

enum { IN, OUT };

/* What the lab launches, and with which block unless the student's file asks for another. */
static const struct lab_kernel kernels[] = {
    {"reverse", "void reverse(const int *in, int *out, int n)", {256, 1, 1}, 1, false},
};

static void launch(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    lab_launch(run, &(struct lab_launch){"reverse", {n, 0}, {0, 0}, {LAB_ARRAY(IN), LAB_ARRAY(OUT), LAB_INT(n)}});
    lab_check(run, 0, 0, (size_t)n);
}

static const struct lab_plan plans[] = {{"one launch", {0}, 1, launch}};
static const struct lab_array arrays[] = {{"in", LAB_INT32, LAB_INPUT}, {"out", LAB_INT32, LAB_OUTPUT}};
static const struct lab_output outputs[] = {{"out", OUT, false}};

static const struct lab_case cases[] = {
    {"n = 1", "a single element: it stays where it is", {1}, 0, false, false},
    {"n = 8", "small enough to follow with a pencil", {8}, 0, false, false},
    {"n = 31", "one less than a warp", {31}, 0, false, false},
    {"n = 32", "exactly one warp", {32}, 0, false, false},
    {"n = 33", "one more than a warp", {33}, 0, false, false},
    {"n = 255", "one less than a block", {255}, 0, false, false},
    {"n = 256", "exactly one block", {256}, 0, false, false},
    {"n = 257", "one more than a block: a second block with a single element", {257}, 0, false, false},
    {"n = 1000", "four blocks, the last one partly idle", {1000}, 0, false, false},
    {"n = 100003", "many blocks; memory traffic is counted here", {100003}, 0, false, true},
    {"hidden: few elements", "a size within a block or two", {1}, 0, true, false, {511}},
    {"hidden: several blocks", "a size of several blocks", {600}, 0, true, false, {3400}},
};

static void fill(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab, (void)the_case;
    lab_random_fill_int(random, data->array[IN].i, data->count[IN], -1000000, 1000000);
}

static void reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                      const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)the_case, (void)plan, (void)output;
    for (size_t i = 0; i < expected->count; i++) {
        expected->i[i] = data->array[IN].i[expected->count - 1 - i];
    }
    expected->bound = NULL;
    expected->rule = "only the exact result, because the values are moved, not changed";
}

/* Each element is read once and written once. */
static double ideal_sectors(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case,
                            int plan)
{
    (void)lab, (void)budget, (void)plan;
    return 2 * common_sectors(the_case->size[0]);
}

static const struct lab_budget budgets[] = {
    {"global_sectors", LAB_BUDGET_IDEAL, ideal_sectors, 1.25, 3.0, 30,
     "each element must be read once and written once: 2 x 4 bytes x n, in sectors of 32 bytes. Reading backwards, a warp "
     "may begin in the middle of a sector: 5 sectors instead of 4, so 1.125 times the ideal in all"},
    {"issued_lane_slots", LAB_BUDGET_REFERENCE, NULL, 8.0, 24.0, 10,
     "a warp spends 32 lane slots on an instruction, however many of its lanes have work; the reference keeps all 32 busy"},
};

/* What a GPU has to do at least, for the measured time: bytes moved, elements placed. */
static void work(const struct lab *lab, const struct lab_case *the_case, double *bytes, double *operations)
{
    (void)lab;
    *bytes = 8.0 * (double)the_case->size[0];
    *operations = (double)the_case->size[0];
}

const struct lab lab_07_reverse = {
    .name = "07_reverse",
    .title = "Reverse an array",
    .handout = "handouts/07_reverse.md",
    .kernels = kernels,
    .kernel_count = COMMON_COUNT(kernels),
    .plans = plans,
    .plan_count = COMMON_COUNT(plans),
    .arrays = arrays,
    .array_count = COMMON_COUNT(arrays),
    .outputs = outputs,
    .output_count = COMMON_COUNT(outputs),
    .cases = cases,
    .case_count = COMMON_COUNT(cases),
    .points = COMMON_CORRECT_POINTS,
    .budgets = budgets,
    .budget_count = COMMON_COUNT(budgets),
    .extent = common_extent,
    .fill = fill,
    .reference = reference,
    .work = work,
    .timing_case = {"n = 8388608", "time is measured here", {1 << 23}, 0, false, false},
    .time = {1.2, 4, 10},
};
