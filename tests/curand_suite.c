/* math_libraries/curand: the numbers, statuses and findings of cuRAND's host API. LOCKSTEP_TEST_CURAND names another library
 * (NVIDIA's), for which the tests of values and statuses hold too. */
#include "tests/support.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/curand/api.h"
#include "tests/driver_table.h"

enum law {
    LAW_BITS,
    LAW_LONG,
    LAW_UNIFORM,
    LAW_UNIFORM_DOUBLE,
    LAW_NORMAL,
    LAW_NORMAL_DOUBLE,
    LAW_LOG_NORMAL,
    LAW_LOG_NORMAL_DOUBLE,
    LAW_POISSON
};

static struct {
#define FUNCTION(name, arguments) int(*name) arguments;
#include "runtime/emulator/math_libraries/curand/curand.def"
#undef FUNCTION
} curand;

static bool ours;

static int open_library(void)
{
    char path[SUPPORT_PATH_BYTES];
    const char *other = getenv("LOCKSTEP_TEST_CURAND");
    ours = !other;
    void *library = dlopen(other ? other : support_build_path("emulated/stand_ins/libcurand.so.10", path), RTLD_NOW);
    if (!library)
        return -1;
#define FUNCTION(name, arguments) *(void **)&curand.name = dlsym(library, #name);
#include "runtime/emulator/math_libraries/curand/curand.def"
#undef FUNCTION
    return 0;
}

static int generate(struct generator *generator, enum law law, void *results, size_t count, double a, double b)
{
    switch (law) {
    case LAW_BITS: return curand.curandGenerate(generator, results, count);
    case LAW_LONG: return curand.curandGenerateLongLong(generator, results, count);
    case LAW_UNIFORM: return curand.curandGenerateUniform(generator, results, count);
    case LAW_UNIFORM_DOUBLE: return curand.curandGenerateUniformDouble(generator, results, count);
    case LAW_NORMAL: return curand.curandGenerateNormal(generator, results, count, (float)a, (float)b);
    case LAW_NORMAL_DOUBLE: return curand.curandGenerateNormalDouble(generator, results, count, a, b);
    case LAW_LOG_NORMAL: return curand.curandGenerateLogNormal(generator, results, count, (float)a, (float)b);
    case LAW_LOG_NORMAL_DOUBLE: return curand.curandGenerateLogNormalDouble(generator, results, count, a, b);
    case LAW_POISSON: return curand.curandGeneratePoisson(generator, results, count, a);
    }
    return -1;
}

struct row {
    int type, order;
    unsigned long long seed, offset;
    unsigned dimensions;
    enum law law;
    double a, b;
    size_t count;
    uint64_t hash, bits[6]; /* of the first four and last two results */
};

static const struct row rows[] = {
#define ROW(type, order, seed, offset, dimensions, law, a, b, count, hash, ...) \
    {type, order, seed, offset, dimensions, law, a, b, count, hash, {__VA_ARGS__}},
#include "tests/expected/curand_h200.def"
#undef ROW
};

static struct generator *host_generator(const struct row *row)
{
    struct generator *generator = NULL;
    CU_ASSERT_EQUAL_FATAL(curand.curandCreateGeneratorHost(&generator, row->type), STATUS_SUCCESS);
    if (row->order != 0)
        CU_ASSERT_EQUAL(curand.curandSetGeneratorOrdering(generator, row->order), STATUS_SUCCESS);
    if (row->seed != 0 && row->type < TYPE_QUASI_DEFAULT)
        CU_ASSERT_EQUAL(curand.curandSetPseudoRandomGeneratorSeed(generator, row->seed), STATUS_SUCCESS);
    if (row->offset != 0)
        CU_ASSERT_EQUAL(curand.curandSetGeneratorOffset(generator, row->offset), STATUS_SUCCESS);
    if (row->dimensions > 1)
        CU_ASSERT_EQUAL(curand.curandSetQuasiRandomGeneratorDimensions(generator, row->dimensions), STATUS_SUCCESS);
    return generator;
}

