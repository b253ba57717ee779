#include "grader/judge/block_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/cases_work.h"

#define TRACE_BYTES (32u << 20)
#define TRACE_FUEL  2000000

char *block_trace(struct cases_work *work, int index, const uint32_t block[3])
{
    char name[48], *text = NULL;
    struct lab_data data;
    struct verify_run run;
    struct run_reply reply;
    uint64_t bytes = 0, fuel = work->fuel_limit;
    if (cases_work_left(work) == 0)
        return NULL;
    snprintf(name, sizeof name, "%u,%u,%u", block[0], block[1], block[2]);
    cases_work_close_session(work);
    work->settings.trace_block = name;
    work->fuel_limit = TRACE_FUEL;
    cases_work_run(work, index, 0, true, &data, &run, &reply);
    if (work->open && reply.outcome == RUN_RAN) {
        char *read = child_file_read(work->session.child.counters, TRACE_BYTES, &bytes);
        text = allocate_format("%.*s", (int)bytes, read);
        free(read);
    }
    cases_work_close_session(work);
    work->settings.trace_block = NULL;
    work->fuel_limit = fuel;
    return text;
}

json_t *block_trace_next(const char **at)
{
    while (**at != '\0') {
        size_t length = strcspn(*at, "\n");
        json_t *record = length > 0 ? json_loadb(*at, length, 0, NULL) : NULL;
        *at += length + ((*at)[length] != '\0');
        if (json_is_object(record))
            return record;
        json_decref(record);
    }
    return NULL;
}

int64_t block_trace_integer(const json_t *record, const char *key)
{
    return json_integer_value(json_object_get(record, key));
}

const char *block_trace_text(const json_t *record, const char *key)
{
    const char *text = json_string_value(json_object_get(record, key));
    return text ? text : "";
}

bool block_trace_is(const json_t *record, const char *kind)
{
    return strcmp(block_trace_text(record, "kind"), kind) == 0;
}
