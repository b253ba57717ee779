/* Inclusive prefix sum of 32-bit integers, modulo 2^32. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/hooks.h"

enum { IN, OUT };
enum { SCANNED, PIECES, TOTALS, CLEARED };              /* outputs */
enum { SCAN_BLOCKS, ADD_BLOCK_SUMS, SCAN, SCAN_CLEAR }; /* kernels */
enum { THREE_KERNELS, SINGLE_PASS };                    /* plans */

/* Kinds of values, as lab.yaml lists them. */
enum { ONES, DIGITS, CANCELLING, LARGE, WRAPPING, SPARSE };

/* Scans of totals of totals. With the fewest elements per block that are allowed, 2^31 elements need 8 levels. */
#define MAX_LEVELS     8
#define FEWEST_A_BLOCK 16

#define WARP 32

/* One level of the three-kernel plan: a piece of `count` elements, scanned into `out`, its blocks' totals into `sums`. */
struct level {
    struct lab_argument out, sums;
    int64_t count;
};

static struct level scan_level(struct lab_run *run, struct lab_argument in, struct lab_argument out, int64_t count)
{
    int64_t blocks = lab_blocks(run, "scan_blocks", count);
    struct level level = {out, LAB_SCRATCH(lab_scratch(run, "block_sums", LAB_INT32, (size_t)blocks)), count};
    lab_launch(run, &(struct lab_launch){"scan_blocks", {count, 0}, {0, 0}, {in, out, level.sums, LAB_INT(count)}});
    return level;
}

/* scan_blocks on the array, on its totals, on their totals ... until one block is enough (on the totals at least once),
 * and back again with add_block_sums, which is launched with one block too: it must leave block 0 alone. */
void launch_three_kernels(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    int64_t piece = lab_elements_per_block(run, "scan_blocks"), add_piece = lab_elements_per_block(run, "add_block_sums");
    if (piece != add_piece) {
        lab_refuse(run,
                   "add_block_sums covers %lld elements per block, scan_blocks %lld: the two must be equal, or a block adds "
                   "another block's sums",
                   (long long)add_piece, (long long)piece);
        return;
    }
    if (piece < FEWEST_A_BLOCK) {
        lab_refuse(
            run,
            "scan_blocks covers %lld elements per block: there would be almost as many totals as elements. It must cover %d "
            "or more",
            (long long)piece, FEWEST_A_BLOCK);
        return;
    }
    struct level levels[MAX_LEVELS];
    int last = 0;
    levels[0] = scan_level(run, LAB_ARRAY(IN), LAB_ARRAY(OUT), n);
    lab_check(run, PIECES, 0, (size_t)n);
    /* That of the last block is never read, but the contract wants every block's. */
    lab_check_scratch(run, TOTALS, (int)levels[0].sums.value, 0, (size_t)lab_blocks(run, "scan_blocks", n));
    for (int64_t count = lab_blocks(run, "scan_blocks", n); last + 1 < MAX_LEVELS;
         count = lab_blocks(run, "scan_blocks", count)) {
        struct lab_argument scanned = LAB_SCRATCH(lab_scratch(run, "scanned_sums", LAB_INT32, (size_t)count));
        levels[last + 1] = scan_level(run, levels[last].sums, scanned, count);
        last++;
        if (count <= piece) {
            break;
        }
    }
    for (; last > 0; last--) {
        struct level *below = &levels[last - 1];
        lab_launch(run,
                   &(struct lab_launch){
                       "add_block_sums", {below->count, 0}, {0, 0}, {below->out, levels[last].out, LAB_INT(below->count)}});
    }
    lab_check(run, SCANNED, 0, (size_t)n);
}

void launch_single_pass(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    int64_t blocks = lab_blocks(run, "scan", n);
    if (blocks < 1) {
        return; /* the run has failed already and says why */
    }
    int64_t count = 4 + 4 * blocks;
    struct lab_argument scratch = LAB_SCRATCH(lab_scratch(run, "scratch", LAB_UINT32, (size_t)count));
    lab_launch(run, &(struct lab_launch){"scan_clear", {count, 0}, {0, 0}, {scratch, LAB_INT(count)}});
    lab_check_scratch(run, CLEARED, scratch.value, 0, (size_t)count);
    lab_launch(run, &(struct lab_launch){"scan", {n, 0}, {0, 0}, {LAB_ARRAY(IN), LAB_ARRAY(OUT), scratch, LAB_INT(n)}});
    lab_check(run, SCANNED, 0, (size_t)n);
}