static uint64_t hash_of(const unsigned char *bytes, size_t count)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

/* The device computes sine, cosine and logarithm in its own way: a result that is a unit in the last place away is as
 * good. */
static bool close_to(enum law law, const void *result, uint64_t bits)
{
    bool logarithm = law == LAW_LOG_NORMAL || law == LAW_LOG_NORMAL_DOUBLE,
         single = law == LAW_NORMAL || law == LAW_LOG_NORMAL;
    double got, want;
    if (law == LAW_POISSON) {
        uint32_t count;
        memcpy(&count, result, sizeof count);
        return count + 1 >= bits && count <= bits + 1;
    }
    if (single) {
        uint32_t narrow = (uint32_t)bits;
        float of_device, of_ours;
        memcpy(&of_device, &narrow, sizeof of_device);
        memcpy(&of_ours, result, sizeof of_ours);
        got = (double)of_ours;
        want = (double)of_device;
    } else {
        memcpy(&want, &bits, sizeof want);
        memcpy(&got, result, sizeof got);
    }
    double absolute = single ? 4e-6 : 4e-14;
    return fabs(got - want) <= (logarithm ? fabs(want) * 4 * absolute : absolute);
}

/* A large mean makes a Poisson result a rounded normal one. */
static bool is_exact(const struct row *row)
{
    return row->law <= LAW_UNIFORM_DOUBLE || (row->law == LAW_POISSON && row->a < 2000);
}

static size_t size_of(enum law law)
{
    return law == LAW_LONG || law == LAW_UNIFORM_DOUBLE || law == LAW_NORMAL_DOUBLE || law == LAW_LOG_NORMAL_DOUBLE ? 8 : 4;
}

static void gives_the_numbers_of_a_gpu(void)
{
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        const struct row *row = &rows[i];
        size_t size = size_of(row->law);
        unsigned char *results = malloc(row->count * size);
        CU_ASSERT_PTR_NOT_NULL_FATAL(results);
        struct generator *generator = host_generator(row);
        CU_ASSERT_EQUAL(generate(generator, row->law, results, row->count, row->a, row->b), STATUS_SUCCESS);
        bool good = !is_exact(row) || hash_of(results, row->count * size) == row->hash;
        for (int k = 0; k < 6 && !is_exact(row); k++)
            good = good
                   && close_to(row->law, results + (k < 4 ? (size_t)k : row->count - 6 + (size_t)k) * size, row->bits[k]);
        if (!good)
            fprintf(stderr, "row %zu: type %d, law %d, count %zu\n", i, row->type, row->law, row->count);
        CU_ASSERT(good);
        CU_ASSERT_EQUAL(curand.curandDestroyGenerator(generator), STATUS_SUCCESS);
        free(results);
    }
}

/* Several calls give what one gives, of whatever length. */
static void calls_go_on_where_the_last_one_ended(void)
{
    enum { COUNT = 10000 };
    static const int types[] = {TYPE_XORWOW, TYPE_MRG32K3A, TYPE_PHILOX4_32_10, TYPE_SOBOL32};
    static uint32_t whole[COUNT], parts[COUNT];
    for (size_t i = 0; i < SUPPORT_COUNT(types); i++) {
        struct row row = {.type = types[i], .seed = 7, .dimensions = 1};
        struct generator *generator = host_generator(&row);
        CU_ASSERT_EQUAL(curand.curandGenerate(generator, whole, COUNT), STATUS_SUCCESS);
        curand.curandDestroyGenerator(generator);
        generator = host_generator(&row);
        for (size_t done = 0, length = 1; done < COUNT; done += length, length = length * 2 + 1) {
            if (length > COUNT - done)
                length = COUNT - done;
            CU_ASSERT_EQUAL(curand.curandGenerate(generator, parts + done, length), STATUS_SUCCESS);
        }
        curand.curandDestroyGenerator(generator);
        CU_ASSERT_EQUAL(memcmp(whole, parts, sizeof whole), 0);
    }
}

