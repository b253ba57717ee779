/* Monte Carlo with a counter-based generator: Philox4x32-10 (J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers:
 * As Easy as 1, 2, 3", 2011). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/hooks.h"
#include "grader/lab/tolerance.h"

enum { WORDS, NUMBERS, RESULT, COUNTS };               /* arrays */
enum { SEED, FIRST };                                  /* scalars */
enum { OUT_WORDS, OUT_NUMBERS, OUT_HITS, OUT_RESULT }; /* outputs */
enum { ROUNDS = 10, DIMENSIONS = 4 };

/* Kinds of values, as lab.yaml lists them: seed and first of 64 and 8 bits; both 0; of 20 and 8 bits; both of 64 bits; and a
 * first number that is a few below a multiple of 2^32. In the last kind, finish gets counts that the grader has made up: as many
 * as no test could count, of which a short, or a product in 32 bits, has no room for the sum. */
enum { SEEDS, ZERO, SHORT, FAR, CARRY, LONG_RUN };
enum { LONG_BLOCKS = 500, LONG_ITEMS = 1 << 22 };

#define TO_UNIT_INTERVAL 0x1p-24

/* ---- the plan ------------------------------------------------------------------------------------------------------- */

void launch_all(struct lab_run *run)
{
    const struct lab_case *the_case = lab_run_case(run);
    int64_t n = the_case->size[0], blocks = lab_blocks(run, "estimate", n);
    if (blocks < 1)
        return; /* the run has failed already and says why */
    int hits = lab_scratch(run, "hits", LAB_UINT32, (size_t)blocks);
    struct lab_argument seed = LAB_SCALAR(SEED), first = LAB_SCALAR(FIRST);
    lab_launch(run, &(struct lab_launch){"draw", {n}, {0}, {LAB_ARRAY(WORDS), LAB_ARRAY(NUMBERS), LAB_INT(n), seed, first}});
    lab_check(run, OUT_WORDS, 0, (size_t)n * DIMENSIONS);
    lab_check(run, OUT_NUMBERS, 0, (size_t)n * DIMENSIONS);
    lab_launch(run, &(struct lab_launch){"estimate", {n}, {0}, {LAB_SCRATCH(hits), LAB_INT(n), seed, first}});
    lab_check_scratch(run, OUT_HITS, hits, 0, (size_t)blocks);
    bool is_long = the_case->values == LONG_RUN;
    struct lab_argument counts = is_long ? LAB_ARRAY(COUNTS) : LAB_SCRATCH(hits);
    blocks = is_long ? LONG_BLOCKS : blocks;
    n = is_long ? (int64_t)LONG_BLOCKS * LONG_ITEMS : n;
    lab_launch(run, &(struct lab_launch){"finish", {blocks}, {1}, {counts, LAB_INT(blocks), LAB_INT(n), LAB_ARRAY(RESULT)}});
    lab_check(run, OUT_RESULT, 0, 2);
}

/* ---- the generator, and what may go wrong in it --------------------------------------------------------------------- */

/* A generator: Philox as it should be where all is 0, else with a mistake. */
struct generator {
    int rounds_less; /* than 10; negative: more */
    enum { HIGH_RIGHT, HIGH_ZERO, HIGH_LOW, HIGH_SIGNED } high;
    enum { KEY_RIGHT, KEY_FIXED, KEY_EARLY, KEY_SWAPPED, KEY_LOW_TWICE, KEY_HIGH_ZERO, KEY_ONE_BUMPED } key;
    enum { BUMPS_RIGHT, BUMPS_EXCHANGED, BUMPS_FIRST_TWICE, BUMPS_SECOND_TWICE } bumps;
    enum { FACTORS_RIGHT, FACTORS_EXCHANGED, FACTORS_SAME } factors;
    enum {
        MIX_RIGHT,
        MIX_HALVES_EXCHANGED,
        MIX_HIGHS_EXCHANGED,
        MIX_LOWS_EXCHANGED,
        MIX_KEYS_EXCHANGED,
        MIX_NO_KEY,
        MIX_NO_COUNTER,
        MIX_IN_PLACE,
        MIX_SUMS,
        MIX_ORS,
        MIX_COUNTERS_EXCHANGED
    } mix;
    enum { SOURCES_RIGHT, SOURCES_0_AND_1, SOURCES_1_AND_3, SOURCES_2_AND_0, SOURCES_0_AND_3, SOURCES_0_TWICE } sources;
    enum {
        COUNTER_RIGHT,
        COUNTER_LOW_ONLY,
        COUNTER_NO_CARRY,
        COUNTER_HALVES_EXCHANGED,
        COUNTER_IN_THIRD,
        COUNTER_IS_KEY
    } counter;
};

