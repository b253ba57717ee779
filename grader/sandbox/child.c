#include "grader/sandbox/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/allocate.h"

bool child_settle(const struct child *child, enum sandbox_layer layer)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int sources[CHILD_DESCRIPTORS] = {nothing, child->output, child->log, child->channel, child->findings, child->counters};
    /* First out of the way of the targets, then into place. */
    for (int i = 0; i < CHILD_DESCRIPTORS; i++) {
        sources[i] = fcntl(sources[i] >= 0 ? sources[i] : nothing, F_DUPFD, 64);
        if (sources[i] < 0)
            return false;
    }
    for (int i = 0; i < CHILD_DESCRIPTORS; i++)
        if (dup2(sources[i], i) < 0 || close(sources[i]) != 0)
            return false;
    if (nothing >= CHILD_DESCRIPTORS)
        close(nothing);
    return sandbox_begin(layer);
}

bool child_start(struct child *child, enum sandbox_layer layer, child_body_fn *body, void *context)
{
    int channels[2];
    *child = (struct child){.pid = -1, .channel = -1};
    sandbox_prepare(layer);
    child->findings = memfd_create("findings", MFD_CLOEXEC);
    child->counters = memfd_create("counters", MFD_CLOEXEC);
    child->output = memfd_create("output", MFD_CLOEXEC);
    child->log = memfd_create("log", MFD_CLOEXEC);
    if (child->findings < 0 || child->counters < 0 || child->output < 0 || child->log < 0
        || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channels) != 0) {
        child_stop(child, NULL);
        return false;
    }
    /* Appending, so that the parent may empty a file between two cases. */
    int files[] = {child->findings, child->counters, child->output, child->log};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        fcntl(files[i], F_SETFL, O_APPEND);
    fflush(NULL);
    pid_t parent = getpid();
    child->pid = fork();
    if (child->pid == 0) {
        setpgid(0, 0);
        child->channel = channels[1];
        if (!child_settle(child, layer))
            _exit(CHILD_EXIT_UNCONFINED);
        if (getppid() != parent) /* the parent died before the death signal was asked for */
            _exit(CHILD_EXIT_ORPHAN);
        body(context);
        fflush(NULL);
        _exit(0);
    }
    close(channels[1]);
    child->channel = channels[0];
    if (child->pid < 0) {
        child_stop(child, NULL);
        return false;
    }
    setpgid(child->pid, child->pid);
    return true;
}

static void close_descriptor(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

void child_kill(struct child *child, struct child_end *end)
{
    if (end)
        *end = (struct child_end){false, 0};
    if (child->pid > 0) {
        int status = 0;
        struct rusage usage = {0};
        /* A child that closed its channel has ended or is about to; give it the moment to do so by itself, so that the
         * status says what it died of. */
        pid_t reaped = 0;
        for (int attempt = 0; attempt < 20 && reaped == 0; attempt++) {
            reaped = wait4(child->pid, &status, WNOHANG, &usage);
            if (reaped == 0 && !end)
                break;
            if (reaped == 0)
                usleep(500);
        }
        kill(-child->pid, SIGKILL);
        if (reaped == 0) {
            kill(child->pid, SIGKILL);
            while (wait4(child->pid, &status, 0, &usage) < 0 && errno == EINTR) {}
        }
        const uint64_t resident_mb = (uint64_t)usage.ru_maxrss / 1024;
        if (end)
            *end = WIFSIGNALED(status) ? (struct child_end){true, WTERMSIG(status), resident_mb}
                                       : (struct child_end){false, WEXITSTATUS(status), resident_mb};
        child->pid = -1;
    }
}

void child_ask_to_end(struct child *child)
{
    enum { PATIENCE_MS = 500 };
    siginfo_t ended = {0};
    if (child->pid <= 0)
        return;
    kill(child->pid, SIGTERM);
    for (int waited = 0; waited < PATIENCE_MS && ended.si_pid == 0; waited += 5) {
        usleep(5000);
        if (waitid(P_PID, (id_t)child->pid, &ended, WEXITED | WNOHANG | WNOWAIT) != 0)
            return;
    }
}

void child_stop(struct child *child, struct child_end *end)
{
    child_kill(child, end);
    close_descriptor(&child->channel);
    close_descriptor(&child->findings);
    close_descriptor(&child->counters);
    close_descriptor(&child->output);
    close_descriptor(&child->log);
}

int64_t child_processor_ms(const struct child *child)
{
    clockid_t clock;
    struct timespec used;
    if (child->pid <= 0 || clock_getcpuclockid(child->pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

int64_t child_starved_ms(const struct child *child)
{
    char path[64];
    long long ran, waited, most = -1;
    snprintf(path, sizeof path, "/proc/%d/task", (int)child->pid);
    DIR *threads = child->pid > 0 ? opendir(path) : NULL;
    for (struct dirent *entry; threads && (entry = readdir(threads));) {
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", (int)child->pid, entry->d_name);
        FILE *file = entry->d_name[0] != '.' ? fopen(path, "re") : NULL;
        if (file && fscanf(file, "%lld %lld", &ran, &waited) == 2 && waited > most)
            most = waited;
        if (file)
            fclose(file);
    }
    if (threads)
        closedir(threads);
    return most < 0 ? -1 : most / 1000000;
}

uint64_t child_file_bytes(int file)
{
    struct stat facts;
    return file >= 0 && fstat(file, &facts) == 0 ? (uint64_t)facts.st_size : 0;
}

char *child_file_read(int file, uint64_t max_bytes, uint64_t *bytes)
{
    uint64_t size = child_file_bytes(file);
    if (size > max_bytes)
        size = max_bytes;
    char *text = allocate_zeroed((size_t)size + 1);
    uint64_t done = 0;
    while (done < size) {
        ssize_t got = pread(file, text + done, (size_t)(size - done), (off_t)done);
        if (got <= 0)
            break;
        done += (uint64_t)got;
    }
    *bytes = done;
    return text;
}

void child_file_clear(int file)
{
    if (file >= 0 && ftruncate(file, 0) != 0)
        return; /* nothing depends on it but memory */
}
