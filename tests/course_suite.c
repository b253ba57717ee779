/* Course files, times, lateness, tables: what a class's scores depend on besides the gradings. */
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/class/class.h"
#include "grader/class/course.h"
#include "grader/class/csv.h"
#include "grader/class/late.h"
#include "grader/class/moment.h"
#include "grader/class/moment_any.h"
#include "grader/lab/labs.h"

static char folder[SUPPORT_PATH_BYTES];

static int make_folder(void)
{
    return support_temporary_directory(folder) ? 0 : 1;
}

static int remove_folder(void)
{
    support_remove_tree(folder);
    return 0;
}

/* ---- moments ------------------------------------------------------------------------------------------------------ */

static void is_moment(const char *text, const char *zone, const char *utc)
{
    int64_t moment = 0;
    char shown[MOMENT_TEXT_BYTES];
    const char *why = moment_read(text, zone, &moment);
    moment_write(moment, shown);
    if (why || strcmp(shown, utc) != 0)
        fprintf(stderr, "%s in %s: %s, not %s\n", text, zone, why ? why : shown, utc);
    CU_ASSERT(!why && strcmp(shown, utc) == 0);
}

static void is_no_moment(const char *text, const char *zone, const char *part)
{
    int64_t moment;
    const char *why = moment_read(text, zone, &moment);
    CU_ASSERT_PTR_NOT_NULL_FATAL(why);
    SUPPORT_CONTAINS(why, part);
}

static void moments_follow_zones_and_offsets(void)
{
    is_moment("2026-10-05 23:59", "Europe/Berlin", "2026-10-05T21:59:00Z");
    is_moment("2026-12-05 23:59", "Europe/Berlin", "2026-12-05T22:59:00Z");
    is_moment("2026-12-05", "Europe/Berlin", "2026-12-05T22:59:59Z");
    is_moment("2026-12-05", "America/New_York", "2026-12-06T04:59:59Z");
    is_moment("2026-07-01T12:30:15", "Asia/Kolkata", "2026-07-01T07:00:15Z");
    is_moment("2026-10-05T23:59:00+02:00", "America/New_York", "2026-10-05T21:59:00Z");
    is_moment("2026-10-05 23:59 -0530", NULL, "2026-10-06T05:29:00Z");
    is_moment("2028-02-29T00:00Z", "", "2028-02-29T00:00:00Z");
    is_moment("2026-12-31T23:59:59", "UTC", "2026-12-31T23:59:59Z");
}

static void hours_around_a_change_of_clocks_are_exact(void)
{
    /* Berlin: 2026-03-29 02:00 becomes 03:00, 2026-10-25 03:00 becomes 02:00. */
    is_moment("2026-03-29 01:59:59", "Europe/Berlin", "2026-03-29T00:59:59Z");
    is_no_moment("2026-03-29 02:30", "Europe/Berlin", "skip that hour");
    is_moment("2026-03-29 03:00", "Europe/Berlin", "2026-03-29T01:00:00Z");
    is_moment("2026-10-25 01:59:59", "Europe/Berlin", "2026-10-24T23:59:59Z");
    is_no_moment("2026-10-25 02:30", "Europe/Berlin", "twice");
    is_moment("2026-10-25 02:30+02:00", "Europe/Berlin", "2026-10-25T00:30:00Z");
    is_moment("2026-10-25 03:00", "Europe/Berlin", "2026-10-25T02:00:00Z");
}

static void refuses_what_is_no_date(void)
{
    is_no_moment("2026-02-29", "UTC", "no such day");
    is_no_moment("2026-13-01", "UTC", "no such day");
    is_no_moment("2026-00-10", "UTC", "no such day");
    is_no_moment("2026-01-32", "UTC", "no such day");
    is_no_moment("2026-01-01 24:00", "UTC", "no such time");
    is_no_moment("2026-01-01 12:60", "UTC", "no such time");
    is_no_moment("1999-01-01", "UTC", "year");
    is_no_moment("5.10.2026", "UTC", "not a date");
    is_no_moment("tomorrow", "UTC", "not a date");
    is_no_moment("2026-01-01 12:00 CET", "UTC", "not a date");
    is_no_moment("2026-01-01T12:00+25:00", "UTC", "not a date");
    is_no_moment("2026-01-01 12:00", "", "time zone");
    is_no_moment("", "UTC", "not a date");
}

