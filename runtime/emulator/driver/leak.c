#include "runtime/emulator/driver/leak.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/checks/finding.h"
#include "runtime/emulator/driver/allocation.h"
#include "runtime/emulator/driver/driver.h"

/* A program that forgets every free in a loop should not drown everything else. */
#define REPORTED_ONE_BY_ONE 16

static void report(const struct memory_allocation *allocation, uint64_t count, uint64_t bytes)
{
    struct finding finding;
    memset(&finding, 0, sizeof finding);
    finding.code = FINDING_leak;
    finding.count = count;
    if (allocation)
        memcpy(finding.array, allocation->name, sizeof finding.array);
    if (count == 1)
        snprintf(finding.message, sizeof finding.message, "%s%s%" PRIu64 " bytes of device memory were never freed.",
                 finding.array, finding.array[0] ? ": " : "", bytes);
    else
        snprintf(finding.message, sizeof finding.message,
                 "%" PRIu64 " more allocations, %" PRIu64 " bytes of device memory in all, were never freed.", count, bytes);
    finding_report(&finding);
}

void leak_report(const struct context *context)
{
    if (!driver.initialised || driver.settings->checks < CHECKS_POISON)
        return;
    size_t cursor = 0;
    uint64_t reported = 0, more_count = 0, more_bytes = 0;
    struct memory_allocation *allocation;
    while ((allocation = memory_next_live(driver.memory, &cursor)) != NULL) {
        if (!(allocation->flags & ALLOCATION_DEVICE) || (context && allocation->owner != context))
            continue;
        if (reported++ < REPORTED_ONE_BY_ONE) {
            report(allocation, 1, allocation->bytes);
        } else {
            more_count++;
            more_bytes += allocation->bytes;
        }
    }
    if (more_count > 0)
        report(NULL, more_count, more_bytes);
}
