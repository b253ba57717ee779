/* What one request of a warp touches, for the trace: found before the operation runs, written when it has, so that the
 * values are those that the lanes read or stored. */
#ifndef EMULATOR_TRACE_REQUEST_H
#define EMULATOR_TRACE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/emulator/machine/warp.h"

struct json_line;

enum { TRACE_MAX_ARRAYS = 32 };

/* An array that a lane has reached. */
struct trace_reached {
    const void *identity; /* struct shared_array or struct memory_allocation; NULL: nothing there */
    uint8_t *host;        /* of its first byte */
    uint64_t bytes;
    uint64_t first; /* shared memory: its offset in the block's */
    bool shared;
};

struct trace_request {
    bool present;
    const struct memory_site *site;
    uint32_t lanes; /* that reached an array */
    uint64_t address[WARP_LANES];
    struct trace_reached reached[WARP_LANES];
    int64_t offset[WARP_LANES]; /* in the array, in bytes */
};

/* The arrays of a launch, in the order in which they were met. */
struct trace_arrays {
    const void *identity[TRACE_MAX_ARRAYS];
    unsigned count;
};

/* Records the request that the operation is about to make; ->present remains false when it makes none. */
void trace_request_find(const struct warp *warp, const struct operation *operation, struct trace_request *request);

/* Describes each new array of the request in its own line of `file`. Arrays beyond TRACE_MAX_ARRAYS are left
 * out, and so are accesses to them. */
void trace_request_name(const struct launch *launch, const struct trace_request *request, struct trace_arrays *arrays,
                        FILE *file);

/* Adds an element for each array of the request to the list that is open in `line`. */
void trace_request_write(const struct trace_request *request, const struct trace_arrays *arrays, struct json_line *line);

#endif
