/* Keep the positive elements, in their order. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/hooks.h"

enum { IN, OUT };

/* Kinds of values, as lab.yaml lists them. */
enum { MIXED, LATE, EARLY, ZEROS, EXTREME };

/* As many elements are positive as out has room for. In most kinds each of the n has the same chance to be one of them. */
void fill_values(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    int32_t *in = data->array[IN].i;
    size_t n = data->count[IN], kept = data->count[OUT], left = kept;
    for (size_t i = 0; i < n; i++) {
        bool keep = the_case->values == LATE    ? i >= n - kept
                    : the_case->values == EARLY ? i < kept
                                                : lab_random_below(random, (uint32_t)(n - i)) < left;
        left -= keep;
        if (keep) {
            in[i] = 1 + (int32_t)lab_random_below(random, the_case->values == ZEROS ? 4 : 1000000);
        } else {
            in[i] = the_case->values == ZEROS && i % 3 != 0 ? 0 : -1 - (int32_t)lab_random_below(random, 1000000);
        }
        if (the_case->values == EXTREME && lab_random_below(random, 8) == 0) {
            int32_t away = (int32_t)lab_random_below(random, 4); /* a float would not keep them apart */
            in[i] = keep ? INT_MAX - away : INT_MIN + away;
        }
    }
}

static int32_t got_at(const struct lab_wrong *wrong, size_t i)
{
    return ((const int32_t *)wrong->got)[i];
}

/* ---- counts --------------------------------------------------------------------------------------------------------- */

/* How a kernel may count. */
enum counted { NOT_NEGATIVE, NEGATIVE, ALL, ANY };

static int32_t count_in(const struct lab_wrong *wrong, size_t block, enum counted counted)
{
    const int32_t *in = wrong->data->array[IN].i;
    size_t n = wrong->data->count[IN], piece = (size_t)wrong->elements_per_block, first = block * piece;
    int32_t count = 0;
    for (size_t i = first; i < n && i < first + piece; i++) {
        count += counted == NOT_NEGATIVE ? in[i] >= 0 : counted == NEGATIVE ? in[i] <= 0 : counted == ALL ? 1 : in[i] > 0;
    }
    return counted == ANY ? count > 0 : count;
}

static bool are_counts_of(const struct lab_wrong *wrong, enum counted counted)
{
    for (size_t b = 0; b < wrong->expected->count; b++) {
        if (got_at(wrong, b) != count_in(wrong, b, counted)) {
            return false;
        }
    }
    return true;
}

static bool classify_counts(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    static const struct {
        enum counted counted;
        const char *pattern, *message;
    } rows[] = {
        {NEGATIVE, "others", "This is how many elements of each block are not positive. Which ones are to be kept?"},
        {ALL, "all", "This is how many elements each block has. Which of them are to be counted?"},
        {NOT_NEGATIVE, "zero", "This is how many elements of each block are 0 or more. Is 0 positive?"},
        {ANY, "any", "Each block that keeps an element has counted 1. How many elements may a block keep?"},
    };
    size_t n = wrong->data->count[IN];
    for (size_t k = 0; k < sizeof rows / sizeof *rows && n >= 16; k++) {
        if (are_counts_of(wrong, rows[k].counted)) {
            *pattern = rows[k].pattern;
            snprintf(message, message_bytes, "%s", rows[k].message);
            return true;
        }
    }
    return false;
}

/* ---- starts --------------------------------------------------------------------------------------------------------- */

/* What turns of `turn` counts leave that begin at 0 each, or know the turn before them alone. */
static int64_t after_turns(const int64_t *want, size_t b, size_t turn, bool one_before)
{
    size_t first = b - b % turn;
    int64_t before = one_before && first >= turn ? want[first] - want[first - turn] : 0;
    return want[b] - want[first] + before;
}

static bool are_turns(const struct lab_wrong *wrong, size_t blocks, size_t turn, bool one_before)
{
    size_t bad = 0;
    for (size_t b = 0; b < blocks; b++) {
        if (got_at(wrong, b) != after_turns(wrong->expected->i, b, turn, one_before)) {
            return false;
        }
        bad += got_at(wrong, b) != wrong->expected->i[b];
    }
    return bad > 0;
}

