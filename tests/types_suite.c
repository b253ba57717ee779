/* grader/lab/types: every row of types.def, by itself and in a lab of its own. */
#include "tests/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "grader/lab/random.h"
#include "grader/lab/types.h"
#include "tests/small_lab.h"

static const enum lab_type float_types[] = {LAB_FLOAT16, LAB_BFLOAT16, LAB_FLOAT32, LAB_FLOAT64};

/* ---- numbers ------------------------------------------------------------------------------------------------------ */

static double random_double(struct lab_random *random)
{
    double fraction = 1 + lab_random_bits(random) * 0x1p-32 + lab_random_bits(random) * 0x1p-64;
    double value = ldexp(fraction, (int)lab_random_below(random, 320) - 160);
    return lab_random_below(random, 2) == 0 ? value : -value;
}

/* A half that is read and stored again has the same bits, as a bfloat16 has. */
static void narrow_floats_keep_their_bits(void)
{
    for (int t = 0; t < 2; t++)
        for (unsigned bits = 0; bits < 65536; bits++) {
            uint16_t before = (uint16_t)bits, after = 0;
            double value = types_get_float(float_types[t], &before, 0);
            types_set_float(float_types[t], &after, 0, value);
            if (isnan(value)) {
                CU_ASSERT_FATAL(isnan(types_get_float(float_types[t], &after, 0)));
            } else if (after != before) {
                CU_ASSERT_EQUAL_FATAL(after, before);
            }
        }
}

static void halves_are_those_of_ieee_754(void)
{
    static const struct {
        uint16_t bits;
        double value;
    } halves[] = {{0x3c00, 1},       {0xc000, -2},          {0x7bff, 65504},      {0x0400, 0x1p-14},
                  {0x0001, 0x1p-24}, {0x03ff, 0x1.ff8p-15}, {0x3555, 0x1.554p-2}, {0x7c00, (double)INFINITY},
                  {0x8000, -0.0}};
    for (size_t i = 0; i < SUPPORT_COUNT(halves); i++) {
        uint16_t bits = 0;
        CU_ASSERT_EQUAL(types_get_float(LAB_FLOAT16, &halves[i].bits, 0), halves[i].value);
        types_set_float(LAB_FLOAT16, &bits, 0, halves[i].value);
        CU_ASSERT_EQUAL(bits, halves[i].bits);
    }
    uint16_t one = 0x3f80, largest = 0x7f7f;
    CU_ASSERT_EQUAL(types_get_float(LAB_BFLOAT16, &one, 0), 1);
    CU_ASSERT_EQUAL(types_get_float(LAB_BFLOAT16, &largest, 0), 0x1.fep127);
}

/* To nearest, ties to even; the processor's conversion of double to float is the witness. */
static void rounding_is_that_of_the_processor(void)
{
    struct lab_random random;
    random_init(&random, 1, "types", "rounding", 0);
    for (int i = 0; i < 200000; i++) {
        double value = random_double(&random);
        CU_ASSERT_EQUAL_FATAL(types_round(LAB_FLOAT32, value), (double)(float)value);
        CU_ASSERT_EQUAL_FATAL(types_round(LAB_FLOAT64, value), value);
#ifdef __FLT16_MAX__
        CU_ASSERT_EQUAL_FATAL(types_round(LAB_FLOAT16, value), (double)(_Float16)value);
#endif
    }
    CU_ASSERT_EQUAL(types_round(LAB_FLOAT16, 65519.9), 65504);
    CU_ASSERT_EQUAL(types_round(LAB_FLOAT16, 65520), (double)INFINITY);
    CU_ASSERT_EQUAL(types_round(LAB_FLOAT16, 0x1p-25), 0);
    CU_ASSERT_EQUAL(types_round(LAB_FLOAT16, 0x1.8p-25), 0x1p-24);
    CU_ASSERT_EQUAL(types_round(LAB_BFLOAT16, 257), 256);
    CU_ASSERT_EQUAL(types_round(LAB_BFLOAT16, 259), 260);
    CU_ASSERT_EQUAL(types_round(LAB_FLOAT32, (double)FLT_MAX * 1.0000001), (double)INFINITY);
}

static void neighbours_are_those_of_the_processor(void)
{
    struct lab_random random;
    random_init(&random, 2, "types", "neighbours", 0);
    const float corners[] = {0.0f, -0.0f, 1.0f, -1.0f, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, FLT_MIN, 0x1p-149f};
    for (size_t i = 0; i < 20000 + SUPPORT_COUNT(corners); i++) {
        float value = i < SUPPORT_COUNT(corners) ? corners[i] : (float)random_double(&random);
        CU_ASSERT_EQUAL_FATAL(types_next(LAB_FLOAT32, (double)value, 0), (double)nextafterf(value, 0));
        CU_ASSERT_EQUAL_FATAL(types_next(LAB_FLOAT32, (double)value, (double)INFINITY), (double)nextafterf(value, INFINITY));
        CU_ASSERT_EQUAL_FATAL(types_next(LAB_FLOAT32, (double)value, -(double)INFINITY),
                              (double)nextafterf(value, -INFINITY));
    }
    CU_ASSERT_EQUAL(types_next(LAB_FLOAT16, 65504, (double)INFINITY), (double)INFINITY);
    CU_ASSERT_EQUAL(types_next(LAB_FLOAT16, 1, 0), 1 - 0x1p-11);
}