void fill_values(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    int32_t *in = data->array[IN].i;
    size_t n = data->count[IN];
    switch (the_case->values) {
    case ONES:
        for (size_t i = 0; i < n; i++) {
            in[i] = 1;
        }
        break;
    case CANCELLING:
        lab_random_fill_int(random, in, n, -1000, 1001);
        for (size_t i = 1; i < n; i += 2) {
            in[i] = -in[i - 1];
        }
        break;
    case LARGE: lab_random_fill_int(random, in, n, 10000, 30000); break;
    case WRAPPING: lab_random_fill_int(random, in, n, 0x40000000, 0x7fffffff); break;
    case SPARSE:
        lab_random_fill_int(random, in, n, -50, 50);
        for (size_t i = 0; i < n; i++) {
            in[i] = in[i] > 40 ? in[i] : 0;
        }
        break;
    default: lab_random_fill_int(random, in, n, 1, 10); break;
    }
}

void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                    const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)the_case, (void)plan;
    uint32_t sum = 0;
    expected->bound = NULL;
    if (output == CLEARED) {
        memset(expected->i, 0, expected->count * sizeof *expected->i);
        expected->rule = "only the exact result, because scan_clear sets every word to 0";
        return;
    }
    const uint32_t *in = data->array[IN].u;
    size_t n = data->count[IN], piece = (size_t)expected->elements_per_block;
    for (size_t i = 0; i < n; i++) {
        sum = i % piece == 0 && output != SCANNED ? in[i] : sum + in[i];
        if (output != TOTALS) {
            expected->i[i] = (int32_t)sum;
        } else if (i % piece == piece - 1 || i == n - 1) {
            expected->i[i / piece] = (int32_t)sum;
        }
    }
    expected->rule = "only the exact result, because integers are added modulo 2^32";
}

/* Sum of in[from, i] modulo 2^32 out of the prefix sums. */
static uint32_t range_sum(const int64_t *prefix, size_t from, size_t i)
{
    return (uint32_t)prefix[i] - (from == 0 ? 0 : (uint32_t)prefix[from - 1]);
}

/* What a known mistake leaves in element i of a piece that starts at `start`. */
enum mistake {
    EXCLUSIVE,
    EXCLUSIVE_BLOCKS,
    NO_BLOCK_SUMS,
    TOTALS_NOT_SCANNED,
    OWN_TOTAL_TOO,
    OWN_TOTAL_LATER,
    BASE_ALONE,
    BASE_TWICE,
    SCANNED_ADDED,
    UP_SWEEP
};

static uint32_t mistaken(enum mistake mistake, const int64_t *prefix, size_t count, size_t block, size_t i)
{
    size_t start = i - i % block, place = i - start;
    uint32_t before = start == 0 ? 0 : (uint32_t)prefix[start - 1];
    uint32_t alone = range_sum(prefix, start, i);
    switch (mistake) {
    case EXCLUSIVE: return i == 0 ? 0 : (uint32_t)prefix[i - 1];
    case EXCLUSIVE_BLOCKS: return place == 0 ? 0 : range_sum(prefix, start, i - 1);
    case NO_BLOCK_SUMS: return alone;
    case TOTALS_NOT_SCANNED: return start == 0 ? alone : alone + range_sum(prefix, start - block, start - 1);
    case OWN_TOTAL_TOO:
        return alone + before + range_sum(prefix, start, start + block <= count ? start + block - 1 : count - 1);
    case OWN_TOTAL_LATER: return start == 0 ? alone : mistaken(OWN_TOTAL_TOO, prefix, count, block, i);
    case BASE_ALONE: return start == 0 ? alone : before;
    case BASE_TWICE: return alone + 2 * before;
    case SCANNED_ADDED:
        for (size_t end = block; end < start; end += block) {
            before += (uint32_t)prefix[end - 1];
        }
        return alone + before;
    /* The up-sweep leaves in place p the sum of the last 2^k elements, 2^k the largest power that divides p + 1. */
    default: return range_sum(prefix, start + place + 1 - ((place + 1) & -(place + 1)), i);
    }
}

