/* Conjugate gradients. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/hooks.h"
#include "grader/lab/tolerance.h"

enum { COLUMNS, VALUES, X, R, P, RR, PQ };
enum { OUT_Q, OUT_PQ, OUT_R, OUT_RR, OUT_P, OUT_X, OUT_HISTORY }; /* outputs; all but the last two: of iteration 0 */
enum { DOTS_APART, THREE_LAUNCHES, TWO_LAUNCHES };                /* plans */
enum { ENTRIES = 5, WARP = 32 };

/* Kinds of values, as lab.yaml lists them. */
enum { GRID, RENUMBERED, MIXED_SIGNS, WHOLE_NUMBERS };

/* Up to so many iterations, x is compared with that of the same iteration on the CPU; beyond, with the solution. */
#define FEW_ITERATIONS 4

/* All eigenvalues of A are at least 1: a diagonal element is 1 more than the other absolute values of its row together. */
#define LEAST_EIGENVALUE 1.0

static int64_t rows_of(const struct lab_case *the_case)
{
    return the_case->size[0] * the_case->size[1];
}

/* ---- plans ---------------------------------------------------------------------------------------------------------- */

/* Element `index` of an array. */
static struct lab_argument element(int array, int64_t index)
{
    struct lab_argument argument = LAB_ARRAY(array);
    argument.offset = (size_t)index;
    return argument;
}

static void launch_direction(struct lab_run *run, int64_t k, int64_t rows)
{
    lab_launch(run, &(struct lab_launch){
                        "direction", {rows}, {0}, {LAB_ARRAY(R), LAB_ARRAY(P), LAB_ARRAY(RR), LAB_INT(k), LAB_INT(rows)}});
}

/* step, with its dot product; `p` is where the direction is. */
static void launch_step(struct lab_run *run, struct lab_argument p, struct lab_argument q, int64_t k, int64_t rows)
{
    lab_launch(run, &(struct lab_launch){
                        "step",
                        {rows},
                        {0},
                        {LAB_ARRAY(X), LAB_ARRAY(R), p, q, LAB_ARRAY(RR), LAB_ARRAY(PQ), LAB_INT(k), LAB_INT(rows)}});
}

static void check_product(struct lab_run *run, struct lab_argument q, int64_t k)
{
    if (k == 0)
        lab_check_scratch(run, OUT_Q, (int)q.value, 0, (size_t)rows_of(lab_run_case(run)));
}

static void check_first(struct lab_run *run, int output, int64_t k, size_t offset, size_t count)
{
    if (k == 0)
        lab_check(run, output, offset, count);
}

/* Before the last direction, so that what is wrong is found in the kernel that made it. */
static void check_last(struct lab_run *run, int64_t k)
{
    if (k + 1 < lab_run_case(run)->size[2])
        return;
    lab_check(run, OUT_X, 0, (size_t)rows_of(lab_run_case(run)));
    lab_check(run, OUT_HISTORY, 0, (size_t)lab_run_case(run)->size[2] + 1);
}

static struct lab_argument make_scratch(struct lab_run *run, const char *name)
{
    return LAB_SCRATCH(lab_scratch(run, name, LAB_FLOAT32, (size_t)rows_of(lab_run_case(run))));
}

void launch_dots_apart(struct lab_run *run)
{
    int64_t rows = rows_of(lab_run_case(run)), iterations = lab_run_case(run)->size[2];
    struct lab_argument q = make_scratch(run, "q"), size = LAB_INT(rows);
    for (int64_t k = 0; k < iterations; k++) {
        lab_launch(run, &(struct lab_launch){
                            "product", {rows}, {0}, {LAB_ARRAY(COLUMNS), LAB_ARRAY(VALUES), LAB_ARRAY(P), q, size}});
        check_product(run, q, k);
        lab_launch(run, &(struct lab_launch){"dot_product", {rows}, {0}, {LAB_ARRAY(P), q, element(PQ, k), size}});
        check_first(run, OUT_PQ, k, 0, (size_t)iterations);
        lab_launch(run, &(struct lab_launch){
                            "update",
                            {rows},
                            {0},
                            {LAB_ARRAY(X), LAB_ARRAY(R), LAB_ARRAY(P), q, LAB_ARRAY(RR), LAB_ARRAY(PQ), LAB_INT(k), size}});
        check_first(run, OUT_R, k, 0, (size_t)rows);
        lab_launch(run,
                   &(struct lab_launch){"dot_product", {rows}, {0}, {LAB_ARRAY(R), LAB_ARRAY(R), element(RR, k + 1), size}});
        check_first(run, OUT_RR, k, 0, (size_t)iterations + 1);
        check_last(run, k);
        launch_direction(run, k, rows);
        check_first(run, OUT_P, k, 0, (size_t)rows);
    }
}

