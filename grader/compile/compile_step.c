#include "grader/compile/compile_step.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/base/words.h"
#include "grader/compile/compile_protocol.h"
#include "grader/compile/compile_server.h"
#include "grader/compile/fingerprint.h"
#include "grader/compile/summary_record.h"

#define ANSWER_MS 400000 /* the server's own clock ends a compile long before */

/* Texts from the child end where their fields end, whatever the child sent. */
static void terminate_kernel(struct compile_kernel *kernel)
{
    struct signature *student = &kernel->student;
    kernel->message[sizeof kernel->message - 1] = '\0';
    student->text[sizeof student->text - 1] = '\0';
    if (student->parameter_count < 0 || student->parameter_count > SIGNATURE_MAX_PARAMETERS)
        student->parameter_count = SIGNATURE_MAX_PARAMETERS;
    for (int i = 0; i < SIGNATURE_MAX_PARAMETERS; i++) {
        student->parameters[i].type[SIGNATURE_NAME_BYTES - 1] = '\0';
        student->parameters[i].name[SIGNATURE_NAME_BYTES - 1] = '\0';
    }
}

static void terminate_status(struct compile_status *status)
{
    status->library[sizeof status->library - 1] = '\0';
    status->error.call[sizeof status->error.call - 1] = '\0';
    status->error.message[sizeof status->error.message - 1] = '\0';
    status->error.remedy[sizeof status->error.remedy - 1] = '\0';
}

static void explain_limits(const char *how, struct compile_result *result)
{
    result->outcome = COMPILE_LIMITS;
    snprintf(
        result->message, sizeof result->message,
        "Your code made the compiler exceed its limits: %s. Look for templates or macros that expand without end, and for "
        "huge arrays.",
        how);
}

static void explain_memory(struct compile_result *result)
{
    char how[80];
    snprintf(how, sizeof how, "it ran out of memory (%.1f GB)", (double)sandbox_address_space_mb(SANDBOX_COMPILE) / 1024);
    explain_limits(how, result);
}

/* Where nothing can be opened, a header of the toolkit cannot be had: the machine's fault, not the student's. */
static void explain_headers(struct compile_result *result)
{
    result->outcome = COMPILE_HARNESS;
    snprintf(
        result->message, sizeof result->message,
        "This file includes headers that only the CUDA toolkit has. On this machine the compiler's process cannot open any "
        "file, because there is neither Landlock nor a user namespace that would allow only these (`lockstep doctor` says "
        "more). If you trust every submission, --allow-unconfined lets it read files.");
}

static void take_status(const struct compile_status *status, struct compile_result *result)
{
    if (status->status == LOCKSTEP_OK) {
        result->outcome = COMPILE_DONE;
    } else if (status->status == LOCKSTEP_COMPILE_ERROR && status->headers_out_of_reach) {
        explain_headers(result);
    } else if (status->status == LOCKSTEP_COMPILE_ERROR) {
        result->outcome = COMPILE_REJECTED;
    } else if (status->status == LOCKSTEP_OUT_OF_MEMORY) {
        explain_memory(result);
    } else {
        result->outcome = COMPILE_HARNESS;
        words_error(&status->error, result->message, sizeof result->message);
    }
}

static void take_diagnostic(const lockstep_diagnostic *diagnostic, struct compile_result *result)
{
    if (result->diagnostic_count == COMPILE_DIAGNOSTICS_MAX)
        return;
    if (!result->diagnostics)
        result->diagnostics = allocate_zeroed(COMPILE_DIAGNOSTICS_MAX * sizeof *diagnostic);
    lockstep_diagnostic *kept = &result->diagnostics[result->diagnostic_count++];
    *kept = *diagnostic;
    kept->file[sizeof kept->file - 1] = '\0';
    kept->message[sizeof kept->message - 1] = '\0';
    kept->kind[sizeof kept->kind - 1] = '\0';
    kept->advice[sizeof kept->advice - 1] = '\0';
}

/* Is it the source itself, with blanks in the place of some of it? Whatever the child sent, readers get nothing else. */
static bool is_of_source(const char *seen, size_t bytes, const struct compile_input *input)
{
    for (size_t i = 0; i < bytes && bytes == input->source_bytes; i++)
        if (seen[i] != input->source[i] && seen[i] != ' ')
            return false;
    return bytes == input->source_bytes;
}

/* What is known while records come in. */
struct answer {
    const struct compile_input *input;
    struct compile_result *result;
    int kernel_count;
    char library[512];
};

