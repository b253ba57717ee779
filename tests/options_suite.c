/* The command line: what is understood, and what is refused with which words. */
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/near.h"
#include "grader/base/seed.h"
#include "grader/lab/labs.h"
#include "grader/options/options_table.h"

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
    CU_ASSERT_PTR_EQUAL(options.lab, labs_find("scan"));
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
    SUPPORT_CONTAINS(options.message, "come after it");
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
        {"--seed", "1", "exec", "x"},
        {"grade", "--gpu", "v100"},
        {"doctor", "now"},
        {"hint", "scan", "pi"},
        {"grade", "--pictures", "x"},
        {"graed"},
        {"vector-add"},
        {"help", "grad"},
        {"grade", "--sed=3"},
        {"--devcie", "gpu"},
        {"grade", "--lab", "histogramm"},
        {"batch", "--no-pages=1"},
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
        "exec has no option --seed; it belongs to grade, run, hint, watch, trace and batch",
        "choose h200, h100,",
        "doctor takes no arguments",
        "hint takes one argument, not 2: lockstep hint [LAB|FILE]",
        "lockstep trace FILE --svg",
        "did you mean grade?",
        "did you mean `lockstep grade vector_add`?",
        "did you mean grade?",
        "did you mean --seed?",
        "did you mean --device?",
        "did you mean histogram?",
        "--no-pages takes no value",
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

static char *help_of(const char *const *words)
{
    struct options options;
    char *arguments[4] = {"lockstep"}, *text = NULL;
    size_t bytes = 0;
    for (int i = 0; words[i]; i++)
        arguments[i + 1] = (char *)words[i];
    CU_ASSERT_FATAL(read_words(&options, arguments));
    CU_ASSERT(options.help);
    FILE *file = open_memstream(&text, &bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    options_print_help(file, &options);
    fclose(file);
    options_clear(&options);
    return text;
}

/* Every command's help, by both ways to ask for it: its options and no others, in 80 columns. */
static void prints_the_help_of_each_command(void)
{
    char *all = help_of((const char *[]){"help", NULL});
    for (int i = 0; i < OPTIONS_COMMAND_COUNT; i++) {
        const struct options_command_row *command = &options_commands[i];
        char *text = help_of((const char *[]){"help", command->name, NULL});
        SUPPORT_CONTAINS(all, command->summary);
        if (i != OPTIONS_EXPORT) { /* its words are the converters' */
            char *other = help_of((const char *[]){command->name, "--help", NULL});
            CU_ASSERT_STRING_EQUAL(text, other);
            free(other);
        }
        for (size_t k = 0; k < options_row_count; k++) {
            char name[64];
            snprintf(name, sizeof name, "\n  %s%s", options_rows[k].name,
                     options_rows[k].value && options_rows[k].value[0] == '\0' ? ""
                     : options_rows[k].value && !options_rows[k].set           ? "=" /* a variable */
                                                                               : " ");
            bool shown = strstr(text, name) != NULL, is_its = false;
            for (size_t m = 0; m < options_row_count; m++)
                is_its |= strcmp(options_rows[m].name, options_rows[k].name) == 0 && (options_rows[m].commands >> i & 1);
            CU_ASSERT_EQUAL(shown, is_its);
        }
        for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
            CU_ASSERT(strcspn(line, "\n") <= 80);
        free(text);
    }
    for (const char *line = all; *line != '\0'; line += strcspn(line, "\n") + 1)
        CU_ASSERT(strcspn(line, "\n") <= 80);
    free(all);
}

static void names_the_values_of_tables_in_the_help(void)
{
    char *text = help_of((const char *[]){"help", "exec", NULL});
    SUPPORT_CONTAINS(text, "ascending descending blocks-reverse");
    SUPPORT_CONTAINS(text, "atomics-reverse");
    free(text);
    text = help_of((const char *[]){"grade", "-h", NULL});
    SUPPORT_CONTAINS(text, "--gpu h200|h100|");
    SUPPORT_CONTAINS(text, "doublify or 1");
    free(text);
}

static void finds_the_nearest_word(void)
{
    static const char *const names[] = {"grade", "trace", "--seed", "vector_add", "pi"};
    static const struct {
        const char *word, *name;
    } rows[] = {
        {"grade", "grade"},
        {"GRADE", "grade"},
        {"garde", "grade"},
        {"grad", "grade"},
        {"trade", "grade"},
        {"trce", "trace"},
        {"vector", "vector_add"},
        {"--seef", "--seed"},
        {"pj", "pi"},
        {"x", NULL},
        {"", NULL},
        {"something", NULL},
        {"0123456789012345678901234567890123456789", NULL},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        const char *found = near_find(rows[i].word, names, SUPPORT_COUNT(names));
        CU_ASSERT(rows[i].name ? found && strcmp(found, rows[i].name) == 0 : !found);
    }
}

static void finds_labs_as_they_are_typed(void)
{
    static const struct {
        const char *word, *lab;
    } rows[] = {
        {"02", "vector_add"},
        {"2", "vector_add"},
        {"002", "vector_add"},
        {"Vector-Add", "vector_add"},
        {"2_vector_add", "vector_add"},
        {"DOUBLIFY", "doublify"},
        {"02-Vector_add", "vector_add"},
        {"Scan", "scan"},
        {"pi", "pi"},
        {"", NULL},
        {"0", NULL},
        {"02_", NULL},
        {"200", NULL},
        {"vector", NULL},
        {"2x", NULL},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        const struct lab *lab = labs_find_typed(rows[i].word);
        CU_ASSERT(rows[i].lab ? lab && strcmp(lab->name, rows[i].lab) == 0 : !lab);
    }
}

static void finds_labs_with_and_without_number(void)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(labs_find("vector_add"));
    CU_ASSERT_PTR_EQUAL(labs_find("02_vector_add"), labs_find("vector_add"));
    CU_ASSERT_PTR_NULL(labs_find("02"));
    CU_ASSERT_PTR_NULL(labs_find(""));
    CU_ASSERT_PTR_NULL(labs_find("vector"));
}

