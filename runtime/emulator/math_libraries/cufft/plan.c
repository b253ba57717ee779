/* Plans: handles, what they are made from, and what a program sets of one. */
#include <pthread.h>
#include <stdlib.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/base/version.h"
#include "runtime/emulator/math_libraries/cufft/cufft.h"
#include "runtime/emulator/math_libraries/cufft/interface.h"

enum { CUFFT_PLAN_NULL = -1 }; /* a handle that was never made */

static struct cufft_plan *living;
static pthread_mutex_t plans = PTHREAD_MUTEX_INITIALIZER;

static struct cufft_plan **place_of(int handle)
{
    struct cufft_plan **place = &living;
    while (*place && (*place)->handle != handle)
        place = &(*place)->next;
    return place;
}

struct cufft_plan *cufft_find(int handle)
{
    pthread_mutex_lock(&plans);
    struct cufft_plan *plan = *place_of(handle);
    pthread_mutex_unlock(&plans);
    return plan;
}

int cufftCreate(int *plan)
{
    static int last; /* a handle is not used twice, so that a destroyed one is known as such */
    if (!plan)
        return CUFFT_INVALID_VALUE;
    if (!operand_context())
        return CUFFT_SETUP_FAILED;
    struct cufft_plan *made = calloc(1, sizeof *made);
    if (!made)
        return CUFFT_ALLOC_FAILED;
    made->allocates = true;
    pthread_mutex_lock(&plans);
    made->handle = ++last;
    made->next = living;
    living = made;
    pthread_mutex_unlock(&plans);
    *plan = made->handle;
    return CUFFT_SUCCESS;
}

