/* grader/classify and the labs' own classifiers: known mistakes are named, and noise is not. */
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grader/judge/classify.h"
#include "grader/lab/labs.h"
#include "grader/lab/random.h"
#include "grader/lab/tolerance.h"

#define MOST 10240

/* ---- a lab without a classifier of its own -------------------------------------------------------------------------- */

static const struct lab_array int_arrays[] = {{"in", LAB_INT32, LAB_INPUT}, {"out", LAB_INT32, LAB_OUTPUT}};
static const struct lab_array float_arrays[] = {{"a", LAB_FLOAT32, LAB_INPUT}, {"c", LAB_FLOAT32, LAB_OUTPUT}};
static const struct lab_output int_outputs[] = {{"out", 1, false}};
static const struct lab_output float_outputs[] = {{"c", 1, false}};
static const struct lab int_lab = {
    .arrays = int_arrays,
    .array_count = 2,
    .outputs = int_outputs,
    .output_count = 1,
};
static const struct lab float_lab = {
    .arrays = float_arrays,
    .array_count = 2,
    .outputs = float_outputs,
    .output_count = 1,
};

/* Room for one output, wanted and got, filled with random numbers that are right. */
static struct {
    struct lab_case the_case;
    struct lab_data data;
    struct lab_expected expected;
    int32_t input[MOST], got_int[MOST];
    int64_t want_int[MOST];
    float input_float[MOST], got_float[MOST];
    double want_float[MOST], bound[MOST];
    struct classify_input extra; /* run, unwritten ... for the next classification */
} bench;

static void start_integers(size_t count)
{
    struct lab_random random;
    memset(&bench, 0, sizeof bench);
    random_init(&random, 9, "classify", "integers", 0);
    lab_random_fill_int(&random, bench.input, count, -1000, 1000);
    lab_random_fill_int(&random, bench.got_int, count, 1, 100000);
    for (size_t i = 0; i < count; i++) {
        bench.want_int[i] = bench.got_int[i];
    }
    bench.the_case.size[0] = (int64_t)count;
    bench.data.array[0].i = bench.input;
    bench.data.count[0] = bench.data.count[1] = count;
    bench.expected =
        (struct lab_expected){.type = LAB_INT32, .count = count, .i = bench.want_int, .rule = "exact: integers"};
}

/* Bounds of 8 roundings, and results that use a little of them. */
static void start_floats(size_t count, size_t columns)
{
    struct lab_random random;
    memset(&bench, 0, sizeof bench);
    random_init(&random, 10, "classify", "floats", 0);
    lab_random_fill_float(&random, bench.input_float, count, -1, 1);
    lab_random_fill_float(&random, bench.got_float, count, -100, 100);
    for (size_t i = 0; i < count; i++) {
        bench.want_float[i] = (double)bench.got_float[i] * (1 + (i % 5 - 2.0) * 0x1p-25);
        bench.bound[i] = tolerance_value(8, bench.want_float[i]);
    }
    bench.the_case.size[0] = (int64_t)count;
    bench.data.array[0].f = bench.input_float;
    bench.data.count[0] = bench.data.count[1] = count;
    bench.expected = (struct lab_expected){
        .type = LAB_FLOAT32,
        .count = count,
        .columns = columns,
        .f = bench.want_float,
        .bound = bench.bound,
        .rule = "8 u |x|",
    };
}

static struct classify_result classify_as(const struct lab *lab, int64_t block)
{
    static struct compare_result comparison;
    struct classify_input input = bench.extra;
    struct classify_result result;
    const void *got = bench.expected.f ? (const void *)bench.got_float : (const void *)bench.got_int;
    input.lab = lab;
    input.comparison = &comparison;
    CU_ASSERT_FATAL(compare_output(&bench.expected, got, &comparison) > 0);
    input.wrong = (struct lab_wrong){
        .the_case = &bench.the_case,
        .data = &bench.data,
        .expected = &bench.expected,
        .got = got,
        .first_bad = comparison.first_bad,
        .bad_count = comparison.bad_count,
        .elements_per_block = block,
        .uses_shared = true,
        .earlier_wrong = bench.extra.wrong.earlier_wrong,
    };
    classify_wrong(&input, &result);
    CU_ASSERT(strlen(result.message) > 20 && strlen(result.message) < sizeof result.message - 1);
    CU_ASSERT_EQUAL(result.asks, strchr(result.message, '?') != NULL);
    return result;
}

static struct classify_result classify(int64_t block)
{
    return classify_as(bench.expected.f ? &float_lab : &int_lab, block);
}

static bool is(const struct classify_result *result, const char *pattern, const char *words)
{
    bool right = strcmp(result->code, "wrong_value") == 0 && result->pattern && strcmp(result->pattern, pattern) == 0
                 && strstr(result->message, words);
    if (!right) {
        fprintf(stderr, "got %s %s: %s\n", result->code, !result->pattern ? "-" : result->pattern, result->message);
    }
    return right;
}

#define ASSERT_IS(result, pattern, words) CU_ASSERT_TRUE(is(&(result), pattern, words))

/* ---- the general classifier ----------------------------------------------------------------------------------------- */

