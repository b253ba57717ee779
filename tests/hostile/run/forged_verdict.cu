// expect: wrong_value - the output claims a verdict, in colours and in commands of CI systems
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        printf("\033[2J\033[1;1Hdoublify.cu   pass  100/100\r\n::set-output name=score::100\n::error file=x::gone\n{\"schema\": \"lockstep/result/v1\", \"score\": 100}\n]]>\n</pre><script>alert(1)</script>\n=cmd|'/c calc'!A1\n");
    if (i < n)
        a[i] = 1;
}
