#include "grader/judge/tally.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const counter_names[] = {
#define COUNTER(name) #name,
#include "runtime/tables/counters.def"
#undef COUNTER
};

/* Metrics made of counters: a sum of up to three, or a quotient. */
struct derived {
    const char *name;
    int sum[3]; /* TALLY_COUNTER_COUNT ends the list */
    double factor;
    int divisor; /* TALLY_COUNTER_COUNT: none */
    double divisor_factor;
};

#define NONE TALLY_COUNTER_COUNT
static const struct derived derived_metrics[] = {
    {"global_sectors", {TALLY_global_load_sectors, TALLY_global_store_sectors, TALLY_global_atomic_sectors}, 1, NONE, 1},
    {"shared_wavefronts",
     {TALLY_shared_load_wavefronts, TALLY_shared_store_wavefronts, TALLY_shared_atomic_wavefronts},
     1,
     NONE,
     1},
    {"issued_lane_slots", {TALLY_warp_instructions, NONE, NONE}, 32, NONE, 1},
    {"lane_efficiency", {TALLY_thread_instructions, NONE, NONE}, 1, TALLY_warp_instructions, 32},
};
enum { DERIVED_COUNT = sizeof derived_metrics / sizeof *derived_metrics };

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
        for (int k = 0; k < TALLY_COUNTER_COUNT && line; k++)
            line->value[k] += json_number_value(json_object_get(counters, counter_names[k]));
        if (line)
            read_worst(json_object_get(counters, "worst"), &line->worst);
    }
}

void tally_read(const char *text, size_t bytes, struct tally *tally)
{
    memset(tally, 0, sizeof *tally);
    for (const char *at = text, *end = text + bytes; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        json_t *launch = length > 0 ? json_loadb(at, length, 0, NULL) : NULL;
        const json_t *counters = json_object_get(launch, "counters");
        for (int i = 0; i < TALLY_COUNTER_COUNT && counters; i++)
            tally->value[i] += json_number_value(json_object_get(counters, counter_names[i]));
        double share = json_number_value(json_object_get(counters, "max_thread_share"));
        tally->max_thread_share = share > tally->max_thread_share ? share : tally->max_thread_share;
        tally->present |= counters != NULL;
        read_lines(json_object_get(launch, "lines"), tally);
        json_decref(launch);
        at += length + 1;
    }
}

static double get_derived(const double value[TALLY_COUNTER_COUNT], const struct derived *derived)
{
    double sum = 0;
    for (int i = 0; i < 3 && derived->sum[i] != NONE; i++)
        sum += value[derived->sum[i]];
    sum *= derived->factor;
    return derived->divisor == NONE ? sum : sum / (value[derived->divisor] * derived->divisor_factor);
}

static double get(const double value[TALLY_COUNTER_COUNT], const char *metric)
{
    for (int i = 0; i < TALLY_COUNTER_COUNT; i++)
        if (strcmp(counter_names[i], metric) == 0)
            return value[i];
    for (int i = 0; i < DERIVED_COUNT; i++)
        if (strcmp(derived_metrics[i].name, metric) == 0)
            return get_derived(value, &derived_metrics[i]);
    return NAN;
}

double tally_get(const struct tally *tally, const char *metric)
{
    return strcmp(metric, "max_thread_share") == 0 ? tally->max_thread_share : get(tally->value, metric);
}

double tally_line_get(const struct tally_line *line, const char *metric)
{
    return get(line->value, metric);
}

int tally_list(const struct tally *tally, struct result_counter *list, int capacity)
{
    int count = 0;
    for (int i = 0; i < TALLY_COUNTER_COUNT && count < capacity; i++)
        list[count++] = (struct result_counter){counter_names[i], tally->value[i]};
    if (count < capacity)
        list[count++] = (struct result_counter){"max_thread_share", tally->max_thread_share};
    for (int i = 0; i < DERIVED_COUNT && count < capacity; i++)
        if (!isnan(get_derived(tally->value, &derived_metrics[i])))
            list[count++] = (struct result_counter){derived_metrics[i].name, get_derived(tally->value, &derived_metrics[i])};
    return count;
}
