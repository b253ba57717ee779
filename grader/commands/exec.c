/* The command exec: runs any program with the emulated driver instead of NVIDIA's. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/exit_status.h"
#include "grader/base/paint.h"
#include "grader/commands/library_code.h"
#include "grader/judge/findings.h"
#include "grader/options/commands.h"
#include "grader/program/tools.h"
#include "grader/result/diagnose.h"
#include "grader/result/excerpt.h"
#include "grader/result/report.h"
#include "grader/result/result_json.h"
#include "runtime/base/printable.h"
#include "runtime/base/user_cache.h"

#define DRIVER_FILE     "libcuda.so.1"
#define RUNTIME_FILE_13 "libcudart.so.13"
#define RUNTIME_FILE_12 "libcudart.so.12"
#define AUDIT_FILE      "libaudit.so"
#define PATH_BYTES      TOOLS_PATH_BYTES

/* How often new findings are looked for while the program runs. */
#define LOOK_EVERY_MS 200

struct execution {
    pid_t pid;
    char *const *arguments; /* the program and what it is given */
    const char *checks;
    FILE *wanted_findings; /* LOCKSTEP_FINDINGS of our own environment: they are appended there, too; NULL: not set */
    int findings;          /* memory file that the driver appends to */
    uint64_t shown_bytes;  /* of it */
    int summary;           /* memory file for what the driver says at the end */
    json_t *list;          /* all findings; those of launches once for all launches */
    json_t *groups;        /* those that may come again, by what they are about */
    json_t *leaks;         /* warnings about leaks: shown at the end, if the program went well */
    json_t *of_libraries;  /* the first finding about code that is not the user's; NULL: none */
    json_int_t library_count;
    json_int_t count[3]; /* of them: errors, warnings, notes */
    bool colour;
};

static void prepend(const char *variable, const char *value, char separator)
{
    const char *old = getenv(variable);
    char *joined = old && old[0] != '\0' ? allocate_format("%s%c%s", value, separator, old) : allocate_format("%s", value);
    setenv(variable, joined, 1);
    free(joined);
}

/* Caches of compiled kernels are kept apart from those of programs that run on a GPU: ours hold PTX, theirs machine code. */
static void keep_caches_apart(void)
{
    static const struct {
        const char *variable, *folder, *file; /* file: what the variable names in the folder */
    } caches[] = {{"PYCUDA_CACHE_DIR", "pycuda", ""}, {"CUPY_CACHE_DIR", "cupy", ""},  {"NUMBA_CACHE_DIR", "numba", ""},
                  {"TRITON_CACHE_DIR", "triton", ""}, {"WARP_CACHE_PATH", "warp", ""}, {"CACHEDB", "tinygrad", "cache.db"}};
    const char *own = getenv("LOCKSTEP_CACHE");
    char folder[PATH_BYTES];
    if (!user_cache_folder(own && strcmp(own, "none") == 0 ? NULL : own, folder, sizeof folder))
        return;
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
        char *path = allocate_format("%s/clients/%s/%s", folder, caches[i].folder, caches[i].file);
        if (user_cache_make_folders(path))
            setenv(caches[i].variable, path, 1);
        else
            fprintf(stderr, "lockstep: cannot make %s (%s), so %s keeps its compiled kernels where it always does\n", path,
                    strerror(errno), caches[i].folder);
        free(path);
    }
}

/* Whether the folder holds the toolkit's headers; then it becomes CUDA_PATH. */
static bool is_toolkit(const char *folder)
{
    char *header = allocate_format("%s/include/cuda_runtime.h", folder);
    bool found = access(header, R_OK) == 0;
    free(header);
    if (found)
        setenv("CUDA_PATH", folder, 1);
    return found;
}

/* CuPy looks for the toolkit's headers beside the nvcc in the PATH, which will be ours: CUDA_PATH says where they are. */
static void name_toolkit(void)
{
    const char *given = getenv("CUDA_PATH"), *path = getenv("PATH");
    if (given && given[0] != '\0')
        return;
    for (const char *at = path; at && *at != '\0';) {
        size_t length = strcspn(at, ":");
        char whole[PATH_BYTES], *nvcc = allocate_format("%.*s/nvcc", (int)length, at);
        bool found = length > 0 && access(nvcc, X_OK) == 0 && realpath(nvcc, whole);
        free(nvcc);
        for (int up = 0; found && up < 2; up++) { /* BIN/nvcc: two levels up */
            char *slash = strrchr(whole, '/');
            if (slash)
                *slash = '\0';
        }
        if (found && is_toolkit(whole))
            return;
        at += length + (at[length] == ':');
    }
    is_toolkit("/usr/local/cuda");
}

