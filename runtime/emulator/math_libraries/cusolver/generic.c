/* The interface whose operands name their types, and whose sizes have 64 bits. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cusolver/dense.h"
#include "runtime/emulator/math_libraries/cusolver/interface.h"

/* A cudaDataType as a type of BLAS; -1: none. */
static int type_of(int type)
{
    enum { R_32F, R_64F, C_32F = 4, C_64F };
    return type == R_32F ? BLAS_S : type == R_64F ? BLAS_D : type == C_32F ? BLAS_C : type == C_64F ? BLAS_Z : -1;
}

/* Types that go together, and sizes of 32 bits, which is what LAPACK has. */
static int check(int type_a, int type_w, int compute, int64_t n, int64_t lda)
{
    int type = type_of(type_a), real = type_of(type_w);
    if (type < 0 || real < 0 || compute != type_a || blas_is_complex((enum blas_type)real)
        || blas_size((enum blas_type)real) != blas_real_size((enum blas_type)type))
        return SOLVER_INVALID_VALUE;
    if (n > INT_MAX || lda > INT_MAX) {
        refuse("cuSOLVER", "sizes above 2147483647");
        return SOLVER_NOT_SUPPORTED;
    }
    return n < 0 || lda < 0 ? SOLVER_INVALID_VALUE : SOLVER_SUCCESS;
}

int cusolverDnXsyevd_bufferSize(void *handle, void *parameters, int mode, int fill, int64_t n, int type_a, const void *a,
                                int64_t lda, int type_w, const void *values, int compute, size_t *device_bytes,
                                size_t *host_bytes)
{
    (void)parameters;
    struct solver_call call;
    int length = 0, status = check(type_a, type_w, compute, n, lda);
    if (status == SOLVER_SUCCESS)
        status = solver_begin(&call, handle, "cusolverDnXsyevd_bufferSize", (enum blas_type)type_of(type_a));
    if (status == SOLVER_SUCCESS)
        status = dense_syevd_size(&call, mode, fill, (int)n, a, (int)lda, values, &length);
    if (status == SOLVER_SUCCESS && (!device_bytes || !host_bytes))
        status = SOLVER_INVALID_VALUE;
    if (status == SOLVER_SUCCESS) {
        *device_bytes = (size_t)length * blas_size(call.type);
        *host_bytes = 0;
    }
    return status;
}

int cusolverDnXsyevd(void *handle, void *parameters, int mode, int fill, int64_t n, int type_a, void *a, int64_t lda,
                     int type_w, void *values, int compute, void *device, size_t device_bytes, void *host, size_t host_bytes,
                     int *info)
{
    (void)parameters, (void)host, (void)host_bytes;
    struct solver_call call;
    int status = check(type_a, type_w, compute, n, lda);
    if (status == SOLVER_SUCCESS)
        status = solver_begin(&call, handle, "cusolverDnXsyevd", (enum blas_type)type_of(type_a));
    if (status != SOLVER_SUCCESS)
        return status;
    size_t length = device_bytes / blas_size(call.type);
    return dense_syevd(&call, mode, fill, (int)n, a, (int)lda, values, device, length < INT_MAX ? (int)length : INT_MAX,
                       info);
}

/* ---- Eigenvalues of any square matrix ---- */

/* What the caller asks, its types checked. */
struct geev {
    bool left, right;
    int n, lda, ldl, ldr;
    bool complex_values; /* of a real matrix: values as complex numbers, else the real parts, then the imaginary ones */
};

static int check_geev(int mode_left, int mode_right, int64_t n, int type_a, int64_t lda, int type_w, int type_left,
                      int64_t ldl, int type_right, int64_t ldr, int compute, struct geev *geev)
{
    int type = type_of(type_a), values = type_of(type_w);
    int64_t rows = n > 1 ? n : 1;
    bool modes = (mode_left == 0 || mode_left == 1) && (mode_right == 0 || mode_right == 1);
    bool pair = type == BLAS_S ? values == BLAS_C : type == BLAS_D && values == BLAS_Z;
    if (type < 0 || !modes || compute != type_a || type_left != type_a || type_right != type_a || n < 0 || lda < rows
        || (mode_left && ldl < rows) || (mode_right && ldr < rows) || (values != type && !pair))
        return SOLVER_INVALID_VALUE;
    if (mode_left || n > INT_MAX || lda > INT_MAX || ldl > INT_MAX || ldr > INT_MAX) {
        refuse("cuSOLVER", mode_left ? "left eigenvectors in cusolverDnXgeev" : "sizes above 2147483647");
        return SOLVER_NOT_SUPPORTED;
    }
    *geev = (struct geev){mode_left == 1, mode_right == 1, (int)n, (int)lda, (int)ldl, (int)ldr, pair};
    return SOLVER_SUCCESS;
}

