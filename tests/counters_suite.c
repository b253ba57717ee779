/* Counters: what a profiler reads for the same kernels on a GPU (H200, CUDA 13.0, Nsight Compute), request by request, at
 * each level of the executors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "runtime/lockstep.h"
#include "tests/support.h"

enum { COUNT = 65536, SIDE = 256, BLOCK = 256, MAX_LAUNCHES = 32 };

static const char *const levels[] = {"baseline", "avx2", "avx512"};

static json_t *launches[SUPPORT_COUNT(levels)][MAX_LAUNCHES];
static bool measured[SUPPORT_COUNT(levels)];

/* ---- the launches, in a process of their own ---------------------------------------------------------------------- */

struct bench {
    lockstep_device *device;
    lockstep_module *module;
    lockstep_buffer *a, *b, *c;
};

static void must(lockstep_status status, const lockstep_error *error)
{
    if (status == LOCKSTEP_OK)
        return;
    fprintf(stderr, "%s: %s\n", error->call, error->message);
    _exit(1);
}

static void run(struct bench *bench, const char *name, lockstep_shape shape, unsigned buffers, bool sized, int n)
{
    lockstep_error error = {0};
    lockstep_kernel *kernel;
    lockstep_argument all[4] = {LOCKSTEP_BUFFER(bench->a),
                                buffers == 3 ? LOCKSTEP_BUFFER(bench->b) : LOCKSTEP_BUFFER(bench->c),
                                LOCKSTEP_BUFFER(bench->c)};
    all[buffers] = LOCKSTEP_VALUE(n);
    must(lockstep_module_kernel(bench->module, name, &kernel, &error), &error);
    must(lockstep_launch(kernel, &shape, all, buffers + sized, NULL, &error), &error);
    must(lockstep_device_synchronize(bench->device, &error), &error);
}

static void run_all(void)
{
    lockstep_error error = {0};
    struct bench bench = {0};
    size_t bytes = (COUNT + 64) * sizeof(float);
    int *host = calloc(1, bytes);
    char *source = support_read_file("tests/fixtures/counters.cu", NULL);
    if (!host || !source)
        _exit(1);
    for (int i = 0; i < COUNT; i++)
        host[i] = (int)((unsigned)i * 7919u % 256u);
    must(lockstep_device_open(LOCKSTEP_EMULATED, &bench.device, &error), &error);
    must(lockstep_module_compile(bench.device, source, "counters.cu", NULL, &bench.module, &error), &error);
    must(lockstep_buffer_create(bench.device, bytes, "a", &bench.a, &error), &error);
    must(lockstep_buffer_create(bench.device, bytes, "b", &bench.b, &error), &error);
    must(lockstep_buffer_create(bench.device, bytes, "c", &bench.c, &error), &error);
    must(lockstep_buffer_upload(bench.a, 0, host, bytes, &error), &error);
    must(lockstep_buffer_upload(bench.b, 0, host, bytes, &error), &error);
    must(lockstep_buffer_fill(bench.c, 0, &error), &error);
    lockstep_shape line = {.grid = {COUNT / BLOCK, 1, 1}, .block = {BLOCK, 1, 1}};
    lockstep_shape tiles = {.grid = {SIDE / 32, SIDE / 32, 1}, .block = {32, 32, 1}};
    lockstep_shape small_tiles = {.grid = {SIDE / 16, SIDE / 16, 1}, .block = {16, 16, 1}};
    run(&bench, "vector_add", line, 3, true, COUNT);
    run(&bench, "every_second", line, 2, true, COUNT);
    run(&bench, "shifted", line, 2, true, COUNT);
    run(&bench, "tree", line, 2, false, 0);
    run(&bench, "interleaved", line, 2, false, 0);
    run(&bench, "transpose32", tiles, 2, true, SIDE);
    run(&bench, "transpose33", tiles, 2, true, SIDE);
    run(&bench, "matmul", small_tiles, 3, true, SIDE);
    must(lockstep_buffer_upload(bench.a, 0, host, bytes, &error), &error);
    run(&bench, "histogram", line, 2, false, 0);
    run(&bench, "serial", (lockstep_shape){.grid = {4, 1, 1}, .block = {128, 1, 1}}, 1, false, 0);
    run(&bench, "odd_even", (lockstep_shape){.grid = {2, 1, 1}, .block = {64, 1, 1}}, 1, false, 0);
    run(&bench, "count_shared", (lockstep_shape){.grid = {2, 1, 1}, .block = {64, 1, 1}}, 1, false, 0);
    run(&bench, "constant_by_lane", line, 2, false, 0);
    run(&bench, "constant_by_pointer", line, 2, true, COUNT);
    run(&bench, "local_array", line, 2, false, 0);
    run(&bench, "read_by_atomics", line, 2, false, 0);
    run(&bench, "bulk_copy", line, 2, false, 0);
    run(&bench, "matrices", (lockstep_shape){.grid = {2, 1, 1}, .block = {64, 1, 1}}, 1, false, 0);
    run(&bench, "idle_work", (lockstep_shape){.grid = {4, 1, 1}, .block = {128, 1, 1}}, 1, false, 0);
    lockstep_shape pair = {.grid = {2, 1, 1}, .block = {64, 1, 1}};
    run(&bench, "copies_awaited_at_once", pair, 2, false, 0);
    run(&bench, "copies_ahead", pair, 2, false, 0);
    run(&bench, "barrier_at_once", pair, 2, false, 0);
    run(&bench, "barrier_ahead", pair, 2, false, 0);
    _exit(0);
}

