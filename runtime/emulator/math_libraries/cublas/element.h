/* Elements of the types that cudaDataType names: how they become numbers to compute with, and numbers become elements. */
#ifndef EMULATOR_CUBLAS_ELEMENT_H
#define EMULATOR_CUBLAS_ELEMENT_H

#include <stdint.h>

#include "runtime/emulator/math_libraries/base/blas.h"

enum { R_32F, R_64F, R_16F, R_8I, C_32F, C_64F, R_32I = 10, R_16BF = 14 }; /* cudaDataType */

/* Bytes of an element; 0 for a type that is none of the above. */
uint64_t element_size(int type);

/* The type that BLAS computes with: float for shorter ones. */
enum blas_type element_work_type(int type);

/* Copies `count` elements, `from_step` and `to_step` elements apart, to and from the type to compute with. Each is rounded
 * once, to nearest, ties to even; integers are exact up to 2^24. */
void element_widen(int type, const void *from, int64_t from_step, void *to, int64_t to_step, int64_t count);
void element_narrow(int type, const void *from, int64_t from_step, void *to, int64_t to_step, int64_t count);

#endif
