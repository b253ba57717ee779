/* Hidden tests. The kit declares what kind of case they are; sizes and values come from a seed that is kept outside of
 * it, so that having the kit is not enough to know them. Without that seed they do not exist: a lab then has its visible
 * cases only.
 */
#ifndef HIDDEN_H
#define HIDDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"
#include "grader/result/result.h"

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
/* A seed that follows from the key, for the inputs of cases that everybody sees; the key does not follow from it. */
uint64_t hidden_derive_seed(uint64_t key);
/* The same as hidden_seed_read for the first file that there is: of the option, of the variable LOCKSTEP_HIDDEN_SEED_FILE, of the course
 * file; NULL: not given. No file: no hidden tests, which is not a failure. */
bool hidden_seed_find(const char *option, const char *course, struct hidden_seed *seed, char *message, size_t message_bytes);
void hidden_seed_clear(struct hidden_seed *seed);

/* Hidden tests run only with every part of the sandbox, or where the instructor said otherwise (sandbox_permits_hidden):
 * what gets out of its process could take them along. Where they may not, clears the seed and returns the reason, which
 * lives as long as the process; else NULL. */
const char *hidden_seed_refuse(struct hidden_seed *seed);

/* A copy of the lab with the cases that are to run: the visible ones, and with a key the hidden ones too, their sizes drawn.
 *   key    NULL: there are no hidden tests
 * The caller owns it (hidden_lab_destroy). */
struct lab *hidden_lab_create(const struct lab *lab, const uint64_t *key);
void hidden_lab_destroy(struct lab *lab);

/* Adds the lab's hidden tests to a finished result: skipped, worth no points, with the reason. */
void hidden_list_skipped(const struct lab *lab, const char *reason, struct result_lab *result);

/* Removes from hidden tests what would give away their inputs: numbers, threads, elements, values. What and where remain. */
void hidden_redact(struct result_lab *result);

#endif