/* Whether all elements [0, count) hold what the mistake would leave there, and at least 4 of them are wrong. */
static bool explains(const struct lab_wrong *wrong, enum mistake mistake, size_t count, size_t block)
{
    const int32_t *got = wrong->got;
    const int64_t *prefix = wrong->expected->i;
    size_t explained_bad = 0;
    for (size_t i = 0; i < count; i++) {
        if ((uint32_t)got[i] != mistaken(mistake, prefix, wrong->expected->count, block, i)) {
            return false;
        }
        explained_bad += got[i] != prefix[i];
    }
    return explained_bad >= 4;
}

/* Whether exactly what goes beyond 2^24 is wrong, and by no more than roundings to 24 bits (many of them, where the wrong value is
 * one that a float can hold): sums that went through a float. Enough elements below 2^24 must be right, in later blocks too: a count that is off by one is so everywhere. */
static bool is_rounded_to_float(const struct lab_wrong *wrong, size_t block)
{
    const int32_t *got = wrong->got;
    const int64_t *want = wrong->expected->i;
    size_t explained = 0, right = 0;
    for (size_t i = 0; i < wrong->expected->count; i++) {
        int64_t error = (int64_t)got[i] - want[i], size = llabs(want[i]);
        int64_t most = (int64_t)(float)got[i] == got[i] ? size / 1000 : 1 + (size >> 21);
        if (error != 0 && (size <= 1 << 24 || error > most || error < -most)) {
            return false;
        }
        explained += error != 0;
        right += error == 0 && size <= 1 << 24 && i >= block;
    }
    return explained >= 8 && right >= 8;
}

/* What is added before block b, if every block is right in itself: got[its first] - in[its first]. */
static uint32_t base_of(const struct lab_wrong *wrong, size_t first)
{
    return (uint32_t)((const int32_t *)wrong->got)[first] - wrong->data->array[IN].u[first];
}

enum total { TOTAL_FIRST, TOTAL_LAST };

/* Whether what counts as the total of each block is its first element alone, or its last one; -1 if neither. */
static int total_instead(const struct lab_wrong *wrong, size_t block)
{
    const int32_t *got = wrong->got;
    const uint32_t *in = wrong->data->array[IN].u;
    size_t count = wrong->expected->count, blocks = (count + block - 1) / block;
    int possible = 1 << TOTAL_FIRST | 1 << TOTAL_LAST;
    if (block < 2 || blocks < 4) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        size_t start = i - i % block;
        if ((uint32_t)got[i] != base_of(wrong, start) + range_sum(wrong->expected->i, start, i)) {
            return -1;
        }
    }
    for (size_t start = 0; start + block < count; start += block) {
        uint32_t total = base_of(wrong, start + block) - base_of(wrong, start);
        possible &= total == in[start] ? ~0 : ~(1 << TOTAL_FIRST);
        possible &= total == in[start + block - 1] ? ~0 : ~(1 << TOTAL_LAST);
    }
    return possible == 1 << TOTAL_FIRST ? TOTAL_FIRST : possible == 1 << TOTAL_LAST ? TOTAL_LAST : -1;
}

/* Whether each entry of block_sums is the first element of its block alone, or the last one; -1 if neither. */
static int entries_instead(const struct lab_wrong *wrong, size_t block)
{
    const uint32_t *got = wrong->got, *in = wrong->data->array[IN].u;
    size_t n = wrong->data->count[IN], blocks = wrong->expected->count, shown = 0;
    int possible = 1 << TOTAL_FIRST | 1 << TOTAL_LAST;
    if (block < 2 || blocks < 4) {
        return -1;
    }
    for (size_t b = 0; b < blocks; b++) {
        bool whole = (b + 1) * block <= n;
        shown += got[b] != 0;
        possible &= got[b] == in[b * block] ? ~0 : ~(1 << TOTAL_FIRST);
        /* Of the last block, whose last element may be a thread beyond n. */
        possible &= !whole || got[b] == in[(b + 1) * block - 1] ? ~0 : ~(1 << TOTAL_LAST);
    }
    if (shown < 3) { /* 0 can come from anywhere */
        return -1;
    }
    return possible == 1 << TOTAL_FIRST ? TOTAL_FIRST : possible == 1 << TOTAL_LAST ? TOTAL_LAST : -1;
}

