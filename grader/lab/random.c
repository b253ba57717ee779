#include "grader/lab/random.h"

#include <string.h>

/* Generators that a fill runs side by side: one per 32-bit lane of a 256-bit vector. */
#define LANES 8

typedef uint32_t random_vector __attribute__((vector_size(4 * LANES)));
typedef int32_t random_signed_vector __attribute__((vector_size(4 * LANES)));
typedef float random_float_vector __attribute__((vector_size(4 * LANES)));

/* Built a second time for 256-bit vectors where the processor has them; the results are the same bit for bit. The sanitizers
 * do not survive the resolver that picks one, so they get the plain build. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define RANDOM_FAST __attribute__((target_clones("default", "avx2")))
#else
#define RANDOM_FAST
#endif

struct random_lanes {
    random_vector state[4];
};

/* SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words whose outputs for consecutive inputs look unrelated. */
static uint64_t mix(uint64_t word)
{
    word += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++) {
        hash = mix(hash ^ (unsigned char)*text);
    }
    return mix(hash ^ 0x100); /* an end mark that no character has: "ab","c" differs from "a","bc" */
}

void random_init(struct lab_random *random, uint64_t seed, const char *lab, const char *the_case, unsigned run)
{
    uint64_t hash = mix(mix_text(mix_text(mix(seed), lab), the_case) ^ run);
    uint64_t low = mix(hash), high = mix(low);
    random->state[0] = (uint32_t)low;
    random->state[1] = (uint32_t)(low >> 32);
    random->state[2] = (uint32_t)high;
    random->state[3] = (uint32_t)(high >> 32) | 1; /* xoshiro stands still at all zero */
}

static uint32_t rotate(uint32_t word, int by)
{
    return word << by | word >> (32 - by);
}

uint32_t lab_random_bits(struct lab_random *random)
{
    uint32_t *s = random->state;
    uint32_t result = rotate(s[0] + s[3], 7) + s[0];
    uint32_t shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 11);
    return result;
}

uint32_t lab_random_below(struct lab_random *random, uint32_t bound)
{
    /* The high word of bits * bound; its bias is below bound / 2^32, which no test of a kernel can see. */
    return (uint32_t)((uint64_t)lab_random_bits(random) * bound >> 32);
}

/* 31 bits choose the place in the range; the last one flips the lowest bit of the float, which would else be 0 wherever the
 * range is coarser than the float. The upper end is open, so rounding up to it is undone, and so is a flip below `low`. */
static float float_from_bits(uint32_t bits, float low, float span, float last)
{
    float value = low + span * ((float)(int32_t)(bits >> 1) * 0x1p-31f);
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    word ^= bits & 1;
    memcpy(&value, &word, sizeof value);
    value = value > last ? last : value;
    return value < low ? low : value;
}

/* The float before `high`, and never below `low`. */
static float last_below(float low, float high)
{
    float last = __builtin_nextafterf(high, -__builtin_inff());
    return last < low ? low : last;
}

float lab_random_float(struct lab_random *random, float low, float high)
{
    return float_from_bits(lab_random_bits(random), low, high - low, last_below(low, high));
}

/* Starts the eight generators from two draws of the caller's. */
static void lanes_init(struct random_lanes *lanes, struct lab_random *random)
{
    uint64_t key = (uint64_t)lab_random_bits(random) << 32;
    key |= lab_random_bits(random);
    for (int word = 0; word < 4; word++) {
        for (int lane = 0; lane < LANES; lane++) {
            key = mix(key);
            lanes->state[word][lane] = (uint32_t)(key >> 32);
        }
    }
    lanes->state[3] |= 1;
}

/* A macro, because a function that takes or returns a 256-bit vector has another ABI with and without AVX. */
#define ROTATE_LANES(words, by) ((words) << (by) | (words) >> (32 - (by)))

