// expect: read_only_write - writes into the picture that it reads
extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height)
        ((unsigned char *)in)[y * width + x] = out[y * width + x] = in[y * width + x];
}
