#include "grader/class/course.h"

#include <sha256.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/base/yaml_file.h"
#include "grader/class/moment.h"
#include "grader/lab/labs.h"

#define COURSE_BYTES_MAX (1u << 20)

enum scope { COURSE, LAB, LATE_SCOPE, LIMITS_SCOPE };
enum kind { TEXT, ZONE, FILE_NAME, WHOLE, DECIMAL, DATE, SWITCH, SOURCES, ORDER, SUBMISSIONS, LABS, LATE, LIMITS };

struct key {
    enum scope scope;
    const char *name;
    enum kind kind;
    size_t member;
    int32_t least, most;
    const char *fallback, *what;
};

/* How the table's words become the names above. */
#define SCOPE_COURSE     COURSE
#define SCOPE_LAB        LAB
#define SCOPE_LATE       LATE_SCOPE
#define SCOPE_LIMITS     LIMITS_SCOPE
#define KIND_TEXT        TEXT
#define KIND_ZONE        ZONE
#define KIND_FILE        FILE_NAME
#define KIND_WHOLE       WHOLE
#define KIND_DECIMAL     DECIMAL
#define KIND_DATE        DATE
#define KIND_SWITCH      SWITCH
#define KIND_SOURCES     SOURCES
#define KIND_ORDER       ORDER
#define KIND_SUBMISSIONS SUBMISSIONS
#define KIND_LABS        LABS
#define KIND_LATE        LATE
#define KIND_LIMITS      LIMITS
#define OWNER_COURSE     struct course
#define OWNER_LAB        struct course_lab
#define OWNER_LATE       struct course
#define OWNER_LIMITS     struct course