static void message_begins_with_the_first_wrong_element(void)
{
    start_integers(1000);
    bench.got_int[17] = -5;
    bench.got_int[400] = -5;
    struct classify_result result = classify(256);
    char start[100];
    snprintf(start, sizeof start, "out[17] should be %d but is -5; 2 of 1000 elements are wrong.", (int)bench.want_int[17]);
    CU_ASSERT_EQUAL(strncmp(result.message, start, strlen(start)), 0);
    CU_ASSERT_STRING_EQUAL(result.actual, "-5");
    ASSERT_IS(result, "other", "wrong.");
}

static void matrix_elements_are_named_by_row_and_column(void)
{
    start_floats(30 * 40, 40);
    bench.got_float[3 * 40 + 7] = 1e6f;
    struct classify_result result = classify(16);
    ASSERT_IS(result, "other", "c[row 3, column 7] should be");
}

static void scale_applies_to_what_is_shown(void)
{
    start_floats(1, 0);
    bench.want_float[0] = 3140;
    bench.bound[0] = 0;
    bench.got_float[0] = 4000;
    bench.expected.scale = 0.001;
    struct classify_result result = classify(256);
    CU_ASSERT_STRING_EQUAL(result.expected, "3.14");
    CU_ASSERT_STRING_EQUAL(result.actual, "4");
}

static void random_noise_is_other(void)
{
    struct lab_random random;
    random_init(&random, 11, "classify", "noise", 0);
    for (int round = 0; round < 50; round++) {
        start_integers(1000);
        for (int k = 0; k < 1 + round * 15; k++) {
            bench.got_int[lab_random_below(&random, 1000)] = (int32_t)lab_random_bits(&random);
        }
        bench.got_int[5] = bench.got_int[999] = -1;
        struct classify_result result = classify(256);
        ASSERT_IS(result, "other", "");
        start_floats(1000, round % 2 == 0 ? 0 : 40);
        for (int k = 0; k < 1 + round * 15; k++) {
            bench.got_float[lab_random_below(&random, 1000)] = lab_random_float(&random, -100, 100);
        }
        bench.got_float[5] = bench.got_float[999] = 1e9f;
        result = classify(256);
        ASSERT_IS(result, "other", "");
    }
}

static void few_elements_prove_nothing(void)
{
    start_integers(3);
    bench.got_int[0] = bench.got_int[1] = bench.got_int[2] = 0;
    struct classify_result result = classify(256);
    ASSERT_IS(result, "other", "");
    start_integers(2);
    bench.got_int[1] = 2 * bench.want_int[1];
    result = classify(256);
    ASSERT_IS(result, "other", "");
}

static void poison_left_is_never_written(void)
{
    start_integers(1000);
    struct compare_unwritten unwritten;
    random_poison_fill(5, 0, (uint32_t *)bench.got_int, 1000);
    for (int i = 0; i < 768; i++) {
        bench.got_int[i] = (int32_t)bench.want_int[i];
    }
    compare_find_unwritten(bench.got_int, LAB_INT32, 1000, 5, 0, &bench.expected, &unwritten);
    bench.extra.unwritten = &unwritten;
    struct classify_result result = classify(256);
    CU_ASSERT_STRING_EQUAL(result.code, "never_written");
    CU_ASSERT_PTR_NULL(result.pattern);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message,
                                  "Elements 768..999 of out, the last ones, were never written. 1000 elements need 4 "
                                  "blocks"));
}

static void equal_to_the_input_is_a_copy(void)
{
    start_integers(300);
    memcpy(bench.got_int, bench.input, 300 * sizeof(int32_t));
    struct classify_result result = classify(256);
    ASSERT_IS(result, "other", "out is a copy of in");
}

static void all_zero_and_all_equal_are_named(void)
{
    start_floats(300, 0);
    memset(bench.got_float, 0, sizeof bench.got_float);
    struct classify_result result = classify(256);
    ASSERT_IS(result, "other", "Every element is 0.");
    for (int i = 0; i < 300; i++) {
        bench.got_float[i] = 7.5f;
    }
    result = classify(256);
    ASSERT_IS(result, "other", "Every element is 7.5.");
}

static void values_moved_by_one_place_are_shifted(void)
{
    start_floats(500, 0);
    memmove(bench.got_float + 1, bench.got_float, 499 * sizeof(float));
    bench.got_float[0] = 0;
    struct classify_result result = classify(256);
    ASSERT_IS(result, "shifted", "belongs 1 place to its left");
    start_integers(500);
    memmove(bench.got_int, bench.got_int + 2, 498 * sizeof(int32_t));
    result = classify(256);
    ASSERT_IS(result, "shifted", "belongs 2 places to its right");
}

static void exchanged_rows_and_columns_are_transposed(void)
{
    start_floats(24 * 40, 40);
    for (int row = 0; row < 24; row++) {
        for (int column = 0; column < 40; column++) {
            bench.got_float[column * 24 + row] = (float)bench.want_float[row * 40 + column];
        }
    }
    struct classify_result result = classify(16);
    ASSERT_IS(result, "transposed", "transposed matrix");
}

static void constant_errors_per_block_are_block_constant(void)
{
    start_integers(1000);
    for (int i = 256; i < 1000; i++) {
        bench.got_int[i] = (int32_t)((uint32_t)bench.got_int[i] - (uint32_t)(i / 256) * 1000000000u);
    }
    struct classify_result result = classify(256);
    ASSERT_IS(result, "block_constant", "block 1 are too low by 1000000000");
    start_floats(1000, 0);
    for (int i = 512; i < 768; i++) {
        bench.got_float[i] += 16;
    }
    result = classify(256);
    ASSERT_IS(result, "block_constant", "block 2 are too high by 16");
}