/* Times as learning systems and spreadsheets write them, in Berlin. */
static void reads_times_of_learning_systems(void)
{
    static const struct {
        const char *text, *utc;
        enum moment_order order;
    } rows[] = {
        {"2026-10-14 21:13:22.000000000 Z", "2026-10-14T21:13:22Z", MOMENT_NO_ORDER},
        {"2026-10-14T21:13:22.123Z", "2026-10-14T21:13:22Z", MOMENT_NO_ORDER},
        {"2026-10-14 14:13:22 -0700", "2026-10-14T21:13:22Z", MOMENT_NO_ORDER},
        {"2026-10-14 21:13:22 UTC", "2026-10-14T21:13:22Z", MOMENT_NO_ORDER},
        {"2026-10-14", "2026-10-14T21:59:59Z", MOMENT_NO_ORDER},
        {"Tuesday, 13 October 2026, 11:58 PM", "2026-10-13T21:58:00Z", MOMENT_NO_ORDER},
        {"Tuesday, October 13, 2026, 11:58\xe2\x80\xafPM", "2026-10-13T21:58:00Z", MOMENT_NO_ORDER},
        {"Tue 13 Oct. 2026 12:05 am", "2026-10-12T22:05:00Z", MOMENT_NO_ORDER},
        {"Oct 13, 2026 at 12:05 p.m.", "2026-10-13T10:05:00Z", MOMENT_NO_ORDER},
        {"10/26/2026 17:00", "2026-10-26T16:00:00Z", MOMENT_NO_ORDER},
        {"26/10/2026 5:00 PM", "2026-10-26T16:00:00Z", MOMENT_NO_ORDER},
        {"26.10.2026 17:00", "2026-10-26T16:00:00Z", MOMENT_NO_ORDER},
        {"5.10.2026 9:00", "2026-10-05T07:00:00Z", MOMENT_NO_ORDER},
        {"10/10/2026 12:00", "2026-10-10T10:00:00Z", MOMENT_NO_ORDER},
        {"10/11/2026 12:00", "2026-11-10T11:00:00Z", MOMENT_DAY_FIRST},
        {"10/11/2026 12:00", "2026-10-11T10:00:00Z", MOMENT_MONTH_FIRST},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        int64_t moment = 0;
        char shown[MOMENT_TEXT_BYTES];
        const char *why = moment_read_any(rows[i].text, "Europe/Berlin", rows[i].order, &moment);
        moment_write(moment, shown);
        if (why || strcmp(shown, rows[i].utc) != 0)
            fprintf(stderr, "%s: %s, not %s\n", rows[i].text, why ? why : shown, rows[i].utc);
        CU_ASSERT(!why && strcmp(shown, rows[i].utc) == 0);
    }
}

