/* The labs' descriptions: complete, consistent, and their references right by another way of computing. */
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/arrays.h"
#include "grader/lab/compare.h"
#include "grader/lab/lab.h"
#include "grader/lab/labs.h"
#include "grader/lab/random.h"
#include "grader/lab/tolerance.h"

/* ---- one run of a case, on the host --------------------------------------------------------------------------------- */

struct sample {
    const struct lab *lab;
    const struct lab_case *the_case;
    struct lab_data data;
    struct lab_expected expected;
    double *bound; /* expected.bound is cleared where the rule is exact */
    char rule[128];
};

static const struct lab_case *find_case(const struct lab *lab, const char *name)
{
    for (int i = 0; i < lab->case_count; i++) {
        if (strcmp(lab->cases[i].name, name) == 0) {
            return &lab->cases[i];
        }
    }
    CU_FAIL_FATAL("no such case");
    return NULL;
}

/* Fills the inputs and computes an output of `count` elements. Outputs start as garbage. */
static void sample_init(struct sample *sample, const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                        size_t count)
{
    struct lab_random random;
    random_init(&random, 5, lab->name, the_case->name, 0);
    *sample = (struct sample){.lab = lab, .the_case = the_case};
    for (int i = 0; i < lab->array_count; i++) {
        sample->data.count[i] = lab->extent(lab, the_case, i);
        size_t words = (arrays_bytes(lab, the_case, i) + 3) / 4;
        sample->data.array[i].bytes = malloc(words * 4);
        random_poison_fill(99, 0, sample->data.array[i].u, words);
    }
    arrays_fill(lab, the_case, &random, &sample->data);
    enum lab_type type = lab->arrays[lab->outputs[output].array].type;
    bool is_float = types_is_float(type);
    sample->bound = malloc(count * sizeof(double));
    sample->expected = (struct lab_expected){
        .type = type,
        .count = count,
        .i = is_float ? NULL : malloc(count * sizeof(int64_t)),
        .f = is_float ? malloc(count * sizeof(double)) : NULL,
        .bound = sample->bound,
        .elements_per_block = 256,
    };
    lab->reference(lab, the_case, plan, output, &sample->data, &sample->expected);
    CU_ASSERT_NOT_EQUAL(lab->outputs[output].tolerance.kind, LAB_SUM); /* which needs a second run */
    tolerance_apply(&lab->outputs[output].tolerance, 0, NULL, &sample->expected, sample->rule, sizeof sample->rule);
}

static void sample_clear(struct sample *sample)
{
    for (int i = 0; i < sample->lab->array_count; i++) {
        free(sample->data.array[i].bytes);
    }
    free(sample->expected.i);
    free(sample->expected.f);
    free(sample->bound);
}

static size_t count_bad(const struct sample *sample, const void *got)
{
    struct compare_result result;
    return compare_output(&sample->expected, got, &result);
}

/* ---- completeness --------------------------------------------------------------------------------------------------- */

static void names_stand_for_folders_in_order(void)
{
    for (size_t k = 0; k < (size_t)labs_count(); k++) {
        char path[256];
        int number = 0;
        CU_ASSERT_EQUAL(sscanf(labs_get((int)k)->name, "%2d_", &number), 1);
        CU_ASSERT_EQUAL((size_t)number, k + 1);
        snprintf(path, sizeof path, "labs/%s/lab.yaml", labs_get((int)k)->name);
        FILE *file = fopen(path, "r");
        CU_ASSERT_PTR_NOT_NULL(file);
        if (file) {
            fclose(file);
        }
        snprintf(path, sizeof path, "handouts/%s.md", labs_get((int)k)->name);
        CU_ASSERT_STRING_EQUAL(labs_get((int)k)->handout, path);
        CU_ASSERT(labs_get((int)k)->title && labs_get((int)k)->title[0] != '\0');
    }
}

