/* LU factors without exchanges of rows, which LAPACK has no routine for. */
#ifndef EMULATOR_MATH_LU_H
#define EMULATOR_MATH_LU_H

#include "runtime/emulator/math_libraries/base/blas.h"

/* Factors the m x n matrix in place: L has ones on its diagonal, which are not stored.
 *   info   out: the first diagonal element of U that is 0, from 1; 0 when there is none */
void lu_factor(enum blas_type type, int64_t m, int64_t n, void *a, int64_t ld, int *info);

#endif
