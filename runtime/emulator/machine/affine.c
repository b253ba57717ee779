#include "runtime/emulator/machine/affine.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_SLOTS = 1024, TABLE_FULL = 768, MISS_LIMIT = 256 };

const struct lane_shape lane_shape_uniform, lane_shape_unknown;

struct shape_table {
    struct lane_shape *slots[TABLE_SLOTS]; /* open addressing */
    unsigned count;
};

struct shape_table *shape_table_create(void)
{
    return calloc(1, sizeof(struct shape_table));
}

void shape_table_destroy(struct shape_table *table)
{
    for (unsigned i = 0; table && i < TABLE_SLOTS; i++)
        free(table->slots[i]);
    free(table);
}

static uint64_t hash_of(const int64_t delta[32])
{
    uint64_t hash = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        hash = (hash ^ (uint64_t)delta[lane]) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

/* The shape with these deltas. */
static const struct lane_shape *find(struct shape_table *table, const int64_t delta[32])
{
    if (memcmp(delta, lane_shape_uniform.delta, sizeof lane_shape_uniform.delta) == 0)
        return &lane_shape_uniform;
    unsigned slot = (unsigned)(hash_of(delta) % TABLE_SLOTS);
    for (; table->slots[slot]; slot = (slot + 1) % TABLE_SLOTS)
        if (memcmp(table->slots[slot]->delta, delta, sizeof table->slots[slot]->delta) == 0)
            return table->slots[slot];
    struct lane_shape *shape = table->count < TABLE_FULL ? aligned_alloc(64, (sizeof *shape + 63) / 64 * 64) : NULL;
    if (!shape)
        return NULL;
    memset(shape, 0, sizeof *shape);
    for (unsigned lane = 0; lane < 32; lane++) {
        shape->delta[lane] = delta[lane];
        shape->delta32[lane] = (uint32_t)delta[lane];
        shape->low = delta[lane] < shape->low ? delta[lane] : shape->low;
        shape->high = delta[lane] > shape->high ? delta[lane] : shape->high;
    }
    table->slots[slot] = shape;
    table->count++;
    return shape;
}

static int64_t delta_of(uint64_t value, bool wide)
{
    return wide ? (int64_t)value : (int64_t)(int32_t)(uint32_t)value;
}

const struct lane_shape *shape_of_lanes(struct shape_table *table, const uint64_t value[32], bool wide)
{
    int64_t delta[32];
    for (unsigned lane = 0; lane < 32; lane++)
        delta[lane] = delta_of(value[lane] - value[0], wide);
    return find(table, delta);
}

const struct lane_shape *affine_product(struct affine_site *site, const struct lane_shape *shape, uint64_t factor, bool wide)
{
    int64_t delta[32];
    if (site->misses >= MISS_LIMIT)
        return NULL;
    site->misses++;
    for (unsigned lane = 0; lane < 32; lane++)
        delta[lane] = delta_of((uint64_t)shape->delta[lane] * factor, wide);
    const struct lane_shape *product = find(site->table, delta);
    if (product) {
        site->factor_shape = shape;
        site->factor = factor;
        site->product = product;
    }
    return product;
}

const struct lane_shape *affine_sum(struct affine_site *site, const struct lane_shape *left, const struct lane_shape *right,
                                    bool subtract, bool wide)
{
    int64_t delta[32];
    if (site->misses >= MISS_LIMIT)
        return NULL;
    site->misses++;
    for (unsigned lane = 0; lane < 32; lane++) {
        uint64_t other = (uint64_t)right->delta[lane];
        delta[lane] = delta_of((uint64_t)left->delta[lane] + (subtract ? 0 - other : other), wide);
    }
    const struct lane_shape *sum = find(site->table, delta);
    if (sum) {
        site->left = left;
        site->right = right;
        site->sum = sum;
    }
    return sum;
}
