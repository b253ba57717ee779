#include "grader/sandbox/sandbox_attacks.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/record.h"
#include "grader/sandbox/child.h"

#define CANARY "LOCKSTEP_CANARY=sings"

/* What an attempt is aimed at: all made, and removed, by sandbox_attack. */
struct target {
    enum sandbox_layer layer;
    int attack;
    char folder[256], file[300], victim[300], socket[300];
    int descriptor;     /* the canary file, open for reading */
    int local, network; /* listening */
    struct sockaddr_in address;
    pid_t grader;
    char secret[32];   /* in the grader's memory */
    char *environment; /* where the canary is in the child's environment */
};

/* ---- attempts, in the child: true when it got out ------------------------------------------------------------------- */

static bool reads_word(int file)
{
    char word[8] = "";
    bool read_it = file >= 0 && read(file, word, 5) == 5 && memcmp(word, "tweet", 5) == 0;
    if (file > CHILD_COUNTERS)
        close(file);
    return read_it;
}

static bool read_file(const struct target *target)
{
    return reads_word(open(target->file, O_RDONLY)) || reads_word((int)syscall(SYS_open, target->file, O_RDONLY));
}

static bool list_folder(const struct target *target)
{
    DIR *folder = opendir(target->folder);
    bool listed = folder && readdir(folder);
    if (folder)
        closedir(folder);
    return listed;
}

static bool create_file(const struct target *target)
{
    char path[400];
    snprintf(path, sizeof path, "%s/new", target->folder);
    return open(path, O_WRONLY | O_CREAT, 0600) >= 0 || mkdir(path, 0700) == 0 || symlink("x", path) == 0;
}

static bool change_file(const struct target *target)
{
    return open(target->victim, O_WRONLY) >= 0 || open(target->victim, O_RDWR | O_TRUNC) >= 0
           || truncate(target->victim, 0) == 0;
}

static bool remove_file(const struct target *target)
{
    return unlink(target->victim) == 0 || rename(target->victim, target->file) == 0;
}

static bool read_environment(const struct target *target)
{
    char bytes[4096];
    int file = open("/proc/self/environ", O_RDONLY);
    ssize_t got = file >= 0 ? read(file, bytes, sizeof bytes) : -1;
    return getenv("LOCKSTEP_CANARY") || (target->environment && target->environment[0] != '\0')
           || (got > 0 && memmem(bytes, (size_t)got, CANARY, sizeof(CANARY) - 1));
}

static bool use_descriptor(const struct target *target)
{
    return target->descriptor >= CHILD_DESCRIPTORS && reads_word(target->descriptor);
}

static bool connect_locally(const struct target *target)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%.100s", target->socket);
    return end >= 0 && connect(end, (struct sockaddr *)&address, sizeof address) == 0;
}

static bool connect_network(const struct target *target)
{
    int end = socket(AF_INET, SOCK_STREAM, 0);
    return end >= 0 && connect(end, (const struct sockaddr *)&target->address, sizeof target->address) == 0;
}

static bool start_process(const struct target *target)
{
    (void)target;
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid > 0;
}

static bool run_program(const struct target *target)
{
    /* A program that runs ends with status 0, instead of the answer that this process owes. */
    char *const words[] = {"true", NULL};
    (void)target;
    return execv("/bin/true", words) == 0 || execv("/usr/bin/true", words) == 0;
}

static bool send_signal(const struct target *target)
{
    return kill(target->grader, 0) == 0;
}

static bool read_memory(const struct target *target)
{
    char bytes[sizeof target->secret] = "";
    struct iovec here = {bytes, sizeof bytes}, there = {(void *)target->secret, sizeof bytes};
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)target->grader);
    return process_vm_readv(target->grader, &here, 1, &there, 1, 0) > 0 || open(path, O_RDONLY) >= 0;
}

