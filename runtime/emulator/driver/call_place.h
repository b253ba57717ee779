/* The call of a program that the driver is in, as the program's source has it: its name and its line. */
#ifndef EMULATOR_CALL_PLACE_H
#define EMULATOR_CALL_PLACE_H

#include <stdbool.h>

enum { CALL_NAME_BYTES = 80, CALL_PLACE_BYTES = 256, CALL_FRAMES = 6 };

struct call_place {
    char name[CALL_NAME_BYTES];      /* of the runtime library's function that the program called: "cudaMalloc" */
    const void *frames[CALL_FRAMES]; /* return addresses in the program, innermost first; NULL: no more */
};

/* Does the call launch a kernel? In the source, it is <<<...>>>. */
bool call_place_is_launch(const struct call_place *place);

/* Finds them on the stack. Returns false when the program did not come through our runtime library, or is a package. */
bool call_place_find(struct call_place *place);

/* "main, line 40 of main.cu", without what nvcc has put around a launch.
 *   kernel   what the call launches, as in the source; NULL: nothing
 * Returns false, and "", when the program has no lines of its source for the call. */
bool call_place_describe(const struct call_place *place, const char *kernel, char text[CALL_PLACE_BYTES]);

/* Lets findings about calls say where the program made them, under the name that the program used, and findings about freed
 * memory where it was freed. */
void call_place_begin(void);

/* Has a finding been reported about the call at this place? */
bool call_place_was_told(const struct call_place *place);

#endif
