/* grader/estimate: how numbers are followed to a larger size, and what each kind of work costs, from lines of counters made
 * by hand; counters_suite.c looks at where they come from, estimates_test.py at how near the estimates are. */
#include "tests/support.h"

#include <math.h>
#include <string.h>

#include "grader/estimate/estimate.h"
#include "grader/estimate/growth.h"

/* A launch of blocks of 256 threads, as counted at two sizes of which the larger is the target's, so that nothing has to be
 * followed. Members that are not given are those of a launch in which every thread executes 10 instructions. */
static struct estimate estimate_with(double blocks, const char *counters, const char *cost, const char *sample)
{
    static const double part[2] = {0.25, 1};
    char text[2][2048];
    struct estimate_launch launches[2];
    struct estimate_run runs[2];
    struct estimate result;
    for (int i = 0; i < 2; i++) {
        double own = blocks * part[i];
        launches[i] = (struct estimate_launch){"k", own, 256, own * 256, 256};
        snprintf(text[i], sizeof text[i],
                 "{\"kernel\":\"k\",\"shared_bytes\":0,\"counters\":{\"warp_instructions\":%.0f,\"thread_instructions\":%.0f"
                 "%s},\"cost\":{%s\"issue_slots\":%.0f,\"busiest_instructions\":%.0f,\"busy_warps\":%.0f,"
                 "\"busiest_thread\":10,\"busy_blocks\":%.0f,\"busiest_block\":2560,\"sample\":"
                 "{\"requests\":100,\"lines\":100%s}}}\n",
                 own * 80, own * 2560, counters, cost, own * 80, own * 10, own * 80, own * 2560, sample);
        runs[i] = (struct estimate_run){&launches[i], 1, 0, text[i], strlen(text[i])};
    }
    CU_ASSERT_FATAL(estimate_make(runs, 2, &runs[1], estimate_find_gpu("h200"), &result));
    return result;
}

static struct estimate estimate(const char *counters, const char *cost, const char *sample)
{
    return estimate_with(10000, counters, cost, sample);
}

static void rows_are_found_by_key(void)
{
    char keys[128];
    CU_ASSERT_STRING_EQUAL(estimate_find_gpu(NULL)->key, "h200");
    CU_ASSERT_STRING_EQUAL(estimate_find_gpu("RTX4090")->name, "NVIDIA GeForce RTX 4090");
    CU_ASSERT_PTR_NULL(estimate_find_gpu("h20"));
    estimate_list_gpus(keys, sizeof keys);
    CU_ASSERT_STRING_EQUAL(keys, "h200, h100, a100, rtx4090, t4");
    estimate_list_gpus(keys, 8);
    CU_ASSERT_STRING_EQUAL(keys, "h200, h");
}

/* ---- growth -------------------------------------------------------------------------------------------------------- */

static void expect_growth(double constant, double factor, double power)
{
    double sizes[3] = {1024, 4096, 16384}, values[3];
    for (int i = 0; i < 3; i++)
        values[i] = constant + factor * pow(sizes[i], power);
    double want = constant + factor * pow(1 << 23, power), got = growth_at(sizes, values, 3, 1 << 23);
    if (fabs(got - want) > 1e-3 * want)
        fprintf(stderr, "%g + %g n^%g: %g, not %g\n", constant, factor, power, got, want);
    CU_ASSERT(fabs(got - want) <= 1e-3 * want);
}

static void follows_what_stays_and_what_grows(void)
{
    expect_growth(7, 0, 1);
    expect_growth(0, 3, 1);
    expect_growth(5000, 3, 1);
    expect_growth(100, 0.01, 2);
    expect_growth(10, 50000, -1); /* a share of what is the same in all: it goes away */
    expect_growth(10, 2, 0.5);
}

static void follows_a_logarithm(void)
{
    static const double sizes[3] = {1024, 4096, 16384}, values[3] = {10, 12, 14};
    CU_ASSERT_DOUBLE_EQUAL(growth_at(sizes, values, 3, 1 << 24), 24, 1e-6);
}

static void what_shrinks_does_not_vanish(void)
{
    static const double sizes[3] = {1024, 4096, 16384}, values[3] = {0.130, 0.129, 0.126};
    double got = growth_at(sizes, values, 3, 1 << 23);
    CU_ASSERT(got > 0.11 && got <= 0.126);
}

