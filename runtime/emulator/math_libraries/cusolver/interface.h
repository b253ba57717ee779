/* The functions of cusolverDn.h that are not made from rows of cusolver.def. They take and return what NVIDIA's documentation
 * says; enumerations are ints here. */
#ifndef EMULATOR_CUSOLVER_INTERFACE_H
#define EMULATOR_CUSOLVER_INTERFACE_H

#include "runtime/emulator/math_libraries/cusolver/cusolver.h"

CUSOLVER_EXPORT int cusolverDnCreate(void **handle);
CUSOLVER_EXPORT int cusolverDnDestroy(void *handle);
CUSOLVER_EXPORT int cusolverDnSetStream(void *handle, void *stream);
CUSOLVER_EXPORT int cusolverDnGetStream(void *handle, void **stream);
CUSOLVER_EXPORT int cusolverDnSetDeterministicMode(void *handle, int mode);
CUSOLVER_EXPORT int cusolverDnGetDeterministicMode(void *handle, int *mode);
CUSOLVER_EXPORT int cusolverGetVersion(int *result);
CUSOLVER_EXPORT int cusolverGetProperty(int property, int *value);
CUSOLVER_EXPORT int cusolverDnCreateParams(void **parameters);
CUSOLVER_EXPORT int cusolverDnDestroyParams(void *parameters);
CUSOLVER_EXPORT int cusolverDnXsyevd_bufferSize(void *handle, void *parameters, int mode, int fill, int64_t n, int type_a,
                                                const void *a, int64_t lda, int type_w, const void *values, int compute,
                                                size_t *device_bytes, size_t *host_bytes);
CUSOLVER_EXPORT int cusolverDnXsyevd(void *handle, void *parameters, int mode, int fill, int64_t n, int type_a, void *a,
                                     int64_t lda, int type_w, void *values, int compute, void *device, size_t device_bytes,
                                     void *host, size_t host_bytes, int *info);

/* Settings of Jacobi's methods, which have no effect. */
#define SOLVER_JACOBI(create, destroy, set_tolerance, set_sweeps, set_sort) \
    CUSOLVER_EXPORT int create(void **info);                                \
    CUSOLVER_EXPORT int destroy(void *info);                                \
    CUSOLVER_EXPORT int set_tolerance(void *info, double tolerance);        \
    CUSOLVER_EXPORT int set_sweeps(void *info, int sweeps);                 \
    CUSOLVER_EXPORT int set_sort(void *info, int sort);
SOLVER_JACOBI(cusolverDnCreateSyevjInfo, cusolverDnDestroySyevjInfo, cusolverDnXsyevjSetTolerance,
              cusolverDnXsyevjSetMaxSweeps, cusolverDnXsyevjSetSortEig)
SOLVER_JACOBI(cusolverDnCreateGesvdjInfo, cusolverDnDestroyGesvdjInfo, cusolverDnXgesvdjSetTolerance,
              cusolverDnXgesvdjSetMaxSweeps, cusolverDnXgesvdjSetSortEig)

CUSOLVER_EXPORT int cusolverDnXgeev_bufferSize(void *handle, void *parameters, int mode_left, int mode_right, int64_t n,
                                               int type_a, const void *a, int64_t lda, int type_w, const void *values,
                                               int type_left, const void *left, int64_t ldl, int type_right,
                                               const void *right, int64_t ldr, int compute, size_t *device_bytes,
                                               size_t *host_bytes);
CUSOLVER_EXPORT int cusolverDnXgeev(void *handle, void *parameters, int mode_left, int mode_right, int64_t n, int type_a,
                                    void *a, int64_t lda, int type_w, void *values, int type_left, void *left, int64_t ldl,
                                    int type_right, void *right, int64_t ldr, int compute, void *device, size_t device_bytes,
                                    void *host, size_t host_bytes, int *info);

#endif
