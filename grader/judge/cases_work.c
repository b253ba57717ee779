#include "grader/judge/cases_work.h"

#include <stdio.h>
#include <string.h>

#include "grader/lab/arrays.h"
#include "grader/lab/fit.h"
#include "grader/lab/random.h"

/* Expected values of both runs are kept for the comparison between them up to this many elements. */
#define KEEP_ELEMENTS (1u << 20)

/* Poison must not repeat the inputs' numbers: another stream of the same seed. */
#define POISON_STREAM UINT64_C(0x9e3779b97f4a7c15)

/* Warp instructions without a finished block (LOCKSTEP_FUEL). The driver's default, 0 here, lets one thread do the work of
 * the largest case; a small case needs far less, and an endless loop in it is found sooner. A kernel that ran out once gets
 * only what one thread needs for all of this case. */
#define SMALL_FUEL           10000000
#define REDUCED_FUEL         1000000
#define FUEL_OF_AN_ELEMENT   64
#define REDUCED_FUEL_AT_MOST 4000000

static uint64_t choose_fuel(const struct cases_work *work, size_t elements)
{
    if (work->fuel_limit > 0)
        return work->fuel_limit;
    if (!work->effort.ran_out)
        return elements <= CASES_SMALL ? SMALL_FUEL : 0;
    uint64_t reduced = REDUCED_FUEL + (uint64_t)elements * FUEL_OF_AN_ELEMENT;
    return reduced < REDUCED_FUEL_AT_MOST ? reduced : REDUCED_FUEL_AT_MOST;
}

/* Units of work, of which a core does about 100 million a second. What a submission may cost in all; what it may cost after
 * a test has failed, when the verdict is known and only points are left to find; and after one that did not end,
 * when not even those are likely. */
#define ALL_WORK     UINT64_C(1000000000)
#define FAILED_WORK  UINT64_C(300000000)
#define RAN_OUT_WORK UINT64_C(60000000)
/* One run: enough for one thread to do the work of the largest case; no small case needs a hundredth of its own. */
#define LARGE_WORK UINT64_C(500000000)
#define SMALL_WORK UINT64_C(50000000)
/* Once a test has failed, no other may take more than this part of what is left, so that those behind it get their turn. */
#define SHARE_OF_LEFT 4
#define LEAST_SHARE   UINT64_C(4000000)
/* To load a module: each byte of PTX. */
#define WORK_PER_BYTE 4

static bool has_failed(const struct cases_work *work)
{
    for (int i = 0; i < work->result->test_count; i++)
        if (work->result->tests[i].state == RESULT_FAIL)
            return true;
    return false;
}

static uint64_t rest_of(uint64_t all, uint64_t done)
{
    return done < all ? all - done : 0;
}

uint64_t cases_work_left(const struct cases_work *work)
{
    const struct cases_effort *effort = &work->effort;
    uint64_t left = rest_of(ALL_WORK, effort->work);
    uint64_t failed = effort->ran_out                               ? rest_of(RAN_OUT_WORK, effort->failed_work)
                      : has_failed(work) || effort->failed_work > 0 ? rest_of(FAILED_WORK, effort->failed_work)
                                                                    : left;
    return failed < left ? failed : left;
}

static void spend(struct cases_work *work, uint64_t units, bool failed)
{
    work->effort.work += units;
    if (failed)
        work->effort.failed_work += units;
}

/* Races show on small cases; the largest are for indices and sums that overflow. */
#define RACE_ELEMENTS (1u << 20)

static const char *choose_checks(const struct cases_work *work, size_t elements)
{
    return strcmp(work->checks, "all") == 0 && elements > RACE_ELEMENTS ? "poison" : work->checks;
}

const char *cases_work_checks(const struct cases_work *work, int case_index)
{
    return choose_checks(work, cases_work_elements(work, case_index));
}

bool cases_work_checks_less(const struct cases_work *work, int case_index, size_t elements)
{
    return strcmp(cases_work_checks(work, case_index), choose_checks(work, elements)) != 0;
}

/* On the emulated driver the clock only ends what nothing else does: what takes the processor and costs no work. A GPU knows no
 * work: there it is the clock that ends an endless loop, and what is wrong already gets less of it. */
