#include "grader/class/outcome.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/class/moment.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/result/diagnose.h"
#include "grader/result/result_json.h"

static void copy_text(char *target, size_t target_bytes, const json_t *text)
{
    snprintf(target, target_bytes, "%s", json_is_string(text) ? json_string_value(text) : "");
}

void outcome_take(struct class_entry *entry, const json_t *grading)
{
    const json_t *lab = json_object_get(grading, "lab"), *first = json_object_get(lab, "first_test");
    const json_t *test = json_is_integer(first)
                             ? json_array_get(json_object_get(lab, "tests"), (size_t)json_integer_value(first))
                             : NULL;
    const json_t *cause = json_array_get(json_object_get(test, "findings"), 0);
    entry->state = ENTRY_GRADED;
    copy_text(entry->verdict, sizeof entry->verdict, json_object_get(lab, "state"));
    copy_text(entry->cause, sizeof entry->cause, json_object_get(cause, "code"));
    copy_text(entry->pattern, sizeof entry->pattern, json_object_get(cause, "pattern"));
    copy_text(entry->when, sizeof entry->when, json_object_get(grading, "when"));
    entry->score = (int)json_integer_value(json_object_get(lab, "score"));
    entry->max_score = (int)json_integer_value(json_object_get(lab, "max_score"));
}

int outcome_max_score(const struct lab *lab)
{
    return labs_max_score(lab);
}

/* ---- class.json --------------------------------------------------------------------------------------------------- */

static json_t *moment_json(bool known, int64_t moment)
{
    char text[MOMENT_TEXT_BYTES];
    moment_write(moment, text);
    return known ? json_string(text) : json_null();
}

/* Hundredths, as short as they can be written. */
static json_t *hundredths_json(int32_t hundredths)
{
    return hundredths % 100 == 0 ? json_integer(hundredths / 100) : json_real((double)hundredths / 100);
}

json_t *outcome_problems_json(const struct problems *problems)
{
    json_t *list = json_array();
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *problem = &problems->list[i];
        json_array_append_new(list, json_pack("{s:s,s:s?,s:s}", "code", problem_name(problem->code), "file", problem->file,
                                              "message", problem->message));
    }
    return list;
}

/* What is only there where somebody decided something. */
static void add_decided(json_t *object, const struct class_entry *entry)
{
    if (entry->extended != 0)
        json_object_set_new(object, "due", moment_json(true, entry->extended));
    if (entry->shared_from)
        json_object_set_new(object, "handed_in_by", json_string(entry->shared_from));
    if (entry->is_exempt)
        json_object_set_new(object, "exempt", json_true());
    if (entry->is_decided)
        json_object_set_new(object, "decided_score", json_integer(entry->decided_score));
    if (entry->bonus > 0)
        json_object_set_new(object, "bonus", json_integer(entry->bonus));
    if (entry->decisions)
        json_object_set(object, "decisions", entry->decisions);
}

static json_t *entry_json(const struct class_entry *entry, const struct lab *lab)
{
    bool has_grade = entry->state == ENTRY_MISSING
                     || (entry->state == ENTRY_GRADED && strcmp(entry->verdict, "harness_error") != 0);
    json_t *cause = entry->cause[0] == '\0' ? json_null()
                                            : json_pack("{s:s,s:s?,s:s,s:i}", "code", entry->cause, "pattern",
                                                        entry->pattern[0] != '\0' ? entry->pattern : NULL, "title",
                                                        diagnose_title(entry->cause), "stage", diagnose_stage(entry->cause));
    json_t *late = entry->late_seconds <= 0
                       ? json_null()
                       : json_pack("{s:I,s:I,s:o}", "seconds", (json_int_t)entry->late_seconds, "days",
                                   (json_int_t)entry->late_days, "penalty", hundredths_json(entry->penalty));
    if (entry->free_days > 0)
        json_object_set_new(late, "free_days", json_integer(entry->free_days));
    if (entry->is_excused && entry->late_seconds > 0)
        json_object_set_new(late, "excused", json_true());
    json_t *object =
        json_pack("{s:s,s:s,s:o,s:i,s:o,s:o,s:o,s:o,s:b}", "lab", lab->name, "state", entry_state_name(entry), "score",
                  has_grade ? json_integer(entry->score) : json_null(), "max_score", entry->max_score, "first_cause", cause,
                  "submitted", moment_json(entry->has_submitted, entry->submitted), "late", late, "final_score",
                  entry_has_score(entry) ? json_integer(entry->final_score) : json_null(), "dropped", entry->dropped);
    add_decided(object, entry);
    return object;
}

