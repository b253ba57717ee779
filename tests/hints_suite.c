/* The ladders of hints: three steps for every cause that occurs, and none of them the solution. */
#include "tests/dialect.h"
#include "tests/support.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/judge/hints.h"
#include "grader/lab/expectation.h"
#include "grader/lab/labs.h"

static const char *const codes[] = {
#define STAGE(stage, order, heading)
#define FINDING(code, raised_by, stage, severity, in_lab, title, question, meaning, often, advice) #code,
#include "runtime/tables/findings.def"
#undef STAGE
#undef FINDING
};

static void expect_ladder(const struct lab *lab, const char *heading)
{
    struct hints_ladder ladder;
    bool good = hints_ladder(lab, heading, &ladder) && ladder.count == HINTS_STEPS;
    for (int i = 0; good && i < HINTS_STEPS; i++)
        good = strlen(ladder.steps[i]) > 15 && strlen(ladder.steps[i]) + 1 < HINTS_STEP_BYTES;
    if (!good)
        fprintf(stderr, "%s: no three hints for %s\n", lab->name, heading);
    CU_ASSERT(good);
}

static void every_cause_has_three_hints_in_every_lab(void)
{
    for (int i = 0; i < labs_count(); i++)
        for (size_t k = 0; k < SUPPORT_COUNT(codes); k++)
            expect_ladder(labs_get(i), codes[k]);
}

static void every_budget_has_three_hints_of_its_own(void)
{
    for (int i = 0; i < labs_count(); i++)
        for (int k = 0; k < labs_get(i)->budget_count; k++) {
            struct hints_ladder ladder;
            char heading[80];
            snprintf(heading, sizeof heading, "budget %s", labs_get(i)->budgets[k].metric);
            expect_ladder(labs_get(i), heading);
            hints_ladder(labs_get(i), heading, &ladder);
            CU_ASSERT_STRING_EQUAL(ladder.heading, heading);
        }
}