static void refuses_times_that_could_be_two_or_none(void)
{
    static const struct {
        const char *text, *part;
        enum moment_order order;
    } rows[] = {
        {"10/11/2026 12:00", "day or month first?", MOMENT_NO_ORDER},
        {"13/13/2026", "no such day", MOMENT_NO_ORDER},
        {"2026-02-30 12:00", "no such day", MOMENT_NO_ORDER},
        {"31 November 2026 12:00", "no such day", MOMENT_NO_ORDER},
        {"13 October 2026, 13:58 PM", "not a time", MOMENT_NO_ORDER},
        {"13 October 2026, 0:58 AM", "not a time", MOMENT_NO_ORDER},
        {"13 October 2026 12:00 13 October 2026", "not a time", MOMENT_NO_ORDER},
        {"13 Oktober 2026", "not a time", MOMENT_NO_ORDER},
        {"2026-10-14 12:00 PDT", "not a time", MOMENT_NO_ORDER},
        {"1/2/26", "not a time", MOMENT_NO_ORDER},
        {"October 2026", "not a time", MOMENT_NO_ORDER},
        {"", "not a time", MOMENT_NO_ORDER},
        {"-", "not a time", MOMENT_NO_ORDER},
        {"20261014", "not a time", MOMENT_NO_ORDER},
        {"2026-10-25 02:30", "twice", MOMENT_NO_ORDER},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        int64_t moment = 0;
        const char *why = moment_read_any(rows[i].text, "Europe/Berlin", rows[i].order, &moment);
        if (!why)
            fprintf(stderr, "%s was read\n", rows[i].text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(why);
        SUPPORT_CONTAINS(why, rows[i].part);
        CU_ASSERT_EQUAL(moment_is_ambiguous(why), strcmp(rows[i].part, "day or month first?") == 0);
    }
}

static void leaves_the_environment_as_it_was(void)
{
    int64_t moment;
    setenv("TZ", "Asia/Tokyo", 1);
    CU_ASSERT_PTR_NULL(moment_read("2026-01-01", "Europe/Berlin", &moment));
    CU_ASSERT_STRING_EQUAL(getenv("TZ"), "Asia/Tokyo");
    unsetenv("TZ");
    CU_ASSERT_PTR_NULL(moment_read("2026-01-01", "Europe/Berlin", &moment));
    CU_ASSERT_PTR_NULL(getenv("TZ"));
    CU_ASSERT_FALSE(moment_is_zone("Europe/Nowhere"));
    CU_ASSERT_FALSE(moment_is_zone("../../../etc/passwd"));
}

/* ---- course files ------------------------------------------------------------------------------------------------- */

/* Reads the text as a course file. Returns the errors, owned by the caller. */
static char *read_course(const char *text, struct course *course, int *count)
{
    char path[SUPPORT_PATH_BYTES];
    char *errors = NULL;
    size_t bytes;
    support_write_text(support_join(path, folder, "course.yaml"), text);
    FILE *file = open_memstream(&errors, &bytes);
    *count = course_read(path, course, file);
    fclose(file);
    return errors;
}

static void reads_every_key(void)
{
    struct course course;
    int count;
    char *errors = read_course("# a course\n"
                               "labs:\n"
                               "  scan: {weight: 2.5, due: 2026-10-26 23:59}\n"
                               "  doublify:\n"
                               "    due: '2026-10-05T12:00:00Z'\n"
                               "  pi:\n"
                               "time_zone: Europe/Berlin\n"
                               "title: \"GPU: 2026\"\n"
                               "roster: lists/roster.csv\n"
                               "timestamps: /absolute/times.csv\n"
                               "hidden_seed_file: ../seed\n"
                               "drop_lowest: 1\n"
                               "late: {grace_minutes: 15, percent_per_day: 7.25, cap_percent: 50, times: [mtime, "
                               "timestamps]}\n"
                               "limits: {files: 10, depth: 3}\n",
                               &course, &count);
    char expected[SUPPORT_PATH_BYTES];
    CU_ASSERT_EQUAL(count, 0);
    CU_ASSERT_STRING_EQUAL(errors, "");
    CU_ASSERT_STRING_EQUAL(course.title, "GPU: 2026");
    CU_ASSERT_STRING_EQUAL(course.roster, support_join(expected, folder, "lists/roster.csv"));
    CU_ASSERT_STRING_EQUAL(course.timestamps, "/absolute/times.csv");
    CU_ASSERT_STRING_EQUAL(course.hidden_seed_file, support_join(expected, folder, "../seed"));
    CU_ASSERT_EQUAL_FATAL(course.lab_count, 3);
    CU_ASSERT_PTR_EQUAL(course.labs[0].lab, labs_find("scan"));
    CU_ASSERT_EQUAL(course.labs[0].weight, 250);
    CU_ASSERT(course.labs[0].has_due);
    CU_ASSERT_EQUAL(course.labs[0].due, 1793055540); /* 2026-10-26T22:59:00Z: winter time already */
    CU_ASSERT_EQUAL(course.labs[1].due, 1791201600);
    CU_ASSERT_EQUAL(course.labs[1].weight, 100);
    CU_ASSERT_FALSE(course.labs[2].has_due);
    CU_ASSERT_EQUAL(course.drop_lowest, 1);
    CU_ASSERT_EQUAL(course.grace_minutes, 15);
    CU_ASSERT_EQUAL(course.percent_per_day, 725);
    CU_ASSERT_EQUAL(course.cap_percent, 5000);
    CU_ASSERT_EQUAL_FATAL(course.time_count, 2);
    CU_ASSERT_EQUAL(course.times[0], COURSE_MTIME);
    CU_ASSERT_EQUAL(course.limit_files, 10);
    CU_ASSERT_EQUAL(course.limit_depth, 3);
    free(errors);
    course_clear(&course);
}

static void an_empty_file_is_the_default(void)
{
    static const char *const texts[] = {"", "# nothing\n", "---\n", "title:\nlabs:\nlate: ~\n"};
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        struct course course;
        int count;
        char *errors = read_course(texts[i], &course, &count);
        CU_ASSERT_EQUAL(count, 0);
        CU_ASSERT_EQUAL(course.lab_count, labs_count());
        CU_ASSERT_EQUAL(course.cap_percent, 10000);
        CU_ASSERT_PTR_NULL(course.title);
        free(errors);
        course_clear(&course);
    }
}

