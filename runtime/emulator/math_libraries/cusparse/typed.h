/* Functions that exist for each of the four types: rows of cusparse.def, which entries.c makes from these. Each returns a
 * status; descriptors are cusparseMatDescr_t, arrays are device memory, `total` and the scalars lie where the pointer mode
 * says. */
#ifndef EMULATOR_CUSPARSE_TYPED_H
#define EMULATOR_CUSPARSE_TYPED_H

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"

int typed_nnz(struct sparse_call *call, int type, int direction, int m, int n, const void *descriptor, const void *a,
              int lda, int *each, int *total);
int typed_nnz_compress(struct sparse_call *call, int type, int m, const void *descriptor, const void *values,
                       const int *offsets, int *each, int *total, struct number tolerance);
int typed_csr2csr_compress(struct sparse_call *call, int type, int m, int n, const void *descriptor, const void *values,
                           const int *indices, const int *offsets, int nnz, const int *each, void *out_values,
                           int *out_indices, int *out_offsets, struct number tolerance);

/* C = alpha A + beta B. */
int typed_csrgeam2_bufferSizeExt(struct sparse_call *call, int type, int m, int n, int nnz_a, int nnz_b, size_t *size);
int typed_csrgeam2(struct sparse_call *call, int type, int m, int n, const void *alpha, const void *kind_a, int nnz_a,
                   const void *values_a, const int *offsets_a, const int *indices_a, const void *beta, const void *kind_b,
                   int nnz_b, const void *values_b, const int *offsets_b, const int *indices_b, const void *kind_c,
                   void *values_c, int *offsets_c, int *indices_c, void *buffer);

/* Factors in the places of A's elements: L U, and L L^H. `info` is of cusparseCreateCsrilu02Info or Csric02Info. */
int typed_factor_bufferSize(struct sparse_call *call, int m, int nnz, const void *kind, const void *info, int *size);
int typed_factor_analysis(struct sparse_call *call, int m, int nnz, const void *kind, const int *offsets, const int *indices,
                          void *info, void *buffer);
int typed_csrilu02(struct sparse_call *call, int type, int m, int nnz, const void *kind, void *values, const int *offsets,
                   const int *indices, void *info, void *buffer);
int typed_csric02(struct sparse_call *call, int type, int m, int nnz, const void *kind, void *values, const int *offsets,
                  const int *indices, void *info, void *buffer);

/* Tridiagonal systems: dl, d and du have m elements, of which the first of dl and the last of du are not looked at. B, m x n
 * with leading dimension ldb, becomes the solution. */
int typed_gtsv2_bufferSizeExt(struct sparse_call *call, int m, int n, int ldb, size_t *size);
int typed_gtsv2(struct sparse_call *call, int type, int m, int n, const void *dl, const void *d, const void *du, void *b,
                int ldb, void *buffer, bool pivots);

#endif
