/* Fixtures: files of kernels that carry their launches and what must come out, for any driver.
 *
 * A fixture is a .ptx or .cu file whose comments describe tests (tests/dialect.h). A test begins with its
 * name; the lines below it are the launch and the arguments of the kernel, in the order of its parameters:
 *
 *     // test: add_wraps                    name
 *     // kernel: add                        the kernel; default: the test's name
 *     // launch: 2 32,2 64                  grid, block (x,y,z; default 1), bytes of dynamic shared memory; default: 1 1 0
 *     // cooperative: yes                   all blocks resident
 *     // value: u32 7                       a scalar argument; several numbers make a struct
 *     // in: f32 1.5 0x7fc00000 2*-0.0      an array the kernel reads
 *     // out: u32 0..31 _ 4*0xff            an array the kernel fills, and what it must hold
 *     // inout: u32 32*0                    an array it reads and writes; its final content follows as
 *     // is: u32 32*1                         … or is not looked at
 *     // near 1e-6: f32 0.5                 the expectation of the last `inout` or, alone, an `out`, with a relative bound
 *     // prints: line one\nline two\n       what goes to stdout (escapes \n \t \\)
 *     // fails: 715                         the CUresult of the launch
 *     // refused: some words                loading the module fails with a message that contains them (no kernel runs)
 *     // only: emulated                     not run on a GPU
 *
 * Numbers: decimal or 0x…, which are bits for floats as well; N*V is V N times; A..B counts up; `_` is not compared;
 * `nan` matches any NaN. Types: u8 u16 u32 u64 s8 s16 s32 s64 f16 (bits only) f32 f64. Before the launch every `out`
 * array holds bytes 0xCD.
 */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/lockstep.h"

struct fixture_options {
    lockstep_device_kind device;
    int major, minor;           /* what .cu files are compiled for; 0: for the device */
    const char *const *compile; /* [compile_count] further options of the compiler */
    size_t compile_count;
    const char *filter; /* only tests whose name contains this; NULL: all */
    const char *record; /* folder of golden records (tests/golden.h) to write; NULL: none */
    const char *golden; /* folder of golden records to compare with; NULL: none */
};

struct fixture_totals {
    unsigned passed, failed;
    unsigned recorded, unrecorded; /* with `golden`: tests that have a record, and that are new or changed since */
    unsigned other_nans;           /* with `golden`: NaNs with another payload than the GPU's, where any NaN is right */
};

/* Runs every test of a file and prints a line on stderr for each that fails. A file that cannot be read, has no test, or
 * holds a description that makes no sense counts as a failed test. Adds to *totals. */
void fixture_run_file(const char *path, const struct fixture_options *options, struct fixture_totals *totals);

#endif
