/* attention on the CPU: all scores of a query, then their maximum, the weights and the mean. */
#include <math.h>
#include <stdlib.h>

enum { HEAD = 64 };

static float score_of(const float *query, const float *key)
{
    float dot = 0;
    for (int d = 0; d < HEAD; d++)
        dot += query[d] * key[d];
    return dot / 8;
}

void attention(const float *q, const float *k, const float *v, float *out, int queries, int keys)
{
    for (long i = 0; i < queries; i++) {
        float maximum = -INFINITY, sum = 0, mean[HEAD] = {0};
        for (long j = 0; j < keys; j++)
            maximum = fmaxf(maximum, score_of(q + i * HEAD, k + j * HEAD));
        for (long j = 0; j < keys; j++) {
            float weight = expf(score_of(q + i * HEAD, k + j * HEAD) - maximum);
            sum += weight;
            for (int d = 0; d < HEAD; d++)
                mean[d] += weight * v[j * HEAD + d];
        }
        for (int d = 0; d < HEAD; d++)
            out[i * HEAD + d] = mean[d] / sum;
    }
}
