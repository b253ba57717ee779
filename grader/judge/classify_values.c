#include "grader/judge/classify_try.h"

#include <math.h>
#include <stddef.h>

/* Whether got[i] is what belongs to i - by, wherever both exist. */
static bool is_shifted(const struct classify_input *input, ptrdiff_t by)
{
    size_t count = classify_expected_of(input)->count, explained_bad = 0;
    size_t first = by > 0 ? (size_t)by : 0, end = by < 0 ? count - (size_t)-by : count;
    for (size_t i = first; i < end; i++) {
        if (!classify_has_value_of(input, i, (size_t)((ptrdiff_t)i - by))) {
            return false;
        }
        explained_bad += classify_is_bad(input, i);
    }
    return explained_bad >= CLASSIFY_ENOUGH && explained_bad * 2 >= end - first;
}

bool classify_try_shifted(const struct classify_input *input, struct classify_result *result)
{
    ptrdiff_t block = (ptrdiff_t)classify_block_of(input), count = (ptrdiff_t)classify_expected_of(input)->count;
    const ptrdiff_t candidates[] = {1, -1, 2, -2, block, -block};
    for (size_t k = 0; k < sizeof candidates / sizeof *candidates; k++) {
        ptrdiff_t by = candidates[k], distance = by < 0 ? -by : by;
        if (distance > 0 && distance + CLASSIFY_ENOUGH <= count && is_shifted(input, by)) {
            classify_say(
                result,
                "Every element has the value that belongs %td place%s to its %s. Which element does thread 0 work on?",
                distance, distance == 1 ? "" : "s", by > 0 ? "left" : "right");
            return classify_found(result, "shifted");
        }
    }
    return false;
}

bool classify_try_transposed(const struct classify_input *input, struct classify_result *result)
{
    size_t count = classify_expected_of(input)->count, columns = classify_expected_of(input)->columns, explained_bad = 0;
    if (columns < 2 || count / columns < 2) {
        return false;
    }
    size_t rows = count / columns;
    for (size_t i = 0; i < count; i++) {
        /* Place i of a matrix that was written column by column holds row i % rows, column i / rows. */
        size_t place = i % rows * columns + i / rows;
        if (!classify_has_value_of(input, i, place)) {
            return false;
        }
        explained_bad += classify_is_bad(input, i);
    }
    if (explained_bad < CLASSIFY_ENOUGH) {
        return false;
    }
    classify_say(result, "This is the transposed matrix: row and column are exchanged. Which of x and y runs along a row?");
    return classify_found(result, "transposed");
}

/* got - want of element i: for integers modulo 2 to their width, as the hardware adds. */
static double difference(const struct classify_input *input, size_t i)
{
    if (classify_is_float(input)) {
        return classify_got_value(input, i) - classify_expected_of(input)->f[i];
    }
    const struct lab_expected *expected = classify_expected_of(input);
    unsigned unused = 64 - 8 * types_get(expected->type)->bytes;
    uint64_t bits = (uint64_t)types_get_integer(expected->type, input->wrong.got, i) - (uint64_t)expected->i[i];
    return (double)((int64_t)(bits << unused) >> unused);
}

/* How far off the last digits of element i may be: its bound, and the roundings of whatever was added wrongly. */
static double blur(const struct classify_input *input, size_t i)
{
    double rounding = classify_is_float(input) ? 4 * classify_unit_of(input) * fabs(classify_got_value(input, i)) : 0;
    return classify_bound_of(classify_expected_of(input), i) + rounding;
}

/* Whether elements [first, end) are all right (offset 0) or all wrong by the same amount: for floats up to their blur, and
 * by far more than that. */
static bool is_offset(const struct classify_input *input, size_t first, size_t end, double *offset)
{
    bool bad = classify_is_bad(input, first);
    for (size_t i = first; i < end; i++) {
        if (classify_is_bad(input, i) != bad) {
            return false;
        }
    }
    *offset = bad ? difference(input, first) : 0;
    for (size_t i = first; i < end && bad; i++) {
        double here = difference(input, i), allowed = blur(input, i) + blur(input, first);
        if (!isfinite(here) || fabs(here - *offset) > allowed || fabs(*offset) <= 64 * allowed) {
            return false;
        }
    }
    return true;
}

static void say_offset(struct classify_result *result, double offset)
{
    classify_say(result, "too %s by %.10g", offset < 0 ? "low" : "high", fabs(offset));
}

