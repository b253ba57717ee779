/* Products with dense vectors and matrices, and sparse vectors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"
#include "runtime/emulator/math_libraries/cusparse/interface.h"

static bool is_operation(int operation)
{
    return operation >= OP_N && operation <= OP_C;
}

/* Are all operands of the type that is computed in, which is one of the four? Other mixtures are refused by name. */
static bool one_type(struct sparse_call *call, int compute, int a, int b, int c)
{
    if (!sparse_offers(call, compute) || !sparse_offers(call, a) || !sparse_offers(call, b) || !sparse_offers(call, c))
        return false;
    if (a == compute && b == compute && c == compute)
        return true;
    char what[96];
    snprintf(what, sizeof what, "operands of several types in %s", call->name);
    refuse("cuSPARSE", what);
    call->status = SPARSE_NOT_SUPPORTED;
    return false;
}

static struct number conjugate(struct number a, int operation)
{
    return operation == OP_C ? (struct number){a.re, -a.im} : a;
}

/* ---- y = alpha op(A) x + beta y ---- */

/* cusparseSpMVAlg_t: 1 and 4 are for COO, 2 and 3 for the others. All compute alike here. */
static bool suits(int algorithm, int format)
{
    bool coordinates = algorithm == 1 || algorithm == 4, offsets = algorithm == 2 || algorithm == 3;
    return algorithm == 0 || (format == FORMAT_COO ? coordinates : offsets);
}

static int check_vector_product(struct sparse_call *call, int operation, const void *alpha, const struct sparse_matrix *a,
                                const struct dense_vector *x, const void *beta, const struct dense_vector *y, int compute,
                                int algorithm)
{
    if (!alpha || !a || !x || !beta || !y || !is_operation(operation) || !suits(algorithm, a->format))
        return SPARSE_INVALID_VALUE;
    int64_t rows = operation == OP_N ? a->rows : a->columns, columns = operation == OP_N ? a->columns : a->rows;
    if (x->size != columns || y->size != rows)
        return SPARSE_INVALID_VALUE;
    return one_type(call, compute, a->type, x->type, y->type) ? SPARSE_SUCCESS : SPARSE_NOT_SUPPORTED;
}

int cusparseSpMV_bufferSize(void *handle, int operation, const void *alpha, const void *a, const void *x, const void *beta,
                            void *y, int compute, int algorithm, size_t *size)
{
    struct sparse_call call;
    int status = sparse_begin(&call, handle, "cusparseSpMV_bufferSize");
    if (status == SPARSE_SUCCESS)
        status = check_vector_product(&call, operation, alpha, a, x, beta, y, compute, algorithm);
    if (status == SPARSE_SUCCESS && !size)
        return SPARSE_INVALID_VALUE;
    if (status == SPARSE_SUCCESS)
        *size = SPARSE_WORK_BYTES;
    return status;
}

int cusparseSpMV_preprocess(void *handle, int operation, const void *alpha, const void *a, const void *x, const void *beta,
                            void *y, int compute, int algorithm, void *buffer)
{
    struct sparse_call call;
    int status = sparse_begin(&call, handle, "cusparseSpMV_preprocess");
    if (status == SPARSE_SUCCESS)
        status = check_vector_product(&call, operation, alpha, a, x, beta, y, compute, algorithm);
    return status == SPARSE_SUCCESS && !sparse_work(&call, buffer) ? call.status : status;
}

/* Sums the products of one column of a dense operand, into sums of the rows of op(A). */
static void sum_products(const struct elements *elements, int operation, const void *x, int64_t step, struct number *sums)
{
    for (int64_t k = 0; k < elements->count; k++) {
        struct number a = conjugate(number_at(elements->type, elements->values, k), operation);
        struct number product = number_times(elements->type, a, number_at(elements->type, x, elements->column[k] * step));
        sums[elements->row[k]] = number_plus(sums[elements->row[k]], product);
    }
}

