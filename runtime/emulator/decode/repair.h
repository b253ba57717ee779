/* Repairs that are tried: edits of a parsed module, before it is decoded. What a repair adds is what the same change of the
 * source would add, at the instructions that the compiler made of those lines.
 *
 * A request is text, "barrier 14; barrier 18": a kind (runtime/tables/repairs.def), then the line of the student's
 * file or the name of an array, where the kind has one. It is applied to each kernel whose code has that line.
 */
#ifndef EMULATOR_REPAIR_H
#define EMULATOR_REPAIR_H

#include <stdbool.h>

#include "runtime/base/diagnostic.h"
#include "runtime/language/ptx/module.h"

/* Is this a request that repair_apply() understands? "" is: nothing to repair. */
bool repair_is_request(const char *request);

/* Edits the module. Returns false with the diagnostic set when a part of the request found no place where it could be made,
 * and without a message when out of memory; the module is then good for nothing but ptx_module_destroy. */
bool repair_apply(struct ptx_module *module, const char *request, struct diagnostic *diagnostic);

#endif
