/* SPDX-License-Identifier: Apache-2.0 */
/* Modules of the CUDA device on a fake driver: their kernels, and the launches that are refused. */
#include "fake_cubin.h"
#include "fake_cuda.h"

#include "tuner/device/cuda/result.h"
#include "tuner/device/host_part.h"

#include <stdio.h>
#include <unistd.h>

#define SHAPE(...) (&(const struct launch_shape){__VA_ARGS__})

static struct {
    int allowed, granted; /* bytes of dynamic shared memory */
    int refused_attribute;
    bool loaded;
    const void *image;
    size_t launches; /* by kernels, that may wait */
} driver;

static cuda_result load(cuda_module *module, const void *image)
{
    *module = (cuda_module)(void *)&driver;
    driver.loaded = true;
    driver.image = image;
    return CUDA_SUCCESS;
}

static cuda_result unload(cuda_module module)
{
    assert_ptr_equal(module, &driver);
    driver.loaded = false;
    return CUDA_SUCCESS;
}

static cuda_result function(cuda_function *result, cuda_module module, const char *name)
{
    (void)module;
    *result = (cuda_function)(void *)&driver.image;
    return strcmp(name, "k") == 0 ? CUDA_SUCCESS : 500; /* CUDA_ERROR_NOT_FOUND */
}

static cuda_result global(cuda_address *address, size_t *bytes, cuda_module module, const char *name)
{
    (void)module;
    *address = 4096;
    *bytes = 64;
    return strcmp(name, "table") == 0 ? CUDA_SUCCESS : 500;
}

static cuda_result attribute(int *value, int number, cuda_function kernel)
{
    (void)kernel;
    switch (number) {
    case CUDA_FUNCTION_REGISTERS:
        *value = 40;
        break;
    case CUDA_FUNCTION_LOCAL:
        *value = 64;
        break;
    case CUDA_FUNCTION_STATIC_SHARED:
        *value = 2048;
        break;
    case CUDA_FUNCTION_MAX_THREADS:
        *value = 256;
        break;
    case CUDA_FUNCTION_CLUSTER_WIDTH:
    case CUDA_FUNCTION_CLUSTER_WIDTH + 1:
    case CUDA_FUNCTION_CLUSTER_WIDTH + 2:
        *value = 0;
        break;
    default:
        *value = driver.allowed;
        break;
    }
    return number == driver.refused_attribute ? 1 : CUDA_SUCCESS;
}

static cuda_result limit(size_t *value, int number)
{
    assert_int_equal(number, CUDA_LIMIT_LAUNCHES);
    *value = driver.launches;
    return CUDA_SUCCESS;
}

static cuda_result limit_set(int number, size_t value)
{
    assert_int_equal(number, CUDA_LIMIT_LAUNCHES);
    driver.launches = value;
    return fake_note('n');
}

static cuda_result set(cuda_function kernel, int number, int value)
{
    (void)kernel;
    assert_int_equal(number, CUDA_FUNCTION_MAX_DYNAMIC_SHARED);
    driver.granted = value;
    return fake_note('s');
}

static cuda_result occupancy(int *blocks, cuda_function kernel, int block_threads, size_t dynamic_shared)
{
    (void)kernel, (void)block_threads, (void)dynamic_shared;
    *blocks = 4;
    return CUDA_SUCCESS;
}

struct stage {
    struct context context;
    struct module *module;
    struct device_kernel *kernel;
    struct error error;
};

static const struct image_name names[] = {{"kernel", "k"}, {"gone", "gone"}, {"&table", "table"}};

static int open_stage(void **state)
{
    struct stage *stage = calloc(1, sizeof *stage);
    struct fake_cubin cubin = fake_cubin(true);
    size_t bytes;
    void *at;
    assert_non_null(stage);
    memset(&driver, 0, sizeof driver);
    driver.allowed = 48 << 10;
    driver.refused_attribute = -1;
    stage->context = fake_context();
    stage->context.cuda.module_load = load;
    stage->context.cuda.module_unload = unload;
    stage->context.cuda.module_function = function;
    stage->context.cuda.module_global = global;
    stage->context.cuda.function_attribute = attribute;
    stage->context.cuda.function_set = set;
    stage->context.cuda.limit = limit;
    stage->context.cuda.limit_set = limit_set;
    stage->context.cuda.occupancy = occupancy;
    void *image = image_create(names, 3, sizeof cubin, &at, &bytes);
    assert_non_null(image);
    memcpy(at, &cubin, sizeof cubin);
    assert_true(module_load(&stage->context, image, bytes, &stage->module, &stage->error));
    free(image); /* the module keeps a copy */
    assert_true(module_kernel(stage->module, "kernel", &stage->kernel, &stage->error));
    *state = stage;
    return 0;
}

