#include "grader/collect/commit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/base/record.h"
#include "grader/collect/tree.h"

#define PATIENCE_MS      10000
#define REF_BYTES_MAX    4096
#define PACKED_BYTES_MAX (16u << 20)
#define COMMIT_BYTES_MAX 65536

bool commit_make_repository(const char *work)
{
    static const char *const folders[] = {"", "/objects", "/refs"};
    char message[300];
    bool good = true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && good; i++) {
        char *path = allocate_format("%s%s", work, folders[i]);
        good = mkdir(path, 0777) == 0 || errno == EEXIST;
        free(path);
    }
    char *head = allocate_format("%s/HEAD", work), *config = allocate_format("%s/config", work);
    static const char branch[] = "ref: refs/heads/none\n",
                      settings[] = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";
    good = good && files_write(head, branch, strlen(branch), message, sizeof message) != FILES_FAILED
           && files_write(config, settings, strlen(settings), message, sizeof message) != FILES_FAILED;
    free(head);
    free(config);
    return good;
}

/* Reads a small file of the clone's .git, through no link. Owned by the caller; NULL: there is none. */
static char *read_inside(int git, const char *path, size_t most)
{
    const char *slash = strrchr(path, '/');
    char *around = slash ? allocate_text(path, (size_t)(slash - path)) : allocate_text("", 0);
    int folder = tree_open(git, around);
    int file = folder >= 0 ? openat(folder, slash ? slash + 1 : path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    struct stat facts;
    char *text = NULL;
    if (file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && (size_t)facts.st_size <= most) {
        text = allocate_zeroed((size_t)facts.st_size + 1);
        ssize_t got = read(file, text, (size_t)facts.st_size);
        text[got > 0 ? got : 0] = '\0';
    }
    if (file >= 0)
        close(file);
    if (folder >= 0)
        close(folder);
    free(around);
    return text;
}

static bool take_hash(const char *text, char hash[41])
{
    size_t digits = strspn(text, "0123456789abcdef");
    snprintf(hash, 41, "%.40s", text);
    return digits == 40;
}

static bool find_packed(int git, const char *ref, char hash[41])
{
    char *packed = read_inside(git, "packed-refs", PACKED_BYTES_MAX);
    bool found = false;
    for (char *line = packed, *end; line && *line != '\0' && !found; line = end) {
        end = line + strcspn(line, "\n");
        size_t length = (size_t)(end - line), wanted = strlen(ref);
        found = length == 41 + wanted && strncmp(line + 41, ref, wanted) == 0 && take_hash(line, hash);
        end += *end == '\n';
    }
    free(packed);
    return found;
}

/* The commit that HEAD names. */
static bool find_head(int git, char hash[41])
{
    char *head = read_inside(git, "HEAD", REF_BYTES_MAX);
    bool found = false;
    if (head)
        head[strcspn(head, "\r\n")] = '\0';
    if (head && strncmp(head, "ref: refs/", 10) == 0 && !strstr(head, "..")) {
        char *ref = read_inside(git, head + 5, REF_BYTES_MAX);
        found = ref ? take_hash(ref, hash) : find_packed(git, head + 5, hash);
        free(ref);
    } else if (head) {
        found = take_hash(head, hash);
    }
    free(head);
    return found;
}

static void run_git(const char *work, const char *objects, const char *hash, int output)
{
    const char *path = getenv("PATH");
    char *environment[] = {
        allocate_format("PATH=%s", path ? path : "/usr/bin:/bin"),
        allocate_format("GIT_DIR=%s", work),
        allocate_format("GIT_OBJECT_DIRECTORY=%s", objects),
        "GIT_CONFIG_NOSYSTEM=1",
        "GIT_CONFIG_GLOBAL=/dev/null",
        "GIT_NO_REPLACE_OBJECTS=1",
        "GIT_NO_LAZY_FETCH=1",
        "GIT_OPTIONAL_LOCKS=0",
        "GIT_TERMINAL_PROMPT=0",
        "HOME=/nonexistent",
        "LC_ALL=C",
        NULL,
    };
    char *arguments[] = {"git", "cat-file", "commit", (char *)hash, NULL};
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(nothing, 2);
    execvpe("git", arguments, environment);
    _exit(127);
}

/* What git printed, at most COMMIT_BYTES_MAX; owned by the caller. *status: how it ended; -1: too slow. */
static char *read_commit(const char *work, const char *objects, const char *hash, int *status)
{
    int ends[2];
    size_t used = 0;
    char *text = allocate_zeroed(COMMIT_BYTES_MAX + 1);
    *status = -1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return text;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_git(work, objects, hash, ends[1]);
    close(ends[1]);
    int64_t deadline = record_now_ms() + PATIENCE_MS;
    for (bool open = child > 0; open;) {
        struct pollfd wait = {.fd = ends[0], .events = POLLIN};
        int64_t left = deadline - record_now_ms();
        ssize_t got = left > 0 && used < COMMIT_BYTES_MAX && poll(&wait, 1, (int)left) > 0
                          ? read(ends[0], text + used, COMMIT_BYTES_MAX - used)
                          : 0;
        open = got > 0;
        used += got > 0 ? (size_t)got : 0;
    }
    close(ends[0]);
    if (child > 0) {
        if (record_now_ms() >= deadline)
            kill(child, SIGKILL);
        while (waitpid(child, status, 0) < 0 && errno == EINTR) {}
    }
    return text;
}

/* "committer Ada <ada@example.org> 1791999999 +0200" in the commit's head. */
static bool take_date(const char *commit, int64_t *utc)
{
    for (const char *line = commit; *line != '\0' && *line != '\n';) {
        size_t length = strcspn(line, "\n");
        if (strncmp(line, "committer ", 10) == 0) {
            const char *end = line + length, *at = end;
            while (at > line && *at != '>')
                at--;
            return *at == '>' && sscanf(at + 1, " %ld", utc) == 1;
        }
        line += length + (line[length] == '\n');
    }
    return false;
}

bool commit_time(const char *clone, const char *work, int64_t *utc, char *message, size_t message_bytes)
{
    char hash[41];
    int status, folder = open(clone, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int git = folder >= 0 ? tree_open(folder, ".git") : -1;
    bool found = git >= 0 && find_head(git, hash);
    if (git >= 0)
        close(git);
    if (folder >= 0)
        close(folder);
    if (!found) {
        snprintf(message, message_bytes, "its .git names no commit, so its time is not known");
        return false;
    }
    char *whole = realpath(clone, NULL), *objects = allocate_format("%s/.git/objects", whole ? whole : clone);
    char *own = realpath(work, NULL), *commit = read_commit(own ? own : work, objects, hash, &status);
    bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0 && take_date(commit, utc);
    if (!good)
        snprintf(message, message_bytes, "%s, so its time is not known",
                 WIFEXITED(status) && WEXITSTATUS(status) == 127 ? "git is not installed"
                                                                 : "git cannot read its latest commit");
    free(whole);
    free(own);
    free(objects);
    free(commit);
    return good;
}
