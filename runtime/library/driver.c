#include "runtime/library/driver.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "runtime/base/search.h"

static const char library_name[] = "libcuda.so.1";
static const char no_gpu_driver_remedy[] =
    "Install NVIDIA's driver; start a container with --gpus all. Without a GPU, use the emulated device.";
static const char no_emulated_driver_remedy[] = "Build it with ninja, or set LOCKSTEP_EMULATED_DRIVER to its libcuda.so.1.";

/* ---- finding ------------------------------------------------------------------------------------------------------ */

/* Opens one candidate. Returns false when it cannot be opened or is the other kind; sets *reason when it exists but
 * fails. */
static bool open_library(const char *name, bool emulated, struct driver *driver, char reason[512])
{
    driver->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!driver->library) {
        const char *text = dlerror();
        bool exists = strchr(name, '/') && access(name, F_OK) == 0;
        if (exists && !reason[0])
            snprintf(reason, 512, "%s", text ? text : name);
        return false;
    }
    void *interface = dlsym(driver->library, LOCKSTEP_DRIVER_INTERFACE_NAME);
    if ((interface != NULL) != emulated) {
        if (emulated && !reason[0])
            snprintf(reason, 512, "%s is not Lockstep's emulated driver", name);
        dlclose(driver->library);
        driver->library = NULL;
        return false;
    }
    Dl_info information;
    void *entry = dlsym(driver->library, "cuInit");
    bool known = entry && dladdr(entry, &information) && information.dli_fname;
    snprintf(driver->path, sizeof driver->path, "%s", known ? information.dli_fname : name);
    return true;
}

/* The linker's own search would do, but a loaded emulated driver answers to that name, so the folders are searched by
 * hand. */
static bool find_gpu_driver(struct driver *driver, char reason[512])
{
    static const char *const folders[] = {
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64",
        "/usr/lib/nvidia",
        "/usr/lib",
        "/usr/local/nvidia/lib64",
        "/usr/local/nvidia/lib",
        "/usr/lib/wsl/lib",
        "/run/opengl-driver/lib",
        "/usr/local/cuda/compat",
    };
    char path[SEARCH_PATH_BYTES];
    const char *list = getenv("LD_LIBRARY_PATH");
    while (list && *list) {
        size_t length = strcspn(list, ":");
        if (length > 0 && snprintf(path, sizeof path, "%.*s/%s", (int)length, list, library_name) < (int)sizeof path
            && access(path, F_OK) == 0 && open_library(path, false, driver, reason))
            return true;
        list += length + (list[length] == ':');
    }
    if (open_library(library_name, false, driver, reason))
        return true;
    for (size_t at = 0; at < sizeof folders / sizeof folders[0]; at++) {
        snprintf(path, sizeof path, "%s/%s", folders[at], library_name);
        if (access(path, F_OK) == 0 && open_library(path, false, driver, reason))
            return true;
    }
    return false;
}

static bool find_emulated_driver(struct driver *driver, char reason[512])
{
    static const char *const places[] = {"emulated", "../emulated"};
    const char *forced = getenv("LOCKSTEP_EMULATED_DRIVER");
    if (forced && *forced)
        return open_library(forced, true, driver, reason);
    char folder[SEARCH_PATH_BYTES], path[SEARCH_PATH_BYTES + 64];
    if (!search_program_folder(folder))
        return false;
    for (size_t at = 0; at < sizeof places / sizeof places[0]; at++) {
        snprintf(path, sizeof path, "%s/%s/%s", folder, places[at], library_name);
        char *real = realpath(path, NULL); /* one name per file, also from build/tests */
        bool opened = real && open_library(real, true, driver, reason);
        free(real);
        if (opened)
            return true;
    }
    return false;
}

/* ---- entry points ------------------------------------------------------------------------------------------------- */

/* dlsym() returns an object pointer; ISO C has no cast from it to a function pointer, but POSIX promises that the bits
 * fit. */
static void set_entry(void *member, void *address)
{
    memcpy(member, &address, sizeof address);
}

