#include "grader/program/calls.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "runtime/cuda/driver_api.h"

static const struct row {
    const char *word, *name, *when;
    int failure;
} rows[CALL_KINDS] = {
#define HOST_CALL(kind, failure, name, when) [CALL_##kind] = {#kind, name, when, failure},
#include "runtime/tables/host_calls.def"
#undef HOST_CALL
};

static const struct {
    int number;
    const char *name;
} errors[] = {
#define ERROR(name, number, text) {number, #name},
#include "runtime/cuda/runtime_errors.def"
#undef ERROR
};

const char *calls_word(enum call_kind kind)
{
    return rows[kind].word;
}

const char *calls_name(enum call_kind kind)
{
    return rows[kind].name;
}

const char *calls_when(enum call_kind kind)
{
    return rows[kind].when;
}

bool calls_may_fail(enum call_kind kind)
{
    return rows[kind].failure != 0;
}

void calls_error_name(int result, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "error %d", result);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == result)
            snprintf(text, text_bytes, "%s", errors[i].name);
}

static uint64_t take_number(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

/* The product of three extents, none of which is believed. */
static uint64_t take_product(const json_t *object, const char *key)
{
    const json_t *extents = json_object_get(object, key);
    uint64_t product = json_array_size(extents) == 3 ? 1 : 0;
    for (size_t i = 0; i < json_array_size(extents); i++)
        if (__builtin_mul_overflow(product, (uint64_t)json_integer_value(json_array_get(extents, i)), &product))
            return 0;
    return product;
}

static int take_list(const json_t *object, const char *key, uint64_t *list, size_t room)
{
    const json_t *array = json_object_get(object, key);
    size_t count = json_array_size(array) < room ? json_array_size(array) : room;
    for (size_t i = 0; i < count; i++)
        list[i] = (uint64_t)json_integer_value(json_array_get(array, i));
    return (int)count;
}

/* What the work comes after: pairs of numbers, none of which is believed. Returns how many. */
static size_t take_after(const json_t *object, const char *key, uint64_t (**after)[2])
{
    const json_t *array = json_object_get(object, key);
    size_t count = json_array_size(array);
    *after = count > 0 ? allocate_zeroed(count * sizeof **after) : NULL;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 2; k++)
            (*after)[i][k] = (uint64_t)json_integer_value(json_array_get(json_array_get(array, i), k));
    return count;
}

static bool take_call(const json_t *object, struct call *call)
{
    const char *word = json_string_value(json_object_get(object, "call"));
    const char *kernel = json_string_value(json_object_get(object, "kernel"));
    int kind = 0;
    while (kind < CALL_KINDS && (!word || strcmp(rows[kind].word, word) != 0))
        kind++;
    if (kind == CALL_KINDS)
        return false;
    *call = (struct call){
        .kind = (enum call_kind)kind,
        .number = take_number(object, "number"),
        .result = (int)json_integer_value(json_object_get(object, "result")),
        .address = take_number(object, "address"),
        .bytes = take_number(object, "bytes"),
        .to_device = take_number(object, "to_device"),
        .to_host = take_number(object, "to_host"),
        .printed = take_number(object, "printed"),
        .found = take_number(object, "found"),
        .stored = take_number(object, "stored"),
        .blocks = take_product(object, "grid"),
        .block_threads = take_product(object, "block"),
    };
    if (__builtin_mul_overflow(call->blocks, call->block_threads, &call->threads))
        call->threads = 0;
    snprintf(call->kernel, sizeof call->kernel, "%s", kernel ? kernel : "");
    call->beside_count = take_list(object, "beside", call->beside, CALLS_BESIDE);
    const char *stream = json_string_value(json_object_get(object, "stream"));
    const char *waits = json_string_value(json_object_get(object, "waits"));
    snprintf(call->stream, sizeof call->stream, "%s", stream ? stream : "");
    take_list(object, "ends", call->ends, 2);
    take_list(object, "shared", call->shared, 2);
    take_list(object, "piece", call->piece, 2);
    call->after_count = take_after(object, "after", &call->after);
    call->has_branch = take_list(object, "branch", call->branch, 2) == 2;
    call->branch_after_count = take_after(object, "branch_after", &call->branch_after);
    call->is_waited_for = waits != NULL;
    call->is_pageable = waits && strcmp(waits, "pageable") == 0;
    call->warp_instructions = take_number(object, "instructions");
    call->frame_count = take_list(object, "at", call->frames, CALLS_FRAMES);
    return true;
}

