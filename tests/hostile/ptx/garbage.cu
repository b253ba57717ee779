// expect: compile - no PTX at all
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("}}}} .entry ;;; \"\\x00 %%%% {");
    a[i] = 1;
}
