/* Seeds of inputs: whole numbers from 0 to 2^63 - 1, so that JSON keeps them. */
#ifndef SEED_H
#define SEED_H

#include <stdbool.h>
#include <stdint.h>

/* The variable that fixes the seed of every grading that names none: for tests, which must not depend on what is drawn. */
#define SEED_OF_TESTS "LOCKSTEP_TEST_SEED"

/* Reads decimal digits and nothing else. Returns false, and leaves *seed as it is, for any other text, NULL too. */
bool seed_read(const char *text, uint64_t *seed);

/* A seed that is short enough to type: another one each time, but where SEED_OF_TESTS is set. The caller has checked that
 * variable, if it is set, with seed_read() (options_read does). */
uint64_t seed_draw(void);

#endif