static int choose_wall_ms(const struct cases_work *work, size_t elements)
{
    enum { EMULATED_MS = 120000, EMULATED_AGAIN_MS = 20000, SMALL_MS = 10000, LARGE_MS = 30000, HURRIED_MS = 3000 };
    int wall_ms = work->settings.device == LOCKSTEP_EMULATED ? work->effort.ran_out ? EMULATED_AGAIN_MS : EMULATED_MS
                  : work->effort.ran_out || has_failed(work) ? HURRIED_MS
                  : elements <= CASES_SMALL                  ? SMALL_MS
                                                             : LARGE_MS;
    return CHILD_SANITIZED ? 4 * wall_ms : wall_ms;
}

/* Of a case that is a test. */
static int slow_halvings(const struct cases_work *work, int case_index)
{
    return case_index < work->result->test_count ? work->result->tests[case_index].slow_halvings : 0;
}

/* What is left for a run. */
static uint64_t share_of_left(const struct cases_work *work)
{
    uint64_t left = cases_work_left(work), share = left / SHARE_OF_LEFT;
    if (work->run_limit > 0 || (!has_failed(work) && !work->effort.ran_out))
        return left;
    return share > LEAST_SHARE ? share : left < LEAST_SHARE ? left : LEAST_SHARE;
}

static uint64_t choose_work(const struct cases_work *work, size_t elements)
{
    uint64_t left = share_of_left(work), most = work->run_limit > 0       ? work->run_limit
                                                : elements <= CASES_SMALL ? SMALL_WORK
                                                                          : LARGE_WORK;
    return left == 0 ? 1 : left < most ? left : most;
}

uint64_t cases_work_whole(const struct cases_work *work, int case_index)
{
    return cases_work_elements(work, case_index) <= CASES_SMALL ? SMALL_WORK : LARGE_WORK;
}

bool cases_work_was_short(const struct cases_work *work, int case_index)
{
    return work->settings.work < cases_work_whole(work, case_index);
}

uint64_t cases_work_of_run(const struct cases_work *work, int case_index)
{
    return choose_work(work, cases_work_elements(work, case_index));
}

size_t cases_work_elements(const struct cases_work *work, int case_index)
{
    const struct lab *lab = work->input->setup.lab;
    struct lab_case the_case = *plan_case(&work->input->setup, case_index);
    fit_halve(&the_case, slow_halvings(work, case_index));
    return arrays_elements(lab, &the_case);
}

bool cases_work_begin(struct cases_work *work, const struct cases_input *input, struct result_lab *result)
{
    memset(work, 0, sizeof *work);
    work->input = input;
    work->result = result;
    work->checks = "all";
    work->settings = (struct run_settings){
        .plan = input->setup,
        .ptx = input->ptx,
        .ptx_bytes = input->ptx_bytes,
        .device = LOCKSTEP_EMULATED,
        .checks = work->checks,
        .schedule = "ascending",
        .repair = "",
    };
    return run_memory_create(input->setup.lab, &work->memory);
}

void cases_work_end(struct cases_work *work)
{
    cases_work_close_session(work);
    expect_release(&work->expect[0]);
    expect_release(&work->expect[1]);
    run_memory_destroy(&work->memory);
}

void cases_work_close_session(struct cases_work *work)
{
    if (work->open)
        run_session_close(&work->session);
    work->open = false;
}

static uint64_t case_seed(const struct cases_work *work, const struct lab_case *the_case)
{
    return the_case->hidden ? *work->input->hidden_key : work->input->seed;
}

static uint64_t poison_key(const struct cases_work *work, const struct lab_case *the_case, int run)
{
    struct lab_random random;
    random_init(&random, work->input->seed ^ POISON_STREAM, work->input->setup.lab->name, the_case->name, (unsigned)run);
    uint64_t high = lab_random_bits(&random);
    return high << 32 | lab_random_bits(&random);
}

static size_t elements_of(const struct lab *lab, const struct lab_data *data)
{
    size_t elements = 0;
    for (int i = 0; i < lab->array_count; i++)
        elements += data->count[i];
    return elements;
}

