"""What the driver API answers about graphs and stream capture: a line per case with the result codes (and values) of its
calls, the same on every driver.

graph_codes.py [CASE]    default: every case, each in a process of its own
"""

import concurrent.futures
import ctypes
import os
import subprocess
import sys
import threading
from ctypes import POINTER, Structure, byref, c_char, c_int, c_size_t, c_ubyte, c_uint, c_uint64, c_ushort, c_void_p

HEADER = b".version 7.0\n.target sm_75\n.address_size 64\n"
STORE = b"""(.param .u64 p, .param .u32 x) { .reg .u64 %a; .reg .u32 %v; ld.param.u64 %a, [p];
    ld.param.u32 %v, [x]; st.global.u32 [%a], %v; ret; }\n"""
PTX = (HEADER + b".visible .entry nothing() { ret; }\n.visible .entry store" + STORE + b".visible .entry other" + STORE
       + b"\0")
INVALID = HEADER + b".visible .entry f() { frobnicate; }\n\0"
GLOBAL, THREAD_LOCAL, RELAXED = 0, 1, 2
HOST, DEVICE = 1, 2
JOBS, TIMEOUT_S = 6, 600

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


class Kernel(Structure):
    _fields_ = [("func", c_void_p), ("grid", c_uint * 3), ("block", c_uint * 3), ("shared", c_uint),
                ("parameters", c_void_p), ("extra", c_void_p), ("kern", c_void_p), ("ctx", c_void_p)]


class Memset(Structure):
    _fields_ = [("dst", c_uint64), ("pitch", c_size_t), ("value", c_uint), ("element", c_uint), ("width", c_size_t),
                ("height", c_size_t)]


class Host(Structure):
    _fields_ = [("fn", c_void_p), ("data", c_void_p)]


class Side(Structure):
    _fields_ = [("x", c_size_t), ("y", c_size_t), ("z", c_size_t), ("lod", c_size_t), ("type", c_size_t), ("host", c_void_p),
                ("device", c_uint64), ("array", c_void_p), ("reserved", c_void_p), ("pitch", c_size_t), ("height", c_size_t)]


class Copy(Structure):
    _fields_ = [("source", Side), ("target", Side), ("width", c_size_t), ("height", c_size_t), ("depth", c_size_t)]


class Alloc(Structure):
    _fields_ = [("type", c_int), ("handles", c_int), ("location_type", c_int), ("location", c_int), ("security", c_void_p),
                ("most", c_size_t), ("usage", c_ushort), ("reserved", c_char * 54), ("access", c_void_p),
                ("access_count", c_size_t), ("bytes", c_size_t), ("dptr", c_uint64)]


class Result(Structure):
    _fields_ = [("result", c_int), ("node", c_void_p), ("origin", c_void_p)]


class Instantiate(Structure):
    _fields_ = [("flags", c_uint64), ("stream", c_void_p), ("node", c_void_p), ("result", c_int)]


class Parameters(Structure):
    _fields_ = [("type", c_int), ("reserved", c_int * 3), ("bytes", c_ubyte * 232), ("reserved2", c_uint64)]


FUNCTION = ctypes.CFUNCTYPE(None, c_void_p)