/* When each entry of block_sums is the sum of the first p elements of its block, 1 < p < all but one: that p. Else 0. */
static size_t entries_after(const struct lab_wrong *wrong, size_t block)
{
    const uint32_t *got = wrong->got, *in = wrong->data->array[IN].u;
    size_t n = wrong->data->count[IN], blocks = wrong->expected->count;
    size_t found = 0;
    for (size_t p = 2; p + 2 <= block && blocks >= 3 && block <= n; p++) {
        size_t b = 0;
        for (; b < blocks; b++) {
            uint32_t sum = 0;
            for (size_t i = b * block; i < b * block + p && i < n; i++) {
                sum += in[i];
            }
            if (got[b] != sum || sum == 0) {
                break;
            }
        }
        if (b == blocks && found > 0) {
            return 0; /* the elements between are 0 */
        }
        found = b == blocks ? p : found;
    }
    return found;
}

/* When each element of block 0 is the sum of the last w elements up to itself, for a power of two: that w. Else 0. */
static int64_t window_of(const struct lab_wrong *wrong, size_t count)
{
    const int32_t *got = wrong->got;
    const int64_t *prefix = wrong->expected->i;
    for (size_t window = 2; window + 4 <= count; window *= 2) {
        size_t i = 0;
        while (i < count && (uint32_t)got[i] == range_sum(prefix, i + 1 < window ? 0 : i + 1 - window, i)) {
            i++;
        }
        if (i == count && got[window] != prefix[window]) {
            return (int64_t)window;
        }
    }
    return 0;
}

static void describe_missing_sums(const struct lab_wrong *wrong, size_t block, char *message, size_t message_bytes)
{
    /* A block in the middle shows best what is missing: not block 1, where "blocks 0..0" reads oddly. */
    size_t blocks = (wrong->expected->count + block - 1) / block, shown = blocks > 3 ? 3 : blocks - 1;
    char others[32];
    snprintf(others, sizeof others, shown == 1 ? "of block 0" : "of blocks 0..%zu", shown - 1);
    snprintf(
        message, message_bytes,
        "Each block is right in itself. All elements of block %zu are low by %d, the sum %s: block sums were not added. "
        "When does a block learn the sum of the blocks before it?",
        shown, (int)wrong->expected->i[shown * block - 1], others);
}

/* A sum that left the range of an int, and stays at its end: the sums themselves, in 64 bits. */
static bool is_saturated(const struct lab_wrong *wrong, size_t block)
{
    const int32_t *got = wrong->got, *in = wrong->data->array[IN].i;
    size_t n = wrong->data->count[IN], bad = 0;
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum = i % block == 0 && wrong->output != SCANNED ? in[i] : sum + in[i];
        size_t at = wrong->output == TOTALS ? i / block : i;
        if (wrong->output == TOTALS && i % block != block - 1 && i != n - 1) {
            continue;
        }
        if (got[at] == wrong->expected->i[at]) {
            continue;
        }
        if (!(sum > INT32_MAX && got[at] == INT32_MAX) && !(sum < INT32_MIN && got[at] == INT32_MIN)) {
            return false;
        }
        bad++;
    }
    return bad > 0;
}

static void describe_saturated(char *message, size_t message_bytes)
{
    snprintf(
        message, message_bytes,
        "Every wrong element is 2147483647 or -2147483648, the largest or the smallest int, and the sum that belongs there lies "
        "beyond it. An int that is added up wraps there, but a float or a double that is converted to int stops at the limit. "
        "Where is a sum something else than an int?");
}

/* What scan_blocks leaves in block 0 when it adds the total of the block to each element. */
static bool has_own_total(const struct lab_wrong *wrong, size_t block)
{
    const int32_t *got = wrong->got;
    const int64_t *want = wrong->expected->i;
    size_t count = wrong->expected->count, bad = 0;
    if (count <= WARP) {
        return false; /* it may be the sum of the warp */
    }
    for (size_t i = 0; i < count; i++) {
        size_t start = i - i % block, last = start + block <= count ? start + block - 1 : count - 1;
        if ((uint32_t)got[i] != (uint32_t)want[i] + (uint32_t)want[last]) {
            return false;
        }
        bad += got[i] != want[i];
    }
    return bad >= 4;
}