static void constant_error_of_one_everywhere_is_off_by_one(void)
{
    start_integers(100);
    for (int i = 0; i < 100; i++) {
        bench.got_int[i] += 1;
    }
    struct classify_result result = classify(256);
    ASSERT_IS(result, "other", "off by one");
}

static void twice_the_value_is_doubled(void)
{
    start_floats(300, 0);
    for (int i = 40; i < 200; i++) {
        bench.got_float[i] *= 2;
    }
    struct classify_result result = classify(256);
    ASSERT_IS(result, "doubled", "twice what it should be");
    bench.got_float[250] = -1e9f; /* one element that is something else */
    result = classify(256);
    ASSERT_IS(result, "other", "");
}

static void counts_that_fall_short_are_lost_updates(void)
{
    start_integers(8);
    bench.expected.count = bench.data.count[1] = 8;
    for (int i = 0; i < 8; i++) {
        bench.want_int[i] = 100 + i * 3;
        bench.got_int[i] = bench.want_int[i] - i % 3;
    }
    bench.data.count[0] = 800 + 28 * 3;
    struct classify_result result = classify(0);
    ASSERT_IS(result, "lost_updates", "877 but should be 884: 7 too few");
    bench.data.count[0]++; /* not a count of the input's elements */
    result = classify(0);
    ASSERT_IS(result, "other", "");
}

static void repeated_first_block_is_a_period(void)
{
    start_floats(1000, 0);
    for (int i = 256; i < 1000; i++) {
        bench.got_float[i] = bench.got_float[i % 256];
    }
    struct classify_result result = classify(256);
    ASSERT_IS(result, "period", "values of block 0 (elements 0..255) repeat");
}

static void wrong_elements_in_the_same_places_are_a_period(void)
{
    start_integers(1000);
    for (int i = 0; i < 1000; i += 256) {
        bench.got_int[i] = -1 - i;
    }
    struct classify_result result = classify(256);
    ASSERT_IS(result, "period", "1 of every 256 elements");
    start_integers(1000);
    for (int i = 31; i < 1000; i += 32) {
        bench.got_int[i] = -1 - i;
    }
    result = classify(256);
    ASSERT_IS(result, "period", "1 of every 32 elements");
}

static void wrong_suffix_is_a_tail(void)
{
    static const struct {
        int count, from;
        const char *words;
    } rows[] = {
        {1000, 768, "the last block, which is not full"},
        {1000, 256, "Only the first block"},
        {2000, 512, "so the first 2 blocks are enough"},
        {1000, 999, "Only the last element"},
        {1000, 900, "elements 900..999"},
    };
    for (size_t row = 0; row < SUPPORT_COUNT(rows); row++) {
        start_integers((size_t)rows[row].count);
        for (int i = rows[row].from; i < rows[row].count; i++) {
            bench.got_int[i] = -1 - i * i;
        }
        struct classify_result result = classify(256);
        ASSERT_IS(result, "tail", rows[row].words);
    }
}

static void wrong_ragged_tiles_are_an_edge(void)
{
    start_floats(37 * 53, 53);
    for (int i = 0; i < 37 * 53; i++) {
        bench.got_float[i] = i / 53 >= 32 || i % 53 >= 48 ? 1e6f + (float)i : bench.got_float[i];
    }
    struct classify_result result = classify(16);
    ASSERT_IS(result, "edge", "All full tiles of 16 x 16 are right");
}

static void small_errors_are_a_near_miss_even_in_a_tail(void)
{
    start_floats(1000, 0);
    for (int i = 300; i < 1000; i++) {
        bench.got_float[i] *= 1 + 0x1p-18f;
    }
    struct classify_result result = classify(256);
    CU_ASSERT_STRING_EQUAL(result.code, "near_miss");
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "Accepted: 8 u |x|"));
    bench.got_float[400] = NAN;
    result = classify(256);
    CU_ASSERT_STRING_EQUAL(result.code, "wrong_value");
}

static void errors_that_grow_into_the_bound_are_no_tail(void)
{
    start_floats(1000, 0);
    for (int i = 0; i < 1000; i++) { /* beyond the bound from 300 on, and nothing begins there */
        bench.got_float[i] = (float)(bench.want_float[i] * (1 + i * i * 1e-11));
    }
    bench.got_float[999] = 1e9f;
    struct classify_result result = classify(256);
    ASSERT_IS(result, "other", "");
}

static void right_zeros_do_not_make_a_tail_or_a_period(void)
{
    start_integers(1000);
    for (int i = 0; i < 1000; i++) {
        bench.want_int[i] = i < 512 ? 0 : bench.want_int[i];
        bench.got_int[i] = i < 512 ? 0 : 7 * bench.want_int[i] + i;
    }
    struct classify_result result = classify(256);
    ASSERT_IS(result, "other", "");
    start_integers(1000);
    for (int i = 0; i < 1000; i++) {
        bench.want_int[i] = i % 2 == 0 ? 0 : bench.want_int[i];
        bench.got_int[i] = i % 2 == 0 ? 0 : 7 * bench.want_int[i] + i;
    }
    result = classify(256);
    ASSERT_IS(result, "other", "");
}