/* Returns how many lines of the file were read. */
static size_t read_lines(const char *path, json_t **lines)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0, count = 0;
    while (file && count < MAX_LAUNCHES && getline(&line, &room, file) > 0)
        lines[count++] = json_loads(line, 0, NULL);
    free(line);
    if (file)
        fclose(file);
    return count;
}

static bool measure(size_t level, const char *directory)
{
    char path[SUPPORT_PATH_BYTES];
    support_join(path, directory, levels[level]);
    pid_t child = fork();
    if (child == 0) {
        setenv("LOCKSTEP_ISA", levels[level], 1);
        setenv("LOCKSTEP_GPU", "9.0", 1); /* which has bulk copies */
        setenv("LOCKSTEP_COUNTERS", path, 1);
        run_all();
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 && read_lines(path, launches[level]) == 23;
}

static bool processor_has(size_t level)
{
    if (level == 1)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    return level == 0
           || (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")
               && __builtin_cpu_supports("avx512dq"));
}

static int set_up(void)
{
    char directory[SUPPORT_PATH_BYTES];
    bool well = support_temporary_directory(directory);
    for (size_t level = 0; well && level < SUPPORT_COUNT(levels); level++) {
        measured[level] = processor_has(level);
        well = !measured[level] || measure(level, directory);
    }
    support_remove_tree(directory);
    return well ? 0 : -1;
}

static int clean_up(void)
{
    for (size_t level = 0; level < SUPPORT_COUNT(levels); level++)
        for (size_t i = 0; i < MAX_LAUNCHES; i++)
            json_decref(launches[level][i]);
    return 0;
}

/* ---- looking at them ---------------------------------------------------------------------------------------------- */

static const json_t *launch_of(size_t level, const char *kernel)
{
    for (size_t i = 0; i < MAX_LAUNCHES; i++) {
        const char *name = json_string_value(json_object_get(launches[level][i], "kernel"));
        if (name && strcmp(name, kernel) == 0)
            return launches[level][i];
    }
    return NULL;
}

static long long counter_of(const char *kernel, const char *name)
{
    const json_t *value = json_object_get(json_object_get(launch_of(0, kernel), "counters"), name);
    CU_ASSERT_TRUE(json_is_integer(value));
    return json_integer_value(value);
}

static void expect(const char *kernel, const char *name, long long want)
{
    long long got = counter_of(kernel, name);
    if (got != want)
        fprintf(stderr, "%s: %s is %lld, not %lld\n", kernel, name, got, want);
    CU_ASSERT_EQUAL(got, want);
}

/* What the profiler read. */
struct row {
    const char *kernel;
    long long load_requests, load_sectors, store_requests, store_sectors;
    long long shared_loads, shared_stores, shared_conflicts; /* wavefronts */
};

static const struct row rows[] = {
    {"vector_add", 4096, 16384, 2048, 8192, 0, 0, 0},
    {"every_second", 1024, 8192, 1024, 4096, 0, 0, 0},
    {"shifted", 2048, 10239, 2048, 8192, 0, 0, 0},
    {"tree", 2048, 8192, 256, 256, 6400, 5120, 0},
    /* The profiler read 22272 wavefronts and 15872 conflicts of loads: for k = 1 ptxas reads s[2t] and s[2t+1] at once. That
     * takes 2 wavefronts a warp without a conflict, where two loads take 4 with 2 conflicts; 4 warps of 256 blocks do so. */
    {"interleaved", 2048, 8192, 256, 256, 22272 + 256 * 4 * 2, 14080, 15872 + 256 * 4 * 2 + 8960},
    {"transpose32", 2048, 8192, 2048, 8192, 65536, 2048, 63488},
    {"transpose33", 2048, 8192, 2048, 8192, 2048, 2048, 0},
    /* The profiler read 786432 shared wavefronts in 655360 requests: ptxas reads four elements of a row of `as` at once. PTX
     * has one load an element: 2 * 16 for each warp and tile. */
    {"matmul", 65536, 262144, 2048, 8192, 1048576, 65536, 0},
    {"constant_by_lane", 0, 0, 2048, 8192, 0, 0, 0},
    {"constant_by_pointer", 2048, 8192, 2048, 8192, 0, 0, 0},
    {"local_array", 2048, 8192, 2048, 8192, 0, 0, 0},
};

static void counts_what_a_profiler_reads(void)
{
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        const struct row *row = &rows[i];
        expect(row->kernel, "global_load_requests", row->load_requests);
        expect(row->kernel, "global_load_sectors", row->load_sectors);
        expect(row->kernel, "global_store_requests", row->store_requests);
        expect(row->kernel, "global_store_sectors", row->store_sectors);
        expect(row->kernel, "shared_load_wavefronts", row->shared_loads);
        expect(row->kernel, "shared_store_wavefronts", row->shared_stores);
        expect(row->kernel, "shared_bank_conflicts", row->shared_conflicts);
        expect(row->kernel, "global_atomic_requests", 0);
        expect(row->kernel, "launches", 1);
    }
}

