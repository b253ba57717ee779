/* Which shard grades what: a class divided into parts that take about equally long.
 *
 * Every process that divides the same units gets the same parts, on whichever machine: the dearest unit first, of equally
 * dear ones the smaller key, each to the shard with the least to do so far.
 */
#ifndef SHARES_H
#define SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More tasks than that are of no use to anybody. */
#define SHARES_MAX 10000

struct share {
    const char *key;       /* of the grading; borrowed; no two units have the same */
    uint32_t milliseconds; /* what it costs, of one core */
    uint32_t shard;        /* out: from 1 */
    size_t number;         /* the caller's own */
};

/* What a grading of this lab costs by costs.def; a lab that is not there costs as much as the middle one of the table. */
uint32_t shares_cost_of_lab(const char *lab);

/* Gives every unit its shard, and sorts the units by cost and key.
 *   shards   from 1 to SHARES_MAX */
void shares_divide(struct share *units, size_t count, uint32_t shards);

/* A plan on disk: {"schema": "lockstep/shares/v1", "shards": N, "keys": [keys of shard 1, of shard 2 …]}. A plan made where costs
 * are known better is kept for all its shards. Returns false with a message. */
bool shares_write(const char *path, const struct share *units, size_t count, uint32_t shards, char *message,
                  size_t message_bytes);

/* Takes the shards of the units from a plan on disk. Units that it does not know are divided as by shares_divide. Returns
 * false when there is no plan for so many shards that can be read; then no unit has changed its shard. */
bool shares_read(const char *path, struct share *units, size_t count, uint32_t shards);

#endif
