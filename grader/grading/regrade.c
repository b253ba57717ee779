#include "grader/grading/regrade.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/record.h"
#include "grader/grading/jobs.h"
#include "grader/grading/workers.h"

#define ANSWER_BYTES_MAX (256u << 20)

static void send_answer(void *context, const struct job *job, const json_t *answer)
{
    const int *channel = context;
    (void)job;
    char *text = json_dumps(answer, JSON_COMPACT);
    if (text)
        record_write(*channel, 1, text, strlen(text));
    free(text);
}

/* What is printed here would appear in the middle of the screen. Problems of the file show as a missing answer. */
static void be_silent(void)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0)
        return;
    for (int stream = 0; stream <= 2; stream++)
        dup2(nowhere, stream);
    close(nowhere);
}

static void grade_in_child(const struct regrade_request *request, int channel)
{
    static const int handled[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH,
                                  SIGPIPE, SIGSEGV, SIGBUS, SIGILL,  SIGFPE,  SIGABRT};
    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
        signal(handled[i], SIG_DFL);
    if (request->signal_mask)
        sigprocmask(SIG_SETMASK, request->signal_mask, NULL);
    be_silent();
    char *argument = strdup(request->path);
    struct options options = {.command = OPTIONS_GRADE, .arguments = &argument, .argument_count = 1, .lab = request->lab};
    struct jobs jobs;
    jobs_find(&options, &jobs);
    struct workers_input input = {.jobs = &jobs, .seed = request->seed, .gpu = request->gpu, .colour = request->colour};
    workers_run(&input, send_answer, &channel);
    _exit(0);
}

bool regrade_start(const struct regrade_request *request, struct regrade *regrade)
{
    int channels[2];
    *regrade = (struct regrade){0, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channels) != 0)
        return false;
    fflush(NULL);
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        close(channels[0]);
        /* The worker below dies with us in the same way, and so do its children: one signal ends them all. */
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        if (getppid() == parent)
            grade_in_child(request, channels[1]);
        _exit(1);
    }
    close(channels[1]);
    if (pid < 0) {
        close(channels[0]);
        return false;
    }
    *regrade = (struct regrade){pid, channels[0]};
    return true;
}

static void finish(struct regrade *regrade)
{
    close(regrade->channel);
    while (waitpid(regrade->pid, NULL, 0) < 0 && errno == EINTR) {}
    *regrade = (struct regrade){0, -1};
}

json_t *regrade_take(struct regrade *regrade)
{
    uint32_t type;
    void *payload;
    size_t bytes;
    json_t *answer = NULL;
    if (regrade->pid == 0)
        return NULL;
    if (record_read(regrade->channel, -1, ANSWER_BYTES_MAX, &type, &payload, &bytes) == RECORD_OK)
        answer = json_loadb(payload, bytes, 0, NULL);
    free(payload);
    finish(regrade);
    return answer;
}

void regrade_cancel(struct regrade *regrade)
{
    if (regrade->pid == 0)
        return;
    kill(regrade->pid, SIGKILL);
    finish(regrade);
}
