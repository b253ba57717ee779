#include "grader/collect/people.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "grader/base/allocate.h"
#include "grader/class/class.h"

#define TOKENS_MAX 12

void person_set(struct person *person, enum person_field field, const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    if (length == 0)
        return;
    free(person->fields[field]);
    person->fields[field] = allocate_text(text, length);
}

void person_clear(struct person *person)
{
    for (int i = 0; i < PERSON_FIELDS; i++)
        free(person->fields[i]);
    memset(person, 0, sizeof *person);
}

/* ---- names -------------------------------------------------------------------------------------------------------- */

/* The letters and digits alone, small and without accents. Owned by the caller. */
static char *squeeze(const char *text)
{
    utf8proc_uint8_t *folded = NULL;
    utf8proc_ssize_t bytes = utf8proc_map((const utf8proc_uint8_t *)text, 0, &folded,
                                          UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE
                                              | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK);
    char *plain = bytes >= 0 ? allocate_text((const char *)folded, (size_t)bytes) : allocate_text(text, strlen(text));
    size_t used = 0;
    free(folded);
    for (const char *at = plain; *at != '\0'; at++)
        if ((unsigned char)*at >= 0x80 || isalnum((unsigned char)*at))
            plain[used++] = *at;
    plain[used] = '\0';
    return plain;
}

/* The same without what lies beyond ASCII, as some systems write names. Owned by the caller. */
static char *squeeze_ascii(const char *text)
{
    char *plain = allocate_text(text, strlen(text));
    size_t used = 0;
    for (const char *at = text; *at != '\0'; at++)
        if (isalnum((unsigned char)*at) && (unsigned char)*at < 0x80)
            plain[used++] = (char)tolower((unsigned char)*at);
    plain[used] = '\0';
    return plain;
}

/* "Ada Mary Lovelace" and "lovelaceadamary", "Lovelace, Ada Mary" ...: the words of one in another order, beginning with
 * any. */
static bool is_same_name(const char *left, const char *right)
{
    char *words = allocate_text(right, strlen(right)), *tokens[TOKENS_MAX], *rest = words;
    char *wanted = squeeze(left), *wanted_ascii = squeeze_ascii(left);
    int count = 0;
    bool same = false;
    for (char *token; count < TOKENS_MAX && (token = strsep(&rest, " ,\t"));)
        if (*token != '\0')
            tokens[count++] = token;
    for (int first = 0; first < count && !same; first++) {
        char *joined = allocate_zeroed(strlen(right) + 1);
        for (int i = 0; i < count; i++)
            strcat(joined, tokens[(first + i) % count]);
        char *folded = squeeze(joined), *ascii = squeeze_ascii(joined);
        same = wanted[0] != '\0'
               && (strcmp(folded, wanted) == 0
                   || (ascii[0] != '\0' && strcmp(ascii, wanted_ascii) == 0 && strlen(wanted) == strlen(wanted_ascii)));
        free(folded);
        free(ascii);
        free(joined);
    }
    free(wanted);
    free(wanted_ascii);
    free(words);
    return same;
}

static bool is_ascii(const char *text)
{
    while (*text != '\0' && (unsigned char)*text < 0x80)
        text++;
    return *text == '\0';
}

static bool is_same(const char *left, const char *right)
{
    if (is_ascii(left) && is_ascii(right) && !isspace((unsigned char)left[0]) && !isspace((unsigned char)right[0]))
        return left[0] != '\0' && strcasecmp(left, right) == 0; /* quickly: a class is compared with a class */
    char *plain_left = class_plain_name(left), *plain_right = class_plain_name(right);
    bool same = plain_left[0] != '\0' && strcmp(plain_left, plain_right) == 0;
    free(plain_left);
    free(plain_right);
    return same;
}

int person_compare(const struct person *left, const struct person *right)
{
    static const enum person_field sure[] = {PERSON_ROSTER, PERSON_SYSTEM, PERSON_LOGIN, PERSON_NUMBER, PERSON_EMAIL};
    for (size_t i = 0; i < sizeof sure / sizeof *sure; i++) {
        const char *mine = left->fields[sure[i]], *theirs = right->fields[sure[i]];
        if (mine && theirs)
            return is_same(mine, theirs) ? 2 : 0;
    }
    const char *mine = left->fields[PERSON_NAME], *theirs = right->fields[PERSON_NAME];
    return mine && theirs && (is_same_name(mine, theirs) || is_same_name(theirs, mine)) ? 1 : 0;
}

/* ---- the roster --------------------------------------------------------------------------------------------------- */

bool people_read(const struct course *course, struct people *people, char *message, size_t message_bytes)
{
    memset(people, 0, sizeof *people);
    people->id = people->name = people->folder = -1;
    if (!course->roster)
        return true;
    if (!csv_read(course->roster, &people->roster, message, message_bytes))
        return false;
    people->id = csv_find_column(&people->roster, "id");
    people->name = csv_find_column(&people->roster, "name");
    people->folder = csv_find_column(&people->roster, "folder");
    people->has_roster = people->id >= 0;
    if (!people->has_roster)
        snprintf(message, message_bytes, "%.300s:%d: the roster's first line must name its columns, and one must be id.",
                 course->roster, people->roster.rows[0].line);
    return people->has_roster;
}

