/* The kernel's work on the CPU. */
void reverse(const int *in, int *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = in[n - 1 - i];
}
