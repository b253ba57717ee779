// cause: a lane reads the cell that its neighbour fills without __syncwarp() or a barrier in between (after line 14): race within a warp
// first: race_warp
// says: still nothing makes one wait for the other
// asks: What must every thread of the block have finished
/* Every thread stores for its neighbour (0 and 1, 2 and 3, ...). Both are in the same warp, so they run together. */
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float cell[256];
    int t = threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    int friend_ = t ^ 1;

    if (first + t < n)
        cell[t] = 2.0f * a[first + t];

    if (first + friend_ < n)
        a[first + friend_] = cell[friend_];
}
