#include "grader/class/store.h"

#include <dirent.h>
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
#include "grader/base/seed.h"
#include "grader/cluster/claims.h"
#include "grader/compile/compile_server.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/sandbox/sandbox.h"
#include "runtime/lockstep.h"

#define SCHEMA            "lockstep/batch/v1"
#define GRADING_BYTES_MAX (256u << 20)
#define FILE_NAME_MAX     200
#define LOCK_WAIT_MS      30000
#define LOCK_STEP_MS      50

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
        kit_lab_part(labs_get(i), KIT_SEAL, path);
        add_file(&context, path);
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

/* ---- folders ------------------------------------------------------------------------------------------------------ */

char *store_path(const struct store *store, const char *name)
{
    return allocate_format("%s/.lockstep/%s", store->folder, name);
}

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

/* Makes the folder and those above it that are missing. */
static bool make_whole_path(const char *path, char *message, size_t message_bytes)
{
    char *part = allocate_text(path, strlen(path));
    bool good = true;
    for (char *slash = part; good && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        good = part[0] == '\0' || make_folder(part, message, message_bytes);
        *slash = '/';
    }
    free(part);
    return good && make_folder(path, message, message_bytes);
}

static bool make_folders(struct store *store, char *message, size_t message_bytes)
{
    char *state = allocate_format("%s/.lockstep", store->folder), *students = allocate_format("%s/students", store->folder);
    bool good = make_whole_path(store->folder, message, message_bytes) && make_folder(state, message, message_bytes)
                && make_folder(store->gradings, message, message_bytes) && make_folder(store->failed, message, message_bytes)
                && make_folder(students, message, message_bytes);
    free(state);
    free(students);
    return good;
}

/* What killed processes left half written, once nobody else is at work. */
static void clean(const struct store *store)
{
    static const char *const names[] = {"", "/.lockstep", "/.lockstep/gradings", "/.lockstep/failed", "/students"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = allocate_format("%s%s", store->folder, names[i]);
        files_clean(path);
        free(path);
    }
    char *claims = store_path(store, "claims");
    claims_clear(claims);
    free(claims);
}

/* ---- locks -------------------------------------------------------------------------------------------------------- */

/* Some network file systems have no locks. */
static bool is_unlockable(int error)
{
    return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL;
}

static bool complain_of_lock(const struct store *store, bool shards, char *message, size_t message_bytes)
{
    return fail(store->folder,
                store->use == STORE_SHARED
                    ? "a batch, or a --gather, works here and shares with nobody. Run this again when it has ended."
                : shards ? "shards are still being graded into this folder. Run this again when they have ended."
                         : "another batch is running in this folder. Wait for it, or choose another --out.",
                message, message_bytes);
}

static bool take_lock(struct store *store, int wait_ms, char *message, size_t message_bytes)
{
    char *path = store_path(store, "lock"), *claims = store_path(store, "claims");
    int how = store->use == STORE_SHARED ? LOCK_SH : LOCK_EX;
    if (store->lock < 0)
        store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    bool good = store->lock >= 0;
    if (!good)
        fail(path, strerror(errno), message, message_bytes);
    for (int waited = 0; good && flock(store->lock, how | LOCK_NB) != 0; waited += LOCK_STEP_MS) {
        if (is_unlockable(errno)) {
            good = how == LOCK_SH || claims_count_writers(claims) == 0
                   || complain_of_lock(store, true, message, message_bytes);
            break;
        }
        if (errno != EWOULDBLOCK && errno != EINTR)
            good = fail(path, strerror(errno), message, message_bytes);
        else if (waited >= wait_ms)
            good = complain_of_lock(store, claims_count_writers(claims) > 0, message, message_bytes);
        else
            usleep(LOCK_STEP_MS * 1000);
    }
    if (good && how == LOCK_EX)
        clean(store);
    free(path);
    free(claims);
    return good;
}

/* ---- batch.json --------------------------------------------------------------------------------------------------- */

static json_t *state_json(const struct store *store, bool finished)
{
    return json_pack("{s:s,s:I,s:s,s:b,s:s,s:s,s:s}", "schema", SCHEMA, "seed", (json_int_t)store->seed, "begun",
                     store->begun, "finished", finished, "kit", store->kit, "sandbox", store->sandbox, "machine",
                     claims_machine());
}

