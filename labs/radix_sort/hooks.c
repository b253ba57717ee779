/* Radix sort, the least significant digit first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/hooks.h"

/* BY_4, BY_8: the keys in the order of their lowest digit, which the second pass of a plan begins with. */
enum { KEYS, OUT, BY_4, BY_8 };
/* In the order in which the plans hand them over. FIRST: what the first of several passes leaves. */
enum { COUNTS, STARTS, FIRST, SORTED, CLEARED, TOTALS, ALL_STARTS };
enum { COUNTED, SWEEPS }; /* plans */
/* Kinds of values, as lab.yaml lists them. */
enum { RANDOM, FEW, ALL_EQUAL, DESCENDING, EXTREME, SKEWED };

#define DIGITS      16   /* of the first plan */
#define WIDE_DIGITS 256  /* of the second */
#define WIDE_PASSES 4    /* digits of a whole key */
#define TICKETS     4    /* words before those of the tiles */
#define FEWEST      32   /* keys of a block */
#define MOST_TILES  4096 /* in the tests there are far fewer */

static int digit_bits(int plan)
{
    return plan == COUNTED ? 4 : 8;
}

static int64_t passes_of(const struct lab_case *the_case, int plan)
{
    return (the_case->size[1] + digit_bits(plan) - 1) / digit_bits(plan);
}

static unsigned digit_of(uint32_t key, int shift, int bits)
{
    return key >> shift & ((1U << bits) - 1);
}

/* ---- plans ---------------------------------------------------------------------------------------------------------- */

/* The last pass writes out, and those before it two other arrays by turns: what the first one leaves is always in passed. */
struct passes {
    struct lab_argument passed, passed_on;
    int64_t count;
};

static struct passes make_passes(struct lab_run *run, int plan)
{
    const struct lab_case *the_case = lab_run_case(run);
    size_t n = (size_t)the_case->size[0];
    struct passes passes = {.count = passes_of(the_case, plan)};
    if (passes.count > 1) {
        passes.passed = LAB_SCRATCH(lab_scratch(run, "passed", LAB_UINT32, n));
    }
    if (passes.count > 2) {
        passes.passed_on = LAB_SCRATCH(lab_scratch(run, "passed_on", LAB_UINT32, n));
    }
    return passes;
}

static struct lab_argument written_by(const struct passes *passes, int64_t pass)
{
    return pass == passes->count - 1 ? LAB_ARRAY(OUT) : pass % 2 == 0 ? passes->passed : passes->passed_on;
}

static struct lab_argument read_by(const struct passes *passes, int64_t pass)
{
    return pass == 0 ? LAB_ARRAY(KEYS) : written_by(passes, pass - 1);
}

/* A pass in between begins with keys in its output: what it leaves out is wrong then, and not unknown, which would be found in
 * the pass that reads it. The first and the last pass are looked at themselves. */
static void prepare_pass(struct lab_run *run, const struct passes *passes, int64_t pass)
{
    if (pass > 0 && pass < passes->count - 1) {
        lab_overwrite_scratch(run, (int)written_by(passes, pass).value, KEYS, (size_t)lab_run_case(run)->size[0]);
    }
}

/* The second pass gets the right keys, so that what is wrong in the first one is found there, and so that each pass has to
 * do its own part. */
static void check_pass(struct lab_run *run, const struct passes *passes, int64_t pass)
{
    size_t n = (size_t)lab_run_case(run)->size[0];
    if (pass == passes->count - 1) {
        lab_check(run, SORTED, 0, n);
    } else if (pass == 0) {
        lab_check_scratch(run, FIRST, (int)passes->passed.value, 0, n);
        lab_overwrite_scratch(run, (int)passes->passed.value, lab_run_plan(run) == COUNTED ? BY_4 : BY_8, n);
    }
}

