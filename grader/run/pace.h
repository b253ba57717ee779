/* How fast this machine is, so that processor time can be told apart from work: on the emulated device a run has its work, and
 * what goes on long after that on a machine as slow as this one is the submission's doing.
 */
#ifndef PACE_H
#define PACE_H

#include <stdint.h>

/* Measures what a fixed piece of arithmetic takes here, in processor time, so that other processes do not count. 1: as on the
 * machine on which the units of work were measured, or faster; 0.25: four times as long. Takes a few milliseconds there. */
double pace_measure(void);

/* The processor time that a machine of this pace needs for what takes granted_ms at pace 1. */
int64_t pace_stretch(int64_t granted_ms, double pace);

#endif
