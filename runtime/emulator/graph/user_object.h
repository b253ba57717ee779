/* User objects: something of the program's that lives as long as graphs use it. All functions expect the driver's lock to
 * be held. */
#ifndef EMULATOR_USER_OBJECT_H
#define EMULATOR_USER_OBJECT_H

#include "runtime/cuda/driver_api.h"

struct user_object;

/* The live object behind a handle; NULL when there is none. */
struct user_object *user_object_find(CUuserObject handle);

/* Adds references, or gives some up; with the last one the program's destructor is called, with the lock released. */
void user_object_retain(struct user_object *object, unsigned count);
void user_object_release(struct user_object *object, unsigned count);

#endif