static lockstep_status resolve(struct driver *driver, lockstep_error *error)
{
    const struct {
        void *member;
        const char *symbol;
    } entries[] = {
#define DRIVER_CALL(member, symbol, arguments) {&driver->member, symbol},
#include "runtime/cuda/driver_api.def"
#undef DRIVER_CALL
    };
    for (size_t at = 0; at < sizeof entries / sizeof entries[0]; at++) {
        void *address = dlsym(driver->library, entries[at].symbol);
        if (!address)
            return error_set(error, LOCKSTEP_NO_DRIVER, "dlsym", "Update the driver: CUDA 12 or newer is needed.",
                             "%s is too old: it has no %s", driver->path, entries[at].symbol);
        set_entry(entries[at].member, address);
    }
    set_entry(&driver->name_memory, dlsym(driver->library, LOCKSTEP_NAME_MEMORY_NAME));
    set_entry(&driver->poison_memory, dlsym(driver->library, LOCKSTEP_POISON_MEMORY_NAME));
    set_entry(&driver->protect_memory, dlsym(driver->library, LOCKSTEP_PROTECT_MEMORY_NAME));
    set_entry(&driver->written_memory, dlsym(driver->library, LOCKSTEP_WRITTEN_MEMORY_NAME));
    set_entry(&driver->set_schedule, dlsym(driver->library, LOCKSTEP_SET_SCHEDULE_NAME));
    set_entry(&driver->set_work, dlsym(driver->library, LOCKSTEP_SET_WORK_NAME));
    set_entry(&driver->work_done, dlsym(driver->library, LOCKSTEP_WORK_DONE_NAME));
    set_entry(&driver->set_repair, dlsym(driver->library, LOCKSTEP_SET_REPAIR_NAME));
    set_entry(&driver->module_source, dlsym(driver->library, LOCKSTEP_MODULE_SOURCE_NAME));
    return LOCKSTEP_OK;
}

lockstep_status driver_open(bool emulated, struct driver *driver, lockstep_error *error)
{
    char reason[512] = "";
    memset(driver, 0, sizeof *driver);
    driver->emulated = emulated;
    const char *remedy = emulated ? no_emulated_driver_remedy : no_gpu_driver_remedy;
    if (!(emulated ? find_emulated_driver(driver, reason) : find_gpu_driver(driver, reason))) {
        if (reason[0])
            return error_set(error, LOCKSTEP_NO_DRIVER, "dlopen", remedy, "%s driver cannot be loaded: %s",
                             emulated ? "the emulated" : "NVIDIA's", reason);
        const char *forced = emulated ? getenv("LOCKSTEP_EMULATED_DRIVER") : NULL;
        if (forced && *forced)
            return error_set(error, LOCKSTEP_NO_DRIVER, "dlopen", remedy, "LOCKSTEP_EMULATED_DRIVER=%s does not exist",
                             forced);
        return error_set(error, LOCKSTEP_NO_DRIVER, "dlopen", remedy,
                         emulated ? "no emulated/libcuda.so.1 beside the program"
                                  : "no NVIDIA driver (libcuda.so.1) on this machine");
    }
    lockstep_status status = resolve(driver, error);
    if (status != LOCKSTEP_OK)
        driver_close(driver);
    return status;
}

void driver_close(struct driver *driver)
{
    /* left open, it would answer to the name libcuda.so.1 from now on */
    dlclose(driver->library);
    driver->library = NULL;
}

/* ---- failures ----------------------------------------------------------------------------------------------------- */

static const struct remedy {
    CUresult code;
    lockstep_status status;
    const char *text, *on_emulated;
} remedies[] = {
#define REMEDY(code, status, text)                {code, status, text, text},
#define REMEDIES(code, status, text, on_emulated) {code, status, text, on_emulated},
#include "runtime/cuda/driver_remedies.def"
#undef REMEDY
#undef REMEDIES
};

/* For a driver that cannot name the code: it is not initialised, or older than the code. */
static void describe_by_table(CUresult result, const char **name, const char **text)
{
    static const struct {
        CUresult code;
        const char *name, *text;
    } results[] = {
#define RESULT(name, number, text) {name, #name, text},
#include "runtime/cuda/driver_results.def"
#undef RESULT
    };
    *name = "a code without a name";
    *text = "no description";
    for (size_t at = 0; at < sizeof results / sizeof results[0]; at++) {
        if (results[at].code == result) {
            *name = results[at].name;
            *text = results[at].text;
        }
    }
}

lockstep_status driver_check(const struct driver *driver, CUresult result, const char *call, lockstep_error *error,
                             const char *format, ...)
{
    if (result == CUDA_SUCCESS)
        return LOCKSTEP_OK;
    struct remedy remedy = {result, LOCKSTEP_DRIVER_ERROR, "", ""};
    for (size_t at = 0; at < sizeof remedies / sizeof remedies[0]; at++)
        if (remedies[at].code == result)
            remedy = remedies[at];
    if (!error)
        return remedy.status;
    char doing[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(doing, sizeof doing, format, arguments);
    va_end(arguments);
    const char *name = NULL, *text = NULL;
    if (driver->cuGetErrorName(result, &name) != CUDA_SUCCESS || driver->cuGetErrorString(result, &text) != CUDA_SUCCESS
        || !name || !text)
        describe_by_table(result, &name, &text);
    error_set(error, remedy.status, call, driver->emulated ? remedy.on_emulated : remedy.text, "%s: %s (%s, %d)", doing,
              text, name, (int)result);
    error->cuda_result = (int)result;
    return remedy.status;
}
