/* What the functions of cusolver.def do, each for the type of its call: device memory throughout but for `length`, in
 * elements, of functions whose name ends in _size. `info` is 0, the number of a wrong argument, negative, or what LAPACK says
 * of the matrix. All return a cusolverStatus_t. */
#ifndef EMULATOR_CUSOLVER_DENSE_H
#define EMULATOR_CUSOLVER_DENSE_H

#include "runtime/emulator/math_libraries/cusolver/cusolver.h"

int dense_potrf_size(struct solver_call *call, int fill, int n, void *a, int lda, int *length);
int dense_potrf(struct solver_call *call, int fill, int n, void *a, int lda, void *work, int length, int *info);
int dense_potrs(struct solver_call *call, int fill, int n, int columns, const void *a, int lda, void *b, int ldb, int *info);
int dense_potri(struct solver_call *call, int fill, int n, void *a, int lda, void *work, int length, int *info);
int dense_potrf_batched(struct solver_call *call, int fill, int n, void *const *a, int lda, int *info, int batch);
int dense_potrs_batched(struct solver_call *call, int fill, int n, int columns, void *const *a, int lda, void *const *b,
                        int ldb, int *info, int batch);
int dense_getrf_size(struct solver_call *call, int m, int n, void *a, int lda, int *length);
int dense_getrf(struct solver_call *call, int m, int n, void *a, int lda, void *work, int *pivots, int *info);
int dense_getrs(struct solver_call *call, int op, int n, int columns, const void *a, int lda, const int *pivots, void *b,
                int ldb, int *info);
int dense_geqrf(struct solver_call *call, int m, int n, void *a, int lda, void *tau, void *work, int length, int *info);
int dense_orgqr_size(struct solver_call *call, int m, int n, int k, const void *a, int lda, const void *tau, int *length);
int dense_orgqr(struct solver_call *call, int m, int n, int k, void *a, int lda, const void *tau, void *work, int length,
                int *info);
int dense_ormqr_size(struct solver_call *call, int side, int op, int m, int n, int k, const void *a, int lda,
                     const void *tau, const void *c, int ldc, int *length);
int dense_ormqr(struct solver_call *call, int side, int op, int m, int n, int k, const void *a, int lda, const void *tau,
                void *c, int ldc, void *work, int length, int *info);
int dense_syevd_size(struct solver_call *call, int mode, int fill, int n, const void *a, int lda, const void *values,
                     int *length);
int dense_syevd(struct solver_call *call, int mode, int fill, int n, void *a, int lda, void *values, void *work, int length,
                int *info);
int dense_gesvd_size(struct solver_call *call, int m, int n, int *length);
int dense_gesvd(struct solver_call *call, signed char job_u, signed char job_v, int m, int n, void *a, int lda, void *values,
                void *u, int ldu, void *v, int ldv, void *work, int length, void *rest, int *info);

/* In jacobi.c. `parameters` is a syevjInfo_t or gesvdjInfo_t. */
int dense_syevj_size(struct solver_call *call, int mode, int fill, int n, const void *a, int lda, const void *values,
                     int *length, void *parameters);
int dense_syevj(struct solver_call *call, int mode, int fill, int n, void *a, int lda, void *values, void *work, int length,
                int *info, void *parameters);
int dense_syevj_batched_size(struct solver_call *call, int mode, int fill, int n, const void *a, int lda, const void *values,
                             int *length, void *parameters, int batch);
int dense_syevj_batched(struct solver_call *call, int mode, int fill, int n, void *a, int lda, void *values, void *work,
                        int length, int *info, void *parameters, int batch);
int dense_gesvdj_size(struct solver_call *call, int mode, int econ, int m, int n, const void *a, int lda, const void *values,
                      const void *u, int ldu, const void *v, int ldv, int *length, void *parameters);
int dense_gesvdj(struct solver_call *call, int mode, int econ, int m, int n, void *a, int lda, void *values, void *u,
                 int ldu, void *v, int ldv, void *work, int length, int *info, void *parameters);
int dense_gesvdj_batched_size(struct solver_call *call, int mode, int m, int n, const void *a, int lda, const void *values,
                              const void *u, int ldu, const void *v, int ldv, int *length, void *parameters, int batch);
int dense_gesvdj_batched(struct solver_call *call, int mode, int m, int n, void *a, int lda, void *values, void *u, int ldu,
                         void *v, int ldv, void *work, int length, int *info, void *parameters, int batch);

#endif
