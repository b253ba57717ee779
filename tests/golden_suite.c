/* Golden records (tests/golden.h): they come from a GPU, and a run that differs from one fails. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support.h"

#define FIXTURE "tests/fixtures/ptx/barriers.ptx"

/* Runs build/tests/fixtures with these arguments; the result must be cleared. */
static bool run(const char *option, const char *folder, const char *file, struct support_result *result)
{
    char program[SUPPORT_PATH_BYTES];
    const char *arguments[] = {support_build_path("tests/fixtures", program), option, folder, file, NULL};
    return support_run(&(struct support_command){.arguments = arguments}, result);
}

static void every_record_names_its_gpu(void)
{
    DIR *directory = opendir("tests/fixtures/golden");
    const struct dirent *entry;
    if (!directory)
        CU_FAIL_FATAL("tests/fixtures/golden cannot be read");
    unsigned count = 0;
    while ((entry = readdir(directory))) {
        char path[SUPPORT_PATH_BYTES];
        if (!strstr(entry->d_name, ".golden"))
            continue;
        char *text = support_read_file(support_join(path, "tests/fixtures/golden", entry->d_name), NULL);
        CU_ASSERT_TRUE(text && strncmp(text, "# NVIDIA ", 9) == 0);
        free(text);
        count++;
    }
    closedir(directory);
    CU_ASSERT_TRUE(count > 0);
}

/* Changes the first record of a file: the character `offset` behind the start of its line. */
static bool damage(const char *path, size_t offset)
{
    size_t bytes;
    char *text = support_read_file(path, &bytes);
    char *line = text;
    while (line && *line == '#')
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    FILE *file = line && strlen(line) > offset ? fopen(path, "w") : NULL;
    if (file) {
        line[offset] = line[offset] == '1' ? '2' : '1';
        fwrite(text, 1, bytes, file);
        fclose(file);
    }
    free(text);
    return file != NULL;
}

/* Records a file, damages the record, and runs the file against it. */
static void try_damaged(size_t offset, int status, const char *said)
{
    char folder[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES];
    struct support_result result;
    CU_ASSERT_TRUE_FATAL(support_temporary_directory(folder));
    if (run("--record", folder, FIXTURE, &result)) {
        CU_ASSERT_EQUAL(result.status, 0);
        support_result_clear(&result);
    }
    CU_ASSERT_TRUE(damage(support_join(path, folder, "barriers.ptx.golden"), offset));
    if (run("--golden", folder, FIXTURE, &result)) {
        CU_ASSERT_EQUAL(result.status, status);
        CU_ASSERT_TRUE(strstr(result.errors, said) || strstr(result.output, said));
        support_result_clear(&result);
    }
}

static void a_run_that_differs_from_its_record_fails(void)
{
    try_damaged(19, 1, "the results are not those of the GPU");
}

static void a_launch_that_ends_otherwise_than_its_record_fails(void)
{
    try_damaged(17, 1, "on the GPU 1");
}

static void a_test_that_changed_since_is_said_to_have_no_record(void)
{
    try_damaged(0, 0, "1 without a record");
}

static const struct support_test tests[] = {
    SUPPORT_TEST(every_record_names_its_gpu),
    SUPPORT_TEST(a_run_that_differs_from_its_record_fails),
    SUPPORT_TEST(a_launch_that_ends_otherwise_than_its_record_fails),
    SUPPORT_TEST(a_test_that_changed_since_is_said_to_have_no_record),
};

int golden_suite_register(void)
{
    return support_register("golden", tests, SUPPORT_COUNT(tests));
}
