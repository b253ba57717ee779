/* Incomplete factorizations: L and U have elements only where A has. And tridiagonal systems. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"
#include "runtime/emulator/math_libraries/cusparse/interface.h"
#include "runtime/emulator/math_libraries/cusparse/typed.h"

/* csrilu02Info_t, csric02Info_t. */
struct factoring {
    bool analyzed;
    int zero_pivot; /* the first row without a pivot, with the base; -1: none */
};

static int create(void **info)
{
    if (!info)
        return SPARSE_INVALID_VALUE;
    struct factoring *made = calloc(1, sizeof *made);
    if (!made)
        return SPARSE_ALLOC_FAILED;
    made->zero_pivot = -1;
    *info = made;
    return SPARSE_SUCCESS;
}
int cusparseCreateCsrilu02Info(void **info)
{
    return create(info);
}
int cusparseCreateCsric02Info(void **info)
{
    return create(info);
}
int cusparseDestroyCsrilu02Info(void *info)
{
    free(info);
    return SPARSE_SUCCESS;
}
int cusparseDestroyCsric02Info(void *info)
{
    free(info);
    return SPARSE_SUCCESS;
}

static int zero_pivot(void *handle, const char *name, const struct factoring *info, int *position)
{
    struct sparse_call call;
    int status = sparse_begin_arrays(&call, handle, name);
    if (status != SPARSE_SUCCESS)
        return status;
    if (!info || !position)
        return SPARSE_INVALID_VALUE;
    int *to = sparse_place(&call, position, sizeof *to, WRITE);
    if (!to)
        return call.status;
    *to = info->zero_pivot;
    return info->zero_pivot >= 0 ? SPARSE_ZERO_PIVOT : SPARSE_SUCCESS;
}
int cusparseXcsrilu02_zeroPivot(void *handle, void *info, int *position)
{
    return zero_pivot(handle, "cusparseXcsrilu02_zeroPivot", info, position);
}
int cusparseXcsric02_zeroPivot(void *handle, void *info, int *position)
{
    return zero_pivot(handle, "cusparseXcsric02_zeroPivot", info, position);
}

static int check(int m, int nnz, const struct sparse_kind *kind, const void *info)
{
    if (m < 0 || nnz < 0 || !kind || !info)
        return SPARSE_INVALID_VALUE;
    return kind->type != 0 ? SPARSE_MATRIX_TYPE_NOT_SUPPORTED : SPARSE_SUCCESS;
}

int typed_factor_bufferSize(struct sparse_call *call, int m, int nnz, const void *kind, const void *info, int *size)
{
    int status = check(m, nnz, kind, info);
    (void)call;
    if (status == SPARSE_SUCCESS && !size)
        return SPARSE_INVALID_VALUE;
    if (status == SPARSE_SUCCESS)
        *size = SPARSE_WORK_BYTES;
    return status;
}

/* Notes the first row that stores no diagonal: a pivot that is missing whatever the values are. */
int typed_factor_analysis(struct sparse_call *call, int m, int nnz, const void *kind, const int *offsets, const int *indices,
                          void *info, void *buffer)
{
    struct factoring *factoring = info;
    const struct sparse_kind *k = kind;
    struct elements elements;
    int status = check(m, nnz, k, info);
    if (status != SPARSE_SUCCESS)
        return status;
    if (!sparse_work(call, buffer) || !elements_read_csr(call, m, m, nnz, NULL, R_32F, offsets, indices, k->base, &elements))
        return call->status;
    char *stored = sparse_zeros(call, m, 1);
    for (int64_t i = 0; i < elements.count && stored; i++)
        if (elements.row[i] == elements.column[i])
            stored[elements.row[i]] = 1;
    *factoring = (struct factoring){.analyzed = stored != NULL, .zero_pivot = -1};
    for (int i = m; i-- > 0 && stored;)
        if (!stored[i])
            factoring->zero_pivot = i + k->base;
    free(stored);
    elements_free(&elements);
    return call->status;
}

/* A matrix whose elements are worked on in place, row by row in order. */
struct work {
    struct elements elements;
    int64_t *first, *at, *where; /* where[column]: the element of the row in hand, -1 where there is none */
    struct number *values;       /* [count], as they are stored */
};

static void free_work(struct work *work)
{
    elements_free(&work->elements);
    free(work->first), free(work->at), free(work->where), free(work->values);
}

