/* The names that the emulated driver exports, and how they are looked up. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/driver_table.h"
#include "tests/support.h"

#define STUB           "/usr/local/cuda/lib64/stubs/libcuda.so"
#define TOOLKIT_HEADER "/usr/local/cuda/include/cuda.h"

enum { OWN_EXPORTS = 17 }; /* the functions of lockstep_driver.h */

static const char *const names[] = {
#define ENTRY(name, since, arguments) #name,
#define SAME(name, since, target)     #name,
#define ABSENT(name, since)           #name,
#include "runtime/emulator/driver/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT
};

static const struct {
    const char *name, *target;
} aliases[] = {
#define ENTRY(name, since, arguments)
#define SAME(name, since, target) {#name, #target},
#define ABSENT(name, since)
#include "runtime/emulator/driver/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT
};

/* How many functions of that prefix a library exports, by nm; -1 when nm fails. *all_known: is each in the table? */
static int count_exports(const char *path, const char *prefix, bool *all_known)
{
    struct support_result result;
    if (!support_run_simple(&result, "nm", "-D", "--defined-only", path, (char *)NULL))
        return -1;
    int count = result.status == 0 ? 0 : -1;
    *all_known = true;
    char *rest = NULL;
    for (char *line = strtok_r(result.output, "\n", &rest); line && count >= 0; line = strtok_r(NULL, "\n", &rest)) {
        const char *name = strrchr(line, ' ');
        if (!name || strncmp(name + 1, prefix, strlen(prefix)) != 0)
            continue;
        bool known = false;
        for (size_t i = 0; i < SUPPORT_COUNT(names) && !known; i++)
            known = strcmp(names[i], name + 1) == 0;
        *all_known = *all_known && known;
        count++;
    }
    support_result_clear(&result);
    return count;
}

static void exports_exactly_the_table(void)
{
    char path[SUPPORT_PATH_BYTES];
    bool all_known;
    support_build_path("emulated/libcuda.so.1", path);
    CU_ASSERT_EQUAL(count_exports(path, "cu", &all_known), (int)SUPPORT_COUNT(names));
    CU_ASSERT_TRUE(all_known);
    CU_ASSERT_EQUAL(count_exports(path, "lockstep", &all_known), OWN_EXPORTS);
    if (support_is_sanitized()) {
        support_skip("the sanitizer adds names of its own to the exports");
        return;
    }
    CU_ASSERT_EQUAL(count_exports(path, "", &all_known), (int)SUPPORT_COUNT(names) + OWN_EXPORTS);
}

static void table_names_what_the_toolkits_stub_exports(void)
{
    char *header = support_read_file(TOOLKIT_HEADER, NULL);
    bool same_version = header && strstr(header, "#define CUDA_VERSION 13000");
    free(header);
    if (!same_version || access(STUB, R_OK) != 0) {
        support_skip("there is no CUDA 13.0 toolkit to compare with: %s", STUB);
        return;
    }
    bool all_known;
    CU_ASSERT_EQUAL(count_exports(STUB, "cu", &all_known), (int)SUPPORT_COUNT(names));
    CU_ASSERT_TRUE(all_known);
}

static void needs_only_the_c_library(void)
{
    if (support_is_sanitized()) {
        support_skip("a sanitized library needs the sanitizer's");
        return;
    }
    char path[SUPPORT_PATH_BYTES];
    struct support_result result;
    support_build_path("emulated/libcuda.so.1", path);
    if (!support_run_simple(&result, "readelf", "-d", path, (char *)NULL))
        return;
    SUPPORT_CONTAINS(result.output, "Library soname: [libcuda.so.1]");
    size_t needed = support_count_of(result.output, "(NEEDED)");
    size_t allowed = support_count_of(result.output, "[libc.so.6]") + support_count_of(result.output, "[libm.so.6]")
                     + support_count_of(result.output, "[libpthread.so.0]")
                     + support_count_of(result.output, "[ld-linux-x86-64.so.2]");
    CU_ASSERT_TRUE(needed > 0);
    CU_ASSERT_EQUAL(needed, allowed);
    support_result_clear(&result);
}

