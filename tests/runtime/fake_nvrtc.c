/* An NVRTC of a major version that does not exist yet. It has nothing but its version: that must be asked for first. */
__attribute__((visibility("default"))) int nvrtcVersion(int *major, int *minor);

int nvrtcVersion(int *major, int *minor)
{
    *major = 14;
    *minor = 2;
    return 0;
}
