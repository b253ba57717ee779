/* Sum over a window: out[i] = in[i - 3] + in[i - 2] + ... + in[i + 3], seven elements.
 *
 * Contract   in and out are arrays of n integers on the device; they do not overlap. Afterwards out[i] is the sum of the
 *            elements of in from i - 3 to i + 3, for every i from 0 to n-1. What lies before in[0] or behind in[n-1] counts
 *            as 0. in stays as it is; out holds rubbish before the launch.
 * Launch     one launch, blocks of 256 threads, as many blocks as it takes to have at least n threads.
 * Run        build/lockstep grade stencil
 * Read       handouts/stencil.md
 *
 * Neighbouring windows overlap: each element is in seven of them. So the threads of a block load each element once, into
 * shared memory, and all of them add from there.
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    // 1. A tile in shared memory: the block's 256 elements, and 3 more on each side, the halo. Which thread loads what?
    //    What goes into the cells that stand for no element?
    // --- your code ---
    // --- end ---

    // 2. Each thread needs cells that others fill.
    // --- your code ---
    // --- end ---

    // 3. Add the seven cells around your own, and store the sum if you have an element.
    // --- your code ---
    // --- end ---
}
