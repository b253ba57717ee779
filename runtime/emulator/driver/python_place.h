/* The line of the user's Python script that makes a call of the driver. */
#ifndef EMULATOR_PYTHON_PLACE_H
#define EMULATOR_PYTHON_PLACE_H

#include <stdbool.h>

/* The innermost frame of the calling thread that is neither an installed package's nor the standard library's, asked of the
 * interpreter in this process through its C API. A place stays valid, and equal places are one. NULL where there is no
 * interpreter, and where the call was made without its lock (GIL), as packages do before calls that may take long: then the
 * interpreter must not be asked. */
const void *python_place_find(void);

/* The function that makes the call, whether or not the thread holds the interpreter's lock: waits for it, so the thread may
 * hold nothing that others wait for. *is_package: it is an installed package's or the interpreter's, and NULL is returned. */
const void *python_place_of_caller(bool *is_package);

/* "main, line 40 of train.py"; NULL when it is not such a place. */
const char *python_place_text(const void *place);

#endif