static bool write_state(const struct store *store, bool finished, char *message, size_t message_bytes)
{
    char *path = store_path(store, "batch.json");
    json_t *state = state_json(store, finished);
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

static bool is_state(const json_t *state)
{
    const json_t *seed = json_object_get(state, "seed");
    const char *schema = json_string_value(json_object_get(state, "schema"));
    return schema && strcmp(schema, SCHEMA) == 0 && json_is_integer(seed) && json_integer_value(seed) >= 0
           && json_is_string(json_object_get(state, "begun"));
}

/* "" for what a state does not have. */
static const char *text_of(const json_t *state, const char *name)
{
    const char *text = json_string_value(json_object_get(state, name));
    return text ? text : "";
}

/* Is what others began what this process would go on with? */
static bool fits(const struct store *store, const json_t *state, const uint64_t *seed, char *message, size_t message_bytes)
{
    const char *kit = text_of(state, "kit"), *sandbox = text_of(state, "sandbox"), *machine = text_of(state, "machine");
    uint64_t begun_with = (uint64_t)json_integer_value(json_object_get(state, "seed"));
    if (kit[0] != '\0' && strcmp(kit, store->kit) != 0)
        snprintf(
            message, message_bytes,
            "%s has another build of the kit (%.12s) than %s, where this batch began (%.12s): another lockstep, driver, "
            "NVRTC, solution or hint. Their gradings would not be the same, so all machines need the same build: put it "
            "on a file system that they share.",
            claims_machine(), store->kit, machine, kit);
    else if (seed && *seed != begun_with)
        snprintf(message, message_bytes, "--seed %llu: this batch was begun with the seed %llu. Give all shards the same.",
                 (unsigned long long)*seed, (unsigned long long)begun_with);
    else if (!store->own_parts && kit[0] != '\0' && strcmp(sandbox, store->sandbox) != 0)
        snprintf(message, message_bytes,
                 "%s has another sandbox (%s) than %s, where this batch began (%s); `lockstep doctor` says what is missing "
                 "there. Grade on machines that have the same, or add --allow-unconfined for submissions that you trust.",
                 claims_machine(), store->sandbox, machine, sandbox);
    else
        return true;
    return false;
}

/* Writes the state unless another process did it first. Returns whether a state is there. */
static bool begin_first(const struct store *store, const char *path, char *message, size_t message_bytes)
{
    char *own = allocate_format("%s.%s.%ld", path, claims_machine(), (long)getpid());
    json_t *state = state_json(store, false);
    bool good = files_write_json(own, state, message, message_bytes) != FILES_FAILED;
    if (good && link(own, path) != 0 && errno != EEXIST)
        good = fail(path, strerror(errno), message, message_bytes);
    unlink(own);
    json_decref(state);
    free(own);
    return good;
}

static bool read_state(struct store *store, const uint64_t *seed, char *message, size_t message_bytes)
{
    char *path = store_path(store, "batch.json");
    set_begun(store);
    store->seed = seed ? *seed : seed_draw();
    bool good = store->use != STORE_SHARED || access(path, F_OK) == 0 || begin_first(store, path, message, message_bytes);
    bool exists = good && access(path, F_OK) == 0;
    json_t *state = exists ? files_read_json(path, 0) : NULL;
    if (exists && !is_state(state))
        good = fail(path,
                    "not written by `batch` of this version. Choose another --out, or remove the file: then everything is "
                    "graded again.",
                    message, message_bytes);
    if (good && exists) {
        store->resumed = !json_is_true(json_object_get(state, "finished"));
        if (store->use == STORE_GATHER || (store->use == STORE_SHARED && store->resumed))
            good = fits(store, state, seed, message, message_bytes);
        if (!seed)
            store->seed = (uint64_t)json_integer_value(json_object_get(state, "seed"));
        if (store->resumed)
            snprintf(store->begun, sizeof store->begun, "%s", text_of(state, "begun"));
    }
    /* Where several go on with one batch, the first has written what there is to write. */
    if (good && store->use != STORE_WATCH && !(store->use == STORE_SHARED && store->resumed))
        good = write_state(store, false, message, message_bytes);
    json_decref(state);
    free(path);
    return good;
}

bool store_read_facts(const char *folder, uint64_t *seed, char kit[65], char machine[100], char *message,
                      size_t message_bytes)
{
    char *path = allocate_format("%s/.lockstep/batch.json", folder);
    json_t *state = files_read_json(path, 0);
    bool good = is_state(state) || fail(folder, "no shard was graded into this folder.", message, message_bytes);
    if (good) {
        *seed = (uint64_t)json_integer_value(json_object_get(state, "seed"));
        snprintf(kit, 65, "%s", text_of(state, "kit"));
        snprintf(machine, 100, "%s", text_of(state, "machine"));
    }
    json_decref(state);
    free(path);
    return good;
}

/* ---- opening ------------------------------------------------------------------------------------------------------ */

static void name_sandbox(char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < SANDBOX_PARTS; i++)
        if (sandbox_parts() >> i & 1 && used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", used > 0 ? ", " : "",
                                     sandbox_part_word((enum sandbox_part)i));
}

