#include "grader/compile/compile_server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/compile/compile_protocol.h"
#include "runtime/lockstep.h"

/* PATIENCE: on a busy machine a compile that goes on gets that many times the wall clock's time; its limit of processor time
 * ends it anyway. */
enum { WALL_MS = 15000, PATIENCE = 20, STANDING_STILL_MS = 20, FINISH_MS = 60000, MOST_CHILDREN = 256 };

enum request_kind { REQUEST_FORK, REQUEST_FORK_WITHOUT_COMPILER, REQUEST_WARM, REQUEST_VERSION };

/* The server as this process and its workers know it. */
static struct {
    pid_t pid, owner; /* owner: the process that started it and reaps it */
    int socket;
} server = {-1, -1, -1};

/* ---- in the server ------------------------------------------------------------------------------------------------ */

struct served {
    pid_t pid;
    int report;
    int64_t started_ms, deadline_ms;
    int64_t used_ms; /* of the processor, when the deadline was last looked at */
    bool timed_out;
};

struct state {
    int requests, signals;
    struct served children[MOST_CHILDREN];
    size_t count;
    struct compile_child_start start;
};

static void load_compiler(struct state *state)
{
    struct compile_child_start *start = &state->start;
    if (start->version > 0)
        return;
    start->status = lockstep_compiler_find(&start->version, start->library, sizeof start->library, &start->error);
    if (start->status == LOCKSTEP_OK)
        lockstep_compiler_headers(start->folders);
    else
        start->version = 0;
}

/* Takes a request with its two descriptors (-1: none came). Returns false when nobody is left who could ask. */
static bool take_request(int requests, enum request_kind *kind, int descriptors[2])
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec data = {kind, sizeof *kind};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    descriptors[0] = descriptors[1] = -1;
    ssize_t got = recvmsg(requests, &message, MSG_CMSG_CLOEXEC);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(2 * sizeof(int)))
        memcpy(descriptors, CMSG_DATA(header), 2 * sizeof(int));
    return true;
}

static void become_child(struct state *state, int channel)
{
    sigset_t none;
    struct child own = {.channel = channel, .findings = -1, .counters = -1, .output = -1, .log = -1};
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    if (!child_settle(&own, SANDBOX_COMPILE))
        _exit(CHILD_EXIT_UNCONFINED);
    if (getppid() == 1)
        _exit(CHILD_EXIT_ORPHAN);
    compile_child_body(&state->start);
    _exit(0);
}

static void start_child(struct state *state, int channel, int report)
{
    if (state->count < MOST_CHILDREN && channel >= 0) {
        pid_t pid = fork();
        if (pid == 0)
            become_child(state, channel);
        if (pid > 0) {
            setpgid(pid, pid);
            int64_t now = record_now_ms();
            state->children[state->count++] = (struct served){pid, report, now, now + WALL_MS, 0, false};
            close(channel);
            return;
        }
    }
    close(channel); /* whoever asked sees the end of both */
    close(report);
}

static void serve_request(struct state *state, enum request_kind kind, int descriptors[2])
{
    if (kind != REQUEST_FORK_WITHOUT_COMPILER)
        load_compiler(state);
    if (kind == REQUEST_FORK || kind == REQUEST_FORK_WITHOUT_COMPILER) {
        start_child(state, descriptors[0], descriptors[1]);
        return;
    }
    if (kind == REQUEST_VERSION)
        record_write(descriptors[0], 1, &state->start.version, sizeof(state->start.version));
    close(descriptors[0]);
    close(descriptors[1]);
}

/* Tells how the ended children ended. */
static void reap(struct state *state)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (size_t i = 0; i < state->count; i++) {
            struct served *child = &state->children[i];
            if (child->pid != pid)
                continue;
            struct compile_server_end end = {.timed_out = child->timed_out};
            end.end.signalled = WIFSIGNALED(status);
            end.end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
            kill(-pid, SIGKILL); /* whatever it may have started */
            record_write(child->report, 1, &end, sizeof end);
            close(child->report);
            *child = state->children[--state->count];
            break;
        }
}

/* Is its time over? One that still computes gets more, as long as there is patience. */
static bool is_late(struct served *child, int64_t now)
{
    if (now < child->deadline_ms)
        return false;
    int64_t used = child_processor_ms(&(struct child){.pid = child->pid});
    bool goes_on = used - child->used_ms >= STANDING_STILL_MS;
    child->used_ms = used;
    child->deadline_ms = now + 1000;
    return !goes_on || now - child->started_ms >= (int64_t)PATIENCE * WALL_MS;
}

static void kill_late_ones(struct state *state, const struct pollfd *reports)
{
    int64_t now = record_now_ms();
    for (size_t i = 0; i < state->count; i++) {
        struct served *child = &state->children[i];
        bool late = is_late(child, now), unwanted = (reports[i].revents & (POLLHUP | POLLERR)) != 0;
        child->timed_out |= late;
        if (late || unwanted)
            kill(-child->pid, SIGKILL);
    }
}

