/* libFuzzer target: any text either is refused with a reason, or parses to a module whose print parses again and prints
 * the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/language/ptx/module.h"
#include "runtime/language/ptx/printer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const struct diagnostic *diagnostic)
{
    fprintf(stderr, "fuzz parse: %s: line %d: %s\n", what, diagnostic->line, diagnostic->message);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptx_module *module = NULL, *again = NULL;
    struct diagnostic diagnostic = {0};
    enum ptx_status status = ptx_parse((const char *)data, size, &module, &diagnostic);
    if (status != PTX_OK) {
        if (!diagnostic.message[0])
            fail("refused without a reason", &diagnostic);
        return 0;
    }
    size_t length, again_length;
    char *text = ptx_print(module, &length);
    if (!text)
        abort();
    if (ptx_parse(text, length, &again, &diagnostic) != PTX_OK) {
        fwrite(text, 1, length, stderr);
        fail("the printed text does not parse", &diagnostic);
    }
    char *again_text = ptx_print(again, &again_length);
    if (!again_text || again_length != length || memcmp(text, again_text, length) != 0) {
        fprintf(stderr, "%s\n-------- and then --------\n%s\n", text, again_text ? again_text : "");
        fail("printing what was printed gives another text", &diagnostic);
    }
    free(text);
    free(again_text);
    ptx_module_destroy(module);
    ptx_module_destroy(again);
    return 0;
}