static void integers_have_the_width_of_their_type(void)
{
    for (int type = LAB_NO_TYPE + 1; type < LAB_TYPE_COUNT; type++) {
        uint64_t element[2] = {0, 0};
        const struct types_row *row = types_get((enum lab_type)type);
        CU_ASSERT_EQUAL(types_find(row->name), type);
        CU_ASSERT_EQUAL(types_find(row->c), type);
        if (row->kind == TYPES_FLOAT)
            continue;
        types_set_integer((enum lab_type)type, element, 1, -1);
        CU_ASSERT_EQUAL(types_get_integer((enum lab_type)type, element, 0), 0);
        bool whole = row->kind == TYPES_SIGNED || row->bytes == 8;
        CU_ASSERT_EQUAL(types_get_integer((enum lab_type)type, element, 1),
                        whole ? -1 : (INT64_C(1) << (8 * row->bytes)) - 1);
    }
    CU_ASSERT_EQUAL(types_integer_value(LAB_UINT64, -1), 0x1p64);
    CU_ASSERT_EQUAL(types_find("float128"), LAB_NO_TYPE);
}

static void values_are_written_with_the_digits_that_they_have(void)
{
    char text[64];
    static const struct {
        enum lab_type type;
        double value;
        const char *text;
    } rows[] = {{LAB_FLOAT32, 0x1.99999ap-4, "0.100000001"},
                {LAB_FLOAT64, 0.1, "0.10000000000000001"},
                {LAB_FLOAT16, 0x1.998p-4, "0.099976"},
                {LAB_BFLOAT16, 0x1.9ap-4, "0.1001"}};
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        types_format_float(rows[i].type, rows[i].value, text, sizeof text);
        CU_ASSERT_STRING_EQUAL(text, rows[i].text);
    }
    types_format_float(LAB_FLOAT16, -(double)NAN, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "NaN");
    types_format_integer(LAB_UINT64, -1, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "18446744073709551615");
}

/* ---- a lab of each type: out[i] = in[i] + in[i] ------------------------------------------------------------------- */

enum { IN, OUT };

static size_t extent(const struct lab *lab, const struct lab_case *the_case, int index)
{
    (void)lab, (void)index;
    return (size_t)the_case->size[0];
}

static void fill(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    enum lab_type type = lab->arrays[IN].type;
    (void)the_case;
    for (size_t i = 0; i < data->count[IN]; i++) {
        int whole = (int)lab_random_below(random, 61) + 1;
        if (types_is_float(type))
            types_set_float(type, data->array[IN].bytes, i, whole / 8.0 - 4);
        else
            types_set_integer(type, data->array[IN].bytes, i, whole);
    }
}

static void reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                      const struct lab_data *data, struct lab_expected *expected)
{
    (void)the_case, (void)plan, (void)output;
    enum lab_type type = lab->arrays[IN].type;
    for (size_t i = 0; i < expected->count; i++) {
        if (expected->f)
            expected->f[i] = 2 * types_get_float(type, data->array[IN].bytes, i);
        else
            expected->i[i] = 2 * types_get_integer(type, data->array[IN].bytes, i);
    }
    expected->bound = NULL;
    expected->rule = "only the exact result";
}

static void launch(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    CU_ASSERT_EQUAL(lab_run_plan(run), 0);
    CU_ASSERT_STRING_EQUAL(lab_run_lab(run)->name, "twice");
    lab_launch(run, &(struct lab_launch){"twice", {n}, {0}, {LAB_ARRAY(IN), LAB_ARRAY(OUT), LAB_INTEGER(LAB_INT64, n)}});
    lab_check(run, 0, 0, (size_t)n);
}

/* Grades `text`, in which T is the type: the values of the lab as a whole. */
struct twice {
    char signature[128], source[1024];
    struct lab_array arrays[2];
    struct lab_kernel kernel;
    struct lab lab;
};

static const struct lab_plan plans[] = {{"one launch", {0}, 1, launch}};
static const struct lab_output outputs[] = {{"out", OUT, false}};
static const struct lab_case cases[] = {
    {.name = "n = 5", .purpose = "few", .size = {5}},
    {.name = "n = 301", .purpose = "no whole number of words", .size = {301}},
};

