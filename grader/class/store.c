#include "grader/class/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/compile/compile_server.h"
#include "grader/grading/regrade.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "runtime/lockstep.h"

#define SCHEMA            "lockstep/batch/v1"
#define GRADING_BYTES_MAX (256u << 20)
#define FILE_NAME_MAX     200

/* Changes with every change of what a key or a kept grading holds. */
#define KEY_VERSION "1"

/* ---- the kit's hash ----------------------------------------------------------------------------------------------- */

static void add_text(SHA256_CTX *context, const char *text)
{
    SHA256Update(context, (const uint8_t *)text, strlen(text) + 1);
}

/* The bytes of a file, or nothing where there is none. */
static void add_file(SHA256_CTX *context, const char *path)
{
    char digest[SHA256_DIGEST_STRING_LENGTH] = "";
    add_text(context, SHA256File(path, digest) ? digest : "");
}

static void hash_kit(char kit[65])
{
    SHA256_CTX context;
    char path[KIT_PATH_BYTES];
    const char *driver = getenv("LOCKSTEP_EMULATED_DRIVER");
    SHA256Init(&context);
    add_text(&context, KEY_VERSION);
    add_file(&context, "/proc/self/exe");
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    strcpy(slash ? slash : path, "/emulated/libcuda.so.1");
    add_file(&context, driver ? driver : path);
    snprintf(path, sizeof path, "%d", compile_server_version());
    add_text(&context, path);
    for (int i = 0; i < labs_count(); i++) {
        static const char *const files[][2] = {{"solutions", ""}, {"solutions", "_fast"}};
        for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
            kit_lab_file(labs_get(i), files[k][0], files[k][1], path);
            add_file(&context, path);
        }
        kit_lab_part(labs_get(i), "hints.md", path);
        add_file(&context, path);
        add_text(&context, labs_get(i)->digest ? labs_get(i)->digest : "");
    }
    SHA256End(&context, kit);
}

void store_key(const struct store *store, const struct lab *lab, const char *file_name, const char *sha256,
               const char *hidden, char key[65])
{
    SHA256_CTX context;
    char seed[32];
    SHA256Init(&context);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)store->seed);
    const char *const parts[] = {store->kit, lab->name, file_name, sha256, seed, hidden};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        add_text(&context, parts[i]);
    SHA256End(&context, key);
}

/* ---- opening ------------------------------------------------------------------------------------------------------ */

static bool fail(const char *path, const char *why, char *message, size_t message_bytes)
{
    snprintf(message, message_bytes, "%.300s: %s", path, why);
    return false;
}

static bool make_folder(const char *path, char *message, size_t message_bytes)
{
    struct stat facts;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)))
        return true;
    return fail(path, errno == EEXIST ? "it exists and is not a folder" : strerror(errno), message, message_bytes);
}

static bool make_folders(struct store *store, char *message, size_t message_bytes)
{
    char *state = allocate_format("%s/.lockstep", store->folder), *students = allocate_format("%s/students", store->folder);
    bool good = make_folder(store->folder, message, message_bytes) && make_folder(state, message, message_bytes)
                && make_folder(store->gradings, message, message_bytes) && make_folder(students, message, message_bytes);
    if (good) {
        files_clean(store->folder);
        files_clean(state);
        files_clean(store->gradings);
        files_clean(students);
    }
    free(state);
    free(students);
    return good;
}

static bool take_lock(struct store *store, char *message, size_t message_bytes)
{
    char *path = allocate_format("%s/.lockstep/lock", store->folder);
    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    bool good = store->lock >= 0 && flock(store->lock, LOCK_EX | LOCK_NB) == 0;
    if (!good)
        fail(store->folder,
             errno == EWOULDBLOCK ? "another batch is running in this folder. Wait for it, or choose another --out."
                                  : strerror(errno),
             message, message_bytes);
    free(path);
    return good;
}

static char *state_path(const struct store *store)
{
    return allocate_format("%s/.lockstep/batch.json", store->folder);
}

static bool write_state(const struct store *store, bool finished, char *message, size_t message_bytes)
{
    char *path = state_path(store);
    json_t *state = json_pack("{s:s,s:I,s:s,s:b}", "schema", SCHEMA, "seed", (json_int_t)store->seed, "begun", store->begun,
                              "finished", finished);
    bool good = files_write_json(path, state, message, message_bytes) != FILES_FAILED;
    json_decref(state);
    free(path);
    return good;
}

/* SOURCE_DATE_EPOCH, the usual way to ask for the same bytes twice, or the clock. */
static void set_begun(struct store *store)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    long long seconds = epoch ? strtoll(epoch, &end, 10) : 0;
    moment_write(epoch && *epoch != '\0' && *end == '\0' ? seconds : (int64_t)time(NULL), store->begun);
}

