/* Work that nothing orders: what pending work of the program's streams reads and writes, and which later work, or the
 * host itself, touches the same bytes without waiting for it (order.h). Reported as the findings stream_race and
 * host_race; values do not change, unless the schedule is "late" (late.h).
 *
 * Only with LOCKSTEP_CHECKS=all, and once the program has created a stream, has pinned or managed memory, or launches a graph:
 * without any of these, nothing can be out of order. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_UNORDERED_H
#define EMULATOR_UNORDERED_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/driver/graph_branch.h"
#include "runtime/emulator/driver/order.h"

struct context;
struct memory_allocation;
struct range;

enum access_manner { ACCESS_READ, ACCESS_WRITE, ACCESS_STRONG, ACCESS_ALLOCATE, ACCESS_FREE };

/* The program has pinned, registered or managed memory, which the host and the device share. From now on, between the
 * calls of the driver, pages of it that pending work writes cannot be accessed, and those that it reads cannot be
 * written; a touch opens the page and is reported by the next call. */
void unordered_share_memory(void);

/* Has it any? */
bool unordered_shares_memory(void);

/* Is what work reads and writes to be recorded? */
bool unordered_matters(void);

/* A piece of work of the stream begins. The accesses that follow are its own, until the next begins. */
void unordered_begin(CUstream stream, const struct context *context);

/* The piece that runs is to be done later: what is known about its call, to go on with it then. */
enum { UNORDERED_FRAMES = 4 };
struct unordered_piece {
    struct order_piece order;
    const void *origin[UNORDERED_FRAMES]; /* of the call */
    bool origin_is_known;
    bool is_entered; /* what it reads and writes was recorded with its call: not again */
};
struct unordered_piece unordered_get(void);
void unordered_go_on(const struct unordered_piece *piece);

/* The same, with the call's place in the program, for whoever leaves the call. */
struct unordered_piece unordered_get_call(void);

/* Whom to ask about pieces that are still to be done: may one of them be in no order with an earlier one, which the host has
 * waited for? And is one, of which the accesses were recorded with its call, ordered after another? Set once. */
void unordered_watch(bool (*may_meet)(struct order_epoch earlier),
                     bool (*is_after)(struct order_epoch later, struct order_epoch earlier));

/* The piece is the launch of a graph, of which a node runs now, until the next or unordered_leave_graph(). All that the graph does
 * has the order of that piece, but a node is ordered only after those that its dependencies lead to.
 *   place    of the node in its graph, for findings
 *   branch   its place in the launch; what it points to is borrowed until the next node */
void unordered_enter_node(size_t place, const struct graph_branch *branch);
void unordered_leave_graph(void);

/* It reads or writes `height` rows of `width` bytes, `pitch` bytes apart; plain host memory is left out.
 *   call   name of the entry point, for the finding */
void unordered_access(const char *call, enum access_manner manner, const struct range *range, uint64_t width, uint64_t pitch,
                      uint64_t height);

/* It allocates or frees memory in the order of its stream. */
void unordered_memory(const char *call, enum access_manner manner, const struct memory_allocation *allocation);

/* It is the launch of a kernel of that (mangled) name, which has just run and was recorded: what it did is taken from
 * observe/record/extents.h. */
void unordered_launched(const char *kernel);

/* The host frees memory at once, without waiting for work: reports pending work that uses it. */
void unordered_free_now(const char *call, const struct memory_allocation *allocation);

/* The memory is gone, or is used by code that is not watched: nothing more is known about it. */
void unordered_forget(const struct memory_allocation *allocation);

/* The host has waited for something: work that is complete now is forgotten. */
void unordered_settle(void);

#endif
