/* The second way to hold files, for kernels without Landlock: a process gets a user namespace of its own, in which it may
 * mount, and there a root folder of its own that holds nothing but its list of paths. What is not mounted does not exist.
 *
 * Old kernels are what this is for, so it uses mount(2) and pivot_root(2), not the calls that replace them. */
#include "grader/sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the new root is put together, inside the process's own mounts: any folder that every system has. Paths below it are
 * opened before it is covered. */
#define STAGE "/tmp"

enum { PATHS_MAX = 48, STEPS_MAX = 64 };

/* A path of the list, and what the view needs of it. */
struct shown {
    char path[PATH_MAX]; /* without links */
    unsigned rights;
    int file; /* the folder or file itself */
};

/* A link on the way to one of them, or a folder (target ""). */
struct step {
    char path[PATH_MAX], target[PATH_MAX];
};

struct view {
    struct shown list[PATHS_MAX]; /* parents before what lies in them */
    size_t count;
    struct step steps[STEPS_MAX];
    size_t step_count;
    bool native; /* the layer executes what it may read: libraries */
};

/* ---- the namespaces ------------------------------------------------------------------------------------------------ */

static bool write_text(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    size_t length = strlen(text);
    bool written = file >= 0 && write(file, text, length) == (ssize_t)length;
    if (file >= 0)
        close(file);
    return written;
}

/* The process keeps its user and group: only these are known in its namespace. The network namespace has no device that is
 * up, and none of the machine's abstract sockets. */
bool sandbox_enter_namespaces(void)
{
    char users[32], groups[32];
    snprintf(users, sizeof users, "%u %u 1", (unsigned)geteuid(), (unsigned)geteuid());
    snprintf(groups, sizeof groups, "%u %u 1", (unsigned)getegid(), (unsigned)getegid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) == 0 && write_text("/proc/self/setgroups", "deny")
           && write_text("/proc/self/uid_map", users) && write_text("/proc/self/gid_map", groups);
}

/* From here on it can mount nothing, not even in its own namespace, nor win that right back by an exec. */
static bool drop_capabilities(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    const unsigned long no_root = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP
                                  | SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED;
    bool good = prctl(PR_SET_SECUREBITS, no_root, 0, 0, 0) == 0;
    for (unsigned long each = 0; good && prctl(PR_CAPBSET_READ, each, 0, 0, 0) >= 0; each++)
        good = prctl(PR_CAPBSET_DROP, each, 0, 0, 0) == 0;
    return good && syscall(SYS_capset, &header, none) == 0;
}

/* ---- the list ------------------------------------------------------------------------------------------------------ */

