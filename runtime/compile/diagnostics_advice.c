#include "runtime/compile/diagnostics.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Compiler messages that need a word of advice, each found by a part of it. The first match is taken. */
static const struct {
    const char *part, *advice;
} rows[] = {
    {"annotation on lambda", ". Leave the annotation out: a lambda inside device code is device code itself."},
    {"is considered a host function",
     " Write __global__ before it if it is a kernel, __device__ if a kernel calls it; else remove it: this file holds "
     "device code only."},
    {"open source file",
     ". Device code has only the headers that work on a GPU: stdio.h, stdint.h, math.h, assert.h and the like; CUDA's own "
     "come with the CUDA Toolkit."},
    {"must have integral or unscoped enum type",
     ": it must be a whole number, such as an int. So must an index and both sides of % ^ & |. (x ^ 2 is not a square; x "
     "* x is.)"},
    {"initializer not allowed for __shared__",
     ". Shared memory cannot be initialised where it is declared: let the threads store its values, then wait at a "
     "barrier."},
};

/* What every kernel may use without declaring it, and people misspell. */
static const char *const known[] = {"threadIdx",  "blockIdx",  "blockDim",  "gridDim",     "warpSize",      "__syncthreads",
                                    "__syncwarp", "atomicAdd", "atomicCAS", "__shfl_sync", "__shfl_up_sync"};

/* Host calls, and those of libraries that only the host has. */
static bool is_of_the_host(const char *name)
{
    return strncmp(name, "cuda", 4) == 0 && isupper((unsigned char)name[4]);
}

/* Two letters exchanged, one added, missing or wrong; case and leading underscores are ignored. */
static bool is_nearly(const char *name, const char *right)
{
    name += strspn(name, "_");
    right += strspn(right, "_");
    size_t same = 0, length = strlen(name), other = strlen(right), back = 0;
    while (same < length && same < other && tolower((unsigned char)name[same]) == tolower((unsigned char)right[same]))
        same++;
    while (back < length - same && back < other - same
           && tolower((unsigned char)name[length - 1 - back]) == tolower((unsigned char)right[other - 1 - back]))
        back++;
    size_t left = length - same - back, wanted = other - same - back;
    bool exchanged = left == 2 && wanted == 2 && name[same] == right[same + 1] && name[same + 1] == right[same];
    return exchanged || (left <= 1 && wanted <= 1);
}

/* Of `identifier "NAME" is undefined`. */
static void advise_on_name(const char *name, char advice[DIAGNOSTICS_ADVICE_BYTES])
{
    if (is_of_the_host(name))
        snprintf(advice, DIAGNOSTICS_ADVICE_BYTES,
                 ". That is a host call, and this file holds device code only: memory, copies and launches are made "
                 "outside it.");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_nearly(name, known[i]))
            snprintf(advice, DIAGNOSTICS_ADVICE_BYTES, ". Did you mean %s?", known[i]);
}

void diagnostics_advise(const char *message, size_t message_bytes, char advice[DIAGNOSTICS_ADVICE_BYTES])
{
    static const char undefined[] = "\" is undefined";
    advice[0] = '\0';
    for (size_t i = 0; i < sizeof rows / sizeof *rows && advice[0] == '\0'; i++)
        if (memmem(message, message_bytes, rows[i].part, strlen(rows[i].part)))
            snprintf(advice, DIAGNOSTICS_ADVICE_BYTES, "%s", rows[i].advice);
    const char *end = memmem(message, message_bytes, undefined, sizeof undefined - 1);
    const char *quote = end ? memchr(message, '"', (size_t)(end - message)) : NULL;
    char name[64];
    if (!quote || (size_t)(end - quote) > sizeof name)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(end - quote - 1), quote + 1);
    advise_on_name(name, advice);
}
