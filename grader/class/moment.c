#include "grader/class/moment.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/allocate.h"

#define ZONES "/usr/share/zoneinfo"

bool moment_is_zone(const char *zone)
{
    if (strcmp(zone, "UTC") == 0)
        return true;
    if (zone[0] == '\0' || zone[0] == '/' || strstr(zone, "..") || strlen(zone) > 100)
        return false;
    char *path = allocate_format("%s/%s", ZONES, zone);
    char magic[4] = "";
    FILE *file = fopen(path, "re");
    bool known = file && fread(magic, 1, 4, file) == 4 && memcmp(magic, "TZif", 4) == 0;
    if (file)
        fclose(file);
    free(path);
    return known;
}

/* Exactly `digits` digits. Returns what follows, NULL when they are not there. */
static const char *take_digits(const char *text, int digits, int *value)
{
    *value = 0;
    for (int i = 0; i < digits; i++, text++) {
        if (!isdigit((unsigned char)*text))
            return NULL;
        *value = 10 * *value + (*text - '0');
    }
    return text;
}

/* "HH:MM" or "HH:MM:SS" */
static const char *take_time(const char *text, struct tm *fields)
{
    text = take_digits(text, 2, &fields->tm_hour);
    if (!text || *text != ':' || !(text = take_digits(text + 1, 2, &fields->tm_min)))
        return NULL;
    return *text == ':' ? take_digits(text + 1, 2, &fields->tm_sec) : text;
}

/* "Z", "+02:00", "+0200", "-05" */
static const char *take_offset(const char *text, int *seconds)
{
    int hours, minutes = 0, sign = *text == '-' ? -1 : 1;
    *seconds = 0;
    if (*text == 'Z' || *text == 'z')
        return text + 1;
    if (*text != '+' && *text != '-')
        return NULL;
    if (!(text = take_digits(text + 1, 2, &hours)))
        return NULL;
    if (*text != '\0' && !(text = take_digits(text + (*text == ':'), 2, &minutes)))
        return NULL;
    *seconds = sign * (hours * 3600 + minutes * 60);
    return hours <= 14 && minutes < 60 ? text : NULL;
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* mktime reads the zone from the environment, which nothing else here may notice. */
struct zone_change {
    char *before;
};

static void enter_zone(struct zone_change *change, const char *zone)
{
    const char *now = getenv("TZ");
    change->before = now ? strdup(now) : NULL;
    char *value = strcmp(zone, "UTC") == 0 ? allocate_format("UTC0") : allocate_format(":%s/%s", ZONES, zone);
    setenv("TZ", value, 1);
    free(value);
    tzset();
}

static void leave_zone(struct zone_change *change)
{
    if (change->before)
        setenv("TZ", change->before, 1);
    else
        unsetenv("TZ");
    free(change->before);
    tzset();
}

/* The moment at which clocks show the fields when summer time is (1) or is not (0) in force. Returns whether there is
 * one. */
static bool find_moment(struct tm fields, int summer, int64_t *utc)
{
    struct tm wanted = fields;
    fields.tm_isdst = summer;
    time_t moment = mktime(&fields);
    *utc = moment;
    return fields.tm_isdst == summer && fields.tm_hour == wanted.tm_hour && fields.tm_min == wanted.tm_min
           && fields.tm_mday == wanted.tm_mday;
}

/* Zones also change for other reasons than summer time; then mktime's own choice holds, when clocks showed it. */
static const char *resolve(const struct tm *fields, const char *zone, int64_t *utc)
{
    struct zone_change change;
    int64_t winter, summer, any;
    struct tm free_choice = *fields;
    enter_zone(&change, zone);
    bool in_winter = find_moment(*fields, 0, &winter), in_summer = find_moment(*fields, 1, &summer);
    free_choice.tm_isdst = -1;
    any = mktime(&free_choice);
    leave_zone(&change);
    if (in_winter && in_summer && winter != summer)
        return "clocks show that hour twice that night; add an offset, such as +01:00";
    *utc = in_winter ? winter : in_summer ? summer : any;
    if (!in_winter && !in_summer && (free_choice.tm_hour != fields->tm_hour || free_choice.tm_min != fields->tm_min))
        return "clocks skip that hour that night";
    return NULL;
}

const char *moment_read(const char *text, const char *zone, int64_t *utc)
{
    static const char shape[] = "not a date; write 2026-10-05, 2026-10-05 23:59 or 2026-10-05T23:59:00+02:00";
    struct tm fields = {.tm_hour = 23, .tm_min = 59, .tm_sec = 59};
    int year, month, day, offset;
    const char *at = take_digits(text, 4, &year);
    if (!at || *at != '-' || !(at = take_digits(at + 1, 2, &month)) || *at != '-' || !(at = take_digits(at + 1, 2, &day)))
        return shape;
    if (month < 1 || month > 12 || day < 1 || day > days_in(year, month))
        return "there is no such day";
    if (year < 2000 || year > 2199)
        return "the year must be from 2000 to 2199";
    if (*at == 'T' || *at == 't' || *at == ' ') {
        fields.tm_sec = 0;
        at = take_time(at + 1, &fields);
        if (!at)
            return shape;
        if (fields.tm_hour > 23 || fields.tm_min > 59 || fields.tm_sec > 59)
            return "there is no such time; hours go from 00 to 23, minutes and seconds from 00 to 59";
    }
    fields.tm_year = year - 1900;
    fields.tm_mon = month - 1;
    fields.tm_mday = day;
    while (*at == ' ')
        at++;
    if (*at != '\0') {
        at = take_offset(at, &offset);
        if (!at || *at != '\0')
            return shape;
        *utc = timegm(&fields) - offset;
        return NULL;
    }
    if (!zone || zone[0] == '\0')
        return "in which time zone? Add time_zone to the course file (Europe/Berlin), or an offset to the date (+02:00)";
    return resolve(&fields, zone, utc);
}

void moment_write(int64_t utc, char text[MOMENT_TEXT_BYTES])
{
    struct tm fields;
    time_t moment = utc;
    strftime(text, MOMENT_TEXT_BYTES, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&moment, &fields));
}