static void counts_atomics_apart(void)
{
    expect("histogram", "global_load_requests", 2048);
    expect("histogram", "global_load_sectors", 8192);
    expect("histogram", "global_store_requests", 0);
    expect("histogram", "global_atomic_requests", 2048);
    expect("histogram", "global_atomic_sectors", 34816);
    expect("histogram", "global_atomic_serialised", 2048); /* 32 different bins in a warp */
    expect("histogram", "dram_bytes_ideal", COUNT * 4 + 256 * 4);
}

static void counts_loads_by_atomics_as_atomics(void)
{
    expect("read_by_atomics", "global_load_requests", 0);
    expect("read_by_atomics", "global_store_requests", 2048);
    expect("read_by_atomics", "global_atomic_requests", 2048);
    expect("read_by_atomics", "global_atomic_sectors", 8192);
}

static void counts_bulk_copies_like_the_loads_that_they_replace(void)
{
    expect("bulk_copy", "global_load_requests", 2048);
    expect("bulk_copy", "global_load_sectors", 8192);
    expect("bulk_copy", "dram_bytes_ideal", 2 * COUNT * 4);
    expect("bulk_copy", "busiest_block_loads", 256);
}

/* Two blocks of 64 threads copy four tiles, or one, of 256 bytes. The first warp reads 128 bytes of each tile, but 16 of the
 * second, during the copies of the third: less than a quarter of (3 * 128 + 16) / 4, so these 128 bytes are exposed. */
static void tells_copies_that_hide_behind_work_from_others(void)
{
    expect("copies_awaited_at_once", "async_copy_bytes", 2 * 4 * 256);
    expect("copies_awaited_at_once", "async_exposed_bytes", 2 * 4 * 256);
    expect("copies_ahead", "async_copy_bytes", 2 * 4 * 256);
    expect("copies_ahead", "async_exposed_bytes", 2 * (256 + 128));
    expect("barrier_at_once", "async_copy_bytes", 2 * 256);
    expect("barrier_at_once", "async_exposed_bytes", 2 * 256);
    expect("barrier_ahead", "async_copy_bytes", 2 * 256);
    expect("barrier_ahead", "async_exposed_bytes", 0);
    expect("bulk_copy", "async_copy_bytes", 65536 * 4);
    expect("bulk_copy", "async_exposed_bytes", 65536 * 4);
    expect("matmul", "async_copy_bytes", 0);
}