void launch_counted_passes(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    int64_t piece = lab_elements_per_block(run, "count_digits"), scattered = lab_elements_per_block(run, "scatter");
    if (piece != scattered) {
        lab_refuse(
            run,
            "scatter covers %lld keys per block, count_digits %lld: the two must be equal, or the starts are those of "
            "other pieces",
            (long long)scattered, (long long)piece);
        return;
    }
    if (piece < FEWEST) {
        lab_refuse(run,
                   "count_digits covers %lld keys per block: there would be nearly as many counts as keys, or more. It must "
                   "cover %d or more",
                   (long long)piece, FEWEST);
        return;
    }
    uint32_t blocks = (uint32_t)lab_blocks(run, "count_digits", n);
    int64_t count = DIGITS * (int64_t)blocks;
    struct lab_argument counts = LAB_SCRATCH(lab_scratch(run, "counts", LAB_UINT32, (size_t)count));
    struct lab_argument starts = LAB_SCRATCH(lab_scratch(run, "starts", LAB_UINT32, (size_t)count));
    struct passes passes = make_passes(run, COUNTED);
    for (int64_t pass = 0; pass < passes.count; pass++) {
        struct lab_argument keys = read_by(&passes, pass), out = written_by(&passes, pass), shift = LAB_INT(4 * pass);
        lab_launch(run, &(struct lab_launch){"count_digits", {n}, {0}, {keys, counts, LAB_INT(n), shift}});
        if (pass == 0) {
            lab_check_scratch(run, COUNTS, (int)counts.value, 0, (size_t)count);
        }
        lab_launch(run, &(struct lab_launch){"scan_digits", {count}, {1}, {counts, starts, LAB_INT(count)}});
        if (pass == 0) {
            lab_check_scratch(run, STARTS, (int)starts.value, 0, (size_t)count);
        }
        prepare_pass(run, &passes, pass);
        lab_launch(run, &(struct lab_launch){"scatter", {n}, {blocks}, {keys, starts, out, LAB_INT(n), shift}});
        check_pass(run, &passes, pass);
    }
}

static struct lab_argument from(struct lab_argument array, int64_t offset)
{
    array.offset = (size_t)offset;
    return array;
}

/* scratch: the totals of all digits, then for each pass TICKETS words and one for each digit of each tile. */
void launch_sweeps(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0], tiles = lab_blocks(run, "sweep", n);
    if (tiles < 1) {
        return; /* the run has failed already and says why */
    }
    if (tiles > MOST_TILES && lab_elements_per_block(run, "sweep") < WIDE_DIGITS) {
        lab_refuse(
            run,
            "sweep covers %lld keys per block: there would be more words for its tiles than keys. It must cover %d or more",
            (long long)lab_elements_per_block(run, "sweep"), WIDE_DIGITS);
        return;
    }
    struct passes passes = make_passes(run, SWEEPS);
    int64_t totals = WIDE_PASSES * WIDE_DIGITS, words = TICKETS + WIDE_DIGITS * tiles, count = totals + passes.count * words;
    struct lab_argument scratch = LAB_SCRATCH(lab_scratch(run, "scratch", LAB_UINT32, (size_t)count));
    struct lab_argument starts = LAB_SCRATCH(lab_scratch(run, "starts", LAB_UINT32, (size_t)totals));
    lab_launch(run, &(struct lab_launch){"sort_clear", {count}, {0}, {scratch, LAB_INT(count)}});
    lab_check_scratch(run, CLEARED, (int)scratch.value, 0, (size_t)count);
    lab_launch(run, &(struct lab_launch){"count_all", {n}, {0}, {LAB_ARRAY(KEYS), scratch, LAB_INT(n)}});
    lab_check_scratch(run, TOTALS, (int)scratch.value, 0, (size_t)totals);
    lab_launch(run, &(struct lab_launch){"scan_totals", {WIDE_DIGITS}, {WIDE_PASSES}, {scratch, starts}});
    lab_check_scratch(run, ALL_STARTS, (int)starts.value, 0, (size_t)totals);
    for (int64_t pass = 0; pass < passes.count; pass++) {
        prepare_pass(run, &passes, pass);
        lab_launch(run, &(struct lab_launch){"sweep",
                                             {n},
                                             {0},
                                             {read_by(&passes, pass), from(starts, WIDE_DIGITS * pass),
                                              from(scratch, totals + pass * words), written_by(&passes, pass), LAB_INT(n),
                                              LAB_INT(8 * pass)}});
        check_pass(run, &passes, pass);
    }
}

/* ---- keys ----------------------------------------------------------------------------------------------------------- */

/* out = keys in the order of one digit; those with the same one in their order. */
static void expect_pass(const uint32_t *keys, size_t n, int bits, uint32_t *out)
{
    size_t places[WIDE_DIGITS + 1] = {0};
    for (size_t i = 0; i < n; i++) {
        places[digit_of(keys[i], 0, bits) + 1]++;
    }
    for (size_t d = 1; d <= WIDE_DIGITS; d++) {
        places[d] += places[d - 1];
    }
    for (size_t i = 0; i < n; i++) {
        out[places[digit_of(keys[i], 0, bits)]++] = keys[i];
    }
}