static void mistakes_are_named_with_their_line(void)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"title: a\ntitel: b\n", ":2: unknown key titel. Allowed here: title, time_zone,"},
        {"title: a\n\ntitle: b\n", ":3: title is given twice; the first is on line 1."},
        {"labs:\n  scan:\n    wait: 3\n", ":3: scan: unknown key wait. Allowed here: weight, due."},
        {"labs:\n  raytrace:\n", ":2: labs: raytrace: this version of the kit has no such lab."},
        {"labs:\n  scan:\n  04_scan:\n", ":3: labs: 04_scan: this lab is already listed"},
        {"labs: [scan]\n", ":1: labs: expected keys with values"},
        {"labs:\n  scan: {weight: heavy}\n", ":2: weight: heavy is not valid. Expected: a number from 0 to 1000"},
        {"labs:\n  scan: {weight: -1}\n", ":2: weight: -1 is not valid."},
        {"labs:\n  scan: {weight: 1.234}\n", "with up to two decimals"},
        {"labs:\n  scan: {weight: 1e3}\n", ":2: weight: 1e3 is not valid."},
        {"labs:\n  scan: {weight: nan}\n", ":2: weight: nan is not valid."},
        {"labs:\n  scan: {weight: [1]}\n", ":2: weight: expected one value"},
        {"labs:\n  scan: {due: 2026-02-30 12:00Z}\n", ":2: due: 2026-02-30 12:00Z: there is no such day."},
        {"labs:\n  scan: {due: 2026-02-20}\n", ":2: due: 2026-02-20: in which time zone?"},
        {"time_zone: Europe/Berlin\nlabs:\n  scan: {due: 2026-03-29 02:30}\n", ":3: due: 2026-03-29 02:30: clocks skip"},
        {"time_zone: Mars/Base\n", ":1: time_zone: this system does not know Mars/Base."},
        {"labs:\n  scan:\n  pi:\ndrop_lowest: 2\n", "drop_lowest: 2 of 2 labs would leave none."},
        {"drop_lowest: 1.5\n", ":1: drop_lowest: 1.5 is not valid. Expected: a whole number"},
        {"late:\n  percent_per_days: 10\n", ":2: late: unknown key percent_per_days. Allowed here: grace_minutes,"},
        {"late:\n  percent_per_day: 101\n", ":2: percent_per_day: 101 is not valid."},
        {"late:\n  times: mtime\n", ":2: times: expected a list"},
        {"late:\n  times: [mtime, mtime]\n", ":2: times: expected timestamps, submitted or mtime, each at most once."},
        {"late:\n  times: [git]\n", "each at most once."},
        {"limits: {files: 0}\n", ":1: files: 0 is not valid."},
        {"date_order: american\n", ":1: date_order: american is not valid. Expected: day_first or month_first."},
        {"submissions: best\n", ":1: submissions: best is not possible yet"},
        {"submissions: first\n", ":1: submissions: first is not valid. Expected: last."},
        {"title: ''\n", ":1: title: expected a text of 1 to 200 bytes."},
        {"- a\n- b\n", ":1: the file: expected keys with values"},
        {"title: a\n\tlabs: b\n", ":2: not YAML:"},
        {"title: 'a\n", "not YAML:"},
        {"title: \"\\x1b[31m\"\n? [a, b] : c\n", ":2: a key must be a single word."},
        {"title: a\n---\ntitle: b\n", "a second document begins here"},
        {"a: &a [*a]\n", "unknown key a"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct course course;
        int count;
        char *errors = read_course(rows[i].text, &course, &count);
        CU_ASSERT(count > 0);
        SUPPORT_CONTAINS(errors, rows[i].error);
        CU_ASSERT_PTR_NULL(strchr(errors, '\033'));
        free(errors);
        course_clear(&course);
    }
}