int cusparseSpMV(void *handle, int operation, const void *alpha, const void *a, const void *x, const void *beta, void *y,
                 int compute, int algorithm, void *buffer)
{
    struct sparse_call call;
    struct elements elements;
    struct number factor, old;
    const struct dense_vector *in = x;
    struct dense_vector *out = y;
    int status = sparse_begin(&call, handle, "cusparseSpMV");
    if (status == SPARSE_SUCCESS)
        status = check_vector_product(&call, operation, alpha, a, x, beta, y, compute, algorithm);
    if (status != SPARSE_SUCCESS)
        return status;
    if (!sparse_scalar(&call, alpha, compute, &factor) || !sparse_scalar(&call, beta, compute, &old)
        || !sparse_work(&call, buffer) || !elements_read(&call, a, true, &elements))
        return call.status;
    uint64_t size = sparse_size(compute);
    const void *from = sparse_array(&call, in->values, in->size, size, READ);
    void *to = from ? sparse_array(&call, out->values, out->size, size, number_is_zero(old) ? WRITE : UPDATE) : NULL;
    struct number *sums = to ? sparse_zeros(&call, out->size, sizeof *sums) : NULL;
    if (sums) {
        if (operation != OP_N)
            elements_transpose(&elements);
        sum_products(&elements, operation, from, 1, sums);
        for (int64_t i = 0; i < out->size; i++)
            number_put(compute, to, i, number_blend(compute, factor, sums[i], old, to, i));
    }
    free(sums);
    elements_free(&elements);
    return call.status;
}

/* ---- C = alpha op(A) op(B) + beta C ---- */

static int check_matrix_product(struct sparse_call *call, int op_a, int op_b, const void *alpha,
                                const struct sparse_matrix *a, const struct dense_matrix *b, const void *beta,
                                const struct dense_matrix *c, int compute, int algorithm)
{
    if (!alpha || !a || !b || !beta || !c || !is_operation(op_a) || !is_operation(op_b) || algorithm < 0 || algorithm > 14)
        return SPARSE_INVALID_VALUE;
    int64_t rows = op_a == OP_N ? a->rows : a->columns, inner = op_a == OP_N ? a->columns : a->rows;
    int64_t inner_b = op_b == OP_N ? b->rows : b->columns, columns = op_b == OP_N ? b->columns : b->rows;
    if (inner != inner_b || c->rows != rows || c->columns != columns)
        return SPARSE_INVALID_VALUE;
    if (a->batch > 1 || b->batch > 1 || c->batch > 1) {
        refuse("cuSPARSE", "batches in cusparseSpMM");
        return SPARSE_NOT_SUPPORTED;
    }
    return one_type(call, compute, a->type, b->type, c->type) ? SPARSE_SUCCESS : SPARSE_NOT_SUPPORTED;
}

int cusparseSpMM_bufferSize(void *handle, int op_a, int op_b, const void *alpha, const void *a, const void *b,
                            const void *beta, void *c, int compute, int algorithm, size_t *size)
{
    struct sparse_call call;
    int status = sparse_begin(&call, handle, "cusparseSpMM_bufferSize");
    if (status == SPARSE_SUCCESS)
        status = check_matrix_product(&call, op_a, op_b, alpha, a, b, beta, c, compute, algorithm);
    if (status == SPARSE_SUCCESS && !size)
        return SPARSE_INVALID_VALUE;
    if (status == SPARSE_SUCCESS)
        *size = SPARSE_WORK_BYTES;
    return status;
}

int cusparseSpMM_preprocess(void *handle, int op_a, int op_b, const void *alpha, const void *a, const void *b,
                            const void *beta, void *c, int compute, int algorithm, void *buffer)
{
    struct sparse_call call;
    int status = sparse_begin(&call, handle, "cusparseSpMM_preprocess");
    if (status == SPARSE_SUCCESS)
        status = check_matrix_product(&call, op_a, op_b, alpha, a, b, beta, c, compute, algorithm);
    return status == SPARSE_SUCCESS && !sparse_work(&call, buffer) ? call.status : status;
}

/* Where the element of a dense matrix lies, from its first. */
static int64_t place(const struct dense_matrix *matrix, int64_t row, int64_t column)
{
    return matrix->order == ORDER_COLUMNS ? row + column * matrix->ld : row * matrix->ld + column;
}

static bool multiply(struct sparse_call *call, const struct elements *elements, int op_a, int op_b, struct number factor,
                     const struct dense_matrix *b, const void *from, struct number old, const struct dense_matrix *c,
                     void *to)
{
    struct number *sums = sparse_zeros(call, c->rows, sizeof *sums);
    for (int64_t j = 0; j < c->columns && sums; j++) {
        memset(sums, 0, (size_t)c->rows * sizeof *sums);
        for (int64_t k = 0; k < elements->count; k++) {
            int64_t inner = elements->column[k], at = op_b == OP_N ? place(b, inner, j) : place(b, j, inner);
            struct number x = conjugate(number_at(b->type, from, at), op_b);
            struct number a = conjugate(number_at(b->type, elements->values, k), op_a);
            sums[elements->row[k]] = number_plus(sums[elements->row[k]], number_times(b->type, a, x));
        }
        for (int64_t i = 0; i < c->rows; i++) {
            int64_t at = place(c, i, j);
            number_put(c->type, to, at, number_blend(c->type, factor, sums[i], old, to, at));
        }
    }
    free(sums);
    return sums != NULL;
}

