#include "grader/compile_step.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/allocate.h"
#include "grader/child.h"
#include "grader/record.h"
#include "grader/words.h"

/* The emulated device presents itself as 8.0, and every GPU from that on runs the same PTX. */
enum { TARGET_MAJOR = 8, TARGET_MINOR = 0 };

#define WALL_MS 15000
#define CPU_SECONDS 10
/* NVRTC 13 maps about 300 MB before it compiles anything; the grader's own mappings come on top. */
#define ADDRESS_SPACE_BYTES (1536ull << 20)

enum { RECORD_STATUS = 1, RECORD_DIAGNOSTIC, RECORD_SUMMARY, RECORD_KERNEL, RECORD_PTX, RECORD_DONE };

struct status_record {
    lockstep_status status;
    lockstep_error error;
    bool from_cache;
};

static lockstep_compile_request request_for(const struct compile_input *input)
{
    return (lockstep_compile_request){
        .source = input->source,
        .source_bytes = input->source_bytes,
        .file_name = input->file_name,
        .major = TARGET_MAJOR,
        .minor = TARGET_MINOR,
        .no_cache = true,
    };
}

/* ---- in the child ------------------------------------------------------------------------------------------------- */

static void report_kernels(const struct compile_input *input, const struct ptx_summary *summary)
{
    for (int i = 0; i < input->lab->kernel_count && i < COMPILE_MAX_KERNELS; i++) {
        struct compile_kernel kernel = {0};
        struct signature contract;
        const struct ptx_entry *entry = ptx_scan_find_entry(summary, input->lab->kernels[i].name);
        kernel.found_in_source = signature_find(input->source, input->lab->kernels[i].name, &kernel.student);
        if (entry != NULL && signature_parse(input->lab->kernels[i].signature, &contract))
            kernel.verdict = signature_compare(&contract, kernel.found_in_source ? &kernel.student : NULL, entry,
                                               kernel.message, sizeof(kernel.message));
        record_write(CHILD_CHANNEL, RECORD_KERNEL, &kernel, sizeof(kernel));
    }
}

static void compile_body(void *context)
{
    const struct compile_input *input = context;
    lockstep_compile_request request = request_for(input);
    lockstep_compiled own = {0};
    struct status_record status = {.status = LOCKSTEP_OK};
    if (input->cached == NULL)
        status.status = lockstep_compile(&request, &own, &status.error);
    const lockstep_compiled compiled = input->cached != NULL ? *input->cached : own;
    status.from_cache = compiled.from_cache;
    record_write(CHILD_CHANNEL, RECORD_STATUS, &status, sizeof(status));
    for (size_t i = 0; i < compiled.diagnostic_count && i < COMPILE_DIAGNOSTICS_MAX; i++)
        record_write(CHILD_CHANNEL, RECORD_DIAGNOSTIC, &compiled.diagnostics[i], sizeof(compiled.diagnostics[i]));
    if (status.status == LOCKSTEP_OK) {
        struct ptx_summary *summary = allocate_zeroed(sizeof(*summary));
        ptx_scan(compiled.ptx, compiled.ptx_bytes, summary);
        record_write(CHILD_CHANNEL, RECORD_SUMMARY, summary, sizeof(*summary));
        report_kernels(input, summary);
        record_write(CHILD_CHANNEL, RECORD_PTX, compiled.ptx, compiled.ptx_bytes);
        free(summary);
    }
    record_write(CHILD_CHANNEL, RECORD_DONE, NULL, 0);
    lockstep_compiled_clear(&own);
}

/* ---- in the grader ------------------------------------------------------------------------------------------------ */

/* Texts from the child end where their fields end, whatever the child sent. */
static void terminate_summary(struct ptx_summary *summary)
{
    if (summary->entry_count > PTX_MAX_ENTRIES)
        summary->entry_count = PTX_MAX_ENTRIES;
    if (summary->constant_count > PTX_MAX_CONSTANTS)
        summary->constant_count = PTX_MAX_CONSTANTS;
    for (uint32_t i = 0; i < summary->entry_count; i++)
        summary->entries[i].name[PTX_NAME_BYTES - 1] = '\0';
    for (uint32_t i = 0; i < summary->constant_count; i++) {
        summary->constants[i].name[PTX_NAME_BYTES - 1] = '\0';
        if (summary->constants[i].count > 3)
            summary->constants[i].count = 3;
    }
}

static void terminate_kernel(struct compile_kernel *kernel)
{
    struct signature *student = &kernel->student;
    kernel->message[sizeof(kernel->message) - 1] = '\0';
    student->text[sizeof(student->text) - 1] = '\0';
    if (student->parameter_count < 0 || student->parameter_count > SIGNATURE_MAX_PARAMETERS)
        student->parameter_count = SIGNATURE_MAX_PARAMETERS;
    for (int i = 0; i < SIGNATURE_MAX_PARAMETERS; i++) {
        student->parameters[i].type[SIGNATURE_NAME_BYTES - 1] = '\0';
        student->parameters[i].name[SIGNATURE_NAME_BYTES - 1] = '\0';
    }
}

static void explain_limits(const char *how, struct compile_result *result)
{
    result->outcome = COMPILE_LIMITS;
    snprintf(
        result->message, sizeof(result->message),
        "Your code made the compiler exceed its limits: %s. Look for templates or macros that expand without end, and for "
        "huge arrays.",
        how);
}