/* The session that a run of the case needs: another one where fuel or checks differ. */
static bool open_for(struct cases_work *work, int case_index, int run_index, struct run_reply *reply)
{
    struct lab_data data;
    const struct lab *lab = work->input->setup.lab;
    run_memory_data(&work->memory, lab, plan_case(&work->settings.plan, case_index), &data);
    uint64_t fuel = choose_fuel(work, elements_of(lab, &data));
    const char *checks = choose_checks(work, elements_of(lab, &data));
    bool emulated = work->settings.device == LOCKSTEP_EMULATED; /* a GPU knows neither, and takes long to open */
    if (run_index == 0 && emulated && (work->settings.fuel != fuel || strcmp(work->settings.checks, checks) != 0))
        cases_work_close_session(work);
    if (work->open)
        return true;
    work->settings.fuel = fuel;
    work->settings.checks = checks;
    work->open = run_session_open(&work->session, &work->settings, &work->memory, reply);
    if (!work->open)
        run_session_close(&work->session);
    return work->open;
}

/* The case as the device has the memory for it. What is free was asked before any submission was loaded: a module that
 * takes much makes no case smaller. */
static const struct lab_case *fit(struct cases_work *work, int case_index)
{
    work->fitted = *plan_case(&work->settings.plan, case_index);
    int halvings = fit_case(work->input->setup.lab, &work->fitted, FIT_CASE, work->session.device.free_memory_bytes);
    if (case_index < work->result->test_count && work->result->tests[case_index].halvings < halvings)
        work->result->tests[case_index].halvings = halvings;
    fit_halve(&work->fitted, slow_halvings(work, case_index));
    return &work->fitted;
}

void cases_work_run(struct cases_work *work, int case_index, int run_index, bool last, struct lab_data *data,
                    struct verify_run *run, struct run_reply *reply)
{
    const struct plan_setup *setup = &work->settings.plan;
    struct lab_run rehearsal;
    struct lab_random random;
    memset(reply, 0, sizeof *reply);
    *run = (struct verify_run){
        .setup = setup,
        .the_case = plan_case(setup, case_index),
        .data = data,
        .memory = &work->memory,
        .run = run_index,
        .expect = &work->expect[0],
        .file = work->input->file,
        .hurried = has_failed(work),
    };
    if (!open_for(work, case_index, run_index, reply))
        return;
    const struct lab_case *the_case = run->the_case = fit(work, case_index);
    run_memory_data(&work->memory, setup->lab, the_case, data);
    bool keep = elements_of(setup->lab, data) <= KEEP_ELEMENTS || case_index == setup->lab->case_count;
    struct expect *expect = &work->expect[keep ? run_index : 0];
    run->expect = expect;
    run->first = run_index > 0 && keep ? &work->expect[0] : NULL;
    run->poison_key = poison_key(work, the_case, run_index);
    if (!plan_rehearse(&rehearsal, setup, the_case)) {
        reply->outcome = rehearsal.state == PLAN_REFUSED ? RUN_REFUSED : RUN_HARNESS;
        snprintf(reply->message, sizeof reply->message, "%s", rehearsal.message);
        return;
    }
    random_init(&random, case_seed(work, the_case), setup->lab->name, the_case->name, (unsigned)run_index);
    arrays_fill(setup->lab, the_case, &random, data);
    if (work->change)
        work->change(work->change_context, setup->lab, data);
    work->settings.wall_ms = choose_wall_ms(work, elements_of(setup->lab, data));
    work->settings.work = choose_work(work, elements_of(setup->lab, data));
    run_step_start(&work->session, case_index, the_case->size, data->scalar, run_index, run->poison_key, last);
    expect_compute(expect, setup, the_case, rehearsal.outputs, data);
    run_step_finish(&work->session, reply);
    spend(work, reply->work + (run_index == 0 ? WORK_PER_BYTE * work->settings.ptx_bytes : 0), run->hurried);
}

int cases_work_runs(const struct cases_work *work, int case_index)
{
    return cases_work_elements(work, case_index) > RACE_ELEMENTS && has_failed(work) ? 1 : 2;
}
