#include "grader/judge/tally.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The value of each derived row, from those of the counters. */
#define COUNT(name) value[TALLY_##name]
#define COUNTER(name, unit, profiler, title, meaning, aim)
#define LARGEST(name, unit, profiler, title, meaning, aim)
#define DERIVED(name, unit, profiler, title, meaning, aim, formula)      \
    static double derive_##name(const double value[TALLY_COUNTER_COUNT]) \
    {                                                                    \
        return formula;                                                  \
    }
#include "runtime/tables/counters.def"
#undef COUNTER
#undef LARGEST
#undef DERIVED
#undef COUNT

enum row_kind { SUMMED, LARGEST_OF_LAUNCHES, MADE_OF_OTHERS };

static const struct row {
    const char *name, *title;
    enum row_kind kind;
    int counter;                                               /* unless it is made of others */
    double (*derive)(const double value[TALLY_COUNTER_COUNT]); /* if it is */
} rows[] = {
#define COUNTER(name, unit, profiler, title, meaning, aim)          {#name, title, SUMMED, TALLY_##name, NULL},
#define LARGEST(name, unit, profiler, title, meaning, aim)          {#name, title, LARGEST_OF_LAUNCHES, TALLY_##name, NULL},
#define DERIVED(name, unit, profiler, title, meaning, aim, formula) {#name, title, MADE_OF_OTHERS, -1, derive_##name},
#include "runtime/tables/counters.def"
#undef COUNTER
#undef LARGEST
#undef DERIVED
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };
_Static_assert((int)ROW_COUNT <= (int)RESULT_COUNTERS_MAX, "a result has room for every counter");

/* How much the busiest one did. */
static const int shares[] = {TALLY_busiest_block_instructions, TALLY_busiest_block_loads, TALLY_busiest_block_stores,
                             TALLY_max_thread_share};
enum { SHARES = sizeof shares / sizeof *shares };

bool tally_depends_on_order(const char *metric)
{
    for (int i = 0; i < ROW_COUNT; i++)
        for (int k = 0; k < SHARES; k++)
            if (rows[i].counter == shares[k] && strcmp(rows[i].name, metric) == 0)
                return true;
    return false;
}

void tally_take_better_order(struct tally *tally, const struct tally *other)
{
    for (int k = 0; k < SHARES && tally->present && other->present; k++)
        if (other->value[shares[k]] < tally->value[shares[k]])
            tally->value[shares[k]] = other->value[shares[k]];
}

/* The entry of a line, made when it is new; NULL when there are too many. */
static struct tally_line *find_line(struct tally *tally, int number)
{
    for (int i = 0; i < tally->line_count; i++)
        if (tally->lines[i].line == number)
            return &tally->lines[i];
    if (tally->line_count == TALLY_MAX_LINES)
        return NULL;
    struct tally_line *line = &tally->lines[tally->line_count++];
    *line = (struct tally_line){.line = number};
    return line;
}

static void read_worst(const json_t *object, struct tally_request *worst)
{
    const json_t *offsets = json_object_get(object, "offsets");
    int units = (int)json_integer_value(json_object_get(object, "units"));
    const char *space = json_string_value(json_object_get(object, "space"));
    const char *access = json_string_value(json_object_get(object, "access"));
    if (units <= worst->units || json_array_size(offsets) != 32 || !space || !access)
        return;
    worst->units = units;
    worst->bytes = (int)json_integer_value(json_object_get(object, "bytes"));
    snprintf(worst->space, sizeof worst->space, "%s", space);
    snprintf(worst->access, sizeof worst->access, "%s", access);
    for (size_t lane = 0; lane < 32; lane++) {
        const json_t *offset = json_array_get(offsets, lane);
        worst->offset[lane] = json_is_integer(offset) ? json_integer_value(offset) : -1;
    }
}

static void read_lines(const json_t *lines, struct tally *tally)
{
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *counters = json_array_get(lines, i);
        struct tally_line *line = find_line(tally, (int)json_integer_value(json_object_get(counters, "line")));
        for (int k = 0; k < ROW_COUNT && line; k++)
            if (rows[k].kind == SUMMED)
                line->value[rows[k].counter] += json_number_value(json_object_get(counters, rows[k].name));
        if (line)
            read_worst(json_object_get(counters, "worst"), &line->worst);
    }
}

