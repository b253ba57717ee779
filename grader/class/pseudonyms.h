/* Names for students that say nothing about them, for graders who must not know whose work they see. They are made of the ID
 * and a key that is drawn once for DIR, so they stay the same from run to run and cannot be guessed from outside.
 */
#ifndef BATCH_PSEUDONYMS_H
#define BATCH_PSEUDONYMS_H

#include "grader/class/class.h"

/* How all of them begin. */
#define PSEUDONYMS_BEGIN "anon-"

/* Gives every student a pseudonym; draws the key in DIR/.lockstep/pseudonyms.key where there is none.
 *   listed   also list all in DIR/.lockstep/pseudonyms.json, {id: pseudonym}
 * Returns false with a message. */
bool pseudonyms_make(struct class *class, const char *folder, bool listed, char *message, size_t message_bytes);

/* Gives the students the pseudonyms that are listed in DIR. Returns false with a message when there is no list. */
bool pseudonyms_read(struct class *class, const char *folder, char *message, size_t message_bytes);

#endif
