/* Findings: each mistake of tests/fixtures/findings.cu is reported at its line, with array, index, thread and count, and the
 * next synchronisation gives what a GPU would. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "runtime/lockstep.h"
#include "tests/driver_table.h"
#include "tests/support.h"

static const char source_path[] = "tests/fixtures/findings.cu";
enum { COUNT = 1000, MAX_FINDINGS = 16 };

static char *source;
static lockstep_compiled compiled;
static char directory[SUPPORT_PATH_BYTES];

static int set_up(void)
{
    lockstep_error error = {0};
    size_t bytes;
    source = support_read_file(source_path, &bytes);
    if (!source || !support_temporary_directory(directory))
        return -1;
    lockstep_compile_request request = {.source = source, .source_bytes = bytes, .file_name = "findings.cu", .major = 8};
    if (lockstep_compile(&request, &compiled, &error) == LOCKSTEP_OK)
        return 0;
    fprintf(stderr, "%s: %s\n", source_path, error.message);
    return -1;
}

static int clean_up(void)
{
    lockstep_compiled_clear(&compiled);
    free(source);
    support_remove_tree(directory);
    return 0;
}

/* Line of the source that has the mark "@name"; 0 when there is none. */
static int line_of(const char *name)
{
    char mark[64];
    snprintf(mark, sizeof mark, "/* @%s */", name);
    const char *found = strstr(source, mark);
    int line = 1;
    for (const char *at = source; found && at < found; at++)
        line += *at == '\n';
    return found ? line : 0;
}

/* ---- one launch in a process of its own --------------------------------------------------------------------------- */

struct job {
    const char *kernel;
    int n;
    lockstep_shape shape;  /* zero: one block of 32 */
    const char *checks;    /* NULL: memory */
    const char *fuel;      /* NULL: the default */
    bool freed, protected; /* the array before the launch */
    bool direct;           /* by cuLaunchKernel: the runtime refuses some launches itself */
};

#define JOB(name, number, ...) (&(struct job){.kernel = (name), .n = (number), ##__VA_ARGS__})

struct outcome {
    int result; /* CUresult of launch or synchronisation; 0 none */
    json_t *findings[MAX_FINDINGS];
    size_t count;
};

static _Noreturn void report_result(int report, int result)
{
    _exit(write(report, &result, sizeof result) == sizeof result ? 0 : 1);
}

static int launch_directly(const struct job *job, const lockstep_shape *shape, uint64_t address)
{
    const struct driver_table *driver = driver_table_get();
    CUmodule module;
    CUfunction function;
    int n = job->n;
    void *parameters[] = {&address, &n};
    if (!driver || driver->cuModuleLoadData(&module, compiled.ptx) != CUDA_SUCCESS
        || driver->cuModuleGetFunction(&function, module, job->kernel) != CUDA_SUCCESS)
        return -1;
    return (int)driver->cuLaunchKernel(function, shape->grid[0], shape->grid[1], shape->grid[2], shape->block[0],
                                       shape->block[1], shape->block[2], shape->dynamic_shared_bytes, NULL, parameters,
                                       NULL);
}

static _Noreturn void become_job(const struct job *job, int report)
{
    char path[SUPPORT_PATH_BYTES];
    lockstep_error error = {0};
    lockstep_device *device;
    lockstep_module *module;
    lockstep_kernel *kernel;
    lockstep_buffer *a, *other;
    int n = job->n;
    setenv("LOCKSTEP_FINDINGS", support_join(path, directory, "findings"), 1);
    setenv("LOCKSTEP_CHECKS", job->checks ? job->checks : "memory", 1);
    if (job->fuel)
        setenv("LOCKSTEP_FUEL", job->fuel, 1);
    if (lockstep_device_open(LOCKSTEP_EMULATED, &device, &error) != LOCKSTEP_OK
        || lockstep_module_load(device, compiled.ptx, compiled.ptx_bytes, &module, &error) != LOCKSTEP_OK
        || lockstep_module_kernel(module, job->kernel, &kernel, &error) != LOCKSTEP_OK
        || lockstep_buffer_create(device, COUNT * sizeof(int), "a", &a, &error) != LOCKSTEP_OK
        || lockstep_buffer_create(device, COUNT * sizeof(int), "other", &other, &error) != LOCKSTEP_OK
        || lockstep_buffer_describe(a, sizeof(int), 0, &error) != LOCKSTEP_OK
        || lockstep_buffer_fill(a, 0, &error) != LOCKSTEP_OK
        || (job->protected && lockstep_buffer_protect(a, true, &error) != LOCKSTEP_OK)) {
        fprintf(stderr, "%s: %s\n", error.call, error.message);
        _exit(1);
    }
    uint64_t address = lockstep_buffer_address(a);
    if (job->freed)
        lockstep_buffer_destroy(a);
    lockstep_shape shape = job->shape;
    if (!shape.grid[0] && !shape.block[0])
        shape = (lockstep_shape){.grid = {1, 1, 1}, .block = {32, 1, 1}};
    if (job->direct)
        report_result(report, launch_directly(job, &shape, address));
    lockstep_argument arguments[] = {LOCKSTEP_VALUE(address), LOCKSTEP_VALUE(n)};
    lockstep_status status = lockstep_launch(kernel, &shape, arguments, 2, NULL, &error);
    if (status == LOCKSTEP_OK)
        status = lockstep_device_synchronize(device, &error);
    report_result(report, status == LOCKSTEP_OK ? 0 : error.cuda_result);
}

