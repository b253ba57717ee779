/* Which barriers no conflict needs: what the driver says of each launch (LOCKSTEP_COUNTERS), and at its end.
 * The kernels, and how they say what is expected, are in tests/fixtures/barriers_needed.cu. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/lockstep.h"
#include "tests/support.h"

#define SOURCE "tests/fixtures/barriers_needed.cu"
enum { WORDS = 65536 };

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

struct run {
    char kernel[64];
    lockstep_shape shape;
    int n;
};

static bool read_run(const char *at, struct run *run)
{
    *run = (struct run){.shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}}};
    return sscanf(at, "// run: %63s grid=%u block=%u n=%d", run->kernel, &run->shape.grid[0], &run->shape.block[0], &run->n)
           == 4;
}

static bool launch(lockstep_module *module, const struct run *run)
{
    lockstep_error error = {0};
    lockstep_kernel *kernel;
    lockstep_buffer *data = NULL;
    lockstep_status status = lockstep_module_kernel(module, run->kernel, &kernel, &error);
    if (status == LOCKSTEP_OK)
        status = lockstep_buffer_create(device, 4 * WORDS, "data", &data, &error);
    if (status == LOCKSTEP_OK)
        status = lockstep_buffer_fill(data, 0, &error);
    lockstep_argument arguments[] = {LOCKSTEP_BUFFER(data), LOCKSTEP_VALUE(run->n)};
    if (status == LOCKSTEP_OK)
        status = lockstep_launch(kernel, &run->shape, arguments, 2, NULL, &error);
    if (status != LOCKSTEP_OK)
        fprintf(stderr, "  %s: %s: %s\n", run->kernel, error.call, error.message);
    if (data)
        lockstep_buffer_destroy(data);
    return status == LOCKSTEP_OK;
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
static int compare(const json_t *barriers, const char *source, const char *from, const char *to, const struct run *run)
{
    int mistakes = 0, line = 1, told = 0;
    for (const char *at = source; at < to; at = strchr(at, '\n') + 1, line++) {
        char word[16];
        size_t bytes = strcspn(at, "\n");
        const char *expected = at >= from ? expected_of(at, bytes, run->n, word) : "", *verdict = verdict_of(barriers, line);
        told += *expected != 0;
        if (at < from || strcmp(expected, verdict) == 0)
            continue;
        fprintf(stderr, "  %s, n=%d, line %d: expected '%s', got '%s'\n", run->kernel, run->n, line, expected, verdict);
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
    int runs = 0;
    for (const char *at = strstr(source, "\n// run: "), *next; at; at = next, runs++) {
        struct run run;
        lockstep_module *module;
        next = strstr(at + 1, "\n// run: ");
        const char *body = strstr(at, "\n}\n");
        const char *from = end;
        CU_ASSERT_FATAL(read_run(at + 1, &run));
        CU_ASSERT_EQUAL_FATAL(lockstep_module_load(device, compiled.ptx, compiled.ptx_bytes, &module, &error), LOCKSTEP_OK);
        support_write_text(counters, "");
        CU_ASSERT(launch(module, &run));
        json_t *barriers = last_barriers();
        CU_ASSERT_EQUAL(compare(barriers, source, from, body + 2, &run), 0);
        json_decref(barriers);
        lockstep_module_unload(module);
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
    static const struct run runs[] = {
        {"own", {.grid = {2, 1, 1}, .block = {96, 1, 1}}, 3},
        {"own", {.grid = {1, 1, 1}, .block = {96, 1, 1}}, 1},
        {"sometimes", {.grid = {1, 1, 1}, .block = {64, 1, 1}}, 1},
        {"sometimes", {.grid = {1, 1, 1}, .block = {64, 1, 1}}, 64},
    };
    char *source = support_read_file(SOURCE, NULL);
    for (size_t i = 0; i < SUPPORT_COUNT(runs); i++) {
        lockstep_module *module;
        lockstep_error error;
        if (lockstep_module_compile(device, source, SOURCE, NULL, &module, &error) != LOCKSTEP_OK
            || !launch(module, &runs[i]))
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
