#include "runtime/emulator/math_libraries/curand/discrete.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The layouts of curand_discrete.h: curandHistogramM2_st, curandDistributionM2Shift_st, curandDiscreteDistribution_st.
 * Addresses of host memory, which kernels do not follow, are 0. */
struct histogram {
    uint64_t divide, host_divide, other, host_other;
    uint32_t on_host;
};

struct shifted {
    uint64_t histogram, host_histogram;
    uint32_t first, length, on_host;
};

struct discrete {
    uint64_t self, shifted, host_shifted;
    double deviation, mean;
    int32_t method;
    uint32_t on_host;
};

enum { METHOD_TABLE = 5, METHOD_NORMAL = 7 }; /* CURAND_M2, CURAND_DISCRETE_GAUSS */

/* All of a distribution is one allocation: this, then the two arrays of the histogram. */
struct block {
    struct discrete discrete;
    struct shifted shifted;
    struct histogram histogram;
};

static struct made {
    uint64_t address;
    struct made *next;
} *all_made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void use_a_context(void)
{
    void *context = NULL;
    int (*get)(void **) = dlsym(RTLD_DEFAULT, "cuCtxGetCurrent"), (*start)(unsigned) = dlsym(RTLD_DEFAULT, "cuInit");
    int (*retain)(void **, int) = dlsym(RTLD_DEFAULT, "cuDevicePrimaryCtxRetain");
    int (*set)(void *) = dlsym(RTLD_DEFAULT, "cuCtxSetCurrent");
    if (get && start && retain && set && start(0) == 0 && get(&context) == 0 && !context && retain(&context, 0) == 0)
        set(context);
}

static uint64_t copied(const void *from, size_t bytes)
{
    uint64_t address = 0;
    int (*allocate)(uint64_t *, size_t) = dlsym(RTLD_DEFAULT, "cuMemAlloc_v2");
    int (*copy)(uint64_t, const void *, size_t) = dlsym(RTLD_DEFAULT, "cuMemcpyHtoD_v2");
    use_a_context();
    return allocate && copy && allocate(&address, bytes) == 0 && copy(address, from, bytes) == 0 ? address : 0;
}

static int released(uint64_t address)
{
    int (*release)(uint64_t) = dlsym(RTLD_DEFAULT, "cuMemFree_v2");
    return release ? release(address) : -1;
}

static struct block block_at(const struct poisson_table *table, uint64_t address)
{
    struct block block;
    memset(&block, 0, sizeof block); /* padding is copied too */
    if (table->deviation > 0) {
        block.discrete = (struct discrete){.deviation = table->deviation, .mean = table->lambda, .method = METHOD_NORMAL};
        return block;
    }
    block.discrete.method = METHOD_TABLE;
    block.discrete.shifted = address + offsetof(struct block, shifted);
    block.shifted.histogram = address + offsetof(struct block, histogram);
    block.shifted.first = table->first;
    block.shifted.length = table->length;
    block.histogram.divide = address + sizeof block;
    block.histogram.other = block.histogram.divide + table->length * sizeof *table->divide;
    return block;
}

uint64_t discrete_create(const struct poisson_table *table)
{
    size_t divide_bytes = table->length * sizeof *table->divide, other_bytes = table->length * sizeof *table->other;
    size_t bytes = sizeof(struct block) + divide_bytes + other_bytes;
    unsigned char *image = calloc(1, bytes);
    struct made *made = malloc(sizeof *made);
    int (*copy)(uint64_t, const void *, size_t) = dlsym(RTLD_DEFAULT, "cuMemcpyHtoD_v2");
    uint64_t address = image && made ? copied(image, bytes) : 0;
    if (address == 0) {
        free(image);
        free(made);
        return 0;
    }
    struct block block = block_at(table, address);
    memcpy(image, &block, sizeof block);
    if (table->length > 0) {
        memcpy(image + sizeof block, table->divide, divide_bytes);
        memcpy(image + sizeof block + divide_bytes, table->other, other_bytes);
    }
    copy(address, image, bytes);
    free(image);
    pthread_mutex_lock(&lock);
    *made = (struct made){address, all_made};
    all_made = made;
    pthread_mutex_unlock(&lock);
    return address;
}

int discrete_destroy(uint64_t address)
{
    pthread_mutex_lock(&lock);
    struct made **place = &all_made;
    while (*place && (*place)->address != address)
        place = &(*place)->next;
    struct made *made = *place;
    if (made)
        *place = made->next;
    pthread_mutex_unlock(&lock);
    if (!made)
        return -1;
    free(made);
    return released(address) == 0 ? 0 : -1;
}
