/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of nearest_neighbor: the nearest other point, of several the first. */
#include "tests/unit/measure/references.h"

/* How near another point must be to be taken for the nearest, d (1 + relative) + absolute, off the lattice. */
static long double near_relative, near_absolute;

static void check_points(const float *points, int count, int lattice)
{
    for (int i = 0; i < 3 * count; i++) {
        assert_true(points[i] >= 0 && points[i] <= (float)(lattice > 1 ? lattice - 1 : 1));
        assert_true(lattice == 1 || points[i] == floorf(points[i]));
    }
}

/* From the last point to the first, so that the first of several has the last word. */
static int nearest_of(const float *points, int count, int query, long double *best, long double *second)
{
    int nearest = -1;
    *best = *second = HUGE_VALL;
    for (int j = count - 1; j >= 0; j--) {
        long double d = 0;
        for (int axis = 0; axis < 3; axis++)
            d += powl((long double)points[3 * j + axis] - points[3 * query + axis], 2);
        if (j != query && d <= *best) {
            *second = *best;
            *best = d;
            nearest = j;
        } else if (j != query && d < *second) {
            *second = d;
        }
    }
    return nearest;
}

static void check_nearest(const struct fixture *fixture)
{
    int count = size_of(fixture, "N"), lattice = size_of(fixture, "LATTICE"), doubtful = 0;
    float *points = fetch_input(fixture, "points", 3 * count);
    struct expected index = fetch_expected(fixture, "index", count, false);
    struct expected distance = fetch_expected(fixture, "distance", count, false);
    long double relative = lattice > 1 ? 0 : near_relative, absolute = lattice > 1 ? 0 : near_absolute;
    check_points(points, count, lattice);
    for (int q = 0; q < count; q++) {
        long double best, second;
        int nearest = nearest_of(points, count, q, &best, &second);
        bool rival = lattice == 1 && count > 2 && second <= best * (1 + relative) + absolute;
        doubtful += rival;
        best = count > 1 ? best : 0;
        assert_within("magnitude", &index, q, index.magnitudes[q], rival ? count : 0, 0);
        if (!rival)
            assert_within("value", &index, q, index.values[q], nearest, 0);
        assert_within("value", &distance, q, distance.values[q], best, 8 * 0x1p-53L * best);
        long double magnitude = count > 1 && lattice == 1 ? best + absolute / relative : best;
        assert_within("magnitude", &distance, q, distance.magnitudes[q], magnitude, 0x1p-40L * magnitude);
    }
    assert_true(doubtful <= count / 10); /* else the check of the index would mean little */
    free_expected(&distance);
    free_expected(&index);
    free(points);
}

static void check_formula(const char *space, const struct size_setting *sizes, size_t size_count)
{
    struct shipped shipped;
    shipped_open(&shipped, "nearest_neighbor", space, &kernels.description, sizes, size_count);
    check_configuration(&shipped, 0, check_nearest);
    shipped_close(&shipped);
}

static void nearest_neighbor(void **state)
{
    const struct size_setting cube[] = {{"N", 701}}, pair[] = {{"N", 2}}, lattice[] = {{"N", 333}, {"LATTICE", 5}};
    const long double unit = 0x1p-24L;
    (void)state;
    near_relative = 17 * unit / (1 - 17 * unit);
    for (int expanded = 0; expanded < 2; expanded++) {
        const char *space = expanded ? "expanded" : "chunked";
        near_absolute = expanded ? 13 * 6 * unit / (1 - 6 * unit) : 0;
        check_formula(space, NULL, 0);
        check_formula(space, cube, 1);
        check_formula(space, pair, 1);
        check_formula(space, lattice, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_neighbor),
    };
    return cmocka_run_group_tests_name("references of nearest_neighbor", tests, open_kernels, close_kernels);
}