static void lost_fractions_are_named(void)
{
    start_floats(1000, 0);
    for (int i = 0; i < 1000; i++) {
        bench.got_float[i] = truncf(bench.got_float[i]);
    }
    struct classify_result result = classify(256);
    ASSERT_IS(result, "typed", "the right one, without its fraction");
    CU_ASSERT_TRUE(result.explained);
    bench.got_float[500] += 0.5f;
    result = classify(256);
    CU_ASSERT_PTR_NULL(strstr(result.message, "fractions"));
    for (int i = 0; i < 1000; i++) { /* whole numbers too, but not those whose fractions were lost */
        bench.got_float[i] = 2.0f * (float)i;
    }
    result = classify(256);
    CU_ASSERT_PTR_NULL(strstr(result.message, "fractions"));
}

static void lost_digits_are_counted(void)
{
    start_floats(1000, 0);
    for (int i = 0; i < 1000; i++) { /* 8 bits of precision, rounded to nearest, as bfloat16 has */
        int exponent;
        float mantissa = frexpf(bench.got_float[i], &exponent);
        bench.got_float[i] = ldexpf(rintf(mantissa * 256) / 256, exponent);
    }
    struct classify_result result = classify(256);
    ASSERT_IS(result, "digits", "right to about 2 digits");
    for (int i = 0; i < 1000; i++) { /* of one sign: no rounding */
        bench.got_float[i] = (float)(bench.want_float[i] * (1 + (i % 7 + 1) * 1e-3));
    }
    result = classify(256);
    CU_ASSERT_PTR_NULL(strstr(result.message, "digits"));
}

static void sums_kept_in_sixteen_bits_are_named(void)
{
    start_integers(1000);
    for (int i = 0; i < 1000; i++) {
        bench.got_int[i] = (int16_t)bench.want_int[i];
    }
    struct classify_result result = classify(256);
    ASSERT_IS(result, "upper_bits", "multiple of 65536");
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "16 bits?"));
    bench.got_int[3]++;
    result = classify(256);
    CU_ASSERT_PTR_NULL(strstr(result.message, "65536"));
}

static void a_lost_highest_bit_is_not_a_short_variable(void)
{
    start_integers(1000);
    for (int i = 0; i < 1000; i += 3) {
        bench.got_int[i] = (int32_t)((uint32_t)bench.want_int[i] ^ 0x80000000u);
    }
    struct classify_result result = classify(256);
    ASSERT_IS(result, "upper_bits", "off by 2^31");
    CU_ASSERT_PTR_NULL(strstr(result.message, "16"));
    start_integers(1000);
    for (int i = 0; i < 1000; i++) {
        bench.got_int[i] = bench.want_int[i] + (i % 2 + 1) * (1 << 20);
    }
    result = classify(256);
    ASSERT_IS(result, "upper_bits", "2^20: the lower 20 bits are right");
}

static void integers_are_never_a_near_miss(void)
{
    start_integers(1000);
    bench.got_int[500]++;
    struct classify_result result = classify(256);
    ASSERT_IS(result, "other", "");
}

static void second_run_with_the_first_answer_is_recognised(void)
{
    static int64_t first[300];
    struct lab_expected expected = {.type = LAB_INT32, .count = 300, .i = first};
    start_integers(300);
    for (int i = 0; i < 300; i++) {
        first[i] = bench.got_int[i] = i * i + 7;
    }
    bench.extra.run = 1;
    bench.extra.first_expected = &expected;
    bench.extra.first_run_right = true;
    struct classify_result result = classify(256);
    ASSERT_IS(result, "other", "answer to the first run");
    bench.got_int[0] = -1;
    result = classify(256);
    ASSERT_IS(result, "other", "The first run of this case was right");
}

/* ---- the labs' own -------------------------------------------------------------------------------------------------- */

static const struct lab_case *case_of(const struct lab *lab, const char *name)
{
    for (int i = 0; i < lab->case_count; i++) {
        if (strcmp(lab->cases[i].name, name) == 0) {
            return &lab->cases[i];
        }
    }
    CU_FAIL_FATAL("no such case");
    return NULL;
}

/* Inputs in bench.input, _float; a second float input behind the first. Right results in bench.want_*, got. */
static void start_lab(const struct lab *lab, const char *name, int plan, int output)
{
    static float second[MOST];
    struct lab_random random;
    memset(&bench, 0, sizeof bench);
    bench.the_case = *case_of(lab, name);
    random_init(&random, 21, lab->name, name, 0);
    enum lab_type type = lab->arrays[lab->outputs[output].array].type;
    bool is_float = types_is_float(type);
    for (int i = 0; i < lab->array_count; i++) {
        bench.data.count[i] = lab->extent(lab, &bench.the_case, i);
        CU_ASSERT_FATAL(bench.data.count[i] <= MOST || lab->arrays[i].role == LAB_OUTPUT);
    }
    bench.data.array[0].bytes = is_float ? (void *)bench.input_float : (void *)bench.input;
    bench.data.array[1].f = second;
    lab->fill(lab, &bench.the_case, &random, &bench.data);
    size_t count = lab->outputs[output].scalar ? 1 : bench.data.count[lab->outputs[output].array];
    bench.expected = (struct lab_expected){
        .type = type,
        .count = count,
        .i = is_float ? NULL : bench.want_int,
        .f = is_float ? bench.want_float : NULL,
        .bound = bench.bound,
        .elements_per_block = 256,
    };
    lab->reference(lab, &bench.the_case, plan, output, &bench.data, &bench.expected);
    for (size_t i = 0; i < count; i++) {
        bench.got_int[i] = bench.want_int[i];
        bench.got_float[i] = (float)bench.want_float[i];
    }
}