/* CuPy calls NVIDIA's nvcc by its whole path, unless NVCC names another. What names a compiler of another kind, or has options
 * with it, stays: it is there for a build. */
static void name_compiler(const char *nvcc)
{
    const char *given = getenv("NVCC"), *name = given ? strrchr(given, '/') : NULL;
    if (!given || given[0] == '\0' || strcmp(name ? name + 1 : given, "nvcc") == 0)
        setenv("NVCC", nvcc, 1);
}

/* Programs and libraries of ours in front of NVIDIA's compilers (runtime/emulator/stand_ins). */
static void put_in_front(const char *folder)
{
    char *programs = allocate_format("%s/bin", folder), *ptxas = allocate_format("%s/bin/ptxas", folder),
         *nvcc = allocate_format("%s/bin/nvcc", folder), *audit = allocate_format("%s/stand_ins/" AUDIT_FILE, folder);
    name_toolkit();
    prepend("PATH", programs, ':');
    prepend("LD_AUDIT", audit, ':');
    setenv("TRITON_PTXAS_PATH", ptxas, 1);
    name_compiler(nvcc);
    keep_caches_apart();
    free(nvcc);
    free(programs);
    free(ptxas);
    free(audit);
}

/* In the new process. LD_LIBRARY_PATH serves programs that load the driver by name; LD_PRELOAD those with a path of their
 * own built in: the loader takes a library that is there already, by its soname. The runtime libraries must be there early
 * also to serve programs that have NVIDIA's built in (runtime/emulator/cudart). */
static void become_program(const struct options *options, const char *folder, const struct execution *execution, int failure)
{
    char *file = allocate_format("%s/" DRIVER_FILE ":%s/" RUNTIME_FILE_13 ":%s/" RUNTIME_FILE_12, folder, folder, folder),
         *sink = allocate_format("/proc/%d/fd/%d", (int)getppid(), execution->findings),
         *summary = allocate_format("/proc/%d/fd/%d", (int)getppid(), execution->summary);
    prepend("LD_LIBRARY_PATH", folder, ':');
    prepend("LD_PRELOAD", file, ':');
    put_in_front(folder);
    prctl(PR_SET_PDEATHSIG, SIGTERM);         /* the program ends with us, however that is */
    setenv("LOCKSTEP_DEVICE", "emulated", 1); /* programs of our own runtime would look for a GPU elsewhere */
    setenv("LOCKSTEP_CHECKS", execution->checks, 1);
    setenv("LOCKSTEP_FINDINGS", sink, 1);
    setenv("LOCKSTEP_SUMMARY", summary, 1);
    execvp(options->arguments[0], options->arguments);
    int reason = errno;
    ssize_t ignored = write(failure, &reason, sizeof reason);
    (void)ignored;
    _exit(127);
}

/* Starts the program. Returns false with errno set when it cannot be started. */
static bool start(const struct options *options, const char *folder, struct execution *execution)
{
    int failure[2], reason = 0;
    if (pipe2(failure, O_CLOEXEC) != 0)
        return false;
    fflush(NULL);
    execution->pid = fork();
    if (execution->pid == 0)
        become_program(options, folder, execution, failure[1]);
    close(failure[1]);
    ssize_t got = execution->pid > 0 ? read(failure[0], &reason, sizeof reason) : -1;
    close(failure[0]);
    if (got == 0)
        return true; /* closed by a successful exec */
    if (execution->pid > 0)
        waitpid(execution->pid, NULL, 0);
    errno = reason;
    return false;
}

/* ---- what was found ---- */

