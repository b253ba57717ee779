/* Philox4x32-10: J. Salmon and others, Parallel random numbers: as easy as 1, 2, 3, SC 2011. A lane is the upper half of the
 * counter; each gives four results in turn, for which it uses one block of four words, or two for doubles. */
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/curand/generator.h"

enum { LANES = 65536, ROUNDS = 10, QUAD = 4 };

struct philox {
    uint32_t key[2];
    unsigned lane, within;  /* of the next result */
    uint64_t blocks[LANES]; /* that each lane has used */
};

static void block(const struct philox *philox, unsigned lane, uint64_t index, uint64_t words[QUAD])
{
    uint32_t c[QUAD] = {(uint32_t)index, (uint32_t)(index >> 32), lane, 0}, k0 = philox->key[0], k1 = philox->key[1];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t first = (uint64_t)0xD2511F53u * c[0], second = (uint64_t)0xCD9E8D57u * c[2];
        uint32_t mixed[QUAD] = {(uint32_t)(second >> 32) ^ c[1] ^ k0, (uint32_t)second, (uint32_t)(first >> 32) ^ c[3] ^ k1,
                                (uint32_t)first};
        memcpy(c, mixed, sizeof c);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    for (int i = 0; i < QUAD; i++)
        words[i] = c[i];
}

static void *start(const struct kind *kind, const struct options *options)
{
    (void)kind;
    struct philox *philox = malloc(sizeof *philox);
    if (!philox)
        return NULL;
    uint64_t quad = options->offset / QUAD;
    philox->key[0] = (uint32_t)options->seed;
    philox->key[1] = (uint32_t)(options->seed >> 32);
    philox->lane = (unsigned)(quad % LANES);
    philox->within = (unsigned)(options->offset % QUAD);
    for (unsigned i = 0; i < LANES; i++)
        philox->blocks[i] = quad / LANES + (i < philox->lane);
    return philox;
}

/* The four results of the current lane; returns how many blocks they take. */
static unsigned quad_of(const struct philox *philox, const struct distribution *distribution, unsigned char *results)
{
    unsigned used = QUAD * distribution->raw_count / distribution->result_count / QUAD;
    uint64_t words[2 * QUAD];
    for (unsigned i = 0; i < used; i++)
        block(philox, philox->lane, philox->blocks[philox->lane] + i, words + i * QUAD);
    for (unsigned i = 0; i < QUAD / distribution->result_count; i++)
        distribution->make(distribution, words + i * distribution->raw_count,
                           results + i * distribution->result_count * distribution->size);
    return used;
}

static uint64_t fill(void *state, const struct distribution *distribution, void *results, size_t count)
{
    struct philox *philox = state;
    unsigned char *result = results;
    /* The offset grows by whole quads, unlike those of the other kinds; a call for less than one from its start is
     * different. */
    uint64_t growth = philox->within == 0 && count < QUAD ? count : (philox->within + (uint64_t)count) / QUAD;
    while (count > 0) {
        _Alignas(8) unsigned char quad[QUAD * sizeof(uint64_t)];
        unsigned used = quad_of(philox, distribution, quad), wanted = QUAD - philox->within;
        if (wanted > count)
            wanted = (unsigned)count;
        memcpy(result, quad + philox->within * distribution->size, wanted * distribution->size);
        result += wanted * distribution->size;
        count -= wanted;
        philox->within += wanted;
        if (philox->within == QUAD) {
            philox->within = 0;
            philox->blocks[philox->lane] += used;
            philox->lane = (philox->lane + 1) % LANES;
        }
    }
    return growth;
}

const struct kind philox4_32_10 = {
    .name = "CURAND_RNG_PSEUDO_PHILOX4_32_10",
    .type = TYPE_PHILOX4_32_10,
    .format = RAW_PAIRED,
    .takes_offset = true,
    .orders = 1u << (ORDER_BEST - ORDER_BEST) | 1u << (ORDER_DEFAULT - ORDER_BEST) | 1u << (ORDER_LEGACY - ORDER_BEST)
              | 1u << (ORDER_DYNAMIC - ORDER_BEST),
    .start = start,
    .fill = fill,
};
