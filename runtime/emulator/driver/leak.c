#include "runtime/emulator/driver/leak.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/driver/allocation.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/origin.h"
#include "runtime/emulator/findings/finding.h"

/* A program that forgets every free should not drown out everything else. */
enum { TOLD_ONE_BY_ONE = 16 };

/* Allocations that one call in the program made and that were never freed. */
struct leak {
    const struct memory_allocation *first;
    uint64_t count, bytes;
};

static void describe_calls(const struct leak *leak, char *text, size_t text_bytes)
{
    char origin[256] = "", after[64] = "";
    if (leak->first->origin[0]) {
        strcpy(origin, " in ");
        origin_describe(leak->first->origin, origin + 4, sizeof origin - 4);
    }
    if (leak->first->launches > 0)
        snprintf(after, sizeof after, ", after launch %" PRIu64, leak->first->launches);
    snprintf(text, text_bytes, "allocation %u of the program%s%s%s", leak->first->ordinal, origin[0] ? ", made" : "", origin,
             after);
}

static void report(const struct leak *leak)
{
    struct finding finding;
    char calls[400];
    memset(&finding, 0, sizeof finding);
    finding.code = FINDING_leak;
    finding.count = leak->count;
    memcpy(finding.array, leak->first->name, sizeof finding.array);
    describe_calls(leak, calls, sizeof calls);
    if (leak->count == 1)
        finding_text(&finding, "%s%s%" PRIu64 " bytes of device memory were never freed: %s", finding.array,
                     finding.array[0] ? ": " : "", leak->bytes, calls);
    else
        finding_text(&finding,
                     "%" PRIu64 " allocations, %" PRIu64 " bytes of device memory in all, were never freed; the "
                     "first: %s",
                     leak->count, leak->bytes, calls);
    finding_report(&finding);
}

static void report_rest(uint64_t count, uint64_t bytes)
{
    struct finding finding;
    memset(&finding, 0, sizeof finding);
    finding.code = FINDING_leak;
    finding.count = count;
    finding_text(&finding, "%" PRIu64 " more allocations, %" PRIu64 " bytes of device memory in all, were never freed.",
                 count, bytes);
    finding_report(&finding);
}

/* Were they made by the same call, so that both lack the same free? Named arrays are reported one by one. */
static bool belongs_to(const struct leak *leak, const struct memory_allocation *allocation)
{
    return allocation->origin[0] && allocation->origin[0] == leak->first->origin[0]
           && allocation->origin[1] == leak->first->origin[1] && strcmp(allocation->name, leak->first->name) == 0;
}

void leak_report(const struct context *context)
{
    if (!driver.initialised || driver.settings->checks < CHECKS_POISON)
        return;
    struct leak leaks[TOLD_ONE_BY_ONE], rest = {0};
    size_t cursor = 0, count = 0;
    const struct memory_allocation *allocation;
    while ((allocation = memory_next_live(driver.memory, &cursor))) {
        if (!(allocation->flags & (ALLOCATION_DEVICE | ALLOCATION_ARRAY)) || (context && allocation->owner != context))
            continue;
        const struct context *owner = allocation->owner;
        if (owner && owner->failure) /* a kernel failed: the program could free nothing any more, and has ended over it */
            continue;
        if (allocation->flags & ALLOCATION_FREE_REFUSED || origin_is_package(allocation->origin))
            continue;
        struct leak *leak = leaks;
        while (leak < leaks + count && !belongs_to(leak, allocation))
            leak++;
        if (leak == leaks + TOLD_ONE_BY_ONE)
            leak = &rest;
        else if (leak == leaks + count)
            leaks[count++] = (struct leak){.first = allocation};
        leak->count++;
        leak->bytes += allocation->bytes;
    }
    for (size_t i = 0; i < count; i++)
        report(&leaks[i]);
    if (rest.count > 0)
        report_rest(rest.count, rest.bytes);
}
