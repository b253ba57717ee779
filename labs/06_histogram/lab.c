/* Lab 06: histogram of 32-bit integers 0..255. */
#include <stdio.h>
#include <string.h>

#include "labs/common.h"

extern const struct lab lab_06_histogram;

enum { DATA, HISTOGRAM_BINS };
enum { CLEAR_BINS, HISTOGRAM }; /* kernels */

#define BIN_COUNT 256

/* `values` of a case. */
enum { UNIFORM, ALL_EQUAL, SKEWED, TWO_VALUES, SORTED, UPPER_HALF };

static const struct lab_kernel kernels[] = {
    {"clear_bins", "void clear_bins(int *bins)", {256, 1, 1}, 1, true},
    {"histogram", "void histogram(const int *data, int *bins, int n)", {256, 1, 1}, 1, false},
};

static void launch(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    lab_launch(run, &(struct lab_launch){"clear_bins", {BIN_COUNT, 0}, {1, 1}, {LAB_ARRAY(HISTOGRAM_BINS)}});
    lab_launch(run,
               &(struct lab_launch){"histogram", {n, 0}, {0, 0}, {LAB_ARRAY(DATA), LAB_ARRAY(HISTOGRAM_BINS), LAB_INT(n)}});
    lab_check(run, 0, 0, BIN_COUNT);
}

static const struct lab_plan plans[] = {{"clear, then count", {HISTOGRAM, CLEAR_BINS}, 2, launch}};
static const struct lab_array arrays[] = {{"data", LAB_INT32, LAB_INPUT}, {"bins", LAB_INT32, LAB_OUTPUT}};
static const struct lab_output outputs[] = {{"bins", HISTOGRAM_BINS, false}};

static const struct lab_producer producers[] = {{"bins", CLEAR_BINS}};

static const struct lab_case cases[] = {
    {"n = 1", "a single element: one bin is 1 and 255 are 0", {1}, UNIFORM, false, false},
    {"n = 31", "one less than a warp", {31}, UNIFORM, false, false},
    {"n = 32", "exactly one warp", {32}, UNIFORM, false, false},
    {"n = 33", "one more than a warp", {33}, UNIFORM, false, false},
    {"n = 255", "one less than a block has threads", {255}, UNIFORM, false, false},
    {"n = 256, sorted", "as many elements as bins, in order", {256}, SORTED, false, false},
    {"n = 257", "one more than a block has threads", {257}, UNIFORM, false, false},
    {"n = 1000, two values", "neighbouring threads hit one of two bins", {1000}, TWO_VALUES, false, false},
    {"n = 4097", "one more than a power of two", {4097}, UNIFORM, false, false},
    {"n = 5003, upper half", "only bins 128..255 occur; n is prime", {5003}, UPPER_HALF, false, false},
    {"n = 10000, all equal", "every thread hits the same bin", {10000}, ALL_EQUAL, false, false},
    {"n = 65537", "many blocks, all bins about equally full", {65537}, UNIFORM, false, false},
    {"n = 100003, skewed", "15 of 16 elements fall into one bin; atomics are counted here", {100003}, SKEWED, false, true},
    {"hidden: few elements", "a size within a block or two", {1}, UNIFORM, true, false, {511}},
    {"hidden: upper half", "only bins 128..255 occur, another size", {600}, UPPER_HALF, true, false, {3400}},
    {"hidden: two values", "two of the bins, other ones, many blocks", {5000}, TWO_VALUES, true, false, {20000}},
};

static size_t extent(const struct lab_case *the_case, int index)
{
    return index == DATA ? (size_t)the_case->size[0] : BIN_COUNT;
}

