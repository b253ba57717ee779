/* Does a program look at what a call returned? Read from its code behind the call. */
#ifndef EMULATOR_STATUS_USE_H
#define EMULATOR_STATUS_USE_H

/* Follows the code from the address to which a call returns, and where that function returns, from the next one, until the
 * register that holds the call's result is read or overwritten.
 *   frames   [count] return addresses, innermost first; NULL ends them early. Their code is in this process. */
enum status_use { STATUS_READ, STATUS_IGNORED, STATUS_UNKNOWN /* the code cannot be followed */ };
enum status_use status_use_find(const void *const *frames, int count);

#endif
