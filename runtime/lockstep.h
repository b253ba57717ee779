/* Lockstep runtime: the CUDA Driver API and NVRTC in one small C interface.
 *
 * One binary for machines with and without a GPU: the driver and NVRTC are found at run time (dlopen). The same calls run
 * on NVIDIA's driver and on the emulated one.
 *
 * Every call that can fail returns a lockstep_status and describes a failure in the caller's lockstep_error (NULL is
 * allowed): which call, what happened, what to do about it. A success leaves the error unchanged. The library never prints
 * and never exits.
 * Handles are owned by the caller; a device outlives everything that was made from it.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum lockstep_status {
    LOCKSTEP_OK = 0,
    LOCKSTEP_INVALID_ARGUMENT, /* the caller broke a rule of this header */
    LOCKSTEP_NO_DRIVER,        /* no libcuda.so.1, or one that lacks an entry point */
    LOCKSTEP_NO_DEVICE,        /* there is a driver but no device */
    LOCKSTEP_NO_COMPILER,      /* no NVRTC, or one of an unknown major version */
    LOCKSTEP_COMPILE_ERROR,    /* the source does not compile: see the diagnostics */
    LOCKSTEP_NOT_FOUND,        /* no kernel or variable of that name */
    LOCKSTEP_OUT_OF_MEMORY,    /* of host or device */
    LOCKSTEP_LAUNCH_REFUSED,   /* the launch exceeds a limit; nothing ran */
    LOCKSTEP_KERNEL_FAULT,     /* a kernel failed: illegal address, misaligned, assert, trap, timeout */
    LOCKSTEP_DRIVER_ERROR,     /* any other CUresult */
    LOCKSTEP_IO_ERROR,         /* a file could not be read or written */
} lockstep_status;

typedef struct lockstep_error {
    lockstep_status status;
    int cuda_result;    /* the CUresult or nvrtcResult that caused it; 0 when none */
    char call[64];      /* "cuMemAlloc", "nvrtcCompileProgram", "dlopen" */
    char message[1024]; /* what happened, to what */
    char remedy[512];   /* what to do; "" when nothing sensible can be said */
} lockstep_error;

/* ---- device ------------------------------------------------------------------------------------------------------- */

typedef enum lockstep_device_kind {
    LOCKSTEP_AUTO, /* the GPU when there is one, else emulated; LOCKSTEP_DEVICE=emulated ignores the GPU */
    LOCKSTEP_GPU,
    LOCKSTEP_EMULATED, /* build/emulated/libcuda.so.1, found beside the executable or through LOCKSTEP_EMULATED_DRIVER */
} lockstep_device_kind;

typedef struct lockstep_device lockstep_device;

typedef struct lockstep_device_info {
    char name[128];
    bool emulated;
    int major, minor;   /* compute capability */
    int driver_version; /* 13000 for 13.0 */
    char driver_path[512];
    int multiprocessors, warp_size;
    int max_threads_per_block, max_block[3], max_grid[3];
    int shared_per_block, shared_per_block_optin; /* bytes */
    int l2_bytes, clock_khz, memory_clock_khz, memory_bus_bits;
    uint64_t memory_bytes, free_memory_bytes; /* free: when it was opened */
} lockstep_device_info;

/* Opens the first device and makes its primary context current to the calling thread; every other thread that uses the
 * device calls lockstep_device_make_current first. After a LOCKSTEP_KERNEL_FAULT the device answers every call with a fault
 * until it is closed and opened again. */
lockstep_status lockstep_device_open(lockstep_device_kind kind, lockstep_device **device, lockstep_error *error);
void lockstep_device_close(lockstep_device *device);
const lockstep_device_info *lockstep_device_get_info(const lockstep_device *device);

lockstep_status lockstep_device_make_current(lockstep_device *device, lockstep_error *error);