void launch_three(struct lab_run *run)
{
    int64_t rows = rows_of(lab_run_case(run)), iterations = lab_run_case(run)->size[2];
    struct lab_argument q = make_scratch(run, "q");
    for (int64_t k = 0; k < iterations; k++) {
        lab_launch(run, &(struct lab_launch){"multiply",
                                             {rows},
                                             {0},
                                             {LAB_ARRAY(COLUMNS), LAB_ARRAY(VALUES), LAB_ARRAY(P), q, LAB_ARRAY(PQ),
                                              LAB_INT(k), LAB_INT(rows)}});
        check_product(run, q, k);
        check_first(run, OUT_PQ, k, 0, (size_t)iterations);
        launch_step(run, LAB_ARRAY(P), q, k, rows);
        check_first(run, OUT_R, k, 0, (size_t)rows);
        check_first(run, OUT_RR, k, 0, (size_t)iterations + 1);
        check_last(run, k);
        launch_direction(run, k, rows);
        check_first(run, OUT_P, k, 0, (size_t)rows);
    }
}

/* The direction is in p and in `next` by turns. */
void launch_two(struct lab_run *run)
{
    int64_t rows = rows_of(lab_run_case(run)), iterations = lab_run_case(run)->size[2];
    struct lab_argument q = make_scratch(run, "q"), next = make_scratch(run, "next");
    struct lab_argument directions[2] = {LAB_ARRAY(P), next};
    for (int64_t k = 0; k < iterations; k++) {
        struct lab_argument now = directions[(k + 1) % 2];
        lab_launch(run, &(struct lab_launch){"turn",
                                             {rows},
                                             {0},
                                             {LAB_ARRAY(COLUMNS), LAB_ARRAY(VALUES), LAB_ARRAY(R), directions[k % 2], now, q,
                                              LAB_ARRAY(RR), LAB_ARRAY(PQ), LAB_INT(k), LAB_INT(rows)}});
        check_product(run, q, k);
        check_first(run, OUT_PQ, k, 0, (size_t)iterations);
        if (k == 1) /* back in p */
            lab_check(run, OUT_P, 0, (size_t)rows);
        launch_step(run, now, q, k, rows);
        check_first(run, OUT_R, k, 0, (size_t)rows);
        check_first(run, OUT_RR, k, 0, (size_t)iterations + 1);
        check_last(run, k);
    }
}

/* ---- the system ----------------------------------------------------------------------------------------------------- */

/* The number of each point of the grid: in order, or at random. */
static int32_t *number_points(const struct lab_case *the_case, struct lab_random *random)
{
    int64_t rows = rows_of(the_case);
    int32_t *numbers = malloc((size_t)rows * sizeof *numbers);
    for (int64_t i = 0; numbers && i < rows; i++)
        numbers[i] = (int32_t)i;
    for (int64_t i = rows - 1; numbers && i > 0 && the_case->values == RENUMBERED; i--) {
        int64_t other = lab_random_below(random, (uint32_t)i + 1);
        int32_t number = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = number;
    }
    return numbers;
}

static float draw_weight(const struct lab_case *the_case, struct lab_random *random)
{
    if (the_case->values == WHOLE_NUMBERS)
        return -1;
    float weight = lab_random_float(random, 0.5F, 1.5F);
    return the_case->values == MIXED_SIGNS && lab_random_below(random, 2) == 0 ? weight : -weight;
}

/* Entries of a row, in this order: the point above, to the left, itself, to the right, below. Where there is none, the entry has the
 * value 0 and the row's own column. */
enum { ABOVE, LEFT, OWN, RIGHT, BELOW };

static void connect(struct lab_data *data, int64_t rows, int32_t from, int slot, int32_t to, float weight)
{
    data->array[COLUMNS].i[slot * rows + from] = to;
    data->array[VALUES].f[slot * rows + from] = weight;
}

void fill_system(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    int64_t height = the_case->size[0], width = the_case->size[1], rows = height * width;
    int32_t *numbers = number_points(the_case, random);
    for (int64_t i = 0; i < rows; i++)
        for (int s = 0; s < ENTRIES; s++)
            connect(data, rows, (int32_t)i, s, (int32_t)i, 0);
    for (int64_t point = 0; numbers && point < rows; point++) {
        if (point % width + 1 < width) {
            float weight = draw_weight(the_case, random);
            connect(data, rows, numbers[point], RIGHT, numbers[point + 1], weight);
            connect(data, rows, numbers[point + 1], LEFT, numbers[point], weight);
        }
        if (point + width < rows) {
            float weight = draw_weight(the_case, random);
            connect(data, rows, numbers[point], BELOW, numbers[point + width], weight);
            connect(data, rows, numbers[point + width], ABOVE, numbers[point], weight);
        }
    }
    free(numbers);
    double sum = 0;
    for (int64_t i = 0; i < rows; i++) {
        float diagonal = (float)LEAST_EIGENVALUE;
        for (int s = 0; s < ENTRIES; s++)
            diagonal += s == OWN ? 0 : fabsf(data->array[VALUES].f[s * rows + i]);
        data->array[VALUES].f[OWN * rows + i] = diagonal;
        float right = the_case->values == WHOLE_NUMBERS ? (float)(1 + lab_random_below(random, 5))
                                                        : lab_random_float(random, -2, 2);
        data->array[R].f[i] = data->array[P].f[i] = right;
        data->array[X].f[i] = 0;
        sum += (double)right * (double)right;
    }
    memset(data->array[RR].f, 0, data->count[RR] * sizeof(float));
    memset(data->array[PQ].f, 0, data->count[PQ] * sizeof(float));
    data->array[RR].f[0] = (float)sum;
}