static void mistakes_have_the_status_of_nvidias_library(void)
{
    struct generator *xorwow = NULL, *sobol = NULL, *none = NULL;
    double results[8];
    CU_ASSERT_EQUAL(curand.curandCreateGeneratorHost(&xorwow, TYPE_PSEUDO_DEFAULT), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(curand.curandCreateGeneratorHost(&sobol, TYPE_SOBOL64), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(curand.curandCreateGeneratorHost(&none, 99), STATUS_TYPE_ERROR);
    CU_ASSERT_EQUAL(generate(NULL, LAW_BITS, results, 2, 0, 0), STATUS_NOT_INITIALIZED);
    CU_ASSERT_EQUAL(generate(xorwow, LAW_NORMAL, results, 3, 0, 1), STATUS_LENGTH_NOT_MULTIPLE);
    CU_ASSERT_EQUAL(generate(xorwow, LAW_LOG_NORMAL_DOUBLE, results, 5, 0, 1), STATUS_LENGTH_NOT_MULTIPLE);
    CU_ASSERT_EQUAL(generate(xorwow, LAW_NORMAL, results, 0, 0, 1), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(generate(xorwow, LAW_LONG, results, 2, 0, 0), STATUS_TYPE_ERROR);
    CU_ASSERT_EQUAL(generate(sobol, LAW_BITS, results, 2, 0, 0), STATUS_TYPE_ERROR);
    CU_ASSERT_EQUAL(generate(xorwow, LAW_POISSON, results, 2, 0, 0), STATUS_OUT_OF_RANGE);
    CU_ASSERT_EQUAL(generate(xorwow, LAW_POISSON, results, 2, 400001, 0), STATUS_OUT_OF_RANGE);
    CU_ASSERT_EQUAL(curand.curandSetPseudoRandomGeneratorSeed(sobol, 1), STATUS_TYPE_ERROR);
    CU_ASSERT_EQUAL(curand.curandSetQuasiRandomGeneratorDimensions(xorwow, 1), STATUS_TYPE_ERROR);
    CU_ASSERT_EQUAL(curand.curandSetQuasiRandomGeneratorDimensions(sobol, 20001), STATUS_OUT_OF_RANGE);
    CU_ASSERT_EQUAL(curand.curandSetGeneratorOrdering(sobol, ORDER_DEFAULT), STATUS_OUT_OF_RANGE);
    CU_ASSERT_EQUAL(curand.curandSetGeneratorOrdering(xorwow, 105), STATUS_OUT_OF_RANGE);
    CU_ASSERT_EQUAL(curand.curandSetQuasiRandomGeneratorDimensions(sobol, 3), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(generate(sobol, LAW_UNIFORM, results, 4, 0, 0), STATUS_LENGTH_NOT_MULTIPLE);
    CU_ASSERT_EQUAL(curand.curandDestroyGenerator(xorwow), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(curand.curandDestroyGenerator(sobol), STATUS_SUCCESS);
    if (ours)
        CU_ASSERT_EQUAL(curand.curandDestroyGenerator(sobol), STATUS_NOT_INITIALIZED);
}

static void direction_vectors_are_those_of_joe_and_kuo(void)
{
    unsigned(*narrow)[32] = NULL;
    unsigned long long(*wide)[64] = NULL;
    CU_ASSERT_EQUAL(curand.curandGetDirectionVectors32(&narrow, 101), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(curand.curandGetDirectionVectors64(&wide, 103), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(curand.curandGetDirectionVectors32(&narrow, 103), STATUS_OUT_OF_RANGE);
    CU_ASSERT_EQUAL(narrow[0][31], 1u);
    CU_ASSERT_EQUAL(narrow[1][2], 0xa0000000u);
    CU_ASSERT_EQUAL(narrow[1][3], 0xf0000000u);
    CU_ASSERT_EQUAL(wide[0][63], 1u);
    CU_ASSERT_EQUAL(wide[1][3], 0xf000000000000000u);
}

static void what_is_not_offered_is_refused(void)
{
    static const int missing[] = {TYPE_MTGP32, TYPE_MT19937, TYPE_SCRAMBLED_SOBOL32, TYPE_SCRAMBLED_SOBOL64};
    if (!ours) {
        support_skip("NVIDIA's library offers everything");
        return;
    }
    struct generator *generator = NULL;
    unsigned *constants = NULL;
    for (size_t i = 0; i < SUPPORT_COUNT(missing); i++)
        CU_ASSERT_EQUAL(curand.curandCreateGeneratorHost(&generator, missing[i]), STATUS_TYPE_ERROR);
    CU_ASSERT_EQUAL(curand.curandCreateGeneratorHost(&generator, TYPE_XORWOW), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(curand.curandSetGeneratorOrdering(generator, ORDER_SEEDED), STATUS_OUT_OF_RANGE);
    CU_ASSERT_EQUAL(curand.curandGetScrambleConstants32(&constants), STATUS_INTERNAL_ERROR);
    curand.curandDestroyGenerator(generator);
}

/* Generators whose results go to device memory. */

static char directory[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];

static const struct driver_table *device(void)
{
    char path[SUPPORT_PATH_BYTES];
    CUcontext context;
    support_join(findings, directory, "findings");
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_FINDINGS", findings, 1);
    if (!dlopen(support_build_path("emulated/libcuda.so.1", path),
                RTLD_NOW | RTLD_GLOBAL)) /* as a program under exec has it */
        return NULL;
    const struct driver_table *driver = driver_table_get();
    bool ready = driver && driver->cuInit(0) == CUDA_SUCCESS && driver->cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS
                 && driver->cuCtxSetCurrent(context) == CUDA_SUCCESS;
    return ready ? driver : NULL;
}

static size_t findings_of(const char *code)
{
    char *text = support_read_file(findings, NULL);
    size_t count = text ? support_count_of(text, code) : 0;
    free(text);
    return count;
}

static void device_results_are_checked_as_copies_are(void)
{
    enum { COUNT = 1000 };
    if (!ours) {
        support_skip("NVIDIA's library needs a GPU");
        return;
    }
    const struct driver_table *driver = device();
    CU_ASSERT_PTR_NOT_NULL_FATAL(driver);
    struct row row = {.type = TYPE_XORWOW, .seed = 3, .dimensions = 1};
    struct generator *to_host = host_generator(&row), *to_device = NULL;
    float want[COUNT], got[COUNT];
    CUdeviceptr memory;
    CU_ASSERT_EQUAL(curand.curandCreateGenerator(&to_device, TYPE_XORWOW), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(curand.curandSetPseudoRandomGeneratorSeed(to_device, 3), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(driver->cuMemAlloc_v2(&memory, sizeof got), CUDA_SUCCESS);
    float *results = (float *)(uintptr_t)memory;
    CU_ASSERT_EQUAL(curand.curandGenerateUniform(to_host, want, COUNT), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(curand.curandGenerateUniform(to_device, results, COUNT), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(driver->cuMemcpyDtoH_v2(got, memory, sizeof got), CUDA_SUCCESS);
    CU_ASSERT_EQUAL(memcmp(got, want, sizeof got), 0);
    CU_ASSERT_EQUAL(findings_of("\"code\""), 0);
    CU_ASSERT_EQUAL(curand.curandGenerateUniform(to_device, results, COUNT + 1), STATUS_LAUNCH_FAILURE);
    CU_ASSERT_EQUAL(findings_of("\"out_of_bounds\""), 1);
    CU_ASSERT_EQUAL(curand.curandGenerateUniform(to_device, want, COUNT), STATUS_LAUNCH_FAILURE); /* memory of the host */
    CU_ASSERT_EQUAL(findings_of("\"out_of_bounds\""), 2);
    CU_ASSERT_EQUAL(driver->cuMemFree_v2(memory), CUDA_SUCCESS);
    CU_ASSERT_EQUAL(curand.curandGenerateUniform(to_device, results, COUNT), STATUS_LAUNCH_FAILURE);
    CU_ASSERT_EQUAL(findings_of("\"use_after_free\""), 1);
    curand.curandDestroyGenerator(to_host);
    curand.curandDestroyGenerator(to_device);
    driver->cuDevicePrimaryCtxRelease_v2(0);
}

/* As curand_discrete.h declares them; the lengths and the first result are those on an H200. */
static void poisson_distributions_lie_in_device_memory(void)
{
    struct {
        uint64_t self, shifted, host_shifted;
        double deviation, mean;
        int32_t method;
        uint32_t on_host;
    } image;
    struct {
        uint64_t histogram, host_histogram;
        uint32_t first, length, on_host;
    } shifted;
    if (!ours) {
        support_skip("NVIDIA's library needs a GPU");
        return;
    }
    const struct driver_table *driver = device();
    CU_ASSERT_PTR_NOT_NULL_FATAL(driver);
    struct discrete *distribution = NULL;
    CU_ASSERT_EQUAL(curand.curandCreatePoissonDistribution(0, &distribution), STATUS_OUT_OF_RANGE);
    CU_ASSERT_EQUAL(curand.curandCreatePoissonDistribution(1, NULL), STATUS_NOT_INITIALIZED);
    CU_ASSERT_EQUAL_FATAL(curand.curandCreatePoissonDistribution(1000, &distribution), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(driver->cuMemcpyDtoH_v2(&image, (CUdeviceptr)(uintptr_t)distribution, sizeof image), CUDA_SUCCESS);
    CU_ASSERT_EQUAL(image.method, 5);
    CU_ASSERT_EQUAL(driver->cuMemcpyDtoH_v2(&shifted, image.shifted, sizeof shifted), CUDA_SUCCESS);
    CU_ASSERT_EQUAL(shifted.first, 71);
    CU_ASSERT_EQUAL(shifted.length, 2374);
    CU_ASSERT_EQUAL(curand.curandDestroyDistribution(distribution), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(curand.curandDestroyDistribution(distribution), STATUS_NOT_INITIALIZED);
    CU_ASSERT_EQUAL_FATAL(curand.curandCreatePoissonDistribution(2000, &distribution), STATUS_SUCCESS);
    CU_ASSERT_EQUAL(driver->cuMemcpyDtoH_v2(&image, (CUdeviceptr)(uintptr_t)distribution, sizeof image), CUDA_SUCCESS);
    CU_ASSERT_EQUAL(image.method, 7);
    CU_ASSERT_EQUAL(image.deviation, 44.721359549995796);
    CU_ASSERT_EQUAL(curand.curandDestroyDistribution(distribution), STATUS_SUCCESS);
    driver->cuDevicePrimaryCtxRelease_v2(0);
}

static int set_up(void)
{
    return support_temporary_directory(directory) ? open_library() : -1;
}

static int clean_up(void)
{
    support_remove_tree(directory);
    return 0;
}

static const struct support_test tests[] = {
    SUPPORT_TEST(gives_the_numbers_of_a_gpu),
    SUPPORT_TEST(calls_go_on_where_the_last_one_ended),
    SUPPORT_TEST(mistakes_have_the_status_of_nvidias_library),
    SUPPORT_TEST(direction_vectors_are_those_of_joe_and_kuo),
    SUPPORT_TEST(what_is_not_offered_is_refused),
    SUPPORT_TEST(device_results_are_checked_as_copies_are),
    SUPPORT_TEST(poisson_distributions_lie_in_device_memory),
};

int curand_suite_register(void)
{
    return support_register_with("curand", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
