/* A CUDA driver: the library, found and opened at run time, and its entry points. Internal to the runtime.
 *
 * All of a driver's state is in its struct: a GPU's and the emulated one may be open in one process.
 *
 *   GPU        libcuda.so.1 in the folders of LD_LIBRARY_PATH, where the dynamic linker finds it, in the usual folders. One
 *              that exports lockstepDriverInterface is the emulated driver (`lockstep exec` sets LD_LIBRARY_PATH) and
 *              is skipped.
 *   emulated   LOCKSTEP_EMULATED_DRIVER (a file), else emulated/libcuda.so.1 beside the executable or one folder above it.
 */
#ifndef RUNTIME_DRIVER_H
#define RUNTIME_DRIVER_H

#include <stdbool.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/lockstep_driver.h"
#include "runtime/lockstep.h"

struct driver {
    void *library; /* stays open until the process ends: drivers keep threads and per-thread state */
    char path[512];
    bool emulated;
#define DRIVER_CALL(member, symbol, arguments) CUresult(*member) arguments;
#include "runtime/cuda/driver_api.def"
#undef DRIVER_CALL
    /* NULL on a GPU, and on an emulated driver that lacks them */
    lockstep_name_memory_fn *name_memory;
    lockstep_poison_memory_fn *poison_memory;
    lockstep_protect_memory_fn *protect_memory;
    lockstep_written_memory_fn *written_memory;
    lockstep_set_schedule_fn *set_schedule;
    lockstep_set_work_fn *set_work;
    lockstep_work_done_fn *work_done;
    lockstep_set_repair_fn *set_repair;
    lockstep_module_source_fn *module_source;
};

/* Finds and opens a driver and fills its entry points; calls none of them. LOCKSTEP_NO_DRIVER: none found, it cannot be
 * loaded, or it is too old and lacks an entry point. */
lockstep_status driver_open(bool emulated, struct driver *driver, lockstep_error *error);

/* Unloads a driver whose cuInit failed or was never called; no other driver may be unloaded. */
void driver_close(struct driver *driver);

/* Turns a CUresult into a status and describes it.
 *   call     the entry point that returned it: "cuMemAlloc"
 *   format   printf-style: what was being done, with sizes and labels: "allocating 4096 bytes for `a`"; the name and text of
 *            the code are added
 * LOCKSTEP_OK when result is CUDA_SUCCESS. */
lockstep_status driver_check(const struct driver *driver, CUresult result, const char *call, lockstep_error *error,
                             const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