static const struct key keys[] = {
#define KEY(scope, name, kind, member, least, most, fallback, what) \
    {SCOPE_##scope, #name, KIND_##kind, offsetof(OWNER_##scope, member), least, most, fallback, what},
#include "grader/class/course_keys.def"
#undef KEY
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

static const char *const source_names[COURSE_SOURCES] = {"timestamps", "submitted", "mtime"};

/* A course file while it is read. */
struct reading {
    struct yaml_file file;
    char *folder; /* of the path, with a slash at the end; "" here */
    struct course *course;
};

/* ---- values ------------------------------------------------------------------------------------------------------- */

/* Digits, perhaps a point and two more. Returns false when it is anything else. */
static bool read_hundredths(const char *text, bool whole, int64_t *hundredths)
{
    char *end;
    if (text[0] < '0' || text[0] > '9' || strlen(text) > 12)
        return false;
    *hundredths = strtoll(text, &end, 10) * 100;
    if (*end == '.' && !whole) {
        const char *digits = end + 1;
        size_t count = strspn(digits, "0123456789");
        if (count < 1 || count > 2)
            return false;
        *hundredths += (digits[0] - '0') * 10 + (count > 1 ? digits[1] - '0' : 0);
        end += 1 + count;
    }
    return *end == '\0';
}

static void set_number(struct reading *reading, const struct key *key, const yaml_node_t *node, const char *text,
                       int32_t *member)
{
    bool whole = key->kind == WHOLE;
    int64_t hundredths;
    if (!read_hundredths(text, whole, &hundredths) || hundredths < 100LL * key->least || hundredths > 100LL * key->most)
        yaml_file_complain(&reading->file, node, "%s: %s is not valid. Expected: a %snumber from %d to %d%s.", key->name,
                           text, whole ? "whole " : "", key->least, key->most, whole ? "" : ", with up to two decimals");
    else
        *member = (int32_t)(whole ? hundredths / 100 : hundredths);
}

static void set_text(struct reading *reading, const struct key *key, const yaml_node_t *node, const char *text,
                     char **member)
{
    const char *folder = key->kind == FILE_NAME && text[0] != '/' ? reading->folder : "";
    if (key->kind == ZONE && !moment_is_zone(text))
        yaml_file_complain(
            &reading->file, node,
            "time_zone: this system does not know %s. Names look like Europe/Berlin, America/New_York or UTC (package "
            "tzdata).",
            text);
    else if (text[0] == '\0' || (key->kind == TEXT && strlen(text) > (size_t)key->most))
        yaml_file_complain(&reading->file, node, "%s: expected a text of 1 to %d bytes.", key->name,
                           key->kind == TEXT ? key->most : 4000);
    else
        *member = allocate_format("%s%s", folder, text);
}

static void set_date(struct reading *reading, const struct key *key, const yaml_node_t *node, const char *text,
                     struct course_lab *lab)
{
    const char *why = moment_read(text, reading->course->time_zone, &lab->due);
    if (why)
        yaml_file_complain(&reading->file, node, "%s: %s: %s.", key->name, text, why);
    lab->has_due = !why;
}

static void set_switch(struct reading *reading, const struct key *key, const yaml_node_t *node, const char *text,
                       bool *member)
{
    bool is_on = strcmp(text, "yes") == 0 || strcmp(text, "true") == 0;
    if (!is_on && strcmp(text, "no") != 0 && strcmp(text, "false") != 0)
        yaml_file_complain(&reading->file, node, "%s: %.100s is not valid. Expected: yes or no.", key->name, text);
    *member = is_on;
}

static void set_order(struct reading *reading, const struct key *key, const yaml_node_t *node, const char *text)
{
    bool is_day = strcmp(text, "day_first") == 0;
    if (!is_day && strcmp(text, "month_first") != 0)
        yaml_file_complain(&reading->file, node, "%s: %.100s is not valid. Expected: day_first or month_first.", key->name,
                           text);
    reading->course->date_order = is_day ? MOMENT_DAY_FIRST : MOMENT_MONTH_FIRST;
}

/* `lockstep collect` keeps the last submission of each student; there is no other rule to choose yet. */
static void check_submissions(struct reading *reading, const struct key *key, const yaml_node_t *node, const char *text)
{
    if (strcmp(text, "best") == 0)
        yaml_file_complain(
            &reading->file, node,
            "%s: best is not possible yet: one submission of each student is graded for a lab. Write last: the "
            "latest one counts.",
            key->name);
    else if (strcmp(text, "last") != 0)
        yaml_file_complain(&reading->file, node, "%s: %.100s is not valid. Expected: last.", key->name, text);
}

static void set_sources(struct reading *reading, const struct key *key, const yaml_node_t *node)
{
    struct course *course = reading->course;
    course->time_count = 0;
    if (node->type != YAML_SEQUENCE_NODE) {
        yaml_file_complain(&reading->file, node, "%s: expected a list, such as [timestamps, submitted].", key->name);
        return;
    }
    for (yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top; item++) {
        const char *text = yaml_file_text(yaml_file_node(&reading->file, *item));
        int found = COURSE_SOURCES;
        for (int i = 0; i < COURSE_SOURCES; i++)
            if (text && strcmp(text, source_names[i]) == 0)
                found = i;
        for (int i = 0; i < course->time_count && found < COURSE_SOURCES; i++)
            if (course->times[i] == (enum course_source)found)
                found = COURSE_SOURCES;
        if (found < COURSE_SOURCES)
            course->times[course->time_count++] = (enum course_source)found;
        else
            yaml_file_complain(&reading->file, yaml_file_node(&reading->file, *item),
                               "%s: expected timestamps, submitted or mtime, each at most once.", key->name);
    }
}

/* ---- maps --------------------------------------------------------------------------------------------------------- */

static void read_map(struct reading *reading, enum scope scope, const char *name, const yaml_node_t *map, void *owner);
static void read_labs(struct reading *reading, const yaml_node_t *map);

static void set_value(struct reading *reading, const struct key *key, const yaml_node_t *node, void *owner)
{
    void *member = (char *)owner + key->member;
    const char *text = yaml_file_text(node);
    switch (key->kind) {
    case LABS: read_labs(reading, node); return;
    case LATE: read_map(reading, LATE_SCOPE, "late", node, owner); return;
    case LIMITS: read_map(reading, LIMITS_SCOPE, "limits", node, owner); return;
    case SOURCES: set_sources(reading, key, node); return;
    case TEXT:
    case ZONE:
    case FILE_NAME:
    case WHOLE:
    case DECIMAL:
    case DATE:
    case ORDER:
    case SUBMISSIONS:
    case SWITCH: break;
    }
    if (!text)
        yaml_file_complain(&reading->file, node, "%s: expected one value, not a list or a map.", key->name);
    else if (key->kind == WHOLE || key->kind == DECIMAL)
        set_number(reading, key, node, text, member);
    else if (key->kind == DATE)
        set_date(reading, key, node, text, owner);
    else if (key->kind == ORDER)
        set_order(reading, key, node, text);
    else if (key->kind == SUBMISSIONS)
        check_submissions(reading, key, node, text);
    else if (key->kind == SWITCH)
        set_switch(reading, key, node, text, member);
    else
        set_text(reading, key, node, text, member);
}

static const struct key *find_key(enum scope scope, const char *name)
{
    for (int i = 0; i < KEY_COUNT; i++)
        if (keys[i].scope == scope && strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static void complain_unknown(struct reading *reading, enum scope scope, const char *place, const yaml_node_t *node,
                             const char *name)
{
    char allowed[512] = "";
    for (int i = 0; i < KEY_COUNT; i++)
        if (keys[i].scope == scope) {
            size_t used = strlen(allowed);
            snprintf(allowed + used, sizeof allowed - used, "%s%s", used > 0 ? ", " : "", keys[i].name);
        }
    yaml_file_complain(&reading->file, node, "%s%sunknown key %.100s. Allowed here: %s.", place,
                       place[0] != '\0' ? ": " : "", name, allowed);
}

static void read_map(struct reading *reading, enum scope scope, const char *name, const yaml_node_t *map, void *owner)
{
    if (!yaml_file_is_map(&reading->file, name[0] != '\0' ? name : "the file", map))
        return;
    /* Dates need the time zone, wherever in the file it is given. */
    for (int pass = 0; pass < 2; pass++)
        for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
            const char *quick = yaml_file_text(yaml_file_node(&reading->file, pair->key));
            bool zone = scope == COURSE && quick && strcmp(quick, "time_zone") == 0;
            if (zone != (pass == 0))
                continue;
            const char *word = yaml_file_word(&reading->file, map, pair);
            const struct key *key = word ? find_key(scope, word) : NULL;
            if (word && !key)
                complain_unknown(reading, scope, name, yaml_file_node(&reading->file, pair->key), word);
            else if (key && !yaml_file_is_nothing(yaml_file_node(&reading->file, pair->value)))
                set_value(reading, key, yaml_file_node(&reading->file, pair->value), owner);
        }
}

static void add_lab(struct course *course, const struct lab *lab)
{
    course->labs[course->lab_count++] = (struct course_lab){.lab = lab, .weight = 100};
}

static void read_labs(struct reading *reading, const yaml_node_t *map)
{
    struct course *course = reading->course;
    if (!yaml_file_is_map(&reading->file, "labs", map))
        return;
    course->lab_count = 0;
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t *node = yaml_file_node(&reading->file, pair->key);
        const char *word = yaml_file_word(&reading->file, map, pair);
        const struct lab *lab = word ? labs_find(word) : NULL;
        if (!word)
            continue;
        if (!lab || course_find_lab(course, lab) >= 0) {
            yaml_file_complain(&reading->file, node, "labs: %.100s: %s `lockstep list` shows them.", word,
                               !lab ? "this version of the kit has no such lab."
                                    : "this lab is already listed under its other name.");
            continue;
        }
        add_lab(course, lab);
        read_map(reading, LAB, word, yaml_file_node(&reading->file, pair->value), &course->labs[course->lab_count - 1]);
    }
    if (course->lab_count == 0)
        yaml_file_complain(&reading->file, map, "labs: expected at least one lab. Leave labs out for all of them.");
}

/* ---- the file ----------------------------------------------------------------------------------------------------- */

static void read_document(struct reading *reading, const yaml_node_t *root)
{
    const struct course *course = reading->course;
    read_map(reading, COURSE, "", root, reading->course);
    if (course->drop_lowest > 0 && course->drop_lowest >= course->lab_count)
        yaml_file_complain(&reading->file, NULL, "drop_lowest: %d of %d labs would leave none.", course->drop_lowest,
                           course->lab_count);
}

void course_init(struct course *course)
{
    memset(course, 0, sizeof *course);
    course->labs = allocate_zeroed((size_t)labs_count() * sizeof *course->labs);
    for (int i = 0; i < labs_count(); i++)
        add_lab(course, labs_get(i));
    course->cap_percent = 10000;
    course->times[course->time_count++] = COURSE_TIMESTAMPS;
    course->limit_files = 2000;
    course->limit_depth = 16;
}

int course_read(const char *path, struct course *course, FILE *errors)
{
    const char *slash = strrchr(path, '/');
    struct reading reading = {.file = {.path = path, .kind = "a course file", .errors = errors}, .course = course};
    char message[512];
    size_t bytes;
    course_init(course);
    char *text = files_read(path, COURSE_BYTES_MAX, &bytes, message, sizeof message);
    if (!text) {
        fprintf(errors, "%s\n", message);
        return 1;
    }
    course->file = allocate_text(path, strlen(path));
    SHA256Data((const uint8_t *)text, bytes, course->sha256);
    reading.folder = allocate_text(path, slash ? (size_t)(slash - path) + 1 : 0);
    const yaml_node_t *root = yaml_file_open(&reading.file, text, bytes);
    if (root)
        read_document(&reading, root);
    yaml_file_close(&reading.file);
    free(reading.folder);
    free(text);
    return reading.file.error_count;
}

void course_clear(struct course *course)
{
    free(course->file);
    free(course->title);
    free(course->time_zone);
    free(course->roster);
    free(course->timestamps);
    free(course->decisions);
    free(course->hidden_seed_file);
    free(course->labs);
    memset(course, 0, sizeof *course);
}

int course_find_lab(const struct course *course, const struct lab *lab)
{
    for (int i = 0; i < course->lab_count; i++)
        if (course->labs[i].lab == lab)
            return i;
    return -1;
}

void course_print_keys(FILE *file)
{
    static const char *const scopes[] = {"", "labs: LAB: ", "late: ", "limits: "};
    fprintf(file, "| key | default | what |\n|---|---|---|\n");
    for (int i = 0; i < KEY_COUNT; i++)
        fprintf(file, "| `%s%s` | %s | %s |\n", scopes[keys[i].scope], keys[i].name, keys[i].fallback, keys[i].what);
}
