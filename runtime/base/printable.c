#include "runtime/base/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Length of the well-formed UTF-8 sequence at text, its code point in *point; 0 when it is malformed. */
static size_t decode(const unsigned char *text, size_t bytes, uint32_t *point)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = text[0] >= 0xf0 && text[0] < 0xf5   ? 4
                    : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                    : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                    : text[0] < 0x80                    ? 1
                                                        : 0;
    if (length == 0 || length > bytes)
        return 0;
    uint32_t value = length == 1 ? text[0] : text[0] & (0x7fu >> length);
    for (size_t at = 1; at < length; at++) {
        if ((text[at] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (text[at] & 0x3f);
    }
    if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return 0;
    *point = value;
    return length;
}

/* Control characters, and those that change direction or have no width: they can make a line look different from what it
 * says. */
static bool is_printable(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},        {0x61c, 0x61c},   {0x180e, 0x180e},
        {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},    {0xe000, 0xf8ff}, {0xfe00, 0xfe0f},
        {0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0xe0000, 0x10ffff},
    };
    for (size_t at = 0; at < sizeof hidden / sizeof hidden[0]; at++)
        if (point >= hidden[at].first && point <= hidden[at].last)
            return false;
    return true;
}

size_t printable_append(char *target, size_t target_bytes, const char *text, size_t bytes)
{
    static const char cut[] = "...";
    size_t length = strlen(target);
    size_t fits = length; /* a cut here leaves room for "..." */
    for (size_t at = 0; at < bytes;) {
        char piece[8];
        size_t piece_bytes;
        uint32_t point = 0;
        size_t taken = decode((const unsigned char *)text + at, bytes - at, &point);
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
