/* The time of a program on a GPU, beside that of the reference solution. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/budget.h"
#include "grader/judge/cases_input.h"
#include "grader/lab/kit.h"
#include "grader/program/program_gpu.h"

/* Each run is a process of its own, which opens the GPU anew. */
enum { RUNS = 5 };

/* A host that does this much else between the first piece of work and the last has its own time measured. */
static const double most_outside = 0.25;

/* What the meter says of one run. */
struct metered {
    double us, outside_us;
    long pieces;
};

/* A program that is measured, and what is known so far. */
struct side {
    struct program_job job;
    int64_t left_ms;     /* of the reference solution's runs */
    struct metered best; /* pieces 0: no run yet */
    char *output;        /* of the run that was compared; owned */
    uint64_t output_bytes;
};

struct measurement {
    const lockstep_device_info *device;
    const struct lab_case *the_case;
    struct exchange exchange;
    char *input;
    struct side own, reference;
    struct metered in_a_row; /* pieces 0: it could not be measured */
    bool is_judged;          /* the lab gives points for time; else the program is measured alone */
    bool has_reference;
    bool wrong;        /* why there is no time: a result is wrong … */
    char message[512]; /* … in these words; "" there is one */
};

/* Returns why there is no time; NULL: there is one. */
static const char *read_meter(const struct execution *execution, struct metered *metered)
{
    json_t *object = json_loads(execution->calls, JSON_DISABLE_EOF_CHECK, NULL);
    bool there = json_is_object(object), complete = json_is_true(json_object_get(object, "complete"));
    *metered = (struct metered){.us = json_number_value(json_object_get(object, "us")),
                                .outside_us = json_number_value(json_object_get(object, "outside_us")),
                                .pieces = (long)json_integer_value(json_object_get(object, "pieces"))};
    json_decref(object);
    if (!there)
        return "the program ended without its libraries' last functions, by _exit for instance";
    if (metered->pieces < 1)
        return "the program issued no copy and no kernel that can be timed";
    return complete && metered->us > 0 && isfinite(metered->us) ? NULL
                                                                : "the program does not wait for its last copy or kernel";
}

/* The same text as before is as right as before; another is compared. */
static bool is_right(const struct measurement *found, struct side *side, struct execution *execution)
{
    struct exchange_answer answer;
    if (side->output && side->output_bytes == execution->output_bytes
        && memcmp(side->output, execution->output, side->output_bytes) == 0)
        return true;
    exchange_read(&found->exchange, execution->output, execution->output_bytes, &answer);
    if (answer.kind != EXCHANGE_RIGHT)
        return false;
    free(side->output);
    side->output = execution->output;
    side->output_bytes = execution->output_bytes;
    execution->output = NULL;
    return true;
}

/* One run. Returns false, with the reason in found->message, when it gave no time. */
static bool run_once(struct measurement *found, struct side *side, enum program_clock clock, struct metered *metered)
{
    struct execution execution;
    const char *why;
    char end[160];
    program_run_on_gpu(&side->job, found->device, found->input, clock, &execution);
    bool ended_well = execution.started && !execution.timed_out && !execution.end.signalled && execution.end.code == 0;
    if (!execution.started) {
        snprintf(found->message, sizeof found->message, "%s", execution.message);
    } else if (!ended_well) {
        program_run_describe_end(&execution, end, sizeof end);
        snprintf(found->message, sizeof found->message, "%s: the program %s", found->the_case->name, end);
        found->wrong = true;
    } else if (!is_right(found, side, &execution)) {
        snprintf(found->message, sizeof found->message, "%s: the numbers are wrong", found->the_case->name);
        found->wrong = true;
    } else if ((why = read_meter(&execution, metered))) {
        snprintf(found->message, sizeof found->message, "%s: no time could be taken, because %s", found->the_case->name,
                 why);
    }
    execution_clear(&execution);
    return found->message[0] == '\0';
}

static bool measure_once(struct measurement *found, struct side *side)
{
    struct metered metered;
    if (!run_once(found, side, PROGRAM_TIMED, &metered))
        return false;
    if (side->best.pieces == 0 || metered.us < side->best.us)
        side->best = metered;
    return true;
}

static void measure(struct measurement *found)
{
    for (int run = 0; run < RUNS && found->message[0] == '\0'; run++) {
        if (!measure_once(found, &found->own))
            return;
        if (found->has_reference && !measure_once(found, &found->reference)) {
            char why[sizeof found->message];
            snprintf(why, sizeof why, "%s", found->message);
            snprintf(found->message, sizeof found->message, "the reference solution could not be timed: %.400s", why);
            found->wrong = false;
        }
    }
    /* In one stream a program may fail that is right in several: one that captures a graph, for instance. */
    if (found->message[0] == '\0' && found->is_judged && !run_once(found, &found->own, PROGRAM_IN_A_ROW, &found->in_a_row)) {
        found->in_a_row.pieces = 0;
        found->message[0] = '\0';
        found->wrong = false;
    }
}