static int close_stage(void **state)
{
    struct stage *stage = *state;
    module_unload(stage->module);
    assert_false(driver.loaded);
    free(stage);
    return 0;
}

static void kernels_and_variables_by_name(void **state)
{
    struct stage *stage = *state;
    struct device_kernel *kernel = NULL;
    uint64_t address;
    size_t bytes;
    assert_true(module_kernel(stage->module, "kernel", &kernel, &stage->error));
    assert_ptr_equal(kernel, stage->kernel);
    assert_int_equal(kernel->parameter_count, 2); /* as fake_cubin.h has it */
    assert_false(module_kernel(stage->module, "k", &kernel, &stage->error));
    assert_int_equal(stage->error.code, ERROR_INPUT);
    assert_false(module_kernel(stage->module, "gone", &kernel, &stage->error));
    assert_int_equal(stage->error.code, ERROR_WORK);

    assert_true(module_symbol(stage->module, "table", &address, &bytes, &stage->error));
    assert_int_equal(address, 4096);
    assert_int_equal(bytes, 64);
    assert_false(module_symbol(stage->module, "kernel", &address, &bytes, &stage->error));
    assert_int_equal(stage->error.code, ERROR_INPUT);
}

/* In place of the driver, at once. */
static cuda_result call_host(cuda_stream stream, void (*function)(void *), void *argument)
{
    (void)stream;
    cuda_result result = fake_note('h');
    if (result == CUDA_SUCCESS)
        function(argument);
    return result;
}

static bool compile_nothing(const struct device_description *description, const struct compile_request *request,
                            struct compile_result *result, struct error *error)
{
    (void)description, (void)error;
    assert_int_equal(request->kernel_count, 0);
    *result = (struct compile_result){.compiled = true, .image = calloc(1, 1), .image_bytes = 1, .log = strdup("")};
    return true;
}

/* The GPU's kernels stay what they are; of the host's, a launch becomes a call of the stream. */
static void kernels_of_the_host(void **state)
{
    struct stage *stage = *state;
    static const char *const kernel_names[] = {HOST_KERNEL "sum"};
    static const char text[] = "__global__ void sum(const float *x, float *y, int n)\n"
                               "{ float all = 0; for (int i = 0; i < n; i++) all += x[i]; y[blockIdx.x] = all; }\n";
    char scratch[] = "/tmp/tune-module-XXXXXX";
    assert_non_null(mkdtemp(scratch));
    const struct compile_request request = {.path = "sum.cu",
                                            .text = text,
                                            .length = sizeof text - 1,
                                            .defines = "",
                                            .kernels = kernel_names,
                                            .kernel_count = 1,
                                            .scratch_folder = scratch};
    struct compile_result result;
    struct host_image parts;
    struct device_kernel *kernel;
    struct kernel_resources resources;
    const float x[] = {1, 2, 4};
    float y[] = {0, 0};
    size_t count;
    stage->context.cuda.launch_host = call_host;
    assert_false(module_kernel(stage->module, kernel_names[0], &kernel, &stage->error));
    assert_true(host_compile(compile_nothing, NULL, &request, &result, &stage->error));
    assert_true(result.compiled && host_image_split(result.image, result.image_bytes, &parts, &stage->error));
    assert_true(host_open(false, &stage->context.host, &stage->error));
    assert_true(host_load(stage->context.host, &parts, &stage->module->host, &stage->error));
    free(result.image);
    free(result.log);
    assert_int_equal(rmdir(scratch), 0);

    assert_true(module_kernel(stage->module, kernel_names[0], &kernel, &stage->error));
    assert_string_equal(module_parameters(kernel, &count)[2].text, "int");
    assert_int_equal(count, 3);
    const struct launch_shape *shape = SHAPE(.grid = {2, 1, 1}, .block = {1, 1, 1});
    assert_true(module_resources(kernel, shape, &resources, &stage->error));
    uint64_t from = (uint64_t)(uintptr_t)x, to = (uint64_t)(uintptr_t)y, number = 3;
    void *arguments[] = {&from, &to, &number};
    fake.call_count = 0;
    assert_true(module_launch(kernel, NULL, shape, arguments, 3, &stage->error));
    assert_string_equal(fake.calls, "h");
    assert_true(y[0] == 7 && y[1] == 7);
    assert_false(module_launch(kernel, NULL, shape, arguments, 2, &stage->error));
    fake.failing_from = 1;
    fake.result = 719; /* CUDA_ERROR_LAUNCH_FAILED, of an earlier launch */
    assert_false(module_launch(kernel, NULL, shape, arguments, 3, &stage->error));
    fake.failing_from = 0;
    assert_true(host_check(stage->context.host, &stage->error));
    module_unload(stage->module);
    stage->module = NULL;
    host_close(stage->context.host);
}