static void cases_have_unique_names_and_a_purpose_each(void)
{
    for (size_t k = 0; k < (size_t)labs_count(); k++) {
        int hidden = 0, budget = 0;
        for (int i = 0; i < labs_get((int)k)->case_count; i++) {
            const struct lab_case *the_case = &labs_get((int)k)->cases[i];
            hidden += the_case->hidden;
            budget += the_case->budget;
            CU_ASSERT(the_case->size[0] > 0);
            /* A grading without a hidden seed leaves the hidden ones out, and the tests before them keep their places. */
            CU_ASSERT(i == 0 || the_case->hidden || !the_case[-1].hidden);
            CU_ASSERT_EQUAL(the_case->hidden, the_case->spread[0] > 0);
            CU_ASSERT(strlen(the_case->purpose) > 10);
            CU_ASSERT(!(the_case->hidden && the_case->budget));
            for (int j = 0; j < i; j++) {
                CU_ASSERT_STRING_NOT_EQUAL(the_case->name, labs_get((int)k)->cases[j].name);
                CU_ASSERT_STRING_NOT_EQUAL(the_case->purpose, labs_get((int)k)->cases[j].purpose);
            }
        }
        CU_ASSERT(labs_get((int)k)->case_count - hidden >= 10 && labs_get((int)k)->case_count - hidden <= 16);
        CU_ASSERT(hidden >= 2 && hidden <= 4);
        CU_ASSERT_EQUAL(budget, 1);
    }
}

static bool has_size(const struct lab *lab, int64_t n)
{
    for (int i = 0; i < lab->case_count; i++) {
        if (lab->cases[i].size[0] == n) {
            return true;
        }
    }
    return false;
}

static void required_sizes_are_among_the_cases(void)
{
    static const int64_t sizes[] = {1, 31, 32, 33, 255, 256, 257, 1000};
    for (size_t k = 0; k < (size_t)labs_count(); k++) {
        for (size_t s = 0; s < SUPPORT_COUNT(sizes) && !labs_get((int)k)->size_names[1]; s++) {
            CU_ASSERT(has_size(labs_get((int)k), sizes[s]));
        }
    }
    CU_ASSERT(has_size(labs_find("02_vector_add"), (1 << 24) + 11));
    CU_ASSERT(has_size(labs_find("03_pi"), 65537));
    CU_ASSERT(has_size(labs_find("04_scan"), 65537));
    CU_ASSERT(has_size(labs_find("01_doublify"), 1009));
    CU_ASSERT(has_size(labs_find("03_pi"), 4093));
}

static void matrices_are_rectangular_ragged_and_degenerate(void)
{
    int ragged[3] = {0}, ones[3] = {0}, oblong = 0;
    for (int i = 0; i < labs_find("05_matmul_tiled")->case_count; i++) {
        const int64_t *size = labs_find("05_matmul_tiled")->cases[i].size;
        oblong += size[0] != size[1] && size[1] != size[2] && size[0] != size[2];
        for (int d = 0; d < 3; d++) {
            ragged[d] += size[d] % 16 != 0 && size[d] > 16;
            ones[d] += size[d] == 1;
        }
    }
    CU_ASSERT(oblong >= 4);
    for (int d = 0; d < 3; d++) {
        CU_ASSERT(ragged[d] >= 3);
        CU_ASSERT(ones[d] >= 2);
    }
}

static void points_of_each_lab_add_up_to_100(void)
{
    for (size_t k = 0; k < (size_t)labs_count(); k++) {
        int points = labs_get((int)k)->points;
        for (int i = 0; i < labs_get((int)k)->budget_count; i++) {
            points += labs_get((int)k)->budgets[i].points;
            CU_ASSERT(labs_get((int)k)->budgets[i].points > 0);
        }
        CU_ASSERT_EQUAL(points, 100);
        CU_ASSERT(labs_get((int)k)->points >= labs_get((int)k)->case_count);
    }
}

static void plans_name_kernels_that_exist(void)
{
    for (size_t k = 0; k < (size_t)labs_count(); k++) {
        const struct lab *lab = labs_get((int)k);
        bool used[LAB_MAX_KERNELS] = {false};
        CU_ASSERT_FATAL(lab->plan_count >= 1 && lab->kernel_count >= 1 && lab->kernel_count <= LAB_MAX_KERNELS);
        for (int p = 0; p < lab->plan_count; p++) {
            CU_ASSERT_PTR_NOT_NULL(lab->plans[p].launch);
            CU_ASSERT(lab->plans[p].kernel_count >= 1 && lab->plans[p].kernel_count <= LAB_MAX_KERNELS);
            for (int i = 0; i < lab->plans[p].kernel_count; i++) {
                CU_ASSERT_FATAL(lab->plans[p].kernels[i] >= 0 && lab->plans[p].kernels[i] < lab->kernel_count);
                used[lab->plans[p].kernels[i]] = true;
            }
        }
        for (int i = 0; i < lab->kernel_count; i++) {
            const struct lab_kernel *kernel = &lab->kernels[i];
            char start[64];
            snprintf(start, sizeof start, "void %s(", kernel->name);
            CU_ASSERT(used[i]);
            CU_ASSERT_EQUAL(strncmp(kernel->signature, start, strlen(start)), 0);
            CU_ASSERT(kernel->dimensions == 1 || (kernel->dimensions == 2 && kernel->block[0] == kernel->block[1]));
            CU_ASSERT_EQUAL(kernel->block[0] * kernel->block[1] * kernel->block[2], 256);
        }
    }
}

