#include "grader/class/roster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/class/moment_any.h"
#include "grader/lab/labs.h"

#define ANY_LAB (-1)

/* ---- the roster --------------------------------------------------------------------------------------------------- */

/* Notes that `name` leads to the student; reports when another one has it. Returns whether it was free. */
static bool claim(struct class *class, struct names *folders, const char *name, size_t number, const struct csv_row *row,
                  const char *file)
{
    size_t owner = names_find(folders, name);
    if (owner == NAMES_NONE)
        names_add(folders, name, number);
    else if (owner != number)
        problems_add(&class->problems, PROBLEM_roster_id_twice, file,
                     "line %d: %s already belongs to %s. The first line counts.", row->line, name,
                     class->students[owner].id);
    return owner == NAMES_NONE || owner == number;
}

static void claim_folders(struct class *class, struct names *folders, const char *list, size_t number,
                          const struct csv_row *row, const char *file)
{
    while (*list != '\0') {
        size_t length = strcspn(list, ";");
        char *name = allocate_text(list, length);
        if (name[strspn(name, " ")] != '\0')
            claim(class, folders, name, number, row, file);
        free(name);
        list += length + (list[length] == ';');
    }
}

static size_t count_names(const struct csv *csv, int column)
{
    size_t names = 0;
    for (size_t i = 1; i < csv->row_count; i++) {
        names += 2;
        for (const char *at = csv_get(&csv->rows[i], column); *at != '\0'; at++)
            names += *at == ';';
    }
    return names;
}

bool roster_read(struct class *class, struct names **folders, char *message, size_t message_bytes)
{
    struct csv csv = {0};
    const char *path = class->course->roster;
    *folders = NULL;
    if (!path)
        return true;
    const char *file = class_last_part(path);
    bool good = csv_read(path, &csv, message, message_bytes);
    int id = csv_find_column(&csv, "id"), name = csv_find_column(&csv, "name"), folder = csv_find_column(&csv, "folder"),
        email = csv_find_column(&csv, "email");
    if (good && id < 0) {
        snprintf(
            message, message_bytes,
            "%.300s:%d: the roster's first line must name its columns, and one of them must be id. Others: name, folder, "
            "email.",
            path, csv.rows[0].line);
        good = false;
    }
    if (good)
        *folders = names_create(count_names(&csv, folder));
    class->has_roster = good;
    for (size_t i = 1; good && i < csv.row_count; i++) {
        const struct csv_row *row = &csv.rows[i];
        const char *text = csv_get(row, id);
        if (text[0] == '\0')
            problems_add(&class->problems, PROBLEM_roster_id_missing, file, "line %d has no id. It was skipped.", row->line);
        if (text[0] == '\0' || !claim(class, *folders, text, class->count, row, file))
            continue;
        struct student *student = class_add(class, text);
        student->on_roster = true;
        const char *shown = csv_get(row, name);
        student->name = shown[0] != '\0' ? allocate_text(shown, strlen(shown)) : NULL;
        const char *address = csv_get(row, email);
        student->email = address[0] != '\0' ? class_printable(address) : NULL;
        claim_folders(class, *folders, csv_get(row, folder), class->count - 1, row, file);
    }
    csv_clear(&csv);
    return good;
}

/* ---- times -------------------------------------------------------------------------------------------------------- */

struct roster_time {
    size_t student;
    int lab; /* of the course; ANY_LAB */
    int line;
    char *folder; /* from SUBMISSIONS; NULL: wherever the file is; owned */
    int64_t submitted;
};

/* The last line of a student comes first: a student who hands in again is in the table twice. */
static int compare_times(const void *left, const void *right)
{
    const struct roster_time *a = left, *b = right;
    if (a->student != b->student)
        return a->student < b->student ? -1 : 1;
    return (a->line < b->line) - (a->line > b->line);
}

/* A table of times while it is read, and what came of its lines. */
struct times_reading {
    struct class *class;
    const struct names *ids;
    const char *path;
    struct roster_times *times;
    size_t lines, strangers, unread; /* those of nobody; those with a time that cannot be read */
    bool is_ambiguous;
    char bad[600]; /* the first of those, or an ambiguous one, in words */
};

