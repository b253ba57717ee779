/* DIR, the folder that `lockstep collect` fills:
 *
 *   ID/ASSIGNMENT/…            what a student handed in for an assignment
 *   timestamps.csv             when: for `batch`
 *   students.csv               who: fit to be a roster
 *   groups.csv                 who handed in together: for `batch`; only where somebody did
 *   .lockstep/collect.json     what was put there, from which source, with a hash of each ID/ASSIGNMENT
 *   .lockstep/older/ID/…       what a newer submission replaced
 *   .lockstep/placing.json     while folders are put in place: what is put where
 *   .lockstep/incoming, new    while collecting: archives unpacked, folders made ready
 *
 * A folder is made ready whole and then takes its place in one step; before the first does, all are ready. What differs from
 * the hash is a person's work and is never replaced. Killed at any moment, the same command completes what was begun.
 */
#ifndef COLLECT_PLACE_H
#define COLLECT_PLACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/collect/notes.h"

/* What becomes of a submission. */
enum place_state {
#define PLACE(id, word, words) PLACE_##id,
#include "grader/collect/states.def"
#undef PLACE
    PLACE_STATES,
};

const char *place_word(enum place_state state);

/* A submission on its way. */
struct place_item {
    const char *id, *assignment; /* borrowed, as all texts */
    const char *source, *form;
    const char *group; /* that handed it in together; NULL: the student alone */
    bool has_time;
    int64_t submitted; /* UTC */
    size_t files;      /* 0: nothing that can be collected */
    bool is_earlier;   /* another item of the same student and assignment is the last one */
    enum place_state state;
};

struct place {
    char *folder;   /* owned */
    int descriptor; /* of DIR */
    int lock;
    json_t *records; /* by "ID/ASSIGNMENT"; owned */
    json_t *placing; /* by the same: hashes of what an interrupted run was putting there; owned */
    json_t *people;  /* by id; owned */
    char students_hash[65], groups_hash[65];
};

/* Makes or opens DIR, and takes its lock. Returns false with a message; *usage: the caller's mistake (a table in DIR that
 * could not be kept), not the disk's. Close in either case. */
bool place_open(const char *folder, struct place *place, bool *usage, char *message, size_t message_bytes);
void place_close(struct place *place);

/* Path of the empty folder that archives are unpacked into. Owned by the caller. */
char *place_work(const struct place *place);

/* An empty folder in which the item of this number is made ready. Returns -1 with errno. */
int place_stage(const struct place *place, size_t number);

/* Puts every item that has been made ready in its place, and says in its state what became of it. Returns false with a
 * message when the disk fails; then nothing has changed, or the same command completes it. */
bool place_all(struct place *place, struct place_item *items, size_t count, char *message, size_t message_bytes);

/* Notes what is known of a student; `person` is taken over. */
void place_person(struct place *place, const char *id, json_t *person);

/* Writes the tables and the record. Lines of timestamps.csv that a person added or changed stay, after the others. */
bool place_finish(struct place *place, const struct place_item *items, size_t count, struct notes *notes, char *message,
                  size_t message_bytes);

#endif
