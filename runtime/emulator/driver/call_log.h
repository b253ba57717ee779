/* What the host side of a program asks for: a line of JSON for each allocation, free, copy, launch and wait, for a grader of
 * whole programs (LOCKSTEP_CALLS); and calls that are made to fail, to see whether the program notices (LOCKSTEP_FAIL).
 *
 * The entry points say what they do; when a call ends (driver_watch_results), its line is written. Nothing is written,
 * and nothing fails, unless the environment asks for it. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_CALL_LOG_H
#define EMULATOR_CALL_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/driver/graph_branch.h"

enum call_kind {
#define HOST_CALL(kind, failure, name, when) CALL_##kind,
#include "runtime/tables/host_calls.def"
#undef HOST_CALL
    CALL_KINDS
};

/* Opens the file, at cuInit, and watches for the ends of calls. */
void call_log_open(void);

/* A call begins that has been let in. Returns CUDA_SUCCESS, or what it must return instead of doing its work. */
CUresult call_log_begin(enum call_kind kind);

/* Is anything written? */
bool call_log_is_open(void);

/* A piece of a graph's launch begins, and ends: a line of its own, with the place of the call. Between the two, the functions
 * below say what it does. Begins like a call: its failure is that of the piece. */
CUresult call_log_begin_part(enum call_kind kind, const struct graph_branch *branch);
void call_log_end_part(CUresult result);

/* What an allocation gave, or a free was given. */
void call_log_memory(uint64_t address, uint64_t bytes);

/* A copy has moved bytes over the bus. */
void call_log_moved(uint64_t bytes_to_device, uint64_t bytes_to_host);

/* Where the bytes that a copy of one row has moved are now, and where they were. */
void call_log_ends(uint64_t target, uint64_t source);

/* The host goes on when the copy is done, or, where its memory is pageable, when that memory has been read or written. */
void call_log_waited(bool is_pageable);

/* The kernel that the call launched has run: the instructions of all its warps. */
void call_log_executed(uint64_t warp_instructions);

/* A module is loaded. What its kernels ask of others (language/ptx/foreign.h) is written, the first of each kind. */
struct ptx_module;
void call_log_module(const struct ptx_module *module);

/* A kernel is launched. The work of the call has its place in the order of its stream (order.h) by then; so it has for
 * call_log_moved. */
void call_log_launched(const char *kernel, const uint32_t grid[3], const uint32_t block[3]);

#endif
