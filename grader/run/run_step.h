/* The run step: a child process that owns the device and runs the plan, one run at a time, as the grader asks.
 *
 *   grader                                   child
 *   fills the inputs (shared memory)
 *   run_step_start ------------------------> fresh module, poison, launch, outputs to shared memory
 *   computes what is expected
 *   run_step_finish <----------------------- reply
 *   compares
 *
 * Expected values and seeds never exist in the child. A session has one device and one setting of the emulated driver, which
 * reads its environment only once; another setting is another session. After a fault, a crash or a hang the session is over.
 */
#ifndef RUN_STEP_H
#define RUN_STEP_H

#include "grader/run/run_session.h"

/* Makes the memory for the largest case of the lab. Returns false when the machine has none. */
bool run_memory_create(const struct lab *lab, struct run_memory *memory);
void run_memory_destroy(struct run_memory *memory);

/* Where the inputs of a case lie in the shared memory, and how many elements each array has. */
void run_memory_data(const struct run_memory *memory, const struct lab *lab, const struct lab_case *the_case,
                     struct lab_data *data);

/* Starts the child, which opens the device while the grader does something else, and waits until it has. Return false with
 * reply->outcome and message set when that fails; after a successful begin the session must be closed in either case. */
bool run_session_begin(struct run_session *session, const struct run_settings *settings, const struct run_memory *memory,
                       struct run_reply *reply);
bool run_session_wait(struct run_session *session, struct run_reply *reply);

/* Both. */
bool run_session_open(struct run_session *session, const struct run_settings *settings, const struct run_memory *memory,
                      struct run_reply *reply);
void run_session_close(struct run_session *session);

/* Starts one run of a case, of this size (the case's, or smaller) and with these scalars: run 0 loads a fresh
 * module, run 1 goes on in it.
 *   last    nothing of this case is needed after this run */
void run_step_start(struct run_session *session, int case_index, const int64_t size[LAB_MAX_SIZES],
                    const union lab_value scalars[LAB_MAX_SCALARS], int run, uint64_t poison_key, bool last);

/* Waits for the run. The session is no longer alive after a fault, a crash, a hang or a harness failure. */
void run_step_finish(struct run_session *session, struct run_reply *reply);

void run_step_time(struct run_session *session, const struct run_settings *reference, struct run_timing *timing);

/* Over how many runs a time has to be averaged when one takes this long: events resolve no more than half a microsecond. */
int run_timing_repeats(float ms);

#endif
