/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of stencil7: sweeps, each a weighted sum of a point and its neighbours, zero outside of the grid. */
#include "tests/unit/measure/references.h"

struct grid {
    int nx, ny, nz;
};

/* The offsets of what a point is the sum of, and their weights. */
static const struct {
    int x, y, z;
    long double weight;
} stencil[] = {
    {0, 0, 0, 0.25L},   {-1, 0, 0, 0.078125L}, {1, 0, 0, 0.15625L}, {0, -1, 0, 0.0625L},
    {0, 1, 0, 0.1875L}, {0, 0, -1, 0.125L},    {0, 0, 1, 0.09375L},
};

/* Spreads each point over those that it is a neighbour of: the opposite direction of the kernels'. */
static void spread(struct grid grid, const struct sum *from, struct sum *to)
{
    memset(to, 0, (size_t)(grid.nx * grid.ny * grid.nz) * sizeof *to);
    for (int index = 0; index < grid.nx * grid.ny * grid.nz; index++) {
        for (size_t i = 0; i < sizeof stencil / sizeof stencil[0]; i++) {
            int x = index % grid.nx - stencil[i].x, y = index / grid.nx % grid.ny - stencil[i].y;
            int z = index / grid.nx / grid.ny - stencil[i].z;
            if (x >= 0 && x < grid.nx && y >= 0 && y < grid.ny && z >= 0 && z < grid.nz)
                add(&to[(z * grid.ny + y) * grid.nx + x], stencil[i].weight * from[index].value,
                    stencil[i].weight * from[index].absolute);
        }
    }
}

static void check_stencil7(const struct fixture *fixture)
{
    struct grid grid = {size_of(fixture, "NX"), size_of(fixture, "NY"), size_of(fixture, "NZ")};
    int points = grid.nx * grid.ny * grid.nz, sweeps = size_of(fixture, "SWEEPS");
    float *before = fetch_input(fixture, "before", points);
    struct expected after = fetch_expected(fixture, "after", points, false);
    struct sum *sums = calloc((size_t)points, sizeof *sums), *swept = calloc((size_t)points, sizeof *swept);
    assert_non_null(sums);
    assert_non_null(swept);
    for (int i = 0; i < points; i++)
        add(&sums[i], before[i], fabsl((long double)before[i]));
    for (int i = 0; i < sweeps; i++) {
        struct sum *old = sums;
        spread(grid, sums, swept);
        sums = swept;
        swept = old;
    }
    for (int i = 0; i < points; i++)
        assert_sum(&after, i, sums[i], 7 * sweeps);
    free(sums);
    free(swept);
    free_expected(&after);
    free(before);
}

static void stencil7(void **state)
{
    const struct size_setting odd[] = {{"NX", 13}, {"NY", 5}, {"NZ", 7}, {"SWEEPS", 2}},
                              pencil[] = {{"NZ", 31}, {"SWEEPS", 3}}, row[] = {{"NX", 67}, {"SWEEPS", 4}};
    (void)state;
    check_template("stencil7", NULL, 0, check_stencil7);
    check_template("stencil7", odd, 4, check_stencil7);
    check_template("stencil7", pencil, 2, check_stencil7);
    check_template("stencil7", row, 2, check_stencil7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stencil7),
    };
    return cmocka_run_group_tests_name("references of stencil7", tests, open_kernels, close_kernels);
}
