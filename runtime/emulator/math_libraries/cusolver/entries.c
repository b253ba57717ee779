/* The functions of the interface, made from the rows of cusolver.def. */
#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cusolver/dense.h"

#define UNPACKED(...) __VA_ARGS__
#define NO(...)

/* A function, declared where it is made, since no one but the loader looks for it. */
#define FUNCTION(letter, name, routine, parameters, arguments)                               \
    CUSOLVER_EXPORT int cusolverDn##letter##name(void *handle, UNPACKED parameters);         \
    int cusolverDn##letter##name(void *handle, UNPACKED parameters)                          \
    {                                                                                        \
        struct solver_call call;                                                             \
        int status = solver_begin(&call, handle, "cusolverDn" #letter #name, BLAS_##letter); \
        return status == 0 ? dense_##routine(&call, UNPACKED arguments) : status;            \
    }
#define OWN(name)
#define REFUSED(name)

#define ALL(...)     FUNCTION(S, __VA_ARGS__)
#define REAL(...)    FUNCTION(S, __VA_ARGS__)
#define COMPLEX(...) NO()
#include "runtime/emulator/math_libraries/cusolver/cusolver.def"
#undef ALL
#undef REAL
#define ALL(...)  FUNCTION(D, __VA_ARGS__)
#define REAL(...) FUNCTION(D, __VA_ARGS__)
#include "runtime/emulator/math_libraries/cusolver/cusolver.def"
#undef ALL
#undef REAL
#undef COMPLEX
#define REAL(...)    NO()
#define ALL(...)     FUNCTION(C, __VA_ARGS__)
#define COMPLEX(...) FUNCTION(C, __VA_ARGS__)
#include "runtime/emulator/math_libraries/cusolver/cusolver.def"
#undef ALL
#undef COMPLEX
#define ALL(...)     FUNCTION(Z, __VA_ARGS__)
#define COMPLEX(...) FUNCTION(Z, __VA_ARGS__)
#include "runtime/emulator/math_libraries/cusolver/cusolver.def"
#undef ALL
#undef COMPLEX
#undef REFUSED

/* What is not offered says so, once for each name. */
#define ALL(...)     NO()
#define COMPLEX(...) NO()
#define REFUSED(name)                \
    CUSOLVER_EXPORT int name(void);  \
    int name(void)                   \
    {                                \
        refuse("cuSOLVER", #name);   \
        return SOLVER_NOT_SUPPORTED; \
    }
#include "runtime/emulator/math_libraries/cusolver/cusolver.def"
