#include "grader/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/child.h"
#include "grader/record.h"
#include "grader/words.h"

#define WALL_MS 20000

struct probe_record {
    bool found;
    char message[1600];
    lockstep_device_info info;
};

static void probe_body(void *context)
{
    struct probe_record record = {.found = false};
    lockstep_device *device = NULL;
    lockstep_error error = {0};
    record.found = lockstep_device_open(*(lockstep_device_kind *)context, &device, &error) == LOCKSTEP_OK;
    if (record.found)
        record.info = *lockstep_device_get_info(device);
    else
        words_error(&error, record.message, sizeof(record.message));
    record_write(CHILD_CHANNEL, 1, &record, sizeof(record));
}

bool probe_device(lockstep_device_kind kind, lockstep_device_info *info, char *message, size_t message_bytes)
{
    struct child child;
    struct child_limits limits = {0, 60};
    uint32_t type;
    void *payload = NULL;
    size_t bytes;
    bool found = false;
    snprintf(message, message_bytes, "the driver ended or hung while it was looked for");
    if (!child_start(&child, &limits, probe_body, &kind))
        return false;
    if (record_read(child.channel, record_now_ms() + WALL_MS, sizeof(struct probe_record), &type, &payload, &bytes) == RECORD_OK &&
        bytes == sizeof(struct probe_record)) {
        const struct probe_record *record = payload;
        found = record->found;
        *info = record->info;
        snprintf(message, message_bytes, "%s", record->message);
    }
    free(payload);
    child_stop(&child, NULL);
    return found;
}
