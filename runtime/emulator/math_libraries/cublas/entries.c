/* The functions of the interface, made from the rows of cublas.def. */
#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cublas/cublas.h"
#include "runtime/emulator/math_libraries/cublas/routines.h"

#define UNPACKED(...) __VA_ARGS__

/* A function: its name in the library, its name in cublas_v2.h, the routine that it calls. It is declared where it is made,
 * since no one but the loader looks for it. */
#define FUNCTION(symbol, name, type, routine, parameters, arguments)      \
    CUBLAS_EXPORT int symbol(void *handle, UNPACKED parameters);          \
    int symbol(void *handle, UNPACKED parameters)                         \
    {                                                                     \
        struct cublas_call call;                                          \
        int status = cublas_begin(&call, handle, name, type);             \
        return status == 0 ? routine(&call, UNPACKED arguments) : status; \
    }
#define NO(...)
#define OWN(name)
#define REFUSED(name)
#define JOIN5(a, b, c, d, e)  JOIN5_(a, b, c, d, e)
#define JOIN5_(a, b, c, d, e) a##b##c##d##e
#define TEXT(a)               TEXT_(a)
#define TEXT_(a)              #a
#define TYPED(letters, type, routine, name, version, parameters, arguments)                                       \
    FUNCTION(JOIN5(cublas, letters, name, version, WIDE), "cublas" TEXT(letters) #name TEXT(WIDE), type, routine, \
             parameters, arguments)

#define INT int
#define WIDE
#define NARROW 1
#include "runtime/emulator/math_libraries/cublas/each_type.inc"
#undef INT
#undef WIDE
#undef NARROW
#define INT    int64_t
#define WIDE   _64
#define NARROW 0
#include "runtime/emulator/math_libraries/cublas/each_type.inc"
#undef OWN
#undef REFUSED

/* What is not offered says so, once for each name. */
#define ALL(...)
#define ALL_NARROW(...)
#define REAL(...)
#define REAL_NARROW(...)
#define COMPLEX(...)
#define SUM(...)
#define INDEX(...)
#define CROSS(...)
#define ONE(...)
#define OWN(name)
#define REFUSED(name)                \
    CUBLAS_EXPORT int name(void);    \
    int name(void)                   \
    {                                \
        refuse("cuBLAS", #name);     \
        return CUBLAS_NOT_SUPPORTED; \
    }
#include "runtime/emulator/math_libraries/cublas/cublas.def"
