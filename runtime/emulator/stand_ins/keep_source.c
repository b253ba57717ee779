#include "runtime/emulator/stand_ins/keep_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/user_cache.h"

enum { PATH_BYTES = 4096 };

/* FNV-1a: names a content, guards nothing. */
static uint64_t hash(const char *text, size_t bytes)
{
    uint64_t value = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < bytes; i++)
        value = (value ^ (uint8_t)text[i]) * UINT64_C(1099511628211);
    return value;
}

static bool write_all(int file, const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t done = write(file, text, bytes);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        text += done;
        bytes -= (size_t)done;
    }
    return true;
}

int keep_source(const char *text, size_t bytes, const char *name, char *path, size_t capacity)
{
    char folder[PATH_BYTES], draft[PATH_BYTES + 64];
    const char *own = getenv("LOCKSTEP_CACHE");
    const char *slash = strrchr(name, '/');
    if ((own && strcmp(own, "none") == 0) || !user_cache_folder(own, folder, sizeof folder))
        return -1;
    int length = snprintf(path, capacity, "%s/sources/%016llx/%s", folder, (unsigned long long)hash(text, bytes),
                          slash ? slash + 1 : name);
    if (length <= 0 || (size_t)length >= capacity || length >= PATH_BYTES || strpbrk(path, "\"\\\n"))
        return -1;
    if (access(path, R_OK) == 0)
        return 0;
    /* Whole or not at all, whoever else does the same. */
    snprintf(draft, sizeof draft, "%s.%d", path, (int)getpid());
    if (!user_cache_make_folders(path))
        return -1;
    int file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return -1;
    bool good = write_all(file, text, bytes);
    good = close(file) == 0 && good && rename(draft, path) == 0;
    if (!good)
        unlink(draft);
    return good ? 0 : -1;
}

/* Is the path the name, or the name in some folder? NVRTC puts the working folder before a name without one. */
static bool is_named(const char *path, size_t bytes, const char *name)
{
    size_t name_bytes = strlen(name);
    return bytes >= name_bytes && memcmp(path + bytes - name_bytes, name, name_bytes) == 0
           && (bytes == name_bytes || path[bytes - name_bytes - 1] == '/');
}

char *keep_source_rename(const char *ptx, const char *name, const char *path)
{
    size_t path_bytes = strlen(path), count = 0, filled = 0;
    for (const char *at = ptx; (at = strstr(at, ".file")); at += 5)
        count++;
    char *text = count ? malloc(strlen(ptx) + count * path_bytes + 1) : NULL;
    if (!text)
        return NULL;
    const char *from = ptx;
    count = 0;
    for (const char *at = ptx; (at = strstr(at, ".file"));) {
        const char *line_end = at + strcspn(at, "\n"), *quote = memchr(at, '"', (size_t)(line_end - at));
        const char *end = quote ? memchr(quote + 1, '"', (size_t)(line_end - quote - 1)) : NULL;
        at = line_end;
        if (!end || !is_named(quote + 1, (size_t)(end - quote - 1), name))
            continue;
        memcpy(text + filled, from, (size_t)(quote + 1 - from));
        filled += (size_t)(quote + 1 - from);
        memcpy(text + filled, path, path_bytes);
        filled += path_bytes;
        from = end;
        count++;
    }
    strcpy(text + filled, from);
    if (count > 0)
        return text;
    free(text);
    return NULL;
}
