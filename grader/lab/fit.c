#include "grader/lab/fit.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "grader/lab/arrays.h"

static uint64_t bytes_of(const struct lab *lab, const struct lab_case *the_case)
{
    uint64_t bytes = 0;
    for (int i = 0; i < lab->array_count; i++)
        bytes += arrays_bytes(lab, the_case, i);
    return bytes;
}

/* About half of a size, and no more. What is left over when it is divided by the threads of a block, or of a warp, stays what
 * it was, since that is what cases are made for: 16777227 is not a multiple of a block, and its half should not be one. */
static int64_t half_of(int64_t size)
{
    enum { BLOCK = 256, WARP = 32, SMALL = 8 };
    int64_t half = size / 2, unit = half >= SMALL * BLOCK ? BLOCK : half >= SMALL * WARP ? WARP : 1;
    int64_t same = half - half % unit + size % unit;
    return unit == 1 ? half : same > half ? same - unit : same;
}

/* Returns false when there is nothing to halve. */
static bool halve(struct lab_case *the_case)
{
    int largest = 0;
    for (int i = 1; i < LAB_MAX_SIZES; i++)
        largest = the_case->size[i] > the_case->size[largest] ? i : largest;
    if (the_case->size[largest] < 2)
        return false;
    the_case->size[largest] = half_of(the_case->size[largest]);
    return true;
}

void fit_halve(struct lab_case *the_case, int halvings)
{
    for (int i = 0; i < halvings; i++)
        halve(the_case);
}

int fit_case(const struct lab *lab, struct lab_case *the_case, int times, uint64_t memory_bytes)
{
    int halvings = 0;
    while (bytes_of(lab, the_case) > memory_bytes / (uint64_t)times && halve(the_case))
        halvings++;
    return halvings;
}

static void describe(int halvings, const char *reason, char *text, size_t text_bytes)
{
    size_t used = strlen(text);
    if (halvings > 0)
        snprintf(text + used, text_bytes - used, "%sat 1/%llu of its size: %s", used > 0 ? "; " : "", 1ull << halvings,
                 reason);
}

void fit_describe(int halvings, int slow_halvings, bool others, bool right, char *text, size_t text_bytes)
{
    describe(halvings, "this device has little memory", text, text_bytes);
    describe(slow_halvings,
             others ? "the tests before it had used up most of the work that a submission may cost"
                    : "whole, it would cost more work than a test may",
             text, text_bytes);
    size_t used = strlen(text);
    if (slow_halvings > 0 && right)
        snprintf(text + used, text_bytes - used, "; nothing wrong was found in this part, and the points are for the whole");
}
