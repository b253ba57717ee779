/* From one format to another, and into order. */
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"
#include "runtime/emulator/math_libraries/cusparse/interface.h"
#include "runtime/emulator/math_libraries/cusparse/typed.h"

/* ---- Dense and sparse ---- */

static int64_t place(const struct dense_matrix *matrix, int64_t row, int64_t column)
{
    return matrix->order == ORDER_COLUMNS ? row + column * matrix->ld : row * matrix->ld + column;
}

static int check_pair(struct sparse_call *call, const struct dense_matrix *dense, const struct sparse_matrix *sparse,
                      int algorithm)
{
    if (!dense || !sparse || algorithm != 0 || dense->rows != sparse->rows || dense->columns != sparse->columns)
        return SPARSE_INVALID_VALUE;
    if (!sparse_offers(call, dense->type))
        return SPARSE_NOT_SUPPORTED;
    return dense->type == sparse->type ? SPARSE_SUCCESS : SPARSE_INVALID_VALUE;
}

int cusparseSparseToDense_bufferSize(void *handle, const void *a, void *b, int algorithm, size_t *size)
{
    struct sparse_call call;
    int status = sparse_begin(&call, handle, "cusparseSparseToDense_bufferSize");
    if (status == SPARSE_SUCCESS)
        status = check_pair(&call, b, a, algorithm);
    if (status == SPARSE_SUCCESS && !size)
        return SPARSE_INVALID_VALUE;
    if (status == SPARSE_SUCCESS)
        *size = 0;
    return status;
}

int cusparseSparseToDense(void *handle, const void *a, void *b, int algorithm, void *buffer)
{
    struct sparse_call call;
    struct elements elements;
    const struct dense_matrix *dense = b;
    int status = sparse_begin(&call, handle, "cusparseSparseToDense");
    (void)buffer;
    if (status == SPARSE_SUCCESS)
        status = check_pair(&call, b, a, algorithm);
    if (status != SPARSE_SUCCESS)
        return status;
    if (!elements_read(&call, a, true, &elements))
        return call.status;
    void *to = sparse_dense(&call, dense, WRITE);
    for (int64_t i = 0; i < dense->rows && to; i++)
        for (int64_t j = 0; j < dense->columns; j++)
            number_put(dense->type, to, place(dense, i, j), (struct number){0, 0});
    for (int64_t k = 0; k < elements.count && to; k++)
        number_put(dense->type, to, place(dense, elements.row[k], elements.column[k]),
                   number_at(elements.type, elements.values, k));
    elements_free(&elements);
    return call.status;
}

int cusparseDenseToSparse_bufferSize(void *handle, const void *a, void *b, int algorithm, size_t *size)
{
    struct sparse_call call;
    int status = sparse_begin(&call, handle, "cusparseDenseToSparse_bufferSize");
    if (status == SPARSE_SUCCESS)
        status = check_pair(&call, a, b, algorithm);
    if (status == SPARSE_SUCCESS && !size)
        return SPARSE_INVALID_VALUE;
    if (status == SPARSE_SUCCESS)
        *size = SPARSE_WORK_BYTES;
    return status;
}

/* Goes over the elements that are not 0, in the order of the sparse format: by columns in CSC, else by rows. */
static int64_t compress(const struct dense_matrix *dense, const void *from, const struct sparse_matrix *sparse,
                        void *offsets, void *rows, void *indices, void *values)
{
    bool by_column = sparse->format == FORMAT_CSC;
    int64_t outer = by_column ? dense->columns : dense->rows, inner = by_column ? dense->rows : dense->columns, count = 0;
    for (int64_t i = 0; i < outer; i++) {
        if (offsets)
            index_put(sparse->offset_type, offsets, i, count + sparse->base);
        for (int64_t j = 0; j < inner; j++) {
            struct number value = number_at(dense->type, from, by_column ? place(dense, j, i) : place(dense, i, j));
            if (number_is_zero(value))
                continue;
            if (values && count < sparse->nnz) {
                if (rows)
                    index_put(sparse->offset_type, rows, count, i + sparse->base);
                index_put(sparse->index_type, indices, count, j + sparse->base);
                number_put(sparse->type, values, count, value);
            }
            count++;
        }
    }
    if (offsets)
        index_put(sparse->offset_type, offsets, outer, count + sparse->base);
    return count;
}

static void *offsets_of(struct sparse_call *call, const struct sparse_matrix *sparse)
{
    int64_t outer = sparse->format == FORMAT_CSC ? sparse->columns : sparse->rows;
    return sparse_array(call, sparse->offsets, outer + 1, sparse_index_size(sparse->offset_type), WRITE);
}

