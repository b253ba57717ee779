#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"

void sparse_outside(struct sparse_call *call, const char *what, int64_t index, int64_t element, int64_t limit)
{
    fprintf(stderr, "lockstep: %s: %s %lld of element %lld lies outside of 0 to %lld\n", call->name, what, (long long)index,
            (long long)element, (long long)limit - 1);
    call->status = SPARSE_EXECUTION_FAILED;
}

/* Each element's place along the dimension that has offsets. They must begin at 0, not fall, and end at the count. */
static bool spread(struct sparse_call *call, const void *offsets, int type, int base, int64_t outer, int64_t count,
                   int64_t *places)
{
    int64_t before = 0;
    for (int64_t i = 0; i <= outer; i++) {
        int64_t offset = index_at(type, offsets, i) - base;
        if (offset < before || offset > count || (i == 0 && offset != 0) || (i == outer && offset != count)) {
            fprintf(
                stderr,
                "lockstep: %s: offset %lld of the matrix is %lld; offsets begin at %d, do not fall, and end at %lld, the "
                "number of elements and the base\n",
                call->name, (long long)i, (long long)offset + base, base, (long long)count + base);
            call->status = SPARSE_EXECUTION_FAILED;
            return false;
        }
        for (int64_t k = before; k < offset; k++)
            places[k] = i - 1;
        before = offset;
    }
    return true;
}

static bool read_indices(struct sparse_call *call, const void *indices, int type, int base, int64_t limit, int64_t count,
                         const char *what, int64_t *places)
{
    for (int64_t k = 0; k < count; k++) {
        places[k] = index_at(type, indices, k) - base;
        if (places[k] < 0 || places[k] >= limit) {
            sparse_outside(call, what, places[k], k, limit);
            return false;
        }
    }
    return true;
}

bool elements_read(struct sparse_call *call, const struct sparse_matrix *matrix, bool values, struct elements *elements)
{
    bool by_column = matrix->format == FORMAT_CSC, offsets = matrix->format != FORMAT_COO;
    int64_t outer = by_column ? matrix->columns : matrix->rows, inner = by_column ? matrix->rows : matrix->columns;
    *elements =
        (struct elements){.type = matrix->type, .rows = matrix->rows, .columns = matrix->columns, .count = matrix->nnz};
    if (matrix->offset_type == INDEX_16U || matrix->index_type == INDEX_16U) {
        refuse("cuSPARSE", "indices of 16 bits");
        call->status = SPARSE_NOT_SUPPORTED;
        return false;
    }
    const void *first = sparse_array(call, matrix->offsets, offsets ? outer + 1 : matrix->nnz,
                                     sparse_index_size(matrix->offset_type), READ);
    const void *second = first
                             ? sparse_array(call, matrix->indices, matrix->nnz, sparse_index_size(matrix->index_type), READ)
                             : NULL;
    if (second && values)
        elements->values = sparse_array(call, matrix->values, matrix->nnz, sparse_size(matrix->type), READ);
    if (!second || (values && !elements->values))
        return false;
    int64_t *outer_places = sparse_zeros(call, matrix->nnz, sizeof *outer_places);
    int64_t *inner_places = sparse_zeros(call, matrix->nnz, sizeof *inner_places);
    elements->row = by_column ? inner_places : outer_places;
    elements->column = by_column ? outer_places : inner_places;
    bool read = outer_places && inner_places;
    if (read && offsets)
        read = spread(call, first, matrix->offset_type, matrix->base, outer, matrix->nnz, outer_places);
    else if (read)
        read = read_indices(call, first, matrix->offset_type, matrix->base, outer, matrix->nnz, "the row", outer_places);
    read = read
           && read_indices(call, second, matrix->index_type, matrix->base, inner, matrix->nnz,
                           by_column ? "the row" : "the column", inner_places);
    if (!read)
        elements_free(elements);
    return read;
}

bool elements_read_csr(struct sparse_call *call, int64_t rows, int64_t columns, int64_t nnz, const void *values, int type,
                       const int *offsets, const int *indices, int base, struct elements *elements)
{
    struct sparse_matrix matrix = {
        .format = FORMAT_CSR,
        .rows = rows,
        .columns = columns,
        .nnz = nnz,
        .offsets = (void *)offsets,
        .indices = (void *)indices,
        .values = (void *)values,
        .offset_type = INDEX_32I,
        .index_type = INDEX_32I,
        .base = base,
        .type = type,
    };
    return elements_read(call, &matrix, values != NULL, elements);
}

void elements_free(struct elements *elements)
{
    free(elements->row);
    free(elements->column);
    elements->row = elements->column = NULL;
}

void elements_transpose(struct elements *elements)
{
    int64_t *rows = elements->row, count = elements->rows;
    elements->row = elements->column;
    elements->column = rows;
    elements->rows = elements->columns;
    elements->columns = count;
}

/* A counting sort of the positions by `key`, which keeps the order of equal ones. */
static bool sort_by(struct sparse_call *call, const int64_t *key, int64_t keys, int64_t count, const int64_t *from,
                    int64_t *to, int64_t **first)
{
    int64_t *next = sparse_zeros(call, keys + 1, sizeof *next);
    if (!next)
        return false;
    for (int64_t k = 0; k < count; k++)
        next[key[k] + 1]++;
    for (int64_t i = 0; i < keys; i++)
        next[i + 1] += next[i];
    for (int64_t k = 0; k < count; k++) {
        int64_t position = from ? from[k] : k;
        to[next[key[position]]++] = position;
    }
    /* Each entry has become the next one's first. */
    memmove(next + 1, next, (size_t)keys * sizeof *next);
    next[0] = 0;
    if (first)
        *first = next;
    else
        free(next);
    return true;
}

bool elements_by_row(struct sparse_call *call, const struct elements *elements, bool sorted, int64_t **first,
                     int64_t **position)
{
    int64_t *columns = NULL, *rows = sparse_zeros(call, elements->count, sizeof *rows);
    bool done = rows != NULL;
    if (done && sorted) {
        columns = sparse_zeros(call, elements->count, sizeof *columns);
        done = columns && sort_by(call, elements->column, elements->columns, elements->count, NULL, columns, NULL);
    }
    done = done && sort_by(call, elements->row, elements->rows, elements->count, columns, rows, first);
    free(columns);
    *position = rows;
    if (!done) {
        free(rows);
        *position = NULL;
    }
    return done;
}
