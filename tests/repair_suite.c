/* Repairs of a parsed module (emulator/decode/repair.h): where they go, what they leave alone, and what they refuse. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/decode/repair.h"
#include "tests/support.h"

#define KERNEL(body)                                                                                    \
    ".version 7.8\n.target sm_80\n.address_size 64\n.file 1 \"k.cu\"\n"                                 \
    ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n"         \
    ".reg .f32 %f<4>;\n.reg .b64 %d<4>;\n.local .align 4 .b8 own[64];\n.shared .align 4 .b8 s[1024];\n" \
    ".loc 1 2 1\nmov.u32 %r1, %tid.x;\nld.param.u32 %r2, [n];\nmov.u64 %d1, s;\n" body "ret;\n}\n"

/* The instructions behind the first three: "@setp.lt.s32", a jump with the number of its target, `~` where one skips what is
 * outside of its array. */
static void list(const struct ptx_function *function, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 3; i < function->instruction_count && used < bytes; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        used += (size_t)snprintf(text + used, bytes - used, "%s%s%s%s", i > 3 ? " " : "",
                                 instruction->guard < 0       ? ""
                                 : instruction->guard_negated ? "!"
                                                              : "@",
                                 instruction->spelling, instruction->skips_outside != 0 ? "~" : "");
        if (instruction->opcode.form->id == FORM_BRA && used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, ">%d", instruction->operands[0].label->instruction);
    }
}

/* What the kernel's instructions are after the repair; "no place" where it is refused. */
static bool becomes(const char *source, const char *request, const char *expected)
{
    struct diagnostic diagnostic;
    struct ptx_module *module;
    char text[1024] = "no place";
    diagnostic_clear(&diagnostic);
    CU_ASSERT_EQUAL_FATAL(ptx_parse(source, strlen(source), &module, &diagnostic), PTX_OK);
    if (repair_apply(module, request, &diagnostic))
        list(module->functions[0], text, sizeof text);
    ptx_module_destroy(module);
    if (strcmp(text, expected) == 0)
        return true;
    fprintf(stderr, "%s\n  gives    %s\n  expected %s\n", request, text, expected);
    return false;
}

static void reads_requests(void)
{
    char many[600] = "";
    CU_ASSERT_TRUE(repair_is_request(""));
    CU_ASSERT_TRUE(repair_is_request("barrier 14"));
    CU_ASSERT_TRUE(repair_is_request("barrier 14;fence 3; zero_array c"));
    CU_ASSERT_FALSE(repair_is_request("barriers 14"));
    CU_ASSERT_FALSE(repair_is_request("barrier 14;;"));
    for (int i = 0; i < 17; i++)
        strcat(many, "guard 3;");
    CU_ASSERT_FALSE(repair_is_request(many));
    memset(many, 'a', sizeof many - 1);
    CU_ASSERT_FALSE(repair_is_request(many));
}

/* if (t < n) s[..] = ..;   a barrier goes behind the branch, where the jump around it arrives too. */
static void puts_a_barrier_where_all_threads_come(void)
{
    static const char source[] = KERNEL("setp.ge.s32 %p1, %r1, %r2;\n@%p1 bra over;\n.loc 1 5 1\nst.shared.u32 [%d1], %r1;\n"
                                        "over:\n.loc 1 7 1\nld.shared.u32 %r3, [%d1+4];\n");
    CU_ASSERT_TRUE(becomes(source, "barrier 5", "setp.ge.s32 @bra>6 st.shared.u32 bar.sync ld.shared.u32 ret"));
    CU_ASSERT_TRUE(becomes(source, "barrier 7", "setp.ge.s32 @bra>6 st.shared.u32 ld.shared.u32 bar.sync ret"));
    CU_ASSERT_TRUE(
        becomes(source, "barrier 5;barrier 7", "setp.ge.s32 @bra>6 st.shared.u32 bar.sync ld.shared.u32 bar.sync ret"));
    CU_ASSERT_TRUE(becomes(source, "warp_barrier 5", "setp.ge.s32 @bra>7 st.shared.u32 bar.warp.sync ld.shared.u32 ret"));
    CU_ASSERT_TRUE(becomes(source, "barrier 6", "no place"));
}

/* A loop that all threads take alike keeps its barrier inside; one that each takes as often as it likes does not. */
static void tells_loops_of_all_from_loops_of_some(void)
{
#define LOOP(bound)                                                                                             \
    KERNEL("mov.u32 %r4, 0;\nagain:\n.loc 1 5 1\nst.shared.u32 [%d1], %r4;\n.loc 1 4 1\nadd.s32 %r4, %r4, 1;\n" \
           "setp.lt.s32 %p1, %r4, " bound ";\n@%p1 bra again;\n.loc 1 8 1\nld.shared.u32 %r3, [%d1];\n")
    CU_ASSERT_TRUE(
        becomes(LOOP("%r2"), "barrier 5", "mov.u32 st.shared.u32 bar.sync add.s32 setp.lt.s32 @bra>4 ld.shared.u32 ret"));
    CU_ASSERT_TRUE(
        becomes(LOOP("%r1"), "barrier 5", "mov.u32 st.shared.u32 add.s32 setp.lt.s32 @bra>4 bar.sync ld.shared.u32 ret"));
#undef LOOP
}