/* Does every block hold what belongs into block 0? */
static bool is_block0_again(const struct lab_wrong *wrong, size_t block)
{
    const int32_t *got = wrong->got;
    const int64_t *want = wrong->expected->i;
    size_t bad = 0;
    for (size_t i = 0; i < wrong->expected->count; i++) {
        if (got[i] != want[i % block]) {
            return false;
        }
        bad += got[i] != want[i];
    }
    return bad >= 4;
}

/* The sums start again with every piece of 2, 4, 8 ... times the elements of a block: that many elements. 0: they do not. */
static size_t longer_piece(const struct lab_wrong *wrong, size_t block)
{
    const uint32_t *in = wrong->data->array[IN].u, *got = wrong->got;
    for (size_t piece = 2 * block; piece < wrong->expected->count && piece <= 64 * block; piece *= 2) {
        uint32_t sum = 0;
        size_t i = 0;
        for (; i < wrong->expected->count; i++) {
            sum = i % piece == 0 ? in[i] : sum + in[i];
            if (got[i] != sum) {
                break;
            }
        }
        if (i == wrong->expected->count) {
            return piece;
        }
    }
    return 0;
}

/* Block 0, where warps scan for themselves, and then get a wrong sum of the warps before. */
static bool classify_warps(const struct lab_wrong *wrong, size_t block, const char **pattern, char *message,
                           size_t message_bytes)
{
    static const struct {
        enum mistake mistake;
        const char *text;
    } rows[] = {
        {TOTALS_NOT_SCANNED,
         "Each warp got the sum of the one warp before it, not of all warps before it. How does the sum of "
         "warp 0 come to warp 2?"},
        {OWN_TOTAL_TOO,
         "Each element is too high by the sum of its own warp. The sums of which warps does an element need?"},
        {OWN_TOTAL_LATER,
         "From warp 1 on, each element is too high by the sum of its own warp. The sums of which warps does an "
         "element need?"},
    };
    size_t count = wrong->expected->count < block ? wrong->expected->count : block;
    for (int row = 0; row < HOOKS_COUNT(rows) && count > 2 * WARP && block > WARP; row++) {
        if (explains(wrong, rows[row].mistake, count, WARP)) {
            *pattern = "warp_constant";
            snprintf(message, message_bytes, "%s", rows[row].text);
            return true;
        }
    }
    return false;
}

/* What scan_blocks leaves. A result that is right nevertheless has the sums of the blocks before too early. */
static bool classify_pieces(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    const int32_t *got = wrong->got;
    const uint32_t *in = wrong->data->array[IN].u;
    uint32_t sum = 0;
    if (wrong->output != PIECES) {
        return false;
    }
    size_t block = wrong->elements_per_block < 1 ? wrong->expected->count : (size_t)wrong->elements_per_block;
    if (has_own_total(wrong, block)) {
        *pattern = "own_total";
        snprintf(
            message, message_bytes,
            "This is out after scan_blocks, before add_block_sums begins, and each element is too high already, by the sum of "
            "its whole block. Which cell holds that sum, and how does it come into every element?");
        return true;
    }
    if (is_block0_again(wrong, block)) {
        *pattern = "same_block";
        snprintf(
            message, message_bytes,
            "This is out after scan_blocks, before add_block_sums begins: every block holds the same sums as block 0. What "
            "should depend on blockIdx, and does not?");
        return true;
    }
    size_t piece = longer_piece(wrong, block);
    if (piece > 0) {
        *pattern = "piece";
        snprintf(
            message, message_bytes,
            "This is out after scan_blocks, before add_block_sums begins: the sums start again every %zu elements, where the "
            "lab launches a block for every %zu. How many elements does a block take, and how does the lab know?",
            piece, block);
        return true;
    }
    for (size_t i = 0; i < wrong->expected->count; i++) {
        sum += in[i];
        if ((uint32_t)got[i] != sum || wrong->expected->count <= 2 * block) {
            return false;
        }
    }
    *pattern = "other";
    snprintf(
        message, message_bytes,
        "This is out after scan_blocks, before add_block_sums begins: it holds the whole scan already. scan_blocks is to "
        "scan each block's piece separately. Who adds the sums of the blocks before?");
    return true;
}