static void finds_the_lab_of_a_path(void)
{
    CU_ASSERT_PTR_EQUAL(labs_find_for_path("/home/ada/scan.cu"), labs_find("scan"));
    CU_ASSERT_PTR_EQUAL(labs_find_for_path("scan.cu"), labs_find("scan"));
    CU_ASSERT_PTR_EQUAL(labs_find_for_path("labs/scan/wrong/up_sweep_only.cu"), labs_find("scan"));
    CU_ASSERT_PTR_EQUAL(labs_find_for_path("solutions/scan/scan_fast.cu"), labs_find("scan"));
    CU_ASSERT_PTR_EQUAL(labs_find_for_path("scan/histogram.cu"), labs_find("histogram"));
    CU_ASSERT_PTR_NULL(labs_find_for_path("/tmp/mine.cu"));
    CU_ASSERT_PTR_NULL(labs_find_for_path(""));
}

static void draws_the_seed_of_tests_and_refuses_one_that_is_none(void)
{
    static const char *const none[] = {
        "", "x", "-1", "+1", " 1", "1 ", "0x10", "9223372036854775808", "99999999999999999999"};
    char *kept = strdup(getenv(SEED_OF_TESTS) ? getenv(SEED_OF_TESTS) : "");
    struct options options;
    setenv(SEED_OF_TESTS, "9223372036854775807", 1);
    CU_ASSERT(READ(&options, "grade"));
    CU_ASSERT_FALSE(options.has_seed);
    CU_ASSERT_EQUAL(seed_draw(), INT64_MAX);
    options_clear(&options);
    for (size_t i = 0; i < SUPPORT_COUNT(none); i++) {
        setenv(SEED_OF_TESTS, none[i], 1);
        CU_ASSERT_FALSE(READ(&options, "grade"));
        CU_ASSERT_PTR_NOT_NULL(strstr(options.message, "a seed is a whole number"));
        options_clear(&options);
    }
    unsetenv(SEED_OF_TESTS);
    CU_ASSERT(READ(&options, "grade"));
    CU_ASSERT(seed_draw() < 1000000000u);
    options_clear(&options);
    if (kept[0] != '\0')
        setenv(SEED_OF_TESTS, kept, 1);
    free(kept);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(takes_options_before_and_after_arguments),
    SUPPORT_TEST(takes_words_behind_two_dashes_as_arguments),
    SUPPORT_TEST(leaves_the_words_of_exec_to_its_program),
    SUPPORT_TEST(leaves_the_words_of_export_to_the_converters),
    SUPPORT_TEST(refuses_what_makes_no_sense),
    SUPPORT_TEST(draws_the_seed_of_tests_and_refuses_one_that_is_none),
    SUPPORT_TEST(prints_the_help_of_each_command),
    SUPPORT_TEST(names_the_values_of_tables_in_the_help),
    SUPPORT_TEST(finds_the_nearest_word),
    SUPPORT_TEST(finds_labs_as_they_are_typed),
    SUPPORT_TEST(finds_labs_with_and_without_number),
    SUPPORT_TEST(finds_the_lab_of_a_path),
};

int options_suite_register(void)
{
    return support_register("options", tests, SUPPORT_COUNT(tests));
}
