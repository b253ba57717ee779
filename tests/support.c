#include "tests/support.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The tests whose class is not their suite's, for the runner. */
static struct {
    const char *suite, *test;
    enum support_class needs;
} exceptions[256];
static size_t exception_count;

static bool note_class(const char *suite, const char *test, enum support_class needs)
{
    if (exception_count == SUPPORT_COUNT(exceptions))
        return false;
    exceptions[exception_count].suite = suite;
    exceptions[exception_count].needs = needs;
    exceptions[exception_count++].test = test;
    return true;
}

enum support_class support_class_of(const char *suite, const char *test)
{
    for (size_t i = 0; i < exception_count; i++)
        if (strcmp(exceptions[i].suite, suite) == 0 && strcmp(exceptions[i].test, test) == 0)
            return exceptions[i].needs;
    return CLASS_OF_SUITE;
}

static FILE *skip_report;

void support_report_to(FILE *report)
{
    skip_report = report;
}

void support_skip(const char *format, ...)
{
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    FILE *to = skip_report ? skip_report : stdout;
    fprintf(to, "skip %s\n", reason);
    fflush(to);
}

int support_register_with(const char *suite, int (*set_up)(void), int (*clean_up)(void), const struct support_test *tests,
                          size_t count)
{
    CU_pSuite added = CU_add_suite(suite, set_up, clean_up);
    if (!added || CU_get_error() != CUE_SUCCESS) /* a name taken twice is only a warning to CUnit */
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (!CU_add_test(added, tests[i].name, tests[i].function) || CU_get_error() != CUE_SUCCESS)
            return -1;
        if (tests[i].needs != CLASS_OF_SUITE && !note_class(suite, tests[i].name, tests[i].needs))
            return -1;
    }
    return 0;
}

int support_register(const char *suite, const struct support_test *tests, size_t count)
{
    return support_register_with(suite, NULL, NULL, tests, count);
}

/* ---- where things are --------------------------------------------------------------------------------------------- */

const char *support_build_path(const char *file, char path[SUPPORT_PATH_BYTES])
{
    /* The runner is BUILD/tests/run: two components up is the build directory. */
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) {
        perror("readlink /proc/self/exe");
        abort();
    }
    self[length] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(self, '/');
        if (slash)
            *slash = '\0';
    }
    return support_join(path, self, file);
}

bool support_is_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    return true;
#else
    return false;
#endif
#else
    return false;
#endif
}

const char *support_join(char path[SUPPORT_PATH_BYTES], const char *directory, const char *name)
{
    int length = snprintf(path, SUPPORT_PATH_BYTES, "%s/%s", directory, name);
    if (length < 0 || length >= SUPPORT_PATH_BYTES) {
        fprintf(stderr, "path too long: %s/%s\n", directory, name);
        abort();
    }
    return path;
}

/* ---- commands ----------------------------------------------------------------------------------------------------- */

static double now_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

struct capture {
    char *bytes;
    size_t count, capacity;
};

/* Appends what is there to read. Returns false at the end of the stream. */
static bool capture_read(struct capture *capture, int descriptor)
{
    if (capture->capacity - capture->count < 4096) {
        capture->capacity = capture->capacity * 2 + 16384;
        capture->bytes = realloc(capture->bytes, capture->capacity);
        if (!capture->bytes)
            abort();
    }
    ssize_t got = read(descriptor, capture->bytes + capture->count, capture->capacity - capture->count - 1);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    capture->count += (size_t)got;
    return got > 0;
}

static char *capture_take(struct capture *capture, size_t *bytes)
{
    if (!capture->bytes)
        capture->bytes = malloc(1);
    if (!capture->bytes)
        abort();
    capture->bytes[capture->count] = '\0';
    *bytes = capture->count;
    return capture->bytes;
}

static void child_set_environment(const char *const *environment)
{
    for (size_t i = 0; environment && environment[i]; i++) {
        const char *equals = strchr(environment[i], '=');
        if (!equals) {
            unsetenv(environment[i]);
        } else {
            char *name = strndup(environment[i], (size_t)(equals - environment[i]));
            if (name)
                setenv(name, equals + 1, 1);
            free(name);
        }
    }
}

/* Becomes the command; on failure sends errno through `failure` and ends. */
static _Noreturn void child_become(const struct support_command *command, int input, int output, int errors, int failure)
{
    /* A process group of its own, so that a timeout ends the grandchildren too. */
    setpgid(0, 0);
    if (dup2(input, 0) >= 0 && dup2(output, 1) >= 0 && dup2(errors, 2) >= 0) {
        child_set_environment(command->environment);
        if (!command->directory || chdir(command->directory) == 0)
            execvp(command->arguments[0], (char *const *)(uintptr_t)command->arguments);
    }
    int reason = errno;
    if (write(failure, &reason, sizeof reason) < 0)
        _exit(126);
    _exit(127);
}

/* stdin of the command: a deleted file with the text, or /dev/null. */
static int open_input(const char *input)
{
    if (!input)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    FILE *file = tmpfile();
    if (!file)
        return -1;
    int descriptor = -1;
    if (fputs(input, file) >= 0 && fflush(file) == 0)
        descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
    fclose(file);
    if (descriptor >= 0)
        lseek(descriptor, 0, SEEK_SET);
    return descriptor;
}

