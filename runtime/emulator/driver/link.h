/* Linking: behind CUlinkState. */
#ifndef EMULATOR_LINK_H
#define EMULATOR_LINK_H

struct context;

/* Destroys all links of a context. Expects the driver's lock to be held. */
void link_destroy_all(const struct context *context);

#endif