static void add_time(struct times_reading *reading, const struct csv_row *row, const char *id, const char *lab_name,
                     const char *folder, const char *text)
{
    struct class *class = reading->class;
    struct roster_times *times = reading->times;
    const char *file = class_last_part(reading->path);
    const struct lab *lab = lab_name[0] != '\0' ? labs_find(lab_name) : NULL;
    struct roster_time time = {.student = names_find(reading->ids, id), .line = row->line, .lab = ANY_LAB};
    reading->lines++;
    if (time.student == NAMES_NONE || (lab_name[0] != '\0' && !lab)) {
        problems_add(&class->problems, PROBLEM_roster_line, file, "line %d: there is no %s %s. It was skipped.", row->line,
                     time.student == NAMES_NONE ? "student" : "lab", time.student == NAMES_NONE ? id : lab_name);
        reading->strangers++;
        return;
    }
    if (lab && (time.lab = course_find_lab(class->course, lab)) < 0)
        return; /* of another course */
    const char *why = moment_read_any(text, class->course->time_zone, class->course->date_order, &time.submitted);
    if (why) {
        problems_add(&class->students[time.student].problems, PROBLEM_time_impossible, file, "line %d: %s: %s.", row->line,
                     text, why);
        if (reading->unread++ == 0 || (moment_is_ambiguous(why) && !reading->is_ambiguous))
            snprintf(reading->bad, sizeof reading->bad, "%.300s:%d: %.100s: %s.", reading->path, row->line, text, why);
        reading->is_ambiguous |= moment_is_ambiguous(why); /* no line can be trusted */
        return;
    }
    time.folder = folder[0] != '\0' ? allocate_text(folder, strlen(folder)) : NULL;
    times->list = allocate_grown(times->list, &times->capacity, times->count + 1, sizeof *times->list);
    times->list[times->count++] = time;
}

/* A table of which nothing can be used must not pass for "nobody is late". */
static bool is_useful(const struct times_reading *reading, char *message, size_t message_bytes)
{
    size_t known = reading->lines - reading->strangers;
    if (reading->lines > 0 && known == 0) {
        snprintf(message, message_bytes,
                 "%.300s: none of its %zu lines names a student and a lab of this class, so nobody's time is known.",
                 reading->path, reading->lines);
        return false;
    }
    bool none = reading->unread > 0 && reading->unread == known;
    if (none || reading->is_ambiguous)
        snprintf(message, message_bytes, "%s%s", reading->bad, none ? " No time in this table can be read." : "");
    return !none && !reading->is_ambiguous;
}

bool roster_times_read(struct class *class, const struct names *ids, const char *path, struct roster_times *times,
                       char *message, size_t message_bytes)
{
    struct csv csv = {0};
    memset(times, 0, sizeof *times);
    if (!path)
        return true;
    struct times_reading reading = {class, ids, path, times, 0, 0, 0, false, ""};
    bool good = csv_read(path, &csv, message, message_bytes);
    int id = csv_find_column(&csv, "id"), lab = csv_find_column(&csv, "lab"), when = csv_find_column(&csv, "submitted"),
        folder = csv_find_column(&csv, "folder");
    if (good && (id < 0 || when < 0)) {
        snprintf(message, message_bytes,
                 "%.300s:%d: the first line must name the columns id and submitted; lab and folder are optional.", path,
                 csv.rows[0].line);
        good = false;
    }
    for (size_t i = 1; good && i < csv.row_count; i++)
        add_time(&reading, &csv.rows[i], csv_get(&csv.rows[i], id), csv_get(&csv.rows[i], lab),
                 csv_get(&csv.rows[i], folder), csv_get(&csv.rows[i], when));
    good = good && is_useful(&reading, message, message_bytes);
    if (times->count > 0)
        qsort(times->list, times->count, sizeof *times->list, compare_times);
    csv_clear(&csv);
    return good;
}

void roster_times_clear(struct roster_times *times)
{
    for (size_t i = 0; i < times->count; i++)
        free(times->list[i].folder);
    free(times->list);
    memset(times, 0, sizeof *times);
}

/* The first row of the student. */
static size_t lower_bound(const struct roster_times *times, size_t student)
{
    size_t low = 0, high = times->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = times->list[middle].student < student;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

static bool is_inside(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/')
        length--;
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

bool roster_times_find(const struct roster_times *times, size_t student, int lab, const char *path, int64_t *submitted)
{
    int best = 0;
    for (size_t i = lower_bound(times, student); i < times->count && times->list[i].student == student; i++) {
        const struct roster_time *time = &times->list[i];
        int rank = 1 + 2 * (time->lab == lab) + (time->folder != NULL);
        bool fits = (time->lab == ANY_LAB || time->lab == lab) && (!time->folder || is_inside(path, time->folder));
        if (fits && rank > best) {
            best = rank;
            *submitted = time->submitted;
        }
    }
    return best > 0;
}
