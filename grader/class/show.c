#include "grader/class/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/base/record.h"
#include "grader/class/outcome.h"
#include "grader/result/diagnose.h"

/* More students than this are not listed one by one. */
#define LISTED_MAX      60
#define PROBLEMS_LISTED 40

/* Without a terminal: a line at most this often. */
#define LINE_MS   30000
#define REDRAW_MS 200

/* ---- progress ----------------------------------------------------------------------------------------------------- */

static void write_duration(char *text, size_t bytes, int64_t seconds)
{
    if (seconds < 60)
        snprintf(text, bytes, "%lld s", (long long)seconds);
    else if (seconds < 3600)
        snprintf(text, bytes, "%lld min %02lld s", (long long)seconds / 60, (long long)seconds % 60);
    else
        snprintf(text, bytes, "%lld h %02lld min", (long long)seconds / 3600, (long long)seconds / 60 % 60);
}

static void draw(struct show_progress *progress)
{
    char left[64] = "", bar[32] = "";
    int64_t elapsed = record_now_ms() - progress->started_ms;
    if (progress->done > 0)
        write_duration(
            left, sizeof left,
            (int64_t)((double)elapsed / (double)progress->done * (double)(progress->total - progress->done) / 1000 + 0.5));
    int percent = (int)(progress->total > 0 ? progress->done * 100 / progress->total : 100);
    if (!progress->terminal) {
        bool more = progress->done > 0 && progress->done < progress->total;
        fprintf(progress->file, "graded %zu of %zu (%d %%)%s%s%s%s%s\n", progress->done, progress->total, percent,
                more ? ", " : "", more ? left : "", more ? " left" : "", progress->note[0] != '\0' ? "; " : "",
                progress->note);
        fflush(progress->file);
        return;
    }
    if (paint_width() >= 60)
        for (int i = 0; i < 20; i++)
            bar[i] = i < percent / 5 ? '#' : '.';
    fprintf(progress->file, "\r\033[K%s%s%3d %%  %zu/%zu%s%s%s%s%s", bar, bar[0] != '\0' ? " " : "", percent, progress->done,
            progress->total, left[0] != '\0' ? "  " : "", left, left[0] != '\0' ? " left" : "",
            progress->note[0] != '\0' ? "  " : "", progress->note);
    fflush(progress->file);
}

void show_begin(struct show_progress *progress, FILE *file, size_t total)
{
    *progress = (struct show_progress){.file = file, .terminal = isatty(fileno(file)), .total = total};
    progress->started_ms = progress->last_ms = record_now_ms();
    if (progress->terminal && total > 0)
        draw(progress);
}

void show_at(struct show_progress *progress, size_t done)
{
    int64_t now = record_now_ms();
    progress->done = done < progress->total ? done : progress->total;
    if (now - progress->last_ms < (progress->terminal ? REDRAW_MS : LINE_MS))
        return;
    progress->last_ms = now;
    draw(progress);
}

void show_done(struct show_progress *progress)
{
    int64_t now = record_now_ms();
    progress->done++;
    if (now - progress->last_ms < (progress->terminal ? REDRAW_MS : LINE_MS) && progress->done < progress->total)
        return;
    progress->last_ms = now;
    draw(progress);
}

void show_end(struct show_progress *progress)
{
    if (progress->terminal && progress->total > 0)
        fputs("\r\033[K", progress->file);
}

/* ---- the class ---------------------------------------------------------------------------------------------------- */

static int id_width(const struct class *class)
{
    int room = paint_width() - 9 - 5 * class->course->lab_count, widest = 7;
    for (size_t i = 0; i < class->count; i++)
        if (paint_columns(class->students[i].id) > widest)
            widest = paint_columns(class->students[i].id);
    return widest < room ? widest : room > 7 ? room : 7;
}

