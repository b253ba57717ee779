#include "tests/dialect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *must(char *memory)
{
    if (!memory) {
        fprintf(stderr, "dialect: out of memory\n");
        exit(3);
    }
    return memory;
}

/* ---- entries ------------------------------------------------------------------------------------------------------ */

void dialect_begin(struct dialect *dialect, const char *source)
{
    *dialect = (struct dialect){.next = source, .end = source + strlen(source), .next_number = 1};
}

void dialect_stop(struct dialect *dialect)
{
    free(dialect->word);
    dialect->word = dialect->text = NULL;
    dialect->next = NULL;
}

/* How many blanks the line begins with. (AddressSanitizer reads the whole rest of the source for strspn and strcspn.) */
static size_t count_blanks(const char *line)
{
    size_t count = 0;
    while (line[count] == ' ')
        count++;
    return count;
}

/* Bytes to the end of the line. */
static size_t length_of(const struct dialect *dialect, const char *line)
{
    const char *end = memchr(line, '\n', (size_t)(dialect->end - line));
    return (size_t)((end ? end : dialect->end) - line);
}

/* Splits "// word: text" into two strings; false when the line is not such a comment. */
static bool split(struct dialect *dialect, const char *line, size_t length)
{
    size_t blanks = count_blanks(line);
    if (strncmp(line + blanks, "// ", 3) != 0)
        return false;
    blanks += 3 + count_blanks(line + blanks + 3);
    dialect->word = must(strndup(line + blanks, length - blanks));
    char *colon = strchr(dialect->word, ':');
    if (colon && colon != dialect->word && (colon[1] == ' ' || colon[1] == '\0')) {
        *colon = '\0';
        dialect->text = colon + 1 + (colon[1] == ' ');
        return true;
    }
    free(dialect->word);
    dialect->word = NULL;
    return false;
}

/* Appends the line "//   | …" to the entry's text; false when the line is not one that continues an entry. */
static bool join(struct dialect *dialect, const char *line, size_t length)
{
    const char *end = line + length;
    line += count_blanks(line);
    if (strncmp(line, "//", 2) != 0)
        return false;
    line += 2 + count_blanks(line + 2);
    if (*line != '|')
        return false;
    size_t text = (size_t)(dialect->text - dialect->word), written = text + strlen(dialect->text);
    size_t more = (size_t)(end - line - 1);
    dialect->word = must(realloc(dialect->word, written + more + 2));
    dialect->text = dialect->word + text;
    dialect->word[written] = ' ';
    memcpy(dialect->word + written + 1, line + 1, more);
    dialect->word[written + 1 + more] = '\0';
    return true;
}

/* Steps over the line; returns its length. */
static size_t step(struct dialect *dialect)
{
    size_t length = length_of(dialect, dialect->next);
    dialect->next = dialect->next[length] ? dialect->next + length + 1 : NULL;
    dialect->next_number++;
    return length;
}

enum dialect_kind dialect_next(struct dialect *dialect)
{
    free(dialect->word);
    dialect->word = dialect->text = NULL;
    while (dialect->next) {
        const char *line = dialect->at = dialect->next;
        dialect->number = dialect->next_number;
        size_t length = step(dialect);
        if (length > 0 && line[count_blanks(line)] != '/')
            return DIALECT_CODE;
        if (length == 0 || !split(dialect, line, length))
            continue;
        while (dialect->next && join(dialect, dialect->next, length_of(dialect, dialect->next)))
            step(dialect);
        return DIALECT_ENTRY;
    }
    return DIALECT_END;
}

/* ---- their texts -------------------------------------------------------------------------------------------------- */

char *dialect_pair(char **rest, char **value)
{
    char *word = *rest + strspn(*rest, " ");
    if (!*word)
        return NULL;
    char *end = word + strcspn(word, " ");
    *rest = *end ? end + 1 : end;
    *end = '\0';
    char *equals = strchr(word, '=');
    *value = equals ? equals + 1 : end;
    if (equals)
        *equals = '\0';
    return word;
}

int dialect_line_of(const char *source, const char *from, const char *label)
{
    char mark[48];
    int line = 1;
    snprintf(mark, sizeof mark, "//@%s\n", label);
    const char *at = strstr(from, mark);
    if (!at)
        at = strstr(source, mark); /* in a function that several kernels use */
    if (!at)
        return 0;
    for (const char *c = source; c < at; c++)
        line += *c == '\n';
    return line;
}
