/* cuRAND's host API. A generator computes on the host, whether its results go to the host or to the device. The status of
 * each mistake is that of NVIDIA's library on an H200. */
#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/curand/discrete.h"
#include "runtime/emulator/math_libraries/curand/generator.h"
#include "runtime/emulator/math_libraries/curand/poisson.h"
#include "runtime/emulator/math_libraries/curand/sobol.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define LIBRARY "libcurand.so.10"

enum { VERSION = 10400, PATCH = 0 };

struct generator {
    const struct kind *kind;
    struct options options;
    bool host; /* the results go to memory of the host */
    void *stream, *state;
    bool stale; /* the options have changed since the state was made */
    struct generator *next;
};

/* Generators are looked up before they are used, so that a stale or wild handle is refused. */
static struct generator *generators;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct generator **place_of(struct generator *generator)
{
    struct generator **place = &generators;
    while (*place && *place != generator)
        place = &(*place)->next;
    return place;
}

static bool exists(struct generator *generator)
{
    pthread_mutex_lock(&lock);
    bool found = generator && *place_of(generator);
    pthread_mutex_unlock(&lock);
    return found;
}

/* Kinds that cuRAND has and this library has not. */
static const char *missing_type(int type)
{
    switch (type) {
    case TYPE_MTGP32: return "the generator CURAND_RNG_PSEUDO_MTGP32";
    case TYPE_MT19937: return "the generator CURAND_RNG_PSEUDO_MT19937";
    case TYPE_SCRAMBLED_SOBOL32: return "the generator CURAND_RNG_QUASI_SCRAMBLED_SOBOL32";
    case TYPE_SCRAMBLED_SOBOL64: return "the generator CURAND_RNG_QUASI_SCRAMBLED_SOBOL64";
    default: return NULL;
    }
}

static int create(struct generator **out, int type, bool host)
{
    const struct kind *kind = kind_find(type);
    if (!out)
        return STATUS_NOT_INITIALIZED;
    if (!kind && missing_type(type))
        refuse(LIBRARY, missing_type(type));
    if (!kind)
        return STATUS_TYPE_ERROR;
    struct generator *generator = calloc(1, sizeof *generator);
    if (!generator)
        return STATUS_ALLOCATION_FAILED;
    generator->kind = kind;
    generator->host = host;
    generator->stale = true;
    generator->options.order = kind->quasi ? ORDER_QUASI : ORDER_DEFAULT;
    generator->options.dimensions = 1;
    pthread_mutex_lock(&lock);
    generator->next = generators;
    generators = generator;
    pthread_mutex_unlock(&lock);
    *out = generator;
    return STATUS_SUCCESS;
}

int curandCreateGenerator(struct generator **generator, int type)
{
    return create(generator, type, false);
}

int curandCreateGeneratorHost(struct generator **generator, int type)
{
    return create(generator, type, true);
}

int curandDestroyGenerator(struct generator *generator)
{
    pthread_mutex_lock(&lock);
    struct generator **place = place_of(generator);
    bool found = generator && *place;
    if (found)
        *place = generator->next;
    pthread_mutex_unlock(&lock);
    if (!found)
        return STATUS_NOT_INITIALIZED;
    free(generator->state);
    free(generator);
    return STATUS_SUCCESS;
}

int curandGetVersion(int *version)
{
    *version = VERSION;
    return STATUS_SUCCESS;
}

int curandGetProperty(int property, int *value)
{
    const int values[] = {VERSION / 1000, VERSION % 1000 / 100, PATCH};
    if (property < 0 || property > 2)
        return STATUS_OUT_OF_RANGE;
    *value = values[property];
    return STATUS_SUCCESS;
}

int curandSetStream(struct generator *generator, void *stream)
{
    if (!exists(generator))
        return STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return STATUS_SUCCESS;
}

int curandSetPseudoRandomGeneratorSeed(struct generator *generator, unsigned long long seed)
{
    if (!exists(generator))
        return STATUS_NOT_INITIALIZED;
    if (generator->kind->quasi)
        return STATUS_TYPE_ERROR;
    generator->options.seed = seed;
    generator->stale = true;
    return STATUS_SUCCESS;
}

int curandSetGeneratorOffset(struct generator *generator, unsigned long long offset)
{
    if (!exists(generator))
        return STATUS_NOT_INITIALIZED;
    if (!generator->kind->takes_offset)
        return STATUS_TYPE_ERROR;
    generator->options.offset = offset;
    generator->stale = true;
    return STATUS_SUCCESS;
}

