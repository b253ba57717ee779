/* compaction on the CPU. */

/* Elements of a block, set before each run. */
long block_elements;

void count_kept(const int *in, int *counts, int n)
{
    for (int first = 0; first < n; first += (int)block_elements) {
        int count = 0;
        for (int i = first; i < n && i - first < block_elements; i++) {
            count += in[i] > 0;
        }
        counts[first / block_elements] = count;
    }
}

void scan_counts(const int *counts, int *starts, int blocks)
{
    starts[0] = 0;
    for (int b = 0; b < blocks; b++) {
        starts[b + 1] = starts[b] + counts[b];
    }
}

void compact(const int *in, const int *starts, int *out, int n)
{
    (void)starts; /* of all blocks in their order: one place after the other */
    for (int i = 0, place = 0; i < n; i++) {
        if (in[i] > 0) {
            out[place++] = in[i];
        }
    }
}
