/* Descriptors of the generic interface: sizes, types and the program's arrays, which are looked at when they are computed with. */
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"
#include "runtime/emulator/math_libraries/cusparse/interface.h"

static bool is_index(int type)
{
    return type >= INDEX_16U && type <= INDEX_64I;
}
static bool is_base(int base)
{
    return base == 0 || base == 1;
}

/* Puts a copy of what was described where the caller wants it. */
static int describe(void **descriptor, const void *content, size_t size)
{
    *descriptor = malloc(size);
    if (!*descriptor)
        return SPARSE_ALLOC_FAILED;
    memcpy(*descriptor, content, size);
    return SPARSE_SUCCESS;
}

static int destroy(const void *descriptor)
{
    free((void *)descriptor);
    return SPARSE_SUCCESS;
}

/* ---- Vectors ---- */

int cusparseCreateSpVec(void **descriptor, int64_t size, int64_t nnz, void *indices, void *values, int index_type, int base,
                        int type)
{
    if (!descriptor || size < 0 || nnz < 0 || nnz > size || !is_base(base) || !is_index(index_type) || !sparse_size(type))
        return SPARSE_INVALID_VALUE;
    struct sparse_vector made = {size, nnz, indices, values, index_type, base, type};
    return describe(descriptor, &made, sizeof made);
}
int cusparseCreateConstSpVec(const void **descriptor, int64_t size, int64_t nnz, const void *indices, const void *values,
                             int index_type, int base, int type)
{
    return cusparseCreateSpVec((void **)descriptor, size, nnz, (void *)indices, (void *)values, index_type, base, type);
}
int cusparseDestroySpVec(const void *descriptor)
{
    return destroy(descriptor);
}
int cusparseSpVecGet(void *descriptor, int64_t *size, int64_t *nnz, void **indices, void **values, int *index_type,
                     int *base, int *type)
{
    const struct sparse_vector *v = descriptor;
    if (!v || !size || !nnz || !indices || !values || !index_type || !base || !type)
        return SPARSE_INVALID_VALUE;
    *size = v->size, *nnz = v->nnz, *indices = v->indices, *values = v->values;
    *index_type = v->index_type, *base = v->base, *type = v->type;
    return SPARSE_SUCCESS;
}
int cusparseConstSpVecGet(const void *descriptor, int64_t *size, int64_t *nnz, const void **indices, const void **values,
                          int *index_type, int *base, int *type)
{
    return cusparseSpVecGet((void *)descriptor, size, nnz, (void **)indices, (void **)values, index_type, base, type);
}
int cusparseSpVecGetIndexBase(const void *descriptor, int *base)
{
    if (!descriptor || !base)
        return SPARSE_INVALID_VALUE;
    *base = ((const struct sparse_vector *)descriptor)->base;
    return SPARSE_SUCCESS;
}

int cusparseCreateDnVec(void **descriptor, int64_t size, void *values, int type)
{
    if (!descriptor || size < 0 || !sparse_size(type))
        return SPARSE_INVALID_VALUE;
    struct dense_vector made = {size, values, type};
    return describe(descriptor, &made, sizeof made);
}
int cusparseCreateConstDnVec(const void **descriptor, int64_t size, const void *values, int type)
{
    return cusparseCreateDnVec((void **)descriptor, size, (void *)values, type);
}
int cusparseDestroyDnVec(const void *descriptor)
{
    return destroy(descriptor);
}
int cusparseDnVecGet(void *descriptor, int64_t *size, void **values, int *type)
{
    const struct dense_vector *v = descriptor;
    if (!v || !size || !values || !type)
        return SPARSE_INVALID_VALUE;
    *size = v->size, *values = v->values, *type = v->type;
    return SPARSE_SUCCESS;
}
int cusparseConstDnVecGet(const void *descriptor, int64_t *size, const void **values, int *type)
{
    return cusparseDnVecGet((void *)descriptor, size, (void **)values, type);
}

/* ---- Dense matrices ---- */