int curandSetGeneratorOrdering(struct generator *generator, int order)
{
    if (!exists(generator))
        return STATUS_NOT_INITIALIZED;
    const struct kind *kind = generator->kind;
    if (kind->type == TYPE_XORWOW && order == ORDER_SEEDED)
        refuse(LIBRARY, "the ordering CURAND_ORDERING_PSEUDO_SEEDED");
    bool taken = kind->quasi ? order == ORDER_QUASI
                             : order >= ORDER_BEST && order <= ORDER_DYNAMIC && kind->orders >> (order - ORDER_BEST) & 1;
    if (!taken)
        return STATUS_OUT_OF_RANGE;
    generator->options.order = order;
    generator->stale = true;
    return STATUS_SUCCESS;
}

int curandSetQuasiRandomGeneratorDimensions(struct generator *generator, unsigned dimensions)
{
    if (!exists(generator))
        return STATUS_NOT_INITIALIZED;
    if (!generator->kind->quasi)
        return STATUS_TYPE_ERROR;
    if (dimensions > SOBOL_DIMENSIONS && dimensions <= SOBOL_DOCUMENTED_DIMENSIONS)
        refuse(LIBRARY, "more than 1024 dimensions of a quasirandom generator");
    if (dimensions < 1 || dimensions > SOBOL_DIMENSIONS)
        return STATUS_OUT_OF_RANGE;
    generator->options.dimensions = dimensions;
    generator->stale = true;
    return STATUS_SUCCESS;
}

/* Makes a new state where the options have changed. */
static int prepare(struct generator *generator)
{
    if (!generator->stale)
        return STATUS_SUCCESS;
    free(generator->state);
    generator->state = generator->kind->start(generator->kind, &generator->options);
    if (!generator->state)
        return STATUS_ALLOCATION_FAILED;
    generator->stale = false;
    return STATUS_SUCCESS;
}

int curandGenerateSeeds(struct generator *generator)
{
    if (!exists(generator))
        return STATUS_NOT_INITIALIZED;
    generator->stale = true;
    return prepare(generator);
}

/* Generates `count` results of the distribution into memory of the host or of the device. */
static int generate(const char *call, struct generator *generator, const struct distribution *distribution, void *output,
                    size_t count)
{
    if (count == 0)
        return STATUS_SUCCESS;
    if (!distribution->make)
        return STATUS_TYPE_ERROR;
    const struct kind *kind = generator->kind;
    if (kind->quasi ? count % generator->options.dimensions != 0
                    : kind->lanes && !distribution->by_halves && count % distribution->result_count != 0)
        return STATUS_LENGTH_NOT_MULTIPLE;
    int status = prepare(generator);
    if (status != STATUS_SUCCESS)
        return status;
    uint64_t bytes;
    if (__builtin_mul_overflow(count, distribution->size, &bytes))
        return STATUS_OUT_OF_RANGE;
    void *results = generator->host ? output : operand(call, generator->stream, output, bytes, bytes, 1, LOCKSTEP_WRITE);
    if (!results)
        return STATUS_LAUNCH_FAILURE;
    generator->options.offset += kind->fill(generator->state, distribution, results, count);
    return STATUS_SUCCESS;
}

static int generate_law(const char *call, struct generator *generator, enum law law, void *output, size_t count, double mean,
                        double deviation)
{
    if (!exists(generator))
        return STATUS_NOT_INITIALIZED;
    struct distribution distribution = distribution_of(law, generator->kind->format, mean, deviation);
    return generate(call, generator, &distribution, output, count);
}

int curandGenerate(struct generator *generator, unsigned *output, size_t count)
{
    return generate_law("curandGenerate", generator, LAW_BITS, output, count, 0, 0);
}

int curandGenerateLongLong(struct generator *generator, unsigned long long *output, size_t count)
{
    return generate_law("curandGenerateLongLong", generator, LAW_LONG, output, count, 0, 0);
}

int curandGenerateUniform(struct generator *generator, float *output, size_t count)
{
    return generate_law("curandGenerateUniform", generator, LAW_UNIFORM, output, count, 0, 0);
}

int curandGenerateUniformDouble(struct generator *generator, double *output, size_t count)
{
    return generate_law("curandGenerateUniformDouble", generator, LAW_UNIFORM_DOUBLE, output, count, 0, 0);
}

int curandGenerateNormal(struct generator *generator, float *output, size_t count, float mean, float deviation)
{
    return generate_law("curandGenerateNormal", generator, LAW_NORMAL, output, count, (double)mean, (double)deviation);
}

