/* What the processes that touch a submission may do: one profile for each kind of process, in parts that the kernel holds.
 *
 * A child calls sandbox_begin at once, then loads what it needs (a driver, a compiler), and calls sandbox_close before it
 * looks at the first byte of a submission. From then on nothing can be taken back. A part that is wanted, that the kernel
 * has, and that cannot be put in force ends the child: no submission runs in half a sandbox. None of it needs root.
 *
 *   sandbox.def          the parts
 *   sandbox_calls.def    which system calls each kind of process has left
 *   sandbox.c            settings, limits, the order of the steps
 *   sandbox_calls.c      the filter of system calls (seccomp)
 *   sandbox_files.c      files, network and signals (Landlock)
 *   sandbox_view.c       files and network, where there is no Landlock (namespaces)
 *   sandbox_attacks.c    tries to break each part, for `doctor`
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sandbox_layer {
    SANDBOX_COMPILE,  /* the compiler over a submission's source, and what reads its PTX for the grader */
    SANDBOX_EMULATED, /* the emulated driver */
    SANDBOX_GPU,      /* NVIDIA's driver, over PTX that the emulated run has seen */
    SANDBOX_BUILD,    /* nvcc or the system's compiler and linker, over a program's source: they start one another */
    SANDBOX_PROGRAM,  /* a program of a submission's, native code, with the emulated driver in it */
    SANDBOX_DEVICE,   /* the same program with NVIDIA's driver in it, once the emulated run has found it safe */
    SANDBOX_LAYERS,
    SANDBOX_OWN = SANDBOX_LAYERS, /* the kit's own work only, no submission: limits, and never closed */
};

enum sandbox_part {
#define PART(symbol, word, meaning) SANDBOX_##symbol,
#include "grader/sandbox/sandbox.def"
#undef PART
    SANDBOX_PARTS,
};

/* One folder or file that a layer may still open. */
enum sandbox_right {
    SANDBOX_READ = 1,
    SANDBOX_EXECUTE = 2,
    SANDBOX_WRITE = 4,
    SANDBOX_MAKE = 8, /* in a folder: make, change and remove files */
};
struct sandbox_path {
    const char *path; /* one that does not exist is skipped */
    unsigned rights;
};

/* Is this build one with AddressSanitizer? Then address space cannot be limited, and everything takes several times as
 * long. */
#if defined(__SANITIZE_ADDRESS__)
#define CHILD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHILD_SANITIZED 1
#endif
#endif
#ifndef CHILD_SANITIZED
#define CHILD_SANITIZED 0
#endif

/* Numbers under which the child finds its descriptors. */
enum { CHILD_CHANNEL = 3, CHILD_FINDINGS = 4, CHILD_COUNTERS = 5, CHILD_DESCRIPTORS = 6 };

/* Reads LOCKSTEP_SANDBOX, once, before any child is started:
 *   off | no-PART | no-landlock | no-namespaces | compile-cpu=SECONDS | compile-memory=MB, with commas between; limits can
 *   only be lowered, and are those of a program's build, too; no-landlock and no-namespaces say which way of holding files
 *   is not taken
 * Anyone who can set it for the grader could as well start another grader; but nothing happens silently: the result says
 * what is missing, and hidden tests then do not run.
 *   allow_unconfined   where a part is missing, go on anyway: hidden tests run, and where files are not held the compiler may
 *                      open files
 * Returns false with a message when it holds a word that is not known: a typing mistake must not switch off anything. */
bool sandbox_configure(bool allow_unconfined, char *message, size_t message_bytes);

/* Says which parts LOCKSTEP_SANDBOX has switched off. Returns false when it has not. */
bool sandbox_is_reduced(char *message, size_t message_bytes);

/* The parts that children have, as bits 1 << enum sandbox_part: what is wanted and what this kernel offers. */
unsigned sandbox_parts(void);
const char *sandbox_part_word(enum sandbox_part part);
const char *sandbox_part_in_force(enum sandbox_part part); /* its word; for files "landlock" or "namespaces" */
const char *sandbox_part_meaning(enum sandbox_part part);
const char *sandbox_layer_name(enum sandbox_layer layer);

/* Raises this process's own limits on files to what gradings need, as far as they may be. Returns false with the reason where
 * that is too little: results would be cut, or depend on it. Writing beyond the limit no longer ends the process. */
bool sandbox_raise_limits(char *why, size_t why_bytes);

/* May hidden cases run? With every part, or where the instructor said so. When not, `why` says what is missing. */
bool sandbox_permits_hidden(char *why, size_t why_bytes);

/* In the grader, before it starts a child of this layer: what must be found out for it, once. */
void sandbox_prepare(enum sandbox_layer layer);

/* In the child: at the very beginning, and before it touches a submission. False: the child must end.
 *   paths   [count] what the layer's own list lacks; may be NULL when count is 0 */
bool sandbox_begin(enum sandbox_layer layer);
bool sandbox_close(enum sandbox_layer layer, const struct sandbox_path *paths, size_t count);

/* Whether this process is such a child: sandbox_begin was called in it. */
bool sandbox_has_begun(void);

/* Whether a closed layer can open the paths given to it: not where neither Landlock nor namespaces can be had, which alone
 * tell one path from another; then nothing can be opened. */
bool sandbox_opens_paths(void);

/* Address space that a layer may use, in MB; 0: unlimited. */
uint64_t sandbox_address_space_mb(enum sandbox_layer layer);
uint32_t sandbox_cpu_seconds(enum sandbox_layer layer);

/* ---- between the files of the sandbox ------------------------------------------------------------------------------- */

bool sandbox_has_seccomp(void);
/* Leaves the calling process, with all its threads, the layer's system calls. */
bool sandbox_filter_calls(enum sandbox_layer layer, bool may_open);

int sandbox_landlock_version(void); /* 0: the kernel has none */
/* Leaves the calling thread, and what it starts, these paths only; and no TCP, and no signals to others, where the version
 * of Landlock can do that. */
bool sandbox_restrict_files(const struct sandbox_path *paths, size_t count);

/* Without Landlock. Whether namespaces can be had is found out by a process that makes them; takes some milliseconds. */
bool sandbox_has_namespaces(void);
/* Gives the calling process, which has no threads yet, namespaces for users, the network and System V objects. */
bool sandbox_enter_namespaces(void);
/* After it, leaves the process these paths only, in a root folder of its own, and takes its capabilities. False: the process
 * must end, for it may be anywhere between. */
bool sandbox_show_only(enum sandbox_layer layer, const struct sandbox_path *paths, size_t count);

#endif
