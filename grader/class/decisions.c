#include "grader/class/decisions.h"

#include <sha256.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/base/near.h"
#include "grader/class/csv.h"
#include "grader/class/moment.h"
#include "grader/class/names.h"
#include "grader/class/pseudonyms.h"
#include "grader/lab/labs.h"

#define MISTAKES_SHOWN 20
#define BONUS_MAX      1000
#define DAYS_MAX       365

enum scope { ONE, ANY, NONE };
enum kind { NAME, TEXT, PATH, POINTS, CHANGE, BONUS, DUE, DAYS, NOTHING };
enum counts { LAST, EACH };

static const struct row {
    const char *name;
    enum scope lab;
    enum kind value;
    enum counts counts;
    const char *form, *words;
} rows[DECISION_COUNT] = {
#define DECISION(name, lab, value, counts, form, what, words) {#name, lab, value, counts, form, words},
#include "grader/options/decisions.def"
#undef DECISION
};

enum column { STUDENT, LAB, WHAT, VALUE, BY, WHY, DATE, PRIVATE, COLUMNS };
static const char *const column_names[COLUMNS] = {"student", "lab", "what", "value", "by", "why", "date", "private"};
static const bool column_is_needed[COLUMNS] = {[STUDENT] = true, [LAB] = true, [WHAT] = true, [VALUE] = true, [BY] = true};

/* A file while it is read. */
struct reading {
    const char *path;
    struct class *class;
    struct names *people; /* ids and pseudonyms to numbers */
    bool anybody;
    int columns[COLUMNS]; /* of the table; -1: not there */
    FILE *errors;
    int error_count;
};

const char *decision_name(enum decision_what what)
{
    return rows[what].name;
}

const char *decision_form(enum decision_what what)
{
    return rows[what].form;
}

char *decision_words(const struct decision *decision)
{
    const char *words = rows[decision->what].words, *place = strstr(words, "{}");
    if (!place)
        return allocate_text(words, strlen(words));
    bool days = rows[decision->what].value == DUE && decision->is_relative;
    char *value = days ? allocate_format("%lld day%s", (long long)decision->number, decision->number == 1 ? "" : "s")
                       : allocate_text(decision->value, strlen(decision->value));
    char *text = allocate_format("%.*s%s%s", (int)(place - words), words, value, place + 2);
    free(value);
    return text;
}

bool decision_find(const char *name, enum decision_what *what)
{
    for (int i = 0; i < DECISION_COUNT; i++)
        if (strcasecmp(rows[i].name, name) == 0) {
            *what = (enum decision_what)i;
            return true;
        }
    return false;
}

bool decision_needs_lab(enum decision_what what)
{
    return rows[what].lab == ONE;
}

bool decision_has_no_lab(enum decision_what what)
{
    return rows[what].lab == NONE;
}

