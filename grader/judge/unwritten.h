/* Why elements of an array were never written: the block that should have written the first of them is traced, and what it
 * shows is reported. Which line stores into the array, if any; whether threads reached that line; what they stored there. */
#ifndef UNWRITTEN_H
#define UNWRITTEN_H

struct cases_work;

/* Adds to the finding that is the lab's first cause, if that is `never_written`: its line and kernel, a thread, how the thread
 * comes by its values, and a pattern that chooses the hints. Runs one test once more. Call after story_tell(). */
void unwritten_tell(struct cases_work *work);

#endif