static bool run_job(const struct job *job, struct outcome *outcome)
{
    char path[SUPPORT_PATH_BYTES];
    int ends[2], status = 0;
    *outcome = (struct outcome){.result = -1};
    support_join(path, directory, "findings");
    unlink(path);
    if (pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0)
        become_job(job, ends[1]);
    close(ends[1]);
    ssize_t got = read(ends[0], &outcome->result, sizeof outcome->result);
    close(ends[0]);
    bool well = child > 0 && waitpid(child, &status, 0) == child && status == 0 && got == sizeof outcome->result;
    CU_ASSERT_TRUE(well);
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    while (file && outcome->count < MAX_FINDINGS && getline(&line, &room, file) > 0) {
        json_t *finding = json_loads(line, 0, NULL);
        CU_ASSERT_PTR_NOT_NULL(finding);
        outcome->findings[outcome->count++] = finding;
    }
    free(line);
    if (file)
        fclose(file);
    return well;
}

static void clear(struct outcome *outcome)
{
    for (size_t i = 0; i < outcome->count; i++)
        json_decref(outcome->findings[i]);
}

/* ---- expectations ------------------------------------------------------------------------------------------------- */

struct want {
    const char *code, *mark, *mark2; /* mark2: NULL when there is no second line */
    const char *array;               /* NULL: not looked at */
    int index;                       /* -9999: not looked at */
    int thread, block;               /* x; -1: not looked at */
    int count;                       /* 0: not looked at */
    const char *severity;            /* NULL: error */
    const char *words;               /* in the message; NULL: not looked at */
    int result;
};

enum { ANY = -9999 };

static const char *text_of(const json_t *finding, const char *key)
{
    const char *text = json_string_value(json_object_get(finding, key));
    return text ? text : "";
}

static long long first_of(const json_t *finding, const char *key)
{
    return json_integer_value(json_array_get(json_object_get(finding, key), 0));
}

/* Says what differs, into text; empty when nothing does. */
static void differences(const json_t *finding, const struct want *want, char text[512])
{
    size_t at = 0;
    text[0] = '\0';
#define DIFFERS(condition, ...)  \
    if ((condition) && at < 400) \
        at += (size_t)snprintf(text + at, 512 - at, __VA_ARGS__);
    long long line = json_integer_value(json_object_get(finding, "line")),
              line2 = json_integer_value(json_object_get(finding, "line2"));
    DIFFERS(strcmp(text_of(finding, "code"), want->code) != 0, " code is %s;", text_of(finding, "code"))
    DIFFERS(strcmp(text_of(finding, "severity"), want->severity ? want->severity : "error") != 0, " severity is %s;",
            text_of(finding, "severity"))
    DIFFERS(line != (want->mark ? line_of(want->mark) : 0), " line is %lld;", line)
    DIFFERS(line2 != (want->mark2 ? line_of(want->mark2) : 0), " line2 is %lld;", line2)
    DIFFERS(want->mark && !strstr(text_of(finding, "file"), "findings.cu"), " file is '%s';", text_of(finding, "file"))
    DIFFERS(want->array && strcmp(text_of(finding, "array"), want->array) != 0, " array is '%s';", text_of(finding, "array"))
    DIFFERS(want->index != ANY && json_integer_value(json_object_get(finding, "index")) != want->index, " index is %lld;",
            (long long)json_integer_value(json_object_get(finding, "index")))
    DIFFERS(want->thread >= 0 && first_of(finding, "thread") != want->thread, " thread is %lld;",
            first_of(finding, "thread"))
    DIFFERS(want->block >= 0 && first_of(finding, "block") != want->block, " block is %lld;", first_of(finding, "block"))
    DIFFERS(want->count && json_integer_value(json_object_get(finding, "count")) != want->count, " count is %lld;",
            (long long)json_integer_value(json_object_get(finding, "count")))
    DIFFERS(want->words && !strstr(text_of(finding, "message"), want->words), " message is '%s';",
            text_of(finding, "message"))
#undef DIFFERS
}

