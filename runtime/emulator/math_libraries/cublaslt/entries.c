/* cublasLt is not offered: a program learns so by its first call, and by name, before it computes anything. */
#include <stddef.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/base/version.h"

#define EXPORT __attribute__((visibility("default")))

enum { SUCCESS, INVALID_VALUE = 7, NOT_SUPPORTED = 15 }; /* cublasStatus_t */

EXPORT size_t cublasLtGetVersion(void);
EXPORT size_t cublasLtGetCudartVersion(void);
EXPORT int cublasLtGetProperty(int property, int *value);
EXPORT const char *cublasLtGetStatusName(int status);
EXPORT const char *cublasLtGetStatusString(int status);

/* The interface that the program was built for, as one of the releases that had it. */
size_t cublasLtGetVersion(void)
{
    return library_major((const void *)cublasLtGetVersion) == 12 ? 120901 : 130100;
}

size_t cublasLtGetCudartVersion(void)
{
    return library_major((const void *)cublasLtGetVersion) == 12 ? 12090 : 13000;
}

int cublasLtGetProperty(int property, int *value)
{
    enum { MAJOR, MINOR, PATCH }; /* libraryPropertyType */
    int version = (int)cublasLtGetVersion();
    if (!value || property < MAJOR || property > PATCH)
        return INVALID_VALUE;
    *value = property == MAJOR ? version / 10000 : property == MINOR ? version / 100 % 100 : version % 100;
    return SUCCESS;
}

const char *cublasLtGetStatusName(int status)
{
    return status == SUCCESS         ? "CUBLAS_STATUS_SUCCESS"
           : status == INVALID_VALUE ? "CUBLAS_STATUS_INVALID_VALUE"
           : status == NOT_SUPPORTED ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                     : "unrecognized status";
}

const char *cublasLtGetStatusString(int status)
{
    return cublasLtGetStatusName(status);
}

#define OWN(name)
#define REFUSED(name)            \
    EXPORT int name(void);       \
    int name(void)               \
    {                            \
        refuse("cuBLAS", #name); \
        return NOT_SUPPORTED;    \
    }
#include "runtime/emulator/math_libraries/cublaslt/cublaslt.def"