/* Reads both streams until both end or the time is over, then waits for the child. */
/* No verdict on a slow machine: only what hangs takes so long. */
#define LONGEST_MS 3000000u

static void collect(pid_t child, const int streams[2], unsigned timeout_ms, struct support_result *result)
{
    struct capture captures[2] = {{0}, {0}};
    struct pollfd polled[2] = {{streams[0], POLLIN, 0}, {streams[1], POLLIN, 0}};
    double start = now_seconds();
    double deadline = start + (timeout_ms == 0 ? LONGEST_MS : timeout_ms) / 1000.0;
    while (polled[0].fd >= 0 || polled[1].fd >= 0) {
        double left = deadline - now_seconds();
        if (left <= 0 && !result->timed_out) {
            result->timed_out = true;
            kill(-child, SIGKILL);
        }
        if (left < -2.0) /* somebody who left the process group still holds the pipe */
            break;
        poll(polled, 2, left > 0 ? (int)(left * 1000) + 1 : 100);
        for (int i = 0; i < 2; i++) {
            if (polled[i].fd >= 0 && polled[i].revents != 0 && !capture_read(&captures[i], polled[i].fd))
                polled[i].fd = -1;
        }
    }
    int status = 0;
    pid_t waited;
    while ((waited = waitpid(child, &status, result->timed_out ? 0 : WNOHANG)) == 0 || (waited < 0 && errno == EINTR)) {
        /* Both streams are closed but it still runs. */
        if (now_seconds() > deadline) {
            result->timed_out = true;
            kill(-child, SIGKILL);
        } else {
            nanosleep(&(struct timespec){0, 500000}, NULL);
        }
    }
    result->seconds = now_seconds() - start;
    result->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (result->timed_out)
        result->status = 124;
    result->output = capture_take(&captures[0], &result->output_bytes);
    result->errors = capture_take(&captures[1], &result->errors_bytes);
}

bool support_run(const struct support_command *command, struct support_result *result)
{
    memset(result, 0, sizeof *result);
    int output[2] = {-1, -1}, errors[2] = {-1, -1}, failure[2] = {-1, -1};
    int input = open_input(command->input);
    int reason = 0;
    if (input < 0 || pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0 || pipe2(failure, O_CLOEXEC) != 0)
        reason = errno;
    pid_t child = -1;
    if (reason == 0) {
        fflush(NULL);
        child = fork();
        if (child == 0)
            child_become(command, input, output[1], errors[1], failure[1]);
        if (child < 0)
            reason = errno;
    }
    close(input);
    close(output[1]);
    close(errors[1]);
    close(failure[1]);
    if (child > 0) {
        setpgid(child, child);
        if (read(failure[0], &reason, sizeof reason) != (ssize_t)sizeof reason)
            reason = 0; /* exec closed it: the command runs */
        collect(child, (int[2]){output[0], errors[0]}, command->timeout_ms, result);
    }
    close(output[0]);
    close(errors[0]);
    close(failure[0]);
    if (reason != 0) {
        fprintf(stderr, "cannot run %s: %s\n", command->arguments[0], strerror(reason));
        CU_FAIL("a command could not be started");
        support_result_clear(result);
        result->status = -1;
        result->output = calloc(1, 1);
        result->errors = calloc(1, 1);
    }
    return reason == 0;
}

bool support_run_simple(struct support_result *result, const char *program, ...)
{
    const char *arguments[32] = {program};
    va_list list;
    va_start(list, program);
    for (size_t count = 1; count < 31; count++) {
        arguments[count] = va_arg(list, const char *);
        if (!arguments[count])
            break;
    }
    va_end(list);
    return support_run(&(struct support_command){.arguments = arguments}, result);
}

void support_result_clear(struct support_result *result)
{
    free(result->output);
    free(result->errors);
    memset(result, 0, sizeof *result);
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

bool support_temporary_directory(char path[SUPPORT_PATH_BYTES])
{
    const char *base = getenv("TMPDIR");
    support_join(path, base && base[0] == '/' ? base : "/tmp", "lockstep-test-XXXXXX");
    bool made = mkdtemp(path) != NULL;
    if (!made)
        CU_FAIL("no temporary directory");
    return made;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    remove(path);
    return 0;
}

void support_remove_tree(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

char *support_read_file(const char *path, size_t *bytes)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    struct capture capture = {0};
    while (capture_read(&capture, descriptor))
        ;
    close(descriptor);
    size_t count;
    char *content = capture_take(&capture, &count);
    if (bytes)
        *bytes = count;
    return content;
}

bool support_write_file(const char *path, const void *content, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(content, 1, bytes, file) == bytes;
    if (file && fclose(file) != 0)
        written = false;
    if (!written) {
        fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
        CU_FAIL("a file could not be written");
    }
    return written;
}

bool support_write_text(const char *path, const char *text)
{
    return support_write_file(path, text, strlen(text));
}

/* ---- words -------------------------------------------------------------------------------------------------------- */

bool support_contains(const char *text, const char *part)
{
    if (text && strstr(text, part))
        return true;
    fprintf(stderr, "expected to find: %s\nin: %s\n", part, text ? text : "(nothing)");
    return false;
}

size_t support_count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}
