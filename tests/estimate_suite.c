/* grader/estimate: what each kind of work costs, from lines of counters made by hand; counters_suite.c looks
 * at where they come from, estimates_test.py at how near the estimates are. */
#include "tests/support.h"

#include <string.h>

#include "grader/estimate/estimate.h"
#include "grader/lab/labs.h"

static const struct estimate_scale as_counted = {1, 1};

/* A launch of 10000 blocks of 256 threads with the given members of counters, cost and sample. */
static struct estimate estimate(const struct estimate_scale *scale, const char *counters, const char *cost,
                                const char *sample)
{
    char line[1024];
    struct estimate result;
    snprintf(line, sizeof line,
             "{\"kernel\":\"k\",\"grid\":[100,100,1],\"block\":[256,1,1],"
             "\"shared_bytes\":0,\"counters\":"
             "{\"warp_instructions\":80000%s},\"cost\":{\"issue_slots\":80000,\"busiest_instructions\":10000%s,\"sample\":"
             "{\"requests\":100,\"lines\":100%s}}}\n",
             counters, cost, sample);
    CU_ASSERT_FATAL(estimate_launches(line, strlen(line), estimate_find_gpu("h200"), scale, &result));
    return result;
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

/* 10^7 sectors read and as many written: 640 MB at 4300 GB/s. */
static void streams_take_their_bytes(void)
{
    struct estimate result = estimate(&as_counted,
                                      ",\"global_load_sectors\":10000000,\"global_store_sectors\":10000000,"
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
    struct estimate small = estimate(&as_counted, ",\"global_load_sectors\":10000000,\"dram_bytes_ideal\":32000000", "",
                                     sample);
    struct estimate large = estimate(&as_counted, ",\"global_load_sectors\":100000000,\"dram_bytes_ideal\":320000000", "",
                                     sample);
    CU_ASSERT_DOUBLE_EQUAL(small.memory_bytes, 32e6, 1);
    CU_ASSERT(large.memory_bytes > 20 * small.memory_bytes);
}

static void a_sector_of_which_a_part_is_written_is_read_first(void)
{
    struct estimate whole = estimate(&as_counted, ",\"global_store_sectors\":1000,\"dram_bytes_ideal\":32000", "",
                                     ",\"store_sectors\":100,\"group_store_sectors\":100");
    struct estimate part = estimate(&as_counted, ",\"global_store_sectors\":1000,\"dram_bytes_ideal\":32000", "",
                                    ",\"store_sectors\":100,\"group_store_sectors\":100,\"group_partial_sectors\":100");
    CU_ASSERT_DOUBLE_EQUAL(whole.memory_bytes, 32000, 1);
    CU_ASSERT_DOUBLE_EQUAL(part.memory_bytes, 64000, 1);
}

static void atomics_of_one_place_take_turns(void)
{
    struct estimate spread = estimate(&as_counted, ",\"global_atomic_sectors\":13600000", "",
                                      ",\"atomic_sectors\":10,\"atomic_passes\":10,\"busiest_share\":0.0001");
    struct estimate one = estimate(&as_counted, ",\"global_atomic_sectors\":13600000", "",
                                   ",\"atomic_sectors\":10,\"atomic_passes\":20,\"busiest_share\":1");
    CU_ASSERT_DOUBLE_EQUAL(spread.limit_ms[ESTIMATE_ATOMIC], 0.1295, 0.0001);
    CU_ASSERT_DOUBLE_EQUAL(one.limit_ms[ESTIMATE_ATOMIC], 20.0, 0.01);
    CU_ASSERT_EQUAL(one.limit, ESTIMATE_ATOMIC);
}

/* 8 warps a block wait for 100 reads each, one after the other; 10000 blocks, of which 1056 run at once. */
static void chains_of_reads_wait(void)
{
    struct estimate even = estimate(&as_counted, ",\"global_load_sectors\":80000,\"dram_bytes_ideal\":2560000",
                                    ",\"chain_global_reads\":8000000", "");
    CU_ASSERT_EQUAL(even.limit, ESTIMATE_LATENCY);
    CU_ASSERT_DOUBLE_EQUAL(even.limit_ms[ESTIMATE_LATENCY], 10000.0 / 1056 * 100 * 326e-6, 0.01);
    /* One warp of the eight does it all, and a barrier keeps the others: eight times as long. */
    struct estimate one = estimate(&as_counted,
                                   ",\"global_load_sectors\":80000,\"dram_bytes_ideal\":2560000,"
                                   "\"barriers\":80000",
                                   ",\"chain_global_reads\":8000000,\"busiest_instructions\":80000", "");
    CU_ASSERT_DOUBLE_EQUAL(one.limit_ms[ESTIMATE_LATENCY] / even.limit_ms[ESTIMATE_LATENCY], 8, 0.1);
    /* Without one the others have left, and more blocks run at once. */
    struct estimate left = estimate(&as_counted, ",\"global_load_sectors\":80000,\"dram_bytes_ideal\":2560000",
                                    ",\"chain_global_reads\":8000000,\"busiest_instructions\":80000", "");
    CU_ASSERT_DOUBLE_EQUAL(left.limit_ms[ESTIMATE_LATENCY] / even.limit_ms[ESTIMATE_LATENCY], 2, 0.1);
}

static void larger_cases_scale(void)
{
    const struct estimate_scale more_blocks = {10, 1}, more_work = {1, 10};
    static const char counters[] = ",\"global_load_sectors\":10000000,\"dram_bytes_ideal\":320000000";
    struct estimate once = estimate(&as_counted, counters, "", "");
    struct estimate blocks = estimate(&more_blocks, counters, "", ""), work = estimate(&more_work, counters, "", "");
    CU_ASSERT_DOUBLE_EQUAL(blocks.memory_bytes, 10 * once.memory_bytes, 1);
    CU_ASSERT_DOUBLE_EQUAL(blocks.limit_ms[ESTIMATE_BLOCKS], 10 * once.limit_ms[ESTIMATE_BLOCKS], 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(work.limit_ms[ESTIMATE_BLOCKS], once.limit_ms[ESTIMATE_BLOCKS], 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(work.limit_ms[ESTIMATE_ISSUE], 10 * once.limit_ms[ESTIMATE_ISSUE], 1e-9);
}

static void cases_of_a_product_grow_in_blocks_and_in_work(void)
{
    const struct lab *lab = labs_find("05_matmul_tiled");
    struct lab_case small = {.size = {64, 64, 64}}, large = {.size = {256, 256, 256}};
    struct estimate_scale scale = estimate_scale_to(lab, &small, &large);
    CU_ASSERT_DOUBLE_EQUAL(scale.blocks, 16, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(scale.work, 4, 1e-9);
}

static void says_what_bounds_the_time(void)
{
    char text[256];
    struct estimate memory = estimate(&as_counted, ",\"global_load_sectors\":100000000,\"dram_bytes_ideal\":3200000000", "",
                                      "");
    estimate_describe(&memory, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "0.77 ms, limited by memory: 3200 MB at 4.30 TB/s");
    struct estimate nothing = estimate(&as_counted, "", "", "");
    nothing.launches = 3, nothing.launch_ms = 0.0156;
    estimate_describe(&nothing, text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "most of it spent on 3 launches"));
}

static void lines_without_costs_are_no_estimate(void)
{
    static const char *const lines[] = {"", "\n\n", "{\"kernel\":\"k\",\"grid\":[1,1,1],\"counters\":{}}\n",
                                        "{\"cost\":", "[]\n"};
    for (size_t i = 0; i < SUPPORT_COUNT(lines); i++) {
        struct estimate result;
        CU_ASSERT_FALSE(estimate_launches(lines[i], strlen(lines[i]), estimate_find_gpu(NULL), &as_counted, &result));
        CU_ASSERT_PTR_NULL(result.gpu);
    }
}

static const struct support_test tests[] = {
    SUPPORT_TEST(rows_are_found_by_key),
    SUPPORT_TEST(streams_take_their_bytes),
    SUPPORT_TEST(what_level_2_holds_is_read_once),
    SUPPORT_TEST(a_sector_of_which_a_part_is_written_is_read_first),
    SUPPORT_TEST(atomics_of_one_place_take_turns),
    SUPPORT_TEST(chains_of_reads_wait),
    SUPPORT_TEST(larger_cases_scale),
    SUPPORT_TEST(cases_of_a_product_grow_in_blocks_and_in_work),
    SUPPORT_TEST(says_what_bounds_the_time),
    SUPPORT_TEST(lines_without_costs_are_no_estimate),
};

int estimate_suite_register(void)
{
    return support_register("estimate", tests, SUPPORT_COUNT(tests));
}
