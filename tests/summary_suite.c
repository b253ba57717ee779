/* What is read from PTX without running it: entries, constants, instructions; from hostile text too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grader/compile/fingerprint.h"
#include "grader/compile/summary_record.h"
#include "runtime/language/ptx/summary.h"
#include "tests/support.h"

static const char *const ptx =
    ".version 9.0\n.target sm_80\n.address_size 64\n"
    ".const .align 4 .b8 k_block[12] = {16, 0, 0, 0, 2, 0, 0, 0, 1};\n"
    ".const .align 4 .u32 k_items = 1024;\n"
    ".const .align 4 .u32 zero;\n"
    ".visible .const .align 4 .b8 far[400];\n"
    ".const .align 4 .s32 pair[2][1] = {{-3}, {4}}, other = 0x10;\n"
    ".const .align 8 .u64 wide = 5;\n.const .f32 real = 0f3F800000;\n.const .u32 open[] = {7, 8};\n"
    ".const .align 8 .u64 pointer = generic(far)+4;\n"
    "// .entry comment(\n.file 1 \".entry string(\"\n"
    ".visible .entry k(\n\t.param .u64 .ptr .align 1 k_param_0,\n\t.param .u32 k_param_1,\n"
    "\t.param .align 8 .b8 k_param_2[16]\n)\n.maxntid 128, 1, 1\n{\n .reg .b32 %r<2>; { ret; } }\n"
    ".entry plain\n{ ret; }\n"
    ".entry exact(.param .u32 exact_param_0) .pragma \"nounroll\"; .reqntid 8, 4 { ret; }\n"
    ".entry odd(.param .zzz p, .param .texref t, .param .v4 .f32 v, .param .b8 huge[4294967296]) { ret; }\n"
    ".entry declared(.param .u32 x);\n.entry bodiless;\n.entry later();\n.entry later() { ret; }\n"
    ".section .debug_str { a: .b8 1 }\n.func (.param .b32 r) helper(.param .b32 a) { ret; }\n";

static void read_good(const char *text, struct ptx_summary *summary)
{
    struct diagnostic diagnostic = {0};
    enum ptx_status status = ptx_summary_read(text, strlen(text), summary, &diagnostic);
    if (status != PTX_OK)
        fprintf(stderr, "line %d: %s\n", diagnostic.line, diagnostic.message);
    CU_ASSERT_EQUAL(status, PTX_OK);
}

/* ---- entries and constants ---------------------------------------------------------------------------------------- */

static void reads_entries(void)
{
    struct ptx_summary summary;
    read_good(ptx, &summary);
    CU_ASSERT_EQUAL(summary.entry_count, 5);
    CU_ASSERT_EQUAL(summary.body_count, 6);
    const struct ptx_entry *k = ptx_summary_entry(&summary, "k");
    CU_ASSERT_PTR_NOT_NULL_FATAL(k);
    CU_ASSERT_EQUAL_FATAL(k->parameter_count, 3);
    CU_ASSERT_EQUAL(k->parameter_bytes[0], 8);
    CU_ASSERT_EQUAL(k->parameter_bytes[1], 4);
    CU_ASSERT_EQUAL(k->parameter_bytes[2], 16);
    CU_ASSERT_TRUE(k->parameters_known);
    CU_ASSERT_EQUAL(k->max_threads[0], 128);
    CU_ASSERT_FALSE(k->threads_required);
    const struct ptx_entry *plain = ptx_summary_entry(&summary, "plain");
    CU_ASSERT_TRUE(plain && plain->parameter_count == 0 && plain->parameters_known && plain->max_threads[0] == 0);
    const struct ptx_entry *exact = ptx_summary_entry(&summary, "exact");
    CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
    CU_ASSERT_EQUAL(exact->max_threads[1], 4);
    CU_ASSERT_EQUAL(exact->max_threads[2], 1);
    CU_ASSERT(exact->threads_required);
    const struct ptx_entry *odd = ptx_summary_entry(&summary, "odd");
    CU_ASSERT_FATAL(odd && odd->parameter_count == 4 && !odd->parameters_known);
    CU_ASSERT_EQUAL(odd->parameter_bytes[0], 0);
    CU_ASSERT_EQUAL(odd->parameter_bytes[1], 8);
    CU_ASSERT_EQUAL(odd->parameter_bytes[2], 16);
    CU_ASSERT_EQUAL(odd->parameter_bytes[3], 0);
    CU_ASSERT_PTR_NULL(ptx_summary_entry(&summary, "comment"));
    CU_ASSERT_PTR_NULL(ptx_summary_entry(&summary, "string"));
    ptx_summary_clear(&summary);
}