static void take_status(const struct status_record *status, struct compile_result *result)
{
    result->from_cache = status->from_cache;
    if (status->status == LOCKSTEP_OK) {
        result->outcome = COMPILE_DONE;
    } else if (status->status == LOCKSTEP_COMPILE_ERROR) {
        result->outcome = COMPILE_REJECTED;
    } else if (status->status == LOCKSTEP_OUT_OF_MEMORY) {
        explain_limits("it ran out of memory (1.5 GB)", result);
    } else {
        result->outcome = COMPILE_HARNESS;
        words_error(&status->error, result->message, sizeof(result->message));
    }
}

static void take_diagnostic(const lockstep_diagnostic *diagnostic, struct compile_result *result)
{
    if (result->diagnostic_count == COMPILE_DIAGNOSTICS_MAX)
        return;
    if (result->diagnostics == NULL)
        result->diagnostics = allocate_zeroed(COMPILE_DIAGNOSTICS_MAX * sizeof(*diagnostic));
    lockstep_diagnostic *kept = &result->diagnostics[result->diagnostic_count++];
    *kept = *diagnostic;
    kept->file[sizeof(kept->file) - 1] = '\0';
    kept->message[sizeof(kept->message) - 1] = '\0';
}

/* Takes one record. Returns false when it is none of ours. */
static bool take_record(uint32_t type, char *payload, size_t bytes, int *kernel_count, struct compile_result *result)
{
    if (type == RECORD_STATUS && bytes == sizeof(struct status_record)) {
        take_status((const struct status_record *)payload, result);
    } else if (type == RECORD_DIAGNOSTIC && bytes == sizeof(lockstep_diagnostic)) {
        take_diagnostic((const lockstep_diagnostic *)payload, result);
    } else if (type == RECORD_SUMMARY && bytes == sizeof(struct ptx_summary)) {
        memcpy(&result->summary, payload, bytes);
        terminate_summary(&result->summary);
    } else if (type == RECORD_KERNEL && bytes == sizeof(struct compile_kernel) && *kernel_count < COMPILE_MAX_KERNELS) {
        memcpy(&result->kernels[*kernel_count], payload, bytes);
        terminate_kernel(&result->kernels[(*kernel_count)++]);
    } else if (type == RECORD_PTX && result->ptx == NULL) {
        result->ptx = allocate_text(payload, bytes);
        result->ptx_bytes = bytes;
    } else {
        return type == RECORD_DONE;
    }
    return true;
}

/* NVRTC reports its own failed allocation as an error in the source. */
static bool ran_out_of_memory(const struct compile_result *result)
{
    for (size_t i = 0; i < result->diagnostic_count; i++)
        if (strcmp(result->diagnostics[i].message, "out of memory") == 0)
            return true;
    return false;
}

static void explain_death(const struct child_end *end, enum record_status status, struct compile_result *result)
{
    const char *how = "it ended without an answer";
    char signal_text[64];
    if (status == RECORD_TIMEOUT) {
        how = "it was stopped after 15 seconds";
    } else if (status == RECORD_BAD) {
        how = "what it produced is larger than 4 MB";
    } else if (end->signalled && (end->code == SIGXCPU || end->code == SIGKILL)) {
        how = "it used up its 10 seconds of processor time";
    } else if (end->signalled) {
        snprintf(signal_text, sizeof(signal_text), "it was ended by signal %d (%s)", end->code, strsignal(end->code));
        how = signal_text;
    }
    explain_limits(how, result);
}

bool compile_step_find_cached(const struct compile_input *input, lockstep_compiled *compiled)
{
    lockstep_compile_request request = request_for(input);
    memset(compiled, 0, sizeof(*compiled));
    return lockstep_compile_find_cached(&request, compiled);
}

/* Only what a child answered in full gets into the cache. */
static void keep_in_cache(const struct compile_input *input, const struct compile_result *result)
{
    lockstep_compile_request request = request_for(input);
    lockstep_compiled compiled = {
        .ptx = result->ptx,
        .ptx_bytes = result->ptx_bytes,
        .diagnostics = result->diagnostics,
        .diagnostic_count = result->diagnostic_count,
    };
    lockstep_compile_keep(&request, &compiled);
}

void compile_step(const struct compile_input *input, struct compile_result *result)
{
    struct child child;
    memset(result, 0, sizeof(*result));
    result->outcome = COMPILE_LIMITS;
    if (!child_start(&child, SANDBOX_COMPILE, compile_body, (void *)input)) {
        result->outcome = COMPILE_HARNESS;
        snprintf(result->message, sizeof(result->message), "could not start a process for the compiler: %s",
                 strerror(errno));
        return;
    }
    int64_t deadline = record_now_ms() + WALL_MS;
    enum record_status status;
    uint32_t type = 0;
    int kernel_count = 0;
    bool known = true;
    do {
        void *payload;
        size_t bytes;
        status = record_read(child.channel, deadline, COMPILE_PTX_BYTES_MAX, &type, &payload, &bytes);
        known = status == RECORD_OK && take_record(type, payload, bytes, &kernel_count, result);
        free(payload);
    } while (known && type != RECORD_DONE);
    struct child_end end;
    child_stop(&child, &end);
    if (!known || (result->outcome == COMPILE_DONE && result->ptx == NULL)) {
        explain_death(&end, status, result);
        free(result->ptx);
        result->ptx = NULL;
    }
    if (result->outcome == COMPILE_REJECTED && ran_out_of_memory(result))
        explain_limits("it ran out of memory (1.5 GB)", result);
    if (result->outcome == COMPILE_DONE && input->cached == NULL)
        keep_in_cache(input, result);
}

void compile_step_clear(struct compile_result *result)
{
    free(result->ptx);
    free(result->diagnostics);
    memset(result, 0, sizeof(*result));
}
