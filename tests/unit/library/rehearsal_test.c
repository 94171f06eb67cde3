/* SPDX-License-Identifier: Apache-2.0 */
/* A rehearsal on copies: what the program passes stays as it is, and whatever a candidate does wrong shows. */
#include "launched.h"

#include "tuner/library/rehearsal.h"

enum { N = 100 };

static const char source[] = "extern \"C\" __global__ void add(const int *x, int *y, int n)\n"
                             "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += x[i]; }\n"
                             "extern \"C\" __global__ void zero(double *y, int n) { }\n";
#define TEMPLATE(before, launches)                                                                                   \
    "template t\nsize n = 100\nsource \"t.cu\"\nbuffer x : int[n] in index()\nbuffer own : int[n] temp\n" before     \
    "buffer y : int[n] inout index()\nlaunch { " launches " }\ncheck y exact\n"
#define ADD "add<<<4, 32>>>(x, y, n)"

struct scene {
    struct launched l;
    struct rehearsal *rehearsal;
    _Alignas(16) int x[N];
    _Alignas(16) int y[N];
    struct tune_buffer buffers[2];
};

static void open_scene(struct scene *scene)
{
    launched_open(&scene->l, TEMPLATE("", ADD), source);
    assert_null(rehearsal_obstacle(scene->l.variant));
    must(rehearsal_open(scene->l.variant, &scene->rehearsal, &error));
    for (int i = 0; i < N; i++) {
        scene->x[i] = 3 * i;
        scene->y[i] = 1000 + i;
    }
    scene->buffers[0] = (struct tune_buffer){scene->x, sizeof scene->x};
    scene->buffers[1] = (struct tune_buffer){scene->y, sizeof scene->y};
}

static void close_scene(struct scene *scene)
{
    rehearsal_close(scene->rehearsal);
    launched_close(&scene->l);
}

/* The incumbent for the program and the candidate, which is the same, on copies. */
static void rehearse(struct scene *scene)
{
    struct launched *l = &scene->l;
    must(rehearsal_before(scene->rehearsal, NULL, scene->buffers, &error));
    RUN(l, VARIANT_LAUNCH, scene->buffers[0], scene->buffers[1]);
    must(rehearsal_after(scene->rehearsal, NULL, scene->buffers, &error));
    const struct tune_buffer *copies = rehearsal_buffers(scene->rehearsal);
    RUN(l, VARIANT_LAUNCH, copies[0], copies[1]);
}

static bool judge(struct scene *scene)
{
    bool right;
    must(rehearsal_judge(scene->rehearsal, scene->l.variant, scene->l.variant, &right, &error));
    return right;
}

static void what_is_done_in_place_is_done_once(void **state)
{
    (void)state;
    struct scene scene;
    open_scene(&scene);
    for (int round = 1; round <= 2; round++) {
        rehearse(&scene);
        assert_true(judge(&scene));
        for (int i = 0; i < N; i++) {
            assert_int_equal(scene.x[i], 3 * i);
            assert_int_equal(scene.y[i], 1000 + i + round * 3 * i);
        }
    }
    scene.y[5] = 0; /* what the program does with it meanwhile is its own */
    assert_true(judge(&scene));
    close_scene(&scene);
}

static void whatever_is_wrong_shows(void **state)
{
    (void)state;
    static const struct {
        size_t buffer;
        int at; /* bytes */
    } places[] = {{0, 8},
                  {1, 0},
                  {1, 4 * N - 1},
                  {1, 4 * N},
                  {1, 4 * N + BUFFER_GUARD_BYTES - 1},
                  {1, -1},
                  {0, -BUFFER_GUARD_BYTES},
                  {0, 4 * N}};
    struct scene scene;
    open_scene(&scene);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        rehearse(&scene);
        assert_true(judge(&scene));
        ((unsigned char *)rehearsal_buffers(scene.rehearsal)[places[i].buffer].address)[places[i].at] ^= 1;
        assert_false(judge(&scene));
    }
    rehearse(&scene); /* begins anew */
    assert_true(judge(&scene));
    close_scene(&scene);
}

static void what_was_not_written_shows(void **state)
{
    (void)state;
    struct scene scene;
    open_scene(&scene);
    must(rehearsal_before(scene.rehearsal, NULL, scene.buffers, &error));
    RUN(&scene.l, VARIANT_LAUNCH, scene.buffers[0], scene.buffers[1]);
    must(rehearsal_after(scene.rehearsal, NULL, scene.buffers, &error));
    assert_false(judge(&scene));
    close_scene(&scene);
}

static void some_cannot_be_rehearsed(void **state)
{
    (void)state;
    struct launched l, other;
    launched_open(&l, TEMPLATE("prepare { add<<<4, 32>>>(x, own, n) }\n", ADD), source);
    assert_non_null(strstr(rehearsal_obstacle(l.variant), "prepares or finishes"));
    launched_close(&l);
    launched_open(&l, TEMPLATE("", ADD), source);
    launched_open(&other, TEMPLATE("", "copy own <- x\n add<<<4, 32>>>(own, y, n)"), source);
    assert_null(rehearsal_mismatch(l.variant, l.variant));
    assert_null(rehearsal_mismatch(other.variant, l.variant));
    assert_string_equal(rehearsal_mismatch(l.variant, other.variant), "it needs memory of its own");
    launched_close(&other);
    launched_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_done_in_place_is_done_once),
        cmocka_unit_test(whatever_is_wrong_shows),
        cmocka_unit_test(what_was_not_written_shows),
        cmocka_unit_test(some_cannot_be_rehearsed),
    };
    return cmocka_run_group_tests(tests, launched_cache, scratch_folder_remove);
}
