/* The filter on the CPU: a result is the sum of 16 products, of the weights with its own sample and the 15 after it. */

void filter(const float *in, const float *weights, float *out, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int k = 0; k < 16; k++)
            out[i] += weights[k] * in[i + k];
    }
}
