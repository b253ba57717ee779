#include "grader/collect/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/collect/archive.h"
#include "grader/collect/forms/forms.h"

/* Of one student, all files together; an archive has limits of its own. */
#define STUDENT_BYTES_MAX (UINT64_C(1) << 30)
#define STUDENT_FILES_MAX 50000
#define DEPTH_MAX         64

/* Archives in archives, and all that are opened for one student. */
#define NESTED_MAX   3
#define ARCHIVES_MAX 50

#define WORK_NAME ".unpacking"

int tree_open(int folder, const char *path)
{
    int at = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    while (at >= 0 && *path != '\0') {
        size_t length = strcspn(path, "/");
        char *name = allocate_text(path, length);
        int next = length > 0 ? openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : at;
        int saved = errno;
        if (next != at)
            close(at);
        free(name);
        errno = saved;
        at = next;
        path += length + (path[length] == '/');
    }
    return at;
}

bool tree_make_folders(int folder, const char *path)
{
    char *part = allocate_text(path, strlen(path));
    bool good = true;
    for (char *slash = part; good && (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        good = part[0] == '\0' || mkdirat(folder, part, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    good = good && (mkdirat(folder, path, 0777) == 0 || errno == EEXIST);
    int saved = errno;
    free(part);
    errno = saved;
    return good;
}

/* The parent of the path's last name, opened; *name points at that. */
static int open_around(int folder, const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    char *around = slash ? allocate_text(path, (size_t)(slash - path)) : allocate_text("", 0);
    int parent = tree_open(folder, around);
    *name = slash ? slash + 1 : path;
    free(around);
    return parent;
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Names in an open folder, sorted; owned by the caller. Returns false with errno. */
static bool list_names(int folder, char ***names, size_t *count)
{
    size_t capacity = 0;
    *names = NULL;
    *count = 0;
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    if (!list) {
        if (again >= 0)
            close(again);
        return false;
    }
    for (struct dirent *entry; (entry = readdir(list));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        *names = allocate_grown(*names, &capacity, *count + 1, sizeof **names);
        (*names)[(*count)++] = allocate_text(entry->d_name, strlen(entry->d_name));
    }
    closedir(list);
    if (*count > 0)
        qsort(*names, *count, sizeof **names, compare_texts);
    return true;
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

/* ---- copying ------------------------------------------------------------------------------------------------------ */

static bool fail(struct tree_copy *copy, const char *name, int error)
{
    snprintf(copy->message, copy->message_bytes, "%.200s: %.200s: %s", copy->place, name, strerror(error));
    return false;
}

static void note(struct tree_copy *copy, const char *name, const char *why)
{
    char *place = allocate_format("%s: %s", copy->place, name);
    notes_add(copy->notes, true, place, "%s", why);
    free(place);
}

/* A name in `to` that nothing has yet: `name`, or it with a number. Owned by the caller. */
static char *free_name(int to, const char *name)
{
    struct stat facts;
    const char *dot = strrchr(name, '.');
    int stem = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    char *chosen = allocate_text(name, strlen(name));
    for (int number = 2; fstatat(to, chosen, &facts, AT_SYMLINK_NOFOLLOW) == 0; number++) {
        free(chosen);
        chosen = allocate_format("%.*s (%d)%s", stem, name, number, name + stem);
    }
    return chosen;
}

static bool copy_bytes(struct tree_copy *copy, int from, int to, const char *name)
{
    char buffer[65536];
    for (;;) {
        ssize_t got = read(from, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(copy, name, errno);
        if (got == 0)
            return true;
        for (ssize_t put, done = 0; done < got; done += put) {
            put = write(to, buffer + done, (size_t)(got - done));
            if (put < 0 && errno == EINTR)
                put = 0;
            else if (put <= 0)
                return fail(copy, name, errno);
        }
        copy->bytes += (uint64_t)got;
    }
}

static bool copy_file(struct tree_copy *copy, int file, const struct stat *facts, int to, const char *as)
{
    char *name = free_name(to, as);
    int target = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool good = (target >= 0 || fail(copy, name, errno)) && copy_bytes(copy, file, target, name);
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, facts->st_mtim};
    if (target >= 0)
        futimens(target, times);
    if (target >= 0 && close(target) != 0 && good)
        good = fail(copy, name, errno);
    size_t length = strlen(name);
    copy->files++;
    copy->sources += length > 3 && strcasecmp(name + length - 3, ".cu") == 0;
    free(name);
    return good;
}

static bool copy_folder(struct tree_copy *copy, int from, int to, int depth, int nested);

/* Unpacks the archive into a folder named like it. Returns false where that fails; *whole: whether it was unpacked. */
static bool unpack(struct tree_copy *copy, int file, int to, const char *as, size_t stem_bytes, int depth, int nested,
                   bool *whole)
{
    char message[300];
    char *place = allocate_format("%s: %s", copy->place, as), *stem = allocate_text(as, stem_bytes);
    bool disk = false, good = true;
    *whole = false;
    copy->archives++;
    int work = tree_remove(to, WORK_NAME) && mkdirat(to, WORK_NAME, 0777) == 0 ? tree_open(to, WORK_NAME) : -1;
    if (work < 0) {
        good = fail(copy, as, errno);
    } else if (!archive_unpack(file, work, &archive_of_student, place, copy->notes, &disk, message, sizeof message)) {
        if (disk) {
            snprintf(copy->message, copy->message_bytes, "%.300s: %s", place, message);
            good = false;
        } else {
            notes_add(copy->notes, true, place, "Not unpacked: %s. It was left as it is.", message);
        }
    } else {
        char *name = free_name(to, stem);
        int folder = mkdirat(to, name, 0777) == 0 ? tree_open(to, name) : -1;
        good = (folder >= 0 || fail(copy, name, errno)) && copy_folder(copy, work, folder, depth + 1, nested + 1);
        if (folder >= 0)
            close(folder);
        *whole = true;
        copy->unpacked++;
        free(name);
    }
    if (work >= 0)
        close(work);
    tree_remove(to, WORK_NAME);
    free(stem);
    free(place);
    return good;
}

/* Copies what is behind one name of an open folder. */
static bool copy_name(struct tree_copy *copy, int from, const char *name, int to, const char *as, int depth, int nested)
{
    struct stat facts;
    size_t stem_bytes;
    int file = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool good = true, whole = false;
    if (file < 0 || fstat(file, &facts) != 0) {
        note(copy, name, errno == ELOOP ? "Left out: links are never followed." : "Left out: it cannot be read.");
    } else if (S_ISDIR(facts.st_mode)) {
        char *made = as[0] != '\0' ? free_name(to, as) : NULL;
        int folder = !made ? fcntl(to, F_DUPFD_CLOEXEC, 0) : mkdirat(to, made, 0777) == 0 ? tree_open(to, made) : -1;
        good = (folder >= 0 || fail(copy, as, errno)) && copy_folder(copy, file, folder, depth + 1, nested);
        if (folder >= 0)
            close(folder);
        free(made);
    } else if (!S_ISREG(facts.st_mode)) {
        note(copy, name, "Left out: it is not a regular file.");
    } else if (copy->files >= STUDENT_FILES_MAX || copy->bytes + (uint64_t)facts.st_size > STUDENT_BYTES_MAX) {
        note(copy, name, "Left out: there are more than 50000 files or 1 GB.");
    } else {
        const char *target = as[0] != '\0' ? as : name;
        if (nested < NESTED_MAX && copy->archives < ARCHIVES_MAX && forms_is_archive(target, &stem_bytes))
            good = unpack(copy, file, to, target, stem_bytes, depth, nested, &whole);
        if (good && !whole)
            good = (lseek(file, 0, SEEK_SET) == 0 || fail(copy, name, errno)) && copy_file(copy, file, &facts, to, target);
    }
    if (file >= 0)
        close(file);
    return good;
}

static bool copy_folder(struct tree_copy *copy, int from, int to, int depth, int nested)
{
    char **names;
    size_t count;
    bool good = true;
    if (depth > DEPTH_MAX) {
        note(copy, "", "Left out: its folders are too deep.");
        return true;
    }
    if (!list_names(from, &names, &count)) {
        note(copy, "", "Left out: a folder cannot be read.");
        return true;
    }
    for (size_t i = 0; i < count && good; i++)
        if (!forms_is_noise(names[i]) && strcmp(names[i], ".git") != 0 && strcmp(names[i], WORK_NAME) != 0)
            good = copy_name(copy, from, names[i], to, names[i], depth, nested);
    free_names(names, count);
    return good;
}

bool tree_copy(struct tree_copy *copy, int from, const char *path, int to, const char *as)
{
    const char *name;
    int parent = open_around(from, path, &name);
    if (parent < 0) {
        note(copy, path, "Left out: it cannot be read.");
        return true;
    }
    bool good = copy_name(copy, parent, name, to, as, 0, 0);
    close(parent);
    return good;
}

bool tree_write(struct tree_copy *copy, int to, const char *name, const char *content, size_t bytes)
{
    char *chosen = free_name(to, name);
    int file = openat(to, chosen, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    bool good = stream && fwrite(content, 1, bytes, stream) == bytes;
    if (stream && fclose(stream) != 0)
        good = false;
    if (!good)
        fail(copy, chosen, errno);
    copy->files++;
    free(chosen);
    return good;
}

/* ---- hashing ------------------------------------------------------------------------------------------------------ */

static bool add_path(SHA256_CTX *context, int folder, const char *name, const char *shown, int depth)
{
    struct stat facts;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool good = file >= 0 && fstat(file, &facts) == 0 && depth <= 2 * DEPTH_MAX;
    if (good && S_ISREG(facts.st_mode)) {
        char buffer[65536];
        ssize_t got;
        char *head = allocate_format("%s %lld", shown, (long long)facts.st_size);
        SHA256Update(context, (const uint8_t *)head, strlen(head) + 1);
        free(head);
        while ((got = read(file, buffer, sizeof buffer)) > 0)
            SHA256Update(context, (const uint8_t *)buffer, (size_t)got);
        good = got == 0;
    } else if (good && S_ISDIR(facts.st_mode)) {
        char **names;
        size_t count;
        good = list_names(file, &names, &count);
        for (size_t i = 0; i < count && good; i++) {
            char *inside = allocate_format("%s/%s", shown, names[i]);
            good = add_path(context, file, names[i], inside, depth + 1);
            free(inside);
        }
        free_names(names, count);
    } else {
        good = false;
    }
    if (file >= 0)
        close(file);
    return good;
}

void tree_hash(int folder, const char *path, char hash[65])
{
    SHA256_CTX context;
    struct stat facts;
    const char *name;
    int parent = open_around(folder, path, &name);
    hash[0] = '\0';
    if (parent < 0 || fstatat(parent, name, &facts, AT_SYMLINK_NOFOLLOW) != 0) {
        if (parent >= 0)
            close(parent);
        return;
    }
    SHA256Init(&context);
    bool good = add_path(&context, parent, name, "", 0);
    SHA256End(&context, hash);
    if (!good)
        strcpy(hash, "?");
    close(parent);
}

/* ---- removing ----------------------------------------------------------------------------------------------------- */

bool tree_remove(int folder, const char *path)
{
    const char *name;
    int parent = open_around(folder, path, &name);
    if (parent < 0)
        return errno == ENOENT;
    bool good = unlinkat(parent, name, 0) == 0 || errno == ENOENT;
    if (!good && (errno == EISDIR || errno == EPERM)) {
        char **names = NULL;
        size_t count = 0;
        int inside = tree_open(parent, name);
        good = inside >= 0 && list_names(inside, &names, &count);
        for (size_t i = 0; good && i < count; i++)
            good = tree_remove(inside, names[i]);
        if (inside >= 0) {
            free_names(names, count);
            close(inside);
        }
        good = good && unlinkat(parent, name, AT_REMOVEDIR) == 0;
    }
    int saved = errno;
    close(parent);
    errno = saved;
    return good;
}
