"""The mutation operators that concern what threads do together: barriers, fences, atomics, masks, shared memory."""

import re


def calls(source, *names):
    """Statements that are just the call of one of these: (statement, its neighbours before and behind, or None)."""
    lists = [function.statements for function in source.functions]
    lists += [s.inner for function in source.functions for s in function.walk() if s.kind in ("block", "for", "if")]
    for neighbours in lists:
        for k, statement in enumerate(neighbours):
            if statement.kind == "expression" and source.tokens[statement.first].text in names:
                yield (statement, neighbours[k - 1] if k > 0 else None,
                       neighbours[k + 1] if k + 1 < len(neighbours) else None)


def span(source, first, last):
    return source.tokens[first].start, source.tokens[last - 1].end


def barriers_deleted(source):
    for barrier, _, _ in calls(source, "__syncthreads"):
        yield [(*span(source, barrier.first, barrier.last), ";")]


def barriers_moved(source):
    """Past the statement before it and past the one behind it, unless that declares what others use."""
    for barrier, before, behind in calls(source, "__syncthreads"):
        text = source.text_of(barrier.first, barrier.last)
        for other in (before, behind):
            if other is None or other.kind == "declaration" or other.kind == "return":
                continue
            one, two = (other, barrier) if other is before else (barrier, other)
            new = [source.text_of(two.first, two.last), source.text_of(one.first, one.last)]
            if new[0] != new[1] and text in new:
                yield [(*span(source, one.first, two.last), " ".join(new))]


def barriers_under_if(source):
    for barrier, _, _ in calls(source, "__syncthreads"):
        start = source.tokens[barrier.first].start
        yield [(start, start, "if (threadIdx.x < 8) ")]
        yield [(start, start, "if (threadIdx.x % 2 == 0) ")]


def barriers_narrowed(source):
    for barrier, _, _ in calls(source, "__syncthreads"):
        yield [(*span(source, barrier.first, barrier.last), "__syncwarp();")]


def returns_before_barriers(source):
    """In kernels: the last thread of the block leaves; and the threads without an element, where i and n are known."""
    for barrier, _, _ in calls(source, "__syncthreads"):
        function = source.function_at(barrier.first)
        start = source.tokens[barrier.first].start
        if not function.is_kernel:
            continue
        yield [(start, start, "if (threadIdx.x == blockDim.x - 1) return; ")]
        before = source.text[source.tokens[function.body[0]].start:start]
        if re.search(r"\bint i = blockIdx", before):
            yield [(start, start, "if (i >= n) return; ")]
        if re.search(r"\bint row = ", before):
            yield [(start, start, "if (row >= M) return; ")]


def fences(source):
    for fence, _, _ in calls(source, "__threadfence", "__pipeline_wait_prior", "__pipeline_commit"):
        where = span(source, fence.first, fence.last)
        yield [(*where, ";")]
        if source.tokens[fence.first].text == "__threadfence":
            yield [(*where, "__threadfence_block();")]
    for token in source.tokens:
        if token.text == "volatile":
            yield [(token.start, token.end, "")]


def atomics(source):
    for at, token in enumerate(source.tokens):
        if token.text != "atomicAdd":
            continue
        parts = source.split(at + 2, source.closing(at + 1))
        place, value = (source.text_of(*part) for part in parts)
        end = source.tokens[source.closing(at + 1)].end
        target = place[1:] if place.startswith("&") else f"*({place})"
        used = not source.is_sign(source.closing(at + 1) + 1, ";") or source.is_sign(at - 1, "=", ")")
        yield [(token.start, end, f"{target}++" if used else f"{target} += {value}")]
        yield [(token.start, token.end, "atomicAdd_block")]
        for other in ("atomicSub", "atomicExch", "atomicMax"):
            yield [(token.start, token.end, other)]


def masks(source):
    for token in source.tokens:
        if token.text in ("0xffffffffu",):
            for text in ("0x0000ffffu", "0x7fffffffu", "0xfffffffeu", "0u"):
                yield [(token.start, token.end, text)]


SHUFFLES = {
    "__shfl_up_sync": ("__shfl_down_sync", "__shfl_sync"),
    "__shfl_down_sync": ("__shfl_up_sync", "__shfl_xor_sync", "__shfl_sync"),
    "__shfl_xor_sync": ("__shfl_down_sync", "__shfl_up_sync"),
    "__shfl_sync": ("__shfl_down_sync",),
    "__any_sync": ("__all_sync",),
}


def shuffles(source):
    for token in source.tokens:
        for text in SHUFFLES.get(token.text, ()):
            yield [(token.start, token.end, text)]


def shared_declarations(source):
    for function in source.functions:
        for statement in function.walk():
            if statement.kind == "declaration" and source.tokens[statement.first].text == "__shared__":
                yield statement


def shared_arrays(source):
    for statement in shared_declarations(source):
        for at in range(statement.first, statement.last):
            if source.is_sign(at, "["):
                end = source.closing(at)
                extent = source.text_of(at + 1, end)
                where = span(source, at + 1, end)
                if "+ 1" in extent:
                    yield [(*where, extent.replace(" + 1", ""))]
                elif "PADDED" in extent:
                    yield [(*where, extent[len("PADDED("):-1])]
                else:
                    yield [(*where, f"({extent}) - 1")]
                    yield [(*where, f"({extent}) / 2")]
    for match in re.finditer(r"\(\(i\) \+ \(i\) / 32\)", source.text):
        yield [(match.start(), match.end(), "(i)")]


def storage(source):
    for statement in shared_declarations(source):
        token = source.tokens[statement.first]
        yield [(token.start, token.end, "")]


AXES = {
    "threadIdx.x": ("threadIdx.y", "blockIdx.x"), "threadIdx.y": ("threadIdx.x",),
    "blockIdx.x": ("blockIdx.y", "threadIdx.x", "gridDim.x"), "blockIdx.y": ("blockIdx.x",),
    "blockDim.x": ("gridDim.x",), "blockDim.y": ("blockDim.x",), "gridDim.x": ("blockDim.x",),
}


def axes(source):
    for at in range(len(source.tokens) - 2):
        for text in AXES.get(source.text_of(at, at + 3), ()):
            yield [(*span(source, at, at + 3), text)]
