/* What the functions of cublas.def do, each for the type of its call. Sizes of 64 bits, pointers as the program gave them,
 * device memory but for scalars and results, which lie where the handle's pointer mode says. All return a cublasStatus_t. */
#ifndef EMULATOR_CUBLAS_ROUTINES_H
#define EMULATOR_CUBLAS_ROUTINES_H

#include "runtime/emulator/math_libraries/cublas/cublas.h"

int blas_amax(struct cublas_call *call, int64_t n, const void *x, int64_t incx, void *result, size_t result_size);
int blas_amin(struct cublas_call *call, int64_t n, const void *x, int64_t incx, void *result, size_t result_size);
int blas_asum(struct cublas_call *call, int64_t n, const void *x, int64_t incx, void *result);
int blas_nrm2(struct cublas_call *call, int64_t n, const void *x, int64_t incx, void *result);
int blas_axpy(struct cublas_call *call, int64_t n, const void *alpha, const void *x, int64_t incx, void *y, int64_t incy);
int blas_copy(struct cublas_call *call, int64_t n, const void *x, int64_t incx, void *y, int64_t incy);
int blas_swap(struct cublas_call *call, int64_t n, void *x, int64_t incx, void *y, int64_t incy);
int blas_scal(struct cublas_call *call, int64_t n, const void *alpha, void *x, int64_t incx);
int blas_cross_scal(struct cublas_call *call, int64_t n, const void *alpha, void *x, int64_t incx);
int blas_dot(struct cublas_call *call, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy, void *result);
int blas_dotu(struct cublas_call *call, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy, void *result);
int blas_dotc(struct cublas_call *call, int64_t n, const void *x, int64_t incx, const void *y, int64_t incy, void *result);
int blas_rot(struct cublas_call *call, int64_t n, void *x, int64_t incx, void *y, int64_t incy, const void *c,
             const void *s);
int blas_cross_rot(struct cublas_call *call, int64_t n, void *x, int64_t incx, void *y, int64_t incy, const void *c,
                   const void *s);
int blas_rotm(struct cublas_call *call, int64_t n, void *x, int64_t incx, void *y, int64_t incy, const void *param);
int blas_rotg(struct cublas_call *call, void *a, void *b, void *c, void *s);
int blas_rotmg(struct cublas_call *call, void *d1, void *d2, void *x1, const void *y1, void *param);
int blas_gemv(struct cublas_call *call, int op, int64_t m, int64_t n, const void *alpha, const void *a, int64_t lda,
              const void *x, int64_t incx, const void *beta, void *y, int64_t incy);
int blas_gbmv(struct cublas_call *call, int op, int64_t m, int64_t n, int64_t kl, int64_t ku, const void *alpha,
              const void *a, int64_t lda, const void *x, int64_t incx, const void *beta, void *y, int64_t incy);
int blas_ger(struct cublas_call *call, int64_t m, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
             int64_t incy, void *a, int64_t lda);
int blas_geru(struct cublas_call *call, int64_t m, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *a, int64_t lda);
int blas_gerc(struct cublas_call *call, int64_t m, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *a, int64_t lda);
int blas_symv(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *a, int64_t lda, const void *x,
              int64_t incx, const void *beta, void *y, int64_t incy);
int blas_hemv(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *a, int64_t lda, const void *x,
              int64_t incx, const void *beta, void *y, int64_t incy);
int blas_sbmv(struct cublas_call *call, int fill, int64_t n, int64_t k, const void *alpha, const void *a, int64_t lda,
              const void *x, int64_t incx, const void *beta, void *y, int64_t incy);
int blas_hbmv(struct cublas_call *call, int fill, int64_t n, int64_t k, const void *alpha, const void *a, int64_t lda,
              const void *x, int64_t incx, const void *beta, void *y, int64_t incy);
int blas_spmv(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *ap, const void *x, int64_t incx,
              const void *beta, void *y, int64_t incy);
int blas_hpmv(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *ap, const void *x, int64_t incx,
              const void *beta, void *y, int64_t incy);
int blas_syr(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, void *a,
             int64_t lda);
int blas_her(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, void *a,
             int64_t lda);
int blas_syr2(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *a, int64_t lda);
int blas_her2(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *a, int64_t lda);
int blas_spr(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, void *ap);
int blas_hpr(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, void *ap);
int blas_spr2(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *ap);
int blas_hpr2(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *ap);
int blas_trmv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, const void *a, int64_t lda, void *x,
              int64_t incx);
int blas_trsv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, const void *a, int64_t lda, void *x,
              int64_t incx);
int blas_tbmv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, int64_t k, const void *a, int64_t lda,
              void *x, int64_t incx);
int blas_tbsv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, int64_t k, const void *a, int64_t lda,
              void *x, int64_t incx);
int blas_tpmv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, const void *ap, void *x, int64_t incx);
int blas_tpsv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, const void *ap, void *x, int64_t incx);
int blas_gemm(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *a,
              int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc);
int blas_gemm3m(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc);
int blas_symm(struct cublas_call *call, int side, int fill, int64_t m, int64_t n, const void *alpha, const void *a,
              int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc);
int blas_hemm(struct cublas_call *call, int side, int fill, int64_t m, int64_t n, const void *alpha, const void *a,
              int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc);
int blas_syrk(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
              int64_t lda, const void *beta, void *c, int64_t ldc);
int blas_herk(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
              int64_t lda, const void *beta, void *c, int64_t ldc);
int blas_syr2k(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
               int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc);
int blas_her2k(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
               int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc);
int blas_syrkx(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
               int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc);
int blas_herkx(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
               int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc);