/* The words of a sample's number. */
static void generate(const struct generator *g, uint64_t number, uint64_t first, uint64_t seed, uint32_t c[DIMENSIONS])
{
    uint32_t low = (uint32_t)number, high = (uint32_t)(number >> 32);
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, bump[2] = {0x9E3779B9U, 0xBB67AE85U};
    uint32_t factor[2] = {0xD2511F53U, 0xCD9E8D57U};
    if (g->counter == COUNTER_LOW_ONLY)
        high = 0;
    if (g->counter == COUNTER_NO_CARRY)
        high = (uint32_t)(first >> 32);
    c[0] = low, c[1] = high, c[2] = c[3] = 0;
    if (g->counter == COUNTER_HALVES_EXCHANGED)
        c[0] = high, c[1] = low;
    if (g->counter == COUNTER_IN_THIRD)
        c[0] = c[1] = 0, c[2] = low, c[3] = high;
    if (g->counter == COUNTER_IS_KEY)
        c[0] = key[0], c[1] = key[1], key[0] = low, key[1] = high;
    if (g->key == KEY_SWAPPED) {
        uint32_t word = key[0];
        key[0] = key[1], key[1] = word;
    }
    if (g->key == KEY_LOW_TWICE)
        key[1] = key[0];
    if (g->key == KEY_HIGH_ZERO)
        key[1] = 0;
    if (g->bumps == BUMPS_EXCHANGED)
        bump[0] = 0xBB67AE85U, bump[1] = 0x9E3779B9U;
    if (g->bumps == BUMPS_FIRST_TWICE)
        bump[1] = bump[0];
    if (g->bumps == BUMPS_SECOND_TWICE)
        bump[0] = bump[1];
    if (g->factors == FACTORS_EXCHANGED)
        factor[0] = 0xCD9E8D57U, factor[1] = 0xD2511F53U;
    if (g->factors == FACTORS_SAME)
        factor[1] = factor[0];
    static const int sources[][2] = {{0, 2}, {0, 1}, {1, 3}, {2, 0}, {0, 3}, {0, 0}}; /* as the enum has them */
    const int *source = sources[g->sources];
    for (int round = 0; round < ROUNDS - g->rounds_less; round++) {
        if (g->key == KEY_EARLY)
            key[0] += bump[0], key[1] += bump[1];
        uint32_t lows[2], highs[2];
        for (int k = 0; k < 2; k++) {
            uint64_t product = (uint64_t)factor[k] * c[source[k]];
            int64_t as_signed = (int64_t)(int32_t)factor[k] * (int32_t)c[source[k]];
            lows[k] = (uint32_t)product;
            highs[k] = g->high == HIGH_ZERO     ? 0
                       : g->high == HIGH_LOW    ? lows[k]
                       : g->high == HIGH_SIGNED ? (uint32_t)((uint64_t)as_signed >> 32)
                                                : (uint32_t)(product >> 32);
        }
        uint32_t old[2] = {c[1], c[3]};
        bool exchanged = g->mix == MIX_KEYS_EXCHANGED, no_key = g->mix == MIX_NO_KEY;
        uint32_t keys[2] = {no_key ? 0 : key[exchanged], no_key ? 0 : key[!exchanged]};
        if (g->mix == MIX_NO_COUNTER)
            old[0] = old[1] = 0;
        if (g->mix == MIX_COUNTERS_EXCHANGED)
            old[0] = c[3], old[1] = c[1];
        if (g->mix == MIX_HALVES_EXCHANGED)
            c[0] = lows[1] ^ old[0] ^ keys[0], c[1] = highs[1], c[2] = lows[0] ^ old[1] ^ keys[1], c[3] = highs[0];
        else if (g->mix == MIX_HIGHS_EXCHANGED)
            c[0] = highs[0] ^ old[0] ^ keys[0], c[1] = lows[1], c[2] = highs[1] ^ old[1] ^ keys[1], c[3] = lows[0];
        else if (g->mix == MIX_LOWS_EXCHANGED)
            c[0] = highs[1] ^ old[0] ^ keys[0], c[1] = lows[0], c[2] = highs[0] ^ old[1] ^ keys[1], c[3] = lows[1];
        else if (g->mix == MIX_SUMS)
            c[0] = highs[1] + old[0] + keys[0], c[1] = lows[1], c[2] = highs[0] + old[1] + keys[1], c[3] = lows[0];
        else if (g->mix == MIX_ORS)
            c[0] = highs[1] | old[0] | keys[0], c[1] = lows[1], c[2] = highs[0] | old[1] | keys[1], c[3] = lows[0];
        else if (g->mix == MIX_IN_PLACE) { /* one line after the other: the second product is made of the new word */
            c[0] = highs[1] ^ old[0] ^ keys[0], c[1] = lows[1];
            uint64_t product = (uint64_t)factor[0] * c[0];
            c[2] = (uint32_t)(product >> 32) ^ old[1] ^ keys[1], c[3] = (uint32_t)product;
        } else
            c[0] = highs[1] ^ old[0] ^ keys[0], c[1] = lows[1], c[2] = highs[0] ^ old[1] ^ keys[1], c[3] = lows[0];
        if (g->key != KEY_EARLY && g->key != KEY_FIXED) {
            key[0] += bump[0];
            key[1] += g->key == KEY_ONE_BUMPED ? 0 : bump[1];
        }
    }
}

static const struct generator right;

static uint64_t seed_of(const struct lab_data *data)
{
    return (uint64_t)data->scalar[SEED].i;
}

static uint64_t first_of(const struct lab_data *data)
{
    return (uint64_t)data->scalar[FIRST].i;
}

static double number_of(uint32_t word)
{
    return (word >> 8) * TO_UNIT_INTERVAL;
}

/* The square of the distance of a point from the ball's centre, exactly: a double has room for squares of 24 bits and their sum. */
static double squares(const uint32_t words[DIMENSIONS])
{
    double sum = 0;
    for (int k = 0; k < DIMENSIONS; k++)
        sum += number_of(words[k]) * number_of(words[k]);
    return sum;
}

/* ---- values --------------------------------------------------------------------------------------------------------- */

static uint64_t random_64(struct lab_random *random)
{
    uint64_t high = lab_random_bits(random);
    return high << 32 | lab_random_bits(random);
}

/* In floats, a sum of squares that is near to 1 is off by up to 4 u: the products by u times their sum, and each of the three
 * additions by u times what it gives, in any order. A sample that is nearer to the surface than that could be on either side. */
static bool has_doubtful_sample(const struct lab_case *the_case, uint64_t seed, uint64_t first)
{
    for (int64_t s = 0; s < the_case->size[0]; s++) {
        uint32_t words[DIMENSIONS];
        generate(&right, first + (uint64_t)s, first, seed, words);
        if (fabs(squares(words) - 1) <= 4.5 * TOLERANCE_UNIT)
            return true;
    }
    return false;
}

/* Draws seed and first again where a sample is so near to the surface that rounding decides: the hits are exact. */
void fill_stream(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    uint64_t seed = 0, first = 0;
    do {
        switch (the_case->values) {
        case ZERO: break;
        case SHORT: seed = 1 + lab_random_below(random, 1U << 20), first = lab_random_below(random, 256); break;
        case FAR: seed = random_64(random), first = random_64(random) >> 1; break;
        case CARRY:
            seed = random_64(random);
            first = ((uint64_t)lab_random_below(random, 1U << 20) + 1) << 32;
            first -= 1 + lab_random_below(random, 200);
            break;
        default: seed = random_64(random), first = lab_random_below(random, 256); break;
        }
    } while (the_case->values != ZERO && has_doubtful_sample(the_case, seed, first));
    for (int b = 0; b < LONG_BLOCKS; b++) /* about as many as in the ball */
        data->array[COUNTS].u[b] = 1000000 + lab_random_below(random, 600000);
    data->scalar[SEED].i = (int64_t)seed;
    data->scalar[FIRST].i = (int64_t)first;
}

/* ---- the right results ---------------------------------------------------------------------------------------------- */

