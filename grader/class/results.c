#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/class/copies.h"
#include "grader/class/decided.h"
#include "grader/class/hints_used.h"
#include "grader/class/kit_files.h"
#include "grader/class/late.h"
#include "grader/class/outcome.h"
#include "grader/class/similar.h"
#include "grader/class/work.h"
#include "grader/commands/grade.h"
#include "grader/compile/fingerprint.h"
#include "grader/grading/workers.h"
#include "grader/judge/reference.h"
#include "grader/result/result_json.h"

/* The grading of an entry; the caller owns it. NULL: there is none. Where the class is timed, the one with a time if there is
 * one: what fails a test has none. */
static json_t *grading_of(const struct batch *batch, const struct class_entry *entry)
{
    if (batch->options->device == LOCKSTEP_GPU) {
        json_t *untimed = json_object_get(batch->failed, entry->timing_key);
        json_t *timed = untimed ? json_incref(untimed) : store_find(&batch->store, entry->timing_key);
        if (timed)
            return timed;
    }
    json_t *failed = json_object_get(batch->failed, entry->key);
    return failed ? json_incref(failed) : store_find(&batch->store, entry->key);
}

/* Where the kit's own file has fewer, many who never saw it write the same code. */
#define TELLING_PRINTS_MIN 14

/* Says of each whose code is that of one of the kit's files. When more have it than could have copied unseen, it is what the
 * lab leads to. */
static void tell_of_kit(struct batch *batch, int lab, const struct similar_list *similar, const size_t *students,
                        const struct reference_prints *known)
{
    const char **paths = allocate_zeroed((similar->count + 1) * sizeof *paths);
    size_t count = 0;
    for (size_t i = 0; i < similar->count; i++) {
        const struct similar_member *member = &similar->members[i];
        const struct class_entry *entry = &batch->class.students[students[i]].entries[lab];
        if (member->count >= TELLING_PRINTS_MIN && !kit_files_is_solution(batch->course.labs[lab].lab, entry->sha256))
            paths[i] = reference_prints_find(known, member->prints, member->count);
        count += paths[i] != NULL;
    }
    for (size_t i = 0; i < similar->count && count <= similar_limit(similar->count); i++)
        if (paths[i])
            problems_add(
                &batch->class.students[students[i]].problems, PROBLEM_compiles_to_the_solution,
                batch->class.students[students[i]].entries[lab].path,
                "Its compiled code has the fingerprint of %s of the kit: as a rule, only names, numbers or layout differ.",
                paths[i]);
    free(paths);
}

/* Adds the fingerprints of the entry to `similar` where it has any. Returns whether it has. */
static bool take_entry(struct batch *batch, struct student *student, int lab, struct similar_list *similar)
{
    struct class_entry *entry = &student->entries[lab];
    entry->max_score = outcome_max_score(batch->course.labs[lab].lab);
    json_t *grading = entry->state == ENTRY_WAITING ? grading_of(batch, entry) : NULL;
    size_t count = 0;
    if (grading) {
        outcome_take(entry, grading);
        if (batch->untimed > 0 && !json_object_get(grading, "timed") && find_is_timed(batch->course.labs[lab].lab, grading))
            problems_add(
                &student->problems, PROBLEM_not_timed, entry->path, "%s",
                "No shard has timed it yet: the score lacks the points for time. Time the rest, then gather again.");
        uint64_t *prints = fingerprint_read(json_object_get(grading, "fingerprint"), &count);
        if (count > 0 && !entry->shared_from)
            similar_add(similar, student->id, prints, count);
        else
            free(prints);
        if (!entry_is_known(entry))
            problems_add(&student->problems, json_object_get(grading, "lab_fault") ? PROBLEM_lab_failed : PROBLEM_kit_failed,
                         entry->path, "%s", json_string_value(json_object_get(json_object_get(grading, "lab"), "message")));
    } else if (entry->state == ENTRY_WAITING) {
        entry->state = ENTRY_PROBLEM;
        /* It is there, but cannot be read: then it is as if no shard had graded it (find_missing). */
        batch->missing += batch->store.use == STORE_GATHER && store_has(&batch->store, entry->key);
        problems_add(&student->problems, PROBLEM_kit_failed, entry->path, "%s",
                     batch->missing > 0 ? "No shard has graded it yet. Grade the rest, then gather again."
                                        : "Its grading cannot be read. Run the batch again.");
    }
    json_decref(grading);
    return count > 0 && !entry->shared_from;
}

static void take_lab(struct batch *batch, int lab, json_t *duplicates)
{
    struct similar_list similar = {0};
    struct reference_prints known;
    size_t *students = allocate_zeroed((batch->class.count + 1) * sizeof *students); /* of the members of `similar` */
    for (size_t i = 0; i < batch->class.count; i++)
        if (take_entry(batch, &batch->class.students[i], lab, &similar))
            students[similar.count - 1] = i;
    copies_find(&batch->class, lab, duplicates);
    if (similar.count > 1 || (similar.count == 1 && similar.members[0].count >= TELLING_PRINTS_MIN)) {
        json_t *alike = json_array();
        reference_prints_read(batch->course.labs[lab].lab, &known);
        tell_of_kit(batch, lab, &similar, students, &known);
        similar_find(&similar, known.common, known.common_count, batch->course.labs[lab].lab->name, alike);
        copies_join(duplicates, alike);
        reference_prints_clear(&known);
    }
    similar_clear(&similar);
    free(students);
}

