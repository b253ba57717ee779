/* A session of the run step: what it is asked, what it answers, what it holds. See run_step.h. */
#ifndef RUN_SESSION_H
#define RUN_SESSION_H

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

/* Of a request of repairs. */
#define RUN_REPAIR_BYTES 512

/* What a session is to do; borrowed while the session lives. */
struct run_settings {
    struct plan_setup plan;
    const char *ptx;
    size_t ptx_bytes;
    lockstep_device_kind device;
    const char *checks;      /* LOCKSTEP_CHECKS: "none", "memory", "poison", "all" */
    const char *schedule;    /* LOCKSTEP_SCHEDULE: "ascending" and so on; may change from run to run */
    const char *repair;      /* what modules are loaded with (lockstep_device_set_repair); "" nothing; may change too */
    const char *trace_block; /* LOCKSTEP_TRACE of this block does, "X,Y,Z"; NULL: no trace */
    bool accesses;           /* LOCKSTEP_ACCESSES instead of counters and trace */
    uint64_t fuel;           /* LOCKSTEP_FUEL; 0: the driver's default */
    uint64_t work;           /* units of work that one run may cost; 0: no limit */
    int wall_ms;             /* for one run; far beyond its work, but on a GPU */
};

enum run_outcome {
    RUN_RAN,            /* outputs are there */
    RUN_REFUSED,        /* the plan cannot be launched as the student's module asks */
    RUN_LAUNCH_REFUSED, /* the device refused a launch: the kernel never ran */
    RUN_FAULT,          /* a kernel failed; findings say why */
    RUN_NO_MEMORY,      /* the submission takes more memory than there is */
    RUN_CRASHED,        /* the child died */
    RUN_HUNG,           /* it used up its time: of the wall clock on a GPU, of the processor on the emulated device */
    RUN_REJECTED,       /* the device does not take the module */
    RUN_HARNESS,        /* no driver, no device, our fault */
};

struct run_reply {
    enum run_outcome outcome;
    char message[1200];
    char kernel[PLAN_NAME_BYTES];
    struct plan_output outputs[LAB_MAX_OUTPUTS];
    uint64_t max_blocks, max_threads;
    uint64_t work; /* that this run cost, in the driver's units; 0 on a GPU */
    int damage;    /* as plan_find_damage */
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
    bool had_its_time;            /* it did not end, and has used all the processor time that it was granted */
    int64_t started_processor_ms; /* what the child had used when it began */
};

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
    double copy_bytes_per_ms; /* read and written by a copy of 16 bytes per thread, measured here */
    /* A timed run of the student's left something else than the verified run on the same inputs (sums of floats in another
     * order, or a mistake). It is the last one, and its outputs lie in the shared memory. */
    bool differs;
    int set;
    struct plan_output outputs[LAB_MAX_OUTPUTS];
};

#endif