/* ---- the right results ---------------------------------------------------------------------------------------------- */

/* A vector or a number, and how far a float computation may be from it. */
struct bounded {
    double *value, *error;
};

struct solver {
    int64_t rows, iterations;
    const int32_t *columns;
    const float *values;
    struct bounded x, r, p, q, rr, pq;
    double *memory;
};

static struct bounded take(double **memory, int64_t count)
{
    struct bounded taken = {*memory, *memory + count};
    *memory += 2 * count;
    return taken;
}

/* Returns false without memory. The caller frees solver->memory. */
static bool solver_init(struct solver *solver, const struct lab_case *the_case, const struct lab_data *data)
{
    int64_t rows = rows_of(the_case), iterations = the_case->size[2];
    double *memory = calloc((size_t)(8 * rows + 4 * iterations + 2), sizeof *memory);
    *solver = (struct solver){rows, iterations, data->array[COLUMNS].i, data->array[VALUES].f, .memory = memory};
    if (!memory)
        return false;
    solver->x = take(&memory, rows);
    solver->r = take(&memory, rows);
    solver->p = take(&memory, rows);
    solver->q = take(&memory, rows);
    solver->rr = take(&memory, iterations + 1);
    solver->pq = take(&memory, iterations);
    for (int64_t i = 0; i < rows; i++)
        solver->r.value[i] = solver->p.value[i] = (double)data->array[R].f[i];
    solver->rr.value[0] = (double)data->array[RR].f[0];
    return true;
}

#define UNIT TOLERANCE_UNIT

/* q = A p: what p may be off by, and a sum of 5 products. */
static void multiply(struct solver *s)
{
    for (int64_t i = 0; i < s->rows; i++) {
        double sum = 0, absolute = 0, error = 0;
        for (int e = 0; e < ENTRIES; e++) {
            double value = (double)s->values[e * s->rows + i], product = value * s->p.value[s->columns[e * s->rows + i]];
            sum += product;
            absolute += fabs(product);
            error += fabs(value) * s->p.error[s->columns[e * s->rows + i]];
        }
        s->q.value[i] = sum;
        s->q.error[i] = error + tolerance_sum(ENTRIES, 1, absolute);
    }
}

/* u * v, of vectors with errors. */
static void dot(const struct solver *s, const struct bounded *u, const struct bounded *v, double *value, double *error)
{
    double sum = 0, absolute = 0, carried = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        double product = u->value[i] * v->value[i];
        sum += product;
        absolute += fabs(product);
        carried += fabs(u->value[i]) * v->error[i] + fabs(v->value[i]) * u->error[i] + u->error[i] * v->error[i];
    }
    *value = sum;
    *error = carried + tolerance_sum(s->rows, 1, absolute);
}

/* a / b; a fast division is off by 2 units in the last place, which is up to 4 u. */
static double quotient(double a, double a_error, double b, double b_error, double *error)
{
    *error = b > b_error ? (a_error + fabs(a / b) * b_error) / (b - b_error) + 4 * UNIT * fabs(a / b) : INFINITY;
    return a / b;
}

/* What u + f v may be off by: what its parts are, a product and a sum. */
static double sum_error(double u, double u_error, double f, double f_error, double v, double v_error)
{
    double carried = u_error + fabs(f) * v_error + fabs(v) * f_error + v_error * f_error;
    return carried + 2 * UNIT * (fabs(u) + fabs(f * v) + carried);
}

/* Iteration k as far as x, r and rr[k + 1]. */
static void step(struct solver *s, int64_t k)
{
    double error, a = quotient(s->rr.value[k], s->rr.error[k], s->pq.value[k], s->pq.error[k], &error);
    for (int64_t i = 0; i < s->rows; i++) {
        s->x.error[i] = sum_error(s->x.value[i], s->x.error[i], a, error, s->p.value[i], s->p.error[i]);
        s->x.value[i] += a * s->p.value[i];
        s->r.error[i] = sum_error(s->r.value[i], s->r.error[i], a, error, s->q.value[i], s->q.error[i]);
        s->r.value[i] -= a * s->q.value[i];
    }
    dot(s, &s->r, &s->r, &s->rr.value[k + 1], &s->rr.error[k + 1]);
}

static void direction(struct solver *s, int64_t k)
{
    double error, b = quotient(s->rr.value[k + 1], s->rr.error[k + 1], s->rr.value[k], s->rr.error[k], &error);
    for (int64_t i = 0; i < s->rows; i++) {
        s->p.error[i] = sum_error(s->r.value[i], s->r.error[i], b, error, s->p.value[i], s->p.error[i]);
        s->p.value[i] = s->r.value[i] + b * s->p.value[i];
    }
}

