/* Findings about code that is not the user's. */
#include "grader/commands/library_code.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/program/tools.h"
#include "runtime/language/text.h"

#define PATH_BYTES TOOLS_PATH_BYTES

enum {
    NEAR_LINES = 3,     /* above and below a place, that are looked for in the user's files */
    TELLING_BYTES = 12, /* of a line that is worth looking for */
};

enum { SOURCE_BYTES = 1 << 20 };

char *library_code_read(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    char *text = allocate_zeroed(SOURCE_BYTES + 1);
    size_t bytes = fread(text, 1, SOURCE_BYTES, file);
    fclose(file);
    char *meant = bytes < SOURCE_BYTES ? text_read(text, bytes, &bytes) : NULL;
    free(text);
    if (meant && !memchr(meant, 0, bytes))
        return meant;
    free(meant);
    return NULL;
}

/* Sources that a package writes around the expressions that it is given: what all of them contain. */
static const struct generator {
    const char *marks[3];
} generators[] = {
    {{"#define READ_AND_MAP(i) (", "#define REDUCE(a, b) (", "unsigned int seq_count, size_t n)"}}, /* PyCUDA's reductions */
    {{"#define WITHIN_KERNEL __device__", "#define SCAN_EXPR(", "_scan_intervals("}},               /* PyCUDA's scans */
};

/* Did a package write the file? Such sources are in no folder of the package's. */
static bool is_generated(const char *file)
{
    static char latest[PATH_BYTES]; /* findings come in groups about one file */
    static bool answer;
    if (strcmp(file, latest) == 0)
        return answer;
    char *text = library_code_read(file);
    answer = false;
    for (size_t i = 0; text && i < sizeof generators / sizeof *generators; i++) {
        const struct generator *generator = &generators[i];
        bool all = true;
        for (size_t k = 0; k < sizeof generator->marks / sizeof *generator->marks; k++)
            all = all && strstr(text, generator->marks[k]);
        answer |= all;
    }
    free(text);
    snprintf(latest, sizeof latest, "%s", file);
    return answer;
}

