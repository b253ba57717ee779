#include "runtime/emulator/math_libraries/curand/poisson.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "runtime/emulator/math_libraries/curand/quantile.h"

static double probability(double lambda, double log_lambda, uint32_t k)
{
    int sign;
    return exp(-lambda + k * log_lambda - lgamma_r(k + 1.0, &sign));
}

/* Levels the histogram: columns that are too low are filled, in ascending order and again from the first, from the last
 * column that is too high. The order is cuRAND's; another one would give other results for the same numbers. */
static void level(struct poisson_table *table, double *height)
{
    double level = 1.0 / table->length;
    uint32_t high = table->length;
    for (bool filled = true; filled;) {
        filled = false;
        for (uint32_t i = 0; i < table->length; i++) {
            if (table->other[i] != i || height[i] >= level)
                continue;
            while (high > 0 && height[high - 1] <= level)
                high--;
            if (high == 0)
                return;
            table->divide[i] = height[i] + i * level;
            table->other[i] = high - 1;
            height[high - 1] -= level - height[i];
            height[i] = level;
            filled = true;
        }
    }
}

/* All results whose probability is not 0 in double precision. */
static bool make_table(struct poisson_table *table)
{
    double log_lambda = log(table->lambda);
    while (probability(table->lambda, log_lambda, table->first) == 0)
        table->first++;
    while (probability(table->lambda, log_lambda, table->first + table->length) > 0)
        table->length++;
    double *height = calloc(table->length, sizeof *height);
    table->divide = calloc(table->length, sizeof *table->divide);
    table->other = calloc(table->length, sizeof *table->other);
    bool done = height && table->divide && table->other;
    for (uint32_t i = 0; done && i < table->length; i++) {
        height[i] = probability(table->lambda, log_lambda, table->first + i);
        table->divide[i] = (i + 1) * (1.0 / table->length);
        table->other[i] = i;
    }
    if (done)
        level(table, height);
    free(height);
    return done;
}

static bool make_cumulative(struct poisson_table *table)
{
    double log_lambda = log(table->lambda), sum = 0;
    table->cumulative = calloc(table->length, sizeof *table->cumulative);
    for (uint32_t i = 0; table->cumulative && i < table->length; i++)
        table->cumulative[i] = sum += probability(table->lambda, log_lambda, table->first + i);
    return table->cumulative != NULL;
}

/* From where on cuRAND takes the normal distribution, and whether it makes quasirandom results grow with their numbers. */
static double least_normal(enum raw_format format)
{
    return format == RAW_32 ? nextafter(8000, INFINITY) : 2000;
}

static bool monotonic(enum raw_format format, double lambda)
{
    return format == RAW_64 || (format == RAW_32 && lambda >= 10);
}

struct poisson_table *poisson_create(double lambda, enum raw_format format)
{
    struct poisson_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->lambda = lambda;
    if (lambda >= least_normal(format)) {
        table->deviation = sqrt(lambda);
    } else if (!make_table(table) || (monotonic(format, lambda) && !make_cumulative(table))) {
        poisson_destroy(table);
        return NULL;
    }
    return table;
}

void poisson_destroy(struct poisson_table *table)
{
    if (!table)
        return;
    free(table->divide);
    free(table->other);
    free(table->cumulative);
    free(table);
}

/* The first result whose cumulative probability reaches the uniform number. */
static uint32_t search(const struct poisson_table *table, double uniform)
{
    uint32_t low = 0, high = table->length - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (uniform <= table->cumulative[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return table->first + low;
}

static uint32_t rounded_normal(const struct poisson_table *table, double normal)
{
    return (uint32_t)(table->deviation * normal + table->lambda + 0.5);
}

static uint32_t by_table(const struct poisson_table *table, double uniform)
{
    if (table->cumulative)
        return search(table, uniform);
    uint32_t column = (uint32_t)floor(table->length * uniform);
    if (column >= table->length) /* of the uniform number 1 */
        column = table->length - 1;
    return table->first + (uniform < table->divide[column] ? column : table->other[column]);
}

/* Results by the table, from one number each. */

static void table_32(const struct distribution *distribution, const uint64_t *raw, void *results)
{
    *(uint32_t *)results = by_table(distribution->table, (double)raw[0] * 0x1p-32 + 0x1p-32);
}

static void table_mrg(const struct distribution *distribution, const uint64_t *raw, void *results)
{
    uint64_t bits = mrg_bits(raw[0]);
    table_32(distribution, &bits, results);
}

static void table_64(const struct distribution *distribution, const uint64_t *raw, void *results)
{
    *(uint32_t *)results = by_table(distribution->table, (double)(raw[0] >> 11) * 0x1p-53 + 0x1p-54);
}

/* Results from a normal distribution in single precision, or in double for numbers of 32 bits that are not paired. */

static void from_normal(const struct distribution *distribution, const uint64_t *raw, void *results)
{
    float normal[MOST_RESULTS];
    struct distribution standard = distribution_of(LAW_NORMAL, distribution->format, 0, 1);
    standard.make(&standard, raw, normal);
    for (unsigned i = 0; i < distribution->result_count; i++)
        ((uint32_t *)results)[i] = rounded_normal(distribution->table, (double)normal[i]);
}

static void from_quantile(const struct distribution *distribution, const uint64_t *raw, void *results)
{
    *(uint32_t *)results = rounded_normal(distribution->table, quantile((double)raw[0] * 0x1p-32 + 0x1p-33));
}

struct distribution poisson_distribution(const struct poisson_table *table, enum raw_format format)
{
    static const struct {
        void (*by_table)(const struct distribution *distribution, const uint64_t *raw, void *results);
        void (*by_normal)(const struct distribution *distribution, const uint64_t *raw, void *results);
        unsigned normal_raw_count;
    } formats[RAW_FORMATS] = {
        [RAW_PAIRED] = {table_32, from_normal, 2},
        [RAW_MRG] = {table_mrg, from_normal, 2},
        [RAW_32] = {table_32, from_quantile, 1},
        [RAW_64] = {table_64, from_normal, 1},
    };
    bool normal = table->deviation > 0;
    return (struct distribution){
        .raw_count = normal ? formats[format].normal_raw_count : 1,
        .result_count = normal ? formats[format].normal_raw_count : 1,
        .by_halves = normal && formats[format].normal_raw_count == 2,
        .size = sizeof(uint32_t),
        .make = normal ? formats[format].by_normal : formats[format].by_table,
        .table = table,
        .format = format,
    };
}
