#include "grader/collect/place.h"

#include <errno.h>
#include <fcntl.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/class/csv.h"
#include "grader/class/moment.h"
#include "grader/collect/tree.h"
#include "grader/result/result_json.h"

#define SCHEMA      "lockstep/collected/v1"
#define STATE       ".lockstep"
#define INCOMING    ".lockstep/incoming"
#define NEW         ".lockstep/new"
#define PLACING     ".lockstep/placing.json"
#define RECORD      ".lockstep/collect.json"
#define OLDER       ".lockstep/older"
#define RECORD_MOST (256u << 20)

static const struct {
    const char *word;
} states[] = {
#define PLACE(id, word, words) {word},
#include "grader/collect/states.def"
#undef PLACE
};

const char *place_word(enum place_state state)
{
    return states[state].word;
}

static bool fail(const struct place *place, const char *name, int error, char *message, size_t message_bytes)
{
    snprintf(message, message_bytes, "%.300s/%.200s: %s", place->folder, name, strerror(error));
    return false;
}

static char *path_of(const struct place *place, const char *name)
{
    return allocate_format("%s/%s", place->folder, name);
}

/* ---- opening ------------------------------------------------------------------------------------------------------ */

/* The columns of timestamps.csv that this program writes. Others could not be kept. */
static const char *const time_columns[] = {"id", "lab", "submitted", "folder"};
enum { TIME_COLUMNS = sizeof time_columns / sizeof *time_columns };

static bool read_times(const struct place *place, struct csv *csv, char *message, size_t message_bytes)
{
    struct stat facts;
    char *path = path_of(place, "timestamps.csv");
    memset(csv, 0, sizeof *csv);
    bool exists = lstat(path, &facts) == 0, good = !exists || csv_read(path, csv, message, message_bytes);
    for (int i = 0; good && exists && i < csv->rows[0].field_count; i++) {
        const char *heading = csv->rows[0].fields[i];
        bool known = heading[0] == '\0';
        for (int k = 0; k < TIME_COLUMNS; k++)
            known |= strcasecmp(heading, time_columns[k]) == 0;
        if (!known) {
            snprintf(
                message, message_bytes,
                "%.300s:1: the column %.60s is not one that `collect` writes, and would be lost. Its columns are id, lab, "
                "submitted and folder: take the others out, or move the file away.",
                path, heading);
            good = false;
        }
    }
    free(path);
    return good;
}

static json_t *load(const struct place *place, const char *name)
{
    char *path = path_of(place, name);
    json_t *document = files_read_json(path, JSON_REJECT_DUPLICATES);
    free(path);
    return document;
}

static bool read_record(struct place *place, char *message, size_t message_bytes)
{
    struct stat facts;
    bool exists = fstatat(place->descriptor, RECORD, &facts, 0) == 0;
    json_t *document = exists ? load(place, RECORD) : json_object();
    const char *schema = json_string_value(json_object_get(document, "schema"));
    bool good = !exists || (schema && strcmp(schema, SCHEMA) == 0);
    if (!good) {
        snprintf(message, message_bytes,
                 "%.300s/" RECORD
                 ": not written by `collect` of this version, so it is not known what a person put here. Choose "
                 "another --into.",
                 place->folder);
        json_decref(document);
        return false;
    }
    json_t *records = json_object_get(document, "submissions"), *people = json_object_get(document, "students");
    const char *hash = json_string_value(json_object_get(document, "students_csv"));
    const char *groups_hash = json_string_value(json_object_get(document, "groups_csv"));
    place->records = json_is_object(records) ? json_incref(records) : json_object();
    place->people = json_is_object(people) ? json_incref(people) : json_object();
    snprintf(place->students_hash, sizeof place->students_hash, "%s", hash ? hash : "");
    snprintf(place->groups_hash, sizeof place->groups_hash, "%s", groups_hash ? groups_hash : "");
    json_decref(document);
    place->placing = load(place, PLACING);
    if (!json_is_object(place->placing)) {
        json_decref(place->placing);
        place->placing = json_object();
    }
    return true;
}