static void makes_updates_atomic(void)
{
#define UPDATE(change) KERNEL(".loc 1 5 1\nld.shared.u32 %r3, [%d1+8];\n" change "st.shared.u32 [%d1+8], %r4;\n")
    CU_ASSERT_TRUE(becomes(UPDATE("add.s32 %r4, %r3, 1;\n"), "atomic 5", "atom.shared.add.u32 add.s32 ret"));
    CU_ASSERT_TRUE(becomes(UPDATE("max.s32 %r4, %r1, %r3;\n"), "atomic 5", "atom.shared.max.s32 max.s32 ret"));
    CU_ASSERT_TRUE(becomes(UPDATE("sub.s32 %r4, %r3, %r1;\n"), "atomic 5", "neg.s32 atom.shared.add.u32 sub.s32 ret"));
    CU_ASSERT_TRUE(
        becomes(UPDATE("mad.lo.s32 %r4, %r1, %r2, %r3;\n"), "atomic 5", "mul.lo.s32 atom.shared.add.u32 mad.lo.s32 ret"));
    /* n - s[2] is not a sum; what was read is used before it is known; twice the same is not an atomic operation */
    CU_ASSERT_TRUE(becomes(UPDATE("sub.s32 %r4, %r1, %r3;\n"), "atomic 5", "no place"));
    CU_ASSERT_TRUE(becomes(UPDATE("mov.u32 %r5, %r3;\nadd.s32 %r4, %r3, %r5;\n"), "atomic 5", "no place"));
    CU_ASSERT_TRUE(becomes(UPDATE("add.s32 %r4, %r3, %r3;\n"), "atomic 5", "no place"));
    CU_ASSERT_TRUE(becomes(UPDATE("mul.lo.s32 %r4, %r3, 3;\n"), "atomic 5", "no place"));
#undef UPDATE
    /* another element, or an element that moved */
    CU_ASSERT_TRUE(
        becomes(KERNEL(".loc 1 5 1\nld.shared.u32 %r3, [%d1+8];\nadd.s32 %r4, %r3, 1;\nst.shared.u32 [%d1], %r4;\n"),
                "atomic 5", "no place"));
    CU_ASSERT_TRUE(becomes(KERNEL(".loc 1 5 1\nld.shared.u32 %r3, [%d1];\nadd.s64 %d1, %d1, 4;\nadd.s32 %r4, %r3, 1;\n"
                                  "st.shared.u32 [%d1], %r4;\n"),
                           "atomic 5", "no place"));
}

/* if (t >= d) s[t] += s[t - d];   both barriers are for all, so the branch becomes guards. */
static void puts_barriers_inside_of_a_statement(void)
{
    static const char source[] = KERNEL(
        "setp.lt.s32 %p1, %r1, 4;\n@%p1 bra over;\n.loc 1 5 1\nld.shared.u32 %r3, [%d1];\nld.shared.u32 %r4, [%d1+-4];\n"
        "add.s32 %r5, %r3, %r4;\nst.shared.u32 [%d1], %r5;\nover:\n.loc 1 7 1\nld.shared.u32 %r6, [%d1];\n");
    CU_ASSERT_TRUE(becomes(source, "two_barriers 5",
                           "setp.lt.s32 !ld.shared.u32 !ld.shared.u32 !add.s32 bar.sync !st.shared.u32 bar.sync "
                           "ld.shared.u32 ret"));
    CU_ASSERT_TRUE(becomes(source, "middle_barrier 5",
                           "setp.lt.s32 !ld.shared.u32 !ld.shared.u32 !add.s32 bar.sync !st.shared.u32 ld.shared.u32 ret"));
    CU_ASSERT_TRUE(becomes(source, "two_barriers 7", "no place")); /* it only reads */
}

static void opens_and_moves_barriers(void)
{
    static const char source[] = KERNEL(
        "setp.lt.s32 %p1, %r1, 4;\n@%p1 bra over;\n.loc 1 5 1\nst.shared.u32 [%d1], %r1;\n.loc 1 6 1\nbar.sync 0;\n"
        ".loc 1 7 1\nld.shared.u32 %r4, [%d1+-4];\nover:\n.loc 1 9 1\nld.shared.u32 %r6, [%d1];\n");
    CU_ASSERT_TRUE(
        becomes(source, "open_barrier 6", "setp.lt.s32 !st.shared.u32 bar.sync !ld.shared.u32 ld.shared.u32 ret"));
    CU_ASSERT_TRUE(
        becomes(source, "move_barrier 6", "setp.lt.s32 @bra>7 st.shared.u32 ld.shared.u32 bar.sync ld.shared.u32 ret"));
    CU_ASSERT_TRUE(becomes(source, "move_barrier 5", "no place"));
}

