/* Vectors. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cublas/routines.h"

enum { READ = LOCKSTEP_READ, WRITE = LOCKSTEP_WRITE, UPDATE = LOCKSTEP_READ | LOCKSTEP_WRITE };

/* ---- Searches ---- */

/* What BLAS compares: the magnitude, for complex numbers the sum of those of their parts. */
static double magnitude(enum blas_type type, const void *x, int64_t index)
{
    switch (type) {
    case BLAS_S: return fabs((double)((const float *)x)[index]);
    case BLAS_D: return fabs(((const double *)x)[index]);
    case BLAS_C: return fabsf(((const float *)x)[2 * index]) + fabsf(((const float *)x)[2 * index + 1]);
    default: return fabs(((const double *)x)[2 * index]) + fabs(((const double *)x)[2 * index + 1]);
    }
}

/* The first element that is larger (or smaller) than all before it, counted from 1; 0 when there is none. */
static int extreme(struct cublas_call *call, bool largest, int64_t n, const void *x, int64_t incx, void *result,
                   size_t result_size)
{
    int64_t found = n > 0 && incx > 0 ? 1 : 0;
    void *place = cublas_result(call, result, result_size, WRITE);
    const void *values = found && place ? cublas_vector(call, x, n, incx, READ) : NULL;
    if (!place || (found && !values))
        return call->status;
    for (int64_t i = 1; i < n && found; i++) {
        double value = magnitude(call->type, values, i * incx);
        double best = magnitude(call->type, values, (found - 1) * incx);
        if (largest ? value > best : value < best)
            found = i + 1;
    }
    if (result_size == sizeof(int64_t))
        *(int64_t *)place = found;
    else
        *(int32_t *)place = (int32_t)found;
    return CUBLAS_SUCCESS;
}

int blas_amax(struct cublas_call *call, int64_t n, const void *x, int64_t incx, void *result, size_t result_size)
{
    return extreme(call, true, n, x, incx, result, result_size);
}

int blas_amin(struct cublas_call *call, int64_t n, const void *x, int64_t incx, void *result, size_t result_size)
{
    return extreme(call, false, n, x, incx, result, result_size);
}

/* ---- Sums ---- */

typedef float float_sum_fn(const int *n, const void *x, const int *incx);
typedef double double_sum_fn(const int *n, const void *x, const int *incx);

static int reduce(struct cublas_call *call, const char *routines[4], int64_t n, const void *x, int64_t incx, void *result)
{
    bool empty = n <= 0 || incx <= 0;
    uint64_t size = blas_real_size(call->type);
    void *place = cublas_result(call, result, size, WRITE);
    const void *values = place && !empty ? cublas_vector(call, x, n, incx, READ) : NULL;
    if (!place || (!empty && !values) || !cublas_fits(call, 2, n, incx))
        return call->status;
    memset(place, 0, size);
    if (empty)
        return CUBLAS_SUCCESS;
    blas_fn *routine = blas_named(routines[call->type]);
    int count = (int)n, increment = (int)incx;
    if (!routine)
        return CUBLAS_NOT_SUPPORTED;
    if (size == sizeof(float))
        *(float *)place = ((float_sum_fn *)routine)(&count, values, &increment);
    else
        *(double *)place = ((double_sum_fn *)routine)(&count, values, &increment);
    return CUBLAS_SUCCESS;
}

int blas_asum(struct cublas_call *call, int64_t n, const void *x, int64_t incx, void *result)
{
    return reduce(call, (const char *[]){"sasum", "dasum", "scasum", "dzasum"}, n, x, incx, result);
}

int blas_nrm2(struct cublas_call *call, int64_t n, const void *x, int64_t incx, void *result)
{
    return reduce(call, (const char *[]){"snrm2", "dnrm2", "scnrm2", "dznrm2"}, n, x, incx, result);
}

typedef float float_dot_fn(const int *n, const void *x, const int *incx, const void *y, const int *incy);
typedef double double_dot_fn(const int *n, const void *x, const int *incx, const void *y, const int *incy);
typedef float _Complex float_complex_dot_fn(const int *n, const void *x, const int *incx, const void *y, const int *incy);
typedef double _Complex double_complex_dot_fn(const int *n, const void *x, const int *incx, const void *y, const int *incy);

static int dot(struct cublas_call *call, const char *name, int64_t n, const void *x, int64_t incx, const void *y,
               int64_t incy, void *result)
{
    uint64_t size = blas_size(call->type);
    void *place = cublas_result(call, result, size, WRITE);
    const void *a = place ? cublas_vector(call, x, n, incx, READ) : NULL;
    const void *b = a ? cublas_vector(call, y, n, incy, READ) : NULL;
    blas_fn *routine = b && cublas_fits(call, 3, n, incx, incy) ? cublas_routine(call, name) : NULL;
    if (!routine)
        return call->status;
    memset(place, 0, size);
    int count = (int)n, step_x = (int)incx, step_y = (int)incy;
    if (n <= 0)
        return CUBLAS_SUCCESS;
    if (call->type == BLAS_S)
        *(float *)place = ((float_dot_fn *)routine)(&count, a, &step_x, b, &step_y);
    else if (call->type == BLAS_D)
        *(double *)place = ((double_dot_fn *)routine)(&count, a, &step_x, b, &step_y);
    else if (call->type == BLAS_C)
        *(float _Complex *)place = ((float_complex_dot_fn *)routine)(&count, a, &step_x, b, &step_y);
    else
        *(double _Complex *)place = ((double_complex_dot_fn *)routine)(&count, a, &step_x, b, &step_y);
    return CUBLAS_SUCCESS;
}

