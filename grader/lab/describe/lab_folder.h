/* A lab in a folder of its own: lab.yaml, reference.c, hooks.c. */
#ifndef LAB_FOLDER_H
#define LAB_FOLDER_H

#include <stdio.h>

#include "grader/lab/lab.h"

/* Reads the lab in a folder.
 *   folder   absolute path; its last part is the lab's name ("07_transpose")
 *   built    the shared object that the build made of the lab's C code; NULL: none
 *   errors   complaints, a line each, with file and line
 * Returns the lab, which lives until the process ends; NULL after complaints. */
struct lab *lab_folder_open(const char *folder, const char *built, FILE *errors);

/* Writes the keys of lab.yaml as a Markdown table, a row of lab_keys.def each, and the ways to fill an array. */
void lab_folder_print_keys(FILE *file);

#endif
