/* Signatures read from source text, and the geometry that a module asks for. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/compile/signature.h"
#include "grader/run/geometry.h"

static const char *const contract_text = "void scan(const int *in, int *out, unsigned *scratch, int n)";

/* An entry point with these widths. */
static struct ptx_entry entry_of(const char *name, uint32_t count, uint32_t *bytes)
{
    return (struct ptx_entry){.name = name, .parameter_count = count, .parameter_bytes = bytes};
}

/* Compares the source's kernel `scan` with the contract. */
static enum signature_verdict judge(const char *source, char message[1024])
{
    static uint32_t widths[] = {8, 8, 8, 4};
    struct ptx_entry entry = entry_of("scan", 4, widths);
    struct signature contract, student;
    CU_ASSERT_FATAL(signature_parse(contract_text, &contract));
    bool found = signature_find(source, "scan", &student);
    return signature_compare(&contract, found ? &student : NULL, &entry, message, 1024);
}

static void check(const char *source, enum signature_verdict expected)
{
    char message[1024];
    enum signature_verdict verdict = judge(source, message);
    if (verdict != expected)
        fprintf(stderr, "verdict %d instead of %d for: %s\n%s\n", verdict, expected, source, message);
    CU_ASSERT_EQUAL(verdict, expected);
    CU_ASSERT_EQUAL(message[0] == '\0', expected == SIGNATURE_MATCH);
}

static void accepts_the_contract_as_it_stands(void)
{
    check("extern \"C\" __global__ void scan(const int *in, int *out, unsigned *scratch, int n) { }", SIGNATURE_MATCH);
}

static void accepts_other_names_qualifiers_and_layout(void)
{
    check("extern \"C\" __global__ void __launch_bounds__(256)\nscan(int const *__restrict__ x,\n     int*y /* out */, // "
          "here\n"
          "     unsigned int *volatile z, const int count)\n{\n}\n",
          SIGNATURE_MATCH);
    check("__launch_bounds__(256, 2) __global__ void scan(const int in[], int out[], unsigned s[], signed n) {}",
          SIGNATURE_MATCH);
}

static void follows_macros_typedefs_and_aliases(void)
{
    check("#define ARG const int *\n#define KERNEL extern \"C\" __global__ void\n#define NAME scan\ntypedef int number;\n"
          "using word = unsigned;\nKERNEL NAME(ARG a, number *b, word *c, number n) {}",
          SIGNATURE_MATCH);
    check("#include <stdint.h>\nextern \"C\" __global__ void scan(const int32_t *a, int32_t *b, uint32_t *c, int32_t n) {}",
          SIGNATURE_MATCH);
}

static void passes_over_a_macro_that_says_nothing(void)
{
    check("__global__ void scan(IN const int *in, int *out, OUT unsigned *s, int n) {}\n#define IN\n#define OUT",
          SIGNATURE_MATCH);
}

static void ends_in_a_doubt_when_macros_go_in_circles(void)
{
    check("#define A B\n#define B A\n__global__ void scan(const A *a, int *b, unsigned *c, int n) {}", SIGNATURE_DOUBT);
}

static void ends_in_a_doubt_when_macros_double(void)
{
    char source[2048];
    int used = 0;
    for (int i = 0; i < 9; i++)
        used += sprintf(source + used, "#define A%1$d A%2$d A%2$d A%2$d A%2$d A%2$d A%2$d A%2$d A%2$d A%2$d A%2$d\n", i,
                        i + 1);
    sprintf(source + used, "__global__ void scan(const A0 *a, int *b, unsigned *c, int n) {}");
    check(source, SIGNATURE_DOUBT);
}

