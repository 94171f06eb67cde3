/* SPDX-License-Identifier: Apache-2.0 */
/* Cooperative groups on the CPU device: ranks, shuffles, votes, reductions, partitions and copies against plain C. */
#include "cpu_fixture.h"

#include <stdio.h>

enum { X = 16, Y = 5, THREADS = X * Y, BLOCKS = 3, VALUES = 24 }; /* the last warp has 16 lanes */

static const char source[] =
    "#include <cooperative_groups.h>\n"
    "#include <cooperative_groups/memcpy_async.h>\n"
    "#include <cooperative_groups/reduce.h>\n"
    "#include <cooperative_groups/scan.h>\n"
    "namespace cg = cooperative_groups;\n"
    "struct pair { double key; int index; float weight; };\n"
    "__device__ unsigned any_rank(cg::thread_group group) { group.sync(); return group.thread_rank() + 100 * "
    "group.size(); }\n"
    "__global__ void groups(const int *x, int *out)\n"
    "{\n"
    "    __shared__ int staged[80];\n"
    "    cg::thread_block block = cg::this_thread_block();\n"
    "    cg::grid_group grid = cg::this_grid();\n"
    "    auto tile = cg::tiled_partition<8>(block);\n"
    "    cg::thread_block_tile<16> half = cg::tiled_partition<16>(block);\n"
    "    auto quad = cg::tiled_partition<4>(half);\n"
    "    int *o = out + (blockIdx.x * 80 + block.thread_rank()) * 24, n = 0, v = x[grid.thread_rank()];\n"
    "    cg::memcpy_async(block, staged, x + 80 * blockIdx.x, sizeof(int) * block.size());\n"
    "    cg::wait(block);\n"
    "    o[n++] = staged[block.size() - 1 - block.thread_rank()];\n"
    "    o[n++] = tile.thread_rank() + 10 * tile.meta_group_rank() + 1000 * tile.meta_group_size();\n"
    "    o[n++] = quad.thread_rank() + 10 * quad.meta_group_rank() + 1000 * quad.meta_group_size();\n"
    "    o[n++] = tile.shfl(v, 3);\n"
    "    o[n++] = tile.shfl_up(v, 2);\n"
    "    o[n++] = tile.shfl_down(v, 3);\n"
    "    o[n++] = tile.shfl_xor(v, 5);\n"
    "    o[n++] = tile.ballot(v % 3 == 0);\n"
    "    o[n++] = tile.any(v % 7 == 0) + 2 * tile.all(v % 7 != 0);\n"
    "    o[n++] = cg::reduce(tile, v, cg::plus<int>());\n"
    "    o[n++] = cg::reduce(half, v, cg::less<int>());\n"
    "    o[n++] = cg::reduce(half, v, cg::greater<int>());\n"
    "    o[n++] = cg::reduce(quad, v, [](int a, int b) { return a ^ b; });\n"
    "    pair p = {double(v), (int)block.thread_rank(), 0.5f};\n"
    "    o[n++] = cg::reduce(tile, p, [](pair a, pair b) { return b.key < a.key ? b : a; }).index;\n"
    "    o[n++] = cg::inclusive_scan(tile, v, cg::plus<int>());\n"
    "    o[n++] = cg::exclusive_scan(tile, v);\n"
    "    auto part = cg::labeled_partition(tile, v % 3);\n"
    "    o[n++] = part.size() + 10 * part.thread_rank() + 100 * part.meta_group_size() + 1000 * "
    "part.meta_group_rank();\n"
    "    o[n++] = cg::reduce(part, v, cg::plus<int>());\n"
    "    o[n++] = part.shfl(v, part.size() - 1);\n"
    "    o[n++] = any_rank(half);\n"
    "    o[n++] = any_rank(cg::tiled_partition(cg::tiled_partition(block, 16), 4));\n"
    "    cg::coalesced_group active = cg::coalesced_threads();\n"
    "    o[n++] = cg::reduce(active, 1, cg::plus<int>()) == (int)active.size();\n"
    "    o[n++] = grid.block_rank() + 10 * grid.num_blocks() + 100 * block.group_dim().y + 1000 * grid.is_valid();\n"
    "    o[n++] = any_rank(block);\n"
    "}\n";

static int x[BLOCKS * THREADS], out[BLOCKS * THREADS][VALUES];

/* The first and one past the last thread of the group of `size` that has thread t. */
static int first_of(int t, int size)
{
    return t / size * size;
}

static int fold(const int *v, int first, int count, char operation)
{
    int result = v[first];
    for (int i = first + 1; i < first + count; i++) {
        int a = result, b = v[i];
        result = operation == '+'   ? a + b
                 : operation == '^' ? a ^ b
                 : operation == '<' ? (b < a ? b : a)
                 : b > a            ? b
                                    : a;
    }
    return result;
}

