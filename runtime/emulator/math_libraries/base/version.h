/* Which of its versions a library was loaded as. */
#ifndef EMULATOR_MATH_VERSION_H
#define EMULATOR_MATH_VERSION_H

/* The number at the end of the file name of the library that has the function: 13 for …/libcublas.so.13. One library serves
 * several versions of its interface under as many names. 0 when the name has none. */
int library_major(const void *function);

#endif