const char *outcome_student_state(const struct student *student, const struct course *course)
{
    bool anything = false;
    for (int i = 0; i < course->lab_count; i++) {
        if (!entry_is_known(&student->entries[i]))
            return "problem";
        anything |= student->entries[i].state == ENTRY_GRADED || student->entries[i].is_decided;
    }
    return anything ? "graded" : "missing";
}

static bool has_one_to_look_at(const struct problems *problems)
{
    for (size_t i = 0; i < problems->count; i++)
        if (problem_weight(problems->list[i].code) == PROBLEM_WEIGHT_LOOK)
            return true;
    return false;
}

bool outcome_needs_a_look(const struct class *class)
{
    for (size_t i = 0; i < class->count; i++)
        if (has_one_to_look_at(&class->students[i].problems)
            || strcmp(outcome_student_state(&class->students[i], class->course), "problem") == 0)
            return true;
    return has_one_to_look_at(&class->problems);
}

bool outcome_is_absent(const struct student *student, const struct course *course)
{
    bool shares = false;
    for (int i = 0; i < course->lab_count; i++)
        shares |= student->entries[i].shared_from != NULL;
    return student->on_roster && student->folder_count == 0 && !shares;
}

bool outcome_has_file(const struct student *student, const struct course *course)
{
    for (int i = 0; i < course->lab_count; i++)
        if (student->entries[i].state == ENTRY_GRADED || student->entries[i].decisions)
            return true;
    return student->decisions != NULL;
}

static json_t *student_json(const struct class *class, const struct student *student)
{
    json_t *labs = json_array();
    int score = 0, max_score = 0;
    bool known = true;
    for (int i = 0; i < class->course->lab_count; i++) {
        const struct class_entry *entry = &student->entries[i];
        json_array_append_new(labs, entry_json(entry, class->course->labs[i].lab));
        if (entry->is_exempt)
            continue;
        known = known && entry_is_known(entry);
        score += entry_has_score(entry) ? entry->final_score : 0;
        max_score += entry->max_score;
    }
    char *file = outcome_has_file(student, class->course) ? store_student_file(student->id) : NULL;
    json_t *object = json_pack("{s:s,s:o,s:s?,s:s,s:o,s:o,s:o,s:i,s:o}", "id", student->id, "name",
                               student->name ? result_json_text(student->name) : json_null(), "file", file, "state",
                               outcome_student_state(student, class->course), "problems",
                               outcome_problems_json(&student->problems), "labs", labs, "score",
                               known ? json_integer(score) : json_null(), "max_score", max_score, "percent",
                               result_json_number(student->percent));
    free(file);
    if (student->email)
        json_object_set_new(object, "email", result_json_text(student->email));
    if (student->late_days_all > 0)
        json_object_set_new(
            object, "late_days",
            json_pack("{s:I,s:I}", "all", (json_int_t)student->late_days_all, "used", (json_int_t)student->late_days_used));
    if (student->decisions)
        json_object_set(object, "decisions", student->decisions);
    return object;
}