static void other_names_are_the_same_code(void)
{
    for (size_t i = 0; i < SUPPORT_COUNT(aliases); i++) {
        void *target = driver_table_symbol(aliases[i].target);
        CU_ASSERT_PTR_NOT_NULL(target);
        CU_ASSERT_PTR_EQUAL(driver_table_symbol(aliases[i].name), target);
    }
}

/* Calls a function that takes nothing, twice, and gives what it printed on stderr. */
static char *call_twice(const char *name, CUresult *result)
{
    char directory[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES];
    void *symbol = driver_table_symbol(name);
    CUresult (*function)(void);
    memcpy(&function, &symbol, sizeof function);
    if (!symbol || !support_temporary_directory(directory))
        return NULL;
    support_join(path, directory, "errors");
    fflush(stderr);
    int saved = dup(STDERR_FILENO);
    FILE *file = freopen(path, "w", stderr);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    *result = function();
    CU_ASSERT_EQUAL(function(), *result);
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    char *text = support_read_file(path, NULL);
    support_remove_tree(directory);
    return text;
}

static void absent_entry_points_answer_not_supported_and_say_so_once(void)
{
    CUresult result = CUDA_SUCCESS;
    char *text = call_twice("cuGraphConditionalHandleCreate", &result);
    CU_ASSERT_EQUAL(result, CUDA_ERROR_NOT_SUPPORTED);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(support_count_of(text, "cuGraphConditionalHandleCreate is not implemented"), 1);
    free(text);
}

static void old_versions_point_to_the_one_that_is_meant(void)
{
    CUresult result = CUDA_SUCCESS;
    char *text = call_twice("cuMemAlloc", &result);
    CU_ASSERT_EQUAL(result, CUDA_ERROR_NOT_SUPPORTED);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(support_count_of(text, "call cuMemAlloc_v2"), 1);
    free(text);
}

/* As on the H200: a name with a suffix is unknown, and without it leads to the newest version. */
static void get_proc_address_finds_every_name_without_its_suffix(void)
{
    const struct driver_table *driver = driver_table_get();
    CU_ASSERT_PTR_NOT_NULL_FATAL(driver);
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        char name[96];
        void *function = NULL;
        CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        snprintf(name, sizeof name, "%s", names[i]);
        char *suffix = strchr(name, '_');
        if (suffix) {
            CU_ASSERT_EQUAL(driver->cuGetProcAddress_v2(name, &function, 13000, 0, &status), CUDA_SUCCESS);
            CU_ASSERT_EQUAL(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
            CU_ASSERT_PTR_NULL(function);
            *suffix = '\0';
        }
        CU_ASSERT_EQUAL(driver->cuGetProcAddress_v2(name, &function, 13000, 0, &status), CUDA_SUCCESS);
        CU_ASSERT_PTR_NOT_NULL(function);
        CU_ASSERT_EQUAL(status, CU_GET_PROC_ADDRESS_SUCCESS);
    }
}

