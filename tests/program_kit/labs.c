/* The list of labs of a kit that is there for tests: labs whose learner writes a whole program. Takes the place of labs/labs.c. */
#include "labs/labs.h"

extern const struct lab lab_01_first_program, lab_02_overlap;

const struct lab *const kit_labs[] = {&lab_01_first_program, &lab_02_overlap};
const int kit_lab_count = sizeof kit_labs / sizeof *kit_labs;
