# SPDX-License-Identifier: Apache-2.0
"""How close the engine comes to its limits, on one GPU.

    python3 tests/bench/engine_rates.py [BUILD]        (default: build)

Over the 324 configurations of tests/bench/kernel_tuner, each validated:
- limited by compiling (1024^3, cache cold): the rate of the sweep over that of as many compile workers alone
  (compile_rate);
- 1024^3, cache warm: configurations per second;
- limited by measuring (4096^3, cache warm): the GPU's utilisation by NVML, from the first to the last sample of at least
  50 %;
- the parent's peak memory in each.
"""
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

build = Path(sys.argv[1] if len(sys.argv) > 1 else "build")
here = Path(__file__).parent / "kernel_tuner"
home = tempfile.TemporaryDirectory()
folder = Path(home.name)
environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder)}
workers = max(1, len(os.sched_getaffinity(0)) - 1)


def peak_memory(process, peak):
    while process.poll() is None:
        try:
            for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM"):
                    peak.append(int(line.split()[1]) / 1024)
        except OSError:
            pass
        time.sleep(0.02)


def sweep(name, size):
    """A sweep with an empty database: its summary, the program's wall time, the parent's peak memory in MB."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [build / "tune", here, "--space", here / "tiles.space", "--size", f"M={size},N={size},K={size}", "--device",
         "cuda:0", "--db", folder / f"{name}.db", "--quiet", "--json"],
        stdout=subprocess.PIPE, env=environment, text=True)
    peak = []
    watch = threading.Thread(target=peak_memory, args=(process, peak))
    watch.start()
    result = json.loads(process.communicate()[0])
    watch.join()
    return result, time.perf_counter() - began, max(peak)


def show(name, result, seconds, peak):
    print(f"{name}: {result['done']} configurations in {result['seconds']:.2f} s, {seconds:.2f} s from start to end of the "
          f"program: {result['done'] / result['seconds']:.1f} and {result['done'] / seconds:.1f} per second; failed "
          f"{result['failed']}; parent's peak {peak:.1f} MB", flush=True)


def alone():
    devices = json.loads(subprocess.check_output([build / "tune", "list", "devices", "--json"], env=environment))
    gpu = next(d for d in devices if d["kind"] == "cuda")
    del gpu["device"]  # its place in the machine is not part of the description
    (folder / "device.json").write_text(json.dumps(gpu))
    line = subprocess.check_output([build / "tests/bench/compile_rate", here / "gemm.template", here / "tiles.space",
                                    folder / "device.json", str(workers), "M=1024", "N=1024", "K=1024"], text=True)
    print("compile workers alone:", line.strip(), flush=True)
    return float(line.split()[-3])


def busy_sweep():
    samples = []
    smi = subprocess.Popen(["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "-lms", "100"],
                           stdout=subprocess.PIPE, text=True)
    reader = threading.Thread(target=lambda: samples.extend(int(line) for line in smi.stdout))
    reader.start()
    outcome = sweep("busy", 4096)
    smi.terminate()
    reader.join()
    busy = [i for i, sample in enumerate(samples) if sample >= 50]  # before and after, processes start and end
    inner = samples[busy[0] : busy[-1] + 1] if busy else samples
    return outcome, sum(inner) / max(1, len(inner))


ceiling = alone()
cold = sweep("cold", 1024)
show("1024^3, cache cold", *cold)
rate = cold[0]["done"] / cold[0]["seconds"]
print(f"  {rate / ceiling:.3f} of the rate of {workers} compile workers alone")
show("1024^3, cache warm", *sweep("warm", 1024))
outcome, busy = busy_sweep()
show("4096^3, cache warm", *outcome)
print(f"  GPU busy {busy:.1f} % of the time (NVML)")