static void takes_a_declaration_for_no_kernel(void)
{
    struct ptx_summary summary;
    read_good(ptx, &summary);
    CU_ASSERT_PTR_NULL(ptx_summary_entry(&summary, "declared"));
    CU_ASSERT_PTR_NULL(ptx_summary_entry(&summary, "bodiless"));
    CU_ASSERT_PTR_NOT_NULL(ptx_summary_entry(&summary, "later"));
    ptx_summary_clear(&summary);
}

static void reads_constants(void)
{
    static const struct {
        const char *name;
        uint32_t count;
        int32_t value[3];
    } constants[] = {
        {"k_block", 3, {16, 2, 1}}, {"k_items", 1, {1024}}, {"zero", 1, {0}},    {"pair", 2, {-3, 4}},
        {"other", 1, {16}},         {"wide", 2, {5, 0}},    {"open", 2, {7, 8}},
    };
    struct ptx_summary summary;
    read_good(ptx, &summary);
    for (size_t i = 0; i < SUPPORT_COUNT(constants); i++) {
        const struct ptx_constant *constant = ptx_summary_constant(&summary, constants[i].name);
        CU_ASSERT_PTR_NOT_NULL_FATAL(constant);
        CU_ASSERT_EQUAL(constant->count, constants[i].count);
        CU_ASSERT_EQUAL(memcmp(constant->value, constants[i].value, sizeof constant->value), 0);
    }
    CU_ASSERT_EQUAL(ptx_summary_constant(&summary, "real")->value[0], 0); /* not a number of threads */
    CU_ASSERT_PTR_NULL(ptx_summary_constant(&summary, "far"));
    ptx_summary_clear(&summary);
}

static void knows_any_number_of_parameters_entries_and_letters(void)
{
    enum { COUNT = 300 };
    static char text[200 * COUNT];
    struct ptx_summary summary;
    int used = sprintf(text, ".entry many(");
    for (int i = 0; i < COUNT; i++)
        used += sprintf(text + used, "%s.param .b16 p%d", i ? ", " : "", i);
    used += sprintf(text + used, ") {}\n");
    for (int i = 0; i < COUNT; i++)
        used += sprintf(text + used, ".entry e%0140d {}\n.const .u32 c%d = %d;\n", i, i, i);
    read_good(text, &summary);
    CU_ASSERT_EQUAL(summary.entry_count, COUNT + 1);
    CU_ASSERT_EQUAL(summary.constant_count, COUNT);
    CU_ASSERT_EQUAL_FATAL(summary.entries[0].parameter_count, COUNT);
    CU_ASSERT_EQUAL(summary.entries[0].parameter_bytes[COUNT - 1], 2);
    CU_ASSERT_EQUAL(strlen(summary.entries[COUNT].name), 141);
    CU_ASSERT_EQUAL(ptx_summary_constant(&summary, "c299")->value[0], 299);
    ptx_summary_clear(&summary);
}

/* ---- instructions -------------------------------------------------------------------------------------------------- */

