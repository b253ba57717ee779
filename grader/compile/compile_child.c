/* The child of the compile step: all that reads a submission's source and PTX for the grader. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/compile/compile_protocol.h"
#include "grader/compile/compile_step.h"
#include "grader/compile/fingerprint.h"
#include "grader/compile/runtime_calls.h"
#include "grader/compile/summary_record.h"
#include "grader/sandbox/child.h"
#include "runtime/language/source.h"

/* The emulated device presents itself as 8.0, and every GPU from that on runs the same PTX. */
enum { TARGET_MAJOR = 8, TARGET_MINOR = 0 };

lockstep_compile_request compile_request_for(const char *source, size_t source_bytes, const char *file_name,
                                             bool unoptimized, bool device_runtime)
{
    static const char *const options[] = {"--device-debug", "--relocatable-device-code=true"};
    return (lockstep_compile_request){
        .source = source,
        .source_bytes = source_bytes,
        .file_name = file_name,
        .major = TARGET_MAJOR,
        .minor = TARGET_MINOR,
        .no_cache = true,
        .options = unoptimized ? options : options + 1, /* NVRTC compiles a kernel's launches only into relocatable code */
        .option_count = (size_t)unoptimized + device_runtime,
    };
}

/* The source, and what of it the compiler saw. */
struct texts {
    const char *source, *seen;
    bool seen_unknown;
};

/* Says why a definition of that name in the text is not a kernel of the module. Returns false when the text has none. */
static bool explain_definition(const char *text, const char *name, bool hidden, char *message, size_t message_bytes)
{
    struct source *source = source_create(text, strlen(text));
    struct source_function function;
    bool global = false, found = source && source_find_function(source, name, 0, &function);
    if (found) {
        for (size_t i = function.name; i-- > 0 && !strchr(";{}", *source->tokens[i].text);)
            global |= source_token_is(&source->tokens[i], "__global__");
        int line = source->tokens[function.name].line;
        if (hidden)
            snprintf(message, message_bytes,
                     "Your file defines it in line %d, but the compiler does not see that line: an #if, #ifdef or #else "
                     "leaves it out.",
                     line);
        else if (function.template_last > function.template_first)
            snprintf(message, message_bytes,
                     "In your file it is a template, which is compiled only where it is used: write it with plain types, "
                     "without template.");
        else if (!global)
            snprintf(message, message_bytes,
                     "In your file it is a function without __global__, which only kernels can call.");
        else
            snprintf(message, message_bytes,
                     "Your file has a kernel of that name at line %d, but it is not compiled: is it within #if, a namespace "
                     "or a macro?",
                     line);
    }
    source_destroy(source);
    return found;
}

/* What the compiler did not see; no directive is left in it. */
static char *write_hidden(const struct texts *texts)
{
    char *hidden = allocate_text(texts->source, strlen(texts->source));
    for (size_t i = 0; hidden[i] != '\0'; i++)
        if ((hidden[i] == texts->seen[i] || hidden[i] == '#') && hidden[i] != '\n')
            hidden[i] = ' ';
    return hidden;
}

/* Why a kernel of the source has no code; "" when nothing is known. */
static void explain_absence(const struct texts *texts, const char *name, char *message, size_t message_bytes)
{
    if (explain_definition(texts->seen, name, false, message, message_bytes) || texts->seen == texts->source)
        return;
    char *hidden = write_hidden(texts);
    explain_definition(hidden, name, true, message, message_bytes);
    free(hidden);
}