static inline __attribute__((always_inline)) void lanes_step(struct random_lanes *lanes, random_vector *out)
{
    random_vector *s = lanes->state;
    random_vector sum = s[0] + s[3];
    *out = ROTATE_LANES(sum, 7) + s[0];
    random_vector shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = ROTATE_LANES(s[3], 11);
}

RANDOM_FAST static void fill_float(struct random_lanes *shared, float *array, size_t count, float low, float high)
{
    struct random_lanes lanes = *shared;
    float span = high - low, last = last_below(low, high);
    random_float_vector lasts = last - (random_float_vector){0}, lows = low - (random_float_vector){0};
    for (size_t i = 0; i < count; i += LANES) {
        random_vector bits;
        lanes_step(&lanes, &bits);
        random_float_vector unit = __builtin_convertvector((random_signed_vector)(bits >> 1), random_float_vector);
        random_float_vector values = low + span * (unit * 0x1p-31f);
        values = (random_float_vector)((random_vector)values ^ (bits & 1));
        random_signed_vector over = values > lasts, under = values < lows;
        values = (random_float_vector)((over & (random_signed_vector)lasts) | (under & (random_signed_vector)lows)
                                       | (~over & ~under & (random_signed_vector)values));
        if (count - i >= LANES) {
            memcpy(array + i, &values, sizeof values);
        } else {
            memcpy(array + i, &values, (count - i) * sizeof *array);
        }
    }
}

void lab_random_fill_float(struct lab_random *random, float *array, size_t count, float low, float high)
{
    struct random_lanes lanes;
    lanes_init(&lanes, random);
    fill_float(&lanes, array, count, low, high);
}

RANDOM_FAST static void fill_int(struct random_lanes *shared, int32_t *array, size_t count, int32_t low, uint32_t span)
{
    struct random_lanes lanes = *shared;
    for (size_t i = 0; i < count; i += LANES) {
        random_vector bits;
        lanes_step(&lanes, &bits);
        size_t here = count - i < LANES ? count - i : LANES;
        for (size_t lane = 0; lane < here; lane++) {
            /* A span of 0 stands for all 2^32 values. */
            uint32_t offset = span == 0 ? bits[lane] : (uint32_t)((uint64_t)bits[lane] * span >> 32);
            array[i + lane] = (int32_t)((uint32_t)low + offset);
        }
    }
}

void lab_random_fill_int(struct lab_random *random, int32_t *array, size_t count, int32_t low, int32_t high_exclusive)
{
    struct random_lanes lanes;
    lanes_init(&lanes, random);
    fill_int(&lanes, array, count, low, (uint32_t)high_exclusive - (uint32_t)low);
}

/* A cheap bijection of 32-bit words (the finaliser of MurmurHash3), so that neighbours share no pattern and no two
 * elements of an array share a word. */
static inline __attribute__((always_inline)) uint32_t poison_word(uint32_t key, uint32_t index)
{
    uint32_t word = index ^ key;
    word = (word ^ word >> 16) * 0x85ebca6bu;
    word = (word ^ word >> 13) * 0xc2b2ae35u;
    return word ^ word >> 16;
}

uint32_t random_poison(uint64_t key, size_t index)
{
    return poison_word((uint32_t)(key ^ key >> 32), (uint32_t)index);
}

bool random_is_poison(uint64_t key, size_t bytes, size_t index, const void *element)
{
    /* Words of 4 bytes fill the array, whatever its elements are. */
    uint32_t words[2] = {random_poison(key, index * bytes / 4), random_poison(key, index * bytes / 4 + 1)};
    return memcmp((const char *)words + index * bytes % 4, element, bytes) == 0;
}

RANDOM_FAST void random_poison_fill(uint64_t key, size_t first, uint32_t *words, size_t count)
{
    uint32_t folded = (uint32_t)(key ^ key >> 32);
    for (size_t i = 0; i < count; i++) {
        words[i] = poison_word(folded, (uint32_t)(first + i));
    }
}
