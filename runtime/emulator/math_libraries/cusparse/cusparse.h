/* What the parts of this library share: handles, descriptors, the values of cusparse.h, and the operands of a call. */
#ifndef EMULATOR_CUSPARSE_H
#define EMULATOR_CUSPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/math_libraries/base/operand.h"

#define CUSPARSE_EXPORT __attribute__((visibility("default")))

enum cusparse_status {
    SPARSE_SUCCESS = 0,
    SPARSE_NOT_INITIALIZED = 1,
    SPARSE_ALLOC_FAILED = 2,
    SPARSE_INVALID_VALUE = 3,
    SPARSE_EXECUTION_FAILED = 6,
    SPARSE_INTERNAL_ERROR = 7,
    SPARSE_MATRIX_TYPE_NOT_SUPPORTED = 8,
    SPARSE_ZERO_PIVOT = 9,
    SPARSE_NOT_SUPPORTED = 10,
    SPARSE_INSUFFICIENT_RESOURCES = 11,
};
enum { OP_N, OP_T, OP_C };                               /* cusparseOperation_t */
enum { POINTER_HOST, POINTER_DEVICE };                   /* cusparsePointerMode_t */
enum { FORMAT_CSR = 1, FORMAT_CSC = 2, FORMAT_COO = 3 }; /* cusparseFormat_t */
enum { ORDER_COLUMNS = 1, ORDER_ROWS = 2 };              /* cusparseOrder_t */
enum { INDEX_16U = 1, INDEX_32I = 2, INDEX_64I = 3 };    /* cusparseIndexType_t */
enum { FILL_LOWER, FILL_UPPER };                         /* cusparseFillMode_t */
enum { DIAGONAL_STORED, DIAGONAL_UNIT };                 /* cusparseDiagType_t */
enum { R_32F = 0, R_64F = 1, C_32F = 4, C_64F = 5 };     /* cudaDataType: those that are computed with */
enum { READ = LOCKSTEP_READ, WRITE = LOCKSTEP_WRITE, UPDATE = LOCKSTEP_READ | LOCKSTEP_WRITE };

/* cusparseHandle_t. */
struct sparse_handle {
    struct sparse_handle *next; /* of all that live */
    void *stream;               /* cudaStream_t */
    int pointer_mode;
};

/* cusparseMatDescr_t: how the functions that take arrays read them. */
struct sparse_kind {
    int type, fill, diagonal, base;
};

/* cusparseDnVecDescr_t, cusparseSpVecDescr_t; arrays are the program's. */
struct dense_vector {
    int64_t size;
    void *values;
    int type;
};
struct sparse_vector {
    int64_t size, nnz;
    void *indices, *values;
    int index_type, base, type;
};

/* cusparseDnMatDescr_t. */
struct dense_matrix {
    int64_t rows, columns, ld;
    void *values;
    int type, order, batch;
    int64_t batch_stride;
};

/* cusparseSpMatDescr_t. */
struct sparse_matrix {
    int format;
    int64_t rows, columns, nnz;
    void *offsets; /* CSR: of rows, CSC: of columns; COO: the row of each element */
    void *indices; /* CSR, COO: columns; CSC: rows */
    void *values;
    int offset_type, index_type, base, type;
    int fill, diagonal, batch;
};

/* One call of a function of the interface. */
struct sparse_call {
    const char *name;
    struct sparse_handle *handle;
    int status; /* why an operand could not be had */
};

/* Begins a call. Returns SPARSE_SUCCESS, or what sparse_no_handle says. */
int sparse_begin(struct sparse_call *call, void *handle, const char *name);
/* The same for the older functions, which take arrays: SPARSE_NOT_INITIALIZED for any handle that is none. */
int sparse_begin_arrays(struct sparse_call *call, void *handle, const char *name);
/* What a call answers to a handle that is none: a null handle is an invalid value. */
int sparse_no_handle(const void *handle);

/* Is the type one that is computed with? If not, says so on stderr. */
bool sparse_offers(struct sparse_call *call, int type);