static void fill(const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
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

static void reference(const struct lab_case *the_case, int plan, int output, const struct lab_data *data,
                      struct lab_expected *expected)
{
    (void)the_case, (void)plan, (void)output;
    count_values(data->array[DATA].i, data->count[DATA], expected->i);
    expected->bound = NULL;
    expected->rule = "only the exact result, because counts are integers";
}

/* What the bins as a whole look like. */
struct bins_summary {
    int64_t sum;      /* of all bins */
    int out_of_range; /* bins below 0 or above n: no number of updates leads there */
    int above, below; /* bins that are too high or too low */
    int missing;      /* bins that are 0 and should not be */
    int invented;     /* bins that should be 0 and are not */
    int whole_bytes;  /* wrong bins that are low by a multiple of 256 */
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
        summary.whole_bytes += got[bin] < want && (want - got[bin]) % 256 == 0;
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

/* Whether the bins are right up to some bin and all 0 from there on. Returns that bin, or BIN_COUNT. */
static int first_missing_bin(const struct lab_wrong *wrong, const int32_t *got)
{
    int end = BIN_COUNT;
    while (end > 0 && got[end - 1] == 0) {
        end--;
    }
    for (int bin = 0; bin < end; bin++) {
        if (got[bin] != wrong->expected->i[bin]) {
            return BIN_COUNT;
        }
    }
    return end;
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

static bool classify_lost(const struct lab_wrong *wrong, const int32_t *got, const struct bins_summary *summary, int64_t n,
                          const char **pattern, char *message, size_t message_bytes)
{
    int32_t counted[BIN_COUNT];
    char last[48];
    int64_t lost = n - summary->sum, of_each = counted_of_each_block(wrong, got, n);
    int missing_from = first_missing_bin(wrong, got);
    count_values(wrong->data->array[DATA].i, (size_t)summary->sum, counted);
    snprintf(last, sizeof last, lost == 1 ? "element was" : "%lld elements were", (long long)lost);
    /* With few elements to compare, some other mistake may give the same counts by accident. */
    bool telling = summary->sum >= 64 || (summary->sum >= 8 && summary->below >= 8);
    if (telling && memcmp(counted, got, sizeof counted) == 0) {
        *pattern = "tail";
        snprintf(message, message_bytes,
                 "The bins are exactly those of data[0..%lld]: the last %s not counted. Which thread counts data[%lld]?",
                 (long long)summary->sum - 1, last, (long long)summary->sum);
    } else if (telling && of_each > 0 && n > of_each) {
        *pattern = "period";
        snprintf(
            message, message_bytes,
            "Exactly the first %lld of each %lld elements were counted. How many elements is a block responsible for, and "
            "how many threads does it have?",
            (long long)of_each, (long long)wrong->elements_per_block);
    } else if (summary->missing == summary->below && summary->missing >= 4 && missing_from >= 8
               && missing_from < BIN_COUNT) {
        *pattern = "tail";
        snprintf(message, message_bytes,
                 "Bins 0..%d are right, and from bin %d on all are 0. Which threads add those to the result?",
                 missing_from - 1, missing_from);
    } else if (summary->whole_bytes == summary->below && summary->below >= 2) {
        *pattern = "wraps";
        snprintf(message, message_bytes,
                 "The bins add up to %lld, but there are %lld elements. Every wrong bin is low by a multiple of 256. What "
                 "happens when a bin reaches 255?",
                 (long long)summary->sum, (long long)n);
    } else {
        *pattern = "?lost_updates";
        snprintf(
            message, message_bytes,
            "The bins add up to %lld, but there are %lld elements: %lld %s missing. Is an element counted by nobody, or is "
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
            "The bins add up to %lld, but there %s only %lld element%s. Which of them is counted more than once, or as more "
            "than 1?",
            (long long)summary->sum, n == 1 ? "is" : "are", (long long)n, n == 1 ? "" : "s");
    }
}

static bool classify(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    const int32_t *got = wrong->got;
    int64_t n = wrong->the_case->size[0];
    struct bins_summary summary = summarise(wrong, got, n);
    if (counts_values(wrong, got) || (summary.above > 0 && summary.below == 0 && summary.invented == 0)) {
        describe_surplus(wrong, got, &summary, n, pattern, message, message_bytes);
        return true;
    }
    if (summary.out_of_range >= 4) {
        *pattern = "other";
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
        snprintf(
            message, message_bytes,
            "All bins are 0: no element was counted, or no count reached the result. Where does the way from data to bins "
            "end?");
        return true;
    }
    if (summary.out_of_range == 0 && summary.sum > n) {
        *pattern = "?other";
        snprintf(
            message, message_bytes,
            "The bins add up to %lld, but there are only %lld elements. Which element is counted more than once, or which "
            "count is added twice?",
            (long long)summary.sum, (long long)n);
        return true;
    }
    if (summary.out_of_range == 0 && summary.sum == n && summary.above > 0) {
        *pattern = "?other";
        snprintf(
            message, message_bytes,
            "The bins add up to n = %lld, as they should, but %d %s too high and %d too low. Which bin does a value belong "
            "to?",
            (long long)n, summary.above, summary.above == 1 ? "is" : "are", summary.below);
        return true;
    }
    return false;
}

static double ideal_load_sectors(const struct lab_case *the_case, int plan)
{
    (void)plan;
    return common_sectors(the_case->size[0]);
}

static double third_of_data(const struct lab_case *the_case, int plan)
{
    (void)plan;
    return (double)the_case->size[0] / 3;
}

#define TOO_FEW_ATOMICS \
    "fewer than several blocks need to bring their counts together, because one block counted (nearly) everything"

static const struct lab_budget budgets[] = {
    {.metric = "global_load_sectors",
     .base = LAB_BUDGET_IDEAL,
     .ideal = ideal_load_sectors,
     .full_at = 1.1,
     .zero_at = 4,
     .points = 6,
     .why =
         "each element must be read once: 4 bytes x n, in sectors of 32 bytes. When each thread reads its own stretch, the "
         "lanes of a warp touch 32 sectors for 32 elements",
     .least = {0.99},
     .too_little = "less than the n elements that must be read once each: they were not counted here"},
    {.metric = "global_atomic_serialised",
     .base = LAB_BUDGET_REFERENCE,
     .full_at = 16,
     .zero_at = 128,
     .points = 14,
     .why = "lanes that hit the same bin of global memory wait for one another, and here 15 of 16 elements go into one bin. "
            "The reference counts in shared memory and hits each global bin at most once per block",
     .least = {0.1},
     .too_little = TOO_FEW_ATOMICS,
     .unless = "busiest_block_loads"},
    {.metric = "global_atomic_requests",
     .base = LAB_BUDGET_REFERENCE,
     .full_at = 4,
     .zero_at = 16,
     .points = 8,
     .why = "the reference counts 4096 elements per block before it adds its 256 bins to the result: 8 requests, where one "
            "atomic per element takes 128. Where a block counts in shared memory first, fewer requests are left the more "
            "elements it counts (histogram_items)",
     .least = {0.1},
     .too_little = TOO_FEW_ATOMICS,
     .unless = "busiest_block_loads"},
    {.metric = "max_thread_share",
     .base = LAB_BUDGET_ABSOLUTE,
     .full_at = 0.1,
     .zero_at = 0.2,
     .points = 4,
     .why = COMMON_WHY_SHARE},
    {.metric = "busiest_block_loads",
     .base = LAB_BUDGET_IDEAL,
     .ideal = third_of_data,
     .full_at = 1.2,
     .zero_at = 2.4,
     .points = 8,
     .why = COMMON_WHY_BLOCK},
};

static void work(const struct lab_case *the_case, double *bytes, double *operations)
{
    *bytes = 4.0 * (double)the_case->size[0];
    *operations = (double)the_case->size[0];
}

const struct lab lab_06_histogram = {
    .name = "06_histogram",
    .title = "Histogram",
    .handout = "handouts/06_histogram.md",
    .kernels = kernels,
    .kernel_count = COMMON_COUNT(kernels),
    .plans = plans,
    .plan_count = COMMON_COUNT(plans),
    .arrays = arrays,
    .array_count = COMMON_COUNT(arrays),
    .outputs = outputs,
    .output_count = COMMON_COUNT(outputs),
    .producers = producers,
    .producer_count = COMMON_COUNT(producers),
    .cases = cases,
    .case_count = COMMON_COUNT(cases),
    .points = COMMON_CORRECT_POINTS,
    .budgets = budgets,
    .budget_count = COMMON_COUNT(budgets),
    .extent = extent,
    .fill = fill,
    .reference = reference,
    .classify = classify,
    .weighing = {.kind = LAB_COUNTS, .arrays = {DATA}, .array_count = 1},
    .work = work,
    .timing_case = {"n = 8388608, skewed", "time is measured here", {1 << 23}, SKEWED, false, false},
    .time = {1.2, 4, 10},
};