static void show_thread(const struct execution *execution, const json_t *finding)
{
    int thread[3], block[3];
    json_t *where = json_object_get(finding, "thread"), *of = json_object_get(finding, "block");
    if (json_unpack(where, "[iii]", thread, thread + 1, thread + 2) != 0
        || json_unpack(of, "[iii]", block, block + 1, block + 2) != 0)
        return;
    json_int_t count = json_integer_value(json_object_get(finding, "count"));
    fprintf(stderr, "    %sthread (%d,%d,%d) of block (%d,%d,%d)", paint_on(execution->colour, PAINT_DIM), thread[0],
            thread[1], thread[2], block[0], block[1], block[2]);
    if (count > 1)
        fprintf(stderr, "; %lld times in all", (long long)count);
    fprintf(stderr, "%s\n", paint_off(execution->colour));
}

/* Below what was found: the calls, the arithmetic, the lines around it, a question. */
static void explain(const struct execution *execution, const json_t *object)
{
    struct result_finding *finding = allocate_zeroed(sizeof *finding);
    if (findings_take(object, finding)) {
        char *source = finding->file[0] != '\0' ? library_code_read(finding->file) : NULL;
        report_explanation(stderr, finding, source, execution->colour);
        const char *hint = diagnose_hint(finding);
        if (hint[0] != '\0' && excerpt_has_line(source, finding->line))
            fputc('\n', stderr);
        if (hint[0] != '\0')
            paint_wrapped(stderr, 4, hint, execution->colour, PAINT_BOLD);
        free(source);
    }
    free(finding);
}

static void show(struct execution *execution, const json_t *finding)
{
    char place[700] = "", line[32];
    const char *code = json_string_value(json_object_get(finding, "code"));
    const char *file = json_string_value(json_object_get(finding, "file"));
    const char *message = json_string_value(json_object_get(finding, "message"));
    const char *severity = json_string_value(json_object_get(finding, "severity"));
    const char *kernel = json_string_value(json_object_get(finding, "kernel"));
    json_int_t number = json_integer_value(json_object_get(finding, "line"));
    bool error = !severity || strcmp(severity, "error") == 0;
    execution->count[error ? 0 : strcmp(severity, "warning") == 0 ? 1 : 2]++;
    if (file && number > 0) {
        printable_append(place, 500, file, strlen(file));
        snprintf(line, sizeof line, ":%lld", (long long)number);
        strcat(place, line);
    } else if (kernel) {
        json_int_t ptx_line = json_integer_value(json_object_get(finding, "ptx_line"));
        printable_append(place, 500, kernel, strlen(kernel));
        snprintf(line, sizeof line, ", PTX line %lld", (long long)ptx_line);
        if (ptx_line > 0)
            strcat(place, line);
    }
    fprintf(stderr, "%slockstep: %s%s  %s\n", paint_on(execution->colour, error ? PAINT_RED : PAINT_YELLOW),
            code ? diagnose_title(code) : "finding", paint_off(execution->colour), place);
    if (message)
        paint_wrapped(stderr, 4, message, execution->colour, PAINT_PLAIN);
    show_thread(execution, finding);
    explain(execution, finding);
}

