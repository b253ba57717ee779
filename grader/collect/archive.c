#include "grader/collect/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/collect/forms/forms.h"
#include "grader/sandbox/child.h"

#define MB UINT64_C(1048576)

const struct archive_limits archive_of_class = {.bytes = 8192 * MB, .entries = 1000000, .depth = 40, .ratio = 1000};
const struct archive_limits archive_of_student = {.bytes = 64 * MB, .entries = 5000, .depth = 16, .ratio = 200};

/* The child says nothing for so long: it is stuck. */
#define PATIENCE_MS 60000

#define CHUNK_BYTES    65536u
#define NAME_BYTES_MAX 4096u

/* What the child sends. An entry is followed by its bytes. */
enum { RECORD_ENTRY = 1, RECORD_DATA, RECORD_FAILED, RECORD_DONE };
enum entry_kind { ENTRY_FILE = 'f', ENTRY_FOLDER = 'd', ENTRY_LINK = 'l', ENTRY_DEVICE = 'x' };

/* ---- the child ---------------------------------------------------------------------------------------------------- */

static enum entry_kind kind_of(struct archive_entry *entry)
{
    if (archive_entry_hardlink(entry) || archive_entry_symlink(entry))
        return ENTRY_LINK;
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG: return ENTRY_FILE;
    case AE_IFDIR: return ENTRY_FOLDER;
    case AE_IFLNK: return ENTRY_LINK;
    default: return ENTRY_DEVICE;
    }
}

static bool send_failure(int channel, const char *text)
{
    record_write(channel, RECORD_FAILED, text, strlen(text));
    return false;
}

static bool send_entry(struct archive *archive, struct archive_entry *entry, int channel, char *buffer)
{
    const char *name = archive_entry_pathname(entry);
    enum entry_kind kind = kind_of(entry);
    if (!name)
        name = archive_entry_pathname_utf8(entry);
    if (!name)
        name = "";
    int64_t mtime = archive_entry_mtime_is_set(entry) ? archive_entry_mtime(entry) : 0;
    size_t length = strnlen(name, NAME_BYTES_MAX);
    buffer[0] = (char)kind;
    memcpy(buffer + 1, &mtime, sizeof mtime);
    memcpy(buffer + 1 + sizeof mtime, name, length);
    if (archive_entry_is_encrypted(entry))
        return send_failure(channel, "it is encrypted");
    if (!record_write(channel, RECORD_ENTRY, buffer, 1 + sizeof mtime + length))
        return false;
    while (kind == ENTRY_FILE) {
        la_ssize_t got = archive_read_data(archive, buffer, CHUNK_BYTES);
        if (got < 0)
            return send_failure(channel, "it is damaged or cut off");
        if (got == 0)
            return true;
        if (!record_write(channel, RECORD_DATA, buffer, (size_t)got))
            return false;
    }
    return true;
}

/* How libarchive gets at the bytes: with the calls that a closed process has. */
static char source_buffer[CHUNK_BYTES];

static la_ssize_t read_bytes(struct archive *archive, void *data, const void **bytes)
{
    (void)archive;
    (void)data;
    *bytes = source_buffer;
    return read(CHILD_FINDINGS, source_buffer, sizeof source_buffer);
}

static la_int64_t seek_bytes(struct archive *archive, void *data, la_int64_t offset, int whence)
{
    (void)archive;
    (void)data;
    return lseek(CHILD_FINDINGS, offset, whence);
}

