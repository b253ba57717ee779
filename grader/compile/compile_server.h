/* The compile server: one process that loads NVRTC, warms it up once, and then forks a confined child for each submission.
 *
 * All workers of a run share it: they inherit its socket. Start it before the first submission is read, so that no child can
 * find another's work in its memory; the grading process itself then never loads NVRTC (which on a machine with a GPU opens
 * the driver, and a driver does not survive a fork). A process that has no server when it compiles starts one for itself.
 */
#ifndef COMPILE_SERVER_H
#define COMPILE_SERVER_H

#include <stdbool.h>

#include "grader/sandbox/child.h"

/* Starts the server unless there is one. Returns false when the machine cannot (errno says why). */
bool compile_server_start(void);

/* Lets it load NVRTC now, in the background; otherwise the first submission waits for that. */
void compile_server_warm(void);

/* Version of the NVRTC that it has, 100 * major + minor, loading it where that has not happened; 0: there is none. */
int compile_server_version(void);

/* Ends the server. A process that ends without it takes the server with it, too. */
void compile_server_stop(void);

/* ---- for compile_step --------------------------------------------------------------------------------------------- */

/* A child of the server, as its user sees it. */
struct compile_server_child {
    int channel; /* records; the child runs compile_child_body */
    int report;  /* one struct compile_server_end when the child has ended; closing it kills the child */
};

struct compile_server_end {
    bool timed_out; /* it was killed after the wall clock's time */
    struct child_end end;
};

/* Asks for a child. Returns false when there is no server any more, and none can be started. */
bool compile_server_fork(bool needs_compiler, struct compile_server_child *child);

/* Waits for the child's end. Returns false when the server itself ended. Closes both descriptors in any case. */
bool compile_server_finish(struct compile_server_child *child, struct compile_server_end *end);

#endif
