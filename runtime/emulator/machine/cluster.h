/* Thread block clusters (PTX ISA 2.2.2): blocks that run at the same time, reach each other's shared memory and meet at a barrier.
 *
 * An address in the shared memory of another block has that block's rank, and one, in its upper four bits. All blocks of a
 * cluster begin together. What works on such addresses: ld, st, atom, red, mapa, getctarank, isspacep, cvta.
 */
#ifndef EMULATOR_CLUSTER_H
#define EMULATOR_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/warp.h"

/* As many as a kernel may ask for without asking for sizes that are not portable. Their ranks are CLUSTER_RANK_SHIFT bits up, so
 * a kernel of a cluster has at most CLUSTER_SLOTS shared arrays. */
enum {
    CLUSTER_MOST_BLOCKS = 8,
    CLUSTER_RANK_SHIFT = 28,
    CLUSTER_SLOTS = (1 << (CLUSTER_RANK_SHIFT - SHARED_SLOT_BITS)) - 1
};

/* Is it an address (generic: without its window) in the shared memory of another block? */
static inline bool cluster_is_remote(const struct launch *launch, uint64_t address)
{
    return launch->cluster_blocks > 1 && !(address >> 32) && address >> CLUSTER_RANK_SHIFT;
}

/* The same address without the rank. */
static inline uint64_t cluster_local_address(uint64_t address)
{
    return address & ((UINT64_C(1) << CLUSTER_RANK_SHIFT) - 1);
}

/* The block of that rank in the cluster of a block; NULL: there is none, or it has ended. */
struct block *cluster_find(const struct launch *launch, const struct block *block, uint32_t rank);

/* mapa: the address of the same place in another block's shared memory. A rank beyond the cluster gives an address that no
 * block has. address, result: in the shared space. */
uint32_t cluster_map(const struct warp *warp, uint32_t address, uint32_t rank);
/* getctarank: whose shared memory the address is in. */
uint32_t cluster_rank_of(const struct warp *warp, uint32_t address);

/* The place of a block in the grid at a position of the order in which blocks begin, clusters one after the other.
 *   index   out: x, y, z */
void cluster_place(const struct launch *launch, uint64_t position, uint32_t index[3], uint64_t *cluster, uint32_t *rank);

/* The blocks of a cluster that have not ended. */
#define FOR_CLUSTER(run, member, other)                                          \
    for (uint64_t other##_slot = 0; other##_slot < (run)->slots; other##_slot++) \
        for (struct block *other = &(run)->resident[other##_slot];               \
             other && other->running && other->cluster == (member)->cluster; other = NULL)

/* Begins the next phase of the barrier if all threads of the cluster that have not left have arrived. */
void cluster_complete(struct launch *launch, const struct block *block);

/* No thread can move, and threads wait at the barrier of a cluster: says so. False: none does. */
bool cluster_report_stuck(struct launch *launch);

#endif
