#include "grader/lab/fit.h"

#include <stdio.h>
#include <string.h>

static uint64_t bytes_of(const struct lab *lab, const struct lab_case *the_case)
{
    uint64_t bytes = 0;
    for (int i = 0; i < lab->array_count; i++)
        bytes += (uint64_t)lab->extent(the_case, i) * 4;
    return bytes;
}

int fit_case(const struct lab *lab, struct lab_case *the_case, int times, uint64_t memory_bytes)
{
    int halvings = 0;
    while (bytes_of(lab, the_case) > memory_bytes / (uint64_t)times) {
        int largest = 0;
        for (int i = 1; i < 3; i++)
            largest = the_case->size[i] > the_case->size[largest] ? i : largest;
        if (the_case->size[largest] < 2)
            break;
        the_case->size[largest] /= 2;
        halvings++;
    }
    return halvings;
}

void fit_describe(int halvings, char *text, size_t text_bytes)
{
    size_t used = strlen(text);
    if (halvings > 0)
        snprintf(text + used, text_bytes - used, "%sat 1/%llu of its size: this device has little memory",
                 used > 0 ? "; " : "", 1ull << halvings);
}