static void expect_parameters(struct stage *stage, size_t first, size_t second)
{
    size_t count;
    struct device_kernel *kernel;
    module_unload(stage->module);
    struct fake_cubin cubin = fake_cubin(true);
    size_t bytes;
    void *at, *image = image_create(names, 3, sizeof cubin, &at, &bytes);
    assert_non_null(image);
    memcpy(at, &cubin, sizeof cubin);
    assert_true(module_load(&stage->context, image, bytes, &stage->module, &stage->error));
    free(image);
    assert_true(module_kernel(stage->module, "kernel", &kernel, &stage->error));
    const struct kernel_parameter *parameters = module_parameters(kernel, &count);
    assert_int_equal(count, 2);
    assert_int_equal(parameters[0].type.bytes, first);
    assert_int_equal(parameters[1].type.bytes, second);
    assert_int_equal(parameters[0].type.kind, PARAMETER_UNKNOWN); /* the name k tells no types */
}

static cuda_result tell_parameter(cuda_function kernel, size_t index, size_t *offset, size_t *bytes)
{
    assert_non_null(kernel);
    *offset = 16 * index;
    *bytes = 2;
    return index == 0 ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
}

/* As fake_cubin.h has it; what the driver says counts more. */
static void sizes_of_parameters(void **state)
{
    struct stage *stage = *state;
    expect_parameters(stage, 8, 4);
    stage->context.cuda.parameter = tell_parameter;
    expect_parameters(stage, 2, 4);
}

/* A kernel with a C++ name: its types, unless they contradict the sizes. */
static void expect_type(struct stage *stage, const char *lowered, enum parameter_kind kind)
{
    size_t count, bytes;
    void *at;
    struct device_kernel *kernel;
    struct fake_cubin cubin = fake_cubin(true);
    const struct image_name name = {"typed", lowered};
    snprintf(cubin.names, sizeof cubin.names, "%s", "");
    size_t used = 1;
    static const char *const sections[] = {".shstrtab", ".strtab", ".symtab", ".nv.info"};
    for (size_t i = 0; i < 4; i++)
        cubin.sections[i + 1].sh_name = fake_name(cubin.names, &used, sections[i]);
    char own[64];
    snprintf(own, sizeof own, ".nv.info.%s", lowered);
    cubin.sections[5].sh_name = fake_name(cubin.names, &used, own);
    snprintf(own, sizeof own, ".text.%s", lowered);
    cubin.sections[6].sh_name = fake_name(cubin.names, &used, own);
    cubin.sections[7].sh_name = cubin.sections[8].sh_name = 0;
    snprintf(cubin.strings + 7, sizeof cubin.strings - 7, "%s", lowered);
    module_unload(stage->module);
    void *image = image_create(&name, 1, sizeof cubin, &at, &bytes);
    assert_non_null(image);
    memcpy(at, &cubin, sizeof cubin);
    assert_true(module_load(&stage->context, image, bytes, &stage->module, &stage->error));
    free(image);
    if (!module_kernel(stage->module, "typed", &kernel, &stage->error))
        fail_msg("%s", stage->error.text);
    const struct kernel_parameter *parameters = module_parameters(kernel, &count);
    assert_int_equal(count, 2);
    assert_int_equal(parameters[0].type.bytes, 8);
    assert_int_equal(parameters[1].type.bytes, 4);
    assert_int_equal(parameters[1].type.kind, kind);
}

static cuda_result any_function(cuda_function *result, cuda_module module, const char *name)
{
    (void)module, (void)name;
    *result = (cuda_function)(void *)&driver.image;
    return CUDA_SUCCESS;
}

