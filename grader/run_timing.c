#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/allocate.h"
#include "grader/run_protocol.h"

enum { WARM_UP_PAIRS = 3, PAIRS = 41 };

/* Larger than any level-2 cache, so that writing it leaves nothing of the arrays there. */
#define FLUSH_BYTES (256u << 20)

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static bool prepare(struct lab_run *run, lockstep_device *device, const struct run_session *session,
                    const struct plan_setup *setup, const char *ptx, size_t ptx_bytes, const struct lab_data *data)
{
    run->setup = setup;
    run->device = device;
    run->the_case = &setup->lab->timing_case;
    run->output_area = session->memory->bytes + session->memory->output_offset;
    run->output_area_bytes = session->memory->total_bytes - session->memory->output_offset;
    return plan_open(run, ptx, ptx_bytes) && plan_prepare(run, data, 1);
}

struct stopwatch {
    lockstep_device *device;
    lockstep_event *start, *stop;
    lockstep_buffer *flush;
};

static bool measure(struct stopwatch *watch, struct lab_run *run, uint8_t fill, float *elapsed_ms)
{
    lockstep_error error = {0};
    run->scratch_used = 0;
    if (lockstep_buffer_fill(watch->flush, fill, &error) != LOCKSTEP_OK ||
        lockstep_device_synchronize(watch->device, &error) != LOCKSTEP_OK ||
        lockstep_event_record(watch->start, NULL, &error) != LOCKSTEP_OK)
        return false;
    plan_run(run);
    return run->state == PLAN_RAN && lockstep_event_record(watch->stop, NULL, &error) == LOCKSTEP_OK &&
           lockstep_event_elapsed(watch->start, watch->stop, elapsed_ms, &error) == LOCKSTEP_OK;
}

/* Median and its 95 % interval by order statistics: ranks n/2 -+ 0.98 sqrt(n) hold the median with that probability
 * whatever the distribution. */
static void summarise(double *student, double *reference, double *ratio, struct run_timing *timing)
{
    qsort(student, PAIRS, sizeof(double), compare_doubles);
    qsort(reference, PAIRS, sizeof(double), compare_doubles);
    qsort(ratio, PAIRS, sizeof(double), compare_doubles);
    int spread = (int)ceil(0.98 * sqrt(PAIRS));
    timing->student_ms = student[PAIRS / 2];
    timing->reference_ms = reference[PAIRS / 2];
    timing->ratio = ratio[PAIRS / 2];
    timing->low = ratio[PAIRS / 2 - spread];
    timing->high = ratio[PAIRS / 2 + spread];
    timing->pairs = PAIRS;
    timing->measured = true;
}

static bool measure_pairs(struct stopwatch *watch, struct lab_run *student, struct lab_run *reference,
                          struct run_timing *timing)
{
    double a[PAIRS], b[PAIRS], ratio[PAIRS];
    for (int i = -WARM_UP_PAIRS; i < PAIRS; i++) {
        float student_ms = 0, reference_ms = 0;
        if (!measure(watch, student, (uint8_t)i, &student_ms) || !measure(watch, reference, (uint8_t)i, &reference_ms))
            return false;
        if (i < 0)
            continue;
        a[i] = student_ms;
        b[i] = reference_ms;
        ratio[i] = student_ms / reference_ms;
    }
    summarise(a, b, ratio, timing);
    return true;
}

void run_timing_measure(lockstep_device *device, const struct run_session *session, const struct run_command *command,
                        const char *reference_ptx, size_t reference_ptx_bytes, struct run_timing *timing)
{
    struct lab_run *runs = allocate_zeroed(2 * sizeof(*runs));
    struct stopwatch watch = {.device = device};
    lockstep_error error = {0};
    struct lab_data data;
    run_memory_data(session->memory, session->settings->plan.lab, &session->settings->plan.lab->timing_case, &data);
    bool good = prepare(&runs[0], device, session, &session->settings->plan, session->settings->ptx,
                        session->settings->ptx_bytes, &data) &&
                prepare(&runs[1], device, session, &command->reference, reference_ptx, reference_ptx_bytes, &data);
    good = good && lockstep_event_create(device, &watch.start, &error) == LOCKSTEP_OK &&
           lockstep_event_create(device, &watch.stop, &error) == LOCKSTEP_OK &&
           lockstep_buffer_create(device, FLUSH_BYTES, "flush", &watch.flush, &error) == LOCKSTEP_OK;
    /* Once as a case runs, so that both are known to finish; then without waiting between launches. */
    for (int i = 0; i < 2 && good; i++) {
        plan_run(&runs[i]);
        runs[i].timing = true;
        good = runs[i].state == PLAN_RAN;
    }
    if (!good || !measure_pairs(&watch, &runs[0], &runs[1], timing))
        snprintf(timing->message, sizeof(timing->message), "%.250s%.250s",
                 runs[0].message[0] != '\0' ? runs[0].message : runs[1].message, error.message);
    if (watch.flush != NULL)
        lockstep_buffer_destroy(watch.flush);
    if (watch.start != NULL)
        lockstep_event_destroy(watch.start);
    if (watch.stop != NULL)
        lockstep_event_destroy(watch.stop);
    plan_close(&runs[0]);
    plan_close(&runs[1]);
    free(runs);
}
