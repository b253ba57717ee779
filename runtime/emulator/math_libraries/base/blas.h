/* The host's BLAS and LAPACK, through their Fortran interface: every argument is a pointer, and an int has 32 bits. */
#ifndef EMULATOR_MATH_BLAS_H
#define EMULATOR_MATH_BLAS_H

#include <stddef.h>
#include <stdint.h>

enum blas_type { BLAS_S, BLAS_D, BLAS_C, BLAS_Z };

/* Bytes of an element, and of its real part. */
static inline uint64_t blas_size(enum blas_type type)
{
    return type == BLAS_S ? 4 : type == BLAS_Z ? 16 : 8;
}
static inline uint64_t blas_real_size(enum blas_type type)
{
    return type == BLAS_S || type == BLAS_C ? 4 : 8;
}
static inline int blas_is_complex(enum blas_type type)
{
    return type >= BLAS_C;
}

/* A subroutine of Fortran, to be called by BLAS_CALL. */
typedef void blas_fn(void);

/* The routine "gemm" of that type: sgemm_, dgemm_, cgemm_, zgemm_. NULL, which stderr says once, when the host has no BLAS
 * or no such routine. */
blas_fn *blas_routine(enum blas_type type, const char *name);

/* One by its whole name: "isamax", "zdscal". */
blas_fn *blas_named(const char *name);

/* Calls a subroutine with up to 24 pointers. Behind its arguments Fortran expects the lengths of those that are characters:
 * all are 1, and there are at most four. */
#define BLAS_CALL(routine, ...)  BLAS_CALL_(routine, __VA_ARGS__, BLAS_ONE, BLAS_ONE, BLAS_ONE, BLAS_ONE)
#define BLAS_ONE                 ((const void *)1)
#define BLAS_CALL_(routine, ...) ((void (*)(BLAS_COUNTED(BLAS_COUNT(__VA_ARGS__))))(routine))(__VA_ARGS__)
#define BLAS_COUNT(...)                                                                                                    \
    BLAS_COUNT_(__VA_ARGS__, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, \
                3, 2, 1)
#define BLAS_COUNT_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, \
                    a23, a24, a25, a26, a27, a28, count, ...)                                                            \
    count
#define BLAS_COUNTED(count)  BLAS_COUNTED_(count)
#define BLAS_COUNTED_(count) BLAS_POINTERS_##count
#define BLAS_POINTERS_1      const void *
#define BLAS_POINTERS_2      BLAS_POINTERS_1, const void *
#define BLAS_POINTERS_3      BLAS_POINTERS_2, const void *
#define BLAS_POINTERS_4      BLAS_POINTERS_3, const void *
#define BLAS_POINTERS_5      BLAS_POINTERS_4, const void *
#define BLAS_POINTERS_6      BLAS_POINTERS_5, const void *
#define BLAS_POINTERS_7      BLAS_POINTERS_6, const void *
#define BLAS_POINTERS_8      BLAS_POINTERS_7, const void *
#define BLAS_POINTERS_9      BLAS_POINTERS_8, const void *
#define BLAS_POINTERS_10     BLAS_POINTERS_9, const void *
#define BLAS_POINTERS_11     BLAS_POINTERS_10, const void *
#define BLAS_POINTERS_12     BLAS_POINTERS_11, const void *
#define BLAS_POINTERS_13     BLAS_POINTERS_12, const void *
#define BLAS_POINTERS_14     BLAS_POINTERS_13, const void *
#define BLAS_POINTERS_15     BLAS_POINTERS_14, const void *
#define BLAS_POINTERS_16     BLAS_POINTERS_15, const void *
#define BLAS_POINTERS_17     BLAS_POINTERS_16, const void *
#define BLAS_POINTERS_18     BLAS_POINTERS_17, const void *
#define BLAS_POINTERS_19     BLAS_POINTERS_18, const void *
#define BLAS_POINTERS_20     BLAS_POINTERS_19, const void *
#define BLAS_POINTERS_21     BLAS_POINTERS_20, const void *
#define BLAS_POINTERS_22     BLAS_POINTERS_21, const void *
#define BLAS_POINTERS_23     BLAS_POINTERS_22, const void *
#define BLAS_POINTERS_24     BLAS_POINTERS_23, const void *
#define BLAS_POINTERS_25     BLAS_POINTERS_24, const void *
#define BLAS_POINTERS_26     BLAS_POINTERS_25, const void *
#define BLAS_POINTERS_27     BLAS_POINTERS_26, const void *
#define BLAS_POINTERS_28     BLAS_POINTERS_27, const void *

#endif
