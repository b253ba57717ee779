#include "runtime/emulator/observe/record/recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/json.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/settings/settings.h"
#include "runtime/language/demangle.h"

enum { MAX_BLOCKS = 8, MAX_LINES = 20000 };

static FILE *sink;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

struct recorder {
    FILE *file;
    struct launch *launch;
    uint32_t lines;
    uint32_t interval[MAX_BLOCKS]; /* barriers that each of the first blocks has completed */
};

static void open_sink(void)
{
    sink = settings_open_record();
}

void recorder_open(void)
{
    pthread_once(&opened, open_sink);
}

struct recorder *recorder_start(struct launch *launch)
{
    recorder_open();
    struct recorder *recorder = sink ? calloc(1, sizeof *recorder) : NULL;
    if (!recorder)
        return NULL;
    recorder->launch = launch;
    recorder->file = sink;
    return recorder;
}

void recorder_end(struct recorder *recorder)
{
    if (recorder)
        fflush(recorder->file);
    free(recorder);
}

static bool is_recorded(struct recorder *recorder, const struct block *block)
{
    return block->linear < MAX_BLOCKS && recorder->lines++ < MAX_LINES;
}

static void begin_line(struct recorder *recorder, const struct block *block, struct place place, struct json_line *line)
{
    json_line_begin(line);
    json_line_integer(line, "launch", (int64_t)finding_launch_count());
    json_line_triple(line, "block", block->index);
    json_line_integer(line, "interval", recorder->interval[block->linear]);
    json_line_integer_or_null(line, "line", place.line);
}

static const char *kind_of(const struct memory_site *site)
{
    return site->access == SITE_LOAD ? "read" : site->access == SITE_STORE ? "write" : "atomic";
}

/* offset: of each lane in the block's shared memory */
static void write_request(struct recorder *recorder, const struct warp *warp, const struct operation *operation,
                          const uint64_t offset[WARP_LANES], uint32_t lanes)
{
    const struct memory_site *site = operation->site;
    const struct launch *launch = recorder->launch;
    uint64_t base;
    const struct shared_array *array = lanes ? access_shared_array(launch, offset[__builtin_ctz(lanes)], &base) : NULL;
    struct json_line line;
    char name[64];
    if (!array || !is_recorded(recorder, warp->block))
        return;
    demangle_variable(array->variable->name, name, sizeof name);
    begin_line(recorder, warp->block, place_of(launch, operation), &line);
    json_line_text(&line, "kind", kind_of(site));
    json_line_text(&line, "array", name);
    json_line_integer(&line, "elements", site->vector);
    json_line_open(&line, "touches", '[');
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        json_line_pair(&line, NULL, warp->index * WARP_LANES + lane, (int64_t)((offset[lane] - base) / site->bytes));
    }
    json_line_close(&line, ']');
    json_line_end(&line, recorder->file);
}

void recorder_request(struct recorder *recorder, const struct warp *warp, const struct operation *operation, uint64_t offset)
{
    uint64_t offsets[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        offsets[lane] = offset + operation->site->shape.delta[lane];
    write_request(recorder, warp, operation, offsets, warp->mask);
}

void recorder_lanes(struct recorder *recorder, const struct warp *warp, const struct operation *operation,
                    const uint64_t address[32], uint32_t valid)
{
    uint64_t offsets[WARP_LANES];
    uint32_t lanes = 0;
    for (uint32_t rest = valid; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        bool shared = operation->site->space == SITE_SHARED
                      || (operation->site->space == SITE_GENERIC && (address[lane] & WINDOW_MASK) == SHARED_WINDOW);
        if (!shared)
            continue;
        offsets[lane] = access_shared_offset(recorder->launch, address[lane]);
        lanes |= 1u << lane;
    }
    write_request(recorder, warp, operation, offsets, lanes);
}

void recorder_barrier(struct recorder *recorder, const struct block *block, uint32_t number)
{
    const struct barrier *barrier = &block->barriers[number];
    const struct operation *at = barrier->at ? barrier->at : block->parked_at;
    uint32_t waiting = barrier->at ? barrier->waiting : block->parked_threads;
    struct json_line line;
    if (waiting < block->live_threads || !at || !is_recorded(recorder, block))
        return; /* of some threads only: it orders not all */
    begin_line(recorder, block, place_of(recorder->launch, at), &line);
    json_line_text(&line, "kind", "barrier");
    json_line_end(&line, recorder->file);
    recorder->interval[block->linear]++;
}