/* What a finding is about, as a key. A call of the host is known by its message alone. */
static char *key_of(const json_t *finding)
{
    const char *const parts[] = {"code", "kernel", "file", "line", "file2", "line2", "ptx_line", "ptx_line2", "array"};
    json_t *about = json_array();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        json_array_append(about, json_object_get(finding, parts[i]));
    if (json_integer_value(json_object_get(finding, "launch")) == 0)
        json_array_append(about, json_object_get(finding, "message"));
    char *key = json_dumps(about, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(about);
    return key;
}

/* The same without its numbers: calls that differ in sizes alone. */
static char *key_without_numbers(const char *key)
{
    char *kind = allocate_format("%s", key), *end = kind;
    for (const char *at = key; *at; at++)
        if (*at < '0' || *at > '9')
            *end++ = *at;
    *end = '\0';
    return kind;
}

static void count_again(json_t *old, const json_t *finding)
{
    json_int_t count = json_integer_value(json_object_get(old, "count"));
    count += json_integer_value(json_object_get(finding, "count"));
    json_object_set_new(old, "count", json_integer(count));
    json_object_set_new(old, "launches", json_integer(json_integer_value(json_object_get(old, "launches")) + 1));
}

/* Of calls that differ in their numbers alone the first few are shown; the last of these counts the rest. Returns it, or NULL
 * when the finding is to be shown. */
static json_t *find_last_of_kind(struct execution *execution, const char *key, json_t *finding)
{
    enum { SHOWN_OF_A_KIND = 4 };
    char *kind = key_without_numbers(key);
    json_t *shown = json_object_get(execution->groups, kind), *last = NULL;
    if (!shown) {
        shown = json_array();
        json_object_set_new(execution->groups, kind, shown);
    }
    if (json_array_size(shown) >= SHOWN_OF_A_KIND)
        last = json_array_get(shown, SHOWN_OF_A_KIND - 1);
    else
        json_array_append(shown, finding);
    free(kind);
    return last;
}

/* The same in a later launch, or by a later call, is counted, not shown again. Returns false when it is new. */
static bool is_repeated(struct execution *execution, json_t *finding)
{
    char *key = key_of(finding);
    json_t *old = key ? json_object_get(execution->groups, key) : NULL;
    if (key && !old && json_integer_value(json_object_get(finding, "launch")) == 0)
        old = find_last_of_kind(execution, key, finding);
    if (old) {
        count_again(old, finding);
    } else if (key) {
        json_object_set_new(finding, "launches", json_integer(1));
        json_object_set(execution->groups, key, finding);
    }
    free(key);
    return old != NULL;
}

static void show_libraries(const struct execution *execution)
{
    const json_t *first = execution->of_libraries;
    const char *kernel = json_string_value(json_object_get(first, "kernel"));
    const char *code = json_string_value(json_object_get(first, "code"));
    char name[300] = "", *line;
    if (!first)
        return;
    if (kernel)
        printable_append(name, sizeof name, kernel, strlen(kernel));
    line = allocate_format("library code: %lld finding%s in a library's own code, not "
                           "shown and not counted; the first: %s in %s. LOCKSTEP_FINDINGS=FILE keeps them all.",
                           (long long)execution->library_count, execution->library_count == 1 ? "" : "s",
                           code ? diagnose_title(code) : "finding", name[0] ? name : "a kernel");
    fputs("lockstep: ", stderr);
    paint_wrapped(stderr, 0, line, execution->colour, PAINT_PLAIN);
    free(line);
}

/* Takes a finding that was read: shows it, counts it, or keeps it for the end. */
static void take(struct execution *execution, json_t *finding)
{
    const char *code = json_string_value(json_object_get(finding, "code"));
    if (library_code_is(finding, execution->arguments)) {
        if (!execution->of_libraries)
            execution->of_libraries = json_incref(finding);
        execution->library_count++;
    } else if (code && strcmp(code, "leak") == 0) {
        json_array_append(execution->leaks, finding);
    } else if (!is_repeated(execution, finding)) {
        show(execution, finding);
        json_array_append(execution->list, finding);
    }
}

/* A program that failed had no time to free anything. */
static void show_leaks(struct execution *execution, int waited)
{
    size_t i;
    json_t *leak;
    if (!WIFEXITED(waited) || WEXITSTATUS(waited) != 0)
        return;
    json_array_foreach(execution->leaks, i, leak)
    {
        show(execution, leak);
        json_array_append(execution->list, leak);
    }
}

/* Shows the whole lines that were appended since the last look. */
static void look(struct execution *execution)
{
    off_t end = lseek(execution->findings, 0, SEEK_END);
    if (end <= (off_t)execution->shown_bytes)
        return;
    size_t bytes = (size_t)end - execution->shown_bytes;
    char *text = allocate_zeroed(bytes + 1);
    ssize_t got = pread(execution->findings, text, bytes, (off_t)execution->shown_bytes);
    for (char *at = text, *line_end; got > 0 && (line_end = memchr(at, '\n', (size_t)(text + got - at)));
         at = line_end + 1) {
        json_t *finding = json_loadb(at, (size_t)(line_end - at), 0, NULL);
        if (execution->wanted_findings)
            fwrite(at, 1, (size_t)(line_end + 1 - at), execution->wanted_findings);
        execution->shown_bytes += (uint64_t)(line_end + 1 - at);
        if (json_is_object(finding))
            take(execution, finding);
        json_decref(finding);
    }
    free(text);
    if (execution->wanted_findings)
        fflush(execution->wanted_findings);
    /* A program that launches for ever must not fill the memory with what has been read. */
    fallocate(execution->findings, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)execution->shown_bytes);
}