static void rejects_another_element_type(void)
{
    char message[1024];
    CU_ASSERT_EQUAL(judge("__global__ void scan(const float *in, int *out, unsigned *s, int n) {}", message),
                    SIGNATURE_MISMATCH);
    SUPPORT_CONTAINS(message, "first parameter");
    SUPPORT_CONTAINS(message, "float *in");
    SUPPORT_CONTAINS(message, "expected  void scan(const int *in, int *out, unsigned *scratch, int n)");
    SUPPORT_CONTAINS(message, "yours     void scan(const float *in, int *out, unsigned *s, int n)");
}

static void rejects_another_signedness(void)
{
    check("__global__ void scan(const int *in, int *out, int *s, int n) {}", SIGNATURE_MISMATCH);
    check("__global__ void scan(const int *in, int *out, unsigned *s, unsigned n) {}", SIGNATURE_MISMATCH);
}

static void rejects_another_width_and_a_missing_star(void)
{
    check("__global__ void scan(const int *in, int *out, unsigned long *s, int n) {}", SIGNATURE_MISMATCH);
    check("__global__ void scan(const int *in, int *out, unsigned s, int n) {}", SIGNATURE_MISMATCH);
    check("__global__ void scan(const int *in, int **out, unsigned *s, int n) {}", SIGNATURE_MISMATCH);
}

static void rejects_another_parameter_count_by_the_ptx_alone(void)
{
    static uint32_t widths[] = {8, 8, 4};
    struct ptx_entry entry = entry_of("scan", 3, widths);
    struct signature contract;
    char message[1024];
    CU_ASSERT_FATAL(signature_parse(contract_text, &contract));
    CU_ASSERT_EQUAL(signature_compare(&contract, NULL, &entry, message, sizeof message), SIGNATURE_MISMATCH);
    SUPPORT_CONTAINS(message, "has 3 parameters, but it must have 4");
}

static void only_doubts_what_it_cannot_read(void)
{
    check("struct pair { int a; };\n__global__ void scan(const strange_t *in, int *out, unsigned *s, int n) {}",
          SIGNATURE_DOUBT);
    check("#define MAKE(name) __global__ void name(const int *in, int *out, unsigned *s, int n)\nMAKE(scan) {}",
          SIGNATURE_DOUBT);
}

static void is_not_misled_by_comments_and_strings(void)
{
    check("// __global__ void scan(float *x) {\n/* __global__ void scan(float *x) { */\n"
          "const char *text = \"__global__ void scan(float *x) {\";\n"
          "__global__ void scan(const int *in, int *out, unsigned *s, int n) {}",
          SIGNATURE_MATCH);
}

static void is_not_misled_by_raw_strings_and_continued_lines(void)
{
    check("const char *text = R\"x(\n)\" __global__ void scan(float *x) {\n)x\";\n"
          "#define HINT \"/*\"\n// __global__ void scan(float *x) { \\\n __global__ void scan(double *x) {\n"
          "const char *more = \"a\\\n__global__ void scan(float *x) {\";\n"
          "__global__ void scan(const int *in, int *out, \n#define LATER 1\n unsigned *s, int n) {}",
          SIGNATURE_MATCH);
}

static void prefers_the_definition_to_a_call_or_declaration(void)
{
    struct signature signature;
    CU_ASSERT(signature_find("__global__ void k(int *a);\n\n__global__ void k(int *values)\n{\n}\n", "k", &signature));
    CU_ASSERT_EQUAL(signature.line, 3);
    CU_ASSERT_STRING_EQUAL(signature.parameters[0].name, "values");
    CU_ASSERT_FALSE(signature_find("void k(int *a) {}\nint main() { k(0); }", "k", &signature));
}

static void survives_unfinished_source(void)
{
    static const char *const texts[] = {"",
                                        "__global__",
                                        "__global__ void scan(",
                                        "__global__ void scan(int",
                                        "#define",
                                        "\"",
                                        "/*",
                                        "'",
                                        "#define X",
                                        "typedef",
                                        "using",
                                        "\\",
                                        "__global__ void scan()"};
    struct signature signature;
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++)
        CU_ASSERT_EQUAL(signature_find(texts[i], "scan", &signature), i == SUPPORT_COUNT(texts) - 1);
    CU_ASSERT_EQUAL(signature.parameter_count, 0);
    CU_ASSERT_FALSE(signature_parse("void k(strange x)", &signature));
}