/* The text in `width` columns; of a longer one the end, because ids differ there. */
static void print_cell(FILE *file, const char *text, int width)
{
    int columns = paint_columns(text);
    bool cut = columns > width;
    while (*text != '\0' && paint_columns(text) > width - cut) {
        text++;
        while ((*text & 0xc0) == 0x80)
            text++;
    }
    fprintf(file, "%s%s%*s", cut ? "~" : "", text, width - cut - paint_columns(text), "");
}

static void print_score(FILE *file, const struct class_entry *entry, bool colour)
{
    char text[16];
    enum paint style = PAINT_PLAIN;
    bool decided = entry->is_decided || entry->bonus > 0;
    if (entry->is_exempt) {
        snprintf(text, sizeof text, "x");
        style = PAINT_DIM;
    } else if (entry->state == ENTRY_NOT_DUE && !decided) {
        text[0] = '\0';
    } else if (entry->state == ENTRY_MISSING && !decided) {
        snprintf(text, sizeof text, "-");
        style = PAINT_DIM;
    } else if (!entry_is_known(entry)) {
        snprintf(text, sizeof text, "?");
        style = PAINT_YELLOW;
    } else {
        snprintf(text, sizeof text, "%d%s%s", entry->final_score, decided ? "=" : "", entry->penalty > 0 ? "*" : "");
        style = entry->score >= entry->max_score ? PAINT_GREEN : PAINT_PLAIN;
    }
    fprintf(file, "%*s%s%s%s", 5 - (int)strlen(text), "", paint_on(colour, style), text, paint_off(colour));
}

static void print_student(FILE *file, const struct class *class, const struct student *student, int width, bool colour)
{
    print_cell(file, student->id, width);
    for (int i = 0; i < class->course->lab_count; i++)
        print_score(file, &student->entries[i], colour);
    if (isnan(student->percent))
        fprintf(file, "%9s", strcmp(outcome_student_state(student, class->course), "problem") == 0 ? "?" : "");
    else
        fprintf(file, "%7.1f %%", student->percent);
    int room = paint_width() - width - 5 * class->course->lab_count - 9 - 2;
    char *name = class_printable(student->name ? student->name : "");
    if (name[0] != '\0' && paint_columns(name) <= room)
        fprintf(file, "  %s%s%s", paint_on(colour, PAINT_DIM), name, paint_off(colour));
    free(name);
    fputc('\n', file);
}

static void print_students(FILE *file, const struct class *class, bool colour)
{
    int width = id_width(class);
    bool all = class->count <= LISTED_MAX, late = false, waits = false, decided = false, exempt = false;
    size_t listed = 0;
    fprintf(file, "%s%-*s", paint_on(colour, PAINT_BOLD), width, "student");
    for (int i = 0; i < class->course->lab_count; i++) {
        const struct lab *lab = class->course->labs[i].lab;
        char head[8];
        if (lab->number > 0)
            snprintf(head, sizeof head, "%d", lab->number % 1000);
        else
            snprintf(head, sizeof head, "%.4s", lab->name);
        fprintf(file, "%5s", head);
    }
    fprintf(file, "%9s%s\n", "course", paint_off(colour));
    for (size_t i = 0; i < class->count; i++) {
        const struct student *student = &class->students[i];
        bool odd = strcmp(outcome_student_state(student, class->course), "problem") == 0;
        if (!all && (!odd || listed >= LISTED_MAX))
            continue;
        print_student(file, class, student, width, colour);
        listed++;
        for (int k = 0; k < class->course->lab_count; k++) {
            late |= student->entries[k].penalty > 0;
            decided |= student->entries[k].is_decided || student->entries[k].bonus > 0;
            exempt |= student->entries[k].is_exempt;
        }
    }
    for (size_t i = 0; i < class->count; i++)
        for (int k = 0; k < class->course->lab_count; k++)
            waits |= class->students[i].entries[k].state == ENTRY_NOT_DUE;
    if (!all)
        fprintf(file, "%s(%zu students; only those that a person must look at are listed)%s\n", paint_on(colour, PAINT_DIM),
                class->count, paint_off(colour));
    fprintf(file, "%s- nothing handed in   ? unknown, see below%s%s%s%s%s\n", paint_on(colour, PAINT_DIM),
            late ? "   * less a late penalty" : "", decided ? "   = decided by a person" : "", exempt ? "   x exempt" : "",
            waits ? "   blank: not due yet" : "", paint_off(colour));
}