static void types_of_parameters(void **state)
{
    struct stage *stage = *state;
    stage->context.cuda.module_function = any_function;
    expect_type(stage, "_Z1kPff", PARAMETER_REAL);
    expect_type(stage, "_Z1kPfi", PARAMETER_INTEGER);
    expect_type(stage, "_Z1kPf4mode", PARAMETER_OTHER);
    expect_type(stage, "_Z1kPfd", PARAMETER_UNKNOWN);  /* a double of 4 bytes */
    expect_type(stage, "_Z1kPfff", PARAMETER_UNKNOWN); /* three */
}

static void an_invalid_image(void **state)
{
    struct stage *stage = *state;
    struct module *module;
    assert_false(module_load(&stage->context, "not an image", 12, &module, &stage->error));
    assert_int_equal(stage->error.code, ERROR_WORK);
    module_unload(NULL);
}

static void resources_of_a_kernel(void **state)
{
    struct stage *stage = *state;
    struct kernel_resources resources;
    assert_true(module_resources(stage->kernel, SHAPE(.block = {256, 1, 1}, .dynamic_shared = 1000), &resources,
                                 &stage->error));
    assert_int_equal(resources.registers, 40);
    assert_int_equal(resources.local_bytes, 64);
    assert_int_equal(resources.shared_bytes, 2048 + 1000);
    assert_int_equal(resources.max_threads, 256);
    assert_true(resources.occupancy == 4 * 256 / 2048.0);
    assert_true(
        module_resources(stage->kernel, SHAPE(.block = {257, 1, 1}, .dynamic_shared = 0), &resources, &stage->error));
    assert_true(resources.occupancy == 0); /* no such block runs */
}

/* Up to 48 KiB as it is, beyond after asking once for all there is, never more than the device has. */
static void dynamic_shared_memory_is_asked_for_once(void **state)
{
    struct stage *stage = *state;
    struct kernel_resources resources;
    assert_true(module_resources(stage->kernel, SHAPE(.block = {32, 1, 1}, .dynamic_shared = 48 << 10), &resources,
                                 &stage->error));
    assert_string_equal(fake.calls, "");
    assert_true(module_resources(stage->kernel, SHAPE(.block = {32, 1, 1}, .dynamic_shared = (48 << 10) + 1),
                                 &resources, &stage->error));
    assert_int_equal(driver.granted, 232448 - 2048);
    assert_true(module_resources(stage->kernel, SHAPE(.block = {32, 1, 1}, .dynamic_shared = 232448 - 2048),
                                 &resources, &stage->error));
    assert_string_equal(fake.calls, "s");
    assert_false(module_resources(stage->kernel, SHAPE(.block = {32, 1, 1}, .dynamic_shared = 232448 - 2048 + 1),
                                  &resources, &stage->error));
    assert_int_equal(stage->error.code, ERROR_RESOURCES);
    assert_false(module_resources(stage->kernel, SHAPE(.block = {32, 1, 1}, .dynamic_shared = SIZE_MAX), &resources,
                                  &stage->error));
    assert_int_equal(stage->error.code, ERROR_RESOURCES);
}

static void expect_refused(struct stage *stage, struct dimensions grid, struct dimensions block, size_t arguments,
                           enum error_code code)
{
    uint64_t value = 0;
    void *pointers[] = {&value, &value, &value};
    stage->error = (struct error){0};
    assert_false(
        module_launch(stage->kernel, NULL, SHAPE(.grid = grid, .block = block), pointers, arguments, &stage->error));
    assert_int_equal(stage->error.code, code);
    assert_string_equal(fake.calls, ""); /* it never got to the driver */
}

static void launches_that_cannot_work_are_refused(void **state)
{
    struct stage *stage = *state;
    struct dimensions one = {1, 1, 1};
    expect_refused(stage, one, one, 1, ERROR_INPUT);
    expect_refused(stage, one, one, 3, ERROR_INPUT);
    expect_refused(stage, (struct dimensions){0, 1, 1}, one, 2, ERROR_INPUT);
    expect_refused(stage, one, (struct dimensions){1, 1, 0}, 2, ERROR_INPUT);
    expect_refused(stage, one, (struct dimensions){257, 1, 1}, 2, ERROR_RESOURCES);
    expect_refused(stage, one, (struct dimensions){16, 16, 2}, 2, ERROR_RESOURCES);
    expect_refused(stage, one, (struct dimensions){1, 1, 65}, 2, ERROR_RESOURCES);
    expect_refused(stage, one, (struct dimensions){1u << 31, 2, 1}, 2, ERROR_RESOURCES);
    expect_refused(stage, (struct dimensions){1, 65536, 1}, one, 2, ERROR_RESOURCES);
}

