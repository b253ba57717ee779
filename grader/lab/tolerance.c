#include "grader/lab/tolerance.h"

#include <math.h>
#include <stdio.h>

static double worst_case(double unit, double roundings)
{
    double product = roundings * unit;
    return product < 1.0 ? product / (1.0 - product) : (double)INFINITY;
}

static double relative(double unit, double roundings)
{
    return fmin(TOLERANCE_LAMBDA * sqrt(roundings) * unit, worst_case(unit, roundings));
}

double tolerance_worst_case(double roundings)
{
    return worst_case(TOLERANCE_UNIT, roundings);
}

double tolerance_relative(double roundings)
{
    return relative(TOLERANCE_UNIT, roundings);
}

double tolerance_sum_in(enum lab_type type, int64_t terms, double term_roundings, double sum_of_absolutes)
{
    /* Half the smallest subnormal number is the error of a product that underflows (Higham, section 2.2); sums never do. */
    return relative(types_unit(type), (double)(terms - 1) + term_roundings) * sum_of_absolutes
           + (double)terms * ldexp(1.0, types_get(type)->least);
}

double tolerance_sum(int64_t terms, double term_roundings, double sum_of_absolutes)
{
    return tolerance_sum_in(LAB_FLOAT32, terms, term_roundings, sum_of_absolutes);
}

double tolerance_matrix_sum(int64_t terms, double sum_of_absolutes)
{
    return tolerance_worst_case(3.0 * 16 * ceil((double)terms / 16)) * sum_of_absolutes;
}

double tolerance_tree(int depth, double term_roundings, double sum_of_absolutes)
{
    return tolerance_worst_case(depth + term_roundings) * sum_of_absolutes;
}

double tolerance_value(double roundings, double value)
{
    return tolerance_worst_case(roundings) * fabs(value);
}

double tolerance_ulp_in(enum lab_type type, double value)
{
    double magnitude = fabs(types_round(type, value));
    if (!isfinite(magnitude)) {
        return (double)INFINITY;
    }
    return types_next(type, magnitude, (double)INFINITY) - magnitude;
}

double tolerance_ulp(double value)
{
    return tolerance_ulp_in(LAB_FLOAT32, value);
}

/* ---- rules -------------------------------------------------------------------------------------------------------- */

static double bound_of(const struct lab_tolerance *tolerance, enum lab_type type, int64_t terms, double want,
                       double absolute)
{
    enum lab_type in = tolerance->computed_in == LAB_NO_TYPE ? type : tolerance->computed_in;
    double last = in == type ? 0
                             : types_unit(type) * fabs(want) + ldexp(1.0, types_get(type)->least); /* one more rounding */
    switch (tolerance->kind) {
    case LAB_ULPS: return tolerance->amount * tolerance_ulp_in(type, want);
    case LAB_RELATIVE: return tolerance->amount * fabs(want);
    case LAB_ABSOLUTE: return tolerance->amount;
    case LAB_SUM: return tolerance_sum_in(in, terms, tolerance->amount, absolute) + last;
    case LAB_MATRIX_SUM: return tolerance_matrix_sum(terms, absolute);
    case LAB_EXACT:
    case LAB_BY_REFERENCE: break;
    }
    return 0;
}

static void describe(const struct lab_tolerance *tolerance, int64_t terms, char *text, size_t text_bytes)
{
    switch (tolerance->kind) {
    case LAB_EXACT:
    case LAB_BY_REFERENCE: snprintf(text, text_bytes, "only the exact result"); break;
    case LAB_ULPS:
        snprintf(text, text_bytes, "up to %g unit%s in the last place from the right result", tolerance->amount,
                 tolerance->amount == 1 ? "" : "s");
        break;
    case LAB_RELATIVE: snprintf(text, text_bytes, "an error of up to %g times the right result", tolerance->amount); break;
    case LAB_ABSOLUTE: snprintf(text, text_bytes, "an error of up to %g", tolerance->amount); break;
    case LAB_SUM:
        snprintf(text, text_bytes, "the rounding errors of a sum of %lld term%s, added in any order", (long long)terms,
                 terms == 1 ? "" : "s");
        break;
    case LAB_MATRIX_SUM:
        snprintf(text, text_bytes, "the errors of a sum of %lld product%s in float, by matrix instructions or in any order",
                 (long long)terms, terms == 1 ? "" : "s");
        break;
    }
}

void tolerance_apply(const struct lab_tolerance *tolerance, int64_t terms, const double *absolute,
                     struct lab_expected *expected, char *text, size_t text_bytes)
{
    if (tolerance->kind == LAB_BY_REFERENCE)
        return;
    if (!expected->rule) {
        describe(tolerance, terms, text, text_bytes);
        expected->rule = text;
    }
    if (!expected->f || tolerance->kind == LAB_EXACT)
        expected->bound = NULL;
    for (size_t i = 0; expected->f && i < expected->count; i++) {
        double want = expected->f[i], rounded = types_round(expected->type, want);
        if (expected->bound)
            expected->bound[i] = bound_of(tolerance, expected->type, terms, want, absolute ? absolute[i] : 0);
        /* What lies beyond the type's largest number is infinite in it. */
        if (tolerance->kind == LAB_EXACT || isinf(rounded))
            expected->f[i] = rounded;
    }
}