static void doublify_names_its_mistakes(void)
{
    start_lab(labs_find("doublify"), "n = 1000", 0, 0);
    for (int i = 0; i < 1000; i++) {
        bench.got_float[i] = bench.input_float[i] * (i < 256 ? 16.0f : 1.0f);
    }
    struct classify_result result = classify_as(labs_find("doublify"), 256);
    ASSERT_IS(result, "tail", "Every block worked on elements 0..255");
    for (int i = 0; i < 1000; i++) {
        bench.got_float[i] = bench.input_float[i] * 4.0f;
    }
    result = classify_as(labs_find("doublify"), 256);
    ASSERT_IS(result, "doubled", "4 times what it was");
    for (int i = 0; i < 1000; i++) {
        bench.got_float[i] = 2.0f * truncf(bench.input_float[i]);
    }
    result = classify_as(labs_find("doublify"), 256);
    ASSERT_IS(result, "typed", "with the fraction cut off first");
    memcpy(bench.got_float, bench.input_float, 1000 * sizeof(float));
    result = classify_as(labs_find("doublify"), 256);
    ASSERT_IS(result, "other", "the same as before");
}

static void vector_add_names_a_forgotten_operand(void)
{
    start_lab(labs_find("vector_add"), "n = 1000", 0, 0);
    for (int i = 0; i < 1000; i++) {
        bench.got_float[i] = bench.data.array[1].f[i];
    }
    struct classify_result result = classify_as(labs_find("vector_add"), 256);
    ASSERT_IS(result, "other", "exactly the element of b");
    for (int i = 0; i < 1000; i++) {
        bench.got_float[i] = bench.input_float[i] - bench.data.array[1].f[i];
    }
    result = classify_as(labs_find("vector_add"), 256);
    ASSERT_IS(result, "other", "exactly the element of a minus that of b");
}

static void pi_names_integer_division_and_right_ends(void)
{
    start_lab(labs_find("pi"), "n = 1000", 0, 0);
    for (int i = 0; i < 1000; i++) {
        bench.got_float[i] = 4;
    }
    struct classify_result result = classify_as(labs_find("pi"), 256);
    ASSERT_IS(result, "integer", "both are int");
    for (int i = 0; i < 1000; i++) {
        double x = (i + 1) / 1000.0;
        bench.got_float[i] = (float)(4 / (1 + x * x));
    }
    result = classify_as(labs_find("pi"), 256);
    ASSERT_IS(result, "shifted", "x = (id+1)/n");
}

static void pi_names_what_a_wrong_sum_is(void)
{
    static const struct {
        const char *name;
        double factor, offset;
        const char *pattern, *words;
    } rows[] = {
        {"n = 1000", 2, 0, "doubled", "twice the sum"},
        {"n = 1000", 0, 4, "first_only", "element 0 alone"},
        {"n = 1000", 0, 4000, "integer", "both are int"},
        {"n = 1000", 1, -1, "middle", "middles of the strips"},
        {"n = 255", 1, -2, "shifted", "over id = 1..n"},
        {"n = 255", 1, -2.00787, "tail", "without the last element"},
        {"n = 1000", 0, 3142, "whole", "The sum is a whole number, 3142"},
        {"n = 1000", 0, 426.614154, "period", "first warp of each block"},
    };
    for (size_t row = 0; row < SUPPORT_COUNT(rows); row++) {
        struct classify_result result;
        start_lab(labs_find("pi"), rows[row].name, 0, 1);
        bench.got_float[0] = (float)(bench.want_float[0] * rows[row].factor + rows[row].offset);
        struct compare_result comparison;
        compare_output(&bench.expected, bench.got_float, &comparison);
        struct classify_input input = {
            .lab = labs_find("pi"),
            .comparison = &comparison,
            .wrong = {&bench.the_case, &bench.data, &bench.expected, bench.got_float, 0, 1, 1, 0, 256},
        };
        classify_wrong(&input, &result);
        ASSERT_IS(result, rows[row].pattern, rows[row].words);
        CU_ASSERT_EQUAL(strncmp(result.message, "pi should be 3.14", 17), 0);
    }
}

/* The array as a mistake leaves it, for n = 1000 or so in blocks of 256. */
static void scan_wrongly(int mistake)
{
    uint32_t inside = 0, before = 0, last_total = 0, all_scanned = 0, firsts = 0;
    for (int i = 0; i < (int)bench.expected.count; i++) {
        if (i % 256 == 0 && i > 0) {
            before += inside;
            all_scanned += before;
            last_total = inside;
            inside = 0;
            firsts += bench.data.array[0].u[i - 256];
        }
        uint32_t in = bench.data.array[0].u[i];
        uint32_t exclusive = inside;
        inside += in;
        uint32_t tree = 0; /* up-sweep: the last lowest-power-of-two elements */
        for (int j = i; j > i - ((i % 256 + 1) & -(i % 256 + 1)); j--) {
            tree += bench.data.array[0].u[j];
        }
        uint32_t window = 0; /* the steps up to distance 32 */
        for (int j = i; j >= i - i % 256 && j > i - 64; j--) {
            window += bench.data.array[0].u[j];
        }
        const uint32_t results[] = {exclusive + before,
                                    exclusive,
                                    inside,
                                    inside + last_total,
                                    tree,
                                    tree + before,
                                    i < 256 ? inside : before,
                                    inside + 2 * before,
                                    inside + all_scanned,
                                    inside + firsts,
                                    window};
        bench.got_int[i] = (int32_t)results[mistake];
    }
}