static void product(struct solver *s, int64_t k)
{
    multiply(s);
    dot(s, &s->p, &s->q, &s->pq.value[k], &s->pq.error[k]);
}

/* Runs as many iterations as there are, and stops earlier where an output of the first one is wanted. */
static const struct bounded *run_to(struct solver *s, int plan, int output)
{
    for (int64_t k = 0; k < s->iterations; k++) {
        product(s, k);
        if (output == OUT_Q)
            return &s->q;
        if (output == OUT_PQ)
            return &s->pq;
        step(s, k);
        if (output == OUT_R)
            return &s->r;
        if (output == OUT_RR)
            return &s->rr;
        direction(s, k);
        if (output == OUT_P)
            return &s->p;
    }
    (void)plan;
    return output == OUT_X ? &s->x : &s->rr;
}

/* ---- the solution, where there are enough iterations to reach it ---------------------------------------------------- */

/* Sets x to the solution, to many more digits than a float has. Returns |x|_A = sqrt(x * A x) of it. */
static double solve(struct solver *s)
{
    for (int round = 0; round < 400 && s->rr.value[0] > 0; round++) {
        product(s, 0);
        step(s, 0);
        if (s->rr.value[1] < 1e-26)
            break;
        direction(s, 0);
        s->rr.value[0] = s->rr.value[1];
    }
    memcpy(s->p.value, s->x.value, (size_t)s->rows * sizeof *s->x.value);
    product(s, 0);
    return sqrt(s->pq.value[0]);
}

/* How far x may be from the solution after N iterations. In every step, |x - solution|_A shrinks at least like 2 c^N, where
 * c = (sqrt(K) - 1) / (sqrt(K) + 1) and K is the ratio of the largest eigenvalue to the smallest, also in finite precision (A.
 * Greenbaum, "Behavior of slightly perturbed Lanczos and conjugate-gradient recurrences", 1989). Gershgorin's circles bound the
 * eigenvalues. What r lets x be off by in the end is a rounding of x and of r in each iteration, times |A| / least eigenvalue (A.
 * Greenbaum, "Estimating the attainable accuracy of recursively computed residual methods", 1997). */
static double distance_allowed(const struct solver *s, double length)
{
    double largest = 0, most = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        double sum = 0;
        for (int e = 0; e < ENTRIES; e++)
            sum += fabs((double)s->values[e * s->rows + i]);
        largest = fmax(largest, sum);
        most = fmax(most, fabs(s->x.value[i]));
    }
    double root = sqrt(largest / LEAST_EIGENVALUE), n = (double)s->iterations;
    double left = 2 * pow((root - 1) / (root + 1), n) * length / sqrt(LEAST_EIGENVALUE);
    return left + 4 * n * UNIT * largest / LEAST_EIGENVALUE * most;
}

void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                    const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab;
    struct solver solver;
    bool solved = output == OUT_X && the_case->size[2] > FEW_ITERATIONS;
    if (!solver_init(&solver, the_case, data)) {
        for (size_t i = 0; i < expected->count; i++)
            expected->f[i] = NAN, expected->bound[i] = 0;
    } else if (solved) {
        double bound = distance_allowed(&solver, solve(&solver));
        for (size_t i = 0; i < expected->count; i++)
            expected->f[i] = solver.x.value[i], expected->bound[i] = bound;
    } else {
        const struct bounded *result = run_to(&solver, plan, output);
        for (size_t i = 0; i < expected->count; i++) {
            double value = result->value[i], error = result->error[i];
            expected->f[i] = value;
            /* After many iterations, worst cases of worst cases say nothing any more. */
            expected->bound[i] = error <= fabs(value) || the_case->size[2] <= FEW_ITERATIONS ? error : LAB_NOT_COMPARED;
        }
    }
    free(solver.memory);
    expected->rule =
        solved ? "2 c^N |x|_A + 4 N u |A| |x|, with c = (sqrt(K) - 1) / (sqrt(K) + 1) for the eigenvalues' ratio K, "
                 "N iterations, and u = 2^-24: what theory leaves of the error, and N roundings"
               : "what u = 2^-24 in each operation and 6 sqrt(n) u in a sum of n terms come to, carried from "
                 "operation to operation";
}

/* ---- wrong results -------------------------------------------------------------------------------------------------- */

/* As the student's kernels call it. */
static const char *name_of(const struct lab_wrong *wrong, int array)
{
    static const char *const names[] = {"columns", "values", "x", "r", "p", "rr", "pq"};
    return wrong->names[array] ? wrong->names[array] : names[array];
}

/* Are two numbers the same but for roundings? `scale` is what they are made of. */
static bool is_near(double got, double value, double scale)
{
    return fabs(got - value) <= 1e-4 * scale;
}