/* Runs the job: exactly this finding must come. */
static void expect(const struct job *job, const struct want *want)
{
    struct outcome outcome;
    char text[512];
    if (!run_job(job, &outcome))
        return;
    CU_ASSERT_EQUAL(outcome.count, 1);
    if (outcome.count != 1)
        fprintf(stderr, "%s: %zu findings\n", job->kernel, outcome.count);
    for (size_t i = 0; i < outcome.count; i++) {
        differences(outcome.findings[i], want, text);
        if (text[0])
            fprintf(stderr, "%s:%s\n", job->kernel, text);
        CU_ASSERT_STRING_EQUAL(text, "");
    }
    if (outcome.result != want->result)
        fprintf(stderr, "%s: the result is %d, not %d\n", job->kernel, outcome.result, want->result);
    CU_ASSERT_EQUAL(outcome.result, want->result);
    clear(&outcome);
}

/* Runs the job: no finding may come. */
static void expect_silence(const struct job *job)
{
    struct outcome outcome;
    if (!run_job(job, &outcome))
        return;
    for (size_t i = 0; i < outcome.count; i++)
        fprintf(stderr, "%s: %s: %s\n", job->kernel, text_of(outcome.findings[i], "code"),
                text_of(outcome.findings[i], "message"));
    CU_ASSERT_EQUAL(outcome.count, 0);
    CU_ASSERT_EQUAL(outcome.result, 0);
    clear(&outcome);
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static const lockstep_shape four_blocks = {.grid = {4, 1, 1}, .block = {256, 1, 1}};

static void finds_writes_behind_the_end(void)
{
    expect(JOB("after_end", 1024, .shape = four_blocks),
           &(struct want){"out_of_bounds", "after_end", NULL, "a", 1000, 232, 3, 24, .words = "1000", .result = 700});
    expect_silence(JOB("after_end", 1000, .shape = four_blocks));
}

static void finds_writes_before_the_start(void)
{
    expect(JOB("before_start", 3), &(struct want){"out_of_bounds", "before_start", NULL, "a", -3, 0, 0, 3, .result = 700});
    expect_silence(JOB("before_start", 0));
}

static void finds_reads_behind_the_end(void)
{
    expect(JOB("read_after_end", 999),
           &(struct want){"out_of_bounds", "read_after_end", NULL, "a", 1000, 1, 0, 31, .words = "read", .result = 700});
    expect_silence(JOB("read_after_end", 968));
}

static void finds_vectors_that_reach_out(void)
{
    static const lockstep_shape one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    expect_silence(JOB("half_outside", 249, .shape = one));
    expect(JOB("half_outside", 250, .shape = one),
           &(struct want){"out_of_bounds", "half_outside", NULL, "a", ANY, 0, 0, 1, .result = 700});
}

static void finds_atomics_outside(void)
{
    expect(JOB("atomic_outside", 990),
           &(struct want){"out_of_bounds", "atomic_outside", NULL, "a", 1000, 10, 0, 22, .result = 700});
}

static void keeps_shared_arrays_apart(void)
{
    expect_silence(JOB("shared_outside", 0));
    expect(JOB("shared_outside", 4),
           &(struct want){"out_of_bounds", "shared_outside", NULL, "first", 32, 28, 0, 4, .result = 700});
    expect(JOB("shared_outside", -1),
           &(struct want){"out_of_bounds", "shared_outside", NULL, "first", -1, 0, 0, 1, .result = 700});
}

/* threadIdx.x is unsigned: one less than 0 is 4294967295. */
static void names_the_array_of_a_wrapped_index(void)
{
    struct outcome outcome;
    if (!run_job(JOB("shared_wrapped", 1), &outcome))
        return;
    CU_ASSERT_EQUAL_FATAL(outcome.count, 1);
    CU_ASSERT_STRING_EQUAL(text_of(outcome.findings[0], "array"), "tile");
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(outcome.findings[0], "index")), 4294967295);
    clear(&outcome);
}

