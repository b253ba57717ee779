/* What the parts of this library share: plans, the values of cufft.h, and where the elements of an array lie. */
#ifndef EMULATOR_CUFFT_H
#define EMULATOR_CUFFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CUFFT_EXPORT __attribute__((visibility("default")))

enum cufft_status {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_SUPPORTED = 16,
};
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };

/* cufftType: what is transformed into what, and the precision. */
enum { CUFFT_C2C = 0x29, CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_Z2Z = 0x69, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c };
enum { CUFFT_MAX_RANK = 3 };

/* One side of a transform, input or output, as the plan was given it. In elements, of which a complex number is one. */
struct cufft_side {
    bool basic;                    /* no layout was given: the elements lie close together */
    int64_t embed[CUFFT_MAX_RANK]; /* lengths of the array that holds the elements; the first one is not looked at */
    int64_t stride, distance;      /* between neighbours of the innermost dimension; between transforms */
};

/* A transform, `batch` times. */
struct cufft_shape {
    int type, rank;
    int64_t n[CUFFT_MAX_RANK], batch;
    struct cufft_side in, out;
};

/* What a cufftHandle names. */
struct cufft_plan {
    struct cufft_plan *next; /* of all that live */
    int handle;
    bool made;           /* by cufftMakePlan… */
    bool allocates;      /* cufftSetAutoAllocation: the working memory is the library's matter */
    bool patient;        /* NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, which changes nothing here */
    int64_t threads;     /* NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS; likewise */
    void *stream, *work; /* cudaStream_t; the program's working memory */
    uint64_t work_bytes; /* that the plan asks for */
    struct cufft_shape shape;
};

/* The plan of a handle; NULL when there is none. */
struct cufft_plan *cufft_find(int handle);

static inline bool cufft_is_double(int type)
{
    return (type & 0x40) != 0;
}
static inline bool cufft_is_to_complex(int type)
{
    return (type & 0xf) == (CUFFT_R2C & 0xf);
}
static inline bool cufft_is_to_real(int type)
{
    return (type & 0xf) == (CUFFT_C2R & 0xf);
}

/* Where the elements of one side lie, in bytes from the first. */
struct cufft_layout {
    int rank;
    uint64_t size; /* of an element */
    int64_t count[CUFFT_MAX_RANK], step[CUFFT_MAX_RANK];
    int64_t batch, distance;
};

/* The layout of the side; `in_place` decides about the padding of real arrays for which the plan gives no layout. */
void cufft_layout_of(const struct cufft_shape *shape, bool output, bool in_place, struct cufft_layout *layout);

/* The elements of the layout in device memory, of which each is looked at and none between them.
 *   call, stream, access   as operand() has them
 * Returns where the first lies in this process, or NULL: the driver has reported why. */
void *cufft_operand(const char *call, void *stream, const void *pointer, const struct cufft_layout *layout, int access);

/* Transforms from `in` to `out`, which do not overlap and lie in this process; `in` is overwritten.
 *   call        the library's function, for messages
 *   shape       for the type and the lengths
 *   direction   CUFFT_FORWARD or CUFFT_INVERSE; not looked at for a real side
 * Returns false when the host's FFTW is missing or cannot, which stderr says. */
bool cufft_compute(const char *call, const struct cufft_shape *shape, const struct cufft_layout *from,
                   const struct cufft_layout *to, void *in, void *out, int direction);

#endif