static bool make_all(const char *folder)
{
    char *path = allocate_text(folder, strlen(folder));
    bool good = true;
    for (char *slash = path; good && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        good = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    good = good && (mkdir(path, 0777) == 0 || errno == EEXIST);
    int saved = errno;
    free(path);
    errno = saved;
    return good;
}

bool place_open(const char *folder, struct place *place, bool *usage, char *message, size_t message_bytes)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    memset(place, 0, sizeof *place);
    place->descriptor = place->lock = -1;
    place->folder = allocate_text(folder, length);
    *usage = false;
    if (!make_all(place->folder) || (place->descriptor = open(place->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0
        || !tree_make_folders(place->descriptor, STATE))
        return fail(place, "", errno, message, message_bytes);
    place->lock = openat(place->descriptor, STATE "/collect.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (place->lock < 0 || flock(place->lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK)
            return fail(place, STATE "/collect.lock", errno, message, message_bytes);
        snprintf(message, message_bytes, "%.300s: another `lockstep collect` is at work in this folder. Wait for it.",
                 place->folder);
        return false;
    }
    if (!tree_remove(place->descriptor, INCOMING) || !tree_remove(place->descriptor, NEW)
        || mkdirat(place->descriptor, INCOMING, 0777) != 0 || mkdirat(place->descriptor, NEW, 0777) != 0)
        return fail(place, STATE, errno, message, message_bytes);
    files_clean(place->folder);
    struct csv times;
    *usage = true;
    bool good = read_record(place, message, message_bytes);
    if (good) {
        good = read_times(place, &times, message, message_bytes);
        csv_clear(&times);
    }
    return good;
}

void place_close(struct place *place)
{
    if (place->descriptor >= 0 && place->lock >= 0) {
        tree_remove(place->descriptor, INCOMING);
        tree_remove(place->descriptor, NEW);
    }
    if (place->lock >= 0)
        close(place->lock);
    if (place->descriptor >= 0)
        close(place->descriptor);
    json_decref(place->records);
    json_decref(place->placing);
    json_decref(place->people);
    free(place->folder);
    memset(place, 0, sizeof *place);
}

char *place_work(const struct place *place)
{
    return path_of(place, INCOMING);
}

static char *stage_name(size_t number)
{
    return allocate_format(NEW "/%zu", number);
}

int place_stage(const struct place *place, size_t number)
{
    char *name = stage_name(number);
    int folder = mkdirat(place->descriptor, name, 0777) == 0 ? tree_open(place->descriptor, name) : -1;
    free(name);
    return folder;
}

/* ---- putting into place ------------------------------------------------------------------------------------------- */

static char *key_of(const struct place_item *item)
{
    return allocate_format("%s/%s", item->id, item->assignment);
}

static bool is_earlier_than(const struct place_item *item, const json_t *record)
{
    const char *text = json_string_value(json_object_get(record, "submitted"));
    int64_t known;
    return item->has_time && text && !moment_read(text, NULL, &known) && item->submitted < known;
}

/* What will become of the item; *tree: the hash of what has been made ready. */
static enum place_state decide(const struct place *place, const struct place_item *item, size_t number, char tree[65])
{
    char *key = key_of(item), *stage = stage_name(number), there[65];
    const json_t *record = json_object_get(place->records, key);
    const char *ours = json_string_value(json_object_get(record, "tree")),
               *begun = json_string_value(json_object_get(place->placing, key));
    tree_hash(place->descriptor, stage, tree);
    tree_hash(place->descriptor, key, there);
    bool is_ours = (ours && strcmp(there, ours) == 0) || (begun && strcmp(there, begun) == 0);
    enum place_state state = strcmp(there, tree) == 0        ? PLACE_UNCHANGED
                             : there[0] == '\0'              ? PLACE_ADDED
                             : !is_ours                      ? PLACE_KEPT
                             : is_earlier_than(item, record) ? PLACE_OLDER
                                                             : PLACE_UPDATED;
    free(key);
    free(stage);
    return state;
}

/* A name for what is replaced, in .lockstep/older. Owned by the caller. */
static char *older_name(const struct place *place, const char *key)
{
    struct stat facts;
    for (int number = 1;; number++) {
        char *name = allocate_format(OLDER "/%s-%d", key, number);
        if (fstatat(place->descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
            return name;
        free(name);
    }
}

static bool put(const struct place *place, const struct place_item *item, size_t number)
{
    int root = place->descriptor;
    char *key = key_of(item), *stage = stage_name(number), *older = older_name(place, key);
    char *around = allocate_format(OLDER "/%s", item->id);
    bool good = mkdirat(root, item->id, 0777) == 0 || errno == EEXIST;
    if (good && item->state == PLACE_ADDED) {
        good = renameat(root, stage, root, key) == 0;
    } else if (good) {
        good = tree_make_folders(root, around);
        if (good && renameat2(root, stage, root, key, RENAME_EXCHANGE) == 0)
            good = renameat(root, stage, root, older) == 0;
        else /* a file system that cannot exchange */
            good = good && renameat(root, key, root, older) == 0 && renameat(root, stage, root, key) == 0;
    }
    int saved = errno;
    free(key);
    free(stage);
    free(older);
    free(around);
    errno = saved;
    return good;
}

static bool write_json(const struct place *place, const char *name, const json_t *document, char *message,
                       size_t message_bytes)
{
    char *path = path_of(place, name);
    bool good = files_write_json(path, document, message, message_bytes) != FILES_FAILED;
    free(path);
    return good;
}

/* Notes in the records where the item is from. What has no time keeps the one that was known. */
static void note_item(struct place *place, const struct place_item *item, const char *tree)
{
    char *key = key_of(item), text[MOMENT_TEXT_BYTES] = "";
    json_t *record = json_object_get(place->records, key), *known = json_object_get(record, "submitted");
    bool keeps = !item->has_time && item->state == PLACE_UNCHANGED && json_is_string(known);
    if (item->has_time)
        moment_write(item->submitted, text);
    json_t *submitted = keeps ? json_incref(known) : item->has_time ? json_string(text) : json_null();
    json_object_set_new(place->records, key,
                        json_pack("{s:s,s:o,s:s,s:s,s:I,s:o*}", "tree", tree, "submitted", submitted, "source", item->source,
                                  "form", item->form, "files", (json_int_t)item->files, "group",
                                  item->group ? result_json_text(item->group) : NULL));
    free(key);
}

bool place_all(struct place *place, struct place_item *items, size_t count, char *message, size_t message_bytes)
{
    char(*trees)[65] = allocate_zeroed((count + 1) * sizeof *trees);
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        items[i].state = items[i].files == 0   ? PLACE_EMPTY
                         : items[i].is_earlier ? PLACE_OLDER
                                               : decide(place, &items[i], i, trees[i]);
        char *key = key_of(&items[i]);
        if (items[i].state == PLACE_ADDED || items[i].state == PLACE_UPDATED)
            json_object_set_new(place->placing, key, json_string(trees[i]));
        free(key);
    }
    /* All that was made ready is on the disk before the first folder changes. */
    if (syncfs(place->descriptor) != 0)
        good = fail(place, NEW, errno, message, message_bytes);
    good = good && write_json(place, PLACING, place->placing, message, message_bytes);
    for (size_t i = 0; i < count && good; i++) {
        bool moves = items[i].state == PLACE_ADDED || items[i].state == PLACE_UPDATED;
        if (moves && !put(place, &items[i], i)) {
            char *key = key_of(&items[i]);
            good = fail(place, key, errno, message, message_bytes);
            free(key);
        }
        if (good && (moves || items[i].state == PLACE_UNCHANGED))
            note_item(place, &items[i], trees[i]);
    }
    free(trees);
    return good;
}

void place_person(struct place *place, const char *id, json_t *person)
{
    json_t *known = json_object_get(place->people, id);
    if (known) {
        json_object_update(known, person);
        json_decref(person);
    } else {
        json_object_set_new(place->people, id, person);
    }
}

/* ---- tables ------------------------------------------------------------------------------------------------------- */

static void print_field(FILE *file, const char *text, bool is_last)
{
    if (text[strcspn(text, ",\"\r\n;")] == '\0' && text[0] != ' ') {
        fputs(text, file);
    } else {
        fputc('"', file);
        for (; *text != '\0'; text++) {
            if (*text == '"')
                fputc('"', file);
            fputc(*text, file);
        }
        fputc('"', file);
    }
    fputc(is_last ? '\n' : ',', file);
}

static void print_time(FILE *file, const char *id, const char *lab, const char *submitted, const char *folder)
{
    print_field(file, id, false);
    print_field(file, lab, false);
    print_field(file, submitted, false);
    print_field(file, folder, true);
}

/* Is the line one of these records: of the last run, or of one that was killed while it wrote? */
static bool is_own_line(const json_t *records, const char *id, const char *lab, const char *submitted, const char *folder)
{
    const char *known = json_string_value(json_object_get(json_object_get(records, folder), "submitted"));
    size_t length = strlen(id);
    return lab[0] == '\0' && known && strcmp(known, submitted) == 0 && strncmp(folder, id, length) == 0
           && folder[length] == '/';
}

/* Lines of a person's stay, after the others, so that they count. Returns how many there are. */
static size_t print_kept(FILE *file, const struct csv *csv, const json_t *before, const json_t *after,
                         const struct place_item *items, size_t count, struct notes *notes)
{
    int columns[TIME_COLUMNS];
    size_t kept = 0;
    for (int k = 0; k < TIME_COLUMNS; k++)
        columns[k] = csv_find_column(csv, time_columns[k]);
    for (size_t i = 1; i < csv->row_count; i++) {
        const char *values[TIME_COLUMNS];
        for (int k = 0; k < TIME_COLUMNS; k++)
            values[k] = csv_get(&csv->rows[i], columns[k]);
        if (is_own_line(before, values[0], values[1], values[2], values[3])
            || is_own_line(after, values[0], values[1], values[2], values[3]))
            continue;
        print_time(file, values[0], values[1], values[2], values[3]);
        kept++;
        for (size_t item = 0; item < count; item++)
            if (items[item].state == PLACE_UPDATED && strcmp(items[item].id, values[0]) == 0
                && (values[3][0] == '\0'
                    || strcmp(strchr(values[3], '/') ? strchr(values[3], '/') + 1 : "", items[item].assignment) == 0))
                notes_add(
                    notes, true, "timestamps.csv",
                    "%s has handed in again, and a line of yours still says %s. Remove it if the new time is to count.",
                    values[0], values[2]);
    }
    return kept;
}

static int compare_keys(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The keys of an object, sorted; the array is owned by the caller. */
static const char **sorted_keys(json_t *object, size_t *count)
{
    const char **keys = allocate_zeroed((json_object_size(object) + 1) * sizeof *keys), *key;
    json_t *value;
    *count = 0;
    json_object_foreach(object, key, value) keys[(*count)++] = key;
    if (*count > 0)
        qsort(keys, *count, sizeof *keys, compare_keys);
    return keys;
}

static bool write_times(struct place *place, const json_t *before, const struct place_item *items, size_t item_count,
                        struct notes *notes, char *message, size_t message_bytes)
{
    struct csv csv;
    char *text = NULL, *path = path_of(place, "timestamps.csv");
    size_t bytes, count;
    if (!read_times(place, &csv, message, message_bytes)) {
        csv_clear(&csv);
        free(path);
        return false;
    }
    FILE *file = open_memstream(&text, &bytes);
    const char **keys = sorted_keys(place->records, &count);
    print_time(file, "id", "lab", "submitted", "folder");
    size_t times = 0;
    for (size_t i = 0; i < count; i++) {
        const char *submitted = json_string_value(json_object_get(json_object_get(place->records, keys[i]), "submitted"));
        char *id = allocate_text(keys[i], strcspn(keys[i], "/"));
        if (submitted)
            print_time(file, id, "", submitted, keys[i]);
        times += submitted != NULL;
        free(id);
    }
    size_t kept = csv.row_count > 0 ? print_kept(file, &csv, before, place->records, items, item_count, notes) : 0;
    fclose(file);
    if (kept > 0)
        notes_add(notes, false, "timestamps.csv", "%zu line%s of yours %s kept. They stand last, so they count.", kept,
                  kept == 1 ? "" : "s", kept == 1 ? "was" : "were");
    bool good = times + kept == 0 || files_write(path, text, bytes, message, message_bytes) != FILES_FAILED;
    free(keys);
    free(text);
    free(path);
    csv_clear(&csv);
    return good;
}

/* Writes a table of which a person's lines are not kept: once changed by hand, it stays as it is.
 *   hash   of what was written last; in and out */
static bool write_table(struct place *place, const char *name, const char *text, size_t bytes, char hash[65],
                        struct notes *notes, char *message, size_t message_bytes)
{
    char *path = path_of(place, name), there[SHA256_DIGEST_STRING_LENGTH] = "", fresh[SHA256_DIGEST_STRING_LENGTH];
    struct stat facts;
    bool exists = lstat(path, &facts) == 0, good = true;
    if (exists)
        SHA256File(path, there);
    SHA256Data((const uint8_t *)text, bytes, fresh);
    if (exists && strcmp(there, hash) != 0 && strcmp(fresh, there) != 0) {
        notes_add(notes, false, name, "It was changed by hand, so it was left as it is.");
    } else {
        good = (exists && strcmp(fresh, there) == 0)
               || files_write(path, text, bytes, message, message_bytes) != FILES_FAILED;
        strcpy(hash, fresh);
    }
    free(path);
    return good;
}

static bool write_students(struct place *place, struct notes *notes, char *message, size_t message_bytes)
{
    static const char *const columns[] = {"id", "name", "email", "number", "login", "group"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    char *text = NULL;
    size_t bytes, count;
    FILE *file = open_memstream(&text, &bytes);
    const char **keys = sorted_keys(place->people, &count);
    for (int k = 0; k < COLUMNS; k++)
        print_field(file, columns[k], k == COLUMNS - 1);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < COLUMNS; k++) {
            const char *value = json_string_value(json_object_get(json_object_get(place->people, keys[i]), columns[k]));
            print_field(file, k == 0 ? keys[i] : value ? value : "", k == COLUMNS - 1);
        }
    fclose(file);
    bool good = write_table(place, "students.csv", text, bytes, place->students_hash, notes, message, message_bytes);
    free(keys);
    free(text);
    return good;
}

static bool write_groups(struct place *place, struct notes *notes, char *message, size_t message_bytes)
{
    char *text = NULL;
    size_t bytes, count, lines = 0;
    FILE *file = open_memstream(&text, &bytes);
    const char **keys = sorted_keys(place->records, &count);
    fputs("id,folder,group\n", file);
    for (size_t i = 0; i < count; i++) {
        const char *group = json_string_value(json_object_get(json_object_get(place->records, keys[i]), "group"));
        char *id = allocate_text(keys[i], strcspn(keys[i], "/"));
        if (group) {
            print_field(file, id, false);
            print_field(file, keys[i], false);
            print_field(file, group, true);
        }
        lines += group != NULL;
        free(id);
    }
    fclose(file);
    /* Once there were groups, a table that says there are none any more. */
    bool good = (lines == 0 && place->groups_hash[0] == '\0')
                || write_table(place, "groups.csv", text, bytes, place->groups_hash, notes, message, message_bytes);
    free(keys);
    free(text);
    return good;
}

bool place_finish(struct place *place, const struct place_item *items, size_t count, struct notes *notes, char *message,
                  size_t message_bytes)
{
    json_t *old = load(place, RECORD), *before = json_object_get(old, "submissions");
    bool good = write_times(place, before, items, count, notes, message, message_bytes)
                && write_students(place, notes, message, message_bytes)
                && write_groups(place, notes, message, message_bytes);
    json_t *document = json_pack("{s:s,s:O,s:O,s:s,s:s}", "schema", SCHEMA, "submissions", place->records, "students",
                                 place->people, "students_csv", place->students_hash, "groups_csv", place->groups_hash);
    good = good && write_json(place, RECORD, document, message, message_bytes);
    if (good)
        unlinkat(place->descriptor, PLACING, 0);
    json_decref(document);
    json_decref(old);
    return good;
}
