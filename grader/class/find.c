#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "grader/base/allocate.h"
#include "grader/base/near.h"
#include "grader/class/decided.h"
#include "grader/class/pseudonyms.h"
#include "grader/class/roster.h"
#include "grader/class/scan.h"
#include "grader/class/work.h"

/* ---- who, and what ------------------------------------------------------------------------------------------------ */

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
            if (roster_times_find(times, student, lab, entry->path, submitted))
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

/* Returns false, with batch->message, when every time that there is is impossible: then nobody's lateness is known. */
static bool set_times(struct batch *batch, const struct roster_times *times)
{
    size_t found_count = 0, impossible_count = 0;
    for (size_t i = 0; i < batch->class.count; i++)
        for (int k = 0; k < batch->course.lab_count; k++) {
            struct student *student = &batch->class.students[i];
            struct class_entry *entry = &student->entries[k];
            int64_t submitted;
            if (!entry->path)
                continue;
            bool found = find_time(batch, times, i, k, entry, &submitted);
            found_count += found;
            if (found && is_possible(submitted)) {
                entry->has_submitted = true;
                entry->submitted = submitted;
            } else if (found) {
                char text[MOMENT_TEXT_BYTES];
                moment_write(submitted, text);
                if (impossible_count++ == 0)
                    snprintf(
                        batch->message, sizeof batch->message,
                        "%s: submitted at %s? Every time of submission is more than a day ahead of this machine's clock, "
                        "or before 2000. Correct the times, or the clock.",
                        student->id, text);
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
    if (impossible_count > 0 && impossible_count == found_count)
        return false;
    batch->message[0] = '\0';
    return true;
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

static bool is_digits(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* Is `shown` what a spreadsheet shows of a long number: "2.02601E+11", or with a comma? */
static bool is_rounded(const char *shown, const char *digits)
{
    char mantissa[32];
    size_t length = strcspn(shown, "eE"), after = strspn(shown, "0123456789.,");
    int exponent = length < sizeof mantissa && after == length && shown[length] != '\0' ? atoi(shown + length + 1) : 0;
    if (exponent <= 0 || !is_digits(digits) || strlen(digits) != (size_t)exponent + 1)
        return false;
    size_t used = 0;
    for (const char *at = shown; at < shown + length; at++)
        if (isdigit((unsigned char)*at))
            mantissa[used++] = *at;
    mantissa[used] = '\0';
    /* The last digit that is shown is rounded: 2.02601E+11 may be 202600500000 as well as 202601499999. */
    double unit = pow(10, exponent - (double)used + 1);
    return used > 0 && fabs(strtod(mantissa, NULL) * unit - strtod(digits, NULL)) <= unit / 2;
}

/* What a spreadsheet has made of this id; NULL: it is another one. */
static const char *spreadsheet_change(const char *on_roster, const char *folder)
{
    if (is_digits(on_roster) && is_digits(folder)
        && strcmp(on_roster + strspn(on_roster, "0"), folder + strspn(folder, "0")) == 0)
        return "differs only in leading zeros, which a spreadsheet drops";
    return is_rounded(on_roster, folder) ? "is what a spreadsheet shows of such a long number" : NULL;
}

/* Folders of nobody on the roster, with the student of the roster without a folder who may be meant. */
static void tell_strangers(struct class *class)
{
    const char **names = allocate_zeroed(2 * (class->count + 1) * sizeof *names);
    const struct student **owners = allocate_zeroed(2 * (class->count + 1) * sizeof *owners);
    size_t count = 0;
    for (size_t i = 0; i < class->count; i++) {
        const struct student *student = &class->students[i];
        if (!student->on_roster || student->folder_count > 0)
            continue;
        owners[count] = student;
        names[count++] = student->id;
        if (student->name) {
            owners[count] = student;
            names[count++] = student->name;
        }
    }
    for (size_t i = 0; i < class->count && class->has_roster; i++) {
        struct student *student = &class->students[i];
        if (student->on_roster)
            continue;
        const char *change = NULL;
        for (size_t k = 0; k < count && !change; k++) {
            change = spreadsheet_change(owners[k]->id, student->id);
            if (change)
                problems_add(
                    &student->problems, PROBLEM_not_on_roster, student->folders[0],
                    "This is a folder of nobody on the roster, and %s, which is there, %s. Make the roster's column of "
                    "ids text in the spreadsheet, and export it again.",
                    owners[k]->id, change);
        }
        if (change)
            continue;
        const char *near = near_find(student->id, names, count);
        const struct student *meant = NULL;
        for (size_t k = 0; k < count && near && !meant; k++)
            meant = names[k] == near ? owners[k] : NULL;
        problems_add(&student->problems, PROBLEM_not_on_roster, student->folders[0],
                     "This is a folder of nobody on the roster%s%s%s%s%s", meant ? "; did you mean " : "",
                     meant ? meant->id : "", meant && meant->name ? ", " : "", meant && meant->name ? meant->name : "",
                     meant ? "?" : ".");
    }
    free(names);
    free(owners);
}

static void set_keys(struct batch *batch);

/* The decisions of the course, and the files that they name. All mistakes are reported at once. */
static bool read_decisions(struct batch *batch, const struct groups *groups)
{
    char *path = decisions_path(&batch->course);
    int mistakes = path ? decisions_read(path, NULL, 0, &batch->class, false, &batch->decisions, stderr) : 0;
    if (mistakes == 0)
        mistakes = decided_accept(&batch->class, &batch->decisions, groups, stderr);
    if (mistakes > 0)
        snprintf(batch->message, sizeof batch->message, "%.300s has errors; nothing was graded.", path);
    free(path);
    return mistakes == 0;
}

/* Times that cannot be read, all of them, must not pass for "nobody is late". */
static bool has_useful_times(struct batch *batch)
{
    const struct class *class = &batch->class;
    bool none = class->times_bad > 0 && class->times_bad == class->times_read;
    if (none || class->times_ambiguous)
        snprintf(batch->message, sizeof batch->message, "%s%s", class->bad_time,
                 none && !class->times_ambiguous ? " None of the files `submitted` can be read." : "");
    return !none && !class->times_ambiguous;
}

bool find_class(struct batch *batch)
{
    struct names *folders;
    struct roster_times times = {0};
    struct groups groups = {0};
    char *message = batch->message;
    if (!roster_read(&batch->class, &folders, message, sizeof batch->message))
        return false;
    bool good = scan_class(&batch->class, folders, batch->store.descriptor, &batch->ids, message, sizeof batch->message);
    good = good
           && pseudonyms_make(&batch->class, batch->store.folder, batch->store.use != STORE_SHARED, message,
                              sizeof batch->message)
           && groups_read(&batch->class, batch->ids, &groups, message, sizeof batch->message)
           && read_decisions(batch, &groups);
    char *timestamps = find_timestamps(batch);
    good = good && has_useful_times(batch);
    good = good && roster_times_read(&batch->class, batch->ids, timestamps, &times, message, sizeof batch->message);
    good = good && set_times(batch, &times);
    if (good)
        decided_share(&batch->class, &batch->decisions, &groups);
    groups_clear(&groups);
    roster_times_clear(&times);
    free(timestamps);
    if (folders)
        names_destroy(folders);
    if (good && batch->class.count == 0) {
        snprintf(message, sizeof batch->message, "%.300s: it contains no student's folder. Each student needs one.",
                 batch->class.submissions);
        good = false;
    }
    if (good) {
        tell_strangers(&batch->class);
        set_keys(batch);
    }
    return good;
}

/* ---- what is graded already --------------------------------------------------------------------------------------- */

static void set_key(struct batch *batch, struct class_entry *entry, const struct lab *lab)
{
    /* What is too large to be read is not the same as anything else. */
    char *unread = entry->sha256[0] == '\0' ? allocate_format("%s %lld", entry->path, (long long)entry->mtime) : NULL;
    store_key(&batch->store, lab, class_last_part(entry->path), unread ? unread : entry->sha256, batch->hidden.sha256,
              entry->key);
    snprintf(entry->timing_key, sizeof entry->timing_key, "%s-gpu", entry->key);
    free(unread);
}

static void set_keys(struct batch *batch)
{
    for (size_t i = 0; i < batch->class.count; i++)
        for (int k = 0; k < batch->course.lab_count; k++)
            if (batch->class.students[i].entries[k].state == ENTRY_WAITING)
                set_key(batch, &batch->class.students[i].entries[k], batch->course.labs[k].lab);
}

/* The student with this name, where only one has it. Returns false with the message when several have. */
static bool find_named(struct batch *batch, const char *name, size_t *number)
{
    char *wanted = class_plain_name(name);
    int found = 0;
    for (size_t i = 0; i < batch->class.count; i++) {
        char *plain = batch->class.students[i].name ? class_plain_name(batch->class.students[i].name) : NULL;
        if (plain && strcmp(plain, wanted) == 0) {
            *number = i;
            found++;
        }
        free(plain);
    }
    free(wanted);
    if (found > 1)
        snprintf(batch->message, sizeof batch->message, "--regrade %.300s: %d students have this name. Give an id.", name,
                 found);
    return found <= 1;
}

static void forget_entry(const struct batch *batch, const struct class_entry *entry)
{
    store_forget(&batch->store, entry->key);
    store_forget(&batch->store, entry->timing_key);
}

/* Forgets what --regrade names. Returns false when a student is unknown. */
static bool forget(struct batch *batch)
{
    for (int i = 0; i < batch->options->regrade_count && !batch->forgets_nothing; i++) {
        size_t number = names_find(batch->ids, batch->options->regrade[i]);
        for (size_t k = 0; k < batch->class.count && number == NAMES_NONE; k++)
            for (size_t f = 0; f < batch->class.students[k].folder_count; f++)
                if (strcmp(batch->class.students[k].folders[f], batch->options->regrade[i]) == 0)
                    number = k;
        if (number == NAMES_NONE && !find_named(batch, batch->options->regrade[i], &number))
            return false;
        if (number == NAMES_NONE) {
            snprintf(batch->message, sizeof batch->message, "--regrade %.300s: there is no such student.",
                     batch->options->regrade[i]);
            return false;
        }
        for (int k = 0; k < batch->course.lab_count; k++)
            if (batch->class.students[number].entries[k].state == ENTRY_WAITING)
                forget_entry(batch, &batch->class.students[number].entries[k]);
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

bool find_units(struct batch *batch)
{
    if (!forget(batch))
        return false;
    size_t capacity = 0, kept = 0;
    for (size_t i = 0; i < batch->class.count; i++)
        for (int k = 0; k < batch->course.lab_count; k++)
            if (batch->class.students[i].entries[k].state == ENTRY_WAITING) {
                batch->units = allocate_grown(batch->units, &capacity, batch->unit_count + 1, sizeof *batch->units);
                batch->units[batch->unit_count++] = (struct waiting){i, k};
            }
    if (batch->unit_count > 0)
        qsort_r(batch->units, batch->unit_count, sizeof *batch->units, compare_waiting, batch);
    for (size_t i = 0; i < batch->unit_count; i++) {
        const char *key = work_entry(batch, &batch->units[i])->key;
        if (kept == 0 || strcmp(key, work_entry(batch, &batch->units[kept - 1])->key) != 0)
            batch->units[kept++] = batch->units[i];
    }
    batch->unit_count = kept;
    if (kept > 0)
        qsort(batch->units, kept, sizeof *batch->units, compare_order);
    return true;
}

void find_waiting(struct batch *batch, const bool *wanted)
{
    free(batch->waiting);
    batch->waiting = allocate_zeroed((batch->unit_count + 1) * sizeof *batch->waiting);
    batch->waiting_count = 0;
    memset(batch->lab_milliseconds, 0, sizeof batch->lab_milliseconds);
    memset(batch->lab_gradings, 0, sizeof batch->lab_gradings);
    for (size_t i = 0; i < batch->unit_count; i++) {
        const struct waiting *unit = &batch->units[i];
        if (wanted && !wanted[i])
            continue;
        json_t *known = store_find(&batch->store, work_key(batch, work_entry(batch, unit)));
        if (!known) {
            batch->waiting[batch->waiting_count++] = *unit;
        } else if (unit->lab < WORK_LABS_MAX) {
            batch->lab_milliseconds[unit->lab] += (uint64_t)(1000 * json_number_value(json_object_get(known, "seconds")));
            batch->lab_gradings[unit->lab]++;
        }
        json_decref(known);
    }
}

void find_missing(struct batch *batch)
{
    free(batch->waiting);
    batch->waiting = allocate_zeroed((batch->unit_count + 1) * sizeof *batch->waiting);
    batch->waiting_count = 0;
    for (size_t i = 0; i < batch->unit_count; i++)
        if (!store_has(&batch->store, work_key(batch, work_entry(batch, &batch->units[i]))))
            batch->waiting[batch->waiting_count++] = batch->units[i];
}

/* Is it a grading that a GPU adds to: of kernels that passed every test, in a lab that has points for time? */
bool find_is_timed(const struct lab *lab, const json_t *grading)
{
    const char *state = json_string_value(json_object_get(json_object_get(grading, "lab"), "state"));
    return state && strcmp(state, "pass") == 0 && lab->time.points > 0 && !lab->program;
}

void find_timings(struct batch *batch, const bool *wanted)
{
    batch->timing = true;
    batch->timed_count = 0;
    bool *timed = allocate_zeroed((batch->unit_count + 1) * sizeof *timed);
    for (size_t i = 0; i < batch->unit_count; i++) {
        if (wanted && !wanted[i])
            continue;
        json_t *known = store_find(&batch->store, work_entry(batch, &batch->units[i])->key);
        timed[i] = known && find_is_timed(batch->course.labs[batch->units[i].lab].lab, known);
        batch->timed_count += timed[i];
        json_decref(known);
    }
    find_waiting(batch, timed);
    free(timed);
}