int blas_trmm(struct cublas_call *call, int side, int fill, int op, int diagonal, int64_t m, int64_t n, const void *alpha,
              const void *a, int64_t lda, const void *b, int64_t ldb, void *c, int64_t ldc);
int blas_trsm(struct cublas_call *call, int side, int fill, int op, int diagonal, int64_t m, int64_t n, const void *alpha,
              const void *a, int64_t lda, void *b, int64_t ldb);
int blas_gemmBatched(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                     const void *const *a, int64_t lda, const void *const *b, int64_t ldb, const void *beta, void *const *c,
                     int64_t ldc, int64_t batch);
int blas_gemmStridedBatched(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                            const void *a, int64_t lda, int64_t stride_a, const void *b, int64_t ldb, int64_t stride_b,
                            const void *beta, void *c, int64_t ldc, int64_t stride_c, int64_t batch);
int blas_gemvBatched(struct cublas_call *call, int op, int64_t m, int64_t n, const void *alpha, const void *const *a,
                     int64_t lda, const void *const *x, int64_t incx, const void *beta, void *const *y, int64_t incy,
                     int64_t batch);
int blas_gemvStridedBatched(struct cublas_call *call, int op, int64_t m, int64_t n, const void *alpha, const void *a,
                            int64_t lda, int64_t stride_a, const void *x, int64_t incx, int64_t stride_x, const void *beta,
                            void *y, int64_t incy, int64_t stride_y, int64_t batch);
int blas_trsmBatched(struct cublas_call *call, int side, int fill, int op, int diagonal, int64_t m, int64_t n,
                     const void *alpha, const void *const *a, int64_t lda, void *const *b, int64_t ldb, int64_t batch);
int blas_getrfBatched(struct cublas_call *call, int n, void *const *a, int lda, int *pivots, int *info, int batch);
int blas_getriBatched(struct cublas_call *call, int n, const void *const *a, int lda, const int *pivots, void *const *c,
                      int ldc, int *info, int batch);
int blas_getrsBatched(struct cublas_call *call, int op, int n, int columns, const void *const *a, int lda, const int *pivots,
                      void *const *b, int ldb, int *info, int batch);
int blas_matinvBatched(struct cublas_call *call, int n, const void *const *a, int lda, void *const *inverse, int ld_inverse,
                       int *info, int batch);
int blas_geqrfBatched(struct cublas_call *call, int m, int n, void *const *a, int lda, void *const *tau, int *info,
                      int batch);
int blas_geam(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, const void *alpha, const void *a,
              int64_t lda, const void *beta, const void *b, int64_t ldb, void *c, int64_t ldc);
int blas_dgmm(struct cublas_call *call, int side, int64_t m, int64_t n, const void *a, int64_t lda, const void *x,
              int64_t incx, void *c, int64_t ldc);
int blas_tpttr(struct cublas_call *call, int fill, int n, const void *ap, void *a, int lda);
int blas_trttp(struct cublas_call *call, int fill, int n, const void *a, int lda, void *ap);
int blas_GemmEx(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                const void *a, int type_a, int64_t lda, const void *b, int type_b, int64_t ldb, const void *beta, void *c,
                int type_c, int64_t ldc, int compute, int algorithm);
int blas_GemmBatchedEx(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                       const void *const *a, int type_a, int64_t lda, const void *const *b, int type_b, int64_t ldb,
                       const void *beta, void *const *c, int type_c, int64_t ldc, int64_t batch, int compute, int algorithm);
int blas_GemmStridedBatchedEx(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                              const void *a, int type_a, int64_t lda, int64_t stride_a, const void *b, int type_b,
                              int64_t ldb, int64_t stride_b, const void *beta, void *c, int type_c, int64_t ldc,
                              int64_t stride_c, int64_t batch, int compute, int algorithm);
int blas_SgemmEx(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                 const void *a, int type_a, int64_t lda, const void *b, int type_b, int64_t ldb, const void *beta, void *c,
                 int type_c, int64_t ldc);
int blas_CgemmEx(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                 const void *a, int type_a, int64_t lda, const void *b, int type_b, int64_t ldb, const void *beta, void *c,
                 int type_c, int64_t ldc);
int blas_Hgemm(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *a,
               int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc);
int blas_HgemmBatched(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                      const void *const *a, int64_t lda, const void *const *b, int64_t ldb, const void *beta, void *const *c,
                      int64_t ldc, int64_t batch);
int blas_HgemmStridedBatched(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                             const void *a, int64_t lda, int64_t stride_a, const void *b, int64_t ldb, int64_t stride_b,
                             const void *beta, void *c, int64_t ldc, int64_t stride_c, int64_t batch);
int blas_Nrm2Ex(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, void *result, int type_result,
                int execution);
int blas_AsumEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, void *result, int type_result,
                int execution);
int blas_DotEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, const void *y, int type_y,
               int64_t incy, void *result, int type_result, int execution);
int blas_DotcEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, const void *y, int type_y,
                int64_t incy, void *result, int type_result, int execution);
int blas_AxpyEx(struct cublas_call *call, int64_t n, const void *alpha, int type_alpha, const void *x, int type_x,
                int64_t incx, void *y, int type_y, int64_t incy, int execution);
int blas_ScalEx(struct cublas_call *call, int64_t n, const void *alpha, int type_alpha, void *x, int type_x, int64_t incx,
                int execution);
int blas_CopyEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, void *y, int type_y,
                int64_t incy);
int blas_SwapEx(struct cublas_call *call, int64_t n, void *x, int type_x, int64_t incx, void *y, int type_y, int64_t incy);
int blas_IamaxEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, void *result,
                 size_t result_size);
int blas_IaminEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, void *result,
                 size_t result_size);

#endif
