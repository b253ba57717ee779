#include "grader/cluster/claims.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/allocate.h"

enum { BEAT_SECONDS = 20, DEAD_AFTER_SECONDS = 120, TAKERS_MAX = 1000 };

/* ---- writers ------------------------------------------------------------------------------------------------------ */

const char *claims_machine(void)
{
    static char name[100];
    const char *node = getenv("SLURMD_NODENAME");
    if (node && node[0] != '\0')
        snprintf(name, sizeof name, "%.90s", node);
    else if (gethostname(name, sizeof name - 1) != 0)
        snprintf(name, sizeof name, "unknown");
    return name;
}

/* "HOST.NAMESPACE", the part of a writer's name that processes with the same process IDs share. */
static void name_place(char *place, size_t bytes)
{
    char host[90] = "unknown";
    struct stat facts = {0};
    if (gethostname(host, sizeof host - 1) != 0)
        snprintf(host, sizeof host, "unknown");
    if (stat("/proc/self/ns/pid", &facts) != 0)
        facts.st_ino = 0;
    snprintf(place, bytes, "%s.%llu", host, (unsigned long long)facts.st_ino);
    for (char *at = place; *at != '\0'; at++)
        if (*at == '/')
            *at = '_';
}

/* When a process started, in the kernel's ticks; 0: there is no such process. */
static unsigned long long start_of(long pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[got] = '\0';
    const char *at = strrchr(text, ')');
    unsigned long long start = 0;
    if (at && at[1] == ' ' && at[2] != 'Z') /* field 3, the state: not a zombie; field 22 */
        sscanf(at + 2, "%*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &start);
    return start;
}

static char *path_of(const char *folder, const char *name)
{
    return allocate_format("%s/%s", folder, name);
}

static bool touch(const char *path)
{
    return utimensat(AT_FDCWD, path, NULL, 0) == 0;
}

static bool is_dead_here(const char *writer)
{
    char place[160];
    name_place(place, sizeof place);
    size_t length = strlen(place);
    long pid;
    unsigned long long start;
    return strncmp(writer, place, length) == 0 && sscanf(writer + length, ".%ld.%llu", &pid, &start) == 2
           && start_of(pid) != start;
}

/* now: when this writer's own file was touched last. */
static bool is_dead(const char *folder, const char *writer, time_t now)
{
    struct stat facts;
    char *path = path_of(folder, writer);
    bool gone = strchr(writer, '/') != NULL || lstat(path, &facts) != 0 || !S_ISREG(facts.st_mode);
    free(path);
    return gone || is_dead_here(writer) || facts.st_mtime + DEAD_AFTER_SECONDS < now;
}

/* Touches the file until the parent dies or the file is gone. */
static void beat(const char *path, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    while (getppid() == parent) {
        sleep(BEAT_SECONDS);
        if (!touch(path) && errno == ENOENT)
            break;
    }
    _exit(0);
}

bool claims_open(const char *folder, struct claims *claims, char *message, size_t message_bytes)
{
    char place[160];
    name_place(place, sizeof place);
    *claims = (struct claims){.folder = allocate_text(folder, strlen(folder))};
    snprintf(claims->writer, sizeof claims->writer, "%s.%ld.%llu", place, (long)getpid(), start_of(getpid()));
    char *path = path_of(folder, claims->writer);
    int file = mkdir(folder, 0777) == 0 || errno == EEXIST
                   ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666)
                   : -1;
    if (file < 0)
        snprintf(message, message_bytes, "cannot write %.300s: %s", path, strerror(errno));
    else
        close(file);
    pid_t parent = getpid();
    fflush(NULL);
    claims->beat = file >= 0 ? fork() : 0;
    if (file >= 0 && claims->beat == 0)
        beat(path, parent);
    if (claims->beat < 0) {
        snprintf(message, message_bytes, "cannot start a process: %s", strerror(errno));
        claims->beat = 0;
        file = -1;
    }
    free(path);
    return file >= 0;
}

void claims_close(struct claims *claims)
{
    if (claims->beat > 0) {
        kill(claims->beat, SIGKILL);
        while (waitpid(claims->beat, NULL, 0) < 0 && errno == EINTR) {}
    }
    if (claims->folder) {
        char *path = path_of(claims->folder, claims->writer);
        unlink(path);
        free(path);
    }
    free(claims->folder);
    memset(claims, 0, sizeof *claims);
}

/* ---- claims ------------------------------------------------------------------------------------------------------- */

static time_t touched(const struct claims *claims)
{
    char *path = path_of(claims->folder, claims->writer);
    struct stat facts = {0};
    touch(path);
    if (stat(path, &facts) != 0)
        facts.st_mtime = 0; /* then nobody passes for dead by age */
    free(path);
    return facts.st_mtime;
}

enum claims_answer claims_take(const struct claims *claims, const char *key, char *message, size_t message_bytes)
{
    enum claims_answer answer = CLAIMS_OTHER;
    for (int taker = 1; taker <= TAKERS_MAX; taker++) {
        char *path = allocate_format("%s/%s.%d", claims->folder, key, taker), holder[256];
        bool mine = symlink(claims->writer, path) == 0;
        bool exists = !mine && errno == EEXIST;
        if (!mine && !exists)
            snprintf(message, message_bytes, "cannot write %.300s: %s", path, strerror(errno));
        ssize_t length = exists ? readlink(path, holder, sizeof holder - 1) : 0;
        holder[length > 0 ? length : 0] = '\0';
        free(path);
        /* One's own: the server made the link, and its answer was lost. */
        if (mine || (exists && strcmp(holder, claims->writer) == 0))
            return CLAIMS_MINE;
        if (!exists)
            return CLAIMS_FAILED;
        if (!is_dead(claims->folder, holder, touched(claims)))
            return answer;
    }
    return answer;
}

void claims_clear(const char *folder)
{
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));)
        unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
}

size_t claims_count_writers(const char *folder)
{
    size_t count = 0;
    struct stat facts;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (fstatat(dirfd(list), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts.st_mode)
            && !is_dead(folder, entry->d_name, time(NULL)))
            count++;
    if (list)
        closedir(list);
    return count;
}