static void finds_the_busiest_block(void)
{
    expect("vector_add", "busiest_block_loads", 2 * BLOCK);
    expect("vector_add", "busiest_block_stores", BLOCK);
    expect("every_second", "busiest_block_loads", BLOCK);
    expect("matmul", "busiest_block_loads", 2 * 256 * 16);
    expect("serial", "busiest_block_stores", 1024);
    expect("read_by_atomics", "busiest_block_loads", BLOCK);
    expect("read_by_atomics", "busiest_block_stores", 2 * BLOCK);
    expect("constant_by_lane", "busiest_block_loads", 0);
    CU_ASSERT_EQUAL(counter_of("vector_add", "useful_instructions"),
                    COUNT / BLOCK * counter_of("vector_add", "busiest_block_instructions"));
    CU_ASSERT_TRUE(counter_of("vector_add", "useful_instructions") < counter_of("vector_add", "thread_instructions"));
}

/* What leads to no result is not work: the one that works has done nearly all. */
static void idle_work_buys_no_share(void)
{
    double share =
        json_real_value(json_object_get(json_object_get(launch_of(0, "idle_work"), "counters"), "max_thread_share"));
    CU_ASSERT_TRUE(share > 0.3);
    CU_ASSERT_TRUE(counter_of("idle_work", "useful_instructions") < counter_of("idle_work", "thread_instructions") / 10);
}

/* ---- work without an effect ----------------------------------------------------------------------------------------- */

enum { EFFECT_BLOCKS = 6, EFFECT_BLOCK = 128, EFFECT_COUNT = EFFECT_BLOCKS * EFFECT_BLOCK, EFFECT_LAUNCHES = 3 };

/* Two launches on zeros, and one on numbers of which each block has one that is not 0. */
static void run_effects(const char *kernel)
{
    lockstep_error error = {0};
    struct bench bench = {0};
    int a[EFFECT_COUNT], b[EFFECT_COUNT] = {0};
    char *source = support_read_file("tests/fixtures/effects.cu", NULL);
    for (int i = 0; i < EFFECT_COUNT; i++)
        a[i] = i * 7919 % 251 + 1;
    must(lockstep_device_open(LOCKSTEP_EMULATED, &bench.device, &error), &error);
    must(lockstep_module_compile(bench.device, source, "effects.cu", NULL, &bench.module, &error), &error);
    must(lockstep_buffer_create(bench.device, sizeof a, "a", &bench.a, &error), &error);
    must(lockstep_buffer_create(bench.device, sizeof a, "b", &bench.b, &error), &error);
    must(lockstep_buffer_create(bench.device, sizeof a, "c", &bench.c, &error), &error);
    must(lockstep_buffer_upload(bench.a, 0, a, sizeof a, &error), &error);
    for (int launch = 0; launch < EFFECT_LAUNCHES; launch++) {
        for (int i = 0; launch == EFFECT_LAUNCHES - 1 && i < EFFECT_BLOCKS; i++)
            b[i * EFFECT_BLOCK + 11 * i + 3] = 1000003 * (i + 1);
        must(lockstep_buffer_upload(bench.b, 0, b, sizeof b, &error), &error);
        must(lockstep_buffer_fill(bench.c, 0, &error), &error);
        run(&bench, kernel, (lockstep_shape){.grid = {EFFECT_BLOCKS, 1, 1}, .block = {EFFECT_BLOCK, 1, 1}}, 3, false, 0);
    }
    _exit(0);
}

