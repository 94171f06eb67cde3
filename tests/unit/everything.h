/* SPDX-License-Identifier: Apache-2.0 */
/*
 * everything.h - a template that says all that the language can, but for data in files, for tests of what an
 * allocation that fails leaves behind.
 */
#ifndef TUNE_TESTS_EVERYTHING_H
#define TUNE_TESTS_EVERYTHING_H

static const char everything[] =
    "template everything \"title\"\n"
    "size n = 64 if device.kind == \"cuda\" else 32\nawkward n = 13\nsize m = 3\ndefine m\n"
    "parameter TILE \"threads\" {\n \"1\" \"one\"\n \"2\" \"two\"\n}\nparameter MODE\n"
    "source \"fast.cu\" if MODE == \"fast\"\nsource \"k.cu\"\noption \"-O1\" if TILE > 1\nlet half = n // 2\n"
    "struct particle {\n position : float3\n spin : float[2]\n kind : short\n}\n"
    "struct world align 16 {\n particles : particle*\n wind : half2\n}\n"
    "buffer x : float[n, n] in uniform(-1, 1)\nbuffer y : float[n] out\nbuffer z : float[n] scratch constant(0)\n"
    "buffer p : particle[n] inout uniform(0, 1)\nbuffer c : complex[n] out\n"
    "buffer o : int[n] out\nbuffer flag : int[1] temp\n"
    "count found at most n\ncount length at most n\nlet more = found + 1\nbuffer late : int[found] temp\n"
    "buffer v : float[n] temp\nbuffer w : float[n] temp\n"
    "setup \"s.cu\" { s<<<1, 1>>>(x) }\nprepare { l<<<1, 1>>>(x, z)\n read found = flag[0] }\n"
    "launch {\n"
    " move<<<ceil_div(n, TILE), (TILE, 2), 4 * TILE, cooperative = TILE > 1, stream = 1>>>(\n"
    "  world(p + 1, half2(1, 2)), float4(n, 2, 0, 1), texture(x, n, 8, filter = \"linear\", normalized = true), c,\n"
    "  surface(y, n), uchar(3), -0.5, long(n))\n"
    " wide<TILE, float><<<2 * n, TILE, cluster = (2, 1)>>>(texture(x), z + half, y)\n"
    " wait 0 after 1\n copy symbol <- x[1 : 9]\n copy z[3] <- y[4 : 9], stream = 2\n fill z = 0.1\n"
    " for i in range(0, 3) { let j = i + 1\n one<<<j, 8>>>(y, i)\n swap y, z }\n"
    " if MODE == \"slow\" { swap y, z } elif n > 1 { fill flag = 1 }\n"
    " repeat 9 while flag { last<<<1, 1>>>(y, flag) }\n"
    " let twice = 2 * more\n if found > 3 { k<<<found, 1>>>(o + found, twice) } else { copy late <- flag[: found] }\n"
    " repeat twice as turn while found > 3 { for i in range(found) { k<<<1, 1>>>(v, i)\n swap v, w } }\n}\n"
    "finish { f<<<1, 1>>>(y) }\nverify \"v.cu\" { v<<<1, 1>>>(x, y) }\n"
    "reference \"r.cu\" { r<<<1, 1>>>(x, ref(y), mag(y), ref(p), ref(c), ref(o), flag)\n read length = flag[0] }\n"
    "check y[: n - 1] within sum_error(n) allow nonfinite\ncheck p.position.x within 1e-3\ncheck p.spin[1] exact\n"
    "check c.im within 1e-6\ncheck o[: length] unordered\n"
    "work flops = 2 * n, bytes = 8 * n if TILE > 1 else 4, shared = 9\n"
    "metric \"GB/s\" = bytes / time * 1e-9\nobjective rate = maximize half * TILE / time\ndefault objective rate\n"
    "default space s\n";
static const char everything_space[] =
    "space s of everything \"title\"\nset MODE = \"fast\"\nparam TILE = pow2(1, 64)\nlet area = TILE * half\n"
    "where TILE in [8 * i for i in range(1, 9) if i != 3]\nwhere area <= device.max_threads_per_block * 4\n"
    "default TILE = 32\n";

#endif