static void report_kernels(const struct compile_request *request, const struct texts *texts,
                           const struct ptx_summary *summary)
{
    for (int i = 0; i < request->kernel_count; i++) {
        const char *name = request->kernels[i].name;
        struct compile_kernel kernel = {0};
        struct signature contract;
        const struct ptx_entry *entry = ptx_summary_entry(summary, name);
        /* which of several signatures the compiler saw must be known: then it decides */
        kernel.found_in_source = !texts->seen_unknown && signature_find(texts->seen, name, &kernel.student);
        if (entry && signature_parse(request->kernels[i].signature, &contract))
            kernel.verdict = signature_compare(&contract, kernel.found_in_source ? &kernel.student : NULL, entry,
                                               kernel.message, sizeof kernel.message);
        if (!entry)
            explain_absence(texts, name, kernel.message, sizeof kernel.message);
        record_write(CHILD_CHANNEL, COMPILE_RECORD_KERNEL, &kernel, sizeof kernel);
    }
}

static void report_fingerprint(const struct ptx_summary *summary)
{
    uint64_t *prints = allocate_zeroed(FINGERPRINT_MAX * sizeof *prints);
    size_t count = fingerprint_ptx(summary, prints);
    record_write(CHILD_CHANNEL, COMPILE_RECORD_FINGERPRINT, prints, count * sizeof *prints);
    free(prints);
}

static void report_summary(const struct ptx_summary *summary)
{
    size_t bytes;
    char *packed = summary_pack(summary, &bytes);
    record_write(CHILD_CHANNEL, COMPILE_RECORD_SUMMARY, packed, bytes);
    free(packed);
}

/* PTX that the summary cannot follow is answered anyway: the driver refuses it, and says where and why. Returns false
 * when memory is short. */
static bool report_module(const struct compile_request *request, const struct texts *texts, const char *ptx,
                          size_t ptx_bytes)
{
    struct ptx_summary summary;
    bool read = ptx_summary_read(ptx, ptx_bytes, &summary, NULL) != PTX_OUT_OF_MEMORY;
    if (read) {
        report_summary(&summary);
        report_kernels(request, texts, &summary);
        report_fingerprint(&summary);
        record_write(CHILD_CHANNEL, COMPILE_RECORD_PTX, ptx, ptx_bytes);
    }
    ptx_summary_clear(&summary);
    return read;
}

/* The reason why a file cannot be opened would reveal whether it exists. */
static void conceal_reason(lockstep_diagnostic *diagnostic)
{
    static const char words[] = "cannot open source file \"";
    char *name = strstr(diagnostic->message, words), *quote = name ? strrchr(name + sizeof words - 1, '"') : NULL;
    if (!quote)
        return;
    quote[1] = '\0';
    if (strcmp(diagnostic->kind, "directive") == 0 && strncmp(diagnostic->advice, "Device code", 11) == 0)
        snprintf(
            diagnostic->advice, sizeof diagnostic->advice, "%s",
            "A submission is one file; besides it there are only the headers that work on a GPU: stdio.h, stdint.h, math.h, "
            "assert.h and the like. CUDA's own come with the CUDA Toolkit.");
}

/* Turns the answer of a module that a submission must not have into an error at its line. Returns false when memory is
 * short. */
static bool refuse_calls(const struct compile_request *request, const char *source, const char *ptx, size_t ptx_bytes,
                         struct compile_status *status)
{
    lockstep_diagnostic refusal;
    enum runtime_calls calls = RUNTIME_CALLS_NONE;
    if (request->kernel_count > 0)
        calls = runtime_calls_find(ptx, ptx_bytes, source, request->device_runtime, &refusal);
    if (calls == RUNTIME_CALLS_FOUND) {
        snprintf(refusal.file, sizeof refusal.file, "%.255s", request->file_name);
        status->status = LOCKSTEP_COMPILE_ERROR;
        record_write(CHILD_CHANNEL, COMPILE_RECORD_STATUS, status, sizeof *status);
        record_write(CHILD_CHANNEL, COMPILE_RECORD_DIAGNOSTIC, &refusal, sizeof refusal);
    } else if (calls == RUNTIME_CALLS_NONE) {
        record_write(CHILD_CHANNEL, COMPILE_RECORD_STATUS, status, sizeof *status);
    }
    return calls != RUNTIME_CALLS_OUT_OF_MEMORY;
}