/* How many of the samples `from` to below `end` are in the ball. */
static int64_t count_hits(const struct lab_data *data, int64_t from, int64_t end)
{
    int64_t hits = 0;
    for (int64_t s = from; s < end; s++) {
        uint32_t words[DIMENSIONS];
        generate(&right, first_of(data) + (uint64_t)s, first_of(data), seed_of(data), words);
        hits += squares(words) < 1;
    }
    return hits;
}

/* All hits that finish adds up, and of how many samples. */
static int64_t hits_of_run(const struct lab_case *the_case, const struct lab_data *data, double *samples)
{
    int64_t sum = 0;
    *samples = the_case->values == LONG_RUN ? (double)LONG_BLOCKS * LONG_ITEMS : (double)the_case->size[0];
    for (int b = 0; b < LONG_BLOCKS; b++)
        sum += data->array[COUNTS].u[b];
    return the_case->values == LONG_RUN ? sum : count_hits(data, 0, the_case->size[0]);
}

static double spread_of(double hits, double samples)
{
    double p = hits / samples;
    return 16 * sqrt(fmax(p * (1 - p), 0) / samples);
}

/* p has 3 roundings: two conversions and a quotient; a fast quotient is off by 2 units in the last place, up to 4 u. 16 p is exact.
 * p (1 - p) is off by what p is, by a rounding of each operation, and by p u again where it is p - p * p: less than 16 p u. */
static void expect_result(const struct lab_case *the_case, const struct lab_data *data, struct lab_expected *expected)
{
    double samples, hits = (double)hits_of_run(the_case, data, &samples), p = hits / samples;
    double off = 16 * p * TOLERANCE_UNIT, variance = p * (1 - p);
    expected->f[0] = 16 * p;
    expected->bound[0] = 8 * TOLERANCE_UNIT * 16 * p;
    expected->f[1] = spread_of(hits, samples);
    double more = 16 * sqrt((variance + off) / samples), less = 16 * sqrt(fmax(variance - off, 0) / samples);
    expected->bound[1] = fmax(more - expected->f[1], expected->f[1] - less) + 8 * TOLERANCE_UNIT * expected->f[1];
    expected->rule =
        "an error of up to 8 u for the volume, and for the standard error up to 8 u and what 16 p u in p (1 - p) "
        "makes of it, where u = 2^-24";
}

void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                    const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)plan;
    if (output == OUT_RESULT) {
        expect_result(the_case, data, expected);
        return;
    }
    if (output == OUT_HITS) {
        int64_t per_block = expected->elements_per_block, samples = the_case->size[0];
        for (size_t b = 0; b < expected->count; b++) {
            int64_t from = (int64_t)b * per_block, end = from + per_block < samples ? from + per_block : samples;
            expected->i[b] = count_hits(data, from, end);
        }
        expected->bound = NULL;
        expected->rule = "only the exact count: no sample lies so near to the surface of the ball that rounding decides";
        return;
    }
    for (size_t j = 0; j < expected->count; j += DIMENSIONS) {
        uint32_t words[DIMENSIONS];
        generate(&right, first_of(data) + j / DIMENSIONS, first_of(data), seed_of(data), words);
        for (size_t k = 0; k < DIMENSIONS && j + k < expected->count; k++)
            if (output == OUT_WORDS)
                expected->i[j + k] = words[k];
            else
                expected->f[j + k] = number_of(words[k]);
    }
    expected->bound = NULL;
    expected->rule = output == OUT_WORDS ? "only the exact result: every bit of a word follows from seed and number"
                                         : "only the exact result: a float has room for 24 bits";
}

/* ---- wrong words ---------------------------------------------------------------------------------------------------- */

/* Which number and which of its words an element of sample s is made of: its word k, or part k of its point. */
struct place {
    uint64_t number, seed;
    int word;
};

struct position {
    uint64_t s, n, first, seed, block; /* block: of estimate, in samples */
    int k;
};

typedef struct place place_fn(const struct position *at);

static struct place right_place(const struct position *at)
{
    return (struct place){at->first + at->s, at->seed, at->k};
}

static struct place always_first(const struct position *at)
{
    return (struct place){at->first, at->seed, at->k};
}

static struct place thread_alone(const struct position *at)
{
    return (struct place){at->first + at->s % at->block, at->seed, at->k};
}

static struct place block_alone(const struct position *at)
{
    return (struct place){at->first + at->s / at->block, at->seed, at->k};
}

static struct place without_first(const struct position *at)
{
    return (struct place){at->s, at->seed, at->k};
}

static struct place number_of_each_word(const struct position *at)
{
    return (struct place){at->first + 4 * at->s + (uint64_t)at->k, at->seed, 0};
}

static struct place four_times(const struct position *at)
{
    return (struct place){at->first + 4 * at->s, at->seed, at->k};
}

static struct place four_neighbours(const struct position *at)
{
    return (struct place){at->first + at->s + (uint64_t)at->k, at->seed, 0};
}

static struct place word_0(const struct position *at)
{
    return (struct place){at->first + at->s, at->seed, 0};
}

static struct place word_3(const struct position *at)
{
    return (struct place){at->first + at->s, at->seed, 3};
}

static struct place first_two_again(const struct position *at)
{
    return (struct place){at->first + at->s, at->seed, at->k % 2};
}

static struct place backwards(const struct position *at)
{
    return (struct place){at->first + at->s, at->seed, 3 - at->k};
}

static struct place by_words(const struct position *at)
{
    uint64_t j = 4 * at->s + (uint64_t)at->k;
    return (struct place){at->first + j % at->n, at->seed, (int)(j / at->n)};
}

static struct place one_further(const struct position *at)
{
    return (struct place){at->first + at->s + 1, at->seed, at->k};
}

static struct place times_first(const struct position *at)
{
    return (struct place){at->first * at->n + at->s, at->seed, at->k};
}

static struct place joined_bits(const struct position *at)
{
    return (struct place){at->first | at->s, at->seed, at->k};
}

static struct place in_32_bits(const struct position *at)
{
    return (struct place){(uint64_t)(int64_t)(int32_t)(uint32_t)(at->first + at->s), at->seed, at->k};
}

static struct place seed_of_each(const struct position *at)
{
    return (struct place){at->first, at->seed + at->s, at->k};
}

static struct place seed_of_each_from_0(const struct position *at)
{
    return (struct place){0, at->seed + at->s, at->k};
}

static struct place sample_for_seed(const struct position *at)
{
    return (struct place){at->first, at->s, at->k};
}