static void a_launch_reaches_the_driver(void **state)
{
    struct stage *stage = *state;
    uint64_t value = 0;
    void *pointers[] = {&value, &value};
    const struct launch_shape *shape = SHAPE(.grid = {7, 1, 1}, .block = {16, 8, 2}, .dynamic_shared = 640);
    assert_true(module_launch(stage->kernel, NULL, shape, pointers, 2, &stage->error));
    assert_string_equal(fake.calls, "l");
    assert_int_equal(fake.threads, 256);
    assert_int_equal(fake.shared, 640);
    fake.failing_from = 1;
    fake.result = 1; /* CUDA_ERROR_INVALID_VALUE: only sizes can be invalid */
    assert_false(module_launch(stage->kernel, NULL, shape, pointers, 2, &stage->error));
    assert_int_equal(stage->error.code, ERROR_RESOURCES);
    fake.result = 719; /* CUDA_ERROR_LAUNCH_FAILED, of an earlier launch */
    assert_false(module_launch(stage->kernel, NULL, shape, pointers, 2, &stage->error));
    assert_int_equal(stage->error.code, ERROR_FAULT);
}

/* Setting it takes time and memory, so it only grows. */
static void room_for_launches_by_kernels_only_grows(void **state)
{
    struct stage *stage = *state;
    uint64_t value = 0;
    void *pointers[] = {&value, &value};
    struct launch_shape shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    static const struct {
        uint32_t launches;
        const char *calls;
    } cases[] = {{0, "l"}, {2048, "l"}, {3000, "nl"}, {3000, "l"}, {2999, "l"}, {0, "l"}, {3001, "nl"}};
    driver.launches = 2048;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fake.call_count = 0;
        shape.launches = cases[i].launches;
        assert_true(module_launch(stage->kernel, NULL, &shape, pointers, 2, &stage->error));
        assert_string_equal(fake.calls, cases[i].calls);
    }
    fake.call_count = 0;
    fake.failing_from = 1;
    fake.result = 2; /* CUDA_ERROR_OUT_OF_MEMORY */
    shape.launches = 1u << 30;
    assert_false(module_launch(stage->kernel, NULL, &shape, pointers, 2, &stage->error));
    if (!strstr(stage->error.text, "making room for 1073741824 launches by 'kernel'"))
        fail_msg("%s", stage->error.text);
    assert_string_equal(fake.calls, "n");
}

/* So that a launch, which may be captured, finds it made. */
static void resources_make_room_for_launches_by_kernels(void **state)
{
    struct stage *stage = *state;
    struct kernel_resources resources;
    const struct launch_shape *shape = SHAPE(.grid = {1, 1, 1}, .block = {1, 1, 1}, .launches = 5000);
    uint64_t value = 0;
    void *pointers[] = {&value, &value};
    driver.launches = 2048;
    assert_true(module_resources(stage->kernel, shape, &resources, &stage->error));
    assert_int_equal(driver.launches, 5000);
    fake.call_count = 0;
    assert_true(module_launch(stage->kernel, NULL, shape, pointers, 2, &stage->error));
    assert_string_equal(fake.calls, "l");
    assert_true(module_resources(stage->kernel, SHAPE(.block = {1, 1, 1}), &resources, &stage->error));
    assert_int_equal(driver.launches, 5000);
}

#define module_test(f) cmocka_unit_test_setup_teardown(f, open_stage, close_stage)

int main(void)
{
    const struct CMUnitTest tests[] = {
        module_test(kernels_and_variables_by_name),
        module_test(sizes_of_parameters),
        module_test(types_of_parameters),
        module_test(kernels_of_the_host),
        module_test(an_invalid_image),
        module_test(resources_of_a_kernel),
        module_test(dynamic_shared_memory_is_asked_for_once),
        module_test(launches_that_cannot_work_are_refused),
        module_test(a_launch_reaches_the_driver),
        module_test(room_for_launches_by_kernels_only_grows),
        module_test(resources_make_room_for_launches_by_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
