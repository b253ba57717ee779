/* The labs of this kit: labs.def as a list, which a program hands to the grader (grader/lab/labs.h). */
#ifndef KIT_LABS_H
#define KIT_LABS_H

#include "grader/lab/lab.h"

/* [kit_lab_count], in the order of the course. */
extern const struct lab *const kit_labs[];
extern const int kit_lab_count;

#endif