static int time_to_next_deadline(const struct state *state)
{
    int64_t now = record_now_ms(), left = -1;
    for (size_t i = 0; i < state->count; i++) {
        int64_t own = state->children[i].deadline_ms > now ? state->children[i].deadline_ms - now : 50;
        left = left < 0 || own < left ? own : left;
    }
    return (int)left;
}

static void serve(int requests)
{
    sigset_t ends;
    struct state *state = allocate_zeroed(sizeof(*state));
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    state->requests = requests;
    state->signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
    for (;;) {
        struct pollfd ready[2 + MOST_CHILDREN] = {{state->requests, POLLIN, 0}, {state->signals, POLLIN, 0}};
        for (size_t i = 0; i < state->count; i++)
            ready[2 + i] = (struct pollfd){state->children[i].report, 0, 0};
        if (poll(ready, 2 + state->count, time_to_next_deadline(state)) < 0 && errno != EINTR)
            return;
        kill_late_ones(state, ready + 2);
        struct signalfd_siginfo signals[4];
        while (read(state->signals, signals, sizeof signals) > 0) {}
        reap(state);
        enum request_kind kind;
        int descriptors[2];
        if (ready[0].revents == 0)
            continue;
        if (!take_request(state->requests, &kind, descriptors))
            return;
        serve_request(state, kind, descriptors);
    }
}

static void become_server(int requests, pid_t parent)
{
    /* Its own process group, so that an interrupt at the terminal ends the grader first, which takes the server with it. */
    struct child own = {.channel = requests, .findings = -1, .counters = -1, .output = -1, .log = -1};
    setpgid(0, 0);
    if (!child_settle(&own, SANDBOX_OWN))
        _exit(CHILD_EXIT_UNCONFINED);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent)
        _exit(CHILD_EXIT_ORPHAN);
    setenv("CUDA_VISIBLE_DEVICES", "", 1); /* the compiler needs no device, and a driver does not survive a fork */
    serve(CHILD_CHANNEL);
    _exit(0);
}

/* ---- its users ---------------------------------------------------------------------------------------------------- */

bool compile_server_start(void)
{
    int ends[2];
    if (server.socket >= 0)
        return true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become_server(ends[1], parent);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    server.pid = pid;
    server.owner = parent;
    server.socket = ends[0];
    return true;
}

void compile_server_stop(void)
{
    if (server.socket < 0)
        return;
    close(server.socket);
    if (server.owner == getpid()) {
        kill(server.pid, SIGKILL);
        while (waitpid(server.pid, NULL, 0) < 0 && errno == EINTR) {}
    }
    server.socket = -1;
    server.pid = server.owner = -1;
}

static bool send_request(enum request_kind kind, const int *descriptors)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec data = {&kind, sizeof kind};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    if (descriptors) {
        memset(&control, 0, sizeof control);
        control.header = (struct cmsghdr){CMSG_LEN(2 * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), descriptors, 2 * sizeof(int));
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(2 * sizeof(int));
    }
    ssize_t sent;
    do
        sent = sendmsg(server.socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof kind;
}

/* Sends a request with one end of two fresh sockets. A server that is gone is replaced, once. */
static bool request(enum request_kind kind, struct compile_server_child *child)
{
    int channel[2], report[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0)
        return false;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, report) != 0) {
        close(channel[0]);
        close(channel[1]);
        return false;
    }
    int theirs[2] = {channel[1], report[1]};
    bool sent = compile_server_start() && send_request(kind, theirs);
    if (!sent) {
        compile_server_stop();
        sent = compile_server_start() && send_request(kind, theirs);
    }
    close(theirs[0]);
    close(theirs[1]);
    *child = (struct compile_server_child){channel[0], report[0]};
    if (!sent) {
        close(child->channel);
        close(child->report);
    }
    return sent;
}

void compile_server_warm(void)
{
    if (compile_server_start())
        send_request(REQUEST_WARM, NULL);
}

int compile_server_version(void)
{
    struct compile_server_child asked;
    uint32_t type;
    void *payload;
    size_t bytes;
    int version = 0;
    if (!request(REQUEST_VERSION, &asked))
        return 0;
    if (record_read(asked.channel, record_now_ms() + FINISH_MS, sizeof version, &type, &payload, &bytes) == RECORD_OK
        && bytes == sizeof version)
        memcpy(&version, payload, sizeof version);
    free(payload);
    close(asked.channel);
    close(asked.report);
    return version;
}

bool compile_server_fork(bool needs_compiler, struct compile_server_child *child)
{
    return request(needs_compiler ? REQUEST_FORK : REQUEST_FORK_WITHOUT_COMPILER, child);
}

bool compile_server_finish(struct compile_server_child *child, struct compile_server_end *end)
{
    uint32_t type;
    void *payload;
    size_t bytes;
    close(child->channel);
    int64_t deadline = record_now_ms() + FINISH_MS;
    bool told = record_read(child->report, deadline, sizeof *end, &type, &payload, &bytes) == RECORD_OK
                && bytes == sizeof *end;
    if (told)
        memcpy(end, payload, sizeof *end);
    free(payload);
    close(child->report);
    return told;
}