/* Entry `e` of row `i` when it is read by a mistake: its product. */
typedef double entry_fn(const struct solver *s, int64_t i, int e);

static double value_of(const struct solver *s, int64_t place)
{
    return (double)s->values[place];
}

static double p_of(const struct solver *s, int64_t place)
{
    return s->p.value[s->columns[place]];
}

static double by_rows(const struct solver *s, int64_t i, int e)
{
    return value_of(s, i * ENTRIES + e) * p_of(s, i * ENTRIES + e);
}

static double values_by_rows(const struct solver *s, int64_t i, int e)
{
    return value_of(s, i * ENTRIES + e) * p_of(s, e * s->rows + i);
}

static double columns_by_rows(const struct solver *s, int64_t i, int e)
{
    return value_of(s, e * s->rows + i) * p_of(s, i * ENTRIES + e);
}

static double of_own_row(const struct solver *s, int64_t i, int e)
{
    return value_of(s, e * s->rows + i) * s->p.value[i];
}

static double without_values(const struct solver *s, int64_t i, int e)
{
    return p_of(s, e * s->rows + i);
}

static double by_number(const struct solver *s, int64_t i, int e)
{
    return value_of(s, e * s->rows + i) * s->columns[e * s->rows + i];
}

static double all_but_last(const struct solver *s, int64_t i, int e)
{
    return e < ENTRIES - 1 ? value_of(s, e * s->rows + i) * p_of(s, e * s->rows + i) : 0;
}

static double all_but_first(const struct solver *s, int64_t i, int e)
{
    return e > 0 ? value_of(s, e * s->rows + i) * p_of(s, e * s->rows + i) : 0;
}

static double last_alone(const struct solver *s, int64_t i, int e)
{
    return e == ENTRIES - 1 ? value_of(s, e * s->rows + i) * p_of(s, e * s->rows + i) : 0;
}

static double first_alone(const struct solver *s, int64_t i, int e)
{
    return e == 0 ? value_of(s, e * s->rows + i) * p_of(s, e * s->rows + i) : 0;
}

static double first_entry(const struct solver *s, int64_t i, int e)
{
    return (void)e, value_of(s, i) * p_of(s, i);
}

static const struct {
    const char *pattern, *what;
    entry_fn *entry;
} products[] = {
    {"row_major",
     "values[i * 5 + s] and columns[i * 5 + s], as if the entries of a row were neighbours. Where is entry s of "
     "row i?",
     by_rows},
    {"row_major", "values[i * 5 + s], as if the entries of a row were neighbours. Where is entry s of row i?",
     values_by_rows},
    {"row_major", "columns[i * 5 + s], as if the entries of a row were neighbours. Where is entry s of row i?",
     columns_by_rows},
    {"formula", "values[s * rows + i] times its own row's element of p. Which element of p does an entry belong to?",
     of_own_row},
    {"formula", "the elements of p that the row's entries name, without their values.", without_values},
    {"formula", "the entries' values times the numbers of their columns. Which element does such a number name?", by_number},
    {"replaced", "the last entry of its row alone: what came before it is not added to it.", last_alone},
    {"first", "the first entry of its row alone.", first_alone},
    {"off_by_one", "the first four entries of its row: the last one is missing.", all_but_last},
    {"off_by_one", "the last four entries of its row: the first one is missing.", all_but_first},
    {"doubled", "the first entry of its row, five times.", first_entry},
};

static bool classify_product(struct solver *s, const struct lab_wrong *wrong, const char **pattern, char *message,
                             size_t message_bytes)
{
    const float *got = wrong->got;
    for (int m = 0; m < HOOKS_COUNT(products); m++) {
        bool same = true;
        for (int64_t i = 0; i < s->rows && same; i++) {
            double sum = 0, absolute = 1e-30;
            for (int e = 0; e < ENTRIES; e++) {
                double term = products[m].entry(s, i, e);
                sum += term;
                absolute += fabs(term);
            }
            same = is_near((double)got[i], sum, absolute);
        }
        if (same) {
            *pattern = products[m].pattern;
            snprintf(message, message_bytes, "Every element of q is made of %s", products[m].what);
            return true;
        }
    }
    return false;
}

/* Which of a block's threads are in the sum. */
typedef bool part_fn(int64_t thread, int64_t block, int64_t blocks);

static bool of_first_lanes(int64_t thread, int64_t block, int64_t blocks)
{
    return (void)block, (void)blocks, thread % WARP == 0;
}

static bool of_first_warps(int64_t thread, int64_t block, int64_t blocks)
{
    return (void)block, (void)blocks, thread < WARP;
}

static bool of_first_threads(int64_t thread, int64_t block, int64_t blocks)
{
    return (void)block, (void)blocks, thread == 0;
}

static bool of_first_block(int64_t thread, int64_t block, int64_t blocks)
{
    return (void)thread, (void)blocks, block == 0;
}

static bool of_last_block(int64_t thread, int64_t block, int64_t blocks)
{
    return (void)thread, block == blocks - 1;
}