static void arrays_and_outputs_are_within_limits(void)
{
    for (size_t k = 0; k < (size_t)labs_count(); k++) {
        const struct lab *lab = labs_get((int)k);
        CU_ASSERT(lab->array_count >= 1 && lab->array_count <= LAB_MAX_ARRAYS);
        CU_ASSERT(lab->output_count >= 1 && lab->output_count <= LAB_MAX_OUTPUTS);
        for (int o = 0; o < lab->output_count; o++) {
            CU_ASSERT_FATAL(lab->outputs[o].array >= 0 && lab->outputs[o].array < lab->array_count);
            CU_ASSERT_NOT_EQUAL(lab->arrays[lab->outputs[o].array].role, LAB_INPUT);
        }
        for (int i = 0; i < lab->case_count; i++) {
            for (int a = 0; a < lab->array_count; a++) {
                size_t extent = lab->extent(lab, &lab->cases[i], a);
                CU_ASSERT(extent > 0 || (a > 0 && lab->arrays[a].role == LAB_INPUT)); /* one that only some cases use */
                CU_ASSERT(extent <= (1 << 24) + 11);
                CU_ASSERT(!lab->columns || extent % lab->columns(lab, &lab->cases[i], a) == 0);
            }
        }
        CU_ASSERT(lab->extent(lab, &lab->timing_case, 0) > 0);
        double bytes = -1, operations = -1;
        lab->work(lab, &lab->timing_case, &bytes, &operations);
        CU_ASSERT(bytes >= 0 && operations > 0);
    }
}

/* ---- budgets -------------------------------------------------------------------------------------------------------- */

static const struct lab_budget *find_budget(const struct lab *lab, const char *metric)
{
    for (int i = 0; i < lab->budget_count; i++) {
        if (strcmp(lab->budgets[i].metric, metric) == 0) {
            return &lab->budgets[i];
        }
    }
    CU_FAIL_FATAL("no such budget");
    return NULL;
}

static double ideal(const struct lab *lab, const char *metric, int64_t m, int64_t n, int64_t k, int plan)
{
    return find_budget(lab, metric)->ideal(lab, find_budget(lab, metric), &(struct lab_case){.size = {m, n, k}}, plan);
}

static void budgets_are_well_formed(void)
{
    for (size_t k = 0; k < (size_t)labs_count(); k++) {
        CU_ASSERT(labs_get((int)k)->budget_count >= 2);
        for (int i = 0; i < labs_get((int)k)->budget_count; i++) {
            const struct lab_budget *budget = &labs_get((int)k)->budgets[i];
            CU_ASSERT_EQUAL(budget->base == LAB_BUDGET_IDEAL, budget->ideal != NULL);
            CU_ASSERT(budget->full_at < budget->zero_at);
            CU_ASSERT(budget->base == LAB_BUDGET_ABSOLUTE || budget->full_at >= 1.0);
            CU_ASSERT(strlen(budget->why) > 40);
            for (int c = 0; c < labs_get((int)k)->case_count && budget->ideal; c++) {
                for (int p = 0; p < labs_get((int)k)->plan_count; p++) {
                    CU_ASSERT(budget->ideal(labs_get((int)k), budget, &labs_get((int)k)->cases[c], p) > 0
                              || !labs_get((int)k)->cases[c].budget);
                }
            }
        }
    }
}

