/* Entry points that the emulated driver exports besides the documented CUDA Driver API.
 *
 * A program finds them with dlsym() in the libcuda it loaded; NVIDIA's driver does not have them, so a caller must treat
 * each as optional. They pass what only an instrumented driver can use: names for findings, and which memory counts as
 * never written. `address` is a CUdeviceptr.
 */
#ifndef LOCKSTEP_DRIVER_H
#define LOCKSTEP_DRIVER_H

#include <stdint.h>

/* Version of this interface; the value returned by the function of the same role. */
#define LOCKSTEP_DRIVER_INTERFACE 1

/* Returns LOCKSTEP_DRIVER_INTERFACE of the driver. Its presence is how the runtime recognises the emulated driver. */
typedef int lockstep_driver_interface_fn(void);

/* Names the allocation that contains `address` ("a", "block_sums") and describes its elements.
 *   name            copied; used in findings instead of the kernel's parameter name
 *   element_bytes   size of one element, for "c[1000]"; 0 leaves it to the access width
 *   columns         row length for [row, column] indices; 0 for a one-dimensional array
 * Returns 0, or CUDA_ERROR_INVALID_VALUE (1) when no allocation contains the address. */
typedef int lockstep_name_memory_fn(uint64_t address, const char *name, unsigned element_bytes, uint64_t columns);

/* Declares the bytes as never written (poison), whatever they hold now. Returns as above. */
typedef int lockstep_poison_memory_fn(uint64_t address, uint64_t bytes);

/* Declares the allocation as an input: a kernel that writes to it gets a `read_only_write` finding. Returns as above. */
typedef int lockstep_protect_memory_fn(uint64_t address, int read_only);

/* Tests whether bytes were written since allocation or lockstep_poison_memory.
 *   valid   [bytes] out, host memory: 0 where the byte is poison, 1 where it was written
 * Returns as above, or CUDA_ERROR_NOT_SUPPORTED (801) when LOCKSTEP_CHECKS is not `all`. */
typedef int lockstep_written_memory_fn(uint64_t address, uint64_t bytes, uint8_t *valid);

/* Chooses the order in which threads run in later launches, as LOCKSTEP_SCHEDULE does for all.
 * Returns 0; CUDA_ERROR_INVALID_VALUE when there is no schedule of that name; CUDA_ERROR_NOT_SUPPORTED (801) when it has to
 * see each operation but modules are decoded for speed: LOCKSTEP_CHECKS is below `poison` and there are no counters. */
typedef int lockstep_set_schedule_fn(const char *name);

/* Limits the work that launches may cost from now on: one unit for a warp instruction, and more for what takes the emulator
 * longer; the same number on every machine. A launch that goes beyond ends as one without fuel does, with a finding `fuel`
 * and CUDA_ERROR_LAUNCH_TIMEOUT. Returns 0. */
typedef int lockstep_set_work_fn(uint64_t units);

/* The units that launches have cost since the process began. */
typedef uint64_t lockstep_work_done_fn(void);

/* Chooses a repair that later modules are loaded with: edits of their code that are tried, to learn whether they cure what
 * was found. "" is the default, none.
 *   request   parts separated by `;`, each a kind of runtime/tables/repairs.def and a line of the kernels' file, or a name:
 *             "barrier 14; barrier 18". A module in which a part finds no place is refused with CUDA_ERROR_INVALID_PTX.
 * Returns 0, or CUDA_ERROR_INVALID_VALUE (1) for an unknown kind, or for more than 16 parts or 511 characters. */
typedef int lockstep_set_repair_fn(const char *request);

/* Gives the source text of the file that holds the module's kernels: findings then use its names and expressions.
 * Without it, the file that the PTX names is read when there is a finding.
 *   module   a CUmodule
 *   text     [bytes], copied
 * Returns 0, CUDA_ERROR_INVALID_HANDLE (400), CUDA_ERROR_INVALID_VALUE (1) for a text with a NUL in it, or
 * CUDA_ERROR_OUT_OF_MEMORY (2). */
typedef int lockstep_module_source_fn(void *module, const char *text, uint64_t bytes);