static bool read_state(struct store *store, const uint64_t *seed, char *message, size_t message_bytes)
{
    char *path = state_path(store);
    bool exists = access(path, F_OK) == 0;
    json_error_t error;
    json_t *state = exists ? json_load_file(path, 0, &error) : NULL;
    const json_t *old_seed = json_object_get(state, "seed");
    const char *begun = json_string_value(json_object_get(state, "begun"));
    bool good = !exists
                || (json_is_integer(old_seed) && json_integer_value(old_seed) >= 0 && begun
                    && strcmp(json_string_value(json_object_get(state, "schema")), SCHEMA) == 0);
    if (!good)
        fail(path,
             "not written by `batch` of this version. Choose another --out, or remove the file: then everything is graded "
             "again.",
             message, message_bytes);
    set_begun(store);
    if (good && exists) {
        store->seed = (uint64_t)json_integer_value(old_seed);
        store->resumed = !json_is_true(json_object_get(state, "finished"));
    } else {
        store->seed = regrade_draw_seed();
    }
    if (seed)
        store->seed = *seed;
    if (good && store->resumed)
        snprintf(store->begun, sizeof store->begun, "%s", begun);
    json_decref(state);
    free(path);
    return good;
}

bool store_open(const char *folder, const uint64_t *seed, struct store *store, char *message, size_t message_bytes)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    memset(store, 0, sizeof *store);
    store->lock = store->descriptor = -1;
    store->folder = allocate_text(folder, length);
    store->gradings = allocate_format("%s/.lockstep/gradings", store->folder);
    hash_kit(store->kit);
    if (!make_folders(store, message, message_bytes) || !take_lock(store, message, message_bytes)
        || !read_state(store, seed, message, message_bytes) || !write_state(store, false, message, message_bytes))
        return false;
    store->descriptor = open(store->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return store->descriptor >= 0 || fail(store->folder, strerror(errno), message, message_bytes);
}

void store_close(struct store *store)
{
    if (store->lock >= 0)
        close(store->lock);
    if (store->descriptor >= 0)
        close(store->descriptor);
    free(store->folder);
    free(store->gradings);
    memset(store, 0, sizeof *store);
}

bool store_finish(const struct store *store, char *message, size_t message_bytes)
{
    return write_state(store, true, message, message_bytes);
}

/* ---- gradings ----------------------------------------------------------------------------------------------------- */

static char *grading_path(const struct store *store, const char *key)
{
    return allocate_format("%s/%s.json", store->gradings, key);
}

bool store_has(const struct store *store, const char *key)
{
    char *path = grading_path(store, key);
    struct stat facts;
    bool has = stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0;
    free(path);
    return has;
}

json_t *store_find(const struct store *store, const char *key)
{
    char *path = grading_path(store, key), message[512];
    size_t bytes = 0;
    char *text = files_read(path, GRADING_BYTES_MAX, &bytes, message, sizeof message);
    json_t *grading = text ? json_loadb(text, bytes, 0, NULL) : NULL;
    if (grading && !json_is_object(json_object_get(grading, "lab"))) {
        json_decref(grading);
        grading = NULL;
    }
    free(text);
    free(path);
    return grading;
}

bool store_keep(const struct store *store, const char *key, const json_t *grading, char *message, size_t message_bytes)
{
    char *path = grading_path(store, key), *text = json_dumps(grading, JSON_COMPACT);
    bool good = text && files_write(path, text, strlen(text), message, message_bytes) != FILES_FAILED;
    if (!text)
        snprintf(message, message_bytes, "a grading could not be encoded as JSON");
    free(text);
    free(path);
    return good;
}

void store_forget(const struct store *store, const char *key)
{
    char *path = grading_path(store, key);
    unlink(path);
    free(path);
}

/* ---- results ------------------------------------------------------------------------------------------------------ */

bool store_write_json(const struct store *store, const char *name, const json_t *document, char *message,
                      size_t message_bytes)
{
    char *path = allocate_format("%s/%s", store->folder, name);
    bool good = files_write_json(path, document, message, message_bytes) != FILES_FAILED;
    free(path);
    return good;
}

static bool is_plain(unsigned char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
           || (byte != '\0' && strchr("@._-", byte));
}

char *store_student_file(const char *id)
{
    char *name = allocate_zeroed(3 * strlen(id) + 100);
    size_t used = 0;
    for (const char *at = id; *at != '\0'; at++)
        if (is_plain((unsigned char)*at) && (*at != '.' || at > id))
            name[used++] = *at;
        else
            used += (size_t)sprintf(name + used, "%%%02X", (unsigned char)*at);
    if (used > FILE_NAME_MAX) /* file systems take 255 bytes: a hash of the id keeps such names apart */
        SHA256Data((const uint8_t *)id, strlen(id), name + FILE_NAME_MAX - 64);
    char *file = allocate_format("students/%s.json", name);
    free(name);
    return file;
}