/* 1000 floats are 4000 bytes, 125 sectors; 1001 begin a new one. */
static void ideal_traffic_is_as_counted_by_hand(void)
{
    CU_ASSERT_EQUAL(ideal(labs_find("01_doublify"), "global_sectors", 1000, 0, 0, 0), 250);
    CU_ASSERT_EQUAL(ideal(labs_find("01_doublify"), "global_sectors", 1001, 0, 0, 0), 252);
    /* counters.md's c[i] = a[i] + b[i] at n = 65536: 16384 sectors loaded, 8192 stored. */
    CU_ASSERT_EQUAL(ideal(labs_find("02_vector_add"), "global_sectors", 65536, 0, 0, 0), 16384 + 8192);
    CU_ASSERT_EQUAL(ideal(labs_find("04_scan"), "global_sectors", 1000, 0, 0, 0), 500);
    /* 4 blocks: 20 words of scratch are 3 sectors to clear, and 17 sectors each. */
    CU_ASSERT_EQUAL(ideal(labs_find("04_scan"), "global_sectors", 1000, 0, 0, 1), 250 + 3 + 4 * 17);
    CU_ASSERT_EQUAL(ideal(labs_find("06_histogram"), "global_load_sectors", 100003, 0, 0, 0), 12501);
}

/* n = 8: 4, 2 and 1 pairs, one warp each. n = 1000: 500, 250, 125, 62, 31, 16, 8, 4, 2, 1 pairs are 16 + 8 + 4 + 2 + 6
 * warps. */
static void ideal_requests_of_pi_are_as_counted_by_hand(void)
{
    CU_ASSERT_EQUAL(ideal(labs_find("03_pi"), "global_read_requests", 8, 0, 0, 0), 6);
    CU_ASSERT_EQUAL(ideal(labs_find("03_pi"), "global_read_requests", 1000, 0, 0, 0), 72);
    CU_ASSERT_EQUAL(ideal(labs_find("03_pi"), "global_read_requests", 1000, 0, 0, 1), 1);
}

/* What warps of 16 x 16 blocks touch, lane by lane: the sectors of one tile's loads from a matrix of rows x columns. */
static int64_t sectors_lane_by_lane(int64_t rows, int64_t columns, int64_t first_row, int64_t first_column)
{
    int64_t total = 0;
    for (int warp = 0; warp < 8; warp++) {
        int64_t seen[32];
        int seen_count = 0;
        for (int lane = 0; lane < 32; lane++) {
            int64_t row = first_row + warp * 2 + lane / 16, column = first_column + lane % 16;
            bool known = row >= rows || column >= columns;
            for (int i = 0; i < seen_count && !known; i++) {
                known = seen[i] == (row * columns + column) * 4 / 32;
            }
            if (!known) {
                seen[seen_count++] = (row * columns + column) * 4 / 32;
            }
        }
        total += seen_count;
    }
    return total;
}

static void ideal_of_matmul_is_exact_for_ragged_sizes(void)
{
    /* The profiler's figures for 256 x 256 x 256. */
    CU_ASSERT_EQUAL(ideal(labs_find("05_matmul_tiled"), "global_load_sectors", 256, 256, 256, 0), 262144);
    CU_ASSERT_EQUAL(ideal(labs_find("05_matmul_tiled"), "global_load_sectors", 160, 192, 128, 0),
                    160.0 * 192 * 128 / 16 * 2 / 8);
    CU_ASSERT_EQUAL(ideal(labs_find("05_matmul_tiled"), "shared_wavefronts", 256, 256, 256, 0), 1048576 + 65536);
    for (int c = 0; c < labs_find("05_matmul_tiled")->case_count; c++) {
        const int64_t *size = labs_find("05_matmul_tiled")->cases[c].size;
        int64_t sectors = 0;
        for (int64_t row = 0; row < size[0]; row += 16) {
            for (int64_t column = 0; column < size[1]; column += 16) {
                for (int64_t k = 0; k < size[2]; k += 16) {
                    sectors += sectors_lane_by_lane(size[0], size[2], row, k);
                    sectors += sectors_lane_by_lane(size[2], size[1], k, column);
                }
            }
        }
        CU_ASSERT_EQUAL(ideal(labs_find("05_matmul_tiled"), "global_load_sectors", size[0], size[1], size[2], 0),
                        (double)sectors);
    }
}

/* ---- references ----------------------------------------------------------------------------------------------------- */

static void doublify_reference_is_the_sum_of_each_with_itself(void)
{
    struct sample sample;
    sample_init(&sample, labs_find("01_doublify"), find_case(labs_find("01_doublify"), "n = 1009, special values"), 0, 0,
                1009);
    float *got = malloc(1009 * sizeof *got);
    int nan = 0, infinite = 0;
    for (size_t i = 0; i < 1009; i++) {
        got[i] = sample.data.array[0].f[i] + sample.data.array[0].f[i];
        nan += isnan(got[i]) != 0;
        infinite += isinf(got[i]) != 0;
    }
    CU_ASSERT(nan > 5 && infinite > 5);
    CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
    got[1008] = isnan(got[1008]) ? 0 : nextafterf(got[1008], 0) + 1;
    CU_ASSERT_EQUAL(count_bad(&sample, got), 1);
    free(got);
    sample_clear(&sample);
}