/* Reads the archive, which is descriptor CHILD_FINDINGS here, and sends all that is in it. */
static void read_archive(int channel)
{
    static char buffer[CHUNK_BYTES + NAME_BYTES_MAX];
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;
    int status = ARCHIVE_OK;
    archive_read_support_format_zip(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_set_read_callback(archive, read_bytes);
    archive_read_set_seek_callback(archive, seek_bytes);
    archive_read_set_callback_data(archive, source_buffer); /* it must be set, though it is not used */
    bool good = archive_read_open1(archive) == ARCHIVE_OK
                || send_failure(channel, "it is not an archive that can be read (zip or tar)");
    while (good && (status = archive_read_next_header(archive, &entry)) != ARCHIVE_EOF) {
        if (status == ARCHIVE_RETRY)
            continue;
        good = (status >= ARCHIVE_WARN || send_failure(channel, "it is damaged or cut off"))
               && send_entry(archive, entry, channel, buffer);
    }
    if (good)
        record_write(channel, RECORD_DONE, NULL, 0);
    archive_read_free(archive);
}

static bool start_child(int archive, struct child *child)
{
    int channels[2];
    *child = (struct child){.pid = -1, .channel = -1, .findings = -1, .counters = -1, .output = -1, .log = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channels) != 0)
        return false;
    fflush(NULL);
    child->pid = fork();
    if (child->pid == 0) {
        struct child own = *child;
        setpgid(0, 0);
        own.channel = channels[1];
        own.findings = archive;
        setlocale(LC_CTYPE, "C.UTF-8"); /* names in the archive; a locale can only be loaded before the sandbox closes */
        if (!child_settle(&own, SANDBOX_EMULATED) || !sandbox_close(SANDBOX_EMULATED, NULL, 0))
            _exit(CHILD_EXIT_UNCONFINED);
        read_archive(CHILD_CHANNEL);
        _exit(0);
    }
    close(channels[1]);
    child->channel = channels[0];
    if (child->pid > 0)
        setpgid(child->pid, child->pid);
    return child->pid > 0;
}

/* ---- names -------------------------------------------------------------------------------------------------------- */

/* Systems that knew no UTF-8 wrote names as DOS did. Owned by the caller. */
static char *to_utf8(const char *name, size_t bytes)
{
    bool is_utf8 = true;
    for (size_t at = 0; at < bytes && is_utf8;) {
        utf8proc_int32_t point;
        utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)name + at, (utf8proc_ssize_t)(bytes - at),
                                                 &point);
        is_utf8 = used > 0;
        at += is_utf8 ? (size_t)used : 0;
    }
    iconv_t converter = is_utf8 ? (iconv_t)-1 : iconv_open("UTF-8", "CP437");
    if (converter == (iconv_t)-1)
        return allocate_text(name, bytes);
    char *converted = allocate_zeroed(4 * bytes + 1), *from = (char *)name, *to = converted;
    size_t left = bytes, room = 4 * bytes;
    bool good = iconv(converter, &from, &left, &to, &room) != (size_t)-1;
    iconv_close(converter);
    if (good)
        return converted;
    free(converted);
    return allocate_text(name, bytes);
}

/* The path as names with '/' between them, "" for the folder itself. NULL with the reason when it must not be used. Owned. */
static char *clean_path(const char *raw, size_t bytes, uint32_t depth_most, const char **why, bool *is_noise)
{
    char *path = to_utf8(raw, bytes), *clean = allocate_zeroed(3 * strlen(path) + 2);
    size_t used = 0;
    uint32_t depth = 0;
    *why = NULL;
    *is_noise = false;
    bool has_slash = strchr(path, '/') != NULL;
    for (char *at = path; *at != '\0'; at++)
        if (*at == '\\' && !has_slash) /* of Windows programs that do not keep to the format */
            *at = '/';
    if (path[0] == '/' || (path[0] != '\0' && path[1] == ':'))
        *why = "its path is absolute";
    for (char *at = path; !*why && *at != '\0';) {
        size_t length = strcspn(at, "/");
        char *name = allocate_text(at, length);
        if (strcmp(name, "..") == 0)
            *why = "its path leads out of the folder";
        else if (length > 255)
            *why = "its name is too long";
        *is_noise |= length > 0 && strcmp(name, ".") != 0 && forms_is_noise(name);
        if (length > 0 && strcmp(name, ".") != 0) {
            if (++depth > depth_most)
                *why = "its folders are too deep";
            if (used > 0)
                clean[used++] = '/';
            for (const char *byte = name; *byte != '\0'; byte++)
                if ((unsigned char)*byte < 0x20 || *byte == 0x7f)
                    used += (size_t)sprintf(clean + used, "%%%02X", (unsigned char)*byte);
                else
                    clean[used++] = *byte;
        }
        free(name);
        at += length + (at[length] == '/');
    }
    free(path);
    if (!*why)
        return clean;
    free(clean);
    return NULL;
}

