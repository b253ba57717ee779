#include "runtime/lockstep.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "runtime/base/printable.h"
#include "runtime/compile/advice.h"
#include "runtime/compile/advice_warn.h"
#include "runtime/compile/cache.h"
#include "runtime/compile/compile_cache.h"
#include "runtime/compile/diagnostics.h"
#include "runtime/compile/headers.h"
#include "runtime/compile/includes.h"
#include "runtime/compile/nvrtc.h"
#include "runtime/language/conditionals.h"
#include "runtime/language/source.h"
#include "runtime/language/text.h"

/* Ours; a request may bring its own architecture or language standard instead. -default-device is not among them: a helper
 * without __device__ is an error with nvcc too, and a student should learn it here. */
static const char line_option[] = "-lineinfo", standard_option[] = "--std=c++17";
static const char toolkit_option[] = "-D__LOCKSTEP_TOOLKIT__"; /* headers.c */

struct job {
    const struct nvrtc *nvrtc;
    const lockstep_compile_request *request;
    lockstep_error *error;
    char architecture[64], include[2][CACHE_PATH_BYTES + 64];
    const char **options; /* [option_count] */
    int option_count;
};

static pthread_mutex_t bundle_lock = PTHREAD_MUTEX_INITIALIZER;
static char latest_bundle[CACHE_PATH_BYTES + 32]; /* where a library's own headers were found last */

/* Where a library's own set of headers is (13.2 and later have one): written to the cache's folder once, if that is
 * writable. A confined process has lost the environment that names the folder, but not what it knew before. */
static bool find_bundle(const struct nvrtc *nvrtc, bool may_write, char bundle[sizeof latest_bundle])
{
    char folder[CACHE_PATH_BYTES];
    const char *message = NULL;
    bool found = false;
    if (!nvrtc->install_headers)
        return false;
    pthread_mutex_lock(&bundle_lock);
    if (cache_folder(folder))
        snprintf(bundle, sizeof latest_bundle, "%s/nvrtc-headers-%d", folder, nvrtc->version);
    else
        memcpy(bundle, latest_bundle, sizeof latest_bundle);
    if (bundle[0] != '\0')
        found = may_write ? nvrtc->install_headers(bundle, 0, &message) == NVRTC_OK : access(bundle, R_OK) == 0;
    if (found)
        memcpy(latest_bundle, bundle, sizeof latest_bundle);
    pthread_mutex_unlock(&bundle_lock);
    return found;
}

/* The toolkit's headers, or the library's own where there is no toolkit around it. */
static void find_include_folders(const struct nvrtc *nvrtc, bool may_write, char folders[2][512])
{
    char bundle[sizeof latest_bundle];
    folders[0][0] = folders[1][0] = '\0';
    if (nvrtc->include[0][0]) {
        memcpy(folders, nvrtc->include, sizeof nvrtc->include);
        return;
    }
    if (!find_bundle(nvrtc, may_write, bundle) || strlen(bundle) + sizeof("/cccl") > 512)
        return;
    snprintf(folders[0], 512, "%.500s", bundle);
    snprintf(folders[1], 512, "%.500s/cccl", bundle);
}

static void choose_include_folders(struct job *job)
{
    char folders[2][512];
    if (!lockstep_compile_needs_toolkit(job->request))
        return;
    find_include_folders(job->nvrtc, !job->request->no_cache, folders);
    for (int at = 0; at < 2; at++)
        if (folders[at][0])
            snprintf(job->include[at], sizeof job->include[at], "--include-path=%s", folders[at]);
}

bool lockstep_compile_needs_toolkit(const lockstep_compile_request *request)
{
    return includes_scan(request->source, request->source_bytes, request->file_name, false).foreign;
}

void lockstep_compiler_headers(char folders[2][512])
{
    const struct nvrtc *nvrtc = NULL;
    folders[0][0] = folders[1][0] = '\0';
    if (nvrtc_get(&nvrtc, NULL) == LOCKSTEP_OK)
        find_include_folders(nvrtc, true, folders);
}