int blas_dot(struct cublas_call *call, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy, void *result)
{
    return dot(call, "dot", n, x, incx, y, incy, result);
}

int blas_dotu(struct cublas_call *call, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy, void *result)
{
    return dot(call, "dotu", n, x, incx, y, incy, result);
}

int blas_dotc(struct cublas_call *call, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy, void *result)
{
    return dot(call, "dotc", n, x, incx, y, incy, result);
}

/* ---- Updates ---- */

/* CMPLX of C11, which not all C libraries have for all compilers. */
static double complex complex_of(double real, double imaginary)
{
    double parts[2] = {real, imaginary};
    double complex number;
    memcpy(&number, parts, sizeof number);
    return number;
}

static double complex number_at(enum blas_type type, const void *x, int64_t index)
{
    const float *s = x;
    const double *d = x;
    switch (type) {
    case BLAS_S: return s[index];
    case BLAS_D: return d[index];
    case BLAS_C: return complex_of(s[2 * index], s[2 * index + 1]);
    default: return complex_of(d[2 * index], d[2 * index + 1]);
    }
}

static void set_number(enum blas_type type, void *x, int64_t index, double complex value)
{
    float *s = x;
    double *d = x;
    if (type == BLAS_S)
        s[index] = (float)creal(value);
    else if (type == BLAS_D)
        d[index] = creal(value);
    else if (type == BLAS_C)
        s[2 * index] = (float)creal(value), s[2 * index + 1] = (float)cimag(value);
    else
        d[2 * index] = creal(value), d[2 * index + 1] = cimag(value);
}

int blas_axpy(struct cublas_call *call, int64_t n, const void *alpha, const void *x, int64_t incx, void *y, int64_t incy)
{
    union cublas_number factor;
    if (!cublas_scalar(call, alpha, blas_size(call->type), &factor))
        return call->status;
    if (n <= 0 || cublas_is_zero(call->type, &factor))
        return CUBLAS_SUCCESS;
    const void *from = cublas_vector(call, x, n, incx, READ);
    void *to = from ? cublas_vector(call, y, n, incy, UPDATE) : NULL;
    blas_fn *axpy = to && cublas_fits(call, 3, n, incx, incy) ? cublas_routine(call, "axpy") : NULL;
    int count = (int)n, step_x = (int)incx, step_y = (int)incy;
    if (axpy)
        BLAS_CALL(axpy, &count, &factor, from, &step_x, to, &step_y);
    return call->status;
}

/* copy and swap. */
static int move(struct cublas_call *call, const char *name, int access, int64_t n, const void *x, int64_t incx, void *y,
                int64_t incy)
{
    if (n <= 0)
        return CUBLAS_SUCCESS;
    const void *from = cublas_vector(call, x, n, incx, access);
    void *to = from ? cublas_vector(call, y, n, incy, access == READ ? WRITE : access) : NULL;
    blas_fn *routine = to && cublas_fits(call, 3, n, incx, incy) ? cublas_routine(call, name) : NULL;
    int count = (int)n, step_x = (int)incx, step_y = (int)incy;
    if (routine)
        BLAS_CALL(routine, &count, from, &step_x, to, &step_y);
    return call->status;
}

int blas_copy(struct cublas_call *call, int64_t n, const void *x, int64_t incx, void *y, int64_t incy)
{
    return move(call, "copy", READ, n, x, incx, y, incy);
}

int blas_swap(struct cublas_call *call, int64_t n, void *x, int64_t incx, void *y, int64_t incy)
{
    return move(call, "swap", UPDATE, n, x, incx, y, incy);
}

static int scale(struct cublas_call *call, const char *name, uint64_t scalar_size, int64_t n, const void *alpha, void *x,
                 int64_t incx)
{
    union cublas_number factor;
    if (!cublas_scalar(call, alpha, scalar_size, &factor))
        return call->status;
    if (n <= 0 || incx <= 0)
        return CUBLAS_SUCCESS;
    void *values = cublas_vector(call, x, n, incx, UPDATE);
    int count = (int)n, increment = (int)incx;
    blas_fn *routine = values && cublas_fits(call, 2, n, incx) ? blas_named(name) : NULL;
    /* NaN times 0 is NaN; some releases of host libraries write 0. */
    bool zero = scalar_size == blas_size(call->type) ? cublas_is_zero(call->type, &factor)
                                                     : cublas_real_is_zero(call->type, &factor);
    for (int64_t i = 0; zero && values && i < n; i++)
        set_number(call->type, values, i * incx, 0 * number_at(call->type, values, i * incx));
    if (routine && !zero)
        BLAS_CALL(routine, &count, &factor, values, &increment);
    return call->status ? call->status : routine ? CUBLAS_SUCCESS : CUBLAS_NOT_SUPPORTED;
}

