#include "runtime/emulator/observe/record/tracer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/json.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/observe/record/trace_request.h"
#include "runtime/emulator/settings/settings.h"

enum { MAX_STEPS = 4000, MAX_LAUNCHES = 64, MAX_WARPS = 32, MAX_BYTES = 24 << 20 };

static FILE *sink;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

/* What the lanes of a warp do at one line, until it is written. */
struct step {
    struct json_line line; /* begun when `open` */
    bool open, has_requests, guarded;
    int source_line;
    uint32_t mask, full; /* lanes that executed something; lanes before a guard */
    const struct operation *last;
    uint32_t live;  /* lanes that had not left when it began */
    const char *at; /* "barrier", "warp_barrier", "exit"; NULL: none of these */
};

struct tracer {
    struct launch *launch;
    uint64_t block; /* its linear index; UINT64_MAX: not in this grid */
    uint32_t step_count, interval;
    bool cut;
    struct step steps[MAX_WARPS];
    struct step *step;            /* of the operation that runs now; NULL: of another block, or nothing is written now */
    struct trace_request request; /* that it makes */
    struct trace_arrays arrays;
};

/* ---- the file ----------------------------------------------------------------------------------------------------- */

static void open_sink(void)
{
    sink = settings_open_trace();
}

void tracer_open(void)
{
    pthread_once(&opened, open_sink);
}

static void begin_line(const char *kind, struct json_line *line)
{
    json_line_begin(line);
    json_line_text(line, "kind", kind);
    json_line_integer(line, "launch", (int64_t)finding_launch_count());
}

/* Nothing more of this launch is recorded. */
static void cut(struct tracer *tracer, const char *reason)
{
    struct json_line line;
    if (tracer->cut)
        return;
    tracer->cut = true;
    begin_line("cut", &line);
    json_line_text(&line, "reason", reason);
    json_line_integer(&line, "steps", tracer->step_count);
    json_line_end(&line, sink);
}

static void write_step(struct tracer *tracer, struct step *step)
{
    if (!step->open)
        return;
    if (step->has_requests)
        json_line_close(&step->line, ']');
    json_line_integer(&step->line, "mask", step->mask);
    json_line_integer(&step->line, "live", step->live);
    if (step->at)
        json_line_text(&step->line, "at", step->at);
    json_line_end(&step->line, sink);
    step->open = false;
    if (ftell(sink) > MAX_BYTES)
        cut(tracer, "bytes");
}

/* ---- launches ----------------------------------------------------------------------------------------------------- */

static uint64_t find_block(const struct launch_request *request)
{
    const uint32_t *grid = request->grid, *wanted = settings_get()->trace_block;
    if (wanted[0] >= grid[0] || wanted[1] >= grid[1] || wanted[2] >= grid[2])
        return UINT64_MAX;
    return wanted[0] + (uint64_t)grid[0] * (wanted[1] + (uint64_t)grid[1] * wanted[2]);
}

static void write_launch(const struct tracer *tracer)
{
    const struct launch_request *request = tracer->launch->request;
    struct json_line line;
    begin_line("launch", &line);
    json_line_text(&line, "kernel", request->function->name);
    json_line_triple(&line, "grid", request->grid);
    json_line_triple(&line, "block_shape", request->block);
    json_line_triple(&line, "block", settings_get()->trace_block);
    json_line_integer(&line, "in_grid", tracer->block != UINT64_MAX);
    json_line_end(&line, sink);
}

struct tracer *tracer_start(struct launch *launch)
{
    static unsigned launches;
    tracer_open();
    struct tracer *tracer = sink && launches < MAX_LAUNCHES ? calloc(1, sizeof *tracer) : NULL;
    if (!tracer)
        return NULL;
    launches++;
    tracer->launch = launch;
    tracer->block = find_block(launch->request);
    write_launch(tracer);
    if (ftell(sink) > MAX_BYTES)
        cut(tracer, "bytes");
    return tracer;
}

void tracer_end(struct tracer *tracer)
{
    struct json_line line;
    if (!tracer)
        return;
    for (unsigned i = 0; i < MAX_WARPS; i++)
        write_step(tracer, &tracer->steps[i]);
    begin_line("end", &line);
    json_line_integer(&line, "steps", tracer->step_count);
    json_line_end(&line, sink);
    free(tracer);
}

