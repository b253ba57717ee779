/* Histogram of 32-bit integers 0..255. */
#include <stdio.h>
#include <string.h>

#include "grader/lab/hooks.h"

enum { DATA, HISTOGRAM_BINS };
enum { CLEAR_BINS, HISTOGRAM }; /* kernels */

#define BIN_COUNT 256

/* Kinds of values, as lab.yaml lists them. */
enum { UNIFORM, ALL_EQUAL, SKEWED, TWO_VALUES, SORTED, UPPER_HALF };

void fill_values(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    int32_t *values = data->array[DATA].i;
    size_t n = data->count[DATA];
    int32_t first = (int32_t)lab_random_below(random, BIN_COUNT);
    int32_t second = (first + 1 + (int32_t)lab_random_below(random, BIN_COUNT - 1)) % BIN_COUNT;
    lab_random_fill_int(random, values, n, the_case->values == UPPER_HALF ? BIN_COUNT / 2 : 0, BIN_COUNT);
    for (size_t i = 0; i < n; i++) {
        switch (the_case->values) {
        case ALL_EQUAL: values[i] = first; break;
        case SKEWED: values[i] = lab_random_below(random, 16) == 0 ? values[i] : first; break;
        case TWO_VALUES: values[i] = values[i] % 2 == 0 ? first : second; break;
        case SORTED: values[i] = (int32_t)(i * BIN_COUNT / n); break;
        default: break;
        }
    }
}

static void count_values(const int32_t *values, size_t n, int32_t *bins)
{
    memset(bins, 0, BIN_COUNT * sizeof *bins);
    for (size_t i = 0; i < n; i++) {
        bins[values[i]]++;
    }
}

/* What the bins as a whole look like. */
struct bins_summary {
    int64_t sum;      /* of all bins */
    int out_of_range; /* bins below 0 or above n: no number of updates leads there */
    int above, below; /* bins that are too high or too low */
    int missing;      /* bins that are 0 and should not be */
    int invented;     /* bins that should be 0 and are not */
};

static struct bins_summary summarise(const struct lab_wrong *wrong, const int32_t *got, int64_t n)
{
    struct bins_summary summary = {0};
    for (int bin = 0; bin < BIN_COUNT; bin++) {
        int32_t want = wrong->expected->i[bin];
        summary.sum += got[bin];
        summary.out_of_range += got[bin] < 0 || got[bin] > n;
        summary.above += got[bin] > want;
        summary.below += got[bin] < want;
        summary.missing += got[bin] == 0 && want != 0;
        summary.invented += got[bin] != 0 && want == 0;
    }
    return summary;
}

/* When every bin is k times what it should be: that k. Else 0. */
static int64_t factor_of(const struct lab_wrong *wrong, const int32_t *got, const struct bins_summary *summary, int64_t n)
{
    int64_t factor = summary->sum % n == 0 ? summary->sum / n : 0;
    for (int bin = 0; bin < BIN_COUNT && factor > 0; bin++) {
        factor = got[bin] == factor * wrong->expected->i[bin] ? factor : 0;
    }
    return factor;
}

/* Whether each element has added its own value. */
static bool counts_values(const struct lab_wrong *wrong, const int32_t *got)
{
    for (int bin = 0; bin < BIN_COUNT; bin++) {
        if (got[bin] != bin * wrong->expected->i[bin]) {
            return false;
        }
    }
    return true;
}

/* Whether the bins are right up to some bin and all 0 from there on. Returns the first wrong one, or BIN_COUNT. */
static int first_missing_bin(const struct lab_wrong *wrong, const int32_t *got)
{
    int first = 0;
    while (first < BIN_COUNT && got[first] == wrong->expected->i[first]) {
        first++;
    }
    for (int bin = first; bin < BIN_COUNT; bin++) {
        if (got[bin] != 0) {
            return BIN_COUNT;
        }
    }
    return first;
}

/* Different values among the elements: of equal ones nobody can tell which are counted. */
static int count_distinct(const struct lab_wrong *wrong)
{
    int distinct = 0;
    for (int bin = 0; bin < BIN_COUNT; bin++) {
        distinct += wrong->expected->i[bin] > 0;
    }
    return distinct;
}

