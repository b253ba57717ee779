/* A lab read from lab.yaml: formulas, prototypes, fills, and what is computed on the CPU. */
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/lab/describe/fills.h"
#include "grader/lab/describe/formula.h"
#include "grader/lab/describe/lab_folder.h"
#include "grader/lab/describe/prototype.h"
#include "grader/lab/random.h"
#include "grader/lab/types.h"

/* ---- formulas --------------------------------------------------------------------------------------------------------- */

static double value_of(const char *text)
{
    static const char *const names[] = {"n", "rows"};
    static const double values[] = {1000, 7};
    char message[256];
    struct formula *formula = formula_create(text, names, 2, message, sizeof message);
    double value = formula ? formula_value(formula, values) : NAN;
    formula_destroy(formula);
    return value;
}

static void formulas_have_the_usual_order_of_operations(void)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"1 + 2 * 3", 7},       {"(1 + 2) * 3", 9},   {"7 / 2", 3.5},          {"10 - 2 - 3", 5},
        {"2^3^2", 512},         {"-2^2", -4},         {"2^-1", 0.5},           {"n", 1000},
        {"rows*rows - -1", 50}, {"ceil(n / 256)", 4}, {"floor(-0.5)", -1},     {"min(n, rows)", 7},
        {"max(n, rows)", 1000}, {"log2(1024)", 10},   {"sqrt(81)", 9},         {"warps(33)", 2},
        {"sectors(9)", 2},      {"sectors(9, 8)", 3}, {"2^24 + 11", 16777227}, {" 1e3 ", 1000},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        CU_ASSERT_EQUAL(value_of(rows[i].text), rows[i].value);
}

static void what_is_no_formula_is_refused_at_its_column(void)
{
    static const char *const rows[][2] = {
        {"1 +", "column 4: the formula ends too early"},
        {"m", "column 1: unknown name m; known are n"},
        {"2 * wraps(n)", "column 5: unknown function wraps"},
        {"min(n)", "column 1: min does not take 1 argument"},
        {"(n", "column 3: expected )"},
        {"n n", "column 3: n is left over"},
        {"", "column 1: the formula ends too early"},
        {"3 $ 4", "column 3: $ 4 is left over"},
    };
    static const char *const names[] = {"n"};
    char message[256], deep[400];
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        CU_ASSERT_PTR_NULL(formula_create(rows[i][0], names, 1, message, sizeof message));
        CU_ASSERT_EQUAL(strncmp(message, rows[i][1], strlen(rows[i][1])), 0);
    }
    memset(deep, '(', sizeof deep);
    deep[sizeof deep - 1] = '\0';
    CU_ASSERT_PTR_NULL(formula_create(deep, names, 1, message, sizeof message));
    for (size_t i = 0; i + 2 < sizeof deep; i += 2)
        memcpy(deep + i, "-1", 2);
    deep[sizeof deep - 2] = '\0';
    struct formula *long_one = formula_create(deep, names, 1, message, sizeof message);
    CU_ASSERT_PTR_NOT_NULL(long_one); /* 1 - 1 - 1 ... needs two values at once, however long it is */
    formula_destroy(long_one);
}

/* ---- prototypes ------------------------------------------------------------------------------------------------------- */

static void prototypes_are_read_as_C_reads_them(void)
{
    struct prototype prototype;
    char message[256];
    CU_ASSERT(prototype_read("void f(const unsigned int *__restrict__ in, float*out,int n , const double a);", &prototype,
                             message, sizeof message));
    CU_ASSERT_STRING_EQUAL(prototype.name, "f");
    CU_ASSERT_EQUAL(prototype.parameter_count, 4);
    CU_ASSERT_STRING_EQUAL(prototype.parameters[0].type, "unsigned int");
    CU_ASSERT(prototype.parameters[0].is_pointer && prototype.parameters[0].is_const);
    CU_ASSERT(prototype.parameters[1].is_pointer && !prototype.parameters[1].is_const);
    CU_ASSERT(!prototype.parameters[3].is_pointer);
    CU_ASSERT_EQUAL(prototype_find(&prototype, "n"), 2);
    CU_ASSERT_EQUAL(prototype_find(&prototype, "m"), -1);
    CU_ASSERT(prototype_read("void g()", &prototype, message, sizeof message) && prototype.parameter_count == 0);
    static const char *const wrong[] = {"int f(int n)",
                                        "void f(int)",
                                        "void f(int **a)",
                                        "void f(int n",
                                        "void f(int n, int n)",
                                        "void f(int n) x",
                                        "f",
                                        ""};
    for (size_t i = 0; i < SUPPORT_COUNT(wrong); i++)
        CU_ASSERT(!prototype_read(wrong[i], &prototype, message, sizeof message));
}

