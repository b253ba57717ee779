#include "grader/run/run_step.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/compile/compile_step.h"
#include "grader/lab/arrays.h"
#include "grader/run/pace.h"
#include "grader/run/run_protocol.h"
#include "grader/run/timing_kernels.h"

#define OPEN_WALL_MS   20000
#define TIMING_WALL_MS 60000

static size_t whole_pages(size_t bytes)
{
    return (bytes + 4095) / 4096 * 4096;
}

/* ---- shared memory ------------------------------------------------------------------------------------------------ */

static size_t input_bytes(const struct lab *lab, const struct lab_case *the_case)
{
    size_t total = 0;
    for (int i = 0; i < lab->array_count; i++)
        if (lab->arrays[i].role != LAB_OUTPUT)
            total += whole_pages(arrays_bytes(lab, the_case, i));
    return total;
}

static size_t all_bytes(const struct lab *lab, const struct lab_case *the_case)
{
    size_t total = 0;
    for (int i = 0; i < lab->array_count; i++)
        total += whole_pages(arrays_bytes(lab, the_case, i));
    return total;
}

bool run_memory_create(const struct lab *lab, struct run_memory *memory)
{
    size_t inputs = 0, outputs = 0;
    for (int i = 0; i <= lab->case_count; i++) {
        const struct lab_case *the_case = i < lab->case_count ? &lab->cases[i] : &lab->timing_case;
        size_t in = input_bytes(lab, the_case), all = all_bytes(lab, the_case);
        inputs = in > inputs ? in : inputs;
        outputs = all > outputs ? all : outputs;
    }
    /* A plan hands over ranges of its arrays, and of scratch arrays that are no larger; untouched pages cost nothing.
     */
    outputs = 2 * outputs + (16u << 20);
    memory->output_offset = inputs;
    memory->total_bytes = inputs + outputs;
    void *bytes = mmap(NULL, memory->total_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    memory->bytes = bytes == MAP_FAILED ? NULL : bytes;
    if (memory->bytes)
        madvise(memory->bytes, memory->total_bytes, MADV_HUGEPAGE); /* only speed */
    return memory->bytes != NULL;
}

void run_memory_destroy(struct run_memory *memory)
{
    if (memory->bytes)
        munmap(memory->bytes, memory->total_bytes);
    memory->bytes = NULL;
}

void run_memory_data(const struct run_memory *memory, const struct lab *lab, const struct lab_case *the_case,
                     struct lab_data *data)
{
    size_t offset = 0;
    memset(data, 0, sizeof *data);
    for (int i = 0; i < lab->array_count; i++) {
        data->count[i] = lab->extent(lab, the_case, i);
        if (lab->arrays[i].role == LAB_OUTPUT)
            continue;
        data->array[i].bytes = memory->bytes + offset;
        offset += whole_pages(arrays_bytes(lab, the_case, i));
    }
}

/* ---- sessions ----------------------------------------------------------------------------------------------------- */

/* Ends a session whose child stopped answering, and says why. */
static void bury(struct run_session *session, enum record_status status, struct run_reply *reply)
{
    struct child_end end;
    uint64_t log_bytes;
    char *log = child_file_read(session->child.log, 600, &log_bytes);
    if (status == RECORD_TIMEOUT)
        child_ask_to_end(&session->child);
    child_kill(&session->child, status == RECORD_TIMEOUT ? NULL : &end);
    session->alive = false;
    memset(reply, 0, sizeof *reply);
    if (status == RECORD_TIMEOUT) {
        /* On the emulated driver work ends a run. The wall clock proves nothing about it; the processor's does, if the run had
         * it for long enough on this machine. */
        bool emulated = session->settings->device == LOCKSTEP_EMULATED, too_slow = emulated && !session->had_its_time;
        reply->outcome = too_slow ? RUN_HARNESS : RUN_HUNG;
        reply->work = emulated ? session->settings->work : 0;
        snprintf(reply->message, sizeof reply->message,
                 too_slow
                     ? "The run was stopped after %d seconds: this machine is too slow, or too busy, to tell what comes "
                       "of it."
                     : "The run was stopped after %d seconds. A loop does not end, or the kernel does far more than it "
                       "needs; printing counts, too.",
                 session->settings->wall_ms / 1000);
    } else if (end.signalled && end.code == SIGKILL) { /* no limit of ours ends a child so, and no kernel can */
        reply->outcome = RUN_HARNESS;
        snprintf(
            reply->message, sizeof reply->message,
            "The process that ran the kernel was killed from outside: this machine ran out of memory, or someone killed "
            "it.");
    } else if (end.signalled) {
        reply->outcome = RUN_CRASHED;
        snprintf(reply->message, sizeof reply->message, "The process that ran the kernel was ended by signal %d (%s).%s%s",
                 end.code, strsignal(end.code), log_bytes > 0 ? " " : "", log);
    } else {
        reply->outcome = RUN_HARNESS;
        snprintf(reply->message, sizeof reply->message, "The process that ran the kernel ended with status %d.%s%s",
                 end.code, log_bytes > 0 ? " " : "", log);
    }
    free(log);
}

enum sandbox_layer run_session_layer(const struct run_settings *settings)
{
    return settings->device == LOCKSTEP_EMULATED ? SANDBOX_EMULATED : SANDBOX_GPU;
}

bool run_session_begin(struct run_session *session, const struct run_settings *settings, const struct run_memory *memory,
                       struct run_reply *reply)
{
    memset(session, 0, sizeof *session);
    memset(reply, 0, sizeof *reply);
    session->settings = settings;
    session->memory = memory;
    if (!child_start(&session->child, run_session_layer(settings), run_child_body, session)) {
        session->settings = NULL;
        reply->outcome = RUN_HARNESS;
        snprintf(reply->message, sizeof reply->message, "could not start a process: %s", strerror(errno));
        return false;
    }
    return true;
}

bool run_session_open(struct run_session *session, const struct run_settings *settings, const struct run_memory *memory,
                      struct run_reply *reply)
{
    return run_session_begin(session, settings, memory, reply) && run_session_wait(session, reply);
}

bool run_session_wait(struct run_session *session, struct run_reply *reply)
{
    memset(reply, 0, sizeof *reply);
    uint32_t type;
    void *payload;
    size_t bytes;
    enum record_status status = record_read(session->child.channel, record_now_ms() + OPEN_WALL_MS,
                                            sizeof(struct run_device_record), &type, &payload, &bytes);
    if (status != RECORD_OK || type != RUN_RECORD_DEVICE || bytes != sizeof(struct run_device_record)) {
        free(payload);
        bury(session, status, reply);
        reply->outcome = RUN_HARNESS; /* nothing of the student's has run yet */
        return false;
    }
    struct run_device_record *record = payload;
    record->message[sizeof record->message - 1] = '\0';
    session->alive = record->opened;
    session->device = record->info;
    if (!record->opened) {
        reply->outcome = RUN_HARNESS;
        snprintf(reply->message, sizeof reply->message, "%.1190s", record->message);
        child_stop(&session->child, NULL);
    }
    free(payload);
    return session->alive;
}

void run_session_close(struct run_session *session)
{
    if (session->settings)
        child_stop(&session->child, NULL); /* harmless when bury did it already */
    session->alive = false;
}

void run_step_start(struct run_session *session, int case_index, const int64_t size[LAB_MAX_SIZES],
                    const union lab_value scalars[LAB_MAX_SCALARS], int run, uint64_t poison_key, bool last)
{
    struct run_command *command = allocate_zeroed(sizeof *command);
    command->kind = RUN_COMMAND_CASE;
    command->case_index = case_index;
    memcpy(command->size, size, sizeof command->size);
    memcpy(command->scalars, scalars, sizeof command->scalars);
    command->run = run;
    command->poison_key = poison_key;
    command->last = last;
    command->work = session->settings->work;
    snprintf(command->schedule, sizeof command->schedule, "%s", session->settings->schedule);
    snprintf(command->repair, sizeof command->repair, "%s", session->settings->repair ? session->settings->repair : "");
    session->deadline_ms = record_now_ms() + session->settings->wall_ms;
    session->started_processor_ms = child_processor_ms(&session->child);
    /* A child that is gone shows in run_step_finish. */
    record_write(session->child.channel, RUN_RECORD_COMMAND, command, sizeof *command);
    free(command);
}

/* The child's word is not taken for where outputs lie. */
static bool are_plausible(const struct run_session *session, const struct plan_output outputs[LAB_MAX_OUTPUTS])
{
    uint64_t area = session->memory->total_bytes - session->memory->output_offset;
    const struct lab *lab = session->settings->plan.lab;
    for (int i = 0; i < LAB_MAX_OUTPUTS; i++) {
        size_t element = i < lab->output_count ? arrays_element_bytes(lab, lab->outputs[i].array) : 1;
        if (outputs[i].present
            && (i >= lab->output_count || outputs[i].offset > area || outputs[i].offset % element != 0
                || outputs[i].count > (area - outputs[i].offset) / element))
            return false;
    }
    return true;
}

static bool is_plausible(const struct run_session *session, const struct run_reply *reply)
{
    return are_plausible(session, reply->outputs) && reply->outcome <= RUN_HARNESS;
}

/* On a machine that does many things at once a run gets a part of the processor: what its clock grants is meant for it
 * alone, and on the emulated device for a machine of pace 1. Returns when the answer begins to arrive, or when the run has had
 * its time: by the wall clock, and of the processor too unless that stands still or PATIENCE times the wall time has gone. */
static void wait_for_reply(struct run_session *session)
{
    /* Within less than LEAST_WAIT_MS, a run that goes on may stand still, too. */
    enum { PATIENCE = 20, STANDING_STILL_MS = 20, LEAST_WAIT_MS = 500 };
    bool stretched = session->settings->device != LOCKSTEP_EMULATED;
    int64_t granted = session->settings->wall_ms, last = session->deadline_ms + (PATIENCE - 1) * granted;
    int64_t used = session->started_processor_ms; /* not now: expected values may have taken longer than the run may */
    session->had_its_time = false;
    while (!record_wait(session->child.channel, session->deadline_ms)) {
        int64_t now_used = child_processor_ms(&session->child), rest = granted - (now_used - session->started_processor_ms);
        if (rest <= 0 && !stretched) {
            int64_t longer = pace_stretch(granted, pace_measure());
            rest += longer - granted;
            granted = longer;
            stretched = true;
        }
        session->had_its_time = rest <= 0;
        if (rest <= 0 || now_used - used < STANDING_STILL_MS || session->deadline_ms >= last)
            return;
        used = now_used;
        rest = rest > LEAST_WAIT_MS ? rest : LEAST_WAIT_MS;
        session->deadline_ms = session->deadline_ms + rest < last ? session->deadline_ms + rest : last;
    }
}

void run_step_finish(struct run_session *session, struct run_reply *reply)
{
    wait_for_reply(session);
    uint32_t type;
    void *payload;
    size_t bytes;
    enum record_status status = record_read(session->child.channel, session->deadline_ms, sizeof(struct run_reply), &type,
                                            &payload, &bytes);
    if (status != RECORD_OK || type != RUN_RECORD_REPLY || bytes != sizeof(struct run_reply)
        || !is_plausible(session, payload)) {
        free(payload);
        bury(session, status, reply);
        return;
    }
    memcpy(reply, payload, sizeof *reply);
    free(payload);
    reply->message[sizeof reply->message - 1] = '\0';
    reply->kernel[sizeof reply->kernel - 1] = '\0';
    reply->damaged[sizeof reply->damaged - 1] = '\0';
    /* The device's context is lost after a fault; after a refusal the next case may start again in the same child. */
    if (reply->outcome == RUN_FAULT || reply->outcome == RUN_NO_MEMORY || reply->outcome == RUN_HARNESS)
        session->alive = false;
}

void run_step_time(struct run_session *session, const struct run_settings *reference, struct run_timing *timing)
{
    memset(timing, 0, sizeof *timing);
    const struct compile_result *kit = timing_kernels_get(timing->message, sizeof timing->message);
    if (!kit)
        return;
    size_t bytes = sizeof(struct run_command) + reference->ptx_bytes + kit->ptx_bytes;
    char *record = allocate_zeroed(bytes);
    struct run_command *command = (struct run_command *)record;
    command->kind = RUN_COMMAND_TIME;
    command->reference = reference->plan;
    command->reference_ptx_bytes = reference->ptx_bytes;
    command->kit_ptx_bytes = kit->ptx_bytes;
    memcpy(record + sizeof *command, reference->ptx, reference->ptx_bytes);
    memcpy(record + sizeof *command + reference->ptx_bytes, kit->ptx, kit->ptx_bytes);
    record_write(session->child.channel, RUN_RECORD_COMMAND, record, bytes);
    free(record);
    uint32_t type;
    void *payload;
    size_t payload_bytes;
    enum record_status status = record_read(session->child.channel, record_now_ms() + TIMING_WALL_MS, sizeof *timing, &type,
                                            &payload, &payload_bytes);
    const struct run_timing *record_timing = payload;
    if (status == RECORD_OK && type == RUN_RECORD_TIMING && payload_bytes == sizeof *timing
        && are_plausible(session, record_timing->outputs) && record_timing->pairs >= 0
        && record_timing->pairs <= RUN_TIMING_PAIRS && (record_timing->set | 1) == 1) {
        memcpy(timing, payload, sizeof *timing);
        timing->message[sizeof timing->message - 1] = '\0';
    } else {
        struct run_reply reply;
        bury(session, status, &reply);
        snprintf(timing->message, sizeof timing->message, "%.500s", reply.message);
    }
    free(payload);
}
