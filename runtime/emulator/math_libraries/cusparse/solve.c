/* Systems of equations with triangular sparse matrices. */
#include <stdlib.h>

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"
#include "runtime/emulator/math_libraries/cusparse/interface.h"

/* cusparseSpSVDescr_t, cusparseSpSMDescr_t. */
struct solver {
    const struct sparse_matrix *analyzed; /* the matrix that cusparseSpSV_analysis was given */
    int operation;
};

static int create(void **descriptor)
{
    if (!descriptor)
        return SPARSE_INVALID_VALUE;
    *descriptor = calloc(1, sizeof(struct solver));
    return *descriptor ? SPARSE_SUCCESS : SPARSE_ALLOC_FAILED;
}
static int destroy(void *descriptor)
{
    free(descriptor);
    return SPARSE_SUCCESS;
}
int cusparseSpSV_createDescr(void **descriptor)
{
    return create(descriptor);
}
int cusparseSpSM_createDescr(void **descriptor)
{
    return create(descriptor);
}
int cusparseSpSV_destroyDescr(void *descriptor)
{
    return destroy(descriptor);
}
int cusparseSpSM_destroyDescr(void *descriptor)
{
    return destroy(descriptor);
}

/* A system for one or several right-hand sides, which lie where `step` between rows and `stride` between sides say. */
struct sides {
    int64_t rows, count, step, stride;
};

/* op(A) as rows, of one triangle. */
struct triangle {
    struct elements elements;
    int64_t *first, *position;
    bool lower, unit, conjugated;
};

static bool read_triangle(struct sparse_call *call, const struct sparse_matrix *a, int operation, struct triangle *triangle)
{
    *triangle = (struct triangle){.lower = (a->fill == FILL_LOWER) == (operation == OP_N),
                                  .unit = a->diagonal == DIAGONAL_UNIT,
                                  .conjugated = operation == OP_C};
    if (!elements_read(call, a, true, &triangle->elements))
        return false;
    if (operation != OP_N)
        elements_transpose(&triangle->elements);
    if (elements_by_row(call, &triangle->elements, false, &triangle->first, &triangle->position))
        return true;
    elements_free(&triangle->elements);
    return false;
}

static void free_triangle(struct triangle *triangle)
{
    elements_free(&triangle->elements);
    free(triangle->first);
    free(triangle->position);
}

/* Elements on the other side of the diagonal are not looked at, nor is the diagonal if it is ones. */
static struct number unknown(const struct triangle *triangle, int64_t row, struct number right, const struct number *found)
{
    const struct elements *e = &triangle->elements;
    struct number diagonal = {0, 0};
    for (int64_t i = triangle->first[row]; i < triangle->first[row + 1]; i++) {
        int64_t k = triangle->position[i], column = e->column[k];
        struct number a = number_at(e->type, e->values, k);
        a.im = triangle->conjugated ? -a.im : a.im;
        if (column == row)
            diagonal = number_plus(diagonal, a);
        else if ((column < row) == triangle->lower)
            right = number_minus(right, number_times(e->type, a, found[column]));
    }
    return triangle->unit ? right : number_over(e->type, right, diagonal);
}

static void solve(const struct triangle *triangle, struct number alpha, const void *right, const struct sides *from,
                  bool conjugate_right, void *result, const struct sides *to, struct number *found)
{
    int type = triangle->elements.type;
    for (int64_t side = 0; side < from->count; side++) {
        for (int64_t i = 0; i < from->rows; i++) {
            int64_t row = triangle->lower ? i : from->rows - 1 - i;
            struct number b = number_at(type, right, row * from->step + side * from->stride);
            b.im = conjugate_right ? -b.im : b.im;
            found[row] = unknown(triangle, row, number_times(type, alpha, b), found);
        }
        for (int64_t row = 0; row < from->rows; row++)
            number_put(type, result, row * to->step + side * to->stride, found[row]);
    }
}

