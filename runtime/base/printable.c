#include "runtime/base/printable.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <utf8proc.h>

size_t printable_point(const char *text, size_t bytes, int32_t *point)
{
    utf8proc_ssize_t taken = utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)bytes, point);
    return taken > 0 ? (size_t)taken : 0;
}

/* Not so: control characters, those that change direction or join others unseen, line ends of Unicode, and what the standard
 * gives no meaning. They can make a line show what it does not say. */
static bool is_printable(int32_t point)
{
    bool variation = (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef);
    switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return false;
    default: return !variation;
    }
}

int printable_columns(const char *text, size_t bytes)
{
    int columns = 0;
    for (size_t at = 0; at < bytes;) {
        int32_t point;
        size_t taken = printable_point(text + at, bytes - at, &point);
        columns += taken > 0 ? utf8proc_charwidth(point) : 1;
        at += taken > 0 ? taken : 1;
    }
    return columns;
}

size_t printable_append(char *target, size_t target_bytes, const char *text, size_t bytes)
{
    static const char cut[] = "...";
    size_t length = strlen(target);
    size_t fits = length; /* a cut here leaves room for "..." */
    for (size_t at = 0; at < bytes;) {
        char piece[8];
        size_t piece_bytes;
        int32_t point = 0;
        size_t taken = printable_point(text + at, bytes - at, &point);
        if (taken == 1 && point == '\t') {
            piece[0] = ' ';
            piece_bytes = 1;
        } else if (taken > 0 && is_printable(point)) {
            memcpy(piece, text + at, taken);
            piece_bytes = taken;
        } else {
            taken = 1;
            piece_bytes = (size_t)snprintf(piece, sizeof piece, "\\x%02x", (unsigned char)text[at]);
        }
        if (length + piece_bytes + 1 > target_bytes) {
            if (fits + sizeof cut <= target_bytes) {
                memcpy(target + fits, cut, sizeof cut);
                return fits + sizeof cut - 1;
            }
            break;
        }
        memcpy(target + length, piece, piece_bytes);
        length += piece_bytes;
        if (length + sizeof cut <= target_bytes)
            fits = length;
        at += taken;
    }
    target[length] = '\0';
    return length;
}