/* A sum in double, rounded once more to float, is the float sum: 53 bits are more than twice 24 and 2. */
static void vector_add_reference_is_the_rounded_double_sum(void)
{
    for (int c = 0; c < labs_find("02_vector_add")->case_count; c++) {
        size_t n = (size_t)labs_find("02_vector_add")->cases[c].size[0];
        if (n > 2000) {
            continue;
        }
        struct sample sample;
        sample_init(&sample, labs_find("02_vector_add"), &labs_find("02_vector_add")->cases[c], 0, 0, n);
        float *got = malloc(n * sizeof *got);
        for (size_t i = 0; i < n; i++) {
            got[i] = (float)((double)sample.data.array[0].f[i] + (double)sample.data.array[1].f[i]);
        }
        CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
        got[n / 2] = isfinite(got[n / 2]) ? nextafterf(got[n / 2], INFINITY) : 1;
        CU_ASSERT_EQUAL(count_bad(&sample, got), 1);
        free(got);
        sample_clear(&sample);
    }
}

static float map_float(int64_t i, int64_t n)
{
    float x = (float)i / (float)n;
    return 4.0f / (1.0f + x * x);
}

static void pi_accepts_float_and_double_mappers_and_rejects_midpoints(void)
{
    struct sample sample;
    sample_init(&sample, labs_find("03_pi"), find_case(labs_find("03_pi"), "n = 65537"), 0, 0, 65537);
    float *got = malloc(65537 * sizeof *got);
    for (int64_t i = 0; i < 65537; i++) {
        got[i] = map_float(i, 65537);
    }
    CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
    for (int64_t i = 0; i < 65537; i++) {
        float x = (float)i * (1.0f / 65537.0f);
        got[i] = 4.0f / fmaf(x, x, 1.0f);
    }
    CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
    for (int64_t i = 0; i < 65537; i++) {
        double x = 1.0 * (double)i / 65537;
        got[i] = (float)(4.0 / (1.0 + x * x));
    }
    CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
    for (int64_t i = 0; i < 65537; i++) {
        double x = ((double)i + 0.5) / 65537;
        got[i] = (float)(4.0 / (1.0 + x * x));
    }
    CU_ASSERT(count_bad(&sample, got) > 60000);
    free(got);
    sample_clear(&sample);
}

/* The reducer as the contract has it, in float, for every case; and the left sum tends to pi with the error 1/n. */
static void pi_accepts_the_tree_and_rejects_one_float_accumulator(void)
{
    for (int c = 0; c < labs_find("03_pi")->case_count; c++) {
        int64_t n = labs_find("03_pi")->cases[c].size[0];
        struct sample tree, fused;
        sample_init(&tree, labs_find("03_pi"), &labs_find("03_pi")->cases[c], 0, 1, 1);
        sample_init(&fused, labs_find("03_pi"), &labs_find("03_pi")->cases[c], 1, 1, 1);
        float *dest = malloc((size_t)n * sizeof *dest), serial = 0, short_of_one;
        for (int64_t i = 0; i < n; i++) {
            dest[i] = map_float(i, n);
            serial += dest[i];
        }
        short_of_one = serial - dest[n - 1] * (n > 4000 ? 64.0f : 1.0f);
        for (int64_t i = 1; i < n; i *= 2) {
            for (int64_t id = 0; id + i < n; id += 2 * i) {
                dest[id] += dest[id + i];
            }
        }
        CU_ASSERT_EQUAL(count_bad(&tree, dest), 0);
        CU_ASSERT_EQUAL(count_bad(&fused, dest), 0);
        /* A million roundings in one accumulator go in one direction for long stretches. */
        CU_ASSERT_EQUAL(count_bad(&fused, &serial), n > 1000000);
        CU_ASSERT_EQUAL(count_bad(&tree, &serial), n > 100000);
        CU_ASSERT_EQUAL(count_bad(&tree, &short_of_one), 1);
        CU_ASSERT_DOUBLE_EQUAL(tree.expected.f[0] * tree.expected.scale, 3.14159265358979 + 1.0 / (double)n,
                               0.2 / (double)(n * n));
        free(dest);
        sample_clear(&tree);
        sample_clear(&fused);
    }
}

