/* spmv as fast as it gets on a large GPU, for rows of every length, in one launch.
 *
 * A block has 256 rows, whose entries are one stretch of columns and values. The block walks over this stretch as if rows
 * did not matter: neighbouring threads take neighbouring entries, many loads are under way at once, and no lane waits since
 * its row is short. The products go to shared memory, and from there into the sums of the rows: a thread adds up a short
 * row, a warp a longer one. Where all rows of a block are very short, each thread takes a row: what 32 lanes leave of a
 * sector in one turn, they find in the cache in the next one.
 *
 * A row may be so long that its block would still be at work when all others have finished. Therefore the entries of the
 * whole matrix are divided into as many equal shares as there are blocks. If such a share lies within a single row, the
 * block of that number adds it up, and not the row's own block. The last one of these blocks to arrive adds up what they
 * have found.
 */

#define BLOCK 256
#define ROWS BLOCK
#define WARPS (BLOCK / 32)
#define EACH 4                   // entries of a thread whose loads are under way at once
#define STAGED (8 * BLOCK)       // products in shared memory
#define ALL_LANES 0xffffffffu

#define DIRECT 8             // entries of the longest row of a block that needs no products in shared memory
#define FOR_THREAD 16        // entries of a row that one thread adds up
#define SHARED_ROW 2048      // rows below are not shared among blocks
#define MOST_SHARES 65536    // of a grid with more blocks, no row is shared

// A word more after each 32: threads that are 8, 16 or 32 products apart need not wait for the same bank.
#define CELL(k) ((k) + (k) / 32)

extern "C" __constant__ int spmv_items = 32 * ROWS;

__device__ float parts[MOST_SHARES];         // what a block has added up of another block's row
__device__ float rests[MOST_SHARES];         // what the row's own block has, by the row's first share
__device__ unsigned arrived[MOST_SHARES];    // blocks that have finished with the row, likewise; 0 between launches

// The sum over the lanes of a warp, in lane 0.
__device__ float warp_sum(float sum)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(ALL_LANES, sum, distance);
    }
    return sum;
}

// The row that entry k belongs to: the last one that begins there or before. A warp looks at 32 rows at a time.
__device__ int row_of(const int *starts, int rows, int k)
{
    int low = 0, high = rows;    // starts[low] <= k < starts[high]
    while (high - low > 1) {
        int step = (high - low + 31) / 32, place = low + (int)(threadIdx.x % 32) * step;
        unsigned before = __ballot_sync(ALL_LANES, place < high && starts[place] <= k);
        low += (31 - __clz(before)) * step;
        high = min(low + step, high);
    }
    return low;
}

// Of a row that is shared among blocks: its first share, and how many there are. Else 0 shares.
__device__ int shares_of(int begin, int end, int share, int *first)
{
    *first = (begin + share - 1) / share;
    return end - begin < SHARED_ROW || gridDim.x > MOST_SHARES ? 0 : max(end / share - *first, 0);
}

