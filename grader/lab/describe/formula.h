/* Arithmetic on the sizes of a case, as a lab's description writes it: "2 * sectors(rows * columns)".
 *
 *   numbers    12, 0.5, 1e6, 2^24 (the power binds first and to the right)
 *   names      those of the sizes, and what else the caller declares
 *   operators  + - * / (a fraction stays one) and brackets
 *   functions  a row each in the table of formula.c: ceil(x), floor(x), min(a, b), max(a, b), log2(x), sqrt(x),
 *              warps(count), sectors(count), sectors(count, bytes of an element)
 *
 * Values are doubles: whole numbers are exact up to 2^53. */
#ifndef FORMULA_H
#define FORMULA_H

#include <stdbool.h>
#include <stddef.h>

struct formula;

/* Compiles the text. `names` are the variables, in the order in which formula_value gets them. Returns the formula, owned
 * by the caller (formula_destroy); NULL with a message that names the column: "column 5: unknown name row; known are
 * rows, columns". */
struct formula *formula_create(const char *text, const char *const *names, int name_count, char *message,
                               size_t message_bytes);

/* Its value for the variables. Division by zero gives an infinity or NaN, as in C. */
double formula_value(const struct formula *formula, const double *variables);

/* Whether the value depends on no variable. */
bool formula_is_constant(const struct formula *formula);

void formula_destroy(struct formula *formula);

#endif
