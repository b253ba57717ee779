#include "runtime/language/numba.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- mangled names ---- */

enum { UNKNOWN = -1, DEEPEST = 16, MOST_ARGUMENTS = 64 };

/* An identifier with its length before it: "5Array". Moves *at behind it. Returns its length, 0 when there is none. */
static size_t identifier(const char **at, const char **start)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return 0;
    unsigned long length = strtoul(*at, &end, 10);
    if (length == 0 || strnlen(end, length) < length)
        return 0;
    *start = end;
    *at = end + length;
    return length;
}

/* Moves behind a type, an integer (Li2E) or a word, and tells how many parameters an argument of that type is. Returns false
 * where this is none of them. `first` is the integer, if it is one. */
static bool element(const char **at, unsigned depth, int *slots, long *integer)
{
    const char *name;
    *slots = UNKNOWN;
    *integer = -1;
    if (**at == 'L' && (*at)[1] == 'i') {
        char *end;
        *integer = strtol(*at + 2, &end, 10);
        *at = end + 1;
        return *end == 'E';
    }
    if (strncmp(*at, "Dh", 2) == 0 || (**at && strchr("bhatsjiyxfd", **at))) {
        *at += **at == 'D' ? 2 : 1;
        *slots = 1;
        return true;
    }
    if (islower((unsigned char)**at) || (isupper((unsigned char)**at) && **at != 'E' && **at != 'I')) {
        ++*at; /* a word of one letter, such as an array's layout */
        return true;
    }
    size_t length = identifier(at, &name);
    if (length == 0 || depth == DEEPEST)
        return false;
    if (length > 3 && strncmp(name + length - 3, "_2a", 3) == 0) /* float32*: a pointer */
        *slots = 1;
    bool is_array = length == 5 && strncmp(name, "Array", 5) == 0;
    if (**at != 'I')
        return true;
    ++*at;
    for (unsigned i = 0; **at != 'E'; i++) {
        int inner;
        long dimensions;
        if (!element(at, depth + 1, &inner, &dimensions))
            return false;
        if (is_array && i == 1 && dimensions >= 0 && dimensions <= 32)
            *slots = 5 + 2 * (int)dimensions;
    }
    ++*at;
    return true;
}

/* Moves behind the name itself, with its tags: "N8__main__4scaleB2v1E". A name without tags is not Numba's. */
static bool skip_name(const char **at)
{
    const char *name;
    bool nested = **at == 'N', tagged = false;
    *at += nested;
    while (identifier(at, &name) > 0 || **at == 'B') {
        if (**at == 'B') {
            ++*at;
            if (identifier(at, &name) == 0)
                return false;
            tagged = true;
            while (**at == 'B')
                if (++*at, identifier(at, &name) == 0)
                    return false;
            if (!nested)
                return true;
        }
    }
    if (nested && **at == 'E')
        ++*at;
    else if (nested)
        return false;
    return tagged;
}

int numba_argument_of(const char *mangled, unsigned parameters, unsigned parameter)
{
    int slots[MOST_ARGUMENTS];
    unsigned count = 0, known = 0, unknown = 0;
    const char *at = mangled + 2;
    long integer;
    if (strncmp(mangled, "_Z", 2) != 0 || !skip_name(&at))
        return -1;
    for (; *at; count++) {
        if (count == MOST_ARGUMENTS || !element(&at, 0, &slots[count], &integer))
            return -1;
        known += slots[count] == UNKNOWN ? 0 : (unsigned)slots[count];
        unknown += slots[count] == UNKNOWN;
    }
    if (known > parameters || unknown > 1 || (unknown == 0 && known != parameters))
        return -1;
    unsigned end = 0;
    for (unsigned i = 0; i < count; i++) {
        end += slots[i] == UNKNOWN ? parameters - known : (unsigned)slots[i];
        if (parameter < end)
            return (int)i;
    }
    return -1;
}

/* ---- Python ---- */

/* Behind `def function(`, at the beginning of a line; NULL where the line is another. */
static const char *head_of(const char *line, const char *end, const char *function)
{
    size_t length = strlen(function);
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    if (end - line < 5 || strncmp(line, "def ", 4) != 0)
        return NULL;
    for (line += 4; line < end && *line == ' ';)
        line++;
    if ((size_t)(end - line) <= length || strncmp(line, function, length) != 0)
        return NULL;
    for (line += length; line < end && *line == ' ';)
        line++;
    return line < end && *line == '(' ? line + 1 : NULL;
}

/* The heads of functions of that name: the nearest to the line. */
static const char *find_head(const char *text, const char *end, const char *function, int line)
{
    const char *best = NULL;
    int number = 1, distance = 0;
    for (const char *at = text; at < end; number++) {
        const char *head = head_of(at, end, function);
        int from = number > line ? number - line : line - number;
        if (head && (!best || from < distance)) {
            best = head;
            distance = from;
        }
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    return best;
}

bool numba_argument_name(const char *text, size_t bytes, const char *function, int line, unsigned argument, char *name,
                         size_t name_bytes)
{
    const char *end = text + bytes, *at = find_head(text, end, function, line), *start = at;
    unsigned depth = 0, number = 0;
    for (; at && at < end; at++) {
        bool closes = *at == ')' && depth == 0;
        if (*at == '(' || *at == '[' || *at == '{')
            depth++;
        else if (!closes && (*at == ')' || *at == ']' || *at == '}'))
            depth--;
        if (!closes && (*at != ',' || depth > 0))
            continue;
        while (start < at && isspace((unsigned char)*start))
            start++;
        size_t length = 0;
        while (start + length < at && (isalnum((unsigned char)start[length]) || start[length] == '_'))
            length++;
        if (start < at && length == 0) /* `*`, `/`, a comment */
            return false;
        if (number++ == argument && length > 0 && length < name_bytes) {
            snprintf(name, name_bytes, "%.*s", (int)length, start);
            return true;
        }
        if (closes)
            return false;
        start = at + 1;
    }
    return false;
}
