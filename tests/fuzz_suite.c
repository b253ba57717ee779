/* The fuzzer of modules that load (tests/fuzz): what it once found stays fixed, and its mutants do load. `ninja fuzz` runs it
 * for longer, with sanitizers. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support.h"

#define CASES "tests/fuzz/cases/*.ptx"

enum { MOST_CASES = 400 };

static void run_modules(const char *const *arguments, struct support_result *result)
{
    struct support_command command = {.arguments = arguments};
    if (!support_run(&command, result))
        return;
    if (result->status != 0)
        fprintf(stderr, "%s%s", result->output, result->errors);
    CU_ASSERT_EQUAL(result->status, 0);
}

static void what_it_found_stays_fixed(void)
{
    char program[SUPPORT_PATH_BYTES];
    const char *arguments[MOST_CASES + 3] = {support_build_path("tests/fuzz/modules", program), "replay"};
    struct support_result result;
    glob_t found;
    CU_ASSERT_EQUAL_FATAL(glob(CASES, 0, NULL, &found), 0);
    CU_ASSERT_TRUE_FATAL(found.gl_pathc > 0 && found.gl_pathc <= MOST_CASES);
    memcpy(arguments + 2, found.gl_pathv, found.gl_pathc * sizeof *arguments);
    run_modules(arguments, &result);
    CU_ASSERT_EQUAL(support_count_of(result.output, ": ran"), found.gl_pathc); /* none is refused, so each tests something */
    support_result_clear(&result);
    globfree(&found);
}

static void four_of_five_mutants_load(void)
{
    char program[SUPPORT_PATH_BYTES], directory[SUPPORT_PATH_BYTES], corpus[SUPPORT_PATH_BYTES];
    struct support_result result;
    glob_t found;
    if (!support_temporary_directory(directory))
        return;
    CU_ASSERT_EQUAL_FATAL(glob("tests/fixtures/ptx/*.ptx", 0, NULL, &found), 0);
    const char *pack[MOST_CASES] = {support_build_path("tests/fuzz/modules", program), "pack",
                                    support_join(corpus, directory, "corpus")};
    CU_ASSERT_TRUE_FATAL(found.gl_pathc < MOST_CASES - 4);
    memcpy(pack + 3, found.gl_pathv, found.gl_pathc * sizeof *pack);
    run_modules(pack, &result);
    support_result_clear(&result);
    const char *run[] = {program, "run", corpus, "--batches", "3", "--out", directory, NULL};
    run_modules(run, &result);
    const char *share = strstr(result.output, " loaded (");
    CU_ASSERT_TRUE(share && strtod(share + strlen(" loaded ("), NULL) >= 80);
    SUPPORT_CONTAINS(result.output, "; 0 stops;");
    support_result_clear(&result);
    globfree(&found);
    support_remove_tree(directory);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(what_it_found_stays_fixed),
    SUPPORT_TEST(four_of_five_mutants_load),
};

int fuzz_suite_register(void)
{
    return support_register("fuzz", tests, SUPPORT_COUNT(tests));
}