int cusparseSpMM(void *handle, int op_a, int op_b, const void *alpha, const void *a, const void *b, const void *beta,
                 void *c, int compute, int algorithm, void *buffer)
{
    struct sparse_call call;
    struct elements elements;
    struct number factor, old;
    int status = sparse_begin(&call, handle, "cusparseSpMM");
    if (status == SPARSE_SUCCESS)
        status = check_matrix_product(&call, op_a, op_b, alpha, a, b, beta, c, compute, algorithm);
    if (status != SPARSE_SUCCESS)
        return status;
    if (!sparse_scalar(&call, alpha, compute, &factor) || !sparse_scalar(&call, beta, compute, &old)
        || !sparse_work(&call, buffer) || !elements_read(&call, a, true, &elements))
        return call.status;
    if (op_a != OP_N)
        elements_transpose(&elements);
    const void *from = sparse_dense(&call, b, READ);
    void *to = from ? sparse_dense(&call, c, number_is_zero(old) ? WRITE : UPDATE) : NULL;
    if (to)
        multiply(&call, &elements, op_a, op_b, factor, b, from, old, c, to);
    elements_free(&elements);
    return call.status;
}

/* ---- Sparse vectors ---- */

/* The operands of a function of a sparse and a dense vector. */
struct pair {
    const struct sparse_vector *sparse;
    const struct dense_vector *dense;
    const void *indices;
    void *values, *all;
};

/* Looks at the indices, and at the elements of the dense vector that they name: the others need not have been written. */
static bool read_pair(struct sparse_call *call, const void *sparse, const void *dense, int sparse_access, int dense_access,
                      bool all, struct pair *pair)
{
    *pair = (struct pair){.sparse = sparse, .dense = dense};
    const struct sparse_vector *s = sparse;
    const struct dense_vector *d = dense;
    if (!s || !d || s->size != d->size) {
        call->status = SPARSE_INVALID_VALUE;
        return false;
    }
    if (!one_type(call, s->type, s->type, d->type, d->type))
        return false;
    if (s->index_type == INDEX_16U) {
        refuse("cuSPARSE", "indices of 16 bits");
        call->status = SPARSE_NOT_SUPPORTED;
        return false;
    }
    uint64_t size = sparse_size(s->type);
    pair->indices = sparse_array(call, s->indices, s->nnz, sparse_index_size(s->index_type), READ);
    pair->values = pair->indices ? sparse_array(call, s->values, s->nnz, size, sparse_access) : NULL;
    if (pair->values && all)
        pair->all = sparse_array(call, d->values, d->size, size, dense_access);
    for (int64_t k = 0; k < s->nnz && pair->values; k++) {
        int64_t index = index_at(s->index_type, pair->indices, k) - s->base;
        if (index < 0 || index >= s->size) {
            sparse_outside(call, "the index", index, k, s->size);
            return false;
        }
        if (all)
            continue;
        char *one = sparse_array(call, (const char *)d->values + (uint64_t)index * size, 1, size, dense_access);
        if (!one)
            return false;
        pair->all = one - (uint64_t)index * size;
    }
    return pair->values && (pair->all || s->nnz == 0);
}

static int64_t pair_index(const struct pair *pair, int64_t k)
{
    return index_at(pair->sparse->index_type, pair->indices, k) - pair->sparse->base;
}

int cusparseAxpby(void *handle, const void *alpha, const void *x, const void *beta, void *y)
{
    struct sparse_call call;
    struct pair pair;
    struct number factor, old;
    int status = sparse_begin(&call, handle, "cusparseAxpby");
    if (status != SPARSE_SUCCESS)
        return status;
    if (!alpha || !beta || !x || !y)
        return SPARSE_INVALID_VALUE;
    int type = ((const struct sparse_vector *)x)->type;
    if (!sparse_offers(&call, type) || !sparse_scalar(&call, alpha, type, &factor) || !sparse_scalar(&call, beta, type, &old)
        || !read_pair(&call, x, y, READ, number_is_zero(old) ? WRITE : UPDATE, true, &pair))
        return call.status;
    for (int64_t i = 0; i < pair.dense->size; i++)
        number_put(type, pair.all, i, number_is_zero(old) ? old : number_times(type, old, number_at(type, pair.all, i)));
    for (int64_t k = 0; k < pair.sparse->nnz; k++) {
        int64_t at = pair_index(&pair, k);
        struct number product = number_times(type, factor, number_at(type, pair.values, k));
        number_put(type, pair.all, at, number_plus(number_at(type, pair.all, at), product));
    }
    return SPARSE_SUCCESS;
}

