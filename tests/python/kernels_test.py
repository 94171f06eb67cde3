# SPDX-License-Identifier: Apache-2.0
"""What is passed to kernels, and what is refused, with a library that remembers what it was given (stub.c)."""
import ctypes
import gc
import importlib.util
import json
import os
import unittest
from typing import Any, Optional

import numpy

import own
import tune

AXPY = "x:float:0:4:1 y:float:0:4:1 z:float:1:4:1"
BUFFERS = [{"name": name, "type": "float", "passed": role, "dimensions": ["n"]}
           for name, role in (("x", "in"), ("y", "in"), ("z", "out"))]


def setUpModule() -> None:
    os.environ["TUNE_LIBRARY"] = os.environ.get("TUNE_STUB") or str(own.SOURCE / "build/tests/python/libstub.so")


class OnGpu:
    """An array that says that it lies on a GPU."""

    def __init__(self, count: int, typestr: str = "<f4", pointer: int = 4096, **more: Any) -> None:
        shape = more.pop("shape", (count,))
        data = (pointer, more.pop("read_only", False))
        self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "data": data, "version": 3, **more}


class Stored:
    """An array of ctypes that has DLPack alone, as PyTorch's tensors do on the CPU."""

    def __init__(self, values: Any, device: tuple[int, int] = (1, 0), version: Optional[int] = None,
                 read_only: bool = False, **changes: Any) -> None:
        from tune import _arrays
        self.values = (ctypes.c_float * len(values))(*values)
        self.shape, self.strides = (ctypes.c_int64 * 1)(len(values)), (ctypes.c_int64 * 1)(changes.get("stride", 1))
        tensor = _arrays._Tensor(ctypes.addressof(self.values), device, 1, changes.get("dtype", (2, 32, 1)), self.shape,
                                 self.strides if changes.get("stride") else None, changes.get("offset", 0))
        self.managed: Any = tensor
        if version:
            self.managed = _arrays._Versioned(version, 0, None, None, int(read_only), tensor)
        self.name = b"dltensor_versioned" if version else b"dltensor"
        self.device, self.version, self.asked = device, version, {}  # type: ignore[var-annotated]

    @property
    def address(self) -> int:
        return ctypes.addressof(self.values)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **asked: Any) -> Any:
        if "max_version" in asked and not self.version:
            raise TypeError("no max_version")
        self.asked = asked
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self.managed), self.name, None)


