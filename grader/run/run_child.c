#include "grader/run/run_protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/base/words.h"
#include "grader/lab/arrays.h"
#include "grader/run/run_step.h"

/* Every input is compared after a run up to this size; above it only where the driver does not watch writes itself. */
#define THOROUGH_BYTES (4u << 20)

/* What the observers of the emulated driver write: one of these at a time. */
enum observed {
#define OBSERVED(name, variable, consequence) OBSERVED_##name,
#include "runtime/tables/outputs.def"
    OBSERVED_COUNT
};
static const char *const observed_variables[] = {
#define OBSERVED(name, variable, consequence) variable,
#include "runtime/tables/outputs.def"
};

static void steer_driver(const struct run_settings *settings)
{
    char text[64];
    setenv("LOCKSTEP_CHECKS", settings->checks, 1);
    setenv("LOCKSTEP_SCHEDULE", settings->schedule, 1);
    snprintf(text, sizeof text, "/proc/self/fd/%d", CHILD_FINDINGS);
    setenv("LOCKSTEP_FINDINGS", text, 1);
    snprintf(text, sizeof text, "/proc/self/fd/%d", CHILD_COUNTERS);
    enum observed kept = settings->accesses ? OBSERVED_accesses : settings->trace_block ? OBSERVED_trace : OBSERVED_counters;
    for (enum observed each = 0; each < OBSERVED_COUNT; each++)
        unsetenv(observed_variables[each]);
    setenv(observed_variables[kept], text, 1);
    setenv("LOCKSTEP_TRACE_BLOCK", settings->trace_block ? settings->trace_block : "", 1);
    /* NVIDIA's cache of compiled modules would be a way from one submission to another. */
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    unsetenv("LOCKSTEP_FUEL");
    if (settings->fuel > 0) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)settings->fuel);
        setenv("LOCKSTEP_FUEL", text, 1);
    }
}

/* NVIDIA's driver loads its compiler for PTX with the first module, and opens the last of what it needs with the first
 * launch. */
