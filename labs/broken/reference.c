/* What the four kernels should do, on the CPU. Blocks have 256 elements. */
void tripled(const int *in, int *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = 3 * in[i];
}

void mirrored(const int *in, int *out, int n)
{
    for (int i = 0; i < n; i++) {
        int mirror = i - i % 256 + 255 - i % 256;
        out[i] = in[i] + (mirror < n ? in[mirror] : 0);
    }
}

void differences(const int *in, int *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] - (i % 256 > 0 ? in[i - 1] : 0);
}

void positives(const int *in, int *counts, int n)
{
    for (int i = 0; i < n; i++)
        counts[i / 256] = (i % 256 > 0 ? counts[i / 256] : 0) + (in[i] > 0);
}