/* Adds what the student may read of the decisions: the reason too, unless it is private. */
static void add_words(json_t *list, const json_t *decisions)
{
    size_t i;
    json_t *one;
    json_array_foreach(decisions, i, one)
    {
        const char *words = json_string_value(json_object_get(one, "words"));
        const char *why = json_is_true(json_object_get(one, "private")) ? NULL
                                                                        : json_string_value(json_object_get(one, "why"));
        json_array_append_new(list, json_sprintf("%s%s%s", words ? words : "", why ? " Reason: " : "", why ? why : ""));
    }
}

json_t *outcome_decided_json(const struct student *student, const struct course *course)
{
    json_t *labs = json_array(), *words = json_array();
    int score = 0, max_score = 0;
    bool known = true, any = student->decisions != NULL;
    add_words(words, student->decisions);
    for (int i = 0; i < course->lab_count; i++) {
        const struct class_entry *entry = &student->entries[i];
        json_t *about = json_array();
        any |= entry->decisions != NULL;
        add_words(about, entry->decisions);
        json_array_append_new(labs, json_pack("{s:s,s:o,s:i,s:b,s:o}", "lab", course->labs[i].lab->name, "final_score",
                                              entry_has_score(entry) ? json_integer(entry->final_score) : json_null(),
                                              "max_score", entry->max_score, "exempt", entry->is_exempt, "words", about));
        if (entry->is_exempt)
            continue;
        known = known && entry_is_known(entry);
        score += entry_has_score(entry) ? entry->final_score : 0;
        max_score += entry->max_score;
    }
    json_t *decided = any ? json_pack("{s:o,s:i,s:O,s:O}", "score", known ? json_integer(score) : json_null(), "max_score",
                                      max_score, "words", words, "labs", labs)
                          : NULL;
    json_decref(words);
    json_decref(labs);
    return decided;
}

static json_t *course_json(const struct course *course)
{
    if (!course->file)
        return json_null();
    const char *slash = strrchr(course->file, '/');
    return json_pack("{s:o,s:o,s:s,s:s?}", "title", course->title ? result_json_text(course->title) : json_null(), "file",
                     result_json_text(slash ? slash + 1 : course->file), "sha256", course->sha256, "time_zone",
                     course->time_zone && course->time_zone[0] != '\0' ? course->time_zone : NULL);
}

static json_t *labs_json(const struct course *course)
{
    json_t *labs = json_array();
    for (int i = 0; i < course->lab_count; i++) {
        const struct course_lab *row = &course->labs[i];
        json_array_append_new(labs,
                              json_pack("{s:s,s:s,s:o,s:o,s:i}", "lab", row->lab->name, "title", row->lab->title, "weight",
                                        hundredths_json(row->weight), "due", moment_json(row->has_due, row->due),
                                        "max_score", outcome_max_score(row->lab)));
    }
    return labs;
}

json_t *outcome_class_json(const struct class *class, const struct store *store, bool hidden_tests, json_t *duplicates)
{
    json_t *students = json_array(), *missing = json_array(), *unknown = json_array();
    for (size_t i = 0; i < class->count; i++) {
        const struct student *student = &class->students[i];
        json_array_append_new(students, student_json(class, student));
        if (outcome_is_absent(student, class->course))
            json_array_append_new(missing, json_string(student->id));
        if (class->has_roster && !student->on_roster)
            json_array_append_new(unknown, json_string(student->id));
    }
    return json_pack("{s:s,s:{s:s,s:o},s:s,s:o,s:I,s:b,s:o,s:o,s:o,s:o,s:O,s:o}", "schema", "lockstep/class/v1", "kit",
                     "version", KIT_VERSION, "git", result_json_text(kit_git()), "when", store->begun, "course",
                     course_json(class->course), "seed", (json_int_t)store->seed, "hidden_tests", hidden_tests, "labs",
                     labs_json(class->course), "students", students, "missing", missing, "unknown", unknown, "duplicates",
                     duplicates, "problems", outcome_problems_json(&class->problems));
}
