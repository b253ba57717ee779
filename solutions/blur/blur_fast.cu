/* blur at the speed of the memory: the sum down of sums across, in registers.
 *
 * The plain version reads a byte of shared memory for each of its 25 multiplications, and each weight along with it. Five
 * things change that:
 *
 *   factors    weights like 1 4 6 4 1 times themselves are a product, weights[v][u] = down[v] * across[u]. Then a row of
 *              the picture is added up with `across` once, and five such sums with `down`: 5 + 5 products instead of 25.
 *   dp4a       one instruction multiplies four bytes by four others and adds it all up. A window of five pixels lies in
 *              two words, so it takes two of them. No byte is moved: there are weights for each of the four places.
 *   pairs      a sum across or down is below 2^16, so two of them share a register, and one multiplication serves both.
 *   registers  a thread goes down 16 rows of 8 pixels and keeps the sums of the last five. All of its 20 rows are on their
 *              way before it uses the first. The words on either side come from the neighbouring lanes; only the first and
 *              the last lane of a warp load one themselves. There is no tile.
 *   meanwhile  while the loads are on their way, one warp of the block finds out whether there are such factors.
 *
 * Weights that are not a product, and rows whose width 8 does not divide, take the plain way: 25 products for each
 * pixel, straight from global memory.
 */

#define RADIUS 2
#define SIDE (2 * RADIUS + 1)
#define WORDS 2                         // of a thread, in a row
#define WIDE (4 * WORDS)                // its pixels
#define TALL 16                         // its rows
#define ROWS (TALL + 2 * RADIUS)        // that it reads
#define BLOCK 128
#define ALL_LANES 0xffffffffu

extern "C" __constant__ int blur_block[3] = {BLOCK, 1, 1};
extern "C" __constant__ int blur_items[2] = {BLOCK * WIDE, TALL};

__constant__ int weights[SIDE][SIDE];

// `across` as bytes: what the windows of the four pixels in a word take of the word on the left, of their own, and of that
// on the right. The first two windows end in their own word, the last two begin in it.
struct places {
    unsigned left[2], own[4], right[2];
};

__device__ places places_of(const unsigned *across)
{
    unsigned first = across[0] | across[1] << 8 | across[2] << 16 | across[3] << 24, last = across[4];
    return {{first << 16, first << 24},
            {first >> 16 | last << 16, first >> 8 | last << 24, first, first << 8},
            {last, first >> 24 | last << 8}};
}

// Finds the factors, for all threads of the block, and says whether there are any. The weights add up to 256, so if they
// are a product, `down` and `across` add up to powers of two. A column's sum is across[u] times the sum of `down`, and
// `across` can be chosen so that not all five are even.
__device__ bool find_factors(unsigned *down, unsigned *across)
{
    bool fits = true;
    if (threadIdx.x < 32) {
        int v = threadIdx.x / SIDE % SIDE, u = threadIdx.x % SIDE;
        unsigned column = weights[0][u] + weights[1][u] + weights[2][u] + weights[3][u] + weights[4][u];
        unsigned row = weights[v][0] + weights[v][1] + weights[v][2] + weights[v][3] + weights[v][4];
        int twos = __ffs(__reduce_or_sync(ALL_LANES, column)) - 1;
        fits = (row << twos >> 8) * (column >> twos) == weights[v][u];
        if (threadIdx.x < SIDE * SIDE && u == 0) {
            down[v] = row << twos >> 8;
        }
        if (threadIdx.x < SIDE) {
            across[u] = column >> twos;
        }
    }
    return __syncthreads_and(fits);
}

__device__ int pixel_by_products(const unsigned char *in, int x, int y, int height, int width)
{
    int sum = 0;
    for (int v = 0; v < SIDE; v++) {
        for (int u = 0; u < SIDE; u++) {
            int row = min(max(y + v - RADIUS, 0), height - 1), column = min(max(x + u - RADIUS, 0), width - 1);
            sum += weights[v][u] * in[(size_t)row * width + column];
        }
    }
    return sum / 256;
}