/* ---- the files ---------------------------------------------------------------------------------------------------- */

/* What is being unpacked. */
struct unpacking {
    int folder;
    const struct archive_limits *limits;
    const char *place;
    struct notes *notes;
    uint64_t archive_bytes, bytes;
    uint32_t entries;
    int file; /* being written; -1: none */
    int64_t mtime;
    char *message;
    size_t message_bytes;
    bool disk;
};

static bool fail(struct unpacking *unpacking, bool disk, const char *why)
{
    snprintf(unpacking->message, unpacking->message_bytes, "%s", why);
    unpacking->disk = disk;
    return false;
}

static bool finish_file(struct unpacking *unpacking)
{
    if (unpacking->file < 0)
        return true;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = unpacking->mtime}};
    if (unpacking->mtime > 0)
        futimens(unpacking->file, times);
    bool good = close(unpacking->file) == 0;
    unpacking->file = -1;
    return good || fail(unpacking, true, strerror(errno));
}

/* Opens the folder of the path, made as needed. Returns -1 with errno. */
static int open_parent(int folder, const char *path, const char **name)
{
    int at = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    for (const char *slash; at >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
        char *part = allocate_text(path, (size_t)(slash - path));
        if (mkdirat(at, part, 0777) != 0 && errno != EEXIST) {
            int saved = errno;
            close(at);
            free(part);
            errno = saved;
            return -1;
        }
        int next = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int saved = errno;
        close(at);
        free(part);
        errno = saved;
        at = next;
    }
    *name = path;
    return at;
}