/* The commonest first cause of a lab; "" when no student failed. Of equally common ones, that of the first student. */
static const char *commonest_cause(const struct class *class, int lab, size_t *times)
{
    struct {
        const char *cause;
        size_t count;
    } causes[64];
    size_t known = 0, best = 0;
    for (size_t i = 0; i < class->count; i++) {
        const char *cause = class->students[i].entries[lab].cause;
        size_t at = 0;
        while (at < known && strcmp(causes[at].cause, cause) != 0)
            at++;
        if (cause[0] == '\0' || at == sizeof causes / sizeof *causes)
            continue;
        if (at == known) {
            causes[known].cause = cause;
            causes[known++].count = 0;
        }
        causes[at].count++;
    }
    for (size_t at = 1; at < known; at++)
        best = causes[at].count > causes[best].count ? at : best;
    *times = known > 0 ? causes[best].count : 0;
    return known > 0 ? causes[best].cause : "";
}

static void print_labs(FILE *file, const struct class *class, bool colour)
{
    bool narrow = paint_width() < 72;
    fprintf(file, "\n%s%-18s %6s %6s %6s  %s%s\n", paint_on(colour, PAINT_BOLD), "lab", "graded", "full", "mean",
            narrow ? "" : "commonest cause", paint_off(colour));
    for (int k = 0; k < class->course->lab_count; k++) {
        size_t graded = 0, full = 0, times;
        double points = 0;
        for (size_t i = 0; i < class->count; i++) {
            const struct class_entry *entry = &class->students[i].entries[k];
            bool counts = entry->state == ENTRY_GRADED && entry_is_known(entry);
            graded += counts;
            full += counts && entry->score >= entry->max_score;
            points += counts ? entry->score : 0;
        }
        const char *cause = commonest_cause(class, k, &times);
        fprintf(file, "%-18s %6zu %6zu ", class->course->labs[k].lab->name, graded, full);
        if (graded > 0)
            fprintf(file, "%6.1f", points / (double)graded);
        else
            fprintf(file, "%6s", "-");
        if (times > 0)
            fprintf(file, "%s%s (%zu)", narrow ? "\n    " : "  ", diagnose_title(cause), times);
        fputc('\n', file);
    }
}

/* ---- what is wrong ------------------------------------------------------------------------------------------------ */

/* A problem, and whose it is; "" the class's. */
struct listed {
    const char *id;
    const struct problem *problem;
};

enum { EXAMPLES = 3 };

/* First what a person must look at, then what is good to know. Returns [*count], owned by the caller. */
static struct listed *list_problems(const struct class *class, size_t *count)
{
    struct listed *list = NULL;
    size_t capacity = 0;
    *count = 0;
    for (int notes = 0; notes < 2; notes++)
        for (size_t i = 0; i <= class->count; i++) {
            const struct student *student = i > 0 ? &class->students[i - 1] : NULL;
            const struct problems *problems = student ? &student->problems : &class->problems;
            for (size_t k = 0; k < problems->count; k++) {
                if ((problem_weight(problems->list[k].code) == PROBLEM_WEIGHT_NOTE) != (notes == 1))
                    continue;
                list = allocate_grown(list, &capacity, *count + 1, sizeof *list);
                list[(*count)++] = (struct listed){student ? student->id : "", &problems->list[k]};
            }
        }
    return list;
}

static bool says_the_same(const struct listed *left, const struct listed *right)
{
    return left->problem->code == right->problem->code && strcmp(left->problem->message, right->problem->message) == 0;
}

