#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/class/hints_used.h"
#include "grader/class/late.h"
#include "grader/class/outcome.h"
#include "grader/class/similar.h"
#include "grader/class/work.h"
#include "grader/commands/grade.h"
#include "grader/compile/fingerprint.h"
#include "grader/judge/reference.h"
#include "grader/options/commands.h"
#include "grader/result/result_json.h"

/* The grading of an entry; the caller owns it. NULL: there is none. */
static json_t *grading_of(const struct batch *batch, const struct class_entry *entry)
{
    json_t *failed = json_object_get(batch->failed, entry->key);
    return failed ? json_incref(failed) : store_find(&batch->store, entry->key);
}

static void take_entry(struct batch *batch, struct student *student, int lab, struct similar_list *similar)
{
    struct class_entry *entry = &student->entries[lab];
    entry->max_score = outcome_max_score(batch->course.labs[lab].lab);
    json_t *grading = entry->state == ENTRY_WAITING ? grading_of(batch, entry) : NULL;
    if (grading) {
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

json_t *results_take(struct batch *batch)
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

static bool write_students(struct batch *batch)
{
    char **names = allocate_zeroed((batch->class.count + 1) * sizeof *names);
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

bool results_write(struct batch *batch, const json_t *document)
{
    return write_students(batch)
           && store_write_json(&batch->store, "class.json", document, batch->message, sizeof batch->message)
           && (!batch->options->json
               || result_json_write(document, batch->options->json, batch->message, sizeof batch->message))
           && store_finish(&batch->store, batch->message, sizeof batch->message);
}

/* ---- what is made of class.json: the gradebook and the pages ------------------------------------------------------- */

static bool convert(const struct batch *batch, const char *format, const char *what, const char *target)
{
    char *source = allocate_format("%s/class.json", batch->store.folder);
    char *words[] = {(char *)format, source, "--from-batch", "--out", (char *)target};
    struct options options = {.arguments = words, .argument_count = sizeof words / sizeof *words};
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        dup2(STDERR_FILENO, STDOUT_FILENO); /* what it says is not part of the class */
        _exit(export_run(&options));
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    bool good = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good)
        fprintf(stderr, "lockstep: %s made; class.json is complete. `lockstep export %s %s --out %s` tries again.\n", what,
                format, source, target);
    free(source);
    return good;
}

bool results_write_gradebook(const struct batch *batch)
{
    char *target = allocate_format("%s/gradebook.csv", batch->store.folder);
    unlink(target); /* an older one would pass for this one */
    bool good = convert(batch, "csv", "no gradebook was", target);
    if (good)
        fprintf(batch->out, "\ngradebook  %s\n", target);
    free(target);
    return good;
}

void results_write_pages(const struct batch *batch)
{
    char *target = allocate_format("%s/report", batch->store.folder);
    if (convert(batch, "html", "no pages were", target))
        fprintf(batch->out, "pages      %s/index.html\n", target);
    free(target);
}
