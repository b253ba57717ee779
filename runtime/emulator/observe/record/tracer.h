/* Records every step of one block, for a timeline: LOCKSTEP_TRACE. A step is what the lanes of a warp do at one source
 * line without leaving it. One JSON object per line (README.md of observe lists them); steps and bytes are limited, and the
 * output says where the limit was reached. */
#ifndef EMULATOR_TRACER_H
#define EMULATOR_TRACER_H

#include <stdbool.h>
#include <stdint.h>

struct warp;
struct block;
struct launch;
struct operation;
struct tracer;

/* Opens LOCKSTEP_TRACE: at cuInit, since the process may lock itself in afterwards. */
void tracer_open(void);

/* NULL when nothing is to be traced, the file cannot be opened (reported on stderr), or enough launches were traced. */
struct tracer *tracer_start(struct launch *launch);
/* Writes the remainder of the block's last steps. The block may be gone. */
void tracer_end(struct tracer *tracer);

/* Is this the block that is traced? */
bool tracer_follows(const struct tracer *tracer, const struct block *block);

/* Around each operation of a block, traced or not. `next`: what runs after it. */
void tracer_before(struct tracer *tracer, const struct warp *warp, const struct operation *operation);
void tracer_after(struct tracer *tracer, const struct operation *operation, const struct operation *next);

/* A barrier of the block completes. */
void tracer_barrier(struct tracer *tracer, const struct block *block, uint32_t number);

#endif
