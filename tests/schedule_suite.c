/* The schedules (runtime/tables/schedule.def): each gives another value for a kernel that depends on what it changes,
 * and none changes what a correct kernel gives. The kernels are in tests/fixtures/schedules.cu. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/lockstep.h"
#include "tests/support.h"

enum { WORDS = 512 };

static const char *const names[] = {
#define SCHEDULE(name, words, warps, blocks, resident, lanes, step) name,
#include "runtime/tables/schedule.def"
#undef SCHEDULE
};

static char directory[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];
static lockstep_device *device;
static lockstep_module *module;
static bool no_compiler;

static bool open_device(void)
{
    lockstep_error error = {0};
    char *source = support_read_file("tests/fixtures/schedules.cu", NULL);
    bool good = source && lockstep_device_open(LOCKSTEP_EMULATED, &device, &error) == LOCKSTEP_OK
                && lockstep_module_compile(device, source, "schedules.cu", NULL, &module, &error) == LOCKSTEP_OK;
    if (!good)
        fprintf(stderr, "schedules: %s\n", error.message);
    free(source);
    return good;
}

static int set_up(void)
{
    lockstep_error error;
    if (!support_temporary_directory(directory))
        return -1;
    setenv("LOCKSTEP_CHECKS", "poison", 1);
    setenv("LOCKSTEP_FINDINGS", support_join(findings, directory, "findings"), 1);
    no_compiler = lockstep_compiler_find(NULL, NULL, 0, &error) != LOCKSTEP_OK;
    if (no_compiler)
        return 0;
    return open_device() ? 0 : -1;
}

static bool skips(void)
{
    if (no_compiler)
        support_skip("there is no NVRTC");
    return no_compiler;
}

static int clean_up(void)
{
    if (device)
        lockstep_device_close(device);
    support_remove_tree(directory);
    return 0;
}

/* Runs a kernel (int *out, int *work) on words of zero. Returns out[at], or INT32_MIN when the launch fails. */
static int run(const char *schedule, const char *name, unsigned blocks, unsigned threads, int at)
{
    static int words[WORDS];
    lockstep_error error = {0};
    lockstep_kernel *kernel;
    memset(words, 0, sizeof words);
    lockstep_buffer *work;
    CU_ASSERT_EQUAL_FATAL(lockstep_device_set_schedule(device, schedule, &error), LOCKSTEP_OK);
    CU_ASSERT_EQUAL_FATAL(lockstep_module_kernel(module, name, &kernel, &error), LOCKSTEP_OK);
    CU_ASSERT_EQUAL_FATAL(lockstep_buffer_create(device, sizeof words, "work", &work, &error), LOCKSTEP_OK);
    CU_ASSERT_EQUAL(lockstep_buffer_fill(work, 0, &error), LOCKSTEP_OK);
    const lockstep_argument arguments[] = {LOCKSTEP_IN_OUT(words, sizeof words), LOCKSTEP_BUFFER(work)};
    lockstep_shape shape = {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}};
    lockstep_status status = lockstep_launch(kernel, &shape, arguments, 2, NULL, &error);
    if (status == LOCKSTEP_OK)
        status = lockstep_device_synchronize(device, &error);
    lockstep_buffer_destroy(work);
    return status == LOCKSTEP_OK ? words[at] : INT32_MIN;
}

