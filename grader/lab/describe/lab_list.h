/* Finding labs: those of the kit, and those of folders that the user names. */
#ifndef LAB_LIST_H
#define LAB_LIST_H

#include <stdbool.h>
#include <stdio.h>

/* Reads every lab of the kit, labs/NN_name with a lab.yaml, and of the folders, in the order of their names, and hands the list to
 * labs_register. The kit's numbered labs come first; a lab of a folder takes the place of one with the same name.
 *   folders   [count] each a lab's folder, or a folder of such
 *   errors    complaints about labs that cannot be read, which are left out
 * Returns false when there was a complaint. */
bool lab_list_open(const char *const *folders, int count, FILE *errors);

#endif
