/* DIR/.lockstep: what a batch must remember so that it can be killed at any moment, and so that nothing is graded twice.
 *
 *   lock              held while a batch works in DIR: alone, or shared by the processes that grade shards
 *   batch.json        the seed, when the batch was begun, whether it finished; the kit, the sandbox and the machine it began on
 *   gradings/KEY.json one grading: what a worker answered. KEY is a hash of all that it depends on: the file's bytes and
 *                     name, the lab, the kit, the seeds
 *   gradings/KEY-gpu.json   the same, with a time on a GPU
 *   failed/KEY.json   the same where the kit failed in a shard: for --gather; the next shard tries again
 *   claims/           which process grades what (grader/cluster/claims.h)
 *   shares.json         which shard grades what, where --engine slurm decided it
 *   refused/MACHINE   why a machine cannot grade a shard of this class; refused_gpu/MACHINE: time it
 *   pages.json        which pages in report/ are made of what (grader/pages/export/html_kept.py)
 *   throughput.json   how long the last run took
 *
 * Where the file system has no locks (ENOLCK, ENOSYS), claims alone keep writers apart.
 */
#ifndef BATCH_STORE_H
#define BATCH_STORE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "grader/class/class.h"
#include "grader/class/moment.h"

/* Who else may work in DIR. */
enum store_use {
    STORE_ALONE,  /* nobody */
    STORE_SHARED, /* others with STORE_SHARED, that grade the same class with the same kit and seed */
    STORE_GATHER, /* nobody; what others graded is there */
    STORE_WATCH,  /* anybody: nothing but results is read */
};

struct store {
    char *folder;   /* DIR; owned */
    char *gradings; /* DIR/.lockstep/gradings; owned */
    char *failed;   /* DIR/.lockstep/failed; owned */
    enum store_use use;
    int descriptor; /* of DIR */
    int lock;
    uint64_t seed; /* of the visible tests */
    char begun[MOMENT_TEXT_BYTES];
    bool resumed;      /* the batch before this one was stopped, and this one resumes it */
    char kit[65];      /* hash of the program, the emulated driver and the compiler's version */
    char sandbox[100]; /* the parts of the sandbox on this machine, by their words */
    bool own_parts;    /* --allow-unconfined: a sandbox unlike that of the machine that began does not matter */
};

/* Makes or opens DIR and takes its lock: at once, or within half a minute where it is STORE_SHARED or STORE_GATHER.
 *   store  in: own_parts; all else is 0
 *   seed   of --seed; NULL: that of the batch before, or a fresh one
 * Returns false with a message: no folder, no permission, disk full, another batch at work, a state that is not ours; with
 * STORE_SHARED also when another kit, seed or sandbox began the batch. */
bool store_open(const char *folder, const uint64_t *seed, enum store_use use, struct store *store, char *message,
                size_t message_bytes);
void store_close(struct store *store);

/* Takes the lock of STORE_ALONE, within half a minute, and notes a batch that goes on; or gives it back. */
bool store_lock(struct store *store, char *message, size_t message_bytes);
void store_unlock(struct store *store);

/* What another DIR was graded with: the seed and the kit. Returns false with a message when no batch worked there. */
bool store_read_facts(const char *folder, uint64_t *seed, char kit[65], char machine[100], char *message,
                      size_t message_bytes);

/* The name of a file or folder in DIR/.lockstep; owned by the caller. */
char *store_path(const struct store *store, const char *name);

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

/* The same for gradings in which the kit failed. */
json_t *store_find_failed(const struct store *store, const char *key);
bool store_keep_failed(const struct store *store, const char *key, const json_t *grading, char *message,
                       size_t message_bytes);

/* How many gradings are kept, of whatever class. */
size_t store_count(const struct store *store);

/* Keeps a grading of another DIR here too, and one in which the kit failed, where this one has none. Returns false with a
 * message when it cannot be written. */
bool store_take(const struct store *store, const char *folder, const char *key, char *message, size_t message_bytes);

/* Writes DIR/name, whole or not at all; the same bytes are not written again. */
bool store_write_json(const struct store *store, const char *name, const json_t *document, char *message,
                      size_t message_bytes);

/* "students/ID.json" for an id, owned by the caller: every byte but ASCII letters, digits and @ . _ - as %XX. */
char *store_student_file(const char *id);

#endif
