/* PTX text: words, declarations, instructions, what is refused and where; and printing it again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/language/ptx/foreign.h"
#include "runtime/language/ptx/lexer.h"
#include "runtime/language/ptx/module.h"
#include "runtime/language/ptx/printer.h"
#include "runtime/language/ptx/targets.h"
#include "runtime/lockstep.h"
#include "tests/support.h"

#define HEAD         ".version 7.8\n.target sm_80\n.address_size 64\n"             /* 3 lines */
#define KERNEL(body) HEAD ".visible .entry k(.param .u64 p)\n{\n" body "ret;\n}\n" /* the body begins at line 6 */

/* ---- words -------------------------------------------------------------------------------------------------------- */

static struct token first_token(const char *text)
{
    static struct diagnostic diagnostic;
    struct lexer lexer;
    diagnostic_clear(&diagnostic);
    lexer_init(&lexer, text, strlen(text), &diagnostic);
    return lexer_next(&lexer);
}

static bool is_word(const char *text, enum token_kind kind, const char *expected)
{
    struct token token = first_token(text);
    return token.kind == kind && token.length == strlen(expected) && memcmp(token.text, expected, token.length) == 0;
}

static bool is_number(const char *text, enum token_kind kind, uint64_t bits)
{
    struct token token = first_token(text);
    return token.kind == kind && token.integer == bits;
}

static void reads_every_kind_of_word(void)
{
    CU_ASSERT_TRUE(is_word("ld.global.v4.f32 x", TOKEN_IDENTIFIER, "ld.global.v4.f32"));
    CU_ASSERT_TRUE(is_word("ld.shared::cta.u32 x", TOKEN_IDENTIFIER, "ld.shared::cta.u32"));
    CU_ASSERT_TRUE(is_word("%tid.x;", TOKEN_IDENTIFIER, "%tid.x"));
    CU_ASSERT_TRUE(is_word("$L__BB0_2:", TOKEN_IDENTIFIER, "$L__BB0_2"));
    CU_ASSERT_TRUE(is_word("_Z3addPf[", TOKEN_IDENTIFIER, "_Z3addPf"));
    CU_ASSERT_TRUE(is_word("_", TOKEN_IDENTIFIER, "_"));
    CU_ASSERT_TRUE(is_word("\t.visible .entry", TOKEN_DIRECTIVE, "visible"));
    CU_ASSERT_TRUE(is_word("\"a \\\" b\" c", TOKEN_STRING, "a \\\" b"));
    CU_ASSERT_TRUE(is_word("{", TOKEN_PUNCTUATION, "{"));
    CU_ASSERT_EQUAL(first_token("").kind, TOKEN_END);
    CU_ASSERT_EQUAL(first_token("// nothing\n /* at \n all */ ").kind, TOKEN_END);
    CU_ASSERT_EQUAL(first_token("\x01").kind, TOKEN_ERROR);
    for (const char *at = "{}()[]<>,;:@!+-*/|&=^~?"; *at; at++) {
        char text[3] = {*at, ' ', 0};
        CU_ASSERT_TRUE(first_token(text).kind == TOKEN_PUNCTUATION && first_token(text).punctuation == *at);
    }
}

static void reads_numbers_of_every_base(void)
{
    CU_ASSERT_TRUE(is_number("0", TOKEN_INTEGER, 0));
    CU_ASSERT_TRUE(is_number("1234567890", TOKEN_INTEGER, 1234567890));
    CU_ASSERT_TRUE(is_number("0x7fFF", TOKEN_INTEGER, 0x7FFF));
    CU_ASSERT_TRUE(is_number("0X10", TOKEN_INTEGER, 16));
    CU_ASSERT_TRUE(is_number("0b1011", TOKEN_INTEGER, 11));
    CU_ASSERT_TRUE(is_number("0777", TOKEN_INTEGER, 511));
    CU_ASSERT_TRUE(is_number("42U", TOKEN_INTEGER, 42) && first_token("42U").is_unsigned);
    CU_ASSERT_TRUE(is_number("9223372036854775808", TOKEN_INTEGER, (uint64_t)1 << 63));
    CU_ASSERT_TRUE(is_number("18446744073709551615", TOKEN_INTEGER, UINT64_MAX)
                   && first_token("18446744073709551615").is_unsigned);
    CU_ASSERT_FALSE(first_token("9223372036854775807").is_unsigned);
    CU_ASSERT_TRUE(is_number("0f3F800000", TOKEN_F32, 0x3F800000));
    CU_ASSERT_TRUE(is_number("0F7fC00000", TOKEN_F32, 0x7FC00000));
    CU_ASSERT_TRUE(is_number("0d3FF0000000000000", TOKEN_F64, 0x3FF0000000000000));
    CU_ASSERT_TRUE(is_number("1.0", TOKEN_F64, 0x3FF0000000000000));
    CU_ASSERT_TRUE(is_number("2.5e-1", TOKEN_F64, 0x3FD0000000000000));
    CU_ASSERT_TRUE(is_number("1E2", TOKEN_F64, 0x4059000000000000));
}

static void refuses_words_that_are_none(void)
{
    static const char *const wrong[] = {"/* open", "\"open", "\"open\n\"", "0f3F8000", "0d3FF", "18446744073709551616",
                                        "0x",      "0b2",    "08",         "12ab",     "0x1G",  "0x10000000000000000"};
    for (size_t i = 0; i < SUPPORT_COUNT(wrong); i++) {
        if (first_token(wrong[i]).kind != TOKEN_ERROR)
            fprintf(stderr, "%s is read\n", wrong[i]);
        CU_ASSERT_EQUAL(first_token(wrong[i]).kind, TOKEN_ERROR);
    }
}

static void counts_lines_through_comments(void)
{
    CU_ASSERT_EQUAL(first_token("\n/* a\nb\n*/ // c\n x").line, 5);
    CU_ASSERT_EQUAL(first_token("\r\n\r\nx").line, 3);
}

/* ---- modules ------------------------------------------------------------------------------------------------------ */

static struct diagnostic diagnostic;

static enum ptx_status parse(const char *text, struct ptx_module **module)
{
    diagnostic_clear(&diagnostic);
    return ptx_parse(text, strlen(text), module, &diagnostic);
}

