/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference of bezier: (1 - u)^2 P0 + 2 u (1 - u) P1 + u^2 P2 by de Casteljau's construction, at as many places
 * as the curvature asks for.
 */
#include "tests/unit/measure/references.h"

struct point {
    long double x, y;
};

static struct point between(struct point from, struct point to, long double u)
{
    return (struct point){from.x + u * (to.x - from.x), from.y + u * (to.y - from.y)};
}

static long double distance(struct point from, struct point to)
{
    return hypotl(to.x - from.x, to.y - from.y);
}

/* How many points, where exact arithmetic and single precision cannot disagree; elsewhere -1. Coordinates are
 * below 40. */
static int certain_count(const struct point *control, int most)
{
    long double chord = distance(control[0], control[2]);
    long double bend = distance(between(control[0], control[2], 0.5L), control[1]);
    if (chord == 0)
        return bend > 0 ? most : 4;
    long double wanted = 16 * bend / chord, whole = roundl(wanted);
    long double off = 0x1p-21L * wanted + 16 * 40 * 0x1p-23L / chord;
    if (fabsl(wanted - whole) <= off && whole >= 4 && whole <= most)
        return -1;
    return wanted < 4 ? 4 : wanted < most ? (int)wanted : most;
}

static void check_coordinate(const struct expected *points, int index, long double right, long double scale)
{
    assert_within("value", points, index, points->values[index], right, 12 * 0x1p-53L * scale);
    assert_within("magnitude", points, index, points->magnitudes[index], scale, 4 * 0x1p-53L * scale);
}

static void check_curve(const struct expected *points, const struct point *control, int place, int count)
{
    struct point scale = {fabsl(control[0].x) + fabsl(control[1].x) + fabsl(control[2].x),
                          fabsl(control[0].y) + fabsl(control[1].y) + fabsl(control[2].y)};
    for (int i = 0; i < count; i++) {
        long double u = (long double)i / (count - 1);
        struct point right = between(between(control[0], control[1], u), between(control[1], control[2], u), u);
        check_coordinate(points, 2 * (place + i), right.x, scale.x);
        check_coordinate(points, 2 * (place + i) + 1, right.y, scale.y);
    }
}

static float *fetch_controls(const struct fixture *fixture, int count)
{
    const struct instance_buffer *buffer = buffer_of(fixture, "controls");
    assert_int_equal(buffer->extent, 3 * count);
    return fetch(buffer->memory.address, (size_t)count * 6 * sizeof(float));
}

/* As many points as all curves have. */
static struct expected fetch_points(const struct fixture *fixture, const double *counts, int curve_count, int most)
{
    const struct instance_buffer *buffer = buffer_of(fixture, "points");
    int count = 0;
    for (int n = 0; n < curve_count; n++)
        count += (int)counts[n];
    assert_int_equal(buffer->extent, curve_count * most);
    assert_true(count <= curve_count * most);
    return (struct expected){.name = "points",
                             .count = 2 * count,
                             .values = fetch(buffer->reference, (size_t)count * 2 * sizeof(double)),
                             .magnitudes = fetch(buffer->magnitude, (size_t)count * 2 * sizeof(double))};
}

/* What setup promises of all curves together; the mean number is what the template's `work` expects. */
static void check_counts(const struct fixture *fixture, const double *counts, int curve_count, int most)
{
    double sum = 0, harmonic = 0;
    for (int n = 0; n < curve_count; n++)
        sum += counts[n];
    for (int k = 5; k <= most; k++)
        harmonic += 1.0 / k;
    double mean = size_of(fixture, "SKEW") == 1 ? (4 + most) / 2.0 : 4 + 4 * harmonic;
    assert_true(curve_count < 1000 || fabs(sum / curve_count - mean) < 0.1 * mean);
}

static int uncertain;

static void check_bezier(const struct fixture *fixture)
{
    int curve_count = size_of(fixture, "N"), most = size_of(fixture, "MOST");
    most = most < 4 ? 4 : most;
    float *controls = fetch_controls(fixture, curve_count);
    struct expected counts = fetch_expected(fixture, "counts", curve_count, true);
    struct expected points = fetch_points(fixture, counts.values, curve_count, most);
    for (int n = 0, place = 0; n < curve_count; n++) {
        const float *own = &controls[6 * n];
        struct point control[3] = {{own[0], own[1]}, {own[2], own[3]}, {own[4], own[5]}};
        int right = certain_count(control, most), count = (int)counts.values[n];
        uncertain += right < 0;
        assert_true(count == counts.values[n] && count >= 4 && count <= most);
        if (right >= 0)
            assert_int_equal(count, right);
        check_curve(&points, control, place, count);
        place += count;
    }
    check_counts(fixture, counts.values, curve_count, most);
    free_expected(&points);
    free_expected(&counts);
    free(controls);
}

static void bezier(void **state)
{
    const struct size_setting even[] = {{"N", 1201}, {"MOST", 37}, {"SKEW", 1}},
                              skewed[] = {{"N", 2003}, {"MOST", 200}, {"SKEW", 2}};
    (void)state;
    check_template("bezier", NULL, 0, check_bezier);
    check_template("bezier", even, 3, check_bezier);
    check_template("bezier", skewed, 3, check_bezier);
    assert_true(uncertain < 40); /* of some 5000 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bezier),
    };
    return cmocka_run_group_tests_name("references of bezier", tests, open_kernels, close_kernels);
}