int blas_scal(struct cublas_call *call, int64_t n, const void *alpha, void *x, int64_t incx)
{
    static const char *const names[] = {"sscal", "dscal", "cscal", "zscal"};
    return scale(call, names[call->type], blas_size(call->type), n, alpha, x, incx);
}

int blas_cross_scal(struct cublas_call *call, int64_t n, const void *alpha, void *x, int64_t incx)
{
    return scale(call, call->type == BLAS_C ? "csscal" : "zdscal", blas_real_size(call->type), n, alpha, x, incx);
}

/* ---- Rotations ---- */

/* Where element i of a vector lies: a negative increment goes backwards from the end. */
static int64_t place_of(int64_t i, int64_t n, int64_t increment)
{
    return increment < 0 ? (i - n + 1) * increment : i * increment;
}

/* [x; y] = [c s; -conj(s) c] [x; y] */
static int rotate(struct cublas_call *call, enum blas_type sine_type, int64_t n, void *x, int64_t incx, void *y,
                  int64_t incy, const void *c, const void *s)
{
    union cublas_number cosine, sine;
    enum blas_type real = blas_real_size(call->type) == 4 ? BLAS_S : BLAS_D;
    if (!cublas_scalar(call, c, blas_real_size(call->type), &cosine) || !cublas_scalar(call, s, blas_size(sine_type), &sine))
        return call->status;
    void *a = n > 0 ? cublas_vector(call, x, n, incx, UPDATE) : NULL;
    void *b = a ? cublas_vector(call, y, n, incy, UPDATE) : NULL;
    double complex factor = number_at(real, &cosine, 0), turn = number_at(sine_type, &sine, 0);
    for (int64_t i = 0; i < n && b; i++) {
        int64_t at_x = place_of(i, n, incx), at_y = place_of(i, n, incy);
        double complex old_x = number_at(call->type, a, at_x), old_y = number_at(call->type, b, at_y);
        set_number(call->type, a, at_x, factor * old_x + turn * old_y);
        set_number(call->type, b, at_y, factor * old_y - conj(turn) * old_x);
    }
    return call->status;
}

int blas_rot(struct cublas_call *call, int64_t n, void *x, int64_t incx, void *y, int64_t incy, const void *c, const void *s)
{
    return rotate(call, call->type, n, x, incx, y, incy, c, s);
}

int blas_cross_rot(struct cublas_call *call, int64_t n, void *x, int64_t incx, void *y, int64_t incy, const void *c,
                   const void *s)
{
    return rotate(call, call->type == BLAS_C ? BLAS_S : BLAS_D, n, x, incx, y, incy, c, s);
}

int blas_rotm(struct cublas_call *call, int64_t n, void *x, int64_t incx, void *y, int64_t incy, const void *param)
{
    double parameters[5];
    if (!cublas_scalar(call, param, 5 * blas_size(call->type), parameters))
        return call->status;
    void *a = n > 0 ? cublas_vector(call, x, n, incx, UPDATE) : NULL;
    void *b = a ? cublas_vector(call, y, n, incy, UPDATE) : NULL;
    blas_fn *rotm = b && cublas_fits(call, 3, n, incx, incy) ? cublas_routine(call, "rotm") : NULL;
    int count = (int)n, step_x = (int)incx, step_y = (int)incy;
    if (rotm)
        BLAS_CALL(rotm, &count, a, &step_x, b, &step_y, parameters);
    return call->status;
}

int blas_rotg(struct cublas_call *call, void *a, void *b, void *c, void *s)
{
    uint64_t size = blas_size(call->type);
    void *first = cublas_result(call, a, size, UPDATE), *second = first ? cublas_result(call, b, size, UPDATE) : NULL;
    void *cosine = second ? cublas_result(call, c, blas_real_size(call->type), WRITE) : NULL;
    void *sine = cosine ? cublas_result(call, s, size, WRITE) : NULL;
    blas_fn *rotg = sine ? cublas_routine(call, "rotg") : NULL;
    if (rotg)
        BLAS_CALL(rotg, first, second, cosine, sine);
    return call->status;
}

int blas_rotmg(struct cublas_call *call, void *d1, void *d2, void *x1, const void *y1, void *param)
{
    uint64_t size = blas_size(call->type);
    union cublas_number last;
    void *a = cublas_result(call, d1, size, UPDATE), *b = a ? cublas_result(call, d2, size, UPDATE) : NULL;
    void *x = b ? cublas_result(call, x1, size, UPDATE) : NULL;
    void *parameters = x ? cublas_result(call, param, 5 * size, WRITE) : NULL;
    blas_fn *rotmg = parameters && cublas_scalar(call, y1, size, &last) ? cublas_routine(call, "rotmg") : NULL;
    if (rotmg)
        BLAS_CALL(rotmg, a, b, x, &last, parameters);
    return call->status;
}
