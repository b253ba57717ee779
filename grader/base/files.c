#include "grader/base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"

/* Ends of temporary names; no name of ours ends like this. */
#define TEMPORARY ".part"

char *files_read(const char *path, size_t bytes_max, size_t *bytes, char *message, size_t message_bytes)
{
    struct stat facts = {0};
    char *text = NULL;
    const char *why = NULL;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || fstat(file, &facts) != 0)
        why = strerror(errno);
    else if (!S_ISREG(facts.st_mode))
        why = "not a regular file";
    else if ((uint64_t)facts.st_size > bytes_max)
        why = "too large";
    if (!why) {
        text = allocate_zeroed((size_t)facts.st_size + 1);
        for (*bytes = 0; *bytes < (size_t)facts.st_size;) {
            ssize_t got = read(file, text + *bytes, (size_t)facts.st_size - *bytes);
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0) {
                why = got < 0 ? strerror(errno) : NULL; /* 0: it became shorter meanwhile */
                break;
            }
            *bytes += (size_t)got;
        }
    }
    if (file >= 0)
        close(file);
    if (!why)
        return text;
    snprintf(message, message_bytes, "%.300s: %s", path, why);
    free(text);
    return NULL;
}

int files_open_own(const char *path)
{
    struct stat facts;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)))
        return file;
    close(file);
    errno = EINVAL;
    return -1;
}

json_t *files_read_json(const char *path, size_t flags)
{
    int file = files_open_own(path);
    json_t *document = file >= 0 ? json_loadfd(file, flags, NULL) : NULL;
    if (file >= 0)
        close(file);
    return document;
}

static bool holds_already(const char *path, const char *content, size_t bytes)
{
    char message[512];
    size_t old_bytes;
    struct stat facts;
    if (stat(path, &facts) != 0 || (size_t)facts.st_size != bytes)
        return false;
    char *old = files_read(path, bytes, &old_bytes, message, sizeof message);
    bool same = old && old_bytes == bytes && memcmp(old, content, bytes) == 0;
    free(old);
    return same;
}

static bool write_all(int file, const char *content, size_t bytes)
{
    while (bytes > 0) {
        ssize_t put = write(file, content, bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        content += put;
        bytes -= (size_t)put;
    }
    return true;
}

enum files_write files_write(const char *path, const char *content, size_t bytes, char *message, size_t message_bytes)
{
    if (holds_already(path, content, bytes))
        return FILES_SAME;
    uint32_t own = 0; /* several processes, perhaps on several machines, may write the file at once */
    if (getrandom(&own, sizeof own, 0) != sizeof own)
        own = (uint32_t)getpid();
    char *temporary = allocate_format("%s.%08x" TEMPORARY, path, own);
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool good = file >= 0 && write_all(file, content, bytes) && fsync(file) == 0;
    int saved = errno;
    if (file >= 0 && close(file) != 0 && good) {
        saved = errno;
        good = false;
    }
    if (good && rename(temporary, path) != 0) {
        saved = errno;
        good = false;
    }
    if (!good) {
        if (file >= 0)
            unlink(temporary);
        snprintf(message, message_bytes, "cannot write %.300s: %s", path, strerror(saved));
    }
    free(temporary);
    errno = saved;
    return good ? FILES_WRITTEN : FILES_FAILED;
}

enum files_write files_write_json(const char *path, const json_t *document, char *message, size_t message_bytes)
{
    char *text = json_dumps(document, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    if (!text) {
        snprintf(message, message_bytes, "%.300s: the document could not be encoded as JSON", path);
        return FILES_FAILED;
    }
    size_t bytes = strlen(text);
    text[bytes] = '\n'; /* over the NUL: the length says where it ends */
    enum files_write done = files_write(path, text, bytes + 1, message, message_bytes);
    free(text);
    return done;
}

void files_clean(const char *folder)
{
    DIR *list = opendir(folder);
    if (!list)
        return;
    for (struct dirent *entry; (entry = readdir(list));) {
        size_t length = strlen(entry->d_name);
        if (length > strlen(TEMPORARY) && strcmp(entry->d_name + length - strlen(TEMPORARY), TEMPORARY) == 0)
            unlinkat(dirfd(list), entry->d_name, 0);
    }
    closedir(list);
}
