#include "grader/grading/workers.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/compile/fingerprint.h"
#include "grader/judge/cases_show.h"
#include "grader/judge/judge.h"
#include "grader/lab/describe/guard.h"
#include "grader/lab/labs.h"
#include "grader/program/program_judge.h"
#include "grader/result/report.h"
#include "grader/result/result_json.h"

#define ANSWER_BYTES_MAX (256u << 20)

struct worker {
    pid_t pid;
    int channel;    /* -1: not running */
    json_t *answer; /* NULL: not there yet */
};

static json_t *answer_of(const struct workers_input *input, const struct job *job, const struct result_lab *result,
                         struct cases_show *show)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *report = open_memstream(&text, &bytes);
    if (!report)
        return NULL;
    (input->show ? report_cause : report_lab)(report, result, job->lab, job->submission.source, input->colour);
    fclose(report);
    json_t *answer = json_pack("{s:o,s:o,s:s#,s:f}", "lab", result_json_lab(result, job->submission.source), "machine",
                               result->has_device ? result_json_machine(&result->device) : json_null(), "report", text,
                               bytes, "seconds", result->seconds);
    free(text);
    if (answer && input->show)
        json_object_set_new(answer, "run", show && show->run ? json_incref(show->run) : json_null());
    if (answer && guard_fault(job->lab))
        json_object_set_new(answer, "lab_fault", json_string(guard_fault(job->lab)));
    if (input->fingerprints && answer)
        json_object_set_new(answer, "fingerprint", fingerprint_json(result->fingerprint, result->fingerprint_count));
    return answer;
}

static void work(const struct workers_input *input, const struct job *job, int channel)
{
    struct result_lab result;
    struct cases_show show = {NULL};
    struct judge_input judge = {
        .lab = job->lab,
        .submission = &job->submission,
        .cached = job->has_cached ? &job->cached : NULL,
        .seed = input->seed,
        .hidden_key = input->hidden_key,
        .hidden_refusal = input->hidden_refusal,
        .gpu = input->gpu,
        .estimate_gpu = input->estimate_gpu,
        .trace = input->trace,
        .show = input->show ? &show : NULL,
    };
    if (job->lab->program)
        program_judge(&judge, &result);
    else
        judge_submission(&judge, &result);
    json_t *answer = answer_of(input, job, &result, &show);
    char *text = answer ? json_dumps(answer, JSON_COMPACT) : NULL;
    if (text)
        record_write(channel, 1, text, strlen(text));
    free(text);
    json_decref(answer);
    json_decref(show.run);
    result_lab_clear(&result);
}

static bool start(const struct workers_input *input, const struct job *job, struct worker *worker)
{
    int channels[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channels) != 0)
        return false;
    fflush(NULL);
    pid_t parent = getpid();
    allocate_hand_on_secret(input->hidden_key, sizeof *input->hidden_key, true);
    worker->pid = fork();
    allocate_hand_on_secret(input->hidden_key, sizeof *input->hidden_key, false);
    if (worker->pid == 0) {
        close(channels[0]);
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        if (getppid() == parent)
            work(input, job, channels[1]);
        _exit(0);
    }
    close(channels[1]);
    worker->channel = worker->pid > 0 ? channels[0] : -1;
    if (worker->pid < 0)
        close(channels[0]);
    return worker->pid > 0;
}

/* The answer for a worker that gave none. */
static json_t *answer_for_failure(const struct workers_input *input, const struct job *job, const char *message)
{
    struct result_lab result = {.lab = job->lab->name, .path = job->submission.path, .state = RESULT_HARNESS_ERROR};
    result.max_score = labs_max_score(job->lab);
    snprintf(result.message, sizeof result.message, "%s", message);
    return answer_of(input, job, &result, NULL);
}

static void finish(const struct workers_input *input, const struct job *job, struct worker *worker)
{
    uint32_t type;
    void *payload;
    size_t bytes;
    int status = 0;
    if (record_read(worker->channel, -1, ANSWER_BYTES_MAX, &type, &payload, &bytes) == RECORD_OK)
        worker->answer = json_loadb(payload, bytes, 0, NULL);
    free(payload);
    /* Those that start from now on need not find it out again. */
    const char *fault = json_string_value(json_object_get(worker->answer, "lab_fault"));
    if (fault)
        guard_set_fault(job->lab, fault);
    close(worker->channel);
    worker->channel = -1;
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) {}
    if (!worker->answer) {
        char message[160];
        snprintf(message, sizeof message,
                 "The grader's own process ended with %s %d. This is a bug in the kit, not a mistake in the submission.",
                 WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        worker->answer = answer_for_failure(input, job, message);
    }
}

