#include "labs/labs.h"

#define LAB(name) extern const struct lab lab_##name;
#include "labs/labs.def"
#undef LAB

const struct lab *const kit_labs[] = {
#define LAB(name) &lab_##name,
#include "labs/labs.def"
#undef LAB
};

const int kit_lab_count = sizeof kit_labs / sizeof *kit_labs;