static void ends_dynamic_shared_memory_where_the_launch_says(void)
{
    lockstep_shape shape = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared_bytes = 128};
    expect_silence(JOB("dynamic_outside", 0, .shape = shape));
    expect(JOB("dynamic_outside", 30, .shape = shape),
           &(struct want){"out_of_bounds", "dynamic_outside", NULL, "dynamic", 32, 2, 0, 30, .result = 700});
    shape.dynamic_shared_bytes = 0;
    struct outcome outcome;
    run_job(JOB("dynamic_outside", 0, .shape = shape), &outcome);
    CU_ASSERT_TRUE(outcome.count > 0 && outcome.result == 700);
    clear(&outcome);
}

static void finds_local_arrays_overrun(void)
{
    static const lockstep_shape eight = {.grid = {1, 1, 1}, .block = {8, 1, 1}};
    expect_silence(JOB("local_outside", 0, .shape = eight));
    expect(JOB("local_outside", 100000, .shape = eight),
           &(struct want){"out_of_bounds", "local_outside", NULL, NULL, ANY, 0, 0, 8, .result = 700});
}

static void finds_misaligned_addresses(void)
{
    static const lockstep_shape one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    expect_silence(JOB("unaligned", 8, .shape = one));
    expect(JOB("unaligned", 2, .shape = one),
           &(struct want){"misaligned", "unaligned", NULL, "a", ANY, 0, 0, 1, .result = 716});
}

static void finds_misaligned_rows_of_matrices(void)
{
    expect_silence(JOB("row_unaligned", 16));
    expect(JOB("row_unaligned", 8),
           &(struct want){"misaligned", "row_unaligned", NULL, "tile", ANY, 5, 0, 1, .words = "16 bytes", .result = 716});
}

/* Row 15 of the tile would be a[988..1003]. */
static void finds_tiles_that_reach_out(void)
{
    expect_silence(JOB("tile_outside", 1000 - 16 * 16));
    expect(JOB("tile_outside", 748),
           &(struct want){"out_of_bounds", "tile_outside", NULL, "a", 1000, 30, 0, 2, .words = "1000", .result = 700});
}

static void finds_matrix_instructions_of_part_of_a_warp(void)
{
    static const lockstep_shape small = {.grid = {1, 1, 1}, .block = {16, 1, 1}};
    expect_silence(JOB("part_of_warp", 32));
    expect(JOB("part_of_warp", 20),
           &(struct want){"sync_mask", "part_of_warp", "part_left", NULL, ANY, 0, 0, 1, .words = "lane 20", .result = 719});
    expect(JOB("part_of_warp", 32, .shape = small), &(struct want){"sync_mask", "part_of_warp", NULL, NULL, ANY, 0, 0, 1,
                                                                   .words = "block has 16 threads", .result = 719});
}

static void finds_null_pointers(void)
{
    expect(JOB("null_read", 1), &(struct want){"null_pointer", "null_read", NULL, NULL, ANY, 0, 0, 32, .result = 700});
    expect(JOB("null_write", 1), &(struct want){"null_pointer", "null_write", NULL, NULL, ANY, 0, 0, 32, .result = 700});
}

static void finds_freed_memory(void)
{
    expect(JOB("plain_write", 1, .freed = true),
           &(struct want){"use_after_free", "plain_write", NULL, "a", ANY, 0, 0, 32, .result = 700});
}

static void finds_writes_to_constants_and_inputs(void)
{
    expect(JOB("writes_constant", 1),
           &(struct want){"const_write", "writes_constant", NULL, "table", ANY, 0, 0, 32, .result = 700});
    expect(JOB("plain_write", 1, .protected = true),
           &(struct want){"read_only_write", "plain_write", NULL, "a", ANY, 0, 0, 32, .result = 0});
}

static void goes_on_after_a_mistake(void)
{
    struct outcome outcome;
    if (!run_job(JOB("two_mistakes", 970), &outcome))
        return;
    CU_ASSERT_EQUAL_FATAL(outcome.count, 2);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(outcome.findings[0], "line")), line_of("first_mistake"));
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(outcome.findings[1], "line")), line_of("second_mistake"));
    clear(&outcome);
}

static void names_the_line_inside_an_inlined_function(void)
{
    expect(JOB("inlined", 999), &(struct want){"out_of_bounds", "inlined", NULL, "a", 1000, 1, 0, 31, .result = 700});
}

/* ---- barriers and masks ------------------------------------------------------------------------------------------- */

