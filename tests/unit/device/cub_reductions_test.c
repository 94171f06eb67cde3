/* SPDX-License-Identifier: Apache-2.0 */
/* CUB's reductions and scans of a block on the CPU device against plain loops. */
#include "cub_fixture.h"

enum { X = 20, Y = 5, THREADS = X * Y, EACH = 3, ITEMS = THREADS * EACH };

struct affine {
    unsigned a, b;
};

static struct affine compose(struct affine g, struct affine f)
{
    return (struct affine){f.a * g.a, f.a * g.b + f.b};
}

static struct affine affine_of(int value)
{
    return (struct affine){(unsigned)(value % 7 - 3), (unsigned)(value % 11)};
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int *in;

/* Item i of thread t. */
static int item(int t, int i)
{
    return in[t * EACH + i];
}

static void a_block_is_reduced(void **state)
{
    struct cpu_fixture *fixture = *state;
    int wanted[10] = {0}, n = 0, most = INT_MIN, least = INT_MAX, odd = 0;
    struct affine all = affine_of(item(0, 0));
    for (int t = 0; t < THREADS; t++) {
        wanted[0] += item(t, 0);
        wanted[1] += item(t, 0) + item(t, 1) + item(t, 2);
        wanted[2] += t < 37 ? item(t, 0) : 0;
        most = larger(most, item(t, 1));
        for (int i = 0; i < EACH; i++)
            least = -larger(-least, -item(t, i));
        odd ^= t < 99 ? item(t, 2) : 0;
        all = t > 0 ? compose(all, affine_of(item(t, 0))) : all;
        n += t < 64 ? item(t, 0) : 0;
    }
    wanted[3] = item(0, 0);
    wanted[4] = most;
    wanted[5] = least;
    wanted[6] = odd;
    wanted[7] = (int)all.a;
    wanted[8] = (int)all.b;
    wanted[9] = n;
    int *got = run_block(fixture, "reductions.cu", "reduce", D(X, Y, 1), in, ITEMS, 10);
    expect_ints("reduce", got, wanted, 10);
    free(got);
}

/* ---- scans ---- */

enum { SCALARS = 17, ARRAYS = 9 };

static int wanted[(SCALARS + ARRAYS * EACH) * THREADS];
static size_t slots;

/* Sums or maxima up to each item, or before it, after `start`. */
struct scan {
    bool is_max, inclusive;
    int column;  /* of each thread's items; EACH: all of them */
    int start;   /* what comes before; for a maximum INT_MIN stands for nothing */
    bool starts; /* is there anything before? */
};

static void expect_scan(struct scan scan)
{
    int running = scan.start, count = scan.column == EACH ? ITEMS : THREADS;
    for (int i = 0; i < count; i++) {
        int value = scan.column == EACH ? in[i] : item(i, scan.column), before = running;
        running = scan.is_max ? larger(running, value) : running + value;
        wanted[slots++] = scan.inclusive ? running : i == 0 && !scan.starts ? 0 : before;
    }
}

static void expect_everywhere(int value, int count)
{
    for (int i = 0; i < count; i++)
        wanted[slots++] = value;
}

static void a_block_is_scanned(void **state)
{
    struct cpu_fixture *fixture = *state;
    int sum = 0, every = 0, most = INT_MIN, most_of_all = INT_MIN;
    for (int t = 0; t < THREADS; t++) {
        sum += item(t, 0);
        most = larger(most, item(t, 1));
        for (int i = 0; i < EACH; i++) {
            every += item(t, i);
            most_of_all = larger(most_of_all, item(t, i));
        }
    }
    slots = 0;
    expect_scan((struct scan){.starts = true});
    expect_scan((struct scan){.inclusive = true});
    expect_everywhere(sum, THREADS);
    expect_scan((struct scan){.starts = true});
    expect_everywhere(sum, THREADS);
    expect_scan((struct scan){.start = 100, .starts = true});
    expect_scan((struct scan){.inclusive = true, .start = 100 + sum});
    wanted[slots++] = 100 + 2 * sum;
    expect_everywhere(0, THREADS - 1);
    expect_scan((struct scan){.is_max = true, .column = 1, .start = -5, .starts = true});
    expect_scan((struct scan){.is_max = true, .column = 1, .start = 1000, .starts = true});
    expect_everywhere(most, THREADS);
    expect_scan((struct scan){.is_max = true, .column = 1, .start = INT_MIN});
    expect_scan((struct scan){.is_max = true, .column = 1, .start = INT_MIN, .inclusive = true});
    struct affine f = affine_of(item(0, 0));
    for (int t = 0; t < THREADS; t++, slots++) {
        f = t > 0 ? compose(f, affine_of(item(t, 0))) : f;
        wanted[slots] = (int)f.a;
        wanted[slots + THREADS] = (int)f.b;
    }
    slots += THREADS;
    f = (struct affine){2, 5};
    for (int t = 0; t < THREADS; t++, slots++) {
        wanted[slots] = (int)f.a;
        wanted[slots + THREADS] = (int)f.b;
        f = compose(f, affine_of(item(t, 0)));
    }
    slots += THREADS;
    assert_int_equal(slots, SCALARS * THREADS);

    expect_scan((struct scan){.column = EACH, .starts = true});
    expect_scan((struct scan){.column = EACH, .inclusive = true});
    expect_scan((struct scan){.column = EACH, .starts = true, .start = 100 + 2 * sum});
    expect_scan((struct scan){.is_max = true, .column = EACH, .starts = true, .start = 7});
    expect_scan((struct scan){.is_max = true, .column = EACH, .inclusive = true, .start = 7});
    expect_everywhere(most_of_all, ITEMS); /* without what it began with */
    expect_scan((struct scan){.is_max = true, .column = EACH, .inclusive = true, .start = INT_MIN});
    expect_scan((struct scan){.is_max = true, .column = EACH, .start = INT_MIN});
    expect_scan((struct scan){.column = EACH, .inclusive = true, .start = 100 + 2 * sum + every});
    assert_int_equal(slots, sizeof wanted / sizeof *wanted);
    int *got = run_block(fixture, "reductions.cu", "scan", D(X, Y, 1), in, ITEMS, slots);
    expect_ints("scan", got, wanted, slots);
    free(got);
}

static void a_block_of_other_dimensions_faults(void **state)
{
    struct cpu_fixture *fixture = *state;
    char *text = read_kernels("reductions.cu");
    load_kernel(fixture, text, "reduce");
    uint64_t from = device_room(fixture, ITEMS * sizeof(int)), to = device_room(fixture, 10 * sizeof(int));
    launch_faulting(fixture, D(1, 1, 1), D(THREADS, 1, 1), ARGUMENTS(&from, &to));
    assert_mentions(fixture->error.text, "a collective of CUB is for a block of other dimensions");
    free(text);
}

static void nvrtc_accepts_them(void **state)
{
    (void)state;
    nvrtc_accepts("reductions.cu", (const char *const[]){"reduce", "scan"}, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(a_block_is_reduced),
        cpu_test(a_block_is_scanned),
        cpu_test(a_block_of_other_dimensions_faults),
        cmocka_unit_test(nvrtc_accepts_them),
    };
    in = make_inputs(ITEMS);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(in);
    return failed;
}
