#include "grader/class/moment_any.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "grader/class/moment.h"

static const char shape[] = "not a time that this program knows; write it as 2026-10-05 23:59 or 2026-10-05T23:59:00+02:00";
static const char ambiguous[] = "day or month first? Add date_order to the course file: day_first or month_first";

static const char *const months[] = {"january", "february", "march",     "april",   "may",      "june",
                                     "july",    "august",   "september", "october", "november", "december"};
static const char *const days[] = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};

/* A text while it is taken apart; -1: not there yet. */
struct parts {
    int year, month, day, hour, minute, second;
    char offset[16];
    enum moment_order order;
};

/* Number of the name that the word is, or is the first three letters or more of; -1: none. */
static int find_name(const char *word, size_t length, const char *const *names, int count)
{
    for (int i = 0; i < count && length >= 3; i++)
        if (length <= strlen(names[i]) && strncasecmp(word, names[i], length) == 0)
            return i;
    return -1;
}

/* The text with one blank for each run of blanks and commas, also for those that do not break. Returns false when it is too
 * long. */
static bool simplify(const char *text, char *plain, size_t plain_bytes)
{
    size_t used = 0;
    while (*text != '\0') {
        size_t blank = strncmp(text, "\xc2\xa0", 2) == 0                                ? 2
                       : strncmp(text, "\xe2\x80\xaf", 3) == 0                          ? 3
                       : *text == ' ' || *text == ',' || *text == '\t' || *text == '\n' ? 1
                                                                                        : 0;
        if (used + 1 >= plain_bytes)
            return false;
        if (blank == 0)
            plain[used++] = *text++;
        else if (used > 0 && plain[used - 1] != ' ')
            plain[used++] = ' ';
        text += blank;
    }
    while (used > 0 && plain[used - 1] == ' ')
        used--;
    plain[used] = '\0';
    return true;
}

/* Takes "21:13:22.000000000" or "21:13" off. Returns what follows; NULL: not that. */
static const char *take_clock(const char *at, struct parts *parts)
{
    int used = 0;
    parts->second = 0;
    if (parts->hour >= 0 || sscanf(at, "%2d:%2d%n", &parts->hour, &parts->minute, &used) != 2 || used < 4)
        return NULL;
    at += used;
    if (*at == ':' && isdigit((unsigned char)at[1]) && isdigit((unsigned char)at[2])) {
        parts->second = (at[1] - '0') * 10 + (at[2] - '0');
        at += 3;
        if (*at == '.')
            at += 1 + strspn(at + 1, "0123456789");
    }
    return at;
}

/* "10/26/2026", "26.10.2026" */
static const char *take_slashed(const char *at, struct parts *parts, const char **why)
{
    int first, second, used = 0;
    char between, again;
    if (parts->year >= 0 || parts->day >= 0 || parts->month >= 0
        || sscanf(at, "%2d%c%2d%c%4d%n", &first, &between, &second, &again, &parts->year, &used) != 5 || between != again
        || (between != '/' && between != '.') || isdigit((unsigned char)at[used]))
        return NULL;
    bool day_first = between == '.' || first > 12 || (second <= 12 && parts->order == MOMENT_DAY_FIRST);
    if (between == '/' && first <= 12 && second <= 12 && first != second && parts->order == MOMENT_NO_ORDER)
        *why = ambiguous;
    parts->day = day_first ? first : second;
    parts->month = day_first ? second : first;
    if (parts->year < 100)
        return NULL;
    return at + used;
}

/* "2026-10-14", "2026", "14" */
static const char *take_number(const char *at, struct parts *parts)
{
    size_t digits = strspn(at, "0123456789");
    int used = 0, value = 0;
    if (digits == 4 && at[4] == '-') {
        if (parts->year >= 0 || sscanf(at, "%4d-%2d-%2d%n", &parts->year, &parts->month, &parts->day, &used) != 3)
            return NULL;
        return at + used;
    }
    if (sscanf(at, "%4d", &value) != 1)
        return NULL;
    if (digits == 4 && parts->year < 0)
        parts->year = value;
    else if (digits <= 2 && digits > 0 && parts->day < 0)
        parts->day = value;
    else
        return NULL;
    return at + digits;
}

static bool is_word(const char *word, size_t length, const char *wanted)
{
    return length == strlen(wanted) && strncasecmp(word, wanted, length) == 0;
}

/* A day's or a month's name, AM, PM, UTC. */
static const char *take_word(const char *at, struct parts *parts)
{
    size_t length = 0;
    while (isalpha((unsigned char)at[length]) || (at[length] == '.' && length > 0))
        length++;
    size_t bare = length > 0 && at[length - 1] == '.' ? length - 1 : length;
    int month = find_name(at, bare, months, 12);
    bool is_am = is_word(at, length, "am") || is_word(at, length, "a.m."),
         is_pm = is_word(at, length, "pm") || is_word(at, length, "p.m.");
    if (month >= 0 && parts->month < 0) {
        parts->month = month + 1;
    } else if (is_am || is_pm) {
        if (parts->hour < 1 || parts->hour > 12)
            return NULL;
        parts->hour = parts->hour % 12 + (is_pm ? 12 : 0);
    } else if (is_word(at, length, "utc") || is_word(at, length, "gmt") || is_word(at, length, "z")) {
        strcpy(parts->offset, "Z");
    } else if (!is_word(at, length, "at") && find_name(at, bare, days, 7) < 0) {
        return NULL;
    }
    return length > 0 ? at + length : NULL;
}

static const char *take_offset(const char *at, struct parts *parts)
{
    size_t length = strspn(at + 1, "0123456789:") + 1;
    if (parts->hour < 0 || parts->offset[0] != '\0' || length >= sizeof parts->offset)
        return NULL;
    memcpy(parts->offset, at, length);
    return at + length;
}

static const char *take_part(const char *at, struct parts *parts, const char **why)
{
    size_t digits = strspn(at, "0123456789");
    if (*at == ' ')
        return at + 1;
    if ((*at == 'T' || *at == 't') && isdigit((unsigned char)at[1]) && parts->day >= 0)
        return at + 1;
    if ((*at == '+' || *at == '-') && digits == 0)
        return take_offset(at, parts);
    if (digits == 0)
        return take_word(at, parts);
    if (at[digits] == ':')
        return take_clock(at, parts);
    if (at[digits] == '/' || (at[digits] == '.' && isdigit((unsigned char)at[digits + 1])))
        return take_slashed(at, parts, why);
    return take_number(at, parts);
}

const char *moment_read_any(const char *text, const char *zone, enum moment_order order, int64_t *utc)
{
    char plain[100], iso[120];
    struct parts parts = {-1, -1, -1, -1, -1, -1, "", order};
    const char *why = NULL;
    if (!simplify(text, plain, sizeof plain))
        return shape;
    for (const char *at = plain; *at != '\0';)
        if (!(at = take_part(at, &parts, &why)))
            return shape;
    if (parts.year < 0 || parts.month < 0 || parts.day < 0)
        return shape;
    if (why)
        return why;
    snprintf(iso, sizeof iso, "%04d-%02d-%02d", parts.year, parts.month, parts.day);
    if (parts.hour >= 0)
        snprintf(iso + strlen(iso), sizeof iso - strlen(iso), " %02d:%02d:%02d%s", parts.hour, parts.minute, parts.second,
                 parts.offset);
    return moment_read(iso, zone, utc);
}

bool moment_is_ambiguous(const char *why)
{
    return why == ambiguous;
}
