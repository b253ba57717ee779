/* The functions that exist for each type, made from the rows of cusparse.def; and what is not offered, which says so. */
#include "runtime/emulator/math_libraries/cusparse/cusparse.h"
#include "runtime/emulator/math_libraries/cusparse/typed.h"

#define UNPACKED(...) __VA_ARGS__
#define OWN(name)
#define REFUSED(name)

/* A function, declared where it is made, since no one but the loader looks for it. Some take arrays that are not looked at. */
#define FUNCTION(name, parameters, routine)                      \
    CUSPARSE_EXPORT int name(void *handle, UNPACKED parameters); \
    int name(void *handle, UNPACKED parameters)                  \
    {                                                            \
        struct sparse_call call;                                 \
        int status = sparse_begin_arrays(&call, handle, #name);  \
        return status == SPARSE_SUCCESS ? routine : status;      \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* As cuComplex and cuDoubleComplex are passed. */
struct complex_float {
    float re, im;
};
struct complex_double {
    double re, im;
};

#define TYPED(name, parameters, call) FUNCTION(cusparseS##name, parameters, call)
#define TYPE                          R_32F
#define NUMBER                        float
#include "runtime/emulator/math_libraries/cusparse/cusparse.def"
#undef TYPED
#undef TYPE
#undef NUMBER
#define TYPED(name, parameters, call) FUNCTION(cusparseD##name, parameters, call)
#define TYPE                          R_64F
#define NUMBER                        double
#include "runtime/emulator/math_libraries/cusparse/cusparse.def"
#undef TYPED
#undef TYPE
#undef NUMBER
#define TYPED(name, parameters, call) FUNCTION(cusparseC##name, parameters, call)
#define TYPE                          C_32F
#define NUMBER                        struct complex_float
#include "runtime/emulator/math_libraries/cusparse/cusparse.def"
#undef TYPED
#undef TYPE
#undef NUMBER
#define TYPED(name, parameters, call) FUNCTION(cusparseZ##name, parameters, call)
#define TYPE                          C_64F
#define NUMBER                        struct complex_double
#include "runtime/emulator/math_libraries/cusparse/cusparse.def"
#undef TYPED
#undef REFUSED

#define TYPED(...)
#define REFUSED(name)                \
    CUSPARSE_EXPORT int name(void);  \
    int name(void)                   \
    {                                \
        refuse("cuSPARSE", #name);   \
        return SPARSE_NOT_SUPPORTED; \
    }
#include "runtime/emulator/math_libraries/cusparse/cusparse.def"