/* Is the file one of the CUDA toolkit's headers, of an installed Python package, or written by one? */
static bool is_library_file(const char *file)
{
    static const char *const folders[] = {
        "/usr/local/cuda", "/targets/x86_64-linux/include/", "/include/cub/",   "/include/thrust/",
        "/include/cccl/",  "/include/cooperative_groups",    "/site-packages/", "/dist-packages/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strstr(file, folders[i]))
            return true;
    return is_generated(file);
}

/* Is a place in a file of the user's? Unknown places are nobody's. */
static bool is_own_place(const json_t *frame)
{
    const char *file = json_string_value(json_object_get(frame, "file"));
    return file && file[0] != '\0' && !is_library_file(file);
}

/* ---- kernels that a package writes ---- */

/* Is it the kernel of a library by its name? Numba's have the name of their module; CuPy writes its own kernels itself. */
static bool is_library_kernel(const char *kernel)
{
    static const char *const names[] = {"numba::", "cub::", "thrust::", "cupy_", "cupyx_"};
    for (size_t i = 0; kernel && i < sizeof names / sizeof *names; i++)
        if (strncmp(kernel, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Is it shared memory of Triton's compiler? A kernel of Triton has none of its own. The compiler calls its memory that, and
 * the lines of these kernels are lines of Python. */
static bool is_tritons_memory(const json_t *finding)
{
    const char *file = json_string_value(json_object_get(finding, "file"));
    const char *array = json_string_value(json_object_get(finding, "array"));
    size_t length = file ? strlen(file) : 0;
    return array && strcmp(array, "global_smem") == 0 && length > 3 && strcmp(file + length - 3, ".py") == 0;
}

/* Is this a variable that a library's kernel left without a value? Such a kernel may apply the caller's function to elements
 * that do not exist, and pass over the result. */
static bool is_unset_in_library(const json_t *finding)
{
    const char *code = json_string_value(json_object_get(finding, "code"));
    const char *pattern = json_string_value(json_object_get(finding, "pattern"));
    const char *file2 = json_string_value(json_object_get(finding, "file2"));
    return code && strcmp(code, "uninitialized") == 0 && pattern && strcmp(pattern, "variable") == 0 && file2
           && file2[0] != '\0';
}

/* The text without spaces at its ends, where it says enough to be found again. */
static bool trim(const char **line, size_t *length)
{
    while (*length > 0 && isspace((unsigned char)**line)) {
        ++*line;
        --*length;
    }
    while (*length > 0 && isspace((unsigned char)(*line)[*length - 1]))
        --*length;
    return *length >= TELLING_BYTES;
}

/* Do most of the lines around this one occur in the text? A program that fills in parts of its source has the others as they
 * are; one or two lines, such as `__syncthreads();`, occur in many. */
static bool has_lines_near(const char *text, const char *source, int line)
{
    int number = 1, telling = 0, found = 0;
    for (const char *at = source; *at && number <= line + NEAR_LINES; number++) {
        size_t length = strcspn(at, "\n"), rest = length;
        const char *begin = at;
        if (number >= line - NEAR_LINES && trim(&begin, &rest)) {
            telling++;
            found += memmem(text, strlen(text), begin, rest) != NULL;
        }
        at += length + (at[length] == '\n');
    }
    return 2 * found > telling;
}

/* Does the file, or a module of Python beside it, have the lines around this one? */
static bool is_text_of(const char *path, const char *source, int line)
{
    bool found = false;
    char *text = is_library_file(path) ? NULL : library_code_read(path), *folder = text ? allocate_format("%s", path) : NULL;
    if (!text)
        return false;
    found = has_lines_near(text, source, line);
    free(text);
    char *slash = strrchr(folder, '/');
    snprintf(slash ? slash : folder, 3, "%s", slash ? "" : ".");
    DIR *entries = found ? NULL : opendir(slash == folder ? "/" : folder);
    for (struct dirent *entry; entries && !found && (entry = readdir(entries));) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".py") != 0)
            continue;
        char *module = allocate_format("%s/%s", folder, entry->d_name);
        text = library_code_read(module);
        found = text && has_lines_near(text, source, line);
        free(text);
        free(module);
    }
    if (entries)
        closedir(entries);
    free(folder);
    return found;
}

/* Is the file a copy of what was compiled while the program ran (runtime/emulator/stand_ins/keep_source.h)? */
static bool is_kept_source(const char *file)
{
    const char *name = strstr(file, "/sources/");
    return name && strspn(name + strlen("/sources/"), "0123456789abcdef") == 16 && name[strlen("/sources/") + 16] == '/';
}

/* Did the package that the kernel is named after write this line? The user may give a kernel such a name as well, and gives its
 * text in a file then. */
static bool is_packages_text(const json_t *finding, const char *file, int line, char *const *arguments)
{
    if (!is_library_kernel(json_string_value(json_object_get(finding, "kernel"))) || !is_kept_source(file))
        return false;
    char *source = library_code_read(file);
    bool own = !source;
    for (size_t i = 0; arguments[i] && !own; i++)
        own = is_text_of(arguments[i], source, line);
    free(source);
    return !own;
}

bool library_code_is(const json_t *finding, char *const *arguments)
{
    static const char *const inner[] = {"race_", "async_copy", "barrier_", "early_exit", "sync_mask", "division_by_zero"};
    const char *code = json_string_value(json_object_get(finding, "code"));
    const char *file = json_string_value(json_object_get(finding, "file"));
    const char *file2 = json_string_value(json_object_get(finding, "file2"));
    const json_t *calls = json_object_get(finding, "called_from");
    bool is_inner = false;
    for (size_t i = 0; code && i < sizeof inner / sizeof *inner; i++)
        is_inner |= strncmp(code, inner[i], strlen(inner[i])) == 0;
    if (is_inner
        && (is_tritons_memory(finding)
            || (file
                && is_packages_text(finding, file, (int)json_integer_value(json_object_get(finding, "line")), arguments))))
        return true;
    if (is_unset_in_library(finding))
        is_inner = true;
    else if (is_own_place(json_object_get(finding, "inside")))
        return false;
    if (!is_inner || is_own_place(finding))
        return false;
    if (file2 && file2[0] != '\0' && !is_library_file(file2))
        return false;
    for (size_t i = 0; i < json_array_size(calls); i++)
        if (is_own_place(json_array_get(calls, i)))
            return false;
    return (file && file[0] != '\0') || is_library_kernel(json_string_value(json_object_get(finding, "kernel")));
}