static struct place both_moved(const struct position *at)
{
    return (struct place){at->first + at->s, at->seed + at->s, at->k};
}

static const struct {
    place_fn *place;
    const char *pattern, *what; /* what follows "These are", or behind a ! the whole message */
} places[] = {
    {always_first, "repeated",
     "the words of the number first in every sample. What in the counter differs from thread to thread?"},
    {thread_alone, "repeated",
     "!All blocks have the same words: each begins with the number first again. Which number has thread 0 of block 1?"},
    {block_alone, "repeated",
     "!All samples of a block have the same words: those of the number first + the block's. What is the sample's number?"},
    {without_first, "counter", "the words of the numbers 0, 1, 2 and so on. The samples begin with the number first."},
    {number_of_each_word, "word_each",
     "!Each element is word 0 of a number of its own: words[j] is that of first + j. How many words does a number give?"},
    {four_times, "counter",
     "the words of the numbers first + 4 * s. A sample takes one number, whatever the count of its words."},
    {four_neighbours, "overlap",
     "!Each sample has word 0 of four numbers in a row, and the next sample has three of them again. Sample s has the four "
     "words of one number."},
    {word_0, "reused", "!Each sample has word 0 of its number four times. Which member of the uint4 is word k?"},
    {word_3, "reused", "!Each sample has word 3 of its number four times. Which member of the uint4 is word k?"},
    {first_two_again, "reused",
     "!Each sample has words 0 and 1 of its number twice. Which members of the uint4 are words 2 and 3?"},
    {backwards, "order",
     "!Each sample has the words of its number from the last to the first. Which member of the uint4 is word 0?"},
    {by_words, "order",
     "!The words are right, but word 0 of all numbers comes first, then word 1 of all. Where do the four of sample s belong?"},
    {one_further, "counter", "the words of the numbers first + s + 1. Which number does sample 0 have?"},
    {times_first, "counter", "the words of the numbers first * n + s. The sample's number is first + s."},
    {joined_bits, "counter", "the words of the numbers first | s. The sample's number is the sum first + s."},
    {in_32_bits, "narrow",
     "the words of first + s as an int, which has 32 bits, with copies of its sign above them. A sample number has 64."},
    {seed_of_each, "seed_each",
     "made with another seed for each sample, seed + s, and with the number first in all of them. Which of the two moves on "
     "from sample to sample?"},
    {seed_of_each_from_0, "seed_each",
     "made with another seed for each sample, seed + s, and with the number 0 in all of them. Which of the two moves on from "
     "sample to sample?"},
    {sample_for_seed, "seed_each",
     "made with s as the seed, and with the number first in all of them. Which of the two moves on from sample to sample?"},
    {both_moved, "seed_each", "made with another seed for each sample, seed + s. All samples of a run share the seed."},
};

static const struct {
    struct generator generator;
    const char *pattern, *what;
} generators[] = {
    {{.rounds_less = 1}, "rounds", "what 9 rounds make of the counter. How many are there to be?"},
    {{.rounds_less = -1}, "rounds", "what 11 rounds make of the counter. How many are there to be?"},
    {{.rounds_less = 3}, "rounds", "what 7 rounds make of the counter. How many are there to be?"},
    {{.rounds_less = 9}, "rounds", "what 1 round makes of the counter. How many are there to be?"},
    {{.rounds_less = 10}, "rounds", "what the counter was: no round has changed it. What do the rounds work on?"},
    {{.high = HIGH_ZERO},
     "high",
     "what comes out if the upper halves of the products are 0. A product of two words has 64 bits: where are the upper 32?"},
    {{.high = HIGH_LOW},
     "high",
     "what comes out if the lower half of each product takes the place of the upper one as well. A product of two words has "
     "64 bits: where are the upper 32?"},
    {{.high = HIGH_SIGNED},
     "signed",
     "what comes out if the upper halves are those of products of ints, with a sign. Which function is for unsigned words?"},
    {{.key = KEY_FIXED}, "key", "what ten rounds with the same key make. What happens to the key after each round?"},
    {{.key = KEY_EARLY},
     "key",
     "what comes out if the key is bumped before the first round already. Which key does the first round have?"},
    {{.key = KEY_SWAPPED}, "key", "made with the halves of the seed exchanged. Which half is word 0 of the key?"},
    {{.key = KEY_LOW_TWICE}, "key", "made with the low half of the seed in both words of the key. Where is the high one?"},
    {{.key = KEY_HIGH_ZERO},
     "key",
     "made with 0 for the high half of the seed. The seed has 64 bits: who drops the upper 32?"},
    {{.key = KEY_ONE_BUMPED},
     "key",
     "what comes out if only word 0 of the key is bumped after each round. What happens to word 1?"},
    {{.bumps = BUMPS_EXCHANGED},
     "constants",
     "what comes out if the two numbers that are added to the key are exchanged. Which belongs to which word?"},
    {{.bumps = BUMPS_FIRST_TWICE},
     "constants",
     "what comes out if 0x9E3779B9 is added to both words of the key. Which number belongs to word 1?"},
    {{.bumps = BUMPS_SECOND_TWICE},
     "constants",
     "what comes out if 0xBB67AE85 is added to both words of the key. Which number belongs to word 0?"},
    {{.factors = FACTORS_EXCHANGED},
     "constants",
     "what comes out if the two factors are exchanged. Which word of the counter is multiplied by which?"},
    {{.factors = FACTORS_SAME},
     "constants",
     "what comes out if both words are multiplied by 0xD2511F53. Which word of the counter is multiplied by which?"},
    {{.mix = MIX_HALVES_EXCHANGED},
     "mix",
     "what comes out if the upper and the lower halves of the products are exchanged. Which half is mixed with the key, and "
     "which one goes on as it is?"},
    {{.mix = MIX_HIGHS_EXCHANGED},
     "mix",
     "what comes out if the upper halves are not crossed over: word 0 gets its own one, not that of the other product."},
    {{.mix = MIX_LOWS_EXCHANGED},
     "mix",
     "what comes out if the lower halves are not crossed over: word 1 gets that of the first product, not of the second."},
    {{.mix = MIX_KEYS_EXCHANGED},
     "mix",
     "what comes out if the words of the key are exchanged in a round: word 0 of the key goes into word 0."},
    {{.mix = MIX_NO_KEY}, "mix", "what comes out without the key. Where does a round use it?"},
    {{.mix = MIX_NO_COUNTER},
     "mix",
     "what comes out if words 1 and 3 of the counter are dropped in each round. What else than the product and the key goes "
     "into words 0 and 2?"},
    {{.mix = MIX_IN_PLACE},
     "in_place",
     "what comes out if word 0 is replaced first, and the product for word 2 is made of the new one. A round reads all four "
     "words before it changes any."},
    {{.mix = MIX_SUMS}, "mix", "what comes out if a round adds its parts up. They are joined by an exclusive or, ^."},
    {{.mix = MIX_ORS}, "mix", "what comes out if a round joins its parts by |. They are joined by an exclusive or, ^."},
    {{.mix = MIX_COUNTERS_EXCHANGED},
     "mix",
     "what comes out if words 1 and 3 of the counter are exchanged in the mixing. Which one is beside word 0?"},
    {{.sources = SOURCES_0_AND_1},
     "products",
     "what comes out if the products are made of words 0 and 1. Which two words does a round multiply?"},
    {{.sources = SOURCES_1_AND_3},
     "products",
     "what comes out if the products are made of words 1 and 3. Which two words does a round multiply?"},
    {{.sources = SOURCES_2_AND_0},
     "products",
     "what comes out if the first product is made of word 2, and the second one of word 0. Which is made of which?"},
    {{.sources = SOURCES_0_AND_3},
     "products",
     "what comes out if the products are made of words 0 and 3. Which two words does a round multiply?"},
    {{.sources = SOURCES_0_TWICE},
     "products",
     "what comes out if both products are made of word 0. Which two words does a round multiply?"},
    {{.counter = COUNTER_LOW_ONLY},
     "narrow",
     "made with 0 for the high half of the sample's number. A sample number has 64 bits: who drops the upper 32?"},
    {{.counter = COUNTER_NO_CARRY},
     "narrow",
     "made of first's own high half and the low half of first + s: the carry is lost where the low half passes 2^32. Add "
     "first, take the halves after that."},
    {{.counter = COUNTER_HALVES_EXCHANGED},
     "counter",
     "made with the halves of the sample's number exchanged. Which half is word 0 of the counter?"},
    {{.counter = COUNTER_IN_THIRD},
     "counter",
     "made with the sample's number in words 2 and 3 of the counter. Which words of the counter is it to be in?"},
    {{.counter = COUNTER_IS_KEY},
     "swapped",
     "made with the seed as the counter and the sample's number as the key. Which argument of philox is which?"},
};

