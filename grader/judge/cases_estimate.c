#include "grader/judge/cases_estimate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/judge/cases_work.h"
#include "grader/judge/tally.h"
#include "grader/lab/arrays.h"
#include "grader/lab/random.h"

enum {
    FIRST_ELEMENTS = 1024,
    LAST_ELEMENTS = 1 << 18,
    LARGE_BLOCK = 1 << 16, /* elements of a block that is not filled: it costs too much */
    GROWTH = 4,
    FIRST_SIDE = 64, /* of a matrix */
    LARGE_SIDE = 1024,
    FIRST_DEPTH = 32,
    LAST_DEPTH = 128,
    MOST_INSTRUCTIONS = 60000000, /* of warps, that a run may be expected to take */
    MOST_WORK = 500000000,        /* of a run (lockstep_device_set_work): the same number ends it on every machine */
    WALL_MS = 120000,             /* for what nothing else ends */
    COUNTERS_BYTES = 64 << 20,
};

/* A size at which the launches were counted. */
struct counted_case {
    struct estimate_launch launches[PLAN_MAX_LAUNCHES];
    struct estimate_run run;
    char *text;
};

static double product(const uint32_t of[3])
{
    return (double)of[0] * of[1] * of[2];
}

/* Is it a product of matrices, whose third size is what is added over? */
static bool are_matrices(const struct plan_setup *setup)
{
    return setup->lab->weighing.other != 0 && setup->timing_case.size[2] > 0;
}

/* The launches of a case. Returns false when the plan refuses, or starts too many to be looked at. */
static bool rehearse(const struct plan_setup *setup, const struct lab_case *the_case, struct counted_case *into)
{
    struct lab_run *rehearsal = calloc(1, sizeof *rehearsal);
    bool good = rehearsal && plan_rehearse(rehearsal, setup, the_case) && rehearsal->launch_count <= PLAN_MAX_LAUNCHES;
    for (int i = 0; good && i < rehearsal->launch_count; i++) {
        const struct plan_launch *launch = &rehearsal->launches[i];
        into->launches[i] = (struct estimate_launch){
            .kernel = setup->lab->kernels[launch->kernel].name,
            .blocks = product(launch->grid),
            .threads = product(launch->block),
            .cover = (double)launch->cover[0] * (double)launch->cover[1] * (double)launch->cover[2],
            .items = (double)launch->items[0] * (double)launch->items[1] * (double)launch->items[2]};
    }
    into->run.launches = into->launches;
    into->run.count = good ? (size_t)rehearsal->launch_count : 0;
    into->run.depth = are_matrices(setup) ? (double)the_case->size[2] : 0;
    free(rehearsal);
    return good;
}

/* The most elements that a block covers, in one dimension. */
static int64_t largest_block(const struct plan_setup *setup, int dimension)
{
    const struct lab_plan *plan = &setup->lab->plans[setup->plan];
    int64_t most = 1;
    for (int i = 0; i < plan->kernel_count; i++) {
        const struct lab_kernel *kernel = &setup->lab->kernels[plan->kernels[i]];
        int64_t items = setup->geometry[plan->kernels[i]].items[dimension];
        if (dimension < kernel->dimensions && !kernel->fixed_block && items > most)
            most = items;
    }
    return most;
}

/* Runs the case and keeps what was counted. Returns how many instructions its warps took; 0 when it did not run. */
static double count(struct cases_work *work, const struct lab_case *the_case, struct counted_case *into)
{
    struct lab_data data;
    struct lab_random random;
    struct run_reply reply;
    struct tally tally = {0};
    const struct lab *lab = work->input->setup.lab;
    uint64_t bytes;
    free(into->text);
    memset(into, 0, sizeof *into);
    if (!rehearse(&work->settings.plan, the_case, into))
        return 0;
    run_memory_data(&work->memory, lab, the_case, &data);
    random_init(&random, RANDOM_ESTIMATE_SEED, lab->name, the_case->name, 0);
    arrays_fill(lab, the_case, &random, &data);
    run_step_start(&work->session, lab->case_count, the_case->size, data.scalar, 0, RANDOM_ESTIMATE_SEED, true);
    run_step_finish(&work->session, &reply);
    if (reply.outcome != RUN_RAN)
        return 0;
    into->text = child_file_read(work->session.child.counters, COUNTERS_BYTES, &bytes);
    child_file_clear(work->session.child.counters);
    child_file_clear(work->session.child.findings);
    child_file_clear(work->session.child.output);
    into->run.text = into->text;
    into->run.bytes = bytes;
    tally_read(into->text, bytes, &tally);
    return tally_get(&tally, "warp_instructions");
}

