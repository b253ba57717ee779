/* DIR/.lockstep: what a batch must remember so that it can be killed at any moment, and so that nothing is graded twice.
 *
 *   lock              held while a batch works in DIR
 *   batch.json        the seed, when the batch was begun, whether it finished
 *   gradings/KEY.json one grading: what a worker answered. KEY is a hash of all that it depends on: the file's bytes and
 *                     name, the lab, the kit, the seeds
 *   throughput.json   how long the last run took
 */
#ifndef BATCH_STORE_H
#define BATCH_STORE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "grader/class/class.h"
#include "grader/class/moment.h"

struct store {
    char *folder;   /* DIR; owned */
    char *gradings; /* DIR/.lockstep/gradings; owned */
    int descriptor; /* of DIR */
    int lock;
    uint64_t seed; /* of the visible tests */
    char begun[MOMENT_TEXT_BYTES];
    bool resumed; /* the batch before this one was stopped, and this one resumes it */
    char kit[65]; /* hash of the program, the emulated driver and the compiler's version */
};

/* Makes or opens DIR and takes its lock.
 *   seed   of --seed; NULL: that of the batch before, or a fresh one
 * Returns false with a message: no folder, no permission, disk full, another batch at work, a state that is not ours. */
bool store_open(const char *folder, const uint64_t *seed, struct store *store, char *message, size_t message_bytes);
void store_close(struct store *store);

/* Notes that the batch finished. */
bool store_finish(const struct store *store, char *message, size_t message_bytes);

/* The key of a grading.
 *   file_name   as findings show it
 *   hidden      hash of the hidden seed; "": none
 */
void store_key(const struct store *store, const struct lab *lab, const char *file_name, const char *sha256,
               const char *hidden, char key[65]);

/* A grading that was kept, NULL: there is none that can be read. The caller owns it. */
json_t *store_find(const struct store *store, const char *key);
bool store_has(const struct store *store, const char *key);

/* Keeps a grading, whole or not at all. */
bool store_keep(const struct store *store, const char *key, const json_t *grading, char *message, size_t message_bytes);
void store_forget(const struct store *store, const char *key);

/* Writes DIR/name, whole or not at all; the same bytes are not written again. */
bool store_write_json(const struct store *store, const char *name, const json_t *document, char *message,
                      size_t message_bytes);

/* "students/ID.json" for an id, owned by the caller: every byte but ASCII letters, digits and @ . _ - as %XX. */
char *store_student_file(const char *id);

#endif