class Kernels(own.Case):
    def setUp(self) -> None:
        super().setUp()
        self.stub = tune._library.load()
        self.calls = (ctypes.c_char * 4096).in_dll(self.stub, "stub_calls")
        self.calls.value = b""
        (self.home / "shown").write_text(json.dumps({"template": "axpy", "sizes": [{"name": "n"}, {"name": "k"}],
                                                     "buffers": BUFFERS, "matrices": []}))
        self.pretend(f'cat "{self.home}/shown"\n')

    def shows(self, *buffers: tuple[str, str, Optional[str], list[str]], derived: tuple[str, ...] = ()) -> None:
        rows = [dict(zip(("name", "type", "passed", "dimensions"), buffer)) for buffer in buffers]
        sizes = [{"name": "n"}, {"name": "k", "value": 31}, *({"name": name, "derived": True} for name in derived)]
        matrix = {"name": "A", "format": "csr", "sizes": list(derived), "buffers": ["w", "x"]}
        (self.home / "shown").write_text(json.dumps({"template": "axpy", "sizes": sizes, "buffers": rows,
                                                     "matrices": [matrix] if derived else []}))

    def called(self) -> list[str]:
        lines = self.calls.value.decode().splitlines()
        self.calls.value = b""
        return [line for line in lines if not line.startswith("best")]

    def refused(self, text: str, kernel: Any, *arrays: Any, **named: Any) -> None:
        with self.assertRaises(tune.ArgumentError) as caught:
            kernel(*arrays, **named)
        self.assertIn(text, str(caught.exception))
        self.assertEqual(self.called(), [])

    # ---- answers ----

    def test_answers(self) -> None:
        answer = tune.best(f"cpu {AXPY}", n=numpy.int32(9), objective="energy", device="cpu:0")
        self.assertEqual(self.calls.value, b"best cpu:0 energy\n")
        self.assertEqual((answer.kernel, answer.sizes, answer.device), ("stub", {"n": 9, "k": 3}, "a device"))
        self.assertEqual(answer.configuration, {"BLOCK": 64, "WIDE": True, "KIND": "a", "SCALE": 0.5})
        self.assertEqual((answer.rule, answer.origin, answer.octaves), (tune.Rule.SIZE, "a stub", 2.5))
        self.assertEqual((answer.time, answer.validated, answer.defines), (1.5e-6, True, "#define BLOCK 64\n"))
        self.assertNotIn("handle", repr(answer))

    def test_errors(self) -> None:
        with self.assertRaises(tune.InputError) as caught:
            tune.best("broken")
        self.assertEqual(str(caught.exception), "stub.template:3:7: unknown name x\n    hint: try another")
        self.assertEqual(caught.exception.place, ("stub.template", 3, 7))
        self.assertIsInstance(caught.exception, ValueError)
        with self.assertRaises(tune.UnvalidatedError):
            tune.load(f"new {AXPY}")
        tune.load(f"new {AXPY}", unvalidated=True)
        with self.assertRaisesRegex(tune.ArgumentError, "does not fit into 64 bits"):
            tune.best("x", n=2 ** 63)
        with tune.Session() as session:
            self.assertEqual(str(session.trouble).splitlines()[0], "stub.template:3:7: a file that is damaged")
        with self.assertRaisesRegex(tune.ArgumentError, "this has been closed"):
            session.best("x")

    def test_handles_are_freed(self) -> None:
        alive = ctypes.c_int.in_dll(self.stub, "stub_alive")
        tune.best("cpu x:int:0:4:1")  # opens the session, which stays
        gc.collect()
        before = alive.value
        kernel = tune.load("cpu x:int:0:4:1", n=2)
        fork = kernel.fork()
        self.assertEqual(alive.value, before + 3)
        kernel(numpy.zeros(2, "int32"))
        self.called()
        kernel.close()
        kernel.close()
        self.assertEqual(alive.value, before + 2)
        self.refused("this has been closed", kernel, numpy.zeros(2, "int32"))
        del kernel, fork
        gc.collect()
        self.assertEqual(alive.value, before)
        kernel = tune.load("cuda x:int:0:4:1", n=2)
        kernel(OnGpu(2, "<i4"))
        del kernel  # what it has launched may still run
        gc.collect()
        self.assertEqual(alive.value, before + 1)

    def test_what_is_loaded(self) -> None:
        kernel = tune.load(f"cuda {AXPY}", n=5)
        self.assertEqual(kernel.buffers[2], ("z", "float", tune.Role.OUT, 5, 20, False))
        (launch,) = kernel.launches
        self.assertTrue(launch.function)
        self.assertEqual((launch.kernel, launch.grid, launch.block, launch.cluster, launch.shared_bytes),
                         ("k", (7, 2, 1), (64, 1, 1), (0, 0, 0), 96))
        self.assertEqual((kernel.place, kernel.workspace, kernel.from_cache, len(kernel.image)), ("cuda", 12, True, 20))
        self.assertEqual(repr(kernel), "<tune.Kernel stub(x: float[5] in, y: float[5] in, z: float[5] out)>")
        again = tune.load(kernel.loaded_for)
        self.assertEqual(again.buffers, kernel.buffers)
        self.refused("an answer is for its own", tune.load, kernel.loaded_for, n=5)

    # ---- arrays of the CPU ----

    def test_numpy(self) -> None:
        kernel = tune.load(f"cpu {AXPY}", n=6)
        x, y, z = (numpy.zeros(6, "float32") for _ in range(3))
        self.assertIs(kernel(x, y, z), z)
        passed = " ".join(f"{one.ctypes.data}:24" for one in (x, y, z))
        self.assertEqual(self.called(), [f"launch 0 {passed}"])
        self.assertIs(kernel(y=y, z=z, x=x), z)
        self.assertEqual(self.called(), [f"launch 0 {passed}"])
        shaped = kernel(x.reshape(2, 3), y)
        self.assertEqual((shaped.shape, shaped.dtype), ((2, 3), numpy.float32))
        self.assertEqual(self.called(), [f"launch 0 {x.ctypes.data}:24 {y.ctypes.data}:24 {shaped.ctypes.data}:24"])

    def test_what_is_refused(self) -> None:
        kernel = tune.load(f"cpu {AXPY}", n=6)
        x = numpy.zeros(6, "float32")
        fixed = numpy.zeros(6, "float32")
        fixed.setflags(write=False)
        for text, arrays in (
                ("y has elements of float64, but stub takes float32", (x, x.astype("float64"), x)),
                ("x has elements of int32, but stub takes float32", (x.astype("int32"), x)),
                ("x has 7 elements, but stub takes 6", (numpy.zeros(7, "float32"), x)),
                ("x has 3 elements, but stub takes 6", (x[:3], x)),
                ("y is not contiguous", (x, numpy.zeros(12, "float32")[::2])),
                ("y is not contiguous", (x, numpy.zeros((3, 2), "float32").T)),
                ("z is read-only, but stub writes it", (x, x, fixed)),
                ("x cannot be passed: its bytes are in the other order", (x.astype(">f4"), x)),
                ("y cannot be passed: it is list, which is no array", (x, [0.0] * 6)),
                ("x lies on a GPU, but stub is for the CPU", (OnGpu(6), x)),
                ("stub lacks y", (x,)),
                ("stub takes 3 arrays, not 4", (x, x, x, x))):
            self.refused(text, kernel, *arrays)
        kernel(fixed, fixed, x)  # inputs may be
        self.assertEqual(len(self.called()), 1)
        kernel(numpy.zeros((4, 6), "float32")[::2][:1], x, x)  # the stride of a single row says nothing
        gapped = OnGpu(6, shape=(1, 6), strides=(999, 4))
        tune.load(f"cuda {AXPY}", n=6)(gapped, gapped, gapped)
        self.assertEqual(len(self.called()), 2)
        self.refused("stub takes no array w", kernel, x, x, w=x)
        self.refused("x was passed twice", kernel, x, x, x=x)

    def test_types(self) -> None:
        for kind, size, taken in (
                ("half", 2, "float16"), ("double", 8, "float64"), ("char", 1, "int8"), ("uchar", 1, "bool"),
                ("ushort", 2, "uint16"), ("long", 8, "int64"), ("ulong", 8, "uint64"), ("complex", 8, "complex64"),
                ("complex_double", 16, "complex128"), ("float4", 16, "f4,f4,f4,f4"), ("pair", 12, "S12,"),
                ("pair", 12, "i4,f4,i4")):
            kernel = tune.load(f"cpu x:{kind}:2:{size}:1", n=3)
            dtype = numpy.dtype(taken if taken != "S12," else [("bytes", "S12")])
            x = numpy.zeros(3, dtype)
            self.assertIs(kernel(x), x, kind)
            self.assertEqual(self.called(), [f"launch 0 {x.ctypes.data}:{3 * size}"])
        kernel = tune.load("cpu x:float4:0:16:1 y:float4:1:16:1 z:complex:1:8:1", n=3)
        self.shows(("x", "float4", "in", ["n"]), ("y", "float4", "out", ["n"]), ("z", "complex", "out", ["n"]))
        y, z = kernel(numpy.zeros((3, 4), "float32"))
        self.assertEqual((y.shape, y.dtype, z.shape, z.dtype), ((3, 4), numpy.float32, (3,), numpy.complex64))
        self.called()
        self.refused("x has elements of float32, but stub takes float32, 4 to an element", kernel,
                     numpy.zeros(13, "float32"))
        kernel = tune.load("cpu x:int:0:4:1 z:pair:1:12:1", n=3)
        self.refused("z: an array of structures of 12 bytes cannot be made like ndarray", kernel,
                     numpy.zeros(3, "int32"))

    def test_shapes_of_outputs(self) -> None:
        kernel = tune.load("cpu a:float:0:4:3 c:float:1:4:3 d:float:1:4:3", n=4)
        self.shows(("a", "float", "in", ["k * n"]), ("c", "float", "out", ["n * k"]), ("d", "float", "out", ["k", "n"]))
        c, d = kernel(numpy.zeros((3, 4), "float32"))
        self.assertEqual((c.shape, d.shape), ((12,), (3, 4)))
        self.pretend("exit 1\n")  # without the program
        c, d = tune.load("cpu a:float:0:4:3 c:float:1:4:3 d:float:1:4:3", n=4)(numpy.zeros((3, 4), "float32"))
        self.assertEqual((c.shape, d.shape), ((12,), (12,)))

    def test_dlpack(self) -> None:
        kernel = tune.load("cpu x:float:2:4:1", n=3)
        for version in (None, 1):
            x = Stored([1, 2, 3], version=version)
            self.assertIs(kernel(x), x)
            self.assertEqual(self.called(), [f"launch 0 {x.address}:12"])
        x = Stored([1, 2, 3], offset=4)
        kernel(x)
        self.assertEqual(self.called(), [f"launch 0 {x.address + 4}:12"])
        self.refused("x is read-only", kernel, Stored([1, 2, 3], version=1, read_only=True))
        self.refused("x is not contiguous", kernel, Stored([1, 2, 3], stride=2))
        self.refused("x has elements of bfloat16", kernel, Stored([1, 2, 3], dtype=(4, 16, 1)))
        self.refused("DLPack's type 2 of 32 bits and 4 lanes", kernel, Stored([1, 2, 3], dtype=(2, 32, 4)))
        self.refused("a device of DLPack's type 10", kernel, Stored([1, 2, 3], device=(10, 0)))
        self.refused("x lies on a GPU", kernel, Stored([1, 2, 3], device=(2, 0)))

    # ---- arrays of a GPU ----

    def test_cuda(self) -> None:
        kernel = tune.load(f"cuda {AXPY}", n=6)
        x, y, z = (OnGpu(6, pointer=pointer) for pointer in (256, 512, 1024))
        self.assertIs(kernel(x, y, z), z)
        self.assertEqual(self.called(), ["launch 0 256:24 512:24 1024:24"])
        managed = Stored([0] * 6, device=(13, 0))
        kernel(managed, y, z)
        self.assertEqual(self.called(), [f"launch 0 {managed.address}:24 512:24 1024:24"])
        on_gpu = Stored([0] * 6, device=(2, 1))
        kernel(on_gpu, y, z)
        self.assertEqual(on_gpu.asked, {"stream": -1})
        self.called()
        self.refused("x lies on the CPU, but stub is for a GPU", kernel, numpy.zeros(6, "float32"), y, z)
        self.refused("z is read-only", kernel, x, y, OnGpu(6, read_only=True))
        self.refused("y is not contiguous", kernel, x, OnGpu(6, strides=(8,)), z)
        self.refused("x lies on GPU 1 and y on GPU 0", kernel, on_gpu, Stored([0] * 6, device=(2, 0)), z)
        self.refused("z: an array of float32 cannot be made like OnGpu", kernel, x, y)

    def test_bfloat16(self) -> None:
        kernel = tune.load("cuda x:bfloat16:0:2:1", n=6)
        x = OnGpu(6, "<f2")
        self.refused("x has elements of float16, but stub takes bfloat16", kernel, x)
        x.dtype = "torch.bfloat16"  # type: ignore[attr-defined]
        kernel(x)
        self.assertEqual(len(self.called()), 1)

    def test_streams(self) -> None:
        kernel = tune.load("cuda x:float:0:4:1", n=6)

        class Torch:
            cuda_stream = 71

        class CuPy:
            ptr = 72

        class Cuda:
            def __cuda_stream__(self) -> tuple[int, int]:
                return (0, 73)

        class Older:
            __cuda_stream__ = (0, 74)

        for stream, handle in ((Torch(), 71), (CuPy(), 72), (Cuda(), 73), (Older(), 74), (75, 75), (0, 0),
                               (numpy.uint64(76), 76)):
            kernel(OnGpu(6, pointer=512), stream=stream)
            self.assertEqual(self.called(), [f"launch {handle} 512:24"])
        kernel(OnGpu(6, pointer=512, stream=2))
        self.assertEqual(self.called(), ["launch 2 512:24"])
        self.refused("the stream is str, which is none", kernel, OnGpu(6), stream="s")

    def test_prepare_and_finish(self) -> None:
        kernel = tune.load("cuda x:float:2:4:1 prepared", n=1)
        kernel(OnGpu(1, pointer=512), stream=5)
        self.assertEqual(self.called(), ["prepare 5 512:4", "launch 5 512:4", "finish 5 512:4"])
        kernel(OnGpu(1, pointer=512), stream=5, prepare=False)
        self.assertEqual(self.called(), ["launch 5 512:4", "finish 5 512:4"])
        kernel = tune.load("cuda x:float:2:4:1", n=1, in_background=True)  # of which nobody knows
        kernel(OnGpu(1, pointer=512), stream=5)
        self.assertEqual(self.called(), ["prepare 5 512:4", "launch 5 512:4", "finish 5 512:4"])

    def test_online(self) -> None:
        found = tune.load("cuda x:float:2:4:1", n=1, online=0.25).online
        self.assertEqual(found, tune.Online(tune.OnlineState.DONE, "all was tried", {"BLOCK": 64}, 0.75, 7, 6, 5, 25,
                                            3, 4.0, 1.0, True))
        self.assertIs(tune.load("cuda x:float:2:4:1", n=1).online.state, tune.OnlineState.OFF)

    # ---- sizes that follow from arrays ----

    def test_functions(self) -> None:
        axpy = tune.function(f"cpu {AXPY}", k=3)
        for n in (5, 8, 5):
            z = axpy(numpy.zeros(n, "float32"), numpy.zeros(n, "float32"))
            self.assertEqual(z.shape, (n,))
        x = numpy.zeros(5, "float32")
        self.assertIs(axpy.kernel_for(x, x), axpy.kernel_for(y=x, x=x))
        self.called()
        self.refused("the size n is 5 by x, but 6 by y", axpy, x, numpy.zeros(6, "float32"))
        self.refused("y has elements of float64", axpy, x, numpy.zeros(5))
        self.refused("the size k does not follow", tune.function(f"cpu {AXPY}"), x, x)
        self.refused("the size n is 4 by what was given, but 5 by x", tune.function(f"cpu {AXPY}", n=4, k=1), x, x)
        self.calls.value = b""
        tune.function(f"cuda {AXPY}", k=3)(*[OnGpu(5)] * 3)
        tune.function(f"cuda {AXPY}", k=3)(*[Stored([0] * 5, device=(2, 1))] * 3)
        self.assertEqual([line for line in self.calls.value.decode().splitlines() if line.startswith("best")],
                         ["best - -", "best cuda:1 -"])

    def test_functions_of_several_dimensions(self) -> None:
        self.shows(("x", "float4", "in", ["n", "k"]), ("y", "float", "in", ["n * k"]), ("z", "float", "out", ["k"]))
        made = tune.function("cpu x:float4:0:16:3 y:float:0:4:3 z:float:1:4:1", unvalidated=True)
        kernel = made.kernel_for(numpy.zeros((2, 3, 4), "float32"), numpy.zeros(6, "float32"))
        self.assertEqual(kernel.loaded_for.sizes, {"n": 2, "k": 3})
        self.refused("the sizes n, k do not follow", made, numpy.zeros((6, 4), "float32"), numpy.zeros(6, "float32"))

    def test_functions_with_matrices(self) -> None:
        """What follows from a matrix is given, all of it, or follows from its arrays; what only setup reads is not passed."""
        self.shows(("seed", "int", None, ["1"]), ("x", "float", "in", ["stored"]), ("y", "float", "in", ["n"]),
                   ("z", "float", "out", ["n"]), derived=("stored", "longest"))
        x, y = numpy.zeros(7, "float32"), numpy.zeros(3, "float32")
        made = tune.function("cpu x:float:0:28:1 y:float:0:4:1 z:float:1:4:1", k=1, longest=4)
        arrays = {"x": tune._arrays.of(x), "y": tune._arrays.of(y)}
        self.assertEqual(made._infer(arrays, {"x": x, "y": y}), {"k": 1, "longest": 4, "stored": 7, "n": 3})
        self.refused("the size longest does not follow from the shapes of the arrays\n"
                     "    hint: say so: tune.function('axpy', longest=...)", tune.function(f"cpu {AXPY}", k=1), x, y)
        self.refused("the sizes k, longest do not follow", tune.function(f"cpu {AXPY}"), x, y)

    def test_the_longest_row_is_looked_up(self) -> None:
        self.shows(("w", "int", "in", ["n + 1"]), ("x", "float", "in", ["stored"]), ("z", "float", "out", ["n"]),
                   derived=("stored", "longest"))
        starts, x, z = numpy.array([0, 2, 2, 7], "int32"), numpy.zeros(7, "float32"), numpy.zeros(3, "float32")
        arrays = {name: tune._arrays.of(array) for name, array in (("w", starts), ("x", x), ("z", z))}
        for more, longest in (({}, 5), ({"longest": 6}, 6)):
            made = tune.function("cpu w:int:0:16:4 x:float:0:28:7 z:float:1:12:3", k=1, **more)
            self.assertEqual(made._infer(arrays, {"w": starts, "x": x, "z": z}),
                             {"n": 3, "k": 1, "stored": 7, "longest": longest})
        made = tune.function("cpu w:int:0:16:4 x:float:0:28:7 z:float:1:12:3", k=1)
        self.assertEqual(made._infer(arrays, {"w": starts[:1]})["longest"], 0)  # no rows
        self.refused("the size k does not follow from the shapes of the arrays\n"
                     "    hint: say so: tune.function('axpy', k=31), with the template's default",
                     tune.function("cpu w:int:0:16:4 x:float:0:28:7 z:float:1:12:3"), starts, x, z)

    # ---- the packages themselves, where they are installed ----

    @unittest.skipUnless(importlib.util.find_spec("torch"), "needs PyTorch")
    def test_torch(self) -> None:
        import torch  # type: ignore[import]
        kernel = tune.load(f"cpu {AXPY}", n=6)
        x = torch.zeros(2, 3)
        z = kernel(x, x)
        self.assertEqual((tuple(z.shape), z.dtype), ((2, 3), torch.float32))
        self.called()
        self.refused("x cannot be passed: it cannot be had by DLPack", kernel, torch.zeros(6, requires_grad=True), x)


if __name__ == "__main__":
    unittest.main()
