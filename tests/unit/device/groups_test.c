/* SPDX-License-Identifier: Apache-2.0 */
/* Cooperative launches and clusters on a fake driver: what reaches it, and what is refused before. */
#include "fake_cuda.h"

#include "tuner/device/cuda/groups.h"
#include "tuner/device/cuda/result.h"

#define SHAPE(...) (&(const struct launch_shape){__VA_ARGS__})

static struct {
    int own[3];                       /* what __cluster_dims__ says */
    int clusters;                     /* that run at once */
    int large;                        /* calls that allow large clusters */
    struct cuda_launch_config config; /* of the last launch */
    struct cuda_launch_attribute attributes[2];
} driver;

static cuda_result attribute(int *value, int number, cuda_function function)
{
    (void)function;
    assert_in_range(number, CUDA_FUNCTION_CLUSTER_WIDTH, CUDA_FUNCTION_CLUSTER_WIDTH + 2);
    *value = driver.own[number - CUDA_FUNCTION_CLUSTER_WIDTH];
    return *value < 0 ? CUDA_INVALID_VALUE : CUDA_SUCCESS;
}

static cuda_result set(cuda_function function, int number, int value)
{
    (void)function;
    assert_int_equal(number, CUDA_FUNCTION_LARGE_CLUSTERS);
    assert_int_equal(value, 1);
    driver.large++;
    return CUDA_SUCCESS;
}

static cuda_result count(int *clusters, cuda_function function, const struct cuda_launch_config *config)
{
    (void)function, (void)config;
    *clusters = driver.clusters;
    return driver.clusters < 0 ? CUDA_INVALID_CLUSTER_SIZE : CUDA_SUCCESS;
}

static cuda_result launch(const struct cuda_launch_config *config, cuda_function function, void **arguments,
                          void **extra)
{
    (void)function, (void)arguments, (void)extra;
    driver.config = *config;
    memcpy(driver.attributes, config->attributes, config->attribute_count * sizeof *config->attributes);
    return fake_note('l');
}

struct stage {
    struct context context;
    struct module module;
    struct device_kernel *kernel;
    struct error error;
};

static int open_stage(void **state)
{
    struct stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    memset(&driver, 0, sizeof driver);
    driver.clusters = 66;
    stage->context = fake_context();
    stage->context.cuda.function_attribute = attribute;
    stage->context.cuda.function_set = set;
    stage->context.cuda.occupancy_clusters = count;
    stage->context.cuda.launch_config = launch;
    stage->module.context = &stage->context;
    stage->kernel = calloc(1, sizeof *stage->kernel + sizeof "k");
    assert_non_null(stage->kernel);
    strcpy(stage->kernel->name, "k");
    stage->kernel->module = &stage->module;
    *state = stage;
    return 0;
}

static int close_stage(void **state)
{
    struct stage *stage = *state;
    free(stage->kernel);
    free(stage);
    return 0;
}

static void expect(struct stage *stage, const struct launch_shape *shape, const char *refusal)
{
    stage->error = (struct error){0};
    bool fits = groups_check(stage->kernel, shape, 2, &stage->error);
    assert_int_equal(fits, refusal == NULL);
    if (refusal) {
        assert_int_equal(stage->error.code, ERROR_RESOURCES);
        if (!strstr(stage->error.text, refusal))
            fail_msg("%s", stage->error.text);
    }
}

/* 132 multiprocessors that run two blocks each. */
static void a_cooperative_grid_fits_at_once(void **state)
{
    struct stage *stage = *state;
    expect(stage, SHAPE(.grid = {264, 1, 1}, .block = {32, 1, 1}, .cooperative = true), NULL);
    expect(stage, SHAPE(.grid = {5, 53, 1}, .block = {32, 1, 1}, .cooperative = true),
           "the cooperative grid of 'k' has 265 blocks, but NVIDIA H100 80GB HBM3 runs only 264 of them at once");
    expect(stage, SHAPE(.grid = {265, 1, 1}, .block = {32, 1, 1}), NULL);
    /* With clusters the driver counts: 66 clusters of 2 blocks. */
    expect(stage, SHAPE(.grid = {132, 1, 1}, .block = {32, 1, 1}, .cluster = {2, 1, 1}, .cooperative = true), NULL);
    expect(stage, SHAPE(.grid = {134, 1, 1}, .block = {32, 1, 1}, .cluster = {2, 1, 1}, .cooperative = true),
           "runs only 132 of them");
}