/* Bytes of a cudaDataType; 0 for an unknown one. Of an index type. */
uint64_t sparse_size(int type);
uint64_t sparse_index_size(int index_type);

/* ---- Operands. Each returns NULL (or false) after setting call->status. ---- */

/* `count` elements of `size` bytes in device memory; an array without elements need not be there. */
void *sparse_array(struct sparse_call *call, const void *pointer, int64_t count, uint64_t size, int access);
/* A dense matrix, without what lies between its columns (or rows). */
void *sparse_dense(struct sparse_call *call, const struct dense_matrix *matrix, int access);
/* Where a value of `size` bytes lies, by the pointer mode. */
void *sparse_place(struct sparse_call *call, const void *pointer, uint64_t size, int access);

/* ---- Numbers of all four types: real ones have no imaginary part, which takes no part in products. ---- */

struct number {
    double re, im;
};
bool sparse_is_complex(int type);
struct number number_at(int type, const void *values, int64_t index);
void number_put(int type, void *values, int64_t index, struct number number);
bool sparse_scalar(struct sparse_call *call, const void *pointer, int type, struct number *number);

static inline struct number number_times(int type, struct number a, struct number b)
{
    if (!sparse_is_complex(type))
        return (struct number){a.re * b.re, 0};
    return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static inline struct number number_plus(struct number a, struct number b)
{
    return (struct number){a.re + b.re, a.im + b.im};
}
static inline struct number number_minus(struct number a, struct number b)
{
    return (struct number){a.re - b.re, a.im - b.im};
}
static inline bool number_is_zero(struct number a)
{
    return a.re == 0 && a.im == 0;
}
struct number number_over(int type, struct number a, struct number b);

/* alpha sum + beta old; with beta 0 what was there is not looked at. */
struct number number_blend(int type, struct number alpha, struct number sum, struct number beta, const void *values,
                           int64_t index);

/* ---- The elements of a sparse matrix, as they are stored ---- */

struct elements {
    int type;
    int64_t rows, columns, count;
    int64_t *row, *column; /* [count], from 0; owned */
    const void *values;    /* [count] in device memory; NULL when they were not asked for */
};

/* Reads the matrix, whose every index must lie within it: one that does not is reported. `values` tells whether they are
 * asked for. To be freed by elements_free. */
bool elements_read(struct sparse_call *call, const struct sparse_matrix *matrix, bool values, struct elements *elements);
/* The same for arrays of ints in CSR format. `offsets_name` is for messages. */
bool elements_read_csr(struct sparse_call *call, int64_t rows, int64_t columns, int64_t nnz, const void *values, int type,
                       const int *offsets, const int *indices, int base, struct elements *elements);
void elements_free(struct elements *elements);
/* Rows become columns. */
void elements_transpose(struct elements *elements);
/* The positions of the elements, row by row, each by column if `sorted`, else as they are stored: position[first[r]] … are
 * those of row r. Both are owned by the caller; false without memory. */
bool elements_by_row(struct sparse_call *call, const struct elements *elements, bool sorted, int64_t **first,
                     int64_t **position);

/* An index of the matrix lies outside of it: says so on stderr, and sets the status. */
void sparse_outside(struct sparse_call *call, const char *what, int64_t index, int64_t element, int64_t limit);

/* Reads and writes an index of that type, without its base. */
static inline int64_t index_at(int index_type, const void *indices, int64_t i)
{
    return index_type == INDEX_64I ? ((const int64_t *)indices)[i] : ((const int32_t *)indices)[i];
}
static inline void index_put(int index_type, void *indices, int64_t i, int64_t value)
{
    if (index_type == INDEX_64I)
        ((int64_t *)indices)[i] = value;
    else
        ((int32_t *)indices)[i] = (int32_t)value;
}

/* calloc that sets the status. At least one element is there. */
void *sparse_zeros(struct sparse_call *call, int64_t count, size_t size);

/* Working memory that we ask for. Nothing is written there, but a program must give it, as NVIDIA's library needs it. */
enum { SPARSE_WORK_BYTES = 1024 };
bool sparse_work(struct sparse_call *call, const void *buffer);

#endif
