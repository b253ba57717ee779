/* softmax on the CPU, with the maximum first: e^(x - maximum) is never above 1, so nothing overflows. */
#include <math.h>

void softmax(const float *in, float *out, int rows, int columns)
{
    for (int row = 0; row < rows; row++) {
        const float *from = in + (long)row * columns;
        float *to = out + (long)row * columns;
        float maximum = from[0], sum = 0;
        for (int c = 1; c < columns; c++)
            maximum = fmaxf(maximum, from[c]);
        for (int c = 0; c < columns; c++)
            sum += expf(from[c] - maximum);
        for (int c = 0; c < columns; c++)
            to[c] = expf(from[c] - maximum) / sum;
    }
}
