#include "runtime/emulator/math_libraries/base/blas.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/host_library.h"

static struct host_library blas = {
    .purpose = "cuBLAS and cuSOLVER on the emulated device",
    .package = "libopenblas0-pthread",
    .names = {"libopenblas.so.0", "libblas.so.3"},
};
static struct host_library lapack = {
    .purpose = "factorizations on the emulated device",
    .package = "libopenblas0-pthread",
    .names = {"libopenblas.so.0", "liblapack.so.3"},
};

/* The routines of LAPACK that are used (symv is BLAS's but for complex numbers); every other one is BLAS's, which LAPACK's
 * library has loaded too. */
static const char *const factorizations[] = {"getrf", "getrs", "getri", "potrf", "potrs", "potri", "geqrf",
                                             "orgqr", "ungqr", "ormqr", "unmqr", "syevd", "heevd", "sygvd",
                                             "hegvd", "gesvd", "gels",  "geev",  "symv"};

static int is_factorization(const char *name)
{
    for (size_t i = 0; i < sizeof factorizations / sizeof *factorizations; i++)
        if (strcmp(name, factorizations[i]) == 0)
            return 1;
    return 0;
}

blas_fn *blas_named(const char *name)
{
    char symbol[32];
    snprintf(symbol, sizeof symbol, "%s_", name);
    return (blas_fn *)host_function(is_factorization(name + 1) ? &lapack : &blas, symbol);
}

blas_fn *blas_routine(enum blas_type type, const char *name)
{
    char whole[32];
    snprintf(whole, sizeof whole, "%c%s", "sdcz"[type], name);
    return blas_named(whole);
}
