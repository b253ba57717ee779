/* Conjugate gradients: x with A x = b, for a symmetric positive definite matrix A, step by step.
 *
 * Contract   A has `rows` rows of 5 entries. Entry s of row i has the value values[s * rows + i] and is in column
 *            columns[s * rows + i]. Before the first launch x is 0, r and p are copies of b, rr[0] is r * r (the sum of
 *            r[i] * r[i] over all i), and all other elements of rr and pq are 0. Iteration k = 0, 1, 2 ... is
 *            multiply    q = A p, and adds p * q to pq[k];
 *            step        with a = rr[k] / pq[k]: x = x + a p, then r = r - a q, and adds r * r to rr[k + 1];
 *            direction   with b = rr[k + 1] / rr[k]: p = r + b p.
 *            q holds rubbish before multiply. What is const stays as it is.
 * Launch     multiply, step, direction, once each in every iteration: blocks of 256 threads, a thread for each row.
 *            Nothing goes to the host in between.
 * Run        build/lockstep grade conjugate_gradients
 * Read       handouts/conjugate_gradients.md, which has two other plans, of five launches and of two
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define BLOCK 256
#define ENTRIES 5
#define ALL_LANES 0xffffffffu

// Adds `part` of all threads of the block to *total. All threads of the block call it, those without a row with 0.
__device__ void add_up(float part, float *total)
{
    // First the sum of the block, as in block_sum. Then one thread adds it to *total, to which other blocks add as well.
    // --- your code ---
    __shared__ float warp_sums[BLOCK / 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int distance = 16; distance > 0; distance /= 2) {
        part += __shfl_down_sync(ALL_LANES, part, distance);
    }
    if (lane == 0) {
        warp_sums[warp] = part;
    }
    __syncthreads();    // every warp's sum is there
    if (warp == 0) {
        part = lane < BLOCK / 32 ? warp_sums[lane] : 0;
        for (int distance = 16; distance > 0; distance /= 2) {
            part += __shfl_down_sync(ALL_LANES, part, distance);
        }
        if (lane == 0) {
            atomicAdd(total, part);
        }
    }
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    multiply(const int *columns, const float *values, const float *p, float *q, float *pq, int k, int rows)
{
    // The thread's row of A times p goes to q. What does the thread add to p * q, and what if it has no row?
    // --- your code ---
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float part = 0;
    if (i < rows) {
        float sum = 0;
        for (int s = 0; s < ENTRIES; s++) {
            sum += values[s * rows + i] * p[columns[s * rows + i]];
        }
        q[i] = sum;
        part = p[i] * sum;
    }
    add_up(part, pq + k);
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    step(float *x, float *r, const float *p, const float *q, float *rr, const float *pq, int k, int rows)
{
    // How far to go along p: the same number for all threads. Then x, then r, and what the new r adds to r * r.
    // --- your code ---
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float part = 0;
    if (i < rows) {
        float a = rr[k] / pq[k];
        x[i] += a * p[i];
        float rest = r[i] - a * q[i];
        r[i] = rest;
        part = rest * rest;
    }
    add_up(part, rr + k + 1);
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) direction(const float *r, float *p, const float *rr, int k, int rows)
{
    // The next direction: the new r, and a part of the old direction.
    // --- your code ---
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < rows) {
        float b = rr[k + 1] / rr[k];
        p[i] = r[i] + b * p[i];
    }
    // --- end ---
}