/* ---- the end ---- */

/* How many launches there were; -1 when the driver could not say: it was never called, or the program was killed. */
static json_int_t count_launches(const struct execution *execution)
{
    char text[512] = "";
    json_int_t launches = -1;
    ssize_t got = pread(execution->summary, text, sizeof text - 1, 0);
    for (const char *at = text; got > 0 && *at != '\0'; at += strcspn(at, "\n") + 1) { /* one line per process */
        json_t *summary = json_loadb(at, strcspn(at, "\n"), 0, NULL);
        if (json_is_object(summary))
            launches = (launches < 0 ? 0 : launches) + json_integer_value(json_object_get(summary, "launches"));
        json_decref(summary);
        if (at[strcspn(at, "\n")] == '\0')
            break;
    }
    return launches;
}

static void show_repeated(const struct execution *execution)
{
    size_t i;
    json_t *finding;
    json_array_foreach(execution->list, i, finding)
    {
        json_int_t launches = json_integer_value(json_object_get(finding, "launches"));
        const char *code = json_string_value(json_object_get(finding, "code"));
        const char *kernel = json_string_value(json_object_get(finding, "kernel"));
        if (launches < 2 || !code || !kernel)
            continue;
        if (json_integer_value(json_object_get(finding, "launch")) == 0) {
            fprintf(stderr, "lockstep: %s: %lld calls like this one: %s\n", diagnose_title(code), (long long)launches,
                    json_string_value(json_object_get(finding, "message")));
            continue;
        }
        char name[300] = "";
        printable_append(name, sizeof name, kernel, strlen(kernel));
        fprintf(stderr, "lockstep: %s in %s: in %lld launches, first in launch %lld; %lld times in all\n",
                diagnose_title(code), name, (long long)launches,
                (long long)json_integer_value(json_object_get(finding, "launch")),
                (long long)json_integer_value(json_object_get(finding, "count")));
    }
}

static void show_summary(const struct execution *execution, json_int_t launches, int waited)
{
    static const char *const words[] = {"error", "warning", "note"};
    bool any = false;
    fprintf(stderr, "lockstep: ");
    for (int i = 0; i < 3; i++) {
        if (execution->count[i] > 0)
            fprintf(stderr, "%s%lld %s%s", any ? ", " : "", (long long)execution->count[i], words[i],
                    execution->count[i] == 1 ? "" : "s");
        any |= execution->count[i] > 0;
    }
    if (launches >= 0)
        fprintf(stderr, "%s in %lld launch%s\n", any ? "" : "nothing found", (long long)launches, launches == 1 ? "" : "es");
    else if (WIFSIGNALED(waited))
        fprintf(stderr, "%s; signal %d (%s) ended the program\n", any ? "" : "nothing found", WTERMSIG(waited),
                strsignal(WTERMSIG(waited)));
    else
        fputs(any ? "\n" : "nothing found; the program never called the driver, or was killed\n", stderr);
}

static volatile pid_t running; /* the program, for the handler */

/* Who asks us to end means the program, which then tells what it had found. */
static void pass_on(int number)
{
    kill(running, number);
}

