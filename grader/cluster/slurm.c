#include "grader/cluster/slurm.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"

enum { ANSWER_MS = 60000, WORDS_MAX = 12, NOT_FOUND = 127 };

/* ---- commands ----------------------------------------------------------------------------------------------------- */

/* What a command of Slurm's said. */
struct answer {
    int status;   /* as from waitpid */
    bool in_time; /* it ended by itself */
    char *text;   /* its output, without white space at the end; owned */
    char *errors; /* the same of its standard error; owned */
};

static void run_child(const char *const *words, const int *pipes, pid_t parent)
{
    char *copy[WORDS_MAX + 1] = {NULL};
    for (size_t i = 0; i < WORDS_MAX && words[i]; i++)
        copy[i] = strdup(words[i]);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    setpgid(0, 0); /* Ctrl-C is for us: a submission is not torn apart */
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(pipes[1], STDOUT_FILENO);
    dup2(pipes[3], STDERR_FILENO);
    if (getppid() == parent)
        execvp(copy[0], copy);
    _exit(NOT_FOUND);
}

/* Reads both pipes until they end or the time is up. Returns whether they ended. */
static bool read_answer(const int *pipes, FILE **files)
{
    struct pollfd ready[2] = {{pipes[0], POLLIN, 0}, {pipes[2], POLLIN, 0}};
    int64_t end = record_now_ms() + ANSWER_MS;
    char bytes[4096];
    while (ready[0].fd >= 0 || ready[1].fd >= 0) {
        int64_t left = end - record_now_ms();
        int count = left > 0 ? poll(ready, 2, (int)left) : 0;
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        for (int i = 0; i < 2; i++) {
            if (ready[i].fd < 0 || ready[i].revents == 0)
                continue;
            ssize_t got = read(ready[i].fd, bytes, sizeof bytes);
            if (got > 0)
                fwrite(bytes, 1, (size_t)got, files[i]);
            else if (got == 0 || errno != EINTR)
                ready[i].fd = -1;
        }
    }
    return true;
}

/* Without white space at the end; an error of several lines becomes one line. */
static void trim(char *text, bool one_line)
{
    for (size_t length = strlen(text); length > 0 && isspace((unsigned char)text[length - 1]);)
        text[--length] = '\0';
    for (char *at = text; one_line && (at = strchr(at, '\n'));)
        *at = ' ';
}

static struct answer run(const char *const *words)
{
    struct answer answer = {.status = -1};
    int pipes[4] = {-1, -1, -1, -1};
    size_t bytes[2];
    FILE *files[2] = {open_memstream(&answer.text, &bytes[0]), open_memstream(&answer.errors, &bytes[1])};
    pid_t parent = getpid(), child = -1;
    if (pipe2(pipes, O_CLOEXEC) == 0 && pipe2(pipes + 2, O_CLOEXEC) == 0) {
        fflush(NULL);
        child = fork();
    }
    if (child == 0)
        run_child(words, pipes, parent);
    close(pipes[1]);
    close(pipes[3]);
    if (child > 0) {
        answer.in_time = read_answer(pipes, files);
        if (!answer.in_time)
            kill(child, SIGKILL);
        while (waitpid(child, &answer.status, 0) < 0 && errno == EINTR) {}
    }
    close(pipes[0]);
    close(pipes[2]);
    for (int i = 0; i < 2; i++)
        fclose(files[i]);
    trim(answer.text, false);
    trim(answer.errors, true);
    return answer;
}

static void clear(struct answer *answer)
{
    free(answer->text);
    free(answer->errors);
}

/* Returns whether the command did what it should; if not, with why. */
static bool is_good(const struct answer *answer, const char *command, char *message, size_t message_bytes)
{
    bool ended = answer->in_time && WIFEXITED(answer->status);
    if (ended && WEXITSTATUS(answer->status) == 0)
        return true;
    if (ended && WEXITSTATUS(answer->status) == NOT_FOUND)
        snprintf(message, message_bytes,
                 "%s was not found. --engine slurm works where jobs are submitted: on a cluster's login node, with Slurm's "
                 "commands on the PATH.",
                 command);
    else if (!answer->in_time)
        snprintf(message, message_bytes, "%s gave no answer within %d s: is the controller down? (`scontrol ping` says.)",
                 command, ANSWER_MS / 1000);
    else
        snprintf(message, message_bytes, "%s failed: %.600s", command,
                 answer->errors[0] != '\0' ? answer->errors : "it did not say why");
    return false;
}

