/* The seed of hidden tests, and their sizes. The kit declares what kind of case they are; sizes and values come from a seed
 * that is kept outside of it, so that having the kit is not enough to know them. Without that seed they do not exist: a lab
 * then has its visible cases only. How they are judged, and what the report says of them: hidden_tests.h.
 */
#ifndef HIDDEN_H
#define HIDDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"

#define HIDDEN_SEED_BYTES_MIN 16
#define HIDDEN_SEED_BYTES_MAX 4096

/* What a hidden seed file gives. */
struct hidden_seed {
    uint64_t *key;   /* in memory that no child has (allocate_secret); NULL: no hidden tests. Owned */
    char sha256[65]; /* of a hash of the file, so that a batch notices another seed; "" none */
};

/* Reads the file: any 16 to 4096 bytes, white space at the end apart. Returns false with a message when it is not fit:
 * missing, too short, too long, not a regular file, or inside the kit, where students would find it. */
bool hidden_seed_read(const char *path, struct hidden_seed *seed, char *message, size_t message_bytes);
/* The same for the first file that there is: of the option, of the variable LOCKSTEP_HIDDEN_SEED_FILE, of the course
 * file; NULL: not given. No file: no hidden tests, which is not a failure. */
bool hidden_seed_find(const char *option, const char *course, struct hidden_seed *seed, char *message, size_t message_bytes);
void hidden_seed_clear(struct hidden_seed *seed);

/* Hidden tests run only with every part of the sandbox, or where the instructor said otherwise (sandbox_permits_hidden):
 * what gets out of its process could take them along. Where they may not, clears the seed and returns the reason, which
 * lives as long as the process; else NULL. */
const char *hidden_seed_refuse(struct hidden_seed *seed);

/* A copy of the lab with its visible cases only. The caller owns it (hidden_lab_destroy). */
struct lab *hidden_lab_visible(const struct lab *lab);

/* A copy of the lab with its hidden cases only, their sizes drawn. It holds all that is hidden. */
struct lab *hidden_lab_create(const struct lab *lab, uint64_t key);
void hidden_lab_destroy(struct lab *lab);

#endif
