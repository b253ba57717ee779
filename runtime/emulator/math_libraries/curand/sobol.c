/* Sobol' sequences in the order of the Gray code: I. A. Antonov and V. M. Saleev, An economic method of computing LP-tau
 * sequences, 1979. All results of the first dimension come first, then those of the second, and so on. */
#include "runtime/emulator/math_libraries/curand/sobol.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/emulator/math_libraries/curand/generator.h"

enum { HIGHEST_DEGREE = 13 };

static const struct {
    uint16_t polynomial, initial[HIGHEST_DEGREE];
} dimensions[SOBOL_DIMENSIONS - 1] = {
#define DIMENSION(polynomial, ...) {polynomial, {__VA_ARGS__}},
#include "runtime/emulator/math_libraries/curand/sobol_numbers.def"
#undef DIMENSION
};

/* The direction vectors of a dimension, from 0, as numbers of `bits` bits. */
static void direction_vectors(unsigned dimension, unsigned bits, uint64_t *vectors)
{
    if (dimension == 0) {
        for (unsigned i = 0; i < bits; i++)
            vectors[i] = (uint64_t)1 << (bits - 1 - i);
        return;
    }
    unsigned polynomial = dimensions[dimension - 1].polynomial, degree = 31 - (unsigned)__builtin_clz(polynomial);
    for (unsigned i = 0; i < degree; i++)
        vectors[i] = (uint64_t)dimensions[dimension - 1].initial[i] << (bits - 1 - i);
    for (unsigned i = degree; i < bits; i++) {
        vectors[i] = vectors[i - degree] ^ vectors[i - degree] >> degree;
        for (unsigned k = 1; k < degree; k++)
            if (polynomial >> (degree - k) & 1)
                vectors[i] ^= vectors[i - k];
    }
}

/* `bytes` that can be read and written, then unreadable memory up to `reserved`. */
static void *guarded(size_t bytes, size_t reserved)
{
    void *memory = mmap(NULL, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED || mprotect(memory, bytes, PROT_READ | PROT_WRITE) != 0 ? NULL : memory;
}

static uint32_t (*vectors_32)[32];
static uint64_t (*vectors_64)[64];

static void make_vectors(void)
{
    vectors_32 = guarded(SOBOL_DIMENSIONS * sizeof *vectors_32, SOBOL_DOCUMENTED_DIMENSIONS * sizeof *vectors_32);
    vectors_64 = guarded(SOBOL_DIMENSIONS * sizeof *vectors_64, SOBOL_DOCUMENTED_DIMENSIONS * sizeof *vectors_64);
    for (unsigned i = 0; vectors_32 && vectors_64 && i < SOBOL_DIMENSIONS; i++) {
        uint64_t narrow[32];
        direction_vectors(i, 32, narrow);
        for (int k = 0; k < 32; k++)
            vectors_32[i][k] = (uint32_t)narrow[k];
        direction_vectors(i, 64, vectors_64[i]);
    }
}

static pthread_once_t made = PTHREAD_ONCE_INIT;

uint32_t (*sobol_vectors_32(void))[32]
{
    pthread_once(&made, make_vectors);
    return vectors_32;
}

uint64_t (*sobol_vectors_64(void))[64]
{
    pthread_once(&made, make_vectors);
    return vectors_64;
}

struct sobol {
    unsigned dimensions, bits;
    uint64_t point; /* the next */
};

static void *start(const struct kind *kind, const struct options *options)
{
    struct sobol *sobol = malloc(sizeof *sobol);
    if (!sobol || !sobol_vectors_32() || !sobol_vectors_64()) {
        free(sobol);
        return NULL;
    }
    *sobol = (struct sobol){options->dimensions, kind->format == RAW_64 ? 64 : 32, options->offset};
    return sobol;
}

static uint64_t vector(const struct sobol *sobol, unsigned dimension, unsigned i)
{
    return sobol->bits == 64 ? vectors_64[dimension][i] : vectors_32[dimension][i];
}

static uint64_t coordinate(const struct sobol *sobol, unsigned dimension, uint64_t point)
{
    uint64_t gray = point ^ point >> 1, value = 0;
    for (unsigned i = 0; i < sobol->bits && gray >> i != 0; i++)
        if (gray >> i & 1)
            value ^= vector(sobol, dimension, i);
    return value;
}

static uint64_t fill(void *state, const struct distribution *distribution, void *results, size_t count)
{
    struct sobol *sobol = state;
    size_t points = count / sobol->dimensions;
    unsigned char *result = results;
    for (unsigned dimension = 0; dimension < sobol->dimensions; dimension++) {
        uint64_t value = coordinate(sobol, dimension, sobol->point);
        for (size_t i = 0; i < points; i++, result += distribution->size) {
            distribution->make(distribution, &value, result);
            uint64_t next = sobol->point + i + 1; /* from one point to the next, the bit of the Gray code that changes */
            unsigned changed = next == 0 ? 63 : (unsigned)__builtin_ctzll(next);
            if (changed < sobol->bits)
                value ^= vector(sobol, dimension, changed);
        }
    }
    sobol->point += points;
    return points;
}

const struct kind sobol32 = {
    .name = "CURAND_RNG_QUASI_SOBOL32",
    .type = TYPE_SOBOL32,
    .format = RAW_32,
    .quasi = true,
    .takes_offset = true,
    .start = start,
    .fill = fill,
};

const struct kind sobol64 = {
    .name = "CURAND_RNG_QUASI_SOBOL64",
    .type = TYPE_SOBOL64,
    .format = RAW_64,
    .quasi = true,
    .takes_offset = true,
    .start = start,
    .fill = fill,
};
