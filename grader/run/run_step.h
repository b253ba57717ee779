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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"
#include "grader/run/plan.h"
#include "grader/sandbox/child.h"
#include "runtime/lockstep.h"

/* Memory that grader and child share: inputs of the current run, then the outputs that the plan handed over. */
struct run_memory {
    uint8_t *bytes;
    size_t total_bytes;
    size_t output_offset; /* where the output area begins */
};

/* Makes the memory for the largest case of the lab. Returns false when the machine has none. */
bool run_memory_create(const struct lab *lab, struct run_memory *memory);
void run_memory_destroy(struct run_memory *memory);

/* Where the inputs of a case lie in the shared memory, and how many elements each array has. */
void run_memory_data(const struct run_memory *memory, const struct lab *lab, const struct lab_case *the_case,
                     struct lab_data *data);

/* What a session is to do; borrowed while the session lives. */
struct run_settings {
    struct plan_setup plan;
    const char *ptx;
    size_t ptx_bytes;
    lockstep_device_kind device;
    const char *checks;      /* LOCKSTEP_CHECKS: "none", "memory", "poison", "all" */
    const char *schedule;    /* LOCKSTEP_SCHEDULE: "ascending" and so on; may change from run to run */
    const char *trace_block; /* LOCKSTEP_TRACE of this block, "X,Y,Z", takes the place of the counters; NULL: no trace */
    uint64_t fuel;           /* LOCKSTEP_FUEL; 0: the driver's default */
    int wall_ms;             /* for one run */
};

enum run_outcome {
    RUN_RAN,            /* outputs are there */
    RUN_REFUSED,        /* the plan cannot be launched as the student's module asks */
    RUN_LAUNCH_REFUSED, /* the device refused a launch: the kernel never ran */
    RUN_FAULT,          /* a kernel failed; findings say why */
    RUN_CRASHED,        /* the child died */
    RUN_HUNG,           /* the wall clock ran out */
    RUN_REJECTED,       /* the device does not take the module */
    RUN_HARNESS,        /* no driver, no device, our fault */
};

struct run_reply {
    enum run_outcome outcome;
    char message[1200];
    char kernel[PLAN_NAME_BYTES];
    struct plan_output outputs[LAB_MAX_OUTPUTS];
    uint64_t max_blocks, max_threads;
    int damage; /* as plan_find_damage */
    char damaged[PLAN_NAME_BYTES];
    uint64_t damaged_index;
};

struct run_session {
    const struct run_settings *settings;
    const struct run_memory *memory;
    struct child child;
    bool alive;
    lockstep_device_info device;
    int64_t deadline_ms;          /* of the run that goes on, on the clock of record_now_ms */
    int64_t started_processor_ms; /* what the child had used when it began */
};

/* Starts the child, which opens the device while the grader does something else, and waits until it has. Return false with
 * reply->outcome and message set when that fails; after a successful begin the session must be closed in either case. */
bool run_session_begin(struct run_session *session, const struct run_settings *settings, const struct run_memory *memory,
                       struct run_reply *reply);
bool run_session_wait(struct run_session *session, struct run_reply *reply);

/* Both. */
bool run_session_open(struct run_session *session, const struct run_settings *settings, const struct run_memory *memory,
                      struct run_reply *reply);
void run_session_close(struct run_session *session);

/* Starts one run of a case, of this size (the case's, or smaller): run 0 loads a fresh module, run 1 goes on in it.
 *   last    nothing of this case is needed after this run */
void run_step_start(struct run_session *session, int case_index, const int64_t size[3], int run, uint64_t poison_key,
                    bool last);

/* Waits for the run. The session is no longer alive after a fault, a crash, a hang or a harness failure. */
void run_step_finish(struct run_session *session, struct run_reply *reply);

#define RUN_TIMING_PAIRS 11

/* Measured on a GPU: some runs of the plan of `settings` and of a second module, in turn, on the lab's timing case. Its two
 * sets of inputs were run and verified before (cases 0 .. case_count - 1 are the lab's; case_count is the timing case). */
struct run_timing {
    bool measured;
    char message[512]; /* why not */
    int pairs;
    float student_ms[RUN_TIMING_PAIRS], reference_ms[RUN_TIMING_PAIRS];
    int repeats;              /* each time is the mean of so many runs */
    bool slow;                /* the student's takes so long that it ran once or twice: pairs is 1 */
    double copy_bytes_per_ms; /* read and written by a copy of 16 bytes a thread, measured here */
    /* A timed run of the student's left something else than the verified run on the same inputs (sums of floats in another
     * order, or a mistake). It is the last one, and its outputs lie in the shared memory. */
    bool differs;
    int set;
    struct plan_output outputs[LAB_MAX_OUTPUTS];
};
void run_step_time(struct run_session *session, const struct run_settings *reference, struct run_timing *timing);

/* Of how many runs a time has to be the mean when one takes so long: events tell no more than half a microsecond. */
int run_timing_repeats(float ms);

#endif