static const struct lab *describe(struct twice *twice, enum lab_type type, const char *text)
{
    const char *c = types_get(type)->c;
    const char *include = type == LAB_FLOAT16    ? "#include <cuda_fp16.h>\n"
                          : type == LAB_BFLOAT16 ? "#include <cuda_bf16.h>\n"
                                                 : "";
    snprintf(twice->signature, sizeof twice->signature, "void twice(const %s *in, %s *out, long n)", c, c);
    snprintf(twice->source, sizeof twice->source,
             "%stypedef %s T;\nextern \"C\" __global__ void twice(const T *in, T *out, long n)\n{\n"
             "    long i = blockIdx.x * blockDim.x + threadIdx.x;\n    %s\n}\n",
             include, c, text);
    twice->arrays[IN] = (struct lab_array){"in", type, LAB_INPUT};
    twice->arrays[OUT] = (struct lab_array){"out", type, LAB_OUTPUT};
    twice->kernel = (struct lab_kernel){"twice", twice->signature, {64, 1, 1}, 1, false};
    twice->lab = (struct lab){
        .name = "twice",
        .title = "Twice",
        .handout = "handouts/doublify.md",
        .kernels = &twice->kernel,
        .kernel_count = 1,
        .plans = plans,
        .plan_count = 1,
        .arrays = twice->arrays,
        .array_count = 2,
        .outputs = outputs,
        .output_count = 1,
        .cases = cases,
        .case_count = 2,
        .points = 10,
        .extent = extent,
        .fill = fill,
        .reference = reference,
        .timing_case = cases[1],
    };
    return &twice->lab;
}

static void every_type_is_graded(void)
{
    struct twice twice;
    for (int type = LAB_NO_TYPE + 1; type < LAB_TYPE_COUNT; type++) {
        const struct lab *lab = describe(&twice, (enum lab_type)type, "if (i < n) out[i] = in[i] + in[i];");
        CU_ASSERT(small_lab_passes(lab, twice.source, true));
    }
}

static void a_wrong_value_of_every_type_is_named(void)
{
    struct twice twice;
    for (int type = LAB_NO_TYPE + 1; type < LAB_TYPE_COUNT; type++) {
        const struct lab *lab = describe(&twice, (enum lab_type)type, "if (i < n) out[i] = in[i];");
        CU_ASSERT(small_lab_finds(lab, twice.source, "wrong_value", "out is a copy of in"));
    }
}

static void an_unwritten_tail_of_every_type_is_named(void)
{
    struct twice twice;
    for (int type = LAB_NO_TYPE + 1; type < LAB_TYPE_COUNT; type++) {
        const struct lab *lab = describe(&twice, (enum lab_type)type, "if (i < n / 64 * 64) out[i] = in[i] + in[i];");
        CU_ASSERT(small_lab_finds(lab, twice.source, "never_written", "Elements 256..300 of out, the last ones,"));
    }
}

/* One element beyond the end: the driver counts in elements of the type. */
static void a_store_beyond_the_end_of_every_type_is_found(void)
{
    struct twice twice;
    for (int type = LAB_NO_TYPE + 1; type < LAB_TYPE_COUNT; type++) {
        const struct lab *lab = describe(&twice, (enum lab_type)type, "if (i < n) out[i + 1] = in[i] + in[i];");
        CU_ASSERT(small_lab_finds(lab, twice.source, "out_of_bounds", "out[5]"));
    }
}

/* Of single bytes each 256th holds its poison by accident, which proves nothing. */
static void accidents_are_not_called_unwritten(void)
{
    struct twice twice;
    const struct lab *lab = describe(&twice, LAB_UINT8, "if (i < n) out[i] = (T)(in[i] * 37 + i * 101);");
    CU_ASSERT(small_lab_finds(lab, twice.source, "wrong_value", NULL));
    struct result_lab result;
    small_lab_grade(lab, twice.source, &result);
    for (int i = 0; i < result.test_count; i++)
        CU_ASSERT_FALSE(result_findings_have(&result.tests[i].findings, "never_written"));
    result_lab_clear(&result);
}

static void another_type_in_the_signature_is_refused(void)
{
    struct twice twice;
    char source[1024];
    const struct lab *lab = describe(&twice, LAB_INT16, "if (i < n) out[i] = in[i] + in[i];");
    snprintf(source, sizeof source, "typedef unsigned short U;\n%s", strchr(twice.source, '\n') + 1);
    for (char *at = source + 25; (at = strstr(at, "T *"));)
        *at = 'U';
    CU_ASSERT(small_lab_finds(lab, source, "signature", "unsigned short"));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(narrow_floats_keep_their_bits),
    SUPPORT_TEST(halves_are_those_of_ieee_754),
    SUPPORT_TEST(rounding_is_that_of_the_processor),
    SUPPORT_TEST(neighbours_are_those_of_the_processor),
    SUPPORT_TEST(integers_have_the_width_of_their_type),
    SUPPORT_TEST(values_are_written_with_the_digits_that_they_have),
    SUPPORT_TEST(every_type_is_graded),
    SUPPORT_TEST(a_wrong_value_of_every_type_is_named),
    SUPPORT_TEST(an_unwritten_tail_of_every_type_is_named),
    SUPPORT_TEST(a_store_beyond_the_end_of_every_type_is_found),
    SUPPORT_TEST(accidents_are_not_called_unwritten),
    SUPPORT_TEST(another_type_in_the_signature_is_refused),
};

int types_suite_register(void)
{
    return support_register("types", tests, SUPPORT_COUNT(tests));
}