void people_clear(struct people *people)
{
    csv_clear(&people->roster);
}

/* The one row that fits, or NULL. */
struct search {
    const struct csv_row *row;
    bool several;
};

static void add_hit(struct search *search, const struct people *people, const struct csv_row *row)
{
    if (search->row && search->row != row && !is_same(csv_get(search->row, people->id), csv_get(row, people->id)))
        search->several = true;
    search->row = row;
}

static bool is_system_column(const struct people *people, int column, enum form form)
{
    const char *heading = csv_get(&people->roster.rows[0], column);
    return strcasestr(heading, form_word(form)) != NULL;
}

/* Is the text one of the cell's, which may have several with ';' between them? */
static bool is_in_cell(const char *cell, const char *text)
{
    while (*cell != '\0') {
        size_t length = strcspn(cell, ";");
        char *part = allocate_text(cell, length);
        bool same = is_same(part, text);
        free(part);
        if (same)
            return true;
        cell += length + (cell[length] == ';');
    }
    return false;
}

static bool row_has(const struct people *people, const struct csv_row *row, const struct person *person, enum form form)
{
    static const enum person_field sure[] = {PERSON_EMAIL, PERSON_NUMBER, PERSON_LOGIN, PERSON_FOLDER, PERSON_SYSTEM};
    for (size_t i = 0; i < sizeof sure / sizeof *sure; i++) {
        const char *text = person->fields[sure[i]];
        for (int column = 0; text && column < row->field_count; column++)
            if (column != people->name && (sure[i] != PERSON_SYSTEM || is_system_column(people, column, form))
                && is_in_cell(csv_get(row, column), text))
                return true;
    }
    return false;
}

static bool row_is_named(const struct people *people, const struct csv_row *row, const struct person *person)
{
    const char *name = person->fields[PERSON_NAME];
    return name
           && (is_same_name(name, csv_get(row, people->name)) || is_in_cell(csv_get(row, people->id), name)
               || is_in_cell(csv_get(row, people->folder), name));
}

static bool row_has_address(const struct people *people, const struct csv_row *row, const struct person *person)
{
    const char *email = person->fields[PERSON_EMAIL], *id = csv_get(row, people->id);
    const char *at = email ? strchr(email, '@') : NULL;
    return at && strlen(id) == (size_t)(at - email) && strncasecmp(email, id, strlen(id)) == 0;
}

/* "scan-ada" is the clone of ada. */
static bool row_ends_folder(const struct people *people, const struct csv_row *row, const struct person *person,
                            enum form form)
{
    const char *folder = person->fields[PERSON_FOLDER];
    for (int column = 0; folder && form == FORM_CLONES && column < row->field_count; column++) {
        const char *cell = csv_get(row, column);
        size_t length = strlen(cell), whole = strlen(folder);
        if (column != people->name && length > 0 && whole > length && folder[whole - length - 1] == '-'
            && strcasecmp(folder + whole - length, cell) == 0)
            return true;
    }
    return false;
}

const char *people_find(const struct people *people, const struct person *person, enum form form, bool *several)
{
    *several = false;
    for (int way = 0; way < 4 && people->has_roster; way++) {
        struct search search = {0};
        for (size_t i = 1; i < people->roster.row_count; i++) {
            const struct csv_row *row = &people->roster.rows[i];
            bool fits = way == 0   ? row_has(people, row, person, form)
                        : way == 1 ? row_is_named(people, row, person)
                        : way == 2 ? row_has_address(people, row, person)
                                   : row_ends_folder(people, row, person, form);
            if (fits && csv_get(row, people->id)[0] != '\0')
                add_hit(&search, people, row);
        }
        *several |= search.several;
        if (search.row && !search.several)
            return csv_get(search.row, people->id);
    }
    return NULL;
}

char *people_folder_name(const char *text)
{
    char *name = allocate_zeroed(3 * strlen(text) + 2);
    size_t used = 0;
    for (const char *at = text; *at != '\0' && used < 200; at++)
        if (*at == '/' || *at == '\\' || (*at == '.' && used == 0))
            name[used++] = '_';
        else if ((unsigned char)*at < 0x20 || *at == 0x7f)
            used += (size_t)sprintf(name + used, "%%%02X", (unsigned char)*at);
        else
            name[used++] = *at;
    while (used > 0 && name[used - 1] == ' ')
        name[--used] = '\0';
    if (used == 0)
        name[0] = '_';
    return name;
}

char *people_own_id(const struct person *person)
{
    static const enum person_field order[] = {PERSON_NUMBER, PERSON_LOGIN, PERSON_EMAIL, PERSON_NAME, PERSON_FOLDER};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (person->fields[order[i]])
            return people_folder_name(person->fields[order[i]]);
    return NULL;
}
