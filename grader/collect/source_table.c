#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/allocate.h"
#include "grader/class/csv.h"
#include "grader/class/moment_any.h"
#include "grader/collect/source.h"

/* What a column can be, besides a field of a person. */
enum { COLUMN_FIRST = PERSON_FIELDS, COLUMN_LAST, COLUMN_SUBMITTED, COLUMN_KINDS };

#define COLUMN_NAME   PERSON_NAME
#define COLUMN_EMAIL  PERSON_EMAIL
#define COLUMN_NUMBER PERSON_NUMBER
#define COLUMN_LOGIN  PERSON_LOGIN
#define COLUMN_SYSTEM PERSON_SYSTEM
#define COLUMN_GROUP  PERSON_GROUP

static const struct {
    const char *heading;
    int kind;
} columns[] = {
#define COLUMN(heading, field, system) {heading, COLUMN_##field},
#include "grader/collect/columns.def"
#undef COLUMN
};

/* The column of each kind; -1: none. Of several headings of one kind the first in columns.def counts. */
static void find_columns(const struct csv *csv, int found[COLUMN_KINDS])
{
    for (int kind = 0; kind < COLUMN_KINDS; kind++)
        found[kind] = -1;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (found[columns[i].kind] < 0)
            found[columns[i].kind] = csv_find_column(csv, columns[i].heading);
}

/* "Participant 123" is 123 in the names of the download. */
static const char *skip_participant(const char *text)
{
    static const char word[] = "Participant ";
    return strncasecmp(text, word, strlen(word)) == 0 ? text + strlen(word) : text;
}

static void read_person(const struct csv_row *row, const int found[COLUMN_KINDS], struct person *person)
{
    for (int field = 0; field < PERSON_FIELDS; field++)
        person_set(person, field, skip_participant(csv_get(row, found[field])));
    if (found[COLUMN_FIRST] >= 0 || found[COLUMN_LAST] >= 0) {
        char *name = allocate_format("%s %s", csv_get(row, found[COLUMN_FIRST]), csv_get(row, found[COLUMN_LAST]));
        person_set(person, PERSON_NAME, name);
        free(name);
    }
}

static bool is_nothing(const char *text)
{
    return text[0] == '\0' || strcmp(text, "-") == 0;
}

bool source_read_table(struct sources *sources, size_t number)
{
    struct source *source = &sources->list[number];
    const struct course *course = sources->course;
    struct csv csv;
    int found[COLUMN_KINDS];
    size_t bad = 0;
    char first_bad[400] = "";
    bool good = csv_read(source->path, &csv, sources->message, sizeof sources->message);
    if (good) {
        find_columns(&csv, found);
        good = found[PERSON_NAME] >= 0 || found[PERSON_EMAIL] >= 0 || found[PERSON_NUMBER] >= 0 || found[PERSON_LOGIN] >= 0
               || found[PERSON_SYSTEM] >= 0;
        if (!good)
            snprintf(
                sources->message, sizeof sources->message,
                "%.300s:%d: no column says who: id, name, email, login, or as Moodle, Gradescope, Canvas and GitHub Classroom "
                "call them. The time is in `submitted`.",
                source->path, csv.rows[0].line);
    }
    for (size_t i = 1; good && i < csv.row_count; i++) {
        const struct csv_row *row = &csv.rows[i];
        const char *text = csv_get(row, found[COLUMN_SUBMITTED]);
        sources->rows = allocate_grown(sources->rows, &sources->row_capacity, sources->row_count + 1, sizeof *sources->rows);
        struct table_row *added = &sources->rows[sources->row_count++];
        *added = (struct table_row){.source = number};
        read_person(row, found, &added->person);
        source->rows++;
        if (is_nothing(text))
            continue;
        const char *why = moment_read_any(text, course->time_zone, course->date_order, &added->submitted);
        added->has_time = !why;
        source->times += !why;
        if (!why)
            continue;
        char *place = allocate_format("%s:%d", source->path, row->line);
        if (bad++ == 0 || moment_is_ambiguous(why))
            snprintf(first_bad, sizeof first_bad, "%.200s: %.60s: %s.", place, text, why);
        notes_add(&sources->notes, true, place, "%s: %s. This time was left out.", text, why);
        free(place);
        good = !moment_is_ambiguous(why);
    }
    if (bad > 0 && (source->times == 0 || !good)) {
        snprintf(sources->message, sizeof sources->message, "%s%s", first_bad,
                 source->times == 0 && good ? " No time in this table can be read." : "");
        good = false;
    }
    csv_clear(&csv);
    return good;
}
