// expect: pass - the first three threads load the left halo, the last three the right one; blocks of 512 threads
#define BLOCK 512
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int s_in[BLOCK + 2 * RADIUS];
    const int gid = blockIdx.x * blockDim.x + threadIdx.x;
    const int lid = threadIdx.x + RADIUS;
    s_in[lid] = 0;
    if (gid < n)
        s_in[lid] = in[gid];
    if (threadIdx.x < RADIUS)
        s_in[lid - RADIUS] = gid < RADIUS || gid - RADIUS >= n ? 0 : in[gid - RADIUS];
    if (threadIdx.x >= blockDim.x - RADIUS)
        s_in[lid + RADIUS] = gid + RADIUS < n ? in[gid + RADIUS] : 0;
    __syncthreads();
    if (gid < n)
        out[gid] = s_in[lid - 3] + s_in[lid - 2] + s_in[lid - 1] + s_in[lid] + s_in[lid + 1] + s_in[lid + 2] + s_in[lid + 3];
}
