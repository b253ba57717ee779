/* Which cell of a shared array was read before any thread had stored into it, and what kept the store away: the block of the
 * finding is traced. */
#ifndef UNSET_H
#define UNSET_H

struct cases_work;

/* Adds to the finding that is the lab's first cause, if that is a value from a shared array that was never written. Runs one
 * test once more. Call after story_tell(). */
void unset_tell(struct cases_work *work);

#endif
