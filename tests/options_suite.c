/* The command line: what is understood, and what is refused with which words. */
#include "tests/support.h"

#include <string.h>

#include "grader/grading/options.h"
#include "grader/lab/labs.h"

/* Reads the words as if typed after "lockstep". */
#define READ(options, ...) read_words((options), (char *[]){"lockstep", __VA_ARGS__, NULL})

static bool read_words(struct options *options, char **words)
{
    int count = 0;
    while (words[count])
        count++;
    return options_read(count, words, options);
}

static void takes_options_before_and_after_arguments(void)
{
    struct options options;
    CU_ASSERT(
        READ(&options, "--seed", "7", "grade", "--device", "emulated", "scan", "--json=out.json", "x.cu", "--lab", "scan"));
    CU_ASSERT_EQUAL(options.command, OPTIONS_GRADE);
    CU_ASSERT_EQUAL(options.seed, 7);
    CU_ASSERT(options.has_seed);
    CU_ASSERT_EQUAL(options.device, LOCKSTEP_EMULATED);
    CU_ASSERT_STRING_EQUAL(options.json, "out.json");
    CU_ASSERT_EQUAL(options.argument_count, 2);
    CU_ASSERT_STRING_EQUAL(options.arguments[0], "scan");
    CU_ASSERT_STRING_EQUAL(options.arguments[1], "x.cu");
    CU_ASSERT_PTR_EQUAL(options.lab, labs_find("04_scan"));
    options_clear(&options);
}

static void takes_words_behind_two_dashes_as_arguments(void)
{
    struct options options;
    CU_ASSERT(READ(&options, "grade", "--", "--seed", "-x"));
    CU_ASSERT_EQUAL(options.argument_count, 2);
    CU_ASSERT_STRING_EQUAL(options.arguments[0], "--seed");
    options_clear(&options);
}

static void leaves_the_words_of_exec_to_its_program(void)
{
    struct options options;
    CU_ASSERT(READ(&options, "exec", "--checks", "memory", "--", "python3", "--version", "--json", "x"));
    CU_ASSERT_STRING_EQUAL(options.checks, "memory");
    CU_ASSERT_EQUAL(options.argument_count, 4);
    CU_ASSERT_PTR_NULL(options.json);
    options_clear(&options);
    CU_ASSERT(READ(&options, "exec", "program", "--help"));
    CU_ASSERT_FALSE(options.help);
    CU_ASSERT_EQUAL(options.argument_count, 2);
    options_clear(&options);
}

static void leaves_the_words_of_export_to_the_converters(void)
{
    struct options options;
    CU_ASSERT(READ(&options, "export", "junit", "r.json", "--out", "x", "--help", "--json"));
    CU_ASSERT_EQUAL(options.command, OPTIONS_EXPORT);
    CU_ASSERT_EQUAL(options.argument_count, 6);
    CU_ASSERT_FALSE(options.help);
    options_clear(&options);
    CU_ASSERT_FALSE(READ(&options, "--seed", "1", "export", "junit"));
    SUPPORT_CONTAINS(options.message, "behind it");
    options_clear(&options);
}

static void refuses_what_makes_no_sense(void)
{
    static char *const lines[][6] = {
        {"frobnicate"},
        {"grade", "--frobnicate"},
        {"grade", "-x"},
        {"grade", "--seed"},
        {"grade", "--seed", "many"},
        {"grade", "--seed", "-1"},
        {"grade", "--seed", "99999999999999999999"},
        {"grade", "--device", "cpu"},
        {"grade", "--lab", "nothing"},
        {"grade", "--json", ""},
        {"grade", "--checks", "all"},
        {"list", "--seed", "1"},
        {"doctor", "--json", "x"},
        {"--seed", "1"},
        {"exec", "--checks", "some", "--", "x"},
    };
    static const char *const words[] = {
        "unknown command frobnicate",
        "unknown option --frobnicate",
        "unknown option -x",
        "--seed needs a value",
        "whole number",
        "whole number",
        "whole number",
        "choose auto, gpu or emulated",
        "no such lab",
        "--json needs",
        "grade has no option --checks",
        "list has no option --seed",
        "doctor has no option --json",
        "no command",
        "choose none, memory, poison or all",
    };
    for (size_t i = 0; i < SUPPORT_COUNT(lines); i++) {
        char *arguments[8] = {"lockstep"};
        struct options options;
        memcpy(arguments + 1, lines[i], sizeof lines[i]);
        CU_ASSERT_FALSE(read_words(&options, arguments));
        SUPPORT_CONTAINS(options.message, words[i]);
        options_clear(&options);
    }
}

static void finds_labs_with_and_without_number(void)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(labs_find("02_vector_add"));
    CU_ASSERT_PTR_EQUAL(labs_find("vector_add"), labs_find("02_vector_add"));
    CU_ASSERT_PTR_NULL(labs_find("02"));
    CU_ASSERT_PTR_NULL(labs_find(""));
    CU_ASSERT_PTR_NULL(labs_find("vector"));
}

static void finds_the_lab_of_a_path(void)
{
    CU_ASSERT_PTR_EQUAL(labs_find_for_path("/home/ada/scan.cu"), labs_find("scan"));
    CU_ASSERT_PTR_EQUAL(labs_find_for_path("04_scan.cu"), labs_find("scan"));
    CU_ASSERT_PTR_EQUAL(labs_find_for_path("labs/04_scan/wrong/up_sweep_only.cu"), labs_find("scan"));
    CU_ASSERT_PTR_EQUAL(labs_find_for_path("solutions/04_scan/scan_fast.cu"), labs_find("scan"));
    CU_ASSERT_PTR_EQUAL(labs_find_for_path("04_scan/histogram.cu"), labs_find("histogram"));
    CU_ASSERT_PTR_NULL(labs_find_for_path("/tmp/mine.cu"));
    CU_ASSERT_PTR_NULL(labs_find_for_path(""));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(takes_options_before_and_after_arguments),
    SUPPORT_TEST(takes_words_behind_two_dashes_as_arguments),
    SUPPORT_TEST(leaves_the_words_of_exec_to_its_program),
    SUPPORT_TEST(leaves_the_words_of_export_to_the_converters),
    SUPPORT_TEST(refuses_what_makes_no_sense),
    SUPPORT_TEST(finds_labs_with_and_without_number),
    SUPPORT_TEST(finds_the_lab_of_a_path),
};

int options_suite_register(void)
{
    return support_register("options", tests, SUPPORT_COUNT(tests));
}