static bool begin(struct sparse_call *call, int type, int m, int nnz, const struct sparse_kind *kind, const void *values,
                  const int *offsets, const int *indices, struct work *work)
{
    *work = (struct work){0};
    if (!elements_read_csr(call, m, m, nnz, values, type, offsets, indices, kind->base, &work->elements))
        return false;
    work->where = sparse_zeros(call, m, sizeof *work->where);
    work->values = sparse_zeros(call, nnz, sizeof *work->values);
    if (!work->where || !work->values || !elements_by_row(call, &work->elements, true, &work->first, &work->at)) {
        free_work(work);
        return false;
    }
    for (int i = 0; i < m; i++)
        work->where[i] = -1;
    for (int k = 0; k < nnz && work->elements.values; k++)
        work->values[k] = number_at(type, work->elements.values, k);
    return true;
}

/* The row's elements become known to `where`, or are forgotten. */
static void mark(struct work *work, int64_t row, bool known)
{
    for (int64_t i = work->first[row]; i < work->first[row + 1]; i++)
        work->where[work->elements.column[work->at[i]]] = known ? work->at[i] : -1;
}

static void note_pivot(struct factoring *factoring, int64_t row, int base)
{
    if (factoring->zero_pivot < 0 || row + base < factoring->zero_pivot)
        factoring->zero_pivot = (int)row + base;
}

/* Row `row` less its multiples of the rows above that it has elements for. */
static void eliminate(struct work *work, int type, int64_t row, const int64_t *diagonal)
{
    for (int64_t i = work->first[row]; i < work->first[row + 1]; i++) {
        int64_t k = work->at[i], above = work->elements.column[k];
        if (above >= row || diagonal[above] < 0)
            continue;
        work->values[k] = number_over(type, work->values[k], work->values[diagonal[above]]);
        for (int64_t j = work->first[above]; j < work->first[above + 1]; j++) {
            int64_t other = work->at[j], column = work->elements.column[other];
            int64_t target = column > above ? work->where[column] : -1;
            if (target >= 0)
                work->values[target] = number_minus(work->values[target],
                                                    number_times(type, work->values[k], work->values[other]));
        }
    }
}

static void finish(struct sparse_call *call, int type, int nnz, void *values, struct work *work)
{
    void *to = sparse_array(call, values, nnz, sparse_size(type), UPDATE);
    for (int k = 0; k < nnz && to; k++)
        number_put(type, to, k, work->values[k]);
}

int typed_csrilu02(struct sparse_call *call, int type, int m, int nnz, const void *kind, void *values, const int *offsets,
                   const int *indices, void *info, void *buffer)
{
    struct factoring *factoring = info;
    const struct sparse_kind *k = kind;
    struct work work;
    int status = check(m, nnz, k, info);
    if (status != SPARSE_SUCCESS || !factoring->analyzed)
        return status != SPARSE_SUCCESS ? status : SPARSE_INVALID_VALUE;
    if (!sparse_work(call, buffer) || !begin(call, type, m, nnz, k, values, offsets, indices, &work))
        return call->status;
    int64_t *diagonal = sparse_zeros(call, m, sizeof *diagonal);
    for (int64_t row = 0; row < m && diagonal; row++) {
        mark(&work, row, true);
        diagonal[row] = work.where[row];
        eliminate(&work, type, row, diagonal);
        mark(&work, row, false);
        if (diagonal[row] < 0 || number_is_zero(work.values[diagonal[row]]))
            note_pivot(factoring, row, k->base);
    }
    if (diagonal)
        finish(call, type, nnz, values, &work);
    free(diagonal);
    free_work(&work);
    return call->status;
}

/* The sum of products of two rows of L, left of `end`; the second row is conjugated. */
static struct number dot(const struct work *work, int type, int64_t row, int64_t end)
{
    struct number sum = {0, 0};
    for (int64_t j = work->first[row]; j < work->first[row + 1]; j++) {
        int64_t other = work->at[j], column = work->elements.column[other];
        if (column >= end || work->where[column] < 0)
            continue;
        struct number conjugate = {work->values[other].re, -work->values[other].im};
        sum = number_plus(sum, number_times(type, work->values[work->where[column]], conjugate));
    }
    return sum;
}

/* Only the lower triangle is looked at and written. */
int typed_csric02(struct sparse_call *call, int type, int m, int nnz, const void *kind, void *values, const int *offsets,
                  const int *indices, void *info, void *buffer)
{
    struct factoring *factoring = info;
    const struct sparse_kind *k = kind;
    struct work work;
    int status = check(m, nnz, k, info);
    if (status != SPARSE_SUCCESS || !factoring->analyzed)
        return status != SPARSE_SUCCESS ? status : SPARSE_INVALID_VALUE;
    if (!sparse_work(call, buffer) || !begin(call, type, m, nnz, k, values, offsets, indices, &work))
        return call->status;
    int64_t *diagonal = sparse_zeros(call, m, sizeof *diagonal);
    for (int64_t row = 0; row < m && diagonal; row++) {
        mark(&work, row, true);
        diagonal[row] = work.where[row];
        for (int64_t i = work.first[row]; i < work.first[row + 1]; i++) {
            int64_t at = work.at[i], column = work.elements.column[at];
            if (column > row || diagonal[column] < 0)
                continue;
            struct number products = dot(&work, type, column, column);
            work.values[at] = number_minus(work.values[at], products);
            if (column < row)
                work.values[at] = number_over(type, work.values[at], work.values[diagonal[column]]);
            else if (work.values[at].re > 0)
                work.values[at] = (struct number){sqrt(work.values[at].re), 0};
            else
                note_pivot(factoring, row, k->base);
        }
        mark(&work, row, false);
        if (diagonal[row] < 0)
            note_pivot(factoring, row, k->base);
    }
    if (diagonal)
        finish(call, type, nnz, values, &work);
    free(diagonal);
    free_work(&work);
    return call->status;
}