/* Waits until one of the running workers has something to say, and takes it. */
static void wait_for_one(const struct workers_input *input, struct worker *workers, size_t started)
{
    struct pollfd *ready = allocate_zeroed(started * sizeof *ready);
    for (size_t i = 0; i < started; i++)
        ready[i] = (struct pollfd){workers[i].channel, POLLIN, 0}; /* poll skips -1 */
    if (poll(ready, started, -1) > 0)
        for (size_t i = 0; i < started; i++)
            if (ready[i].revents != 0)
                finish(input, &input->jobs->list[i], &workers[i]);
    free(ready);
}

size_t workers_cores(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? (size_t)CPU_COUNT(&allowed) : 1;
}

void workers_run(const struct workers_input *input, workers_answer_fn *take, void *context)
{
    size_t count = input->jobs->count, started = 0, running = 0, taken = 0;
    size_t most = input->gpu ? 1 : workers_cores(); /* one at a time where time is measured */
    struct worker *workers = allocate_zeroed((count + 1) * sizeof *workers);
    while (taken < count) {
        while (started < count && running < most) {
            if (!start(input, &input->jobs->list[started], &workers[started]))
                workers[started].answer = answer_for_failure(input, &input->jobs->list[started],
                                                             "No process could be started for the grading.");
            started++;
            running += !workers[started - 1].answer;
        }
        if (!workers[taken].answer)
            wait_for_one(input, workers, started);
        running = 0;
        for (size_t i = taken; i < started; i++)
            running += !workers[i].answer;
        for (; taken < started && workers[taken].answer; taken++) {
            take(context, &input->jobs->list[taken], workers[taken].answer);
            json_decref(workers[taken].answer);
        }
    }
    free(workers);
}

/* ---- a stream of jobs --------------------------------------------------------------------------------------------- */

struct slot {
    struct worker worker;
    struct job *job; /* owned; NULL: the slot is free */
    size_t number;
};

static void clear_slot(struct slot *slot)
{
    submission_clear(&slot->job->submission);
    if (slot->job->has_cached)
        lockstep_compiled_clear(&slot->job->cached);
    free(slot->job);
    json_decref(slot->worker.answer);
    memset(slot, 0, sizeof *slot);
}

/* Begins the next job in a free slot, if there is one now. Returns false when there will be no more. */
static bool fill_slot(const struct workers_input *input, struct slot *slot, workers_next_fn *next, void *context)
{
    struct job *job = allocate_zeroed(sizeof *job);
    enum workers_next kind = next(context, job, &slot->number);
    if (kind != WORKERS_JOB) {
        free(job);
        return kind != WORKERS_NO_MORE;
    }
    slot->job = job;
    if (!start(input, job, &slot->worker))
        slot->worker.answer = answer_for_failure(input, job, "No process could be started for the grading.");
    return true;
}

void workers_stream(const struct workers_input *input, size_t most, workers_next_fn *next, workers_take_fn *take,
                    void *context)
{
    struct slot *slots = allocate_zeroed(most * sizeof *slots);
    struct pollfd *ready = allocate_zeroed(most * sizeof *ready);
    bool more = true;
    for (size_t running = 1; running > 0;) {
        running = 0;
        for (size_t i = 0; i < most; i++) {
            if (!slots[i].job && more)
                more = fill_slot(input, &slots[i], next, context);
            bool busy = slots[i].job && !slots[i].worker.answer;
            ready[i] = (struct pollfd){busy ? slots[i].worker.channel : -1, POLLIN, 0};
            running += slots[i].job != NULL;
        }
        int waits = 0;
        for (size_t i = 0; i < most; i++)
            waits += ready[i].fd >= 0;
        if (waits > 0 && poll(ready, most, -1) < 0)
            continue;
        for (size_t i = 0; i < most; i++) {
            if (ready[i].fd >= 0 && ready[i].revents != 0)
                finish(input, slots[i].job, &slots[i].worker);
            if (!slots[i].job || !slots[i].worker.answer)
                continue;
            more = take(context, slots[i].number, slots[i].job, slots[i].worker.answer) && more;
            clear_slot(&slots[i]);
        }
    }
    free(slots);
    free(ready);
}