/* ---- fills ------------------------------------------------------------------------------------------------------------ */

static void fill_int64(const char *name, double first, double second, int64_t *array, size_t count)
{
    struct lab_random random;
    double numbers[3] = {first, second};
    random_init(&random, 1, "lab", name, 0);
    const struct fill_kind *kind = fills_find(name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
    kind->fill(LAB_INT64, array, count, numbers, &random);
}

static void fills_do_what_their_rows_say(void)
{
    int64_t array[1000], seen[1000] = {0};
    int low = 0, high = 0;
    fill_int64("integers", -3, 5, array, 1000);
    for (int i = 0; i < 1000; i++) {
        CU_ASSERT(array[i] >= -3 && array[i] <= 5);
        low += array[i] == -3;
        high += array[i] == 5;
    }
    CU_ASSERT(low > 0 && high > 0);
    fill_int64("permutation", 0, 0, array, 1000);
    for (int i = 0; i < 1000; i++)
        seen[array[i]]++;
    for (int i = 0; i < 1000; i++)
        CU_ASSERT_EQUAL(seen[i], 1);
    fill_int64("sorted", 10, 12, array, 9);
    CU_ASSERT(array[0] == 10 && array[3] == 11 && array[8] == 12);
    fill_int64("index", 5, -2, array, 3);
    CU_ASSERT(array[0] == 5 && array[1] == 3 && array[2] == 1);
    fill_int64("constant", 7, 0, array, 2);
    CU_ASSERT(array[0] == 7 && array[1] == 7);
    CU_ASSERT_PTR_NULL(fills_find("gaussian"));
}

/* ---- a folder --------------------------------------------------------------------------------------------------------- */

/* Writes a lab into a new folder and reads it. What it complains of goes to `complaints`. */
static const struct lab *read_lab(const char *description, const char *reference, char *complaints, size_t bytes)
{
    char folder[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES];
    CU_ASSERT_FATAL(support_temporary_directory(folder));
    support_write_text(support_join(path, folder, "lab.yaml"), description);
    support_write_text(support_join(path, folder, "reference.c"), reference);
    FILE *file = fmemopen(complaints, bytes, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    const struct lab *lab = lab_folder_open(folder, NULL, file);
    fclose(file);
    support_remove_tree(folder);
    return lab;
}

static const char dot[] =
    "title: Dot products\n"
    "sizes: [rows, columns]\n"
    "scalars: {scale: double}\n"
    "kernels:\n"
    "  - {signature: \"void dot(const float *a, const float *b, double scale, double *out, long rows, short columns)\",\n"
    "     covers: rows}\n"
    "arrays: {a: [rows, columns], b: columns, out: rows}\n"
    "precision: double\n"
    "values:\n"
    "  fractions: {a: uniform -1 1, b: uniform -1 1, scale: constant -2}\n"
    "compare: {out: {sum: columns}}\n"
    "cases:\n"
    "  - {rows: 3, columns: 5, purpose: small, budget: yes}\n";
static const char dot_reference[] =
    "void dot(const double *a, const double *b, double scale, double *out, long rows, short columns)\n"
    "{ for (long r = 0; r < rows; r++) { out[r] = 0; for (int c = 0; c < columns; c++) out[r] += scale * a[r * columns + c] * b[c]; } }\n";

static void the_plan_is_replayed_with_the_reference(void)
{
    char complaints[1024] = "";
    float a[15], b[5];
    double bound[3], f[3];
    const struct lab *lab = read_lab(dot, dot_reference, complaints, sizeof complaints);
    CU_ASSERT_PTR_NOT_NULL_FATAL(lab);
    const struct lab_case *the_case = &lab->cases[0];
    CU_ASSERT_STRING_EQUAL(the_case->name, "3 x 5");
    CU_ASSERT_EQUAL(lab->extent(lab, the_case, 0), 15);
    CU_ASSERT_EQUAL(lab->columns(lab, the_case, 0), 5);
    struct lab_data data = {.array = {{.f = a}, {.f = b}, {.bytes = f}}, .count = {15, 5, 3}};
    struct lab_random random;
    random_init(&random, 1, lab->name, the_case->name, 0);
    lab->fill(lab, the_case, &random, &data);
    CU_ASSERT_EQUAL(data.scalar[0].f, -2);
    struct lab_expected expected = {.type = LAB_FLOAT64, .count = 3, .f = f, .bound = bound};
    lab->reference(lab, the_case, 0, 0, &data, &expected);
    CU_ASSERT_EQUAL(lab->outputs[0].tolerance.kind, LAB_SUM);
    CU_ASSERT_EQUAL(lab->outputs[0].tolerance.terms(lab, the_case, 0, 0), 5);
    for (int r = 0; r < 3; r++) {
        double sum = 0, absolute = 0;
        for (int c = 0; c < 5; c++) {
            sum += -2.0 * (double)a[r * 5 + c] * (double)b[c];
            absolute += fabs(2.0 * (double)a[r * 5 + c] * (double)b[c]);
        }
        CU_ASSERT(fabs(f[r] - sum) <= 1e-15 * absolute);
    }
}

static void every_mistake_in_the_file_is_told_at_its_line(void)
{
    static const struct {
        const char *old, *now, *complaint;
    } rows[] = {
        {"sizes: [rows, columns]", "sizes: []", ":2: sizes: expected 1 to 4 names"},
        {"covers: rows", "cover: rows", ":6: kernels[0]: unknown key cover; did you mean covers? Allowed"},
        {"a: [rows, columns]", "a: [rows, cols]", ":7: a: cols: column 1: unknown name cols"},
        {"scale: constant -2", "", ":10: values: fractions: nothing gives scale a value"},
        {"budget: yes", "", ":13: cases: 0 have budget: yes"},
        {"rows: 3,", "rows: 0,", "cases[0]: expected a whole number from 1 on"},
        {"compare: {out:", "compare: {result:", "compare: result: no plan checks an output of this name"},
        {"void dot", "void dots", "reference.c has no function dots"},
        {"title: Dot products", "- title", ":2: not YAML"},
        {"short columns", "wide columns", "wide is not a type"},
        {"title: Dot products\n", "title: Dot products\nweigh: {sums_of: [a, b], products: yes}\n",
         ":2: products: expected two arrays of two dimensions"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char complaints[4096] = "", text[sizeof dot + 64];
        const char *at = strstr(dot, rows[i].old);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - dot), dot, rows[i].now, at + strlen(rows[i].old));
        const struct lab *lab = read_lab(text, dot_reference, complaints, sizeof complaints);
        CU_ASSERT_PTR_NULL(lab);
        if (!strstr(complaints, rows[i].complaint))
            fprintf(stderr, "expected \"%s\" in:\n%s", rows[i].complaint, complaints);
        CU_ASSERT_PTR_NOT_NULL(strstr(complaints, rows[i].complaint));
    }
}

static void an_error_of_the_compiler_is_quoted(void)
{
    char complaints[4096] = "";
    CU_ASSERT_PTR_NULL(read_lab(dot, "void dot(void) { return 1 +; }\n", complaints, sizeof complaints));
    CU_ASSERT_PTR_NOT_NULL(strstr(complaints, "reference.c:1:"));
    CU_ASSERT_PTR_NOT_NULL(strstr(complaints, "error:"));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(formulas_have_the_usual_order_of_operations), SUPPORT_TEST(what_is_no_formula_is_refused_at_its_column),
    SUPPORT_TEST(prototypes_are_read_as_C_reads_them),         SUPPORT_TEST(fills_do_what_their_rows_say),
    SUPPORT_TEST(the_plan_is_replayed_with_the_reference),     SUPPORT_TEST(every_mistake_in_the_file_is_told_at_its_line),
    SUPPORT_TEST(an_error_of_the_compiler_is_quoted),
};

int describe_suite_register(void)
{
    return support_register("describe", tests, SUPPORT_COUNT(tests));
}
