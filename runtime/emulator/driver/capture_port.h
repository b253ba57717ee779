/* What the entry points ask before they act, in case a stream is being captured: a table that stream capture (../graph/)
 * fills in when the first capture begins. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_CAPTURE_PORT_H
#define EMULATOR_CAPTURE_PORT_H

#include <stdbool.h>

#include "runtime/cuda/driver_api.h"

struct context;
struct stream_work;

/* Calls that put no work into a stream, by what they may do during a capture. */
enum capture_call {
    CAPTURE_CALL_STREAM, /* asks or waits for a stream: refused for a captured one */
    CAPTURE_CALL_UNSAFE, /* may wait for other work: refused unless the mode of capture allows it */
    CAPTURE_CALL_ALL,    /* waits for the whole context: refused while any stream of it is captured */
};

struct capture_port {
    /* Records the work when the stream is captured. Sets *recorded then; else the caller does the work now. */
    CUresult (*submit)(CUstream stream, struct context *context, struct stream_work *work, bool *recorded);
    /* An event is recorded in a stream, or waited for; flags: 0, or "external", which makes a node. */
    CUresult (*record)(CUstream stream, struct context *context, CUevent event, unsigned flags, bool *recorded);
    CUresult (*wait)(CUstream stream, struct context *context, CUevent event, unsigned flags, bool *recorded);
    /* May the program make this call now? A refusal ends the capture. */
    CUresult (*allow)(enum capture_call call, CUstream stream);
    /* May it ask whether the event has been reached? */
    CUresult (*allow_event)(CUevent event);
    bool (*is_captured)(CUstream stream);
    /* The handle is about to be destroyed. */
    void (*forget_stream)(CUstream stream);
    void (*forget_event)(CUevent event);
};

/* NULL while no capture has begun in this process. */
extern const struct capture_port *capture_port;

/* Shorthands that allow everything while there is no port. */
CUresult capture_allow(enum capture_call call, CUstream stream);
CUresult capture_allow_event(CUevent event);

#endif