static bool of_other_blocks(int64_t thread, int64_t block, int64_t blocks)
{
    return (void)thread, block < blocks - 1;
}

static bool without_far_lanes(int64_t thread, int64_t block, int64_t blocks)
{
    return (void)block, (void)blocks, thread % WARP < 16;
}

static bool without_odd_lanes(int64_t thread, int64_t block, int64_t blocks)
{
    return (void)block, (void)blocks, thread % 2 == 0;
}

/* With its lines in add_up. */
static const struct {
    const char *pattern, *what;
    part_fn *in;
} parts[] = {
    {"own_total", "what thread 0 of each block has. When does it get what the other threads of its block have?",
     of_first_threads},
    {"own_lane", "what lane 0 of each warp has: the lanes of a warp never put their parts together.", of_first_lanes},
    {"first_warp", "what the first warp of each block has. Who adds up what the other warps have found?", of_first_warps},
    {"block_total", "what block 0 has. Every block has a part of the sum, and each must add it.", of_first_block},
    {"block_total", "what the last block has. Are the sums of the other blocks replaced by it?", of_last_block},
    {"tail", "what all blocks but the last one have, whose threads have not all got a row.", of_other_blocks},
    {"steps", "what lanes 0 to 15 of each warp have. With which distance do the other lanes hand on their sums?",
     without_far_lanes},
    {"steps", "what the even lanes have. With which distance do the odd ones hand on their sums?", without_odd_lanes},
};

/* Names of what sums are made of. */
struct sum {
    const struct bounded *u, *v;
    const char *what;
};

static bool classify_sum(struct solver *s, const struct lab_wrong *wrong, const struct sum *right, const struct sum *others,
                         int other_count, const char **pattern, char *message, size_t message_bytes)
{
    size_t place = wrong->output == OUT_RR ? 1 : 0; /* of iteration 0; the elements behind it are still 0 */
    const float *all = wrong->got;
    double got = (double)all[place], sum, scale, want = wrong->expected->f[place];
    if (place == 1 && all[1] == 0 && is_near((double)all[0], wrong->expected->f[0] + want, want)) {
        *pattern = "place";
        snprintf(
            message, message_bytes,
            "%s[0] is the sum of what both should be: the sum %s was added to %s[0], which the step itself divides, and not "
            "to %s[1]. Which element is that of the next iteration?",
            name_of(wrong, RR), right->what, name_of(wrong, RR), name_of(wrong, RR));
        return true;
    }
    if (wrong->first_bad != place || wrong->bad_count > 1)
        return false;
    for (int m = 0; m < HOOKS_COUNT(parts); m++) {
        int64_t block = wrong->elements_per_block, blocks = (s->rows + block - 1) / block;
        sum = scale = 0;
        for (int64_t i = 0; i < s->rows; i++)
            if (parts[m].in(i % block, i / block, blocks)) {
                sum += right->u->value[i] * right->v->value[i];
                scale += fabs(right->u->value[i] * right->v->value[i]);
            }
        if (s->rows > WARP && sum != want && is_near(got, sum, scale)) {
            *pattern = parts[m].pattern;
            snprintf(message, message_bytes, "Of the sum %s, this is only %s", right->what, parts[m].what);
            return true;
        }
    }
    for (int m = 0; m < other_count && s->rows >= 4; m++) {
        dot(s, others[m].u, others[m].v, &sum, &scale);
        if (is_near(got, sum, fabs(sum))) {
            *pattern = "formula";
            snprintf(message, message_bytes, "This is the sum %s, not %s.", others[m].what, right->what);
            return true;
        }
    }
    double times = got / want;
    if (fabs(times - rint(times)) < 1e-3 && times > 1.5 && times < 1100 && s->rows > 1) {
        *pattern = "times";
        snprintf(message, message_bytes,
                 "This is %.0f times the sum %s. How many threads add the sum of a block to the total, and how often?",
                 rint(times), right->what);
        return true;
    }
    return false;
}

/* got = first * u + second * v for all elements? */
static bool is_combination(int64_t rows, const float *got, const double *u, const double *v, double *first, double *second)
{
    double uu = 0, uv = 0, vv = 0, ug = 0, vg = 0;
    for (int64_t i = 0; i < rows; i++) {
        uu += u[i] * u[i], uv += u[i] * v[i], vv += v[i] * v[i];
        ug += u[i] * (double)got[i], vg += v[i] * (double)got[i];
    }
    double det = uu * vv - uv * uv;
    if (rows < 4 || !(det > 1e-3 * uu * vv))
        return false;
    *first = (ug * vv - vg * uv) / det;
    *second = (vg * uu - ug * uv) / det;
    for (int64_t i = 0; i < rows; i++) {
        double scale = fabs(*first * u[i]) + fabs(*second * v[i]) + 1e-2;
        if (!is_near((double)got[i], *first * u[i] + *second * v[i], scale))
            return false;
    }
    return true;
}