/* Waits for all work. A kernel's fault is reported here as LOCKSTEP_KERNEL_FAULT. */
lockstep_status lockstep_device_synchronize(lockstep_device *device, lockstep_error *error);

/* Sets the order in which threads run in later launches: a name from runtime/tables/schedule.def. On a GPU, which
 * has its own order, a successful no-op. LOCKSTEP_INVALID_ARGUMENT: the driver has no such order, or cannot switch to it
 * now. */
lockstep_status lockstep_device_set_schedule(lockstep_device *device, const char *schedule, lockstep_error *error);

/* Limits what launches may cost on the emulated driver from now on, in units of work: one for a warp instruction, and more
 * for what takes longer to emulate. A launch that goes beyond fails with LOCKSTEP_KERNEL_FAULT. On a GPU, and on an emulated
 * driver that does not count, nothing happens. */
void lockstep_device_set_work(lockstep_device *device, uint64_t units);

/* The units that launches have cost so far; 0 where nothing counts them. */
uint64_t lockstep_device_work_done(const lockstep_device *device);

/* Has later modules loaded with a repair, which is tried: edits of their code, such as a barrier after a line. For the
 * grader, which tells by it what the cause of a mistake is.
 *   request   as lockstepSetRepair takes it (emulator/lockstep_driver.h); "" none
 * LOCKSTEP_INVALID_ARGUMENT: the driver does not know it; a GPU knows only "". */
lockstep_status lockstep_device_set_repair(lockstep_device *device, const char *request, lockstep_error *error);

/* ---- compile (needs no device) ------------------------------------------------------------------------------------ */

typedef enum lockstep_severity { LOCKSTEP_NOTE, LOCKSTEP_WARNING, LOCKSTEP_ERROR } lockstep_severity;

typedef struct lockstep_diagnostic {
    lockstep_severity severity;
    char file[256];
    int line, column;   /* 1-based; 0 unknown */
    char message[1024]; /* the compiler's; escaped: printable characters only */
    char kind[16];      /* of the mistake, where it is known: "syntax", "const_input"; else "" */
    char advice[512];   /* what the message means and what to do, in sentences; "" where nothing sure can be said */
} lockstep_diagnostic;

typedef struct lockstep_compile_request {
    const char *source; /* [source_bytes] CUDA C, borrowed */
    size_t source_bytes;
    const char *file_name;      /* the name that diagnostics and findings show */
    int major, minor;           /* compute capability to compile for */
    const char *const *options; /* further NVRTC options; NULL when option_count is 0 */
    size_t option_count;
    bool no_cache; /* neither read nor write the module cache */
} lockstep_compile_request;

typedef struct lockstep_compiled {
    char *ptx; /* [ptx_bytes], NUL after the end; NULL when the source does not compile */
    size_t ptx_bytes;
    lockstep_diagnostic *diagnostics; /* [diagnostic_count], in the compiler's order, errors and warnings */
    size_t diagnostic_count;
    bool from_cache;
    /* The source without what the compiler left out because of #if, #ifdef or #else: that is blanks, and every line and
     * column is where it was. NULL: nothing is left out. */
    char *seen;
    bool seen_unknown; /* of some conditions it is not known how the compiler decides them: their groups are still there */
} lockstep_compiled;

/* Compiles with -lineinfo and the kit's own stand-ins for the headers that NVRTC lacks (stdio.h, math.h ...).
 * LOCKSTEP_OK and LOCKSTEP_COMPILE_ERROR both fill `compiled` (diagnostics); clear it with lockstep_compiled_clear. */
lockstep_status lockstep_compile(const lockstep_compile_request *request, lockstep_compiled *compiled,
                                 lockstep_error *error);
void lockstep_compiled_clear(lockstep_compiled *compiled);

/* The two halves of the module cache, for a caller that compiles in a child process with no_cache (request->no_cache is
 * ignored here). find_cached fills `compiled` and returns true on a hit, without loading NVRTC; keep stores a result with
 * PTX. Failures are silent: the cache is never needed. */