/* The largest share of a thread, launch by launch. */
static void measure_effects(const char *kernel, double share[EFFECT_LAUNCHES])
{
    char directory[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES];
    json_t *lines[MAX_LAUNCHES] = {NULL};
    CU_ASSERT_FATAL(support_temporary_directory(directory));
    support_join(path, directory, "counters");
    pid_t child = fork();
    if (child == 0) {
        setenv("LOCKSTEP_COUNTERS", path, 1);
        setenv("LOCKSTEP_CHECKS", "all", 1); /* which looks at what instructions give */
        run_effects(kernel);
    }
    int status = 0;
    CU_ASSERT_TRUE(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    CU_ASSERT_EQUAL(read_lines(path, lines), EFFECT_LAUNCHES);
    for (int i = 0; i < EFFECT_LAUNCHES; i++) {
        share[i] = json_real_value(json_object_get(json_object_get(lines[i], "counters"), "max_thread_share"));
        json_decref(lines[i]);
    }
    support_remove_tree(directory);
}

/* Where it has had no effect in one launch, it does not count in the next, but for the share of the launch in which it has
 * one after all. */
static void counts_work_only_where_it_has_an_effect(void)
{
    static const char *const kernels[] = {"added", "added_atomically", "stored_again"};
    for (size_t i = 0; i < SUPPORT_COUNT(kernels); i++) {
        double share[EFFECT_LAUNCHES] = {0};
        measure_effects(kernels[i], share);
        if (!(share[0] < 0.2 && share[1] > 0.3 && share[2] < 0.2))
            fprintf(stderr, "%s: %f %f %f\n", kernels[i], share[0], share[1], share[2]);
        CU_ASSERT_TRUE(share[0] < 0.2);
        CU_ASSERT_TRUE(share[1] > 0.3);
        CU_ASSERT_TRUE(share[2] < 0.2);
    }
}

/* Whether a variable of the module is read is known before any launch. */
static void counts_stores_into_variables_that_a_kernel_reads(void)
{
    double aside[EFFECT_LAUNCHES] = {0}, later[EFFECT_LAUNCHES] = {0};
    measure_effects("stored_aside", aside);
    measure_effects("stored_for_later", later);
    for (int i = 0; i < EFFECT_LAUNCHES; i++) {
        CU_ASSERT_TRUE(aside[i] > 0.3);
        CU_ASSERT_TRUE(later[i] < 0.2);
    }
}

static void counts_shared_requests(void)
{
    expect("tree", "shared_load_requests", 6400);
    expect("tree", "shared_store_requests", 5120);
    expect("transpose32", "shared_load_requests", 2048);
    expect("matmul", "shared_load_requests", 1048576);
    expect("count_shared", "shared_atomic_requests", 2 * 2 * 2);
    expect("count_shared", "shared_atomic_wavefronts", 2 * 2 * (1 + 32));
    expect("count_shared", "shared_bank_conflicts", 2 * 2 * 31);
    expect("tree", "shared_atomic_requests", 0);
}

/* Since the launch before: two arrays, then one, then none. */
static void counts_copies_of_the_host(void)
{
    long long bytes = (COUNT + 64) * sizeof(float);
    expect("vector_add", "host_copies", 2);
    expect("vector_add", "host_copy_bytes", 2 * bytes);
    expect("histogram", "host_copies", 1);
    expect("histogram", "host_copy_bytes", bytes);
    expect("serial", "host_copies", 0);
    expect("serial", "host_copy_bytes", 0);
    expect("serial", "launches", 1);
}

static void counts_bytes_that_must_move(void)
{
    expect("vector_add", "dram_bytes_ideal", 3 * COUNT * 4);
    expect("every_second", "dram_bytes_ideal", COUNT * 4 + COUNT / 2 * 4);
    expect("matmul", "dram_bytes_ideal", 3 * SIDE * SIDE * 4);
}

static void counts_barriers_by_warp(void)
{
    expect("vector_add", "barriers", 0);
    expect("tree", "barriers", 256 * 8 * 9);
    expect("matmul", "barriers", 256 * 8 * 16 * 2);
}

static void counts_divergent_branches(void)
{
    expect("vector_add", "divergent_branches", 0);
    expect("odd_even", "divergent_branches", 2 * 2);
    /* k = 16 to 1 split the first warp, and so does the last `if`; predicated code would have no branch. */
    CU_ASSERT_TRUE(counter_of("tree", "divergent_branches") <= 256 * 6);
}

static void counts_products_of_matrices(void)
{
    expect("vector_add", "matrix_products", 0);
    expect("matrices", "matrix_products", 2 * 2 * (16 * 8 * 16 + 16 * 16 * 16 + 4 * 8 * 8 * 4));
}

/* Instructions are those of the PTX; ptxas makes others, so a profiler's number is only near. */
static void counts_instructions_near_a_profiler(void)
{
    static const struct {
        const char *kernel;
        double profiler;
    } near[] = {
        {"vector_add", 40960}, {"every_second", 29696}, {"shifted", 34816}, {"tree", 138496}, {"interleaved", 152832}};
    for (size_t i = 0; i < SUPPORT_COUNT(near); i++) {
        double ratio = (double)counter_of(near[i].kernel, "warp_instructions") / near[i].profiler;
        if (ratio < 0.5 || ratio > 2)
            fprintf(stderr, "%s: %.2f times the profiler's instructions\n", near[i].kernel, ratio);
        CU_ASSERT_TRUE(ratio >= 0.5 && ratio <= 2);
    }
    /* Every thread of vector_add executes every instruction: 32 lanes an instruction. */
    CU_ASSERT_EQUAL(counter_of("vector_add", "thread_instructions"), 32 * counter_of("vector_add", "warp_instructions"));
    CU_ASSERT_TRUE(counter_of("serial", "thread_instructions") < 32 * counter_of("serial", "warp_instructions"));
}

static void finds_the_thread_that_does_all_the_work(void)
{
    double serial =
        json_real_value(json_object_get(json_object_get(launch_of(0, "serial"), "counters"), "max_thread_share"));
    double shared =
        json_real_value(json_object_get(json_object_get(launch_of(0, "vector_add"), "counters"), "max_thread_share"));
    CU_ASSERT_TRUE(serial > 0.5 && serial < 1);
    CU_ASSERT_TRUE(shared > 0.9 / BLOCK && shared < 1.1 / BLOCK);
}

/* Every counter that belongs to lines. */
static void adds_lines_up_to_the_total(void)
{
    static const char *const names[] = {
        "warp_instructions",        "thread_instructions",   "global_load_requests",   "global_load_sectors",
        "global_store_requests",    "global_store_sectors",  "global_atomic_requests", "global_atomic_sectors",
        "global_atomic_serialised", "shared_load_requests",  "shared_load_wavefronts", "shared_store_requests",
        "shared_store_wavefronts",  "shared_bank_conflicts", "shared_atomic_requests", "shared_atomic_wavefronts"};
    for (size_t i = 0; i < MAX_LAUNCHES && launches[0][i]; i++) {
        const char *kernel = json_string_value(json_object_get(launches[0][i], "kernel"));
        for (size_t n = 0; n < SUPPORT_COUNT(names); n++) {
            long long sum = 0;
            size_t index;
            json_t *line;
            json_array_foreach(json_object_get(launches[0][i], "lines"), index, line)
                sum += json_integer_value(json_object_get(line, names[n]));
            if (sum != counter_of(kernel, names[n]))
                fprintf(stderr, "%s: the lines have %lld %s, the launch %lld\n", kernel, sum, names[n],
                        counter_of(kernel, names[n]));
            CU_ASSERT_EQUAL(sum, counter_of(kernel, names[n]));
        }
    }
}

static void puts_requests_on_their_lines(void)
{
    const json_t *lines = json_object_get(launch_of(0, "vector_add"), "lines");
    size_t index;
    json_t *line;
    json_array_foreach(lines, index, line)
    {
        long long number = json_integer_value(json_object_get(line, "line"));
        long long requests = json_integer_value(json_object_get(line, "global_load_requests"));
        CU_ASSERT_EQUAL(requests, number == 8 ? 4096 : 0);
    }
    CU_ASSERT_TRUE(json_array_size(lines) >= 3);
}

/* ---- what the estimate of time goes by ------------------------------------------------------------------------------ */

static void expect_cost(const char *kernel, const char *name, long long want)
{
    const json_t *cost = json_object_get(launch_of(0, kernel), "cost"), *value = json_object_get(cost, name);
    if (!value)
        value = json_object_get(json_object_get(cost, "sample"), name);
    if (json_integer_value(value) != want)
        fprintf(stderr, "%s: %s is %lld, not %lld\n", kernel, name, json_integer_value(value), want);
    CU_ASSERT_EQUAL(json_integer_value(value), want);
}

/* Two reads that need nothing of each other are one step of a chain; reads behind a barrier or a store are further ones. */
static void follows_the_chain_of_a_warp(void)
{
    expect_cost("vector_add", "chain_global_reads", 2048);
    expect_cost("vector_add", "chain_shared_reads", 0);
    expect_cost("histogram", "chain_global_reads", 2048); /* the result of atomicAdd is not used */
    expect_cost("transpose33", "chain_global_reads", 64 * 32);
    expect_cost("transpose33", "chain_shared_reads", 64 * 32);
    expect_cost("vector_add", "busiest_instructions", counter_of("vector_add", "warp_instructions") / 8);
    expect_cost("vector_add", "issue_slots", counter_of("vector_add", "warp_instructions"));
}

/* All warps have as much to do, none waits for another, and no thread does more than the others of its warp. */
static void sees_that_even_work_is_even(void)
{
    long long each = counter_of("vector_add", "warp_instructions") / (256 * 8);
    expect_cost("vector_add", "busiest_thread", each);
    expect_cost("vector_add", "busy_warps", each * 256 * 8);
    expect_cost("vector_add", "busiest_block", each * 256);
    expect_cost("vector_add", "busy_blocks", each * 256 * 256);
    expect_cost("vector_add", "handoffs", 0);
    expect_cost("histogram", "handoffs", 0); /* counting hands over nothing */
    expect_cost("histogram", "waiting_lanes", 0);
    expect_cost("tree", "shared_handoffs", 0);
    expect_cost("vector_add", "local_passes", 0);
}

/* Of 256 blocks the first 32 and as many in the middle are looked at, 8 warps each. */
static void sees_what_blocks_touch_again(void)
{
    expect_cost("vector_add", "requests", 64 * 8 * 3);
    expect_cost("vector_add", "lines", 64 * 8 * 3);
    expect_cost("vector_add", "load_sectors", 64 * 8 * 8);
    expect_cost("vector_add", "block_load_sectors", 64 * 8 * 8);
    expect_cost("vector_add", "group_load_pairs", 64 * 8 * 4);
    expect_cost("vector_add", "group_store_sectors", 64 * 8 * 4);
    expect_cost("vector_add", "group_partial_sectors", 0);
    expect_cost("shifted", "load_sectors", 64 * 8 * 5);
    expect_cost("shifted", "block_load_sectors", 64 * (8 * 4 + 1));
    expect_cost("shifted", "group_load_sectors", 2 * (32 * 8 * 4 + 1));
    expect_cost("tree", "group_partial_sectors", 0); /* 32 blocks write four sectors together */
    expect_cost("histogram", "atomic_sectors", 64 * 8 * 17);
    expect_cost("histogram", "atomic_passes", 64 * 8 * 17);
}

static void counts_the_same_at_every_level(void)
{
    for (size_t level = 1; level < SUPPORT_COUNT(levels); level++)
        for (size_t i = 0; measured[level] && i < MAX_LAUNCHES; i++)
            CU_ASSERT_TRUE(!launches[0][i] ? !launches[level][i] : json_equal(launches[0][i], launches[level][i]));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(counts_what_a_profiler_reads),
    SUPPORT_TEST(counts_atomics_apart),
    SUPPORT_TEST(counts_loads_by_atomics_as_atomics),
    SUPPORT_TEST(counts_bulk_copies_like_the_loads_that_they_replace),
    SUPPORT_TEST(tells_copies_that_hide_behind_work_from_others),
    SUPPORT_TEST(finds_the_busiest_block),
    SUPPORT_TEST(idle_work_buys_no_share),
    SUPPORT_TEST(counts_work_only_where_it_has_an_effect),
    SUPPORT_TEST(counts_stores_into_variables_that_a_kernel_reads),
    SUPPORT_TEST(counts_shared_requests),
    SUPPORT_TEST(counts_copies_of_the_host),
    SUPPORT_TEST(counts_bytes_that_must_move),
    SUPPORT_TEST(counts_barriers_by_warp),
    SUPPORT_TEST(counts_divergent_branches),
    SUPPORT_TEST(counts_products_of_matrices),
    SUPPORT_TEST(counts_instructions_near_a_profiler),
    SUPPORT_TEST(finds_the_thread_that_does_all_the_work),
    SUPPORT_TEST(follows_the_chain_of_a_warp),
    SUPPORT_TEST(sees_that_even_work_is_even),
    SUPPORT_TEST(sees_what_blocks_touch_again),
    SUPPORT_TEST(adds_lines_up_to_the_total),
    SUPPORT_TEST(puts_requests_on_their_lines),
    SUPPORT_TEST(counts_the_same_at_every_level),
};

int counters_suite_register(void)
{
    return support_register_with("counters", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