int cusparseCreateDnMat(void **descriptor, int64_t rows, int64_t columns, int64_t ld, void *values, int type, int order)
{
    if (!descriptor || rows < 0 || columns < 0 || (order != ORDER_COLUMNS && order != ORDER_ROWS) || !sparse_size(type)
        || ld < (order == ORDER_COLUMNS ? rows : columns))
        return SPARSE_INVALID_VALUE;
    struct dense_matrix made = {rows, columns, ld, values, type, order, 1, 0};
    return describe(descriptor, &made, sizeof made);
}
int cusparseCreateConstDnMat(const void **descriptor, int64_t rows, int64_t columns, int64_t ld, const void *values,
                             int type, int order)
{
    return cusparseCreateDnMat((void **)descriptor, rows, columns, ld, (void *)values, type, order);
}
int cusparseDestroyDnMat(const void *descriptor)
{
    return destroy(descriptor);
}
int cusparseDnMatGet(void *descriptor, int64_t *rows, int64_t *columns, int64_t *ld, void **values, int *type, int *order)
{
    const struct dense_matrix *m = descriptor;
    if (!m || !rows || !columns || !ld || !values || !type || !order)
        return SPARSE_INVALID_VALUE;
    *rows = m->rows, *columns = m->columns, *ld = m->ld, *values = m->values, *type = m->type, *order = m->order;
    return SPARSE_SUCCESS;
}
int cusparseConstDnMatGet(const void *descriptor, int64_t *rows, int64_t *columns, int64_t *ld, const void **values,
                          int *type, int *order)
{
    return cusparseDnMatGet((void *)descriptor, rows, columns, ld, (void **)values, type, order);
}
int cusparseDnMatSetStridedBatch(void *descriptor, int count, int64_t stride)
{
    struct dense_matrix *m = descriptor;
    if (!m || count < 1 || stride < 0)
        return SPARSE_INVALID_VALUE;
    m->batch = count;
    m->batch_stride = stride;
    return SPARSE_SUCCESS;
}
int cusparseDnMatGetStridedBatch(const void *descriptor, int *count, int64_t *stride)
{
    const struct dense_matrix *m = descriptor;
    if (!m || !count || !stride)
        return SPARSE_INVALID_VALUE;
    *count = m->batch, *stride = m->batch_stride;
    return SPARSE_SUCCESS;
}

/* ---- Sparse matrices ---- */

/* Arrays may be missing: they can be set later, and are looked at when they are computed with. */
static int create(void **descriptor, const struct sparse_matrix *matrix)
{
    const struct sparse_matrix *m = matrix;
    bool too_many = m->rows >= 0 && m->columns >= 0 && (__int128)m->nnz > (__int128)m->rows * m->columns;
    if (!descriptor || m->rows < 0 || m->columns < 0 || m->nnz < 0 || too_many || !is_base(m->base)
        || !is_index(m->offset_type) || !is_index(m->index_type) || !sparse_size(m->type))
        return SPARSE_INVALID_VALUE;
    if (m->offset_type != m->index_type) /* nor does NVIDIA's library */
        return SPARSE_NOT_SUPPORTED;
    return describe(descriptor, m, sizeof *m);
}

int cusparseCreateCsr(void **descriptor, int64_t rows, int64_t columns, int64_t nnz, void *offsets, void *indices,
                      void *values, int offset_type, int index_type, int base, int type)
{
    return create(descriptor, &(struct sparse_matrix){FORMAT_CSR, rows, columns, nnz, offsets, indices, values, offset_type,
                                                      index_type, base, type, FILL_LOWER, DIAGONAL_STORED, 1});
}
int cusparseCreateConstCsr(const void **descriptor, int64_t rows, int64_t columns, int64_t nnz, const void *offsets,
                           const void *indices, const void *values, int offset_type, int index_type, int base, int type)
{
    return cusparseCreateCsr((void **)descriptor, rows, columns, nnz, (void *)offsets, (void *)indices, (void *)values,
                             offset_type, index_type, base, type);
}
int cusparseCreateCsc(void **descriptor, int64_t rows, int64_t columns, int64_t nnz, void *offsets, void *indices,
                      void *values, int offset_type, int index_type, int base, int type)
{
    return create(descriptor, &(struct sparse_matrix){FORMAT_CSC, rows, columns, nnz, offsets, indices, values, offset_type,
                                                      index_type, base, type, FILL_LOWER, DIAGONAL_STORED, 1});
}
int cusparseCreateConstCsc(const void **descriptor, int64_t rows, int64_t columns, int64_t nnz, const void *offsets,
                           const void *indices, const void *values, int offset_type, int index_type, int base, int type)
{
    return cusparseCreateCsc((void **)descriptor, rows, columns, nnz, (void *)offsets, (void *)indices, (void *)values,
                             offset_type, index_type, base, type);
}
int cusparseCreateCoo(void **descriptor, int64_t rows, int64_t columns, int64_t nnz, void *row_indices, void *indices,
                      void *values, int index_type, int base, int type)
{
    return create(descriptor, &(struct sparse_matrix){FORMAT_COO, rows, columns, nnz, row_indices, indices, values,
                                                      index_type, index_type, base, type, FILL_LOWER, DIAGONAL_STORED, 1});
}
int cusparseCreateConstCoo(const void **descriptor, int64_t rows, int64_t columns, int64_t nnz, const void *row_indices,
                           const void *indices, const void *values, int index_type, int base, int type)
{
    return cusparseCreateCoo((void **)descriptor, rows, columns, nnz, (void *)row_indices, (void *)indices, (void *)values,
                             index_type, base, type);
}
int cusparseDestroySpMat(const void *descriptor)
{
    return destroy(descriptor);
}

