/* C = alpha A B of sparse matrices in CSR format. The product is computed when its size is asked for, kept, and copied when the
 * program has made room for it. */
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"
#include "runtime/emulator/math_libraries/cusparse/interface.h"

/* cusparseSpGEMMDescr_t. */
struct product {
    bool estimated;
    int type;
    int64_t rows, columns, count, products;
    int64_t *first, *column; /* [rows + 1], [count]; NULL before it is computed */
    struct number *values;   /* [count] */
};

int cusparseSpGEMM_createDescr(void **descriptor)
{
    if (!descriptor)
        return SPARSE_INVALID_VALUE;
    *descriptor = calloc(1, sizeof(struct product));
    return *descriptor ? SPARSE_SUCCESS : SPARSE_ALLOC_FAILED;
}

static void forget(struct product *product)
{
    free(product->first);
    free(product->column);
    free(product->values);
    product->first = product->column = NULL;
    product->values = NULL;
}

int cusparseSpGEMM_destroyDescr(void *descriptor)
{
    if (descriptor)
        forget(descriptor);
    free(descriptor);
    return SPARSE_SUCCESS;
}

static int check(struct sparse_call *call, int op_a, int op_b, const void *alpha, const struct sparse_matrix *a,
                 const struct sparse_matrix *b, const void *beta, const struct sparse_matrix *c, int compute, int algorithm,
                 const struct product *product)
{
    if (!alpha || !a || !b || !beta || !c || !product || op_a < OP_N || op_a > OP_C || op_b < OP_N || op_b > OP_C
        || algorithm < 0 || algorithm > 5)
        return SPARSE_INVALID_VALUE;
    if (a->columns != b->rows || c->rows != a->rows || c->columns != b->columns)
        return SPARSE_INVALID_VALUE;
    if (op_a != OP_N || op_b != OP_N) { /* nor does NVIDIA's library */
        refuse("cuSPARSE", "transposed matrices in cusparseSpGEMM");
        return SPARSE_NOT_SUPPORTED;
    }
    if (a->format != FORMAT_CSR || b->format != FORMAT_CSR || c->format != FORMAT_CSR) {
        refuse("cuSPARSE", "formats other than CSR in cusparseSpGEMM");
        return SPARSE_NOT_SUPPORTED;
    }
    if (!sparse_offers(call, compute))
        return SPARSE_NOT_SUPPORTED;
    if (a->type == compute && b->type == compute && c->type == compute)
        return SPARSE_SUCCESS;
    refuse("cuSPARSE", "operands of several types in cusparseSpGEMM");
    return SPARSE_NOT_SUPPORTED;
}

