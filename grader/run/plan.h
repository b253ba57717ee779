/* A launch plan at work: the device memory of one case and the calls that a lab's plan makes (lab_launch and the like, of
 * grader/lab/lab.h). Lives in the child that owns the device.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"
#include "grader/run/geometry.h"
#include "runtime/lockstep.h"

#define PLAN_MAX_SCRATCH  16
#define PLAN_NAME_BYTES   64
#define PLAN_MAX_LAUNCHES 64

/* What the grader decided before the child began; borrowed. */
struct plan_setup {
    const char *source; /* [source_bytes] the student's text as the compiler saw it, for findings */
    size_t source_bytes;
    bool uses_shared; /* it declares a __shared__ variable */
    const struct lab *lab;
    int plan;
    struct lab_case timing_case;                       /* the lab's, or smaller where a GPU does not have the memory */
    struct geometry geometry[LAB_MAX_ALL_KERNELS];     /* in the order of lab->kernels */
    char array_names[LAB_MAX_ARRAYS][PLAN_NAME_BYTES]; /* the student's own names, for findings */
    char scalar_names[LAB_MAX_SCALARS][PLAN_NAME_BYTES];
    /* The student's name of parameter k of kernel i, "" where it is the contract's: for scratch arrays. */
    char parameter_names[LAB_MAX_ALL_KERNELS][LAB_MAX_ARGUMENTS][PLAN_NAME_BYTES];
};

/* Case `index` of the lab; lab->case_count is the one at which time is measured. */
const struct lab_case *plan_case(const struct plan_setup *setup, int index);

enum plan_state {
    PLAN_RAN,
    PLAN_REFUSED,        /* lab_refuse, or a launch that makes no sense: message for the student */
    PLAN_LAUNCH_REFUSED, /* the device refused a launch: the kernel never ran */
    PLAN_FAULT,          /* a kernel failed; the device's context is lost */
    PLAN_NO_MEMORY,      /* the module or its launch takes more memory than a run has: the arrays alone would fit */
    PLAN_HARNESS,        /* our fault, or the driver's */
};

/* Device memory with room for guard zones on both sides. */
struct plan_buffer {
    lockstep_buffer *buffer;
    char name[PLAN_NAME_BYTES];
    enum lab_type type;
    size_t bytes;       /* of the array itself */
    size_t guard_bytes; /* on each side */
};

/* An output that the plan handed over: where it lies in the shared memory. */
struct plan_output {
    bool present;
    uint64_t count;     /* elements */
    uint64_t offset;    /* bytes from the start of the output area */
    uint64_t first;     /* element of its array at which it starts */
    uint64_t added;     /* elements that were added up to the one that is handed over; 0: none */
    int array, scratch; /* which array or scratch array; -1 */
    int launches;       /* of the run that came before it was handed over */
};

/* A launch of a rehearsal. */
struct plan_launch {
    int kernel; /* in lab->kernels */
    uint32_t grid[3], block[3];
    int64_t cover[3]; /* elements that it covers */
    int64_t items[3]; /* elements that a block covers; 0: the plan, or the student, asks for a grid */
    struct lab_argument arguments[LAB_MAX_ARGUMENTS];
};

struct lab_run {
    const struct plan_setup *setup;
    const struct lab_case *the_case;
    lockstep_device *device;
    lockstep_module *module;
    lockstep_kernel *kernels[LAB_MAX_ALL_KERNELS];
    struct plan_buffer arrays[LAB_MAX_ARRAYS];
    struct plan_buffer scratch[PLAN_MAX_SCRATCH];
    lockstep_texture *textures[LAB_MAX_ARRAYS]; /* of arrays that a launch takes as one; NULL: not made yet */
    int scratch_count;            /* made so far in this case; kept for the second run, at the same addresses */
    int scratch_used;             /* handed out in this run */
    uint64_t poison_key;          /* of this run */
    char zeroed[PLAN_NAME_BYTES]; /* the array that a repair fills with zeros where others are poisoned; "" none */
    const struct lab_data *data;  /* of this run, until plan_run returns; NULL in a rehearsal */
    union lab_value scalars[LAB_MAX_SCALARS];
    bool timing;    /* launches are queued and nothing is checked; outputs stay where they are */
    bool rehearsal; /* no device: nothing is launched, only launches and the outputs' extents are noted */
    struct plan_launch launches[PLAN_MAX_LAUNCHES];
    int launch_count; /* may exceed PLAN_MAX_LAUNCHES: the others are not noted */

    uint8_t *output_area; /* shared with the grader */
    size_t output_area_bytes, output_area_used;
    struct plan_output outputs[LAB_MAX_OUTPUTS];

    enum plan_state state;
    char message[1024];
    char kernel[PLAN_NAME_BYTES];     /* the kernel that the message is about */
    uint64_t max_blocks, max_threads; /* of the largest launch */
    int launched;                     /* launches so far in this run */
};

/* Key of the poison of an array or a scratch array in a run whose own key is `run_key` (grader/lab/random.h). */
static inline uint64_t plan_poison_key(uint64_t run_key, const struct plan_output *output)
{
    return run_key + (uint64_t)(output->array >= 0 ? output->array : 64 + output->scratch);
}

/* Has the modules that are opened from now on repaired (runtime/tables/repairs.def); "": no more. Returns false, with state
 * and message set, when the driver does not know the repair. */
bool plan_repair(struct lab_run *run, const char *request);

/* Loads a fresh module and allocates the arrays of a case. Returns false with state and message set. */
bool plan_open(struct lab_run *run, const char *ptx, size_t ptx_bytes);

/* Frees what plan_open and the runs made. */
void plan_close(struct lab_run *run);

/* Brings inputs (from `data`) and poison into place for one run, and protects the inputs. */
bool plan_prepare(struct lab_run *run, const struct lab_data *data, uint64_t poison_key);

/* Brings what the arrays hold into their textures again. Returns false with state and message set. */
bool plan_refresh_textures(struct lab_run *run);

/* Runs the plan; the result is in run->state. */
void plan_run(struct lab_run *run);

/* Loads the module again: its variables hold again what the source says. The arrays stay. */
bool plan_reload(struct lab_run *run, const char *ptx, size_t ptx_bytes);

/* Copies the outputs of a run with `timing` set to the shared memory. */
bool plan_collect(struct lab_run *run);

/* Where an output of a run lies: an array, or a scratch array. */
struct plan_buffer *plan_output_buffer(struct lab_run *run, const struct plan_output *output);

/* Goes through the plan without a device, in the grader's own process, to learn what it will launch, and how many elements
 * of each output it will hand over: run->launches, run->outputs. Returns false, with run->message set, when the plan
 * refuses. */
bool plan_rehearse(struct lab_run *run, const struct plan_setup *setup, const struct lab_case *the_case);

/* Looks for damage that no driver reported: inputs that changed, guard zones that were written. Sets `name` to the array and
 * returns 1 for a changed input (with the element's index), 2 for a guard zone, 0 when all is well.
 *   thorough   compare every input; false: only where the driver does not watch writes itself */
int plan_find_damage(struct lab_run *run, const struct lab_data *data, bool thorough, char name[PLAN_NAME_BYTES],
                     uint64_t *index);

#endif