static void scan_names_its_mistakes(void)
{
    static const struct {
        const char *pattern, *words;
    } rows[] = {
        {"shifted", "this is the exclusive scan"},
        {"shifted", "In every block this is the exclusive scan"},
        {"block_constant", "the sum of blocks 0..2"},
        {"block_constant", "sum of the one block before it"},
        {"other", "only the up-sweep ran"},
        {"other", "only the up-sweep ran"},
        {"block_constant", "what was in it is gone"},
        {"block_constant", "which is in it twice"},
        {"block_constant", "these are scanned already"},
        {"block_total", "its first element alone"},
        {"steps", "what the step with distance 32 leaves"},
    };
    for (size_t row = 0; row < SUPPORT_COUNT(rows); row++) {
        start_lab(labs_find("scan"), "n = 5001, wrapping", 0, 0);
        scan_wrongly((int)row);
        struct classify_result result = classify_as(labs_find("scan"), 256);
        ASSERT_IS(result, rows[row].pattern, rows[row].words);
    }
}

/* What add_block_sums did is not distinguished from what it was given wrong; a sum that stops at the largest int is. */
static void scan_tells_the_kernels_apart(void)
{
    start_lab(labs_find("scan"), "n = 8, all ones", 0, 0);
    for (int i = 0; i < 8; i++) {
        bench.got_int[i] += 8;
    }
    struct classify_result result = classify_as(labs_find("scan"), 256);
    ASSERT_IS(result, "block_constant", "added to block 0");
    bench.extra.wrong.earlier_wrong = true;
    result = classify_as(labs_find("scan"), 256);
    CU_ASSERT(!result.by_lab && !strstr(result.message, "block_sums"));

    start_lab(labs_find("scan"), "n = 257", 0, 0);
    scan_wrongly(2);
    result = classify_as(labs_find("scan"), 256);
    CU_ASSERT(!result.by_lab); /* one element is too little */

    start_lab(labs_find("scan"), "n = 5001, wrapping", 0, 0);
    int64_t sum = 0;
    for (int i = 0; i < 5001; i++) {
        sum += bench.data.array[0].i[i];
        bench.got_int[i] = sum > INT32_MAX ? INT32_MAX : (int32_t)sum;
    }
    result = classify_as(labs_find("scan"), 256);
    ASSERT_IS(result, "saturated", "stops at the limit");
    bench.got_int[0] = INT32_MAX;
    result = classify_as(labs_find("scan"), 256);
    CU_ASSERT(!result.pattern || strcmp(result.pattern, "saturated") != 0);
}

/* Of several claims that one case allows, none is made that another mistake allows as well. */
static void claims_nothing_that_a_rival_explains(void)
{
    /* Any small number is near 4 beside a bound made for a sum of millions. */
    start_lab(labs_find("pi"), "n = 1200007", 0, 1);
    bench.got_float[0] = 3.14159f;
    struct classify_result result = classify_as(labs_find("pi"), 256);
    CU_ASSERT(!strstr(result.message, "element 0 alone"));
    bench.got_float[0] = 2.0f;
    result = classify_as(labs_find("pi"), 256);
    CU_ASSERT(!result.explained);
    /* With n = 257 the first block alone and all but the last element are the same. */
    start_lab(labs_find("pi"), "n = 257", 0, 1);
    bench.got_float[0] = (float)(bench.want_float[0] - 4.0 / (1.0 + 256.0 * 256.0 / (257.0 * 257.0)));
    result = classify_as(labs_find("pi"), 256);
    CU_ASSERT(!strstr(result.message, "first block alone"));
}

static void scan_names_sums_that_went_through_a_float(void)
{
    start_lab(labs_find("scan"), "n = 5000, large", 0, 0);
    float sum = 0;
    for (int i = 0; i < 5000; i++) {
        sum += (float)bench.data.array[0].i[i];
        bench.got_int[i] = (int32_t)sum;
    }
    struct classify_result result = classify_as(labs_find("scan"), 256);
    ASSERT_IS(result, "float", "a float has 24 bits");
}

/* C from the first `depth` products; A (1) or B (2) read column by column; C stored column by column (3). */
static void multiply_wrongly(size_t depth, int mistake)
{
    size_t m = (size_t)bench.the_case.size[0], n = (size_t)bench.the_case.size[1], k_count = (size_t)bench.the_case.size[2];
    for (size_t row = 0; row < m; row++) {
        for (size_t column = 0; column < n; column++) {
            float sum = 0;
            for (size_t k = 0; k < depth; k++) {
                sum += bench.data.array[0].f[mistake == 1 ? k * m + row : row * k_count + k]
                       * bench.data.array[1].f[mistake == 2 ? column * k_count + k : k * n + column];
            }
            bench.got_float[mistake == 3 ? column * m + row : row * n + column] = sum;
        }
    }
}