int cusolverDnXgeev_bufferSize(void *handle, void *parameters, int mode_left, int mode_right, int64_t n, int type_a,
                               const void *a, int64_t lda, int type_w, const void *values, int type_left, const void *left,
                               int64_t ldl, int type_right, const void *right, int64_t ldr, int compute,
                               size_t *device_bytes, size_t *host_bytes)
{
    (void)parameters, (void)a, (void)values, (void)left, (void)right;
    enum { SOME = 16 }; /* programs allocate it, and not all can allocate nothing */
    struct solver_call call;
    struct geev geev;
    int status = solver_begin(&call, handle, "cusolverDnXgeev_bufferSize", BLAS_S);
    if (status == SOLVER_SUCCESS)
        status = check_geev(mode_left, mode_right, n, type_a, lda, type_w, type_left, ldl, type_right, ldr, compute, &geev);
    if (status == SOLVER_SUCCESS && (!device_bytes || !host_bytes))
        status = SOLVER_INVALID_VALUE;
    if (status == SOLVER_SUCCESS)
        *device_bytes = *host_bytes = SOME;
    return status;
}

/* Calls LAPACK on operands that were found; `parts` has room for 2 n real numbers. */
static int geev(struct solver_call *call, const struct geev *p, void *a, void *values, void *right, char *parts, int *info)
{
    static const int one = 1;
    blas_fn *routine = blas_routine(call->type, "geev");
    uint64_t size = blas_size(call->type), real = blas_real_size(call->type);
    int64_t wanted = 64 * (int64_t)p->n;
    int length = (int)(wanted < INT_MAX ? wanted : INT_MAX);
    char *work = routine ? malloc((size_t)length * size) : NULL, unused[16];
    if (!work)
        return routine ? SOLVER_ALLOC_FAILED : SOLVER_NOT_SUPPORTED;
    const char *job = p->right ? "V" : "N";
    void *vectors = p->right ? right : unused;
    const int *ld = p->right ? &p->ldr : &one;
    char *imaginary = parts + (uint64_t)p->n * real;
    if (blas_is_complex(call->type))
        BLAS_CALL(routine, "N", job, &p->n, a, &p->lda, values, unused, &one, vectors, ld, work, &length, parts, info);
    else
        BLAS_CALL(routine, "N", job, &p->n, a, &p->lda, parts, imaginary, unused, &one, vectors, ld, work, &length, info);
    for (int64_t i = 0; i < p->n && !blas_is_complex(call->type); i++) {
        char *target = (char *)values + (uint64_t)(p->complex_values ? 2 * i : i) * real;
        memcpy(target, parts + (uint64_t)i * real, real);
        memcpy(p->complex_values ? target + real : target + (uint64_t)p->n * real, imaginary + (uint64_t)i * real, real);
    }
    free(work);
    return SOLVER_SUCCESS;
}

int cusolverDnXgeev(void *handle, void *parameters, int mode_left, int mode_right, int64_t n, int type_a, void *a,
                    int64_t lda, int type_w, void *values, int type_left, void *left, int64_t ldl, int type_right,
                    void *right, int64_t ldr, int compute, void *device, size_t device_bytes, void *host, size_t host_bytes,
                    int *info)
{
    (void)parameters, (void)left, (void)host, (void)host_bytes;
    struct solver_call call;
    struct geev p;
    int status = check_geev(mode_left, mode_right, n, type_a, lda, type_w, type_left, ldl, type_right, ldr, compute, &p);
    if (status == SOLVER_SUCCESS)
        status = solver_begin(&call, handle, "cusolverDnXgeev", (enum blas_type)type_of(type_a));
    if (status != SOLVER_SUCCESS || n == 0)
        return status;
    uint64_t size = blas_size(call.type), real = blas_real_size(call.type);
    void *work = array_vector(&call.caller, device, (int64_t)device_bytes, 1, 1, LOCKSTEP_WRITE);
    void *matrix = work ? array_matrix(&call.caller, a, n, n, lda, size, LOCKSTEP_READ | LOCKSTEP_WRITE) : NULL;
    void *found = matrix ? array_vector(&call.caller, values, 2 * n, 1, real, LOCKSTEP_WRITE) : NULL;
    void *vectors = found && p.right ? array_matrix(&call.caller, right, n, n, ldr, size, LOCKSTEP_WRITE) : found;
    int *place = vectors ? array_vector(&call.caller, info, 1, 1, sizeof *info, LOCKSTEP_WRITE) : NULL;
    char *parts = place ? malloc(2 * (size_t)n * real) : NULL;
    if (!parts)
        return place ? SOLVER_ALLOC_FAILED : SOLVER_EXECUTION_FAILED;
    status = geev(&call, &p, matrix, found, vectors, parts, place);
    free(parts);
    return status;
}
