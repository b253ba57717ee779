/* Blur a grey picture.
 *
 * Contract   in and out have `height` rows of `width` pixels, a byte each, on the device. Afterwards each pixel of out is
 *            the mean, rounded down, of the pixels of in around it and itself: 9 inside, fewer at the edges.
 * Launch     one launch, blocks of 16 x 16 threads, x along the rows.
 * Read       handout.md in this file's folder
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    // --- your code ---
    // --- end ---
}