/* A key whose digits are two neighbouring ones: 0x3 and 0x4, for one. */
static uint32_t draw_of_few(struct lab_random *random, uint32_t digit)
{
    uint32_t key = 0;
    for (int d = 0; d < 8; d++) {
        key = key << 4 | (digit + lab_random_below(random, 2));
    }
    return key;
}

void fill_keys(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    uint32_t *keys = data->array[KEYS].u, mask = 0xFFFFFFFFU >> (32 - the_case->size[1]);
    size_t n = data->count[KEYS];
    uint32_t same = lab_random_bits(random), digit = lab_random_below(random, 14);
    for (size_t i = 0; i < n; i++) {
        uint32_t key = lab_random_bits(random);
        switch (the_case->values) {
        case FEW: key = draw_of_few(random, digit); break;
        case ALL_EQUAL: key = same; break;
        case DESCENDING: key = (uint32_t)((n - 1 - i) * ((uint64_t)mask + 1) / n); break;
        case SKEWED: key = lab_random_below(random, 16) != 0 ? same : key; break;
        case EXTREME: {
            static const uint32_t near[] = {0, 0x7FFFFFFCU, 0x80000000U, 0xFFFFFFFCU};
            key = near[lab_random_below(random, 4)] + lab_random_below(random, 4);
            break;
        }
        default: break;
        }
        keys[i] = key & mask;
    }
    expect_pass(keys, n, 4, data->array[BY_4].u);
    expect_pass(keys, n, 8, data->array[BY_8].u);
}

/* ---- the right results ---------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* As many of them as are compared. */
static void expect_counts(const uint32_t *keys, size_t n, size_t piece, struct lab_expected *expected)
{
    size_t blocks = (n + piece - 1) / piece;
    memset(expected->i, 0, expected->count * sizeof *expected->i);
    for (size_t i = 0; i < n; i++) {
        size_t place = digit_of(keys[i], 0, 4) * blocks + i / piece;
        if (place < expected->count) {
            expected->i[place]++;
        }
    }
}

/* counts becomes the sums of those before, in pieces of `length` by themselves. */
static void expect_starts(int64_t *counts, size_t count, size_t length)
{
    int64_t sum = 0;
    for (size_t j = 0; j < count; j++) {
        sum = j % length == 0 ? 0 : sum;
        int64_t own = counts[j];
        counts[j] = sum;
        sum += own;
    }
}

static void expect_totals(const uint32_t *keys, size_t n, struct lab_expected *expected)
{
    memset(expected->i, 0, expected->count * sizeof *expected->i);
    for (size_t i = 0; i < n; i++) {
        for (int pass = 0; pass < WIDE_PASSES; pass++) {
            size_t place = (size_t)pass * WIDE_DIGITS + digit_of(keys[i], 8 * pass, 8);
            if (place < expected->count) {
                expected->i[place]++;
            }
        }
    }
}

void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                    const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)the_case;
    const uint32_t *keys = data->array[KEYS].u;
    size_t n = data->count[KEYS], piece = (size_t)expected->elements_per_block;
    expected->bound = NULL;
    expected->rule = output == CLEARED                     ? "only the exact result, because sort_clear sets every word to 0"
                     : output == FIRST || output == SORTED ? "only the exact result, because keys are moved, not changed"
                                                           : "only the exact result, because counts are integers";
    switch (output) {
    case COUNTS: expect_counts(keys, n, piece, expected); break;
    case STARTS:
        expect_counts(keys, n, piece, expected);
        expect_starts(expected->i, expected->count, expected->count);
        break;
    case FIRST:
        for (size_t i = 0; i < n; i++) {
            expected->i[i] = data->array[plan == COUNTED ? BY_4 : BY_8].u[i];
        }
        break;
    case CLEARED: memset(expected->i, 0, expected->count * sizeof *expected->i); break;
    case TOTALS: expect_totals(keys, n, expected); break;
    case ALL_STARTS:
        expect_totals(keys, n, expected);
        expect_starts(expected->i, expected->count, WIDE_DIGITS);
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            expected->i[i] = keys[i];
        }
        qsort(expected->i, n, sizeof *expected->i, compare_numbers);
    }
}

