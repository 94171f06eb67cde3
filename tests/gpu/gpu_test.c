/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_test.h"

#include "tuner/device/cuda/compiler.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

enum { EXIT_SKIPPED = 77, SECONDS_PER_TEST = 60 };

void compile_and_load(struct gpu *gpu, const char *text, const char *kernel, const char *symbol)
{
    struct error error = {0};
    struct compile_request request = {
        .path = "test.cu",
        .text = text,
        .length = strlen(text),
        .kernels = &kernel,
        .kernel_count = 1,
        .symbols = &symbol,
        .symbol_count = symbol ? 1 : 0,
    };
    MUST(gpu->cuda->compile(&gpu->description, &request, &gpu->compiled, &error));
    CHECK(gpu->compiled.compiled, "%s", gpu->compiled.log);
    MUST(gpu->cuda->load(gpu->device, gpu->compiled.image, gpu->compiled.image_bytes, &gpu->module, &error));
}

struct device_kernel *kernel_of(struct gpu *gpu, const char *text, const char *name, const char *symbol)
{
    struct error error = {0};
    struct device_kernel *kernel;
    compile_and_load(gpu, text, name, symbol);
    MUST(gpu->cuda->kernel(gpu->module, name, &kernel, &error));
    return kernel;
}

uint64_t allocate(struct gpu *gpu, size_t bytes)
{
    struct error error = {0};
    uint64_t address;
    MUST(gpu->cuda->allocate(gpu->device, bytes, &address, &error));
    CHECK(address % 256 == 0, "address %llx", (unsigned long long)address);
    return address;
}

void *host_memory(size_t bytes)
{
    void *memory = calloc(1, bytes);
    CHECK(memory, "out of memory");
    return memory;
}

static void run_in_child(const struct gpu_test *test)
{
    struct error error = {0};
    struct gpu gpu = {.cuda = device_driver_find("cuda")};
    alarm(SECONDS_PER_TEST);
    CHECK(gpu.cuda, "no driver for CUDA");
    MUST(gpu.cuda->open(0, &gpu.device, &error));
    MUST(gpu.cuda->describe(gpu.device, &gpu.description, &error));
    test->run(&gpu);
    if (gpu.module)
        gpu.cuda->unload(gpu.device, gpu.module);
    gpu.cuda->close(gpu.device);
}

static void look_for_gpu(const struct gpu_test *unused)
{
    (void)unused;
    struct error error = {0};
    int count = 0;
    char compiler[128];
    alarm(SECONDS_PER_TEST);
    MUST(device_driver_find("cuda")->count(&count, &error));
    cuda_compiler_name(compiler, sizeof compiler);
    if (count > 0 && compiler[0])
        return;
    printf("skipped: %s\n", count > 0 ? "NVRTC was not found" : error.text);
    fflush(stdout);
    _exit(EXIT_SKIPPED);
}

/* The exit status of `run` in a process of its own; a killed one counts as failed. */
static int in_child(void (*run)(const struct gpu_test *), const struct gpu_test *test)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run(test);
        fflush(stdout);
        _exit(EXIT_SUCCESS);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return EXIT_FAILURE;
    if (WIFSIGNALED(status))
        printf("  killed by signal %d%s\n", WTERMSIG(status),
               WTERMSIG(status) == SIGALRM ? ": it took too long" : "");
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

static bool is_wanted(const char *name, int argument_count, char **arguments)
{
    for (int i = 1; i < argument_count; i++) {
        if (strcmp(arguments[i], name) == 0)
            return true;
    }
    return argument_count <= 1;
}

int gpu_test_main(const struct gpu_test *tests, size_t count, int argument_count, char **arguments)
{
    int found = in_child(look_for_gpu, NULL);
    if (found != EXIT_SUCCESS)
        return found;
    size_t run = 0, failed = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_wanted(tests[i].name, argument_count, arguments))
            continue;
        printf("%s\n", tests[i].name);
        run++;
        if (in_child(run_in_child, &tests[i]) != EXIT_SUCCESS) {
            printf("  FAILED\n");
            failed++;
        }
    }
    printf("%zu tests, %zu failed\n", run, failed);
    return failed == 0 && run > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
