#include "runtime/emulator/driver/source_line.h"

#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/language/demangle.h"

enum { KNOWN = 64, ANSWER_BYTES = 16384 };

/* Runs addr2line with its output in `answer`. Its environment is empty, so that nothing is preloaded there. */
static bool ask(const char *path, uint64_t address, char answer[ANSWER_BYTES])
{
    char place[24], *words[] = {"addr2line", "-i", "-f", "-e", (char *)path, place, NULL},
                    *environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", NULL};
    int ends[2], status = -1;
    pid_t child;
    size_t length = 0;
    posix_spawn_file_actions_t actions;
    snprintf(place, sizeof place, "0x%" PRIx64, address);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool runs = posix_spawnp(&child, words[0], &actions, NULL, words, environment) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    for (ssize_t got = 1; runs && got > 0 && length < ANSWER_BYTES - 1; length += got > 0 ? (size_t)got : 0)
        got = read(ends[0], answer + length, ANSWER_BYTES - 1 - length);
    close(ends[0]);
    answer[length] = '\0';
    return runs && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* A header of the toolkit, or what nvcc makes of a launch. */
static bool is_toolkit(const char *file)
{
    static const char *const parts[] = {"/cuda_runtime", "/include/crt/", "/cuda_device_runtime_api.h", ".stub.c"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(file, parts[i]))
            return true;
    return false;
}

/* Is this function around a launch what nvcc makes of it? */
static bool is_made_by_nvcc(const char *name, const char *kernel)
{
    size_t length = kernel ? strcspn(kernel, "(<") : 0;
    return strncmp(name, "cuda", strlen("cuda")) == 0 || strncmp(name, "__device_stub", strlen("__device_stub")) == 0
           || (length > 0 && strncmp(name, kernel, length) == 0 && strchr("(<", name[length]));
}

/* The name of a source. In optimised code, addr2line gives some lines of NAME.cu as lines of what nvcc makes of it:
 * tmpxft_0000_0000-6_NAME.cudafe1.cpp. */
static void name_source(const char *path, char name[64])
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *end = strstr(base, ".cudafe1.");
    const char *dash = end && strncmp(base, "tmpxft_", strlen("tmpxft_")) == 0 ? strchr(base, '-') : NULL;
    const char *start = dash ? strchr(dash, '_') : NULL;
    if (start && start < end)
        snprintf(name, 64, "%.*s.cu", (int)(end - start - 1 < 50 ? end - start - 1 : 50), start + 1);
    else
        snprintf(name, 64, "%.60s", base);
}

/* Reads pairs of lines: a function, and FILE:LINE, the innermost first. */
static bool choose(char *answer, const char *kernel, char text[SOURCE_LINE_BYTES])
{
    char *rest = answer, name[100], source[64];
    for (;;) {
        char *function = strsep(&rest, "\n"), *file = rest ? strsep(&rest, "\n") : NULL;
        char *colon = file ? strrchr(file, ':') : NULL;
        long line = colon ? strtol(colon + 1, NULL, 10) : 0;
        if (!file)
            return false;
        if (line <= 0 || is_toolkit(file))
            continue;
        *colon = '\0';
        name_source(file, source);
        demangle_function(function, name, sizeof name);
        if (is_made_by_nvcc(name, kernel))
            continue;
        snprintf(text, SOURCE_LINE_BYTES, "%s, line %ld of %s", name, line, source);
        return true;
    }
}

bool source_line_find(const char *path, uint64_t address, const char *kernel, char text[SOURCE_LINE_BYTES])
{
    static struct {
        char path[256], kernel[96], text[SOURCE_LINE_BYTES]; /* text "": there is none */
        uint64_t address;
    } known[KNOWN];
    static char answer[ANSWER_BYTES];
    static size_t next;
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].address == address && strcmp(known[i].path, path) == 0
            && strcmp(known[i].kernel, kernel ? kernel : "") == 0) {
            memcpy(text, known[i].text, SOURCE_LINE_BYTES);
            return *text != '\0';
        }
    char found[SOURCE_LINE_BYTES] = "";
    if (!ask(path, address, answer) || !choose(answer, kernel, found))
        *found = '\0';
    snprintf(known[next].path, sizeof known[next].path, "%s", path);
    snprintf(known[next].kernel, sizeof known[next].kernel, "%s", kernel ? kernel : "");
    known[next].address = address;
    memcpy(known[next].text, found, sizeof found);
    next = (next + 1) % KNOWN;
    if (*found)
        memcpy(text, found, sizeof found);
    return *found != '\0';
}
