#include "grader/class/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/class/csv.h"
#include "grader/result/result_json.h"

#define SCHEMA          "lockstep/scores/v1"
#define STATE_BYTES_MAX (256u << 20)
#define HISTORY_HEADING "when,student,lab,before,after,cause,detail\r\n"

/* As in the column `cause`, and for people. */
static const struct {
    const char *word, *what;
} causes[HISTORY_CAUSES] = {
    [HISTORY_FILE] = {"file", "another file"},
    [HISTORY_DUE] = {"due", "now due"},
    [HISTORY_KIT] = {"kit", "another version of the kit"},
    [HISTORY_TESTS] = {"tests", "other inputs"},
    [HISTORY_AGAIN] = {"again", "graded again"},
    [HISTORY_DECISION] = {"decision", "decisions"},
    [HISTORY_TIME] = {"time", "times of submission"},
    [HISTORY_COURSE] = {"course", "the course file"},
};

/* ---- what is kept ------------------------------------------------------------------------------------------------- */

/* Without their lines, which move when another is put above them. */
static json_t *decisions_json(const json_t *decisions)
{
    json_t *list = json_array(), *one;
    size_t i;
    json_array_foreach(decisions, i, one)
    {
        json_t *part = json_copy(one);
        json_object_del(part, "line");
        json_array_append_new(list, part);
    }
    return list;
}

static json_t *number_or_null(bool known, int64_t number)
{
    return known ? json_integer(number) : json_null();
}

static json_t *entry_scores(const struct class_entry *entry)
{
    return json_pack("{s:s,s:s,s:o,s:o,s:o,s:o}", "state", entry_state_name(entry), "file", entry->sha256, "submitted",
                     number_or_null(entry->has_submitted, entry->submitted), "score",
                     number_or_null(entry_has_score(entry), entry->score), "final",
                     number_or_null(entry_has_score(entry), entry->final_score), "decisions",
                     decisions_json(entry->decisions));
}

static json_t *class_scores(const struct class *class)
{
    json_t *students = json_object();
    for (size_t i = 0; i < class->count; i++) {
        const struct student *student = &class->students[i];
        json_t *labs = json_object();
        for (int k = 0; k < class->course->lab_count; k++)
            json_object_set_new(labs, class->course->labs[k].lab->name, entry_scores(&student->entries[k]));
        json_object_set_new(students, student->id,
                            json_pack("{s:o,s:o,s:o}", "percent", result_json_number(student->percent), "decisions",
                                      decisions_json(student->decisions), "labs", labs));
    }
    return students;
}

static json_t *read_last(const struct store *store)
{
    char *path = allocate_format("%s/.lockstep/scores.json", store->folder), ignored[512];
    size_t bytes = 0;
    char *text = files_read(path, STATE_BYTES_MAX, &bytes, ignored, sizeof ignored);
    json_t *last = text ? json_loadb(text, bytes, 0, NULL) : NULL;
    const char *schema = json_string_value(json_object_get(last, "schema"));
    if (last && (!schema || strcmp(schema, SCHEMA) != 0)) {
        json_decref(last);
        last = NULL;
    }
    free(text);
    free(path);
    return last;
}

/* ---- comparing ---------------------------------------------------------------------------------------------------- */

/* A run and the one before it. */
struct comparison {
    const json_t *last, *now; /* whole documents */
    struct history *history;
    const char *when;
    FILE *lines; /* of history.csv that are new */
};

static bool differs(const json_t *left, const json_t *right, const char *key)
{
    return !json_equal(json_object_get(left, key), json_object_get(right, key));
}

static bool is_text(const json_t *object, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value && strcmp(value, text) == 0;
}

/* Why the graded score is another one. */
static enum history_cause cause_of_grade(const struct comparison *run, const json_t *before, const json_t *after)
{
    if (differs(before, after, "file"))
        return HISTORY_FILE;
    if (is_text(before, "state", "not_due"))
        return HISTORY_DUE;
    if (differs(run->last, run->now, "kit"))
        return HISTORY_KIT;
    return differs(run->last, run->now, "tests") ? HISTORY_TESTS : HISTORY_AGAIN;
}