/* When every bin is the sum of what each block counts modulo m: that m, the smallest. Else 0. */
static int32_t modulus_of(const struct lab_wrong *wrong, const int32_t *got, int64_t n)
{
    const int32_t *values = wrong->data->array[DATA].i;
    int64_t block = wrong->elements_per_block > 0 ? wrong->elements_per_block : n;
    int32_t largest = 0, bins[BIN_COUNT], counts[BIN_COUNT];
    int wrong_bins = 0;
    for (int bin = 0; bin < BIN_COUNT; bin++) {
        largest = wrong->expected->i[bin] > largest ? wrong->expected->i[bin] : largest;
        wrong_bins += got[bin] != wrong->expected->i[bin];
    }
    for (int32_t m = 2; m <= largest && m <= 256 && wrong_bins >= 2; m++) {
        memset(bins, 0, sizeof bins);
        for (int64_t start = 0; start < n; start += block) {
            count_values(values + start, (size_t)(start + block <= n ? block : n - start), counts);
            for (int bin = 0; bin < BIN_COUNT; bin++) {
                bins[bin] += counts[bin] % m;
            }
        }
        if (memcmp(bins, got, sizeof bins) == 0) {
            return m;
        }
    }
    return 0;
}

/* Whether every wrong bin is off by multiples of `m`, less what the bin before it in the same word carries over. Returns the
 * number of wrong bins, 0: it is not so. */
static int count_carrying(const struct lab_wrong *wrong, const int32_t *got, int64_t m, bool *carries)
{
    int64_t before = 0;
    int found = 0;
    *carries = false;
    for (int bin = 0; bin < BIN_COUNT; bin++) {
        int64_t lacks = (int64_t)wrong->expected->i[bin] - got[bin];
        found += lacks != 0;
        if (lacks % m != 0 && before > 0 && (lacks + before) % m == 0) {
            lacks += before;
            *carries = true;
        }
        if (lacks < 0 || lacks % m != 0) {
            return 0;
        }
        before = lacks / m;
    }
    return found;
}

/* When each wrong bin is what a single block counts, and every bin that one block alone adds to is right: the number of the
 * block that the first wrong bin has its count from. Else -1. */
static int64_t single_block_of(const struct lab_wrong *wrong, const int32_t *got, int64_t n, int enough)
{
    enum { MOST_BLOCKS = 64 };
    static int32_t counts[MOST_BLOCKS][BIN_COUNT];
    const int32_t *values = wrong->data->array[DATA].i;
    int64_t block = wrong->elements_per_block, blocks = block > 0 ? (n + block - 1) / block : 0, first = -1;
    int telling = 0;
    if (blocks < 2 || blocks > MOST_BLOCKS) {
        return -1;
    }
    for (int64_t b = 0; b < blocks; b++) {
        count_values(values + b * block, (size_t)((b + 1) * block <= n ? block : n - b * block), counts[b]);
    }
    for (int bin = 0; bin < BIN_COUNT; bin++) {
        int64_t b = blocks - 1; /* the last block that has it, if several do */
        while (b >= 0 && got[bin] != counts[b][bin]) {
            b--;
        }
        if (b < 0) {
            return -1;
        }
        if (got[bin] != wrong->expected->i[bin] && got[bin] > 1) { /* 1 is what any block may have counted */
            telling++;
            first = first < 0 && bin >= (int)wrong->first_bad ? b : first;
        }
    }
    return telling >= enough ? first : -1;
}

/* When the bins are exactly those of the first t elements of each block's piece, for a t that is a usual number of threads:
 * that t. Else 0. */
static int64_t counted_of_each_block(const struct lab_wrong *wrong, const int32_t *got, int64_t n)
{
    const int32_t *values = wrong->data->array[DATA].i;
    for (int64_t t = 32; t < wrong->elements_per_block && t <= 1024 && t < n; t *= 2) {
        int32_t bins[BIN_COUNT] = {0};
        for (int64_t i = 0; i < n; i++) {
            bins[values[i]] += i % wrong->elements_per_block < t;
        }
        if (memcmp(bins, got, sizeof bins) == 0) {
            return t;
        }
    }
    return 0;
}

/* When the bins are exactly what one block counts, and others have at least as many elements: its number. Else -1. The last
 * block is not meant: what replaces bins leaves its counts. */
static int64_t only_block_of(const struct lab_wrong *wrong, const int32_t *got, int64_t n)
{
    const int32_t *values = wrong->data->array[DATA].i;
    int64_t block = wrong->elements_per_block;
    int32_t counts[BIN_COUNT];
    for (int64_t start = 0; block > 0 && 2 * block <= n && start + block < n; start += block) {
        count_values(values + start, (size_t)block, counts);
        if (memcmp(counts, got, sizeof counts) == 0) {
            return start / block;
        }
    }
    return -1;
}

