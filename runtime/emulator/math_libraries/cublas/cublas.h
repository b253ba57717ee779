/* What the parts of this library share: handles, the values of cublas_v2.h, and the operands of a call.
 *
 * The functions of the interface are rows of cublas.def; entries.c makes them from those, each for the four types and for
 * 32- and 64-bit sizes. What they do is in blas_NAME (level1.h … batched.h), which returns a status and works on sizes of 64
 * bits and on pointers without a type. */
#ifndef EMULATOR_CUBLAS_H
#define EMULATOR_CUBLAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/math_libraries/base/array.h"
#include "runtime/emulator/math_libraries/base/blas.h"

#define CUBLAS_EXPORT __attribute__((visibility("default")))

enum cublas_status {
    CUBLAS_SUCCESS = 0,
    CUBLAS_NOT_INITIALIZED = 1,
    CUBLAS_ALLOC_FAILED = 3,
    CUBLAS_INVALID_VALUE = 7,
    CUBLAS_MAPPING_ERROR = 11,
    CUBLAS_EXECUTION_FAILED = 13,
    CUBLAS_INTERNAL_ERROR = 14,
    CUBLAS_NOT_SUPPORTED = 15,
};
enum { OP_N, OP_T, OP_C };             /* cublasOperation_t */
enum { FILL_LOWER, FILL_UPPER };       /* cublasFillMode_t */
enum { SIDE_LEFT, SIDE_RIGHT };        /* cublasSideMode_t */
enum { POINTER_HOST, POINTER_DEVICE }; /* cublasPointerMode_t */

/* cublasHandle_t. */
struct cublas_handle {
    struct cublas_handle *next; /* of all that live */
    void *stream;               /* cudaStream_t */
    int pointer_mode, math_mode, atomics_mode, multiprocessors;
};

/* One call of a function of the interface. */
struct cublas_call {
    struct caller caller; /* its name, and the handle's stream */
    struct cublas_handle *handle;
    enum blas_type type;
    int status; /* why an operand could not be had */
};

/* A number of any type, and the widest: what a scalar is copied to. */
union cublas_number {
    float s[2];
    double d[2];
    int32_t i;
    uint16_t h;
};

/* Is it a handle that cublasCreate made and cublasDestroy has not destroyed? */
bool cublas_handle_lives(const struct cublas_handle *handle);

/* Begins a call. Returns CUBLAS_SUCCESS, or CUBLAS_NOT_INITIALIZED for a handle that is none. */
int cublas_begin(struct cublas_call *call, void *handle, const char *name, enum blas_type type);

/* ---- Operands. Each returns NULL (or false) after setting call->status; see array.h for what is looked at. ---- */

/* Copies a scalar from where the pointer mode says it lies. A null pointer is an invalid value. */
bool cublas_scalar(struct cublas_call *call, const void *pointer, uint64_t size, void *number);
/* Where a result of `size` bytes goes, by the pointer mode. */
void *cublas_result(struct cublas_call *call, void *pointer, uint64_t size, int access);

void *cublas_vector(struct cublas_call *call, const void *pointer, int64_t count, int64_t increment, int access);
void *cublas_matrix(struct cublas_call *call, const void *pointer, int64_t rows, int64_t columns, int64_t ld, int access);
void *cublas_triangle(struct cublas_call *call, const void *pointer, int fill, bool unit, int64_t n, int64_t ld, int access);
/* A device array of `count` pointers or integers of `size` bytes. */
void *cublas_list(struct cublas_call *call, const void *pointer, int64_t count, uint64_t size, int access);

/* C = beta C for a matrix that cublas_matrix() found: what is left of a product whose alpha is 0. Its other operands are not
 * looked at, so the host's BLAS must not be given them. */
int cublas_scale(struct cublas_call *call, int64_t rows, int64_t columns, const void *beta, void *c, int64_t ld);

/* Is the scalar of the call's type (or its real part's) zero? */
bool cublas_is_zero(enum blas_type type, const void *number);
bool cublas_real_is_zero(enum blas_type type, const void *number);

/* The host's routine of that type. NULL after setting the status. */
blas_fn *cublas_routine(struct cublas_call *call, const char *name);

/* Do all fit into the 32 bits of the host's BLAS? Says so on stderr, and sets the status, if not. `count` values follow. */
bool cublas_fits(struct cublas_call *call, int count, ...);

static inline bool cublas_is_operation(int operation)
{
    return operation >= OP_N && operation <= OP_C;
}
static inline bool cublas_is_flag(int flag)
{
    return flag == 0 || flag == 1;
}
/* Rows of a matrix as it is stored that the operation turns into rows x columns. */
static inline int64_t cublas_stored_rows(int operation, int64_t rows, int64_t columns)
{
    return operation == OP_N ? rows : columns;
}
static inline int64_t cublas_at_least_one(int64_t value)
{
    return value > 1 ? value : 1;
}
/* The letters of Fortran. */
static inline const char *cublas_letter_operation(int operation)
{
    return &"NTC"[operation];
}
static inline const char *cublas_letter_fill(int fill)
{
    return &"LU"[fill];
}
static inline const char *cublas_letter_side(int side)
{
    return &"LR"[side];
}
static inline const char *cublas_letter_diagonal(int diagonal)
{
    return &"NU"[diagonal];
}

#endif
