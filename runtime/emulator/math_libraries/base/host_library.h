/* Well-kept host libraries that do the arithmetic (OpenBLAS, LAPACK, FFTW): opened when they are first needed. */
#ifndef EMULATOR_HOST_LIBRARY_H
#define EMULATOR_HOST_LIBRARY_H

/* A host library, tried under several names. Static storage; the members below `handle` are host_function's. */
struct host_library {
    const char *purpose;  /* "matrix products", for the message */
    const char *package;  /* of Debian and Ubuntu: "libopenblas0-pthread" */
    const char *names[4]; /* sonames, in order of preference; NULL ends */
    void *handle;
    int failed;
};

/* The function of that name. NULL: the library is not installed or has no such function, which stderr says once, with the
 * package to install. */
void *host_function(struct host_library *library, const char *name);

#endif
