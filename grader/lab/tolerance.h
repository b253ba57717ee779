/* How far a correct float result may be from the reference in double: bounds that are derived, not guessed.
 *
 * u = 2^-24 is the unit roundoff of float: a correctly rounded operation returns (a op b)(1 + d) with |d| <= u (IEEE 754;
 * CUDA C++ Programming Guide, "Floating-Point Standard": +, -, *, /, fma and sqrt are correctly rounded unless fast math is
 * asked for). Bounds below follow N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., chapters 3 and
 * 4, and N. J. Higham, T. Mary, "A New Approach to Probabilistic Rounding Error Analysis", SIAM J. Sci. Comput. 41 (2019).
 */
#ifndef GRADER_TOLERANCE_H
#define GRADER_TOLERANCE_H

#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"

/* Labs' modules call these. */
#pragma GCC visibility push(default)

/* u = 2^-24. */
#define TOLERANCE_UNIT 5.9604644775390625e-08

/* lambda of the probabilistic bound: n roundings of either sign exceed lambda * sqrt(n) * u with a probability of at most
 * 2 exp(-lambda^2 / 2), 3e-8 for 6 (Higham and Mary, theorem 2.4). */
#define TOLERANCE_LAMBDA 6.0

/* gamma_n = n u / (1 - n u): the relative error of any n roundings in a row, worst case (Higham, lemma 3.1); infinite from
 * n u = 1 on. */
double tolerance_worst_case(double roundings);

/* min(lambda sqrt(n) u, gamma_n): relative to the sum of the absolute values. */
double tolerance_relative(double roundings);

/* Bound for a float sum of `terms` numbers in *any* order, each of which already carries `term_roundings` roundings:
 * tolerance_relative(terms - 1 + term_roundings) * sum_of_absolutes, and for underflow one smallest subnormal a term. A dot
 * product of K products is tolerance_sum(K, 1, sum |a b|). */
double tolerance_sum(int64_t terms, double term_roundings, double sum_of_absolutes);

/* The same for a sum that is added in another float type: with its unit roundoff and its smallest number. */
double tolerance_sum_in(enum lab_type type, int64_t terms, double term_roundings, double sum_of_absolutes);

/* Bound for a sum of `terms` products of halves in float, by matrix instructions or in any other way. A product of halves is
 * exact: it has 22 bits. A tensor core adds a group of products to the sum so far at once. It truncates: each term below the
 * largest one's last bit, then the result, where float arithmetic would round to nearest, so errors have one sign and the
 * probabilistic bound does not apply. Volta adds 4 products at a time and truncates each of the 4 + 1 terms and the result
 * to 24 bits: 6 errors below 2u of the sum of absolutes for 4 products, 3u for each. Later devices add more products at a
 * time and keep more bits, and n roundings to nearest are below n u (Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior
 * of NVIDIA tensor cores", PeerJ Computer Science 7:e330, 2021). So: 3u a product, their number rounded up to the 16 of an
 * instruction. */
double tolerance_matrix_sum(int64_t terms, double sum_of_absolutes);

/* Bound for a float sum whose order is fixed to a tree in which no term passes through more than `depth` additions. */
double tolerance_tree(int depth, double term_roundings, double sum_of_absolutes);

/* Bound for one value that went through `roundings` roundings, worst case: gamma |value|. */
double tolerance_value(double roundings, double value);

/* The number of the type that is nearest to `value` and its neighbours are at most this far apart: one unit in the last
 * place, in double; infinite for an infinity. tolerance_ulp: of float. */
double tolerance_ulp(double value);
double tolerance_ulp_in(enum lab_type type, double value);

/* Fills the bounds of an output by its rule, and says the rule where the reference did not.
 *   absolute   what the reference expects of the absolute values of all inputs; of the two sums, else NULL
 *   terms      of the two sums
 *   text       [text_bytes] room for the rule's words, which live as long as `expected` */
void tolerance_apply(const struct lab_tolerance *tolerance, int64_t terms, const double *absolute,
                     struct lab_expected *expected, char *text, size_t text_bytes);

#pragma GCC visibility pop

#endif