static int check_matrix(struct sparse_call *call, int operation, const void *alpha, const struct sparse_matrix *a,
                        int compute, int b_type, int c_type, int algorithm, const void *descriptor)
{
    if (!alpha || !a || operation < OP_N || operation > OP_C || algorithm != 0 || !descriptor || a->rows != a->columns)
        return SPARSE_INVALID_VALUE;
    if (!sparse_offers(call, compute))
        return SPARSE_NOT_SUPPORTED;
    if (a->type == compute && b_type == compute && c_type == compute)
        return SPARSE_SUCCESS;
    refuse("cuSPARSE", "operands of several types in triangular systems");
    return SPARSE_NOT_SUPPORTED;
}

static int check_vectors(struct sparse_call *call, void *handle, int operation, const void *alpha,
                         const struct sparse_matrix *a, const struct dense_vector *x, const struct dense_vector *y,
                         int compute, int algorithm, const void *descriptor)
{
    int status = sparse_begin(call, handle, call->name);
    if (status != SPARSE_SUCCESS)
        return status;
    if (!x || !y)
        return SPARSE_INVALID_VALUE;
    status = check_matrix(call, operation, alpha, a, compute, x->type, y->type, algorithm, descriptor);
    return status == SPARSE_SUCCESS && (x->size != a->rows || y->size != a->rows) ? SPARSE_INVALID_VALUE : status;
}

int cusparseSpSV_bufferSize(void *handle, int operation, const void *alpha, const void *a, const void *x, void *y,
                            int compute, int algorithm, void *descriptor, size_t *size)
{
    struct sparse_call call = {.name = "cusparseSpSV_bufferSize"};
    int status = check_vectors(&call, handle, operation, alpha, a, x, y, compute, algorithm, descriptor);
    if (status == SPARSE_SUCCESS && !size)
        return SPARSE_INVALID_VALUE;
    if (status == SPARSE_SUCCESS)
        *size = SPARSE_WORK_BYTES;
    return status;
}

int cusparseSpSV_analysis(void *handle, int operation, const void *alpha, const void *a, const void *x, void *y, int compute,
                          int algorithm, void *descriptor, void *buffer)
{
    struct sparse_call call = {.name = "cusparseSpSV_analysis"};
    int status = check_vectors(&call, handle, operation, alpha, a, x, y, compute, algorithm, descriptor);
    if (status == SPARSE_SUCCESS && !sparse_work(&call, buffer))
        return call.status;
    if (status == SPARSE_SUCCESS)
        *(struct solver *)descriptor = (struct solver){a, operation};
    return status;
}

int cusparseSpSV_solve(void *handle, int operation, const void *alpha, const void *a, const void *x, void *y, int compute,
                       int algorithm, void *descriptor)
{
    struct sparse_call call = {.name = "cusparseSpSV_solve"};
    const struct dense_vector *right = x, *result = y;
    const struct solver *solver = descriptor;
    struct triangle triangle;
    struct number factor;
    int status = check_vectors(&call, handle, operation, alpha, a, x, y, compute, algorithm, descriptor);
    if (status == SPARSE_SUCCESS && (solver->analyzed != a || solver->operation != operation))
        status = SPARSE_INVALID_VALUE;
    if (status != SPARSE_SUCCESS)
        return status;
    if (!sparse_scalar(&call, alpha, compute, &factor) || !read_triangle(&call, a, operation, &triangle))
        return call.status;
    const struct sides sides = {right->size, 1, 1, 0};
    const void *from = sparse_array(&call, right->values, right->size, sparse_size(compute), READ);
    void *to = from ? sparse_array(&call, result->values, result->size, sparse_size(compute), WRITE) : NULL;
    struct number *found = to ? sparse_zeros(&call, right->size, sizeof *found) : NULL;
    if (found)
        solve(&triangle, factor, from, &sides, false, to, &sides, found);
    free(found);
    free_triangle(&triangle);
    return call.status;
}