static void noise_is_not_growth(void)
{
    static const double sizes[3] = {1024, 4096, 16384}, up[3] = {100, 99, 101}, little[3] = {100, 100.1, 100.5};
    CU_ASSERT_DOUBLE_EQUAL(growth_at(sizes, up, 3, 1 << 23), 101, 1e-9);
    CU_ASSERT(growth_at(sizes, little, 3, 1 << 23) < 400);
}

/* A loop over blocks of 256 elements in turns of 256 blocks: one turn at first, then 4. No power of the size does that. */
static void a_loop_that_begins_to_turn_grows_by_a_line(void)
{
    static const double sizes[3] = {16384, 65536, 262144}, values[3] = {112, 114, 393};
    double of_each = (values[2] - values[1]) / (sizes[2] - sizes[1]);
    CU_ASSERT_DOUBLE_EQUAL(growth_at(sizes, values, 3, 1 << 23), 393 + of_each * ((1 << 23) - 262144), 1e-6);
}

static void two_sizes_give_a_line_or_a_power(void)
{
    static const double sizes[2] = {1000, 4000}, line[2] = {110, 140}, square[2] = {1, 16};
    CU_ASSERT_DOUBLE_EQUAL(growth_at(sizes, line, 2, 10000), 200, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(growth_at(sizes, square, 2, 16000), 256, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(growth_at(sizes, line, 1, 10000), 110, 1e-9);
}

/* ---- limits -------------------------------------------------------------------------------------------------------- */

/* 10^7 sectors read and as many written: 640 MB at 4300 GB/s. */
static void streams_take_their_bytes(void)
{
    struct estimate result = estimate(",\"global_load_sectors\":10000000,\"global_store_sectors\":10000000,"
                                      "\"dram_bytes_ideal\":640000000",
                                      "", ",\"store_sectors\":100,\"store_lines\":25,\"group_store_sectors\":100");
    CU_ASSERT_EQUAL(result.limit, ESTIMATE_MEMORY);
    CU_ASSERT_DOUBLE_EQUAL(result.memory_bytes, 640e6, 1);
    CU_ASSERT_DOUBLE_EQUAL(result.limit_ms[ESTIMATE_MEMORY], 0.1488, 0.0001);
    CU_ASSERT(result.ms > result.limit_ms[ESTIMATE_MEMORY] + result.launch_ms && result.ms < 0.2);
}

/* Read again by other blocks: from level 2 as long as it holds everything, from memory again when it does not. */
static void what_level_2_holds_is_read_once(void)
{
    static const char sample[] = ",\"load_sectors\":1000,\"block_load_sectors\":1000,\"group_load_sectors\":1000";
    struct estimate small = estimate(",\"global_load_sectors\":10000000,\"dram_bytes_ideal\":32000000", "", sample);
    struct estimate large = estimate(",\"global_load_sectors\":100000000,\"dram_bytes_ideal\":320000000", "", sample);
    CU_ASSERT_DOUBLE_EQUAL(small.memory_bytes, 32e6, 1);
    CU_ASSERT(large.memory_bytes > 20 * small.memory_bytes);
}

static void a_sector_of_which_a_part_is_written_is_read_first(void)
{
    static const char counters[] = ",\"global_store_sectors\":1000,\"dram_bytes_ideal\":32000";
    struct estimate whole = estimate(counters, "", ",\"store_sectors\":100,\"group_store_sectors\":100");
    struct estimate part = estimate(counters, "",
                                    ",\"store_sectors\":100,\"group_store_sectors\":100,\"group_partial_sectors\":100");
    CU_ASSERT_DOUBLE_EQUAL(whole.memory_bytes, 32000, 1);
    CU_ASSERT_DOUBLE_EQUAL(part.memory_bytes, 64000, 1);
}

static void atomics_of_one_place_take_turns(void)
{
    static const char counters[] = ",\"global_atomic_sectors\":13600000";
    struct estimate spread = estimate(counters, "", ",\"atomic_sectors\":10,\"atomic_passes\":10,\"busiest_share\":0.0001");
    struct estimate one = estimate(counters, "", ",\"atomic_sectors\":10,\"atomic_passes\":20,\"busiest_share\":1");
    struct estimate floats = estimate(counters, "",
                                      ",\"atomic_sectors\":10,\"atomic_passes\":20,\"float_passes\":20,\"busiest_share\":1");
    CU_ASSERT_DOUBLE_EQUAL(spread.limit_ms[ESTIMATE_ATOMIC], 0.1295, 0.0001);
    CU_ASSERT_DOUBLE_EQUAL(one.limit_ms[ESTIMATE_ATOMIC], 20.0, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(floats.limit_ms[ESTIMATE_ATOMIC], 48.0, 0.01);
    CU_ASSERT_EQUAL(one.limit, ESTIMATE_ATOMIC);
}

/* 8 warps a block wait for 100 reads from memory each, one after the other; 10000 blocks, of which 1056 run at once. */
static void chains_of_reads_wait(void)
{
    struct estimate even = estimate(",\"global_load_sectors\":80000,\"dram_bytes_ideal\":2560000",
                                    "\"chain_global_reads\":8000000,", "");
    CU_ASSERT_EQUAL(even.limit, ESTIMATE_LATENCY);
    CU_ASSERT_DOUBLE_EQUAL(even.limit_ms[ESTIMATE_LATENCY], 10000.0 / 1056 * 100 * 360e-6, 0.01);
}

/* The same work in one block: it takes as many times longer as blocks would run beside it. */
static void one_block_has_one_multiprocessor(void)
{
    static const char counters[] = ",\"shared_load_wavefronts\":80000";
    struct estimate many = estimate_with(10000, counters, "", ""), one = estimate_with(1, counters, "", "");
    CU_ASSERT_DOUBLE_EQUAL(one.limit_ms[ESTIMATE_LEVEL_1] / many.limit_ms[ESTIMATE_LEVEL_1], 132, 2);
    CU_ASSERT_DOUBLE_EQUAL(one.longest[ESTIMATE_LEVEL_1].busy, 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(one.longest[ESTIMATE_LEVEL_1].threads, 256, 1e-9);
}

static void threads_that_wait_for_one_another_form_a_chain(void)
{
    struct estimate chain = estimate("", "\"handoffs\":9999,\"handed_on\":9999,\"handed_fences\":19998,", "");
    CU_ASSERT_EQUAL(chain.limit, ESTIMATE_CHAIN);
    CU_ASSERT_DOUBLE_EQUAL(chain.limit_ms[ESTIMATE_CHAIN], 9999 * (280 + 2 * 300) / 1e6, 0.1);
    /* all blocks that fit ask for one place meanwhile */
    struct estimate asked = estimate("", "\"handoffs\":9999,\"waiting_lanes\":10000,\"waiting_places\":1,", "");
    CU_ASSERT_DOUBLE_EQUAL(asked.limit_ms[ESTIMATE_CHAIN], 9999 * (280 + 0.75 * 1056 / 1.36) / 1e6, 0.1);
    struct estimate in_blocks = estimate("", "\"shared_handoffs\":2560000,", "");
    CU_ASSERT_EQUAL(in_blocks.limit, ESTIMATE_CHAIN);
    CU_ASSERT_EQUAL(chain.high_ms, 0);
}

static void blocks_that_look_back_get_a_range(void)
{
    char text[384];
    struct estimate result = estimate(",\"global_load_sectors\":10000000,\"dram_bytes_ideal\":320000000",
                                      "\"handoffs\":3,\"handed_on\":10000,", "");
    CU_ASSERT(result.high_ms > 2 * result.ms);
    estimate_describe(&result, text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " to "));
}

/* ---- launches ------------------------------------------------------------------------------------------------------ */

static void launches_of_the_target_are_counted(void)
{
    char text[3][4096] = {"", "", ""};
    struct estimate_launch launches[3][21];
    struct estimate_run runs[3];
    struct estimate result;
    for (int i = 0; i < 3; i++) {
        double blocks = 64 << 2 * i;
        size_t count = 10 + 3 * (size_t)i;
        for (size_t k = 0; k < count; k++) {
            launches[i][k] = (struct estimate_launch){"k", blocks, 256, blocks * 256, 256};
            snprintf(text[i] + strlen(text[i]), sizeof text[i] - strlen(text[i]),
                     "{\"kernel\":\"k\",\"counters\":{},\"cost\":{\"issue_slots\":%.0f}}\n", blocks);
        }
        runs[i] = (struct estimate_run){launches[i], count, 0, text[i], strlen(text[i])};
    }
    CU_ASSERT_FATAL(estimate_make(runs, 2, &runs[2], estimate_find_gpu("h200"), &result));
    CU_ASSERT_EQUAL(result.launches, 16);
    CU_ASSERT_DOUBLE_EQUAL(result.instructions, 16 * 1024, 1);
    CU_ASSERT_DOUBLE_EQUAL(result.ms, 0.0048 + 15 * 0.0033, 0.002);
}

static void says_what_bounds_the_time(void)
{
    char text[384];
    struct estimate memory = estimate(",\"global_load_sectors\":100000000,\"dram_bytes_ideal\":3200000000", "", "");
    estimate_describe(&memory, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "0.77 ms, limited by memory: 3200 MB at 4.30 TB/s take 0.74 ms");
    struct estimate few = estimate_with(2, ",\"global_load_sectors\":80,\"dram_bytes_ideal\":2560",
                                        "\"chain_global_reads\":800000,", "");
    estimate_describe(&few, text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "limited by waiting: 2 blocks of 256 threads, on 2 of 132 multiprocessors"));
    struct estimate chain = estimate("", "\"handoffs\":9999,", "");
    estimate_describe(&chain, text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "limited by threads that wait for one another: a chain of 9999, 0.28 us each"));
    struct estimate busy = estimate("", "", "");
    busy.limit = ESTIMATE_ISSUE, busy.instructions = 999.4e6, busy.launch_ms = 0;
    estimate_describe(&busy, text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "limited by instructions: warps issue 999 million"));
    busy.instructions = 4.65e9;
    estimate_describe(&busy, text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "limited by instructions: warps issue 4.65 billion"));
    struct estimate nothing = estimate("", "", "");
    nothing.launches = 3, nothing.launch_ms = 1;
    estimate_describe(&nothing, text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "most of it spent on 3 launches"));
}