static void say(const char *what, char *message, size_t message_bytes)
{
    const char *beginning = what[0] == '!' ? "" : strncmp(what, "what", 4) == 0 ? "This is " : "These are ";
    snprintf(message, message_bytes, "%s%s", beginning, what[0] == '!' ? what + 1 : what);
}

static bool is_word(const struct lab_wrong *wrong, size_t j, const struct generator *generator, place_fn *place)
{
    uint64_t first = first_of(wrong->data);
    struct position at = {j / DIMENSIONS,       (uint64_t)wrong->the_case->size[0],  first,
                          seed_of(wrong->data), (uint64_t)wrong->elements_per_block, (int)(j % DIMENSIONS)};
    struct place where = place(&at);
    uint32_t words[DIMENSIONS];
    generate(generator, where.number, first, where.seed, words);
    return ((const uint32_t *)wrong->got)[j] == words[where.word];
}

static bool are_words(const struct lab_wrong *wrong, const struct generator *generator, place_fn *place)
{
    if (!is_word(wrong, wrong->first_bad, generator, place))
        return false;
    for (size_t j = 0; j < wrong->expected->count; j++)
        if (!is_word(wrong, j, generator, place))
            return false;
    return true;
}

/* A mistake is named only if it is the only one of the tables that gives these words. */
static bool classify_words(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    const char *what = NULL, *kind = NULL;
    int found = 0;
    for (int m = 0; m < HOOKS_COUNT(generators); m++)
        if (are_words(wrong, &generators[m].generator, right_place))
            what = generators[m].what, kind = generators[m].pattern, found++;
    for (int m = 0; m < HOOKS_COUNT(places); m++)
        if (are_words(wrong, &right, places[m].place))
            what = places[m].what, kind = places[m].pattern, found++;
    if (found != 1)
        return false;
    *pattern = kind;
    say(what, message, message_bytes);
    return true;
}

/* ---- wrong numbers -------------------------------------------------------------------------------------------------- */

typedef float convert_fn(uint32_t word);

static float rounded_up(uint32_t word)
{
    return (float)word / 4294967296.0F;
}

static float half_more(uint32_t word)
{
    return (float)word * 0x1p-32F + 0x1p-33F;
}

static float largest_divided(uint32_t word)
{
    return (float)(word >> 8) / 16777215.0F;
}

static float bits_23(uint32_t word)
{
    return (float)(word >> 9) * 0x1p-23F;
}

static float bits_16(uint32_t word)
{
    return (float)(word >> 16) * 0x1p-16F;
}

static float lower_24(uint32_t word)
{
    return (float)(word & 0xffffffU) * 0x1p-24F;
}

static float with_sign(uint32_t word)
{
    return (float)(int32_t)word * 0x1p-32F;
}

static float with_sign_doubled(uint32_t word)
{
    return (float)(int32_t)word * 0x1p-31F;
}

static float shifted_with_sign(uint32_t word)
{
    return (float)((int32_t)word >> 8) * 0x1p-24F;
}

static float not_divided(uint32_t word)
{
    return (float)(word >> 8);
}

static float word_itself(uint32_t word)
{
    return (float)word;
}

static float zero(uint32_t word)
{
    return (void)word, 0;
}

static float divided_by_2_32(uint32_t word)
{
    return (float)(word >> 8) * 0x1p-32F;
}

static float divided_by_2_23(uint32_t word)
{
    return (float)(word >> 8) * 0x1p-23F;
}