int cusparseDenseToSparse_analysis(void *handle, const void *a, void *b, int algorithm, void *buffer)
{
    struct sparse_call call;
    const struct dense_matrix *dense = a;
    struct sparse_matrix *sparse = b;
    int status = sparse_begin(&call, handle, "cusparseDenseToSparse_analysis");
    if (status == SPARSE_SUCCESS)
        status = check_pair(&call, a, b, algorithm);
    if (status != SPARSE_SUCCESS)
        return status;
    if (!sparse_work(&call, buffer))
        return call.status;
    const void *from = sparse_dense(&call, dense, READ);
    void *offsets = from && sparse->format != FORMAT_COO ? offsets_of(&call, sparse) : NULL;
    if (call.status == SPARSE_SUCCESS)
        sparse->nnz = compress(dense, from, sparse, offsets, NULL, NULL, NULL);
    return call.status;
}

int cusparseDenseToSparse_convert(void *handle, const void *a, void *b, int algorithm, void *buffer)
{
    struct sparse_call call;
    const struct dense_matrix *dense = a;
    const struct sparse_matrix *sparse = b;
    int status = sparse_begin(&call, handle, "cusparseDenseToSparse_convert");
    if (status == SPARSE_SUCCESS)
        status = check_pair(&call, a, b, algorithm);
    if (status != SPARSE_SUCCESS)
        return status;
    if (!sparse_work(&call, buffer))
        return call.status;
    const void *from = sparse_dense(&call, dense, READ);
    if (from && compress(dense, from, sparse, NULL, NULL, NULL, NULL) != sparse->nnz)
        return SPARSE_INVALID_VALUE; /* another matrix than the one that was analyzed */
    uint64_t index = sparse_index_size(sparse->index_type);
    bool coordinates = sparse->format == FORMAT_COO;
    void *offsets = from && !coordinates ? offsets_of(&call, sparse) : NULL;
    void *rows = from && coordinates ? sparse_array(&call, sparse->offsets, sparse->nnz, index, WRITE) : NULL;
    void *indices = offsets || rows ? sparse_array(&call, sparse->indices, sparse->nnz, index, WRITE) : NULL;
    void *values = indices ? sparse_array(&call, sparse->values, sparse->nnz, sparse_size(sparse->type), WRITE) : NULL;
    if (values)
        compress(dense, from, sparse, offsets, rows, indices, values);
    return call.status;
}

/* ---- Rows and columns ---- */

int cusparseCsr2cscEx2_bufferSize(void *handle, int m, int n, int nnz, const void *values, const int *offsets,
                                  const int *indices, void *csc_values, int *csc_offsets, int *csc_indices, int type,
                                  int action, int base, int algorithm, size_t *size)
{
    struct sparse_call call;
    int status = sparse_begin(&call, handle, "cusparseCsr2cscEx2_bufferSize");
    (void)values, (void)offsets, (void)indices, (void)csc_values, (void)csc_offsets, (void)csc_indices, (void)type;
    if (status != SPARSE_SUCCESS)
        return status;
    if (m < 0 || n < 0 || nnz < 0 || action < 0 || action > 1 || base < 0 || base > 1 || algorithm != 1 || !size)
        return SPARSE_INVALID_VALUE;
    *size = SPARSE_WORK_BYTES;
    return SPARSE_SUCCESS;
}

int cusparseCsr2cscEx2(void *handle, int m, int n, int nnz, const void *values, const int *offsets, const int *indices,
                       void *csc_values, int *csc_offsets, int *csc_indices, int type, int action, int base, int algorithm,
                       void *buffer)
{
    enum { NUMERIC = 1 };
    struct sparse_call call;
    struct elements elements;
    int64_t *first = NULL, *position = NULL;
    int status = sparse_begin(&call, handle, "cusparseCsr2cscEx2");
    if (status != SPARSE_SUCCESS)
        return status;
    uint64_t size = sparse_size(type); /* values are copied, whatever they are */
    if (m < 0 || n < 0 || nnz < 0 || action < 0 || action > 1 || base < 0 || base > 1 || algorithm != 1 || !size)
        return SPARSE_INVALID_VALUE;
    if (!sparse_work(&call, buffer) || !elements_read_csr(&call, m, n, nnz, NULL, type, offsets, indices, base, &elements))
        return call.status;
    elements_transpose(&elements);
    const char *from = action == NUMERIC ? sparse_array(&call, values, nnz, size, READ) : NULL;
    char *to = from ? sparse_array(&call, csc_values, nnz, size, WRITE) : NULL;
    int *out_offsets = call.status ? NULL : sparse_array(&call, csc_offsets, (int64_t)n + 1, sizeof *out_offsets, WRITE);
    int *out_indices = out_offsets ? sparse_array(&call, csc_indices, nnz, sizeof *out_indices, WRITE) : NULL;
    if (out_indices && elements_by_row(&call, &elements, false, &first, &position)) {
        for (int64_t i = 0; i <= n; i++)
            out_offsets[i] = (int)first[i] + base;
        for (int64_t k = 0; k < nnz; k++) {
            out_indices[k] = (int)elements.column[position[k]] + base;
            if (to)
                memcpy(to + (uint64_t)k * size, from + (uint64_t)position[k] * size, size);
        }
    }
    free(first);
    free(position);
    elements_free(&elements);
    return call.status;
}

