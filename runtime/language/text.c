#include "runtime/language/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/language/lexical.h"

/* ---- encodings ---- */

enum { REPLACEMENT = 0xfffd, LOOKED_AT = 4096 };

/* Appends a character as UTF-8: at most three bytes for two of UTF-16, four for four. */
static size_t put(char *to, uint32_t point)
{
    if (point < 0x80) {
        to[0] = (char)point;
        return 1;
    }
    size_t more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    to[0] = (char)(lead[more] | point >> 6 * more);
    for (size_t i = 1; i <= more; i++)
        to[i] = (char)(0x80 | (point >> 6 * (more - i) & 0x3f));
    return more + 1;
}

enum order { NOT_UTF16, LITTLE_ENDIAN_UNITS, BIG_ENDIAN_UNITS };

/* Without a mark, UTF-16 shows itself by its zero bytes: program text is nearly all ASCII, so nearly every second byte is 0. */
static enum order utf16_order(const unsigned char *bytes, size_t count, size_t *mark_bytes)
{
    *mark_bytes = 0;
    if (count >= 2 && bytes[0] == 0xff && bytes[1] == 0xfe) {
        *mark_bytes = 2;
        return count < 4 || bytes[2] || bytes[3] ? LITTLE_ENDIAN_UNITS : NOT_UTF16; /* UTF-32 */
    }
    if (count >= 2 && bytes[0] == 0xfe && bytes[1] == 0xff) {
        *mark_bytes = 2;
        return BIG_ENDIAN_UNITS;
    }
    size_t zeros[2] = {0, 0}, looked_at = count < LOOKED_AT ? count & ~(size_t)1 : LOOKED_AT;
    for (size_t i = 0; i < looked_at; i++)
        zeros[i & 1] += bytes[i] == 0;
    size_t units = looked_at / 2;
    for (int odd = 0; odd < 2 && units >= 4; odd++)
        if (zeros[odd] >= units - units / 10 && zeros[!odd] == 0)
            return odd ? LITTLE_ENDIAN_UNITS : BIG_ENDIAN_UNITS;
    return NOT_UTF16;
}

static uint32_t unit(const unsigned char *bytes, enum order order)
{
    return order == LITTLE_ENDIAN_UNITS ? (uint32_t)(bytes[0] | bytes[1] << 8) : (uint32_t)(bytes[0] << 8 | bytes[1]);
}

static size_t from_utf16(const unsigned char *bytes, size_t count, enum order order, char *to)
{
    size_t used = 0;
    for (size_t at = 0; at + 1 < count; at += 2) {
        uint32_t point = unit(bytes + at, order);
        uint32_t low = at + 3 < count ? unit(bytes + at + 2, order) : 0;
        if (point >= 0xd800 && point < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
            point = 0x10000 + ((point - 0xd800) << 10 | (low - 0xdc00));
            at += 2;
        } else if (point >= 0xd800 && point < 0xe000) {
            point = REPLACEMENT;
        }
        used += put(to + used, point);
    }
    return used;
}

/* Bytes of the well-formed UTF-8 character (Unicode, table 3-7) at `at`, which ends in NUL; 0 when it is malformed. The driver
 * reads sources too and brings no library of Unicode along. */
static size_t take_point(const char *at, int32_t *point)
{
    const unsigned char *byte = (const unsigned char *)at;
    size_t more = byte[0] < 0x80 ? 0 : byte[0] >= 0xc2 && byte[0] < 0xe0 ? 1 : (byte[0] & 0xf0) == 0xe0 ? 2 : 3;
    if (byte[0] >= 0x80 && (byte[0] < 0xc2 || byte[0] > 0xf4))
        return 0;
    uint32_t value = more == 0 ? byte[0] : byte[0] & (0x3fu >> more);
    for (size_t i = 1; i <= more; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (byte[i] & 0x3f);
    }
    if ((more == 2 && (value < 0x800 || (value >= 0xd800 && value < 0xe000)))
        || (more == 3 && (value < 0x10000 || value > 0x10ffff)))
        return 0;
    *point = (int32_t)value;
    return more + 1;
}

/* Bytes 0x80 .. 0x9f of Windows-1252; from 0xa0 on it is Latin-1. */
static uint32_t from_windows(unsigned char byte)
{
    static const uint16_t points[32] = {
        0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178,
    };
    return byte >= 0x80 && byte < 0xa0 ? points[byte - 0x80] : byte;
}

/* ---- characters ---- */

static bool is_blank(int32_t point)
{
    static const int32_t points[] = {
#define BLANK(point) point,
#define WIDTHLESS(point)
#define LOOKALIKE(point, name, type)
#include "runtime/language/characters.def"
#undef BLANK
#undef WIDTHLESS
    };
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (points[i] == point)
            return true;
    return false;
}

