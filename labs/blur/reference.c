/* blur on the CPU. A pixel beyond an edge is the nearest one of the picture. */

const int *weights; /* 5 rows of 5 */

static int nearest(int at, int count)
{
    return at < 0 ? 0 : at < count ? at : count - 1;
}

void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int v = 0; v < 5; v++)
                for (int u = 0; u < 5; u++)
                    sum += weights[v * 5 + u] * in[nearest(y + v - 2, height) * width + nearest(x + u - 2, width)];
            out[y * width + x] = (unsigned char)(sum / 256);
        }
}
