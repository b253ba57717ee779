#include "grader/estimate/growth.h"

#include <math.h>

/* Differences below this share are those of a last block that is partly filled, not growth. */
static const double same = 1e-3;

/* Differences below this share are followed only if they grow with the size; others come from the data. */
static const double small = 0.02;

static double through_two(const double sizes[2], const double values[2], double size)
{
    double factor = sizes[1] / sizes[0], grown = values[0] > 0 ? values[1] / values[0] : 0;
    if (values[0] > 0 && grown > factor)
        return values[1] * pow(size / sizes[1], log(grown) / log(factor));
    return values[1] + (values[1] - values[0]) * (size - sizes[1]) / (sizes[1] - sizes[0]);
}

static double through_three(const double sizes[3], const double values[3], double size)
{
    double first = values[1] - values[0], second = values[2] - values[1], factor = sizes[2] / sizes[1];
    if (fabs(second) <= same * fabs(values[2]))
        return values[2];
    if (first * second <= 0) /* neither grows nor shrinks */
        return values[2];
    double power = log(second / first) / log(factor);
    if (second > 0 && power > 3) /* a loop that turned once at first, and more often now: a turn for each so many elements */
        return values[2] + second * (size - sizes[2]) / (sizes[2] - sizes[1]);
    power = second < 0 ? fmin(fmax(power, -2), -1) : fmax(power, -2); /* what shrinks is a part that stays, seen in more */
    if (fabs(second) <= small * fabs(values[2]) && fabs(power - 1) > 0.25)
        return values[2];
    for (double whole = -1; whole <= 3; whole++)
        if (whole != 0 && fabs(power - whole) < 0.1)
            power = whole;
    if (fabs(power) < 0.02)
        return values[2] + second * log(size / sizes[2]) / log(factor);
    return values[2] + second * (pow(size / sizes[2], power) - 1) / (1 - pow(factor, -power));
}

double growth_at(const double sizes[], const double values[], size_t count, double size)
{
    double value = count >= 3   ? through_three(sizes + count - 3, values + count - 3, size)
                   : count == 2 ? through_two(sizes, values, size)
                                : values[0];
    return fmax(value, 0);
}
