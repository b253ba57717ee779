/* Records between the grader and the child that runs (run_step.h). Both ends are the same program. */
#ifndef RUN_PROTOCOL_H
#define RUN_PROTOCOL_H

#include "grader/run/run_session.h"

enum run_record { RUN_RECORD_DEVICE = 1, RUN_RECORD_COMMAND, RUN_RECORD_REPLY, RUN_RECORD_TIMING };

/* From the child when the device is open, or cannot be opened. */
struct run_device_record {
    bool opened;
    char message[1600];
    lockstep_device_info info;
};

enum run_command_kind { RUN_COMMAND_CASE, RUN_COMMAND_TIME };

struct run_command {
    enum run_command_kind kind;
    int case_index;
    int64_t size[LAB_MAX_SIZES];              /* of that case, here */
    union lab_value scalars[LAB_MAX_SCALARS]; /* of this run */
    int run;
    bool last;
    char schedule[24];
    char repair[RUN_REPAIR_BYTES];
    uint64_t poison_key;
    uint64_t work; /* that it may cost; 0: no limit */
    /* RUN_COMMAND_TIME: the reference's setup; its PTX follows in the same record, and that of the kit's own kernels. */
    struct plan_setup reference;
    size_t reference_ptx_bytes, kit_ptx_bytes;
};

/* The confinement that belongs to the session's device. */
enum sandbox_layer run_session_layer(const struct run_settings *settings);

/* What the child runs; context is the session. */
void run_child_body(void *context);

/* What timing needs from its first command to the end of the child. */
struct run_bench;

struct run_bench *run_timing_create(lockstep_device *device, const struct run_session *session);

/* After run 0 or 1 of the timing case, which were verified like every case's: keeps its inputs in device memory, and a sum
 * over each output. A failure shows in run->state. */
void run_timing_keep(struct run_bench *bench, struct lab_run *run, int set, const struct lab_data *data);

/* Times the plan against the reference, in turn; run_timing.c. `ptx`: what follows the command, [ptx_bytes]. */
void run_timing_measure(struct run_bench *bench, const struct run_command *command, const char *ptx, size_t ptx_bytes,
                        struct run_timing *timing);

#endif