/* Parses; the module belongs to the caller. Ends the test when it does not parse. */
static struct ptx_module *must_parse(const char *text)
{
    struct ptx_module *module = NULL;
    if (parse(text, &module) != PTX_OK)
        fprintf(stderr, "line %d: %s\n%s\n", diagnostic.line, diagnostic.message, text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(module);
    return module;
}

static void expect_accepted(const char *text)
{
    ptx_module_destroy(must_parse(text));
}

static void expect_refused(const char *text, int line, const char *words)
{
    struct ptx_module *module = NULL;
    enum ptx_status status = parse(text, &module);
    bool well = status == PTX_INVALID && diagnostic.line == line && strstr(diagnostic.message, words);
    if (!well)
        fprintf(stderr, "status %d, line %d: '%s' instead of line %d: '%s' for\n%s\n", (int)status, diagnostic.line,
                diagnostic.message, line, words, text);
    CU_ASSERT_TRUE(well);
    ptx_module_destroy(module);
}

static const struct ptx_instruction *instruction_of(const struct ptx_module *module, size_t index)
{
    const struct ptx_function *function = module->functions[module->function_count - 1];
    CU_ASSERT_TRUE_FATAL(index < function->instruction_count);
    return &function->instructions[index];
}

static void accepts_every_target(void)
{
    static const int targets[] = {30, 32, 35, 37, 50, 52, 53,  60,  61,  62,  70,  72,
                                  75, 80, 86, 87, 89, 90, 100, 101, 103, 110, 120, 121};
    static const char *const suffixes[] = {"", "a", "f", ", debug", ", texmode_independent"};
    for (size_t i = 0; i < SUPPORT_COUNT(targets); i++)
        for (size_t s = 0; s < SUPPORT_COUNT(suffixes); s++) {
            char text[256];
            snprintf(text, sizeof text, ".version 8.7\n.target sm_%d%s\n.address_size 64\n.entry k() { ret; }", targets[i],
                     suffixes[s]);
            struct ptx_module *module = must_parse(text);
            CU_ASSERT_EQUAL(module->target, targets[i]);
            ptx_module_destroy(module);
        }
    expect_refused(".version 8.0\n.target compute\n", 3, "target");
}

static void accepts_versions_up_to_9_only(void)
{
    static const char *const known[] = {"3.0", "4.3", "6.4", "7.8", "8.8", "9.0", "9.9"};
    for (size_t i = 0; i < SUPPORT_COUNT(known); i++) {
        char text[128];
        snprintf(text, sizeof text, ".version %s\n.target sm_50\n.entry k() { ret; }", known[i]);
        expect_accepted(text);
    }
    struct ptx_module *module = NULL;
    CU_ASSERT_EQUAL(parse(".version 10.0\n.target sm_130\n", &module), PTX_NEWER_VERSION);
    SUPPORT_CONTAINS(diagnostic.message, "10.0");
    CU_ASSERT_EQUAL(diagnostic.line, 1);
    CU_ASSERT_EQUAL(parse("\n.target sm_80\n", &module), PTX_NOT_PTX);
    CU_ASSERT_EQUAL(diagnostic.line, 2);
    SUPPORT_CONTAINS(diagnostic.message, ".version");
    CU_ASSERT_EQUAL(parse("", &module), PTX_NOT_PTX);
}

static void reads_scopes_of_inline_assembly(void)
{
    struct ptx_module *module = must_parse(KERNEL(".reg .b32 %r<4>;\n.reg .pred %p;\nmov.u32 %r1, 1;\n"
                                                  "{\n.reg .pred %p;\n.reg .b32 t;\nmov.b32 t, %r1;\n"
                                                  "setp.eq.s32 %p, t, 0;\n@%p bra DONE;\nadd.s32 %r1, t, t;\nDONE:\n}\n"
                                                  "{\n.reg .b64 t;\ncvt.u64.u32 t, %r1;\n@%p bra DONE;\n"
                                                  "{ .reg .b32 t; mov.b32 t, 7; }\nDONE:\n}\n"));
    const struct ptx_instruction *first = instruction_of(module, 3), *second = instruction_of(module, 6);
    CU_ASSERT_EQUAL(first->operands[0].label->instruction, 5);
    CU_ASSERT_EQUAL(second->operands[0].label->instruction, 8);
    CU_ASSERT_PTR_NOT_EQUAL(first->operands[0].label, second->operands[0].label);
    CU_ASSERT_NOT_EQUAL(first->guard, second->guard);
    const struct ptx_function *function = module->functions[0];
    CU_ASSERT_EQUAL(function->registers[instruction_of(module, 5)->operands[0].index].type, PTX_B64);
    CU_ASSERT_EQUAL(function->registers[instruction_of(module, 7)->operands[0].index].type, PTX_B32);
    ptx_module_destroy(module);
}

static void reads_calls_over_several_lines(void)
{
    struct ptx_module *module = must_parse(
        HEAD ".extern .func  (.param .b32 r) vprintf\n(\n\t.param .b64 a,\n\t.param .b64 b\n)\n;\n"
             ".func (.param .align 8 .b8 back[24]) take(.param .align 4 .b8 what[12], .param .f32 x) .noreturn\n;\n"
             ".entry k()\n{\n.reg .b64 %rd<2>; .reg .f32 %f;\n"
             "{ // callseq 0, 0\n.param .b64 param0;\n.param .b64 param1;\n.param .b32 retval0;\n"
             "call.uni (retval0),\n vprintf,\n (\n param0,\n param1\n );\n}\n"
             "{\n.param .align 4 .b8 param0[12];\n.param .b32 param1;\n.param .align 8 .b8 retval0[24];\n"
             "call (retval0), take, (param0, param1);\n}\n"
             "{\n.param .b32 param0;\nprototype_2 : .callprototype ()_ (.param .b32 _) ;\ncall \n %rd1,\n (param0),\n"
             " prototype_2;\n}\n"
             "ret;\n}\n");
    const struct ptx_instruction *call = instruction_of(module, 0), *indirect = instruction_of(module, 2);
    CU_ASSERT_STRING_EQUAL(call->operands[0].function->name, "vprintf");
    CU_ASSERT_TRUE(call->argument_count == 2 && call->result_count == 1 && call->arguments[1]->bytes == 8);
    CU_ASSERT_EQUAL(instruction_of(module, 1)->results[0]->bytes, 24);
    CU_ASSERT_TRUE(indirect->prototype && indirect->prototype->parameter_count == 1
                   && indirect->prototype->result_count == 0);
    CU_ASSERT_TRUE(module->functions[1]->noreturn && !module->functions[1]->has_body && module->functions[0]->is_extern);
    ptx_module_destroy(module);
}

static void reads_places_in_the_source(void)
{
    struct ptx_module *module = must_parse(HEAD ".entry k()\n{\n.loc\t1 10 5\n.reg .b32 %r;\nmov.u32 %r, 1;\n"
                                                ".loc 2 20 7, function_name $L__info_string0, inlined_at 1 11 3\n"
                                                "mov.u32 %r, 2;\n"
                                                ".loc 1 12 1, function_name $L__s + 16, inlined_at 1 13 2\n"
                                                "mov.u32 %r, 3;\nret;\n}\n"
                                                ".file 1 \"/a/b.cu\", 1700000000, 1234\n.file\t2 \"c.h\"\n"
                                                ".section .debug_str\n{\n$L__info_string0:\n.b8 95,90,51\n"
                                                ".b8 97,98,99,118,0\n$L__other:\n.b8 32,0\n}\n");
    CU_ASSERT_STRING_EQUAL(ptx_module_file(module, 1), "/a/b.cu");
    CU_ASSERT_STRING_EQUAL(ptx_module_file(module, 2), "c.h");
    CU_ASSERT_PTR_NULL(ptx_module_file(module, 3));
    const struct ptx_location *first = &module->locations[instruction_of(module, 0)->location];
    const struct ptx_location *second = &module->locations[instruction_of(module, 1)->location];
    CU_ASSERT_TRUE(first->file == 1 && first->line == 10 && first->column == 5 && first->inlined_file == 0);
    CU_ASSERT_TRUE(second->file == 2 && second->line == 20 && second->inlined_file == 1 && second->inlined_line == 11);
    CU_ASSERT_PTR_NULL(first->function);
    CU_ASSERT_STRING_EQUAL(second->function, "_Z3abcv");
    CU_ASSERT_PTR_NULL(module->locations[2].function); /* its label names no string */
    ptx_module_destroy(module);
}

/* What ptxas makes of them was read from the machine code of a kernel of our own (CUDA 13.0). */
static void reads_addresses_of_elements(void)
{
    struct ptx_module *module = must_parse(HEAD ".entry k()\n{\n.reg .b32 %r;\n.shared .align 16 .b32 a[16];\n"
                                                ".shared .align 4 .b32 m[4][8];\n.shared .align 16 .b8 b[64];\n"
                                                ".shared .align 16 .v2 .f32 v[4];\nmov.u32 %r, a[3];\nmov.u32 %r, m[1];\n"
                                                "mov.u32 %r, b[3];\nmov.u32 %r, v[2];\nmov.u32 %r, a[-1];\nret;\n}\n");
    static const int64_t offsets[] = {12, 4, 3, 16, -4};
    for (size_t i = 0; i < SUPPORT_COUNT(offsets); i++) {
        const struct ptx_operand *operand = &instruction_of(module, i)->operands[1];
        CU_ASSERT_EQUAL(operand->kind, OPERAND_VARIABLE);
        CU_ASSERT_EQUAL(operand->offset, offsets[i]);
    }
    ptx_module_destroy(module);
}

static void reads_both_dialects_of_parameters(void)
{
    struct ptx_module *module = must_parse(HEAD ".entry k(\n.param .u64 .ptr .global .align 16 a,\n"
                                                ".param .u64 .ptr .align 1 b,\n"
                                                ".param .align 8 .b8 c[20],\n.param .f32 d,\n.param .u8 e\n)\n"
                                                ".maxntid 256, 1, 1\n.minnctapersm 2\n.maxnreg 64\n.reqntid 128\n{\nret;\n"
                                                "}\n");
    const struct ptx_function *k = module->functions[0];
    CU_ASSERT_EQUAL_FATAL(k->parameter_count, 5);
    static const struct {
        uint64_t offset, bytes;
        uint32_t align;
    } rows[] = {{0, 8, 8}, {8, 8, 8}, {16, 20, 8}, {36, 4, 4}, {40, 1, 1}};
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        CU_ASSERT_TRUE(k->parameters[i]->offset == rows[i].offset && k->parameters[i]->bytes == rows[i].bytes
                       && k->parameters[i]->align == rows[i].align);
    CU_ASSERT_TRUE(k->max_threads[0] == 256 && k->min_blocks == 2 && k->max_registers == 64
                   && k->required_threads[0] == 128);
    CU_ASSERT_EQUAL(k->parameter_bytes, 41);
    ptx_module_destroy(module);
}

static void reads_initial_values(void)
{
    struct ptx_module *module = must_parse(HEAD ".visible .global .align 4 .u32 list[4] = {1, -2};\n"
                                                ".const .align 8 .b64 links[2] = {generic(list)+4, list};\n"
                                                ".global .align 8 .f64 reals[2] = {-1.5, 0d4000000000000000};\n"
                                                ".global .f32 one = 1.0;\n.weak .global .align 1 .b8 $str[3] = {65, 0xff};\n"
                                                ".extern .shared .align 16 .b8 dynamic[];\n.global .align 4 .v4 .f32 wide;\n"
                                                ".global .attribute(.managed) .align 4 .u32 shared_with_host;\n"
                                                ".global .u32 a, b[2], c = 3;\n"
                                                ".const .s32 offsets[][2] = {{-1, 0}, {0, -1}, {1, 0}};\n"
                                                ".entry k() { ret; }\n");
    CU_ASSERT_EQUAL_FATAL(module->variable_count, 12);
    CU_ASSERT_EQUAL(module->variables[11]->bytes, 24);
    uint32_t words[4];
    uint64_t wide[2];
    memcpy(words, module->variables[0]->initial, sizeof words);
    CU_ASSERT_TRUE(words[0] == 1 && words[1] == 0xFFFFFFFE && words[2] == 0 && words[3] == 0);
    const struct ptx_relocation *r = module->variables[1]->relocations; /* the last one first */
    CU_ASSERT_TRUE(r->offset == 8 && !r->generic && r->addend == 0 && strcmp(r->symbol, "list") == 0);
    CU_ASSERT_TRUE(r->next->offset == 0 && r->next->generic && r->next->addend == 4);
    memcpy(wide, module->variables[2]->initial, sizeof wide);
    CU_ASSERT_TRUE(wide[0] == 0xBFF8000000000000 && wide[1] == 0x4000000000000000);
    memcpy(words, module->variables[3]->initial, 4);
    CU_ASSERT_EQUAL(words[0], 0x3F800000);
    CU_ASSERT_TRUE(module->variables[4]->is_weak && module->variables[4]->initial[1] == 255
                   && module->variables[4]->initial[2] == 0);
    CU_ASSERT_TRUE(module->variables[5]->bytes == 0 && module->variables[5]->is_extern && module->variables[5]->align == 16);
    CU_ASSERT_EQUAL(module->variables[6]->bytes, 16);
    CU_ASSERT_EQUAL(module->variables[9]->bytes, 8);
    ptx_module_destroy(module);
}

/* As in C: a row in braces may be incomplete, and the next one begins where it would have ended. */
static void fills_up_incomplete_rows(void)
{
    static const uint32_t want[] = {1, 0, 0, 2, 3, 0};
    struct ptx_module *module = must_parse(HEAD ".global .b32 rows[2][3] = {{1}, {2, 3}};\n"
                                                ".global .b32 open[][3] = {{1}, {2, 3}};\n"
                                                ".global .v2 .b32 pairs[3] = {{1}};\n"
                                                ".global .b32 large[100000000] = {7};\n.entry k() { ret; }\n");
    for (int i = 0; i < 2; i++) {
        const struct ptx_variable *variable = module->variables[i];
        CU_ASSERT_EQUAL(variable->bytes, sizeof want);
        CU_ASSERT_EQUAL_FATAL(variable->initial_bytes, 5 * sizeof *want);
        CU_ASSERT_EQUAL(memcmp(variable->initial, want, 5 * sizeof *want), 0);
    }
    CU_ASSERT_EQUAL(module->variables[2]->bytes, 24);
    CU_ASSERT_EQUAL(module->variables[3]->initial_bytes, 4); /* the zeros behind cost nothing */
    ptx_module_destroy(module);
}

static void passes_over_what_it_need_not_know(void)
{
    expect_accepted(HEAD ".section .debug_str\n{\n$L__s:\n.b8 95,90,0\n}\n"
                         ".section .debug_abbrev { .b8 1 { .b8 2 } .b32 .debug_info }\n"
                         ".pragma \"nounroll\";\n.entry k()\n.pragma \"used_bytes_mask 0xff\";\n"
                         "{ .pragma \"nounroll\"; ret; }\n");
}

/* ---- refusals ----------------------------------------------------------------------------------------------------- */

static void names_the_line_of_every_mistake(void)
{
    expect_refused(KERNEL(".reg .b32 %r;\nmov.u32 %r, %q;\n"), 7, "'%q' is not declared");
    expect_refused(KERNEL("bra NOWHERE;\n"), 6, "'NOWHERE' is not defined");
    expect_refused(KERNEL("{\nHERE:\n}\nbra HERE;\n"), 9, "'HERE' is not defined");
    expect_refused(KERNEL("HERE:\nHERE:\n"), 7, "declared twice");
    expect_refused(KERNEL(".reg .b32 %r;\nadd.s32 %r, %r;\n"), 7, "too few operands");
    expect_refused(KERNEL(".reg .b32 %r;\nadd.s32 %r, %r, %r, %r;\n"), 7, "too many operands");
    expect_refused(KERNEL(".reg .b32 %r;\nadd.s32 %r, [%r], %r;\n"), 7, "wrong kind");
    expect_refused(KERNEL(".reg .b32 %r;\n@%r bra X;\nX:\n"), 7, "predicate");
    expect_refused(KERNEL(".reg .b32 %r\nmov.u32 %r, 1;\n"), 7, "expected ';'");
    expect_refused(KERNEL(".reg .b32 %r<9;\n"), 6, "expected '>'");
    expect_refused(KERNEL(".reg .b32 %r;\n.shared .b32 a[4];\nmov.u32 %r, a[%r];\n"), 8, "must be a number");
    expect_refused(KERNEL(".reg .b33 %r;\n"), 6, "type");
    expect_refused(KERNEL(".reg .b32 %r<99999999>;\n"), 6, "99999999");
    expect_refused(KERNEL("ld.param.u64 %x, [q];\n"), 6, "not declared");
    expect_refused(KERNEL("call missing, ();\n"), 6, "declared");
    expect_refused(KERNEL("frobnicate.u32 1;\n"), 6, "'frobnicate.u32' is not supported");
    expect_refused(KERNEL(".reg .b32 %r;\nadd.u33 %r, %r, %r;\n"), 7, "in this form");
    expect_refused(KERNEL(".reg .b32 %r;\nmov.u32 %r, {%r, %r, %r, %r, %r, %r, %r, %r, %r};\n"), 7, "8 elements");
    expect_refused(KERNEL("/* never closed\n"), 6, "comment");
    expect_refused(HEAD ".entry k()\n{\nret;\n", 7, "no closing brace");
    expect_refused(HEAD ".entry k()\n{\nret;\n}\n.entry k()\n{\nret;\n}\n", 8, "two bodies");
    expect_refused(HEAD ".global .u32 k;\n.entry k()\n{\nret;\n}\n", 5, "declared twice");
    expect_refused(HEAD ".global .align 3 .u32 x;\n", 4, "power of two");
    expect_refused(HEAD ".global .u32 x[2] = {1, 2, 3};\n", 4, "more initial values");
    expect_refused(HEAD ".global .f32 x = 1;\n", 4, "floating-point");
    expect_refused(HEAD ".global .u32 x = 1.0;\n", 4, "floating-point");
    expect_refused(HEAD ".global .u32 x = y;\n", 4, "8-byte");
    expect_refused(HEAD ".shared .u32 x = 1;\n", 4, "initial values");
    expect_refused(HEAD ".global x;\n", 4, "type");
    expect_refused(HEAD ".global .pred x[] = {1};\n", 4, ".pred");
    expect_refused(HEAD ".global .u64 x[2000000000][2000000000];\n", 4, "larger");
    expect_refused(HEAD ".tex .u64 t;\n", 4, "not supported");
    expect_refused(HEAD "add.u32 x, y;\n", 4, "outside a function");
    expect_refused(HEAD ".section .debug_str {\n", 4, "section");
    expect_refused(".version 7.8\n.target sm_80\n.address_size 32\n", 4, "64");
    expect_refused(KERNEL(".loc 1 x 3\n"), 6, "integer");
}

/* Forms that student code may contain and that nothing here executes yet: the loader says which and where. */
static void refuses_what_it_cannot_execute(void)
{
    static const char *const forms[] = {"tex.2dms.v4.f32.s32 {%r, %r, %r, %r}, [%q, {%r, %r, %r, %r}];",
                                        "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%q, {%r}], [%r];",
                                        "suq.channel_order.b32 %r, [%q];",
                                        "alloca.u64 %q, %q;",
                                        "wgmma.fence.sync.aligned;",
                                        "tcgen05.fence::before_thread_sync;"};
    for (size_t i = 0; i < SUPPORT_COUNT(forms); i++) {
        char text[512], word[64];
        snprintf(text, sizeof text, KERNEL(".reg .b32 %%r;\n.reg .b64 %%q;\n%s\n"), forms[i]);
        snprintf(word, sizeof word, "'%.*s", (int)strcspn(forms[i], "."), forms[i]);
        expect_refused(text, 8, word);
    }
}

/* ---- the instruction table ---------------------------------------------------------------------------------------- */

/* Spells a form out: the first (or last) alternative of each group, optional groups too when `full`. */
static void spell(const struct ptx_form *form, bool last, bool full, char text[256])
{
    snprintf(text, 256, "%s", form->root);
    const char *at = form->pattern;
    while (*at) {
        size_t length = strcspn(at, " ");
        const char *group = at, *end = at + length;
        at = end + (*end == ' ');
        if (length == 0 || *group == '*')
            continue;
        bool optional = *group == '?';
        group += optional;
        if (group[0] == 'T' && group[1] == ':')
            group += 2;
        if (optional && !full)
            continue;
        const char *word = group;
        if (last)
            for (const char *bar = group; bar < end; bar++)
                word = *bar == '|' ? bar + 1 : word;
        size_t word_length = strcspn(word, "| ");
        size_t used = strlen(text);
        snprintf(text + used, 256 - used, ".%.*s", (int)word_length, word);
    }
}

/* An operand for a letter of the table. */
static const char *operand_for(char letter)
{
    switch (letter) {
    case 'd': return "%r1";
    case 'a': return "[%q1+8]";
    case 'p': return "%p1";
    case 'l': return "HERE";
    case 't': return "TABLE";
    default: return "%r2";
    }
}

static void parses_every_row_of_the_table(void)
{
    for (int id = 0; id < FORM_COUNT; id++) {
        const struct ptx_form *form = ptx_form_get((enum ptx_form_id)id);
        for (int variant = 0; variant < 4; variant++) {
            char spelled[256], text[1024];
            spell(form, variant & 1, variant & 2, spelled);
            struct ptx_opcode opcode;
            bool known;
            if (!ptx_opcode_match(spelled, strlen(spelled), &opcode, &known))
                fprintf(stderr, "%s does not match its own row\n", spelled);
            CU_ASSERT_TRUE(known);
            size_t used = (size_t)snprintf(text, sizeof text,
                                           HEAD ".func f() ;\n.entry k()\n{\n.reg .b32 %%r<3>;\n.reg .b64 %%q<2>;\n"
                                                ".reg .pred %%p<2>;\nTABLE: .branchtargets HERE, HERE;\nHERE:\n%s ",
                                           spelled);
            const char *separator = "";
            if (id == FORM_CALL)
                used += (size_t)snprintf(text + used, sizeof text - used, "f, ()");
            else
                for (const char *letter = form->operands; *letter; letter++) {
                    if (*letter == '?')
                        continue;
                    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", separator, operand_for(*letter));
                    separator = ", ";
                }
            snprintf(text + used, sizeof text - used, ";\nret;\n}\n");
            expect_accepted(text);
        }
    }
}

static void matches_modifiers_exactly(void)
{
    static const char *const wrong[] = {"add",      "add.",     "add.s32.s32",   "add..s32",
                                        "ADD.s32",  "addx.s32", "ld.global",     "ld.global.global.u32",
                                        "setp.s32", "mul.s32",  "cvt.u32",       "shfl.sync.b32",
                                        "atom.add", "bra.x",    "mul.hi.lo.s32", "fma.f32"};
    for (size_t i = 0; i < SUPPORT_COUNT(wrong); i++) {
        struct ptx_opcode opcode;
        bool known;
        if (ptx_opcode_match(wrong[i], strlen(wrong[i]), &opcode, &known))
            fprintf(stderr, "%s matches\n", wrong[i]);
        CU_ASSERT_FALSE(ptx_opcode_match(wrong[i], strlen(wrong[i]), &opcode, &known));
    }
}

/* ---- printing ----------------------------------------------------------------------------------------------------- */

static bool same_operand(const struct ptx_operand *a, const struct ptx_operand *b)
{
    bool same = a->kind == b->kind && a->negated == b->negated && a->index == b->index && a->second == b->second
                && a->bits == b->bits && a->offset == b->offset && a->special == b->special && a->count == b->count
                && !a->variable == !b->variable;
    if (same && a->label)
        same = a->label->instruction == b->label->instruction;
    if (same && a->function)
        same = strcmp(a->function->name, b->function->name) == 0;
    if (same && a->variable)
        same = a->variable->space == b->variable->space && a->variable->bytes == b->variable->bytes
               && a->variable->align == b->variable->align;
    for (unsigned i = 0; same && i < a->count; i++)
        same = same_operand(&a->elements[i], &b->elements[i]);
    return same;
}

static bool same_location(const struct ptx_location *a, const struct ptx_location *b)
{
    return a->file == b->file && a->line == b->line && a->column == b->column && a->inlined_file == b->inlined_file
           && a->inlined_line == b->inlined_line && a->inlined_column == b->inlined_column && !a->function == !b->function
           && (!a->function || strcmp(a->function, b->function) == 0);
}

static bool same_instruction(const struct ptx_module *first, const struct ptx_instruction *a,
                             const struct ptx_module *second, const struct ptx_instruction *b)
{
    bool same = strcmp(a->spelling, b->spelling) == 0 && a->guard == b->guard && a->guard_negated == b->guard_negated
                && a->operand_count == b->operand_count && a->argument_count == b->argument_count
                && a->result_count == b->result_count && !a->prototype == !b->prototype
                && (a->location < 0) == (b->location < 0);
    if (same && a->location >= 0)
        same = same_location(&first->locations[a->location], &second->locations[b->location]);
    for (unsigned i = 0; same && i < a->operand_count; i++)
        same = same_operand(&a->operands[i], &b->operands[i]);
    return same;
}

static bool same_function(const struct ptx_module *first, const struct ptx_function *a, const struct ptx_module *second,
                          const struct ptx_function *b)
{
    if (strcmp(a->name, b->name) != 0 || a->instruction_count != b->instruction_count
        || a->register_count != b->register_count || a->variable_count != b->variable_count
        || a->parameter_count != b->parameter_count || a->is_entry != b->is_entry || a->has_body != b->has_body
        || a->parameter_bytes != b->parameter_bytes || a->is_visible != b->is_visible
        || memcmp(a->max_threads, b->max_threads, sizeof a->max_threads) != 0
        || memcmp(a->required_threads, b->required_threads, sizeof a->required_threads) != 0
        || memcmp(a->required_cluster, b->required_cluster, sizeof a->required_cluster) != 0
        || a->explicit_cluster != b->explicit_cluster || a->max_cluster != b->max_cluster || a->min_blocks != b->min_blocks
        || a->max_blocks != b->max_blocks || a->max_registers != b->max_registers || a->noreturn != b->noreturn)
        return false;
    for (size_t i = 0; i < a->register_count; i++)
        if (a->registers[i].type != b->registers[i].type)
            return false;
    for (size_t i = 0; i < a->instruction_count; i++)
        if (!same_instruction(first, &a->instructions[i], second, &b->instructions[i])) {
            fprintf(stderr, "%s: instruction %zu, %s of line %d, differs\n", a->name, i, a->instructions[i].spelling,
                    a->instructions[i].line);
            return false;
        }
    return true;
}

static const struct ptx_function *function_named(const struct ptx_module *module, const char *name)
{
    for (size_t i = 0; i < module->function_count; i++)
        if (strcmp(module->functions[i]->name, name) == 0)
            return module->functions[i];
    return NULL;
}

static bool same_module(const struct ptx_module *a, const struct ptx_module *b)
{
    if (a->function_count != b->function_count || a->variable_count != b->variable_count || a->file_count != b->file_count)
        return false;
    for (size_t i = 0; i < a->variable_count; i++) {
        const struct ptx_variable *x = a->variables[i], *y = b->variables[i];
        if (strcmp(x->name, y->name) != 0 || x->bytes != y->bytes || x->align != y->align || x->space != y->space
            || x->initial_bytes != y->initial_bytes || (x->initial && memcmp(x->initial, y->initial, x->initial_bytes) != 0)
            || !x->relocations != !y->relocations)
            return false;
    }
    for (size_t i = 0; i < a->function_count; i++) {
        const struct ptx_function *other = function_named(b, a->functions[i]->name);
        if (!other || !same_function(a, a->functions[i], b, other))
            return false;
    }
    return true;
}

/* print(parse(text)) parses to an equal module, whose print is the same text. */
static void check_print(const char *name, const char *text)
{
    struct ptx_module *module = must_parse(text);
    size_t length, again_length;
    char *printed = ptx_print(module, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(printed);
    struct ptx_module *again = must_parse(printed);
    char *printed_again = ptx_print(again, &again_length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(printed_again);
    if (!same_module(module, again))
        fprintf(stderr, "%s: the printed module differs\n", name);
    CU_ASSERT_TRUE(same_module(module, again));
    if (strcmp(printed, printed_again) != 0) {
        size_t same = 0, start;
        while (printed[same] && printed[same] == printed_again[same])
            same++;
        start = same > 60 ? same - 60 : 0;
        fprintf(stderr, "%s: printing again gives another text: %.100s\n----\n%.100s\n", name, printed + start,
                printed_again + start);
    }
    CU_ASSERT_STRING_EQUAL(printed, printed_again);
    free(printed);
    free(printed_again);
    ptx_module_destroy(module);
    ptx_module_destroy(again);
}

static void prints_what_it_parsed(void)
{
    static const char *const files[] = {"tests/fixtures/vector_add.ptx", "tests/fixtures/ptx/memory.ptx",
                                        "tests/fixtures/texture.ptx"};
    static const char demanding[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                                    ".visible .entry some()\n.maxntid 128, 1, 1\n.minnctapersm 2\n.maxnctapersm 8\n"
                                    ".maxclusterrank 4\n{\nret;\n}\n"
                                    ".visible .entry each()\n.reqntid 2, 3, 4\n.maxnreg 32\n.explicitcluster\n"
                                    ".reqnctapercluster 2, 1, 1\n{\nret;\n}\n";
    for (size_t i = 0; i < SUPPORT_COUNT(files); i++) {
        char *text = support_read_file(files[i], NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        check_print(files[i], text);
        free(text);
    }
    check_print("clashing names", KERNEL(".reg .b32 p, x<2>;\nmov.u32 p, 1;\n"
                                         "{ .reg .b64 p; .reg .b32 k; mov.b64 p, -1; mov.b32 k, 3; }\n"
                                         "{ .reg .b32 p, p$1; mov.b32 p$1, p; }\n"));
    check_print("what an entry demands", demanding);
    struct ptx_module *module = must_parse(demanding);
    const struct ptx_function *some = function_named(module, "some"), *each = function_named(module, "each");
    CU_ASSERT_TRUE(some->max_threads[0] == 128 && some->min_blocks == 2 && some->max_cluster == 4 && some->max_blocks == 8);
    CU_ASSERT_TRUE(each->explicit_cluster && each->required_cluster[0] == 2 && each->required_cluster[2] == 1);
    CU_ASSERT_TRUE(each->required_threads[1] == 3 && each->max_registers == 32);
    ptx_module_destroy(module);
}

static void prints_the_output_of_the_compiler(void)
{
    static const char *const files[] = {"tests/fixtures/cuda/flow.cu",      "tests/fixtures/cuda/math.cu",
                                        "tests/fixtures/cuda/output.cu",    "tests/fixtures/checks/memory.cu",
                                        "tests/fixtures/checks/threads.cu", "tests/fixtures/counters.cu"};
    static const struct {
        int major;
        const char *option;
    } variants[] = {{8, NULL}, {12, NULL}, {8, "--device-debug"}};
    for (size_t i = 0; i < SUPPORT_COUNT(files); i++)
        for (size_t v = 0; v < SUPPORT_COUNT(variants); v++) {
            lockstep_compiled compiled = {0};
            lockstep_error error = {0};
            size_t bytes;
            char *source = support_read_file(files[i], &bytes);
            lockstep_compile_request request = {.source = source,
                                                .source_bytes = bytes,
                                                .file_name = files[i],
                                                .major = variants[v].major,
                                                .options = &variants[v].option,
                                                .option_count = variants[v].option ? 1 : 0};
            if (!source || lockstep_compile(&request, &compiled, &error) != LOCKSTEP_OK)
                fprintf(stderr, "%s: %s\n", files[i], error.message);
            CU_ASSERT_PTR_NOT_NULL_FATAL(compiled.ptx);
            check_print(files[i], compiled.ptx);
            lockstep_compiled_clear(&compiled);
            free(source);
        }
}

/* ---- damage ------------------------------------------------------------------------------------------------------- */

/* Writes the compiler's PTX of flow.cu to a file. */
static bool write_compiled(const char *path, int major, const char *option)
{
    lockstep_compiled compiled = {0};
    lockstep_error error = {0};
    size_t bytes;
    char *source = support_read_file("tests/fixtures/cuda/flow.cu", &bytes);
    lockstep_compile_request request = {.source = source,
                                        .source_bytes = bytes,
                                        .file_name = "flow.cu",
                                        .major = major,
                                        .options = &option,
                                        .option_count = option ? 1 : 0};
    bool well = source && lockstep_compile(&request, &compiled, &error) == LOCKSTEP_OK
                && support_write_file(path, compiled.ptx, compiled.ptx_bytes);
    lockstep_compiled_clear(&compiled);
    free(source);
    return well;
}

/* Runs tests/robustness.c on the repository's PTX and the compiler's. */
static void run_robustness(const char *mode, const char *count)
{
    char program[SUPPORT_PATH_BYTES], directory[SUPPORT_PATH_BYTES], optimised[SUPPORT_PATH_BYTES],
        debug[SUPPORT_PATH_BYTES];
    struct support_result result;
    if (!support_temporary_directory(directory))
        return;
    CU_ASSERT_TRUE(write_compiled(support_join(optimised, directory, "80.ptx"), 8, NULL));
    CU_ASSERT_TRUE(write_compiled(support_join(debug, directory, "120.ptx"), 12, "--device-debug"));
    const char *arguments[] = {support_build_path("tests/robustness", program),
                               mode,
                               count ? count : optimised,
                               debug,
                               "tests/fixtures/ptx/memory.ptx",
                               count ? optimised : NULL,
                               NULL};
    if (support_run(&(struct support_command){.arguments = arguments}, &result)) {
        if (result.status != 0)
            fprintf(stderr, "%s%s", result.output, result.errors);
        CU_ASSERT_EQUAL(result.status, 0);
        support_result_clear(&result);
    }
    support_remove_tree(directory);
}

static void survives_damaged_text(void)
{
    run_robustness("mutations", "1000");
}

static void survives_a_shortage_of_memory_without_a_leak(void)
{
    run_robustness("memory", NULL);
}

/* ---- targets ------------------------------------------------------------------------------------------------------ */

/* What ptxas 13.0 asks for, and 0 for what devices of 8.0 have. */
static void tells_the_target_that_an_instruction_needs(void)
{
    static const struct {
        const char *statement;
        int sm;
    } rows[] = {
        {"ld.global.v8.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%rd1];", 100},
        {"st.global.v4.u64 [%rd1], {%rd2,%rd3,%rd2,%rd3};", 100},
        {"ld.global.v4.f32 {%f0,%f1,%f2,%f3}, [%rd1];", 0},
        {"ld.global.v2.u64 {%rd2,%rd3}, [%rd1];", 0},
        {"ld.global.v8.u16 {%h1,%h0,%h1,%h0,%h1,%h0,%h1,%h0}, [%rd1];", 0},
        {"add.rn.f32x2 %rd2, %rd1, %rd1;", 100},
        {"add.rn.f32 %f2, %f1, %f1;", 0},
        {"min.f32 %f2, %f1, %f1, %f1;", 100},
        {"min.f32 %f2, %f1, %f1;", 0},
        {"max.xorsign.abs.f32 %f2, %f1, %f1;", 86},
        {"min.relu.s32 %r2, %r1, %r1;", 90},
        {"min.s32 %r2, %r1, %r1;", 0},
        {"barrier.cluster.arrive;", 90},
        {"barrier.sync 0;", 0},
        {"mapa.u64 %rd2, %rd1, 1;", 90},
        {"cp.async.bulk.commit_group;", 90},
        {"cp.async.commit_group;", 0},
        {"griddepcontrol.wait;", 90},
        {"add.rn.bf16x2 %r2, %r1, %r1;", 90},
        {"fma.rn.bf16x2 %r2, %r1, %r1, %r1;", 0},
        {"setp.lt.bf16x2 %p1, %r1, %r1;", 90},
        {"setp.lt.f16x2 %p1, %r1, %r1;", 0},
        {"cvt.rn.bf16.s32 %h1, %r1;", 90},
        {"cvt.rn.bf16.f32 %h1, %f1;", 0},
        {"cvt.rn.ftz.bf16.f32 %h1, %f1;", 0},
        {"cvt.ftz.f32.bf16 %f1, %h1;", 90},
        {"cvt.f32.bf16 %f1, %h1;", 0},
        {"cvt.rn.tf32.f32 %r1, %f1;", 90},
        {"cvt.rz.satfinite.tf32.f32 %r1, %f1;", 100},
        {"cvt.rna.tf32.f32 %r1, %f1;", 0},
        {"red.global.add.noftz.bf16 [%rd1], %h1;", 90},
        {"red.global.add.noftz.f16 [%rd1], %h1;", 0},
        {"red.global.add.v2.f32 [%rd1], {%f1,%f2};", 90},
        {"mbarrier.arrive.shared.b64 %rd1, [%r1], %r2;", 90},
        {"mbarrier.arrive.noComplete.shared.b64 %rd1, [%r1], %r2;", 0},
        {"mbarrier.arrive.shared.b64 %rd1, [%r1];", 0},
        {"mov.u32 %r1, %cluster_ctaid.y;", 90},
        {"mov.u32 %r1, %ctaid.y;", 0},
        {"fence.proxy.async;", 90},
        {"fence.proxy.alias;", 0},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char text[1024];
        struct ptx_module *module;
        snprintf(text, sizeof text,
                 KERNEL(".reg .pred %%p<2>;\n.reg .b16 %%h<2>;\n.reg .f32 %%f<8>;\n.reg .b32 %%r<4>;\n"
                        ".reg .b64 %%rd<4>;\n%s\n"),
                 rows[i].statement);
        CU_ASSERT_EQUAL_FATAL(ptx_parse(text, strlen(text), &module, NULL), PTX_OK);
        int needed = ptx_target_needed(&module->functions[0]->instructions[0]);
        if (needed != rows[i].sm)
            fprintf(stderr, "%s: %d\n", rows[i].statement, needed);
        CU_ASSERT_EQUAL(needed, rows[i].sm);
        ptx_module_destroy(module);
    }
}

/* ---- what a module asks of others ---------------------------------------------------------------------------------- */

static bool asks(const char *text, enum ptx_foreign_kind kind, const char *name)
{
    struct ptx_module *module;
    struct ptx_foreign foreign;
    char whole[2048];
    snprintf(whole, sizeof whole, ".version 8.0\n.target sm_80\n.address_size 64\n%s", text);
    CU_ASSERT_EQUAL_FATAL(ptx_parse(whole, strlen(whole), &module, NULL), PTX_OK);
    bool found = ptx_foreign_find(module, kind, &foreign);
    CU_ASSERT_TRUE(!found || strcmp(foreign.name, name) == 0);
    ptx_module_destroy(module);
    return found;
}

static void finds_what_a_module_asks_of_others(void)
{
#define FREES     "(.param .b64 place)"
#define OWN       ".extern .func __lockstep_device_Free " FREES ";\n"
#define DEFINED   OWN ".weak .func __cudaCDP2Free " FREES "\n{\n.param .b64 p;\ncall __lockstep_device_Free, (p);\nret;\n}\n"
#define CALLS(to) ".entry k()\n{\n.param .b64 p;\ncall " to ", (p);\nret;\n}\n"
    CU_ASSERT_TRUE(asks(".extern .func cudaFree " FREES ";\n" CALLS("cudaFree"), PTX_FOREIGN_RUNTIME, "cudaFree"));
    CU_ASSERT_TRUE(asks(OWN CALLS("__lockstep_device_Free"), PTX_FOREIGN_DRIVER, "__lockstep_device_Free"));
    /* by its address in a table */
    CU_ASSERT_TRUE(asks(".extern .func cudaFree " FREES ";\n.global .u64 table[1] = {cudaFree};\n.entry k()\n{\nret;\n}\n",
                        PTX_FOREIGN_RUNTIME, "cudaFree"));
    /* as our linker defines it: it counts where it is called, and for itself */
    CU_ASSERT_FALSE(asks(DEFINED ".entry k()\n{\nret;\n}\n", PTX_FOREIGN_RUNTIME, ""));
    CU_ASSERT_FALSE(asks(DEFINED CALLS("__cudaCDP2Free"), PTX_FOREIGN_DRIVER, ""));
    CU_ASSERT_TRUE(asks(DEFINED CALLS("__cudaCDP2Free"), PTX_FOREIGN_RUNTIME, "__cudaCDP2Free"));
    CU_ASSERT_TRUE(asks(DEFINED CALLS("__lockstep_device_Free"), PTX_FOREIGN_DRIVER, "__lockstep_device_Free"));
    /* functions of one's own, and barriers of the grid */
    CU_ASSERT_FALSE(asks(".func cudaFree_mine " FREES "\n{\nret;\n}\n" CALLS("cudaFree_mine"), PTX_FOREIGN_RUNTIME, ""));
    CU_ASSERT_FALSE(
        asks(".extern .func cudaCGSynchronize " FREES ";\n" CALLS("cudaCGSynchronize"), PTX_FOREIGN_RUNTIME, ""));
#undef FREES
#undef OWN
#undef DEFINED
#undef CALLS
}

static const struct support_test tests[] = {
    SUPPORT_TEST(finds_what_a_module_asks_of_others),
    SUPPORT_TEST(tells_the_target_that_an_instruction_needs),
    SUPPORT_TEST(reads_every_kind_of_word),
    SUPPORT_TEST(reads_numbers_of_every_base),
    SUPPORT_TEST(refuses_words_that_are_none),
    SUPPORT_TEST(counts_lines_through_comments),
    SUPPORT_TEST(accepts_every_target),
    SUPPORT_TEST(accepts_versions_up_to_9_only),
    SUPPORT_TEST(reads_scopes_of_inline_assembly),
    SUPPORT_TEST(reads_calls_over_several_lines),
    SUPPORT_TEST(reads_places_in_the_source),
    SUPPORT_TEST(reads_addresses_of_elements),
    SUPPORT_TEST(reads_both_dialects_of_parameters),
    SUPPORT_TEST(reads_initial_values),
    SUPPORT_TEST(fills_up_incomplete_rows),
    SUPPORT_TEST(passes_over_what_it_need_not_know),
    SUPPORT_TEST(names_the_line_of_every_mistake),
    SUPPORT_TEST(refuses_what_it_cannot_execute),
    SUPPORT_TEST(parses_every_row_of_the_table),
    SUPPORT_TEST(matches_modifiers_exactly),
    SUPPORT_TEST(prints_what_it_parsed),
    SUPPORT_TEST(prints_the_output_of_the_compiler),
    SUPPORT_TEST(survives_damaged_text),
    SUPPORT_TEST(survives_a_shortage_of_memory_without_a_leak),
};

int ptx_suite_register(void)
{
    return support_register("ptx", tests, SUPPORT_COUNT(tests));
}
