/* What PTX is executed and what is refused: every form that NVIDIA's compilers were seen to emit, and the printed list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/decode/pick.h"
#include "runtime/emulator/machine/operands.h"
#include "runtime/language/ptx/instruction.h"
#include "runtime/language/ptx/module.h"
#include "tests/support.h"

/* tests/fixtures/forms.txt: what nvcc and NVRTC 13.0 make of 84 kernels, for sm_75 to sm_120, one form a line. */
static void every_form_of_the_compilers_is_executed_or_refused_with_its_reason(void)
{
    static const char *const outside[] = {"textures", "surfaces", "clusters"}; /* of the first two, some forms */
    char *text = support_read_file("tests/fixtures/forms.txt", NULL), *rest = NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    unsigned count = 0;
    for (char *form = strtok_r(text, "\n", &rest); form; form = strtok_r(NULL, "\n", &rest), count++) {
        struct ptx_opcode opcode;
        bool known_root;
        if (ptx_opcode_match(form, strlen(form), &opcode, &known_root))
            continue;
        const struct ptx_refusal *refusal = ptx_refusal_find(form, strlen(form));
        bool expected = false;
        for (size_t i = 0; refusal && i < SUPPORT_COUNT(outside); i++)
            expected |= strcmp(refusal->subject, outside[i]) == 0;
        if (!expected)
            fprintf(stderr, "%s is neither executed nor refused with a reason\n", form);
        CU_ASSERT_TRUE(expected);
    }
    CU_ASSERT_EQUAL(count, 619);
    free(text);
}

static enum operand_part part_of(char letter, enum ptx_type type)
{
    unsigned bytes = letter == 'n' || letter == 'u' ? 4 : letter == 'w' ? 2 * ptx_type_bytes(type) : ptx_type_bytes(type);
    return letter == '\0' || letter == 'p' ? PART_NONE : bytes == 8 ? PART_Q : PART_R;
}

/* Does the operation of `spelled` exist, with registers of the sizes that the form's letters say? */
static bool has_operation(const char *spelled, int id)
{
    struct ptx_opcode opcode;
    bool known_root;
    bool matches = ptx_opcode_match(spelled, strlen(spelled), &opcode, &known_root);
    while (matches && (int)opcode.form->id != id)
        matches = ptx_opcode_match_next(spelled, strlen(spelled), &opcode);
    if (!matches || *opcode.form->family == '_' || opcode.types[0] == PTX_PRED)
        return matches; /* its decoder chooses */
    struct pick pick = pick_operation(&opcode);
    if (pick.handler == HANDLER_COUNT)
        return false;
    const struct operands *operands = &operands_of[pick.handler];
    const uint8_t parts[] = {operands->d, operands->a, operands->b, operands->c};
    const char *letters = opcode.form->operands;
    bool right = parts[0] == PART_P || parts[0] == (uint8_t)part_of(letters[0], opcode.types[0]);
    for (unsigned i = 1; i < 4 && letters[i - 1] && parts[0] != PART_P && strcmp(opcode.form->operands, "vv") != 0; i++)
        right &= parts[i] == (uint8_t)part_of(letters[i], opcode.types[0]);
    return right;
}

static void every_family_has_an_operation_for_each_of_its_types(void)
{
    for (int id = 0; id < FORM_COUNT; id++) {
        const struct ptx_form *form = ptx_form_get((enum ptx_form_id)id);
        const char *types = strstr(form->pattern, "T:");
        if (*form->family == '_' || !types)
            continue;
        for (const char *type = types + 2; *type && *type != ' ';
             type += strcspn(type, "| ") + (type[strcspn(type, "| ")] == '|')) {
            char spelled[128];
            size_t used = (size_t)snprintf(spelled, sizeof spelled, "%s", form->root);
            for (const char *group = form->pattern; *group; group += strcspn(group, " "), group += *group == ' ') {
                if (*group == '?' || *group == '*' || *group == ' ')
                    continue;
                const char *word = group == types ? type : strncmp(group, "T:", 2) == 0 ? group + 2 : group;
                used += (size_t)snprintf(spelled + used, sizeof spelled - used, ".%.*s", (int)strcspn(word, "| "), word);
            }
            if (!has_operation(spelled, id))
                fprintf(stderr, "%s: operations.def has no row of family %s for it\n", spelled, form->family);
            CU_ASSERT_TRUE(has_operation(spelled, id));
        }
    }
}