/* The sum of blocks [first, end). */
static uint32_t blocks_sum(const int64_t *prefix, size_t block, size_t first, size_t end)
{
    return first >= end ? 0 : range_sum(prefix, first * block, end * block - 1);
}

/* The whole blocks whose sum `base` is: *first up to, not including, *end. Returns false where there are none, or several such
 * sums. */
static bool find_blocks(const int64_t *prefix, size_t block, size_t blocks, uint32_t base, size_t *first, size_t *end)
{
    int found = 0;
    for (size_t a = 0; a < blocks; a++) {
        for (size_t b = a + 1; b <= blocks; b++) {
            if (blocks_sum(prefix, block, a, b) == base) {
                *first = a;
                *end = b;
                found++;
            }
        }
    }
    return found == 1;
}

static void write_blocks(size_t first, size_t end, char text[48])
{
    snprintf(text, 48, end == first + 1 ? "block %zu" : "blocks %zu..%zu", first, end - 1);
}

/* Where every block is right in itself: what each of them begins with. */
struct bases {
    size_t blocks, bad, wrong, right,
        lacking; /* the first that is wrong; how many are (un)like the sum of the blocks before, or 0 */
    bool same;   /* the same number in every block but block 0 */
};

static bool find_bases(const struct lab_wrong *wrong, size_t block, struct bases *bases)
{
    const int32_t *got = wrong->got;
    const int64_t *prefix = wrong->expected->i;
    size_t count = wrong->expected->count;
    *bases = (struct bases){.blocks = (count + block - 1) / block, .same = true};
    for (size_t i = 0; i < count; i++) {
        size_t start = i - i % block;
        if ((uint32_t)got[i] != base_of(wrong, start) + range_sum(prefix, start, i)) {
            return false;
        }
    }
    for (size_t b = 0; b < bases->blocks; b++) {
        uint32_t base = base_of(wrong, b * block), want = blocks_sum(prefix, block, 0, b);
        bool bad = base != want;
        bases->bad = bad && bases->wrong == 0 ? b : bases->bad;
        bases->wrong += bad;
        bases->lacking += bad && base == 0;
        bases->right += !bad && want != 0;
        bases->same &= b == 0 ? !bad : base == base_of(wrong, block);
    }
    return bases->wrong > 0 && bases->blocks > 2;
}

static bool is_bad_base(const struct lab_wrong *wrong, size_t block, size_t b)
{
    return base_of(wrong, b * block) != blocks_sum(wrong->expected->i, block, 0, b);
}

