#include "grader/run/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/record.h"
#include "grader/base/words.h"
#include "grader/sandbox/child.h"

#define WALL_MS 20000

struct probe_record {
    bool found;
    char message[1600];
    lockstep_device_info info;
    int version;
    char path[512];
};

static void write_record(struct probe_record *record, const lockstep_error *error)
{
    if (!record->found)
        words_error(error, record->message, sizeof record->message);
    record_write(CHILD_CHANNEL, 1, record, sizeof *record);
}

static void device_body(void *context)
{
    struct probe_record record = {.found = false};
    lockstep_device *device = NULL;
    lockstep_error error = {0};
    record.found = lockstep_device_open(*(lockstep_device_kind *)context, &device, &error) == LOCKSTEP_OK;
    if (record.found)
        record.info = *lockstep_device_get_info(device);
    write_record(&record, &error);
}

static void compiler_body(void *context)
{
    (void)context;
    struct probe_record record = {.found = false};
    lockstep_error error = {0};
    record.found = lockstep_compiler_find(&record.version, record.path, sizeof record.path, &error) == LOCKSTEP_OK;
    write_record(&record, &error);
}

/* Runs `body` in a child and reads what it found. */
static void probe(void (*body)(void *), void *context, struct probe_record *record, const char *hung)
{
    struct child child;
    uint32_t type;
    void *payload = NULL;
    size_t bytes;
    memset(record, 0, sizeof *record);
    snprintf(record->message, sizeof record->message, "%s", hung);
    if (!child_start(&child, SANDBOX_OWN, body, context))
        return;
    if (record_read(child.channel, record_now_ms() + WALL_MS, sizeof *record, &type, &payload, &bytes) == RECORD_OK
        && bytes == sizeof *record)
        memcpy(record, payload, sizeof *record);
    free(payload);
    child_stop(&child, NULL);
}

bool probe_device(lockstep_device_kind kind, lockstep_device_info *info, char *message, size_t message_bytes)
{
    struct probe_record record;
    probe(device_body, &kind, &record, "the driver's process died or hung during the check");
    *info = record.info;
    snprintf(message, message_bytes, "%s", record.message);
    return record.found;
}

bool probe_compiler(int *version, char *path, size_t path_bytes, char *message, size_t message_bytes)
{
    struct probe_record record;
    probe(compiler_body, NULL, &record, "the compiler's process died or hung during the check");
    *version = record.version;
    snprintf(path, path_bytes, "%s", record.path);
    snprintf(message, message_bytes, "%s", record.message);
    return record.found;
}
