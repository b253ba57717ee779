#include "grader/collect/online_text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "grader/base/allocate.h"

/* Tags that end a line. */
static const char *const line_ends[] = {"br", "/p", "/div", "/li", "/pre", "/tr", "/h1", "/h2", "/h3"};

/* Entities that a C source has. */
static const struct {
    const char *name, *text;
} entities[] = {{"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"apos", "'"}, {"nbsp", " "}};

static bool ends_line(const char *tag, size_t bytes)
{
    for (size_t i = 0; i < sizeof line_ends / sizeof *line_ends; i++) {
        size_t length = strlen(line_ends[i]);
        if (bytes >= length && strncasecmp(tag, line_ends[i], length) == 0
            && (bytes == length || !isalnum((unsigned char)tag[length])))
            return true;
    }
    return false;
}

/* Writes the entity at `at` ("&lt;") to `to`. Returns how many bytes it took from the text; 0: it is none. */
static size_t take_entity(const char *at, size_t left, char *to, size_t *used)
{
    const char *end = memchr(at, ';', left < 12 ? left : 12);
    if (!end)
        return 0;
    size_t length = (size_t)(end - at) + 1;
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (strlen(entities[i].name) == length - 2 && strncmp(at + 1, entities[i].name, length - 2) == 0) {
            strcpy(to + *used, entities[i].text);
            *used += strlen(entities[i].text);
            return length;
        }
    if (at[1] != '#')
        return 0;
    bool hex = at[2] == 'x' || at[2] == 'X';
    char *stop;
    unsigned long point = strtoul(at + (hex ? 3 : 2), &stop, hex ? 16 : 10);
    if (stop != end || point == 0 || point > 0x10ffff || !utf8proc_codepoint_valid((utf8proc_int32_t)point))
        return 0;
    *used += (size_t)utf8proc_encode_char(point == 0xa0 ? ' ' : (utf8proc_int32_t)point, (utf8proc_uint8_t *)to + *used);
    return length;
}

char *online_text_read(const char *html, size_t bytes)
{
    char *text = allocate_zeroed(bytes + 8);
    size_t used = 0;
    for (size_t at = 0; at < bytes;) {
        size_t taken = html[at] == '&' ? take_entity(html + at, bytes - at, text, &used) : 0;
        const char *end = html[at] == '<' ? memchr(html + at, '>', bytes - at) : NULL;
        bool is_tag = end && (isalpha((unsigned char)html[at + 1]) || html[at + 1] == '/' || html[at + 1] == '!');
        if (is_tag) {
            if (ends_line(html + at + 1, (size_t)(end - html) - at - 1))
                text[used++] = '\n';
            at = (size_t)(end - html) + 1;
        } else if (taken > 0) {
            at += taken;
        } else if (bytes - at >= 2 && strncmp(html + at, "\xc2\xa0", 2) == 0) {
            text[used++] = ' ';
            at += 2;
        } else {
            if (html[at] != '\r')
                text[used++] = html[at];
            at++;
        }
    }
    text[used] = '\0';
    return text;
}