/* The newest architecture known to NVRTC for which code for the requested one may be compiled. */
static lockstep_status choose_architecture(struct job *job)
{
    int wanted = 10 * job->request->major + job->request->minor, best = 0, least = 0;
    for (int at = 0; at < job->nvrtc->architecture_count; at++) {
        int known = job->nvrtc->architectures[at];
        if (known <= wanted && known > best)
            best = known;
        if (least == 0 || known < least)
            least = known;
    }
    if (best == 0)
        return error_set(job->error, LOCKSTEP_NO_COMPILER, "nvrtcGetSupportedArchs",
                         "Install NVRTC 12, which still compiles for older devices: pip install nvidia-cuda-nvrtc-cu12.",
                         "NVRTC %d.%d compiles for compute capability %d.%d and newer, not for %d.%d",
                         job->nvrtc->version / 100, job->nvrtc->version % 100, least / 10, least % 10, job->request->major,
                         job->request->minor);
    snprintf(job->architecture, sizeof job->architecture, "--gpu-architecture=compute_%d", best);
    return LOCKSTEP_OK;
}

static lockstep_status prepare(struct job *job)
{
    const lockstep_compile_request *request = job->request;
    lockstep_status status = choose_architecture(job);
    if (status != LOCKSTEP_OK)
        return status;
    choose_include_folders(job);
    size_t bytes = (request->option_count + 8) * sizeof *job->options;
    job->options = malloc(bytes);
    if (!job->options)
        return error_host_memory(job->error, "lockstep_compile", bytes);
    if (!compile_has_option(request, "--gpu-architecture", "-arch"))
        job->options[job->option_count++] = job->architecture;
    if (!compile_has_option(request, "--std", "-std"))
        job->options[job->option_count++] = standard_option;
    job->options[job->option_count++] = line_option;
    for (size_t at = 0; at < request->option_count; at++)
        job->options[job->option_count++] = request->options[at];
    for (int at = 0; at < 2; at++)
        if (job->include[at][0])
            job->options[job->option_count++] = job->include[at];
    if (job->include[0][0])
        job->options[job->option_count++] = toolkit_option;
    return LOCKSTEP_OK;
}

static lockstep_status describe_first_error(const lockstep_compiled *compiled, lockstep_error *error, int result)
{
    size_t at = 0, errors = 0;
    for (size_t each = compiled->diagnostic_count; each-- > 0;)
        if (compiled->diagnostics[each].severity == LOCKSTEP_ERROR) {
            at = each;
            errors++;
        }
    const lockstep_diagnostic *first = &compiled->diagnostics[at];
    char place[64] = "", more[64] = "";
    if (first->column > 0)
        snprintf(place, sizeof place, ":%d:%d", first->line, first->column);
    else if (first->line > 0)
        snprintf(place, sizeof place, ":%d", first->line);
    if (errors > 1)
        snprintf(more, sizeof more, " (and %zu more)", errors - 1);
    error_set(error, LOCKSTEP_COMPILE_ERROR, "nvrtcCompileProgram",
              "Fix the first error first; later ones may follow from it.", "%s%s: %.600s%s%s%s", first->file, place,
              first->message, first->advice[0] != '\0' ? ". " : "", first->advice, more);
    if (error)
        error->cuda_result = result;
    return LOCKSTEP_COMPILE_ERROR;
}

/* The line that holds the last non-blank character of the source. */
static int last_line(const lockstep_compile_request *request)
{
    int line = 1, last = 1;
    for (size_t at = 0; at < request->source_bytes; at++) {
        char character = request->source[at];
        last = character != ' ' && character != '\t' && character != '\r' && character != '\n' ? line : last;
        line += character == '\n';
    }
    return last;
}

static void place_at_end(const lockstep_compile_request *request, struct diagnostics *diagnostics)
{
    for (size_t at = 0; at < diagnostics->count; at++) {
        lockstep_diagnostic *entry = &diagnostics->entries[at];
        if (entry->line != DIAGNOSTICS_LINE_END)
            continue;
        entry->line = last_line(request);
        printable_append(entry->file, sizeof entry->file, request->file_name, strlen(request->file_name));
        static const char place[] = " at the end of the file";
        printable_append(entry->message, sizeof entry->message, place, strlen(place));
    }
}