int cufftDestroy(int plan)
{
    if (plan == CUFFT_PLAN_NULL)
        return CUFFT_SUCCESS;
    pthread_mutex_lock(&plans);
    struct cufft_plan **place = place_of(plan), *found = *place;
    if (found)
        *place = found->next;
    pthread_mutex_unlock(&plans);
    free(found);
    return found ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

/* ---- What a plan is made from ---- */

static bool is_type(int type)
{
    return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z || type == CUFFT_D2Z
           || type == CUFFT_Z2D;
}

/* Lengths as the caller has them: ints, or long longs. */
struct lengths {
    const int *narrow;
    const long long *wide;
};

static bool is_given(struct lengths lengths)
{
    return lengths.narrow || lengths.wide;
}
static int64_t length(struct lengths lengths, int index)
{
    return lengths.narrow ? lengths.narrow[index] : lengths.wide[index];
}

/* One side: a layout of its own if lengths are given, whose first one says nothing. */
static int take_side(struct cufft_side *side, int rank, struct lengths embed, int64_t stride, int64_t distance)
{
    *side = (struct cufft_side){.basic = !is_given(embed), .stride = stride, .distance = distance};
    if (side->basic)
        return CUFFT_SUCCESS;
    for (int i = 0; i < rank; i++) {
        side->embed[i] = length(embed, i);
        if (side->embed[i] < 0)
            return CUFFT_INVALID_SIZE;
    }
    return stride < 1 || distance < 1 ? CUFFT_INVALID_VALUE : CUFFT_SUCCESS;
}

/* Does every offset in the layout fit into 62 bits? */
static bool fits(const struct cufft_shape *shape, const struct cufft_side *side)
{
    int64_t bytes = 16, distance; /* of the widest element */
    for (int i = 0; i < shape->rank; i++) {
        int64_t longest = side->basic ? 0 : side->embed[i];
        longest = longest > shape->n[i] + 2 ? longest : shape->n[i] + 2;
        if (__builtin_mul_overflow(bytes, longest, &bytes))
            return false;
    }
    if (!side->basic && __builtin_mul_overflow(bytes, side->stride, &bytes))
        return false;
    if (__builtin_mul_overflow(side->basic ? bytes : 16, side->basic ? 1 : side->distance, &distance)
        || __builtin_mul_overflow(distance, shape->batch, &distance))
        return false;
    return bytes < INT64_MAX / 4 && distance < INT64_MAX / 4;
}

static int take_shape(struct cufft_shape *shape, int type, int rank, struct lengths n, int64_t batch)
{
    if (!is_type(type))
        return CUFFT_INVALID_TYPE;
    if (rank < 1 || rank > CUFFT_MAX_RANK || !is_given(n))
        return CUFFT_INVALID_VALUE;
    *shape = (struct cufft_shape){.type = type, .rank = rank, .batch = batch, .in.basic = true, .out.basic = true};
    for (int i = 0; i < rank; i++) {
        shape->n[i] = length(n, i);
        if (shape->n[i] < 1)
            return CUFFT_INVALID_SIZE;
    }
    return batch < 1 || !fits(shape, &shape->in) ? CUFFT_INVALID_SIZE : CUFFT_SUCCESS;
}

/* The working memory that we ask for: as much as the transforms' complex elements take. Nothing is written there, but a program
 * that keeps it itself must give it, as NVIDIA's library may need it. */
static uint64_t work_bytes(const struct cufft_shape *shape)
{
    uint64_t bytes = (uint64_t)shape->batch * (cufft_is_double(shape->type) ? 16 : 8);
    for (int i = 0; i < shape->rank; i++)
        bytes *= (uint64_t)shape->n[i];
    return bytes;
}

/* What cufftMakePlan…, cufftGetSize… and cufftEstimate… were given. */
struct request {
    int type, rank;
    struct lengths n, inembed, onembed;
    int64_t istride, idist, ostride, odist, batch;
};

static int take(const struct request *request, struct cufft_shape *shape)
{
    int status = take_shape(shape, request->type, request->rank, request->n, request->batch);
    if (status == CUFFT_SUCCESS)
        status = take_side(&shape->in, request->rank, request->inembed, request->istride, request->idist);
    if (status == CUFFT_SUCCESS)
        status = take_side(&shape->out, request->rank, request->onembed, request->ostride, request->odist);
    if (status == CUFFT_SUCCESS && shape->in.basic != shape->out.basic)
        status = CUFFT_INVALID_VALUE; /* a layout for one side alone */
    if (status == CUFFT_SUCCESS && (!fits(shape, &shape->in) || !fits(shape, &shape->out)))
        status = CUFFT_INVALID_SIZE;
    return status;
}

static int estimate(const struct request *request, size_t *work_size)
{
    struct cufft_shape shape;
    if (!work_size)
        return CUFFT_INVALID_VALUE;
    int status = take(request, &shape);
    if (status == CUFFT_SUCCESS)
        *work_size = work_bytes(&shape);
    return status;
}

static int get_size(int plan, const struct request *request, size_t *work_size)
{
    return cufft_find(plan) ? estimate(request, work_size) : CUFFT_INVALID_PLAN;
}

static int make(int handle, const struct request *request, size_t *work_size)
{
    struct cufft_plan *plan = cufft_find(handle);
    struct cufft_shape shape;
    if (!plan || plan->made)
        return CUFFT_INVALID_PLAN;
    if (!work_size)
        return CUFFT_INVALID_VALUE;
    int status = take(request, &shape);
    if (status != CUFFT_SUCCESS)
        return status;
    plan->shape = shape;
    plan->work_bytes = *work_size = work_bytes(&shape);
    plan->made = true;
    return CUFFT_SUCCESS;
}

static int plan(int *handle, const struct request *request)
{
    size_t size;
    int made, status = handle ? cufftCreate(&made) : CUFFT_INVALID_VALUE;
    if (status != CUFFT_SUCCESS)
        return status;
    status = make(made, request, &size);
    if (status == CUFFT_SUCCESS)
        *handle = made;
    else
        cufftDestroy(made);
    return status;
}

#define NARROW(array) ((struct lengths){.narrow = (array)})
#define WIDE(array)   ((struct lengths){.wide = (array)})
#define BASIC(kind, times, ...)                                                                                \
    &(struct request)                                                                                          \
    {                                                                                                          \
        .type = kind, .rank = sizeof((int[]){__VA_ARGS__}) / sizeof(int), .n = NARROW(((int[]){__VA_ARGS__})), \
        .batch = times                                                                                         \
    }
#define MANY(lengths)                                                                                                 \
    &(struct request)                                                                                                 \
    {                                                                                                                 \
        .type = type, .rank = rank, .n = lengths(n), .inembed = lengths(inembed), .istride = istride, .idist = idist, \
        .onembed = lengths(onembed), .ostride = ostride, .odist = odist, .batch = batch                               \
    }
#define MANY_PARAMETERS(T) int rank, T *n, T *inembed, T istride, T idist, T *onembed, T ostride, T odist, int type, T batch

int cufftPlan1d(int *handle, int nx, int type, int batch)
{
    return plan(handle, BASIC(type, batch, nx));
}
int cufftPlan2d(int *handle, int nx, int ny, int type)
{
    return plan(handle, BASIC(type, 1, nx, ny));
}
int cufftPlan3d(int *handle, int nx, int ny, int nz, int type)
{
    return plan(handle, BASIC(type, 1, nx, ny, nz));
}
int cufftPlanMany(int *handle, MANY_PARAMETERS(int))
{
    return plan(handle, MANY(NARROW));
}
int cufftMakePlan1d(int handle, int nx, int type, int batch, size_t *work_size)
{
    return make(handle, BASIC(type, batch, nx), work_size);
}
int cufftMakePlan2d(int handle, int nx, int ny, int type, size_t *work_size)
{
    return make(handle, BASIC(type, 1, nx, ny), work_size);
}
int cufftMakePlan3d(int handle, int nx, int ny, int nz, int type, size_t *work_size)
{
    return make(handle, BASIC(type, 1, nx, ny, nz), work_size);
}
int cufftMakePlanMany(int handle, MANY_PARAMETERS(int), size_t *work_size)
{
    return make(handle, MANY(NARROW), work_size);
}
int cufftMakePlanMany64(int handle, MANY_PARAMETERS(long long), size_t *work_size)
{
    return make(handle, MANY(WIDE), work_size);
}
int cufftGetSize1d(int handle, int nx, int type, int batch, size_t *work_size)
{
    return get_size(handle, BASIC(type, batch, nx), work_size);
}
int cufftGetSize2d(int handle, int nx, int ny, int type, size_t *work_size)
{
    return get_size(handle, BASIC(type, 1, nx, ny), work_size);
}
int cufftGetSize3d(int handle, int nx, int ny, int nz, int type, size_t *work_size)
{
    return get_size(handle, BASIC(type, 1, nx, ny, nz), work_size);
}
int cufftGetSizeMany(int handle, MANY_PARAMETERS(int), size_t *work_size)
{
    return get_size(handle, MANY(NARROW), work_size);
}
int cufftGetSizeMany64(int handle, MANY_PARAMETERS(long long), size_t *work_size)
{
    return get_size(handle, MANY(WIDE), work_size);
}
int cufftEstimate1d(int nx, int type, int batch, size_t *work_size)
{
    return estimate(BASIC(type, batch, nx), work_size);
}
int cufftEstimate2d(int nx, int ny, int type, size_t *work_size)
{
    return estimate(BASIC(type, 1, nx, ny), work_size);
}
int cufftEstimate3d(int nx, int ny, int nz, int type, size_t *work_size)
{
    return estimate(BASIC(type, 1, nx, ny, nz), work_size);
}
int cufftEstimateMany(MANY_PARAMETERS(int), size_t *work_size)
{
    return estimate(MANY(NARROW), work_size);
}

/* ---- Plans whose sides name their types ---- */

enum { R_32F = 0, R_64F = 1, R_16F = 2, C_32F = 4, C_64F = 5, C_16F = 6, R_16BF = 14, C_16BF = 15 }; /* cudaDataType */

static bool is_half(int type)
{
    return type == R_16F || type == C_16F || type == R_16BF || type == C_16BF;
}

/* The cufftType of three cudaDataTypes. 0: there is none, and *status says why. */
static int type_of(const char *call, int input, int output, int execution, int *status)
{
    static const struct {
        int input, output, execution, type;
    } types[] = {
        {C_32F, C_32F, C_32F, CUFFT_C2C}, {R_32F, C_32F, C_32F, CUFFT_R2C}, {C_32F, R_32F, C_32F, CUFFT_C2R},
        {C_64F, C_64F, C_64F, CUFFT_Z2Z}, {R_64F, C_64F, C_64F, CUFFT_D2Z}, {C_64F, R_64F, C_64F, CUFFT_Z2D},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].input == input && types[i].output == output && types[i].execution == execution)
            return types[i].type;
    *status = CUFFT_INVALID_TYPE;
    if (is_half(input) && is_half(output) && is_half(execution)) {
        refuse("cuFFT", call);
        *status = CUFFT_NOT_SUPPORTED;
    }
    return 0;
}