static void scan_reference_is_the_sum_of_all_before(void)
{
    for (int c = 0; c < labs_find("04_scan")->case_count; c++) {
        size_t n = (size_t)labs_find("04_scan")->cases[c].size[0];
        if (n > 6000) {
            continue;
        }
        struct sample sample;
        sample_init(&sample, labs_find("04_scan"), &labs_find("04_scan")->cases[c], 0, 0, n);
        for (size_t i = 0; i < n; i++) {
            uint64_t sum = 0;
            for (size_t j = 0; j <= i; j++) {
                sum += (uint64_t)(int64_t)sample.data.array[0].i[j];
            }
            CU_ASSERT_EQUAL_FATAL((uint32_t)sample.expected.i[i], (uint32_t)sum);
        }
        sample_clear(&sample);
    }
}

static void scan_cases_pass_two_to_the_24_and_wrap_two_to_the_31(void)
{
    struct sample sample;
    sample_init(&sample, labs_find("04_scan"), find_case(labs_find("04_scan"), "n = 5000, large"), 0, 0, 5000);
    CU_ASSERT(sample.expected.i[4999] > 1 << 24);
    sample_clear(&sample);
    sample_init(&sample, labs_find("04_scan"), find_case(labs_find("04_scan"), "n = 5001, wrapping"), 0, 0, 5001);
    CU_ASSERT(sample.data.array[0].i[0] > 0 && sample.data.array[0].i[1] > 0 && sample.expected.i[1] < 0);
    sample_clear(&sample);
    sample_init(&sample, labs_find("04_scan"), find_case(labs_find("04_scan"), "n = 1000, cancelling"), 0, 0, 1000);
    CU_ASSERT(sample.expected.i[1] == 0 && sample.expected.i[999] == 0 && sample.expected.i[500] != 0);
    sample_clear(&sample);
}

/* C in float, summed from the left or from the right, with or without fma. */
static float matmul_element(const struct sample *sample, size_t row, size_t column, int order)
{
    size_t n = (size_t)sample->the_case->size[1], depth = (size_t)sample->the_case->size[2];
    float sum = 0;
    for (size_t step = 0; step < depth; step++) {
        size_t k = order == 1 ? depth - 1 - step : step;
        float a = sample->data.array[0].f[row * depth + k], b = sample->data.array[1].f[k * n + column];
        sum = order == 2 ? fmaf(a, b, sum) : sum + a * b;
    }
    return sum;
}

static void matmul_accepts_every_order_and_rejects_a_lost_product(void)
{
    for (int c = 0; c < labs_find("05_matmul_tiled")->case_count; c++) {
        const struct lab_case *the_case = &labs_find("05_matmul_tiled")->cases[c];
        size_t m = (size_t)the_case->size[0], n = (size_t)the_case->size[1], depth = (size_t)the_case->size[2];
        struct sample sample;
        if (the_case->budget) {
            continue; /* the sizes above it say the same in less time */
        }
        sample_init(&sample, labs_find("05_matmul_tiled"), the_case, 0, 0, m * n);
        CU_ASSERT_EQUAL(sample.expected.columns, n);
        float *got = malloc(m * n * sizeof *got);
        for (int order = 0; order < 3; order++) {
            for (size_t i = 0; i < m * n; i++) {
                got[i] = matmul_element(&sample, i / n, i % n, order);
            }
            CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
        }
        size_t rejected = 0, telling = 0, possible = 0;
        for (size_t i = 0; i < m * n; i++) {
            float lost = sample.data.array[0].f[i / n * depth] * sample.data.array[1].f[i % n];
            bool tells = isfinite(got[i]) && fabs((double)lost) > 2.01 * sample.expected.bound[i];
            got[i] -= tells ? lost : 0;
            telling += tells;
            possible += isfinite(got[i]) && lost != 0;
            rejected += tells && !compare_element(&sample.expected, got, i);
        }
        CU_ASSERT_EQUAL(rejected, telling);
        CU_ASSERT(telling >= possible * 9 / 10);
        free(got);
        sample_clear(&sample);
    }
}

