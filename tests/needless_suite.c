/* Which barriers no conflict needs: what the driver says of each launch (LOCKSTEP_COUNTERS), and at its end.
 * The kernels, and how they say what is expected, are in tests/fixtures/barriers_needed.cu. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/lockstep.h"
#include "tests/checks.h"
#include "tests/dialect.h"
#include "tests/support.h"

#define SOURCE "tests/fixtures/barriers_needed.cu"

static char directory[SUPPORT_PATH_BYTES], counters[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];
static lockstep_device *device;

static int set_up(void)
{
    lockstep_error error;
    if (!support_temporary_directory(directory))
        return -1;
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_FINDINGS", support_join(findings, directory, "findings"), 1);
    setenv("LOCKSTEP_COUNTERS", support_join(counters, directory, "counters"), 1);
    unsetenv("LOCKSTEP_SCHEDULE");
    if (lockstep_compiler_find(NULL, NULL, 0, &error) != LOCKSTEP_OK)
        return 0;
    return lockstep_device_open(LOCKSTEP_EMULATED, &device, &error) == LOCKSTEP_OK ? 0 : -1;
}

static int clean_up(void)
{
    if (device)
        lockstep_device_close(device);
    support_remove_tree(directory);
    return 0;
}

static int number_of(const struct check *check, const char *name)
{
    for (size_t i = 0; i < check->parameter_count; i++)
        if (strcmp(check->parameters[i].name, name) == 0)
            return check->parameters[i].value;
    return 0;
}

/* What the last launch says of a line; "" nothing. */
static const char *verdict_of(const json_t *barriers, int line)
{
    for (size_t i = 0; i < json_array_size(barriers); i++) {
        const json_t *barrier = json_array_get(barriers, i);
        if (json_integer_value(json_object_get(barrier, "line")) == line)
            return json_string_value(json_object_get(barrier, "verdict"));
    }
    return "";
}

/* What the line says that a run must say of it; "" nothing. */
static const char *expected_of(const char *line, size_t bytes, int n, char word[16])
{
    for (const char *at = line; (at = strstr(at, "//@")) && at < line + bytes; at++) {
        int only;
        size_t length = strspn(at + 3, "abcdefghijklmnopqrstuvwxyz");
        if (length < 16 && (sscanf(at + 3 + length, ":%d", &only) != 1 || only == n)) {
            snprintf(word, 16, "%.*s", (int)length, at + 3);
            return word;
        }
    }
    return "";
}

/* The part of the source that belongs to a run: from the end of the kernel above to that of its own. */
static int compare(const json_t *barriers, const char *source, const char *from, const char *to, const struct check *check)
{
    int mistakes = 0, line = 1, told = 0, n = number_of(check, "n");
    for (const char *at = source; at < to; at = strchr(at, '\n') + 1, line++) {
        char word[16];
        size_t bytes = strcspn(at, "\n");
        const char *expected = at >= from ? expected_of(at, bytes, n, word) : "", *verdict = verdict_of(barriers, line);
        told += *expected != 0;
        if (at < from || strcmp(expected, verdict) == 0)
            continue;
        fprintf(stderr, "  %s, n=%d, line %d: expected '%s', got '%s'\n", check->name, n, line, expected, verdict);
        mistakes++;
    }
    CU_ASSERT(told > 0);
    return mistakes;
}

static json_t *last_barriers(void)
{
    char *text = support_read_file(counters, NULL);
    json_t *launch = NULL;
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        json_decref(launch);
        launch = json_loadb(line, strcspn(line, "\n"), 0, NULL);
    }
    json_t *barriers = json_incref(json_object_get(launch, "barriers"));
    json_decref(launch);
    free(text);
    return barriers;
}

/* Each run alone, in a module of its own: what an earlier one has shown must not help. */
static void tells_needless_barriers_from_needed_ones(void)
{
    lockstep_error error;
    lockstep_compiled compiled;
    if (!device) {
        support_skip("there is no NVRTC");
        return;
    }
    char *source = support_read_file(SOURCE, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    lockstep_compile_request request = {
        .source = source, .source_bytes = strlen(source), .file_name = SOURCE, .major = 9, .minor = 0};
    CU_ASSERT_EQUAL_FATAL(lockstep_compile(&request, &compiled, &error), LOCKSTEP_OK);
    const char *end = source;
    struct dialect dialect;
    int runs = 0;
    dialect_begin(&dialect, source);
    while (dialect_next(&dialect) != DIALECT_END) {
        if (!dialect.word || strcmp(dialect.word, "check") != 0)
            continue;
        struct check check;
        lockstep_module *module;
        const char *from = end, *next = strstr(dialect.at, "\n// check: "), *body = strstr(dialect.at, "\n}\n");
        checks_read(dialect.text, &check);
        CU_ASSERT_EQUAL_FATAL(lockstep_module_load(device, compiled.ptx, compiled.ptx_bytes, &module, &error), LOCKSTEP_OK);
        support_write_text(counters, "");
        CU_ASSERT_EQUAL(checks_launch(device, module, &check), 0);
        json_t *barriers = last_barriers();
        CU_ASSERT_EQUAL(compare(barriers, source, from, body + 2, &check), 0);
        json_decref(barriers);
        lockstep_module_unload(module);
        checks_clear(&check);
        runs++;
        if (!next || next > body)
            end = body + 3;
    }
    CU_ASSERT(runs >= 22);
    lockstep_compiled_clear(&compiled);
    free(source);
}

/* In a process of its own, whose end is what matters. */
static void launch_and_exit(void)
{
    static const char *const launches[] = {
        "own grid=2 block=96 data=zero:65536 n=int:3",
        "own grid=1 block=96 data=zero:65536 n=int:2",
        "sometimes grid=1 block=64 data=zero:65536 n=int:1",
        "sometimes grid=1 block=64 data=zero:65536 n=int:64",
    };
    char *source = support_read_file(SOURCE, NULL);
    for (size_t i = 0; i < SUPPORT_COUNT(launches); i++) {
        char text[128];
        struct check check;
        lockstep_module *module;
        lockstep_error error;
        snprintf(text, sizeof text, "%s", launches[i]);
        checks_read(text, &check);
        if (lockstep_module_compile(device, source, SOURCE, NULL, &module, &error) != LOCKSTEP_OK
            || checks_launch(device, module, &check) != 0)
            _exit(1);
        lockstep_module_unload(module);
    }
    free(source);
    exit(0);
}

/* What one launch does not need another one may: notes come when there will be no other. */
static void notes_at_the_end_what_no_launch_needed(void)
{
    int status = -1;
    if (!device) {
        support_skip("there is no NVRTC");
        return;
    }
    support_write_text(findings, "");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        launch_and_exit();
    CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    char *text = support_read_file(findings, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(support_count_of(text, "\n"), 2);
    CU_ASSERT_EQUAL(support_count_of(text, "\"barrier_needless\""), 2);
    CU_ASSERT_EQUAL(support_count_of(text, "\"kernel\": \"own\""), 2);
    SUPPORT_CONTAINS(text, "in 2 launches");
    free(text);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(notes_at_the_end_what_no_launch_needed),
    SUPPORT_TEST(tells_needless_barriers_from_needed_ones),
};

int needless_suite_register(void)
{
    return support_register_with("needless", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
