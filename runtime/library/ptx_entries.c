#include "runtime/library/ptx_entries.h"

#include <stdlib.h>
#include <string.h>

struct cursor {
    const char *at, *end;
};

struct token {
    const char *start;
    size_t length; /* 0 at the end */
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%'
           || c == '.';
}

static const char *find(const char *from, const char *end, const char *what)
{
    size_t length = strlen(what);
    const char *found = memmem(from, (size_t)(end - from), what, length);
    return found ? found + length : end;
}

/* The next word or punctuation mark, comments and strings skipped. */
static struct token next(struct cursor *cursor)
{
    while (cursor->at < cursor->end) {
        char c = *cursor->at;
        char after = cursor->at + 1 < cursor->end ? cursor->at[1] : '\0';
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            cursor->at++;
        } else if (c == '/' && after == '/') {
            cursor->at = find(cursor->at, cursor->end, "\n");
        } else if (c == '/' && after == '*') {
            cursor->at = find(cursor->at + 2, cursor->end, "*/");
        } else if (c == '"') {
            cursor->at = find(cursor->at + 1, cursor->end, "\"");
        } else {
            struct token token = {cursor->at, 1};
            while (is_word(c) && cursor->at + token.length < cursor->end && is_word(cursor->at[token.length]))
                token.length++;
            cursor->at += token.length;
            return token;
        }
    }
    return (struct token){cursor->end, 0};
}

static bool is(struct token token, const char *text)
{
    return token.length == strlen(text) && memcmp(token.start, text, token.length) == 0;
}

/* A decimal number up to 2^24; 0 for anything else. */
static size_t number(struct token token)
{
    size_t value = 0;
    for (size_t at = 0; at < token.length; at++) {
        if (token.start[at] < '0' || token.start[at] > '9' || value > (1u << 24))
            return 0;
        value = 10 * value + (size_t)(token.start[at] - '0');
    }
    return value;
}

static size_t type_bytes(struct token token)
{
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {
        {".b8", 1},    {".u8", 1},     {".s8", 1},         {".b16", 2},     {".u16", 2}, {".s16", 2},
        {".f16", 2},   {".bf16", 2},   {".b32", 4},        {".u32", 4},     {".s32", 4}, {".f32", 4},
        {".f16x2", 4}, {".bf16x2", 4}, {".b64", 8},        {".u64", 8},     {".s64", 8}, {".f64", 8},
        {".b128", 16}, {".texref", 8}, {".samplerref", 8}, {".surfref", 8},
    };
    for (size_t at = 0; at < sizeof types / sizeof types[0]; at++)
        if (is(token, types[at].name))
            return types[at].bytes;
    return 0;
}

/* One parameter: ".param .align 8 .b8 name[16]" up to ',' or ')'. Returns its size; 0 when it is not understood. */
static size_t scan_parameter(struct cursor *cursor, struct token *last)
{
    size_t element_bytes = 0, count = 1;
    struct token token = next(cursor);
    while (token.length > 0 && !is(token, ",") && !is(token, ")")) {
        if (element_bytes == 0)
            element_bytes = type_bytes(token);
        if (is(token, "["))
            count = number(next(cursor));
        token = next(cursor);
    }
    *last = token;
    return element_bytes * count;
}

static void scan_parameters(struct cursor *cursor, struct ptx_entry *entry)
{
    struct cursor start = *cursor;
    entry->parameter_count = 0;
    if (!is(next(cursor), "(")) {
        *cursor = start;
        return;
    }
    start = *cursor;
    if (is(next(cursor), ")"))
        return;
    *cursor = start;
    for (;;) {
        struct token last;
        size_t bytes = scan_parameter(cursor, &last);
        if (bytes == 0 || entry->parameter_count == PTX_MAX_PARAMETERS || last.length == 0) {
            entry->parameter_count = -1;
            return;
        }
        entry->parameter_bytes[entry->parameter_count++] = bytes;
        if (is(last, ")"))
            return;
    }
}

/* The word as a string; NULL when out of memory. The text need not end in NUL, which checkers of strndup may demand. */
static char *copy_word(struct token word)
{
    char *copy = malloc(word.length + 1);
    if (copy) {
        memcpy(copy, word.start, word.length);
        copy[word.length] = '\0';
    }
    return copy;
}

bool ptx_entries_scan(const char *ptx, size_t bytes, struct ptx_entries *found)
{
    const char *zero = memchr(ptx, '\0', bytes);
    struct cursor cursor = {ptx, zero ? zero : ptx + bytes};
    *found = (struct ptx_entries){NULL, 0};
    for (struct token token = next(&cursor); token.length > 0; token = next(&cursor)) {
        if (!is(token, ".entry"))
            continue;
        struct token name = next(&cursor);
        if (name.length == 0 || !is_word(*name.start))
            continue;
        struct ptx_entry *grown = realloc(found->entries, (found->count + 1) * sizeof *grown);
        if (grown)
            found->entries = grown;
        char *copy = grown ? copy_word(name) : NULL;
        if (!copy) {
            ptx_entries_clear(found);
            return false;
        }
        struct ptx_entry *entry = &found->entries[found->count++];
        *entry = (struct ptx_entry){.name = copy};
        scan_parameters(&cursor, entry);
    }
    return true;
}

void ptx_entries_clear(struct ptx_entries *found)
{
    for (size_t at = 0; at < found->count; at++)
        free(found->entries[at].name);
    free(found->entries);
    *found = (struct ptx_entries){NULL, 0};
}

const char *ptx_entry_source_name(const char *name, size_t *length)
{
    *length = strlen(name);
    if (strncmp(name, "_Z", 2) != 0 || name[2] < '1' || name[2] > '9')
        return name;
    size_t digits = strspn(name + 2, "0123456789");
    size_t count = digits < 6 ? (size_t)atoi(name + 2) : *length;
    if (2 + digits + count > *length)
        return name;
    *length = count;
    return name + 2 + digits;
}

const struct ptx_entry *ptx_entries_find(const struct ptx_entries *found, const char *name, bool *ambiguous)
{
    const struct ptx_entry *match = NULL;
    *ambiguous = false;
    for (size_t at = 0; at < found->count; at++)
        if (strcmp(found->entries[at].name, name) == 0)
            return &found->entries[at];
    for (size_t at = 0; at < found->count; at++) {
        size_t length;
        const char *source_name = ptx_entry_source_name(found->entries[at].name, &length);
        if (length != strlen(name) || memcmp(source_name, name, length) != 0)
            continue;
        *ambiguous |= match != NULL;
        match = &found->entries[at];
    }
    return *ambiguous ? NULL : match;
}