static void all_mistakes_are_named_at_once(void)
{
    struct course course;
    int count;
    char *errors = read_course("titel: a\ndrop_lowest: x\nlate: {cap: 3}\n", &course, &count);
    CU_ASSERT_EQUAL(count, 3);
    SUPPORT_CONTAINS(errors, ":1: ");
    SUPPORT_CONTAINS(errors, ":2: ");
    SUPPORT_CONTAINS(errors, ":3: ");
    free(errors);
    course_clear(&course);
}

/* ---- lateness ----------------------------------------------------------------------------------------------------- */

static struct course_lab due_labs[3];

static struct course course_with(int32_t grace, int32_t percent, int32_t cap)
{
    for (int i = 0; i < 3; i++)
        due_labs[i] = (struct course_lab){.lab = labs_get(i), .weight = 100, .has_due = true, .due = 1000000};
    return (struct course){
        .labs = due_labs, .lab_count = 3, .grace_minutes = grace, .percent_per_day = percent, .cap_percent = cap};
}

static void lateness_is_counted_to_the_second(void)
{
    static const struct {
        int64_t late;
        int64_t days;
        int32_t penalty;
        int final;
    } rows[] = {
        {-1000, 0, 0, 77},
        {0, 0, 0, 77},
        {1, 0, 0, 77},
        {900, 0, 0, 77},
        /* 15 minutes of grace, to the last second */
        {901, 1, 1000, 69},
        {900 + 86400, 1, 1000, 69},
        {901 + 86400, 2, 2000, 61},
        {900 + 5 * 86400, 5, 5000, 38},
        {901 + 5 * 86400, 6, 5000, 38}, /* the cap */
        {INT64_C(4000000000000), 46296297, 5000, 38},
    };
    struct course course = course_with(15, 1000, 5000);
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct class_entry entry = {.state = ENTRY_GRADED,
                                    .score = 77,
                                    .max_score = 100,
                                    .has_submitted = true,
                                    .submitted = 1000000 + rows[i].late};
        late_judge(&course, 0, INT64_MAX, &entry);
        CU_ASSERT_EQUAL(entry.late_seconds, rows[i].late > 0 ? rows[i].late : 0);
        CU_ASSERT_EQUAL(entry.late_days, rows[i].days);
        CU_ASSERT_EQUAL(entry.penalty, rows[i].penalty);
        CU_ASSERT_EQUAL(entry.final_score, rows[i].final);
    }
}