/* By tiles or row by row: every sum is that of a plain loop, bit by bit. */
static void matmul_reference_adds_in_the_order_of_k(void)
{
    static const char *const names[] = {"32 x 32 x 32, identity", "37 x 53 x 71", "160 x 192 x 128"};
    for (size_t c = 0; c < SUPPORT_COUNT(names); c++) {
        const struct lab_case *the_case = find_case(labs_find("05_matmul_tiled"), names[c]);
        size_t m = (size_t)the_case->size[0], n = (size_t)the_case->size[1], depth = (size_t)the_case->size[2], same = 0;
        struct sample sample;
        sample_init(&sample, labs_find("05_matmul_tiled"), the_case, 0, 0, m * n);
        for (size_t i = 0; i < m * n; i++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++)
                sum += (double)sample.data.array[0].f[i / n * depth + k] * (double)sample.data.array[1].f[k * n + i % n];
            same += sum == sample.expected.f[i];
        }
        CU_ASSERT_EQUAL(same, m * n);
        sample_clear(&sample);
    }
}

static void matmul_special_values_reach_one_row_or_one_column_each(void)
{
    struct sample sample;
    sample_init(&sample, labs_find("05_matmul_tiled"),
                find_case(labs_find("05_matmul_tiled"), "20 x 36 x 24, special "
                                                        "values"),
                0, 0, 20 * 36);
    int nan = 0, infinite = 0;
    for (size_t i = 0; i < 20 * 36; i++) {
        nan += isnan(sample.expected.f[i]) != 0;
        infinite += isinf(sample.expected.f[i]) != 0;
        CU_ASSERT(!isnan(sample.expected.bound[i]));
    }
    /* Two rows and three columns, one of these NaN; where infinities meet, either sign may come out, or NaN. */
    CU_ASSERT_EQUAL(nan + infinite, 2 * 36 + 3 * 20 - 2 * 3);
    CU_ASSERT(nan >= 20 && nan <= 20 + 2 * 2);
    sample_clear(&sample);
}

static void histogram_reference_counts_each_value(void)
{
    for (int c = 0; c < labs_find("06_histogram")->case_count; c++) {
        struct sample sample;
        sample_init(&sample, labs_find("06_histogram"), &labs_find("06_histogram")->cases[c], 0, 0, 256);
        for (int bin = 0; bin < 256; bin++) {
            int32_t count = 0;
            for (size_t i = 0; i < sample.data.count[0]; i++) {
                count += sample.data.array[0].i[i] == bin;
            }
            CU_ASSERT_EQUAL_FATAL(count, sample.expected.i[bin]);
        }
        sample_clear(&sample);
    }
}

static void histogram_cases_are_as_skewed_as_they_say(void)
{
    struct sample sample;
    int64_t largest = 0, full = 0;
    sample_init(&sample, labs_find("06_histogram"), find_case(labs_find("06_histogram"), "n = 100003, skewed"), 0, 0, 256);
    for (int bin = 0; bin < 256; bin++) {
        largest = sample.expected.i[bin] > largest ? sample.expected.i[bin] : largest;
        full += sample.expected.i[bin] > 0;
    }
    CU_ASSERT(largest > 100003 * 9 / 10 && full == 256);
    sample_clear(&sample);
    sample_init(&sample, labs_find("06_histogram"), find_case(labs_find("06_histogram"), "n = 10000, all equal"), 0, 0, 256);
    CU_ASSERT_EQUAL(sample.expected.i[sample.data.array[0].i[0]], 10000);
    sample_clear(&sample);
}

static void rules_say_how_the_bound_came_about(void)
{
    for (size_t k = 0; k < (size_t)labs_count(); k++) {
        const struct lab_case *the_case =
            &labs_get((int)k)->cases[2]; /* one in which all outputs of the first plan are looked at */
        for (int output = 0; output < labs_get((int)k)->output_count; output++) {
            struct sample sample;
            size_t count = labs_get((int)k)->outputs[output].scalar
                               ? 1
                               : labs_get((int)k)->extent(labs_get((int)k), the_case,
                                                          labs_get((int)k)->outputs[output].array);
            sample_init(&sample, labs_get((int)k), the_case, 0, output, count);
            CU_ASSERT(sample.expected.rule && strlen(sample.expected.rule) > 10);
            CU_ASSERT_EQUAL(!sample.expected.bound, strncmp(sample.expected.rule, "only the exact", 14) == 0);
            sample_clear(&sample);
        }
    }
}

