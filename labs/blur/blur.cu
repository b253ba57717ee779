/* Blur a grey picture: each pixel becomes a weighted mean of the 5 x 5 pixels around it.
 *
 * Contract   in and out have `height` rows of `width` pixels, a byte each, row by row. weights has 5 rows of 5 whole numbers
 *            from 0 to 256; they add up to 256. Afterwards out[y*width + x] is the sum of
 *            weights[v][u] * in[(y + v - 2)*width + x + u - 2] over v and u from 0 to 4, divided by 256, rounded down. A
 *            pixel beyond an edge counts as the nearest one of the picture. in and out do not overlap; out starts as
 *            rubbish.
 * Launch     the lab fills weights; then one launch, blocks of 16 x 16 threads, x along the width, y along the height.
 * Run        build/lockstep grade blur
 * Read       handouts/blur.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define TILE 16                     // pixels each way, per block
#define RADIUS 2                    // pixels of the halo on each side
#define SIDE (2 * RADIUS + 1)       // of the window
#define WIDE (TILE + 2 * RADIUS)    // of the tile with its halo

__constant__ int weights[SIDE][SIDE];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    // The block's tile and its halo are WIDE x WIDE pixels, more than it has threads. Load them into shared memory.
    // --- your code ---
    // --- end ---

    // Each thread that has a pixel adds up its window, and stores the mean.
    // --- your code ---
    // --- end ---
}
