/* A picture in colour becomes one in grey.
 *
 * Contract   colour is a picture of `height` rows of `width` pixels on the device. A pixel is three bytes: red, green, blue.
 *            A row takes `pitch` bytes: its pixels, then perhaps a gap. grey gets one byte for each pixel, row after row
 *            without gaps: (77 red + 150 green + 29 blue) / 256, the remainder dropped. colour stays as it is; grey holds
 *            rubbish before the launch.
 * Launch     one launch, blocks of 16 x 16 threads, x along the rows of the picture, as many blocks each way as it takes to
 *            have a thread for each pixel.
 * Run        build/lockstep grade grey
 * Read       handouts/grey.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width,
                                   int pitch)
{
    // Each thread makes one pixel. In which row and column is it, and is it in the picture at all?
    // --- your code ---
    // --- end ---
}