/* Turns the result of nvrtcCompileProgram into a status; log is NULL when it could not be read. */
static lockstep_status judge(struct job *job, int result, const char *log, lockstep_compiled *compiled)
{
    struct diagnostics diagnostics = {NULL, 0, 0};
    const lockstep_compile_request *request = job->request;
    bool complete = !log || diagnostics_parse(log, strlen(log), &diagnostics);
    const char *source = compiled->seen ? compiled->seen : request->source;
    source_limit_work(SOURCE_EXPLAIN_WORK);
    advice_give(source, request->source_bytes, request->file_name, &diagnostics);
    if (complete && result == NVRTC_OK)
        complete = advice_warn(source, request->source_bytes, request->file_name, &diagnostics);
    source_limit_work(0);
    place_at_end(job->request, &diagnostics);
    char excerpt[512] = "";
    printable_append(excerpt, sizeof excerpt, log ? log : "", log ? strcspn(log, "\n") : 0);
    lockstep_status status = LOCKSTEP_OK;
    if (result == NVRTC_INVALID_OPTION) {
        status = error_set(job->error, LOCKSTEP_INVALID_ARGUMENT, "nvrtcCompileProgram", "Fix the compiler options.",
                           "NVRTC refuses an option: %s", excerpt);
    } else if (result == NVRTC_BUILTIN_OPERATION_FAILURE) {
        status = error_set(job->error, LOCKSTEP_NO_COMPILER, "nvrtcCompileProgram",
                           "libnvrtc-builtins.so must be beside libnvrtc.so and of the same version: reinstall NVRTC.",
                           "%s: %s", job->nvrtc->identity.path, excerpt[0] ? excerpt : job->nvrtc->error_string(result));
    } else if (result == NVRTC_OUT_OF_MEMORY && !diagnostics_have_error(&diagnostics)) {
        status = error_set(job->error, LOCKSTEP_OUT_OF_MEMORY, "nvrtcCompileProgram", "Close other programs.",
                           "the compiler ran out of memory");
    } else if (result != NVRTC_OK) {
        char message[600];
        status = LOCKSTEP_COMPILE_ERROR;
        snprintf(message, sizeof message, "the compiler failed: %s",
                 excerpt[0] ? excerpt : job->nvrtc->error_string(result));
        if (complete && !diagnostics_have_error(&diagnostics))
            complete = diagnostics_add(&diagnostics, LOCKSTEP_ERROR, job->request->file_name, 0, 0, message);
    }
    if (!complete) {
        free(diagnostics.entries);
        return error_host_memory(job->error, "lockstep_compile", sizeof(lockstep_diagnostic) * (diagnostics.count + 1));
    }
    compiled->diagnostics = diagnostics.entries;
    compiled->diagnostic_count = diagnostics.count;
    return status == LOCKSTEP_COMPILE_ERROR ? describe_first_error(compiled, job->error, result) : status;
}

static lockstep_status fetch_ptx(struct job *job, nvrtc_program program, lockstep_compiled *compiled)
{
    size_t bytes = 0;
    int result = job->nvrtc->ptx_bytes(program, &bytes);
    if (result == NVRTC_OK && bytes > 0) {
        compiled->ptx = malloc(bytes);
        if (!compiled->ptx)
            return error_host_memory(job->error, "nvrtcGetPTX", bytes);
        result = job->nvrtc->ptx(program, compiled->ptx);
        compiled->ptx[bytes - 1] = '\0';
        compiled->ptx_bytes = strlen(compiled->ptx);
    }
    if (result == NVRTC_OK && compiled->ptx_bytes > 0)
        return LOCKSTEP_OK;
    return error_set(job->error, LOCKSTEP_NO_COMPILER, "nvrtcGetPTX", "Reinstall NVRTC.",
                     "%s compiled the source but returned no PTX: %s", job->nvrtc->identity.path,
                     job->nvrtc->error_string(result));
}

/* What the compiler said; NULL: nothing that could be read. The caller frees it. */
static char *fetch_log(const struct job *job, nvrtc_program program)
{
    size_t log_bytes = 0;
    char *log = NULL;
    if (job->nvrtc->log_bytes(program, &log_bytes) == NVRTC_OK && log_bytes > 1 && (log = malloc(log_bytes))) {
        if (job->nvrtc->log(program, log) == NVRTC_OK) {
            log[log_bytes - 1] = '\0';
        } else {
            free(log);
            log = NULL;
        }
    }
    return log;
}

/* ---- what the compiler sees ----------------------------------------------------------------------------------------- */

/* Options that could hide the warnings which answer, or stop at the first. */
static bool is_about_warnings(const char *option)
{
    return strcmp(option, "-w") == 0 || strstr(option, "-disable-warnings") || strstr(option, "-Werror")
           || strstr(option, "diag-");
}

