/* The labs' descriptions: complete, consistent, and their references right by another way of computing. */
#include "tests/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/arrays.h"
#include "grader/lab/compare.h"
#include "grader/lab/lab.h"
#include "grader/lab/labs.h"
#include "grader/lab/program.h"
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

/* What the reference makes of the inputs without their signs, from which the rules for sums get their bounds. */
static double *sum_of_absolutes(const struct sample *sample, int plan, int output)
{
    const struct lab *lab = sample->lab;
    struct lab_data absolute = sample->data;
    struct lab_expected sum = sample->expected;
    sum.f = malloc(sum.count * sizeof *sum.f);
    sum.bound = malloc(sum.count * sizeof *sum.bound);
    for (int i = 0; i < lab->array_count; i++) {
        enum lab_type type = lab->arrays[i].type;
        CU_ASSERT_TRUE_FATAL(types_is_float(type));
        absolute.array[i].bytes = malloc(absolute.count[i] * types_get(type)->bytes);
        for (size_t k = 0; k < absolute.count[i]; k++) {
            double value = types_get_float(type, sample->data.array[i].bytes, k);
            types_set_float(type, absolute.array[i].bytes, k, fabs(value));
        }
    }
    for (int i = 0; i < lab->scalar_count; i++) {
        absolute.scalar[i].f = fabs(absolute.scalar[i].f);
    }
    lab->reference(lab, sample->the_case, plan, output, &absolute, &sum);
    for (int i = 0; i < lab->array_count; i++) {
        free(absolute.array[i].bytes);
    }
    free(sum.bound);
    return sum.f;
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
    const struct lab_tolerance *tolerance = &lab->outputs[output].tolerance;
    bool adds = tolerance->kind == LAB_SUM || tolerance->kind == LAB_MATRIX_SUM;
    double *absolutes = adds ? sum_of_absolutes(sample, plan, output) : NULL;
    int64_t terms = absolutes ? tolerance->terms(lab, the_case, plan, output) : 0;
    tolerance_apply(tolerance, terms, absolutes, &sample->expected, sample->rule, sizeof sample->rule);
    free(absolutes);
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
        CU_ASSERT_EQUAL((size_t)labs_get((int)k)->number, k + 1); /* all are on the map */
        CU_ASSERT(labs_get((int)k)->needs && labs_get((int)k)->teaches);
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
    CU_ASSERT(has_size(labs_find("vector_add"), (1 << 24) + 11));
    CU_ASSERT(has_size(labs_find("pi"), 65537));
    CU_ASSERT(has_size(labs_find("scan"), 65537));
    CU_ASSERT(has_size(labs_find("doublify"), 1009));
    CU_ASSERT(has_size(labs_find("pi"), 4093));
}

static void matrices_are_rectangular_ragged_and_degenerate(void)
{
    int ragged[3] = {0}, ones[3] = {0}, oblong = 0;
    for (int i = 0; i < labs_find("matmul_tiled")->case_count; i++) {
        const int64_t *size = labs_find("matmul_tiled")->cases[i].size;
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
        for (int i = 0; labs_get((int)k)->program && i < labs_get((int)k)->program->rule_count; i++) {
            points += labs_get((int)k)->program->rules[i].points;
            CU_ASSERT(labs_get((int)k)->program->rules[i].points > 0);
        }
        CU_ASSERT_EQUAL(points, 100);
        CU_ASSERT(labs_get((int)k)->points >= labs_get((int)k)->case_count);
    }
}

