/* SPDX-License-Identifier: Apache-2.0 */
/* Where a search starts: the nearest problems, and mapping configurations to another space. */
#include "tests/unit/fixture.h"
#include "tuner/engine/identity.h"

#include "tuner/engine/sweep.h"
#include "tuner/engine/warm_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TEMPLATE                                                                                                     \
    "template t\nsize M = 1024\nsize N = 1024\nparameter A\nparameter B\nparameter MODE\nsource \"k.cu\"\n"          \
    "buffer y : float[M] out\nlaunch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y "       \
    "exact\n"

static void test_distances(void **state)
{
    (void)state;
    const struct device_description device = {.name = "H100", .architecture = "sm_90"};
    static const struct {
        const char *size, *name, *architecture, *hash;
        double expected;
    } cases[] = {
        {"M=1024,N=1024", "H100", "sm_90", "now", 0},     {"M=1024,N=1024", "H100", "sm_90", "then", 0.5},
        {"M=2048,N=512", "H100", "sm_90", "now", 2},      {"M=1024,N=1024", "H200", "sm_90", "now", 1},
        {"M=1024,N=1024", "A100", "sm_80", "now", 3},     {"M=1024,K=7", "H100", "sm_90", "now", 2},
        {"M=1024", "H200", "sm_90", "then", 1 + 1 + 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct store_row row = {.size = cases[i].size,
                                      .device_name = cases[i].name,
                                      .architecture = cases[i].architecture,
                                      .template_hash = cases[i].hash};
        assert_true(warm_start_distance(&row, "M=1024,N=1024", &device, "now") == cases[i].expected);
    }
}

struct warm_start_fixture {
    struct fixture base;
    char path[64];
    struct store *store;
    struct store_problem identity;
};

static void open_fixture(struct warm_start_fixture *fixture, const char *space)
{
    memset(fixture, 0, sizeof *fixture);
    strcpy(fixture->path, "/tmp/tune-warm-XXXXXX");
    int file = mkstemp(fixture->path);
    assert_true(file >= 0);
    close(file);
    fixture_create(&fixture->base, TEMPLATE, space);
    strcpy(fixture->base.device.driver, "580");
    strcpy(fixture->base.device.compiler, "NVRTC 13.0");
    assert_success(store_open(fixture->path, false, &fixture->store, &fixture->base.error), &fixture->base.error);
    assert_success(problem_identity(fixture->base.problem, &fixture->identity, &fixture->base.error),
                   &fixture->base.error);
}

static void close_fixture(struct warm_start_fixture *fixture)
{
    char path[80];
    store_close(fixture->store);
    fixture_free(&fixture->base);
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", fixture->path, endings[i]);
        unlink(path);
    }
}

/* Store a row for the same template at a size, on a device that differs by its name and architecture. */
static void put_on(struct warm_start_fixture *fixture, const char *name, const char *architecture, const char *size,
                   const char *configuration, double time_ns)
{
    struct store_problem problem = fixture->identity;
    struct device_description device = *problem.device;
    snprintf(device.name, sizeof device.name, "%s", name);
    snprintf(device.architecture, sizeof device.architecture, "%s", architecture);
    problem.device = &device;
    const struct store_run run = {"random", "", "time", NULL, 1, 6, "0", "here", NULL};
    const struct evaluation evaluation = {
        .message = (char[]){""}, .time_ns = time_ns, .time_low_ns = time_ns, .time_high_ns = time_ns};
    int64_t run_id, id;
    problem.size = size;
    assert_success(store_run_begin(fixture->store, &problem, &run, &run_id, &fixture->base.error),
                   &fixture->base.error);
    assert_success(store_put(fixture->store, run_id, configuration, &evaluation, &id, &fixture->base.error),
                   &fixture->base.error);
}

/* At another size, on the same device. */
static void put(struct warm_start_fixture *fixture, const char *size, const char *configuration, double time_ns)
{
    const struct device_description *device = fixture->identity.device;
    put_on(fixture, device->name, device->architecture, size, configuration, time_ns);
}

static void expect(struct warm_start_fixture *fixture, size_t count, const char *const *texts)
{
    size_t priors[WARM_START_MOST], found;
    assert_success(warm_start(fixture->base.problem, fixture->store, &fixture->identity, "time", priors, &found,
                              &fixture->base.error),
                   &fixture->base.error);
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++) {
        char *text = problem_configuration_text(fixture->base.problem, priors[i]);
        assert_string_equal(text, texts[i]);
        free(text);
    }
}

/* Nearest first; only the fastest of each size; each configuration once, at its nearest size. */
static void test_order(void **state)
{
    (void)state;
    struct warm_start_fixture fixture;
    open_fixture(&fixture, "space s of t\nparam A = [1, 2, 4, 8]\nparam B = [16, 32]\nset MODE = \"x\"\n");
    put(&fixture, "M=8192,N=1024", "{\"A\":1,\"B\":16,\"MODE\":\"x\"}", 5);
    put(&fixture, "M=2048,N=1024", "{\"A\":8,\"B\":32,\"MODE\":\"x\"}", 5);
    put(&fixture, "M=2048,N=1024", "{\"A\":4,\"B\":32,\"MODE\":\"x\"}", 6);
    put(&fixture, "M=1024,N=256", "{\"A\":1,\"B\":16,\"MODE\":\"x\"}", 7);
    put(&fixture, "M=1024,N=128", "{\"A\":2,\"B\":16,\"MODE\":\"x\"}", 7);
    static const char *const texts[] = {
        "{\"A\":8,\"B\":32,\"MODE\":\"x\"}",
        "{\"A\":1,\"B\":16,\"MODE\":\"x\"}",
        "{\"A\":2,\"B\":16,\"MODE\":\"x\"}",
    };
    expect(&fixture, 3, texts);
    close_fixture(&fixture);
}

