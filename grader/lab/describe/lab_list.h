/* Finding labs: those of the kit, and those of folders that the user names. */
#ifndef LAB_LIST_H
#define LAB_LIST_H

#include <stdbool.h>
#include <stdio.h>

/* Reads every lab of the kit, labs/NAME with a lab.yaml, and of the folders, and hands them to labs_register, the map's steps
 * (labs/map.yaml) to map_register. The labs on the map come first, in its order, and have its numbers; then the kit's others and
 * those of the folders, by their names. A lab of a folder takes the place of one with the same name.
 *   folders   [count] each a lab's folder, or a folder of such
 *   errors    complaints about labs that cannot be read, which are left out
 * Returns false when there was a complaint. */
bool lab_list_open(const char *const *folders, int count, FILE *errors);

#endif
