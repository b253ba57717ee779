/* to_grey on the CPU. */
void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
            const unsigned char *pixel = &colour[row * pitch + 3 * column];
            grey[row * width + column] = (unsigned char)((77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) / 256);
        }
    }
}