/* So that no hint of a compiler's message speaks of another one. */
static void every_kind_of_advice_has_three_hints_of_its_own(void)
{
    static const char *const kinds[] = {
#define ADVICE(kind, part, condition, sentence) #kind,
#include "runtime/compile/advice.def"
#undef ADVICE
        "comma",  "condition", "if_body",   "indent",    "loop_body", "macro", "macro_argument", "reversed", "file",
        "limits", "by_value",  "fma_order", "countdown", "narrow",    "bytes", "sizeof",         "wide"};
    char *schema = support_read_file("grader/result/result.schema.json", NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
    for (size_t i = 0; i < SUPPORT_COUNT(kinds); i++) {
        struct hints_ladder ladder;
        char heading[80];
        snprintf(heading, sizeof heading, "compile %s", kinds[i]);
        CU_ASSERT(strlen(kinds[i]) < sizeof((lockstep_diagnostic *)NULL)->kind);
        expect_ladder(labs_get(0), heading);
        hints_ladder(labs_get(0), heading, &ladder);
        CU_ASSERT_STRING_EQUAL(ladder.heading, heading);
        snprintf(heading, sizeof heading, "\"%s\"", kinds[i]);
        SUPPORT_CONTAINS(schema, heading); /* of the finding's patterns */
    }
    free(schema);
}

/* The causes that labs/NAME/wrong/ expects. */
static void every_cause_of_the_wrong_versions_has_three_hints(void)
{
    glob_t found;
    CU_ASSERT_EQUAL_FATAL(glob("labs/*/wrong/*.cu", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *source = support_read_file(found.gl_pathv[i], NULL), heading[260];
        struct expectation wrong;
        CU_ASSERT_PTR_NOT_NULL_FATAL(source);
        CU_ASSERT(expectation_read(source, &wrong));
        char *rest_code, *rest_second;
        for (char *one = strtok_r(wrong.code, "|", &rest_code); one; one = strtok_r(NULL, "|", &rest_code)) {
            char copy[128];
            snprintf(copy, sizeof copy, "%s", wrong.second);
            char *other = strtok_r(copy, "|", &rest_second);
            do {
                snprintf(heading, sizeof heading, "%s%s%s", one, other ? " " : "", other ? other : "");
                expect_ladder(labs_find_for_path(found.gl_pathv[i]), heading);
            } while (other && (other = strtok_r(NULL, "|", &rest_second)));
        }
        free(source);
    }
    globfree(&found);
}

/* Text without blanks, so that neither wrapping nor spacing hides a line. */
static void squeeze(const char *from, char *target, size_t target_bytes)
{
    size_t length = 0;
    for (; *from != '\0' && length + 1 < target_bytes; from++)
        if (!strchr(" \t`\n", *from))
            target[length++] = *from;
    target[length] = '\0';
}

static void no_hint_has_a_line_of_the_solution(void)
{
    for (int i = 0; i < labs_count(); i++) {
        char path[256], line[600], *rest;
        snprintf(path, sizeof path, "labs/%s/hints.md", labs_get(i)->name);
        char *hints = support_read_file(path, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(hints);
        size_t bytes = strlen(hints) + 1;
        char *squeezed = malloc(bytes);
        CU_ASSERT_PTR_NOT_NULL_FATAL(squeezed);
        squeeze(hints, squeezed, bytes);
        snprintf(path, sizeof path, "labs/%s/%s.cu", labs_get(i)->name, labs_get(i)->name);
        char *skeleton = support_read_file(path, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(skeleton);
        squeeze(skeleton, skeleton, strlen(skeleton) + 1);
        snprintf(path, sizeof path, "solutions/%s/%s.cu", labs_get(i)->name, labs_get(i)->name);
        char *solution = support_read_file(path, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(solution);
        bool inside = false;
        int lines = 0;
        for (char *at = strtok_r(solution, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest)) {
            squeeze(at, line, sizeof line);
            inside = strstr(line, "//---yourcode---") || (inside && !strstr(line, "//---end---"));
            if (!inside || strlen(line) < 14 || strncmp(line, "//", 2) == 0 || strncmp(line, "__syncthreads();", 16) == 0)
                continue;
            lines++;
            line[strcspn(line, ";")] = '\0';
            if (strstr(skeleton, line)) /* its comments say as much */
                continue;
            if (strstr(squeezed, line))
                fprintf(stderr, "labs/%s/hints.md gives away: %s\n", labs_get(i)->name, at);
            CU_ASSERT_PTR_NULL(strstr(squeezed, line));
        }
        /* Of `broken`, the repairs are lines that the given kernels have as well. */
        CU_ASSERT(lines > 0 || strcmp(labs_get(i)->name, "broken") == 0);
        free(hints);
        free(squeezed);
        free(skeleton);
        free(solution);
    }
}

static void falls_back_from_pattern_to_code_to_every_lab(void)
{
    struct hints_ladder ladder;
    const struct lab *scan = labs_find("scan");
    CU_ASSERT(hints_ladder(scan, "wrong_value shifted", &ladder));
    CU_ASSERT_STRING_EQUAL(ladder.heading, "wrong_value shifted");
    CU_ASSERT(hints_ladder(scan, "wrong_value of a new kind", &ladder));
    CU_ASSERT_STRING_EQUAL(ladder.heading, "wrong_value");
    SUPPORT_CONTAINS(ladder.steps[0], "elements of in");
    /* A pattern that every lab knows says more than the lab's own words on the code. */
    CU_ASSERT(hints_ladder(scan, "early_exit", &ladder));
    SUPPORT_CONTAINS(ladder.steps[2], "Do not return");
    CU_ASSERT(hints_ladder(scan, "early_exit passed_by", &ladder));
    CU_ASSERT_STRING_EQUAL(ladder.heading, "early_exit passed_by");
    SUPPORT_CONTAINS(ladder.steps[2], "The barrier belongs where every thread comes by");
    CU_ASSERT(hints_ladder(scan, "barrier_mismatch jump kernel=scan_blocks", &ladder));
    CU_ASSERT_STRING_EQUAL(ladder.heading, "barrier jump");
    /* What is proven counts more than what a code suggests. */
    CU_ASSERT(hints_ladder(scan, "race_shared turns array=s cure=barrier", &ladder));
    CU_ASSERT_STRING_EQUAL(ladder.heading, "race turns cure=barrier");
    CU_ASSERT(hints_ladder(scan, "race_mixed cure=barrier", &ladder));
    CU_ASSERT_STRING_EQUAL(ladder.heading, "race cure=barrier");
    CU_ASSERT(hints_ladder(scan, "misaligned", &ladder));
    CU_ASSERT(hints_ladder(scan, "budget milliseconds", &ladder));
    CU_ASSERT_STRING_EQUAL(ladder.heading, "budget");
    CU_ASSERT_FALSE(hints_ladder(scan, "no_such_code", &ladder));
    CU_ASSERT_FALSE(hints_ladder(scan, "", &ladder));
}

static void names_the_section_of_the_pattern_before_that_of_the_code(void)
{
    struct result_finding finding = {.code = "wrong_value"};
    char section[160];
    hints_section(labs_find("pi"), NULL, &finding, section, sizeof section);
    CU_ASSERT_STRING_EQUAL(section, "handouts/pi.md, \"Map\"");
    strcpy(finding.pattern, "first_only");
    hints_section(labs_find("pi"), NULL, &finding, section, sizeof section);
    CU_ASSERT_STRING_EQUAL(section, "handouts/pi.md, \"Reduce\"");
    strcpy(finding.pattern, "other");
    hints_section(labs_find("pi"), NULL, &finding, section, sizeof section);
    CU_ASSERT_STRING_EQUAL(section, "handouts/pi.md, \"Map\"");
    hints_section(labs_find("pi"), "fused", &finding, section, sizeof section);
    CU_ASSERT_STRING_EQUAL(section, "handouts/pi.md, \"A second plan\"");
}

static const struct support_test tests[] = {
    SUPPORT_TEST(every_cause_has_three_hints_in_every_lab),
    SUPPORT_TEST(every_budget_has_three_hints_of_its_own),
    SUPPORT_TEST(every_kind_of_advice_has_three_hints_of_its_own),
    SUPPORT_TEST(every_cause_of_the_wrong_versions_has_three_hints),
    SUPPORT_TEST(no_hint_has_a_line_of_the_solution),
    SUPPORT_TEST(falls_back_from_pattern_to_code_to_every_lab),
    SUPPORT_TEST(names_the_section_of_the_pattern_before_that_of_the_code),
};

int hints_suite_register(void)
{
    return support_register("hints", tests, SUPPORT_COUNT(tests));
}