/* ---- geometry ----------------------------------------------------------------------------------------------------- */

static const struct lab_kernel line_kernel = {.name = "k", .signature = "void k()", .block = {256, 1, 1}, .dimensions = 1};
static const struct lab_kernel square_kernel = {.name = "k", .signature = "void k()", .block = {16, 16, 1}, .dimensions = 2};
static const struct lab_kernel fixed_kernel = {
    .name = "k", .signature = "void k()", .block = {256, 1, 1}, .dimensions = 1, .fixed_block = true};

/* Decides the geometry of `kernel` in a module made of `text`. */
static bool decide(const struct lab_kernel *kernel, const char *text, struct geometry *geometry, char message[512])
{
    struct ptx_summary summary;
    message[0] = '\0';
    CU_ASSERT_EQUAL(ptx_summary_read(text, strlen(text), &summary, NULL), PTX_OK);
    const struct ptx_entry *entry = ptx_summary_entry(&summary, "k");
    CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
    bool decided = geometry_decide(kernel, entry, &summary, geometry, message, 512);
    ptx_summary_clear(&summary);
    return decided;
}

static void takes_the_default_block_when_none_is_asked(void)
{
    struct geometry geometry;
    char message[512];
    CU_ASSERT(decide(&line_kernel, ".entry k() { }", &geometry, message));
    CU_ASSERT_EQUAL(geometry.block[0], 256);
    CU_ASSERT_EQUAL(geometry.items[0], 256);
    CU_ASSERT_FALSE(geometry.asked);
    CU_ASSERT(decide(&square_kernel, ".entry k() { }", &geometry, message));
    CU_ASSERT_EQUAL(geometry.block[1], 16);
    CU_ASSERT_EQUAL(geometry.items[1], 16);
}

static void takes_launch_bounds(void)
{
    struct geometry geometry;
    char message[512];
    CU_ASSERT(decide(&line_kernel, ".entry k() .maxntid 64, 2, 1 { }", &geometry, message));
    CU_ASSERT_EQUAL(geometry.block[0], 128);
    CU_ASSERT(decide(&square_kernel, ".entry k() .maxntid 1024, 1, 1 { }", &geometry, message));
    CU_ASSERT_EQUAL(geometry.block[0], 32);
    CU_ASSERT_EQUAL(geometry.block[1], 32);
    CU_ASSERT(decide(&fixed_kernel, ".entry k() .maxntid 1024, 1, 1 { }", &geometry, message));
    CU_ASSERT_EQUAL(geometry.block[0], 256);
}

static void explains_that_a_block_must_be_square(void)
{
    struct geometry geometry;
    char message[512];
    CU_ASSERT_FALSE(decide(&square_kernel, ".entry k() .maxntid 128, 1, 1 { }", &geometry, message));
    SUPPORT_CONTAINS(message, "128 is not a square");
}

static void lets_the_block_constant_win(void)
{
    struct geometry geometry;
    char message[512];
    const char *text = ".const .align 4 .b8 k_block[12] = {8, 0, 0, 0, 4, 0, 0, 0, 1};\n.entry k() .maxntid 1024, 1, 1 { }";
    CU_ASSERT(decide(&square_kernel, text, &geometry, message));
    CU_ASSERT_EQUAL(geometry.block[0], 8);
    CU_ASSERT_EQUAL(geometry.block[1], 4);
    CU_ASSERT_FALSE(decide(&line_kernel, ".const .align 4 .b8 k_block[12];\n.entry k() { }", &geometry, message));
    SUPPORT_CONTAINS(message, "k_block[0] is 0");
}

