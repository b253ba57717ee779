#include "runtime/emulator/math_libraries/base/lu.h"

/* The columns below the diagonal are divided by it, and what is right of them is updated. */
#define LU(name, T)                                                     \
    static void name(int64_t m, int64_t n, T *a, int64_t ld, int *info) \
    {                                                                   \
        for (int64_t k = 0; k < m && k < n; k++) {                      \
            if (a[k + k * ld] == 0) {                                   \
                *info = *info ? *info : (int)(k + 1);                   \
                continue;                                               \
            }                                                           \
            for (int64_t i = k + 1; i < m; i++)                         \
                a[i + k * ld] /= a[k + k * ld];                         \
            for (int64_t j = k + 1; j < n; j++)                         \
                for (int64_t i = k + 1; i < m; i++)                     \
                    a[i + j * ld] -= a[i + k * ld] * a[k + j * ld];     \
        }                                                               \
    }
LU(lu_s, float)
LU(lu_d, double)
LU(lu_c, float _Complex)
LU(lu_z, double _Complex)

void lu_factor(enum blas_type type, int64_t m, int64_t n, void *a, int64_t ld, int *info)
{
    *info = 0;
    switch (type) {
    case BLAS_S: lu_s(m, n, a, ld, info); break;
    case BLAS_D: lu_d(m, n, a, ld, info); break;
    case BLAS_C: lu_c(m, n, a, ld, info); break;
    default: lu_z(m, n, a, ld, info);
    }
}
