#include "grader/judge/origin_log.h"

#include <stdio.h>
#include <string.h>

/* Where in the record of an element: runtime/emulator/observe/record/accesses.c. */
enum {
    LOADS,
    STORES,
    LOAD_LINE,
    FIRST_LINE,
    LAST_LINE,
    ATOMIC,
    FIRST_LOAD,
    LAST_LOAD,
    FIRST_STORE,
    LAST_STORE,
    FIRST_LOAD_LINE
};

void origin_log_read(const char *text, uint64_t bytes, struct origin_log *log)
{
    memset(log, 0, sizeof *log);
    for (const char *at = text, *end = text + bytes; at < end && log->count < ORIGIN_LAUNCHES;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        json_t *launch = length > 0 ? json_loadb(at, length, 0, NULL) : NULL;
        if (json_is_object(launch))
            log->launches[log->count++] = launch;
        else
            json_decref(launch);
        at += length + 1;
    }
}

void origin_log_clear(struct origin_log *log)
{
    for (int i = 0; i < log->count; i++)
        json_decref(log->launches[i]);
    log->count = 0;
}

static const json_t *find_elements(const struct origin_log *log, int launch, const char *name)
{
    const json_t *arrays = launch >= 0 && launch < log->count ? json_object_get(log->launches[launch], "arrays") : NULL;
    for (size_t i = 0; i < json_array_size(arrays); i++) {
        const json_t *array = json_array_get(arrays, i);
        const char *own = json_string_value(json_object_get(array, "name"));
        if (own && strcmp(own, name) == 0)
            return json_object_get(array, "elements");
    }
    return NULL;
}

static int64_t number(const json_t *element, size_t index)
{
    return json_integer_value(json_array_get(element, index));
}

/* From a number in the grid. */
static struct origin_thread thread_of(const json_t *launch, int64_t linear)
{
    struct origin_thread place = {{0}};
    const json_t *grid = json_object_get(launch, "grid"), *block = json_object_get(launch, "block");
    int64_t threads = number(block, 0) * number(block, 1) * number(block, 2), of_block = threads > 0 ? linear % threads : 0;
    int64_t blocks = threads > 0 ? linear / threads : 0;
    for (size_t d = 0; d < 3; d++) {
        int64_t width = number(block, d), count = number(grid, d);
        place.thread[d] = (uint32_t)(width > 0 ? of_block % width : 0);
        place.block[d] = (uint32_t)(count > 0 ? blocks % count : 0);
        of_block /= width > 0 ? width : 1;
        blocks /= count > 0 ? count : 1;
    }
    return place;
}

bool origin_log_find(const struct origin_log *log, int launch, const char *array, uint64_t index,
                     struct origin_element *element)
{
    const json_t *found = json_array_get(find_elements(log, launch, array), index);
    if (!found)
        return false;
    const json_t *of = log->launches[launch];
    *element = (struct origin_element){
        .kernel = json_string_value(json_object_get(of, "kernel")),
        .loads = number(found, LOADS),
        .stores = number(found, STORES),
        .first_load_line = (int)number(found, FIRST_LOAD_LINE),
        .load_line = (int)number(found, LOAD_LINE),
        .first_line = (int)number(found, FIRST_LINE),
        .last_line = (int)number(found, LAST_LINE),
        .atomic = number(found, ATOMIC) != 0,
        .first_load = thread_of(of, number(found, FIRST_LOAD)),
        .last_load = thread_of(of, number(found, LAST_LOAD)),
        .first_store = thread_of(of, number(found, FIRST_STORE)),
        .last_store = thread_of(of, number(found, LAST_STORE)),
    };
    return element->kernel != NULL;
}

bool origin_log_is_stored(const struct origin_log *log, int launch, const char *array)
{
    const json_t *elements = find_elements(log, launch, array);
    for (size_t i = 0; i < json_array_size(elements); i++)
        if (number(json_array_get(elements, i), STORES) > 0)
            return true;
    return false;
}

int64_t origin_log_loads(const struct origin_log *log, int end, const char *array)
{
    int64_t loads = -1;
    for (int launch = 0; launch < end && launch < log->count; launch++) {
        const json_t *elements = find_elements(log, launch, array);
        loads = elements && loads < 0 ? 0 : loads;
        for (size_t i = 0; i < json_array_size(elements); i++)
            loads += number(json_array_get(elements, i), LOADS);
    }
    return loads;
}

void origin_thread_write(const struct origin_thread *thread, char *text, size_t text_bytes)
{
    const uint32_t *t = thread->thread, *b = thread->block;
    snprintf(text, text_bytes, "(%u,%u,%u) of block (%u,%u,%u)", t[0], t[1], t[2], b[0], b[1], b[2]);
}
