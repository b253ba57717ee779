#include "grader/result/picture.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/result/result.h"
#include "runtime/base/printable.h"

/* How far around the race is looked. */
#define REACH 3

/* One thread at one element. */
struct touch {
    json_int_t launch;
    int interval, line, thread;
    int64_t element;
    char kind;
};

/* A barrier of the whole block. */
struct meeting {
    json_int_t launch;
    int interval, line; /* interval: that it ends */
};

struct record {
    struct touch *touches;
    struct meeting *meetings;
    size_t touch_count, meeting_count, touch_capacity, meeting_capacity;
};

/* ---- reading ------------------------------------------------------------------------------------------------------ */

static bool is_block(const json_t *triple, const uint32_t block[3])
{
    for (size_t i = 0; i < 3; i++)
        if (json_integer_value(json_array_get(triple, i)) != (json_int_t)block[i])
            return false;
    return json_array_size(triple) == 3;
}

static void take_touches(struct record *record, const json_t *object, const struct result_finding *race, char kind)
{
    json_int_t elements = json_integer_value(json_object_get(object, "elements"));
    struct touch touch = {
        .launch = json_integer_value(json_object_get(object, "launch")),
        .interval = (int)json_integer_value(json_object_get(object, "interval")),
        .line = (int)json_integer_value(json_object_get(object, "line")),
        .kind = kind,
    };
    size_t i;
    json_t *pair;
    json_array_foreach(json_object_get(object, "touches"), i, pair)
    {
        touch.thread = (int)json_integer_value(json_array_get(pair, 0));
        json_int_t first = json_integer_value(json_array_get(pair, 1));
        for (json_int_t k = 0; k < elements && k < 8; k++) {
            touch.element = first + k;
            if (touch.element < race->index[0] - REACH || touch.element > race->index[0] + REACH)
                continue;
            record->touches = allocate_grown(record->touches, &record->touch_capacity, record->touch_count + 1,
                                             sizeof *record->touches);
            record->touches[record->touch_count++] = touch;
        }
    }
}

static void take_line(struct record *record, const json_t *object, const struct result_finding *race)
{
    const char *kind = json_string_value(json_object_get(object, "kind"));
    const char *array = json_string_value(json_object_get(object, "array"));
    if (!kind || !is_block(json_object_get(object, "block"), race->block))
        return;
    if (strcmp(kind, "barrier") == 0) {
        record->meetings = allocate_grown(record->meetings, &record->meeting_capacity, record->meeting_count + 1,
                                          sizeof *record->meetings);
        record->meetings[record->meeting_count++] = (struct meeting){
            json_integer_value(json_object_get(object, "launch")),
            (int)json_integer_value(json_object_get(object, "interval")),
            (int)json_integer_value(json_object_get(object, "line")),
        };
    } else if (array && strcmp(array, race->array) == 0) {
        take_touches(record, object, race, strcmp(kind, "write") == 0 ? 'W' : strcmp(kind, "atomic") == 0 ? 'A' : 'R');
    }
}

/* ---- choosing ----------------------------------------------------------------------------------------------------- */

static bool conflict(const struct touch *a, const struct touch *b)
{
    return a->launch == b->launch && a->interval == b->interval && a->element == b->element && a->thread != b->thread
           && (a->kind == 'W' || b->kind == 'W' || (a->kind == 'A') != (b->kind == 'A'));
}

/* The first conflict on the element of the race, between its lines where there is one. NULL: none. */
static const struct touch *find_race(const struct record *record, const struct result_finding *race)
{
    const struct touch *found = NULL;
    for (size_t i = 0; i < record->touch_count; i++)
        for (size_t k = 0; k < i && record->touches[i].element == race->index[0]; k++) {
            const struct touch *a = &record->touches[i], *b = &record->touches[k];
            if (!conflict(a, b))
                continue;
            if ((a->line == race->line && b->line == race->line2) || (a->line == race->line2 && b->line == race->line))
                return a;
            found = found ? found : a;
        }
    return found;
}

static bool is_touched(const struct record *record, const struct touch *race, int interval, int64_t element)
{
    for (size_t i = 0; i < record->touch_count; i++)
        if (record->touches[i].launch == race->launch && record->touches[i].interval == interval
            && (element < 0 || record->touches[i].element == element))
            return true;
    return false;
}

/* ---- cells -------------------------------------------------------------------------------------------------------- */