json_t *results_take(struct batch *batch)
{
    json_t *duplicates = json_array();
    if (moment_read(batch->store.begun, NULL, &batch->now))
        batch->now = INT64_MAX; /* not a time: everything is due */
    for (int k = 0; k < batch->course.lab_count; k++)
        take_lab(batch, k, duplicates);
    decided_score(&batch->class, &batch->decisions, batch->now);
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
        if (!grading)
            continue;
        json_array_append(labs, json_object_get(grading, "lab"));
        record_hints(batch, entry, batch->course.labs[i].lab, json_object_get(grading, "lab"));
        json_array_append_new(
            files, json_pack("{s:o,s:o}", "path", result_json_text(entry->path), "sha256", result_json_text(entry->sha256)));
        if (!machine && json_is_object(json_object_get(grading, "machine")))
            machine = json_incref(json_object_get(grading, "machine"));
        if (strcmp(entry->when, latest) > 0)
            snprintf(latest, sizeof latest, "%s", entry->when);
        json_decref(grading);
    }
    if (latest[0] != '\0')
        when = latest;
    json_t *document = grade_document(json_pack("{s:o,s:o}", "id", result_json_text(student->id), "files", files), labs,
                                      machine, batch->store.seed, when);
    json_t *decided = outcome_decided_json(student, &batch->course);
    if (decided)
        json_object_set_new(document, "decided", decided);
    char *name = store_student_file(student->id);
    bool good = store_write_json(&batch->store, name, document, batch->message, sizeof batch->message);
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
        qsort(names, count, sizeof *names, compare_names);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char *name = allocate_format("students/%s", entry->d_name);
        size_t length = strlen(name);
        if (length > 5 && strcmp(name + length - 5, ".json") == 0
            && (count == 0 || !bsearch(&name, names, count, sizeof *names, compare_names)))
            unlinkat(dirfd(list), entry->d_name, 0);
        free(name);
    }
    if (list)
        closedir(list);
    free(folder);
}

/* ---- several students at once -------------------------------------------------------------------------------------- */

enum { FEW_STUDENTS = 64, WRITERS_MAX = 8 };

/* Writes the results of every student whose number leaves this remainder. */
static bool write_part(struct batch *batch, size_t part, size_t parts)
{
    bool good = true;
    for (size_t i = part; i < batch->class.count && good; i += parts)
        if (outcome_has_file(&batch->class.students[i], &batch->course))
            good = write_student(batch, &batch->class.students[i]);
    return good;
}

/* The same in a process of its own, which says in message[part] what went wrong. Returns -1 where none can be started. */
static pid_t start_part(struct batch *batch, size_t part, size_t parts, char (*messages)[sizeof batch->message])
{
    pid_t parent = getpid(), child = fork();
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    bool good = getppid() == parent && write_part(batch, part, parts);
    memcpy(messages[part], batch->message, sizeof batch->message);
    _exit(good ? 0 : 1);
}

/* Each student's file is made of what is kept and of nothing that another one's changes, so cores can share them. */
static bool write_parts(struct batch *batch)
{
    size_t parts = batch->class.count < FEW_STUDENTS ? 1 : workers_cores() < WRITERS_MAX ? workers_cores() : WRITERS_MAX;
    char(*messages)[sizeof batch->message] = mmap(NULL, WRITERS_MAX * sizeof *messages, PROT_READ | PROT_WRITE,
                                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t children[WRITERS_MAX];
    if (messages == MAP_FAILED)
        return write_part(batch, 0, 1);
    fflush(NULL);
    for (size_t part = 1; part < parts; part++)
        children[part] = start_part(batch, part, parts, messages);
    bool good = write_part(batch, 0, parts);
    for (size_t part = 1; part < parts; part++) {
        int status = 0;
        if (children[part] < 0) {
            good = good && write_part(batch, part, parts);
            continue;
        }
        while (waitpid(children[part], &status, 0) < 0 && errno == EINTR) {}
        if (status != 0 && good) {
            good = false;
            memcpy(batch->message, messages[part], sizeof batch->message);
            if (batch->message[0] == '\0')
                snprintf(batch->message, sizeof batch->message, "A process that wrote results was killed.");
        }
    }
    munmap(messages, WRITERS_MAX * sizeof *messages);
    return good;
}

static bool write_students(struct batch *batch)
{
    char **names = allocate_zeroed((batch->class.count + 1) * sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < batch->class.count; i++)
        if (outcome_has_file(&batch->class.students[i], &batch->course))
            names[count++] = store_student_file(batch->class.students[i].id);
    bool good = write_parts(batch);
    if (good)
        remove_strangers(batch, names, count);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return good;
}

bool results_write(struct batch *batch, const json_t *document)
{
    return write_students(batch)
           && store_write_json(&batch->store, "class.json", document, batch->message, sizeof batch->message)
           && (!batch->options->json
               || result_json_write(document, batch->options->json, batch->message, sizeof batch->message))
           && (batch->missing + batch->untimed > 0
               || (history_note(&batch->class, &batch->store, batch->hidden.sha256, &batch->history, batch->message,
                                sizeof batch->message)
                   && store_finish(&batch->store, batch->message, sizeof batch->message)));
}