/* Links PTX, as cuLinkAddData and its sisters do, without a context: libnvJitLink uses it (stand_ins/).
 *   link      of lockstep_link_create, which returns NULL without memory
 *   data      PTX text, a fat binary, a host object or an archive; copied
 *   message   out, [capacity]: why it failed, NUL-terminated; "" when there is nothing to say
 *   text      out: the linked PTX with a NUL, which the link owns
 * Return a CUresult: 0, CUDA_ERROR_INVALID_PTX (218), CUDA_ERROR_INVALID_IMAGE (200), CUDA_ERROR_NO_BINARY_FOR_GPU (209),
 * CUDA_ERROR_INVALID_SOURCE (300) for a name defined twice or nowhere. */
typedef void *lockstep_link_create_fn(void);
typedef int lockstep_link_add_fn(void *link, const void *data, uint64_t bytes, const char *name, char *message,
                                 uint64_t capacity);
typedef int lockstep_link_complete_fn(void *link, const char **text, uint64_t *length, char *message, uint64_t capacity);
typedef void lockstep_link_destroy_fn(void *link);

/* An operand of a library of ours that stands for one of NVIDIA's (math_libraries/): `rows` rows of device memory, `pitch`
 * bytes apart, the first `width` bytes long and each one `growth` bytes longer than the one before it (negative: shorter;
 * a triangle's columns). Checked as cuMemcpy checks its ranges; what is read must have been written, and what is
 * written counts as written from now on, so a call asks for all its operands before it computes.
 *   call     name of the library's function, for findings: "cublasSgemm"
 *   stream   a CUstream; NULL is the default stream
 *   access   LOCKSTEP_READ, LOCKSTEP_WRITE or both
 *   host     out: where the first byte lies in this process; valid until the memory is freed
 * Returns a CUresult: 0; CUDA_ERROR_INVALID_VALUE (1) and a finding when the range is not wholly inside one live allocation,
 * or a size overflows; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED (900) for a stream that is being captured; what the driver says
 * of the stream and the context. */
typedef int lockstep_operand_fn(const char *call, void *stream, uint64_t address, uint64_t width, int64_t growth,
                                uint64_t pitch, uint64_t rows, int access, void **host);
#define LOCKSTEP_READ  1
#define LOCKSTEP_WRITE 2

/* Our runtime library tells that a call of the program returned an error, and that the program has asked for one
 * (cudaGetLastError, or for the text of an error): from what fails and is never looked at comes a finding at the end.
 *   name, meaning   of the error; copied */
typedef void lockstep_call_failed_fn(int error, const char *name, const char *meaning);
typedef void lockstep_error_read_fn(void);

/* The exported symbols have these names. */
#define LOCKSTEP_DRIVER_INTERFACE_NAME "lockstepDriverInterface"
#define LOCKSTEP_NAME_MEMORY_NAME      "lockstepNameMemory"
#define LOCKSTEP_POISON_MEMORY_NAME    "lockstepPoisonMemory"
#define LOCKSTEP_PROTECT_MEMORY_NAME   "lockstepProtectMemory"
#define LOCKSTEP_WRITTEN_MEMORY_NAME   "lockstepWrittenMemory"
#define LOCKSTEP_SET_SCHEDULE_NAME     "lockstepSetSchedule"
#define LOCKSTEP_SET_WORK_NAME         "lockstepSetWork"
#define LOCKSTEP_WORK_DONE_NAME        "lockstepWorkDone"
#define LOCKSTEP_SET_REPAIR_NAME       "lockstepSetRepair"
#define LOCKSTEP_MODULE_SOURCE_NAME    "lockstepModuleSource"
#define LOCKSTEP_LINK_CREATE_NAME      "lockstepLinkCreate"
#define LOCKSTEP_LINK_ADD_NAME         "lockstepLinkAdd"
#define LOCKSTEP_LINK_COMPLETE_NAME    "lockstepLinkComplete"
#define LOCKSTEP_LINK_DESTROY_NAME     "lockstepLinkDestroy"
#define LOCKSTEP_OPERAND_NAME          "lockstepOperand"
#define LOCKSTEP_CALL_FAILED_NAME      "lockstepCallFailed"
#define LOCKSTEP_ERROR_READ_NAME       "lockstepErrorRead"

#endif