int curandGenerateNormalDouble(struct generator *generator, double *output, size_t count, double mean, double deviation)
{
    return generate_law("curandGenerateNormalDouble", generator, LAW_NORMAL_DOUBLE, output, count, mean, deviation);
}

int curandGenerateLogNormal(struct generator *generator, float *output, size_t count, float mean, float deviation)
{
    return generate_law("curandGenerateLogNormal", generator, LAW_LOG_NORMAL, output, count, (double)mean,
                        (double)deviation);
}

int curandGenerateLogNormalDouble(struct generator *generator, double *output, size_t count, double mean, double deviation)
{
    return generate_law("curandGenerateLogNormalDouble", generator, LAW_LOG_NORMAL_DOUBLE, output, count, mean, deviation);
}

int curandGeneratePoisson(struct generator *generator, unsigned *output, size_t count, double lambda)
{
    if (!exists(generator))
        return STATUS_NOT_INITIALIZED;
    if (!(lambda > 0) || lambda > MOST_LAMBDA)
        return STATUS_OUT_OF_RANGE;
    struct poisson_table *table = poisson_create(lambda, generator->kind->format);
    if (!table)
        return STATUS_ALLOCATION_FAILED;
    struct distribution distribution = poisson_distribution(table, generator->kind->format);
    int status = generate("curandGeneratePoisson", generator, &distribution, output, count);
    poisson_destroy(table);
    return status;
}

int curandGeneratePoissonMethod(struct generator *generator, unsigned *output, size_t count, double lambda, int method)
{
    (void)output;
    (void)count;
    (void)lambda;
    (void)method;
    if (!exists(generator))
        return STATUS_NOT_INITIALIZED;
    refuse(LIBRARY, "curandGeneratePoissonMethod");
    return STATUS_INTERNAL_ERROR;
}

int curandCreatePoissonDistribution(double lambda, struct discrete **distribution)
{
    if (!distribution)
        return STATUS_NOT_INITIALIZED;
    if (!(lambda > 0) || lambda > MOST_LAMBDA)
        return STATUS_OUT_OF_RANGE;
    struct poisson_table *table = poisson_create(lambda, RAW_PAIRED);
    if (!table)
        return STATUS_ALLOCATION_FAILED;
    uint64_t address = discrete_create(table);
    poisson_destroy(table);
    if (address == 0)
        return STATUS_ALLOCATION_FAILED;
    *distribution = (struct discrete *)(uintptr_t)address;
    return STATUS_SUCCESS;
}

int curandDestroyDistribution(struct discrete *distribution)
{
    return discrete_destroy((uint64_t)(uintptr_t)distribution) == 0 ? STATUS_SUCCESS : STATUS_NOT_INITIALIZED;
}

enum { VECTORS_32 = 101, SCRAMBLED_VECTORS_32 = 102, VECTORS_64 = 103, SCRAMBLED_VECTORS_64 = 104 };

static void say_dimensions(void)
{
    refuse(LIBRARY, "direction vectors above dimension 1024; the program ends where it reads one");
}

int curandGetDirectionVectors32(unsigned (**vectors)[32], int set)
{
    if (set == SCRAMBLED_VECTORS_32)
        refuse(LIBRARY, "CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6");
    if (set != VECTORS_32)
        return STATUS_OUT_OF_RANGE;
    *vectors = sobol_vectors_32();
    say_dimensions();
    return *vectors ? STATUS_SUCCESS : STATUS_ALLOCATION_FAILED;
}

int curandGetDirectionVectors64(unsigned long long (**vectors)[64], int set)
{
    if (set == SCRAMBLED_VECTORS_64)
        refuse(LIBRARY, "CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6");
    if (set != VECTORS_64)
        return STATUS_OUT_OF_RANGE;
    *vectors = (unsigned long long(*)[64])sobol_vectors_64();
    say_dimensions();
    return *vectors ? STATUS_SUCCESS : STATUS_ALLOCATION_FAILED;
}

int curandGetScrambleConstants32(unsigned **constants)
{
    (void)constants;
    refuse(LIBRARY, "curandGetScrambleConstants32");
    return STATUS_INTERNAL_ERROR;
}

int curandGetScrambleConstants64(unsigned long long **constants)
{
    (void)constants;
    refuse(LIBRARY, "curandGetScrambleConstants64");
    return STATUS_INTERNAL_ERROR;
}