/* Each block is right in itself, but some begin with what other blocks should. */
static bool classify_bases(const struct lab_wrong *wrong, size_t block, const char **pattern, char *message,
                           size_t message_bytes)
{
    /* Of more blocks, many sums may be equal by chance. */
    enum { MOST_BLOCKS = 400 };
    struct bases bases;
    char gets[48], needs[48];
    size_t first = 0, end = 0;
    bool one_pass = wrong->plan == SINGLE_PASS;
    if (wrong->expected->count > MOST_BLOCKS * block || !find_bases(wrong, block, &bases)) {
        return false;
    }
    if (bases.lacking == bases.wrong) {
        if (bases.right == 0 || wrong->bad_count < 4) {
            return false;
        }
        *pattern = "some_blocks";
        if (bases.wrong == 1) {
            snprintf(
                message, message_bytes,
                "Each block is right in itself, but block %zu lacks the sum of the blocks before it; the other %zu blocks are "
                "right. What is different about block %zu?",
                bases.bad, bases.blocks - 1, bases.bad);
        } else {
            snprintf(
                message, message_bytes,
                "Each block is right in itself, but %zu of the %zu blocks, the first of them block %zu, lack the sum of the "
                "blocks before; the others are right. What is different about block %zu?",
                bases.wrong, bases.blocks, bases.bad, bases.bad);
        }
        return true;
    }
    while (bases.bad < bases.blocks && (base_of(wrong, bases.bad * block) == 0 || !is_bad_base(wrong, block, bases.bad))) {
        bases.bad++; /* one that got something shows what */
    }
    uint32_t base = base_of(wrong, bases.bad * block);
    if (bases.bad == 0 || bases.blocks > 40
        || !find_blocks(wrong->expected->i, block, bases.blocks - 1, base, &first, &end)) {
        uint32_t all = base == (uint32_t)wrong->expected->i[wrong->expected->count - 1];
        if (!all || !bases.same) {
            return false;
        }
        first = 0;
        end = bases.blocks;
    }
    write_blocks(first, end, gets);
    write_blocks(0, bases.bad, needs);
    *pattern = "other_blocks";
    snprintf(
        message, message_bytes,
        "Each block is right in itself, but what is added in block %zu is %d, the sum of %s. It needs the sum of %s. %s%s",
        bases.bad, (int)base, gets, needs, bases.same ? "All blocks from block 1 on get the same number. " : "",
        one_pass ? "Whose sum does a block fetch, and does that hold the sum of the blocks before, too?"
                 : "Which entry of block_sums is added, and which one should it be?");
    return true;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    static const char inclusive[] = "The lab asks for the inclusive scan.";
    static const struct {
        enum mistake mistake;
        const char *pattern, *text, *question[2]; /* of each plan */
    } rows[] = {
        {EXCLUSIVE,
         "shifted",
         "Every element holds what belongs one place to its right: this is the exclusive scan, without the element itself. "
         "The lab asks for the inclusive scan.",
         {"Where does in[i] come in?", "Where does in[i] come in?"}},
        {EXCLUSIVE_BLOCKS,
         "shifted",
         "In every block this is the exclusive scan, without the element itself, and the sums of the blocks before are "
         "missing too.",
         {inclusive, inclusive}},
        {TOTALS_NOT_SCANNED,
         "block_constant",
         "Each block got the sum of the one block before it, not of all blocks before it.",
         {"block_sums holds totals first and their scan later: which of the two was added?",
          "What does a block hand on to the next one: its own sum alone, or also what it got itself?"}},
        {OWN_TOTAL_LATER,
         "block_constant",
         "Each block from block 1 on is too high by its own total: it got the sum up to and including itself.",
         {"Which entry of block_sums holds the sum of the blocks *before* block b?",
          "Which number is the sum of the blocks *before* the block, and where is it in scratch?"}},
        {OWN_TOTAL_TOO,
         "block_constant",
         "Each block is too high by its own total.",
         {"Which entry of block_sums holds the sum of the blocks *before* block b?",
          "Which number is the sum of the blocks *before* the block, and where is it in scratch?"}},
        {BASE_ALONE,
         "block_constant",
         "From block 1 on, every element is the sum of the blocks before it, and what was in it is gone.",
         {"What happens to the old value of out[i] when something is added to it?",
          "Where is the element's sum within its own block added?"}},
        {BASE_TWICE,
         "block_constant",
         "Each block is right but for the sum of the blocks before it, which is in it twice.",
         {"scan_blocks should know nothing of other blocks. Which kernel adds the sum a second time?",
          "Where is it added a second time?"}},
        {SCANNED_ADDED,
         "block_constant",
         "",
         {"Each block got the sum of all entries of block_sums before it. But these are scanned already: entry k is the sum of "
          "blocks 0 to k. How many entries does a block need?",
          "Each block got a sum of sums: for each block before it, the sum up to and including that block. How many of these "
          "does a block need?"}},
    };
    if (wrong->output == CLEARED) {
        *pattern = "other";
        snprintf(
            message, message_bytes,
            "This is scratch after scan_clear, before scan begins: each of its words must be 0. What would scan mistake any "
            "other word for?");
        return true;
    }
    size_t count = wrong->expected->count;
    size_t block = wrong->elements_per_block < 1 ? count : (size_t)wrong->elements_per_block;
    if (is_saturated(wrong, block)) {
        *pattern = "saturated";
        describe_saturated(message, message_bytes);
        return true;
    }
    int entry = wrong->output == TOTALS ? entries_instead(wrong, block) : -1;
    if (entry >= 0) {
        *pattern = "block_total";
        snprintf(
            message, message_bytes,
            "Each entry of block_sums%s is the %s element of its block alone. Which thread holds the sum of the whole block, "
            "and when does it hold it?",
            entry == TOTAL_LAST && wrong->data->count[IN] % block != 0 ? " that belongs to a full block" : "",
            entry == TOTAL_FIRST ? "first" : "last");
        return true;
    }
    size_t first = wrong->output == TOTALS ? entries_after(wrong, block) : 0;
    if (first > 0) {
        *pattern = "block_total";
        snprintf(
            message, message_bytes,
            "Each entry of block_sums is the sum of the first %zu elements of its block. Which thread holds the sum of the "
            "whole block, and when does it hold it?",
            first);
        return true;
    }
    if (wrong->output == PIECES && classify_warps(wrong, block, pattern, message, message_bytes)) {
        return true;
    }
    if (wrong->output == TOTALS || wrong->output == PIECES) {
        return classify_pieces(wrong, pattern, message, message_bytes);
    }
    if (is_rounded_to_float(wrong, block)) {
        *pattern = "float";
        snprintf(
            message, message_bytes,
            "Only sums beyond 2^24 = 16777216 are wrong, and all of them by little: a float has 24 bits. Which variable on the "
            "way is not an int?");
        return true;
    }
    int total = wrong->earlier_wrong ? -1 : total_instead(wrong, block);
    if (total >= 0) {
        *pattern = "block_total";
        snprintf(message, message_bytes,
                 "Each block is right in itself, but what counts as its sum is its %s element alone. Which thread holds the "
                 "sum of the whole block, and which one %s?",
                 total == TOTAL_FIRST ? "first" : "last",
                 wrong->plan == SINGLE_PASS ? "hands a sum on to the next block" : "stores block_sums");
        return true;
    }
    if (!wrong->earlier_wrong && count > block && explains(wrong, NO_BLOCK_SUMS, count, block)) {
        *pattern = "block_constant";
        describe_missing_sums(wrong, block, message, message_bytes);
        return true;
    }
    for (int row = 0; row < HOOKS_COUNT(rows); row++) {
        /* What add_block_sums did cannot be seen in what it was given wrong. */
        bool by_adding = rows[row].mistake != EXCLUSIVE && rows[row].mistake != EXCLUSIVE_BLOCKS;
        if (!(by_adding && wrong->earlier_wrong) && explains(wrong, rows[row].mistake, count, block)) {
            bool alone = rows[row].mistake == OWN_TOTAL_TOO && count <= block; /* what later blocks get is not to be seen */
            *pattern = rows[row].pattern;
            if (alone) {
                snprintf(message, message_bytes,
                         "Every element is too high by the sum of the whole block%s. Which blocks come before block 0?",
                         wrong->plan == SINGLE_PASS ? "" : ": block_sums[0] was added to block 0");
            } else {
                snprintf(message, message_bytes, "%s%s%s", rows[row].text, rows[row].text[0] != '\0' ? " " : "",
                         rows[row].question[wrong->plan]);
            }
            return true;
        }
    }
    if (!wrong->earlier_wrong && classify_bases(wrong, block, pattern, message, message_bytes)) {
        return true;
    }
    if (classify_warps(wrong, block, pattern, message, message_bytes)) {
        return true;
    }
    /* Block 0 is enough: what the later blocks add depends on the totals that these mistakes leave. */
    if (block > WARP && explains(wrong, NO_BLOCK_SUMS, count < block ? count : block, WARP)) {
        *pattern = "warp_constant";
        snprintf(
            message, message_bytes,
            "The sums start again with every warp: element %d holds in[%d] alone. When does a warp learn the sum of the "
            "warps before it?",
            WARP, WARP);
        return true;
    }
    int64_t window = window_of(wrong, count < block ? count : block);
    if (window > 0) {
        *pattern = "steps";
        snprintf(
            message, message_bytes,
            window == 2
                ? "Every element is the sum of itself and its left neighbour, no more: this is what the step with distance 1 "
                  "leaves. Is the step with distance 2 made, and is what it leaves what is stored?"
                : "Every element is the sum of %lld elements at most: this is what the step with distance %lld leaves. "
                  "Is the step with distance %lld made, and is what it leaves what is stored?",
            (long long)window, (long long)window / 2, (long long)window);
        return true;
    }
    if (explains(wrong, UP_SWEEP, count < block ? count : block, block)) {
        *pattern = "other";
        snprintf(
            message, message_bytes,
            "Elements 0, 1, 3, 7, 15 ... of a block are right and the others hold sums of 1, 2, 4 ... neighbours: only the "
            "up-sweep ran. What does the second half of the algorithm, the down-sweep, do?");
        return true;
    }
    return false;
}
