#include "grader/program/execution.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "grader/base/record.h"

enum { LOG_BYTES = 1 << 20, RECORD_BYTES = 64 << 20 };

/* What the child says on its channel: that it is confined so far, and then what keeps it from becoming the program, with
 * errno. The exec closes the channel, so that no program can say it. */
enum word { WORD_BEGUN = 1, WORD_NOT_STARTED, WORD_NOT_CONFINED, WORD_REFUSED };
struct said {
    int word, error;
};

/* Makes the standard input a memory file with these bytes. */
static bool give_input(const struct execution_request *request)
{
    int file = memfd_create("input", MFD_CLOEXEC);
    size_t done = 0;
    while (file >= 0 && done < request->input_bytes) {
        ssize_t wrote = write(file, request->input + done, request->input_bytes - done);
        if (wrote <= 0)
            return false;
        done += (size_t)wrote;
    }
    return file >= 0 && lseek(file, 0, SEEK_SET) == 0 && dup2(file, 0) == 0;
}

static bool say(enum word word)
{
    const struct said said = {(int)word, errno};
    return write(CHILD_CHANNEL, &said, sizeof said) == (ssize_t)sizeof said;
}

static _Noreturn void give_up(enum word word)
{
    say(word);
    _exit(CHILD_EXIT_UNCONFINED);
}

/* In the child. It has only its own descriptors by now; what it may not take along is closed by the exec. */
static void become(void *context)
{
    const struct execution_request *request = context;
    if (!say(WORD_BEGUN) || (request->input && !give_input(request)) || chdir(request->folder) != 0
        || fcntl(CHILD_CHANNEL, F_SETFD, FD_CLOEXEC) != 0)
        give_up(WORD_NOT_STARTED);
    if (!sandbox_close(request->layer, request->paths, request->path_count))
        give_up(WORD_NOT_CONFINED);
    execve(request->arguments[0], request->arguments, request->environment);
    give_up(WORD_REFUSED);
}

/* How much of its time the process has had. On a machine that is busy with other things it gets a part of the processor, and what
 * it waits for that is not its own; where the kernel does not say how long it waited, time in which it used the processor
 * counts as what it used.
 *   looked_ms   when it was looked at last, and how long it had run then
 *   had_ms      what it had had by then */
static int64_t time_had(const struct child *child, int64_t passed, int64_t looked_ms[2], int64_t had_ms)
{
    enum { STANDING_STILL_MS = 20 };
    int64_t used = child_processor_ms(child), starved = child_starved_ms(child), last = passed - looked_ms[0],
            more = used - looked_ms[1];
    looked_ms[0] = passed;
    looked_ms[1] = used;
    if (starved >= 0) {
        int64_t own = passed - starved;
        return own > used ? own : used;
    }
    return had_ms + (more < STANDING_STILL_MS ? last : more);
}

/* Waits for the end of the process. Returns false when the time is up. */
static bool wait_for_end(const struct child *child, int wall_ms, int64_t *had_ms)
{
    enum { PATIENCE = 20, LOOK_MS = 1000 };
    int process = (int)syscall(SYS_pidfd_open, child->pid, 0);
    struct pollfd ended = {process, POLLIN, 0};
    int64_t start = record_now_ms(), looked_ms[2] = {0, 0};
    bool done = process < 0;
    *had_ms = 0;
    while (!done) {
        int ready = poll(&ended, 1, wall_ms < LOOK_MS ? wall_ms : LOOK_MS);
        done = ready > 0;
        int64_t passed = record_now_ms() - start;
        if (!done || passed > LOOK_MS / 10) /* what takes no time is not worth a look */
            *had_ms = time_had(child, passed, looked_ms, *had_ms);
        if (!done && (*had_ms > wall_ms || passed > (int64_t)PATIENCE * wall_ms))
            break;
    }
    if (process >= 0)
        close(process);
    return done;
}

/* Has the child become the program? Only then is how it ended the program's own doing. */
static void read_words(const struct child *child, const struct execution_request *request, struct execution *execution)
{
    struct said said = {0, 0};
    bool begun = recv(child->channel, &said, sizeof said, MSG_DONTWAIT) == (ssize_t)sizeof said;
    execution->started = begun && recv(child->channel, &said, sizeof said, MSG_DONTWAIT) != (ssize_t)sizeof said;
    if (execution->started)
        return;
    execution->refused = begun && said.word == WORD_REFUSED ? said.error : 0;
    if (!begun || said.word == WORD_NOT_CONFINED)
        snprintf(execution->message, sizeof execution->message, "a process could not be confined");
    else
        snprintf(execution->message, sizeof execution->message, "%.150s could not be started: %s", request->arguments[0],
                 strerror(said.error));
}

void execution_run(const struct execution_request *request, struct execution *execution)
{
    struct child child;
    memset(execution, 0, sizeof *execution);
    execution->layer = request->layer;
    if (!child_start(&child, request->layer, become, (void *)request)) {
        snprintf(execution->message, sizeof execution->message, "could not start a process: %s", strerror(errno));
        return;
    }
    execution->timed_out = !wait_for_end(&child, request->wall_ms, &execution->had_ms);
    if (execution->timed_out)
        child_ask_to_end(&child);
    child_kill(&child, &execution->end);
    read_words(&child, request, execution);
    execution->output = child_file_read(child.output, EXECUTION_OUTPUT_BYTES, &execution->output_bytes);
    execution->errors = child_file_read(child.log, LOG_BYTES, &execution->errors_bytes);
    execution->findings = child_file_read(child.findings, RECORD_BYTES, &execution->findings_bytes);
    execution->calls = child_file_read(child.counters, RECORD_BYTES, &execution->calls_bytes);
    child_stop(&child, NULL);
}

void execution_clear(struct execution *execution)
{
    free(execution->output);
    free(execution->errors);
    free(execution->findings);
    free(execution->calls);
    memset(execution, 0, sizeof *execution);
}