static void keeps_threads_that_would_leave(void)
{
    CU_ASSERT_TRUE(
        becomes(KERNEL("setp.ge.s32 %p1, %r1, %r2;\n@%p1 bra end;\n.loc 1 5 1\nst.shared.u32 [%d1], %r1;\nbar.sync 0;\n"
                       "end:\n"),
                "stay", "setp.ge.s32 st.shared.u32~ bar.sync ret"));
    CU_ASSERT_TRUE(
        becomes(KERNEL("setp.ge.s32 %p1, %r1, %r2;\n@%p1 ret;\n.loc 1 5 1\nst.shared.u32 [%d1], %r1;\nbar.sync 0;\n"),
                "stay", "setp.ge.s32 st.shared.u32~ bar.sync ret"));
    /* no barrier that anybody could miss; a branch that all take alike */
    CU_ASSERT_TRUE(
        becomes(KERNEL("setp.ge.s32 %p1, %r1, %r2;\n@%p1 ret;\nst.shared.u32 [%d1], %r1;\n"), "stay", "no place"));
    CU_ASSERT_TRUE(becomes(KERNEL("setp.ge.s32 %p1, %r2, 7;\n@%p1 ret;\nst.shared.u32 [%d1], %r1;\nbar.sync 0;\n"), "stay",
                           "no place"));
}

static void changes_where_arrays_are_and_how_they_begin(void)
{
    static const char source[] = KERNEL("mov.u64 %d2, own;\n.loc 1 5 1\nst.local.u32 [%d2], %r1;\nadd.s32 %r4, %r5, 1;\n"
                                        "st.shared.u32 [%d1], %r4;\n");
    struct diagnostic diagnostic;
    struct ptx_module *module;
    CU_ASSERT_TRUE(becomes(source, "guard 5", "mov.u64 st.local.u32~ add.s32 st.shared.u32~ ret"));
    CU_ASSERT_TRUE(becomes(source, "guard 4", "no place"));
    CU_ASSERT_EQUAL_FATAL(ptx_parse(source, strlen(source), &module, &diagnostic), PTX_OK);
    CU_ASSERT_TRUE_FATAL(repair_apply(module, "share;zero_shared;zero_variable", &diagnostic));
    const struct ptx_function *kernel = module->functions[0];
    for (size_t i = 0; i < kernel->variable_count; i++) {
        CU_ASSERT_EQUAL(kernel->variables[i]->space, SPACE_SHARED);
        CU_ASSERT_TRUE(kernel->variables[i]->starts_zeroed);
    }
    /* %r5 alone has no value: it gets one before anything else */
    CU_ASSERT_STRING_EQUAL(kernel->instructions[0].spelling, "mov.b32");
    CU_ASSERT_STRING_EQUAL(kernel->registers[kernel->instructions[0].operands[0].index].name, "%r5");
    CU_ASSERT_STRING_EQUAL(kernel->instructions[1].spelling, "mov.u32");
    ptx_module_destroy(module);
}

/* A request that finds no place says so; without a request nothing changes. */
static void leaves_the_rest_alone(void)
{
    static const char source[] = KERNEL(".loc 1 5 1\nst.shared.u32 [%d1], %r1;\n");
    struct diagnostic diagnostic;
    struct ptx_module *module;
    CU_ASSERT_TRUE(becomes(source, "", "st.shared.u32 ret"));
    CU_ASSERT_TRUE(becomes(source, "zero_array c", "st.shared.u32 ret")); /* a matter of the host's */
    diagnostic_clear(&diagnostic);
    CU_ASSERT_EQUAL_FATAL(ptx_parse(source, strlen(source), &module, &diagnostic), PTX_OK);
    CU_ASSERT_FALSE(repair_apply(module, "barrier 5;atomic 5", &diagnostic));
    CU_ASSERT_STRING_EQUAL(diagnostic.message, "the repair atomic 5 finds no place");
    ptx_module_destroy(module);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(reads_requests),
    SUPPORT_TEST(puts_a_barrier_where_all_threads_come),
    SUPPORT_TEST(tells_loops_of_all_from_loops_of_some),
    SUPPORT_TEST(makes_updates_atomic),
    SUPPORT_TEST(puts_barriers_inside_of_a_statement),
    SUPPORT_TEST(opens_and_moves_barriers),
    SUPPORT_TEST(keeps_threads_that_would_leave),
    SUPPORT_TEST(changes_where_arrays_are_and_how_they_begin),
    SUPPORT_TEST(leaves_the_rest_alone),
};

int repair_suite_register(void)
{
    return support_register("repair", tests, SUPPORT_COUNT(tests));
}