static void describe(const struct measurement *found, struct result_budget *budget)
{
    const struct metered *own = &found->own.best;
    size_t used = (size_t)snprintf(
        budget->message, sizeof budget->message,
        "Measured on the %s, %s: from the first copy or kernel until the last has ended, the best of %d runs.",
        found->device->name, found->the_case->name, RUNS);
    if (found->is_judged && !found->has_reference && used < sizeof budget->message)
        used += (size_t)snprintf(budget->message + used, sizeof budget->message - used,
                                 " This kit has no solution to compare it with.");
    if (found->in_a_row.pieces > 1 && used < sizeof budget->message)
        snprintf(budget->message + used, sizeof budget->message - used,
                 " The same work in one stream takes %.4g ms, %.2f times as long.", found->in_a_row.us / 1e3,
                 found->in_a_row.us / own->us);
}

static void judge(const struct lab *lab, const struct measurement *found, struct result_budget *budget)
{
    const struct metered *own = &found->own.best;
    budget->value = own->us / 1e3;
    budget->state = RESULT_PASS;
    describe(found, budget);
    if (!found->has_reference)
        return;
    budget->reference = found->reference.best.us / 1e3;
    budget->ratio = own->us / found->reference.best.us;
    if (own->outside_us > most_outside * own->us) {
        budget->state = RESULT_SKIPPED;
        snprintf(budget->message, sizeof budget->message,
                 "Measured on the %s, %s: %.4g ms from the first copy or kernel until the last has ended, but the host did "
                 "other work between its calls for %.4g ms of them. Such a time says little about the device, so it is not "
                 "judged.",
                 found->device->name, found->the_case->name, own->us / 1e3, own->outside_us / 1e3);
        return;
    }
    budget->max_score = lab->time.points;
    budget->score = budget_points(budget->ratio, lab->time.full_at, lab->time.zero_at, lab->time.points);
    budget->state = budget->score == budget->max_score ? RESULT_PASS : RESULT_FAIL;
}

/* Builds the reference solution. Returns false where this kit has none, or it cannot be built. */
static bool build_reference(const struct lab *lab, struct submission *submission, struct build *build)
{
    char path[KIT_PATH_BYTES];
    kit_lab_file(lab, "solutions", "", path);
    submission_read(path, submission);
    if (submission->status != SUBMISSION_READ)
        return false;
    build_program(submission, build);
    return build->built;
}

void program_gpu_time(const struct program_job *job, const lockstep_device_info *device, struct result_lab *result)
{
    const struct lab *lab = job->lab;
    struct result_budget *budget = &result->budgets[result->budget_count++];
    struct measurement *found = allocate_zeroed(sizeof *found);
    struct submission *solution = allocate_zeroed(sizeof *solution);
    struct build *build = allocate_zeroed(sizeof *build);
    bool is_judged = lab->timing_case.name != NULL;
    int budget_case = cases_find_budget(lab);
    *budget = (struct result_budget){
        .track = "time",
        .metric = "milliseconds",
        .title = "time on the GPU",
        .value = NAN,
        .reference = NAN,
        .ideal = NAN,
        .ratio = NAN,
        .low = NAN,
        .high = NAN,
        .full_at = is_judged ? lab->time.full_at : NAN,
        .zero_at = is_judged ? lab->time.zero_at : NAN,
        .state = RESULT_SKIPPED,
        .why = is_judged ? "your program and the reference solution in turn, each run in a new process; starting it and "
                           "opening the GPU do not count"
                         : "",
    };
    found->device = device;
    found->is_judged = is_judged;
    found->the_case = is_judged ? &lab->timing_case : &lab->cases[budget_case >= 0 ? budget_case : lab->case_count - 1];
    found->own.job = *job;
    if (is_judged && build_reference(lab, solution, build)) {
        found->reference.job = (struct program_job){lab, build, solution, job->seed, &found->reference.left_ms};
        found->reference.left_ms = PROGRAM_RUNS_MS;
        found->has_reference = true;
    }
    exchange_create(lab, found->the_case, job->seed, &found->exchange);
    found->input = exchange_write(&found->exchange);
    measure(found);
    if (found->message[0] == '\0') {
        judge(lab, found, budget);
    } else {
        budget->state = found->wrong ? RESULT_FAIL : RESULT_SKIPPED;
        budget->max_score = found->wrong && is_judged ? lab->time.points : 0;
        snprintf(budget->message, sizeof budget->message, "On the %s, %.350s.", device->name, found->message);
    }
    result->max_score += budget->max_score;
    exchange_clear(&found->exchange);
    free(found->input);
    free(found->own.output);
    free(found->reference.output);
    build_clear(build);
    submission_clear(solution);
    free(build);
    free(solution);
    free(found);
}