/* A vector's sizes grow as long as that is cheap; the last three are kept. Returns how many there are. */
static size_t count_vectors(struct cases_work *work, struct counted_case cases[ESTIMATE_RUNS])
{
    struct lab_case the_case = work->input->setup.timing_case;
    int64_t block = largest_block(&work->input->setup, 0), whole = the_case.size[0];
    int64_t first = block > LARGE_BLOCK ? FIRST_ELEMENTS : (FIRST_ELEMENTS + block - 1) / block * block;
    double before = 0, expected = 0;
    size_t done = 0;
    for (int64_t size = first; size < GROWTH * LAST_ELEMENTS && size <= whole && expected <= MOST_INSTRUCTIONS;
         size *= GROWTH) {
        if (size > LAST_ELEMENTS && done >= 3)
            break;
        if (done == 3) {
            free(cases[0].text);
            memmove(&cases[0], &cases[1], 2 * sizeof *cases);
            memset(&cases[2], 0, sizeof *cases);
            for (int i = 0; i < 2; i++)
                cases[i].run.launches = cases[i].launches;
            done = 2;
        }
        the_case.size[0] = size;
        double now = count(work, &the_case, &cases[done]);
        if (now <= 0)
            return 0;
        done++;
        expected = now * (before > 0 ? now / before : GROWTH);
        before = now;
    }
    return done;
}

/* As many columns, or rows, as a block covers, where that is not too much. */
static int64_t side_for(const struct plan_setup *setup, int dimension)
{
    int64_t block = largest_block(setup, dimension);
    return block > LARGE_SIDE || block < FIRST_SIDE ? FIRST_SIDE : block;
}

/* Of matrices, the depth grows, and then the sides. */
static size_t count_matrices(struct cases_work *work, struct counted_case cases[ESTIMATE_RUNS])
{
    struct lab_case the_case = work->input->setup.timing_case;
    size_t done = 0;
    double now = 0;
    the_case.size[0] = side_for(&work->input->setup, 1);
    the_case.size[1] = side_for(&work->input->setup, 0);
    for (int64_t depth = FIRST_DEPTH; depth <= LAST_DEPTH && 2 * now <= MOST_INSTRUCTIONS; depth *= 2) {
        the_case.size[2] = depth;
        now = count(work, &the_case, &cases[done]);
        if (now <= 0)
            return 0;
        done++;
    }
    if (4 * now > MOST_INSTRUCTIONS)
        return done;
    the_case.size[0] *= 2;
    the_case.size[1] *= 2;
    the_case.size[2] = FIRST_DEPTH;
    return count(work, &the_case, &cases[done]) > 0 ? done + 1 : 0;
}

void cases_estimate(const struct cases_input *input, struct estimate *estimate)
{
    struct cases_work work;
    struct result_lab unused = {0};
    struct run_reply reply;
    struct estimate_run runs[ESTIMATE_RUNS];
    struct counted_case *cases = calloc(ESTIMATE_RUNS + 1, sizeof *cases), *target;
    memset(estimate, 0, sizeof *estimate);
    if (!cases || !input->estimate_gpu || !cases_work_begin(&work, input, &unused)) {
        free(cases);
        return;
    }
    target = &cases[ESTIMATE_RUNS];
    work.settings.checks = "memory";
    work.settings.work = MOST_WORK;
    work.settings.wall_ms = WALL_MS;
    work.open = run_session_open(&work.session, &work.settings, &work.memory, &reply);
    if (!work.open)
        run_session_close(&work.session);
    size_t counted = !work.open                    ? 0
                     : are_matrices(&input->setup) ? count_matrices(&work, cases)
                                                   : count_vectors(&work, cases);
    for (size_t i = 0; i < counted; i++)
        runs[i] = cases[i].run;
    if (counted > 0 && rehearse(&input->setup, &input->setup.timing_case, target))
        estimate_make(runs, counted, &target->run, input->estimate_gpu, estimate);
    for (size_t i = 0; i < ESTIMATE_RUNS; i++)
        free(cases[i].text);
    free(cases);
    cases_work_end(&work);
}