bool classify_try_block_constant(const struct classify_input *input, struct classify_result *result)
{
    size_t count = classify_expected_of(input)->count, block = classify_block_of(input), wrong_blocks = 0, shown = 0;
    double shown_offset = 0, whole = 0;
    if (count < CLASSIFY_ENOUGH || classify_output_of(input)->scalar) {
        return false;
    }
    if (is_offset(input, 0, count, &whole) && whole != 0) {
        classify_say(result, "Every element is ");
        say_offset(result, whole);
        classify_say(result, fabs(whole) == 1 && !classify_is_float(input)
                                 ? ": off by one. Where does the count begin, at 0 or at 1?"
                                 : ". What was added to all of them?");
        return classify_found(result, "other");
    }
    if (block < CLASSIFY_ENOUGH || count <= block) {
        return false;
    }
    for (size_t first = 0; first < count; first += block) {
        double offset;
        size_t end = count - first < block ? count : first + block;
        if (!is_offset(input, first, end, &offset)) {
            return false;
        }
        if (offset != 0) {
            shown = wrong_blocks == 0 ? first / block : shown;
            shown_offset = wrong_blocks == 0 ? offset : shown_offset;
            wrong_blocks++;
        }
    }
    if (input->comparison->bad_count < CLASSIFY_ENOUGH) {
        return false;
    }
    classify_say(result, "Within a block all elements are wrong by the same amount: those of block %zu are ", shown);
    say_offset(result, shown_offset);
    classify_say(result, "%s. What is added to every element of a block?",
                 wrong_blocks > 1 ? ", other blocks by other amounts" : "");
    return classify_found(result, "block_constant");
}

/* Floats that are all the same multiple of what they should be. */
static bool try_ratio(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    size_t largest = input->comparison->first_bad;
    if (!classify_is_float(input) || input->comparison->bad_count < CLASSIFY_ENOUGH) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        bool larger = fabs(expected->f[i]) > fabs(expected->f[largest]);
        largest = classify_is_bad(input, i) && isfinite(expected->f[i]) && larger ? i : largest;
    }
    double ratio = classify_got_value(input, largest) / expected->f[largest];
    if (!isfinite(ratio) || fabs(ratio) < 0x1p-20 || fabs(ratio - 1) < 0x1p-14) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        double want = ratio * expected->f[i];
        double allowed = fabs(ratio) * classify_bound_of(expected, i) + 8 * classify_unit_of(input) * fabs(want);
        if (classify_is_bad(input, i) && !(fabs(classify_got_value(input, i) - want) <= allowed)) {
            return false;
        }
    }
    double inverse = rint(1 / ratio);
    classify_say(result, "Every wrong element is %.6g times what it should be", ratio);
    if (fabs(inverse) > 1 && fabs(inverse * ratio - 1) < 0x1p-18) {
        classify_say(result, ", which is 1/%g", inverse);
    }
    classify_say(result, ". Which operation multiplies or divides by that?");
    return classify_found(result, "ratio");
}

bool classify_try_multiple(const struct classify_input *input, struct classify_result *result)
{
    static const struct {
        double factor;
        const char *text;
    } rows[] = {
        {2, "twice what it should be. Which element is handled by two threads, or twice by one?"},
        {0.5, "half of what it should be. Is half of the work left out?"},
        {4, "4 times what it should be. How often is each element handled?"},
        {-1, "right but for its sign. Which operand comes first?"},
    };
    const struct lab_expected *expected = classify_expected_of(input);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        size_t explained = 0;
        for (size_t i = 0; i < expected->count; i++) {
            double factor = rows[row].factor, want = classify_want_value(expected, i);
            if (!classify_is_bad(input, i)) {
                continue;
            }
            double error = fabs(classify_got_value(input, i) - factor * want);
            if (want == 0 || !(error <= fabs(factor) * classify_bound_of(expected, i))) {
                break;
            }
            explained++;
        }
        if (explained >= CLASSIFY_ENOUGH && explained == input->comparison->bad_count) {
            classify_say(result, "Every wrong element is %s", rows[row].text);
            return classify_found(result, rows[row].factor == 2 ? "doubled" : "other");
        }
    }
    return try_ratio(input, result);
}

/* An output of counts: it should add up to the number of elements of some input, and every count is between 0 and right. */
bool classify_try_lost_updates(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    int64_t got_sum = 0, want_sum = 0;
    if (classify_is_float(input) || expected->count < CLASSIFY_ENOUGH) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        int64_t got = types_get_integer(expected->type, input->wrong.got, i);
        if (got < 0 || got > expected->i[i]) {
            return false;
        }
        got_sum += got;
        want_sum += expected->i[i];
    }
    for (int array = 0; got_sum > 0 && array < input->lab->array_count; array++) {
        bool counted = input->lab->arrays[array].role == LAB_INPUT && input->wrong.data->count[array] == (size_t)want_sum;
        if (counted && want_sum > (int64_t)expected->count) {
            classify_say(
                result,
                "The sum of all elements is %lld but should be %lld: %lld too few. Which additions are never made, or lost?",
                (long long)got_sum, (long long)want_sum, (long long)(want_sum - got_sum));
            return classify_found(result, "lost_updates");
        }
    }
    return false;
}
