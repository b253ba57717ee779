#include "grader/base/allocate.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "grader/base/exit_status.h"

static void run_out(void) __attribute__((noreturn));

static void run_out(void)
{
    fputs("lockstep: out of memory\n", stderr);
    exit(EXIT_STATUS_HARNESS);
}

void *allocate_zeroed(size_t bytes)
{
    void *memory = calloc(1, bytes > 0 ? bytes : 1);
    if (!memory)
        run_out();
    return memory;
}

void *allocate_grown(void *array, size_t *capacity, size_t needed, size_t element_bytes)
{
    if (needed <= *capacity && array)
        return array;
    size_t wanted = *capacity * 2 > needed ? *capacity * 2 : needed + 8;
    if (wanted > SIZE_MAX / element_bytes)
        run_out();
    char *grown = realloc(array, wanted * element_bytes);
    if (!grown)
        run_out();
    size_t old_bytes = !array ? 0 : *capacity * element_bytes;
    memset(grown + old_bytes, 0, wanted * element_bytes - old_bytes);
    *capacity = wanted;
    return grown;
}

char *allocate_text(const char *text, size_t bytes)
{
    char *copy = allocate_zeroed(bytes + 1);
    memcpy(copy, text, bytes);
    return copy;
}

char *allocate_format(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        run_out();
    return text;
}

void *allocate_secret(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || madvise(memory, bytes, MADV_DONTFORK) != 0)
        run_out();
    madvise(memory, bytes, MADV_HUGEPAGE); /* only speed: where the kernel has no huge pages, ordinary ones do */
    return memory;
}

void allocate_hand_on_secret(const void *memory, size_t bytes, bool hand_on)
{
    if (memory)
        madvise((void *)memory, bytes, hand_on ? MADV_DOFORK : MADV_DONTFORK);
}

void allocate_release_secret(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}