static void a_refusal_names_instruction_line_and_reason(void)
{
    const char *text = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
                       "    tex.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [t, {%r4, %r5, %r6, %r7}];\n    ret;\n}\n";
    struct ptx_module *module = NULL;
    struct diagnostic diagnostic;
    diagnostic_clear(&diagnostic);
    CU_ASSERT_EQUAL(ptx_parse(text, strlen(text), &module, &diagnostic), PTX_INVALID);
    CU_ASSERT_EQUAL(diagnostic.line, 6);
    CU_ASSERT_PTR_NOT_NULL(strstr(diagnostic.message, "tex.2dms.v4.f32.s32"));
    CU_ASSERT_PTR_NOT_NULL(strstr(diagnostic.message, "multisampled textures and pairs of halves are outside of it"));
}

static void nothing_that_is_executed_is_refused_by_its_first_word(void)
{
    const struct ptx_refusal *refusal;
    for (size_t i = 0; (refusal = ptx_refusal_at(i)); i++) {
        struct ptx_opcode opcode;
        bool known_root;
        for (const char *start = refusal->start; *start; start += strcspn(start, "|"), start += *start == '|') {
            CU_ASSERT_FALSE(ptx_opcode_match(start, strcspn(start, "|"), &opcode, &known_root));
            CU_ASSERT_PTR_EQUAL(ptx_refusal_find(start, strcspn(start, "|")), refusal);
        }
        CU_ASSERT_TRUE(strlen(refusal->reason) > 20 && strlen(refusal->subject) > 0);
    }
}

static void the_page_of_supported_ptx_is_what_the_tables_say(void)
{
    char program[SUPPORT_PATH_BYTES];
    const char *arguments[] = {support_build_path("supported_ptx", program), NULL};
    char *page = support_read_file("handouts/supported_ptx.md", NULL);
    struct support_result result;
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    if (support_run(&(struct support_command){.arguments = arguments}, &result)) {
        CU_ASSERT_EQUAL(result.status, 0);
        if (strcmp(result.output, page) != 0)
            fprintf(stderr, "the tables have changed: ninja supported-ptx writes the page again\n");
        CU_ASSERT_STRING_EQUAL(result.output, page);
        support_result_clear(&result);
    }
    free(page);
}

static void approximations_are_within_their_documented_bounds(void)
{
    char program[SUPPORT_PATH_BYTES];
    const char *arguments[] = {support_build_path("tests/accuracy", program), "--inputs", "1048576", NULL};
    struct support_result result;
    if (support_run(&(struct support_command){.arguments = arguments}, &result)) {
        CU_ASSERT_EQUAL(result.status, 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.output, "; 0 of 21 functions beyond their bound"));
        if (result.status != 0)
            fprintf(stderr, "%s%s", result.output, result.errors);
        support_result_clear(&result);
    }
}

static const struct support_test tests[] = {
    SUPPORT_TEST(approximations_are_within_their_documented_bounds),
    SUPPORT_TEST(every_form_of_the_compilers_is_executed_or_refused_with_its_reason),
    SUPPORT_TEST(every_family_has_an_operation_for_each_of_its_types),
    SUPPORT_TEST(a_refusal_names_instruction_line_and_reason),
    SUPPORT_TEST(nothing_that_is_executed_is_refused_by_its_first_word),
    SUPPORT_TEST(the_page_of_supported_ptx_is_what_the_tables_say),
};

int coverage_suite_register(void)
{
    return support_register("coverage", tests, SUPPORT_COUNT(tests));
}