static void lines_without_costs_are_no_estimate(void)
{
    static const char *const lines[] = {"", "\n\n", "{\"kernel\":\"k\",\"grid\":[1,1,1],\"counters\":{}}\n",
                                        "{\"cost\":", "[]\n"};
    struct estimate_launch launch = {"k", 1, 256, 256, 256};
    for (size_t i = 0; i < SUPPORT_COUNT(lines); i++) {
        struct estimate result;
        struct estimate_run run = {&launch, 1, 0, lines[i], strlen(lines[i])}, runs[2] = {run, run};
        CU_ASSERT_FALSE(estimate_make(runs, 2, &run, estimate_find_gpu(NULL), &result));
        CU_ASSERT_PTR_NULL(result.gpu);
    }
}

/* One size says nothing of how it grows. */
static void one_size_is_no_estimate(void)
{
    static const char line[] = "{\"kernel\":\"k\",\"counters\":{},\"cost\":{\"issue_slots\":10}}\n";
    struct estimate_launch launch = {"k", 1, 256, 256, 256};
    struct estimate_run run = {&launch, 1, 0, line, sizeof line - 1};
    struct estimate result;
    CU_ASSERT_FALSE(estimate_make(&run, 1, &run, estimate_find_gpu(NULL), &result));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(rows_are_found_by_key),
    SUPPORT_TEST(follows_what_stays_and_what_grows),
    SUPPORT_TEST(follows_a_logarithm),
    SUPPORT_TEST(what_shrinks_does_not_vanish),
    SUPPORT_TEST(noise_is_not_growth),
    SUPPORT_TEST(a_loop_that_begins_to_turn_grows_by_a_line),
    SUPPORT_TEST(two_sizes_give_a_line_or_a_power),
    SUPPORT_TEST(streams_take_their_bytes),
    SUPPORT_TEST(what_level_2_holds_is_read_once),
    SUPPORT_TEST(a_sector_of_which_a_part_is_written_is_read_first),
    SUPPORT_TEST(atomics_of_one_place_take_turns),
    SUPPORT_TEST(chains_of_reads_wait),
    SUPPORT_TEST(one_block_has_one_multiprocessor),
    SUPPORT_TEST(threads_that_wait_for_one_another_form_a_chain),
    SUPPORT_TEST(blocks_that_look_back_get_a_range),
    SUPPORT_TEST(launches_of_the_target_are_counted),
    SUPPORT_TEST(says_what_bounds_the_time),
    SUPPORT_TEST(lines_without_costs_are_no_estimate),
    SUPPORT_TEST(one_size_is_no_estimate),
};

int estimate_suite_register(void)
{
    return support_register("estimate", tests, SUPPORT_COUNT(tests));
}