/* Has the compiler decide each condition of the source, with the options and headers of the job. */
static bool ask_compiler(const struct job *job, struct conditionals *conditionals)
{
    const char *const *names, *const *texts;
    const char **options = malloc(((size_t)job->option_count + 1) * sizeof *options);
    char *question = options ? conditionals_ask(conditionals) : NULL, *log = NULL;
    int header_count, option_count = 0;
    nvrtc_program program = NULL;
    headers_get(job->include[0][0] != '\0', &names, &texts, &header_count);
    for (int at = 0; options && at < job->option_count; at++)
        if (!is_about_warnings(job->options[at]))
            options[option_count++] = job->options[at];
    if (question
        && job->nvrtc->create(&program, question, job->request->file_name, header_count, texts, names) == NVRTC_OK) {
        job->nvrtc->compile(program, option_count, options); /* errors may follow from what the question leaves out */
        log = fetch_log(job, program);
        job->nvrtc->destroy(&program);
    }
    bool answered = log && conditionals_answer(conditionals, log);
    free(log);
    free(question);
    free(options);
    return answered;
}

static void find_seen(const struct job *job, lockstep_compiled *compiled)
{
    const lockstep_compile_request *request = job->request;
    if (!memchr(request->source, '#', request->source_bytes) && !memmem(request->source, request->source_bytes, "%:", 2))
        return;
    char *copy = malloc(request->source_bytes + 1);
    struct conditionals *conditionals = NULL;
    if (copy) {
        memcpy(copy, request->source, request->source_bytes);
        copy[request->source_bytes] = '\0';
        conditionals = conditionals_read(request->source, request->source_bytes);
    }
    compiled->seen_unknown = !conditionals || (!conditionals_are_certain(conditionals) && !ask_compiler(job, conditionals));
    if (conditionals && conditionals_blank(conditionals, copy)) {
        compiled->seen = copy;
        copy = NULL;
    }
    conditionals_destroy(conditionals);
    free(copy);
}

static lockstep_status compile_program(struct job *job, nvrtc_program program, lockstep_compiled *compiled)
{
    int result = job->nvrtc->compile(program, job->option_count, job->options);
    char *log = fetch_log(job, program);
    if (result != NVRTC_INVALID_OPTION)
        find_seen(job, compiled);
    lockstep_status status = judge(job, result, log, compiled);
    free(log);
    return status == LOCKSTEP_OK ? fetch_ptx(job, program, compiled) : status;
}

/* NVRTC takes strings, so it would silently ignore everything after a zero byte. */
static lockstep_status refuse_zero_byte(const lockstep_compile_request *request, const char *zero,
                                        lockstep_compiled *compiled, lockstep_error *error)
{
    int line = 1;
    for (const char *at = request->source; at < zero; at++)
        line += *at == '\n';
    struct diagnostics diagnostics = {NULL, 0, 0};
    if (!diagnostics_add(&diagnostics, LOCKSTEP_ERROR, request->file_name, line, 0,
                         "this is not a text file: it contains a zero byte here"))
        return error_host_memory(error, "lockstep_compile", sizeof(lockstep_diagnostic));
    compiled->diagnostics = diagnostics.entries;
    compiled->diagnostic_count = diagnostics.count;
    return describe_first_error(compiled, error, 0);
}

static lockstep_status compile_now(const lockstep_compile_request *request, lockstep_compiled *compiled,
                                   lockstep_error *error, const struct nvrtc **used)
{
    struct job job = {.request = request, .error = error};
    lockstep_status status = nvrtc_get(&job.nvrtc, error);
    if (status != LOCKSTEP_OK)
        return status;
    *used = job.nvrtc;
    char *source = malloc(request->source_bytes + 1);
    if (!source)
        return error_host_memory(error, "lockstep_compile", request->source_bytes);
    memcpy(source, request->source, request->source_bytes);
    source[request->source_bytes] = '\0';

    const char *const *names, *const *texts;
    int header_count;
    nvrtc_program program = NULL;
    status = prepare(&job);
    headers_get(job.include[0][0] != '\0', &names, &texts, &header_count);
    if (status == LOCKSTEP_OK) {
        int result = job.nvrtc->create(&program, source, request->file_name, header_count, texts, names);
        if (result == NVRTC_OK) {
            status = compile_program(&job, program, compiled);
            job.nvrtc->destroy(&program);
        } else {
            status = error_set(error, result == NVRTC_OUT_OF_MEMORY ? LOCKSTEP_OUT_OF_MEMORY : LOCKSTEP_INVALID_ARGUMENT,
                               "nvrtcCreateProgram", NULL, "%s: %s", request->file_name, job.nvrtc->error_string(result));
        }
        if (status != LOCKSTEP_OK && error && error->cuda_result == 0 && result != NVRTC_OK)
            error->cuda_result = result;
    }
    free(job.options);
    free(source);
    return status;
}

