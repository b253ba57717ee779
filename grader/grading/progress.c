#include "grader/grading/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/result/result_json.h"

#define SCHEMA_STEM "lockstep/progress/v"
#define SCHEMA      SCHEMA_STEM "1"

enum { FILE_BYTES_MAX = 16 << 20, FILES_MAX = 50, ASIDE_MAX = 1000 };

static char *path_of(const struct workspace *workspace, const char *name)
{
    return allocate_format("%s/" WORKSPACE_MARK "/%s", workspace->root, name);
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

static json_t *empty_content(void)
{
    return json_pack("{s:s,s:{},s:{}}", "schema", SCHEMA, "labs", "files");
}

/* What the file holds is not for us: it gets another name, one that nothing has. */
static void keep_aside(const char *path, const char *what)
{
    for (int number = 1; number < ASIDE_MAX; number++) {
        char *aside = allocate_format("%s.aside-%d", path, number);
        /* link() never replaces a file. */
        bool kept = link(path, aside) == 0;
        int problem = errno;
        if (kept)
            unlink(path);
        if (kept)
            fprintf(stderr, "lockstep: %s %s. It is kept as %s; progress starts over.\n", path, what, aside);
        else if (problem != EEXIST)
            fprintf(stderr, "lockstep: %s %s, and it cannot be moved aside: %s\n", path, what, strerror(problem));
        free(aside);
        if (kept || problem != EEXIST)
            return;
    }
}

static bool is_newer(const json_t *content)
{
    const char *schema = json_string_value(json_object_get(content, "schema"));
    return schema && strncmp(schema, SCHEMA_STEM, strlen(SCHEMA_STEM)) == 0 && atoi(schema + strlen(SCHEMA_STEM)) > 1;
}

static bool is_ours(const json_t *content)
{
    const char *schema = json_string_value(json_object_get(content, "schema"));
    return schema && strcmp(schema, SCHEMA) == 0 && json_is_object(json_object_get(content, "labs"))
           && json_is_object(json_object_get(content, "files"));
}

/* Older kits had a number in the names of labs: "04_scan". What was reached there counts, unless there is something newer. */
static void drop_numbers(json_t *labs)
{
    const char *name;
    json_t *entry, *named = json_object();
    json_object_foreach(labs, name, entry) if (labs_without_number(name) == name) json_object_set(named, name, entry);
    json_object_foreach(labs, name, entry) if (!json_object_get(named, labs_without_number(name)))
        json_object_set(named, labs_without_number(name), entry);
    json_object_clear(labs);
    json_object_update(labs, named);
    json_decref(named);
}

json_t *progress_read(const struct workspace *workspace)
{
    struct stat facts;
    if (!workspace->keeps_progress)
        return empty_content();
    char *path = path_of(workspace, "progress.json");
    json_t *content = NULL;
    int file = files_open_own(path);
    if (file < 0 && (errno == EINVAL || errno == ELOOP))
        keep_aside(path, "is not a regular file");
    else if (file < 0 && errno != ENOENT && errno != ENOTDIR)
        fprintf(stderr, "lockstep: your progress cannot be read: %s: %s\n", path, strerror(errno));
    if (file >= 0) {
        bool fits = fstat(file, &facts) == 0 && facts.st_size <= FILE_BYTES_MAX;
        content = fits ? json_loadfd(file, JSON_REJECT_DUPLICATES, NULL) : NULL;
        close(file);
        if (!is_ours(content)) {
            keep_aside(path, is_newer(content) ? "was written by a newer version of Lockstep" : "is damaged");
            json_decref(content);
            content = NULL;
        }
        drop_numbers(json_object_get(content, "labs"));
    }
    free(path);
    return content ? content : empty_content();
}

/* ---- entries ------------------------------------------------------------------------------------------------------ */

void progress_key_for(const struct workspace *workspace, const struct lab *lab, const char *path, struct progress_key *key)
{
    key->lab = lab;
    snprintf(key->path, sizeof key->path, "%s", path);
    key->own = workspace_owns(workspace, lab, path);
}

char *progress_key_words(const struct progress_key *key)
{
    return key->own ? allocate_format("%s", key->lab->name) : kit_file_words(key->lab, key->path);
}

/* The object that holds the entry, and its name there. `name` has KIT_PATH_BYTES. */
static json_t *find_shelf(const json_t *content, const struct progress_key *key, char *name)
{
    if (key->own || !realpath(key->path, name))
        snprintf(name, KIT_PATH_BYTES, "%s", key->own ? key->lab->name : key->path);
    return json_object_get(content, key->own ? "labs" : "files");
}

const json_t *progress_entry(const json_t *content, const struct progress_key *key)
{
    char name[KIT_PATH_BYTES];
    const json_t *shelf = find_shelf(content, key, name);
    return json_object_get(shelf, name);
}

static void write_now(char when[32])
{
    time_t now = time(NULL);
    struct tm utc;
    strftime(when, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

static json_t *test_latest(const json_t *test)
{
    const json_t *first = json_array_get(json_object_get(test, "findings"), 0);
    json_t *kept = json_pack("{s:O,s:O}", "name", json_object_get(test, "name"), "state", json_object_get(test, "state"));
    static const char *const names[] = {"code", "array", "line"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (json_object_get(first, names[i]))
            json_object_set(kept, names[i], json_object_get(first, names[i]));
    return kept;
}

json_t *progress_latest(const json_t *answer, const char *sha256, const struct progress_view *view)
{
    char when[32];
    size_t i;
    json_t *item, *tests = json_array(), *performance = json_array();
    const json_t *lab = json_object_get(answer, "lab");
    json_array_foreach(json_object_get(lab, "tests"), i, item)
    {
        json_array_append_new(tests, test_latest(item));
    }
    json_array_foreach(json_object_get(lab, "performance"), i, item)
    {
        json_array_append_new(performance, json_pack("{s:O,s:O,s:O,s:O}", "metric", json_object_get(item, "metric"), "state",
                                                     json_object_get(item, "state"), "score", json_object_get(item, "score"),
                                                     "max_score", json_object_get(item, "max_score")));
    }
    write_now(when);
    return json_pack("{s:s,s:s,s:s,s:O,s:O,s:O,s:O?,s:O?,s:o,s:o,s:{s:O?,s:i,s:b},s:I}", "when", when, "sha256", sha256,
                     "kit", kit_build(), "state", json_object_get(lab, "state"), "score", json_object_get(lab, "score"),
                     "max_score", json_object_get(lab, "max_score"), "seconds", json_object_get(answer, "seconds"), "cause",
                     json_object_get(lab, "cause"), "tests", tests, "performance", performance, "report", "text",
                     json_object_get(answer, "report"), "columns", view->columns, "colour", view->colour, "seed",
                     (json_int_t)view->seed);
}

bool progress_has_seed(const json_t *entry, uint64_t seed)
{
    const json_t *kept = json_object_get(json_object_get(entry, "latest"), "seed");
    return json_is_integer(kept) && (uint64_t)json_integer_value(kept) == seed;
}

int progress_hint_step(const json_t *entry, const char *heading)
{
    const json_t *hint = json_object_get(json_object_get(entry, "hints"), heading);
    json_int_t step = json_integer_value(json_object_get(hint, "step"));
    return step < 0 || step > 100 ? 0 : (int)step;
}

int progress_hints_used(const json_t *entry)
{
    const char *heading;
    json_t *hint;
    int used = 0;
    json_object_foreach(json_object_get(entry, "hints"), heading, hint)
    {
        used += progress_hint_step(entry, heading);
    }
    return used;
}

bool progress_is_current(const json_t *entry, const char *sha256)
{
    const json_t *latest = json_object_get(entry, "latest");
    const char *kept = json_string_value(json_object_get(latest, "sha256"));
    const char *kit = json_string_value(json_object_get(latest, "kit"));
    return sha256[0] != '\0' && kept && strcmp(kept, sha256) == 0 && kit && strcmp(kit, kit_build()) == 0;
}

/* ---- changing ----------------------------------------------------------------------------------------------------- */

static bool complain(const struct workspace *workspace, const char *why)
{
    static bool said;
    if (!said)
        fprintf(
            stderr,
            "lockstep: your progress cannot be kept in %s: %s\nTo have a folder of your own: %s start LAB --into FOLDER\n",
            workspace->root, why, kit_program());
    said = true;
    return false;
}

/* Takes the lock, so that two commands at once lose nothing of each other. Returns the lock's file, -1 with errno when none
 * can be had. Nothing is written through a link: in a folder that somebody handed in it may lead anywhere. */
static int lock(const struct workspace *workspace)
{
    char *folder = allocate_format("%s/" WORKSPACE_MARK, workspace->root), *path = path_of(workspace, "progress.lock");
    struct stat facts = {0};
    mkdir(folder, 0777);
    bool inside = lstat(folder, &facts) == 0 && S_ISDIR(facts.st_mode);
    int file = inside ? open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666) : -1;
    if (S_ISLNK(facts.st_mode))
        errno = ELOOP;
    while (file >= 0 && flock(file, LOCK_EX) != 0)
        if (errno != EINTR) {
            close(file);
            file = -1;
        }
    free(path);
    free(folder);
    return file;
}

/* The entry of a key, made where it is missing or is not an object. Borrowed. */
static json_t *make_entry(json_t *content, const struct progress_key *key)
{
    char name[KIT_PATH_BYTES];
    json_t *shelf = find_shelf(content, key, name);
    json_t *entry = json_object_get(shelf, name);
    if (json_is_object(entry))
        return entry;
    if (!key->own && json_object_size(shelf) >= FILES_MAX)
        json_object_del(shelf, json_object_iter_key(json_object_iter(shelf)));
    entry = json_object();
    return json_object_set_new(shelf, name, entry) == 0 ? entry : NULL; /* a path that is not UTF-8 has no entry */
}

typedef void change_fn(json_t *entry, const void *context);

/* Reads, changes and writes the content under the lock. */
static bool change(const struct workspace *workspace, const struct progress_key *key, change_fn *apply, const void *context)
{
    char message[512];
    if (!workspace->keeps_progress)
        return false;
    int file = lock(workspace);
    if (file < 0)
        return complain(workspace, strerror(errno));
    json_t *content = progress_read(workspace);
    json_t *entry = make_entry(content, key);
    char *path = path_of(workspace, "progress.json");
    bool good = entry != NULL;
    if (good) {
        apply(entry, context);
        good = result_json_write(content, path, message, sizeof message) || complain(workspace, message);
    }
    free(path);
    json_decref(content);
    close(file);
    return good;
}

/* A better score replaces the best; of equal ones the first stays. */
static void keep_best(json_t *entry, const json_t *latest)
{
    const json_t *best = json_object_get(entry, "best");
    json_int_t score = json_integer_value(json_object_get(latest, "score"));
    const char *state = json_string_value(json_object_get(latest, "state"));
    bool judged = state && strcmp(state, "harness_error") != 0;
    if (judged && (!best || score > json_integer_value(json_object_get(best, "score"))))
        json_object_set_new(entry, "best",
                            json_pack("{s:O,s:O,s:O,s:O}", "score", json_object_get(latest, "score"), "max_score",
                                      json_object_get(latest, "max_score"), "when", json_object_get(latest, "when"),
                                      "sha256", json_object_get(latest, "sha256")));
}

struct recorded {
    const struct progress_key *key;
    const json_t *latest;
};

static void apply_latest(json_t *entry, const void *context)
{
    const struct recorded *recorded = context;
    json_object_set_new(entry, "file", result_json_text(recorded->key->path));
    json_object_set(entry, "latest", (json_t *)(uintptr_t)recorded->latest);
    keep_best(entry, recorded->latest);
}

bool progress_record(const struct workspace *workspace, const struct progress_key *key, const json_t *latest)
{
    struct recorded recorded = {key, latest};
    return change(workspace, key, apply_latest, &recorded);
}

struct shown {
    const char *heading;
    int step;
};

static void apply_hint(json_t *entry, const void *context)
{
    const struct shown *shown = context;
    char when[32];
    write_now(when);
    if (!json_is_object(json_object_get(entry, "hints")))
        json_object_set_new(entry, "hints", json_object());
    json_object_set_new(json_object_get(entry, "hints"), shown->heading,
                        json_pack("{s:i,s:s}", "step", shown->step, "when", when));
}

bool progress_record_hint(const struct workspace *workspace, const struct progress_key *key, const char *heading, int step)
{
    struct shown shown = {heading, step};
    return change(workspace, key, apply_hint, &shown);
}
