/* histogram on the CPU. */
void clear_bins(int *bins)
{
    for (int bin = 0; bin < 256; bin++) {
        bins[bin] = 0;
    }
}

void histogram(const int *data, int *bins, int n)
{
    for (int i = 0; i < n; i++) {
        bins[data[i]]++;
    }
}
