/* The kernel's work on the CPU. Beyond an edge, there is no pixel: the mean is that of those that are there. */
void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0, count = 0;
            for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < height; v++)
                for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < width; u++, count++)
                    sum += in[v * width + u];
            out[y * width + x] = (unsigned char)(sum / count);
        }
}
