/* Where the requests of some blocks touch the same memory again: what a cache would hold. A GPU's level-1 cache serves what
 * a block touched before, its level-2 cache what blocks that run beside it touched; the totals of the launch do not
 * distinguish the two. So a few groups of neighbouring blocks are observed sector by sector. For the estimate of time:
 * ratios, not totals.
 */
#ifndef EMULATOR_LOCALITY_H
#define EMULATOR_LOCALITY_H

#include <stdbool.h>
#include <stdint.h>

struct warp;
struct json_line;
struct memory_site;

/* A launch begins and ends; one runs at a time. Out of memory, nothing is looked at. */
void locality_begin(void);
void locality_end(void);

/* Are the requests of this block looked at? Blocks come in groups of neighbours: the first group is, and the one in the
 * middle; of a small grid all. */
bool locality_looks_at(uint64_t block, uint64_t blocks);

/* A request for global memory by an observed block: addresses of the lanes in `mask`. */
void locality_request(const struct warp *warp, const struct memory_site *site, const uint64_t address[32], uint32_t mask);

/* Writes what was seen as the member "sample" and stops observing; writes nothing when nothing was seen. */
void locality_write(struct json_line *line);

#endif