static const struct {
    convert_fn *convert;
    const char *pattern, *what;
} conversions[] = {
    {rounded_up, "rounded",
     "the whole words, divided by 2^32. A float has room for 24 bits, so the words are rounded to the nearest one, and those "
     "above 2^32 - 128 become 1."},
    {half_more, "rounded",
     "the whole words, divided by 2^32, and half a step more. A float has room for 24 bits, so the words are rounded, and the "
     "largest ones become 1."},
    {largest_divided, "rounded",
     "the upper 24 bits divided by 2^24 - 1, so that the largest one becomes 1. Divide by 2^24."},
    {bits_23, "bits", "the upper 23 bits / 2^23. A float has room for 24: 23 are stored, and the leading one is not."},
    {bits_16, "bits", "the upper 16 bits / 2^16. A float has room for 24."},
    {lower_24, "bits", "the lower 24 bits / 2^24. The contract takes the upper ones. By how many places is a word shifted?"},
    {with_sign, "sign", "the words as ints, divided by 2^32: half of them are negative. Which type has no sign?"},
    {with_sign_doubled, "sign", "the words as ints, divided by 2^31: half of them are negative. Which type has no sign?"},
    {shifted_with_sign, "sign",
     "the words as ints, shifted by 8, and divided by 2^24: half of them are negative. Which type has no sign?"},
    {not_divided, "scale", "the upper 24 bits, which nobody has divided. By what must they be divided to be below 1?"},
    {word_itself, "scale", "the words themselves as floats. By what must they be divided to be below 1?"},
    {zero, "integer",
     "!All numbers are 0. Either no word is converted, or integers are divided, a smaller one by a larger one."},
    {divided_by_2_32, "scale", "the upper 24 bits / 2^32. After the shift, how many values are there?"},
    {divided_by_2_23, "scale", "the upper 24 bits / 2^23: up to 2. After the shift, how many values are there?"},
};

/* Of the number of element j, by seed and sample; its words are right. */
static uint32_t right_word(const struct lab_wrong *wrong, size_t j)
{
    uint32_t words[DIMENSIONS];
    generate(&right, first_of(wrong->data) + j / DIMENSIONS, first_of(wrong->data), seed_of(wrong->data), words);
    return words[j % DIMENSIONS];
}

static bool classify_numbers(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    static const uint32_t ranges[] = {10, 100, 1000, 1024, 10000, 32768, 65536, 100000, 1000000, 16777216};
    const float *got = wrong->got;
    for (int m = 0; m < HOOKS_COUNT(conversions) && wrong->expected->count >= 8; m++) {
        size_t same = 0;
        for (; same < wrong->expected->count; same++)
            if (got[same] != conversions[m].convert(right_word(wrong, same)))
                break;
        if (same == wrong->expected->count) {
            *pattern = conversions[m].pattern;
            say(conversions[m].what, message, message_bytes);
            return true;
        }
    }
    for (int m = 0; m < HOOKS_COUNT(ranges) && wrong->expected->count >= 8; m++) {
        size_t same = 0;
        for (; same < wrong->expected->count; same++)
            if (!(fabs((double)got[same] - (double)(right_word(wrong, same) % ranges[m]) / ranges[m]) <= 1e-6)) /* or NaN */
                break;
        if (same == wrong->expected->count) {
            *pattern = "modulo";
            snprintf(message, message_bytes,
                     "These are the words %% %u, divided by %u: only %u different numbers, made of the lower bits. The "
                     "contract takes the upper 24 bits.",
                     ranges[m], ranges[m], ranges[m]);
            return true;
        }
    }
    return false;
}

/* ---- wrong hits ----------------------------------------------------------------------------------------------------- */

typedef bool inside_fn(const double x[DIMENSIONS]);

static bool in_ball(const double x[DIMENSIONS])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] < 1;
}

static bool in_ball_of_3(const double x[DIMENSIONS])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < 1;
}

static bool in_circle(const double x[DIMENSIONS])
{
    return x[0] * x[0] + x[1] * x[1] < 1;
}

static bool outside(const double x[DIMENSIONS])
{
    return !in_ball(x);
}

static bool in_simplex(const double x[DIMENSIONS])
{
    return x[0] + x[1] + x[2] + x[3] < 1;
}

static bool anywhere(const double x[DIMENSIONS])
{
    return (void)x, true;
}

static bool around_the_middle(const double x[DIMENSIONS])
{
    double sum = 0;
    for (int k = 0; k < DIMENSIONS; k++)
        sum += (x[k] - 0.5) * (x[k] - 0.5);
    return sum < 0.25;
}

/* Of the samples of a block, those that a thread of it counts. */
typedef bool part_fn(int64_t at, int64_t block);

static bool every_thread(int64_t at, int64_t block)
{
    return (void)at, (void)block, true;
}

static bool thread_0(int64_t at, int64_t block)
{
    return (void)block, at % 256 == 0;
}

static bool lanes_0(int64_t at, int64_t block)
{
    return (void)block, at % 32 == 0;
}

static bool warp_0(int64_t at, int64_t block)
{
    return (void)block, at % 256 < 32;
}

static bool other_warps(int64_t at, int64_t block)
{
    return (void)block, at % 256 >= 32;
}

static bool even_threads(int64_t at, int64_t block)
{
    return (void)block, at % 2 == 0;
}

static bool first_half(int64_t at, int64_t block)
{
    return at % 256 < 128 || block % 256 != 0;
}