/* With the source as its author meant it. */
static lockstep_status compile_text(const lockstep_compile_request *request, lockstep_compiled *compiled,
                                    lockstep_error *error)
{
    const char *zero = request->source_bytes > 0 ? memchr(request->source, '\0', request->source_bytes) : NULL;
    if (zero)
        return refuse_zero_byte(request, zero, compiled, error);

    struct cache_key key;
    bool keyed = !request->no_cache && compile_cache_key(request, &key);
    if (keyed && compile_cache_load(&key, compiled))
        return LOCKSTEP_OK;
    const struct nvrtc *used = NULL;
    struct nvrtc_identity expected;
    bool identified = keyed && nvrtc_identify(&expected);
    lockstep_status status = compile_now(request, compiled, error, &used);
    /* the key names the library that was expected: another library's result must not be stored under it */
    if (status == LOCKSTEP_OK && identified && memcmp(&expected, &used->identity, sizeof expected) == 0)
        compile_cache_store(&key, compiled);
    if (status != LOCKSTEP_OK && status != LOCKSTEP_COMPILE_ERROR)
        lockstep_compiled_clear(compiled);
    return status;
}

lockstep_status lockstep_compile(const lockstep_compile_request *request, lockstep_compiled *compiled, lockstep_error *error)
{
    if (!compiled || !request || !request->source || !request->file_name || (request->option_count > 0 && !request->options))
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, "lockstep_compile", NULL,
                         "request, compiled, source, file_name and options must not be NULL");
    memset(compiled, 0, sizeof *compiled);
    if (request->major < 1 || request->minor < 0 || request->minor > 9)
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, "lockstep_compile",
                         "Take major and minor from lockstep_device_info.", "there is no compute capability %d.%d",
                         request->major, request->minor);
    lockstep_compile_request meant = *request;
    char *text = text_read(request->source, request->source_bytes, &meant.source_bytes);
    if (!text)
        return error_host_memory(error, "lockstep_compile", request->source_bytes);
    meant.source = text;
    lockstep_status status = compile_text(&meant, compiled, error);
    free(text);
    return status;
}

void lockstep_compiled_clear(lockstep_compiled *compiled)
{
    if (!compiled)
        return;
    free(compiled->ptx);
    free(compiled->diagnostics);
    free(compiled->seen);
    memset(compiled, 0, sizeof *compiled);
}

lockstep_status lockstep_compiler_find(int *version, char *path, size_t path_bytes, lockstep_error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool warm;
    /* makes NVRTC read its builtins and its library of device functions */
    static const char source[] = "__global__ void warm(float *a) { printf(\"%f\", sinf(*a) / expf(*a)); }";
    const struct nvrtc *nvrtc = NULL;
    lockstep_status status = nvrtc_get(&nvrtc, error);
    pthread_mutex_lock(&lock);
    if (status == LOCKSTEP_OK && !warm) {
        lockstep_compiled compiled;
        int architecture = nvrtc->architectures[nvrtc->architecture_count - 1];
        lockstep_compile_request request = {.source = source,
                                            .source_bytes = sizeof source - 1,
                                            .file_name = "/warm-up.cu",
                                            .major = architecture / 10,
                                            .minor = architecture % 10,
                                            .no_cache = true};
        status = lockstep_compile(&request, &compiled, error);
        if (status == LOCKSTEP_COMPILE_ERROR)
            status = error_set(error, LOCKSTEP_NO_COMPILER, "nvrtcCompileProgram", "Reinstall NVRTC.",
                               "%s does not compile a correct kernel: %s", nvrtc->identity.path,
                               compiled.diagnostics[0].message);
        warm = status == LOCKSTEP_OK;
        lockstep_compiled_clear(&compiled);
    }
    pthread_mutex_unlock(&lock);
    if (status != LOCKSTEP_OK)
        return status;
    if (version)
        *version = nvrtc->version;
    if (path && path_bytes > 0)
        snprintf(path, path_bytes, "%s", nvrtc->identity.path);
    return LOCKSTEP_OK;
}