static int get(const struct sparse_matrix *m, int format, int64_t *rows, int64_t *columns, int64_t *nnz, void **offsets,
               void **indices, void **values, int *offset_type, int *index_type, int *base, int *type)
{
    if (!m || m->format != format || !rows || !columns || !nnz || !offsets || !indices || !values || !offset_type
        || !index_type || !base || !type)
        return SPARSE_INVALID_VALUE;
    *rows = m->rows, *columns = m->columns, *nnz = m->nnz;
    *offsets = m->offsets, *indices = m->indices, *values = m->values;
    *offset_type = m->offset_type, *index_type = m->index_type, *base = m->base, *type = m->type;
    return SPARSE_SUCCESS;
}
int cusparseCsrGet(void *descriptor, int64_t *rows, int64_t *columns, int64_t *nnz, void **offsets, void **indices,
                   void **values, int *offset_type, int *index_type, int *base, int *type)
{
    return get(descriptor, FORMAT_CSR, rows, columns, nnz, offsets, indices, values, offset_type, index_type, base, type);
}
int cusparseConstCsrGet(const void *descriptor, int64_t *rows, int64_t *columns, int64_t *nnz, const void **offsets,
                        const void **indices, const void **values, int *offset_type, int *index_type, int *base, int *type)
{
    return get(descriptor, FORMAT_CSR, rows, columns, nnz, (void **)offsets, (void **)indices, (void **)values, offset_type,
               index_type, base, type);
}
int cusparseCscGet(void *descriptor, int64_t *rows, int64_t *columns, int64_t *nnz, void **offsets, void **indices,
                   void **values, int *offset_type, int *index_type, int *base, int *type)
{
    return get(descriptor, FORMAT_CSC, rows, columns, nnz, offsets, indices, values, offset_type, index_type, base, type);
}
int cusparseConstCscGet(const void *descriptor, int64_t *rows, int64_t *columns, int64_t *nnz, const void **offsets,
                        const void **indices, const void **values, int *offset_type, int *index_type, int *base, int *type)
{
    return get(descriptor, FORMAT_CSC, rows, columns, nnz, (void **)offsets, (void **)indices, (void **)values, offset_type,
               index_type, base, type);
}
int cusparseCooGet(void *descriptor, int64_t *rows, int64_t *columns, int64_t *nnz, void **row_indices, void **indices,
                   void **values, int *index_type, int *base, int *type)
{
    int offset_type;
    return get(descriptor, FORMAT_COO, rows, columns, nnz, row_indices, indices, values, &offset_type, index_type, base,
               type);
}
int cusparseConstCooGet(const void *descriptor, int64_t *rows, int64_t *columns, int64_t *nnz, const void **row_indices,
                        const void **indices, const void **values, int *index_type, int *base, int *type)
{
    return cusparseCooGet((void *)descriptor, rows, columns, nnz, (void **)row_indices, (void **)indices, (void **)values,
                          index_type, base, type);
}