static void finds_threads_at_different_barriers(void)
{
    static const lockstep_shape two_warps = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
    expect(JOB("mismatch", 32, .shape = two_warps),
           &(struct want){"barrier_mismatch", "mismatch1", "mismatch2", NULL, ANY, -1, 0, 1, .result = 719});
    expect(JOB("mismatch", 7),
           &(struct want){"barrier_mismatch", "mismatch1", "mismatch2", NULL, ANY, -1, 0, 1, .result = 719});
    expect_silence(JOB("mismatch", 64, .shape = two_warps));
}

static void warns_of_threads_that_left(void)
{
    static const lockstep_shape two_warps = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
    expect(JOB("leaves_early", 40, .shape = two_warps),
           &(struct want){"early_exit", "left", "early_barrier", NULL, ANY, -1, 0, 24, .severity = "warning", .result = 0});
    expect_silence(JOB("leaves_early", 64, .shape = two_warps));
    expect_silence(JOB("whole_block_leaves", 1, .shape = {.grid = {3, 1, 1}, .block = {32, 1, 1}}));
}

static void finds_loops_that_never_end(void)
{
    expect(JOB("spins", 1, .fuel = "2000000"), &(struct want){"fuel", "spins", NULL, NULL, ANY, -1, 0, 1, .result = 702});
    struct outcome outcome;
    if (!run_job(JOB("never_ends", 0, .fuel = "2000000"), &outcome))
        return;
    CU_ASSERT_EQUAL_FATAL(outcome.count, 1);
    CU_ASSERT_STRING_EQUAL(text_of(outcome.findings[0], "code"), "fuel");
    long long line = json_integer_value(json_object_get(outcome.findings[0], "line"));
    CU_ASSERT_TRUE(line >= line_of("never_ends") && line <= line_of("never_ends_body") + 1);
    CU_ASSERT_EQUAL(outcome.result, 702);
    clear(&outcome);
}

static void finds_loops_that_a_barrier_closes(void)
{
    static const lockstep_shape two_warps = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
    struct outcome outcome;
    if (!run_job(JOB("loops_over_barrier", 1, .shape = two_warps, .fuel = "2000000"), &outcome))
        return;
    CU_ASSERT_EQUAL_FATAL(outcome.count, 1);
    CU_ASSERT_STRING_EQUAL(text_of(outcome.findings[0], "code"), "fuel");
    long long line = json_integer_value(json_object_get(outcome.findings[0], "line"));
    CU_ASSERT_TRUE(line >= line_of("loops_over_barrier") && line <= line_of("loops_over_barrier_body"));
    CU_ASSERT_EQUAL(outcome.result, 702);
    clear(&outcome);
}

static void finds_threads_that_loop_while_others_wait(void)
{
    expect(JOB("loops_before_barrier", 1, .fuel = "2000000"),
           &(struct want){"barrier_divergent", "waits", "stays", NULL, ANY, -1, 0, 1, .result = 702});
}

static void finds_barriers_that_nobody_completes(void)
{
    expect(JOB("waits_for_nobody", 1, .shape = {.grid = {1, 1, 1}, .block = {64, 1, 1}}),
           &(struct want){"deadlock", "barrier1", "barrier2", NULL, ANY, -1, 0, 1, .result = 719});
}

static void finds_wrong_lane_masks(void)
{
    expect_silence(JOB("wrong_mask", 32));
    expect(JOB("wrong_mask", 16), &(struct want){"sync_mask", "wrong_mask", "wrong_mask_left", NULL, ANY, -1, 0, 0,
                                                 .words = "has left the kernel at line", .result = 719});
    expect(JOB("mask_without_me", 0x7fffffff),
           &(struct want){"sync_mask", "mask_without_me", NULL, NULL, ANY, -1, 0, 0, .result = 719});
}

static void reports_asserts_and_traps(void)
{
    expect(JOB("asserts", 5),
           &(struct want){"assert", "asserts", NULL, NULL, ANY, 5, 0, 1, .words = "threadIdx.x != n", .result = 710});
    expect(JOB("traps", 5), &(struct want){"assert", "traps", NULL, NULL, ANY, 5, 0, 1, .result = 719});
}

/* ---- launches ----------------------------------------------------------------------------------------------------- */