/* What a factor is known to be, in the words of the page; NULL: nothing that is known. */
struct factor {
    double value;
    const char *what;
};

static const char *factor_known(const struct factor *factors, int count, double value)
{
    for (int i = 0; i < count; i++)
        if (fabs(value - factors[i].value) <= 5e-4 * fabs(factors[i].value))
            return factors[i].what;
    return NULL;
}

/* A vector that is made of two others, with wrong factors: says which. */
static bool say_combination(const struct lab_wrong *wrong, const char *target, const char *u, const char *v, double first,
                            double second, double want, const char *right, const struct factor *factors, int factor_count,
                            const char **pattern, char *message, size_t message_bytes)
{
    const char *known = factor_known(factors, factor_count, second);
    if (wrong->output == OUT_R && fabs(second) < 1e-4 && fabs(first - 1 - want) < 1e-3 * fabs(want)) { /* p is r still */
        *pattern = "factor";
        snprintf(message, message_bytes,
                 "In iteration 0, the new %s is r - (rr[0] / pq[0]) p. It should be %s: what is subtracted is a part of q.",
                 target, right);
        return true;
    }
    *pattern = "factor";
    snprintf(
        message, message_bytes,
        "In iteration 0, the new %s is %.6g times %s and %.6g times %s. It should be %s: 1 times %s and %.6g times %s.%s%s%s",
        target, fabs(first) < 1e-4 ? 0 : first, u, fabs(second) < 1e-4 ? 0 : second, v, right, u, want, v,
        known ? " Your factor is " : "", known ? known : "", known ? "." : "");
    return true;
}

/* A mistake that the first iteration does not show: which sums the others use. */
struct later {
    bool old_rr, old_pq, old_b, only_last, along_r;
    const char *what;
};
static const struct later later[] = {
    {.old_rr = true,
     .old_pq = true,
     .what = "the step's length were rr[0] / pq[0] in every iteration. Which elements belong to iteration k?"},
    {.old_rr = true,
     .what = "the step's length were rr[0] / pq[k] in every iteration. Which element of rr belongs to iteration k?"},
    {.old_pq = true,
     .what = "the step's length were rr[k] / pq[0] in every iteration. Which element of pq belongs to iteration k?"},
    {.old_b = true,
     .what = "the old direction's factor were rr[1] / rr[0] in every iteration. Which elements belong to iteration k?"},
    {.along_r = true, .what = "x went along r and not along p, which are the same in iteration 0 alone."},
    {.only_last = true, .what = "x were set to the last step alone, not increased by each of them."},
};

static bool classify_later(const struct lab_case *the_case, const struct lab_wrong *wrong, const char **pattern,
                           char *message, size_t message_bytes)
{
    const float *got = wrong->got;
    if (!isfinite(got[wrong->first_bad])) {
        *pattern = "special";
        snprintf(message, message_bytes,
                 "The first iteration is right. In a later one, a number is divided by a sum that is 0 or NaN. Which "
                 "elements of %s and %s do the kernels add to in iteration 1?",
                 name_of(wrong, PQ), name_of(wrong, RR));
        return true;
    }
    for (int m = 0; m < HOOKS_COUNT(later); m++) {
        struct solver s;
        bool same = solver_init(&s, the_case, wrong->data);
        for (int64_t k = 0; k < s.iterations && same; k++) {
            product(&s, k);
            double rr = s.rr.value[k], pq = s.pq.value[k];
            double a = s.rr.value[later[m].old_rr ? 0 : k] / s.pq.value[later[m].old_pq ? 0 : k];
            s.rr.value[k] = a, s.pq.value[k] = 1; /* step divides them */
            if (later[m].only_last)
                memset(s.x.value, 0, (size_t)s.rows * sizeof *s.x.value);
            for (int64_t i = 0; i < s.rows && later[m].along_r; i++)
                s.x.value[i] += a * (s.r.value[i] - s.p.value[i]); /* step adds a p */
            step(&s, k);
            s.rr.value[k] = rr, s.pq.value[k] = pq;
            double next = s.rr.value[k + 1];
            if (later[m].old_b)
                s.rr.value[k + 1] = s.rr.value[1] / s.rr.value[0] * rr;
            direction(&s, k);
            s.rr.value[k + 1] = next;
        }
        const double *values = wrong->output == OUT_X ? s.x.value : s.rr.value;
        double most = 0;
        for (size_t i = 0; i < wrong->expected->count && same; i++)
            most = fmax(most, fabs(values[i]));
        for (size_t i = 0; i < wrong->expected->count && same; i++)
            same = is_near((double)got[i], values[i], wrong->output == OUT_X ? most : 10 * fabs(values[i]));
        free(s.memory);
        if (same) {
            *pattern = "iteration";
            snprintf(message, message_bytes, "The first iteration is right. The values at the end are as if %s",
                     later[m].what);
            return true;
        }
    }
    return false;
}