static void an_unknown_time_costs_nothing(void)
{
    struct course course = course_with(0, 10000, 10000);
    struct class_entry entry = {.state = ENTRY_GRADED, .score = 50, .max_score = 100, .submitted = 99999999};
    late_judge(&course, 0, INT64_MAX, &entry);
    CU_ASSERT_EQUAL(entry.final_score, 50);
    entry.has_submitted = true;
    late_judge(&course, 0, INT64_MAX, &entry);
    CU_ASSERT_EQUAL(entry.final_score, 0);
    CU_ASSERT_EQUAL(entry.score, 50);
}

static void nothing_is_due_before_the_grace_period_ends(void)
{
    struct course course = course_with(15, 1000, 5000);
    int64_t end = course.labs[0].due + 15 * 60;
    struct class_entry absent = {.max_score = 100}, there = {.state = ENTRY_GRADED, .score = 60, .max_score = 100};
    late_judge(&course, 0, end, &absent);
    CU_ASSERT_EQUAL(absent.state, ENTRY_NOT_DUE);
    absent.state = ENTRY_MISSING;
    late_judge(&course, 0, end + 1, &absent);
    CU_ASSERT_EQUAL(absent.state, ENTRY_MISSING);
    late_judge(&course, 0, end, &there);
    CU_ASSERT_EQUAL(there.state, ENTRY_GRADED);
    CU_ASSERT_EQUAL(there.final_score, 60);
}

static struct class_entry graded(int score)
{
    struct class_entry entry = {.state = ENTRY_GRADED, .score = score, .final_score = score, .max_score = 100};
    strcpy(entry.verdict, "fail");
    return entry;
}

static void the_lowest_labs_are_dropped_and_weights_hold(void)
{
    struct course course = course_with(0, 0, 10000);
    struct class_entry entries[3] = {graded(100), graded(40), graded(70)};
    struct student student = {.entries = entries};
    late_count(&course, &student);
    CU_ASSERT_DOUBLE_EQUAL(student.percent, 70, 1e-9);
    course.drop_lowest = 1;
    late_count(&course, &student);
    CU_ASSERT(!entries[0].dropped && entries[1].dropped && !entries[2].dropped);
    CU_ASSERT_DOUBLE_EQUAL(student.percent, 85, 1e-9);
    due_labs[0].weight = 300;
    late_count(&course, &student);
    CU_ASSERT_DOUBLE_EQUAL(student.percent, 92.5, 1e-9);
    due_labs[1].weight = 0; /* does not count, so dropping it would be no help */
    late_count(&course, &student);
    CU_ASSERT(entries[2].dropped && !entries[1].dropped);
    CU_ASSERT_DOUBLE_EQUAL(student.percent, 100, 1e-9);
    entries[0] = entries[2] = graded(50);
    late_count(&course, &student);
    CU_ASSERT(!entries[0].dropped && entries[2].dropped); /* of equal ones the last */
}

static void what_is_not_known_is_no_zero(void)
{
    struct course course = course_with(0, 0, 10000);
    struct class_entry entries[3] = {graded(100), {.state = ENTRY_MISSING, .max_score = 100}, graded(100)};
    struct student student = {.entries = entries};
    late_count(&course, &student);
    CU_ASSERT_DOUBLE_EQUAL(student.percent, 66.67, 1e-9); /* missing is one */
    entries[1].state = ENTRY_PROBLEM;
    late_count(&course, &student);
    CU_ASSERT(isnan(student.percent));
    entries[1] = graded(0);
    strcpy(entries[1].verdict, "harness_error");
    late_count(&course, &student);
    CU_ASSERT(isnan(student.percent));
    course.drop_lowest = 1;
    late_count(&course, &student);
    CU_ASSERT_FALSE(entries[1].dropped); /* it may yet turn out well */
}

/* ---- tables ------------------------------------------------------------------------------------------------------- */

static bool read_csv(const char *text, struct csv *csv, char *message)
{
    char path[SUPPORT_PATH_BYTES];
    support_write_text(support_join(path, folder, "table.csv"), text);
    return csv_read(path, csv, message, 512);
}

