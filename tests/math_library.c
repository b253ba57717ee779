#include "tests/math_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/driver_table.h"
#include "tests/support.h"

static char directory[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];
static const struct driver_table *driver;
static CUcontext primary;
static void *library;

int math_library_open(const char *file)
{
    char path[SUPPORT_PATH_BYTES], name[256];
    if (!support_temporary_directory(directory))
        return -1;
    setenv("LOCKSTEP_FINDINGS", support_join(findings, directory, "findings"), 1);
    setenv("LOCKSTEP_CHECKS", "all", 1);
    driver = driver_table_get();
    /* The library looks for the driver among what the program has loaded for all. */
    if (!driver || !dlopen(support_build_path("emulated/libcuda.so.1", path), RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD))
        return -1;
    snprintf(name, sizeof name, "emulated/stand_ins/%s", file);
    library = dlopen(support_build_path(name, path), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fprintf(stderr, "%s\n", dlerror());
    if (!library || driver->cuInit(0) != 0 || driver->cuDevicePrimaryCtxRetain(&primary, 0) != 0)
        return -1;
    return driver->cuCtxSetCurrent(primary) == 0 ? 0 : -1;
}

int math_library_close(void)
{
    driver->cuCtxSetCurrent(NULL);
    driver->cuDevicePrimaryCtxRelease_v2(0);
    support_remove_tree(directory);
    return 0;
}

void *math_library_function(const char *name)
{
    void *function = dlsym(library, name);
    if (!function)
        fprintf(stderr, "there is no %s\n", name);
    if (CU_get_current_test()) /* not in a set-up function */
        CU_ASSERT_PTR_NOT_NULL(function);
    return function;
}

void *math_library_memory(const void *content, size_t bytes)
{
    CUdeviceptr memory = 0;
    CU_ASSERT_EQUAL(driver->cuMemAlloc_v2(&memory, bytes), CUDA_SUCCESS);
    if (content)
        CU_ASSERT_EQUAL(driver->cuMemcpyHtoD_v2(memory, content, bytes), CUDA_SUCCESS);
    return (void *)(uintptr_t)memory;
}

void math_library_free(void *memory)
{
    CU_ASSERT_EQUAL(driver->cuMemFree_v2((CUdeviceptr)(uintptr_t)memory), CUDA_SUCCESS);
}

void math_library_read(const void *memory, void *to, size_t bytes)
{
    CU_ASSERT_EQUAL(driver->cuMemcpyDtoH_v2(to, (CUdeviceptr)(uintptr_t)memory, bytes), CUDA_SUCCESS);
}

void math_library_write(void *memory, const void *from, size_t bytes)
{
    CU_ASSERT_EQUAL(driver->cuMemcpyHtoD_v2((CUdeviceptr)(uintptr_t)memory, from, bytes), CUDA_SUCCESS);
}

size_t math_library_findings(const char *text)
{
    char *written = support_read_file(findings, NULL);
    size_t count = written ? support_count_of(written, text) : 0;
    free(written);
    return count;
}

/* The names of that prefix, "NAME@@VERSION", one a line and sorted, by nm. Owned by the caller. */
static char *exports(const char *path, const char *prefix)
{
    struct support_result result;
    char command[2 * SUPPORT_PATH_BYTES];
    snprintf(command, sizeof command, "nm -D --defined-only '%s' | awk '{print $3}' | grep '^%s' | sort", path, prefix);
    if (!support_run_simple(&result, "sh", "-c", command, (char *)NULL))
        return NULL;
    char *names = strdup(result.output);
    support_result_clear(&result);
    return names;
}

void math_library_compare(const char *file, const char *prefix)
{
    char theirs[SUPPORT_PATH_BYTES], ours[SUPPORT_PATH_BYTES], name[256];
    snprintf(theirs, sizeof theirs, "/usr/local/cuda/lib64/%s", file);
    snprintf(name, sizeof name, "emulated/stand_ins/%s", file);
    FILE *there = fopen(theirs, "r");
    if (!there) {
        support_skip("there is no %s", theirs);
        return;
    }
    fclose(there);
    char *wanted = exports(theirs, prefix), *found = exports(support_build_path(name, ours), prefix);
    CU_ASSERT_PTR_NOT_NULL_FATAL(wanted);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_NOT_EQUAL(wanted[0], '\0');
    CU_ASSERT_STRING_EQUAL(found, wanted);
    free(wanted);
    free(found);
}