int cusparseXcoo2csr(void *handle, const int *rows, int nnz, int m, int *offsets, int base)
{
    struct sparse_call call;
    int status = sparse_begin_arrays(&call, handle, "cusparseXcoo2csr");
    if (status != SPARSE_SUCCESS)
        return status;
    if (nnz < 0 || m < 0 || base < 0 || base > 1)
        return SPARSE_INVALID_VALUE;
    const int *from = sparse_array(&call, rows, nnz, sizeof *from, READ);
    int *to = from ? sparse_array(&call, offsets, (int64_t)m + 1, sizeof *to, WRITE) : NULL;
    if (!to)
        return call.status;
    int row = 0;
    for (int k = 0; k < nnz; k++) {
        int here = from[k] - base;
        if (here < 0 || here >= m) {
            sparse_outside(&call, "the row", here, k, m);
            return call.status;
        }
        while (row <= here)
            to[row++] = k + base;
    }
    while (row <= m)
        to[row++] = nnz + base;
    return SPARSE_SUCCESS;
}

int cusparseXcsr2coo(void *handle, const int *offsets, int nnz, int m, int *rows, int base)
{
    struct sparse_call call;
    int status = sparse_begin_arrays(&call, handle, "cusparseXcsr2coo");
    if (status != SPARSE_SUCCESS)
        return status;
    if (nnz < 0 || m < 0 || base < 0 || base > 1)
        return SPARSE_INVALID_VALUE;
    const int *from = sparse_array(&call, offsets, (int64_t)m + 1, sizeof *from, READ);
    int *to = from ? sparse_array(&call, rows, nnz, sizeof *to, WRITE) : NULL;
    for (int64_t i = 0; i < m && to; i++)
        for (int64_t k = from[i] - base; k < from[i + 1] - base; k++) {
            if (k < 0 || k >= nnz) {
                sparse_outside(&call, "offset", k, i, nnz);
                return call.status;
            }
            to[k] = (int)i + base;
        }
    return call.status;
}

/* ---- Orders ---- */

int cusparseCreateIdentityPermutation(void *handle, int n, int *p)
{
    struct sparse_call call;
    int status = sparse_begin_arrays(&call, handle, "cusparseCreateIdentityPermutation");
    if (status != SPARSE_SUCCESS)
        return status;
    if (n < 0)
        return SPARSE_INVALID_VALUE;
    int *to = sparse_array(&call, p, n, sizeof *to, WRITE);
    for (int i = 0; i < n && to; i++)
        to[i] = i;
    return call.status;
}

static int sort_size(struct sparse_call *call, void *handle, const char *name, int m, int n, int nnz, size_t *size)
{
    int status = sparse_begin_arrays(call, handle, name);
    if (status == SPARSE_SUCCESS && (m < 0 || n < 0 || nnz < 0 || !size))
        return SPARSE_INVALID_VALUE;
    if (status == SPARSE_SUCCESS)
        *size = SPARSE_WORK_BYTES;
    return status;
}

int cusparseXcoosort_bufferSizeExt(void *handle, int m, int n, int nnz, const int *rows, const int *columns, size_t *size)
{
    struct sparse_call call;
    (void)rows, (void)columns;
    return sort_size(&call, handle, "cusparseXcoosort_bufferSizeExt", m, n, nnz, size);
}
int cusparseXcsrsort_bufferSizeExt(void *handle, int m, int n, int nnz, const int *offsets, const int *columns, size_t *size)
{
    struct sparse_call call;
    (void)offsets, (void)columns;
    return sort_size(&call, handle, "cusparseXcsrsort_bufferSizeExt", m, n, nnz, size);
}
int cusparseXcscsort_bufferSizeExt(void *handle, int m, int n, int nnz, const int *offsets, const int *rows, size_t *size)
{
    struct sparse_call call;
    (void)offsets, (void)rows;
    return sort_size(&call, handle, "cusparseXcscsort_bufferSizeExt", m, n, nnz, size);
}

