/* The barrier of a thread block cluster (PTX ISA 9.7.13.3), for executors. */
#ifndef EMULATOR_CLUSTER_BARRIER_H
#define EMULATOR_CLUSTER_BARRIER_H

#include "runtime/emulator/machine/warp.h"

/* barrier.cluster.arrive and .wait: what runs next. */
const struct operation *cluster_arrive(struct warp *warp, const struct operation *operation);
const struct operation *cluster_wait(struct warp *warp, const struct operation *operation);

#endif