bool store_open(const char *folder, const uint64_t *seed, enum store_use use, struct store *store, char *message,
                size_t message_bytes)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    *store = (struct store){.use = use, .lock = -1, .descriptor = -1, .own_parts = store->own_parts};
    store->folder = allocate_text(folder, length);
    store->gradings = store_path(store, "gradings");
    store->failed = store_path(store, "failed");
    hash_kit(store->kit);
    name_sandbox(store->sandbox, sizeof store->sandbox);
    if (!make_folders(store, message, message_bytes)
        || (use != STORE_WATCH && !take_lock(store, use == STORE_ALONE ? 0 : LOCK_WAIT_MS, message, message_bytes))
        || !read_state(store, seed, message, message_bytes))
        return false;
    store->descriptor = open(store->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return store->descriptor >= 0 || fail(store->folder, strerror(errno), message, message_bytes);
}

bool store_lock(struct store *store, char *message, size_t message_bytes)
{
    store->use = STORE_ALONE;
    return take_lock(store, LOCK_WAIT_MS, message, message_bytes) && write_state(store, false, message, message_bytes);
}

void store_unlock(struct store *store)
{
    if (store->lock >= 0)
        close(store->lock);
    store->lock = -1;
    store->use = STORE_WATCH;
}

void store_close(struct store *store)
{
    if (store->lock >= 0)
        close(store->lock);
    if (store->descriptor >= 0)
        close(store->descriptor);
    free(store->folder);
    free(store->gradings);
    free(store->failed);
    memset(store, 0, sizeof *store);
}

bool store_finish(const struct store *store, char *message, size_t message_bytes)
{
    return write_state(store, true, message, message_bytes);
}

/* ---- gradings ----------------------------------------------------------------------------------------------------- */

static char *grading_path(const char *folder, const char *key)
{
    return allocate_format("%s/%s.json", folder, key);
}

static json_t *find_in(const char *folder, const char *key)
{
    char *path = grading_path(folder, key), message[512];
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

static bool keep_in(const char *folder, const char *key, const json_t *grading, char *message, size_t message_bytes)
{
    char *path = grading_path(folder, key), *text = json_dumps(grading, JSON_COMPACT);
    bool good = text && files_write(path, text, strlen(text), message, message_bytes) != FILES_FAILED;
    if (!text)
        snprintf(message, message_bytes, "a grading could not be encoded as JSON");
    free(text);
    free(path);
    return good;
}

static void forget_in(const char *folder, const char *key)
{
    char *path = grading_path(folder, key);
    unlink(path);
    free(path);
}

/* By opening it: on NFS, only that shows what another machine has just written. */
bool store_has(const struct store *store, const char *key)
{
    char *path = grading_path(store->gradings, key);
    struct stat facts;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool has = file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0;
    if (file >= 0)
        close(file);
    free(path);
    return has;
}

json_t *store_find(const struct store *store, const char *key)
{
    return find_in(store->gradings, key);
}

bool store_keep(const struct store *store, const char *key, const json_t *grading, char *message, size_t message_bytes)
{
    bool good = keep_in(store->gradings, key, grading, message, message_bytes);
    if (good)
        forget_in(store->failed, key);
    return good;
}

void store_forget(const struct store *store, const char *key)
{
    forget_in(store->gradings, key);
    forget_in(store->failed, key);
}

json_t *store_find_failed(const struct store *store, const char *key)
{
    return find_in(store->failed, key);
}

bool store_keep_failed(const struct store *store, const char *key, const json_t *grading, char *message,
                       size_t message_bytes)
{
    return keep_in(store->failed, key, grading, message, message_bytes);
}

size_t store_count(const struct store *store)
{
    size_t count = 0;
    DIR *list = opendir(store->gradings);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        size_t length = strlen(entry->d_name);
        count += length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
    }
    if (list)
        closedir(list);
    return count;
}

bool store_take(const struct store *store, const char *folder, const char *key, char *message, size_t message_bytes)
{
    char *gradings = allocate_format("%s/.lockstep/gradings", folder),
         *failed = allocate_format("%s/.lockstep/failed", folder);
    json_t *grading = store_has(store, key) ? NULL : find_in(gradings, key);
    bool good = !grading || store_keep(store, key, grading, message, message_bytes);
    json_t *failure = grading || store_has(store, key) ? NULL : find_in(failed, key);
    good = good && (!failure || store_keep_failed(store, key, failure, message, message_bytes));
    json_decref(grading);
    json_decref(failure);
    free(gradings);
    free(failed);
    return good;
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
