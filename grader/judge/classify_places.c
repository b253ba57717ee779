#include "grader/judge/classify_try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every later block repeats the values of block 0. */
bool classify_try_repeated_block(const struct classify_input *input, struct classify_result *result)
{
    size_t count = classify_expected_of(input)->count, block = classify_block_of(input), explained_bad = 0;
    if (block < CLASSIFY_ENOUGH || count < block + CLASSIFY_ENOUGH) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!classify_has_value_of(input, i, i % block)) {
            return false;
        }
        explained_bad += classify_is_bad(input, i);
    }
    if (explained_bad < CLASSIFY_ENOUGH) {
        return false;
    }
    classify_say(
        result,
        "The values of block 0 (elements 0..%zu) repeat in every block. What distinguishes thread 0 of block 1 from thread "
        "0 of block 0?",
        block - 1);
    return classify_found(result, "period");
}

/* A matrix whose wrong elements all lie in its partly filled tiles, on the right or at the bottom. */
bool classify_try_ragged_edge(const struct classify_input *input, struct classify_result *result)
{
    size_t count = classify_expected_of(input)->count, columns = classify_expected_of(input)->columns;
    size_t tile = input->wrong.elements_per_block > 1 ? (size_t)input->wrong.elements_per_block : 0;
    if (columns == 0 || tile == 0) {
        return false;
    }
    size_t whole_rows = count / columns / tile * tile, whole_columns = columns / tile * tile, edge_bad = 0;
    for (size_t i = 0; i < count; i++) {
        bool edge = i / columns >= whole_rows || i % columns >= whole_columns;
        edge_bad += edge && classify_is_bad(input, i);
    }
    size_t inside = whole_rows * whole_columns;
    if (inside < CLASSIFY_ENOUGH || edge_bad < CLASSIFY_ENOUGH || edge_bad != input->comparison->bad_count) {
        return false;
    }
    if (!input->wrong.uses_shared) {
        classify_say(
            result,
            "All elements in whole blocks of %zu x %zu are right; the wrong ones all lie in blocks that reach beyond the "
            "matrix, on the right or at the bottom. What do the threads of such a block do otherwise?",
            tile, tile);
        return classify_found(result, "other");
    }
    classify_say(
        result,
        "All full tiles of %zu x %zu are right; only the tiles that reach beyond the matrix, on the right or at the bottom, "
        "are wrong. What do their cells beyond the edge hold?",
        tile, tile);
    return classify_found(result, "edge");
}

/* Whether the right elements in front of the tail are right by their own merit, and the tail begins with a jump: an error
 * that grows with the index crosses the bound somewhere, and nothing ends there. */
static bool is_edge(const struct classify_input *input, size_t first)
{
    const struct lab_expected *expected = classify_expected_of(input);
    size_t telling = 0;
    for (size_t i = 0; i < first && telling < CLASSIFY_ENOUGH; i++) {
        telling += classify_is_telling(input, i);
    }
    double want = classify_want_value(expected, first), error = fabs(classify_got_value(input, first) - want);
    double slack = classify_is_float(input)
                       ? 16 * (classify_bound_of(expected, first) + classify_unit_of(input) * fabs(want))
                       : 0;
    return telling >= CLASSIFY_ENOUGH && !(error <= slack);
}