/* Compiles, or takes the PTX that came along, and answers. */
static void answer(const struct compile_child_start *start, const struct compile_request *request, const char *source,
                   const char *ptx, const char *seen)
{
    lockstep_compiled compiled = {0};
    struct compile_status *status = allocate_zeroed(sizeof *status);
    size_t ptx_bytes = request->ptx_bytes;
    lockstep_compile_request compile = compile_request_for(source, request->source_bytes, request->file_name,
                                                           request->unoptimized, request->device_runtime);
    if (request->ptx_bytes == 0 && start->version == 0) {
        status->status = start->status;
        status->error = start->error;
    } else if (request->ptx_bytes == 0) {
        status->status = lockstep_compile(&compile, &compiled, &status->error);
        status->headers_out_of_reach = !sandbox_opens_paths() && lockstep_compile_needs_toolkit(&compile);
        memcpy(status->library, start->library, sizeof status->library);
        status->seen_unknown = compiled.seen_unknown;
    }
    if (request->ptx_bytes == 0) {
        ptx = compiled.ptx;
        ptx_bytes = compiled.ptx_bytes;
    }
    /* shorter it would be if the source were not the text that text_read gives */
    if (compiled.seen && strlen(compiled.seen) == request->source_bytes)
        seen = compiled.seen;
    const struct texts texts = {source, seen, request->ptx_bytes > 0 ? request->seen_unknown : compiled.seen_unknown};
    bool whole = true;
    if (status->status == LOCKSTEP_OK)
        whole = refuse_calls(request, seen, ptx, ptx_bytes, status);
    else
        record_write(CHILD_CHANNEL, COMPILE_RECORD_STATUS, status, sizeof *status);
    if (compiled.seen)
        record_write(CHILD_CHANNEL, COMPILE_RECORD_SEEN, seen, request->source_bytes);
    for (size_t i = 0; i < compiled.diagnostic_count && i < COMPILE_DIAGNOSTICS_MAX; i++) {
        conceal_reason(&compiled.diagnostics[i]);
        record_write(CHILD_CHANNEL, COMPILE_RECORD_DIAGNOSTIC, &compiled.diagnostics[i], sizeof compiled.diagnostics[i]);
    }
    if (whole && status->status == LOCKSTEP_OK)
        whole = report_module(request, &texts, ptx, ptx_bytes);
    if (whole)
        record_write(CHILD_CHANNEL, COMPILE_RECORD_DONE, NULL, 0);
    lockstep_compiled_clear(&compiled);
    free(status);
}

void compile_child_body(const struct compile_child_start *start)
{
    struct sandbox_path folders[2];
    size_t folder_count = 0;
    for (int i = 0; i < 2; i++)
        if (start->folders[i][0] != '\0')
            folders[folder_count++] = (struct sandbox_path){start->folders[i], SANDBOX_READ};
    if (!sandbox_close(SANDBOX_COMPILE, folders, folder_count))
        _exit(CHILD_EXIT_UNCONFINED);
    uint32_t type;
    void *payload;
    size_t bytes;
    /* as UTF-8, a file may take three times its bytes */
    const size_t most = sizeof(struct compile_request) + 6 * (size_t)COMPILE_SOURCE_BYTES_MAX + COMPILE_PTX_BYTES_MAX + 3;
    if (record_read(CHILD_CHANNEL, -1, most, &type, &payload, &bytes) != RECORD_OK)
        return;
    const struct compile_request *request = payload;
    if (bytes >= sizeof *request
        && bytes - sizeof *request == request->source_bytes + 1 + request->ptx_bytes + 1 + request->seen_bytes + 1
        && (request->seen_bytes == 0 || request->seen_bytes == request->source_bytes)) {
        const char *source = (const char *)(request + 1), *ptx = source + request->source_bytes + 1;
        answer(start, request, source, ptx, request->seen_bytes > 0 ? ptx + request->ptx_bytes + 1 : source);
    }
    free(payload);
}
