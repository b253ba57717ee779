#include "runtime/compile/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/user_cache.h"

#define FOLDERS        16
#define RECENT_SECONDS 60
#define STALE_SECONDS  3600
#define TEMPORARY      ".lockstep-new-"

struct entry_head {
    char magic[8];
    uint64_t payload_bytes;
    uint8_t checksum[SHA256_DIGEST_LENGTH]; /* of the key's text and the payload */
};
static const char entry_magic[8] = "LOCKSTC1";

void cache_key_make(const struct cache_part *parts, size_t part_count, struct cache_key *key)
{
    SHA2_CTX context;
    SHA256Init(&context);
    for (size_t at = 0; at < part_count; at++) {
        uint64_t count = parts[at].count;
        SHA256Update(&context, (const uint8_t *)&count, sizeof count);
        SHA256Update(&context, parts[at].bytes, parts[at].count);
    }
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Final(digest, &context);
    for (size_t at = 0; at < sizeof digest; at++)
        snprintf(key->text + 2 * at, 3, "%02x", digest[at]);
}

static void make_checksum(const struct cache_key *key, const void *payload, size_t bytes,
                          uint8_t checksum[SHA256_DIGEST_LENGTH])
{
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)key->text, sizeof key->text);
    SHA256Update(&context, payload, bytes);
    SHA256Final(checksum, &context);
}

bool cache_folder(char folder[CACHE_PATH_BYTES])
{
    const char *own = getenv("LOCKSTEP_CACHE");
    if (own && strcmp(own, "none") == 0)
        return false;
    return user_cache_folder(own, folder, CACHE_PATH_BYTES - 100); /* room for names below it */
}

/* The subfolder and the file of a key. */
static bool entry_path(const struct cache_key *key, char folder[CACHE_PATH_BYTES], char path[CACHE_PATH_BYTES])
{
    char root[CACHE_PATH_BYTES];
    if (!cache_folder(root))
        return false;
    int length = snprintf(folder, CACHE_PATH_BYTES, "%.400s/%c", root, key->text[0]);
    return length < CACHE_PATH_BYTES - 80 && snprintf(path, CACHE_PATH_BYTES, "%.*s/%s", length, folder, key->text) > 0;
}

static bool make_folders(char *path)
{
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    return mkdir(path, 0700) == 0 || access(path, W_OK) == 0;
}

static bool read_all(int file, void *target, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got = read(file, (char *)target + done, bytes - done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static bool write_all(int file, const void *source, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t put = write(file, (const char *)source + done, bytes - done);
        if (put <= 0)
            return false;
        done += (size_t)put;
    }
    return true;
}

static uint8_t *read_entry(int file, const struct cache_key *key, size_t *bytes)
{
    struct stat information;
    struct entry_head head;
    if (fstat(file, &information) != 0 || !S_ISREG(information.st_mode) || !read_all(file, &head, sizeof head)
        || memcmp(head.magic, entry_magic, sizeof head.magic) != 0 || head.payload_bytes > CACHE_MAX_PAYLOAD_BYTES
        || (uint64_t)information.st_size != sizeof head + head.payload_bytes)
        return NULL;
    uint8_t *payload = malloc(head.payload_bytes + 1);
    if (!payload)
        return NULL;
    uint8_t checksum[SHA256_DIGEST_LENGTH];
    bool good = read_all(file, payload, head.payload_bytes);
    if (good) {
        make_checksum(key, payload, head.payload_bytes, checksum);
        good = memcmp(checksum, head.checksum, sizeof checksum) == 0;
    }
    if (!good) {
        free(payload);
        return NULL;
    }
    *bytes = head.payload_bytes;
    return payload;
}

bool cache_load(const struct cache_key *key, uint8_t **payload, size_t *bytes)
{
    char folder[CACHE_PATH_BYTES], path[CACHE_PATH_BYTES];
    if (!entry_path(key, folder, path))
        return false;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    *payload = read_entry(file, key, bytes);
    if (*payload)
        futimens(file, NULL); /* just used: trimmed last */
    close(file);
    return *payload != NULL;
}

void cache_store(const struct cache_key *key, const void *payload, size_t bytes)
{
    char folder[CACHE_PATH_BYTES], path[CACHE_PATH_BYTES], temporary[CACHE_PATH_BYTES + 32];
    if (bytes > CACHE_MAX_PAYLOAD_BYTES || !entry_path(key, folder, path) || !make_folders(folder))
        return;
    snprintf(temporary, sizeof temporary, "%s/" TEMPORARY "XXXXXX", folder);
    int file = mkostemp(temporary, O_CLOEXEC);
    if (file < 0)
        return;
    struct entry_head head = {.payload_bytes = bytes};
    memcpy(head.magic, entry_magic, sizeof head.magic);
    make_checksum(key, payload, bytes, head.checksum);
    bool written = write_all(file, &head, sizeof head) && write_all(file, payload, bytes);
    if (close(file) != 0 || !written || rename(temporary, path) != 0) { /* close() reports a full disk over NFS */
        unlink(temporary);
        return;
    }
    cache_trim(folder, CACHE_LIMIT_BYTES / FOLDERS);
}

struct old_entry {
    char name[65];
    uint64_t bytes;
    int64_t used_seconds;
};

static int compare_used(const void *left, const void *right)
{
    const struct old_entry *a = left, *b = right;
    return a->used_seconds < b->used_seconds ? -1 : a->used_seconds > b->used_seconds;
}

/* LOCKSTEP_CACHE may name a folder that holds the user's own files: those are never touched. */
static bool is_entry_name(const char *name)
{
    return strspn(name, "0123456789abcdef") == 64 && name[64] == '\0';
}

/* Lists entries, removing stale temporary files on the way. Returns [*count], free(), or NULL. */
static struct old_entry *list_entries(DIR *directory, int64_t now, size_t *count, uint64_t *total_bytes)
{
    struct old_entry *entries = NULL;
    size_t room = 0;
    for (struct dirent *file; (file = readdir(directory));) {
        struct stat information;
        if (fstatat(dirfd(directory), file->d_name, &information, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(information.st_mode))
            continue;
        bool temporary = strncmp(file->d_name, TEMPORARY, strlen(TEMPORARY)) == 0;
        if (temporary && now - information.st_mtim.tv_sec > STALE_SECONDS)
            unlinkat(dirfd(directory), file->d_name, 0);
        if (temporary || !is_entry_name(file->d_name))
            continue;
        if (*count == room) {
            struct old_entry *grown = realloc(entries, (room = 2 * room + 64) * sizeof *entries);
            if (!grown)
                break;
            entries = grown;
        }
        struct old_entry *entry = &entries[(*count)++];
        memcpy(entry->name, file->d_name, sizeof entry->name);
        entry->bytes = (uint64_t)information.st_size;
        entry->used_seconds = information.st_mtim.tv_sec;
        *total_bytes += entry->bytes;
    }
    return entries;
}

void cache_trim(const char *folder, uint64_t limit_bytes)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    int64_t now = time(NULL);
    size_t count = 0;
    uint64_t total_bytes = 0;
    struct old_entry *entries = list_entries(directory, now, &count, &total_bytes);
    if (entries && total_bytes > limit_bytes) {
        qsort(entries, count, sizeof *entries, compare_used);
        for (size_t at = 0; at < count && total_bytes > limit_bytes; at++) {
            if (now - entries[at].used_seconds < RECENT_SECONDS)
                break;
            if (unlinkat(dirfd(directory), entries[at].name, 0) == 0)
                total_bytes -= entries[at].bytes;
        }
    }
    free(entries);
    closedir(directory);
}
