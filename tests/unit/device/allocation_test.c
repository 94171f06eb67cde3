/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation of the devices fails in turn: a clean error every time, or the right result anyway. */
#include "fake_compiler.h"
#include "fake_cubin.h"
#include "tests/unit/failing_allocator.h"

#include "tuner/device/cpu/compiler.h"
#include "tuner/device/cpu/cpu.h"
#include "tuner/device/cpu/identity.h"
#include "tuner/device/cpu/toolchain.h"
#include "tuner/device/cuda/compiler_log.h"
#include "tuner/device/cuda/module.h"

/* Returns its result as text, which the caller frees, or NULL with an error. */
typedef char *scenario(struct error *error);

static void fail_each(scenario *run, size_t least)
{
    struct error error = {0};
    char *right = run(&error);
    if (!right)
        fail_msg("%s", error.text);
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        error = (struct error){0};
        failing_allocator_begin(n);
        char *text = run(&error);
        failed = failing_allocator_end();
        if (!failed && !text)
            fail_msg("without a failure: %s", error.text);
        if (text ? strcmp(text, right) != 0 : error.code != ERROR_OUT_OF_MEMORY)
            fail_msg("allocation %zu: code %d, '%s', '%s'", n, (int)error.code, error.text, text ? text : "");
        free(text);
    }
    free(right);
    assert_true(n > least);
}

static const struct device_description gcc = {.kind = "cpu", .compiler = "g++ 12.2.0"};

static char *identity(struct error *error)
{
    char *text;
    return cpu_compile_identity(&gcc, &text, error) ? text : NULL;
}

static char *version(struct error *error)
{
    char text[64];
    return toolchain_version(text, sizeof text, error) ? __real_strdup(text) : NULL;
}

/* With a compiler that writes the source's last line as the image, and something to its log. */
static char *compile(struct error *error)
{
    static const char *const kernels[] = {"k"}, *const options[] = {"-DA"};
    static const char text[] = "__global__ void k() {}\n";
    const struct compile_request request = {
        .path = "k.cu",
        .text = text,
        .length = sizeof text - 1,
        .folder = "/tmp",
        .kernels = kernels,
        .kernel_count = 1,
        .options = options,
        .option_count = 1,
        .scratch_folder = fake_folder,
    };
    struct compile_result result;
    char *answer = NULL;
    if (!cpu_compile(&gcc, &request, &result, error)) {
        assert_null(result.log);
        assert_null(result.image);
        return NULL;
    }
    size_t length = result.compiled ? result.image_bytes : strlen(result.log);
    answer = __real_malloc(length + 1);
    assert_non_null(answer);
    memcpy(answer, result.compiled ? result.image : result.log, length);
    answer[length] = '\0';
    free(result.image);
    free(result.log);
    return answer;
}

static void the_host_compiler(void **state)
{
    (void)state;
    use_compiler("g++", "while [ \"$1\" != -o ]; do shift; done; echo message; echo image > \"$2\"");
    fail_each(identity, 1);
    fail_each(compile, 4);
    use_compiler("g++", "echo message; kill -9 $$");
    fail_each(compile, 4);
    use_compiler("g++", "echo g++ 12.2.0");
    fail_each(version, 1);
}

static char *open_and_allocate(struct error *error)
{
    struct device *device;
    uint64_t address;
    if (!cpu_driver.open(0, &device, error))
        return NULL;
    bool done = cpu_driver.allocate(device, 1000, &address, error);
    cpu_driver.close(device);
    return done ? __real_strdup("allocated") : NULL;
}

static void the_cpu_device(void **state)
{
    (void)state;
    fail_each(open_and_allocate, 6);
}

/* ---- the CUDA device, whose driver is made up ---- */

static cuda_result load(cuda_module *module, const void *image)
{
    (void)image;
    *module = (cuda_module)(void *)module;
    return CUDA_SUCCESS;
}

static cuda_result unload(cuda_module module)
{
    (void)module;
    return CUDA_SUCCESS;
}

static cuda_result function(cuda_function *result, cuda_module module, const char *name)
{
    (void)module, (void)name;
    *result = NULL;
    return CUDA_SUCCESS;
}

static cuda_result attribute(int *value, int number, cuda_function kernel)
{
    (void)kernel;
    *value = number;
    return CUDA_SUCCESS;
}

static cuda_result global(cuda_address *address, size_t *bytes, cuda_module module, const char *name)
{
    (void)module, (void)name;
    *address = 1;
    *bytes = 2;
    return CUDA_SUCCESS;
}

static const struct context context = {.cuda = {.module_load = load,
                                                .module_unload = unload,
                                                .module_function = function,
                                                .module_global = global,
                                                .function_attribute = attribute}};

static char *use_module(struct error *error)
{
    static const struct image_name names[] = {{"kernel", "k"}, {"&table", "table"}};
    const struct fake_cubin cubin = fake_cubin(true);
    struct module *module;
    struct device_kernel *kernel;
    uint64_t address;
    size_t bytes;
    void *at;
    void *image = image_create(names, 2, sizeof cubin, &at, &bytes);
    if (!image) {
        error_out_of_memory(error);
        return NULL;
    }
    memcpy(at, &cubin, sizeof cubin);
    bool done = module_load(&context, image, bytes, &module, error);
    free(image);
    if (!done)
        return NULL;
    done = module_kernel(module, "kernel", &kernel, error) && module_symbol(module, "table", &address, &bytes, error);
    module_unload(module);
    return done ? __real_strdup("used") : NULL;
}

static char *read_log(struct error *error)
{
    char *text = compiler_log_messages("a message\n", "k.cu", NULL, 0, NULL);
    if (!text)
        error_out_of_memory(error);
    return text;
}

static void the_cuda_device(void **state)
{
    (void)state;
    fail_each(use_module, 5);
    fail_each(read_log, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_compiler),
        cmocka_unit_test(the_cpu_device),
        cmocka_unit_test(the_cuda_device),
    };
    return cmocka_run_group_tests(tests, fake_folder_open, fake_folder_close);
}
