#include "grader/batch/batch.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "grader/allocate.h"
#include "grader/batch/hints_used.h"
#include "grader/batch/late.h"
#include "grader/batch/outcome.h"
#include "grader/batch/roster.h"
#include "grader/batch/scan.h"
#include "grader/batch/show.h"
#include "grader/batch/similar.h"
#include "grader/batch/store.h"
#include "grader/compile_server.h"
#include "grader/fingerprint.h"
#include "grader/grade.h"
#include "grader/hidden.h"
#include "grader/kit.h"
#include "grader/paint.h"
#include "grader/record.h"
#include "grader/reference.h"
#include "grader/result_json.h"
#include "grader/workers.h"
#include "runtime/printable.h"

/* A file that has to be graded; others with the same key get the same grading. */
struct waiting {
    size_t student;
    int lab;
};

struct batch {
    const struct options *options;
    FILE *out;                      /* for people */
    bool colour;
    struct course course;
    struct class class;
    struct store store;
    struct hidden_seed hidden;
    struct names *ids;
    struct waiting *waiting;        /* owned, [waiting_count], each key once */
    size_t waiting_count, next;
    json_t *failed;                 /* by key: gradings in which the kit failed; not kept */
    struct show_progress progress;
    char message[1024];             /* why the batch stops; "" while it goes on */
    double seconds;                 /* of the gradings of this run */
};

static enum exit_status give_up(const char *message, enum exit_status status)
{
    fprintf(stderr, "lockstep: %s\n", message);
    return status;
}

/* ---- who, and what ------------------------------------------------------------------------------------------------ */

static struct class_entry *entry_of(struct batch *batch, const struct waiting *waiting)
{
    return &batch->class.students[waiting->student].entries[waiting->lab];
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* More than a day ahead of this machine's clock is no time of submission. */
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
            if (entry->path == NULL)
                continue;
            bool found = find_time(batch, times, i, k, entry, &submitted);
            if (found && is_possible(submitted)) {
                entry->has_submitted = true;
                entry->submitted = submitted;
            } else if (found) {
                char text[MOMENT_TEXT_BYTES];
                moment_write(submitted, text);
                problems_add(&student->problems, PROBLEM_time_impossible, entry->path,
                             "Submitted at %s? That is more than a day ahead of this machine's clock, or before 2000. "
                             "No penalty "
                             "was taken.", text);
            } else if (batch->course.labs[k].has_due && batch->course.percent_per_day > 0) {
                problems_add(&student->problems, PROBLEM_time_missing, entry->path,
                             "No time of submission is known, so no penalty was taken.");
            }
        }
}

/* timestamps.csv of the course file, else the one beside the students' folders. */
static char *find_timestamps(const struct batch *batch)
{
    if (batch->course.timestamps != NULL)
        return allocate_text(batch->course.timestamps, strlen(batch->course.timestamps));
    char *path = allocate_format("%s/timestamps.csv", batch->class.submissions);
    struct stat facts;
    if (lstat(path, &facts) == 0 && S_ISREG(facts.st_mode))
        return path;
    free(path);
    return NULL;
}

/* Everybody, every file, every time. */
static bool find_class(struct batch *batch)
{
    struct names *folders;
    struct roster_times times = {0};
    char *message = batch->message;
    if (!roster_read(&batch->class, &folders, message, sizeof(batch->message)))
        return false;
    bool good = scan_class(&batch->class, folders, batch->store.descriptor, &batch->ids, message, sizeof(batch->message));
    char *timestamps = find_timestamps(batch);
    good = good && roster_times_read(&batch->class, batch->ids, timestamps, &times, message, sizeof(batch->message));
    if (good)
        set_times(batch, &times);
    roster_times_clear(&times);
    free(timestamps);
    if (folders != NULL)
        names_destroy(folders);
    if (good && batch->class.count == 0) {
        snprintf(message, sizeof(batch->message), "%.300s: no student's folder is in it. One folder a student is expected.",
                 batch->class.submissions);
        good = false;
    }
    return good;
}

/* ---- what is graded already --------------------------------------------------------------------------------------- */

static void set_key(struct batch *batch, struct class_entry *entry, const struct lab *lab)
{
    /* What is too large to be read is not the same as anything else. */
    char *unread = entry->sha256[0] == '\0' ? allocate_format("%s %lld", entry->path, (long long)entry->mtime) : NULL;
    store_key(&batch->store, lab, last_part(entry->path), unread != NULL ? unread : entry->sha256, batch->hidden.sha256,
              entry->key);
    free(unread);
}