bool tracer_follows(const struct tracer *tracer, const struct block *block)
{
    return block->linear == tracer->block;
}

/* ---- steps -------------------------------------------------------------------------------------------------------- */

/* Do these only prepare what follows? */
static bool is_bookkeeping(const struct operation *operation)
{
    return operation_is(operation, ROLE_BOOKKEEPING)
           || (operation->instruction < 0 && operation->handler != HANDLER_exit); /* all returns share that one */
}

static const char *stop_of(const struct operation *operation)
{
    switch (operation->handler) {
    case HANDLER_barrier: return "barrier";
    case HANDLER_warp_barrier: return "warp_barrier";
    case HANDLER_exit: return "exit";
    default: return NULL;
    }
}

/* Another line, other lanes, or the same again: then it is another step. */
static bool goes_on(const struct step *step, const struct warp *warp, const struct operation *operation, int line)
{
    if (!step->open || step->at)
        return false;
    if (!step->guarded && step->full != warp->mask)
        return false;
    return (line == 0 || line == step->source_line) && (uintptr_t)operation > (uintptr_t)step->last;
}

static bool begin_step(struct tracer *tracer, const struct warp *warp, const struct operation *operation, int line)
{
    struct step *step = &tracer->steps[warp->index];
    write_step(tracer, step);
    if (tracer->step_count == MAX_STEPS)
        cut(tracer, "steps");
    if (tracer->cut)
        return false;
    *step = (struct step){.open = true, .source_line = line, .full = warp->mask, .live = warp->live, .last = operation};
    begin_line("step", &step->line);
    json_line_integer(&step->line, "warp", warp->index);
    json_line_integer(&step->line, "interval", tracer->interval);
    json_line_integer(&step->line, "order", tracer->step_count++);
    json_line_integer_or_null(&step->line, "line", line);
    return true;
}

void tracer_before(struct tracer *tracer, const struct warp *warp, const struct operation *operation)
{
    tracer->request.present = false;
    tracer->step = NULL;
    if (tracer->cut || warp->block->linear != tracer->block)
        return;
    struct step *step = &tracer->steps[warp->index];
    tracer->step = step;
    if (is_bookkeeping(operation))
        return;
    int line = operation->instruction >= 0 ? place_of(tracer->launch, operation).line : step->source_line;
    if (!goes_on(step, warp, operation, line) && !begin_step(tracer, warp, operation, line))
        return;
    step->mask |= warp->mask;
    step->last = operation;
    step->at = stop_of(operation);
    trace_request_find(warp, operation, &tracer->request);
    if (tracer->request.present)
        trace_request_name(tracer->launch, &tracer->request, &tracer->arrays, sink);
}

static void write_request(struct tracer *tracer, struct step *step)
{
    if (!step->has_requests)
        json_line_open(&step->line, "requests", '[');
    step->has_requests = true;
    trace_request_write(&tracer->request, &tracer->arrays, &step->line);
}

void tracer_after(struct tracer *tracer, const struct operation *operation, const struct operation *next)
{
    struct step *step = tracer->step;
    if (!step)
        return;
    if (tracer->request.present)
        write_request(tracer, step);
    if (operation->handler == HANDLER_guard)
        step->guarded = next == operation + 1;
    if (operation->handler == HANDLER_unguard)
        step->guarded = false;
}

void tracer_barrier(struct tracer *tracer, const struct block *block, uint32_t number)
{
    const struct barrier *barrier = &block->barriers[number];
    const struct operation *at = barrier->at ? barrier->at : block->parked_at;
    uint32_t waiting = barrier->at ? barrier->waiting : block->parked_threads;
    struct json_line line;
    if (tracer->cut || block->linear != tracer->block || !at)
        return;
    for (unsigned i = 0; i < MAX_WARPS; i++)
        write_step(tracer, &tracer->steps[i]);
    begin_line("barrier", &line);
    json_line_integer(&line, "interval", tracer->interval);
    json_line_integer(&line, "number", number);
    json_line_integer_or_null(&line, "line", place_of(tracer->launch, at).line);
    json_line_integer(&line, "threads", waiting);
    json_line_integer(&line, "all", waiting >= block->live_threads);
    json_line_end(&line, sink);
    tracer->interval += waiting >= block->live_threads; /* one of some threads only orders not all */
}
