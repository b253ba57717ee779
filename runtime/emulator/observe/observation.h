/* The observers of one launch, launch->observation; NULL where accesses are not observed. For the files of this folder. */
#ifndef EMULATOR_OBSERVATION_H
#define EMULATOR_OBSERVATION_H

#include <stdbool.h>

#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/observe/record/outcomes.h"

struct observation {
    struct races *races;  /* also numbers the sites for poison */
    bool looks_for_races; /* CHECKS_ALL */
    bool has_past;        /* a kernel launched it: accesses are compared with that one's, too */
    struct poison *poison;
    struct tracer *tracer;     /* NULL: steps are not recorded */
    struct accesses *accesses; /* NULL: who loads and stores what is not recorded */
    struct outcomes outcomes;
    struct extents *extents; /* NULL: what the launch reads and writes is not recorded */
};

/* ---- observers_async.c: the hooks of these names ---- */

void observers_async_read(struct warp *warp, const struct operation *operation, unsigned lane,
                          const struct async_source *source);
void observers_async_issue(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t to, uint64_t bytes);
void observers_async_land(struct block *block, struct launch *launch, const struct async_landing *landing);
void observers_mbarrier_access(struct warp *warp, const struct operation *operation, const uint64_t address[32],
                               uint32_t valid);
void observers_mbarrier_release(struct warp *warp, uint32_t lanes, uint32_t *chain);
void observers_mbarrier_acquire(struct warp *warp, uint32_t lanes, uint32_t chain);

#endif