static void each_schedule_shows_what_it_is_for(void)
{
    static const struct {
        const char *schedule, *kernel;
        unsigned blocks, threads;
        int at, usual, shown;
    } cases[] = {
        {"descending", "the_last_warp", 1, 128, 0, 3, 0},
        {"blocks-reverse", "the_last_block", 4, 32, 0, 3, 0},
        {"lanes-ascending", "a_neighbour_without_a_barrier", 1, 32, 0, 1, -1},
        {"lanes-descending", "a_neighbour_without_a_barrier", 1, 32, 31, 0, -1},
        {"lanes-descending", "the_last_warp", 1, 128, 0, 3, 0},
        {"never-reconverge", "meets_again_after_a_loop", 1, 32, 5, 26, 4},
        {"interleaved", "adds_without_an_atomic", 1, 128, 0, 4, 1},
        {"interleaved", "adds_without_an_atomic", 4, 32, 0, 4, 1},
        {"stores-held", "a_ticket_without_a_fence", 4, 64, 0, 40, 10},
        {"stores-held", "a_ticket_without_a_fence", 300, 32, 0, 3000, 450},
        {"stores-held", "a_flag_before_its_value", 4, 32, 0, 40, 10},
        {"atomics-reverse", "slots_in_order", 1, 32, 0, 0, 31},
    };
    if (skips())
        return;
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        int usual = run("ascending", cases[i].kernel, cases[i].blocks, cases[i].threads, cases[i].at);
        int shown = run(cases[i].schedule, cases[i].kernel, cases[i].blocks, cases[i].threads, cases[i].at);
        if (usual != cases[i].usual || shown != cases[i].shown)
            fprintf(stderr, "  %s, %s: %d and %d\n", cases[i].kernel, cases[i].schedule, usual, shown);
        CU_ASSERT_EQUAL(usual, cases[i].usual);
        CU_ASSERT_EQUAL(shown, cases[i].shown);
        CU_ASSERT_EQUAL(run(cases[i].schedule, cases[i].kernel, cases[i].blocks, cases[i].threads, cases[i].at), shown);
    }
}

static void no_schedule_changes_what_a_correct_kernel_gives(void)
{
    static const struct {
        const char *kernel;
        unsigned blocks, threads;
        int value;
    } cases[] = {
        {"a_ticket_with_a_fence", 4, 64, 40},
        {"a_value_before_its_flag", 2, 64, 20},
        {"a_block_sum", 3, 64, 3 * 2016},
        {"a_warp_sum", 3, 64, 3 * 34016},
        {"lanes_that_sync", 2, 64, 2 * 2 * (5 * 496 + 32 * 10)},
        {"a_lock_with_fences", 2, 64, 2 * 2016},
        {"two_loops_of_a_warp_wait", 1, 64, 64},
        {"a_queue_of_warps", 1, 64, 3 * 32},
        {"a_queue_of_warps", 1, 256, 3 * 128},
        {"a_queue_of_lanes", 1, 10, 3 * 5},
        {"a_queue_of_lanes", 1, 72, 3 * 36},
        {"reads_its_own_stores", 1, 64, 64 * (5 + 5 + 4 + 6)},
    };
    if (skips())
        return;
    for (size_t s = 0; s < SUPPORT_COUNT(names); s++)
        for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
            int value = run(names[s], cases[i].kernel, cases[i].blocks, cases[i].threads, 0);
            if (value != cases[i].value)
                fprintf(stderr, "  %s, %s: %d\n", cases[i].kernel, names[s], value);
            CU_ASSERT_EQUAL(value, cases[i].value);
        }
}

static uint64_t work_of(const char *schedule, unsigned blocks)
{
    uint64_t before = lockstep_device_work_done(device);
    run(schedule, "a_block_sum", blocks, 64, 0);
    return lockstep_device_work_done(device) - before;
}

static void work_is_the_same_number_each_time(void)
{
    if (skips())
        return;
    for (size_t s = 0; s < SUPPORT_COUNT(names); s++) {
        uint64_t work = work_of(names[s], 3);
        CU_ASSERT(work > 0 && work_of(names[s], 6) > work);
        CU_ASSERT_EQUAL(work_of(names[s], 3), work);
    }
}

static void a_wait_for_a_block_that_has_not_begun_is_a_deadlock(void)
{
    lockstep_error error;
    if (skips())
        return;
    CU_ASSERT_EQUAL(run("ascending", "waits_for_the_next_block", 3, 32, 0), 3);
    CU_ASSERT_EQUAL(run("blocks-alone", "waits_for_the_next_block", 3, 32, 0), INT32_MIN);
    char *text = support_read_file(findings, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"deadlock\""));
    free(text);
    CU_ASSERT_EQUAL(lockstep_device_set_schedule(device, "sideways", &error), LOCKSTEP_INVALID_ARGUMENT);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(each_schedule_shows_what_it_is_for),
    SUPPORT_TEST(no_schedule_changes_what_a_correct_kernel_gives),
    SUPPORT_TEST(work_is_the_same_number_each_time),
    SUPPORT_TEST(a_wait_for_a_block_that_has_not_begun_is_a_deadlock),
};

int schedule_suite_register(void)
{
    return support_register_with("schedule", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