int cusparseSpGEMM_workEstimation(void *handle, int op_a, int op_b, const void *alpha, const void *a, const void *b,
                                  const void *beta, void *c, int compute, int algorithm, void *descriptor, size_t *size,
                                  void *buffer)
{
    struct sparse_call call;
    struct product *product = descriptor;
    int status = sparse_begin(&call, handle, "cusparseSpGEMM_workEstimation");
    if (status == SPARSE_SUCCESS)
        status = check(&call, op_a, op_b, alpha, a, b, beta, c, compute, algorithm, product);
    if (status == SPARSE_SUCCESS && !size)
        status = SPARSE_INVALID_VALUE;
    if (status != SPARSE_SUCCESS)
        return status;
    if (!buffer) {
        *size = SPARSE_WORK_BYTES;
        return SPARSE_SUCCESS;
    }
    if (!sparse_work(&call, buffer))
        return call.status;
    product->estimated = true;
    return SPARSE_SUCCESS;
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* One row of the product: `columns` gets those that have an element, in order, and `sums` their values. */
struct row {
    int64_t *mark;       /* [columns of B]: the row that last had an element there, from 1 */
    int64_t *columns;    /* [columns of B] */
    struct number *sums; /* [columns of B] */
    int64_t count;
};

static void add_row(struct row *row, int64_t number, const struct elements *a, const int64_t *a_first, const int64_t *a_at,
                    const struct elements *b, const int64_t *b_first, const int64_t *b_at, int64_t *products)
{
    row->count = 0;
    for (int64_t i = a_first[number]; i < a_first[number + 1]; i++) {
        struct number factor = number_at(a->type, a->values, a_at[i]);
        int64_t inner = a->column[a_at[i]];
        *products += b_first[inner + 1] - b_first[inner];
        for (int64_t j = b_first[inner]; j < b_first[inner + 1]; j++) {
            int64_t column = b->column[b_at[j]];
            struct number value = number_times(a->type, factor, number_at(b->type, b->values, b_at[j]));
            bool new = row->mark[column] != number + 1;
            if (new)
                row->columns[row->count++] = column;
            row->mark[column] = number + 1;
            row->sums[column] = new ? value : number_plus(row->sums[column], value);
        }
    }
    qsort(row->columns, (size_t)row->count, sizeof *row->columns, compare);
}

/* Room for `more` elements after those that are there. */
static bool grow(struct product *product, int64_t more, int64_t *room)
{
    if (product->count + more <= *room)
        return true;
    int64_t wanted = 2 * (product->count + more);
    void *columns = realloc(product->column, (size_t)wanted * sizeof *product->column);
    if (!columns)
        return false;
    product->column = columns;
    void *values = realloc(product->values, (size_t)wanted * sizeof *product->values);
    if (!values)
        return false;
    product->values = values;
    *room = wanted;
    return true;
}

static bool multiply(struct sparse_call *call, struct product *product, struct number alpha, const struct elements *a,
                     const struct elements *b)
{
    int64_t *a_first = NULL, *a_at = NULL, *b_first = NULL, *b_at = NULL, room = 0;
    struct row row = {.mark = sparse_zeros(call, b->columns, sizeof *row.mark),
                      .columns = sparse_zeros(call, b->columns, sizeof *row.columns),
                      .sums = sparse_zeros(call, b->columns, sizeof *row.sums)};
    bool done = row.mark && row.columns && row.sums && elements_by_row(call, a, false, &a_first, &a_at)
                && elements_by_row(call, b, false, &b_first, &b_at);
    forget(product);
    product->type = a->type, product->rows = a->rows, product->columns = b->columns, product->count = product->products = 0;
    product->first = done ? sparse_zeros(call, a->rows + 1, sizeof *product->first) : NULL;
    done = product->first && grow(product, 1, &room);
    for (int64_t i = 0; i < a->rows && done; i++) {
        add_row(&row, i, a, a_first, a_at, b, b_first, b_at, &product->products);
        done = grow(product, row.count, &room);
        for (int64_t k = 0; k < row.count && done; k++) {
            product->column[product->count] = row.columns[k];
            product->values[product->count++] = number_times(a->type, alpha, row.sums[row.columns[k]]);
        }
        product->first[i + 1] = product->count;
    }
    free(row.mark), free(row.columns), free(row.sums);
    free(a_first), free(a_at), free(b_first), free(b_at);
    if (!done)
        call->status = SPARSE_ALLOC_FAILED;
    return done;
}

int cusparseSpGEMM_compute(void *handle, int op_a, int op_b, const void *alpha, const void *a, const void *b,
                           const void *beta, void *c, int compute, int algorithm, void *descriptor, size_t *size,
                           void *buffer)
{
    struct sparse_call call;
    struct product *product = descriptor;
    struct elements left, right;
    struct number factor, old;
    int status = sparse_begin(&call, handle, "cusparseSpGEMM_compute");
    if (status == SPARSE_SUCCESS)
        status = check(&call, op_a, op_b, alpha, a, b, beta, c, compute, algorithm, product);
    if (status == SPARSE_SUCCESS && (!size || !product->estimated))
        status = SPARSE_INVALID_VALUE;
    if (status != SPARSE_SUCCESS)
        return status;
    if (!buffer) {
        *size = SPARSE_WORK_BYTES;
        return SPARSE_SUCCESS;
    }
    if (!sparse_work(&call, buffer) || !sparse_scalar(&call, alpha, compute, &factor)
        || !sparse_scalar(&call, beta, compute, &old))
        return call.status;
    if (!number_is_zero(old)) {
        refuse("cuSPARSE", "a beta other than 0 in cusparseSpGEMM");
        return SPARSE_NOT_SUPPORTED;
    }
    if (!elements_read(&call, a, true, &left))
        return call.status;
    if (elements_read(&call, b, true, &right)) {
        if (multiply(&call, product, factor, &left, &right))
            ((struct sparse_matrix *)c)->nnz = product->count;
        elements_free(&right);
    }
    elements_free(&left);
    return call.status;
}

int cusparseSpGEMM_copy(void *handle, int op_a, int op_b, const void *alpha, const void *a, const void *b, const void *beta,
                        void *c, int compute, int algorithm, void *descriptor)
{
    struct sparse_call call;
    const struct product *product = descriptor;
    struct sparse_matrix *to = c;
    int status = sparse_begin(&call, handle, "cusparseSpGEMM_copy");
    if (status == SPARSE_SUCCESS)
        status = check(&call, op_a, op_b, alpha, a, b, beta, c, compute, algorithm, product);
    if (status != SPARSE_SUCCESS)
        return status;
    if (!product->first || product->count != to->nnz)
        return SPARSE_INVALID_VALUE;
    void *offsets = sparse_array(&call, to->offsets, to->rows + 1, sparse_index_size(to->offset_type), WRITE);
    void *indices = offsets ? sparse_array(&call, to->indices, to->nnz, sparse_index_size(to->index_type), WRITE) : NULL;
    void *values = indices ? sparse_array(&call, to->values, to->nnz, sparse_size(to->type), WRITE) : NULL;
    if (!values)
        return call.status;
    for (int64_t i = 0; i <= to->rows; i++)
        index_put(to->offset_type, offsets, i, product->first[i] + to->base);
    for (int64_t k = 0; k < product->count; k++) {
        index_put(to->index_type, indices, k, product->column[k] + to->base);
        number_put(to->type, values, k, product->values[k]);
    }
    return SPARSE_SUCCESS;
}

int cusparseSpGEMM_getNumProducts(void *descriptor, int64_t *count)
{
    const struct product *product = descriptor;
    if (!product || !count || !product->first)
        return SPARSE_INVALID_VALUE;
    *count = product->products;
    return SPARSE_SUCCESS;
}