/* All instructions of all bodies, tokens joined by blanks. */
static void write_instructions(const char *text, char *out, size_t bytes)
{
    struct ptx_summary summary;
    struct token token;
    size_t used = 0;
    out[0] = '\0';
    read_good(text, &summary);
    for (size_t i = 0; i < summary.body_count; i++) {
        struct ptx_instructions walk;
        ptx_instructions_begin(&walk, &summary.bodies[i]);
        while (ptx_instructions_next(&walk, &token) && used < bytes)
            used += (size_t)(token.kind == TOKEN_PUNCTUATION
                                 ? snprintf(out + used, bytes - used, "%c", token.punctuation)
                                 : snprintf(out + used, bytes - used, "<%.*s>", (int)token.length, token.text));
    }
    ptx_summary_clear(&summary);
}

static void walks_over_instructions_that_it_does_not_know(void)
{
    static const char text[] =
        ".version 99.9\n.target sm_999\n.newdirective 12, \"x\" [4];\n"
        ".visible .entry k(.param .u64 p) .blocksareclusters .reqnctapercluster 2, 1, 1\n{\n"
        ".reg .b32 %r<4>; .reg .pred %p<2>;\n.shared .align 4 .b8 s[16];\n"
        ".loc 1 2 3, function_name $L__info+12, inlined_at 1 4 5\n@!%p1 bra.uni $L__done;\n"
        ".loc 1 2 3\nnew.op.f4x3::wide.b6 {%r1, %r2}, [%r3+0x10, {%r1}], 0f12, 99999999999999999999, \\ ;\n"
        "{\n.reg .b32 t;\ncall.uni (retval0),\n f,\n (\np0\n);\n}\n"
        "$L__done:\nts: .branchtargets $L__done;\n.pragma \"nounroll\";\n\tret\n}\n";
    char found[1024];
    write_instructions(text, found, sizeof found);
    CU_ASSERT_STRING_EQUAL(found,
                           "@!<%p1><bra.uni><$L__done>;"
                           "<new.op.f4x3::wide.b6>{<%r1>,<%r2>},[<%r3>+<0x10>,{<%r1>}],<0f12>,<99999999999999999999>,<\\>;"
                           "<call.uni>(<retval0>),<f>,(<p0>);<ret>;");
}

static size_t prints_of(const char *text, uint64_t *prints)
{
    struct ptx_summary summary;
    read_good(text, &summary);
    size_t count = fingerprint_ptx(&summary, prints);
    ptx_summary_clear(&summary);
    return count;
}

static void takes_fingerprints_whatever_names_and_numbers_are(void)
{
    static uint64_t first[FINGERPRINT_MAX], second[FINGERPRINT_MAX], third[FINGERPRINT_MAX];
    char texts[3][4096];
    for (int t = 0; t < 3; t++) {
        bool other = t == 1;
        int used = sprintf(texts[t], other ? "// other\n.func g() {\n" : ".entry k() {\n.loc 1 2 3\n");
        for (int i = 0; i < 30; i++) {
            used += other ? sprintf(texts[t] + used, "L%d: ", i) : 0;
            used += sprintf(texts[t] + used, "add%s.u32%s%%r%d, %%r%d,%d;%s", i % 3 ? ".sat" : "", other ? "\t" : " ",
                            i + 100 * t, i + 7 * t, i + t, other ? " // a\n" : "\n");
        }
        sprintf(texts[t] + used, t == 2 ? "mul.lo.u32 %%r1, %%r1, 2; ret; }\n" : "ret; }\n");
    }
    size_t count = prints_of(texts[0], first);
    CU_ASSERT(count > 0);
    CU_ASSERT_EQUAL(prints_of(texts[1], second), count);
    CU_ASSERT_EQUAL(memcmp(first, second, count * sizeof *first), 0);
    size_t more = prints_of(texts[2], third);
    CU_ASSERT(more != count || memcmp(first, third, count * sizeof *first) != 0);
}

/* ---- hostile text -------------------------------------------------------------------------------------------------- */