/* Waits for the end and shows findings meanwhile. Returns the wait status. */
static int watch(struct execution *execution)
{
    struct sigaction passing = {.sa_handler = pass_on};
    int status = 0;
    int process = (int)syscall(SYS_pidfd_open, execution->pid, 0);
    struct pollfd ended = {process, POLLIN, 0};
    /* Ctrl-C is the program's; we stay to report. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    running = execution->pid;
    sigaction(SIGTERM, &passing, NULL);
    sigaction(SIGHUP, &passing, NULL);
    for (int ready = 0; process >= 0 && (ready == 0 || (ready < 0 && errno == EINTR));) {
        look(execution);
        ready = poll(&ended, 1, LOOK_EVERY_MS);
    }
    while (waitpid(execution->pid, &status, 0) < 0 && errno == EINTR) {}
    if (process >= 0)
        close(process);
    look(execution);
    return status;
}

static bool write_file(const struct options *options, struct execution *execution, int status, json_int_t launches)
{
    char message[512];
    json_t *program = json_array();
    for (int i = 0; i < options->argument_count; i++)
        json_array_append_new(program, result_json_text(options->arguments[i]));
    json_t *result = json_pack("{s:s,s:o,s:i,s:s,s:O,s:o,s:I,s:I,s:I}", "schema", "lockstep/findings/v1", "program", program,
                               "status", status, "checks", execution->checks, "findings", execution->list, "launches",
                               launches >= 0 ? json_integer(launches) : json_null(), "errors", execution->count[0],
                               "warnings", execution->count[1], "notes", execution->count[2]);
    bool good = result_json_write(result, options->json, message, sizeof message);
    if (!good)
        fprintf(stderr, "lockstep: %s\n", message);
    json_decref(result);
    return good;
}

/* --checks, else LOCKSTEP_CHECKS as the driver reads it, else all. */
static const char *choose_checks(const struct options *options)
{
    static const char *const known[] = {"none", "memory", "poison", "all"};
    const char *asked = getenv("LOCKSTEP_CHECKS");
    if (options->checks)
        return options->checks;
    for (size_t i = 0; asked && i < sizeof known / sizeof *known; i++)
        if (strcmp(asked, known[i]) == 0)
            return known[i];
    if (asked && *asked)
        fprintf(stderr, "lockstep: LOCKSTEP_CHECKS='%s' is not none, memory, poison or all; using all\n", asked);
    return "all";
}

/* Opens what LOCKSTEP_FINDINGS names. */
static FILE *open_wanted(void)
{
    const char *path = getenv("LOCKSTEP_FINDINGS");
    FILE *file = path && *path ? fopen(path, "ae") : NULL;
    if (path && *path && !file)
        fprintf(stderr, "lockstep: LOCKSTEP_FINDINGS='%s' cannot be opened (%s); findings are shown here only\n", path,
                strerror(errno));
    return file;
}

static void clear(struct execution *execution)
{
    if (execution->wanted_findings && fclose(execution->wanted_findings) != 0)
        fprintf(stderr, "lockstep: the file of LOCKSTEP_FINDINGS could not be written: %s\n", strerror(errno));
    json_decref(execution->groups);
    json_decref(execution->leaks);
    json_decref(execution->of_libraries);
    json_decref(execution->list);
    close(execution->findings);
    close(execution->summary);
}

/* Runs options->arguments. The program's own output is untouched; findings are written on stderr as they come. Returns the
 * program's status (128 + signal when a signal ended it), 1 when that is 0 and an error was found, 2 when the program
 * cannot be started, 3 when the emulated driver is missing or the result file cannot be written. */
int exec_run(const struct options *options)
{
    char folder[PATH_BYTES];
    struct execution execution = {.colour = paint_wanted(stderr), .arguments = options->arguments};
    if (options->argument_count == 0) {
        fputs("lockstep: exec: which program? lockstep exec -- PROGRAM ARGUMENTS\n", stderr);
        return EXIT_STATUS_USAGE;
    }
    if (!tools_find_driver(folder)) {
        fputs("lockstep: the emulated driver is missing: emulated/" DRIVER_FILE " beside this program. Run `ninja`.\n",
              stderr);
        return EXIT_STATUS_HARNESS;
    }
    execution.checks = choose_checks(options);
    execution.wanted_findings = open_wanted();
    execution.findings = memfd_create("findings", MFD_CLOEXEC);
    execution.summary = memfd_create("summary", MFD_CLOEXEC);
    execution.list = json_array();
    execution.groups = json_object();
    execution.leaks = json_array();
    if (!start(options, folder, &execution)) {
        fprintf(stderr, "lockstep: cannot run %s: %s\n", options->arguments[0], strerror(errno));
        clear(&execution);
        return EXIT_STATUS_USAGE;
    }
    int waited = watch(&execution);
    int status = WIFSIGNALED(waited) ? 128 + WTERMSIG(waited) : WEXITSTATUS(waited);
    json_int_t launches = count_launches(&execution);
    show_leaks(&execution, waited);
    show_repeated(&execution);
    show_libraries(&execution);
    show_summary(&execution, launches, waited);
    if (options->json && !write_file(options, &execution, status, launches))
        status = EXIT_STATUS_HARNESS;
    else if (status == 0 && execution.count[0] > 0)
        status = EXIT_STATUS_SUBMISSION;
    clear(&execution);
    return status;
}