int cufftXtMakePlanMany(int handle, int rank, long long *n, long long *inembed, long long istride, long long idist,
                        int input_type, long long *onembed, long long ostride, long long odist, int output_type,
                        long long batch, size_t *work_size, int execution_type)
{
    int status = CUFFT_INVALID_PLAN;
    if (!cufft_find(handle))
        return status;
    int type = type_of("half precision in cufftXtMakePlanMany", input_type, output_type, execution_type, &status);
    return type ? make(handle, MANY(WIDE), work_size) : status;
}

int cufftXtGetSizeMany(int handle, int rank, long long *n, long long *inembed, long long istride, long long idist,
                       int input_type, long long *onembed, long long ostride, long long odist, int output_type,
                       long long batch, size_t *work_size, int execution_type)
{
    int status = CUFFT_INVALID_PLAN;
    if (!cufft_find(handle))
        return status;
    int type = type_of("half precision in cufftXtGetSizeMany", input_type, output_type, execution_type, &status);
    return type ? get_size(handle, MANY(WIDE), work_size) : status;
}

/* ---- Settings ---- */

int cufftGetSize(int handle, size_t *work_size)
{
    const struct cufft_plan *found = cufft_find(handle);
    if (!found)
        return CUFFT_INVALID_PLAN;
    if (!work_size)
        return CUFFT_INVALID_VALUE;
    if (!found->made)
        return CUFFT_INVALID_PLAN;
    *work_size = found->work_bytes;
    return CUFFT_SUCCESS;
}