/* ---- what is wrong --------------------------------------------------------------------------------------------------- */

static uint32_t got_at(const struct lab_wrong *wrong, size_t i)
{
    return ((const uint32_t *)wrong->got)[i];
}

/* counts[b * DIGITS + d] for counts[d * blocks + b]? */
static bool are_exchanged(const struct lab_wrong *wrong, size_t blocks)
{
    for (size_t j = 0; j < wrong->expected->count; j++) {
        if (got_at(wrong, j) != wrong->expected->i[j % DIGITS * blocks + j / DIGITS]) {
            return false;
        }
    }
    return blocks >= 2;
}

/* Are they the counts of the digit at `shift`? */
static bool are_counts_of(const struct lab_wrong *wrong, size_t blocks, int shift)
{
    const uint32_t *keys = wrong->data->array[KEYS].u;
    size_t n = wrong->data->count[KEYS], piece = (size_t)wrong->elements_per_block;
    for (size_t b = 0; b < blocks; b++) {
        size_t counts[DIGITS] = {0};
        for (size_t i = b * piece; i < n && i < (b + 1) * piece; i++) {
            counts[digit_of(keys[i], shift, 4)]++;
        }
        for (size_t d = 0; d < DIGITS; d++) {
            if (got_at(wrong, d * blocks + b) != counts[d]) {
                return false;
            }
        }
    }
    return true;
}

static bool classify_counts(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    size_t count = wrong->expected->count, blocks = count / DIGITS, n = wrong->data->count[KEYS], bad = wrong->first_bad;
    if (are_exchanged(wrong, blocks)) {
        *pattern = "!by_block";
        snprintf(
            message, message_bytes,
            "The counts are right, but counts[%d * block + digit] holds what belongs in counts[%zu * digit + block]: the "
            "counts of a block stand side by side, not those of a digit.",
            DIGITS, blocks);
        return true;
    }
    for (int shift = 4; shift < 32 && n >= 8; shift += 4) {
        if (are_counts_of(wrong, blocks, shift)) {
            bool zero = got_at(wrong, 0) > 0; /* no other digit at all? */
            for (size_t j = blocks; j < count; j++) {
                zero = zero && got_at(wrong, j) == 0;
            }
            *pattern = "shift";
            if (zero) {
                snprintf(message, message_bytes,
                         "Each key has been counted as one with the digit 0. Which bits are the digit, where shift is 0?");
            } else {
                snprintf(message, message_bytes,
                         "These are the counts of bits %d to %d of the keys. Which bits are the digit, where shift is 0?",
                         shift, shift + 3);
            }
            return true;
        }
    }
    int64_t more = (int64_t)got_at(wrong, bad) - wrong->expected->i[bad];
    int64_t absent = (int64_t)blocks * wrong->elements_per_block - (int64_t)n;
    if (wrong->bad_count == 1 && bad % blocks == blocks - 1 && more == absent && absent > 0) {
        *pattern = "!absent";
        snprintf(
            message, message_bytes,
            "All counts are right but that of digit %zu in the last block, which is %lld too high. As many of its threads "
            "have no key.",
            bad / blocks, (long long)absent);
        return true;
    }
    return false;
}

/* Are they the keys, whatever their order? */
static bool are_the_keys(const struct lab_wrong *wrong)
{
    size_t n = wrong->expected->count;
    int64_t *numbers = malloc(2 * n * sizeof *numbers);
    if (!numbers) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        numbers[i] = got_at(wrong, i);
        numbers[n + i] = wrong->expected->i[i];
    }
    qsort(numbers, n, sizeof *numbers, compare_numbers);
    qsort(numbers + n, n, sizeof *numbers, compare_numbers);
    bool same = memcmp(numbers, numbers + n, n * sizeof *numbers) == 0;
    free(numbers);
    return same;
}

/* The keys in the order of the digit at `shift`, and in their own order where it is the same. */
static bool is_ordered_by(const struct lab_wrong *wrong, int shift)
{
    size_t n = wrong->expected->count, place = 0;
    const uint32_t *keys = wrong->data->array[KEYS].u;
    int bits = digit_bits(wrong->plan);
    for (unsigned d = 0; d < 1U << bits; d++) {
        for (size_t i = 0; i < n; i++) {
            if (digit_of(keys[i], shift, bits) == d && got_at(wrong, place++) != keys[i]) {
                return false;
            }
        }
    }
    return memcmp(wrong->got, keys, n * sizeof *keys) != 0;
}

