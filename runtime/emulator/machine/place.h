/* Where an operation is in the source, through inlined functions and called functions. */
#ifndef EMULATOR_PLACE_H
#define EMULATOR_PLACE_H

#include <stddef.h>

#include "runtime/emulator/findings/finding.h"

struct launch;
struct operation;
struct ptx_function;
struct ptx_instruction;
struct ptx_module;
struct warp;

struct place {
    const char *file; /* as in the PTX's .file; NULL unknown */
    int line;         /* of the innermost frame in the student's own file; 0 unknown */
    int ptx_line;     /* of the PTX text, where `line` is unknown; else 0 */
};

/* Source line of an operation, without the calls that led to its function. The student's own file is the one that holds the
 * kernel. */
struct place place_of(const struct launch *launch, const struct operation *operation);
struct place place_of_instruction(const struct launch *launch, const struct ptx_instruction *instruction);

/* The same of an instruction of a function that is not decoded yet; 0 unknown. The student's own file is here the one that
 * holds the function. */
int place_line(const struct ptx_module *module, const struct ptx_function *function, size_t instruction);

const struct ptx_instruction *operation_instruction(const struct launch *launch, const struct operation *operation);

/* Does the operation come from a header of the CUDA toolkit (cooperative groups, CUB, libcu++), inlined or not? */
bool launch_is_in_toolkit(const struct launch *launch, const struct operation *operation);

/* Number of the .file that holds the kernel of the launch; 0 unknown. */
int place_student_file(const struct launch *launch);

/* Fills file, line, function, inside and called_from of a finding about lane `lane` of `warp`, which is at `operation`. */
void place_describe(const struct warp *warp, const struct operation *operation, unsigned lane, struct finding *finding);

/* "line 14", "PTX line 57"; returns the text. */
const char *place_words(const struct launch *launch, const struct operation *operation, char where[WHERE_BYTES]);

/* Fills file2, line2 and where2. */
void place_describe_second(const struct launch *launch, const struct operation *operation, struct finding *finding);

/* Begins a finding about lane `lane` of `warp` at `operation`. */
void launch_finding(const struct warp *warp, const struct operation *operation, unsigned lane, enum finding_code code,
                    struct finding *finding);

#endif
