/* What a kit without solutions has in their place: labs/NAME/sealed, made by `lockstep lab seal`. It holds the code that the
 * compiler made of the reference solutions, so that budgets and times are measured against the very same modules; hashes and
 * fingerprints of the files that are not there, so that they are recognised; and the skeleton, so that a lab can be begun
 * again.
 *
 * A seal keeps the content from searches and from eyes, not from a person with a debugger: this program opens it, so
 * whoever takes the program apart can open it, too. What a student must not get at all must not be in what the student gets.
 */
#ifndef SEAL_H
#define SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"

enum seal_role { SEAL_SKELETON, SEAL_SOLUTION, SEAL_FAST, SEAL_VARIANT, SEAL_ROLES };

/* One of the kit's files for the lab. */
struct seal_file {
    enum seal_role role;
    char *path;      /* from the kit's root, "solutions/scan/scan.cu"; owned */
    char sha256[65]; /* of the file's bytes, hexadecimal */
    char *text;      /* of a skeleton; else NULL; owned */
    char *ptx;       /* [ptx_bytes] and a NUL, of a solution; else NULL; owned */
    size_t ptx_bytes;
    uint64_t *prints; /* [print_count] fingerprints of its PTX, rising; owned */
    size_t print_count;
};

struct seal {
    struct seal_file *files; /* [count]; owned */
    size_t count, capacity;
    int nvrtc; /* that made the PTX: 100 * major + minor */
};

enum seal_status { SEAL_OPENED, SEAL_ABSENT, SEAL_UNUSABLE };

/* Opens the seal in the lab's folder. SEAL_UNUSABLE comes with a message that says what to do: it cannot be read, was damaged,
 * or is another lab's. Clear `seal` in any case. */
enum seal_status seal_open(const struct lab *lab, struct seal *seal, char *message, size_t message_bytes);

/* Writes the seal of the lab to a file. Returns false with a message when it cannot. */
bool seal_write(const struct lab *lab, const struct seal *seal, const char *path, char *message, size_t message_bytes);
void seal_clear(struct seal *seal);

/* The first file of that role; NULL: there is none. */
const struct seal_file *seal_find(const struct seal *seal, enum seal_role role);
#endif