/* Puts `array` into the order of `position`, if there is one. */
static bool permute(struct sparse_call *call, int *array, int64_t count, const int64_t *position)
{
    int *copy = array ? sparse_zeros(call, count, sizeof *copy) : NULL;
    for (int64_t k = 0; k < count && copy; k++)
        copy[k] = array[position[k]];
    if (copy)
        memcpy(array, copy, (size_t)count * sizeof *copy);
    free(copy);
    return !array || copy;
}

/* Sorts the elements' indices, and the permutation with them. */
static int sort(struct sparse_call *call, const struct sparse_matrix *matrix, int *p, void *buffer)
{
    struct elements elements;
    int64_t *first = NULL, *position = NULL;
    bool coordinates = matrix->format == FORMAT_COO, by_column = matrix->format == FORMAT_CSC;
    if (!sparse_work(call, buffer) || !elements_read(call, matrix, false, &elements))
        return call->status;
    if (by_column)
        elements_transpose(&elements);
    int *indices = sparse_array(call, matrix->indices, matrix->nnz, sizeof *indices, UPDATE);
    int *rows = indices && coordinates ? sparse_array(call, matrix->offsets, matrix->nnz, sizeof *rows, UPDATE) : NULL;
    int *permutation = indices ? sparse_array(call, p, matrix->nnz, sizeof *permutation, UPDATE) : NULL;
    if (call->status == SPARSE_SUCCESS && elements_by_row(call, &elements, true, &first, &position)
        && permute(call, indices, matrix->nnz, position) && permute(call, rows, matrix->nnz, position))
        permute(call, permutation, matrix->nnz, position);
    free(first);
    free(position);
    elements_free(&elements);
    return call->status;
}

static int sort_matrix(void *handle, const char *name, int format, int m, int n, int nnz, void *offsets, void *indices,
                       int base, int *p, void *buffer)
{
    struct sparse_call call;
    int status = sparse_begin_arrays(&call, handle, name);
    if (status != SPARSE_SUCCESS)
        return status;
    if (m < 0 || n < 0 || nnz < 0)
        return SPARSE_INVALID_VALUE;
    if (!p) /* as NVIDIA's library answers, where the documentation says nothing */
        return SPARSE_INTERNAL_ERROR;
    struct sparse_matrix matrix = {.format = format,
                                   .rows = m,
                                   .columns = n,
                                   .nnz = nnz,
                                   .offsets = offsets,
                                   .indices = indices,
                                   .offset_type = INDEX_32I,
                                   .index_type = INDEX_32I,
                                   .base = base};
    return sort(&call, &matrix, p, buffer);
}

int cusparseXcoosortByRow(void *handle, int m, int n, int nnz, int *rows, int *columns, int *p, void *buffer)
{
    return sort_matrix(handle, "cusparseXcoosortByRow", FORMAT_COO, m, n, nnz, rows, columns, 0, p, buffer);
}
int cusparseXcoosortByColumn(void *handle, int m, int n, int nnz, int *rows, int *columns, int *p, void *buffer)
{
    return sort_matrix(handle, "cusparseXcoosortByColumn", FORMAT_COO, n, m, nnz, columns, rows, 0, p, buffer);
}
int cusparseXcsrsort(void *handle, int m, int n, int nnz, const void *descriptor, const int *offsets, int *columns, int *p,
                     void *buffer)
{
    const struct sparse_kind *kind = descriptor;
    return kind ? sort_matrix(handle, "cusparseXcsrsort", FORMAT_CSR, m, n, nnz, (void *)offsets, columns, kind->base, p,
                              buffer)
                : SPARSE_INVALID_VALUE;
}
int cusparseXcscsort(void *handle, int m, int n, int nnz, const void *descriptor, const int *offsets, int *rows, int *p,
                     void *buffer)
{
    const struct sparse_kind *kind = descriptor;
    return kind
               ? sort_matrix(handle, "cusparseXcscsort", FORMAT_CSC, m, n, nnz, (void *)offsets, rows, kind->base, p, buffer)
               : SPARSE_INVALID_VALUE;
}

/* ---- Counting what is not 0 ---- */

