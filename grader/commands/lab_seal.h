/* `lockstep lab seal`, a part of the command lab. */
#ifndef LAB_SEAL_H
#define LAB_SEAL_H

/* Writes FOLDER/NAME/sealed for each lab whose lab.yaml is in FOLDER/NAME, as ci/package lays them out, from this kit's solutions.
 * The compile server runs. Prints what it wrote. Returns the exit status. */
int lab_seal(const char *folder);

#endif