/* Takes one record. Returns false when it is none of ours. */
static bool take_record(uint32_t type, char *payload, size_t bytes, struct answer *answer)
{
    struct compile_result *result = answer->result;
    if (type == COMPILE_RECORD_STATUS && bytes == sizeof(struct compile_status)) {
        terminate_status((struct compile_status *)payload);
        take_status((const struct compile_status *)payload, result);
        result->seen_unknown = ((const struct compile_status *)payload)->seen_unknown;
        snprintf(answer->library, sizeof answer->library, "%s", ((const struct compile_status *)payload)->library);
    } else if (type == COMPILE_RECORD_SEEN && !result->seen && is_of_source(payload, bytes, answer->input)) {
        result->seen = allocate_text(payload, bytes);
    } else if (type == COMPILE_RECORD_DIAGNOSTIC && bytes == sizeof(lockstep_diagnostic)) {
        take_diagnostic((const lockstep_diagnostic *)payload, result);
    } else if (type == COMPILE_RECORD_SUMMARY) {
        ptx_summary_clear(&result->summary);
        return summary_unpack(payload, bytes, &result->summary);
    } else if (type == COMPILE_RECORD_KERNEL && bytes == sizeof(struct compile_kernel)
               && answer->kernel_count < LAB_MAX_ALL_KERNELS) {
        memcpy(&result->kernels[answer->kernel_count], payload, bytes);
        terminate_kernel(&result->kernels[answer->kernel_count++]);
    } else if (type == COMPILE_RECORD_FINGERPRINT && !result->fingerprint && bytes <= FINGERPRINT_MAX * sizeof(uint64_t)) {
        result->fingerprint = allocate_zeroed(bytes + sizeof(uint64_t));
        memcpy(result->fingerprint, payload, bytes);
        result->fingerprint_count = bytes / sizeof(uint64_t);
    } else if (type == COMPILE_RECORD_PTX && !result->ptx) {
        result->ptx = allocate_text(payload, bytes);
        result->ptx_bytes = bytes;
    } else {
        return type == COMPILE_RECORD_DONE;
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

static void explain_death(const struct compile_server_end *end, enum record_status status, struct compile_result *result)
{
    const char *how = "it ended without an answer";
    char text[80];
    if (!end->end.signalled && end->end.code == CHILD_EXIT_UNCONFINED) {
        result->outcome = COMPILE_HARNESS;
        snprintf(result->message, sizeof result->message,
                 "The compiler's process could not be confined, so nothing was compiled. `lockstep doctor` shows more.");
        return;
    }
    if (!end->timed_out && end->end.signalled && end->end.code == SIGKILL) {
        result->outcome = COMPILE_HARNESS;
        snprintf(result->message, sizeof result->message,
                 "The compiler's process was killed from outside: this machine ran out of memory, or someone killed it.");
        return;
    }
    if (end->timed_out) {
        how = "it did not finish in time (15 s, more on a busy machine)";
    } else if (status == RECORD_BAD) {
        how = "what it produced is larger than 4 MB";
    } else if (end->end.signalled && end->end.code == SIGXCPU) {
        snprintf(text, sizeof text, "it used up its %u seconds of processor time", sandbox_cpu_seconds(SANDBOX_COMPILE));
        how = text;
    } else if (end->end.signalled) {
        snprintf(text, sizeof text, "it was ended by signal %d (%s)", end->end.code, strsignal(end->end.code));
        how = text;
    }
    explain_limits(how, result);
}

static bool has_device_runtime(const struct compile_input *input)
{
    return input->lab && input->lab->device_runtime;
}

bool compile_step_find_cached(const struct compile_input *input, lockstep_compiled *compiled)
{
    lockstep_compile_request request = compile_request_for(input->source, input->source_bytes, input->file_name,
                                                           input->unoptimized, has_device_runtime(input));
    memset(compiled, 0, sizeof *compiled);
    return lockstep_compile_find_cached(&request, compiled);
}

/* Only what a child answered in full gets into the cache, and only when it has the very library that the key names. */
static void keep_in_cache(const struct compile_input *input, const struct compile_result *result, const char *library)
{
    lockstep_compile_request request = compile_request_for(input->source, input->source_bytes, input->file_name,
                                                           input->unoptimized, has_device_runtime(input));
    lockstep_compiled compiled = {
        .ptx = result->ptx,
        .ptx_bytes = result->ptx_bytes,
        .diagnostics = result->diagnostics,
        .diagnostic_count = result->diagnostic_count,
        .seen = result->seen,
        .seen_unknown = result->seen_unknown,
    };
    if (lockstep_compiler_is_first(library))
        lockstep_compile_keep(&request, &compiled);
}

/* The request with all that belongs to it, as the child reads it. */
static bool send_request(int channel, const struct compile_input *input)
{
    const lockstep_compiled *cached = input->cached;
    size_t ptx_bytes = cached ? cached->ptx_bytes : 0;
    size_t seen_bytes = cached && cached->seen ? strlen(cached->seen) : 0;
    size_t bytes = sizeof(struct compile_request) + input->source_bytes + 1 + ptx_bytes + 1 + seen_bytes + 1;
    struct compile_request *request = allocate_zeroed(bytes);
    char *texts = (char *)(request + 1);
    snprintf(request->file_name, sizeof request->file_name, "%s", input->file_name);
    for (int i = 0; input->lab && i < input->lab->kernel_count && i < LAB_MAX_ALL_KERNELS; i++) {
        struct compile_contract *kernel = &request->kernels[request->kernel_count++];
        snprintf(kernel->name, sizeof kernel->name, "%s", input->lab->kernels[i].name);
        snprintf(kernel->signature, sizeof kernel->signature, "%s", input->lab->kernels[i].signature);
    }
    request->source_bytes = input->source_bytes;
    request->ptx_bytes = ptx_bytes;
    request->seen_bytes = seen_bytes;
    request->seen_unknown = cached && cached->seen_unknown;
    request->unoptimized = input->unoptimized;
    request->device_runtime = has_device_runtime(input);
    memcpy(texts, input->source, input->source_bytes);
    if (ptx_bytes > 0)
        memcpy(texts + input->source_bytes + 1, cached->ptx, ptx_bytes);
    if (seen_bytes > 0)
        memcpy(texts + input->source_bytes + 1 + ptx_bytes + 1, cached->seen, seen_bytes);
    bool sent = record_write(channel, COMPILE_RECORD_REQUEST, request, bytes);
    free(request);
    return sent;
}

/* What a cached module says beside its PTX was taken from a child's answer when it came. */
static void take_cached(const lockstep_compiled *cached, struct compile_result *result)
{
    result->from_cache = true;
    result->seen = cached->seen ? allocate_text(cached->seen, strlen(cached->seen)) : NULL;
    result->seen_unknown = cached->seen_unknown;
    for (size_t i = 0; i < cached->diagnostic_count; i++)
        take_diagnostic(&cached->diagnostics[i], result);
}

/* One conversation with a child. Returns false when the server went down meanwhile: then nothing is known. */
static bool converse(const struct compile_input *input, struct compile_server_child *child, struct answer *answer)
{
    struct compile_result *result = answer->result;
    int64_t deadline = record_now_ms() + ANSWER_MS;
    enum record_status status = RECORD_END;
    uint32_t type = 0;
    bool known = send_request(child->channel, input);
    while (known && type != COMPILE_RECORD_DONE) {
        void *payload;
        size_t bytes;
        status = record_read(child->channel, deadline, COMPILE_PTX_BYTES_MAX, &type, &payload, &bytes);
        known = status == RECORD_OK && take_record(type, payload, bytes, answer);
        free(payload);
    }
    struct compile_server_end end;
    if (!compile_server_finish(child, &end))
        return known;
    if (!known || (result->outcome == COMPILE_DONE && !result->ptx)) {
        explain_death(&end, status, result);
        free(result->ptx);
        result->ptx = NULL;
    }
    return true;
}

void compile_step(const struct compile_input *input, struct compile_result *result)
{
    struct compile_server_child child;
    struct answer answer = {.input = input, .result = result};
    bool answered = false;
    for (int attempt = 0; attempt < 2 && !answered; attempt++) {
        compile_step_clear(result);
        result->outcome = COMPILE_LIMITS;
        answer.kernel_count = 0;
        if (!compile_server_fork(!input->cached, &child))
            break;
        answered = converse(input, &child, &answer);
    }
    if (!answered) {
        result->outcome = COMPILE_HARNESS;
        snprintf(result->message, sizeof result->message, "could not start a process for the compiler: %s", strerror(errno));
        return;
    }
    if (result->outcome == COMPILE_REJECTED && ran_out_of_memory(result))
        explain_memory(result);
    if (result->outcome == COMPILE_DONE && !input->cached)
        keep_in_cache(input, result, answer.library);
    if (result->outcome == COMPILE_DONE && input->cached)
        take_cached(input->cached, result);
}

void compile_step_clear(struct compile_result *result)
{
    free(result->ptx);
    free(result->seen);
    free(result->diagnostics);
    free(result->fingerprint);
    ptx_summary_clear(&result->summary);
    memset(result, 0, sizeof *result);
}