static void find_causes(const struct comparison *run, const json_t *student_before, const json_t *student_after,
                        const json_t *before, const json_t *after, bool found[HISTORY_CAUSES])
{
    bool any = false;
    memset(found, 0, HISTORY_CAUSES * sizeof *found);
    if (differs(before, after, "score"))
        found[cause_of_grade(run, before, after)] = true;
    found[HISTORY_DECISION] = differs(before, after, "decisions") || differs(student_before, student_after, "decisions");
    found[HISTORY_TIME] = differs(before, after, "submitted") && !differs(before, after, "file");
    for (int i = 0; i < HISTORY_CAUSES; i++)
        any |= found[i];
    if (!any)
        found[differs(run->last, run->now, "course") ? HISTORY_COURSE : HISTORY_AGAIN] = true;
}

static bool contains(const json_t *list, const json_t *wanted)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one)
    {
        if (json_equal(one, wanted))
            return true;
    }
    return false;
}

/* Writes "score 80, by Kim: the timer was wrong" for the last decision that is new, "score 80 was withdrawn" for one that is
 * gone. Returns whether there is one. */
static bool write_detail(FILE *file, const json_t *before, const json_t *after)
{
    for (int is_gone = 0; is_gone < 2; is_gone++) {
        const json_t *list = json_object_get(is_gone ? before : after, "decisions");
        const json_t *other = json_object_get(is_gone ? after : before, "decisions");
        for (size_t i = json_array_size(list); i-- > 0;) {
            const json_t *one = json_array_get(list, i);
            const char *value = json_string_value(json_object_get(one, "value"));
            const char *why = json_string_value(json_object_get(one, "why"));
            if (contains(other, one))
                continue;
            fprintf(file, "%s%s%s", json_string_value(json_object_get(one, "what")), value && value[0] != '\0' ? " " : "",
                    value ? value : "");
            if (is_gone)
                fputs(" was withdrawn", file);
            else
                fprintf(file, ", by %s%s%s", json_string_value(json_object_get(one, "by")),
                        why && why[0] != '\0' ? ": " : "", why ? why : "");
            return true;
        }
    }
    return false;
}

static void put_number(FILE *file, const json_t *number)
{
    if (json_is_integer(number))
        fprintf(file, ",%lld", (long long)json_integer_value(number));
    else
        fputc(',', file);
}

static void note_change(struct comparison *run, const char *id, const char *lab, const json_t *student_before,
                        const json_t *student_after, const json_t *before, const json_t *after)
{
    bool found[HISTORY_CAUSES];
    char words[200] = "", *detail = NULL;
    size_t bytes = 0;
    FILE *text = open_memstream(&detail, &bytes);
    find_causes(run, student_before, student_after, before, after, found);
    bool first = true;
    for (int i = 0; i < HISTORY_CAUSES; i++) {
        if (!found[i])
            continue;
        size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s", first ? "" : " and ", causes[i].word);
        run->history->by_cause[i] += first;
        first = false;
    }
    if (found[HISTORY_DECISION] && !write_detail(text, before, after))
        write_detail(text, student_before, student_after);
    fclose(text);
    run->history->changed++;
    csv_put_shown(run->lines, run->when, true);
    csv_put_shown(run->lines, id, false);
    csv_put_shown(run->lines, lab, false);
    put_number(run->lines, json_object_get(before, "final"));
    put_number(run->lines, json_object_get(after, "final"));
    csv_put_shown(run->lines, words, false);
    csv_put_shown(run->lines, detail, false);
    fputs("\r\n", run->lines);
    free(detail);
}

static void compare_student(struct comparison *run, const char *id, const json_t *before, const json_t *after)
{
    const json_t *old_labs = json_object_get(before, "labs");
    const char *lab;
    json_t *entry;
    run->history->percents += differs(before, after, "percent");
    json_object_foreach(json_object_get(after, "labs"), lab, entry)
    {
        const json_t *old = json_object_get(old_labs, lab);
        if (old && differs(old, entry, "final"))
            note_change(run, id, lab, before, after, old, entry);
    }
}