static bool execute_data(const struct target *target)
{
    (void)target;
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static bool raise_limits(const struct target *target)
{
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    (void)target;
    return setrlimit(RLIMIT_CPU, &none) == 0 || setrlimit(RLIMIT_FSIZE, &none) == 0;
}

static bool fill_memory(const struct target *target)
{
    uint64_t own = sandbox_address_space_mb(target->layer) << 20;
    if (own == 0 || CHILD_SANITIZED) /* no limit belongs to this layer */
        return false;
    return mmap(NULL, own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED;
}

/* Its standard output is a memory file that the grader reads; `attempt` has made it as long as it may become. */
static bool fill_disk(const struct target *target)
{
    static const char block[1 << 16];
    (void)target;
    return write(1, block, sizeof block) == (ssize_t)sizeof block;
}

static const struct {
    bool (*succeeds)(const struct target *target);
    const char *meaning;
} attempts[] = {
#define ATTACK(function, meaning) {function, meaning},
#include "grader/sandbox/sandbox_attacks.def"
#undef ATTACK
};

const char *sandbox_attack_meaning(int attack)
{
    return attack == SANDBOX_ATTACK_outlive ? "outlive the grader when it is killed" : attempts[attack].meaning;
}

/* ---- the child ---------------------------------------------------------------------------------------------------- */

enum { READY = 1, ANSWER };

static void attempt(void *context)
{
    struct target *target = context;
    const char *sings = getenv("LOCKSTEP_CANARY");
    struct rlimit most;
    target->environment = (char *)sings;
    if (getrlimit(RLIMIT_FSIZE, &most) != 0 || ftruncate(1, most.rlim_cur == RLIM_INFINITY ? 1 << 30 : (off_t)most.rlim_cur))
        return;
    if (!sandbox_close(target->layer, NULL, 0))
        return;
    record_write(CHILD_CHANNEL, READY, NULL, 0);
    bool broken = attempts[target->attack].succeeds(target);
    record_write(CHILD_CHANNEL, ANSWER, &broken, sizeof broken);
}

static enum sandbox_attack_end try_one(struct target *target)
{
    struct child child;
    struct child_end end;
    uint32_t type;
    void *payload = NULL;
    size_t bytes;
    int64_t deadline = record_now_ms() + 5000;
    enum sandbox_attack_end result = SANDBOX_UNTRIED;
    if (!child_start(&child, target->layer, attempt, target))
        return SANDBOX_UNTRIED;
    if (record_read(child.channel, deadline, sizeof(bool), &type, &payload, &bytes) == RECORD_OK && type == READY) {
        free(payload);
        bool answered = record_read(child.channel, deadline, sizeof(bool), &type, &payload, &bytes) == RECORD_OK
                        && type == ANSWER && bytes == sizeof(bool);
        /* Without an answer: ended by the attempt, or another program by now. */
        result = answered                                       ? *(bool *)payload ? SANDBOX_BROKEN : SANDBOX_HELD
                 : target->attack == SANDBOX_ATTACK_run_program ? SANDBOX_BROKEN
                                                                : SANDBOX_HELD;
    }
    free(payload);
    child_stop(&child, &end);
    return result;
}

static void wait_for_ever(void *context)
{
    struct target *target = context;
    if (sandbox_close(target->layer, NULL, 0))
        record_write(CHILD_CHANNEL, READY, NULL, 0);
    struct timespec long_time = {20, 0};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &long_time, NULL);
}

/* A grader that starts a child, reports its number and is killed. */
static void be_killed(struct target *target, int telling)
{
    struct child child;
    uint32_t type;
    void *payload;
    size_t bytes;
    if (child_start(&child, target->layer, wait_for_ever, target)
        && record_read(child.channel, record_now_ms() + 5000, 0, &type, &payload, &bytes) == RECORD_OK
        && write(telling, &child.pid, sizeof child.pid) == (ssize_t)sizeof child.pid)
        kill(getpid(), SIGKILL);
    _exit(1);
}

static enum sandbox_attack_end try_to_outlive(struct target *target)
{
    int telling[2];
    pid_t orphan = 0;
    enum sandbox_attack_end end = SANDBOX_UNTRIED;
    if (pipe2(telling, O_CLOEXEC) != 0)
        return end;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* the orphan comes to this process, which sees its end */
    fflush(NULL);
    pid_t grader = fork();
    if (grader == 0)
        be_killed(target, telling[1]);
    close(telling[1]);
    if (grader > 0 && read(telling[0], &orphan, sizeof orphan) == (ssize_t)sizeof orphan) {
        waitpid(grader, NULL, 0);
        end = SANDBOX_BROKEN;
        for (int waited_ms = 0; waited_ms < 300 && end == SANDBOX_BROKEN; waited_ms++) {
            end = waitpid(orphan, NULL, WNOHANG) == orphan ? SANDBOX_HELD : SANDBOX_BROKEN;
            usleep(1000);
        }
        if (end == SANDBOX_BROKEN) {
            kill(orphan, SIGKILL);
            waitpid(orphan, NULL, 0);
        }
    } else if (grader > 0) {
        waitpid(grader, NULL, 0);
    }
    close(telling[0]);
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    return end;
}

/* ---- the grader ---------------------------------------------------------------------------------------------------- */

static bool write_canary(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool written = file >= 0 && write(file, "tweet", 5) == 5;
    if (file >= 0)
        close(file);
    return written;
}

static int listen_at(int family, struct sockaddr *address, socklen_t bytes)
{
    int end = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (end >= 0 && (bind(end, address, bytes) != 0 || listen(end, 50) != 0 || getsockname(end, address, &bytes) != 0)) {
        close(end);
        end = -1;
    }
    return end;
}

static bool make_target(struct target *target)
{
    const char *folder = getenv("TMPDIR");
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    snprintf(target->folder, sizeof target->folder, "%.200s/lockstep-XXXXXX", folder && folder[0] == '/' ? folder : "/tmp");
    if (!mkdtemp(target->folder))
        return false;
    snprintf(target->file, sizeof target->file, "%s/canary", target->folder);
    snprintf(target->victim, sizeof target->victim, "%s/victim", target->folder);
    snprintf(target->socket, sizeof target->socket, "%s/socket", target->folder);
    snprintf(local.sun_path, sizeof local.sun_path, "%.100s", target->socket);
    snprintf(target->secret, sizeof target->secret, "what the grader knows");
    target->address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    target->local = listen_at(AF_UNIX, (struct sockaddr *)&local, sizeof local);
    target->network = listen_at(AF_INET, (struct sockaddr *)&target->address, sizeof target->address);
    target->grader = getpid();
    bool good = write_canary(target->file) && write_canary(target->victim);
    int file = open(target->file, O_RDONLY);
    target->descriptor = fcntl(file, F_DUPFD_CLOEXEC, 200); /* clear of the child's own numbers */
    close(file);
    return good && setenv("LOCKSTEP_CANARY", "sings", 1) == 0;
}

static void remove_target(struct target *target)
{
    char path[400];
    int descriptors[] = {target->descriptor, target->local, target->network};
    for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
    snprintf(path, sizeof path, "%s/new", target->folder);
    if (unlink(path) != 0)
        rmdir(path);
    unlink(target->file);
    unlink(target->victim);
    unlink(target->socket);
    rmdir(target->folder);
    unsetenv("LOCKSTEP_CANARY");
}

/* Compilers start one another, and native code is executed where it lies: the rest of the layer holds them. */
static bool is_granted(enum sandbox_layer layer, int attack)
{
    return (layer == SANDBOX_BUILD && (attack == SANDBOX_ATTACK_start_process || attack == SANDBOX_ATTACK_execute_data))
           || ((layer == SANDBOX_PROGRAM || layer == SANDBOX_DEVICE) && attack == SANDBOX_ATTACK_execute_data);
}

bool sandbox_attack(enum sandbox_layer layer, struct sandbox_attacks *attacks)
{
    struct target target = {.layer = layer, .descriptor = -1, .local = -1, .network = -1};
    memset(attacks, 0, sizeof *attacks);
    bool made = make_target(&target);
    for (int i = 0; i < SANDBOX_ATTACKS && made; i++) {
        target.attack = i;
        attacks->ends[i] = is_granted(layer, i)          ? SANDBOX_GRANTED
                           : i == SANDBOX_ATTACK_outlive ? try_to_outlive(&target)
                                                         : try_one(&target);
        attacks->granted += attacks->ends[i] == SANDBOX_GRANTED;
        attacks->held += attacks->ends[i] == SANDBOX_HELD;
        attacks->broken += attacks->ends[i] == SANDBOX_BROKEN;
        attacks->untried += attacks->ends[i] == SANDBOX_UNTRIED;
    }
    if (target.folder[0] != '\0')
        remove_target(&target);
    return made;
}