/* Steps 1, 2, 4 and 8 have run on 33 numbers: sums of 16 at 0 and 16, and the last one by itself. */
static void pi_expects_sums_of_the_graders_numbers(void)
{
    enum { NUMBERS = 1, SUM = 2, STEP = 3 };
    struct sample sample;
    const struct lab_case *the_case = find_case(labs_find("03_pi"), "n = 33");
    sample_init(&sample, labs_find("03_pi"), the_case, 0, STEP, 33);
    const float *numbers = sample.data.array[NUMBERS].f;
    for (int k = 0; k < 33; k++) {
        double sum = 0;
        for (int i = k; i < k + 16 && i < 33; i++) {
            sum += (double)numbers[i];
        }
        CU_ASSERT_EQUAL(sample.bound[k] == LAB_NOT_COMPARED, k % 16 != 0);
        CU_ASSERT(k % 16 != 0 || (fabs(sample.expected.f[k] - sum) < 1e-9 && sample.bound[k] < 1e-4));
    }
    sample_clear(&sample);
    double sums[2] = {0, 0};
    for (int plan = 0; plan < 2; plan++) {
        sample_init(&sample, labs_find("03_pi"), the_case, plan, SUM, 1);
        numbers = sample.data.array[NUMBERS].f;
        for (int i = 0; i < (plan == 0 ? 33 : 1); i++) { /* 33 elements are one block: one partial sum */
            sums[plan] += (double)numbers[i];
        }
        CU_ASSERT(fabs(sample.expected.f[0] - sums[plan]) < 1e-9);
        sample_clear(&sample);
    }
}

/* After scan_blocks: each block's piece of 256 by itself, and its total. */
static void scan_expects_what_scan_blocks_leaves(void)
{
    enum { PIECES = 1, TOTALS };
    struct sample sample;
    const struct lab_case *the_case = find_case(labs_find("04_scan"), "n = 257");
    sample_init(&sample, labs_find("04_scan"), the_case, 0, PIECES, 257);
    CU_ASSERT_EQUAL(sample.expected.i[256], sample.data.array[0].i[256]);
    int32_t total = sample.expected.i[255];
    sample_clear(&sample);
    sample_init(&sample, labs_find("04_scan"), the_case, 0, TOTALS, 2);
    CU_ASSERT_EQUAL(sample.expected.i[0], total);
    CU_ASSERT_EQUAL(sample.expected.i[1], sample.data.array[0].i[256]);
    sample_clear(&sample);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(names_stand_for_folders_in_order),
    SUPPORT_TEST(cases_have_unique_names_and_a_purpose_each),
    SUPPORT_TEST(required_sizes_are_among_the_cases),
    SUPPORT_TEST(matrices_are_rectangular_ragged_and_degenerate),
    SUPPORT_TEST(points_of_each_lab_add_up_to_100),
    SUPPORT_TEST(plans_name_kernels_that_exist),
    SUPPORT_TEST(arrays_and_outputs_are_within_limits),
    SUPPORT_TEST(budgets_are_well_formed),
    SUPPORT_TEST(ideal_traffic_is_as_counted_by_hand),
    SUPPORT_TEST(ideal_requests_of_pi_are_as_counted_by_hand),
    SUPPORT_TEST(ideal_of_matmul_is_exact_for_ragged_sizes),
    SUPPORT_TEST(doublify_reference_is_the_sum_of_each_with_itself),
    SUPPORT_TEST(vector_add_reference_is_the_rounded_double_sum),
    SUPPORT_TEST(pi_accepts_float_and_double_mappers_and_rejects_midpoints),
    SUPPORT_TEST(pi_accepts_the_tree_and_rejects_one_float_accumulator),
    SUPPORT_TEST(scan_reference_is_the_sum_of_all_before),
    SUPPORT_TEST(scan_cases_pass_two_to_the_24_and_wrap_two_to_the_31),
    SUPPORT_TEST(matmul_accepts_every_order_and_rejects_a_lost_product),
    SUPPORT_TEST(matmul_reference_adds_in_the_order_of_k),
    SUPPORT_TEST(matmul_special_values_reach_one_row_or_one_column_each),
    SUPPORT_TEST(histogram_reference_counts_each_value),
    SUPPORT_TEST(histogram_cases_are_as_skewed_as_they_say),
    SUPPORT_TEST(rules_say_how_the_bound_came_about),
    SUPPORT_TEST(pi_expects_sums_of_the_graders_numbers),
    SUPPORT_TEST(scan_expects_what_scan_blocks_leaves),
};

int labs_suite_register(void)
{
    return support_register("labs", tests, SUPPORT_COUNT(tests));
}
