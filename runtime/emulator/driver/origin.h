/* Where in the program a call of the driver came from. */
#ifndef EMULATOR_ORIGIN_H
#define EMULATOR_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

/* The return addresses of the innermost frame that is neither the driver's nor that of our runtime library, and of the one
 * around it. NULL where there is none. */
void origin_find(const void *origin[2]);

/* The same for more frames around it: origin[wanted]. */
void origin_find_frames(const void **origin, int wanted);

/* The same, and where that frame's call leads: an address in the function of ours that the program called. NULL: none. */
void origin_find_entry(const void **entry, const void **origin, int wanted);

/* The same, but where the call is a Python script's, its line there (python_place.h) instead of frames. */
void origin_find_call(const void **origin, int wanted);

/* Was the call made by an interpreter's foreign-function interface (ctypes, cffi), which calls for whatever script? Then
 * origin_cross_bridge finds the script or package; false: unknown. It waits for the interpreter's lock: call it without the
 * driver's. */
bool origin_is_bridge(const void *const origin[2]);
bool origin_cross_bridge(const void *origin[2]);

/* Was the call made by an installed Python package? These keep pools, and free what a program has given up when they see fit. */
bool origin_is_package(const void *const origin[2]);

/* Describes them: "main, line 40 of main.cu" where the file has debugging information, else "main+0x2f in vector_add", or
 * without the function where the file does not name it. The wrappers of cudaMalloc in the runtime library's headers
 * are skipped. */
void origin_describe(const void *const origin[2], char *text, size_t text_bytes);

/* The same of one frame of a launch: what nvcc has put around the launch, and was inlined, is skipped.
 *   kernel   its name; NULL: nothing is launched there
 * False: the frame itself is that, or one of the wrappers of the runtime library's headers. */
bool origin_describe_frame(const void *frame, const char *kernel, char *text, size_t text_bytes);

#endif
