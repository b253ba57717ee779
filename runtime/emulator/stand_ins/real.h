/* NVIDIA's library behind one of ours. */
#ifndef STAND_INS_REAL_H
#define STAND_INS_REAL_H

/* A path that audit.c turns into that of the library which the program would have loaded. */
#define REAL_FOLDER "/lockstep/real/"

/* A function of the one library that ours replaces. NULL, with a message, when the library cannot be opened, or has no
 * such function.
 *   file   its name, "libnvrtc.so.13" */
void *real_function(const char *file, const char *name);

#endif
