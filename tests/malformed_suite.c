/* Malformed modules: every way of loading refuses them with the code of NVIDIA's driver, and the JIT log says where
 * and why. Each file of tests/fixtures/malformed begins with
 *
 *     // refused: RESULT LINE:COLUMN words of the message       (column 0: only the line is known)
 *
 * Results were confirmed with NVIDIA's driver 580 on an H200. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/dialect.h"
#include "tests/driver_table.h"
#include "tests/support.h"

#define FOLDER "tests/fixtures/malformed"

enum { LOG_BYTES = 1024, GUARD = 0x5a };

static const struct driver_table *driver;
static CUcontext context;

static int set_up(void)
{
    setenv("LOCKSTEP_CHECKS", "none", 1);
    driver = driver_table_get();
    return driver && driver->cuInit(0) == CUDA_SUCCESS && driver->cuCtxCreate_v2(&context, 0, 0) == CUDA_SUCCESS ? 0 : -1;
}

static int clean_up(void)
{
    return driver->cuCtxDestroy_v2(context) == CUDA_SUCCESS ? 0 : -1;
}

struct logs {
    char error[LOG_BYTES], info[LOG_BYTES];
    CUjit_option options[4];
    void *values[4];
};

static struct logs *clear(struct logs *logs, size_t error_bytes)
{
    memset(logs->error, GUARD, sizeof logs->error);
    memset(logs->info, GUARD, sizeof logs->info);
    logs->options[0] = CU_JIT_ERROR_LOG_BUFFER;
    logs->options[1] = CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
    logs->options[2] = CU_JIT_INFO_LOG_BUFFER;
    logs->options[3] = CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES;
    logs->values[0] = logs->error;
    logs->values[1] = (void *)(uintptr_t)error_bytes;
    logs->values[2] = logs->info;
    logs->values[3] = (void *)(uintptr_t)sizeof logs->info;
    return logs;
}

static bool log_is_whole(const struct logs *logs)
{
    return memchr(logs->error, 0, sizeof logs->error) && (uintptr_t)logs->values[1] == strlen(logs->error) + 1
           && logs->error[strlen(logs->error) + 1] == GUARD;
}

static CUresult load_module(const char *text, struct logs *logs)
{
    CUmodule module;
    CUresult result = driver->cuModuleLoadDataEx(&module, text, 4, logs->options, logs->values);
    if (result == CUDA_SUCCESS)
        driver->cuModuleUnload(module);
    return result;
}

static CUresult load_library(const char *text, struct logs *logs)
{
    CUlibrary library;
    CUresult result = driver->cuLibraryLoadData(&library, text, logs->options, logs->values, 4, NULL, NULL, 0);
    if (result == CUDA_SUCCESS)
        driver->cuLibraryUnload(library);
    return result;
}

/* NVIDIA's driver refuses at cuLinkAddData; what gets past it must be refused when the linked image is loaded, whose lines
 * are others. */
static CUresult load_linked(const char *text, struct logs *logs)
{
    CUlinkState link;
    void *image;
    size_t bytes;
    CUresult result = driver->cuLinkCreate_v2(4, logs->options, logs->values, &link);
    if (result != CUDA_SUCCESS)
        return result;
    result = driver->cuLinkAddData_v2(link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, strlen(text) + 1, "text", 0, NULL,
                                      NULL);
    if (result == CUDA_SUCCESS)
        result = driver->cuLinkComplete(link, &image, &bytes);
    if (result == CUDA_SUCCESS) {
        clear(logs, sizeof logs->error);
        result = load_module(image, logs);
    }
    driver->cuLinkDestroy(link);
    return result;
}

/* Loads the text every way; returns the number of mistakes. */
static unsigned check_file(const char *name, const char *text)
{
    static CUresult (*const ways[])(const char *, struct logs *) = {load_module, load_library, load_linked};
    static const char *const way_names[] = {"cuModuleLoadDataEx", "cuLibraryLoadData", "the linker"};
    int want = 0, line = 0, column = 0, words_at = 0;
    unsigned wrong = 0;
    struct dialect dialect;
    char place[64], words[200];
    dialect_begin(&dialect, text);
    if (dialect_next(&dialect) == DIALECT_ENTRY && dialect.at == text && strcmp(dialect.word, "refused") == 0)
        sscanf(dialect.text, "%d %d:%d %n", &want, &line, &column, &words_at);
    snprintf(words, sizeof words, "%s", words_at ? dialect.text + words_at : "");
    dialect_stop(&dialect);
    if (!words_at) {
        fprintf(stderr, "%s: the first line does not say what is expected\n", name);
        return 1;
    }
    snprintf(place, sizeof place, column ? "line %d, column %d: " : "line %d: ", line, column);
    for (size_t way = 0; way < SUPPORT_COUNT(ways); way++) {
        struct logs logs;
        CUresult result = ways[way](text, clear(&logs, sizeof logs.error));
        if ((int)result == want && log_is_whole(&logs)
            && (ways[way] == load_linked || strncmp(logs.error, place, strlen(place)) == 0) && strstr(logs.error, words)
            && logs.info[0] == 0)
            continue;
        fprintf(stderr, "%s: %s: result %d, log '%.200s'\n", name, way_names[way], (int)result, logs.error);
        wrong++;
    }
    return wrong;
}