static bool classify(struct solver *s, const struct lab_wrong *wrong, const char **pattern, char *message,
                     size_t message_bytes)
{
    const float *got = wrong->got;
    const char *r = name_of(wrong, R), *p = name_of(wrong, P), *x = name_of(wrong, X);
    double first, second;
    if (wrong->output != OUT_HISTORY && wrong->output != OUT_X)
        run_to(s, wrong->plan, OUT_Q);
    double *before = malloc((size_t)s->rows * sizeof *before), *old_p = malloc((size_t)s->rows * sizeof *old_p);
    bool found = false;
    if (!before || !old_p || wrong->output == OUT_HISTORY) {
        free(before), free(old_p);
        return wrong->output == OUT_HISTORY && s->iterations > 1 && s->iterations <= FEW_ITERATIONS
               && classify_later(wrong->the_case, wrong, pattern, message, message_bytes);
    }
    memcpy(before, s->r.value, (size_t)s->rows * sizeof *before);
    memcpy(old_p, s->p.value, (size_t)s->rows * sizeof *old_p);
    struct bounded old_r = {before, s->r.error};
    product(s, 0);
    double rr = s->rr.value[0], pq = s->pq.value[0], a = rr / pq;
    const struct factor steps[] = {
        {-a, "-rr[0] / pq[0]"},     {a, "rr[0] / pq[0]"}, {1 / a, "pq[0] / rr[0]"},
        {-1 / a, "-pq[0] / rr[0]"}, {-1, "-1"},           {1, "1"},
    };
    switch (wrong->output) {
    case OUT_Q: found = classify_product(s, wrong, pattern, message, message_bytes); break;
    case OUT_PQ: {
        const struct sum right = {&s->p, &s->q, "of p[i] * q[i]"}, others[] = {
                                                                       {&s->p, &s->p, "of p[i] * p[i]"},
                                                                       {&s->q, &s->q, "of q[i] * q[i]"},
                                                                   };
        found = classify_sum(s, wrong, &right, others, HOOKS_COUNT(others), pattern, message, message_bytes);
        break;
    }
    case OUT_R:
        found = is_combination(s->rows, got, before, s->q.value, &first, &second)
                && say_combination(wrong, r, r, "q", first, second, -a, "r - (rr[0] / pq[0]) q", steps, HOOKS_COUNT(steps),
                                   pattern, message, message_bytes);
        break;
    case OUT_RR: {
        step(s, 0);
        const struct sum right = {&s->r, &s->r, "of the squares of the new r[i]"},
                         others[] = {
                             {&old_r, &old_r, "of the squares of what r[i] was before the step"},
                             {&old_r, &s->r, "of the old r[i] times the new r[i]"},
                             {&s->r, &s->q, "of r[i] * q[i]"},
                             {&s->r, &s->p, "of r[i] * p[i]"},
                             {&s->p, &s->q, "of p[i] * q[i]"},
                             {&s->q, &s->q, "of q[i] * q[i]"},
                         };
        found = classify_sum(s, wrong, &right, others, HOOKS_COUNT(others), pattern, message, message_bytes);
        break;
    }
    case OUT_P: {
        step(s, 0);
        double b = s->rr.value[1] / rr;
        const struct factor turns[] = {
            {b, "rr[1] / rr[0]"},
            {1 / b, "rr[0] / rr[1]"},
            {-b, "-rr[1] / rr[0]"},
            {a, "rr[0] / pq[0]"},
            {1, "1"},
            {s->rr.value[1] / pq, "rr[1] / pq[0]"},
        };
        if (wrong->plan != TWO_LAUNCHES || s->iterations > 1)
            found = is_combination(s->rows, got, s->r.value, old_p, &first, &second)
                    && say_combination(wrong, p, r, "the old p", first, second, b, "r + (rr[1] / rr[0]) p", turns,
                                       HOOKS_COUNT(turns), pattern, message, message_bytes);
        break;
    }
    default:
        if (s->iterations == 1) {
            found = is_combination(s->rows, got, old_p, s->q.value, &first, &second);
            if (found) {
                const char *known = factor_known(steps, HOOKS_COUNT(steps), first);
                *pattern = "factor";
                snprintf(
                    message, message_bytes,
                    "After one iteration, %s is %.6g times p and %.6g times q. It should be (rr[0] / pq[0]) p: %.6g times "
                    "p, and nothing of q.%s%s%s",
                    x, fabs(first) < 1e-4 ? 0 : first, fabs(second) < 1e-4 ? 0 : second, a,
                    known ? " Your factor of p is " : "", known ? known : "", known ? "." : "");
            }
        } else if (s->iterations <= FEW_ITERATIONS)
            found = classify_later(wrong->the_case, wrong, pattern, message, message_bytes);
        break;
    }
    free(before), free(old_p);
    return found;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    struct solver solver;
    if (wrong->earlier_wrong) /* it follows from that */
        return false;
    bool found = solver_init(&solver, wrong->the_case, wrong->data)
                 && classify(&solver, wrong, pattern, message, message_bytes);
    free(solver.memory);
    return found;
}
