/* The formulas are those of the cuRAND Library Programming Guide and of the device API: a uniform result lies in (0, 1],
 * the middle of its interval; normal results come from the Box-Muller transform, or from the quantile function where a
 * generator's numbers may not be paired. */
#include "runtime/emulator/math_libraries/curand/distribution.h"

#include <math.h>

#include "runtime/emulator/math_libraries/curand/quantile.h"

#define TWO_TO_MINUS_32  0x1p-32
#define TWO_TO_MINUS_53  0x1p-53
#define TWO_PI_F         6.2831855f
#define PI               3.14159265358979323846
#define MRG_NORM         2.3283065498378288e-10 /* 1 / (m1 + 1), rounded */
#define MRG_NORM_TO_BITS 1.000000048662         /* 2^32 / m1 */

/* Uniform results of each format. */

static float uniform_32(const uint64_t *raw)
{
    return (float)(uint32_t)raw[0] * (float)TWO_TO_MINUS_32 + (float)(TWO_TO_MINUS_32 / 2);
}

static float uniform_mrg(const uint64_t *raw)
{
    return (float)((double)raw[0] * MRG_NORM);
}

static float uniform_64(const uint64_t *raw)
{
    return (float)(uint32_t)(raw[0] >> 32) * (float)TWO_TO_MINUS_32 + (float)(TWO_TO_MINUS_32 / 2);
}

static double double_paired(const uint64_t *raw)
{
    return (double)(raw[0] ^ raw[1] << (53 - 32)) * TWO_TO_MINUS_53 + TWO_TO_MINUS_53 / 2;
}

static double double_mrg(const uint64_t *raw)
{
    return (double)raw[0] * MRG_NORM;
}

/* The upper end of the interval, unlike the rest. */
static double double_32(const uint64_t *raw)
{
    return (double)raw[0] * TWO_TO_MINUS_32 + TWO_TO_MINUS_32;
}

static double double_64(const uint64_t *raw)
{
    return (double)(raw[0] >> 11) * TWO_TO_MINUS_53 + TWO_TO_MINUS_53 / 2;
}

/* Standard normal results. */

/* `angle` in radians. The device's sine and cosine are approximations here (sin.approx.f32, cos.approx.f32). */
static void box_muller(float uniform, float angle, float *results)
{
    float radius = sqrtf(-2.0f * (float)log((double)uniform));
    results[0] = (float)sin((double)angle) * radius;
    results[1] = (float)cos((double)angle) * radius;
}

static void box_muller_double(double uniform, double half_turns, double *results)
{
    double radius = sqrt(-2.0 * log(uniform));
    results[0] = sin(half_turns * PI) * radius;
    results[1] = cos(half_turns * PI) * radius;
}

static void normal_paired(const uint64_t *raw, float *results)
{
    const float scale = (float)TWO_TO_MINUS_32 * TWO_PI_F;
    box_muller(uniform_32(raw), fmaf((float)(uint32_t)raw[1], scale, scale / 2), results);
}

static void normal_mrg(const uint64_t *raw, float *results)
{
    box_muller(uniform_mrg(raw), uniform_mrg(raw + 1) * TWO_PI_F, results);
}

static void normal_32(const uint64_t *raw, float *results)
{
    uint32_t bits = (uint32_t)raw[0];
    results[0] = quantile_32(bits);
}

static void normal_64(const uint64_t *raw, float *results)
{
    results[0] = quantile_32((uint32_t)(raw[0] >> 32));
}

static void normal_double_paired(const uint64_t *raw, double *results)
{
    double half_turns = (double)(raw[2] ^ raw[3] << (53 - 32)) * (2 * TWO_TO_MINUS_53) + TWO_TO_MINUS_53;
    box_muller_double(double_paired(raw), half_turns, results);
}

static void normal_double_mrg(const uint64_t *raw, double *results)
{
    box_muller_double(double_mrg(raw), double_mrg(raw + 1) * 2, results);
}

static void normal_double_32(const uint64_t *raw, double *results)
{
    results[0] = quantile((double)raw[0] * TWO_TO_MINUS_32 + TWO_TO_MINUS_32 / 2);
}

static void normal_double_64(const uint64_t *raw, double *results)
{
    results[0] = quantile(double_64(raw));
}

static const struct {
    float (*uniform)(const uint64_t *raw);
    double (*uniform_double)(const uint64_t *raw);
    void (*normal)(const uint64_t *raw, float *results);
    void (*normal_double)(const uint64_t *raw, double *results);
    unsigned pair; /* raw numbers of a normal draw, and its results */
    unsigned raw_per_double;
} formats[RAW_FORMATS] = {
    [RAW_PAIRED] = {uniform_32, double_paired, normal_paired, normal_double_paired, 2, 2},
    [RAW_MRG] = {uniform_mrg, double_mrg, normal_mrg, normal_double_mrg, 2, 1},
    [RAW_32] = {uniform_32, double_32, normal_32, normal_double_32, 1, 1},
    [RAW_64] = {uniform_64, double_64, normal_64, normal_double_64, 1, 1},
};