static void expect(const int *v, int t, int *e)
{
    int n = 0, tile = first_of(t, 8), half = first_of(t, 16), quad = first_of(t, 4), rank = t - tile;
    int ballot = 0, sevens = 0, least = tile, scan = 0, same = 0, same_before = 0, same_sum = 0, same_last = 0,
        labels = 0, lower = 0;
    for (int i = tile; i < tile + 8; i++) {
        ballot |= (v[i] % 3 == 0) << (i - tile);
        sevens += v[i] % 7 == 0;
        least = v[i] < v[least] ? i : least;
        scan += i < t ? v[i] : 0;
        if (v[i] % 3 == v[t] % 3) {
            same++;
            same_before += i < t;
            same_sum += v[i];
            same_last = v[i];
        }
    }
    for (int label = 0; label < 3; label++) {
        int found = 0;
        for (int i = tile; i < tile + 8; i++)
            found |= v[i] % 3 == label;
        labels += found;
        lower += found && label < v[t] % 3;
    }
    e[n++] = v[THREADS - 1 - t];
    e[n++] = rank + 10 * (t / 8) + 1000 * (THREADS / 8);
    e[n++] = t - quad + 10 * ((quad - half) / 4) + 1000 * 4;
    e[n++] = v[tile + 3];
    e[n++] = v[rank >= 2 ? t - 2 : t];
    e[n++] = v[rank + 3 < 8 ? t + 3 : t];
    e[n++] = v[tile + (rank ^ 5)];
    e[n++] = ballot;
    e[n++] = (sevens > 0) + 2 * (sevens == 0);
    e[n++] = fold(v, tile, 8, '+');
    e[n++] = fold(v, half, 16, '<');
    e[n++] = fold(v, half, 16, '>');
    e[n++] = fold(v, quad, 4, '^');
    e[n++] = least;
    e[n++] = scan + v[t];
    e[n++] = scan;
    e[n++] = same + 10 * same_before + 100 * labels + 1000 * lower;
    e[n++] = same_sum;
    e[n++] = same_last;
    e[n++] = t - half + 1600;
    e[n++] = t - quad + 400;
    e[n++] = 1;
    e[n++] = -1; /* depends on the block */
    e[n++] = t + 100 * THREADS;
    assert_int_equal(n, VALUES);
}

static void groups_mean_what_they_mean_on_a_gpu(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture, source, "groups");
    for (int i = 0; i < BLOCKS * THREADS; i++)
        x[i] = i * 37 % 101;
    uint64_t from = device_room(fixture, sizeof x), to = device_room(fixture, sizeof out);
    assert_success(cpu->upload(fixture->device, from, x, sizeof x, &fixture->error), &fixture->error);
    launch(fixture, D(BLOCKS, 1, 1), D(X, Y, 1), 0, ARGUMENTS(&from, &to));
    fetch(fixture, out, to, sizeof out);
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        int expected[VALUES], block = i / THREADS, t = i % THREADS;
        expect(x + block * THREADS, t, expected);
        expected[22] = block + 10 * BLOCKS + 100 * Y;
        for (int j = 0; j < VALUES; j++) {
            if (out[i][j] != expected[j])
                fail_msg("block %d, thread %d, value %d: %d, not %d", block, t, j, out[i][j], expected[j]);
        }
    }
}

static void a_grid_is_synchronised_only_cooperatively(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "#include <cooperative_groups.h>\n"
                "__global__ void k()\n"
                "{\n"
                "    cooperative_groups::this_grid().sync();\n"
                "}\n",
                "k");
    assert_success(cpu->launch(fixture->device, fixture->kernel,
                               SHAPE(.grid = {3, 1, 1}, .block = {40, 1, 1}, .cooperative = true), NULL, 0,
                               &fixture->error),
                   &fixture->error);
    assert_success(cpu->synchronize(fixture->device, &fixture->error), &fixture->error);
    launch_faulting(fixture, D(3, 1, 1), D(40, 1, 1), NULL, 0);
    assert_non_null(strstr(fixture->error.text, "its launch is not cooperative at line 4"));
}

static void clusters_of_a_kernel_count(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture,
                "#define HALF 2\n"
                "__global__ void __launch_bounds__(64) __cluster_dims__(2 * HALF, 1) k(int *out)\n"
                "{\n"
                "    out[blockIdx.x] = __clusterRelativeBlockRank() + 10 * __clusterSizeInBlocks() + 100 * "
                "__clusterIdx().x;\n"
                "}\n",
                "k");
    int seen[8];
    uint64_t to = device_room(fixture, sizeof seen);
    launch(fixture, D(8, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&to));
    fetch(fixture, seen, to, sizeof seen);
    for (int i = 0; i < 8; i++)
        assert_int_equal(seen[i], i % 4 + 40 + 100 * (i / 4));
    void *arguments[] = {&to};
    assert_false(cpu->launch(fixture->device, fixture->kernel, SHAPE(.grid = {6, 1, 1}, .block = {1, 1, 1}),
                             arguments, 1, &fixture->error));
    assert_int_equal(fixture->error.code, ERROR_RESOURCES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(groups_mean_what_they_mean_on_a_gpu),
        cpu_test(a_grid_is_synchronised_only_cooperatively),
        cpu_test(clusters_of_a_kernel_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