int cusparseGather(void *handle, const void *y, void *x)
{
    struct sparse_call call;
    struct pair pair;
    int status = sparse_begin(&call, handle, "cusparseGather");
    if (status != SPARSE_SUCCESS)
        return status;
    if (!read_pair(&call, x, y, WRITE, READ, false, &pair))
        return call.status;
    for (int64_t k = 0; k < pair.sparse->nnz; k++) {
        int64_t at = pair_index(&pair, k);
        number_put(pair.sparse->type, pair.values, k, number_at(pair.sparse->type, pair.all, at));
    }
    return SPARSE_SUCCESS;
}

int cusparseScatter(void *handle, const void *x, void *y)
{
    struct sparse_call call;
    struct pair pair;
    int status = sparse_begin(&call, handle, "cusparseScatter");
    if (status != SPARSE_SUCCESS)
        return status;
    if (!read_pair(&call, x, y, READ, WRITE, false, &pair))
        return call.status;
    for (int64_t k = 0; k < pair.sparse->nnz; k++) {
        int64_t at = pair_index(&pair, k);
        number_put(pair.sparse->type, pair.all, at, number_at(pair.sparse->type, pair.values, k));
    }
    return SPARSE_SUCCESS;
}

int cusparseRot(void *handle, const void *c, const void *s, void *x, void *y)
{
    struct sparse_call call;
    struct pair pair;
    struct number cosine, sine;
    int status = sparse_begin(&call, handle, "cusparseRot");
    if (status != SPARSE_SUCCESS)
        return status;
    if (!c || !s || !x || !y)
        return SPARSE_INVALID_VALUE;
    int type = ((const struct sparse_vector *)x)->type;
    if (!sparse_offers(&call, type) || !sparse_scalar(&call, c, type, &cosine) || !sparse_scalar(&call, s, type, &sine)
        || !read_pair(&call, x, y, UPDATE, UPDATE, false, &pair))
        return call.status;
    for (int64_t k = 0; k < pair.sparse->nnz; k++) {
        int64_t at = pair_index(&pair, k);
        struct number one = number_at(type, pair.values, k), other = number_at(type, pair.all, at);
        number_put(type, pair.values, k, number_plus(number_times(type, cosine, one), number_times(type, sine, other)));
        number_put(type, pair.all, at, number_minus(number_times(type, cosine, other), number_times(type, sine, one)));
    }
    return SPARSE_SUCCESS;
}

int cusparseSpVV_bufferSize(void *handle, int operation, const void *x, const void *y, const void *result, int compute,
                            size_t *size)
{
    struct sparse_call call;
    int status = sparse_begin(&call, handle, "cusparseSpVV_bufferSize");
    if (status != SPARSE_SUCCESS)
        return status;
    if (!x || !y || !result || !size || !is_operation(operation))
        return SPARSE_INVALID_VALUE;
    (void)compute;
    *size = 0;
    return SPARSE_SUCCESS;
}

int cusparseSpVV(void *handle, int operation, const void *x, const void *y, void *result, int compute, void *buffer)
{
    struct sparse_call call;
    struct pair pair;
    int status = sparse_begin(&call, handle, "cusparseSpVV");
    (void)buffer;
    if (status != SPARSE_SUCCESS)
        return status;
    if (!x || !y || !result || !is_operation(operation))
        return SPARSE_INVALID_VALUE;
    int type = ((const struct sparse_vector *)x)->type;
    if (!one_type(&call, compute, type, type, type) || !read_pair(&call, x, y, READ, READ, false, &pair))
        return call.status;
    struct number sum = {0, 0};
    for (int64_t k = 0; k < pair.sparse->nnz; k++) {
        int64_t at = pair_index(&pair, k);
        struct number one = conjugate(number_at(type, pair.values, k), operation), other = number_at(type, pair.all, at);
        sum = number_plus(sum, number_times(type, one, other));
    }
    void *to = sparse_place(&call, result, sparse_size(type), WRITE);
    if (to)
        number_put(type, to, 0, sum);
    return call.status;
}