static bool warm_up(lockstep_device *device, lockstep_error *error)
{
    static const char ptx[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
                              ".visible .entry warm_up(.param .u64 a)\n{\n.reg .b64 %d<2>;\n.reg .b32 %r<2>;\n"
                              "ld.param.u64 %d1, [a];\nmov.u32 %r1, 1;\nst.global.u32 [%d1], %r1;\nret;\n}\n";
    lockstep_module *module = NULL;
    lockstep_kernel *kernel = NULL;
    uint32_t word = 0;
    lockstep_shape one = {.grid = {1}, .block = {1}};
    lockstep_argument argument = LOCKSTEP_IN_OUT(&word, sizeof word);
    bool good = lockstep_module_load(device, ptx, sizeof ptx - 1, &module, error) == LOCKSTEP_OK
                && lockstep_module_kernel(module, "warm_up", &kernel, error) == LOCKSTEP_OK
                && lockstep_launch(kernel, &one, &argument, 1, NULL, error) == LOCKSTEP_OK;
    if (module)
        lockstep_module_unload(module);
    return good;
}

/* What the driver has opened stays open; nothing of the submission has been looked at yet. */
static bool lock_in(const struct run_session *session, lockstep_device *device, lockstep_error *error)
{
    enum sandbox_layer layer = run_session_layer(session->settings);
    if (layer == SANDBOX_GPU && !warm_up(device, error))
        return false;
    if (sandbox_close(layer, NULL, 0))
        return true;
    snprintf(error->message, sizeof error->message, "the process that runs kernels could not be confined: %s",
             strerror(errno));
    return false;
}

static lockstep_device *open_device(const struct run_session *session)
{
    struct run_device_record *record = allocate_zeroed(sizeof *record);
    lockstep_device *device = NULL;
    lockstep_error error = {0};
    record->opened = lockstep_device_open(session->settings->device, &device, &error) == LOCKSTEP_OK
                     && lock_in(session, device, &error);
    if (record->opened)
        record->info = *lockstep_device_get_info(device);
    else
        words_error(&error, record->message, sizeof record->message);
    record_write(CHILD_CHANNEL, RUN_RECORD_DEVICE, record, sizeof *record);
    device = record->opened ? device : NULL;
    free(record);
    return device;
}

static enum run_outcome outcome_of(const struct lab_run *run, bool module_loaded)
{
    switch (run->state) {
    case PLAN_RAN: return RUN_RAN;
    case PLAN_REFUSED: return RUN_REFUSED;
    case PLAN_LAUNCH_REFUSED: return RUN_LAUNCH_REFUSED;
    case PLAN_FAULT: return RUN_FAULT;
    case PLAN_NO_MEMORY: return RUN_NO_MEMORY;
    case PLAN_HARNESS: break;
    }
    return module_loaded ? RUN_HARNESS : RUN_REJECTED;
}

static void run_case(struct lab_run *run, const struct run_session *session, const struct run_command *command,
                     struct run_bench *bench, struct lab_case *the_case)
{
    const struct lab *lab = run->setup->lab;
    struct run_reply *reply = allocate_zeroed(sizeof *reply);
    struct lab_data data;
    bool ready = true;
    *the_case = *plan_case(run->setup, command->case_index);
    memcpy(the_case->size, command->size, sizeof the_case->size);
    run->the_case = the_case;
    run_memory_data(session->memory, lab, run->the_case, &data);
    memcpy(data.scalar, command->scalars, sizeof data.scalar);
    lockstep_error error;
    if (command->run == 0) {
        plan_close(run);
        ready = plan_repair(run, command->repair) && plan_open(run, session->settings->ptx, session->settings->ptx_bytes);
    }
    uint64_t work_before = lockstep_device_work_done(run->device);
    lockstep_device_set_work(run->device, command->work > 0 ? command->work : UINT64_MAX);
    /* Below the checks that it needs, any order will do. */
    lockstep_device_set_schedule(run->device, command->schedule, &error);
    if (ready && plan_prepare(run, &data, command->poison_key))
        plan_run(run);
    if (run->state == PLAN_RAN) {
        size_t input_bytes = 0;
        for (int i = 0; i < lab->array_count; i++)
            input_bytes += arrays_bytes(lab, run->the_case, i);
        reply->damage = plan_find_damage(run, &data, input_bytes <= THOROUGH_BYTES, reply->damaged, &reply->damaged_index);
    }
    if (run->state == PLAN_RAN && command->case_index == lab->case_count)
        run_timing_keep(bench, run, command->run, &data);
    reply->outcome = outcome_of(run, run->module != NULL);
    snprintf(reply->message, sizeof reply->message, "%s", run->message);
    snprintf(reply->kernel, sizeof reply->kernel, "%s", run->kernel);
    memcpy(reply->outputs, run->outputs, sizeof reply->outputs);
    reply->work = lockstep_device_work_done(run->device) - work_before;
    reply->max_blocks = run->max_blocks;
    reply->max_threads = run->max_threads;
    if (command->last)
        plan_close(run);
    fflush(stdout); /* the student's printf belongs to this run */
    record_write(CHILD_CHANNEL, RUN_RECORD_REPLY, reply, sizeof *reply);
    free(reply);
}

void run_child_body(void *context)
{
    const struct run_session *session = context;
    steer_driver(session->settings);
    lockstep_device *device = open_device(session);
    if (!device)
        return;
    struct lab_run *run = allocate_zeroed(sizeof *run);
    struct run_bench *bench = run_timing_create(device, session);
    struct lab_case the_case;
    run->setup = &session->settings->plan;
    run->device = device;
    run->output_area = session->memory->bytes + session->memory->output_offset;
    run->output_area_bytes = session->memory->total_bytes - session->memory->output_offset;
    /* The inputs are the grader's to write. */
    if (session->memory->output_offset > 0)
        mprotect(session->memory->bytes, session->memory->output_offset, PROT_READ);
    uint32_t type;
    void *payload;
    size_t bytes;
    while (record_read(CHILD_CHANNEL, -1, 16u << 20, &type, &payload, &bytes) == RECORD_OK) {
        const struct run_command *command = payload;
        if (command->kind == RUN_COMMAND_CASE) {
            run_case(run, session, command, bench, &the_case);
        } else {
            struct run_timing *timing = allocate_zeroed(sizeof *timing);
            plan_close(run);
            run_timing_measure(bench, command, (const char *)payload + sizeof *command, bytes - sizeof *command, timing);
            record_write(CHILD_CHANNEL, RUN_RECORD_TIMING, timing, sizeof *timing);
            free(timing);
        }
        free(payload);
    }
    /* The grader has what it wanted: the end of the process frees the rest. */
}