/* Makes the file; a name that is taken gets a number, so that a person decides which of the two counts. */
static int make_file(int parent, const char *name)
{
    const char *dot = strrchr(name, '.');
    int stem = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    for (int number = 1; number < 100; number++) {
        char *numbered = number == 1 ? allocate_text(name, strlen(name))
                                     : allocate_format("%.*s (%d)%s", stem, name, number, name + stem);
        int file = openat(parent, numbered, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        free(numbered);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

static bool begin_entry(struct unpacking *unpacking, const char *payload, size_t bytes)
{
    const char *why, *name, *raw = payload + 1 + sizeof(int64_t);
    bool is_noise;
    if (!finish_file(unpacking))
        return false;
    if (++unpacking->entries > unpacking->limits->entries) {
        snprintf(unpacking->message, unpacking->message_bytes, "it has more than %u files and folders",
                 unpacking->limits->entries);
        return false;
    }
    memcpy(&unpacking->mtime, payload + 1, sizeof unpacking->mtime);
    size_t raw_bytes = bytes - 1 - sizeof(int64_t);
    char *path = clean_path(raw, raw_bytes, unpacking->limits->depth, &why, &is_noise);
    if (payload[0] == ENTRY_LINK)
        why = "links are never followed";
    else if (payload[0] == ENTRY_DEVICE)
        why = "it is not a regular file";
    if (why) {
        char *shown = allocate_format("%s: %.*s", unpacking->place, (int)raw_bytes, raw);
        notes_add(unpacking->notes, true, shown, "Left out: %s.", why);
        free(shown);
    } else if (payload[0] == ENTRY_FILE && path[0] != '\0' && !is_noise) {
        int parent = open_parent(unpacking->folder, path, &name);
        unpacking->file = parent >= 0 ? make_file(parent, name) : -1;
        int saved = errno;
        if (parent >= 0)
            close(parent);
        if (unpacking->file < 0 && (saved == ENOTDIR || saved == ELOOP || saved == EEXIST || saved == ENAMETOOLONG)) {
            char *shown = allocate_format("%s: %s", unpacking->place, path);
            notes_add(unpacking->notes, true, shown, "Left out: a file of this name is in its way.");
            free(shown);
        } else if (unpacking->file < 0) {
            free(path);
            return fail(unpacking, true, strerror(saved));
        }
    }
    free(path);
    return true;
}

static bool take_data(struct unpacking *unpacking, const char *data, size_t bytes)
{
    const struct archive_limits *limits = unpacking->limits;
    unpacking->bytes += bytes;
    if (unpacking->bytes > limits->bytes) {
        snprintf(unpacking->message, unpacking->message_bytes, "it unpacks to more than %llu MB",
                 (unsigned long long)(limits->bytes / MB));
        return false;
    }
    if (unpacking->bytes > MB && unpacking->bytes / limits->ratio > unpacking->archive_bytes) {
        snprintf(unpacking->message, unpacking->message_bytes, "it unpacks to more than %u times its size", limits->ratio);
        return false;
    }
    while (unpacking->file >= 0 && bytes > 0) {
        ssize_t put = write(unpacking->file, data, bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return fail(unpacking, true, strerror(errno));
        data += put;
        bytes -= (size_t)put;
    }
    return true;
}

/* Takes what the child sends. Returns whether it sent all. */
static bool take_records(struct unpacking *unpacking, int channel)
{
    for (;;) {
        uint32_t type;
        void *payload = NULL;
        size_t bytes;
        enum record_status status = record_read(channel, record_now_ms() + PATIENCE_MS, CHUNK_BYTES + NAME_BYTES_MAX, &type,
                                                &payload, &bytes);
        bool good = false, done = false;
        if (status == RECORD_TIMEOUT)
            fail(unpacking, false, "reading it took too long");
        else if (status != RECORD_OK)
            fail(unpacking, false, "the process that reads it ended: it is damaged, or made to do harm");
        else if (type == RECORD_ENTRY && bytes >= 1 + sizeof(int64_t))
            good = begin_entry(unpacking, payload, bytes);
        else if (type == RECORD_DATA)
            good = take_data(unpacking, payload, bytes);
        else if (type == RECORD_DONE)
            good = done = finish_file(unpacking);
        else
            fail(unpacking, false, type == RECORD_FAILED ? payload : "the process that reads it sent nonsense");
        free(payload);
        if (!good || done)
            return good;
    }
}

bool archive_unpack(int archive, int folder, const struct archive_limits *limits, const char *place, struct notes *notes,
                    bool *disk, char *message, size_t message_bytes)
{
    struct stat facts;
    struct child child;
    struct child_end end;
    struct unpacking unpacking = {.folder = folder,
                                  .limits = limits,
                                  .place = place,
                                  .notes = notes,
                                  .file = -1,
                                  .message = message,
                                  .message_bytes = message_bytes};
    *disk = true;
    if (fstat(archive, &facts) != 0 || lseek(archive, 0, SEEK_SET) != 0 || !start_child(archive, &child)) {
        snprintf(message, message_bytes, "%s", strerror(errno));
        return false;
    }
    unpacking.archive_bytes = (uint64_t)facts.st_size;
    bool good = take_records(&unpacking, child.channel);
    if (unpacking.file >= 0)
        close(unpacking.file);
    child_stop(&child, &end);
    if (!good && !end.signalled && end.code == CHILD_EXIT_UNCONFINED)
        fail(&unpacking, true, "this system could not confine the process that reads it (`lockstep doctor` says more)");
    *disk = unpacking.disk;
    return good;
}