// Warp 0 hands in what the block has added up of a shared row. The last one of all blocks adds up everything.
__device__ void hand_in(float *mine, float sum, float *result, int first, int shares)
{
    int lane = threadIdx.x, last = 0;
    if (lane == 0) {
        __stcg(mine, sum);
        __threadfence();
        last = atomicAdd(arrived + first, 1u) == shares;
    }
    if (__shfl_sync(ALL_LANES, last, 0)) {
        __syncwarp();    // what lane 0 has seen, the other lanes see: a shuffle alone does not order memory
        __threadfence();
        float total = lane == 0 ? __ldcg(rests + first) : 0;
        for (int i = lane; i < shares; i += 32) {
            total += __ldcg(parts + first + i);
        }
        total = warp_sum(total);
        if (lane == 0) {
            *result = total;
            arrived[first] = 0;
        }
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 2048 / BLOCK)
    spmv(const int *__restrict__ starts, const int *__restrict__ columns, const float *__restrict__ values,
         const float *__restrict__ x, float *y, int rows)
{
    __shared__ int start[ROWS + 1], longer[ROWS], longer_count, any_longer, shared_rows[ROWS], shared_count;
    __shared__ int begins_in_share, helped;
    __shared__ float products[CELL(STAGED)], sums[ROWS];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    int first_row = blockIdx.x * ROWS, count = min(ROWS, rows - first_row), first;
    int all = starts[rows], share = (all + gridDim.x - 1) / gridDim.x;
    if (t < count) {
        start[t] = starts[first_row + t];
    }
    if (t == 0) {
        start[count] = starts[first_row + count];
        longer_count = any_longer = shared_count = begins_in_share = 0;
    }
    sums[t] = 0;
    __syncthreads();

    int begin = t < count ? start[t] : 0, end = t < count ? start[t + 1] : 0, block_end = start[count];
    int share_begin = blockIdx.x * share, share_end = share_begin + share;
    if (end - begin > FOR_THREAD) {
        atomicAdd(&any_longer, 1);
    }
    // The first row behind the beginning of this block's share: if it begins within the share, no single row has all of it.
    if (t < count && begin > share_begin && begin < share_end && (t == 0 || start[t - 1] <= share_begin)) {
        begins_in_share = 1;
    }
    bool is_shared = shares_of(begin, end, share, &first) > 0;
    if (is_shared) {
        shared_rows[atomicAdd(&shared_count, 1)] = t;
    }

    float sum = 0;
    bool staged = __syncthreads_or(end - begin > DIRECT);
    if (!staged) {
        for (int k = begin; k < end; k++) {
            sum += values[k] * x[columns[k]];
        }
    }
    // From the beginning of a sector on: what is before the block's first entry is in no row's sum.
    int from = start[0] / 8 * 8;
    while (staged && from < block_end) {
        int to = min(from + STAGED, block_end), next = to;
        for (int i = 0; i < shared_count; i++) {    // what other blocks do is left out
            int row = shared_rows[i], shares = shares_of(start[row], start[row + 1], share, &first);
            int left_out = first * share, left_out_end = left_out + shares * share;
            if (from <= left_out && left_out <= to) {
                to = left_out;
                next = left_out_end;
            }
        }
#pragma unroll 1
        for (int base = from + t; base < to; base += EACH * BLOCK) {
            int column[EACH];
            float value[EACH];
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                int k = base + i * BLOCK;
                column[i] = k < to ? __ldcs(columns + k) : 0;
                value[i] = k < to ? __ldcs(values + k) : 0;
            }
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                int k = base + i * BLOCK;
                if (k < to) {
                    products[CELL(k - from)] = value[i] * __ldg(x + column[i]);
                }
            }
        }
        __syncthreads();
        int low = max(begin, from) - from, high = min(end, to) - from;
        if (high - low <= FOR_THREAD) {
            for (int k = low; k < high; k++) {
                sum += products[CELL(k)];
            }
        } else {
            longer[atomicAdd(&longer_count, 1)] = t;
        }
        if (any_longer > 0) {
            __syncthreads();
            for (int i = warp; i < longer_count; i += WARPS) {
                int row = longer[i], row_end = min(start[row + 1], to) - from;
                float part = 0;
                for (int k = max(start[row], from) - from + lane; k < row_end; k += 32) {
                    part += products[CELL(k)];
                }
                part = warp_sum(part);
                if (lane == 0) {
                    sums[row] += part;
                }
            }
            __syncthreads();    // products, longer and sums can be used again
            if (t == 0) {
                longer_count = 0;
            }
        } else if (next < block_end) {
            __syncthreads();
        }
        from = next;
    }
    sum += sums[t];
    if (t < count && !is_shared) {
        y[first_row + t] = sum;
    }
    if (shared_count > 0) {
        if (is_shared) {
            sums[t] = sum;
        }
        __syncthreads();
        for (int i = 0; i < shared_count && warp == 0; i++) {
            int row = shared_rows[i], shares = shares_of(start[row], start[row + 1], share, &first);
            hand_in(rests + first, sums[row], y + first_row + row, first, shares);
        }
    }
    if (begins_in_share > 0 || share_end > all || gridDim.x > MOST_SHARES) {
        return;
    }

    // The row that this block's share lies in, if it is shared.
    if (warp == 0) {
        int row = row_of(starts, rows, share_begin);
        if (lane == 0) {
            helped = row;
        }
    }
    __syncthreads();
    int shares = shares_of(starts[helped], starts[helped + 1], share, &first), own = (int)blockIdx.x - first;
    if (own >= 0 && own < shares) {
        sum = 0;
#pragma unroll 4
        for (int k = share_begin + t; k < share_end; k += BLOCK) {
            sum += values[k] * x[columns[k]];
        }
        sum = warp_sum(sum);
        if (lane == 0) {
            sums[warp] = sum;
        }
        __syncthreads();
        if (warp == 0) {
            sum = warp_sum(lane < WARPS ? sums[lane] : 0);
            hand_in(parts + blockIdx.x, sum, y + helped, first, shares);
        }
    }
}
