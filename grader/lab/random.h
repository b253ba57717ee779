/* The generator behind lab_random_* (grader/lab/lab.h): inputs that a seed repeats exactly.
 *
 * xoshiro128++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), seeded by SplitMix64 from a
 * hash of (seed, lab, case, run). All arithmetic is on unsigned integers and on single IEEE operations, so the same four
 * values give the same inputs on every machine and with every compiler. A fill of a whole array runs eight generators side
 * by side, seeded from two draws of the caller's generator: its numbers are other ones than those of single
 * draws, but always the same.
 */
#ifndef GRADER_RANDOM_H
#define GRADER_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"

struct lab_random {
    uint32_t state[4]; /* never all zero */
};

/* The seed of what is run only to be estimated: nobody's points depend on it. */
#define RANDOM_ESTIMATE_SEED UINT64_C(0x10c257e9)

/* Starts the generator for one run of one case. `lab` is the folder's name, `the_case` the case's name; both are borrowed
 * for the call. `run` is 0 or 1 (each case runs twice on different inputs). Cannot fail. */
void random_init(struct lab_random *random, uint64_t seed, const char *lab, const char *the_case, unsigned run);

/* The word that poisons element `index` of an output. Every element has a word of its own, so that "still the poison" is
 * proof of a missing store and not an accident: a kernel can hit it only with probability 2^-32. The words cover all bit
 * patterns, NaN among them. */
uint32_t random_poison(uint64_t key, size_t index);

/* Does an element of `bytes` bytes, the one of that index in its array, still hold its poison? One of 1 or 2 bytes
 * holds it by chance
 * with a probability of 2^-8 or 2^-16. */
bool random_is_poison(uint64_t key, size_t bytes, size_t index, const void *element);

/* Poisons words[0, count) as elements first, first + 1, ... */
void random_poison_fill(uint64_t key, size_t first, uint32_t *words, size_t count);

#endif