/* Of the same sizes on another device of this architecture all that are good; of another architecture, and of this
 * very problem, one. */
static void test_twins(void **state)
{
    (void)state;
    struct warm_start_fixture fixture;
    open_fixture(&fixture, "space s of t\nparam A = [1, 2, 4, 8]\nparam B = [16, 32]\nset MODE = \"x\"\n");
    const struct device_description *own = fixture.identity.device;
    const char *here = own->architecture, *size = fixture.identity.size;
    put_on(&fixture, "twin", here, size, "{\"A\":4,\"B\":16,\"MODE\":\"x\"}", 7);
    put_on(&fixture, "twin", here, size, "{\"A\":2,\"B\":16,\"MODE\":\"x\"}", 5);
    put_on(&fixture, "twin", here, "M=8192,N=8192", "{\"A\":4,\"B\":32,\"MODE\":\"x\"}", 5);
    put_on(&fixture, "twin", here, "M=8192,N=8192", "{\"A\":1,\"B\":32,\"MODE\":\"x\"}", 6);
    put_on(&fixture, "stranger", "sm_10", size, "{\"A\":8,\"B\":32,\"MODE\":\"x\"}", 5);
    put_on(&fixture, "stranger", "sm_10", size, "{\"A\":2,\"B\":32,\"MODE\":\"x\"}", 6);
    put(&fixture, size, "{\"A\":1,\"B\":16,\"MODE\":\"x\"}", 5);
    put(&fixture, size, "{\"A\":8,\"B\":16,\"MODE\":\"x\"}", 6);
    static const char *const texts[] = {
        "{\"A\":1,\"B\":16,\"MODE\":\"x\"}", "{\"A\":2,\"B\":16,\"MODE\":\"x\"}", "{\"A\":4,\"B\":16,\"MODE\":\"x\"}",
        "{\"A\":8,\"B\":32,\"MODE\":\"x\"}", "{\"A\":4,\"B\":32,\"MODE\":\"x\"}",
    };
    expect(&fixture, 5, texts);
    close_fixture(&fixture);
}

/* At most the nearest eight. */
static void test_at_most_eight(void **state)
{
    (void)state;
    struct warm_start_fixture fixture;
    char text[64], size[64];
    open_fixture(&fixture, "space s of t\nparam A = range(1, 33)\nset B = 1\nset MODE = \"x\"\n");
    for (int i = 20; i >= 1; i--) {
        snprintf(text, sizeof text, "{\"A\":%d,\"B\":1,\"MODE\":\"x\"}", i);
        snprintf(size, sizeof size, "M=%d,N=1024", 1024 << i);
        put(&fixture, size, text, 5);
    }
    char expected[WARM_START_MOST][64];
    const char *texts[WARM_START_MOST];
    for (int i = 0; i < WARM_START_MOST; i++) {
        snprintf(expected[i], sizeof expected[i], "{\"A\":%d,\"B\":1,\"MODE\":\"x\"}", i + 1);
        texts[i] = expected[i];
    }
    expect(&fixture, WARM_START_MOST, texts);
    close_fixture(&fixture);
}

/* Values outside the space become the nearest inside it, missing parameters take the default; a configuration that is
 * invalid here changes in one parameter. */
static void test_mapping_to_another_space(void **state)
{
    (void)state;
    struct warm_start_fixture fixture;
    open_fixture(&fixture, "space s of t\nparam A = [1, 4, 16]\nparam B = [16, 32]\nparam MODE = [\"x\", \"y\"]\n"
                           "where A * B <= 256\ndefault A = 1, B = 32, MODE = \"y\"\n");
    put(&fixture, "M=2048,N=1024", "{\"A\":5,\"OLD\":3}", 5);
    put(&fixture, "M=4096,N=1024", "{\"A\":16,\"B\":64,\"MODE\":\"x\"}", 5);
    put(&fixture, "M=8192,N=1024", "{\"A\":1,\"B\":16,\"MODE\":\"unknown\"}", 5);
    static const char *const texts[] = {
        "{\"A\":4,\"B\":32,\"MODE\":\"y\"}",
        "{\"A\":1,\"B\":32,\"MODE\":\"x\"}",
        "{\"A\":1,\"B\":16,\"MODE\":\"y\"}",
    };
    expect(&fixture, 3, texts);
    close_fixture(&fixture);
}

static void test_nothing_known(void **state)
{
    (void)state;
    struct warm_start_fixture fixture;
    open_fixture(&fixture, "space s of t\nparam A = [1, 4, 16]\nset B = 1\nset MODE = \"x\"\n");
    expect(&fixture, 0, NULL);
    close_fixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_at_most_eight),
        cmocka_unit_test(test_mapping_to_another_space),
        cmocka_unit_test(test_nothing_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