/* What a draw makes of its raw numbers; one set for each format, since `make` has no other way to know it. */

static void bits_whole(const struct distribution *distribution, const uint64_t *raw, void *results)
{
    (void)distribution;
    *(uint32_t *)results = (uint32_t)raw[0];
}

uint32_t mrg_bits(uint64_t raw)
{
    return (uint32_t)((double)raw * MRG_NORM_TO_BITS);
}

static void bits_mrg(const struct distribution *distribution, const uint64_t *raw, void *results)
{
    (void)distribution;
    *(uint32_t *)results = mrg_bits(raw[0]);
}

static void long_whole(const struct distribution *distribution, const uint64_t *raw, void *results)
{
    (void)distribution;
    *(uint64_t *)results = raw[0];
}

#define MAKERS(format)                                                                                                   \
    static void make_uniform_##format(const struct distribution *distribution, const uint64_t *raw, void *results)       \
    {                                                                                                                    \
        (void)distribution;                                                                                              \
        *(float *)results = formats[format].uniform(raw);                                                                \
    }                                                                                                                    \
    static void make_double_##format(const struct distribution *distribution, const uint64_t *raw, void *results)        \
    {                                                                                                                    \
        (void)distribution;                                                                                              \
        *(double *)results = formats[format].uniform_double(raw);                                                        \
    }                                                                                                                    \
    static void make_normal_##format(const struct distribution *distribution, const uint64_t *raw, void *results)        \
    {                                                                                                                    \
        float *normal = results;                                                                                         \
        formats[format].normal(raw, normal);                                                                             \
        for (unsigned i = 0; i < distribution->result_count; i++)                                                        \
            normal[i] = fmaf(normal[i], (float)distribution->deviation, (float)distribution->mean);                      \
    }                                                                                                                    \
    static void make_normal_double_##format(const struct distribution *distribution, const uint64_t *raw, void *results) \
    {                                                                                                                    \
        double *normal = results;                                                                                        \
        formats[format].normal_double(raw, normal);                                                                      \
        for (unsigned i = 0; i < distribution->result_count; i++)                                                        \
            normal[i] = fma(normal[i], distribution->deviation, distribution->mean);                                     \
    }                                                                                                                    \
    static void make_log_normal_##format(const struct distribution *distribution, const uint64_t *raw, void *results)    \
    {                                                                                                                    \
        float *normal = results;                                                                                         \
        make_normal_##format(distribution, raw, results);                                                                \
        for (unsigned i = 0; i < distribution->result_count; i++)                                                        \
            normal[i] = (float)exp((double)normal[i]);                                                                   \
    }                                                                                                                    \
    static void make_log_normal_double_##format(const struct distribution *distribution, const uint64_t *raw,            \
                                                void *results)                                                           \
    {                                                                                                                    \
        double *normal = results;                                                                                        \
        make_normal_double_##format(distribution, raw, results);                                                         \
        for (unsigned i = 0; i < distribution->result_count; i++)                                                        \
            normal[i] = exp(normal[i]);                                                                                  \
    }

MAKERS(RAW_PAIRED)
MAKERS(RAW_MRG)
MAKERS(RAW_32)
MAKERS(RAW_64)

typedef void make_fn(const struct distribution *distribution, const uint64_t *raw, void *results);

#define MAKERS_OF(format, bits, whole)   \
    [format] = {                         \
        bits,                            \
        whole,                           \
        make_uniform_##format,           \
        make_double_##format,            \
        make_normal_##format,            \
        make_normal_double_##format,     \
        make_log_normal_##format,        \
        make_log_normal_double_##format, \
    }

static make_fn *const makers[RAW_FORMATS][LAWS] = {
    MAKERS_OF(RAW_PAIRED, bits_whole, NULL),
    MAKERS_OF(RAW_MRG, bits_mrg, NULL),
    MAKERS_OF(RAW_32, bits_whole, NULL),
    MAKERS_OF(RAW_64, NULL, long_whole),
};

struct distribution distribution_of(enum law law, enum raw_format format, double mean, double deviation)
{
    static const struct {
        size_t size;
        int normal, doubles;
    } laws[LAWS] = {
        [LAW_BITS] = {sizeof(uint32_t), 0, 0},    [LAW_LONG] = {sizeof(uint64_t), 0, 0},
        [LAW_UNIFORM] = {sizeof(float), 0, 0},    [LAW_UNIFORM_DOUBLE] = {sizeof(double), 0, 1},
        [LAW_NORMAL] = {sizeof(float), 1, 0},     [LAW_NORMAL_DOUBLE] = {sizeof(double), 1, 1},
        [LAW_LOG_NORMAL] = {sizeof(float), 1, 0}, [LAW_LOG_NORMAL_DOUBLE] = {sizeof(double), 1, 1},
    };
    unsigned results = laws[law].normal ? formats[format].pair : 1;
    return (struct distribution){
        .raw_count = results * (laws[law].doubles ? formats[format].raw_per_double : 1),
        .result_count = results,
        .size = laws[law].size,
        .make = makers[format][law],
        .format = format,
        .mean = mean,
        .deviation = deviation,
    };
}