static void get_proc_address_knows_versions(void)
{
    static const struct {
        const char *name;
        int version;
        uint64_t flags;
        const char *symbol;
    } rows[] = {
        {"cuCtxCreate", 3020, 0, "cuCtxCreate_v2"},
        {"cuCtxCreate", 11040, 0, "cuCtxCreate_v3"},
        {"cuCtxCreate", 13000, 0, "cuCtxCreate_v4"},
        {"cuMemAlloc", 12000, 0, "cuMemAlloc_v2"},
        {"cuMemcpyHtoD", 12000, 0, "cuMemcpyHtoD_v2"},
        {"cuMemcpyHtoD", 12000, 2, "cuMemcpyHtoD_v2_ptds"},
        {"cuLaunchKernel", 12000, 0, "cuLaunchKernel"},
        {"cuLaunchKernel", 12000, 2, "cuLaunchKernel_ptsz"},
        {"cuLaunchKernel", 12000, 1, "cuLaunchKernel"},
        {"cuEventElapsedTime", 12000, 0, "cuEventElapsedTime"},
        {"cuEventElapsedTime", 13000, 0, "cuEventElapsedTime_v2"},
        {"cuDeviceGetUuid", 13000, 0, "cuDeviceGetUuid_v2"},
        {"cuGetProcAddress", 13000, 0, "cuGetProcAddress_v2"},
        {"cuStreamGetCaptureInfo", 13000, 2, "cuStreamGetCaptureInfo_v3_ptsz"},
        {"cuInit", 13000, 2, "cuInit"},
        {"cuInit", 13090, 0, "cuInit"},
        {"cuMemAlloc", -1, 0, "cuMemAlloc_v2"},
    };
    const struct driver_table *driver = driver_table_get();
    CU_ASSERT_PTR_NOT_NULL_FATAL(driver);
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        void *function = NULL;
        CU_ASSERT_EQUAL(driver->cuGetProcAddress_v2(rows[i].name, &function, rows[i].version, rows[i].flags, NULL), 0);
        CU_ASSERT_PTR_NOT_NULL(function);
        if (function != driver_table_symbol(rows[i].symbol))
            fprintf(stderr, "%s of %d with flags %d is not %s\n", rows[i].name, rows[i].version, (int)rows[i].flags,
                    rows[i].symbol);
        CU_ASSERT_PTR_EQUAL(function, driver_table_symbol(rows[i].symbol));
    }
}

static void get_proc_address_says_why_it_finds_nothing(void)
{
    const struct driver_table *driver = driver_table_get();
    CU_ASSERT_PTR_NOT_NULL_FATAL(driver);
    void *function = driver_table_get;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
    CU_ASSERT_EQUAL(driver->cuGetProcAddress_v2("cuLibraryLoadData", &function, 11000, 0, &status), CUDA_SUCCESS);
    CU_ASSERT_EQUAL(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    CU_ASSERT_PTR_NULL(function);
    CU_ASSERT_EQUAL(driver->cuGetProcAddress_v2("cuNoSuchThing", &function, 13000, 0, &status), CUDA_SUCCESS);
    CU_ASSERT_EQUAL(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    CU_ASSERT_PTR_NULL(function);
    CU_ASSERT_EQUAL(driver->cuGetProcAddress_v2("cuStreamQuery", &function, 6000, 2, &status), CUDA_SUCCESS);
    CU_ASSERT_EQUAL(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT); /* its form per thread came later */
    CU_ASSERT_EQUAL(driver->cuGetProcAddress("cuNoSuchThing", &function, 13000, 0), CUDA_ERROR_NOT_FOUND);
    CU_ASSERT_EQUAL(driver->cuGetProcAddress("cuInit", &function, 14000, 0), CUDA_ERROR_INVALID_VALUE);
    CU_ASSERT_EQUAL(driver->cuGetProcAddress("cu", &function, 13000, 0), CUDA_ERROR_NOT_FOUND);
    CU_ASSERT_EQUAL(driver->cuGetProcAddress(NULL, &function, 13000, 0), CUDA_ERROR_INVALID_VALUE);
    CU_ASSERT_EQUAL(driver->cuGetProcAddress("cuInit", NULL, 13000, 0), CUDA_ERROR_INVALID_VALUE);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(exports_exactly_the_table),
    SUPPORT_TEST_OF(outside, table_names_what_the_toolkits_stub_exports),
    SUPPORT_TEST(needs_only_the_c_library),
    SUPPORT_TEST(other_names_are_the_same_code),
    SUPPORT_TEST(absent_entry_points_answer_not_supported_and_say_so_once),
    SUPPORT_TEST(old_versions_point_to_the_one_that_is_meant),
    SUPPORT_TEST(get_proc_address_finds_every_name_without_its_suffix),
    SUPPORT_TEST(get_proc_address_knows_versions),
    SUPPORT_TEST(get_proc_address_says_why_it_finds_nothing),
};

int entry_points_suite_register(void)
{
    return support_register("entry_points", tests, SUPPORT_COUNT(tests));
}
