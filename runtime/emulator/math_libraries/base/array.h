/* Vectors and matrices as BLAS lays them out: column by column, `ld` elements from one column to the next. Each function asks
 * the driver for exactly the elements that BLAS refers to (operand.h): what lies between them is neither read nor written.
 *
 * Counts, increments and leading dimensions are in elements, `size` is an element's bytes. Whoever calls has checked the
 * sizes against one another (ld >= rows). All return where the array lies in this process, or NULL as operand() does; a
 * pointer that must not be used where the array has no elements. */
#ifndef EMULATOR_MATH_ARRAY_H
#define EMULATOR_MATH_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

/* Who asks: as operand() wants it. */
struct caller {
    const char *call;
    void *stream;
};

/* An increment of 0 means one element; a negative one the same memory as its absolute value. */
void *array_vector(const struct caller *caller, const void *pointer, int64_t count, int64_t increment, uint64_t size,
                   int access);
void *array_matrix(const struct caller *caller, const void *pointer, int64_t rows, int64_t columns, int64_t ld,
                   uint64_t size, int access);
/* One triangle of an n x n matrix; without its diagonal for `unit`. */
void *array_triangle(const struct caller *caller, const void *pointer, bool upper, bool unit, int64_t n, int64_t ld,
                     uint64_t size, int access);
/* The diagonals of a rows x columns matrix from `below` below the main one to `above` above it, in BLAS's band storage: the
 * main diagonal in row `above`. */
void *array_band(const struct caller *caller, const void *pointer, int64_t rows, int64_t columns, int64_t below,
                 int64_t above, int64_t ld, uint64_t size, int access);

#endif
