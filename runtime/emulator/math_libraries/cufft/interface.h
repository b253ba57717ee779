/* The functions of cufft.h and cufftXt.h that are offered. They take and return what NVIDIA's documentation says; enumerations
 * are ints here, and arrays of lengths are not written to. */
#ifndef EMULATOR_CUFFT_INTERFACE_H
#define EMULATOR_CUFFT_INTERFACE_H

#include <stddef.h>

#include "runtime/emulator/math_libraries/cufft/cufft.h"

/* Plans. The size of the working memory in bytes goes to work_size. */
CUFFT_EXPORT int cufftCreate(int *plan);
CUFFT_EXPORT int cufftDestroy(int plan);
CUFFT_EXPORT int cufftPlan1d(int *plan, int nx, int type, int batch);
CUFFT_EXPORT int cufftPlan2d(int *plan, int nx, int ny, int type);
CUFFT_EXPORT int cufftPlan3d(int *plan, int nx, int ny, int nz, int type);
CUFFT_EXPORT int cufftPlanMany(int *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                               int odist, int type, int batch);
CUFFT_EXPORT int cufftMakePlan1d(int plan, int nx, int type, int batch, size_t *work_size);
CUFFT_EXPORT int cufftMakePlan2d(int plan, int nx, int ny, int type, size_t *work_size);
CUFFT_EXPORT int cufftMakePlan3d(int plan, int nx, int ny, int nz, int type, size_t *work_size);
CUFFT_EXPORT int cufftMakePlanMany(int plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                                   int ostride, int odist, int type, int batch, size_t *work_size);
CUFFT_EXPORT int cufftMakePlanMany64(int plan, int rank, long long *n, long long *inembed, long long istride,
                                     long long idist, long long *onembed, long long ostride, long long odist, int type,
                                     long long batch, size_t *work_size);
CUFFT_EXPORT int cufftXtMakePlanMany(int plan, int rank, long long *n, long long *inembed, long long istride,
                                     long long idist, int input_type, long long *onembed, long long ostride, long long odist,
                                     int output_type, long long batch, size_t *work_size, int execution_type);

/* The size of a plan's working memory, before it is made and without one. */
CUFFT_EXPORT int cufftGetSize1d(int plan, int nx, int type, int batch, size_t *work_size);
CUFFT_EXPORT int cufftGetSize2d(int plan, int nx, int ny, int type, size_t *work_size);
CUFFT_EXPORT int cufftGetSize3d(int plan, int nx, int ny, int nz, int type, size_t *work_size);
CUFFT_EXPORT int cufftGetSizeMany(int plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                                  int ostride, int odist, int type, int batch, size_t *work_size);
CUFFT_EXPORT int cufftGetSizeMany64(int plan, int rank, long long *n, long long *inembed, long long istride, long long idist,
                                    long long *onembed, long long ostride, long long odist, int type, long long batch,
                                    size_t *work_size);
CUFFT_EXPORT int cufftXtGetSizeMany(int plan, int rank, long long *n, long long *inembed, long long istride, long long idist,
                                    int input_type, long long *onembed, long long ostride, long long odist, int output_type,
                                    long long batch, size_t *work_size, int execution_type);
CUFFT_EXPORT int cufftGetSize(int plan, size_t *work_size);
CUFFT_EXPORT int cufftEstimate1d(int nx, int type, int batch, size_t *work_size);
CUFFT_EXPORT int cufftEstimate2d(int nx, int ny, int type, size_t *work_size);
CUFFT_EXPORT int cufftEstimate3d(int nx, int ny, int nz, int type, size_t *work_size);
CUFFT_EXPORT int cufftEstimateMany(int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                                   int odist, int type, int batch, size_t *work_size);

/* Settings of a plan. The working memory stays the program's. */
CUFFT_EXPORT int cufftSetStream(int plan, void *stream);
CUFFT_EXPORT int cufftSetAutoAllocation(int plan, int automatic);
CUFFT_EXPORT int cufftSetWorkArea(int plan, void *work);
CUFFT_EXPORT int cufftSetPlanPropertyInt64(int plan, int property, long long value);
CUFFT_EXPORT int cufftGetPlanPropertyInt64(int plan, int property, long long *value);
CUFFT_EXPORT int cufftResetPlanProperty(int plan, int property);

/* Transforms of device memory. */
CUFFT_EXPORT int cufftExecC2C(int plan, void *in, void *out, int direction);
CUFFT_EXPORT int cufftExecZ2Z(int plan, void *in, void *out, int direction);
CUFFT_EXPORT int cufftExecR2C(int plan, void *in, void *out);
CUFFT_EXPORT int cufftExecD2Z(int plan, void *in, void *out);
CUFFT_EXPORT int cufftExecC2R(int plan, void *in, void *out);
CUFFT_EXPORT int cufftExecZ2D(int plan, void *in, void *out);
CUFFT_EXPORT int cufftXtExec(int plan, void *in, void *out, int direction);

CUFFT_EXPORT int cufftGetVersion(int *version);
CUFFT_EXPORT int cufftGetProperty(int property, int *value);

#endif