extern "C" __global__ void __launch_bounds__(BLOCK, 5)      // blocks on a multiprocessor: 96 registers for each thread
blur(const unsigned char *__restrict__ in, unsigned char *__restrict__ out, int height, int width)
{
    __shared__ unsigned down[SIDE], across[SIDE];
    int x = (blockIdx.x * BLOCK + threadIdx.x) * WIDE, top = blockIdx.y * TALL, lane = threadIdx.x % 32;
    bool inside = x < width, whole = width % WIDE == 0;

    // 8 pixels of each row, and the word beside the warp's pixels; rows beyond an edge are the outermost ones.
    uint2 own[ROWS];
    unsigned beside[ROWS];
    if (whole) {
        bool first = lane == 0 && inside && x > 0, last = lane == 31 && x + WIDE < width;
#pragma unroll
        for (int row = 0; row < ROWS; row++) {
            const unsigned char *from = &in[(size_t)min(max(top + row - RADIUS, 0), height - 1) * width];
            own[row] = *(const uint2 *)&from[inside ? x : 0];
            beside[row] = first || last ? *(const unsigned *)&from[first ? x - 4 : x + WIDE] : 0;
        }
    }
    if (!find_factors(down, across) || !whole) {        // the same for all threads
        for (int y = top; y < min(top + TALL, height); y++) {
            for (int k = x; k < min(x + WIDE, width); k++) {
                out[(size_t)y * width + k] = pixel_by_products(in, k, y, height, width);
            }
        }
        return;
    }

    places by = places_of(across);
    unsigned by_down[SIDE] = {down[0], down[1], down[2], down[3], down[4]};
    unsigned sums[2 * WORDS][SIDE];     // across, of the last five rows: of two pixels each, 16 bits for one
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        unsigned word[WORDS + 2] = {0, own[row].x, own[row].y, 0};
        word[0] = __shfl_up_sync(ALL_LANES, word[WORDS], 1);
        word[WORDS + 1] = __shfl_down_sync(ALL_LANES, word[1], 1);
        if (lane == 0) {
            word[0] = beside[row];
        }
        if (lane == 31) {
            word[WORDS + 1] = beside[row];
        }
        if (x == 0) {
            word[0] = __byte_perm(word[1], 0, 0x0000);              // beyond the edge the outermost pixel, four times
        }
        if (x + WIDE == width) {
            word[WORDS + 1] = __byte_perm(word[WORDS], 0, 0x3333);
        }

        uint2 made = make_uint2(0, 0);
#pragma unroll
        for (int i = 0; i < WORDS; i++) {
            unsigned left = word[i], middle = word[i + 1], right = word[i + 2];
            unsigned *low = sums[2 * i], *high = sums[2 * i + 1];
#pragma unroll
            for (int k = 0; k + 1 < SIDE; k++) {
                low[k] = low[k + 1];
                high[k] = high[k + 1];
            }
            low[SIDE - 1] = __dp4a(left, by.left[0], __dp4a(middle, by.own[0], 0u)) +
                            (__dp4a(left, by.left[1], __dp4a(middle, by.own[1], 0u)) << 16);
            high[SIDE - 1] = __dp4a(right, by.right[0], __dp4a(middle, by.own[2], 0u)) +
                             (__dp4a(right, by.right[1], __dp4a(middle, by.own[3], 0u)) << 16);
            if (row >= 2 * RADIUS) {
                unsigned two = 0, more = 0;
#pragma unroll
                for (int v = 0; v < SIDE; v++) {
                    two += by_down[v] * low[v];
                    more += by_down[v] * high[v];
                }
                // Divided by 256: the upper byte of each of the four sums.
                (i == 0 ? made.x : made.y) = __byte_perm(two, more, 0x7531);
            }
        }
        int y = top + row - 2 * RADIUS;
        if (row >= 2 * RADIUS && inside && y < height) {
            *(uint2 *)&out[(size_t)y * width + x] = made;
        }
    }
}