static void plans_name_kernels_that_exist(void)
{
    for (size_t k = 0; k < (size_t)labs_count(); k++) {
        const struct lab *lab = labs_get((int)k);
        bool used[LAB_MAX_ALL_KERNELS] = {false};
        CU_ASSERT_FATAL(lab->plan_count >= 1 && lab->kernel_count >= 1 && lab->kernel_count <= LAB_MAX_ALL_KERNELS);
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
            bool is_row = kernel->block[1] == 1 && kernel->block[2] == 1, is_square = kernel->block[0] == kernel->block[1];
            CU_ASSERT(kernel->dimensions == 1 || (kernel->dimensions == 2 && (is_square || is_row)));
            CU_ASSERT_EQUAL(kernel->block[0] * kernel->block[1] * kernel->block[2] % 32, 0);
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
        if (lab->program) { /* no kernel of it is timed by itself */
            continue;
        }
        CU_ASSERT(lab->extent(lab, &lab->timing_case, 0) > 0);
        double bytes = -1, operations = -1;
        lab->work(lab, &lab->timing_case, &bytes, &operations);
        CU_ASSERT(bytes >= 0 && operations >= 0 && bytes + operations > 0);
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
        CU_ASSERT(labs_get((int)k)->program || labs_get((int)k)->budget_count >= 2);
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
    CU_ASSERT_EQUAL(ideal(labs_find("doublify"), "global_sectors", 1000, 0, 0, 0), 250);
    CU_ASSERT_EQUAL(ideal(labs_find("doublify"), "global_sectors", 1001, 0, 0, 0), 252);
    /* counters.md's c[i] = a[i] + b[i] at n = 65536: 16384 sectors loaded, 8192 stored. */
    CU_ASSERT_EQUAL(ideal(labs_find("vector_add"), "global_sectors", 65536, 0, 0, 0), 16384 + 8192);
    /* 3 x 11 pixels: 99 bytes in colour, 33 in grey. */
    CU_ASSERT_EQUAL(ideal(labs_find("grey"), "global_load_sectors", 3, 11, 0, 0), 4);
    CU_ASSERT_EQUAL(ideal(labs_find("grey"), "global_store_sectors", 3, 11, 0, 0), 2);
    /* Two arrays in, one out; half of the 2000 elements for each of two blocks. */
    CU_ASSERT_EQUAL(ideal(labs_find("saxpy"), "global_sectors", 1000, 2, 0, 0), 3 * 125);
    /* 1000 samples of 4 bytes in, and 125 sectors each way */
    CU_ASSERT_EQUAL(ideal(labs_find("async_copies"), "async_copy_bytes", 1000, 0, 0, 0), 4000);
    CU_ASSERT_EQUAL(ideal(labs_find("async_copies"), "async_exposed_bytes", 1000, 0, 0, 0), 1000);
    CU_ASSERT_EQUAL(ideal(labs_find("async_copies"), "global_sectors", 1000, 0, 0, 0), 2 * 125);
    CU_ASSERT_EQUAL(ideal(labs_find("saxpy"), "busiest_block_loads", 1000, 2, 0, 0), 1000);
    CU_ASSERT_EQUAL(ideal(labs_find("scan"), "global_sectors", 1000, 0, 0, 0), 500);
    /* 4 blocks: 20 words of scratch are 3 sectors to clear, and 17 sectors each. */
    CU_ASSERT_EQUAL(ideal(labs_find("scan"), "global_sectors", 1000, 0, 0, 1), 250 + 3 + 4 * 17);
    CU_ASSERT_EQUAL(ideal(labs_find("histogram"), "global_load_sectors", 100003, 0, 0, 0), 12501);
    /* Read twice, and 5/16 of 1000, 312.5 elements, in 40 sectors. */
    CU_ASSERT_EQUAL(ideal(labs_find("compaction"), "global_sectors", 1000, 5, 0, 0), 2 * 125 + 40);
    /* Two passes: 125 sectors of keys, 16 counts of 4 blocks in sectors of their own, 64 starts in 8 sectors. */
    CU_ASSERT_EQUAL(ideal(labs_find("radix_sort"), "global_store_sectors", 1000, 8, 0, 0), 2 * (125 + 64 + 8));
    /* One pass and one tile: 1280 words to clear, the keys, and 256 words twice. */
    CU_ASSERT_EQUAL(ideal(labs_find("radix_sort"), "global_store_sectors", 1000, 8, 0, 1), 160 + 125 + 2 * 32);
    /* 1000 elements are 125 sectors; 4 blocks, with a sector of halo on each side. */
    /* 4 blocks: 7 times 125 sectors, and one a block. */
    CU_ASSERT_EQUAL(ideal(labs_find("broken"), "global_sectors", 1000, 0, 0, 0), 7 * 125 + 4);
    /* 4 blocks of 8 warps: 9 barriers of the tree and one of dot. */
    CU_ASSERT_EQUAL(ideal(labs_find("block_sum"), "barriers", 1000, 0, 0, 0), 4 * 8 * 10);
    CU_ASSERT_EQUAL(ideal(labs_find("stencil"), "global_load_sectors", 1000, 0, 0, 0), 125 + 8);
    /* A tile of 32 x 32: 32 rows of 4 sectors in and out; 32 warps store a row and load a column, a pass each. */
    CU_ASSERT_EQUAL(ideal(labs_find("transpose"), "global_sectors", 32, 32, 0, 0), 2 * 32 * 4);
    CU_ASSERT_EQUAL(ideal(labs_find("transpose"), "shared_wavefronts", 32, 32, 0, 0), 32 + 32);
    /* 20 x 20 pixels, a pixel a lane: 12.5 warps; 3 x 2 such tiles. */
    CU_ASSERT_EQUAL(ideal(labs_find("blur"), "global_load_requests", 33, 32, 0, 0), 3 * 2 * 13);
}

/* n = 8: 4, 2 and 1 pairs, one warp each. n = 1000: 500, 250, 125, 62, 31, 16, 8, 4, 2, 1 pairs are 16 + 8 + 4 + 2 + 6
 * warps. */
static void ideal_requests_of_pi_are_as_counted_by_hand(void)
{
    CU_ASSERT_EQUAL(ideal(labs_find("pi"), "global_read_requests", 8, 0, 0, 0), 6);
    CU_ASSERT_EQUAL(ideal(labs_find("pi"), "global_read_requests", 1000, 0, 0, 0), 72);
    CU_ASSERT_EQUAL(ideal(labs_find("pi"), "global_read_requests", 1000, 0, 0, 1), 1);
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
    CU_ASSERT_EQUAL(ideal(labs_find("matmul_tiled"), "global_load_sectors", 256, 256, 256, 0), 262144);
    CU_ASSERT_EQUAL(ideal(labs_find("matmul_tiled"), "global_load_sectors", 160, 192, 128, 0),
                    160.0 * 192 * 128 / 16 * 2 / 8);
    CU_ASSERT_EQUAL(ideal(labs_find("matmul_tiled"), "shared_wavefronts", 256, 256, 256, 0), 1048576 + 65536);
    for (int c = 0; c < labs_find("matmul_tiled")->case_count; c++) {
        const int64_t *size = labs_find("matmul_tiled")->cases[c].size;
        int64_t sectors = 0;
        for (int64_t row = 0; row < size[0]; row += 16) {
            for (int64_t column = 0; column < size[1]; column += 16) {
                for (int64_t k = 0; k < size[2]; k += 16) {
                    sectors += sectors_lane_by_lane(size[0], size[2], row, k);
                    sectors += sectors_lane_by_lane(size[2], size[1], k, column);
                }
            }
        }
        CU_ASSERT_EQUAL(ideal(labs_find("matmul_tiled"), "global_load_sectors", size[0], size[1], size[2], 0),
                        (double)sectors);
    }
}

/* ---- references ----------------------------------------------------------------------------------------------------- */

static void doublify_reference_is_the_sum_of_each_with_itself(void)
{
    struct sample sample;
    sample_init(&sample, labs_find("doublify"), find_case(labs_find("doublify"), "n = 1009, special values"), 0, 0, 1009);
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
static void vector_add_references_are_the_rounded_double_sum(void)
{
    static const char *const names[] = {"vector_add", "host_program"};
    for (size_t k = 0; k < SUPPORT_COUNT(names); k++) {
        const struct lab *lab = labs_find(names[k]);
        for (int c = 0; c < lab->case_count; c++) {
            size_t n = (size_t)lab->cases[c].size[0];
            if (n > 2000) {
                continue;
            }
            struct sample sample;
            sample_init(&sample, lab, &lab->cases[c], 0, 0, n);
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
}

/* What crosses the bus for 1000 elements: both inputs there, the sums back. */
static void needs_of_programs_are_as_counted_by_hand(void)
{
    static const struct {
        const char *lab;
        enum lab_rule_kind kind;
        double ideal;
    } needs[] = {
        {"host_program", LAB_RULE_to_device, 8000}, {"host_program", LAB_RULE_to_host, 4000},
        {"host_program", LAB_RULE_threads, 1000},   {"streams", LAB_RULE_to_device, 4000},
        {"streams", LAB_RULE_to_host, 4000},        {"streams", LAB_RULE_threads, 1000},
        {"streams", LAB_RULE_launches, 8},          {"streams", LAB_RULE_elapsed, 4000 / 55e3},
    };
    for (size_t k = 0; k < SUPPORT_COUNT(needs); k++) {
        const struct lab *lab = labs_find(needs[k].lab);
        bool found = false;
        CU_ASSERT_PTR_NOT_NULL_FATAL(lab->program);
        for (int i = 0; i < lab->program->rule_count; i++) {
            const struct lab_rule *rule = &lab->program->rules[i];
            if (rule->kind == needs[k].kind) {
                double ideal = rule->ideal(lab, rule, &(struct lab_case){.size = {1000}});
                CU_ASSERT_DOUBLE_EQUAL(ideal, needs[k].ideal, 1e-12);
                found = true;
            }
        }
        CU_ASSERT(found);
    }
}

/* All halvings in a row at once, in 64 bits. */
static void streams_reference_counts_halvings_and_triplings(void)
{
    const struct lab *lab = labs_find("streams");
    for (int c = 0; c < lab->case_count; c++) {
        struct sample sample;
        size_t n = (size_t)lab->cases[c].size[0];
        sample_init(&sample, lab, &lab->cases[c], 0, 0, n);
        for (size_t i = 0; i < n; i++) {
            uint64_t x = (uint64_t)sample.data.array[0].i[i];
            int32_t halvings = 0, triples = 0;
            for (; x != 1; x = (3 * x + 1) >> 1, triples++, halvings++) {
                int zeros = __builtin_ctzll(x);
                halvings += zeros;
                x >>= zeros;
                if (x == 1)
                    break;
            }
            CU_ASSERT_EQUAL_FATAL(sample.expected.i[i], halvings + triples);
            CU_ASSERT_FATAL(halvings + triples < 1000);
        }
        sample_clear(&sample);
    }
}

/* By parts of 256: the remainders of the three products are added by themselves. */
static void grey_reference_weighs_three_bytes_of_each_pixel(void)
{
    for (int c = 0; c < labs_find("grey")->case_count; c++) {
        const struct lab_case *the_case = &labs_find("grey")->cases[c];
        size_t height = (size_t)the_case->size[0], width = (size_t)the_case->size[1], pitch = (3 * width + 31) / 32 * 32;
        struct sample sample;
        sample_init(&sample, labs_find("grey"), the_case, 0, 0, height * width);
        CU_ASSERT_EQUAL_FATAL(sample.data.count[0], height * pitch);
        const uint8_t *colour = sample.data.array[0].bytes;
        for (size_t i = 0; i < height * width; i++) {
            unsigned whole = 0, remainder = 0;
            for (size_t channel = 0; channel < 3; channel++) {
                static const unsigned weights[] = {77, 150, 29};
                unsigned product = weights[channel] * colour[i / width * pitch + i % width * 3 + channel];
                whole += product >> 8;
                remainder += product & 255;
            }
            CU_ASSERT_EQUAL_FATAL(sample.expected.i[i], whole + (remainder >> 8));
        }
        sample_clear(&sample);
    }
    struct sample white;
    sample_init(&white, labs_find("grey"), find_case(labs_find("grey"), "40 x 24, white"), 0, 0, 40 * 24);
    CU_ASSERT(white.expected.i[0] == 255 && white.expected.i[40 * 24 - 1] == 255);
    sample_clear(&white);
}

static float map_float(int64_t i, int64_t n)
{
    float x = (float)i / (float)n;
    return 4.0f / (1.0f + x * x);
}

/* Product and sum may be rounded once or twice; what is further off than that is wrong. */
static void saxpy_accepts_one_rounding_and_two_and_rejects_more(void)
{
    const struct lab *lab = labs_find("saxpy");
    for (int c = 0; c < lab->case_count; c++) {
        struct sample sample;
        size_t n = (size_t)lab->cases[c].size[0], finite = n;
        sample_init(&sample, lab, &lab->cases[c], 0, 0, n);
        const float *x = sample.data.array[0].f, *y = sample.data.array[1].f;
        float a = (float)sample.data.scalar[0].f, *once = calloc(n, sizeof *once), *twice = calloc(n, sizeof *twice);
        for (size_t i = 0; i < n; i++) {
            volatile float product = a * x[i];
            once[i] = fmaf(a, x[i], y[i]);
            twice[i] = product + y[i];
            finite = isfinite(once[i]) && fabsf(y[i]) > 0x1p-100f ? i : finite;
        }
        CU_ASSERT_EQUAL(count_bad(&sample, once), 0);
        CU_ASSERT_EQUAL(count_bad(&sample, twice), 0);
        CU_ASSERT_NOT_EQUAL_FATAL(finite, n);
        once[finite] += 0x1p-20f * (fabsf(a * x[finite]) + fabsf(y[finite]));
        CU_ASSERT_EQUAL(count_bad(&sample, once), 1);
        free(once);
        free(twice);
        sample_clear(&sample);
    }
}

static void pi_accepts_float_and_double_mappers_and_rejects_midpoints(void)
{
    struct sample sample;
    sample_init(&sample, labs_find("pi"), find_case(labs_find("pi"), "n = 65537"), 0, 0, 65537);
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
    for (int c = 0; c < labs_find("pi")->case_count; c++) {
        int64_t n = labs_find("pi")->cases[c].size[0];
        struct sample tree, fused;
        sample_init(&tree, labs_find("pi"), &labs_find("pi")->cases[c], 0, 1, 1);
        sample_init(&fused, labs_find("pi"), &labs_find("pi")->cases[c], 1, 1, 1);
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

/* Sums of 16 products in float, forwards or backwards, with fused operations or without; `count` of the products. */
static void filter_in_float(const struct lab_data *data, float *out, size_t n, int count, bool backwards, bool fused)
{
    const float *in = data->array[0].f, *weights = data->array[1].f;
    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (int k = 0; k < count; k++) {
            int at = backwards ? count - 1 - k : k;
            out[i] = fused ? fmaf(weights[at], in[i + (size_t)at], out[i]) : out[i] + weights[at] * in[i + (size_t)at];
        }
    }
}

static void filter_accepts_every_order_and_rejects_a_lost_product(void)
{
    const struct lab *lab = labs_find("async_copies");
    for (int c = 0; c < lab->case_count; c++) {
        size_t n = (size_t)lab->cases[c].size[0];
        struct sample sample;
        sample_init(&sample, lab, &lab->cases[c], 0, 0, n);
        float *got = malloc(n * sizeof *got);
        for (int order = 0; order < 4; order++) {
            filter_in_float(&sample.data, got, n, 16, order & 1, order & 2);
            CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
        }
        filter_in_float(&sample.data, got, n, 15, false, true);
        bool impulse = strstr(lab->cases[c].name, "impulse") != NULL; /* then the product of one result is not 0 */
        CU_ASSERT(count_bad(&sample, got) >= (impulse || n == 1 ? 1 : n - n / 20)); /* a fraction may be next to 0 */
        free(got);
        sample_clear(&sample);
    }
}

/* One row in float, as threads of a block would: `threads` pairs of a maximum and a sum, joined one after the other, and the
 * results with `leave_out` columns at the end of the row missing from the sum. */
static void softmax_row(const float *numbers, float *results, size_t columns, size_t threads, size_t leave_out)
{
    float maximum = -FLT_MAX, sum = 0;
    for (size_t t = 0; t < threads; t++) {
        float m = -FLT_MAX, s = 0;
        for (size_t c = t; c < columns - leave_out; c += threads) {
            float larger = fmaxf(m, numbers[c]);
            s = s * expf(m - larger) + expf(numbers[c] - larger);
            m = larger;
        }
        float larger = fmaxf(maximum, m);
        sum = sum * expf(maximum - larger) + s * expf(m - larger);
        maximum = larger;
    }
    for (size_t c = 0; c < columns; c++)
        results[c] = expf(numbers[c] - maximum) / sum;
}

static void softmax_accepts_every_order_and_rejects_a_lost_column(void)
{
    const struct lab *lab = labs_find("softmax");
    for (int c = 0; c < lab->case_count; c++) {
        size_t rows = (size_t)lab->cases[c].size[0], columns = (size_t)lab->cases[c].size[1];
        struct sample sample;
        sample_init(&sample, lab, &lab->cases[c], 0, 0, rows * columns);
        float *got = malloc(rows * columns * sizeof *got);
        const size_t threads[] = {1, 32, 256};
        for (int k = 0; k < 3; k++) {
            for (size_t row = 0; row < rows; row++)
                softmax_row(sample.data.array[0].f + row * columns, got + row * columns, columns, threads[k], 0);
            CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
        }
        if (columns > 1 && columns < 2000) {
            for (size_t row = 0; row < rows; row++)
                softmax_row(sample.data.array[0].f + row * columns, got + row * columns, columns, 256, 1);
            CU_ASSERT(count_bad(&sample, got) > 0);
        }
        for (size_t row = 0; row < rows; row++) {
            double sum = 0;
            for (size_t k = 0; k < columns; k++)
                sum += sample.expected.f[row * columns + k];
            CU_ASSERT_DOUBLE_EQUAL(sum, 1, 1e-12);
        }
        free(got);
        sample_clear(&sample);
    }
    /* Two passes over 40 rows of 125 sectors, and one to write them. */
    CU_ASSERT_EQUAL(ideal(lab, "global_sectors", 40, 1000, 0, 0), 15000);
}

/* Results of one query in float, `piece` keys at a time and from the last key to the first: another order than the kernels'.
 * lost: a key without weight, or `count`. Returns the key with the largest score. */
static size_t attend(const float *query, const float *keys, const float *values, float *results, size_t count, size_t piece,
                     size_t lost)
{
    float maximum = -FLT_MAX, sum = 0, sums[64] = {0};
    size_t best = 0;
    for (size_t left = count; left > 0;) {
        size_t here = left < piece ? left : piece;
        float scores[64], larger = maximum;
        for (size_t j = 0; j < here; j++) {
            const float *key = keys + (left - 1 - j) * 64;
            float dot = 0;
            for (int d = 63; d >= 0; d--)
                dot = fmaf(query[d], key[d], dot);
            scores[j] = left - 1 - j == lost ? -INFINITY : dot * 0.125f;
            best = scores[j] > larger ? left - 1 - j : best;
            larger = fmaxf(larger, scores[j]);
        }
        float factor = expf(maximum - larger);
        maximum = larger;
        sum *= factor;
        for (int d = 0; d < 64; d++)
            sums[d] *= factor;
        for (size_t j = 0; j < here; j++) {
            float weight = exp2f((scores[j] - maximum) * 1.44269504f);
            sum += weight;
            for (int d = 0; d < 64; d++)
                sums[d] += weight * values[(left - 1 - j) * 64 + (size_t)d];
        }
        left -= here;
    }
    for (int d = 0; d < 64; d++)
        results[d] = sums[d] / sum;
    return best;
}

static void attention_accepts_every_order_and_rejects_a_lost_key(void)
{
    const struct lab *lab = labs_find("attention");
    for (int c = 0; c < lab->case_count; c++) {
        size_t queries = (size_t)lab->cases[c].size[0], keys = (size_t)lab->cases[c].size[1];
        struct sample sample;
        sample_init(&sample, lab, &lab->cases[c], 0, 0, queries * 64);
        const float *q = sample.data.array[0].f, *k = sample.data.array[1].f, *v = sample.data.array[2].f;
        float *got = malloc(queries * 64 * sizeof *got);
        const size_t pieces[] = {1, 7, 64};
        for (int p = 0; p < 3; p++) {
            for (size_t i = 0; i < queries; i++)
                attend(q + i * 64, k, v, got + i * 64, keys, pieces[p], keys);
            CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
        }
        if (keys > 1) {
            for (size_t i = 0; i < queries; i++) {
                size_t best = attend(q + i * 64, k, v, got + i * 64, keys, 4, keys);
                attend(q + i * 64, k, v, got + i * 64, keys, 4, best);
            }
            CU_ASSERT(count_bad(&sample, got) > 0);
        }
        free(got);
        sample_clear(&sample);
    }
    /* Two blocks read 128 keys and 128 values, 16 sectors for each pair; a query and its result are another 16. */
    CU_ASSERT_EQUAL(ideal(lab, "global_sectors", 128, 128, 0, 0), 2 * 128 * 16 + 128 * 16);
}

/* y = A x as 32 lanes would compute each row: lane l has the entries l, l + 32, ..., and the lanes join in pairs. `leave_out` entries
 * of each row are missing at its end. */
static void spmv_by_lanes(const struct sample *sample, float *y, int32_t leave_out)
{
    const int32_t *starts = sample->data.array[0].i, *columns = sample->data.array[1].i;
    for (int64_t row = 0; row < sample->the_case->size[0]; row++) {
        float lanes[32] = {0};
        for (int32_t k = starts[row]; k < starts[row + 1] - leave_out; k++)
            lanes[(k - starts[row]) % 32] += sample->data.array[2].f[k] * sample->data.array[3].f[columns[k]];
        for (int distance = 16; distance > 0; distance /= 2)
            for (int l = 0; l < distance; l++)
                lanes[l] += lanes[l + distance];
        y[row] = lanes[0];
    }
}

static void spmv_accepts_every_order_and_rejects_a_lost_entry(void)
{
    const struct lab *lab = labs_find("spmv");
    for (int c = 0; c < lab->case_count; c++) {
        size_t rows = (size_t)lab->cases[c].size[0];
        struct sample sample;
        sample_init(&sample, lab, &lab->cases[c], 0, 0, rows);
        float *y = malloc(rows * sizeof *y);
        spmv_by_lanes(&sample, y, 0);
        CU_ASSERT_EQUAL(count_bad(&sample, y), 0);
        spmv_by_lanes(&sample, y, 1);
        size_t filled = 0, long_rows = 0;
        for (size_t row = 0; row < rows; row++) {
            int32_t length = sample.data.array[0].i[row + 1] - sample.data.array[0].i[row];
            filled += length > 0;
            long_rows += length > 2000; /* of so many products, a last one may be too small to be missed */
        }
        CU_ASSERT(count_bad(&sample, y) >= filled - long_rows);
        for (size_t row = 0; row < rows; row++) /* by columns, and from the other end */
            y[row] = 0;
        for (int64_t column = lab->cases[c].size[1] - 1; column >= 0 && rows < 500; column--)
            for (size_t row = 0; row < rows; row++)
                for (int32_t k = sample.data.array[0].i[row]; k < sample.data.array[0].i[row + 1]; k++)
                    if (sample.data.array[1].i[k] == column)
                        y[row] += sample.data.array[2].f[k] * sample.data.array[3].f[column];
        CU_ASSERT(rows >= 500 || count_bad(&sample, y) == 0);
        free(y);
        sample_clear(&sample);
    }
}

/* A float solver of conjugate_gradients on the host. `from_behind`: adds up in the other order. `factor`: of the old direction, 1 times
 * what it should be, or something else. */
static void solve_in_float(const struct sample *sample, bool from_behind, float factor, float *x, float *history)
{
    const int32_t *columns = sample->data.array[0].i;
    const float *values = sample->data.array[1].f;
    size_t rows = (size_t)(sample->the_case->size[0] * sample->the_case->size[1]);
    float *r = malloc(rows * sizeof *r), *p = malloc(rows * sizeof *p), *q = malloc(rows * sizeof *q);
    memcpy(r, sample->data.array[3].f, rows * sizeof *r);
    memcpy(p, r, rows * sizeof *p);
    memset(x, 0, rows * sizeof *x);
    history[0] = sample->data.array[5].f[0];
    for (int64_t k = 0; k < sample->the_case->size[2]; k++) {
        float pq = 0, rr = 0;
        for (size_t i = 0; i < rows; i++) {
            size_t row = from_behind ? rows - 1 - i : i;
            q[row] = 0;
            for (size_t e = 0; e < 5; e++)
                q[row] += values[e * rows + row] * p[columns[e * rows + row]];
            pq += p[row] * q[row];
        }
        for (size_t i = 0; i < rows; i++) {
            size_t row = from_behind ? rows - 1 - i : i;
            x[row] += history[k] / pq * p[row];
            r[row] -= history[k] / pq * q[row];
            rr += r[row] * r[row];
        }
        history[k + 1] = rr;
        for (size_t i = 0; i < rows; i++)
            p[i] = r[i] + factor * (rr / history[k]) * p[i];
    }
    free(r), free(p), free(q);
}

static void conjugate_gradients_accepts_every_order_and_rejects_another_direction(void)
{
    enum { X = 5, HISTORY = 6 };
    const struct lab *lab = labs_find("conjugate_gradients");
    for (int c = 0; c < lab->case_count; c++) {
        size_t rows = (size_t)(lab->cases[c].size[0] * lab->cases[c].size[1]), iterations = (size_t)lab->cases[c].size[2];
        float *x = malloc(rows * sizeof *x), *history = malloc((iterations + 1) * sizeof *history);
        for (int plan = 0; plan < lab->plan_count; plan++) {
            struct sample solution, residuals;
            sample_init(&solution, lab, &lab->cases[c], plan, X, rows);
            sample_init(&residuals, lab, &lab->cases[c], plan, HISTORY, iterations + 1);
            for (int from_behind = 0; from_behind < 2; from_behind++) {
                solve_in_float(&solution, from_behind, 1, x, history);
                CU_ASSERT_EQUAL(count_bad(&solution, x), 0);
                CU_ASSERT_EQUAL(count_bad(&residuals, history), 0);
            }
            solve_in_float(&solution, false, 0.98F, x, history);
            CU_ASSERT((count_bad(&solution, x) > 0) == (iterations == 2 || iterations == 3));
            solve_in_float(&solution, false, -0.5F, x, history); /* more than the bounds grow to in four iterations */
            CU_ASSERT((count_bad(&solution, x) > 0) == (iterations > 1));
            sample_clear(&solution);
            sample_clear(&residuals);
        }
        free(x), free(history);
    }
}

static void conjugate_gradients_systems_are_symmetric_and_their_solutions_solve_them(void)
{
    const struct lab *lab = labs_find("conjugate_gradients");
    for (int c = 0; c < lab->case_count; c++) {
        size_t rows = (size_t)(lab->cases[c].size[0] * lab->cases[c].size[1]), unpaired = 0, weak = 0, missed = 0;
        struct sample sample;
        sample_init(&sample, lab, &lab->cases[c], 1, 5, rows);
        const int32_t *columns = sample.data.array[0].i;
        const float *values = sample.data.array[1].f;
        for (size_t i = 0; i < rows; i++) {
            double own = 0, others = 0, left = (double)sample.data.array[3].f[i];
            for (size_t e = 0; e < 5; e++) {
                size_t column = (size_t)columns[e * rows + i];
                double value = (double)values[e * rows + i], opposite = 0;
                CU_ASSERT_FATAL(column < rows);
                for (size_t f = 0; f < 5; f++)
                    opposite += (size_t)columns[f * rows + column] == i ? (double)values[f * rows + column] : 0;
                unpaired += column != i && value != opposite;
                own += column == i ? value : 0;
                others += column == i ? 0 : fabs(value);
                left -= value * sample.expected.f[column];
            }
            weak += own < others + 1 - 1e-5;
            missed += fabs(left) > 1e-9;
        }
        CU_ASSERT_EQUAL(unpaired, 0);
        CU_ASSERT_EQUAL(weak, 0);
        CU_ASSERT((missed == 0) == (lab->cases[c].size[2] > 4));
        sample_clear(&sample);
    }
    /* 64 x 64 points: 128 warps in 4 iterations. */
    CU_ASSERT_EQUAL(ideal(lab, "global_sectors", 64, 64, 4, 1), 106 * 128 * 4);
    CU_ASSERT_EQUAL(ideal(lab, "launches", 64, 64, 4, 0), 12);
    CU_ASSERT_EQUAL(ideal(lab, "global_atomic_serialised", 257, 1, 1, 1), 4);
}

/* Word `word` of Philox4x32-10, with the state in one array whose words are moved about instead of named, and the keys in closed form. */
static uint32_t philox_word(uint64_t number, uint64_t seed, size_t word, int rounds)
{
    uint32_t state[4] = {(uint32_t)number, (uint32_t)(number >> 32)};
    for (int round = 0; round < rounds; round++) {
        uint32_t next[4];
        for (size_t half = 0; half < 2; half++) {
            uint64_t product = (uint64_t)state[2 - 2 * half] * (half == 0 ? 0xCD9E8D57U : 0xD2511F53U);
            uint32_t key = (uint32_t)(seed >> 32 * half) + (uint32_t)round * (half == 0 ? 0x9E3779B9U : 0xBB67AE85U);
            next[2 * half] = (uint32_t)(product >> 32) ^ state[2 * half + 1] ^ key;
            next[2 * half + 1] = (uint32_t)product;
        }
        memcpy(state, next, sizeof state);
    }
    return state[word];
}

static void monte_carlo_draws_what_is_published_and_rejects_nine_rounds(void)
{
    enum { WORDS, NUMBERS, HITS, RESULT };
    const struct lab *lab = labs_find("monte_carlo");
    /* The known answers of the paper's own library for counter and key 0. */
    CU_ASSERT_EQUAL(philox_word(0, 0, 0, 10), 0x6627E8D5U);
    CU_ASSERT_EQUAL(philox_word(0, 0, 3, 10), 0x9B00DBD8U);
    for (int c = 0; c < lab->case_count; c++) {
        size_t n = (size_t)lab->cases[c].size[0], blocks = (n + 255) / 256, total = 0;
        struct sample words, numbers, hits, result;
        sample_init(&words, lab, &lab->cases[c], 0, WORDS, 4 * n);
        sample_init(&numbers, lab, &lab->cases[c], 0, NUMBERS, 4 * n);
        sample_init(&hits, lab, &lab->cases[c], 0, HITS, blocks);
        sample_init(&result, lab, &lab->cases[c], 0, RESULT, 2);
        uint64_t seed = (uint64_t)words.data.scalar[0].i, first = (uint64_t)words.data.scalar[1].i;
        uint32_t *drawn = malloc(4 * n * sizeof *drawn), *less = malloc(4 * n * sizeof *less);
        uint32_t *counts = calloc(blocks, sizeof *counts);
        float *made = malloc(4 * n * sizeof *made);
        for (size_t s = 0; s < n; s++) {
            float x[4];
            for (size_t k = 0; k < 4; k++) {
                drawn[4 * s + k] = philox_word(first + s, seed, k, 10);
                less[4 * s + k] = philox_word(first + s, seed, k, 9);
                made[4 * s + k] = x[k] = ldexpf((float)(drawn[4 * s + k] >> 8), -24);
            }
            /* No sample is so near to the surface that the order of adding in floats decides. */
            bool inside = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] < 1;
            CU_ASSERT_EQUAL(inside, fmaf(x[3], x[3], fmaf(x[1], x[1], fmaf(x[2], x[2], x[0] * x[0]))) < 1);
            counts[s / 256] += inside;
            total += inside;
        }
        float all = (float)n;
        if (strstr(lab->cases[c].name, "long run")) { /* finish gets other counts */
            total = 0, all = 500.0F * 4194304;
            for (size_t b = 0; b < 500; b++)
                total += words.data.array[3].u[b];
        }
        float p = (float)total / all, got[2] = {16 * p, 16 * sqrtf(p * (1 - p) / all)};
        float other[2] = {16 * p, 4 * sqrtf((p - p * p) * (16 / all))};
        CU_ASSERT_EQUAL(count_bad(&words, drawn), 0);
        CU_ASSERT_EQUAL(count_bad(&words, less), 4 * n);
        CU_ASSERT_EQUAL(count_bad(&numbers, made), 0);
        CU_ASSERT_EQUAL(count_bad(&hits, counts), 0);
        CU_ASSERT_EQUAL(count_bad(&result, got), 0);
        CU_ASSERT_EQUAL(count_bad(&result, other), 0);
        counts[blocks - 1]++;
        made[0] = nextafterf(made[0], 2);
        got[0] *= total < 1000000 ? (float)(total + 1) / (float)(total > 0 ? total : 1) : 1.000001F;
        CU_ASSERT_EQUAL(count_bad(&hits, counts), 1);
        CU_ASSERT_EQUAL(count_bad(&numbers, made), 1);
        CU_ASSERT_EQUAL(count_bad(&result, got), total > 0);
        free(drawn), free(less), free(counts), free(made);
        sample_clear(&words), sample_clear(&numbers), sample_clear(&hits), sample_clear(&result);
    }
    /* 257 samples: 128 and a half sectors of words, as many of numbers, and two counts that are written and read. */
    CU_ASSERT_EQUAL(ideal(lab, "global_sectors", 257, 0, 0, 0), 129 + 129 + 2);
    CU_ASSERT_EQUAL(ideal(lab, "shared_atomic_wavefronts", 257, 0, 0, 0), 2 * 9);
}

static void spmv_matrices_are_well_formed_and_as_they_say(void)
{
    const struct lab *lab = labs_find("spmv");
    for (int c = 0; c < lab->case_count; c++) {
        const struct lab_case *the_case = &lab->cases[c];
        struct sample sample;
        sample_init(&sample, lab, the_case, 0, 0, (size_t)the_case->size[0]);
        const int32_t *starts = sample.data.array[0].i, *columns = sample.data.array[1].i;
        int32_t rows = (int32_t)the_case->size[0], longest = 0, empty = 0, out_of_order = 0;
        CU_ASSERT_EQUAL(starts[0], 0);
        CU_ASSERT_EQUAL((size_t)starts[rows], sample.data.count[1]);
        CU_ASSERT_EQUAL(sample.data.count[1], sample.data.count[2]);
        for (int32_t row = 0; row < rows; row++) {
            int32_t length = starts[row + 1] - starts[row];
            out_of_order += length < 0;
            longest = length > longest ? length : longest;
            empty += length == 0;
            for (int32_t k = starts[row]; k < starts[row + 1]; k++)
                out_of_order += columns[k] < 0 || columns[k] >= the_case->size[1]
                                || (k > starts[row] && columns[k] <= columns[k - 1]);
        }
        CU_ASSERT_EQUAL(out_of_order, 0);
        if (strcmp(the_case->name, "9 rows of 33") == 0)
            CU_ASSERT(longest == 33 && empty == 0);
        if (strcmp(the_case->name, "257 banded rows") == 0)
            CU_ASSERT(longest == 3 && columns[starts[100]] == 99 && columns[starts[101] - 1] == 101);
        if (strcmp(the_case->name, "100 rows, most empty") == 0)
            CU_ASSERT(empty >= 66 && starts[1] == 0 && starts[rows - 1] == starts[rows]);
        if (strcmp(the_case->name, "two long rows") == 0)
            CU_ASSERT(longest >= 9750 && starts[rows] == 16250);
        if (the_case->budget)
            CU_ASSERT(longest > 700 && longest < 1000 && starts[rows] == 80000);
        sample_clear(&sample);
    }
    /* 80000 entries are 3 x 80000 words, of which a block may read a third. */
    CU_ASSERT_EQUAL(ideal(lab, "busiest_block_loads", 2000, 4000, 640, 0), 80000);
}

static void scan_reference_is_the_sum_of_all_before(void)
{
    for (int c = 0; c < labs_find("scan")->case_count; c++) {
        size_t n = (size_t)labs_find("scan")->cases[c].size[0];
        if (n > 6000) {
            continue;
        }
        struct sample sample;
        sample_init(&sample, labs_find("scan"), &labs_find("scan")->cases[c], 0, 0, n);
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
    sample_init(&sample, labs_find("scan"), find_case(labs_find("scan"), "n = 5000, large"), 0, 0, 5000);
    CU_ASSERT(sample.expected.i[4999] > 1 << 24);
    sample_clear(&sample);
    sample_init(&sample, labs_find("scan"), find_case(labs_find("scan"), "n = 5001, wrapping"), 0, 0, 5001);
    CU_ASSERT(sample.data.array[0].i[0] > 0 && sample.data.array[0].i[1] > 0 && sample.expected.i[1] < 0);
    sample_clear(&sample);
    sample_init(&sample, labs_find("scan"), find_case(labs_find("scan"), "n = 1000, cancelling"), 0, 0, 1000);
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

/* By running totals: the sum of a window is the difference of two of them. */
static void stencil_reference_is_a_difference_of_running_totals(void)
{
    const struct lab *lab = labs_find("stencil");
    for (int c = 0; c < lab->case_count; c++) {
        struct sample sample;
        size_t n = (size_t)lab->cases[c].size[0];
        sample_init(&sample, lab, &lab->cases[c], 0, 0, n);
        int64_t *before = calloc(n + 1, sizeof *before);
        for (size_t i = 0; i < n; i++) {
            before[i + 1] = before[i] + sample.data.array[0].i[i];
        }
        for (size_t i = 0; i < n; i++) {
            size_t first = i < 3 ? 0 : i - 3, end = i + 4 < n ? i + 4 : n;
            int64_t sum = before[end] - before[first];
            CU_ASSERT_EQUAL_FATAL(sum, sample.expected.i[i]);
            CU_ASSERT(sum >= INT32_MIN && sum <= INT32_MAX); /* as the contract promises */
        }
        free(before);
        sample_clear(&sample);
    }
}

/* The blocks' results add up to those of the whole arrays, and each block's is that of its 256 elements: the last first. */
static void block_sum_references_add_up_to_the_whole(void)
{
    const struct lab *lab = labs_find("block_sum");
    for (int c = 0; c < lab->case_count; c++) {
        size_t n = (size_t)lab->cases[c].size[0], blocks = (n + 255) / 256;
        for (int output = 0; output < 2; output++) {
            struct sample sample;
            sample_init(&sample, lab, &lab->cases[c], 0, output, blocks);
            const int32_t *x = sample.data.array[0].i, *y = sample.data.array[1].i;
            int64_t whole = 0, last = 0, total = 0;
            for (size_t i = n; i-- > 0;) {
                whole += output == 0 ? x[i] : x[i] * y[i];
                last = i == (blocks - 1) * 256 ? whole : last;
            }
            for (size_t block = 0; block < blocks; block++) {
                total += sample.expected.i[block];
            }
            CU_ASSERT_EQUAL_FATAL(total, whole);
            CU_ASSERT_EQUAL_FATAL(sample.expected.i[blocks - 1], last);
            CU_ASSERT(whole >= INT32_MIN && whole <= INT32_MAX); /* also where one block has everything */
            sample_clear(&sample);
        }
    }
}

/* Block by block, each element found from its thread. */
static void broken_references_are_those_of_its_threads(void)
{
    enum { TRIPLES, MIRRORS, STEPS, COUNTS };
    const struct lab *lab = labs_find("broken");
    for (int c = 0; c < lab->case_count; c++) {
        size_t n = (size_t)lab->cases[c].size[0], blocks = (n + 255) / 256;
        for (int output = TRIPLES; output <= COUNTS; output++) {
            struct sample sample;
            sample_init(&sample, lab, &lab->cases[c], 0, output, output == COUNTS ? blocks : n);
            const int32_t *in = sample.data.array[0].i;
            for (size_t block = 0; block < blocks; block++) {
                int64_t count = 0, cells[256] = {0};
                for (size_t t = 0; t < 256 && block * 256 + t < n; t++) {
                    cells[t] = in[block * 256 + t];
                    count += cells[t] > 0;
                }
                for (size_t t = 0; t < 256 && block * 256 + t < n && output != COUNTS; t++) {
                    int64_t want = output == TRIPLES   ? 3 * cells[t]
                                   : output == MIRRORS ? cells[t] + cells[255 - t]
                                                       : cells[t] - (t > 0 ? cells[t - 1] : 0);
                    CU_ASSERT_EQUAL_FATAL(sample.expected.i[block * 256 + t], want);
                }
                CU_ASSERT_FATAL(output != COUNTS || sample.expected.i[block] == count);
            }
            sample_clear(&sample);
        }
    }
}

static void matmul_accepts_every_order_and_rejects_a_lost_product(void)
{
    for (int c = 0; c < labs_find("matmul_tiled")->case_count; c++) {
        const struct lab_case *the_case = &labs_find("matmul_tiled")->cases[c];
        size_t m = (size_t)the_case->size[0], n = (size_t)the_case->size[1], depth = (size_t)the_case->size[2];
        struct sample sample;
        if (the_case->budget) {
            continue; /* the sizes above it say the same in less time */
        }
        sample_init(&sample, labs_find("matmul_tiled"), the_case, 0, 0, m * n);
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
        const struct lab_case *the_case = find_case(labs_find("matmul_tiled"), names[c]);
        size_t m = (size_t)the_case->size[0], n = (size_t)the_case->size[1], depth = (size_t)the_case->size[2], same = 0;
        struct sample sample;
        sample_init(&sample, labs_find("matmul_tiled"), the_case, 0, 0, m * n);
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
    sample_init(&sample, labs_find("matmul_tiled"),
                find_case(labs_find("matmul_tiled"), "20 x 36 x 24, special "
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

/* What is left of a number behind the 24 bits whose first one is 2^exponent: cut off, as a tensor core does. */
static double cut(double value, int exponent)
{
    return ldexp(trunc(ldexp(value, 23 - exponent)), exponent - 23);
}

/* A row of A times a column of B: `group` products and the sum so far at once, each cut where the largest ends. group 0:
 * one after the other, rounded to float. */
static float product_element(const struct sample *sample, size_t row, size_t column, size_t group)
{
    size_t n = (size_t)sample->the_case->size[1], depth = (size_t)sample->the_case->size[2];
    const void *a = sample->data.array[0].bytes, *b = sample->data.array[1].bytes;
    double sum = 0;
    for (size_t first = 0; first < depth; first += group ? group : 1) {
        size_t count = group == 0 ? 1 : first + group < depth ? group : depth - first;
        double terms[17] = {sum}, largest = fabs(sum), exact = 0;
        for (size_t i = 0; i < count; i++) {
            terms[1 + i] = types_get_float(LAB_FLOAT16, a, row * depth + first + i)
                           * types_get_float(LAB_FLOAT16, b, (first + i) * n + column);
            largest = fmax(largest, fabs(terms[1 + i]));
        }
        for (size_t i = 0; i <= count; i++)
            exact += group == 0 || largest == 0 ? terms[i] : cut(terms[i], ilogb(largest));
        sum = group == 0 ? (double)(float)exact : exact == 0 ? 0 : cut(exact, ilogb(exact));
    }
    return (float)sum;
}

/* As Volta adds, Ampere and Hopper, and ordinary cores; and what 32 x 32 elements of C need, block by block. */
static void tensor_cores_accepts_what_cores_cut_off_and_rejects_a_lost_product(void)
{
    static const size_t groups[] = {4, 8, 16, 0};
    const struct lab *lab = labs_find("tensor_cores");
    size_t rejected = 0, telling = 0, elements = 0;
    for (int c = 0; c < lab->case_count; c++) {
        size_t m = (size_t)lab->cases[c].size[0], n = (size_t)lab->cases[c].size[1];
        struct sample sample;
        sample_init(&sample, lab, &lab->cases[c], 0, 0, m * n);
        float *got = malloc(m * n * sizeof *got);
        for (size_t k = 0; k < SUPPORT_COUNT(groups); k++) {
            for (size_t i = 0; i < m * n; i++)
                got[i] = product_element(&sample, i / n, i % n, groups[k]);
            CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
        }
        for (size_t i = 0; i < m * n; i++) {
            size_t depth = (size_t)lab->cases[c].size[2];
            double lost = types_get_float(LAB_FLOAT16, sample.data.array[0].bytes, i / n * depth)
                          * types_get_float(LAB_FLOAT16, sample.data.array[1].bytes, i % n);
            bool tells = fabs(lost) > 2.01 * sample.expected.bound[i];
            got[i] -= (float)lost;
            telling += tells;
            rejected += tells && !compare_element(&sample.expected, got, i);
        }
        elements += m * n;
        free(got);
        sample_clear(&sample);
    }
    CU_ASSERT_EQUAL(rejected, telling);
    CU_ASSERT(telling >= elements * 3 / 4);
    double sectors = 0, passes = 0;
    for (int block = 0; block < 8 * 8; block++) {
        for (int turn = 0; turn < 64 / 16; turn++) {
            sectors += 32 + 16 * 2;        /* 32 rows of 32 bytes of A, 16 rows of 64 bytes of B */
            passes += 16 + 16 + 4 * 2 * 4; /* stores of 32 halves; 4 warps load two fragments, 128 bytes a pass */
        }
        passes += 32 + 32; /* 1024 sums to shared memory and back */
    }
    CU_ASSERT_EQUAL(ideal(lab, "matrix_products", 256, 256, 64, 0), 256.0 * 256 * 64);
    CU_ASSERT_EQUAL(ideal(lab, "global_load_sectors", 256, 256, 64, 0), sectors);
    CU_ASSERT_EQUAL(ideal(lab, "shared_wavefronts", 256, 256, 64, 0), passes);
}

/* Column by column, as threads add that have four rows each; and what 64 x 64 elements of C need, block by block. */
static void register_tiles_accepts_every_order_and_rejects_a_lost_product(void)
{
    const struct lab *lab = labs_find("register_tiles");
    size_t rejected = 0, telling = 0, elements = 0;
    for (int c = 0; c < lab->case_count; c++) {
        size_t m = (size_t)lab->cases[c].size[0], n = (size_t)lab->cases[c].size[1], depth = (size_t)lab->cases[c].size[2];
        struct sample sample;
        sample_init(&sample, lab, &lab->cases[c], 0, 0, m * n);
        float *got = malloc(m * n * sizeof *got);
        for (int order = 0; order < 3; order++) {
            for (size_t i = 0; i < m * n; i++)
                got[i] = matmul_element(&sample, i / n, i % n, order);
            CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
        }
        for (size_t i = 0; i < m * n; i++) {
            float lost = sample.data.array[0].f[i / n * depth] * sample.data.array[1].f[i % n];
            bool tells = fabs((double)lost) > 2.01 * sample.expected.bound[i];
            got[i] -= lost;
            telling += tells;
            rejected += tells && !compare_element(&sample.expected, got, i);
        }
        elements += m * n;
        free(got);
        sample_clear(&sample);
    }
    CU_ASSERT_EQUAL(rejected, telling);
    CU_ASSERT(telling >= elements * 3 / 4);
    double sectors = 0, passes = 0;
    for (int block = 0; block < 4 * 4; block++)
        for (int turn = 0; turn < 32 / 16; turn++) {
            sectors += 64 * 16 / 8 + 16 * 64 / 8;
            passes += 8 * (4 + 4); /* stores of 8 warps */
            for (int k = 0; k < 16; k++)
                passes += 8 * (4 + 4);
        }
    CU_ASSERT_EQUAL(ideal(lab, "global_load_sectors", 256, 256, 32, 0), sectors);
    CU_ASSERT_EQUAL(ideal(lab, "shared_wavefronts", 256, 256, 32, 0), passes);
}

/* Walks along out; the labs' own walks along in. */
static void transpose_reference_exchanges_rows_and_columns(void)
{
    for (int c = 0; c < labs_find("transpose")->case_count; c++) {
        const struct lab_case *the_case = &labs_find("transpose")->cases[c];
        size_t rows = (size_t)the_case->size[0], columns = (size_t)the_case->size[1];
        struct sample sample;
        sample_init(&sample, labs_find("transpose"), the_case, 0, 0, rows * columns);
        float *got = malloc(rows * columns * sizeof *got);
        for (size_t i = 0; i < rows * columns; i++) {
            got[i] = sample.data.array[0].f[i % rows * columns + i / rows];
        }
        CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
        if (rows > 1 && columns > 1) {
            CU_ASSERT(count_bad(&sample, sample.data.array[0].f) > 0);
        }
        free(got);
        sample_clear(&sample);
    }
}

/* Adds to each pixel of out what one pixel of a wider picture, with its edges repeated, gives to those around it. */
static void blur_reference_spreads_each_pixel_by_the_weights(void)
{
    for (int c = 0; c < labs_find("blur")->case_count; c++) {
        const struct lab_case *the_case = &labs_find("blur")->cases[c];
        int height = (int)the_case->size[0], width = (int)the_case->size[1], total = 0;
        size_t count = (size_t)height * (size_t)width;
        struct sample sample;
        sample_init(&sample, labs_find("blur"), the_case, 0, 0, count);
        const int32_t *weights = sample.data.array[1].i;
        const uint8_t *in = sample.data.array[0].bytes;
        int *sums = calloc(count, sizeof *sums);
        uint8_t *got = malloc(count);
        for (int y = -2; y < height + 2; y++) {
            for (int x = -2; x < width + 2; x++) {
                int row = y < 0 ? 0 : y >= height ? height - 1 : y, column = x < 0 ? 0 : x >= width ? width - 1 : x;
                for (int to_y = y - 2; to_y <= y + 2; to_y++) {
                    for (int to_x = x - 2; to_x <= x + 2; to_x++) {
                        if (to_y >= 0 && to_y < height && to_x >= 0 && to_x < width) {
                            sums[to_y * width + to_x] += weights[(y - to_y + 2) * 5 + x - to_x + 2]
                                                         * in[row * width + column];
                        }
                    }
                }
            }
        }
        for (int i = 0; i < 25; i++) {
            CU_ASSERT(weights[i] >= 0);
            total += weights[i];
        }
        CU_ASSERT_EQUAL(total, 256);
        for (size_t i = 0; i < count; i++) {
            got[i] = (uint8_t)(sums[i] >> 8);
        }
        CU_ASSERT_EQUAL(count_bad(&sample, got), 0);
        free(got);
        free(sums);
        sample_clear(&sample);
    }
}

static void histogram_reference_counts_each_value(void)
{
    for (int c = 0; c < labs_find("histogram")->case_count; c++) {
        struct sample sample;
        sample_init(&sample, labs_find("histogram"), &labs_find("histogram")->cases[c], 0, 0, 256);
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
    sample_init(&sample, labs_find("histogram"), find_case(labs_find("histogram"), "n = 100003, skewed"), 0, 0, 256);
    for (int bin = 0; bin < 256; bin++) {
        largest = sample.expected.i[bin] > largest ? sample.expected.i[bin] : largest;
        full += sample.expected.i[bin] > 0;
    }
    CU_ASSERT(largest > 100003 * 9 / 10 && full == 256);
    sample_clear(&sample);
    sample_init(&sample, labs_find("histogram"), find_case(labs_find("histogram"), "n = 10000, all equal"), 0, 0, 256);
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
    const struct lab_case *the_case = find_case(labs_find("pi"), "n = 33");
    sample_init(&sample, labs_find("pi"), the_case, 0, STEP, 33);
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
        sample_init(&sample, labs_find("pi"), the_case, plan, SUM, 1);
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
    const struct lab_case *the_case = find_case(labs_find("scan"), "n = 257");
    sample_init(&sample, labs_find("scan"), the_case, 0, PIECES, 257);
    CU_ASSERT_EQUAL(sample.expected.i[256], sample.data.array[0].i[256]);
    int32_t total = sample.expected.i[255];
    sample_clear(&sample);
    sample_init(&sample, labs_find("scan"), the_case, 0, TOTALS, 2);
    CU_ASSERT_EQUAL(sample.expected.i[0], total);
    CU_ASSERT_EQUAL(sample.expected.i[1], sample.data.array[0].i[256]);
    sample_clear(&sample);
}

/* Where each kept element belongs, found by looking for it: the places of blocks of 256 add up the counts before them. */
static void compaction_keeps_the_positive_elements_in_their_order(void)
{
    enum { COUNTS, STARTS, KEPT };
    const struct lab *lab = labs_find("compaction");
    for (int c = 0; c < lab->case_count; c++) {
        struct sample counts, starts, kept;
        size_t n = lab->extent(lab, &lab->cases[c], 0), blocks = (n + 255) / 256, place = 0;
        sample_init(&counts, lab, &lab->cases[c], 0, COUNTS, blocks);
        sample_init(&starts, lab, &lab->cases[c], 0, STARTS, blocks + 1);
        sample_init(&kept, lab, &lab->cases[c], 0, KEPT, lab->extent(lab, &lab->cases[c], 1));
        const int32_t *in = kept.data.array[0].i;
        for (size_t i = 0; i < n; i++) {
            if (i % 256 == 0) {
                CU_ASSERT_EQUAL_FATAL((size_t)starts.expected.i[i / 256], place);
                CU_ASSERT_EQUAL_FATAL(starts.expected.i[i / 256 + 1],
                                      starts.expected.i[i / 256] + counts.expected.i[i / 256]);
            }
            if (in[i] > 0) {
                CU_ASSERT_EQUAL_FATAL(kept.expected.i[place++], in[i]);
            }
        }
        CU_ASSERT_EQUAL(place, kept.expected.count); /* out has room for these and no more */
        CU_ASSERT_EQUAL((size_t)starts.expected.i[blocks], place);
        sample_clear(&counts);
        sample_clear(&starts);
        sample_clear(&kept);
    }
}

/* Each key's place, found by looking at all keys: those with a smaller digit, and to its left those with the same. */
static void radix_sort_passes_are_stable_and_sort(void)
{
    enum { COUNTS, STARTS, PASSED, SORTED };
    const struct lab *lab = labs_find("radix_sort");
    for (int c = 0; c < lab->case_count; c++) {
        size_t n = lab->extent(lab, &lab->cases[c], 0), blocks = (n + 255) / 256;
        struct sample counts, starts, sorted;
        sample_init(&counts, lab, &lab->cases[c], 0, COUNTS, 16 * blocks);
        sample_init(&starts, lab, &lab->cases[c], 0, STARTS, 16 * blocks);
        sample_init(&sorted, lab, &lab->cases[c], 0, SORTED, n);
        const uint32_t *keys = sorted.data.array[0].u;
        int64_t before = 0;
        uint64_t sum = 0, sorted_sum = 0, squares = 0, sorted_squares = 0;
        for (size_t j = 0; j < 16 * blocks; j++) {
            CU_ASSERT_EQUAL_FATAL(starts.expected.i[j], before);
            before += counts.expected.i[j];
        }
        CU_ASSERT_EQUAL((size_t)before, n);
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT_FATAL(keys[i] >> (lab->cases[c].size[1] - 1) <= 1);
            CU_ASSERT_FATAL(i == 0 || sorted.expected.i[i - 1] <= sorted.expected.i[i]);
            uint64_t is = (uint64_t)sorted.expected.i[i];
            sum += keys[i], squares += (uint64_t)keys[i] * keys[i];
            sorted_sum += is, sorted_squares += is * is;
        }
        CU_ASSERT(sum == sorted_sum && squares == sorted_squares);
        for (int plan = 0; plan < 2 && n <= 5003; plan++) {
            struct sample passed;
            sample_init(&passed, lab, &lab->cases[c], plan, PASSED, n);
            keys = passed.data.array[0].u;
            for (size_t i = 0; i < n; i++) {
                uint32_t mask = plan == 0 ? 15 : 255;
                size_t place = 0;
                for (size_t k = 0; k < n; k++) {
                    place += (keys[k] & mask) < (keys[i] & mask) || (k < i && ((keys[k] ^ keys[i]) & mask) == 0);
                }
                CU_ASSERT_EQUAL_FATAL(passed.expected.i[place], keys[i]);
            }
            sample_clear(&passed);
        }
        sample_clear(&counts);
        sample_clear(&starts);
        sample_clear(&sorted);
    }
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
    SUPPORT_TEST(vector_add_references_are_the_rounded_double_sum),
    SUPPORT_TEST(needs_of_programs_are_as_counted_by_hand),
    SUPPORT_TEST(streams_reference_counts_halvings_and_triplings),
    SUPPORT_TEST(grey_reference_weighs_three_bytes_of_each_pixel),
    SUPPORT_TEST(saxpy_accepts_one_rounding_and_two_and_rejects_more),
    SUPPORT_TEST(pi_accepts_float_and_double_mappers_and_rejects_midpoints),
    SUPPORT_TEST(pi_accepts_the_tree_and_rejects_one_float_accumulator),
    SUPPORT_TEST(filter_accepts_every_order_and_rejects_a_lost_product),
    SUPPORT_TEST(softmax_accepts_every_order_and_rejects_a_lost_column),
    SUPPORT_TEST(attention_accepts_every_order_and_rejects_a_lost_key),
    SUPPORT_TEST(spmv_accepts_every_order_and_rejects_a_lost_entry),
    SUPPORT_TEST(spmv_matrices_are_well_formed_and_as_they_say),
    SUPPORT_TEST(monte_carlo_draws_what_is_published_and_rejects_nine_rounds),
    SUPPORT_TEST(conjugate_gradients_accepts_every_order_and_rejects_another_direction),
    SUPPORT_TEST(conjugate_gradients_systems_are_symmetric_and_their_solutions_solve_them),
    SUPPORT_TEST(scan_reference_is_the_sum_of_all_before),
    SUPPORT_TEST(scan_cases_pass_two_to_the_24_and_wrap_two_to_the_31),
    SUPPORT_TEST(stencil_reference_is_a_difference_of_running_totals),
    SUPPORT_TEST(block_sum_references_add_up_to_the_whole),
    SUPPORT_TEST(broken_references_are_those_of_its_threads),
    SUPPORT_TEST(matmul_accepts_every_order_and_rejects_a_lost_product),
    SUPPORT_TEST(matmul_reference_adds_in_the_order_of_k),
    SUPPORT_TEST(register_tiles_accepts_every_order_and_rejects_a_lost_product),
    SUPPORT_TEST(tensor_cores_accepts_what_cores_cut_off_and_rejects_a_lost_product),
    SUPPORT_TEST(matmul_special_values_reach_one_row_or_one_column_each),
    SUPPORT_TEST(transpose_reference_exchanges_rows_and_columns),
    SUPPORT_TEST(blur_reference_spreads_each_pixel_by_the_weights),
    SUPPORT_TEST(histogram_reference_counts_each_value),
    SUPPORT_TEST(histogram_cases_are_as_skewed_as_they_say),
    SUPPORT_TEST(rules_say_how_the_bound_came_about),
    SUPPORT_TEST(pi_expects_sums_of_the_graders_numbers),
    SUPPORT_TEST(scan_expects_what_scan_blocks_leaves),
    SUPPORT_TEST(compaction_keeps_the_positive_elements_in_their_order),
    SUPPORT_TEST(radix_sort_passes_are_stable_and_sort),
};

int labs_suite_register(void)
{
    return support_register("labs", tests, SUPPORT_COUNT(tests));
}
