#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "grader/base/allocate.h"
#include "grader/class/roster.h"
#include "grader/class/scan.h"
#include "grader/class/work.h"

/* ---- who, and what ------------------------------------------------------------------------------------------------ */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* More than a day ahead of this machine's clock is not a time of submission. */
static bool is_possible(int64_t moment)
{
    return moment >= 946684800 && moment <= (int64_t)time(NULL) + 86400;
}

static bool find_time(const struct batch *batch, const struct roster_times *times, size_t student, int lab,
                      const struct class_entry *entry, int64_t *submitted)
{
    for (int i = 0; i < batch->course.time_count; i++)
        switch (batch->course.times[i]) {
        case COURSE_TIMESTAMPS:
            if (roster_times_find(times, student, lab, submitted))
                return true;
            break;
        case COURSE_SUBMITTED:
            if (entry->submitted_file != 0) {
                *submitted = entry->submitted_file;
                return true;
            }
            break;
        case COURSE_MTIME: *submitted = entry->mtime; return true;
        case COURSE_SOURCES: break;
        }
    return false;
}

static void set_times(struct batch *batch, const struct roster_times *times)
{
    for (size_t i = 0; i < batch->class.count; i++)
        for (int k = 0; k < batch->course.lab_count; k++) {
            struct student *student = &batch->class.students[i];
            struct class_entry *entry = &student->entries[k];
            int64_t submitted;
            if (!entry->path)
                continue;
            bool found = find_time(batch, times, i, k, entry, &submitted);
            if (found && is_possible(submitted)) {
                entry->has_submitted = true;
                entry->submitted = submitted;
            } else if (found) {
                char text[MOMENT_TEXT_BYTES];
                moment_write(submitted, text);
                problems_add(
                    &student->problems, PROBLEM_time_impossible, entry->path,
                    "Submitted at %s? That is more than a day ahead of this machine's clock, or before 2000. No penalty was "
                    "applied.",
                    text);
            } else if (batch->course.labs[k].has_due && batch->course.percent_per_day > 0) {
                problems_add(&student->problems, PROBLEM_time_missing, entry->path,
                             "The time of submission is unknown, so no penalty was applied.");
            }
        }
}

/* timestamps.csv of the course file, else the one beside the students' folders. */
static char *find_timestamps(const struct batch *batch)
{
    if (batch->course.timestamps)
        return allocate_text(batch->course.timestamps, strlen(batch->course.timestamps));
    char *path = allocate_format("%s/timestamps.csv", batch->class.submissions);
    struct stat facts;
    if (lstat(path, &facts) == 0 && S_ISREG(facts.st_mode))
        return path;
    free(path);
    return NULL;
}

static void set_keys(struct batch *batch);

bool find_class(struct batch *batch)
{
    struct names *folders;
    struct roster_times times = {0};
    char *message = batch->message;
    if (!roster_read(&batch->class, &folders, message, sizeof batch->message))
        return false;
    bool good = scan_class(&batch->class, folders, batch->store.descriptor, &batch->ids, message, sizeof batch->message);
    char *timestamps = find_timestamps(batch);
    good = good && roster_times_read(&batch->class, batch->ids, timestamps, &times, message, sizeof batch->message);
    if (good)
        set_times(batch, &times);
    roster_times_clear(&times);
    free(timestamps);
    if (folders)
        names_destroy(folders);
    if (good && batch->class.count == 0) {
        snprintf(message, sizeof batch->message, "%.300s: it contains no student's folder. Each student needs one.",
                 batch->class.submissions);
        good = false;
    }
    if (good)
        set_keys(batch);
    return good;
}

/* ---- what is graded already --------------------------------------------------------------------------------------- */

static void set_key(struct batch *batch, struct class_entry *entry, const struct lab *lab)
{
    /* What is too large to be read is not the same as anything else. */
    char *unread = entry->sha256[0] == '\0' ? allocate_format("%s %lld", entry->path, (long long)entry->mtime) : NULL;
    store_key(&batch->store, lab, last_part(entry->path), unread ? unread : entry->sha256, batch->hidden.sha256, entry->key);
    free(unread);
}

static void set_keys(struct batch *batch)
{
    for (size_t i = 0; i < batch->class.count; i++)
        for (int k = 0; k < batch->course.lab_count; k++)
            if (batch->class.students[i].entries[k].state == ENTRY_WAITING)
                set_key(batch, &batch->class.students[i].entries[k], batch->course.labs[k].lab);
}

/* Forgets what --regrade names. Returns false when a student is unknown. */
static bool forget(struct batch *batch)
{
    for (int i = 0; i < batch->options->regrade_count; i++) {
        size_t number = names_find(batch->ids, batch->options->regrade[i]);
        for (size_t k = 0; k < batch->class.count && number == NAMES_NONE; k++)
            for (size_t f = 0; f < batch->class.students[k].folder_count; f++)
                if (strcmp(batch->class.students[k].folders[f], batch->options->regrade[i]) == 0)
                    number = k;
        if (number == NAMES_NONE) {
            snprintf(batch->message, sizeof batch->message, "--regrade %.300s: there is no such student.",
                     batch->options->regrade[i]);
            return false;
        }
        for (int k = 0; k < batch->course.lab_count; k++)
            if (batch->class.students[number].entries[k].state == ENTRY_WAITING)
                store_forget(&batch->store, batch->class.students[number].entries[k].key);
    }
    return true;
}

static int compare_waiting(const void *left, const void *right, void *context)
{
    struct batch *batch = context;
    const struct waiting *a = left, *b = right;
    int order = strcmp(work_entry(batch, a)->key, work_entry(batch, b)->key);
    if (order != 0)
        return order;
    return a->student != b->student ? (a->student < b->student ? -1 : 1) : a->lab - b->lab;
}

static int compare_order(const void *left, const void *right)
{
    const struct waiting *a = left, *b = right;
    return a->student != b->student ? (a->student < b->student ? -1 : 1) : a->lab - b->lab;
}

bool find_waiting(struct batch *batch)
{
    if (!forget(batch))
        return false;
    size_t capacity = 0, kept = 0;
    for (size_t i = 0; i < batch->class.count; i++)
        for (int k = 0; k < batch->course.lab_count; k++)
            if (batch->class.students[i].entries[k].state == ENTRY_WAITING) {
                batch->waiting = allocate_grown(batch->waiting, &capacity, batch->waiting_count + 1, sizeof *batch->waiting);
                batch->waiting[batch->waiting_count++] = (struct waiting){i, k};
            }
    if (batch->waiting_count > 0)
        qsort_r(batch->waiting, batch->waiting_count, sizeof *batch->waiting, compare_waiting, batch);
    for (size_t i = 0; i < batch->waiting_count; i++) {
        const char *key = work_entry(batch, &batch->waiting[i])->key;
        bool again = i > 0 && strcmp(key, work_entry(batch, &batch->waiting[i - 1])->key) == 0;
        json_t *known = again ? NULL : store_find(&batch->store, key);
        if (!again && !known)
            batch->waiting[kept++] = batch->waiting[i];
        json_decref(known);
    }
    batch->waiting_count = kept;
    if (kept > 0)
        qsort(batch->waiting, kept, sizeof *batch->waiting, compare_order);
    return true;
}
