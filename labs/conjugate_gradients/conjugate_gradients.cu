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
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    multiply(const int *columns, const float *values, const float *p, float *q, float *pq, int k, int rows)
{
    // The thread's row of A times p goes to q. What does the thread add to p * q, and what if it has no row?
    // --- your code ---
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    step(float *x, float *r, const float *p, const float *q, float *rr, const float *pq, int k, int rows)
{
    // How far to go along p: the same number for all threads. Then x, then r, and what the new r adds to r * r.
    // --- your code ---
    // --- end ---
}

extern "C" __global__ void __launch_bounds__(BLOCK) direction(const float *r, float *p, const float *rr, int k, int rows)
{
    // The next direction: the new r, and a part of the old direction.
    // --- your code ---
    // --- end ---
}
