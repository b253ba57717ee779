#include "runtime/emulator/decode/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/decode/repair_edit.h"
#include "runtime/emulator/decode/repair_rewrite.h"

/* Analyses of whole functions take time that grows faster than the function; no kernel of a lab comes near. */
enum { MOST_INSTRUCTIONS = 4000 };

enum { MOST_PARTS = 16 };

/* One part of a request. */
struct part {
    const struct kind *kind;
    char word[96]; /* line or name; "" none */
    int line;      /* 0: the word is a name */
    bool done;     /* somewhere */
};

/* Edits one function. Returns whether there was a place for it. */
typedef bool repair_edit(struct repair_editor *editor, const struct part *part);

struct kind {
    const char *name;
    repair_edit *edit; /* NULL: no matter of instructions; the caller's */
};

/* ---- what is put in ---- */

static struct ptx_instruction block_barrier(struct repair_editor *editor, int like)
{
    struct ptx_instruction barrier = repair_instruction(editor, "bar.sync", 1, like);
    if (!editor->failed)
        barrier.operands[0] = repair_integer(0);
    return barrier;
}

static struct ptx_instruction warp_barrier_of_all(struct repair_editor *editor, int like)
{
    struct ptx_instruction barrier = repair_instruction(editor, "bar.warp.sync", 1, like);
    if (!editor->failed)
        barrier.operands[0] = repair_integer(UINT32_MAX);
    return barrier;
}

static struct ptx_instruction gpu_fence(struct repair_editor *editor, int like)
{
    return repair_instruction(editor, "membar.gl", 0, like);
}

/* ---- what goes after a line ---- */

static bool insert_after(struct repair_editor *editor, int line, repair_make *make, bool for_all)
{
    bool found = false;
    for (int i = 0; i < (int)editor->function->instruction_count && !editor->failed; i++) {
        if (!repair_ends_line(editor, i, line))
            continue;
        if (!for_all)
            repair_insert(editor, i + 1, false, make(editor, i));
        else if (!repair_insert_for_all(editor, i + 1, make(editor, i)))
            return false;
        found = true;
    }
    return found;
}

static bool edit_barrier(struct repair_editor *editor, const struct part *part)
{
    return insert_after(editor, part->line, block_barrier, true);
}

static bool edit_warp_barrier(struct repair_editor *editor, const struct part *part)
{
    return insert_after(editor, part->line, warp_barrier_of_all, false);
}

static bool edit_fence(struct repair_editor *editor, const struct part *part)
{
    return insert_after(editor, part->line, gpu_fence, false);
}

static struct ptx_instruction await_all(struct repair_editor *editor, int like)
{
    return repair_instruction(editor, "cp.async.wait_all", 0, like);
}

static bool edit_await(struct repair_editor *editor, const struct part *part)
{
    return insert_after(editor, part->line, await_all, false) && insert_after(editor, part->line, block_barrier, true);
}

/* ---- barriers that are there ---- */

/* Where a part of the threads waits, all do, when its branch is over. */
static bool edit_move_barrier(struct repair_editor *editor, const struct part *part)
{
    struct ptx_function *function = editor->function;
    bool found = false;
    for (int i = 0; i < (int)function->instruction_count && !editor->failed; i++) {
        enum ptx_form_id form = function->instructions[i].opcode.form->id;
        if (editor->line[i] != part->line || (form != FORM_BAR && form != FORM_BARRIER))
            continue;
        if (!repair_insert_for_all(editor, i + 1, block_barrier(editor, i)))
            return false;
        editor->removed[i] = found = true;
    }
    return found;
}

/* ---- values ---- */

/* Is it read before any instruction above has written it? In the order of the text: what a loop carries is set above it. */
static bool may_lack_value(const struct ptx_function *function, int index)
{
    for (size_t i = 0; i < function->instruction_count; i++) {
        if (ptx_instruction_reads(&function->instructions[i], index))
            return true;
        if (repair_defines(&function->instructions[i], index) && function->instructions[i].guard < 0)
            return false;
    }
    return false;
}

static bool edit_zero_variable(struct repair_editor *editor, const struct part *part)
{
    (void)part;
    struct ptx_function *function = editor->function;
    size_t count = function->register_count;
    bool found = false;
    for (size_t r = 0; r < count && !editor->failed; r++) {
        enum ptx_type type = function->registers[r].type;
        if (type == PTX_PRED || ptx_type_bytes(type) < 4 || !may_lack_value(function, (int)r))
            continue;
        struct ptx_instruction zero = repair_instruction(editor, ptx_type_bytes(type) == 8 ? "mov.b64" : "mov.b32", 2, 0);
        if (editor->failed)
            return false;
        zero.operands[0] = repair_register((int)r);
        zero.operands[1] = repair_integer(0);
        repair_insert(editor, 0, false, zero);
        found = true;
    }
    return found;
}