bool lockstep_compile_find_cached(const lockstep_compile_request *request, lockstep_compiled *compiled);
void lockstep_compile_keep(const lockstep_compile_request *request, const lockstep_compiled *compiled);

/* Loads NVRTC now, compiles a line with it, and says which it is: version 100 * major + minor (1305 for 13.5; NULL is
 * allowed), path as loaded (path[path_bytes]; NULL is allowed). For `doctor`, and to warm up before a fork: afterwards a
 * compile with no_cache opens no files except those that the source includes. */
lockstep_status lockstep_compiler_find(int *version, char *path, size_t path_bytes, lockstep_error *error);

/* The folders from which a compile reads the toolkit's headers: folders[2], "" for none. Loads NVRTC. The headers
 * that a library brings along (13.2 and later) are written to the cache's folder here. */
void lockstep_compiler_headers(char folders[2][512]);

/* Does the source ask for headers that the kit itself lacks? Looks at the text only. */
bool lockstep_compile_needs_toolkit(const lockstep_compile_request *request);

/* Is the library at this path the one that a search finds first, which the module cache's keys name? For a caller that
 * compiles in another process. */
bool lockstep_compiler_is_first(const char *path);

/* ---- modules and kernels ------------------------------------------------------------------------------------------ */

typedef struct lockstep_module lockstep_module;
typedef struct lockstep_kernel lockstep_kernel; /* owned by its module */

/* Loads PTX text [ptx_bytes]. The driver's JIT log is in error->message on failure. */
lockstep_status lockstep_module_load(lockstep_device *device, const char *ptx, size_t ptx_bytes, lockstep_module **module,
                                     lockstep_error *error);
void lockstep_module_unload(lockstep_module *module);

/* Gives the module's source text [bytes] to an emulated driver, whose findings then use its names and expressions. On a GPU,
 * or when out of memory, does nothing. The text is copied. */
void lockstep_module_source(lockstep_module *module, const char *source, size_t bytes);

/* Compiles for the device's architecture and loads: SourceModule in one call. `compiled` may be NULL. */
lockstep_status lockstep_module_compile(lockstep_device *device, const char *source, const char *file_name,
                                        lockstep_compiled *compiled, lockstep_module **module, lockstep_error *error);

/* `name` as in the source, with or without extern "C", or the name in the PTX where overloads share one. The error of
 * LOCKSTEP_NOT_FOUND lists the kernels that the module defines. */
lockstep_status lockstep_module_kernel(lockstep_module *module, const char *name, lockstep_kernel **kernel,
                                       lockstep_error *error);

/* Address and size of a __device__ or __constant__ variable. */
lockstep_status lockstep_module_variable(lockstep_module *module, const char *name, uint64_t *address, size_t *bytes,
                                         lockstep_error *error);

typedef struct lockstep_kernel_info {
    int max_threads_per_block, registers, shared_bytes, constant_bytes, local_bytes;
} lockstep_kernel_info;
lockstep_status lockstep_kernel_get_info(lockstep_kernel *kernel, lockstep_kernel_info *info, lockstep_error *error);

/* ---- memory ------------------------------------------------------------------------------------------------------- */

typedef struct lockstep_buffer lockstep_buffer; /* device memory with a label */

/* Allocates `bytes` (> 0) of device memory. `label` names the array in findings and errors; it is copied. */
lockstep_status lockstep_buffer_create(lockstep_device *device, size_t bytes, const char *label, lockstep_buffer **buffer,
                                       lockstep_error *error);
void lockstep_buffer_destroy(lockstep_buffer *buffer);
uint64_t lockstep_buffer_address(const lockstep_buffer *buffer);
size_t lockstep_buffer_bytes(const lockstep_buffer *buffer);

/* Copies between host memory and [offset, offset + bytes) of the buffer; synchronous. */
lockstep_status lockstep_buffer_upload(lockstep_buffer *buffer, size_t offset, const void *host, size_t bytes,
                                       lockstep_error *error);