static void clusters_fit_grid_and_device(void **state)
{
    struct stage *stage = *state;
    expect(stage, SHAPE(.grid = {12, 6, 2}, .block = {32, 1, 1}, .cluster = {4, 2, 1}), NULL);
    assert_int_equal(driver.large, 0);
    expect(stage, SHAPE(.grid = {16, 1, 1}, .block = {32, 1, 1}, .cluster = {16, 1, 1}), NULL);
    expect(stage, SHAPE(.grid = {32, 1, 1}, .block = {32, 1, 1}, .cluster = {16, 1, 1}), NULL);
    assert_int_equal(driver.large, 1); /* asked once */
    expect(stage, SHAPE(.grid = {12, 5, 1}, .block = {32, 1, 1}, .cluster = {4, 2, 1}),
           "12x5x1 blocks, is not a multiple of its clusters of 4x2x1");
    driver.clusters = 0;
    expect(stage, SHAPE(.grid = {12, 6, 1}, .block = {32, 1, 1}, .cluster = {4, 2, 1}),
           "cannot run 'k' in clusters of 4x2x1");
    driver.clusters = -1;
    expect(stage, SHAPE(.grid = {12, 6, 1}, .block = {32, 1, 1}, .cluster = {4, 2, 1}),
           "cannot run 'k' in clusters of 4x2x1");
    stage->context.description.compute_capability = 89;
    expect(stage, SHAPE(.grid = {12, 6, 1}, .block = {32, 1, 1}, .cluster = {4, 2, 1}), "has 8.9");
}

static void a_kernel_may_have_clusters_of_its_own(void **state)
{
    struct stage *stage = *state;
    groups_read(stage->kernel); /* none */
    expect(stage, SHAPE(.grid = {3, 1, 1}, .block = {32, 1, 1}), NULL);
    driver.own[0] = -1; /* a driver that knows no clusters */
    groups_read(stage->kernel);
    assert_int_equal(stage->kernel->cluster.x, 0);
    memcpy(driver.own, (int[]){2, 2, 1}, sizeof driver.own);
    groups_read(stage->kernel);
    expect(stage, SHAPE(.grid = {4, 2, 3}, .block = {32, 1, 1}), NULL);
    expect(stage, SHAPE(.grid = {4, 3, 3}, .block = {32, 1, 1}), "is not a multiple of its clusters of 2x2x1");
    expect(stage, SHAPE(.grid = {4, 4, 1}, .block = {32, 1, 1}, .cluster = {2, 2, 1}), NULL);
    expect(stage, SHAPE(.grid = {4, 4, 1}, .block = {32, 1, 1}, .cluster = {4, 1, 1}),
           "has __cluster_dims__(2, 2, 1), but is launched in clusters of 4x1x1");
    assert_false(groups_has_attributes(SHAPE(.grid = {4, 2, 3}, .block = {32, 1, 1})));
}

static void attributes_reach_the_driver(void **state)
{
    struct stage *stage = *state;
    const struct launch_shape *shape = SHAPE(.grid = {8, 6, 4}, .block = {32, 2, 1}, .cluster = {4, 2, 1},
                                             .dynamic_shared = 640, .cooperative = true);
    assert_true(groups_has_attributes(shape));
    assert_true(groups_launch(stage->kernel, NULL, shape, NULL, &stage->error));
    assert_string_equal(fake.calls, "l");
    assert_int_equal(driver.config.grid[2], 4);
    assert_int_equal(driver.config.block[1], 2);
    assert_int_equal(driver.config.dynamic_shared, 640);
    assert_int_equal(driver.config.attribute_count, 2);
    assert_int_equal(driver.attributes[0].id, CUDA_LAUNCH_COOPERATIVE);
    assert_int_equal(driver.attributes[0].value.cooperative, 1);
    assert_int_equal(driver.attributes[1].id, CUDA_LAUNCH_CLUSTER);
    assert_int_equal(driver.attributes[1].value.cluster[0], 4);
    assert_int_equal(driver.attributes[1].value.cluster[1], 2);
    fake.failing_from = 1;
    fake.result = 720; /* CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE */
    assert_false(groups_launch(stage->kernel, NULL, shape, NULL, &stage->error));
    assert_int_equal(stage->error.code, ERROR_RESOURCES);
}

static void an_old_driver_says_so(void **state)
{
    struct stage *stage = *state;
    const struct launch_shape *shape = SHAPE(.grid = {8, 1, 1}, .block = {32, 1, 1}, .cooperative = true);
    stage->context.cuda.launch_config = NULL;
    expect(stage, shape, "which this driver cannot");
    assert_non_null(strstr(stage->error.hint, "CUDA 11.8"));
    assert_false(groups_launch(stage->kernel, NULL, shape, NULL, &stage->error));
    assert_int_equal(stage->error.code, ERROR_RESOURCES);
}

#define groups_test(f) cmocka_unit_test_setup_teardown(f, open_stage, close_stage)

int main(void)
{
    const struct CMUnitTest tests[] = {
        groups_test(a_cooperative_grid_fits_at_once),
        groups_test(clusters_fit_grid_and_device),
        groups_test(a_kernel_may_have_clusters_of_its_own),
        groups_test(attributes_reach_the_driver),
        groups_test(an_old_driver_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
