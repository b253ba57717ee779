/* register_tiles on the CPU, in double, row by row: the products of one element of A with a whole row of B. */
void register_tiles(const double *A, const double *B, double *C, int M, int N, int K)
{
    for (int row = 0; row < M; row++) {
        double *sums = C + (long)row * N;
        for (int column = 0; column < N; column++)
            sums[column] = 0;
        for (int k = 0; k < K; k++)
            for (int column = 0; column < N; column++)
                sums[column] += A[(long)row * K + k] * B[(long)k * N + column];
    }
}