lockstep_status lockstep_buffer_download(const lockstep_buffer *buffer, size_t offset, void *host, size_t bytes,
                                         lockstep_error *error);

/* Sets every byte of the buffer to `value`. */
lockstep_status lockstep_buffer_fill(lockstep_buffer *buffer, uint8_t value, lockstep_error *error);

/* Copies [from, from + bytes) of a buffer of the module's device into a __device__ or __constant__ variable, from byte
 * `offset` of it on. A launch on the default stream sees what was copied before it. LOCKSTEP_INVALID_ARGUMENT: the
 * range does not
 * fit the buffer or the variable. */
lockstep_status lockstep_module_set_variable(lockstep_module *module, const char *name, size_t offset,
                                             const lockstep_buffer *buffer, size_t from, size_t bytes,
                                             lockstep_error *error);

typedef enum lockstep_texel_kind {
    LOCKSTEP_TEXEL_UNSIGNED,
    LOCKSTEP_TEXEL_SIGNED,
    LOCKSTEP_TEXEL_FLOAT
} lockstep_texel_kind;

/* What a texture shows of a buffer, from byte `offset` of it on. */
typedef struct lockstep_texture_layout {
    lockstep_texel_kind kind;
    unsigned element_bytes; /* 1, 2 or 4; of LOCKSTEP_TEXEL_FLOAT 2 or 4 */
    size_t columns, rows;   /* rows 0: one dimension, for tex1Dfetch */
    size_t offset;          /* a multiple of 512 */
} lockstep_texture_layout;

typedef struct lockstep_texture lockstep_texture; /* what a kernel takes as cudaTextureObject_t */

/* Makes a texture: elements as they are, whole coordinates, no filter. Of one dimension it reads the buffer itself,
 * and 0 beyond its
 * end; of two it has a copy of its own (lockstep_texture_refresh), and beyond an edge it reads what is nearest. The
 * buffer must live
 * as long. LOCKSTEP_INVALID_ARGUMENT: the layout does not fit the buffer, or no texture has such elements. */
lockstep_status lockstep_texture_create(const lockstep_buffer *buffer, const lockstep_texture_layout *layout,
                                        lockstep_texture **texture, lockstep_error *error);
/* Copies the buffer's elements into a texture of two dimensions again; nothing to do for one of one. */
lockstep_status lockstep_texture_refresh(lockstep_texture *texture, lockstep_error *error);
uint64_t lockstep_texture_handle(const lockstep_texture *texture); /* the argument */
void lockstep_texture_destroy(lockstep_texture *texture);

/* What only the emulated driver understands; on a GPU each is a successful no-op.
 *   describe   element size in bytes and row length (0: one-dimensional), for indices in findings
 *   poison     the bytes count as never written
 *   protect    kernels may not write the buffer */
lockstep_status lockstep_buffer_describe(lockstep_buffer *buffer, unsigned element_bytes, uint64_t columns,
                                         lockstep_error *error);
lockstep_status lockstep_buffer_poison(lockstep_buffer *buffer, lockstep_error *error);
lockstep_status lockstep_buffer_protect(lockstep_buffer *buffer, bool read_only, lockstep_error *error);
/* Which bytes were written since creation or poisoning: written[bytes] out, 1 or 0. Sets *known to false where the driver
 * cannot tell (a GPU, or checks below `all`). */
lockstep_status lockstep_buffer_written(const lockstep_buffer *buffer, uint8_t *written, bool *known, lockstep_error *error);

/* ---- launch ------------------------------------------------------------------------------------------------------- */

/* One kernel argument. In, Out and InOut take host arrays: the call allocates, uploads (In, InOut), launches, waits,
 * downloads (Out, InOut) and frees, as PyCUDA's drv.In/Out/InOut do. */
