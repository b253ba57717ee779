/* Which elements of the two factors meet in a wrong element of a product of matrices: from a trace of the thread that stores it,
 * also where they go through shared memory. */
#ifndef ORIGIN_ROUTE_H
#define ORIGIN_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cases_work;
struct source;

/* The element, and who stores it. Borrowed. */
struct origin_route_subject {
    const char *kernel, *place; /* "C[1][0]" */
    const char *input[2];       /* names of the factors */
    size_t row, column;
    size_t columns[2]; /* row lengths of the factors */
    double got;        /* what the case left there */
    uint32_t thread[3], block[3];
    int store_line;              /* of the store to the element */
    const struct source *source; /* NULL: unknown */
};

/* Writes which product is not one of those that belong into the element, where the two factors come from, and a question.
 *   index   of the test
 *   line    out: where the wrong factor is read, or stored in shared memory
 * Or else which products are left out. Returns the pattern, "exchanged", "missing" or "zeroed", a 0 in the place of a factor; NULL, with an empty text, when neither is
 * so, or what the thread multiplies does not add up to what it stored. */
const char *origin_route_find(struct cases_work *work, int index, const struct origin_route_subject *subject, char *text,
                              size_t text_bytes, int *line);

#endif