/* Forgets what --regrade names. Returns false when somebody is unknown. */
static bool forget(struct batch *batch)
{
    for (int i = 0; i < batch->options->regrade_count; i++) {
        size_t number = names_find(batch->ids, batch->options->regrade[i]);
        for (size_t k = 0; k < batch->class.count && number == NAMES_NONE; k++)
            for (size_t f = 0; f < batch->class.students[k].folder_count; f++)
                if (strcmp(batch->class.students[k].folders[f], batch->options->regrade[i]) == 0)
                    number = k;
        if (number == NAMES_NONE) {
            snprintf(batch->message, sizeof(batch->message), "--regrade %.300s: there is no such student.",
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
    int order = strcmp(entry_of(batch, a)->key, entry_of(batch, b)->key);
    if (order != 0)
        return order;
    return a->student != b->student ? (a->student < b->student ? -1 : 1) : a->lab - b->lab;
}

static int compare_order(const void *left, const void *right)
{
    const struct waiting *a = left, *b = right;
    return a->student != b->student ? (a->student < b->student ? -1 : 1) : a->lab - b->lab;
}

/* Lists the gradings that are not kept yet, each once, in the order of the class. */
static void list_waiting(struct batch *batch)
{
    size_t capacity = 0, kept = 0;
    for (size_t i = 0; i < batch->class.count; i++)
        for (int k = 0; k < batch->course.lab_count; k++)
            if (batch->class.students[i].entries[k].state == ENTRY_WAITING) {
                batch->waiting = allocate_grown(batch->waiting, &capacity, batch->waiting_count + 1,
                                                sizeof(*batch->waiting));
                batch->waiting[batch->waiting_count++] = (struct waiting){i, k};
            }
    if (batch->waiting_count > 0)
        qsort_r(batch->waiting, batch->waiting_count, sizeof(*batch->waiting), compare_waiting, batch);
    for (size_t i = 0; i < batch->waiting_count; i++) {
        const char *key = entry_of(batch, &batch->waiting[i])->key;
        bool again = i > 0 && strcmp(key, entry_of(batch, &batch->waiting[i - 1])->key) == 0;
        json_t *known = again ? NULL : store_find(&batch->store, key);
        if (!again && known == NULL)
            batch->waiting[kept++] = batch->waiting[i];
        json_decref(known);
    }
    batch->waiting_count = kept;
    if (kept > 0)
        qsort(batch->waiting, kept, sizeof(*batch->waiting), compare_order);
}

/* ---- grading ------------------------------------------------------------------------------------------------------ */

static bool next_job(void *context, struct job *job, size_t *number)
{
    struct batch *batch = context;
    while (batch->next < batch->waiting_count) {
        *number = batch->next++;
        const struct waiting *waiting = &batch->waiting[*number];
        struct student *student = &batch->class.students[waiting->student];
        struct class_entry *entry = &student->entries[waiting->lab];
        scan_read(&batch->class, entry, &job->submission);
        if (job->submission.status != SUBMISSION_UNREADABLE && strcmp(job->submission.sha256, entry->sha256) == 0) {
            job->lab = batch->course.labs[waiting->lab].lab;
            return true;
        }
        problems_add(&student->problems, PROBLEM_unreadable, entry->path, "%s",
                     job->submission.status == SUBMISSION_UNREADABLE
                     ? job->submission.message : "It changed while the batch ran. Run the batch again.");
        entry->state = ENTRY_PROBLEM;
        submission_clear(&job->submission);
        show_done(&batch->progress);
    }
    return false;
}

static bool is_harness_error(const json_t *answer)
{
    const char *state = json_string_value(json_object_get(json_object_get(answer, "lab"), "state"));
    return state == NULL || strcmp(state, "harness_error") == 0;
}

static bool take_answer(void *context, size_t number, const struct job *job, const json_t *answer)
{
    struct batch *batch = context;
    const struct class_entry *entry = entry_of(batch, &batch->waiting[number]);
    json_t *grading = json_pack("{s:O,s:O,s:s,s:O?,s:O?}", "lab", json_object_get(answer, "lab"), "machine",
                                json_object_get(answer, "machine"), "when", batch->store.begun, "seconds",
                                json_object_get(answer, "seconds"), "fingerprint", json_object_get(answer, "fingerprint"));
    bool good = grading != NULL;
    (void)job;
    batch->seconds += json_number_value(json_object_get(answer, "seconds"));
    if (good && is_harness_error(answer))
        json_object_set(batch->failed, entry->key, grading);
    else
        good = good && store_keep(&batch->store, entry->key, grading, batch->message, sizeof(batch->message));
    json_decref(grading);
    show_done(&batch->progress);
    return good;
}

static void grade(struct batch *batch)
{
    size_t cores = batch->options->job_count > 0 ? (size_t)batch->options->job_count : workers_cores();
    struct workers_input input = {.seed = batch->store.seed, .hidden_key = batch->hidden.key, .fingerprints = true};
    int64_t start = record_now_ms();
    for (int k = 0; k < batch->course.lab_count; k++) {
        bool wanted = false;
        for (size_t i = 0; i < batch->waiting_count && !wanted; i++)
            wanted = batch->waiting[i].lab == k;
        if (wanted)
            reference_prepare(batch->course.labs[k].lab);
    }
    show_begin(&batch->progress, stderr, batch->waiting_count);
    workers_stream(&input, cores, next_job, take_answer, batch);
    show_end(&batch->progress);
    if (batch->message[0] != '\0' || batch->waiting_count == 0)
        return;
    double seconds = (double)(record_now_ms() - start) / 1000;
    fprintf(batch->out, "%zu gradings in %.1f s: %.1f a second with %zu at once\n\n", batch->waiting_count, seconds,
            seconds > 0 ? (double)batch->waiting_count / seconds : 0, cores);
    json_t *throughput = json_pack("{s:f,s:I,s:I}", "seconds", seconds, "gradings", (json_int_t)batch->waiting_count,
                                   "cores",
                                   (json_int_t)cores);
    store_write_json(&batch->store, ".lockstep/throughput.json", throughput, batch->message, sizeof(batch->message));
    json_decref(throughput);
}

/* ---- results ------------------------------------------------------------------------------------------------------ */

/* The grading of an entry; the caller owns it. NULL: there is none. */
static json_t *grading_of(const struct batch *batch, const struct class_entry *entry)
{
    json_t *failed = json_object_get(batch->failed, entry->key);
    return failed != NULL ? json_incref(failed) : store_find(&batch->store, entry->key);
}

static void take_entry(struct batch *batch, struct student *student, int lab, struct similar_list *similar)
{
    struct class_entry *entry = &student->entries[lab];
    entry->max_score = outcome_max_score(batch->course.labs[lab].lab);
    json_t *grading = entry->state == ENTRY_WAITING ? grading_of(batch, entry) : NULL;
    if (grading != NULL) {
        size_t count;
        outcome_take(entry, grading);
        uint64_t *prints = fingerprint_read(json_object_get(grading, "fingerprint"), &count);
        if (count > 0)
            similar_add(similar, student->id, prints, count);
        else
            free(prints);
        if (!entry_is_known(entry))
            problems_add(&student->problems, PROBLEM_kit_failed, entry->path, "%s",
                         json_string_value(json_object_get(json_object_get(grading, "lab"), "message")));
    } else if (entry->state == ENTRY_WAITING) {
        entry->state = ENTRY_PROBLEM;
        problems_add(&student->problems, PROBLEM_kit_failed, entry->path,
                     "Its grading cannot be read. Run the batch again.");
    }
    late_judge(&batch->course, lab, entry);
    json_decref(grading);
}

static json_t *take_all(struct batch *batch)
{
    json_t *duplicates = json_array();
    for (int k = 0; k < batch->course.lab_count; k++) {
        struct similar_list similar = {0};
        for (size_t i = 0; i < batch->class.count; i++)
            take_entry(batch, &batch->class.students[i], k, &similar);
        const char *name = batch->course.labs[k].lab->name;
        if (similar.count > 1) {
            reference_fingerprints(batch->course.labs[k].lab, &similar.common, &similar.common_count);
            similar_find(&similar, name, duplicates);
        }
        similar_clear(&similar);
    }
    for (size_t i = 0; i < batch->class.count; i++)
        late_count(&batch->course, &batch->class.students[i]);
    return duplicates;
}

/* The same grading may be several students': each has a copy of their own here. */
static void record_hints(const struct batch *batch, const struct class_entry *entry, const struct lab *lab, json_t *result)
{
    int used = batch->course.record_hints ? hints_used_find(batch->class.submissions, entry->path, lab) : -1;
    if (used >= 0)
        json_object_set_new(result, "hints_used", json_integer(used));
}

static bool write_student(struct batch *batch, const struct student *student)
{
    json_t *labs = json_array(), *files = json_array(), *machine = NULL;
    const char *when = batch->store.begun;
    char latest[32] = "";
    for (int i = 0; i < batch->course.lab_count; i++) {
        const struct class_entry *entry = &student->entries[i];
        json_t *grading = entry->state == ENTRY_GRADED ? grading_of(batch, entry) : NULL;
        if (grading == NULL)
            continue;
        json_array_append(labs, json_object_get(grading, "lab"));
        record_hints(batch, entry, batch->course.labs[i].lab, json_object_get(grading, "lab"));
        json_array_append_new(files, json_pack("{s:o,s:o}", "path", result_json_text(entry->path), "sha256",
                                               result_json_text(entry->sha256)));
        if (machine == NULL && json_is_object(json_object_get(grading, "machine")))
            machine = json_incref(json_object_get(grading, "machine"));
        if (strcmp(entry->when, latest) > 0)
            snprintf(latest, sizeof(latest), "%s", entry->when);
        json_decref(grading);
    }
    if (latest[0] != '\0')
        when = latest;
    json_t *document = grade_document(json_pack("{s:o,s:o}", "id", result_json_text(student->id), "files", files), labs,
                                      machine,
                                      batch->store.seed, when);
    char *name = store_student_file(student->id);
    bool good = store_write_json(&batch->store, name, document, batch->message, sizeof(batch->message));
    free(name);
    json_decref(document);
    json_decref(machine);
    json_decref(labs);
    return good;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Removes results of students who are no longer there. */
static void remove_strangers(const struct batch *batch, char **names, size_t count)
{
    char *folder = allocate_format("%s/students", batch->store.folder);
    DIR *list = opendir(folder);
    if (count > 0)
        qsort(names, count, sizeof(*names), compare_names);
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        char *name = allocate_format("students/%s", entry->d_name);
        size_t length = strlen(name);
        if (length > 5 && strcmp(name + length - 5, ".json") == 0 &&
            (count == 0 || bsearch(&name, names, count, sizeof(*names), compare_names) == NULL))
            unlinkat(dirfd(list), entry->d_name, 0);
        free(name);
    }
    if (list != NULL)
        closedir(list);
    free(folder);
}

static bool write_students(struct batch *batch)
{
    char **names = allocate_zeroed((batch->class.count + 1) * sizeof(*names));
    size_t count = 0;
    bool good = true;
    for (size_t i = 0; i < batch->class.count && good; i++)
        if (outcome_has_file(&batch->class.students[i], &batch->course)) {
            names[count++] = store_student_file(batch->class.students[i].id);
            good = write_student(batch, &batch->class.students[i]);
        }
    if (good)
        remove_strangers(batch, names, count);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return good;
}

static bool write_results(struct batch *batch, const json_t *document)
{
    size_t bytes;
    char *gradebook = outcome_gradebook(&batch->class, &bytes);
    bool good = write_students(batch) &&
                store_write(&batch->store, "gradebook.csv", gradebook, bytes, batch->message, sizeof(batch->message)) &&
                store_write_json(&batch->store, "class.json", document, batch->message, sizeof(batch->message)) &&
                (batch->options->json == NULL ||
                 result_json_write(document, batch->options->json, batch->message, sizeof(batch->message))) &&
                store_finish(&batch->store, batch->message, sizeof(batch->message));
    free(gradebook);
    return good;
}

static enum exit_status judge_class(const struct batch *batch)
{
    enum exit_status status = EXIT_STATUS_FULL_SCORE;
    for (size_t i = 0; i < batch->class.count; i++)
        if (strcmp(outcome_student_state(&batch->class.students[i], &batch->course), "problem") == 0)
            status = EXIT_STATUS_SUBMISSION;
    return json_object_size(batch->failed) > 0 ? EXIT_STATUS_HARNESS : status;
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

static enum exit_status stop(struct batch *batch)
{
    fprintf(stderr, "lockstep: %s\nWhat is graded is kept in %s: mend it and run the same command again.\n", batch->message,
            batch->store.folder);
    return EXIT_STATUS_HARNESS;
}

static enum exit_status finish(struct batch *batch)
{
    class_sort(&batch->class);
    json_t *duplicates = take_all(batch);
    json_t *document = outcome_class_json(&batch->class, &batch->store, batch->hidden.key != NULL, duplicates);
    enum exit_status status = judge_class(batch);
    if (!write_results(batch, document)) {
        status = stop(batch);
    } else {
        show_class(batch->out, &batch->class, duplicates, batch->colour);
        fprintf(batch->out, "\ngradebook  %s/gradebook.csv\nclass      %s/class.json, students/*.json\n",
                batch->store.folder,
                batch->store.folder);
    }
    json_decref(document);
    json_decref(duplicates);
    return status;
}

/* Reads what the options name. Returns EXIT_STATUS_FULL_SCORE when all is there. */
static enum exit_status prepare(struct batch *batch)
{
    const struct options *options = batch->options;
    if (kit_root()[0] == '\0')
        return give_up("the kit's folders labs/ and solutions/ are not above this program. Build it inside the kit.",
                       EXIT_STATUS_HARNESS);
    if (options->course == NULL)
        course_init(&batch->course);
    else if (course_read(options->course, &batch->course, stderr) > 0)
        return give_up("the course file is not used; nothing was graded.", EXIT_STATUS_USAGE);
    class_init(&batch->class, &batch->course, options->arguments[0]);
    struct stat facts;
    bool found = stat(batch->class.submissions, &facts) == 0;
    if (!found || !S_ISDIR(facts.st_mode)) {
        snprintf(batch->message, sizeof(batch->message), "%.300s: %s", batch->class.submissions,
                 found ? "it is no folder" : strerror(errno));
        return give_up(batch->message, EXIT_STATUS_USAGE);
    }
    if (!hidden_seed_find(options->hidden_seed_file, batch->course.hidden_seed_file, &batch->hidden, batch->message,
                          sizeof(batch->message)))
        return give_up(batch->message, EXIT_STATUS_USAGE);
    /* A class is not graded without the hidden tests that were asked for. */
    const char *refusal = hidden_seed_refuse(&batch->hidden);
    if (refusal != NULL) {
        snprintf(batch->message, sizeof(batch->message), "%s Or leave the hidden seed out.", refusal);
        return give_up(batch->message, EXIT_STATUS_USAGE);
    }
    compile_server_start();   /* before the first submission is read: its children then have none in their memory */
    if (compile_server_version() == 0)
        return give_up("NVRTC, the compiler, is not there: `lockstep doctor` says how to get it. Nothing was graded.",
                       EXIT_STATUS_HARNESS);
    if (!store_open(options->out, options->has_seed ? &options->seed : NULL, &batch->store, batch->message,
                    sizeof(batch->message)))
        return give_up(batch->message, EXIT_STATUS_HARNESS);
    return EXIT_STATUS_FULL_SCORE;
}

static enum exit_status run(struct batch *batch)
{
    enum exit_status status = prepare(batch);
    if (status != EXIT_STATUS_FULL_SCORE)
        return status;
    if (!find_class(batch))
        return give_up(batch->message, EXIT_STATUS_USAGE);
    for (size_t i = 0; i < batch->class.count; i++)
        for (int k = 0; k < batch->course.lab_count; k++)
            if (batch->class.students[i].entries[k].state == ENTRY_WAITING)
                set_key(batch, &batch->class.students[i].entries[k], batch->course.labs[k].lab);
    if (!forget(batch))
        return give_up(batch->message, EXIT_STATUS_USAGE);
    list_waiting(batch);
    fprintf(batch->out, "%zu students, %d labs, seed %llu%s\n", batch->class.count, batch->course.lab_count,
            (unsigned long long)batch->store.seed, batch->store.resumed ? "; going on where the last run was stopped" : "");
    fflush(batch->out);
    grade(batch);
    return batch->message[0] != '\0' ? stop(batch) : finish(batch);
}

enum exit_status batch_run(const struct options *options)
{
    struct batch *batch = allocate_zeroed(sizeof(*batch));
    batch->options = options;
    batch->out = options->json != NULL && strcmp(options->json, "-") == 0 ? stderr : stdout;
    batch->colour = paint_wanted(batch->out);
    batch->failed = json_object();
    batch->store.lock = batch->store.descriptor = -1;
    enum exit_status status = run(batch);
    compile_server_stop();
    if (batch->ids != NULL)
        names_destroy(batch->ids);
    free(batch->waiting);
    json_decref(batch->failed);
    if (batch->class.course != NULL)
        class_clear(&batch->class);
    store_close(&batch->store);
    hidden_seed_clear(&batch->hidden);
    course_clear(&batch->course);
    free(batch);
    return status;
}