static void matmul_names_its_mistakes(void)
{
    static const struct {
        size_t depth;
        int mistake;
        const char *pattern, *words;
    } rows[] = {
        {64, 0, "tail", "The sums stop at k = 63"},
        {16, 0, "one_tile", "Only the first tile"},
        {71, 1, "transposed_factor", "A[k*M + row] would give"},
        {71, 2, "transposed_factor", "B[column*K + k] would give"},
        {71, 3, "transposed", "at i + j*M"},
        {48, 0, "tail", "From k = 48 on"},
        {33, 0, "tail", "k = 0..32 are in the sums"},
    };
    for (size_t row = 0; row < SUPPORT_COUNT(rows); row++) {
        start_lab(labs_find("matmul_tiled"), "37 x 53 x 71", 0, 0);
        multiply_wrongly(rows[row].depth, rows[row].mistake);
        struct classify_result result = classify_as(labs_find("matmul_tiled"), 16);
        ASSERT_IS(result, rows[row].pattern, rows[row].words);
    }
    /* With B the identity, nobody can tell whether A or C was transposed. */
    start_lab(labs_find("matmul_tiled"), "32 x 32 x 32, identity", 0, 0);
    multiply_wrongly(32, 1);
    struct classify_result result = classify_as(labs_find("matmul_tiled"), 16);
    ASSERT_IS(result, "transposed", "This is the transposed matrix");
    CU_ASSERT(!strstr(result.message, "column*K") && !strstr(result.message, "k*M"));
    /* A tile of numbers with 8 bits, and one product of 17 left out. */
    start_lab(labs_find("matmul_tiled"), "17 x 17 x 17", 0, 0);
    static uint32_t kept[17 * 17];
    memcpy(kept, bench.data.array[0].u, sizeof kept);
    for (size_t i = 0; i < 17 * 17; i++) {
        bench.data.array[0].u[i] &= 0xffff0000u;
    }
    multiply_wrongly(17, 0);
    memcpy(bench.data.array[0].u, kept, sizeof kept);
    result = classify_as(labs_find("matmul_tiled"), 16);
    ASSERT_IS(result, "digits", "with every element of A cut off after the upper 16 bits");
    start_lab(labs_find("matmul_tiled"), "17 x 17 x 17", 0, 0);
    memcpy(kept, bench.data.array[0].u, sizeof kept);
    for (size_t i = 0; i < 17; i++) {
        bench.data.array[0].f[17 * i + 5] = 0;
    }
    multiply_wrongly(17, 0);
    memcpy(bench.data.array[0].u, kept, sizeof kept);
    result = classify_as(labs_find("matmul_tiled"), 16);
    CU_ASSERT(!strstr(result.message, "digits"));
}

static void histogram_names_its_mistakes(void)
{
    struct lab_random random;
    random_init(&random, 1, "histogram", "lost", 0);
    start_lab(labs_find("histogram"), "n = 4097", 0, 0);
    for (int lost = 0; lost < 812;) {
        uint32_t bin = lab_random_below(&random, 256);
        lost += bench.got_int[bin] > 0;
        bench.got_int[bin] -= bench.got_int[bin] > 0;
    }
    struct classify_result result = classify_as(labs_find("histogram"), 256);
    ASSERT_IS(result, "lost_updates", "812 are missing");

    start_lab(labs_find("histogram"), "n = 4097", 0, 0);
    for (int i = 4000; i < 4097; i++) {
        bench.got_int[bench.input[i]]--;
    }
    result = classify_as(labs_find("histogram"), 256);
    ASSERT_IS(result, "not_counted", "the last 97 elements were not counted");

    start_lab(labs_find("histogram"), "n = 4097", 0, 0);
    for (int i = 0; i < 4097; i++) {
        bench.got_int[bench.input[i]] -= i % 1024 >= 256;
    }
    result = classify_as(labs_find("histogram"), 1024);
    ASSERT_IS(result, "period", "first 256 of each 1024 elements");

    start_lab(labs_find("histogram"), "n = 4097", 0, 0);
    memset(bench.got_int + 128, 0, 128 * sizeof(int32_t));
    result = classify_as(labs_find("histogram"), 256);
    ASSERT_IS(result, "tail", "from bin 128 on all are 0");

    start_lab(labs_find("histogram"), "n = 4097", 0, 0);
    for (int bin = 0; bin < 256; bin++) {
        bench.got_int[bin] += (int32_t)random_poison(3, (size_t)bin);
    }
    result = classify_as(labs_find("histogram"), 256);
    ASSERT_IS(result, "other", "before the first update");
}

/* The sum over the blocks of what `count` makes of one block's count of a bin. */
static void count_by_blocks(const char *name, int32_t (*count)(int32_t before, int32_t own))
{
    static int32_t own[256];
    start_lab(labs_find("histogram"), name, 0, 0);
    memset(bench.got_int, 0, 256 * sizeof *bench.got_int);
    size_t n = (size_t)bench.the_case.size[0];
    for (size_t start = 0; start < n; start += 4096) {
        memset(own, 0, sizeof own);
        for (size_t i = start; i < n && i < start + 4096; i++) {
            own[bench.input[i]]++;
        }
        for (int bin = 0; bin < 256; bin++) {
            bench.got_int[bin] = count(bench.got_int[bin], own[bin]);
        }
    }
}

static int32_t modulo_5(int32_t before, int32_t own)
{
    return before + own % 5;
}

static int32_t replace(int32_t before, int32_t own)
{
    return own > 0 ? own : before;
}

