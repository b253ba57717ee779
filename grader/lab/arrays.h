/* The arrays and scalars of a case: how large they are, and what they hold. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "grader/lab/lab.h"

/* Bytes of one element of an array. */
size_t arrays_element_bytes(const struct lab *lab, int index);

/* Bytes of an array of the case. */
size_t arrays_bytes(const struct lab *lab, const struct lab_case *the_case, int index);

/* Elements of all arrays of the case together. */
size_t arrays_elements(const struct lab *lab, const struct lab_case *the_case);

/* Has the lab fill the inputs and draw the scalars, which then are numbers that their types have. */
void arrays_fill(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data);

#endif
