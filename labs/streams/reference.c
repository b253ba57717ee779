/* The kernel's work on the CPU. */
void count_steps(const int *start, int *steps, int n)
{
    for (int i = 0; i < n; i++) {
        unsigned x = (unsigned)start[i];
        int count = 0;
        for (; x > 1 && count < 1000; count++)
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        steps[i] = count;
    }
}