static void histogram_names_counts_that_start_again(void)
{
    count_by_blocks("n = 5003, upper half", modulo_5);
    struct classify_result result = classify_as(labs_find("histogram"), 4096);
    ASSERT_IS(result, "wraps", "modulo 5");
    count_by_blocks("n = 5003, upper half", replace);
    result = classify_as(labs_find("histogram"), 4096);
    ASSERT_IS(result, "replaced", "is the count of block 1");
    /* Of equal elements, nobody can tell which are left. */
    count_by_blocks("n = 10000, all equal", replace);
    result = classify_as(labs_find("histogram"), 4096);
    CU_ASSERT(!strstr(result.message, "exactly those of") && !strstr(result.message, "256 = "));
    /* Two bins of 8 bits in a word. */
    start_lab(labs_find("histogram"), "n = 1000, two values", 0, 0);
    for (int bin = 0; bin < 256; bin++) {
        int32_t carried = bench.got_int[bin] / 256;
        bench.got_int[bin] -= 256 * carried;
        bench.got_int[bin < 255 ? bin + 1 : 255] += bin < 255 ? carried : 0;
    }
    result = classify_as(labs_find("histogram"), 4096);
    ASSERT_IS(result, "wraps", "256 = 2^8");
}

static void histogram_names_elements_that_count_too_often(void)
{
    start_lab(labs_find("histogram"), "n = 4097", 0, 0);
    for (int bin = 0; bin < 256; bin++) {
        bench.got_int[bin] *= 2;
    }
    struct classify_result result = classify_as(labs_find("histogram"), 256);
    ASSERT_IS(result, "doubled", "Every count is 2 times");
    for (int bin = 0; bin < 256; bin++) {
        bench.got_int[bin] = bin * bench.want_int[bin];
    }
    result = classify_as(labs_find("histogram"), 256);
    ASSERT_IS(result, "factor", "bin v is v times");
    for (int bin = 0; bin < 256; bin++) {
        bench.got_int[bin] = bench.want_int[bin] + bin % 3 * (bench.want_int[bin] != 0);
    }
    result = classify_as(labs_find("histogram"), 256);
    ASSERT_IS(result, "other", "only 4097 elements");
    start_lab(labs_find("histogram"), "n = 4097", 0, 0);
    for (int bin = 0; bin < 256; bin++) {
        bench.got_int[bin] = bench.want_int[bin] = bin == 22 ? 73 : bin == 20 || bin == 21 ? 1000 : 8;
    }
    bench.got_int[20] -= 256;
    bench.got_int[21] -= 512;
    result = classify_as(labs_find("histogram"), 256);
    ASSERT_IS(result, "wraps", "multiple of 256");
}

static const struct support_test tests[] = {
    SUPPORT_TEST(message_begins_with_the_first_wrong_element),
    SUPPORT_TEST(matrix_elements_are_named_by_row_and_column),
    SUPPORT_TEST(scale_applies_to_what_is_shown),
    SUPPORT_TEST(random_noise_is_other),
    SUPPORT_TEST(few_elements_prove_nothing),
    SUPPORT_TEST(poison_left_is_never_written),
    SUPPORT_TEST(equal_to_the_input_is_a_copy),
    SUPPORT_TEST(all_zero_and_all_equal_are_named),
    SUPPORT_TEST(values_moved_by_one_place_are_shifted),
    SUPPORT_TEST(exchanged_rows_and_columns_are_transposed),
    SUPPORT_TEST(constant_errors_per_block_are_block_constant),
    SUPPORT_TEST(constant_error_of_one_everywhere_is_off_by_one),
    SUPPORT_TEST(twice_the_value_is_doubled),
    SUPPORT_TEST(counts_that_fall_short_are_lost_updates),
    SUPPORT_TEST(repeated_first_block_is_a_period),
    SUPPORT_TEST(wrong_elements_in_the_same_places_are_a_period),
    SUPPORT_TEST(wrong_suffix_is_a_tail),
    SUPPORT_TEST(wrong_ragged_tiles_are_an_edge),
    SUPPORT_TEST(small_errors_are_a_near_miss_even_in_a_tail),
    SUPPORT_TEST(errors_that_grow_into_the_bound_are_no_tail),
    SUPPORT_TEST(right_zeros_do_not_make_a_tail_or_a_period),
    SUPPORT_TEST(lost_fractions_are_named),
    SUPPORT_TEST(lost_digits_are_counted),
    SUPPORT_TEST(sums_kept_in_sixteen_bits_are_named),
    SUPPORT_TEST(a_lost_highest_bit_is_not_a_short_variable),
    SUPPORT_TEST(integers_are_never_a_near_miss),
    SUPPORT_TEST(second_run_with_the_first_answer_is_recognised),
    SUPPORT_TEST(doublify_names_its_mistakes),
    SUPPORT_TEST(vector_add_names_a_forgotten_operand),
    SUPPORT_TEST(pi_names_integer_division_and_right_ends),
    SUPPORT_TEST(pi_names_what_a_wrong_sum_is),
    SUPPORT_TEST(scan_names_its_mistakes),
    SUPPORT_TEST(scan_tells_the_kernels_apart),
    SUPPORT_TEST(claims_nothing_that_a_rival_explains),
    SUPPORT_TEST(scan_names_sums_that_went_through_a_float),
    SUPPORT_TEST(matmul_names_its_mistakes),
    SUPPORT_TEST(histogram_names_its_mistakes),
    SUPPORT_TEST(histogram_names_counts_that_start_again),
    SUPPORT_TEST(histogram_names_elements_that_count_too_often),
};

int classify_suite_register(void)
{
    return support_register("classify", tests, SUPPORT_COUNT(tests));
}