static bool classify_lost(const struct lab_wrong *wrong, const int32_t *got, const struct bins_summary *summary, int64_t n,
                          const char **pattern, char *message, size_t message_bytes)
{
    int32_t counted[BIN_COUNT];
    char last[48];
    int64_t from, only = only_block_of(wrong, got, n), lost = n - summary->sum,
                  of_each = counted_of_each_block(wrong, got, n);
    int missing_from = first_missing_bin(wrong, got);
    count_values(wrong->data->array[DATA].i, (size_t)summary->sum, counted);
    snprintf(last, sizeof last, lost == 1 ? "element was" : "%lld elements were", (long long)lost);
    /* With few elements to compare, some other mistake may give the same counts by accident. */
    bool telling = (summary->sum >= 64 || (summary->sum >= 8 && summary->below >= 8)) && count_distinct(wrong) >= 16
                   && single_block_of(wrong, got, n, 1) < 0; /* then they may be counted, and lost later */
    if (only >= 0 && count_distinct(wrong) >= 16) {
        *pattern = "one_block";
        snprintf(
            message, message_bytes,
            "The result is exactly what block %lld has to count, and there are %lld blocks. What do the others do with their "
            "elements, and who adds their counts?",
            (long long)only, (long long)((n + wrong->elements_per_block - 1) / wrong->elements_per_block));
    } else if (telling && memcmp(counted, got, sizeof counted) == 0) {
        char share[80] = "";
        if (wrong->elements_per_block > BIN_COUNT) /* the file has the variable: without it, a block has 256 elements */
            snprintf(share, sizeof share, " By histogram_items, a block is to count %lld elements.",
                     (long long)wrong->elements_per_block);
        *pattern = "not_counted";
        snprintf(message, message_bytes,
                 "The counts are exactly those of data[0..%lld]: the last %s not counted.%s Which thread counts data[%lld]?",
                 (long long)summary->sum - 1, last, share, (long long)summary->sum);
    } else if (telling && of_each > 0 && n > of_each) {
        *pattern = "period";
        snprintf(
            message, message_bytes,
            "Exactly the first %lld of each %lld elements were counted. How many elements is a block responsible for, and "
            "how many threads does it have?",
            (long long)of_each, (long long)wrong->elements_per_block);
    } else if (summary->missing == summary->below && summary->missing >= 4 && missing_from >= 8
               && missing_from < BIN_COUNT) {
        char same[64] = "";
        if (missing_from == n) {
            snprintf(same, sizeof same, " There are %lld elements.", (long long)n);
        }
        *pattern = "tail";
        snprintf(message, message_bytes,
                 "Bins 0..%d are right, and from bin %d on all are 0.%s Which threads add those to the result?",
                 missing_from - 1, missing_from, same);
    } else if ((from = single_block_of(wrong, got, n, 8)) >= 0) {
        size_t bin = wrong->first_bad;
        *pattern = "replaced";
        snprintf(
            message, message_bytes,
            "Every bin holds what one block alone counts, never the sum of several: %d in bins[%zu] is the count of block "
            "%lld. What does the line that hands over a block's counts do with what is in the bin already?",
            got[bin], bin, (long long)from);
    } else {
        *pattern = "?lost_updates";
        snprintf(
            message, message_bytes,
            "The counts add up to %lld, but there are %lld elements: %lld %s missing. Is an element counted by nobody, or is "
            "one count overwritten by another?",
            (long long)summary->sum, (long long)n, (long long)lost, lost == 1 ? "is" : "are");
    }
    return true;
}

/* No bin is too low, and none counts a value that does not occur: rubbish would be anywhere. */
static void describe_surplus(const struct lab_wrong *wrong, const int32_t *got, const struct bins_summary *summary,
                             int64_t n, const char **pattern, char *message, size_t message_bytes)
{
    int64_t factor = factor_of(wrong, got, summary, n);
    *pattern = "other";
    if (counts_values(wrong, got)) {
        *pattern = "factor";
        snprintf(
            message, message_bytes,
            "Every bin is right but for a factor: bin v is v times what it should be. What does an element add to its bin?");
    } else if (factor > 1 && summary->above >= 4) {
        *pattern = factor == 2 ? "?doubled" : "?other";
        snprintf(message, message_bytes,
                 "Every count is %lld times what it should be. Which element belongs to which block, and to which of its "
                 "threads?",
                 (long long)factor);
    } else {
        *pattern = "?other";
        snprintf(
            message, message_bytes,
            "The counts add up to %lld, but there %s only %lld element%s. Which of them is counted more than once, or as more "
            "than 1?",
            (long long)summary->sum, n == 1 ? "is" : "are", (long long)n, n == 1 ? "" : "s");
    }
}