static int check_sides(struct sparse_call *call, void *handle, int op_a, int op_b, const void *alpha,
                       const struct sparse_matrix *a, const struct dense_matrix *b, const struct dense_matrix *c,
                       int compute, int algorithm, const void *descriptor)
{
    int status = sparse_begin(call, handle, call->name);
    if (status != SPARSE_SUCCESS)
        return status;
    if (!b || !c || op_b < OP_N || op_b > OP_C)
        return SPARSE_INVALID_VALUE;
    status = check_matrix(call, op_a, alpha, a, compute, b->type, c->type, algorithm, descriptor);
    if (status != SPARSE_SUCCESS)
        return status;
    int64_t rows = op_b == OP_N ? b->rows : b->columns, columns = op_b == OP_N ? b->columns : b->rows;
    return rows != a->rows || c->rows != rows || c->columns != columns ? SPARSE_INVALID_VALUE : SPARSE_SUCCESS;
}

int cusparseSpSM_bufferSize(void *handle, int op_a, int op_b, const void *alpha, const void *a, const void *b, void *c,
                            int compute, int algorithm, void *descriptor, size_t *size)
{
    struct sparse_call call = {.name = "cusparseSpSM_bufferSize"};
    int status = check_sides(&call, handle, op_a, op_b, alpha, a, b, c, compute, algorithm, descriptor);
    if (status == SPARSE_SUCCESS && !size)
        return SPARSE_INVALID_VALUE;
    if (status == SPARSE_SUCCESS)
        *size = SPARSE_WORK_BYTES;
    return status;
}

int cusparseSpSM_analysis(void *handle, int op_a, int op_b, const void *alpha, const void *a, const void *b, void *c,
                          int compute, int algorithm, void *descriptor, void *buffer)
{
    struct sparse_call call = {.name = "cusparseSpSM_analysis"};
    int status = check_sides(&call, handle, op_a, op_b, alpha, a, b, c, compute, algorithm, descriptor);
    if (status == SPARSE_SUCCESS && !sparse_work(&call, buffer))
        return call.status;
    if (status == SPARSE_SUCCESS)
        *(struct solver *)descriptor = (struct solver){a, op_a};
    return status;
}

static struct sides sides_of(const struct dense_matrix *matrix, int operation)
{
    bool by_columns = matrix->order == ORDER_COLUMNS;
    int64_t row = by_columns ? 1 : matrix->ld, column = by_columns ? matrix->ld : 1;
    return operation == OP_N ? (struct sides){matrix->rows, matrix->columns, row, column}
                             : (struct sides){matrix->columns, matrix->rows, column, row};
}

int cusparseSpSM_solve(void *handle, int op_a, int op_b, const void *alpha, const void *a, const void *b, void *c,
                       int compute, int algorithm, void *descriptor)
{
    struct sparse_call call = {.name = "cusparseSpSM_solve"};
    const struct solver *solver = descriptor;
    struct triangle triangle;
    struct number factor;
    int status = check_sides(&call, handle, op_a, op_b, alpha, a, b, c, compute, algorithm, descriptor);
    if (status == SPARSE_SUCCESS && (solver->analyzed != a || solver->operation != op_a))
        status = SPARSE_INVALID_VALUE;
    if (status != SPARSE_SUCCESS)
        return status;
    if (!sparse_scalar(&call, alpha, compute, &factor) || !read_triangle(&call, a, op_a, &triangle))
        return call.status;
    struct sides right = sides_of(b, op_b), result = sides_of(c, OP_N);
    const void *from = sparse_dense(&call, b, READ);
    void *to = from ? sparse_dense(&call, c, WRITE) : NULL;
    struct number *found = to ? sparse_zeros(&call, right.rows, sizeof *found) : NULL;
    if (found)
        solve(&triangle, factor, from, &right, op_b == OP_C, to, &result, found);
    free(found);
    free_triangle(&triangle);
    return call.status;
}
