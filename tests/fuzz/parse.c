/* libFuzzer target: any text either is refused with a reason, or parses to a module whose print parses again and prints
 * the same. Its summary is refused with a reason or not at all, and a text that parses has one, with the same kernels. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/language/ptx/module.h"
#include "runtime/language/ptx/printer.h"
#include "runtime/language/ptx/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const struct diagnostic *diagnostic)
{
    fprintf(stderr, "fuzz parse: %s: line %d: %s\n", what, diagnostic->line, diagnostic->message);
    abort();
}

/* Every instruction of every body ends within it. */
static void walk(const struct ptx_summary *summary)
{
    for (size_t i = 0; i < summary->body_count; i++) {
        struct ptx_instructions walk;
        struct token token;
        ptx_instructions_begin(&walk, &summary->bodies[i]);
        while (ptx_instructions_next(&walk, &token))
            if (token.text < summary->bodies[i].text || token.text > summary->bodies[i].text + summary->bodies[i].length)
                abort();
    }
}

static void compare(const struct ptx_module *module, const struct ptx_summary *summary)
{
    size_t entries = 0;
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        if (!function->is_entry || !function->has_body)
            continue;
        const struct ptx_entry *entry = ptx_summary_entry(summary, function->name);
        entries++;
        bool same = entry && entry->parameter_count == function->parameter_count;
        for (size_t k = 0; same && k < entry->parameter_count; k++)
            same = entry->parameter_bytes[k] == function->parameters[k]->bytes;
        if (!same) {
            fprintf(stderr, "fuzz parse: the summary has another '%s' than the module\n", function->name);
            abort();
        }
    }
    if (entries != summary->entry_count) {
        fprintf(stderr, "fuzz parse: the summary has %zu kernels, the module %zu\n", summary->entry_count, entries);
        abort();
    }
}

static void summarize(const char *text, size_t size, const struct ptx_module *module)
{
    struct ptx_summary summary;
    struct diagnostic diagnostic = {0};
    enum ptx_status status = ptx_summary_read(text, size, &summary, &diagnostic);
    if (status == PTX_OUT_OF_MEMORY || (status == PTX_OK) != !diagnostic.message[0] || (module && status != PTX_OK))
        fail("no summary", &diagnostic);
    walk(&summary);
    if (module)
        compare(module, &summary);
    ptx_summary_clear(&summary);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptx_module *module = NULL, *again = NULL;
    struct diagnostic diagnostic = {0};
    enum ptx_status status = ptx_parse((const char *)data, size, &module, &diagnostic);
    summarize((const char *)data, size, module);
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