/* Makes the folders above a path of the stage. */
static bool make_parents(char *path)
{
    for (char *slash = strchr(path + sizeof STAGE, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool good = mkdir(path, 0755) == 0 || errno == EEXIST;
        *slash = '/';
        if (!good)
            return false;
    }
    return true;
}

/* Where a path of the machine is on the stage. Returns false when that is too long. */
static bool staged(const char *path, size_t length, char stage[PATH_MAX])
{
    return snprintf(stage, PATH_MAX, STAGE "%.*s", (int)length, path) < PATH_MAX;
}

/* Is the path in something that is shown? */
static bool is_below(const char *path, size_t length, const char *folder)
{
    size_t own = strlen(folder);
    return length >= own && strncmp(path, folder, own) == 0 && (length == own || path[own] == '/' || own == 1);
}

static bool is_shown(const struct view *view, const char *path, size_t length)
{
    for (size_t i = 0; i < view->count; i++)
        if (is_below(path, length, view->list[i].path))
            return true;
    return false;
}

/* Notes a step on the way to a path: a link, or with target "" a folder that is entered only to be left again. */
static bool note_step(struct view *view, const char *path, const char *target)
{
    if (view->step_count == STEPS_MAX)
        return false;
    struct step *step = &view->steps[view->step_count++];
    memcpy(step->path, path, strlen(path) + 1);
    memcpy(step->target, target, strlen(target) + 1);
    return true;
}

/* Goes the way to a path as the kernel would, and notes what it needs: /lib64 may be a link to usr/lib64, and
 * /usr/local/cuda/lib64/../include leads over a folder that is not on the list. */
static bool note_way(const char *path, struct view *view)
{
    char at[PATH_MAX] = "", rest[PATH_MAX], next[PATH_MAX], target[PATH_MAX];
    if (path[0] != '/' || snprintf(rest, sizeof rest, "%s", path) >= (int)sizeof rest)
        return false;
    for (char *left = rest; *left != '\0';) {
        size_t length = strcspn(left, "/"), end = strlen(at);
        if (length == 2 && strncmp(left, "..", 2) == 0) {
            if (!note_step(view, at, ""))
                return false;
            *(end > 0 ? strrchr(at, '/') : at) = '\0';
        } else if (length > 0 && (length > 1 || *left != '.')) {
            if (snprintf(at + end, sizeof at - end, "/%.*s", (int)length, left) >= (int)(sizeof at - end))
                return false;
            ssize_t bytes = readlink(at, target, sizeof target - 1);
            if (bytes >= 0) { /* the way goes on from the link's target */
                target[bytes] = '\0';
                if (!note_step(view, at, target)
                    || snprintf(next, sizeof next, "%s%s", target, left + length) >= (int)sizeof next)
                    return false;
                at[target[0] == '/' ? 0 : end] = '\0';
                memcpy(rest, next, sizeof rest);
                left = rest;
                continue;
            }
        }
        left += length + (left[length] == '/');
    }
    return true;
}

/* Opens a path of the list; one that does not exist is skipped. Returns false when there are too many. */
static bool open_path(const struct sandbox_path *path, struct view *view)
{
    if (view->count == PATHS_MAX)
        return false;
    struct shown *shown = &view->list[view->count];
    shown->rights = path->rights;
    shown->file = realpath(path->path, shown->path) ? open(shown->path, O_PATH | O_CLOEXEC) : -1;
    if (shown->file < 0)
        return true;
    size_t at = 0;
    while (at < view->count && strcmp(view->list[at].path, shown->path) != 0)
        at++;
    if (at < view->count) { /* twice on the list: the rights of both */
        view->list[at].rights |= shown->rights;
        close(shown->file);
    } else {
        view->count++;
    }
    return note_way(path->path, view);
}

static int shorter_first(const void *left, const void *right)
{
    size_t one = strlen(((const struct shown *)left)->path), other = strlen(((const struct shown *)right)->path);
    return one < other ? -1 : one > other;
}

/* ---- mounting ------------------------------------------------------------------------------------------------------ */

/* What the mount has already must stay: a namespace that is not the machine's may add to it only. */
static unsigned long flags_of(const struct statvfs *facts)
{
    static const struct {
        unsigned long have, mount;
    } known[] = {{ST_RDONLY, MS_RDONLY},   {ST_NOSUID, MS_NOSUID},         {ST_NODEV, MS_NODEV},      {ST_NOEXEC, MS_NOEXEC},
                 {ST_NOATIME, MS_NOATIME}, {ST_NODIRATIME, MS_NODIRATIME}, {ST_RELATIME, MS_RELATIME}};
    unsigned long flags = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        flags |= facts->f_flag & known[i].have ? known[i].mount : 0;
    return flags & (MS_NOATIME | MS_RELATIME) ? flags : flags | MS_STRICTATIME;
}

static bool restrict_mount(const char *stage, unsigned long more)
{
    struct statvfs facts;
    return statvfs(stage, &facts) == 0
           && mount(NULL, stage, NULL, MS_REMOUNT | MS_BIND | MS_NOSUID | more | flags_of(&facts), NULL) == 0;
}

/* "\040" in a line of mountinfo stands for a space. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; to++)
        if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] && from[3]) {
            *to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 4;
        } else {
            *to = *from++;
        }
    *to = '\0';
}

/* Other file systems that are mounted in a folder come along with it, each with flags of its own. */
static bool restrict_mounts_below(const char *stage, unsigned long more)
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
    char *line = NULL;
    size_t bytes = 0;
    bool good = file != NULL;
    while (good && getline(&line, &bytes, file) > 0) {
        char *rest = line, *point = NULL;
        for (int field = 0; field < 5; field++)
            point = strsep(&rest, " ");
        if (point)
            unescape(point);
        good = point && (!is_below(point, strlen(point), stage) || restrict_mount(point, more));
    }
    free(line);
    if (file)
        fclose(file);
    return good;
}