typedef enum lockstep_argument_kind {
    LOCKSTEP_ARGUMENT_VALUE, /* [bytes] at host, copied as they are */
    LOCKSTEP_ARGUMENT_BUFFER,
    LOCKSTEP_ARGUMENT_IN,
    LOCKSTEP_ARGUMENT_OUT,
    LOCKSTEP_ARGUMENT_IN_OUT,
} lockstep_argument_kind;

typedef struct lockstep_argument {
    lockstep_argument_kind kind;
    const void *host; /* VALUE, IN: read; OUT, IN_OUT: written */
    size_t bytes;
    lockstep_buffer *buffer; /* BUFFER */
} lockstep_argument;

#define LOCKSTEP_VALUE(lvalue) ((lockstep_argument){LOCKSTEP_ARGUMENT_VALUE, &(lvalue), sizeof lvalue, NULL})
#define LOCKSTEP_BUFFER(b)     ((lockstep_argument){LOCKSTEP_ARGUMENT_BUFFER, NULL, 0, (b)})
#define LOCKSTEP_IN(p, n)      ((lockstep_argument){LOCKSTEP_ARGUMENT_IN, (p), (n), NULL})
#define LOCKSTEP_OUT(p, n)     ((lockstep_argument){LOCKSTEP_ARGUMENT_OUT, (p), (n), NULL})
#define LOCKSTEP_IN_OUT(p, n)  ((lockstep_argument){LOCKSTEP_ARGUMENT_IN_OUT, (p), (n), NULL})

typedef struct lockstep_stream lockstep_stream;
typedef struct lockstep_event lockstep_event;

typedef struct lockstep_shape {
    uint32_t grid[3], block[3]; /* blocks, threads; a 0 counts as 1 in dimensions y and z */
    uint32_t dynamic_shared_bytes;
    bool cooperative;
} lockstep_shape;

/* Launches on `stream` (NULL: the default stream). Returns when the launch is queued, except with IN/OUT/IN_OUT arguments.
 * LOCKSTEP_LAUNCH_REFUSED names the limit and the value. LOCKSTEP_INVALID_ARGUMENT: number or sizes of the arguments do not
 * match the kernel's parameters; at most 64 are possible. */
lockstep_status lockstep_launch(lockstep_kernel *kernel, const lockstep_shape *shape, const lockstep_argument *arguments,
                                size_t argument_count, lockstep_stream *stream, lockstep_error *error);

/* ---- streams, events, timers -------------------------------------------------------------------------------------- */

/* A stream and the default stream wait for each other: a copy sees what was launched before it. */
lockstep_status lockstep_stream_create(lockstep_device *device, lockstep_stream **stream, lockstep_error *error);
lockstep_status lockstep_stream_synchronize(lockstep_stream *stream, lockstep_error *error);
lockstep_status lockstep_stream_wait(lockstep_stream *stream, lockstep_event *event, lockstep_error *error);
void lockstep_stream_destroy(lockstep_stream *stream);

lockstep_status lockstep_event_create(lockstep_device *device, lockstep_event **event, lockstep_error *error);
lockstep_status lockstep_event_record(lockstep_event *event, lockstep_stream *stream, lockstep_error *error);
lockstep_status lockstep_event_synchronize(lockstep_event *event, lockstep_error *error);
/* Milliseconds between two recorded events; waits for the second. */
lockstep_status lockstep_event_elapsed(lockstep_event *start, lockstep_event *stop, float *elapsed_ms,
                                       lockstep_error *error);
void lockstep_event_destroy(lockstep_event *event);

/* ---- words -------------------------------------------------------------------------------------------------------- */

/* "LOCKSTEP_NO_DRIVER: cuInit: ... (remedy)", into text[text_bytes]; for programs that just want to print. */
void lockstep_error_format(const lockstep_error *error, char *text, size_t text_bytes);
const char *lockstep_status_name(lockstep_status status);

#endif