class Driver:
    """The driver with its primary context current; calls take Python numbers as 64-bit ones."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.context = c_void_p()
        self.cuInit(0)
        self.cuDevicePrimaryCtxRetain(byref(self.context), 0)
        self.cuCtxSetCurrent(self.context)
        self.kept = []
        self.code = c_void_p()
        self.cuModuleLoadData(byref(self.code), PTX)

    def __getattr__(self, name):
        function = getattr(self.library, name)
        return lambda *arguments: function(*[c_size_t(a) if isinstance(a, int) else a for a in arguments])

    def allocate(self, size=256):
        address = c_uint64()
        self.cuMemAlloc_v2(byref(address), size)
        return address.value

    def function(self, name):
        function = c_void_p()
        self.cuModuleGetFunction(byref(function), self.code, name)
        return function

    def created(self, name, *arguments):
        handle = c_void_p()
        getattr(self, name)(byref(handle), *arguments)
        return handle

    def graph(self):
        return self.created("cuGraphCreate", 0)

    def stream(self, flags=1):
        return self.created("cuStreamCreate", flags)

    def event(self):
        return self.created("cuEventCreate", 2)

    def read(self, address):
        value = c_uint(0)
        self.cuMemcpyDtoH_v2(byref(value), address, 4)
        return value.value

    def values(self, *arguments):
        """The array that kernelParams wants; the values live as long as the driver."""
        array = (c_void_p * (len(arguments) + 1))(*[ctypes.cast(byref(a), c_void_p) for a in arguments])
        self.kept += [arguments, array]
        return ctypes.cast(array, c_void_p)

    def kernel(self, name=b"nothing", arguments=(), grid=(1, 1, 1), block=(1, 1, 1), shared=0):
        return Kernel(self.function(name), (c_uint * 3)(*grid), (c_uint * 3)(*block), shared,
                      self.values(*arguments) if arguments else None, None, None, None)

    def store(self, address, value, name=b"store"):
        return self.kernel(name, (c_uint64(address), c_uint(value)))

    def add(self, kind, graph, parameters, before=(), context=False):
        """(code, node) of adding a node of that kind."""
        node = c_void_p()
        array = (c_void_p * max(len(before), 1))(*before)
        arguments = [byref(node), graph, array if before else None, len(before)]
        if parameters is not None:
            arguments.append(parameters)
        if context:
            arguments.append(self.context)
        return getattr(self, "cuGraphAdd" + kind)(*arguments), node

    def add_kernel(self, graph, kernel, before=()):
        return self.add("KernelNode_v2", graph, byref(kernel) if kernel else 0, before)

    def empty(self, graph, before=()):
        return self.add("EmptyNode", graph, None, before)[1]

    def instantiate(self, graph, flags=0):
        executable = c_void_p()
        return self.cuGraphInstantiateWithFlags(byref(executable), graph, flags), executable

    def begin(self, stream, mode=GLOBAL):
        return self.cuStreamBeginCapture_v2(stream, mode)

    def end(self, stream):
        graph = c_void_p()
        return self.cuStreamEndCapture(stream, byref(graph)), bool(graph.value)

    def captured(self, stream, *calls, mode=GLOBAL):
        """The codes of calls between beginning and end of a capture, and of the end."""
        codes = [self.begin(stream, mode)]
        codes += [call() for call in calls]
        return codes + list(self.end(stream))

    def launch(self, stream, kernel):
        return self.cuLaunchKernel(kernel.func, *kernel.grid, *kernel.block, kernel.shared, stream,
                                   c_void_p(kernel.parameters), None)

    def count(self, name, handle):
        number = c_size_t(99)
        return getattr(self, name)(handle, None, byref(number)), number.value


def copy_of(source, target, size, kinds=(DEVICE, DEVICE)):
    sides = []
    for address, kind in zip((source, target), kinds):
        sides.append(Side(type=kind, host=address if kind == HOST else None, device=address if kind == DEVICE else 0,
                          pitch=size, height=1))
    return Copy(sides[0], sides[1], size, 1, 1)


def allocation(size=1024):
    return Alloc(type=1, location_type=1, location=0, bytes=size)


# ---- graphs ----

@case
def create_a_graph(cuda):
    graph = c_void_p()
    return cuda.cuGraphCreate(byref(graph), 1), cuda.cuGraphCreate(None, 0), cuda.cuGraphCreate(byref(graph), 0), \
        cuda.cuGraphDestroy(graph), cuda.cuGraphDestroy(None)


@case
def kernel_nodes(cuda):
    graph, other = cuda.graph(), cuda.graph()
    strange = cuda.empty(other)
    mine = cuda.empty(graph)
    no_function = cuda.kernel()
    no_function.func = None
    no_parameters = cuda.kernel(b"store")
    return [cuda.add_kernel(graph, kernel, before)[0] for kernel, before in (
        (cuda.kernel(), ()), (None, ()), (no_function, ()), (cuda.kernel(grid=(0, 1, 1)), ()),
        (cuda.kernel(block=(2048, 1, 1)), ()), (cuda.kernel(block=(1, 1, 65)), ()), (cuda.kernel(shared=1 << 20), ()),
        (no_parameters, ()), (cuda.kernel(), (strange,)), (cuda.kernel(), (mine,)), (cuda.kernel(), (mine, mine)),
        (cuda.kernel(), (None,)))]


@case
def where_nodes_go(cuda):
    graph, node = cuda.graph(), c_void_p()
    return (cuda.cuGraphAddEmptyNode(byref(node), None, None, 0), cuda.cuGraphAddEmptyNode(None, graph, None, 0),
            cuda.cuGraphAddEmptyNode(byref(node), graph, None, 1), cuda.cuGraphAddEmptyNode(byref(node), graph, None, 0),
            cuda.cuGraphDestroyNode(None), cuda.cuGraphDestroyNode(node))


@case
def memset_nodes(cuda):
    graph, address = cuda.graph(), cuda.allocate()
    return [cuda.add("MemsetNode", graph, byref(wanted), context=True)[0] for wanted in (
        Memset(address, 0, 7, 4, 64, 1), Memset(address, 0, 7, 3, 16, 1), Memset(address, 0, 7, 4, 0, 1),
        Memset(address, 0, 7, 4, 16, 0), Memset(address + 2, 0, 7, 4, 16, 1), Memset(0, 0, 7, 4, 16, 1),
        Memset(address, 0, 7, 4, 65, 1), Memset(0x123450, 0, 7, 4, 16, 1), Memset(address, 64, 7, 4, 16, 4),
        Memset(address, 32, 7, 4, 16, 4), Memset(address, 64, 7, 4, 16, 5), Memset(address, 0, 300, 1, 16, 1))]


@case
def memcpy_nodes(cuda):
    graph, one, two = cuda.graph(), cuda.allocate(), cuda.allocate()
    host = ctypes.create_string_buffer(256)
    cuda.kept.append(host)
    address = ctypes.addressof(host)
    return [cuda.add("MemcpyNode", graph, byref(wanted), context=True)[0] for wanted in (
        copy_of(one, two, 256), copy_of(one, two, 257), copy_of(one, two, 0), copy_of(address, two, 256, (HOST, DEVICE)),
        copy_of(two, address, 256, (DEVICE, HOST)), copy_of(address, address, 16, (HOST, HOST)),
        copy_of(0x123450, two, 16), copy_of(0, two, 16), copy_of(0, two, 16, (HOST, DEVICE)), copy_of(one, two, 16, (7, 2)))]


@case
def other_nodes(cuda):
    graph, event = cuda.graph(), cuda.event()
    return (cuda.add("EventRecordNode", graph, event)[0], cuda.add("EventWaitNode", graph, event)[0],
            cuda.add("ChildGraphNode", graph, cuda.graph())[0])


@case
def dependencies(cuda):
    graph, other = cuda.graph(), cuda.graph()
    a, b, c, strange = cuda.empty(graph), cuda.empty(graph), cuda.empty(graph), cuda.empty(other)

    def edge(name, start, end, count=1):
        return getattr(cuda, name)(graph, byref(start), byref(end), count)

    codes = [edge("cuGraphAddDependencies", a, b), edge("cuGraphAddDependencies", a, b),
             edge("cuGraphAddDependencies", a, a), edge("cuGraphAddDependencies", b, c),
             cuda.count("cuGraphGetRootNodes", graph),
             edge("cuGraphAddDependencies", a, strange), edge("cuGraphAddDependencies", strange, a),
             cuda.cuGraphAddDependencies(graph, None, None, 1), cuda.cuGraphAddDependencies(graph, None, None, 0),
             edge("cuGraphRemoveDependencies", a, c), edge("cuGraphRemoveDependencies", a, b)]
    codes += [edge("cuGraphAddDependencies", a, b), cuda.instantiate(graph)[0], edge("cuGraphAddDependencies", c, a),
              cuda.instantiate(graph)[0], cuda.cuGraphGetNodes(graph, None, None), cuda.count("cuGraphGetNodes", graph)]
    number, start, end = c_size_t(0), (c_void_p * 8)(*[9] * 8), (c_void_p * 8)()
    codes += [cuda.cuGraphGetEdges(graph, None, None, byref(number)), number.value]
    number.value = 8
    codes += [cuda.cuGraphGetEdges(graph, start, end, byref(number)), number.value, start[7]]
    number.value = 1
    codes += [cuda.cuGraphGetEdges(graph, start, end, byref(number)), number.value]
    number.value = 2
    codes += [cuda.cuGraphGetEdges(graph, start, None, byref(number)), cuda.cuGraphDestroyNode(b),
              cuda.count("cuGraphNodeGetDependencies", c), cuda.count("cuGraphNodeGetDependentNodes", a)]
    return codes


@case
def nodes_that_are_listed(cuda):
    graph = cuda.graph()
    a, b = cuda.empty(graph), cuda.empty(graph)
    nodes, number = (c_void_p * 4)(9, 9, 9, 9), c_size_t(4)
    codes = [cuda.cuGraphGetNodes(graph, nodes, byref(number)), number.value, nodes[0] == a.value, nodes[1] == b.value,
             nodes[2], nodes[3]]
    number.value = 1
    nodes[1] = 9
    return codes + [cuda.cuGraphGetNodes(graph, nodes, byref(number)), number.value, nodes[1]]


@case
def parameters_of_the_wrong_kind(cuda):
    graph, node = cuda.graph(), None
    node = cuda.empty(graph)
    kernel, child, event = Kernel(), c_void_p(), c_void_p()
    kind = c_int()
    return (cuda.cuGraphKernelNodeGetParams_v2(node, byref(kernel)), cuda.cuGraphChildGraphNodeGetGraph(node, byref(child)),
            cuda.cuGraphEventRecordNodeGetEvent(node, byref(event)), cuda.cuGraphMemsetNodeGetParams(node, byref(Memset())),
            cuda.cuGraphHostNodeGetParams(node, byref(Host())), cuda.cuGraphNodeGetType(node, byref(kind)), kind.value,
            cuda.cuGraphNodeGetType(None, byref(kind)), cuda.cuGraphNodeGetType(node, None),
            cuda.cuGraphKernelNodeGetParams_v2(node, None),
            cuda.cuGraphKernelNodeSetParams_v2(node, byref(cuda.kernel())))


@case
def parameters_are_copied(cuda):
    graph, address = cuda.graph(), cuda.allocate()
    value = c_uint(5)
    kernel = cuda.kernel(b"store", (c_uint64(address), value))
    code, node = cuda.add_kernel(graph, kernel)
    value.value = 6
    first, executable = cuda.instantiate(graph)
    codes = [code, first, cuda.cuGraphLaunch(executable, None), cuda.read(address)]
    read = Kernel()
    codes += [cuda.cuGraphKernelNodeGetParams_v2(node, byref(read)), read.func == kernel.func,
              ctypes.cast(ctypes.cast(read.parameters, POINTER(c_void_p))[1], POINTER(c_uint))[0]]
    codes += [cuda.cuGraphKernelNodeSetParams_v2(node, byref(cuda.store(address, 9))),
              cuda.cuGraphLaunch(executable, None), cuda.read(address),
              cuda.cuGraphExecKernelNodeSetParams_v2(executable, node, byref(cuda.store(address, 10))),
              cuda.cuGraphLaunch(executable, None), cuda.read(address),
              cuda.cuGraphExecKernelNodeSetParams_v2(executable, node, byref(cuda.store(address, 11, b"other"))),
              cuda.cuGraphLaunch(executable, None), cuda.read(address),
              cuda.cuGraphExecKernelNodeSetParams_v2(executable, node, byref(cuda.kernel(grid=(0, 1, 1)))),
              cuda.cuGraphExecKernelNodeSetParams_v2(executable, node, None)]
    return codes


@case
def clones(cuda):
    graph, clone, found = cuda.graph(), c_void_p(), c_void_p()
    a = cuda.empty(graph)
    codes = [cuda.cuGraphClone(byref(clone), graph), cuda.cuGraphNodeFindInClone(byref(found), a, clone),
             found.value == a.value, cuda.cuGraphNodeFindInClone(byref(found), a, graph)]
    later = cuda.empty(graph)
    codes += [cuda.cuGraphNodeFindInClone(byref(found), later, clone), cuda.cuGraphClone(byref(clone), None),
              cuda.cuGraphClone(None, graph), cuda.cuGraphNodeFindInClone(byref(found), found, clone)]
    return codes


@case
def children(cuda):
    graph, child, inside = cuda.graph(), cuda.graph(), c_void_p()
    cuda.empty(child)
    code, node = cuda.add("ChildGraphNode", graph, child)
    codes = [code, cuda.cuGraphChildGraphNodeGetGraph(node, byref(inside)), inside.value == child.value]
    later = cuda.empty(child)
    codes += [cuda.count("cuGraphGetNodes", inside), cuda.count("cuGraphGetNodes", child),
              cuda.cuGraphNodeFindInClone(byref(c_void_p()), later, inside), cuda.cuGraphDestroy(child),
              cuda.instantiate(graph)[0]]
    with_memory = cuda.graph()
    cuda.add("MemAllocNode", with_memory, byref(allocation()))
    return codes + [cuda.add("ChildGraphNode", graph, with_memory)[0]]


@case
def instantiations(cuda):
    graph = cuda.graph()
    executable, wanted = c_void_p(), Instantiate()
    codes = [cuda.instantiate(graph, flags)[0] for flags in (0, 1, 2, 8, 16)]
    codes += [cuda.cuGraphInstantiateWithFlags(None, graph, 0), cuda.cuGraphInstantiateWithFlags(byref(executable), None, 0),
              cuda.cuGraphInstantiateWithParams(byref(executable), graph, byref(wanted)), wanted.result,
              cuda.cuGraphInstantiateWithParams(byref(executable), graph, None)]
    _, executable = cuda.instantiate(graph, 8)
    flags = c_uint64(99)
    codes += [cuda.cuGraphExecGetFlags(executable, byref(flags)), flags.value, cuda.cuGraphLaunch(executable, None),
              cuda.cuGraphLaunch(None, None), cuda.cuGraphUpload(executable, None), cuda.cuGraphUpload(None, None),
              cuda.cuGraphDestroy(graph), cuda.cuGraphLaunch(executable, None), cuda.cuGraphExecDestroy(executable),
              cuda.cuGraphExecDestroy(None)]
    return codes


@case
def a_cycle(cuda):
    graph, wanted, executable = cuda.graph(), Instantiate(), c_void_p()
    a = cuda.empty(graph)
    b = cuda.empty(graph, (a,))
    codes = [cuda.cuGraphAddDependencies(graph, byref(b), byref(a), 1)]
    codes += [cuda.cuGraphInstantiateWithParams(byref(executable), graph, byref(wanted)), wanted.result,
              wanted.node in (a.value, b.value), cuda.instantiate(graph)[0]]
    return codes


@case
def updates(cuda):
    address, other = cuda.allocate(), cuda.allocate()

    def make(first, *rest):
        graph = cuda.graph()
        before = ()
        for kind, parameters in (first, *rest):
            with_context = kind in ("MemsetNode", "MemcpyNode")
            _, node = cuda.add(kind, graph, byref(parameters) if parameters else None, before, with_context)
            before = (node,)
        return graph

    store = ("KernelNode_v2", cuda.store(address, 1))
    fill, copy, empty = ("MemsetNode", Memset(address, 0, 7, 4, 16, 1)), ("MemcpyNode", copy_of(address, other, 64)), \
        ("EmptyNode", None)
    host = ctypes.create_string_buffer(256)
    cuda.kept.append(host)
    codes = []
    for before, after in (
            ([store], [("KernelNode_v2", cuda.store(address, 2))]),
            ([store], [("KernelNode_v2", cuda.store(address, 2, b"other"))]),
            ([store], [fill]), ([store], [store, empty]), ([store, empty], [store]), ([store, fill], [fill, store]),
            ([fill], [("MemsetNode", Memset(other, 0, 9, 1, 64, 1))]),
            ([fill], [("MemsetNode", Memset(address, 64, 9, 4, 16, 4))]),
            ([copy], [("MemcpyNode", copy_of(other, address, 32))]),
            ([copy], [("MemcpyNode", copy_of(ctypes.addressof(host), other, 64, (HOST, DEVICE)))]),
            ([("KernelNode_v2", cuda.kernel())], [("KernelNode_v2", cuda.kernel(grid=(2, 1, 1), block=(64, 1, 1)))])):
        _, executable = cuda.instantiate(make(*before))
        result = Result(77)
        codes.append((cuda.cuGraphExecUpdate_v2(executable, make(*after), byref(result)), result.result, bool(result.node),
                      bool(result.origin)))
    _, executable = cuda.instantiate(make(store))
    return codes + [cuda.cuGraphExecUpdate_v2(executable, None, byref(Result())),
                    cuda.cuGraphExecUpdate_v2(executable, make(store), None)]


@case
def a_reversed_edge_in_an_update(cuda):
    one, two = cuda.graph(), cuda.graph()
    a = cuda.empty(one)
    cuda.empty(one, (a,))
    cuda.empty(two)
    cuda.empty(two)
    _, executable = cuda.instantiate(one)
    result = Result(77)
    return cuda.cuGraphExecUpdate_v2(executable, two, byref(result)), result.result, bool(result.node), bool(result.origin)


@case
def setting_in_an_executable(cuda):
    graph, other, address = cuda.graph(), cuda.graph(), cuda.allocate()
    fill = Memset(address, 0, 7, 4, 16, 1)
    host = ctypes.create_string_buffer(256)
    cuda.kept.append(host)
    _, memset = cuda.add("MemsetNode", graph, byref(fill), context=True)
    _, copy = cuda.add("MemcpyNode", graph, byref(copy_of(address, address + 128, 64)), context=True)
    _, kernel = cuda.add_kernel(graph, cuda.kernel())
    _, strange = cuda.add_kernel(other, cuda.kernel())
    _, executable = cuda.instantiate(graph)
    later = cuda.add_kernel(graph, cuda.kernel())[1]
    two_rows = Memset(address, 64, 7, 4, 16, 2)
    return (cuda.cuGraphExecKernelNodeSetParams_v2(executable, strange, byref(cuda.kernel())),
            cuda.cuGraphExecKernelNodeSetParams_v2(executable, later, byref(cuda.kernel())),
            cuda.cuGraphExecKernelNodeSetParams_v2(executable, memset, byref(cuda.kernel())),
            cuda.cuGraphExecMemsetNodeSetParams(executable, memset, byref(Memset(address, 0, 9, 1, 16, 1)), cuda.context),
            cuda.cuGraphExecMemsetNodeSetParams(executable, memset, byref(two_rows), cuda.context),
            cuda.cuGraphExecMemcpyNodeSetParams(executable, copy, byref(copy_of(address + 128, address, 32)), cuda.context),
            cuda.cuGraphExecMemcpyNodeSetParams(executable, copy,
                                                byref(copy_of(ctypes.addressof(host), address, 32, (HOST, DEVICE))),
                                                cuda.context),
            cuda.cuGraphExecKernelNodeSetParams_v2(executable, kernel, byref(cuda.kernel(block=(2048, 1, 1)))))


@case
def enabling(cuda):
    graph, address = cuda.graph(), cuda.allocate()
    _, kernel = cuda.add_kernel(graph, cuda.store(address, 5))
    empty = cuda.empty(graph)
    _, memset = cuda.add("MemsetNode", graph, byref(Memset(address + 64, 0, 7, 4, 16, 1)), context=True)
    _, executable = cuda.instantiate(graph)
    on = c_uint(99)
    cuda.cuMemsetD32_v2(c_uint64(address), 1, 4)
    codes = [cuda.cuGraphNodeGetEnabled(executable, kernel, byref(on)), on.value,
             cuda.cuGraphNodeSetEnabled(executable, kernel, 0), cuda.cuGraphNodeGetEnabled(executable, kernel, byref(on)),
             on.value, cuda.cuGraphLaunch(executable, None), cuda.read(address),
             cuda.cuGraphNodeSetEnabled(executable, kernel, 1), cuda.cuGraphLaunch(executable, None), cuda.read(address)]
    return codes + [cuda.cuGraphNodeSetEnabled(executable, empty, 0),
                    cuda.cuGraphNodeGetEnabled(executable, empty, byref(on)),
                    cuda.cuGraphNodeSetEnabled(executable, memset, 0), cuda.cuGraphNodeGetEnabled(executable, kernel, None)]


@case
def memory_of_graphs(cuda):
    graph, wanted = cuda.graph(), allocation()
    code, node = cuda.add("MemAllocNode", graph, byref(wanted))
    codes = [code, bool(wanted.dptr), cuda.add("MemFreeNode", graph, c_uint64(wanted.dptr), (node,))[0],
             cuda.add("MemFreeNode", graph, c_uint64(wanted.dptr), (node,))[0],
             cuda.add("MemFreeNode", graph, c_uint64(cuda.allocate()))[0], cuda.add("MemFreeNode", graph, 0)[0],
             cuda.add("MemAllocNode", graph, byref(allocation(0)))[0], cuda.cuGraphClone(byref(c_void_p()), graph),
             cuda.cuGraphDestroyNode(node)]
    first, executable = cuda.instantiate(graph)
    codes += [first, cuda.instantiate(graph)[0], cuda.cuGraphLaunch(executable, None), cuda.cuGraphLaunch(executable, None),
              cuda.cuCtxSynchronize(), cuda.add("EmptyNode", graph, None)[0],
              cuda.add("MemAllocNode", graph, byref(allocation()))[0]]
    read = Alloc()
    codes += [cuda.cuGraphMemAllocNodeGetParams(node, byref(read)), read.dptr == wanted.dptr, read.bytes,
              cuda.cuGraphExecDestroy(executable), cuda.instantiate(graph)[0]]
    return codes


@case
def memory_that_a_graph_leaves(cuda):
    graph, wanted = cuda.graph(), allocation()
    code, node = cuda.add("MemAllocNode", graph, byref(wanted))
    first, executable = cuda.instantiate(graph)
    codes = [code, first, cuda.cuMemsetD32_v2(c_uint64(wanted.dptr), 1, 4), cuda.cuGraphLaunch(executable, None),
             cuda.cuCtxSynchronize(), cuda.cuMemsetD32_v2(c_uint64(wanted.dptr), 1, 4), cuda.cuGraphLaunch(executable, None),
             cuda.cuMemFree_v2(c_uint64(wanted.dptr)), cuda.cuGraphLaunch(executable, None),
             cuda.cuMemFreeAsync(c_uint64(wanted.dptr), None), cuda.cuMemFreeAsync(c_uint64(wanted.dptr), None),
             cuda.cuGraphLaunch(executable, None), cuda.cuGraphExecDestroy(executable), cuda.cuGraphDestroy(graph),
             cuda.cuMemsetD32_v2(c_uint64(wanted.dptr), 1, 4), cuda.cuMemFree_v2(c_uint64(wanted.dptr))]
    return codes


@case
def memory_that_is_freed_on_launch(cuda):
    graph, wanted = cuda.graph(), allocation()
    cuda.add("MemAllocNode", graph, byref(wanted))
    first, executable = cuda.instantiate(graph, 1)
    return (first, cuda.cuGraphLaunch(executable, None), cuda.cuGraphLaunch(executable, None),
            cuda.cuMemFree_v2(c_uint64(wanted.dptr)), cuda.cuGraphLaunch(executable, None), cuda.cuCtxSynchronize())


@case
def memory_freed_by_another_graph(cuda):
    graph, other, wanted = cuda.graph(), cuda.graph(), allocation()
    cuda.add("MemAllocNode", graph, byref(wanted))
    code, _ = cuda.add("MemFreeNode", other, c_uint64(wanted.dptr))
    _, one = cuda.instantiate(graph)
    _, two = cuda.instantiate(other)
    return (code, cuda.cuGraphLaunch(one, None), cuda.cuGraphLaunch(two, None), cuda.cuGraphLaunch(one, None),
            cuda.cuGraphLaunch(two, None), cuda.cuGraphLaunch(two, None), cuda.cuCtxSynchronize())


@case
def memory_attributes(cuda):
    value = c_uint64(99)
    graph, wanted = cuda.graph(), allocation(1 << 20)
    cuda.add("MemAllocNode", graph, byref(wanted))
    _, executable = cuda.instantiate(graph)
    codes = [cuda.cuDeviceGetGraphMemAttribute(0, 0, byref(value)), value.value, cuda.cuGraphLaunch(executable, None),
             cuda.cuCtxSynchronize(), cuda.cuDeviceGetGraphMemAttribute(0, 0, byref(value)), value.value >= 1 << 20,
             cuda.cuDeviceGetGraphMemAttribute(0, 2, byref(value)), value.value >= 1 << 20,
             cuda.cuMemFree_v2(c_uint64(wanted.dptr)), cuda.cuDeviceGetGraphMemAttribute(0, 0, byref(value)),
             value.value > 0,
             cuda.cuDeviceGetGraphMemAttribute(0, 1, byref(value)), value.value >= 1 << 20,
             cuda.cuDeviceGraphMemTrim(0), cuda.cuDeviceGetGraphMemAttribute(0, 4, byref(value)),
             cuda.cuDeviceSetGraphMemAttribute(0, 0, byref(c_uint64(0))),
             cuda.cuDeviceSetGraphMemAttribute(0, 1, byref(c_uint64(0))),
             cuda.cuDeviceSetGraphMemAttribute(0, 1, byref(c_uint64(5))), cuda.cuDeviceGraphMemTrim(7),
             cuda.cuDeviceGetGraphMemAttribute(7, 0, byref(value)), cuda.cuDeviceGetGraphMemAttribute(0, 0, None)]
    return codes


@case
def user_objects(cuda):
    calls = []
    destroy = FUNCTION(lambda data: calls.append(1))
    graph, made = cuda.graph(), c_void_p()
    function = ctypes.cast(destroy, c_void_p)
    codes = [cuda.cuUserObjectCreate(byref(made), None, function, 0, 1),
             cuda.cuUserObjectCreate(byref(made), None, function, 1, 0),
             cuda.cuUserObjectCreate(byref(made), None, None, 1, 1), cuda.cuUserObjectCreate(None, None, function, 1, 1),
             cuda.cuUserObjectCreate(byref(made), None, function, 2, 1)]
    codes += [cuda.cuUserObjectRetain(made, 0), cuda.cuUserObjectRetain(None, 1), cuda.cuUserObjectRelease(None, 1),
              cuda.cuUserObjectRelease(made, 0), cuda.cuGraphRetainUserObject(graph, made, 1, 2),
              cuda.cuGraphRetainUserObject(graph, made, 0, 0), cuda.cuGraphRetainUserObject(graph, made, 1, 1),
              cuda.cuGraphRetainUserObject(graph, made, 1, 0),
              cuda.cuGraphReleaseUserObject(graph, made, 1), cuda.cuUserObjectRelease(made, 1), len(calls)]
    codes += [cuda.cuGraphDestroy(graph), cuda.cuCtxSynchronize()]
    for _ in range(100):
        if calls:
            break
        threading.Event().wait(0.01)
    return codes + [len(calls)]


@case
def nodes_of_every_kind_by_one_call(cuda):
    graph, node = cuda.graph(), c_void_p()
    codes = []
    for kind in (0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 14, 15):
        wanted = Parameters(kind)
        codes.append(cuda.cuGraphAddNode_v2(byref(node), graph, None, None, 0, byref(wanted)))
    wanted = Parameters(5)
    wanted.reserved[0] = 1
    codes.append(cuda.cuGraphAddNode_v2(byref(node), graph, None, None, 0, byref(wanted)))
    wanted = Parameters(5)
    wanted.bytes[3] = 1
    codes.append(cuda.cuGraphAddNode_v2(byref(node), graph, None, None, 0, byref(wanted)))
    codes += [cuda.cuGraphNodeSetParams(node, byref(Parameters(5))), cuda.cuGraphNodeSetParams(node, byref(Parameters(0)))]
    return codes


@case
def edges_with_data(cuda):
    graph = cuda.graph()
    a, b = cuda.empty(graph), cuda.empty(graph)
    codes = []
    for data in ((0, 0, 0, 0), (1, 0, 1, 0), (0, 1, 0, 0), (0, 0, 2, 0), (0, 0, 0, 1)):
        edge = (c_ubyte * 8)(*data)
        codes.append(cuda.cuGraphAddDependencies_v2(graph, byref(a), byref(b), edge, 1))
    _, c = cuda.add_kernel(graph, cuda.kernel())
    _, d = cuda.add_kernel(graph, cuda.kernel())
    edge = (c_ubyte * 8)(1, 0, 1, 0)
    codes.append(cuda.cuGraphAddDependencies_v2(graph, byref(c), byref(d), edge, 1))
    number, dependencies, data = c_size_t(4), (c_void_p * 4)(), ((c_ubyte * 8) * 4)()
    codes += [cuda.cuGraphNodeGetDependencies_v2(d, dependencies, data, byref(number)), number.value, list(data[0])[:3]]
    number.value = 4
    codes += [cuda.cuGraphNodeGetDependencies(d, dependencies, byref(number)),
              cuda.cuGraphRemoveDependencies(graph, byref(c), byref(d), 1),
              cuda.cuGraphRemoveDependencies_v2(graph, byref(c), byref(d), edge, 1)]
    return codes


@case
def dot_files(cuda):
    graph = cuda.graph()
    cuda.add_kernel(graph, cuda.kernel())
    path = f"/tmp/graph_codes_{os.getpid()}.dot"
    codes = [cuda.cuGraphDebugDotPrint(graph, path.encode(), 0), os.path.exists(path)]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    sys.stderr.write(text)
    os.remove(path)
    return codes + ["digraph" in text, cuda.cuGraphDebugDotPrint(graph, b"/nowhere/at/all.dot", 0),
                    cuda.cuGraphDebugDotPrint(graph, None, 0), cuda.cuGraphDebugDotPrint(None, path.encode(), 0)]


# ---- capture ----

@case
def captures(cuda):
    stream, address = cuda.stream(), cuda.allocate()
    cuda.cuMemsetD32_v2(c_uint64(address), 1, 4)
    status = c_int(9)
    codes = [cuda.begin(stream), cuda.cuStreamIsCapturing(stream, byref(status)), status.value,
             cuda.launch(stream, cuda.store(address, 5)), cuda.begin(stream)]
    graph = c_void_p()
    codes += [cuda.cuStreamEndCapture(stream, byref(graph)), cuda.count("cuGraphGetNodes", graph), cuda.read(address)]
    first, executable = cuda.instantiate(graph)
    return codes + [first, cuda.cuGraphLaunch(executable, stream), cuda.cuStreamSynchronize(stream), cuda.read(address)]


@case
def captures_of_wrong_streams(cuda):
    stream = cuda.stream()
    return (cuda.begin(None), cuda.begin(1), cuda.begin(2), cuda.end(c_void_p(2)), cuda.begin(stream, 3), cuda.end(stream),
            cuda.begin(stream), cuda.end(cuda.stream()), cuda.cuStreamEndCapture(stream, None),
            cuda.cuStreamIsCapturing(stream, None), cuda.end(stream))


@case
def refused_in_a_capture(cuda):
    """What is refused while this thread captures in each mode, and whether it ends the capture."""
    other, event, address, host = cuda.stream(), cuda.event(), cuda.allocate(), ctypes.create_string_buffer(64)
    blocking = cuda.stream(0)
    graph = cuda.graph()
    cuda.empty(graph)
    _, executable = cuda.instantiate(graph)
    cuda.cuEventRecord(event, other)
    made, number = c_uint64(), c_size_t()
    first = c_void_p()
    cuda.cuMemAllocHost_v2(byref(first), 64)
    calls = {
        "malloc": lambda _: cuda.cuMemAlloc_v2(byref(made), 64),
        "free": lambda _: cuda.cuMemFree_v2(c_uint64(cuda.spare.pop())),
        "malloc host": lambda _: cuda.cuMemAllocHost_v2(byref(c_void_p()), 64),
        "free host": lambda _: cuda.cuMemFreeHost(None),
        "register": lambda _: cuda.cuMemHostRegister_v2(host, 64, 0),
        "managed": lambda _: cuda.cuMemAllocManaged(byref(made), 64, 1),
        "synchronize context": lambda _: cuda.cuCtxSynchronize(),
        "synchronize": cuda.cuStreamSynchronize,
        "query": cuda.cuStreamQuery,
        "synchronize other": lambda _: cuda.cuStreamSynchronize(other),
        "query other": lambda _: cuda.cuStreamQuery(other),
        "synchronize event": lambda _: cuda.cuEventSynchronize(event),
        "query event": lambda _: cuda.cuEventQuery(event),
        "create event": lambda _: cuda.cuEventCreate(byref(c_void_p()), 0),
        "create stream": lambda _: cuda.cuStreamCreate(byref(c_void_p()), 1),
        "copy": lambda _: cuda.cuMemcpyHtoD_v2(c_uint64(address), host, 16),
        "set": lambda _: cuda.cuMemsetD8_v2(c_uint64(address), 1, 16),
        "copy in default stream": lambda _: cuda.cuMemcpyHtoDAsync_v2(c_uint64(address), host, 16, None),
        "launch in default stream": lambda _: cuda.launch(None, cuda.kernel()),
        "launch in other": lambda _: cuda.launch(other, cuda.kernel()),
        "launch in blocking": lambda _: cuda.launch(blocking, cuda.kernel()),
        "pageable": lambda s: cuda.cuMemcpyHtoDAsync_v2(c_uint64(address), host, 16, s),
        "pinned": lambda s: cuda.cuMemcpyHtoDAsync_v2(c_uint64(address), first, 16, s),
        "callback": lambda s: cuda.cuStreamAddCallback(s, ctypes.cast(NOTHING3, c_void_p), None, 0),
        "host function": lambda s: cuda.cuLaunchHostFunc(s, ctypes.cast(NOTHING, c_void_p), None),
        "module": lambda _: cuda.cuModuleLoadData(byref(c_void_p()), PTX),
        "unload": lambda _: cuda.cuModuleUnload(cuda.spare_module),
        "memory info": lambda _: cuda.cuMemGetInfo_v2(byref(number), byref(number)),
        "allocate in order": lambda s: cuda.cuMemAllocAsync(byref(made), 64, s),
        "allocate in order of other": lambda s: cuda.cuMemAllocAsync(byref(made), 64, other),
        "free in order": lambda s: cuda.cuMemFreeAsync(c_uint64(cuda.spare.pop()), s),
        "launch graph": lambda s: cuda.cuGraphLaunch(executable, s),
        "launch graph elsewhere": lambda s: cuda.cuGraphLaunch(executable, other),
        "upload graph": lambda s: cuda.cuGraphUpload(executable, s),
        "instantiate": lambda s: cuda.instantiate(graph)[0],
        "wait": lambda s: cuda.cuStreamWaitEvent(s, event, 0),
        "wait external": lambda s: cuda.cuStreamWaitEvent(s, event, 1),
        "record external": lambda s: cuda.cuEventRecordWithFlags(event, s, 1),
        "record default": lambda s: cuda.cuEventRecord(event, None),
        "prefetch": lambda s: cuda.cuMemPrefetchAsync(c_uint64(address), 64, 0, s),
        "set limit": lambda s: cuda.cuCtxSetLimit(0, 2048),
        "bad launch": lambda s: cuda.launch(s, cuda.kernel(block=(2048, 1, 1))),
        "bad copy": lambda s: cuda.cuMemcpyDtoDAsync_v2(c_uint64(address), c_uint64(address), 100000, s),
        "bad set": lambda s: cuda.cuMemsetD32Async(c_uint64(address), 1, 100000, s),
        "destroy stream": cuda.cuStreamDestroy_v2,
    }
    cuda.spare = [cuda.allocate() for _ in range(8)]
    for name, call in calls.items():
        codes = []
        for mode in (GLOBAL, THREAD_LOCAL, RELAXED):
            stream = cuda.stream()
            cuda.spare_module = cuda.created("cuModuleLoadData", PTX)
            cuda.begin(stream, mode)
            code = call(stream)
            end, graph_made = cuda.end(stream) if name != "destroy stream" else ("-", "-")
            codes.append(f"{code} {end}{'' if graph_made else ' none'}")
        print("   ", name, "|", ", ".join(codes))
    return ()


@case
def refused_in_another_thread(cuda):
    """The same calls in a thread that does not capture, while another one does."""
    codes = []
    address, host = cuda.allocate(), ctypes.create_string_buffer(64)
    for mode in (GLOBAL, THREAD_LOCAL, RELAXED):
        for own in (GLOBAL, THREAD_LOCAL, RELAXED):
            stream = cuda.stream()
            cuda.begin(stream, mode)
            answers = []

            def work():
                cuda.cuCtxSetCurrent(cuda.context)
                previous = c_int(own)
                answers.append(cuda.cuThreadExchangeStreamCaptureMode(byref(previous)))
                answers.append(previous.value)
                answers.append(cuda.cuMemAlloc_v2(byref(c_uint64()), 64))
                answers.append(cuda.cuMemcpyHtoD_v2(c_uint64(address), host, 16))

            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            codes.append((mode, own, *answers, *cuda.end(stream)))
    return codes


@case
def a_second_event_call(cuda):
    stream, event = cuda.stream(), cuda.event()
    codes = [cuda.begin(stream), cuda.cuEventRecord(event, stream), cuda.cuEventSynchronize(event), *cuda.end(stream)]
    codes += [cuda.begin(stream, RELAXED), cuda.cuEventRecord(event, stream), cuda.cuEventQuery(event), *cuda.end(stream)]
    codes += [cuda.begin(stream, RELAXED), cuda.instantiate(cuda.graph())[0], *cuda.end(stream)]
    return codes


@case
def copies_are_checked_in_executables(cuda):
    graph, address = cuda.graph(), cuda.allocate()
    _, memset = cuda.add("MemsetNode", graph, byref(Memset(address, 0, 7, 4, 16, 1)), context=True)
    _, copy = cuda.add("MemcpyNode", graph, byref(copy_of(address, address + 128, 64)), context=True)
    _, executable = cuda.instantiate(graph)
    return (cuda.cuGraphExecMemsetNodeSetParams(executable, memset, byref(Memset(address, 0, 7, 4, 65, 1)), cuda.context),
            cuda.cuGraphMemsetNodeSetParams(memset, byref(Memset(address, 0, 7, 4, 65, 1))),
            cuda.cuGraphExecMemcpyNodeSetParams(executable, copy, byref(copy_of(address, address + 128, 129)), cuda.context),
            cuda.cuGraphMemcpyNodeSetParams(copy, byref(copy_of(address, address + 128, 129))))


@case
def an_executable_that_is_updated_by_another_graph(cuda):
    """Which nodes name those of the executable after an update."""
    one, two, address = cuda.graph(), cuda.graph(), cuda.allocate()
    _, first = cuda.add_kernel(one, cuda.store(address, 1))
    _, second = cuda.add_kernel(two, cuda.store(address, 2))
    _, executable = cuda.instantiate(one)
    return (cuda.cuGraphExecUpdate_v2(executable, two, byref(Result())), cuda.cuGraphLaunch(executable, None),
            cuda.read(address),
            cuda.cuGraphExecKernelNodeSetParams_v2(executable, first, byref(cuda.store(address, 3))),
            cuda.cuGraphExecKernelNodeSetParams_v2(executable, second, byref(cuda.store(address, 4))),
            cuda.cuGraphLaunch(executable, None), cuda.read(address))


@case
def ending_in_another_thread(cuda):
    codes = []
    for mode in (GLOBAL, THREAD_LOCAL, RELAXED):
        stream = cuda.stream()
        cuda.begin(stream, mode)
        answers = []

        def work():
            cuda.cuCtxSetCurrent(cuda.context)
            answers.append(cuda.launch(stream, cuda.kernel()))
            answers.append(cuda.end(stream))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        codes.append((answers, cuda.end(stream)))
    return codes


@case
def modes_of_the_thread(cuda):
    mode = c_int(2)
    codes = [cuda.cuThreadExchangeStreamCaptureMode(byref(mode)), mode.value]
    codes += [cuda.cuThreadExchangeStreamCaptureMode(byref(mode)), mode.value]
    stream, mode = cuda.stream(), c_int(2)
    codes += [cuda.begin(stream), cuda.cuThreadExchangeStreamCaptureMode(byref(mode)), mode.value,
              cuda.cuMemAlloc_v2(byref(c_uint64()), 64), cuda.cuThreadExchangeStreamCaptureMode(byref(mode)), mode.value,
              cuda.end(stream)]
    return codes


@case
def forks_and_joins(cuda):
    one, two, event, joined = cuda.stream(), cuda.stream(), cuda.event(), cuda.event()
    status = c_int(9)
    codes = [cuda.begin(one), cuda.launch(one, cuda.kernel()), cuda.cuEventRecord(event, one),
             cuda.cuStreamWaitEvent(two, event, 0), cuda.cuStreamIsCapturing(two, byref(status)), status.value,
             cuda.launch(two, cuda.kernel()), cuda.launch(one, cuda.kernel()), cuda.cuEventQuery(event),
             cuda.cuEventSynchronize(event)]
    codes += list(cuda.end(one))
    codes += [cuda.cuStreamIsCapturing(two, byref(status)), status.value]
    codes += [cuda.begin(one), cuda.launch(one, cuda.kernel()), cuda.cuEventRecord(event, one),
              cuda.cuStreamWaitEvent(two, event, 0), cuda.launch(two, cuda.kernel()), cuda.launch(one, cuda.kernel()),
              cuda.cuEventRecord(joined, two), cuda.cuStreamWaitEvent(one, joined, 0), cuda.launch(one, cuda.kernel())]
    graph, number = c_void_p(), c_size_t()
    codes += [cuda.cuStreamEndCapture(one, byref(graph)), cuda.count("cuGraphGetNodes", graph),
              cuda.cuGraphGetEdges(graph, None, None, byref(number)), number.value,
              cuda.cuStreamIsCapturing(two, byref(status)), status.value, cuda.cuEventQuery(event),
              cuda.cuStreamWaitEvent(two, event, 0), cuda.launch(two, cuda.kernel()), cuda.cuStreamSynchronize(two)]
    return codes


@case
def work_that_is_not_joined(cuda):
    one, two, event = cuda.stream(), cuda.stream(), cuda.event()
    codes = [cuda.begin(one), cuda.cuEventRecord(event, one), cuda.cuStreamWaitEvent(two, event, 0), *cuda.end(one),
             cuda.launch(two, cuda.kernel())]
    codes += [cuda.begin(one), cuda.cuEventRecord(event, one), cuda.cuStreamWaitEvent(two, event, 0),
              cuda.launch(two, cuda.kernel()), *cuda.end(one), cuda.launch(two, cuda.kernel()),
              cuda.cuStreamSynchronize(two)]
    codes += [cuda.begin(one), cuda.cuEventRecord(event, one), cuda.cuStreamWaitEvent(two, event, 0),
              cuda.end(two), cuda.end(one)]
    codes += [cuda.begin(one), cuda.cuEventRecord(event, one), cuda.cuStreamWaitEvent(two, event, 0),
              cuda.launch(two, cuda.kernel()), cuda.cuStreamDestroy_v2(two), cuda.end(one)]
    return codes


@case
def captures_that_meet(cuda):
    one, two, event = cuda.stream(), cuda.stream(), cuda.event()
    codes = [cuda.begin(one), cuda.begin(two), cuda.launch(one, cuda.kernel()), cuda.cuEventRecord(event, one),
             cuda.cuStreamWaitEvent(two, event, 0), cuda.end(one), cuda.end(two)]
    codes += [cuda.cuEventRecord(event, one), cuda.begin(one), cuda.cuStreamWaitEvent(one, event, 0), cuda.end(one)]
    never = cuda.event()
    codes += [cuda.begin(one), cuda.cuStreamWaitEvent(one, never, 0), cuda.end(one)]
    codes += [cuda.begin(one), cuda.cuEventRecord(event, one), cuda.cuStreamWaitEvent(None, event, 0), cuda.end(one)]
    codes += [cuda.begin(one), cuda.cuEventRecord(event, one), cuda.end(one), cuda.cuStreamWaitEvent(two, event, 0),
              cuda.cuEventQuery(event), cuda.cuEventSynchronize(event), cuda.cuEventRecord(event, two),
              cuda.cuStreamSynchronize(two), cuda.cuEventQuery(event)]
    return codes


@case
def an_invalid_capture(cuda):
    stream, status, identifier = cuda.stream(), c_int(9), c_uint64()
    codes = [cuda.begin(stream), cuda.cuStreamSynchronize(stream), cuda.cuStreamIsCapturing(stream, byref(status)),
             status.value, cuda.launch(stream, cuda.kernel()), cuda.cuStreamQuery(stream),
             cuda.cuStreamGetCaptureInfo_v2(stream, byref(status), byref(identifier), None, None, None), status.value,
             cuda.cuMemAlloc_v2(byref(c_uint64()), 64), cuda.begin(stream), cuda.end(stream),
             cuda.launch(stream, cuda.kernel()), cuda.cuStreamSynchronize(stream)]
    return codes


@case
def the_default_stream_during_a_capture(cuda):
    blocking, status = cuda.stream(0), c_int(9)
    codes = [cuda.begin(blocking, RELAXED), cuda.launch(None, cuda.kernel()), cuda.end(blocking)]
    codes += [cuda.begin(blocking, RELAXED), cuda.cuStreamIsCapturing(None, byref(status)), status.value, cuda.end(blocking)]
    codes += [cuda.begin(blocking), cuda.cuEventRecord(cuda.event(), None), cuda.end(blocking)]
    codes += [cuda.begin(blocking), cuda.launch(2, cuda.kernel()), cuda.end(blocking)]
    codes += [cuda.begin(blocking), cuda.cuStreamSynchronize(None), cuda.end(blocking)]
    return codes


@case
def what_is_known_of_a_capture(cuda):
    stream, status, identifier = cuda.stream(), c_int(9), c_uint64()
    graph, dependencies, number = c_void_p(), POINTER(c_void_p)(), c_size_t(9)

    def ask():
        code = cuda.cuStreamGetCaptureInfo_v2(stream, byref(status), byref(identifier), byref(graph), byref(dependencies),
                                              byref(number))
        return code, status.value, bool(identifier.value), number.value

    codes = [ask(), cuda.begin(stream), ask(), cuda.launch(stream, cuda.kernel()), ask()]
    node = c_void_p(dependencies[0])
    codes.append(cuda.count("cuGraphGetNodes", graph))
    _, extra = cuda.add_kernel(graph, cuda.kernel(), (node,))
    codes += [cuda.cuStreamUpdateCaptureDependencies(stream, byref(extra), 1, 0), ask(),
              cuda.cuStreamUpdateCaptureDependencies(stream, byref(extra), 1, 1), ask(),
              cuda.cuStreamUpdateCaptureDependencies(stream, None, 0, 1), ask(),
              cuda.cuStreamUpdateCaptureDependencies(stream, byref(extra), 1, 2),
              cuda.cuStreamUpdateCaptureDependencies(stream, None, 1, 0), cuda.end(stream),
              cuda.cuStreamUpdateCaptureDependencies(stream, byref(extra), 1, 0),
              cuda.cuStreamGetCaptureInfo_v2(stream, None, None, None, None, None),
              cuda.cuStreamGetCaptureInfo_v2(None, byref(status), None, None, None, None), status.value]
    return codes


@case
def a_capture_into_a_graph(cuda):
    stream, graph, made = cuda.stream(), cuda.graph(), c_void_p()
    node = cuda.empty(graph)
    strange = cuda.empty(cuda.graph())
    codes = [cuda.cuStreamBeginCaptureToGraph(stream, None, None, None, 0, 0),
             cuda.cuStreamBeginCaptureToGraph(stream, graph, byref(strange), None, 1, 0),
             cuda.cuStreamBeginCaptureToGraph(stream, graph, byref(node), None, 1, 0), cuda.launch(stream, cuda.kernel()),
             cuda.cuStreamEndCapture(stream, byref(made)), made.value == graph.value, cuda.count("cuGraphGetNodes", graph),
             cuda.count("cuGraphGetRootNodes", graph)]
    return codes


@case
def kinds_of_captured_nodes(cuda):
    stream, address, event = cuda.stream(), cuda.allocate(), cuda.event()
    host = ctypes.create_string_buffer(256)
    made = c_uint64()
    codes = [cuda.begin(stream), cuda.cuMemsetD32Async(c_uint64(address), 1, 4, stream),
             cuda.cuMemsetD2D8Async(c_uint64(address), 64, 1, 16, 2, stream),
             cuda.cuMemcpyDtoHAsync_v2(host, c_uint64(address), 16, stream),
             cuda.cuMemcpyDtoDAsync_v2(c_uint64(address), c_uint64(address + 128), 16, stream),
             cuda.cuLaunchHostFunc(stream, ctypes.cast(NOTHING, c_void_p), None),
             cuda.cuMemAllocAsync(byref(made), 64, stream), cuda.cuMemFreeAsync(made, stream),
             cuda.cuEventRecordWithFlags(event, stream, 1), cuda.cuStreamWaitEvent(stream, event, 1),
             cuda.cuEventRecord(event, stream), cuda.cuMemcpyDtoDAsync_v2(c_uint64(address), c_uint64(address), 0, stream),
             cuda.cuMemsetD32Async(c_uint64(address), 1, 0, stream)]
    graph = c_void_p()
    codes.append(cuda.cuStreamEndCapture(stream, byref(graph)))
    number, nodes = c_size_t(32), (c_void_p * 32)()
    cuda.cuGraphGetNodes(graph, nodes, byref(number))
    kind = c_int()
    for node in nodes[:number.value]:
        cuda.cuGraphNodeGetType(c_void_p(node), byref(kind))
        codes.append(kind.value)
    copied, filled = Copy(), Memset()
    codes.append(cuda.cuGraphMemsetNodeGetParams(c_void_p(nodes[0]), byref(filled)))
    codes.append((filled.dst == address, filled.pitch, filled.value, filled.element, filled.width, filled.height))
    codes.append(cuda.cuGraphMemcpyNodeGetParams(c_void_p(nodes[2]), byref(copied)))
    codes.append((copied.source.type & 0xffffffff, copied.target.type & 0xffffffff, copied.width, copied.height,
                  copied.depth,
                  copied.source.pitch, copied.source.height))
    return codes


@FUNCTION
def NOTHING(_data):
    pass


@ctypes.CFUNCTYPE(None, c_void_p, c_int, c_void_p)
def NOTHING3(_stream, _status, _data):
    pass


def run(name):
    """The line of one case, from a process of its own."""
    try:
        done = subprocess.run([sys.executable, __file__, name], stdout=subprocess.PIPE, check=False, text=True,
                              timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return f"{name} hangs"
    return f"{name} {done.stdout.strip() if done.returncode == 0 else f'died {done.returncode}'}"


def main():
    if len(sys.argv) > 1:
        print(*CASES[sys.argv[1]](Driver()))
        sys.stdout.flush()
        os._exit(0)     # what a case leaves behind is not cleaned up
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for line in pool.map(run, CASES):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