static void reads_tables_as_spreadsheets_write_them(void)
{
    struct csv csv;
    char message[512];
    CU_ASSERT_FATAL(
        read_csv("\xef\xbb\xbfID, Name ,folder\r\n007,\"Love\"\"lace, \nAda\",a;b\r\n\r\n,,\n8\n", &csv, message));
    CU_ASSERT_EQUAL_FATAL(csv.row_count, 3);
    CU_ASSERT_EQUAL(csv_find_column(&csv, "id"), 0);
    CU_ASSERT_EQUAL(csv_find_column(&csv, "NAME"), 1);
    CU_ASSERT_EQUAL(csv_find_column(&csv, "other"), -1);
    CU_ASSERT_STRING_EQUAL(csv_get(&csv.rows[1], 0), "007");
    CU_ASSERT_STRING_EQUAL(csv_get(&csv.rows[1], 1), "Love\"lace, \nAda");
    CU_ASSERT_STRING_EQUAL(csv_get(&csv.rows[1], 2), "a;b");
    CU_ASSERT_EQUAL(csv.rows[2].line, 6);
    CU_ASSERT_STRING_EQUAL(csv_get(&csv.rows[2], 2), "");
    csv_clear(&csv);
    CU_ASSERT_FATAL(read_csv("id;name\n1;a, b", &csv, message));
    CU_ASSERT_STRING_EQUAL(csv_get(&csv.rows[1], 1), "a, b");
    csv_clear(&csv);
}

static void refuses_tables_that_are_none(void)
{
    struct csv csv;
    char message[512];
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"", "empty"},
        {"\n\n", "empty"},
        {"id\n\"a\n", ":2: a quotation mark opens here and never closes"},
        {"id\nM\xfcller\n", ":2: not UTF-8"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        CU_ASSERT_FALSE(read_csv(rows[i].text, &csv, message));
        SUPPORT_CONTAINS(message, rows[i].why);
        csv_clear(&csv);
    }
}

static void names_that_look_the_same_are_the_same(void)
{
    static const char *const pairs[][2] = {
        {"Ada", "ada "},
        {"\xc3\x85ngstr\xc3\xb6m", "A\xcc\x8angstro\xcc\x88m"},
        {"STRASSE", "stra\xc3\x9f"
                    "e"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(pairs); i++) {
        char *left = class_plain_name(pairs[i][0]), *right = class_plain_name(pairs[i][1]);
        CU_ASSERT_STRING_EQUAL(left, right);
        free(left);
        free(right);
    }
    char *odd = class_plain_name("\xff\xfe");
    CU_ASSERT_STRING_EQUAL(odd, "\xff\xfe");
    free(odd);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(moments_follow_zones_and_offsets),
    SUPPORT_TEST(hours_around_a_change_of_clocks_are_exact),
    SUPPORT_TEST(refuses_what_is_no_date),
    SUPPORT_TEST(reads_times_of_learning_systems),
    SUPPORT_TEST(refuses_times_that_could_be_two_or_none),
    SUPPORT_TEST(leaves_the_environment_as_it_was),
    SUPPORT_TEST(reads_every_key),
    SUPPORT_TEST(an_empty_file_is_the_default),
    SUPPORT_TEST(mistakes_are_named_with_their_line),
    SUPPORT_TEST(all_mistakes_are_named_at_once),
    SUPPORT_TEST(lateness_is_counted_to_the_second),
    SUPPORT_TEST(an_unknown_time_costs_nothing),
    SUPPORT_TEST(nothing_is_due_before_the_grace_period_ends),
    SUPPORT_TEST(the_lowest_labs_are_dropped_and_weights_hold),
    SUPPORT_TEST(what_is_not_known_is_no_zero),
    SUPPORT_TEST(reads_tables_as_spreadsheets_write_them),
    SUPPORT_TEST(refuses_tables_that_are_none),
    SUPPORT_TEST(names_that_look_the_same_are_the_same),
};

int course_suite_register(void)
{
    return support_register_with("course", make_folder, remove_folder, tests, SUPPORT_COUNT(tests));
}