static void refuses_every_malformed_module_with_place_and_reason(void)
{
    struct dirent **files;
    int count = scandir(FOLDER, &files, NULL, alphasort);
    unsigned checked = 0, wrong = 0;
    for (int i = 0; i < count; i++) {
        char path[SUPPORT_PATH_BYTES];
        char *text = files[i]->d_name[0] == '.' ? NULL
                                                : support_read_file(support_join(path, FOLDER, files[i]->d_name), NULL);
        if (text) {
            wrong += check_file(files[i]->d_name, text);
            checked++;
        }
        free(text);
        free(files[i]);
    }
    if (count >= 0)
        free(files);
    CU_ASSERT_TRUE(checked > 50);
    CU_ASSERT_EQUAL(wrong, 0);
}

static void refuses_what_is_no_ptx(void)
{
    static const struct {
        const char *image;
        CUresult result;
        const char *words;
    } rows[] = {
        {"", CUDA_ERROR_INVALID_IMAGE, "empty"},
        {"hello world\n", CUDA_ERROR_INVALID_IMAGE, "must begin with .version"},
        {"/* only a comment */", CUDA_ERROR_INVALID_IMAGE, "must begin with .version"},
        {"\xc8\x01\x02\x03", CUDA_ERROR_INVALID_IMAGE, "neither PTX"},
        {"\177ELF\2\1\1", CUDA_ERROR_NO_BINARY_FOR_GPU, "cubin"},
        {"BC\xc0\xde", CUDA_ERROR_NO_BINARY_FOR_GPU, "NVVM"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct logs logs;
        CU_ASSERT_EQUAL(load_module(rows[i].image, clear(&logs, sizeof logs.error)), rows[i].result);
        CU_ASSERT_TRUE(log_is_whole(&logs));
        SUPPORT_CONTAINS(logs.error, rows[i].words);
    }
}

/* The buffer of every size gets as much as fits, a NUL, and no byte more. */
static void cuts_the_log_to_every_size(void)
{
    static const char text[] = ".version 8.0\n.target sm_80\n.entry k() { frobnicate; }\n";
    struct logs logs;
    CU_ASSERT_EQUAL(load_module(text, clear(&logs, sizeof logs.error)), CUDA_ERROR_INVALID_PTX);
    char whole[LOG_BYTES];
    memcpy(whole, logs.error, sizeof whole);
    for (size_t bytes = 0; bytes <= strlen(whole) + 2; bytes++) {
        size_t fits = bytes <= strlen(whole) ? bytes : strlen(whole) + 1;
        CU_ASSERT_EQUAL(load_module(text, clear(&logs, bytes)), CUDA_ERROR_INVALID_PTX);
        CU_ASSERT_EQUAL((uintptr_t)logs.values[1], fits);
        CU_ASSERT_TRUE(fits == 0 || (memcmp(logs.error, whole, fits - 1) == 0 && logs.error[fits - 1] == 0));
        CU_ASSERT_EQUAL(logs.error[fits], GUARD);
    }
}

/* Repeats `part`, in which # is the number of the repetition. */
static void repeat(FILE *out, const char *part, int count)
{
    for (int i = 0; i < count; i++) {
        const char *at = part, *mark;
        for (; (mark = strchr(at, '#')); at = mark + 1)
            fprintf(out, "%.*s%d", (int)(mark - at), at, i);
        fputs(at, out);
    }
}

/* Texts whose cost must not grow faster than they do: each was, or is likely to become, quadratic. */
static void takes_no_time_out_of_proportion(void)
{
    static const struct {
        const char *name, *before, *part, *after;
        int count;
    } rows[] = {
        {"kernels", "", ".entry k#() { ret; }\n", "", 40000},
        {"exits", ".entry k() { .reg .pred %p;", "@%p exit;\n", "}", 60000},
        {"endless loops", ".entry k() {", "L#: bra L#;\n", "}", 60000},
        {"branches to one place", ".entry k() { .reg .pred %p;", "@%p bra E;\n", "E: }", 60000},
        {"scopes", ".entry k() {", "bra E;{}\n", "E: }", 60000},
        {"calls", ".func f() { ret; }\n", ".entry k#() { call f, (); }\n", "", 30000},
        {"registers", ".entry k() { ", ".reg .b32 r#_<2>;\n", "}", 32000},
        {"values", ".global .b8 v[] = {", "#,\n", "1};", 200000},
        {"parameters", ".func f() { .reg .b64 r;", ".param .b64 p#; st.param.b64 [p#], r;\n", "}", 20000},
        {"memory", "", ".global .b8 v#[250000000] = {1};\n", "", 100},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char *text = NULL;
        size_t bytes;
        FILE *out = open_memstream(&text, &bytes);
        CU_ASSERT_PTR_NOT_NULL_FATAL(out);
        fprintf(out, ".version 8.0\n.target sm_80\n.address_size 64\n%s", rows[i].before);
        repeat(out, rows[i].part, rows[i].count);
        fputs(rows[i].after, out);
        fclose(out);
        struct logs logs;
        clock_t start = clock();
        CUresult result = load_module(text, clear(&logs, sizeof logs.error));
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (seconds > 5 || result != CUDA_SUCCESS)
            fprintf(stderr, "%s: %.1f s, result %d, %s\n", rows[i].name, seconds, (int)result, logs.error);
        CU_ASSERT_TRUE(seconds < 5 && result == CUDA_SUCCESS);
        free(text);
    }
}

static const struct support_test tests[] = {
    SUPPORT_TEST(refuses_every_malformed_module_with_place_and_reason),
    SUPPORT_TEST(refuses_what_is_no_ptx),
    SUPPORT_TEST(cuts_the_log_to_every_size),
    SUPPORT_TEST_OF(host, takes_no_time_out_of_proportion),
};

int malformed_suite_register(void)
{
    return support_register_with("malformed", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
