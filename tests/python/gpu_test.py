# SPDX-License-Identifier: Apache-2.0
"""Arrays of CuPy and PyTorch on a real GPU, on their own streams; skipped where there is none."""
import ctypes
import importlib.util
import unittest
from typing import Any

import numpy

import own
import tune

N = 10007


def has_gpu() -> bool:
    try:
        return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        return False


def needs(package: str) -> Any:
    return unittest.skipUnless(importlib.util.find_spec(package), f"needs {package}")


@unittest.skipUnless(has_gpu(), "needs a GPU")
class OnGpu(own.Case):
    GPUS = True

    def setUp(self) -> None:
        super().setUp()
        self.folder = self.write_kernel()
        tune.sweep(self.folder, "blocks", n=N, device="cuda:0", seed=1)
        self.x = numpy.linspace(-1, 1, N, dtype="float32")
        self.y = numpy.arange(N, dtype="float32")
        self.expected = 3 * self.x.astype("float64") + self.y

    def same(self, array: Any) -> None:
        numpy.testing.assert_allclose(array, self.expected, rtol=1e-6)

    @needs("cupy")
    def test_cupy(self) -> None:
        import cupy  # type: ignore[import]
        x, y = cupy.asarray(self.x), cupy.asarray(self.y)
        kernel = tune.load(self.folder, "cuda:0", n=N)
        self.assertEqual((kernel.place, kernel.loaded_for.rule), ("cuda", tune.Rule.EXACT))
        z = kernel(x, y)
        self.assertIsInstance(z, cupy.ndarray)
        self.same(cupy.asnumpy(z))
        stream = cupy.cuda.Stream(non_blocking=True)
        out = cupy.zeros(N, "float32")
        cupy.cuda.Device().synchronize()
        kernel(x, y, out, stream=stream)
        stream.synchronize()
        self.same(cupy.asnumpy(out))
        with stream:
            self.same(cupy.asnumpy(tune.function(self.folder)(x + 0, y)))
        with self.assertRaisesRegex(tune.ArgumentError, "x lies on the CPU, but axpy is for a GPU"):
            kernel(self.x, y)
        with self.assertRaisesRegex(tune.ArgumentError, "not contiguous"):
            kernel(cupy.zeros(2 * N, "float32")[::2], y)

    @needs("torch")
    def test_torch(self) -> None:
        import torch  # type: ignore[import]
        x, y = torch.from_numpy(self.x).cuda(), torch.from_numpy(self.y).cuda()
        kernel = tune.load(self.folder, "cuda:0", n=N)
        z = kernel(x, y)
        self.assertEqual((z.device.type, z.dtype), ("cuda", torch.float32))
        self.same(z.cpu().numpy())
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            self.same(tune.function(self.folder)(x + 0, y).cpu().numpy())
        out = torch.zeros(N, device="cuda")
        torch.cuda.synchronize()
        kernel(x, y, out, stream=stream)
        stream.synchronize()
        self.same(out.cpu().numpy())
        with self.assertRaisesRegex(tune.ArgumentError, "bfloat16"):
            kernel(x.bfloat16(), y)

    @needs("torch")
    def test_graphs(self) -> None:
        import torch
        x, y = torch.from_numpy(self.x).cuda(), torch.from_numpy(self.y).cuda()
        kernel, out = tune.load(self.folder, "cuda:0", n=N), torch.zeros(N, device="cuda")
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            kernel(x, y, out)
        self.assertEqual(float(out.abs().sum()), 0)
        graph.replay()
        torch.cuda.synchronize()
        self.same(out.cpu().numpy())


if __name__ == "__main__":
    unittest.main()