static void takes_items_and_refuses_their_wrong_number(void)
{
    struct geometry geometry;
    char message[512];
    CU_ASSERT(decide(&line_kernel, ".const .align 4 .u32 k_items = 1024;\n.entry k() { }", &geometry, message));
    CU_ASSERT_EQUAL(geometry.block[0], 256);
    CU_ASSERT_EQUAL(geometry.items[0], 1024);
    CU_ASSERT_FALSE(decide(&square_kernel, ".const .align 4 .u32 k_items = 64;\n.entry k() { }", &geometry, message));
    SUPPORT_CONTAINS(message, "the columns and the rows");
    CU_ASSERT_FALSE(decide(&line_kernel, ".const .align 4 .u32 k_items = -4;\n.entry k() { }", &geometry, message));
    SUPPORT_CONTAINS(message, "k_items is -4");
}

static bool is_reordered(const char *source, char message[1024])
{
    struct signature contract, student;
    CU_ASSERT_FATAL(signature_parse(contract_text, &contract) && signature_find(source, "scan", &student));
    return signature_is_reordered(&contract, &student, message, 1024);
}

static void notices_names_in_another_order(void)
{
    char message[1024] = "";
    CU_ASSERT_TRUE(is_reordered("__global__ void scan(int *out, const int *in, unsigned *scratch, int n) {}", message));
    SUPPORT_CONTAINS(message, "passes in, out, scratch, n in this order, and your kernel calls them out, in, scratch, n.");
    CU_ASSERT_FALSE(is_reordered("__global__ void scan(const int *in, int *out, unsigned *scratch, int n) {}", message));
    CU_ASSERT_TRUE(is_reordered("__global__ void scan(int *y, const int *x, unsigned *scratch, int n) {}", message));
    SUPPORT_CONTAINS(message, "passes in, out, scratch, n in this order, and your kernel calls them y, x, scratch, n.");
    CU_ASSERT_FALSE(is_reordered("__global__ void scan(const int *x, int *y, unsigned *scratch, int n) {}", message));
    CU_ASSERT_FALSE(is_reordered("__global__ void scan(int *x, int *y, unsigned *scratch, int n) {}", message));
    CU_ASSERT_FALSE(is_reordered("__global__ void scan(int *out, const int *in, int n) {}", message));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(accepts_the_contract_as_it_stands),
    SUPPORT_TEST(accepts_other_names_qualifiers_and_layout),
    SUPPORT_TEST(follows_macros_typedefs_and_aliases),
    SUPPORT_TEST(passes_over_a_macro_that_says_nothing),
    SUPPORT_TEST(ends_in_a_doubt_when_macros_go_in_circles),
    SUPPORT_TEST(ends_in_a_doubt_when_macros_double),
    SUPPORT_TEST(rejects_another_element_type),
    SUPPORT_TEST(rejects_another_signedness),
    SUPPORT_TEST(rejects_another_width_and_a_missing_star),
    SUPPORT_TEST(rejects_another_parameter_count_by_the_ptx_alone),
    SUPPORT_TEST(only_doubts_what_it_cannot_read),
    SUPPORT_TEST(is_not_misled_by_comments_and_strings),
    SUPPORT_TEST(is_not_misled_by_raw_strings_and_continued_lines),
    SUPPORT_TEST(prefers_the_definition_to_a_call_or_declaration),
    SUPPORT_TEST(survives_unfinished_source),
    SUPPORT_TEST(notices_names_in_another_order),
    SUPPORT_TEST(takes_the_default_block_when_none_is_asked),
    SUPPORT_TEST(takes_launch_bounds),
    SUPPORT_TEST(explains_that_a_block_must_be_square),
    SUPPORT_TEST(lets_the_block_constant_win),
    SUPPORT_TEST(takes_items_and_refuses_their_wrong_number),
};

int signature_suite_register(void)
{
    return support_register("signature", tests, SUPPORT_COUNT(tests));
}
