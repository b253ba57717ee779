#include "runtime/emulator/math_libraries/curand/quantile.h"

#include <math.h>

#define SQRT_2    1.41421356237309504880
#define SQRT_2_PI 2.50662827463100050242

/* A first approximation of the lower quantile, to 4.5e-4 (Abramowitz and Stegun, Handbook of Mathematical Functions,
 * 26.2.23). */
static double approximate_lower(double probability)
{
    double t = sqrt(-2.0 * log(probability));
    return -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
}

/* The quantile of a probability of at most 1/2, by Halley's method: each step triples the number of correct digits. */
static double lower(double probability)
{
    double x = approximate_lower(probability);
    for (int step = 0; step < 3; step++) {
        double error = 0.5 * erfc(-x / SQRT_2) - probability;
        double newton = error * SQRT_2_PI * exp(0.5 * x * x);
        x -= newton / (1.0 + 0.5 * x * newton);
    }
    return x;
}

double quantile(double probability)
{
    if (probability == 0.5)
        return 0.0;
    return probability < 0.5 ? lower(probability) : -lower(1.0 - probability);
}

float quantile_32(uint32_t bits)
{
    int upper = bits > 0x80000000u;
    float half_interval = 0x1p-33f, probability = (float)(upper ? ~bits : bits) * 0x1p-32f + half_interval;
    float value = probability == 0.5f ? 0.0f : (float)lower((double)probability);
    return upper ? -value : value;
}
