#include "runtime/emulator/graph/dot.h"

#include <stdio.h>

#include "runtime/emulator/driver/module.h"

enum { DOT_VERBOSE = 1, DOT_KERNEL = 4, DOT_MEMCPY = 8, DOT_MEMSET = 16, DOT_HANDLES = 1 << 10 };

static bool wants(unsigned flags, unsigned detail)
{
    return (flags & (DOT_VERBOSE | detail)) != 0;
}

/* Names of kernels come from the program: only what cannot end the label. */
static void write_name(FILE *file, const char *name)
{
    for (; *name; name++)
        if (*name != '"' && *name != '\\' && (unsigned char)*name >= 32)
            fputc(*name, file);
}

static void write_label(FILE *file, const struct graph_node *node, unsigned flags)
{
    const struct node_work *work = &node->work;
    fprintf(file, "%zu: %s", node->position, node_type_name(work->type));
    if (work->type == CU_GRAPH_NODE_TYPE_KERNEL) {
        const struct kernel_launch *call = &work->kernel.call;
        const struct function *function = function_find(call->function);
        fputs("\\n", file);
        write_name(file, function ? function->kernel->name : "(unloaded)");
        if (wants(flags, DOT_KERNEL))
            fprintf(file, "\\n<<<(%u,%u,%u), (%u,%u,%u), %u>>>", call->grid[0], call->grid[1], call->grid[2], call->block[0],
                    call->block[1], call->block[2], call->shared_bytes);
    } else if (work->type == CU_GRAPH_NODE_TYPE_MEMCPY && wants(flags, DOT_MEMCPY)) {
        fprintf(file, "\\n%zu x %zu x %zu bytes", work->copy.WidthInBytes, work->copy.Height, work->copy.Depth);
    } else if (work->type == CU_GRAPH_NODE_TYPE_MEMSET && wants(flags, DOT_MEMSET)) {
        fprintf(file, "\\n%zu x %zu elements of %u bytes", work->fill.width, work->fill.height, work->fill.elementSize);
    }
    if (wants(flags, DOT_HANDLES))
        fprintf(file, "\\n%p", (void *)node->handle);
}

static void write_graph(FILE *file, const struct graph *graph, unsigned flags)
{
    fprintf(file, "subgraph cluster_%llu {\nlabel=\"graph_%llu\"\n", (unsigned long long)graph->id,
            (unsigned long long)graph->id);
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct graph_node *node = graph->nodes[i];
        fprintf(file, "node_%llu [label=\"", (unsigned long long)node->id);
        write_label(file, node, flags);
        fputs("\"]\n", file);
        if (node->child)
            write_graph(file, node->child, flags);
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct graph_edges *before = &graph->nodes[i]->before;
        for (size_t k = 0; k < before->count; k++)
            fprintf(file, "node_%llu -> node_%llu\n", (unsigned long long)before->list[k].node->id,
                    (unsigned long long)graph->nodes[i]->id);
    }
    fputs("}\n", file);
}

bool dot_write(const struct graph *graph, const char *path, unsigned flags)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs("digraph dot {\n", file);
    write_graph(file, graph, flags);
    fputs("}\n", file);
    bool written = !ferror(file);
    return fclose(file) == 0 && written;
}