static bool classify_starts(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    const int64_t *want = wrong->expected->i;
    size_t blocks = wrong->expected->count - 1, inclusive = 0, counts = 0, right = 0, zero = 0;
    for (size_t b = 0; b < blocks; b++) {
        inclusive += got_at(wrong, b) == want[b + 1];
        counts += got_at(wrong, b) == want[b + 1] - want[b];
        right += got_at(wrong, b) == want[b];
        zero += got_at(wrong, b) == 0;
    }
    if (blocks >= 2 && right == blocks) {
        *pattern = "total";
        snprintf(
            message, message_bytes,
            "The places of all %zu blocks are right. Only starts[%zu] is wrong, which is to hold the sum of all counts.",
            blocks, blocks);
        return true;
    }
    if (blocks >= 2 && zero == blocks && want[blocks - 1] > 0) {
        *pattern = "all_zero";
        snprintf(
            message, message_bytes,
            "Every start is 0. scan_counts runs with a single block, in which blockIdx.x is 0 in every thread. What does "
            "the sum of a thread begin and end with?");
        return true;
    }
    if (blocks >= 2 && counts == blocks) {
        *pattern = "counts";
        snprintf(message, message_bytes,
                 "starts[b] is counts[b], in every block. How many elements precede those of "
                 "block b?");
        return true;
    }
    if (blocks >= 2 && inclusive == blocks) {
        *pattern = "inclusive";
        snprintf(
            message, message_bytes,
            "starts[b] is the sum of counts[0] to counts[b], in every block: block b's own count is in it. Where do the "
            "elements of block 0 begin?");
        return true;
    }
    for (size_t turn = 32; turn <= 1024 && turn < blocks; turn *= 2) {
        for (int one_before = 0; one_before < 2; one_before++) {
            if (are_turns(wrong, blocks, turn, one_before != 0)) {
                *pattern = "turns";
                snprintf(message, message_bytes,
                         one_before
                             ? "The places of the first %zu blocks are right. After that, each turn of %zu counts knows "
                               "the sum of the turn before it, and of no earlier one."
                             : "The places of the first %zu blocks are right. After that, each turn of %zu counts "
                               "begins at 0 again.",
                         one_before ? 2 * turn : turn, turn);
                return true;
            }
        }
    }
    return false;
}

/* ---- out ------------------------------------------------------------------------------------------------------------ */

static int compare_numbers(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Are they the right elements, whatever their order? */
static bool is_reordered(const struct lab_wrong *wrong)
{
    size_t count = wrong->expected->count;
    int32_t *numbers = malloc(2 * count * sizeof *numbers);
    if (!numbers) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        numbers[i] = got_at(wrong, i);
        numbers[count + i] = (int32_t)wrong->expected->i[i];
    }
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    qsort(numbers + count, count, sizeof *numbers, compare_numbers);
    bool same = memcmp(numbers, numbers + count, count * sizeof *numbers) == 0;
    free(numbers);
    return same;
}

static bool classify_out(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    size_t count = wrong->expected->count, first = wrong->first_bad, not_positive = count;
    for (size_t i = count; i > 0; i--) {
        not_positive = got_at(wrong, i - 1) <= 0 ? i - 1 : not_positive;
    }
    if (count >= 4 && is_reordered(wrong)) {
        size_t other = first;
        while (other < count && got_at(wrong, other) != wrong->expected->i[first]) {
            other++;
        }
        *pattern = "order";
        snprintf(message, message_bytes,
                 "All the elements that are kept are there, but not in their order: %lld belongs in out[%zu] and is in "
                 "out[%zu]. What does a thread's place depend on?",
                 (long long)wrong->expected->i[first], first, other);
        return true;
    }
    if (not_positive < count) {
        *pattern = "not_kept";
        snprintf(message, message_bytes, "out[%zu] is %d, which is not positive: it should not have been kept.",
                 not_positive, got_at(wrong, not_positive));
        return true;
    }
    return false;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    const char *output = lab->outputs[wrong->output].name;
    return strcmp(output, "counts") == 0   ? classify_counts(wrong, pattern, message, message_bytes)
           : strcmp(output, "starts") == 0 ? classify_starts(wrong, pattern, message, message_bytes)
                                           : classify_out(wrong, pattern, message, message_bytes);
}