static bool is_widthless(int32_t point)
{
    static const int32_t points[] = {
#define BLANK(point)
#define WIDTHLESS(point) point,
#include "runtime/language/characters.def"
#undef BLANK
#undef WIDTHLESS
#undef LOOKALIKE
    };
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (points[i] == point)
            return true;
    return false;
}

bool text_find_lookalike(int32_t point, struct text_lookalike *lookalike, char storage[2])
{
    static const struct {
        int32_t point;
        struct text_lookalike lookalike;
    } rows[] = {
#define BLANK(point)
#define WIDTHLESS(point)
#define LOOKALIKE(point, name, type) {point, {name, type}},
#include "runtime/language/characters.def"
#undef BLANK
#undef WIDTHLESS
#undef LOOKALIKE
    };
    if (point > 0xff00 && point <= 0xff5e) {
        storage[0] = (char)(point - 0xff00 + 0x20);
        storage[1] = '\0';
        *lookalike = (struct text_lookalike){"a full-width character", storage};
        return true;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].point == point) {
            *lookalike = rows[i].lookalike;
            return true;
        }
    return false;
}

/* ---- program text ---- */

struct cleaner {
    const char *at;
    char *to; /* has room: a byte becomes three at most */
};

static void copy(struct cleaner *cleaner, const char *end)
{
    size_t bytes = (size_t)(end - cleaner->at);
    memmove(cleaner->to, cleaner->at, bytes);
    cleaner->to += bytes;
    cleaner->at = end;
}

/* One character outside of literals, which is not ASCII. */
static void clean_character(struct cleaner *cleaner)
{
    int32_t point;
    size_t taken = take_point(cleaner->at, &point);
    if (taken == 0) {
        point = (int32_t)from_windows((unsigned char)*cleaner->at);
        taken = 1;
    }
    cleaner->at += taken;
    if (is_blank(point))
        *cleaner->to++ = ' ';
    else if (!is_widthless(point))
        cleaner->to += put(cleaner->to, (uint32_t)point);
}

static void clean_until(struct cleaner *cleaner, const char *stop)
{
    while (cleaner->at < stop)
        if ((unsigned char)*cleaner->at < 128)
            *cleaner->to++ = *cleaner->at++;
        else
            clean_character(cleaner);
}

static const char *end_of_comment(const char *at)
{
    if (at[1] == '*') {
        const char *close = strstr(at + 2, "*/");
        return close ? close + 2 : at + strlen(at);
    }
    while (*at && *at != '\n') {
        size_t more = lexical_spliced(at);
        at += more ? more : 1;
    }
    return at;
}

/* ASCII alone: a no-break space ends a word. */
static const char *end_of_word(const char *at)
{
    bool number = isdigit((unsigned char)*at);
    for (; (unsigned char)*at < 128 && (isalnum((unsigned char)*at) || *at == '_'); at++)
        at += number && at[1] == '\'' && (unsigned char)at[2] < 128 && isalnum((unsigned char)at[2]);
    return at;
}

/* Writes the text [at, end), in which zero bytes are the ends of what the lexical functions see. */
static char *clean(const char *at, const char *end, char *to)
{
    struct cleaner cleaner = {at, to};
    while (cleaner.at < end) {
        const char *here = cleaner.at;
        if (*here == '/' && (here[1] == '/' || here[1] == '*')) {
            clean_until(&cleaner, end_of_comment(here));
        } else if (*here == '"' || *here == '\'') {
            copy(&cleaner, lexical_end_of_literal(here));
        } else if ((unsigned char)*here < 128 && (isalnum((unsigned char)*here) || *here == '_')) {
            copy(&cleaner, end_of_word(here));
            if (lexical_is_raw(here, cleaner.at))
                copy(&cleaner, lexical_end_of_raw(cleaner.at));
        } else {
            clean_until(&cleaner, here + 1);
        }
    }
    return cleaner.to;
}

char *text_read(const char *bytes, size_t count, size_t *text_bytes)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t mark_bytes = 0, length = 0;
    if (count > SIZE_MAX / 4 - 4)
        return NULL;
    enum order order = utf16_order((const unsigned char *)bytes, count, &mark_bytes);
    char *raw = malloc(2 * count + 4), *text = malloc(3 * (2 * count + 4));
    if (raw && text) {
        if (order != NOT_UTF16) {
            length = from_utf16((const unsigned char *)bytes + mark_bytes, count - mark_bytes, order, raw);
        } else {
            memcpy(raw, bytes, count);
            length = count;
        }
        raw[length] = '\0';
        size_t skipped = length >= 3 && memcmp(raw, mark, 3) == 0 ? 3 : 0;
        for (size_t i = 0; i < length; i++)
            if (raw[i] == '\r' && raw[i + 1] != '\n')
                raw[i] = '\n';
        char *stop = clean(raw + skipped, raw + length, text);
        *stop = '\0';
        *text_bytes = (size_t)(stop - text);
        free(raw);
        return text;
    }
    free(raw);
    free(text);
    return NULL;
}