static int set_pointers(struct sparse_matrix *m, int format, void *offsets, void *indices, void *values)
{
    if (!m || m->format != format || !offsets || (m->nnz > 0 && (!indices || !values)))
        return SPARSE_INVALID_VALUE;
    m->offsets = offsets, m->indices = indices, m->values = values;
    return SPARSE_SUCCESS;
}
int cusparseCsrSetPointers(void *descriptor, void *offsets, void *indices, void *values)
{
    return set_pointers(descriptor, FORMAT_CSR, offsets, indices, values);
}
int cusparseCscSetPointers(void *descriptor, void *offsets, void *indices, void *values)
{
    return set_pointers(descriptor, FORMAT_CSC, offsets, indices, values);
}
int cusparseCooSetPointers(void *descriptor, void *rows, void *columns, void *values)
{
    return set_pointers(descriptor, FORMAT_COO, rows, columns, values);
}

int cusparseSpMatGetFormat(const void *descriptor, int *format)
{
    if (!descriptor || !format)
        return SPARSE_INVALID_VALUE;
    *format = ((const struct sparse_matrix *)descriptor)->format;
    return SPARSE_SUCCESS;
}
int cusparseSpMatGetIndexBase(const void *descriptor, int *base)
{
    if (!descriptor || !base)
        return SPARSE_INVALID_VALUE;
    *base = ((const struct sparse_matrix *)descriptor)->base;
    return SPARSE_SUCCESS;
}
int cusparseSpMatGetSize(const void *descriptor, int64_t *rows, int64_t *columns, int64_t *nnz)
{
    const struct sparse_matrix *m = descriptor;
    if (!m || !rows || !columns || !nnz)
        return SPARSE_INVALID_VALUE;
    *rows = m->rows, *columns = m->columns, *nnz = m->nnz;
    return SPARSE_SUCCESS;
}
int cusparseSpMatGetStridedBatch(const void *descriptor, int *count)
{
    if (!descriptor || !count)
        return SPARSE_INVALID_VALUE;
    *count = ((const struct sparse_matrix *)descriptor)->batch;
    return SPARSE_SUCCESS;
}

/* cusparseSpMatAttribute_t: the fill mode, and how the diagonal is stored. */
static int *attribute_of(struct sparse_matrix *matrix, int attribute)
{
    return attribute == 0 ? &matrix->fill : attribute == 1 ? &matrix->diagonal : NULL;
}
int cusparseSpMatSetAttribute(void *descriptor, int attribute, void *data, size_t size)
{
    int *place = descriptor ? attribute_of(descriptor, attribute) : NULL, value;
    if (!place || !data || size != sizeof value)
        return SPARSE_INVALID_VALUE;
    memcpy(&value, data, sizeof value);
    if (value != 0 && value != 1)
        return SPARSE_INVALID_VALUE;
    *place = value;
    return SPARSE_SUCCESS;
}
int cusparseSpMatGetAttribute(const void *descriptor, int attribute, void *data, size_t size)
{
    const int *place = descriptor ? attribute_of((struct sparse_matrix *)descriptor, attribute) : NULL;
    if (!place || !data || size != sizeof *place)
        return SPARSE_INVALID_VALUE;
    memcpy(data, place, sizeof *place);
    return SPARSE_SUCCESS;
}

/* ---- The values of each kind ---- */

#define VALUES(name, kind)                                                          \
    int cusparse##name##GetValues(void *descriptor, void **values)                  \
    {                                                                               \
        if (!descriptor || !values)                                                 \
            return SPARSE_INVALID_VALUE;                                            \
        *values = ((const struct kind *)descriptor)->values;                        \
        return SPARSE_SUCCESS;                                                      \
    }                                                                               \
    int cusparseConst##name##GetValues(const void *descriptor, const void **values) \
    {                                                                               \
        return cusparse##name##GetValues((void *)descriptor, (void **)values);      \
    }                                                                               \
    int cusparse##name##SetValues(void *descriptor, void *values)                   \
    {                                                                               \
        if (!descriptor || !values)                                                 \
            return SPARSE_INVALID_VALUE;                                            \
        ((struct kind *)descriptor)->values = values;                               \
        return SPARSE_SUCCESS;                                                      \
    }
VALUES(SpVec, sparse_vector)
VALUES(DnVec, dense_vector)
VALUES(DnMat, dense_matrix)
VALUES(SpMat, sparse_matrix)
