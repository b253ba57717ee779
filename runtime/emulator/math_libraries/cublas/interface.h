/* The functions of cublas_v2.h that are not made from rows of cublas.def: handles, settings and copies. They take and return
 * what NVIDIA's documentation says; enumerations are ints here. */
#ifndef EMULATOR_CUBLAS_INTERFACE_H
#define EMULATOR_CUBLAS_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/math_libraries/cublas/cublas.h"

CUBLAS_EXPORT int cublasCreate_v2(void **handle);
CUBLAS_EXPORT int cublasDestroy_v2(void *handle);
CUBLAS_EXPORT int cublasGetVersion_v2(void *handle, int *result);
CUBLAS_EXPORT int cublasGetProperty(int property, int *value);
CUBLAS_EXPORT size_t cublasGetCudartVersion(void);
CUBLAS_EXPORT int cublasSetStream_v2(void *handle, void *stream);
CUBLAS_EXPORT int cublasGetStream_v2(void *handle, void **stream);
CUBLAS_EXPORT int cublasSetWorkspace_v2(void *handle, void *workspace, size_t bytes);
CUBLAS_EXPORT int cublasSetPointerMode_v2(void *handle, int value);
CUBLAS_EXPORT int cublasGetPointerMode_v2(void *handle, int *value);
CUBLAS_EXPORT int cublasSetAtomicsMode(void *handle, int value);
CUBLAS_EXPORT int cublasGetAtomicsMode(void *handle, int *value);
CUBLAS_EXPORT int cublasSetMathMode(void *handle, int value);
CUBLAS_EXPORT int cublasGetMathMode(void *handle, int *value);
CUBLAS_EXPORT int cublasSetSmCountTarget(void *handle, int value);
CUBLAS_EXPORT int cublasGetSmCountTarget(void *handle, int *value);
CUBLAS_EXPORT const char *cublasGetStatusName(int status);
CUBLAS_EXPORT const char *cublasGetStatusString(int status);
CUBLAS_EXPORT int cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char *file);
CUBLAS_EXPORT int cublasSetLoggerCallback(void *callback);
CUBLAS_EXPORT int cublasGetLoggerCallback(void **callback);
CUBLAS_EXPORT void cublasXerbla(const char *name, int parameter);

/* Copies of vectors and matrices between host (`x`, `a` of Set) and device; increments and leading dimensions in elements. */
#define CUBLAS_COPIES(INT, _WIDE)                                                                                        \
    CUBLAS_EXPORT int cublasSetVector##_WIDE(INT n, INT size, const void *x, INT incx, void *y, INT incy);               \
    CUBLAS_EXPORT int cublasGetVector##_WIDE(INT n, INT size, const void *x, INT incx, void *y, INT incy);               \
    CUBLAS_EXPORT int cublasSetMatrix##_WIDE(INT m, INT n, INT size, const void *a, INT lda, void *b, INT ldb);          \
    CUBLAS_EXPORT int cublasGetMatrix##_WIDE(INT m, INT n, INT size, const void *a, INT lda, void *b, INT ldb);          \
    CUBLAS_EXPORT int cublasSetVectorAsync##_WIDE(INT n, INT size, const void *x, INT incx, void *y, INT incy, void *s); \
    CUBLAS_EXPORT int cublasGetVectorAsync##_WIDE(INT n, INT size, const void *x, INT incx, void *y, INT incy, void *s); \
    CUBLAS_EXPORT int cublasSetMatrixAsync##_WIDE(INT m, INT n, INT size, const void *a, INT lda, void *b, INT ldb,      \
                                                  void *s);                                                              \
    CUBLAS_EXPORT int cublasGetMatrixAsync##_WIDE(INT m, INT n, INT size, const void *a, INT lda, void *b, INT ldb, void *s);
CUBLAS_COPIES(int, )
CUBLAS_COPIES(int64_t, _64)

#endif