int typed_nnz(struct sparse_call *call, int type, int direction, int m, int n, const void *descriptor, const void *a,
              int lda, int *each, int *total)
{
    enum { BY_ROW, BY_COLUMN };
    if (descriptor && ((const struct sparse_kind *)descriptor)->type != 0)
        return SPARSE_MATRIX_TYPE_NOT_SUPPORTED;
    if (m < 0 || n < 0 || (direction != BY_ROW && direction != BY_COLUMN) || !descriptor || lda < (m > 1 ? m : 1) || !total)
        return SPARSE_INVALID_VALUE;
    struct dense_matrix dense = {m, n, lda, (void *)a, type, ORDER_COLUMNS, 1, 0};
    int count = direction == BY_ROW ? m : n, sum = 0;
    const void *from = sparse_dense(call, &dense, READ);
    int *counts = from ? sparse_array(call, each, count, sizeof *counts, WRITE) : NULL;
    int *result = counts ? sparse_place(call, total, sizeof *result, WRITE) : NULL;
    if (!result)
        return call->status;
    memset(counts, 0, (size_t)count * sizeof *counts);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            if (!number_is_zero(number_at(type, from, i + (int64_t)j * lda))) {
                counts[direction == BY_ROW ? i : j]++;
                sum++;
            }
    *result = sum;
    return SPARSE_SUCCESS;
}

/* Is the element larger than the tolerance? Of a complex number the magnitude counts, with the real part of the tolerance. */
static bool is_kept(struct number value, struct number tolerance)
{
    return value.re * value.re + value.im * value.im > tolerance.re * tolerance.re;
}

int typed_nnz_compress(struct sparse_call *call, int type, int m, const void *descriptor, const void *values,
                       const int *offsets, int *each, int *total, struct number tolerance)
{
    const struct sparse_kind *kind = descriptor;
    if (m < 0 || !kind || !total || tolerance.re < 0)
        return SPARSE_INVALID_VALUE;
    const int *first = sparse_array(call, offsets, (int64_t)m + 1, sizeof *first, READ);
    int nnz = first ? first[m] - kind->base : 0, sum = 0;
    const void *from = first ? sparse_array(call, values, nnz, sparse_size(type), READ) : NULL;
    int *counts = from ? sparse_array(call, each, m, sizeof *counts, WRITE) : NULL;
    int *result = counts ? sparse_place(call, total, sizeof *result, WRITE) : NULL;
    for (int i = 0; i < m && result; i++) {
        counts[i] = 0;
        for (int64_t k = first[i] - kind->base; k < first[i + 1] - kind->base; k++) {
            if (k < 0 || k >= nnz) {
                sparse_outside(call, "offset", k, i, nnz);
                return call->status;
            }
            counts[i] += is_kept(number_at(type, from, k), tolerance);
        }
        sum += counts[i];
    }
    if (result)
        *result = sum;
    return call->status;
}

int typed_csr2csr_compress(struct sparse_call *call, int type, int m, int n, const void *descriptor, const void *values,
                           const int *indices, const int *offsets, int nnz, const int *each, void *out_values,
                           int *out_indices, int *out_offsets, struct number tolerance)
{
    const struct sparse_kind *kind = descriptor;
    struct elements elements;
    if (m < 0 || n < 0 || nnz < 0 || !kind || tolerance.re < 0)
        return SPARSE_INVALID_VALUE;
    if (!elements_read_csr(call, m, n, nnz, values, type, offsets, indices, kind->base, &elements))
        return call->status;
    int64_t kept = 0;
    for (int64_t k = 0; k < nnz && elements.values; k++)
        kept += is_kept(number_at(type, elements.values, k), tolerance);
    const int *counts = sparse_array(call, each, m, sizeof *counts, READ);
    int *first = counts ? sparse_array(call, out_offsets, (int64_t)m + 1, sizeof *first, WRITE) : NULL;
    int *columns = first ? sparse_array(call, out_indices, kept, sizeof *columns, WRITE) : NULL;
    void *to = columns ? sparse_array(call, out_values, kept, sparse_size(type), WRITE) : NULL;
    if (to) {
        memset(first, 0, (size_t)(m + 1) * sizeof *first);
        kept = 0;
        for (int64_t k = 0; k < nnz; k++) {
            struct number value = number_at(type, elements.values, k);
            if (!is_kept(value, tolerance))
                continue;
            first[elements.row[k] + 1]++;
            columns[kept] = (int)elements.column[k] + kind->base;
            number_put(type, to, kept++, value);
        }
        first[0] = kind->base;
        for (int i = 0; i < m; i++)
            first[i + 1] += first[i];
    }
    elements_free(&elements);
    return call->status;
}