static const struct {
    inside_fn *inside;
    place_fn *place;
    part_fn *part;
    bool beyond;                /* the last block's threads without a sample count, too */
    const char *pattern, *what; /* what follows "hits[b] is how many" */
} counts[] = {
    {in_ball_of_3, right_place, every_thread, false, "test",
     "samples of block b have x*x + y*y + z*z below 1. A point has four coordinates."},
    {in_circle, right_place, every_thread, false, "test",
     "samples of block b have x*x + y*y below 1. A point has four coordinates."},
    {outside, right_place, every_thread, false, "test", "samples of block b are outside of the ball."},
    {in_simplex, right_place, every_thread, false, "test",
     "samples of block b have x + y + z + w below 1. The contract adds up the squares."},
    {anywhere, right_place, every_thread, false, "test", "samples block b has. Which of them are hits?"},
    {around_the_middle, right_place, every_thread, false, "test",
     "samples of block b are in a ball of radius 1/2 around the middle of the cube. The contract's ball has radius 1, and its "
     "centre is the corner 0."},
    {in_ball, word_0, every_thread, false, "reused",
     "samples of block b would be in the ball if all four coordinates were made of word 0. Each takes a word of its own."},
    {in_ball, word_3, every_thread, false, "reused",
     "samples of block b would be in the ball if all four coordinates were made of word 3. Each takes a word of its own."},
    {in_ball, first_two_again, every_thread, false, "reused",
     "samples of block b would be in the ball if words 0 and 1 were used twice. Each coordinate takes a word of its own."},
    {in_ball, always_first, every_thread, false, "repeated",
     "samples of block b would be in the ball if each of them were the number first. What in the counter differs from thread "
     "to thread?"},
    {in_ball, thread_alone, every_thread, false, "repeated",
     "samples of block 0 are in the ball: every block takes those again. Which number has thread 0 of block 1?"},
    {in_ball, block_alone, every_thread, false, "repeated",
     "samples of block b would be in the ball if all of them had the number first + b. What is the sample's number?"},
    {in_ball, without_first, every_thread, false, "counter",
     "samples of block b would be in the ball if they began with the number 0. They begin with first."},
    {in_ball, number_of_each_word, every_thread, false, "word_each",
     "samples of block b would be in the ball if they took word 0 of the numbers first + 4 * s + k. A sample takes the four "
     "words of one number."},
    {in_ball, four_times, every_thread, false, "counter",
     "samples of block b would be in the ball if their numbers were first + 4 * s. A sample takes one number."},
    {in_ball, four_neighbours, every_thread, false, "overlap",
     "samples of block b would be in the ball if they took word 0 of four numbers in a row: then three of four coordinates "
     "are the next sample's as well. A sample takes the four words of one number."},
    {in_ball, one_further, every_thread, false, "counter",
     "samples of block b would be in the ball if they began with the number first + 1."},
    {in_ball, in_32_bits, every_thread, false, "narrow",
     "samples of block b would be in the ball if first + s were an int, which has 32 bits. A sample number has 64."},
    {in_ball, seed_of_each, every_thread, false, "seed_each",
     "samples of block b would be in the ball if each had a seed of its own, seed + s, and the number first."},
    {in_ball, right_place, thread_0, false, "own_total",
     "hits thread 0 of block b has itself. Who adds up what the other threads of the block have?"},
    {in_ball, right_place, lanes_0, false, "own_total",
     "hits lanes 0 of the warps of block b have themselves. Who adds up what the other lanes have?"},
    {in_ball, right_place, warp_0, false, "first_only",
     "hits the first warp of block b has. Who adds up what the other warps have?"},
    {in_ball, right_place, other_warps, false, "first_only", "hits the warps of block b have, without the first one."},
    {in_ball, right_place, even_threads, false, "first_only",
     "hits the even threads of block b have. With which distance do the odd ones hand on what they have?"},
    {in_ball, right_place, first_half, false, "first_only",
     "hits the first half of the threads of block b have. With which distance does the other half hand on what it has?"},
    {in_ball, right_place, every_thread, true, "tail",
     "hits block b has if its last threads, which have no sample any more, make points, too. Which samples are there?"},
};

static int64_t count_instead(const struct lab_wrong *wrong, int m, int64_t b)
{
    struct position at = {.n = (uint64_t)wrong->the_case->size[0],
                          .first = first_of(wrong->data),
                          .seed = seed_of(wrong->data),
                          .block = (uint64_t)wrong->elements_per_block};
    int64_t block = wrong->elements_per_block, count = 0;
    for (int64_t i = 0; i < block && (b * block + i < wrong->the_case->size[0] || counts[m].beyond); i++) {
        double x[DIMENSIONS];
        at.s = (uint64_t)(b * block + i);
        for (int k = 0; k < DIMENSIONS && counts[m].part(i, block); k++) {
            uint32_t words[DIMENSIONS];
            at.k = k;
            struct place where = counts[m].place(&at);
            generate(&right, where.number, at.first, where.seed, words);
            x[k] = number_of(words[where.word]);
        }
        count += counts[m].part(i, block) && counts[m].inside(x);
    }
    return count;
}

static bool are_counts(const struct lab_wrong *wrong, int m)
{
    const uint32_t *got = wrong->got;
    int64_t blocks = (int64_t)wrong->expected->count;
    for (int64_t b = 0; b < blocks; b++)
        if (got[b] != count_instead(wrong, m, b))
            return false;
    return true;
}

/* Are there enough counts, and large enough, to tell mistakes apart? A count of m samples hits another mistake's by chance about
 * once in 2.5 sqrt(m p (1 - p)) times, with p (1 - p) = 0.21. */
static bool tell_mistakes_apart(const struct lab_wrong *wrong)
{
    double chance = 1;
    int64_t block = wrong->elements_per_block, n = wrong->the_case->size[0];
    for (int64_t from = 0; from < n; from += block)
        chance /= fmax(1, 2.5 * sqrt(0.21 * (double)(from + block < n ? block : n - from)));
    return chance < 1e-5;
}

static bool classify_hits(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    const uint32_t *got = wrong->got;
    int64_t total = 0, so_far = 0;
    size_t blocks = wrong->expected->count, all = 0, running = 0, nothing = 0, found = 0;
    const char *what = NULL, *kind = NULL;
    for (size_t b = 0; b < blocks; b++)
        total += wrong->expected->i[b];
    for (size_t b = 0; b < blocks; b++) {
        so_far += wrong->expected->i[b];
        all += got[b] == total;
        running += got[b] == so_far;
    }
    if (!tell_mistakes_apart(wrong))
        return false;
    if (blocks > 1 && (all == blocks || running == blocks)) {
        *pattern = "too_far";
        snprintf(message, message_bytes, "hits[b] is how many hits %s. Each block leaves its own count.",
                 all == blocks ? "all blocks have together" : "blocks 0 to b have together");
        return true;
    }
    for (size_t b = 0; b < blocks; b++)
        nothing += got[b] == 0;
    for (int m = 0; m < HOOKS_COUNT(counts) && nothing == blocks; m++)
        if (counts[m].part == thread_0 && are_counts(wrong, m)) /* thread 0 may have no hit in a few blocks */
            return false;
    if (nothing == blocks) {
        *pattern = "nothing";
        snprintf(message, message_bytes,
                 "Every count is 0. Where does the thread that stores a count get it from, and who has put it there?");
        return true;
    }
    for (int m = 0; m < HOOKS_COUNT(counts); m++)
        if (are_counts(wrong, m))
            what = counts[m].what, kind = counts[m].pattern, found++;
    if (found != 1)
        return false;
    *pattern = kind;
    snprintf(message, message_bytes, "hits[b] is how many %s", what);
    return true;
}

/* ---- wrong results -------------------------------------------------------------------------------------------------- */

static bool is_near(double got, double value)
{
    return isfinite(value) && fabs(got - value) <= 1e-5 * fabs(value);
}