static void refuses_only_what_has_no_structure(void)
{
    static const struct {
        const char *text, *message;
        int line;
        size_t entries; /* that were read before */
    } texts[] = {
        {".entry a {}\n.entry b {\nadd;", "the body of a function is not closed", 2, 2},
        {".entry a {}\n.entry b(.param .u32 x {}", "the parameters of a kernel are not closed", 2, 1},
        {".entry a {}\n.entry b(.param .u32 x", "the parameters of a kernel are not closed", 2, 1},
        {".entry a {}\n.entry", "expected a name after .entry", 2, 1},
        {".entry a\n.entry b {}", "neither a body nor a ';'", 2, 0},
        {".entry a {}\n.section .x {", "a brace is not closed", 2, 1},
        {".entry a {}\n.const .u32 x = 1", "a .const has no ';'", 2, 1},
        {".entry a {}\n.entry b { ret; /* ", "a comment is not closed", 2, 2},
        {".entry a {}\n.file 1 \"x", "a string has no closing quote", 2, 1},
        {".entry a {}\n.const .u32 x[4 = 1;", "a bracket is not closed", 2, 1},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        struct ptx_summary summary;
        struct diagnostic diagnostic = {0};
        CU_ASSERT_EQUAL(ptx_summary_read(texts[i].text, strlen(texts[i].text), &summary, &diagnostic), PTX_INVALID);
        SUPPORT_CONTAINS(diagnostic.message, texts[i].message);
        CU_ASSERT_EQUAL(diagnostic.line, texts[i].line);
        CU_ASSERT_EQUAL(summary.entry_count, texts[i].entries);
        ptx_summary_clear(&summary);
    }
    struct ptx_summary summary;
    read_good("any text } ) ; \x01 .entry a { } } .entry b { }", &summary);
    CU_ASSERT_EQUAL(summary.entry_count, 2);
    ptx_summary_clear(&summary);
}

static void survives_any_cut(void)
{
    for (size_t bytes = 0; bytes <= strlen(ptx); bytes++) {
        struct ptx_summary summary;
        struct diagnostic diagnostic = {0};
        uint64_t prints[FINGERPRINT_MAX];
        char *copy = malloc(bytes + 1); /* exactly as long, so that the sanitizer sees a step too far */
        CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
        memcpy(copy, ptx, bytes);
        enum ptx_status status = ptx_summary_read(copy, bytes, &summary, &diagnostic);
        CU_ASSERT_EQUAL(status == PTX_OK, diagnostic.message[0] == '\0');
        CU_ASSERT(summary.entry_count <= 6);
        fingerprint_ptx(&summary, prints);
        ptx_summary_clear(&summary);
        free(copy);
    }
}

/* What costs most to read. The compiler's child may produce sixteen times as much, and has 10 seconds. */
static void takes_no_time_out_of_proportion(void)
{
    static const char *const parts[] = {".entry a{}",
                                        ".entry a(.param .b8 a){}",
                                        ".const .b8 a[4];",
                                        "{",
                                        "}",
                                        ".entry a{{",
                                        "a{;",
                                        ".entry a;",
                                        ".entry a(",
                                        ".const .u32 a={{-",
                                        "\x01",
                                        "\"",
                                        ".loc 1 1 1,",
                                        "a:",
                                        ".entry a{.reg",
                                        ".maxntid 1,1,1,",
                                        "[4",
                                        "/*a*/",
                                        ".",
                                        "0f",
                                        "99999999999999999999 ",
                                        ".param .b8 a,",
                                        "@a;",
                                        ".func a{add a,b;}",
                                        "1.e+e+e+"};
    enum { BYTES = 256 << 10 };
    static uint64_t prints[FINGERPRINT_MAX];
    char *text = malloc(BYTES);
    for (size_t i = 0; i < 2 * SUPPORT_COUNT(parts); i++) {
        const char *part = parts[i / 2];
        struct ptx_summary summary;
        size_t length = strlen(part), start = i % 2 ? (size_t)sprintf(text, ".entry k(.param .u32 a) {add ") : 0;
        for (size_t at = start; at < BYTES; at++)
            text[at] = part[(at - start) % length];
        clock_t before = clock();
        CU_ASSERT_NOT_EQUAL(ptx_summary_read(text, BYTES, &summary, NULL), PTX_OUT_OF_MEMORY);
        fingerprint_ptx(&summary, prints);
        ptx_summary_clear(&summary);
        double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
        if (seconds > 5) /* 0.02 are usual, 0.5 under sanitizers; a time that grows with the square is minutes */
            fprintf(stderr, "%s: %.1f s\n", part, seconds);
        CU_ASSERT(seconds < 5);
    }
    free(text);
}

