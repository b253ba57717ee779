/* What is ordered before what: streams, events and the host. The work itself is done when it is issued, or later (late.h);
 * this is the order that the program has asked for, from which unordered.h tells what a GPU could do at the same time or
 * the other way round.
 *
 * Every stream counts its pieces of work. A clock holds, for each stream, how many of its pieces are known to be
 * complete; a stream, an event and the host have one each. A piece of work is ordered after another if its stream's clock
 * had counted that one when it was issued.
 *
 * All host threads share one clock: what any of them has waited for counts for all, since their own synchronisation is
 * not seen. The default stream of the `_ptsz` and `_ptds` entry points counts as the legacy one. Both mean less is
 * reported, never too much. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_ORDER_H
#define EMULATOR_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/cuda/driver_api.h"

struct context;

/* Streams that exist, or have pending work, at a time; with more, order_is_lost. */
enum { ORDER_STREAM_LIMIT = 256 };

struct order_clock {
    uint64_t done[ORDER_STREAM_LIMIT]; /* pieces of work, by the stream's place */
};

/* One piece of work. */
struct order_epoch {
    unsigned stream; /* place of the stream */
    uint64_t number; /* of the piece, from 1 */
    uint64_t serial; /* among all pieces, in the order of their issue */
};

/* The piece that runs, and what it is ordered after. */
struct order_piece {
    struct order_epoch epoch;
    struct order_clock *clock; /* NULL: nothing has begun */
};

/* A stream was created, or is destroyed: its work goes on. */
void order_create_stream(CUstream stream, const struct context *context, bool is_blocking);
void order_destroy_stream(CUstream stream);

/* Has the program ever had more than the legacy default stream? If not, all its work is in order. */
bool order_has_streams(void);

/* There were too many streams: nothing is known about any order from now on. */
bool order_is_lost(void);

/* The stream's next piece of work begins: it waits for what its stream waits for, and so does order_is_before. Returns false
 * when the order is lost. */
bool order_begin(CUstream stream, const struct context *context);

/* The piece that runs: the one that began last, unless another goes on. */
struct order_epoch order_now(void);

/* The same with its clock, which is its stream's: what comes next in the stream changes it. order_go_on: that piece runs
 * (again); a caller who does it later gives a copy of the clock. */
struct order_piece order_get(void);
void order_go_on(struct order_piece piece);

/* Is that piece ordered after the earlier one? */
bool order_is_before(struct order_epoch earlier);

/* Makes it so, for what comes next in its stream. */
void order_after(struct order_epoch earlier);

/* Does the host know that it is complete? */
bool order_is_done(struct order_epoch epoch);

/* Is it among what the clock counts? NULL: the clock of an event of which nothing is known, which counts everything. */
bool order_counts(const struct order_clock *clock, struct order_epoch epoch);

/* What the host waits for when it waits for a stream. */
void order_find_clock(CUstream stream, const struct context *context, struct order_clock *clock);

/* Whom to tell what the host is about to wait for, before that counts as complete: set once. */
void order_watch_host(void (*waits)(const struct order_clock *clock));

/* An event is recorded in the stream: writes what it stands for into *clock, malloc'd where it is NULL; stays NULL without
 * memory, and then waiting for it counts as waiting for everything. order_record_now: in that of the piece that runs. */
void order_record(CUstream stream, const struct context *context, struct order_clock **clock);
void order_record_now(struct order_clock **clock);

/* The stream waits for an event. order_wait_now: that of the piece that runs. */
void order_wait(CUstream stream, const struct context *context, const struct order_clock *clock);
void order_wait_now(const struct order_clock *clock);

/* The host has waited for: an event; a stream; the piece that began last, and all before it in its stream; all streams of a
 * context (NULL: of all). */
void order_host_event(const struct order_clock *clock);
void order_host_stream(CUstream stream, const struct context *context);
void order_host_now(void);
void order_host_context(const struct context *context);

/* How often the host has waited for an event, a stream or a context. */
uint64_t order_host_waits(void);

/* The context is gone, and its work with it. */
void order_forget_context(const struct context *context);

/* "stream 2", which is the second that the program created, "the default stream": of an epoch. Returns text. */
enum { ORDER_NAME_BYTES = 40 };
const char *order_name(struct order_epoch epoch, char text[ORDER_NAME_BYTES]);

/* Is one of them in the default stream, and the other in a stream that does not wait for it? */
bool order_is_exempt(struct order_epoch one, struct order_epoch other);

#endif