/* The problem list[first], with those after it that say the same: a few by name, the others counted. */
static void print_problem(FILE *file, const struct listed *list, size_t first, size_t count, bool colour)
{
    char *text = NULL;
    size_t bytes = 0, same = 0;
    FILE *words = open_memstream(&text, &bytes);
    for (size_t i = first; i < count; i++) {
        if (!says_the_same(&list[first], &list[i]) || ++same > EXAMPLES)
            continue;
        const char *id = list[i].id, *name = list[i].problem->file;
        fprintf(words, "%s%s%s%s", same > 1 ? "; " : "", id, id[0] != '\0' && name ? ", " : "", name ? name : "");
    }
    if (same > EXAMPLES)
        fprintf(words, "; and %zu more", same - EXAMPLES);
    fprintf(words, ": %s", list[first].problem->message);
    fclose(words);
    fprintf(file, "  %s%s%s", paint_on(colour, PAINT_YELLOW), problem_name(list[first].problem->code), paint_off(colour));
    if (same > 1)
        fprintf(file, " (%zu)", same);
    fputc('\n', file);
    paint_wrapped(file, 4, text, colour, PAINT_PLAIN);
    free(text);
}

static void print_problems(FILE *file, const struct class *class, bool colour)
{
    size_t count, listed = 0, more = 0;
    struct listed *list = list_problems(class, &count);
    if (count > 0)
        fprintf(file, "\n%swhat to look at%s\n", paint_on(colour, PAINT_BOLD), paint_off(colour));
    for (size_t i = 0; i < count; i++) {
        bool told = false;
        for (size_t k = 0; k < i && !told; k++)
            told = says_the_same(&list[k], &list[i]);
        if (told)
            continue;
        if (listed++ < PROBLEMS_LISTED)
            print_problem(file, list, i, count, colour);
        else
            more++;
    }
    free(list);
    if (more > 0)
        fprintf(file, "  and %zu more: class.json lists them all\n", more);
}

static void print_absent(FILE *file, const struct class *class, bool colour)
{
    char *text = NULL;
    size_t bytes = 0, count = 0;
    FILE *words = open_memstream(&text, &bytes);
    for (size_t i = 0; i < class->count; i++)
        if (outcome_is_absent(&class->students[i], class->course) && count++ < 100)
            fprintf(words, "%s%s", count > 1 ? ", " : "", class->students[i].id);
    fclose(words);
    if (count > 0) {
        fprintf(file, "\n%s%zu on the roster without a folder%s\n", paint_on(colour, PAINT_BOLD), count, paint_off(colour));
        paint_wrapped(file, 2, text, colour, PAINT_PLAIN);
    }
    free(text);
}

static void print_duplicates(FILE *file, const json_t *duplicates, bool colour)
{
    size_t i, k;
    json_t *group, *id;
    if (json_array_size(duplicates) > 0)
        fprintf(file, "\n%smore alike than the lab explains: a hint, never a verdict%s\n", paint_on(colour, PAINT_BOLD),
                paint_off(colour));
    json_array_foreach(duplicates, i, group)
    {
        char *text = NULL;
        size_t bytes = 0;
        if (i >= 20) {
            fprintf(file, "  and %zu more: class.json lists them all\n", json_array_size(duplicates) - i);
            break;
        }
        FILE *words = open_memstream(&text, &bytes);
        if (json_is_true(json_object_get(group, "same_bytes")))
            fprintf(words, "%s, the same file: ", json_string_value(json_object_get(group, "lab")));
        else
            fprintf(words, "%s, %.0f %%: ", json_string_value(json_object_get(group, "lab")),
                    floor(100 * json_number_value(json_object_get(group, "similarity"))));
        json_array_foreach(json_object_get(group, "students"), k, id)
        {
            fprintf(words, "%s%s", k > 0 ? ", " : "", json_string_value(id));
        }
        fclose(words);
        paint_wrapped(file, 2, text, colour, PAINT_PLAIN);
        free(text);
    }
}

void show_class(FILE *file, const struct class *class, const json_t *duplicates, bool colour)
{
    print_students(file, class, colour);
    print_labs(file, class, colour);
    print_absent(file, class, colour);
    print_duplicates(file, duplicates, colour);
    print_problems(file, class, colour);
}
