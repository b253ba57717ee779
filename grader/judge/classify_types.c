#include "grader/judge/classify_try.h"

#include <math.h>

/* Values that went through a type too narrow for them. */

/* Largest float whose neighbours are less than 1/4 away: above, whole numbers are not a surprise. */
#define FRACTION_MAX 0x1p21
/* Lost fractions of two terms, each below 1. */
#define MOST_LOST 2

bool classify_try_whole_numbers(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    size_t lost = 0;
    if (!classify_is_float(input)) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        double got = classify_got_value(input, i), want = expected->f[i];
        bool compared = isfinite(got) && isfinite(want) && fabs(want) < FRACTION_MAX;
        if (!isfinite(got) && isfinite(want)) {
            return false;
        }
        if ((isfinite(got) && got != rint(got)) || (compared && classify_is_bad(input, i) && fabs(got - want) > MOST_LOST)) {
            return false;
        }
        lost += isfinite(got) && fabs(want) < FRACTION_MAX && want != rint(want) && classify_is_bad(input, i);
    }
    if (lost < CLASSIFY_ENOUGH) {
        return false;
    }
    classify_say(result, "Every value is a whole number: the fractions are lost. Which variable on the way is an int?");
    return classify_found(result, "other");
}

/* Relative error up to which a value is right in its first digits: that of bfloat16, with some roundings on top. */
#define COARSE_RELATIVE 0x1p-7

bool classify_try_few_digits(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    size_t near = 0, bad = input->comparison->bad_count, too_large = 0;
    double digits = 0, largest = 0;
    if (!classify_is_float(input) || input->comparison->not_finite_count > 0) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        double want = expected->f[i], got = classify_got_value(input, i), error = fabs(got - want);
        if (isfinite(want)) {
            largest = fmax(largest, fabs(want));
        }
        if (classify_is_bad(input, i) && error <= COARSE_RELATIVE * fabs(want)) {
            near++;
            too_large += fabs(got) > fabs(want);
            digits -= log10(error / fabs(want));
        }
    }
    /* Roundings go up and down; an error of one sign comes from a wrong formula. */
    bool both_signs = too_large >= near / 4 && near - too_large >= near / 4;
    if (near < CLASSIFY_ENOUGH || near < bad - bad / 8 || !both_signs
        || input->comparison->worst_error > COARSE_RELATIVE * largest) {
        return false;
    }
    classify_say(result, "The values are right to about %d digits, and a float has 7. Which type on the way keeps fewer?",
                 (int)floor(digits / (double)near));
    return classify_found(result, "other");
}

bool classify_try_wrapped(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    const uint32_t *got = input->wrong.got;
    if (classify_is_float(input) || input->comparison->bad_count < CLASSIFY_ENOUGH) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        if ((got[i] - (uint32_t)expected->i[i]) % 65536 != 0) {
            return false;
        }
    }
    classify_say(
        result,
        "Every wrong element is off by a multiple of 65536 = 2^16: the lower 16 bits are right. Which variable on the way "
        "has only 16?");
    return classify_found(result, "other");
}
