/* What the parts of this library share: handles, the values of cusolverDn.h, and the operands of a call.
 *
 * The functions of the interface are rows of cusolver.def; entries.c makes them from those, each for the four types. What they
 * do is in dense_NAME (dense.h), which returns a status and works on pointers without a type. */
#ifndef EMULATOR_CUSOLVER_H
#define EMULATOR_CUSOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/math_libraries/base/array.h"
#include "runtime/emulator/math_libraries/base/blas.h"

#define CUSOLVER_EXPORT __attribute__((visibility("default")))

enum cusolver_status {
    SOLVER_SUCCESS = 0,
    SOLVER_NOT_INITIALIZED = 1,
    SOLVER_ALLOC_FAILED = 2,
    SOLVER_INVALID_VALUE = 3,
    SOLVER_EXECUTION_FAILED = 6,
    SOLVER_INTERNAL_ERROR = 7,
    SOLVER_NOT_SUPPORTED = 9,
};

/* cusolverDnHandle_t. */
struct solver_handle {
    struct solver_handle *next; /* of all that live */
    void *stream;               /* cudaStream_t */
    int deterministic_mode;
};

/* One call of a function of the interface. */
struct solver_call {
    struct caller caller; /* its name, and the handle's stream */
    enum blas_type type;
    int status; /* why an operand could not be had */
};

/* Begins a call. Returns SOLVER_SUCCESS, or SOLVER_NOT_INITIALIZED for a handle that is none. */
int solver_begin(struct solver_call *call, void *handle, const char *name, enum blas_type type);

#endif
