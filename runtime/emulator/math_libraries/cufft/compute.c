/* The arithmetic: FFTW, in the precision of the plan. */
#include <pthread.h>
#include <stdio.h>

#include "runtime/emulator/math_libraries/base/host_library.h"
#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cufft/cufft.h"

static struct host_library fftw = {
    .purpose = "Fourier transforms in double precision on the emulated device",
    .package = "libfftw3-double3",
    .names = {"libfftw3.so.3"},
};
static struct host_library fftwf = {
    .purpose = "Fourier transforms in single precision on the emulated device",
    .package = "libfftw3-single3",
    .names = {"libfftw3f.so.3"},
};

/* fftw_iodim64: a dimension, its steps in units of the numbers on either side. */
struct dimension {
    ptrdiff_t n, from, to;
};
enum { ESTIMATE = 1 << 6, DESTROY_INPUT = 1 << 0 }; /* FFTW_… */

typedef void *complex_fn(int rank, const struct dimension *dimensions, int outer_rank, const struct dimension *outer,
                         void *in, void *out, int sign, unsigned flags);
typedef void *real_fn(int rank, const struct dimension *dimensions, int outer_rank, const struct dimension *outer, void *in,
                      void *out, unsigned flags);
typedef void plan_fn(void *plan);

static void *function(bool is_double, const char *name)
{
    char whole[40];
    snprintf(whole, sizeof whole, "%s_%s", is_double ? "fftw" : "fftwf", name);
    return host_function(is_double ? &fftw : &fftwf, whole);
}

static void *make(const struct cufft_shape *shape, const struct dimension *dimensions, const struct dimension *batch,
                  void *in, void *out, int direction)
{
    bool is_double = cufft_is_double(shape->type);
    bool real = cufft_is_to_complex(shape->type) || cufft_is_to_real(shape->type);
    unsigned flags = ESTIMATE | DESTROY_INPUT;
    if (!real) {
        complex_fn *plan = (complex_fn *)function(is_double, "plan_guru64_dft");
        return plan ? plan(shape->rank, dimensions, 1, batch, in, out, direction, flags) : NULL;
    }
    real_fn *plan = (real_fn *)function(is_double,
                                        cufft_is_to_real(shape->type) ? "plan_guru64_dft_c2r" : "plan_guru64_dft_r2c");
    return plan ? plan(shape->rank, dimensions, 1, batch, in, out, flags) : NULL;
}

bool cufft_compute(const char *call, const struct cufft_shape *shape, const struct cufft_layout *from,
                   const struct cufft_layout *to, void *in, void *out, int direction)
{
    static pthread_mutex_t planning = PTHREAD_MUTEX_INITIALIZER; /* FFTW makes one plan at a time */
    bool is_double = cufft_is_double(shape->type);
    int64_t in_unit = (int64_t)from->size, out_unit = (int64_t)to->size;
    struct dimension dimensions[CUFFT_MAX_RANK];
    struct dimension batch = {shape->batch, from->distance / in_unit, to->distance / out_unit};
    for (int i = 0; i < shape->rank; i++)
        dimensions[i] = (struct dimension){shape->n[i], from->step[i] / in_unit, to->step[i] / out_unit};
    plan_fn *execute = (plan_fn *)function(is_double, "execute"), *destroy = (plan_fn *)function(is_double, "destroy_plan");
    if (!execute || !destroy)
        return false; /* which has been said */
    pthread_mutex_lock(&planning);
    void *plan = make(shape, dimensions, &batch, in, out, direction);
    pthread_mutex_unlock(&planning);
    if (!plan) {
        char what[96];
        snprintf(what, sizeof what, "the layout of this %s, for which FFTW has no plan", call);
        refuse("cuFFT", what);
        return false;
    }
    execute(plan);
    pthread_mutex_lock(&planning);
    destroy(plan);
    pthread_mutex_unlock(&planning);
    return true;
}
