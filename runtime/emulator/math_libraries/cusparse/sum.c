/* Sums of sparse matrices in CSR format. */
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"
#include "runtime/emulator/math_libraries/cusparse/interface.h"
#include "runtime/emulator/math_libraries/cusparse/typed.h"

int typed_csrgeam2_bufferSizeExt(struct sparse_call *call, int type, int m, int n, int nnz_a, int nnz_b, size_t *size)
{
    (void)call, (void)type;
    if (m < 0 || n < 0 || nnz_a < 0 || nnz_b < 0 || !size)
        return SPARSE_INVALID_VALUE;
    *size = SPARSE_WORK_BYTES;
    return SPARSE_SUCCESS;
}

/* Both matrices by rows, each row in order. */
struct both {
    struct elements a, b;
    int64_t *a_first, *a_at, *b_first, *b_at;
};

static void free_both(struct both *both)
{
    elements_free(&both->a);
    elements_free(&both->b);
    free(both->a_first), free(both->a_at), free(both->b_first), free(both->b_at);
}

static bool sort_both(struct sparse_call *call, struct both *both)
{
    return elements_by_row(call, &both->a, true, &both->a_first, &both->a_at)
           && elements_by_row(call, &both->b, true, &both->b_first, &both->b_at);
}

/* The next element of row `row` of the sum, with its position in A and B, -1 where it is not. */
static int64_t next(const struct both *both, int64_t row, int64_t *i, int64_t *j, int64_t *in_a, int64_t *in_b)
{
    int64_t left = INT64_MAX, right = INT64_MAX;
    *in_a = *in_b = -1;
    if (*i < both->a_first[row + 1])
        left = both->a.column[both->a_at[*i]];
    if (*j < both->b_first[row + 1])
        right = both->b.column[both->b_at[*j]];
    if (left <= right && left != INT64_MAX)
        *in_a = both->a_at[(*i)++];
    if (right <= left && right != INT64_MAX)
        *in_b = both->b_at[(*j)++];
    return left < right ? left : right;
}

int cusparseXcsrgeam2Nnz(void *handle, int m, int n, const void *kind_a, int nnz_a, const int *offsets_a,
                         const int *indices_a, const void *kind_b, int nnz_b, const int *offsets_b, const int *indices_b,
                         const void *kind_c, int *offsets_c, int *total, void *buffer)
{
    struct sparse_call call;
    struct both both = {0};
    const struct sparse_kind *a = kind_a, *b = kind_b, *c = kind_c;
    int status = sparse_begin_arrays(&call, handle, "cusparseXcsrgeam2Nnz");
    if (status != SPARSE_SUCCESS)
        return status;
    if (m < 0 || n < 0 || nnz_a < 0 || nnz_b < 0 || !a || !b || !c || !total)
        return SPARSE_INVALID_VALUE;
    if (a->type || b->type || c->type)
        return SPARSE_MATRIX_TYPE_NOT_SUPPORTED;
    if (!sparse_work(&call, buffer))
        return call.status;
    int *result = sparse_place(&call, total, sizeof *result, WRITE);
    int *offsets = result ? sparse_array(&call, offsets_c, (int64_t)m + 1, sizeof *offsets, WRITE) : NULL;
    if (offsets && elements_read_csr(&call, m, n, nnz_a, NULL, R_32F, offsets_a, indices_a, a->base, &both.a)
        && elements_read_csr(&call, m, n, nnz_b, NULL, R_32F, offsets_b, indices_b, b->base, &both.b)
        && sort_both(&call, &both)) {
        int count = 0;
        for (int64_t row = 0; row < m; row++) {
            int64_t i = both.a_first[row], j = both.b_first[row], in_a, in_b;
            offsets[row] = count + c->base;
            while (next(&both, row, &i, &j, &in_a, &in_b) != INT64_MAX)
                count++;
        }
        offsets[m] = count + c->base;
        *result = count;
    }
    free_both(&both);
    return call.status;
}

static bool put_sum(const struct both *both, struct number alpha, struct number beta, int64_t row, int base, int64_t *at,
                    int64_t end, void *values, int *indices)
{
    int64_t i = both->a_first[row], j = both->b_first[row], in_a, in_b, column;
    while ((column = next(both, row, &i, &j, &in_a, &in_b)) != INT64_MAX) {
        struct number sum = {0, 0};
        if (*at >= end)
            return false;
        if (in_a >= 0)
            sum = number_times(both->a.type, alpha, number_at(both->a.type, both->a.values, in_a));
        if (in_b >= 0)
            sum = number_plus(sum, number_times(both->a.type, beta, number_at(both->b.type, both->b.values, in_b)));
        indices[*at] = (int)column + base;
        number_put(both->a.type, values, (*at)++, sum);
    }
    return true;
}

int typed_csrgeam2(struct sparse_call *call, int type, int m, int n, const void *alpha, const void *kind_a, int nnz_a,
                   const void *values_a, const int *offsets_a, const int *indices_a, const void *beta, const void *kind_b,
                   int nnz_b, const void *values_b, const int *offsets_b, const int *indices_b, const void *kind_c,
                   void *values_c, int *offsets_c, int *indices_c, void *buffer)
{
    struct both both = {0};
    struct number factor_a, factor_b;
    const struct sparse_kind *a = kind_a, *b = kind_b, *c = kind_c;
    if (m < 0 || n < 0 || nnz_a < 0 || nnz_b < 0 || !a || !b || !c)
        return SPARSE_INVALID_VALUE;
    if (a->type || b->type || c->type)
        return SPARSE_MATRIX_TYPE_NOT_SUPPORTED;
    if (!sparse_scalar(call, alpha, type, &factor_a) || !sparse_scalar(call, beta, type, &factor_b)
        || !sparse_work(call, buffer))
        return call->status;
    if ((nnz_a > 0 && !values_a) || (nnz_b > 0 && !values_b))
        return SPARSE_INVALID_VALUE;
    const int *offsets = sparse_array(call, offsets_c, (int64_t)m + 1, sizeof *offsets, READ);
    int64_t count = offsets ? offsets[m] - c->base : 0, at = 0;
    int *indices = offsets ? sparse_array(call, indices_c, count, sizeof *indices, WRITE) : NULL;
    void *values = indices ? sparse_array(call, values_c, count, sparse_size(type), WRITE) : NULL;
    if (values && elements_read_csr(call, m, n, nnz_a, values_a, type, offsets_a, indices_a, a->base, &both.a)
        && elements_read_csr(call, m, n, nnz_b, values_b, type, offsets_b, indices_b, b->base, &both.b)
        && sort_both(call, &both)) {
        bool fits = true;
        for (int64_t row = 0; row < m && fits; row++)
            fits = put_sum(&both, factor_a, factor_b, row, c->base, &at, count, values, indices);
        if (!fits || at != count)
            call->status = SPARSE_INVALID_VALUE; /* the offsets are those of another sum */
    }
    free_both(&both);
    return call->status;
}