/* Where the digits at `shift` first go down; the number of keys, if they do not. */
static size_t first_descent(const struct lab_wrong *wrong, int shift)
{
    size_t n = wrong->expected->count, i = 1;
    int bits = digit_bits(wrong->plan);
    while (i < n && digit_of(got_at(wrong, i - 1), shift, bits) <= digit_of(got_at(wrong, i), shift, bits)) {
        i++;
    }
    return i < n ? i : n;
}

/* Whether each element is the digit of the key that belongs there. */
static bool are_digits(const struct lab_wrong *wrong, int shift)
{
    size_t n = wrong->expected->count, larger = 0;
    for (size_t i = 0; i < n; i++) {
        if (got_at(wrong, i) != digit_of((uint32_t)wrong->expected->i[i], shift, digit_bits(wrong->plan))) {
            return false;
        }
        larger += wrong->expected->i[i] != got_at(wrong, i);
    }
    return larger >= 4;
}

/* Keys that are all there. `which`: the pass, in words. */
static bool classify_order(const struct lab_wrong *wrong, const char *which, int shift, const char **pattern, char *message,
                           size_t message_bytes)
{
    size_t n = wrong->expected->count, descent = first_descent(wrong, shift), first = wrong->first_bad, other = first;
    int bits = digit_bits(wrong->plan);
    const char *out = wrong->output == FIRST ? "passed" : "out";
    if (descent < n) {
        unsigned before = digit_of(got_at(wrong, descent - 1), shift, bits);
        *pattern = "digits";
        snprintf(
            message, message_bytes,
            "All the keys are there, but not in the order of the digit that the %s sorts by: the digit of %s[%zu] is %u, and "
            "that of %s[%zu] is %u.",
            which, out, descent - 1, before, out, descent, digit_of(got_at(wrong, descent), shift, bits));
        return true;
    }
    while (other < n && got_at(wrong, other) != wrong->expected->i[first]) {
        other++;
    }
    *pattern = "order";
    snprintf(
        message, message_bytes,
        "The keys are in the order of the digit that the %s sorts by, but those with the same digit are not in the order %s: "
        "%lld belongs in %s[%zu] and is in %s[%zu].",
        which, shift > 0 ? "of their other digits" : "that they had in keys", (long long)wrong->expected->i[first], out,
        first, out, other);
    return true;
}

static bool classify_keys(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    int bits = digit_bits(wrong->plan);
    int64_t passes = passes_of(wrong->the_case, wrong->plan);
    bool last = wrong->output == SORTED;
    const char *which = passes == 1 ? "only pass" : last ? "last pass" : "first pass";
    int shift = last ? bits * (int)(passes - 1) : 0;
    size_t n = wrong->expected->count;
    if (n >= 4 && are_digits(wrong, shift)) {
        *pattern = "digit_stored";
        snprintf(message, message_bytes, "Each element is the digit of the key that belongs there, and not the key.");
        return true;
    }
    if (n < 4 || !are_the_keys(wrong)) {
        return false;
    }
    if (memcmp(wrong->got, wrong->data->array[KEYS].u, n * sizeof(uint32_t)) == 0) {
        *pattern = "same_order";
        snprintf(
            message, message_bytes, "The keys have the order that they had %s. Which digit does each of them have in %s?",
            last && passes > 1 ? "before the first pass" : "before", passes == 1 || !last ? "this pass" : "the last pass");
        return true;
    }
    for (int other = 0; other < 32 && passes > 1; other += bits) {
        if ((last || other > 0) && is_ordered_by(wrong, other)) {
            *pattern = "shift";
            snprintf(message, message_bytes,
                     "After %s, the keys are in the order of bits %d to %d alone; what has the same digit there is in its "
                     "first order.%s",
                     last ? "all passes" : "the first pass, whose shift is 0", other, other + bits - 1,
                     last ? " Which digit does each pass take?" : "");
            return true;
        }
    }
    return classify_order(wrong, which, shift, pattern, message, message_bytes);
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    if (wrong->output == COUNTS) {
        return classify_counts(wrong, pattern, message, message_bytes);
    }
    bool keys = wrong->output == FIRST || wrong->output == SORTED;
    return keys && classify_keys(wrong, pattern, message, message_bytes);
}