static int digit_of(char letter)
{
    return letter >= '0' && letter <= '9' ? letter - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* A line of contents; the bytes end before the first other character. */
static void take_contents(const json_t *object, struct calls *calls)
{
    static const char *const words[] = {"kernel", "host", "fill"};
    const char *of = json_string_value(json_object_get(object, "of")),
               *hex = json_string_value(json_object_get(object, "hex"));
    int kind = 0;
    while (kind < 3 && (!of || strcmp(words[kind], of) != 0))
        kind++;
    if (kind == 3 || !hex) {
        calls->contents_cut = true;
        return;
    }
    struct calls_contents contents = {.kind = (enum calls_contents_kind)kind,
                                      .at = take_number(object, "at"),
                                      .times = take_number(object, "times"),
                                      .bytes = allocate_zeroed(strlen(hex) / 2 + 1)};
    for (const char *at = hex; at[0] != '\0' && digit_of(at[0]) >= 0 && digit_of(at[1]) >= 0; at += 2)
        contents.bytes[contents.count++] = (uint8_t)(digit_of(at[0]) * 16 + digit_of(at[1]));
    calls->contents = allocate_grown(calls->contents, &calls->contents_capacity, calls->contents_count + 1,
                                     sizeof *calls->contents);
    calls->contents[calls->contents_count++] = contents;
}

static void take_foreign(const json_t *object, struct calls *calls)
{
    const char *word = json_string_value(json_object_get(object, "foreign"));
    const char *name = json_string_value(json_object_get(object, "name"));
    for (int kind = 0; kind < PTX_FOREIGN_KINDS && word && name; kind++) {
        struct calls_foreign *foreign = &calls->foreign[kind];
        if (strcmp(word, ptx_foreign_words[kind]) != 0 || foreign->is_there)
            continue;
        foreign->is_there = true;
        snprintf(foreign->name, sizeof foreign->name, "%s", name);
        foreign->line = (int)(take_number(object, "line") & INT_MAX);
        foreign->needed = (int)(take_number(object, "needed") & INT_MAX);
        foreign->target = (int)(take_number(object, "target") & INT_MAX);
    }
}

/* The functions that nvcc makes of a kernel, which launch it, count as its own line. */
static bool is_stub(const struct build_place *place, const struct call *call)
{
    static const char start[] = "__device_stub__";
    return strncmp(place->function, start, sizeof start - 1) == 0
           || (call->kernel[0] != '\0' && strcmp(place->function, call->kernel) == 0);
}

/* The innermost frame that is a line of the source counts: others are those of headers and libraries. */
static void find_lines(const struct build *build, struct calls *calls)
{
    uint64_t *addresses = allocate_zeroed((calls->count * CALLS_FRAMES + 1) * sizeof *addresses);
    size_t count = 0;
    for (size_t i = 0; i < calls->count; i++)
        for (int k = 0; k < calls->list[i].frame_count; k++)
            addresses[count++] = calls->list[i].frames[k];
    struct build_place *places = allocate_zeroed((count + 1) * sizeof *places);
    build_find_places(build, addresses, count, places);
    for (size_t i = 0, at = 0; i < calls->count; i++)
        for (int k = 0; k < calls->list[i].frame_count; k++, at++)
            if (calls->list[i].line == 0 && !is_stub(&places[at], &calls->list[i]))
                calls->list[i].line = places[at].line;
    free(addresses);
    free(places);
}

void calls_read(const char *text, uint64_t bytes, const struct build *build, struct calls *calls)
{
    memset(calls, 0, sizeof *calls);
    for (const char *at = text, *end = text + bytes; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        json_t *object = json_loadb(at, length, 0, NULL);
        const char *word = json_string_value(json_object_get(object, "call"));
        struct call call;
        calls->cut |= word && strcmp(word, "cut") == 0;
        if (word && strcmp(word, "module") == 0)
            take_foreign(object, calls);
        if (word && strcmp(word, "contents") == 0)
            take_contents(object, calls);
        if (take_call(object, &call)) {
            calls->list = allocate_grown(calls->list, &calls->capacity, calls->count + 1, sizeof *calls->list);
            calls->list[calls->count++] = call;
        }
        json_decref(object);
        at += length + 1;
    }
    find_lines(build, calls);
}

void calls_clear(struct calls *calls)
{
    for (size_t i = 0; i < calls->count; i++) {
        free(calls->list[i].after);
        free(calls->list[i].branch_after);
    }
    for (size_t i = 0; i < calls->contents_count; i++)
        free(calls->contents[i].bytes);
    free(calls->contents);
    free(calls->list);
    memset(calls, 0, sizeof *calls);
}