bool classify_try_tail(const struct classify_input *input, struct classify_result *result)
{
    const struct compare_result *comparison = input->comparison;
    size_t count = comparison->count, first = comparison->first_bad, length = count - first,
           block = classify_block_of(input);
    /* A few of the wrong elements may be right by luck. */
    if (first < CLASSIFY_ENOUGH || comparison->bad_count < length - length / 16 || !is_edge(input, first)) {
        return false;
    }
    /* ceil(sqrt(2^31)): with i * i, in an int, the sign goes wrong from there on. */
    if (first == 46341) {
        classify_say(
            result,
            "The elements %zu..%zu are wrong, all before them are right. 46341 is the first whole number whose square does not "
            "fit in an int: 46341 * 46341 = 2147488281, and an int holds 2147483647 at most. Which line squares the index?",
            first, count - 1);
        return classify_found(result, "overflow");
    }
    if (block > 0 && first == block && count > 2 * block) {
        classify_say(
            result,
            "Only the first block (elements 0..%zu) is right. What distinguishes thread 0 of block 1 from thread 0 of block "
            "0?",
            block - 1);
    } else if (length == 1) {
        classify_say(result, "Only the last element is wrong. ");
        if (block > 0 && first % block == 0)
            classify_say(result,
                         "The launch has one block for every %zu elements, and the last block for this one alone. What is "
                         "special about that block?",
                         block);
        else
            classify_say(result, "Which thread is responsible for it?");
    } else if (block > 0 && first % block == 0 && length < block) {
        classify_say(
            result,
            "Elements %zu..%zu are wrong, all before them are right: they are the last block, which is not full. What is "
            "special about its threads?",
            first, count - 1);
    } else if (block > 0 && first % block == 0) {
        classify_say(
            result,
            "The elements %zu..%zu are wrong; everything before them is right. The launch has one block for every %zu elements, "
            "so the first %zu blocks are enough for what is right. How many blocks does the kernel account for?",
            first, count - 1, block, first / block);
    } else {
        classify_say(
            result,
            "The tail, elements %zu..%zu, is wrong; everything before it is right. What is different about the thread of "
            "element %zu?",
            first, count - 1, first);
    }
    return classify_found(result, classify_expected_of(input)->columns > 0 ? "rest" : "tail");
}

/* Whether enough of the right elements tell anything. */
static bool has_telling_right(const struct classify_input *input)
{
    size_t telling = 0;
    for (size_t i = 0; i < classify_expected_of(input)->count && telling < CLASSIFY_ENOUGH; i++) {
        telling += !classify_is_bad(input, i) && classify_is_telling(input, i);
    }
    return telling >= CLASSIFY_ENOUGH;
}

/* Fills bad_places[period] with how many elements are wrong at each place of the period. Returns how many places have any,
 * or 0 when some place is wrong in one period and right in another. */
static size_t bad_places(const struct classify_input *input, size_t period, uint32_t *places)
{
    size_t count = classify_expected_of(input)->count, any = 0;
    memset(places, 0, period * sizeof *places);
    for (size_t i = 0; i < count; i++) {
        places[i % period] += classify_is_bad(input, i);
    }
    for (size_t place = 0; place < period && place < count; place++) {
        size_t of = (count - place + period - 1) / period;
        if (places[place] != 0 && places[place] < of - of / 16) {
            return 0;
        }
        any += places[place] != 0;
    }
    return any;
}

bool classify_try_period(const struct classify_input *input, struct classify_result *result)
{
    size_t count = classify_expected_of(input)->count, block = classify_block_of(input);
    const size_t periods[] = {32, block};
    if (block == 0 || !has_telling_right(input)) {
        return false;
    }
    for (size_t k = 0; k < 2; k++) {
        size_t period = periods[k];
        bool possible = period >= CLASSIFY_ENOUGH && count >= 3 * period;
        uint32_t *places = possible ? malloc(period * sizeof *places) : NULL;
        size_t any = !places ? 0 : bad_places(input, period, places);
        size_t first = 0;
        while (any > 0 && places[first] == 0) {
            first++;
        }
        free(places);
        if (any == 0 || any > period / 2) {
            continue;
        }
        classify_say(result,
                     "The same %zu of every %zu elements are wrong: position %zu %sof every %s. Which line "
                     "computes them, and what does it do differently?",
                     any, period, first, any > 1 ? "and others " : "", period == 32 && period != block ? "warp" : "block");
        return classify_found(result, "period");
    }
    return false;
}
