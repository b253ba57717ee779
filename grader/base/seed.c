#include "grader/base/seed.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

bool seed_read(const char *text, uint64_t *seed)
{
    if (!text || *text < '0' || *text > '9') /* strtoull takes spaces and signs */
        return false;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0' || value > INT64_MAX)
        return false;
    *seed = value;
    return true;
}

uint64_t seed_draw(void)
{
    uint64_t of_tests;
    if (seed_read(getenv(SEED_OF_TESTS), &of_tests))
        return of_tests;
    uint32_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits)
        bits = (uint32_t)time(NULL);
    return bits % 1000000000u;
}