/* When all bins are too high, or too low, by the same number: that. Else 0. */
static int64_t offset_of(const struct lab_wrong *wrong, const int32_t *got)
{
    int64_t offset = (int64_t)got[0] - wrong->expected->i[0];
    for (int bin = 1; bin < BIN_COUNT; bin++) {
        if ((int64_t)got[bin] - wrong->expected->i[bin] != offset) {
            return 0;
        }
    }
    return offset;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    const int32_t *got = wrong->got;
    int64_t n = wrong->the_case->size[0];
    struct bins_summary summary = summarise(wrong, got, n);
    bool carries = false;
    int bits = count_carrying(wrong, got, 256, &carries) >= 2 ? 8 : 0;
    if (count_carrying(wrong, got, 65536, &carries) >= (bits == 8 ? 2 : 1)) { /* of one bin, no accident is likely */
        bits = 16;
    }
    if (bits > 0) {
        count_carrying(wrong, got, (int64_t)1 << bits, &carries);
        *pattern = "wraps";
        snprintf(
            message, message_bytes,
            "Every wrong bin is low by a multiple of %d = 2^%d%s. How far can a counter of %d bits count, and where does "
            "its next step go?",
            1 << bits, bits, carries ? ", but for what the bin before it has carried into it" : "", bits);
        return true;
    }
    int32_t modulus = modulus_of(wrong, got, n);
    if (modulus > 0) {
        bool several = wrong->elements_per_block > 0 && n > wrong->elements_per_block;
        *pattern = "wraps";
        snprintf(message, message_bytes,
                 "Every bin is %s modulo %d: %d elements of a value give 0 again. What starts again at 0 after %d?",
                 several ? "the sum of what each block counts, taken" : "its count", modulus, modulus, modulus - 1);
        return true;
    }
    int64_t offset = offset_of(wrong, got);
    if (offset != 0) {
        *pattern = "offset";
        snprintf(message, message_bytes,
                 "Every bin is too %s by %lld, even those whose value does not occur. Which number does a count start with?",
                 offset > 0 ? "high" : "low", (long long)(offset > 0 ? offset : -offset));
        return true;
    }
    if (counts_values(wrong, got) || (summary.above > 0 && summary.below == 0 && summary.invented == 0)) {
        describe_surplus(wrong, got, &summary, n, pattern, message, message_bytes);
        return true;
    }
    if (summary.out_of_range >= 4) {
        *pattern = "?other";
        snprintf(
            message, message_bytes,
            "%d bins hold numbers that no count of %lld elements can reach. What was in the bins before the first update, "
            "and what does an element add?",
            summary.out_of_range, (long long)n);
        return true;
    }
    if (summary.out_of_range == 0 && summary.above == 0 && summary.sum > 0 && summary.sum < n) {
        return classify_lost(wrong, got, &summary, n, pattern, message, message_bytes);
    }
    if (summary.above == 0 && summary.below > 0 && summary.missing == summary.below && summary.sum == 0) {
        *pattern = "?other";
        snprintf(message, message_bytes,
                 "All counts are 0, though there are elements. Where does the way from data to bins end?");
        return true;
    }
    if (summary.out_of_range == 0 && summary.sum > n) {
        *pattern = "?other";
        snprintf(
            message, message_bytes,
            "The counts add up to %lld, but there are only %lld elements. Which element is counted more than once, or which "
            "count is added twice?",
            (long long)summary.sum, (long long)n);
        return true;
    }
    if (summary.out_of_range == 0 && summary.sum == n && summary.above > 0) {
        *pattern = "?other";
        snprintf(
            message, message_bytes,
            "The counts add up to n = %lld, as they should, but %d %s too high and %d too low. Which bin does a value belong "
            "to?",
            (long long)n, summary.above, summary.above == 1 ? "is" : "are", summary.below);
        return true;
    }
    return false;
}

#define TOO_FEW_ATOMICS \
    "fewer than several blocks need to bring their counts together, because one block counted (nearly) everything"
