/* Loads damaged PTX, and PTX while memory runs out: nothing may crash, hang or leak.
 *
 *     robustness mutations COUNT FILE...     COUNT damaged copies of each file, always the same ones
 *     robustness memory FILE...              every n-th allocation of a load fails
 *
 * Prints what it did; exits 0 when all went well. Allocations are counted through the linker's --wrap.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/emulator/decode/program.h"
#include "runtime/emulator/execute/executor_select.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/settings/profile.h"
#include "tests/support.h"

enum { SECONDS = 600 }; /* no verdict on a slow machine: what takes so long hangs */

static long live, allocations, fail_at = -1;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);
void __wrap_free(void *memory);

static bool fails(void)
{
    return fail_at >= 0 && ++allocations > fail_at;
}

void *__wrap_malloc(size_t bytes)
{
    void *memory = fails() ? NULL : __real_malloc(bytes);
    live += memory != NULL;
    return memory;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    void *memory = fails() ? NULL : __real_calloc(count, bytes);
    live += memory != NULL;
    return memory;
}

void *__wrap_realloc(void *old, size_t bytes)
{
    void *memory = fails() ? NULL : __real_realloc(old, bytes);
    live += memory && !old;
    return memory;
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    int error = fails() ? 12 : __real_posix_memalign(memory, alignment, bytes); /* ENOMEM */
    live += error == 0;
    return error;
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}

/* ---- damage ------------------------------------------------------------------------------------------------------- */

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static const char *const words[] = {"{",           "}",     ";",           ",",
                                    "(",           ")",     "[",           "]",
                                    ":",           "@%p1 ", "%r1",         ".reg .b32 %x<9>;",
                                    "99999999999", "-1",    "0x",          "bra $L__BB0_1;",
                                    ".loc 1 1 1",  "ret;",  "call f, ();", ".param .b32 x;",
                                    "/*",          "\"",    ".f64",        "<",
                                    "|",           "!"};

/* Damages text in place (room for 64 more bytes); returns the new length. */
static size_t damage(char *text, size_t length)
{
    for (uint64_t times = 1 + draw(3); times > 0 && length > 40; times--) {
        size_t at = draw(length), size = 1 + draw(20);
        switch (draw(6)) {
        case 0: /* cut the rest off */ length = at; break;
        case 1: /* another byte */ text[at] = (char)draw(256); break;
        case 2: /* a hole */
            size = size > length - at ? length - at : size;
            memmove(text + at, text + at + size, length - at - size);
            length -= size;
            break;
        case 3: { /* a word that does not belong there */
            const char *word = words[draw(SUPPORT_COUNT(words))];
            size = strlen(word) < length - at ? strlen(word) : length - at;
            memcpy(text + at, word, size);
            break;
        }
        case 4: /* a piece from elsewhere */
            size = size * 4 > length / 2 ? 1 : size * 4;
            memmove(text + draw(length - size), text + draw(length - size), size);
            break;
        default: /* another digit */
            for (; at < length && (text[at] < '0' || text[at] > '9'); at++)
                ;
            if (at < length)
                text[at] = (char)('0' + draw(10));
        }
    }
    return length;
}

/* ---- loads -------------------------------------------------------------------------------------------------------- */

static enum program_status load(const char *text, size_t length)
{
    struct memory *memory = memory_create((uint64_t)1 << 30, false);
    if (!memory)
        return PROGRAM_OUT_OF_MEMORY;
    struct diagnostic diagnostic = {0};
    struct program *program = NULL;
    alarm(SECONDS);
    enum program_status status = program_load(text, length, memory, profile_find("8.0"), executor_select(NULL, false),
                                              &program, &diagnostic);
    alarm(0);
    if ((status == PROGRAM_OK) != (program != NULL)
        || (status != PROGRAM_OK && status != PROGRAM_OUT_OF_MEMORY && !diagnostic.message[0])) {
        fprintf(stderr, "status %d, program %p, message '%s'\n", (int)status, (void *)program, diagnostic.message);
        exit(1);
    }
    program_destroy(program);
    memory_destroy(memory);
    return status;
}

static bool run_mutations(const char *path, long count)
{
    size_t bytes;
    char *original = support_read_file(path, &bytes);
    char *copy = original ? malloc(bytes + 64) : NULL;
    long loaded = 0;
    bool good = copy != NULL;
    state = 0x9E3779B97F4A7C15u;
    for (long i = 0; i < count && good; i++) {
        memcpy(copy, original, bytes);
        size_t length = damage(copy, bytes);
        char *exact = malloc(length + 1); /* so that a sanitizer sees a read behind the end */
        long before = live;
        if (exact) {
            memcpy(exact, copy, length);
            loaded += load(exact, length) == PROGRAM_OK;
        }
        good = exact && live == before;
        if (live != before)
            fprintf(stderr, "%s: damaged copy %ld leaks %ld allocations\n", path, i, live - before);
        free(exact);
    }
    if (good)
        printf("%s: %ld damaged copies, %ld of them load\n", path, count, loaded);
    free(copy);
    free(original);
    return good;
}

static bool run_memory(const char *path)
{
    size_t bytes;
    char *text = support_read_file(path, &bytes);
    if (!text)
        return false;
    long steps = 0;
    for (long limit = 0;; limit += 1 + limit / 16, steps++) {
        long before = live;
        allocations = 0;
        fail_at = limit;
        enum program_status status = load(text, bytes);
        fail_at = -1;
        if (live != before) {
            fprintf(stderr, "%s: %ld allocations leak when number %ld fails\n", path, live - before, limit + 1);
            return false;
        }
        if (status == PROGRAM_OK)
            break;
        if (status != PROGRAM_OUT_OF_MEMORY) {
            fprintf(stderr, "%s: status %d when allocation %ld fails\n", path, (int)status, limit + 1);
            return false;
        }
    }
    printf("%s: survives %ld failures\n", path, steps);
    free(text);
    return steps > 0;
}

int main(int count, char **arguments)
{
    bool well = count > 2;
    if (well && strcmp(arguments[1], "memory") == 0) {
        for (int i = 2; i < count; i++)
            well = run_memory(arguments[i]) && well;
        return well ? 0 : 1;
    }
    for (int i = 3; well && i < count; i++)
        well = run_mutations(arguments[i], atol(arguments[2])) && well;
    return well && count > 3 ? 0 : 1;
}