/* ---- mistakes ----------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 4, 5))) static void complain(struct reading *reading, int line, enum column column,
                                                           const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    if (reading->error_count++ >= MISTAKES_SHOWN)
        return;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    char *shown = class_printable(text ? text : "");
    if (column == COLUMNS)
        fprintf(reading->errors, "%s:%d: %s\n", reading->path, line, shown);
    else
        fprintf(reading->errors, "%s:%d: column %s: %s\n", reading->path, line, column_names[column], shown);
    free(shown);
    free(text);
}

/* "a, b, c" of all kinds. */
static void list_kinds(char *text, size_t bytes)
{
    size_t used = 0;
    for (int i = 0; i < DECISION_COUNT && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", i > 0 ? ", " : "", rows[i].name);
}

/* ---- students ----------------------------------------------------------------------------------------------------- */

/* The only student of that name; NAMES_NONE. *count: how many have it. */
static size_t find_by_name(const struct class *class, const char *name, int *count)
{
    char *wanted = class_plain_name(name);
    size_t number = NAMES_NONE;
    *count = 0;
    for (size_t i = 0; i < class->count; i++) {
        char *plain = class->students[i].name ? class_plain_name(class->students[i].name) : NULL;
        if (plain && strcmp(plain, wanted) == 0) {
            number = i;
            ++*count;
        }
        free(plain);
    }
    free(wanted);
    return *count == 1 ? number : NAMES_NONE;
}

static struct names *list_people(const struct class *class)
{
    struct names *people = names_create(2 * class->count);
    for (size_t i = 0; i < class->count; i++)
        if (names_find(people, class->students[i].id) == NAMES_NONE)
            names_add(people, class->students[i].id, i);
    for (size_t i = 0; i < class->count; i++)
        if (class->students[i].pseudonym && names_find(people, class->students[i].pseudonym) == NAMES_NONE)
            names_add(people, class->students[i].pseudonym, i);
    return people;
}

static size_t find_person(const struct class *class, const struct names *people, const char *name, char *message,
                          size_t message_bytes)
{
    int count;
    size_t number = names_find(people, name);
    if (number == NAMES_NONE)
        number = find_by_name(class, name, &count);
    if (number != NAMES_NONE)
        return number;
    const char **ids = allocate_zeroed((class->count + 1) * sizeof *ids);
    for (size_t i = 0; i < class->count; i++)
        ids[i] = class->students[i].id;
    const char *near = near_find(name, ids, class->count);
    if (count > 1)
        snprintf(message, message_bytes, "%d students are called %.200s. Give the ID.", count, name);
    else if (strncmp(name, PSEUDONYMS_BEGIN, sizeof PSEUDONYMS_BEGIN - 1) == 0)
        snprintf(
            message, message_bytes,
            "there is no student %.200s here. Pseudonyms belong to a results folder: for another, or for the --out of a "
            "shard, copy .lockstep/pseudonyms.key from that folder's into its .lockstep/.",
            name);
    else
        snprintf(message, message_bytes, "there is no student %.200s%s%s%s", name, near ? "; did you mean " : "",
                 near ? near : "", near ? "?" : ". Expected: an ID, a pseudonym or a name of the class.");
    free(ids);
    return NAMES_NONE;
}

struct student *decisions_find_student(struct class *class, const char *name, char *message, size_t message_bytes)
{
    struct names *people = list_people(class);
    size_t number = find_person(class, people, name, message, message_bytes);
    names_destroy(people);
    return number != NAMES_NONE ? &class->students[number] : NULL;
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

/* A whole number, perhaps with a sign, of at most nine digits. */
static bool read_whole(const char *text, int64_t *number)
{
    size_t sign = text[0] == '-' || text[0] == '+', digits = strspn(text + sign, "0123456789");
    *number = strtoll(text, NULL, 10);
    return digits > 0 && digits <= 9 && text[sign + digits] == '\0';
}

static void set_number(struct reading *reading, struct decision *decision, int64_t least, int64_t most, const char *unit)
{
    if (!read_whole(decision->value, &decision->number) || decision->number < least || decision->number > most)
        complain(reading, decision->line, VALUE, "\"%s\" is not valid. Expected: a whole number of %s from %lld to %lld.",
                 decision->value, unit, (long long)least, (long long)most);
}

static void set_due(struct reading *reading, struct decision *decision)
{
    const struct course *course = reading->class->course;
    const struct course_lab *lab = decision->lab >= 0 ? &course->labs[decision->lab] : NULL;
    decision->is_relative = decision->value[0] == '+';
    if (decision->is_relative) {
        char *days = allocate_text(decision->value, strlen(decision->value));
        size_t length = strlen(days);
        if (length > 1 && days[length - 1] == 'd')
            days[length - 1] = '\0';
        if (!read_whole(days, &decision->number) || decision->number < 1 || decision->number > DAYS_MAX)
            complain(reading, decision->line, VALUE, "\"%s\" is not valid. Expected: +1 to +%d days, or a date.",
                     decision->value, DAYS_MAX);
        else if (lab && !lab->has_due)
            complain(reading, decision->line, VALUE,
                     "%s has no due date in the course file, so %s has no meaning. Give a date.", lab->lab->name,
                     decision->value);
        free(days);
        return;
    }
    const char *why = moment_read(decision->value, course->time_zone, &decision->number);
    if (why)
        complain(reading, decision->line, VALUE, "\"%s\": %s. Or days after the due date: +3.", decision->value, why);
    else if (lab && lab->has_due && decision->number < lab->due)
        complain(reading, decision->line, VALUE, "%s is before the due date of %s in the course file.", decision->value,
                 lab->lab->name);
}

static void set_value(struct reading *reading, struct decision *decision)
{
    const struct row *row = &rows[decision->what];
    int most = decision->lab >= 0 ? labs_max_score(reading->class->course->labs[decision->lab].lab) : 0;
    if (row->value == NOTHING) {
        if (decision->value[0] != '\0')
            complain(reading, decision->line, VALUE, "%s takes no value. Expected: nothing.", row->name);
        return;
    }
    if (decision->value[0] == '\0') {
        complain(reading, decision->line, VALUE, "it is empty. %s needs %s.", row->name, row->form);
        return;
    }
    switch (row->value) {
    case POINTS: set_number(reading, decision, 0, most, "points"); break;
    case CHANGE: set_number(reading, decision, -most, most, "points"); break;
    case BONUS: set_number(reading, decision, 0, BONUS_MAX, "points"); break;
    case DAYS: set_number(reading, decision, 1, DAYS_MAX, "days"); break;
    case DUE: set_due(reading, decision); break;
    case NAME:
    case TEXT:
    case PATH:
    case NOTHING: break;
    }
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

static const char *field(const struct reading *reading, const struct csv_row *row, enum column column)
{
    return csv_get(row, reading->columns[column]);
}

/* Returns whether the lab is one of the course, or none is needed. */
static bool set_lab(struct reading *reading, const struct csv_row *row, struct decision *decision)
{
    const struct course *course = reading->class->course;
    const char *text = field(reading, row, LAB);
    enum scope scope = rows[decision->what].lab;
    char labs[300] = "";
    decision->lab = DECISIONS_EVERY_LAB;
    if (text[0] == '\0' || strcmp(text, "-") == 0) {
        if (scope == ONE)
            complain(reading, row->line, LAB, "it is empty. %s needs a lab.", decision_name(decision->what));
        return scope != ONE;
    }
    if (scope == NONE) {
        complain(reading, row->line, LAB, "%s is for the whole course. Expected: nothing.", decision_name(decision->what));
        return false;
    }
    const struct lab *lab = labs_find_typed(text);
    decision->lab = lab ? course_find_lab(course, lab) : -1;
    for (int i = 0; i < course->lab_count; i++) {
        size_t used = strlen(labs);
        snprintf(labs + used, sizeof labs - used, "%s%s", i > 0 ? ", " : "", course->labs[i].lab->name);
    }
    if (decision->lab < 0)
        complain(reading, row->line, LAB, "%s is not a lab of this course. Its labs: %s.", text, labs);
    return decision->lab >= 0;
}

static void set_private(struct reading *reading, const struct csv_row *row, struct decision *decision)
{
    const char *text = field(reading, row, PRIVATE);
    decision->is_private = strcasecmp(text, "yes") == 0;
    if (!decision->is_private && text[0] != '\0' && strcasecmp(text, "no") != 0)
        complain(reading, row->line, PRIVATE, "\"%s\" is not valid. Expected: yes, no or nothing.", text);
}

static char *copy(const struct reading *reading, const struct csv_row *row, enum column column)
{
    const char *text = field(reading, row, column);
    return allocate_text(text, strlen(text));
}

static void read_line(struct reading *reading, const struct csv_row *row, struct decisions *decisions)
{
    char message[400], kinds[300] = "";
    const char *who = field(reading, row, STUDENT), *what = field(reading, row, WHAT);
    struct decision decision = {.line = row->line, .lab = DECISIONS_EVERY_LAB};
    if (who[0] == '\0')
        complain(reading, row->line, STUDENT, "it is empty. Expected: an ID, a pseudonym or a name of the class.");
    else
        decision.student = find_person(reading->class, reading->people, who, message, sizeof message);
    if (who[0] != '\0' && decision.student == NAMES_NONE && !reading->anybody)
        complain(reading, row->line, STUDENT, "%s", message);
    bool has_what = decision_find(what, &decision.what);
    if (!has_what) {
        list_kinds(kinds, sizeof kinds);
        complain(reading, row->line, WHAT, "\"%s\" is not a decision. Expected: %s.", what, kinds);
    }
    decision.value = copy(reading, row, VALUE);
    decision.by = copy(reading, row, BY);
    decision.why = copy(reading, row, WHY);
    decision.date = copy(reading, row, DATE);
    if (decision.by[0] == '\0')
        complain(reading, row->line, BY, "it is empty. Expected: who decided this.");
    set_private(reading, row, &decision);
    if (has_what && set_lab(reading, row, &decision))
        set_value(reading, &decision);
    decisions->list = allocate_grown(decisions->list, &decisions->capacity, decisions->count + 1, sizeof *decisions->list);
    decisions->list[decisions->count++] = decision;
}

/* The columns that the first line names. Returns whether all that are needed are there. */
static bool find_columns(struct reading *reading, const struct csv *csv)
{
    int before = reading->error_count;
    for (int i = 0; i < COLUMNS; i++) {
        reading->columns[i] = csv_find_column(csv, column_names[i]);
        if (reading->columns[i] < 0 && column_is_needed[i])
            complain(
                reading, csv->rows[0].line, COLUMNS,
                "the first line names no column %s. Expected: student,lab,what,value,by, and where wanted why,date,private.",
                column_names[i]);
    }
    for (int i = 0; i < csv->rows[0].field_count; i++) {
        bool known = csv->rows[0].fields[i][0] == '\0';
        for (int k = 0; k < COLUMNS; k++)
            known |= strcasecmp(csv->rows[0].fields[i], column_names[k]) == 0;
        if (!known)
            complain(reading, csv->rows[0].line, COLUMNS,
                     "unknown column %s. Allowed: student, lab, what, value, by, why, date, private.",
                     csv->rows[0].fields[i]);
    }
    return reading->error_count == before;
}

static int compare_decisions(const void *left, const void *right)
{
    const struct decision *a = left, *b = right;
    if (a->student != b->student)
        return a->student < b->student ? -1 : 1;
    return a->line - b->line;
}

static bool is_same(const struct decision *left, const struct decision *right)
{
    return left->student == right->student && left->student != NAMES_NONE && left->lab == right->lab
           && left->what == right->what && strcmp(left->value, right->value) == 0 && strcmp(left->why, right->why) == 0
           && strcmp(left->date, right->date) == 0;
}

/* A line that was pasted or typed twice would add its points twice. */
static void find_twice(struct reading *reading, const struct decisions *decisions)
{
    for (size_t i = 1; i < decisions->count; i++) {
        const struct decision *decision = &decisions->list[i];
        for (size_t k = i; k > 0 && decisions->list[k - 1].student == decision->student; k--)
            if (rows[decision->what].counts == EACH && is_same(&decisions->list[k - 1], decision)) {
                complain(reading, decision->line, WHAT,
                         "the same decision is on line %d. Remove one of them, or give each a reason of its own.",
                         decisions->list[k - 1].line);
                break;
            }
    }
}

static void hand_out(struct class *class, const struct decisions *decisions)
{
    for (size_t i = decisions->count; i-- > 0;) {
        if (decisions->list[i].student == NAMES_NONE)
            continue;
        struct student *student = &class->students[decisions->list[i].student];
        student->decision_first = i;
        student->decision_count++;
    }
}

int decisions_read(const char *path, char *text, size_t bytes, struct class *class, bool anybody,
                   struct decisions *decisions, FILE *errors)
{
    struct reading reading = {.path = path, .class = class, .anybody = anybody, .errors = errors};
    struct csv csv = {0};
    char message[512];
    memset(decisions, 0, sizeof *decisions);
    if (!text)
        text = csv_load(path, &bytes, message, sizeof message);
    if (text) {
        decisions->file = allocate_text(path, strlen(path));
        SHA256Data((const uint8_t *)text, bytes, decisions->sha256);
    }
    if (!text || !csv_parse(path, text, bytes, &csv, message, sizeof message)) {
        fprintf(errors, "%s\n", message);
        csv_clear(&csv);
        return 1;
    }
    reading.people = list_people(class);
    if (find_columns(&reading, &csv))
        for (size_t i = 1; i < csv.row_count; i++)
            read_line(&reading, &csv.rows[i], decisions);
    csv_clear(&csv);
    names_destroy(reading.people);
    if (decisions->count > 0)
        qsort(decisions->list, decisions->count, sizeof *decisions->list, compare_decisions);
    if (reading.error_count == 0)
        find_twice(&reading, decisions);
    if (reading.error_count > MISTAKES_SHOWN)
        fprintf(errors, "and %d more mistakes\n", reading.error_count - MISTAKES_SHOWN);
    if (reading.error_count == 0)
        hand_out(class, decisions);
    return reading.error_count;
}

void decisions_clear(struct decisions *decisions)
{
    for (size_t i = 0; i < decisions->count; i++) {
        free(decisions->list[i].value);
        free(decisions->list[i].by);
        free(decisions->list[i].why);
        free(decisions->list[i].date);
    }
    free(decisions->list);
    free(decisions->file);
    memset(decisions, 0, sizeof *decisions);
}

char *decisions_path(const struct course *course)
{
    if (course->decisions || !course->file)
        return course->decisions ? allocate_text(course->decisions, strlen(course->decisions)) : NULL;
    const char *slash = strrchr(course->file, '/');
    char *path = allocate_format("%.*sdecisions.csv", slash ? (int)(slash + 1 - course->file) : 0, course->file);
    if (access(path, F_OK) == 0)
        return path;
    free(path);
    return NULL;
}