static void compare(struct comparison *run)
{
    const json_t *old_students = json_object_get(run->last, "students"), *students = json_object_get(run->now, "students");
    const char *id;
    json_t *student;
    json_object_foreach((json_t *)students, id, student)
    {
        const json_t *old = json_object_get(old_students, id);
        if (old)
            compare_student(run, id, old, student);
        else
            run->history->new_count++;
    }
    json_object_foreach((json_t *)old_students, id, student)
    {
        run->history->gone += json_object_get(students, id) == NULL;
    }
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

/* Adds the lines to history.csv. What a run that was killed had added already is replaced: `known` bytes are of finished
 * runs. *total: bytes that the file has now. */
static bool append(const struct store *store, const char *lines, size_t bytes, int64_t known, int64_t *total, char *message,
                   size_t message_bytes)
{
    char *path = allocate_format("%s/history.csv", store->folder), *whole = NULL, ignored[512];
    size_t old_bytes = 0, whole_bytes = 0;
    char *old = files_read(path, STATE_BYTES_MAX, &old_bytes, ignored, sizeof ignored);
    bool good = true;
    if (old && (int64_t)old_bytes > known && known > 0)
        old_bytes = (size_t)known;
    *total = known > 0 ? known : 0;
    if (bytes > 0) {
        FILE *text = open_memstream(&whole, &whole_bytes);
        if (old && old_bytes > 0 && known > 0)
            fwrite(old, 1, old_bytes, text);
        else
            fputs(HISTORY_HEADING, text);
        fwrite(lines, 1, bytes, text);
        fclose(text);
        good = files_write(path, whole, whole_bytes, message, message_bytes) != FILES_FAILED;
        *total = (int64_t)whole_bytes;
    }
    free(whole);
    free(old);
    free(path);
    return good;
}

bool history_note(const struct class *class, const struct store *store, const char *hidden, struct history *history,
                  char *message, size_t message_bytes)
{
    memset(history, 0, sizeof *history);
    json_t *last = read_last(store);
    char *tests = allocate_format("%llu %s", (unsigned long long)store->seed, hidden), *lines = NULL;
    size_t bytes = 0;
    json_t *now = json_pack("{s:s,s:s,s:s,s:s,s:s,s:o}", "schema", SCHEMA, "when", store->begun, "kit", store->kit, "tests",
                            tests, "course", class->course->sha256, "students", class_scores(class));
    int64_t total = json_integer_value(json_object_get(last, "history_bytes"));
    FILE *text = open_memstream(&lines, &bytes);
    if (last) {
        struct comparison run = {.last = last, .now = now, .history = history, .when = store->begun, .lines = text};
        const char *when = json_string_value(json_object_get(last, "when"));
        history->has_last = true;
        snprintf(history->last, sizeof history->last, "%s", when ? when : "");
        compare(&run);
    }
    fclose(text);
    bool good = append(store, lines, bytes, total, &total, message, message_bytes);
    json_object_set_new(now, "history_bytes", json_integer(total));
    good = good && store_write_json(store, ".lockstep/scores.json", now, message, message_bytes);
    json_decref(now);
    json_decref(last);
    free(lines);
    free(tests);
    return good;
}

static const char *plural(size_t number)
{
    return number == 1 ? "" : "s";
}

void history_show(FILE *file, const struct history *history)
{
    bool first = true;
    if (!history->has_last)
        return;
    fprintf(file, "\nsince the last run, of %.10s %.5s UTC: ", history->last, history->last + 11);
    if (history->changed > 0) {
        fprintf(file, "%zu score%s changed (", history->changed, plural(history->changed));
        for (int i = 0; i < HISTORY_CAUSES; i++)
            if (history->by_cause[i] > 0) {
                fprintf(file, "%s%zu: %s", first ? "" : "; ", history->by_cause[i], causes[i].what);
                first = false;
            }
        fputc(')', file);
    } else {
        fputs("no score changed", file);
    }
    if (history->new_count > 0)
        fprintf(file, ", %zu new student%s", history->new_count, plural(history->new_count));
    if (history->gone > 0)
        fprintf(file, ", %zu student%s no longer there", history->gone, plural(history->gone));
    if (history->changed == 0 && history->percents > 0)
        fprintf(file, ", but %zu percentage%s did: the weights, or which labs count", history->percents,
                plural(history->percents));
    fputs(".\n", file);
    if (history->changed > 0)
        fputs("history.csv has each of them.\n", file);
}
