#include "runtime/compile/includes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/compile/headers.h"

static const char word[] = "include";

/* Could source[at] be the word of a directive? Not without a '#' (also spelt %: or ??=) before it on its line, unless the
 * line continues another. */
static bool may_be_directive(const char *source, size_t at)
{
    size_t start = at;
    while (start > 0 && source[start - 1] != '\n')
        start--;
    if (memchr(source + start, '#', at - start) || memmem(source + start, at - start, "%:", 2)
        || memmem(source + start, at - start, "?\?=", 3))
        return true;
    size_t end = start > 0 ? start - 1 : 0;
    if (end > 0 && source[end - 1] == '\r')
        end--;
    return end > 0 && (source[end - 1] == '\\' || source[end - 1] == '/'); /* '/' ends the trigraph of the backslash */
}

/* Is everything between the start of the line and source[at] blanks, one '#', blanks? */
static bool is_plain_directive(const char *source, size_t at)
{
    while (at > 0 && (source[at - 1] == ' ' || source[at - 1] == '\t'))
        at--;
    if (at == 0 || source[at - 1] != '#')
        return false;
    at--;
    while (at > 0 && (source[at - 1] == ' ' || source[at - 1] == '\t'))
        at--;
    return at == 0 || source[at - 1] == '\n';
}

/* The name in <...> or "..." after the word; length 0 when there is none on the line. */
static const char *header_name(const char *text, size_t bytes, size_t *length)
{
    size_t at = 0;
    *length = 0;
    while (at < bytes && (text[at] == ' ' || text[at] == '\t'))
        at++;
    if (at == bytes || (text[at] != '<' && text[at] != '"'))
        return NULL;
    char close = text[at] == '<' ? '>' : '"';
    const char *name = text + at + 1;
    const char *end = memchr(name, close, bytes - at - 1);
    if (!end || memchr(name, '\n', (size_t)(end - name)))
        return NULL;
    *length = (size_t)(end - name);
    return name;
}

static bool is_users_file(const char *name, size_t length, const char *file_name)
{
    char path[2048];
    const char *slash = strrchr(file_name, '/');
    int folder = slash ? (int)(slash - file_name) + 1 : 0;
    snprintf(path, sizeof path, "%.*s%.*s", folder, file_name, (int)length, name);
    if (access(path, F_OK) == 0)
        return true;
    snprintf(path, sizeof path, "%.*s", (int)length, name);
    return access(path, F_OK) == 0;
}

struct includes includes_scan(const char *source, size_t bytes, const char *file_name, bool check_files)
{
    struct includes result = {.foreign = false, .cacheable = true};
    const char *found = source;
    while ((found = memmem(found, bytes - (size_t)(found - source), word, sizeof word - 1))) {
        size_t at = (size_t)(found - source);
        found += sizeof word - 1;
        if (!may_be_directive(source, at))
            continue;
        size_t length = 0;
        const char *name = is_plain_directive(source, at) ? header_name(found, bytes - (size_t)(found - source), &length)
                                                          : NULL;
        if (!name || length == 0 || length > 512) {
            result = (struct includes){.foreign = true, .cacheable = false};
            continue;
        }
        bool ours = headers_has(name, length);
        result.foreign |= !ours;
        if (name[0] == '/' || memmem(name, length, "..", 2) || (check_files && is_users_file(name, length, file_name)))
            result.cacheable = false;
    }
    return result;
}