/* ---- questions and orders ----------------------------------------------------------------------------------------- */

uint32_t slurm_array_limit(char *message, size_t message_bytes)
{
    struct answer answer = run((const char *[]){"scontrol", "show", "config", NULL});
    const char *line = strstr(answer.text, "\nMaxArraySize");
    const char *number = line ? strchr(line, '=') : NULL;
    uint32_t limit = 0;
    if (is_good(&answer, "scontrol", message, message_bytes)) {
        long size = number ? strtol(number + 1, NULL, 10) : 0;
        limit = size > 1 ? (uint32_t)(size - 1) : 0;
        if (limit == 0)
            snprintf(message, message_bytes, "This Slurm allows no job arrays: MaxArraySize is %ld.", size);
    }
    clear(&answer);
    return limit;
}

bool slurm_submit(const char *script, const char *after, slurm_job job, char *message, size_t message_bytes)
{
    char *dependency = allocate_format("--dependency=afterany:%s", after ? after : "");
    const char *words[] = {"sbatch", "--parsable", after ? dependency : script, after ? script : NULL, NULL};
    struct answer answer = run(words);
    bool good = is_good(&answer, "sbatch", message, message_bytes);
    size_t digits = strspn(answer.text, "0123456789"); /* "ID", or "ID;CLUSTER" */
    if (good && (digits == 0 || digits >= sizeof(slurm_job))) {
        snprintf(message, message_bytes, "sbatch gave no job ID, but: %.200s", answer.text);
        good = false;
    }
    if (good)
        snprintf(job, sizeof(slurm_job), "%.*s", (int)digits, answer.text);
    clear(&answer);
    free(dependency);
    return good;
}

bool slurm_try(const char *script, char *message, size_t message_bytes)
{
    struct answer answer = run((const char *[]){"sbatch", "--test-only", script, NULL});
    bool good = is_good(&answer, "sbatch", message, message_bytes);
    clear(&answer);
    return good;
}

static void count_task(char *line, struct slurm_look *look)
{
    char *reason = strchr(line, '|');
    if (reason)
        *reason++ = '\0';
    if (strcmp(line, "PENDING") != 0) {
        look->running++;
        return;
    }
    look->waiting++;
    if (reason && strcmp(reason, "Dependency") != 0 && strcmp(reason, "None") != 0)
        snprintf(look->reason, sizeof look->reason, "%.90s", reason);
}

void slurm_look(const char *jobs, struct slurm_look *look, char *message, size_t message_bytes)
{
    char *wanted = allocate_format("--jobs=%s", jobs);
    struct answer answer = run((const char *[]){"squeue", "--noheader", "--array", wanted, "--format=%T|%r", NULL});
    *look = (struct slurm_look){.state = SLURM_QUEUED};
    if (is_good(&answer, "squeue", message, message_bytes)) {
        for (char *rest = answer.text, *line; (line = strsep(&rest, "\n"));)
            if (line[0] != '\0')
                count_task(line, look);
        look->state = look->running + look->waiting > 0 ? SLURM_QUEUED : SLURM_GONE;
    } else {
        look->state = strstr(answer.errors, "Invalid job id") ? SLURM_GONE : SLURM_SILENT;
    }
    clear(&answer);
    free(wanted);
}

void slurm_cancel(const char *job)
{
    struct answer answer = run((const char *[]){"scancel", job, NULL});
    clear(&answer);
}

/* ---- texts -------------------------------------------------------------------------------------------------------- */

char *slurm_quoted(const char *text)
{
    char *quoted = allocate_zeroed(4 * strlen(text) + 3), *at = quoted;
    *at++ = '\'';
    for (; *text != '\0'; text++)
        if (*text == '\'')
            at = stpcpy(at, "'\\''");
        else
            *at++ = *text;
    *at = '\'';
    return quoted;
}

bool slurm_is_plain(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 32 || strchr("\"'\\\x7f", *text))
            return false;
    return true;
}