/* ---- Tridiagonal systems ---- */

int typed_gtsv2_bufferSizeExt(struct sparse_call *call, int m, int n, int ldb, size_t *size)
{
    (void)call;
    if (m < 3 || n < 0 || ldb < m || !size)
        return SPARSE_INVALID_VALUE;
    *size = SPARSE_WORK_BYTES;
    return SPARSE_SUCCESS;
}

/* Gauss's elimination. With exchanges of rows there is a second diagonal above. band: [4][m], below, diagonal, above and second
 * above; b: [m] of one side. */
static void eliminate_band(int type, int m, struct number *band, struct number *b, bool pivots)
{
    struct number *lower = band, *middle = band + m, *upper = band + 2 * (int64_t)m, *second = band + 3 * (int64_t)m;
    for (int i = 0; i + 1 < m; i++) {
        if (pivots && hypot(lower[i + 1].re, lower[i + 1].im) > hypot(middle[i].re, middle[i].im)) {
            struct number row[4] = {middle[i], upper[i], second[i], b[i]};
            middle[i] = lower[i + 1], upper[i] = middle[i + 1], second[i] = upper[i + 1], b[i] = b[i + 1];
            lower[i + 1] = row[0], middle[i + 1] = row[1], upper[i + 1] = row[2], b[i + 1] = row[3];
        }
        struct number factor = number_over(type, lower[i + 1], middle[i]);
        middle[i + 1] = number_minus(middle[i + 1], number_times(type, factor, upper[i]));
        upper[i + 1] = number_minus(upper[i + 1], number_times(type, factor, second[i]));
        b[i + 1] = number_minus(b[i + 1], number_times(type, factor, b[i]));
    }
    for (int i = m - 1; i >= 0; i--) {
        if (i + 1 < m)
            b[i] = number_minus(b[i], number_times(type, upper[i], b[i + 1]));
        if (i + 2 < m)
            b[i] = number_minus(b[i], number_times(type, second[i], b[i + 2]));
        b[i] = number_over(type, b[i], middle[i]);
    }
}

static void set_band(int type, int m, const void *dl, const void *d, const void *du, struct number *band)
{
    memset(band, 0, 4 * (size_t)m * sizeof *band);
    for (int64_t i = 0; i < m; i++) {
        if (i > 0)
            band[i] = number_at(type, dl, i);
        band[m + i] = number_at(type, d, i);
        if (i + 1 < m)
            band[2 * (int64_t)m + i] = number_at(type, du, i);
    }
}

int typed_gtsv2(struct sparse_call *call, int type, int m, int n, const void *dl, const void *d, const void *du, void *b,
                int ldb, void *buffer, bool pivots)
{
    if (m < 3 || n < 0 || ldb < m)
        return SPARSE_INVALID_VALUE;
    uint64_t size = sparse_size(type);
    struct dense_matrix sides = {m, n, ldb, b, type, ORDER_COLUMNS, 1, 0};
    if (!sparse_work(call, buffer))
        return call->status;
    const char *below = sparse_array(call, dl ? (const char *)dl + size : NULL, m - 1, size, READ);
    const void *middle = below ? sparse_array(call, d, m, size, READ) : NULL;
    const void *above = middle ? sparse_array(call, du, m - 1, size, READ) : NULL;
    void *to = above ? sparse_dense(call, &sides, UPDATE) : NULL;
    struct number *band = to ? sparse_zeros(call, 5 * (int64_t)m, sizeof *band) : NULL;
    for (int64_t side = 0; side < n && band; side++) {
        struct number *x = band + 4 * (int64_t)m;
        set_band(type, m, below - size, middle, above, band);
        for (int64_t i = 0; i < m; i++)
            x[i] = number_at(type, to, i + side * ldb);
        eliminate_band(type, m, band, x, pivots);
        for (int64_t i = 0; i < m; i++)
            number_put(type, to, i + side * ldb, x[i]);
    }
    free(band);
    return call->status;
}