static bool classify_volume(const struct lab_wrong *wrong, double hits, double samples, const char **pattern, char *message,
                            size_t message_bytes)
{
    double got = (double)((const float *)wrong->got)[0], p = hits / samples;
    bool is_long = wrong->the_case->values == LONG_RUN;
    int64_t block = is_long ? LONG_ITEMS : wrong->elements_per_block, n = (int64_t)samples, blocks = (n + block - 1) / block;
    const struct {
        double value;
        const char *pattern, *what;
    } rows[] = {
        {p, "scale", "the share p of the hits. The cube has a sixteenth of the ball: what is the whole one's volume?"},
        {4 * p, "scale", "4 * p. In how many corners, such as the cube's, does a ball in four dimensions lie?"},
        {8 * p, "scale", "8 * p. In how many corners, such as the cube's, does a ball in four dimensions lie?"},
        {hits, "scale", "the number of hits. It is to be divided by that of the samples, and multiplied by 16."},
        {16 * hits, "scale", "16 times the number of hits. By what is it to be divided?"},
        {hits / 16, "scale", "a sixteenth of the number of hits. By what is it to be divided?"},
        {16 * hits / (double)(blocks * block), "samples",
         "16 times the share of the hits in as many samples as all threads would have. How many samples are there?"},
        {16 * hits / (double)blocks, "samples",
         "16 times the hits, divided by the number of blocks. Of which number are they a share?"},
    };
    int fits = 0, found = 0;
    for (int m = 0; m < HOOKS_COUNT(rows) && p > 0; m++)
        if (is_near(got, rows[m].value) && !is_near(rows[m].value, 16 * p))
            found = m, fits++;
    if (fits == 1) {
        *pattern = rows[found].pattern;
        snprintf(message, message_bytes, "result[0] is %s", rows[found].what);
        return true;
    }
    if (fits > 1)
        return false;
    if (is_long && is_near(got, 16 * fmod(hits, 65536) / samples)) {
        *pattern = "narrow_total";
        snprintf(message, message_bytes,
                 "result[0] is made of the lower 16 bits of the total, which is %.0f. Which type has the total?", hits);
        return true;
    }
    if (got > 0 && got == floor(16 * p)) {
        *pattern = "integer";
        snprintf(message, message_bytes,
                 "result[0] is %.0f, without what is behind the point: 16 times the hits, divided as a whole number. Which "
                 "type has each side of the division?",
                 got);
        return true;
    }
    if (got == 0 && p > 0 && p < 1) {
        *pattern = "integer";
        snprintf(
            message, message_bytes,
            "result[0] is 0, although there are %.0f hits. What is a whole number divided by a larger one, when both are "
            "integers?",
            hits);
        return true;
    }
    /* Of the counts of the blocks, some are missing. */
    int64_t sums[4] = {0};
    for (int64_t b = 0; b < blocks; b++) {
        int64_t count = is_long ? wrong->data->array[COUNTS].u[b]
                                : count_hits(wrong->data, b * block, (b + 1) * block < n ? (b + 1) * block : n);
        sums[0] += b == 0 ? count : 0;
        sums[1] += b % 256 == 0 ? count : 0;
        sums[2] += b < 256 ? count : 0;
        sums[3] += b % 256 < 32 ? count : 0;
    }
    static const char *const whats[] = {
        "of block 0 alone", "of thread 0 alone: the blocks 0, 256 and so on",
        "of the first 256 blocks. A block of 256 threads takes the others in further turns of a loop",
        "of the first warp: the blocks 0 to 31, 256 to 287 and so on"};
    for (int m = 0; m < HOOKS_COUNT(whats); m++)
        if (sums[m] != (int64_t)hits && sums[m] > 0 && is_near(got, 16 * (double)sums[m] / samples)) {
            *pattern = m == 2 ? "tail" : "own_total";
            snprintf(message, message_bytes, "result[0] is made of the hits %s.", whats[m]);
            return true;
        }
    return false;
}

static bool classify_error(const struct lab_wrong *wrong, double hits, double samples, const char **pattern, char *message,
                           size_t message_bytes)
{
    double got = (double)((const float *)wrong->got)[1], p = hits / samples, v = p * (1 - p);
    if (wrong->first_bad != 1 || v <= 0 || samples < 100)
        return false;
    const struct {
        double value;
        const char *what;
    } rows[] = {
        {16 * v / samples, "16 * p * (1 - p) / n, without the root."},
        {16 * sqrt(v), "16 * sqrt(p * (1 - p)), which is how much a single sample varies. Where is n?"},
        {16 * sqrt(v) / samples, "16 * sqrt(p * (1 - p)) / n. Is n below the root or not?"},
        {16 * sqrt(p / samples), "16 * sqrt(p / n). Where is 1 - p?"},
        {4 * sqrt(v / samples), "sqrt(16 * p * (1 - p) / n). The factor 16 belongs before the root."},
        {sqrt(v / samples), "sqrt(p * (1 - p) / n), the standard error of p. What is that of 16 * p?"},
        {16 / sqrt(samples), "16 / sqrt(n). Where is p * (1 - p)?"},
        {16 * p, "the volume again."},
        {256 * v / samples, "the square of the standard error: its root is missing."},
        {16 * sqrt(v * samples), "16 * sqrt(p * (1 - p) * n). The error of a mean shrinks with n."},
    };
    for (int m = 0; m < HOOKS_COUNT(rows); m++)
        if (is_near(got, rows[m].value)) {
            *pattern = "error";
            snprintf(message, message_bytes, "result[1] is %s", rows[m].what);
            return true;
        }
    if (isnan(got)) {
        *pattern = "error_nan";
        snprintf(message, message_bytes,
                 "result[1] is NaN, the root of a negative number. What is p in 1 - p, and where does "
                 "it lie?");
        return true;
    }
    return false;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    if (wrong->earlier_wrong) /* it may follow from that */
        return false;
    switch (wrong->output) {
    case OUT_WORDS: return classify_words(wrong, pattern, message, message_bytes);
    case OUT_NUMBERS: return classify_numbers(wrong, pattern, message, message_bytes);
    case OUT_HITS: return classify_hits(wrong, pattern, message, message_bytes);
    default: break;
    }
    double samples, hits = (double)hits_of_run(wrong->the_case, wrong->data, &samples);
    return wrong->first_bad == 0 ? classify_volume(wrong, hits, samples, pattern, message, message_bytes)
                                 : classify_error(wrong, hits, samples, pattern, message, message_bytes);
}
