#include "runtime/compile/diagnostics.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Messages of the compiler that need a word more, each by a part of it. The first that fits is taken. */
static const struct {
    const char *part, *advice;
} rows[] = {
    {"annotation on lambda", ". Leave the annotation out: a lambda inside device code is device code itself."},
    {"is considered a host function",
     " Write __device__ before it if a kernel needs it, or leave it out: this file holds device code only."},
    {"open source file",
     ". Device code has only the headers that work on a GPU: stdio.h, stdint.h, math.h, assert.h and the like; CUDA's own "
     "come with the CUDA Toolkit."},
    {"must have integral or unscoped enum type",
     ": a whole number, such as an int, must stand here. That goes for an index, and for both sides of % ^ & |. (x ^ 2 is "
     "no square: x * x is.)"},
    {"initializer not allowed for __shared__",
     ". Shared memory gets no value where it is declared: let the threads store it, then wait at a barrier."},
};

/* What every kernel may use without declaring it, as people misspell it. */
static const char *const known[] = {"threadIdx",  "blockIdx",  "blockDim",  "gridDim",     "warpSize",      "__syncthreads",
                                    "__syncwarp", "atomicAdd", "atomicCAS", "__shfl_sync", "__shfl_up_sync"};

/* Calls of the host, and of libraries that only the host has. */
static bool is_of_the_host(const char *name)
{
    return strncmp(name, "cuda", 4) == 0 && isupper((unsigned char)name[4]);
}

/* Two letters exchanged, one too many, one missing or another one, with capitals and underscores in front left aside. */
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
                 ". That is a call of the host's, and this file holds device code only: memory, copies and launches are "
                 "made outside of it.");
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
