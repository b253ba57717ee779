/* Work that a grid gives to its own device: launches of other grids, copies, fills. It begins when the grid has ended: no
 * kernel can wait for what it launches, and this is one of the orders that CUDA allows. Stream by stream it is done in the
 * order of the calls, since it is in that order altogether; what is in the tail stream comes last. A grid is complete when
 * all its work is, so each piece is followed by its own work, before the next one begins. */
#ifndef EMULATOR_DEVICE_WORK_H
#define EMULATOR_DEVICE_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/device_port.h"
#include "runtime/emulator/machine/launch_request.h"
#include "runtime/emulator/machine/warp.h"

/* Streams that have a meaning of their own. */
enum {
    DEVICE_STREAM_DEFAULT = 0,
    DEVICE_STREAM_LEGACY = 1,
    DEVICE_STREAM_PER_THREAD = 2,
    DEVICE_STREAM_TAIL = 3,
    DEVICE_STREAM_FIRE_AND_FORGET = 4
};

enum device_work_kind { DEVICE_LAUNCH, DEVICE_COPY, DEVICE_FILL };

enum { DEVICE_ORIGIN_BYTES = 240 };

struct device_work {
    struct device_work *next;
    enum device_work_kind kind;
    struct launch_request request;    /* of a launch; its parameters are those of: */
    struct memory_allocation *buffer; /* NULL: the kernel has none */
    struct device_box box;            /* of a copy or a fill */
    const char *call;                 /* of these: the name of the function */
    /* "Launched by kernel sort, line 40."; of a copy or a fill: "cudaMemsetAsync (kernel sort, line 40)" */
    char origin[DEVICE_ORIGIN_BYTES];
};

/* A buffer that a thread fills with the parameters of a launch. */
struct device_buffer {
    struct memory_allocation *allocation;
    const struct program_function *kernel; /* NULL: it is named with the launch */
    uint32_t grid[3], block[3], shared_bytes;
};

/* A stream or an event that a thread made. */
struct device_object {
    bool is_event;
};

/* The last error of a thread. */
struct device_error {
    uint64_t block;
    uint32_t thread;
    int error;
};

/* What the threads of a grid have asked for: launch->device_work; NULL: nothing so far. */
struct device_works {
    struct device_work *first, **end;     /* in the order of the calls */
    struct device_work *tail, **tail_end; /* of the tail stream */
    uint64_t tail_count;
    struct device_buffer *buffers; /* [buffer_count] that were not launched yet; owned */
    size_t buffer_count, buffer_room;
    struct device_object *objects;
    size_t object_count, object_room;
    struct device_error *errors;
    size_t error_count, error_room;
};

/* The launch's; made when it is missing. NULL when out of memory. */
struct device_works *device_works_of(struct launch *launch);

/* Adds a piece of work. */
void device_works_add(struct device_works *works, struct device_work *work, bool in_tail);

/* Takes what the grid asked for, to be done in that order, and frees the rest. NULL: nothing. */
struct device_work *device_works_take(struct launch *launch);

void device_work_destroy(struct device_work *work);

#endif