static bool show(const struct view *view, const struct shown *shown)
{
    char stage[PATH_MAX], source[32];
    struct stat facts;
    unsigned long more = shown->rights & (SANDBOX_WRITE | SANDBOX_MAKE)    ? 0
                         : shown->rights & SANDBOX_EXECUTE || view->native ? MS_RDONLY
                                                                           : MS_RDONLY | MS_NOEXEC;
    if (!staged(shown->path, strlen(shown->path), stage) || fstat(shown->file, &facts) != 0)
        return false;
    if (S_ISDIR(facts.st_mode) || S_ISREG(facts.st_mode))
        more |= MS_NODEV;
    if (access(stage, F_OK) != 0) { /* else it is there with what is shown above it */
        int made = -1;
        bool good = make_parents(stage);
        if (good && S_ISDIR(facts.st_mode))
            good = mkdir(stage, 0755) == 0;
        else if (good)
            good = (made = open(stage, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) >= 0;
        if (made >= 0)
            close(made);
        if (!good)
            return false;
    }
    snprintf(source, sizeof source, "/proc/self/fd/%d", shown->file);
    if (mount(source, stage, NULL, MS_BIND, NULL) == 0)
        return restrict_mount(stage, more);
    /* It cannot be had without what is mounted in it. */
    return mount(source, stage, NULL, MS_BIND | MS_REC, NULL) == 0 && restrict_mounts_below(stage, more);
}

/* Makes the steps that lead to paths of the list, where they do not lie in what is shown. */
static bool make_steps(const struct view *view)
{
    char stage[PATH_MAX];
    for (size_t i = 0; i < view->step_count; i++) {
        const struct step *step = &view->steps[i];
        if (step->path[0] == '\0' || is_shown(view, step->path, strlen(step->path)))
            continue;
        if (!staged(step->path, strlen(step->path), stage) || !make_parents(stage)
            || ((step->target[0] != '\0' ? symlink(step->target, stage) : mkdir(stage, 0755)) != 0 && errno != EEXIST))
            return false;
    }
    return true;
}

/* The working folder keeps its name, which compilers write into what they make; there may be nothing in it. */
static bool make_working_folder(const struct view *view, const char *folder)
{
    char stage[PATH_MAX];
    if (is_shown(view, folder, strlen(folder)))
        return true;
    return staged(folder, strlen(folder), stage) && make_parents(stage) && (mkdir(stage, 0755) == 0 || errno == EEXIST);
}

/* The stage becomes the root, and what was the root goes. */
static bool turn(const char *folder)
{
    return chdir(STAGE) == 0 && syscall(SYS_pivot_root, ".", ".") == 0 && umount2(".", MNT_DETACH) == 0 && chdir("/") == 0
           && mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0
           && chdir(folder) == 0;
}

bool sandbox_show_only(enum sandbox_layer layer, const struct sandbox_path *paths, size_t count)
{
    struct view *view = calloc(1, sizeof *view);
    char folder[PATH_MAX];
    bool good = view && getcwd(folder, sizeof folder) && folder[0] == '/' && unshare(CLONE_NEWNS) == 0
                && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
    if (!view)
        return false;
    view->native = layer == SANDBOX_BUILD || layer == SANDBOX_PROGRAM;
    for (size_t i = 0; i < count && good; i++)
        good = open_path(&paths[i], view);
    qsort(view->list, view->count, sizeof *view->list, shorter_first);
    good = good && mount("lockstep", STAGE, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=64k,nr_inodes=512") == 0;
    for (size_t i = 0; i < view->count && good; i++)
        good = show(view, &view->list[i]);
    good = good && make_steps(view) && make_working_folder(view, folder);
    for (size_t i = 0; i < view->count; i++)
        close(view->list[i].file);
    free(view);
    return good && turn(folder) && drop_capabilities();
}

/* ---- whether it works here ----------------------------------------------------------------------------------------- */

/* Only trying tells: a distribution, a container or a security module may forbid any of the steps. */
bool sandbox_has_namespaces(void)
{
    static const struct sandbox_path some[] = {{"/dev/null", SANDBOX_READ | SANDBOX_WRITE}, {"/usr", SANDBOX_READ}};
    int status = 1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(sandbox_enter_namespaces() && sandbox_show_only(SANDBOX_COMPILE, some, 2) ? 0 : 1);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