static void add_thread(struct picture_touch *touch, int thread)
{
    if (touch->thread_count > 0 && thread == touch->last)
        return; /* in a loop */
    if (touch->thread_count > 0 && thread != touch->last + 1)
        touch->together = false;
    if (touch->thread_count < PICTURE_THREADS)
        touch->threads[touch->thread_count] = thread;
    touch->thread_count++;
    touch->last = thread;
}

static void add_touch(struct picture_cell *cell, const struct touch *touch)
{
    int i = 0;
    while (i < cell->count && (cell->touches[i].kind != touch->kind || cell->touches[i].line != touch->line))
        i++;
    if (i == PICTURE_TOUCHES) {
        cell->more = true;
        return;
    }
    if (i == cell->count)
        cell->touches[cell->count++] = (struct picture_touch){.kind = touch->kind, .line = touch->line, .together = true};
    add_thread(&cell->touches[i], touch->thread);
}

/* Writers first, then by line; threads rising. */
static int by_kind(const void *left, const void *right)
{
    const struct touch *a = left, *b = right;
    static const char order[] = "WAR";
    long kinds = strchr(order, a->kind) - strchr(order, b->kind);
    return kinds != 0 ? (int)kinds : a->line != b->line ? a->line - b->line : a->thread - b->thread;
}

static void fill_cell(const struct record *record, const struct touch *race, int interval, int64_t element,
                      struct picture_cell *cell)
{
    const struct touch *others[2] = {NULL, NULL};
    for (size_t i = 0; i < record->touch_count; i++) {
        const struct touch *touch = &record->touches[i];
        if (touch->launch != race->launch || touch->interval != interval || touch->element != element)
            continue;
        add_touch(cell, touch);
        /* Sorted: whoever conflicts with anybody conflicts with the first, or with the first of another thread. */
        for (int k = 0; k < 2; k++)
            cell->conflict |= others[k] && conflict(others[k], touch);
        if (!others[0])
            others[0] = touch;
        else if (!others[1] && touch->thread != others[0]->thread)
            others[1] = touch;
    }
}

static void choose_intervals(const struct record *record, const struct touch *race, struct picture *picture,
                             int intervals[PICTURE_INTERVALS])
{
    for (int interval = race->interval - 1; interval <= race->interval + 1; interval++) {
        if (interval < 0 || (interval != race->interval && !is_touched(record, race, interval, -1)))
            continue;
        int column = picture->interval_count++;
        intervals[column] = interval;
        picture->last[column] = true;
        picture->after_line[column] = interval == 0 ? -1 : 0;
        for (size_t i = 0; i < record->meeting_count; i++) {
            const struct meeting *meeting = &record->meetings[i];
            if (meeting->launch == race->launch && meeting->interval == interval - 1)
                picture->after_line[column] = meeting->line;
            if (meeting->launch == race->launch && meeting->interval == interval)
                picture->last[column] = false;
        }
    }
}

static void draw(const struct record *record, const struct touch *race, struct picture *picture)
{
    int intervals[PICTURE_INTERVALS];
    choose_intervals(record, race, picture, intervals);
    for (int64_t element = picture->index - REACH; element <= picture->index + REACH; element++) {
        bool touched = false;
        for (int column = 0; column < picture->interval_count; column++)
            touched |= element >= 0 && is_touched(record, race, intervals[column], element);
        if (!touched)
            continue;
        for (int column = 0; column < picture->interval_count; column++)
            fill_cell(record, race, intervals[column], element, &picture->cells[picture->row_count][column]);
        picture->rows[picture->row_count++] = element;
    }
    picture->present = true;
}

void picture_make(const char *text, size_t bytes, const struct result_finding *finding, struct picture *picture)
{
    struct record record = {0};
    memset(picture, 0, sizeof *picture);
    if (finding->index_count != 1 || !finding->has_thread || finding->array[0] == '\0')
        return;
    for (const char *at = text, *end = text + bytes; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        json_t *object = length > 0 ? json_loadb(at, length, 0, NULL) : NULL;
        if (json_is_object(object))
            take_line(&record, object, finding);
        json_decref(object);
        at += length + 1;
    }
    if (record.touch_count > 0)
        qsort(record.touches, record.touch_count, sizeof *record.touches, by_kind);
    const struct touch *race = find_race(&record, finding);
    if (race) {
        snprintf(picture->array, sizeof picture->array, "%s", finding->array);
        memcpy(picture->block, finding->block, sizeof picture->block);
        picture->index = finding->index[0];
        draw(&record, race, picture);
    }
    free(record.touches);
    free(record.meetings);
}
