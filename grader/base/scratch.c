#include "grader/base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PREFIX "lockstep-"

/* Removes the files of an open folder. */
static void empty(int folder)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = again >= 0 ? fdopendir(again) : NULL;
    for (struct dirent *entry; listing && (entry = readdir(listing));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(folder, entry->d_name, 0);
    if (listing)
        closedir(listing);
    else if (again >= 0)
        close(again);
}

/* Compilers that have lost their parent may still write for a moment. */
static void remove_folder(int parent, const char *name, int folder)
{
    enum { ATTEMPTS = 100, PAUSE_US = 20000 };
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        empty(folder);
        if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY)
            return;
        usleep(PAUSE_US);
    }
}

/* Is it a folder of ours that nobody else may enter? */
static bool is_own(int folder)
{
    struct stat facts;
    return fstat(folder, &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid() && (facts.st_mode & 077) == 0;
}

/* Removes what is left of those whose keeper is gone. Links are not followed, and what others made is left alone. */
static void sweep(const char *base, const char *prefix)
{
    enum { RANDOM = 6 }; /* mkdtemp's characters */
    DIR *listing = opendir(base);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 || strlen(entry->d_name) != strlen(prefix) + RANDOM)
            continue;
        int folder = openat(dirfd(listing), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder >= 0 && is_own(folder) && flock(folder, LOCK_EX | LOCK_NB) == 0)
            remove_folder(dirfd(listing), entry->d_name, folder);
        if (folder >= 0)
            close(folder);
    }
    if (listing)
        closedir(listing);
}

/* Opens and locks it; where there are no locks, nothing is swept either. Returns a descriptor; -1 when somebody swept it away
 * before it was locked. */
static int lock(const char *path)
{
    struct stat opened, named;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return -1;
    while (flock(folder, LOCK_EX) != 0 && errno == EINTR) {}
    if (fstat(folder, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
        && opened.st_dev == named.st_dev)
        return folder;
    close(folder);
    return -1;
}

/* What the keeper does: it has nothing of its parent's but the folder and the pipe. */
static _Noreturn void keep(const char *path, int folder, int parent_lives)
{
    enum { FOLDER = 3, PARENT_LIVES, FIRST_OF_OTHERS };
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGPIPE, SIGUSR1, SIGUSR2};
    char byte;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    setpgid(0, 0);
    int high = fcntl(folder, F_DUPFD, 64), high_pipe = fcntl(parent_lives, F_DUPFD, 64);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < FOLDER; i++)
        dup2(nothing, i);
    if (high < 0 || high_pipe < 0 || dup2(high, FOLDER) < 0 || dup2(high_pipe, PARENT_LIVES) < 0)
        _exit(1);
    if (close_range(FIRST_OF_OTHERS, ~0u, 0) != 0)
        for (int i = FIRST_OF_OTHERS; i < 1024; i++) /* kernels before 5.9 */
            close(i);
    while (read(PARENT_LIVES, &byte, 1) < 0 && errno == EINTR) {}
    remove_folder(AT_FDCWD, path, FOLDER);
    _exit(0);
}

/* Starts the keeper, which has the lock from then on. */
static void start_keeper(struct scratch *scratch)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    fflush(NULL);
    scratch->keeper = fork();
    if (scratch->keeper == 0)
        keep(scratch->path, scratch->lock, ends[0]);
    if (scratch->keeper > 0)
        setpgid(scratch->keeper, scratch->keeper); /* as it does itself: what kills our group may come before it runs */
    close(ends[0]);
    if (scratch->keeper < 0) {
        close(ends[1]);
        return;
    }
    scratch->alive = ends[1];
    close(scratch->lock);
    scratch->lock = -1;
}

bool scratch_make(const char *kind, struct scratch *scratch)
{
    enum { ATTEMPTS = 8 };
    const char *temporary = getenv("TMPDIR"), *base = temporary && temporary[0] == '/' ? temporary : "/tmp";
    char prefix[64];
    *scratch = (struct scratch){.keeper = -1, .alive = -1, .lock = -1};
    snprintf(prefix, sizeof prefix, PREFIX "%.40s-", kind);
    sweep(base, prefix);
    errno = ENAMETOOLONG;
    for (int attempt = 0; attempt < ATTEMPTS && scratch->lock < 0; attempt++) {
        int length = snprintf(scratch->path, sizeof scratch->path, "%s/%sXXXXXX", base, prefix);
        if (length >= (int)sizeof scratch->path || !mkdtemp(scratch->path))
            break;
        scratch->lock = lock(scratch->path);
    }
    if (scratch->lock < 0) {
        scratch->path[0] = '\0';
        return false;
    }
    start_keeper(scratch);
    return true;
}

void scratch_remove(struct scratch *scratch)
{
    if (scratch->path[0] == '\0')
        return;
    if (scratch->alive >= 0)
        close(scratch->alive);
    while (scratch->keeper > 0 && waitpid(scratch->keeper, NULL, 0) < 0 && errno == EINTR) {}
    int folder = scratch->lock >= 0 ? scratch->lock : open(scratch->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) { /* nobody kept it */
        remove_folder(AT_FDCWD, scratch->path, folder);
        close(folder);
    }
    *scratch = (struct scratch){.keeper = -1, .alive = -1, .lock = -1};
}