static bool skip_outside(struct repair_editor *editor, int line, int how)
{
    bool found = false;
    for (size_t i = 0; i < editor->function->instruction_count; i++)
        if (editor->line[i] == line && repair_is_access(&editor->function->instructions[i])) {
            editor->function->instructions[i].skips_outside = how;
            found = true;
        }
    return found;
}

static bool edit_guard(struct repair_editor *editor, const struct part *part)
{
    return skip_outside(editor, part->line, part->line);
}

static bool edit_zero_outside(struct repair_editor *editor, const struct part *part)
{
    return skip_outside(editor, part->line, -1);
}

static bool zero_all(struct ptx_variable *const *variables, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count; i++)
        if (variables[i]->space == SPACE_SHARED)
            variables[i]->starts_zeroed = found = true;
    return found;
}

/* Variables belong to the module or to a function. */
static bool edit_zero_shared(struct repair_editor *editor, const struct part *part)
{
    (void)part;
    bool found = zero_all(editor->module->variables, editor->module->variable_count);
    return zero_all(editor->function->variables, editor->function->variable_count) || found;
}

/* ---- larger changes ---- */

static bool edit_atomic(struct repair_editor *editor, const struct part *part)
{
    return repair_make_atomic(editor, part->line);
}

static bool edit_middle_barrier(struct repair_editor *editor, const struct part *part)
{
    return repair_split(editor, part->line, block_barrier, true, false);
}

static bool edit_two_barriers(struct repair_editor *editor, const struct part *part)
{
    return repair_split(editor, part->line, block_barrier, true, true);
}

static bool edit_two_warp_barriers(struct repair_editor *editor, const struct part *part)
{
    return repair_split(editor, part->line, warp_barrier_of_all, false, true);
}

static bool edit_open_barrier(struct repair_editor *editor, const struct part *part)
{
    return repair_open_barrier(editor, part->line);
}

static bool edit_share(struct repair_editor *editor, const struct part *part)
{
    (void)part;
    return repair_share_local(editor);
}

static bool edit_stay(struct repair_editor *editor, const struct part *part)
{
    (void)part;
    return repair_keep_threads(editor);
}

#define edit_zero_array NULL /* memory that the host allocated */

static const struct kind kinds[] = {
#define REPAIR(kind, lines, codes, words) {#kind, edit_##kind},
#include "runtime/tables/repairs.def"
#undef REPAIR
};

/* ---- requests ---- */

static const struct kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

/* Returns how many parts there are; -1: that is not a request. */
static int read_parts(const char *request, struct part parts[MOST_PARTS])
{
    int count = 0;
    while (*request != '\0') {
        char text[160], kind[32];
        size_t length = strcspn(request, ";");
        struct part *part = &parts[count];
        if (count == MOST_PARTS || length >= sizeof text)
            return -1;
        memcpy(text, request, length);
        text[length] = '\0';
        memset(part, 0, sizeof *part);
        int words = sscanf(text, " %31s %95s", kind, part->word);
        part->kind = words > 0 ? find_kind(kind) : NULL;
        if (!part->kind)
            return -1;
        part->line = atoi(part->word);
        count++;
        request += length + (request[length] == ';');
    }
    return count;
}

bool repair_is_request(const char *request)
{
    struct part parts[MOST_PARTS];
    return read_parts(request, parts) >= 0;
}

static bool repair_function(struct ptx_module *module, struct ptx_function *function, struct part *parts, int count)
{
    struct repair_editor editor;
    if (!function->has_body || function->instruction_count == 0 || function->instruction_count > MOST_INSTRUCTIONS)
        return true;
    for (int i = 0; i < count; i++) { /* each looks at what the one before has left */
        if (!parts[i].kind->edit)
            continue;
        if (!repair_editor_begin(&editor, module, function))
            return false;
        /* A part that finds only some of its places changes nothing. */
        if (parts[i].kind->edit(&editor, &parts[i])) {
            parts[i].done = true;
            if (!repair_editor_end(&editor))
                return false;
        }
        if (editor.failed)
            return false;
    }
    return true;
}

bool repair_apply(struct ptx_module *module, const char *request, struct diagnostic *diagnostic)
{
    struct part parts[MOST_PARTS];
    int count = read_parts(request, parts);
    for (size_t i = 0; i < module->function_count && count > 0; i++)
        if (!repair_function(module, module->functions[i], parts, count))
            return false;
    for (int i = 0; i < count; i++)
        if (!parts[i].done && parts[i].kind->edit) {
            diagnostic_set(diagnostic, 0, "the repair %s %s finds no place", parts[i].kind->name, parts[i].word);
            return false;
        }
    return true;
}