/* ---- from the child ------------------------------------------------------------------------------------------------ */

static void crosses_a_channel_whole(void)
{
    struct ptx_summary summary, again = {0};
    size_t bytes;
    read_good(ptx, &summary);
    char *record = summary_pack(&summary, &bytes);
    CU_ASSERT_TRUE(summary_unpack(record, bytes, &again));
    CU_ASSERT_EQUAL_FATAL(again.entry_count, summary.entry_count);
    CU_ASSERT_EQUAL_FATAL(again.constant_count, summary.constant_count);
    for (size_t i = 0; i < summary.entry_count; i++) {
        const struct ptx_entry *a = &summary.entries[i], *b = &again.entries[i];
        CU_ASSERT_STRING_EQUAL(a->name, b->name);
        CU_ASSERT_EQUAL_FATAL(a->parameter_count, b->parameter_count);
        CU_ASSERT_EQUAL(memcmp(a->max_threads, b->max_threads, sizeof a->max_threads), 0);
        CU_ASSERT_EQUAL(a->threads_required, b->threads_required);
        CU_ASSERT_EQUAL(a->parameters_known, b->parameters_known);
        for (size_t k = 0; k < a->parameter_count; k++)
            CU_ASSERT_EQUAL(a->parameter_bytes[k], b->parameter_bytes[k]);
    }
    for (size_t i = 0; i < summary.constant_count; i++) {
        CU_ASSERT_STRING_EQUAL(summary.constants[i].name, again.constants[i].name);
        CU_ASSERT_EQUAL(summary.constants[i].count, again.constants[i].count);
        CU_ASSERT_EQUAL(summary.constants[i].value[0], again.constants[i].value[0]);
    }
    ptx_summary_clear(&again);
    for (size_t cut = 0; cut < bytes; cut++) {
        char *part = malloc(cut + 1); /* a child that lies */
        memcpy(part, record, cut);
        CU_ASSERT_FALSE(summary_unpack(part, cut, &again));
        ptx_summary_clear(&again);
        free(part);
    }
    for (size_t at = 0; at < bytes; at++) {
        record[at] = (char)~record[at];
        summary_unpack(record, bytes, &again);
        ptx_summary_clear(&again);
        record[at] = (char)~record[at];
    }
    free(record);
    ptx_summary_clear(&summary);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(reads_entries),
    SUPPORT_TEST(takes_a_declaration_for_no_kernel),
    SUPPORT_TEST(reads_constants),
    SUPPORT_TEST(knows_any_number_of_parameters_entries_and_letters),
    SUPPORT_TEST(walks_over_instructions_that_it_does_not_know),
    SUPPORT_TEST(takes_fingerprints_whatever_names_and_numbers_are),
    SUPPORT_TEST(refuses_only_what_has_no_structure),
    SUPPORT_TEST(survives_any_cut),
    SUPPORT_TEST_OF(host, takes_no_time_out_of_proportion),
    SUPPORT_TEST(crosses_a_channel_whole),
};

int summary_suite_register(void)
{
    return support_register("summary", tests, SUPPORT_COUNT(tests));
}