static void explains_refused_launches(void)
{
    static const struct {
        const char *kernel;
        lockstep_shape shape;
        int result;
        const char *words; /* the value and the limit */
        const char *limit;
    } rows[] = {
        {"plain_write", {.grid = {1, 1, 1}, .block = {1025, 1, 1}}, 1, "1025", "1024"},
        {"plain_write", {.grid = {1, 1, 1}, .block = {32, 33, 1}}, 1, "1056", "1024"},
        {"plain_write", {.grid = {1, 1, 1}, .block = {1, 1, 65}}, 1, "65", "64"},
        {"plain_write", {.grid = {1, 65536, 1}, .block = {1, 1, 1}}, 1, "65536", "65535"},
        {"plain_write", {.grid = {1, 1, 70000}, .block = {1, 1, 1}}, 1, "70000", "65535"},
        {"plain_write", {.grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared_bytes = 49153}, 1, "49153", "49152"},
        {"big_shared", {.grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared_bytes = 4}, 1, "49156", "49152"},
        {"bounded", {.grid = {1, 1, 1}, .block = {65, 1, 1}}, 701, "65", "64"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct outcome outcome;
        if (!run_job(JOB(rows[i].kernel, 1, .shape = rows[i].shape, .direct = true), &outcome))
            continue;
        const char *message = outcome.count ? text_of(outcome.findings[0], "message") : "";
        bool well = outcome.count == 1 && strcmp(text_of(outcome.findings[0], "code"), "launch") == 0
                    && strstr(message, rows[i].words) && strstr(message, rows[i].limit) && outcome.result == rows[i].result;
        if (!well)
            fprintf(stderr, "launch %zu of %s: %zu findings, result %d, '%s'\n", i, rows[i].kernel, outcome.count,
                    outcome.result, message);
        CU_ASSERT_TRUE(well);
        clear(&outcome);
    }
}

/* ---- levels ------------------------------------------------------------------------------------------------------- */

static void says_nothing_without_checks(void)
{
    struct outcome outcome;
    if (!run_job(JOB("after_end", 1024, .shape = four_blocks, .checks = "none"), &outcome))
        return;
    CU_ASSERT_EQUAL(outcome.count, 0);
    CU_ASSERT_EQUAL(outcome.result, 700);
    clear(&outcome);
}

static void finds_the_same_with_all_checks(void)
{
    expect(JOB("after_end", 1024, .shape = four_blocks, .checks = "all"),
           &(struct want){"out_of_bounds", "after_end", NULL, "a", 1000, 232, 3, 24, .result = 700});
    expect(JOB("shared_outside", 4, .checks = "all"),
           &(struct want){"out_of_bounds", "shared_outside", NULL, "first", 32, 28, 0, 4, .result = 700});
    expect_silence(JOB("after_end", 1000, .shape = four_blocks, .checks = "all"));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(finds_writes_behind_the_end),
    SUPPORT_TEST(finds_writes_before_the_start),
    SUPPORT_TEST(finds_reads_behind_the_end),
    SUPPORT_TEST(finds_vectors_that_reach_out),
    SUPPORT_TEST(finds_atomics_outside),
    SUPPORT_TEST(keeps_shared_arrays_apart),
    SUPPORT_TEST(names_the_array_of_a_wrapped_index),
    SUPPORT_TEST(ends_dynamic_shared_memory_where_the_launch_says),
    SUPPORT_TEST(finds_local_arrays_overrun),
    SUPPORT_TEST(finds_misaligned_addresses),
    SUPPORT_TEST(finds_misaligned_rows_of_matrices),
    SUPPORT_TEST(finds_tiles_that_reach_out),
    SUPPORT_TEST(finds_matrix_instructions_of_part_of_a_warp),
    SUPPORT_TEST(finds_null_pointers),
    SUPPORT_TEST(finds_freed_memory),
    SUPPORT_TEST(finds_writes_to_constants_and_inputs),
    SUPPORT_TEST(goes_on_after_a_mistake),
    SUPPORT_TEST(names_the_line_inside_an_inlined_function),
    SUPPORT_TEST(finds_threads_at_different_barriers),
    SUPPORT_TEST(warns_of_threads_that_left),
    SUPPORT_TEST(finds_loops_that_never_end),
    SUPPORT_TEST(finds_loops_that_a_barrier_closes),
    SUPPORT_TEST(finds_threads_that_loop_while_others_wait),
    SUPPORT_TEST(finds_barriers_that_nobody_completes),
    SUPPORT_TEST(finds_wrong_lane_masks),
    SUPPORT_TEST(reports_asserts_and_traps),
    SUPPORT_TEST(explains_refused_launches),
    SUPPORT_TEST(says_nothing_without_checks),
    SUPPORT_TEST(finds_the_same_with_all_checks),
};

int findings_suite_register(void)
{
    return support_register_with("findings", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