/* Of what the largest launch does, what another must do for its shares to mean anything: where two elements are left, one
 * thread has half of them. A launch is small only by both measures: instructions that lead to a result can be
 * multiplied in one launch to make another look small, and the memory that a launch touches cannot. */
#define LEAST_PART 16

enum measure { BUSIEST_BLOCK, TOUCHED, MEASURE_COUNT };

static double measure_of(const json_t *counters, enum measure measure)
{
    static const char *const names[] = {[BUSIEST_BLOCK] = "busiest_block_instructions", [TOUCHED] = "dram_bytes_ideal"};
    return json_number_value(json_object_get(counters, names[measure]));
}

static bool is_small(const json_t *counters, const double most[MEASURE_COUNT])
{
    bool small = true;
    for (int i = 0; i < MEASURE_COUNT; i++)
        small &= LEAST_PART * measure_of(counters, (enum measure)i) < most[i];
    return small;
}

static void read_counters(const json_t *counters, const double most[MEASURE_COUNT], double value[TALLY_COUNTER_COUNT])
{
    bool small = is_small(counters, most);
    for (int i = 0; i < ROW_COUNT; i++) {
        if (rows[i].kind == MADE_OF_OTHERS || (small && strcmp(rows[i].name, "max_thread_share") == 0))
            continue;
        double one = json_number_value(json_object_get(counters, rows[i].name)), *all = &value[rows[i].counter];
        *all = rows[i].kind == SUMMED ? *all + one : one > *all ? one : *all;
    }
}

/* The launch on the line at *at, to be released; NULL: none. Goes on behind it. */
static json_t *read_launch(const char **at, const char *end)
{
    const char *line_end = memchr(*at, '\n', (size_t)(end - *at));
    size_t length = (size_t)((line_end ? line_end : end) - *at);
    json_t *launch = length > 0 ? json_loadb(*at, length, 0, NULL) : NULL;
    *at += length + 1;
    return launch;
}

void tally_read(const char *text, size_t bytes, struct tally *tally)
{
    const char *end = text + bytes;
    double most[MEASURE_COUNT] = {0}; /* of a launch */
    memset(tally, 0, sizeof *tally);
    for (const char *at = text; at < end;) {
        json_t *launch = read_launch(&at, end);
        for (int i = 0; i < MEASURE_COUNT; i++)
            most[i] = fmax(most[i], measure_of(json_object_get(launch, "counters"), (enum measure)i));
        json_decref(launch);
    }
    for (const char *at = text; at < end;) {
        json_t *launch = read_launch(&at, end);
        const json_t *counters = json_object_get(launch, "counters");
        if (counters)
            read_counters(counters, most, tally->value);
        tally->present |= counters != NULL;
        read_lines(json_object_get(launch, "lines"), tally);
        json_decref(launch);
    }
}

static const struct row *find_row(const char *metric)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].name, metric) == 0)
            return &rows[i];
    return NULL;
}

static double get(const double value[TALLY_COUNTER_COUNT], const struct row *row)
{
    return !row ? NAN : row->kind == MADE_OF_OTHERS ? row->derive(value) : value[row->counter];
}

double tally_get(const struct tally *tally, const char *metric)
{
    return get(tally->value, find_row(metric));
}

double tally_line_get(const struct tally_line *line, const char *metric)
{
    return get(line->value, find_row(metric));
}

const char *tally_title(const char *metric)
{
    const struct row *row = find_row(metric);
    return row ? row->title : metric;
}

int tally_list(const struct tally *tally, struct result_counter *list, int capacity)
{
    int count = 0;
    for (int i = 0; i < ROW_COUNT && count < capacity; i++)
        if (!isnan(get(tally->value, &rows[i])))
            list[count++] = (struct result_counter){rows[i].name, get(tally->value, &rows[i])};
    return count;
}
