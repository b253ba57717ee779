#include "grader/student/watch.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"

/* The folder, not the file: an editor that writes a new file and renames it leaves the old one alone. */
static void watch_folder(struct watch_file *file)
{
    char *copy = allocate_format("%s", file->path);
    if (file->events >= 0 && file->folder < 0)
        file->folder = inotify_add_watch(file->events, dirname(copy),
                                         IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM
                                             | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
    free(copy);
}

void watch_file_open(const char *path, struct watch_file *file)
{
    *file = (struct watch_file){.path = allocate_format("%s", path), .folder = -1};
    file->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    watch_folder(file);
    file->there = stat(file->path, &file->seen) == 0;
}

void watch_file_close(struct watch_file *file)
{
    if (file->events >= 0)
        close(file->events);
    free(file->path);
    *file = (struct watch_file){.events = -1, .folder = -1};
}

static void note_change(struct watch_file *file)
{
    file->latest_ms = record_now_ms();
    if (file->changed_ms == 0)
        file->changed_ms = file->latest_ms;
}

/* The file is looked at afterwards, which tells most; but two saves within one tick of the file system's clock look alike,
 * and a folder that went away has to be found again. */
static void drain(struct watch_file *file)
{
    const char *slash = strrchr(file->path, '/'), *name = slash ? slash + 1 : file->path;
    _Alignas(struct inotify_event) char buffer[4096];
    ssize_t bytes;
    while (file->events >= 0 && (bytes = read(file->events, buffer, sizeof buffer)) > 0)
        for (ssize_t at = 0; at < bytes;) {
            const struct inotify_event *event = (const struct inotify_event *)(buffer + at);
            if (event->wd == file->folder && (event->mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF)) != 0) {
                inotify_rm_watch(file->events, file->folder);
                file->folder = -1;
            }
            if ((event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) != 0 && event->len > 0 && strcmp(event->name, name) == 0)
                note_change(file);
            at += (ssize_t)(sizeof *event + event->len);
        }
}

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino && one->st_size == other->st_size
           && one->st_mtim.tv_sec == other->st_mtim.tv_sec && one->st_mtim.tv_nsec == other->st_mtim.tv_nsec;
}

void watch_file_look(struct watch_file *file)
{
    struct stat now;
    drain(file);
    watch_folder(file);
    bool there = stat(file->path, &now) == 0;
    if (there == file->there && (!there || is_same(&now, &file->seen)))
        return;
    file->there = there;
    if (there)
        file->seen = now;
    note_change(file);
}

/* When what changed may be read: after a moment of quiet. A file that is gone, or empty, may be one that is just being
 * written again. */
static int64_t ready_ms(const struct watch_file *file)
{
    bool whole = file->there && file->seen.st_size > 0;
    int64_t quiet = file->latest_ms + (whole ? WATCH_FILE_QUIET_MS : WATCH_FILE_QUIET_EMPTY_MS);
    int64_t latest = file->changed_ms + WATCH_FILE_LONGEST_MS;
    return whole && latest < quiet ? latest : quiet;
}

int watch_file_wait_ms(const struct watch_file *file)
{
    if (file->changed_ms == 0)
        return WATCH_FILE_TICK_MS;
    int64_t wait = ready_ms(file) - record_now_ms();
    return wait < 0 ? 0 : wait > WATCH_FILE_TICK_MS ? WATCH_FILE_TICK_MS : (int)wait;
}

bool watch_file_take(struct watch_file *file)
{
    if (file->changed_ms == 0 || record_now_ms() < ready_ms(file))
        return false;
    file->changed_ms = 0;
    return true;
}
