#include "grader/lab/tolerance.h"

#include <math.h>

double tolerance_worst_case(double roundings)
{
    double product = roundings * TOLERANCE_UNIT;
    return product < 1.0 ? product / (1.0 - product) : (double)INFINITY;
}

double tolerance_relative(double roundings)
{
    return fmin(TOLERANCE_LAMBDA * sqrt(roundings) * TOLERANCE_UNIT, tolerance_worst_case(roundings));
}

double tolerance_sum(int64_t terms, double term_roundings, double sum_of_absolutes)
{
    /* Half the smallest subnormal float is the error of a product that underflows (Higham, section 2.2); sums never do. */
    return tolerance_relative((double)(terms - 1) + term_roundings) * sum_of_absolutes + (double)terms * 0x1p-149;
}

double tolerance_tree(int depth, double term_roundings, double sum_of_absolutes)
{
    return tolerance_worst_case(depth + term_roundings) * sum_of_absolutes;
}

double tolerance_value(double roundings, double value)
{
    return tolerance_worst_case(roundings) * fabs(value);
}

double tolerance_ulp(double value)
{
    float magnitude = fabsf((float)value);
    if (!isfinite(magnitude)) {
        return (double)INFINITY;
    }
    return (double)nextafterf(magnitude, INFINITY) - (double)magnitude;
}
