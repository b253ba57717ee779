#include "runtime/base/json.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void append(struct json_line *line, const char *text, size_t length)
{
    if (line->failed)
        return;
    if (line->length + length + 1 > line->capacity) {
        size_t capacity = line->capacity ? line->capacity * 2 : 1024;
        while (capacity < line->length + length + 1)
            capacity *= 2;
        char *grown = realloc(line->text, capacity);
        if (!grown) {
            line->failed = true;
            return;
        }
        line->text = grown;
        line->capacity = capacity;
    }
    memcpy(line->text + line->length, text, length);
    line->length += length;
}

static void append_format(struct json_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append_format(struct json_line *line, const char *format, ...)
{
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    append(line, text, (size_t)length);
}

/* How many bytes the UTF-8 sequence at `at` has; 0 when there is none. */
static size_t utf8_length(const unsigned char *at)
{
    size_t length = *at < 0x80                  ? 1
                    : *at >= 0xC2 && *at < 0xE0 ? 2
                    : *at >= 0xE0 && *at < 0xF0 ? 3
                    : *at >= 0xF0 && *at < 0xF5 ? 4
                                                : 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

static void append_string(struct json_line *line, const char *value)
{
    append(line, "\"", 1);
    for (const unsigned char *at = (const unsigned char *)value; *at;) {
        size_t length = utf8_length(at);
        if (*at == '"' || *at == '\\') {
            char escaped[2] = {'\\', (char)*at};
            append(line, escaped, 2);
        } else if (*at < 32 || *at == 127 || !length) {
            append_format(line, "\\u%04x", *at < 128 ? *at : 0xFFFD);
        } else {
            append(line, (const char *)at, length);
        }
        at += length ? length : 1;
    }
    append(line, "\"", 1);
}

static void member(struct json_line *line, const char *name)
{
    if (!line->first)
        append(line, ", ", 2);
    line->first = false;
    if (name) {
        append_string(line, name);
        append(line, ": ", 2);
    }
}

void json_line_begin(struct json_line *line)
{
    *line = (struct json_line){.first = true};
    append(line, "{", 1);
}

void json_line_text(struct json_line *line, const char *name, const char *value)
{
    member(line, name);
    append_string(line, value);
}

void json_line_integer(struct json_line *line, const char *name, int64_t value)
{
    member(line, name);
    append_format(line, "%lld", (long long)value);
}

void json_line_integer_or_null(struct json_line *line, const char *name, int64_t value)
{
    if (value)
        json_line_integer(line, name, value);
    else
        json_line_null(line, name);
}

void json_line_real(struct json_line *line, const char *name, double value)
{
    member(line, name);
    append_format(line, "%.9g", value);
}

void json_line_null(struct json_line *line, const char *name)
{
    member(line, name);
    append(line, "null", 4);
}

void json_line_pair(struct json_line *line, const char *name, int64_t first, int64_t second)
{
    member(line, name);
    append_format(line, "[%lld, ", (long long)first);
    append_format(line, "%lld]", (long long)second);
}

void json_line_triple(struct json_line *line, const char *name, const uint32_t value[3])
{
    member(line, name);
    append_format(line, "[%u, %u, %u]", value[0], value[1], value[2]);
}

void json_line_open(struct json_line *line, const char *name, char bracket)
{
    member(line, name);
    append(line, &bracket, 1);
    line->first = true;
}

void json_line_close(struct json_line *line, char bracket)
{
    append(line, &bracket, 1);
    line->first = false;
}

void json_line_end(struct json_line *line, FILE *file)
{
    append(line, "}\n", 2);
    if (!line->failed) {
        fwrite(line->text, 1, line->length, file);
        fflush(file);
    }
    free(line->text);
    *line = (struct json_line){0};
}