int cufftSetStream(int handle, void *stream)
{
    struct cufft_plan *found = cufft_find(handle);
    if (found)
        found->stream = stream;
    return found ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

int cufftSetAutoAllocation(int handle, int automatic)
{
    struct cufft_plan *found = cufft_find(handle);
    if (!found)
        return CUFFT_INVALID_PLAN;
    if (!found->made) /* later it changes nothing */
        found->allocates = automatic != 0;
    return CUFFT_SUCCESS;
}

int cufftSetWorkArea(int handle, void *work)
{
    struct cufft_plan *found = cufft_find(handle);
    if (found)
        found->work = work;
    return found ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

enum { PATIENT_JIT = 1, MAX_NUM_HOST_THREADS = 2 }; /* cufftProperty */

int cufftSetPlanPropertyInt64(int handle, int property, long long value)
{
    struct cufft_plan *found = cufft_find(handle);
    if (!found || found->made)
        return found ? CUFFT_NOT_SUPPORTED : CUFFT_INVALID_PLAN;
    if (property != PATIENT_JIT && property != MAX_NUM_HOST_THREADS)
        return CUFFT_INVALID_VALUE;
    if (property == PATIENT_JIT)
        found->patient = value != 0;
    else
        found->threads = value;
    return CUFFT_SUCCESS;
}

int cufftGetPlanPropertyInt64(int handle, int property, long long *value)
{
    const struct cufft_plan *found = cufft_find(handle);
    if (!found)
        return CUFFT_INVALID_PLAN;
    if (!value || (property != PATIENT_JIT && property != MAX_NUM_HOST_THREADS))
        return CUFFT_INVALID_VALUE;
    *value = property == PATIENT_JIT ? found->patient : found->threads;
    return CUFFT_SUCCESS;
}

int cufftResetPlanProperty(int handle, int property)
{
    return cufftSetPlanPropertyInt64(handle, property, 0);
}

/* The versions whose interface is served: cuFFT 12.0 of CUDA 13.0, cuFFT 11.4 of CUDA 12.9. */
static void version_of(int numbers[3])
{
    bool older = library_major((const void *)cufftGetVersion) == 11;
    numbers[0] = older ? 11 : 12;
    numbers[1] = older ? 4 : 0;
    numbers[2] = 0;
}

int cufftGetVersion(int *version)
{
    int numbers[3];
    version_of(numbers);
    if (version)
        *version = numbers[0] * 1000 + numbers[1] * 100 + numbers[2];
    return CUFFT_SUCCESS;
}

int cufftGetProperty(int property, int *value)
{
    int numbers[3];
    if (property < 0 || property > 2)
        return CUFFT_INVALID_TYPE;
    if (!value)
        return CUFFT_INVALID_VALUE;
    version_of(numbers);
    *value = numbers[property];
    return CUFFT_SUCCESS;
}
