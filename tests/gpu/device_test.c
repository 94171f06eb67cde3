/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA device on a real GPU: gpu_device_test [name...] */
#include "gpu_test.h"

#include "tuner/device/cuda/cubin.h"
#include "tuner/device/cuda/image.h"

#include <stdlib.h>
#include <string.h>

#define SHAPE(...) (&(const struct launch_shape){__VA_ARGS__})

static const char saxpy[] = "__global__ void saxpy(int n, float a, const float *x, float *y)\n"
                            "{\n"
                            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "    if (i < n)\n"
                            "        y[i] = a * x[i] + y[i];\n"
                            "}\n";

static void run_saxpy(struct gpu *gpu, struct device_kernel *kernel, int n)
{
    struct error error = {0};
    size_t bytes = ((size_t)n + 1) * sizeof(float);
    float *x = host_memory(bytes), *y = host_memory(bytes), *out = host_memory(bytes), a = 3;
    for (int i = 0; i <= n; i++) {
        x[i] = (float)(i % 97);
        y[i] = (float)(i % 31);
    }
    uint64_t x_at = allocate(gpu, bytes), y_at = allocate(gpu, bytes);
    MUST(gpu->cuda->upload(gpu->device, x_at, x, bytes, &error));
    MUST(gpu->cuda->upload(gpu->device, y_at, y, bytes, &error));
    void *arguments[] = {&n, &a, &x_at, &y_at};
    MUST(gpu->cuda->launch(gpu->device, kernel,
                           SHAPE(.grid = {(uint32_t)(n + 127) / 128, 1, 1}, .block = {128, 1, 1}), arguments, 4,
                           &error));
    MUST(gpu->cuda->synchronize(gpu->device, &error));
    MUST(gpu->cuda->download(gpu->device, out, y_at, bytes, &error));
    for (int i = 0; i < n; i++)
        CHECK(out[i] == (float)(3 * (i % 97) + i % 31), "n %d, i %d: %g", n, i, (double)out[i]);
    CHECK(out[n] == y[n], "n %d: wrote past the end", n);
    gpu->cuda->release(gpu->device, x_at);
    gpu->cuda->release(gpu->device, y_at);
    free(x);
    free(y);
    free(out);
}

static void test_saxpy(struct gpu *gpu)
{
    struct device_kernel *kernel = kernel_of(gpu, saxpy, "saxpy", NULL);
    static const int sizes[] = {1, 31, 127, 128, 129, 1000, 1 << 20, (1 << 20) + 17};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        run_saxpy(gpu, kernel, sizes[i]);
}

static void test_symbols(struct gpu *gpu)
{
    static const char text[] = "__constant__ int table[64];\n"
                               "__global__ void look_up(int *out) { out[threadIdx.x] = table[threadIdx.x ^ 5]; }\n";
    struct device_kernel *kernel = kernel_of(gpu, text, "look_up", "table");
    struct error error = {0};
    uint64_t table, out = allocate(gpu, 64 * sizeof(int));
    size_t bytes = 0;
    int values[64], seen[64];
    MUST(gpu->cuda->symbol(gpu->module, "table", &table, &bytes, &error));
    CHECK(bytes == sizeof values, "%zu bytes", bytes);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 64; i++)
            values[i] = i * i + round;
        MUST(gpu->cuda->upload(gpu->device, table, values, sizeof values, &error));
        MUST(gpu->cuda->launch(gpu->device, kernel, SHAPE(.grid = {1, 1, 1}, .block = {64, 1, 1}), (void *[]){&out},
                               1, &error));
        MUST(gpu->cuda->download(gpu->device, seen, out, sizeof seen, &error));
        for (int i = 0; i < 64; i++)
            CHECK(seen[i] == (i ^ 5) * (i ^ 5) + round, "round %d, i %d: %d", round, i, seen[i]);
    }
    CHECK(!gpu->cuda->symbol(gpu->module, "look_up", &table, &bytes, &error), "a kernel passed for a variable");
    CHECK(error.code == ERROR_INPUT, "%s", error.text);
}

/* Reverses `n` integers through dynamic shared memory. */
static const char reverse[] = "extern __shared__ int staged[];\n"
                              "__global__ void reverse(int *x, int n)\n"
                              "{\n"
                              "    for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
                              "        staged[i] = x[i];\n"
                              "    __syncthreads();\n"
                              "    for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
                              "        x[i] = staged[n - 1 - i];\n"
                              "}\n";

static void test_dynamic_shared(struct gpu *gpu)
{
    struct device_kernel *kernel = kernel_of(gpu, reverse, "reverse", NULL);
    struct error error = {0};
    size_t most = (size_t)gpu->description.max_shared_per_block_optin;
    size_t sizes[] = {1024, 48 * 1024, most, 2048};
    uint64_t x = allocate(gpu, most);
    int *values = host_memory(most);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int n = (int)(sizes[i] / sizeof(int));
        for (int j = 0; j < n; j++)
            values[j] = j;
        MUST(gpu->cuda->upload(gpu->device, x, values, sizes[i], &error));
        MUST(gpu->cuda->launch(gpu->device, kernel,
                               SHAPE(.grid = {1, 1, 1}, .block = {256, 1, 1}, .dynamic_shared = sizes[i]),
                               (void *[]){&x, &n}, 2, &error));
        MUST(gpu->cuda->download(gpu->device, values, x, sizes[i], &error));
        for (int j = 0; j < n; j++)
            CHECK(values[j] == n - 1 - j, "%zu bytes, %d: %d", sizes[i], j, values[j]);
    }
    int n = 1;
    CHECK(!gpu->cuda->launch(gpu->device, kernel,
                             SHAPE(.grid = {1, 1, 1}, .block = {1, 1, 1}, .dynamic_shared = most + 4),
                             (void *[]){&x, &n}, 2, &error),
          "too much shared memory was granted");
    CHECK(error.code == ERROR_RESOURCES, "%s", error.text);
    free(values);
}

/* The launch succeeds, waiting for it reports the fault in words, and nothing works afterwards. */
static void expect_fault(struct gpu *gpu, const char *ahead, const char *body, const char *name)
{
    char text[1024];
    snprintf(text, sizeof text, "%s\n__global__ void bad(int *x) { %s }\n", ahead, body);
    struct device_kernel *kernel = kernel_of(gpu, text, "bad", NULL);
    struct error error = {0};
    uint64_t x = allocate(gpu, 1024);
    MUST(gpu->cuda->fill(gpu->device, x, 0, 1024, &error));
    MUST(gpu->cuda->launch(gpu->device, kernel, SHAPE(.grid = {1, 1, 1}, .block = {32, 1, 1}), (void *[]){&x}, 1,
                           &error));
    CHECK(!gpu->cuda->synchronize(gpu->device, &error), "no fault: %s", body);
    CHECK(error.code == ERROR_FAULT, "%s", error.text);
    printf("  %s\n", error.text);
    CHECK(strstr(error.text, name) && strchr(error.text, '('), "neither name nor explanation: %s", error.text);
    CHECK(!gpu->cuda->fill(gpu->device, x, 0, 4, &error) || !gpu->cuda->synchronize(gpu->device, &error),
          "the context is still alive");
    CHECK(error.code == ERROR_FAULT, "%s", error.text);
}

static void test_illegal_address(struct gpu *gpu)
{
    expect_fault(gpu, "", "x[1ll << 40] = 1;", "CUDA_ERROR_ILLEGAL_ADDRESS");
}

static void test_misaligned_address(struct gpu *gpu)
{
    expect_fault(gpu, "", "*(int *)((char *)x + 1) = 1;", "CUDA_ERROR_MISALIGNED_ADDRESS");
}

static void test_trap(struct gpu *gpu)
{
    expect_fault(gpu, "", "__trap();", "CUDA_ERROR_LAUNCH_FAILED");
}

static void test_assertion(struct gpu *gpu)
{
    expect_fault(gpu, "", "assert(x[threadIdx.x] == 1);", "CUDA_ERROR_ASSERT");
}

/* Beyond a thread's stack, initially 1 KiB. Which fault the GPU reports varies. */
static void test_stack_overflow(struct gpu *gpu)
{
    expect_fault(gpu,
                 "__device__ __noinline__ int down(volatile int *x, int n)\n"
                 "{\n"
                 "    volatile int here[32];\n"
                 "    here[n % 32] = x[n % 64];\n"
                 "    return n == 0 ? here[0] : down(x, n - 1) + here[(n + 7) % 32];\n"
                 "}",
                 "x[0] = down(x, 1000000 + x[1]);", "CUDA_ERROR_");
}

/* A fault of a launch surfaces where the host next waits, on a blocked stream too. */
static void test_fault_while_timed(struct gpu *gpu)
{
    struct device_kernel *kernel = kernel_of(gpu, "__global__ void bad(int *x) { x[1ll << 40] = 1; }", "bad", NULL);
    struct error error = {0};
    uint64_t x = allocate(gpu, 1024);
    double nanoseconds;
    MUST(gpu->cuda->blocking_kernel(gpu->device, &error));
    MUST(gpu->cuda->start(gpu->device, &error));
    MUST(gpu->cuda->launch(gpu->device, kernel, SHAPE(.grid = {1, 1, 1}, .block = {32, 1, 1}), (void *[]){&x}, 1,
                           &error));
    CHECK(!gpu->cuda->stop(gpu->device, &nanoseconds, &error), "no fault");
    CHECK(error.code == ERROR_FAULT, "%s", error.text);
    printf("  %s\n", error.text);
}

static void expect_refused(struct gpu *gpu, struct device_kernel *kernel, struct dimensions grid,
                           struct dimensions block, size_t argument_count, enum error_code code)
{
    struct error error = {0};
    uint64_t x = 0;
    CHECK(!gpu->cuda->launch(gpu->device, kernel, SHAPE(.grid = grid, .block = block), (void *[]){&x, &x},
                             argument_count, &error),
          "a grid of %ux%ux%u, blocks of %ux%ux%u was accepted", grid.x, grid.y, grid.z, block.x, block.y, block.z);
    CHECK(error.code == code, "%s", error.text);
    printf("  %s\n", error.text);
}

static void test_refused_launches(struct gpu *gpu)
{
    static const char text[] = "__global__ void __launch_bounds__(128) bounded(int *x) { *x = 1; }\n";
    struct device_kernel *kernel = kernel_of(gpu, text, "bounded", NULL);
    struct dimensions one = {1, 1, 1};
    expect_refused(gpu, kernel, one, (struct dimensions){129, 1, 1}, 1, ERROR_RESOURCES);
    expect_refused(gpu, kernel, one, (struct dimensions){64, 2, 2}, 1, ERROR_RESOURCES);
    expect_refused(gpu, kernel, one, (struct dimensions){1u << 31, 2, 1}, 1, ERROR_RESOURCES);
    expect_refused(gpu, kernel, one, (struct dimensions){1, 1, 65}, 1, ERROR_RESOURCES);
    expect_refused(gpu, kernel, (struct dimensions){1, 70000, 1}, one, 1, ERROR_RESOURCES);
    expect_refused(gpu, kernel, (struct dimensions){0, 1, 1}, one, 1, ERROR_INPUT);
    expect_refused(gpu, kernel, one, (struct dimensions){1, 0, 1}, 1, ERROR_INPUT);
    expect_refused(gpu, kernel, one, one, 2, ERROR_INPUT);
    expect_refused(gpu, kernel, one, one, 0, ERROR_INPUT);
    gpu->cuda->unload(gpu->device, gpu->module);
    test_saxpy(gpu); /* the device is unharmed */
}

static void test_copy_bandwidth(struct gpu *gpu)
{
    size_t bytes = (size_t)512 << 20;
    struct error error = {0};
    uint64_t from = allocate(gpu, bytes), to = allocate(gpu, bytes);
    double nanoseconds;
    for (int repeat = 0; repeat < 2; repeat++) {
        MUST(gpu->cuda->start(gpu->device, &error));
        MUST(gpu->cuda->copy(gpu->device, to, from, bytes, &error));
        MUST(gpu->cuda->stop(gpu->device, &nanoseconds, &error));
    }
    double rate = 2e9 * (double)bytes / nanoseconds;
    printf("  %.2f of %.2f TB/s\n", rate * 1e-12, gpu->description.peak_bandwidth * 1e-12);
    CHECK(rate > 0.5 * gpu->description.peak_bandwidth && rate < gpu->description.peak_bandwidth, "%g B/s", rate);
}

static void test_copy_and_fill(struct gpu *gpu)
{
    struct error error = {0};
    unsigned char bytes[1000];
    uint64_t a = allocate(gpu, sizeof bytes), b = allocate(gpu, sizeof bytes);
    MUST(gpu->cuda->fill(gpu->device, a, 0x5a, sizeof bytes, &error));
    MUST(gpu->cuda->fill(gpu->device, b, 0, sizeof bytes, &error));
    MUST(gpu->cuda->copy(gpu->device, b + 10, a, 100, &error));
    MUST(gpu->cuda->download(gpu->device, bytes, b, sizeof bytes, &error));
    for (size_t i = 0; i < sizeof bytes; i++)
        CHECK(bytes[i] == (i >= 10 && i < 110 ? 0x5a : 0), "byte %zu: %d", i, bytes[i]);
}

/*
 * 512 integers of shared memory, 64 of local memory. The latter are written at indices that depend on the input; if
 * they were merely read that way, the assembler could keep them in registers and select among them.
 */
static void test_resources(struct gpu *gpu)
{
    static const char text[] = "__global__ void shared(unsigned *x, unsigned n)\n"
                               "{\n"
                               "    __shared__ unsigned s[512];\n"
                               "    unsigned a[64];\n"
                               "    for (unsigned i = 0; i < 64; i++)\n"
                               "        a[i] = x[i];\n"
                               "    for (unsigned i = 0; i < n; i++)\n"
                               "        a[x[i] % 64] += i;\n"
                               "    s[threadIdx.x] = a[n % 64];\n"
                               "    __syncthreads();\n"
                               "    x[threadIdx.x] = s[threadIdx.x ^ 1];\n"
                               "}\n";
    struct device_kernel *kernel = kernel_of(gpu, text, "shared", NULL);
    struct kernel_resources resources;
    struct error error = {0};
    MUST(gpu->cuda->resources(gpu->device, kernel, SHAPE(.block = {512, 1, 1}, .dynamic_shared = 1000), &resources,
                              &error));
    CHECK(resources.shared_bytes == 512 * 4 + 1000, "%lld bytes", (long long)resources.shared_bytes);
    CHECK(resources.max_threads == 1024, "%lld threads", (long long)resources.max_threads);
    CHECK(resources.local_bytes >= 256, "%lld bytes", (long long)resources.local_bytes);

    struct image_view view;
    struct cubin_kernel facts;
    MUST(image_view(gpu->compiled.image, gpu->compiled.image_bytes, &view, &error));
    MUST(cubin_kernel(view.cubin, view.cubin_bytes, image_lowered(&view, "shared"), &facts, &error));
    CHECK(facts.registers == resources.registers, "%lld and %lld", (long long)facts.registers,
          (long long)resources.registers);
    CHECK(facts.stack_bytes == resources.local_bytes, "%lld and %lld", (long long)facts.stack_bytes,
          (long long)resources.local_bytes);
    CHECK(facts.shared_bytes == 512 * 4, "%lld", (long long)facts.shared_bytes);
    gpu->cuda->unload(gpu->device, gpu->module);

    kernel = kernel_of(gpu, saxpy, "saxpy", NULL);
    MUST(gpu->cuda->resources(gpu->device, kernel, SHAPE(.block = {512, 1, 1}), &resources, &error));
    CHECK(resources.local_bytes == 0, "%lld bytes in a kernel that uses none", (long long)resources.local_bytes);
    CHECK(resources.shared_bytes == 0, "%lld bytes in a kernel that uses none", (long long)resources.shared_bytes);
}

static void expect_parameter(const struct kernel_parameter *parameter, enum parameter_kind kind, size_t bytes,
                             enum parameter_kind target, const char *text)
{
    CHECK(parameter->type.kind == kind && parameter->type.bytes == bytes && parameter->target.kind == target &&
              strcmp(parameter->text, text) == 0,
          "kind %d of %zu bytes, to kind %d: '%s', not '%s'", (int)parameter->type.kind, parameter->type.bytes,
          (int)parameter->target.kind, parameter->text, text);
}

/* Types from the C++ name; of an extern "C" kernel only sizes, also of what it does not use. */
static void test_parameters(struct gpu *gpu)
{
    static const char text[] =
        "struct three { float a, b, c; };\n"
        "__global__ void typed(const float *__restrict__ x, float4 *y, long long n, double a, float b, bool c, three "
        "t,\n"
        "                      unsigned short s, void *unused) { *y = make_float4(x[n], a, b, c + t.c + s); }\n";
    static const char plain[] =
        "extern \"C\" __global__ void plain(float *x, double a, short b, int n) { x[n] = a; }\n";
    size_t count = 0;
    const struct kernel_parameter *p = gpu->cuda->parameters(kernel_of(gpu, text, "typed", NULL), &count);
    CHECK(count == 9, "%zu parameters", count);
    expect_parameter(&p[0], PARAMETER_POINTER, 8, PARAMETER_REAL, "const float *");
    expect_parameter(&p[1], PARAMETER_POINTER, 8, PARAMETER_OTHER, "float4 *");
    expect_parameter(&p[2], PARAMETER_INTEGER, 8, PARAMETER_UNKNOWN, "long long");
    expect_parameter(&p[3], PARAMETER_REAL, 8, PARAMETER_UNKNOWN, "double");
    expect_parameter(&p[4], PARAMETER_REAL, 4, PARAMETER_UNKNOWN, "float");
    expect_parameter(&p[5], PARAMETER_INTEGER, 1, PARAMETER_UNKNOWN, "bool");
    expect_parameter(&p[6], PARAMETER_OTHER, 12, PARAMETER_UNKNOWN, "three");
    expect_parameter(&p[7], PARAMETER_INTEGER, 2, PARAMETER_UNKNOWN, "unsigned short");
    expect_parameter(&p[8], PARAMETER_POINTER, 8, PARAMETER_UNKNOWN, "void *");
    struct image_view view;
    struct cubin_kernel facts;
    struct error error = {0};
    MUST(image_view(gpu->compiled.image, gpu->compiled.image_bytes, &view, &error));
    MUST(cubin_kernel(view.cubin, view.cubin_bytes, image_lowered(&view, "typed"), &facts, &error));
    for (size_t i = 0; i < count; i++) /* the driver and the cubin agree */
        CHECK(facts.parameter_bytes[i] == p[i].type.bytes, "parameter %zu: %u and %zu bytes", i,
              (unsigned)facts.parameter_bytes[i], p[i].type.bytes);
    gpu->cuda->unload(gpu->device, gpu->module);

    static const size_t bytes[] = {8, 8, 2, 4};
    p = gpu->cuda->parameters(kernel_of(gpu, plain, "plain", NULL), &count);
    CHECK(count == 4, "%zu parameters", count);
    for (size_t i = 0; i < count; i++)
        expect_parameter(&p[i], PARAMETER_UNKNOWN, bytes[i], PARAMETER_UNKNOWN, "");
}

static void test_occupancy(struct gpu *gpu)
{
    static const char text[] = "__global__ void small(int *x) { *x = 1; }\n";
    struct device_kernel *kernel = kernel_of(gpu, text, "small", NULL);
    const struct device_description *limits = &gpu->description;
    struct kernel_resources resources;
    struct error error = {0};
    MUST(gpu->cuda->resources(gpu->device, kernel, SHAPE(.block = {256, 1, 1}), &resources, &error));
    CHECK(resources.occupancy == 1.0, "%g", resources.occupancy);
    MUST(gpu->cuda->resources(gpu->device, kernel, SHAPE(.block = {32, 1, 1}), &resources, &error));
    double expected = (double)(32 * limits->max_blocks_per_sm) / (double)limits->max_threads_per_sm;
    CHECK(resources.occupancy == (expected < 1 ? expected : 1), "%g, not %g", resources.occupancy, expected);

    /* With all the shared memory that a block can have, only one block fits. */
    MUST(gpu->cuda->resources(
        gpu->device, kernel,
        SHAPE(.block = {256, 1, 1}, .dynamic_shared = (size_t)limits->max_shared_per_block_optin), &resources,
        &error));
    CHECK(resources.occupancy == 256.0 / (double)limits->max_threads_per_sm, "%g", resources.occupancy);
    MUST(gpu->cuda->resources(gpu->device, kernel, SHAPE(.block = {2048, 1, 1}), &resources, &error));
    CHECK(resources.occupancy == 0, "%g", resources.occupancy);
    CHECK(!gpu->cuda->resources(
              gpu->device, kernel,
              SHAPE(.block = {256, 1, 1}, .dynamic_shared = (size_t)limits->max_shared_per_block_optin + 1),
              &resources, &error),
          "too much shared memory");
    CHECK(error.code == ERROR_RESOURCES, "%s", error.text);
}

/* Does a line of nvidia-smi's output have all three? Also true without nvidia-smi. */
static bool smi_agrees(const struct device_description *description)
{
    FILE *smi = popen("nvidia-smi --query-gpu=uuid,driver_version,name --format=csv,noheader 2>/dev/null", "r");
    char line[512], expected[512];
    snprintf(expected, sizeof expected, "%s, %s, %s\n", description->uuid, description->driver, description->name);
    bool found = false, any = false;
    while (smi && fgets(line, sizeof line, smi)) {
        any = true;
        found = found || strcmp(line, expected) == 0;
    }
    if (smi)
        pclose(smi);
    return found || !any;
}

static void test_description(struct gpu *gpu)
{
    const struct device_description *d = &gpu->description;
    struct error error = {0};
    char architecture[32];
    printf("  %s, %s, %s, driver %s, %s\n", d->name, d->architecture, d->uuid, d->driver, d->compiler);
    for (size_t i = 0; i < device_field_count; i++) {
        int64_t value;
        memcpy(&value, (const char *)d + device_fields[i].offset, sizeof value);
        CHECK(value > 0, "%s: %lld", device_fields[i].name, (long long)value);
        printf("  %s %lld\n", device_fields[i].name, (long long)value);
    }
    printf("  peak %.1f TFLOP/s, %.2f TB/s\n", d->peak_flops * 1e-12, d->peak_bandwidth * 1e-12);
    CHECK(strcmp(d->kind, "cuda") == 0, "%s", d->kind);
    CHECK(strlen(d->uuid) == 40, "%s", d->uuid);
    CHECK(smi_agrees(d), "nvidia-smi disagrees");
    CHECK(strncmp(d->compiler, "NVRTC ", 6) == 0, "%s", d->compiler);
    snprintf(architecture, sizeof architecture, "sm_%lld", (long long)d->compute_capability);
    CHECK(strcmp(architecture, d->architecture) == 0, "%s", architecture);
    CHECK(d->max_shared_per_block <= d->max_shared_per_block_optin &&
              d->max_shared_per_block_optin <= d->max_shared_per_sm,
          "shared memory");
    if (strstr(d->name, "H100 80GB HBM3"))
        CHECK(d->peak_flops > 66e12 && d->peak_flops < 68e12 && d->peak_bandwidth > 3.3e12 &&
                  d->peak_bandwidth < 3.4e12,
              "NVIDIA's data sheet: 67 TFLOP/s, 3.35 TB/s");
    if (getenv("OUT")) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.json", getenv("OUT"), d->architecture);
        MUST(device_description_write(path, d, &error));
    }
}

static void test_state(struct gpu *gpu)
{
    struct device_state state;
    gpu->cuda->state(gpu->device, &state);
    printf("  %lld MHz, memory %lld MHz, %lld degrees, %lld mW, reasons %llx\n", (long long)state.sm_clock_mhz,
           (long long)state.memory_clock_mhz, (long long)state.temperature_c, (long long)state.power_mw,
           (unsigned long long)state.throttle_reasons);
    CHECK(state.sm_clock_mhz == -1 || (state.sm_clock_mhz >= 100 && state.sm_clock_mhz <= 5000), "clock");
    CHECK(state.temperature_c == -1 || (state.temperature_c > 5 && state.temperature_c < 120), "temperature");
    CHECK(state.power_mw == -1 || (state.power_mw > 1000 && state.power_mw < 2000000), "power");
    if (strchr(gpu->description.driver, '.') && strncmp(gpu->description.driver, "CUDA", 4) != 0)
        CHECK(state.sm_clock_mhz > 0 && state.throttle_reasons >= 0, "NVML is installed but does not know this GPU");
}

static void test_out_of_memory(struct gpu *gpu)
{
    struct error error = {0};
    uint64_t address;
    CHECK(!gpu->cuda->allocate(gpu->device, (size_t)1 << 50, &address, &error), "a petabyte was allocated");
    CHECK(error.code == ERROR_DOES_NOT_FIT, "%s", error.text);
    test_saxpy(gpu);
}

static void test_wrong_images(struct gpu *gpu)
{
    struct error error = {0};
    struct module *module;
    CHECK(!gpu->cuda->load(gpu->device, "not an image at all", 19, &module, &error), "loaded nonsense");
    CHECK(error.code == ERROR_WORK, "%s", error.text);

    struct device_kernel *kernel = kernel_of(gpu, saxpy, "saxpy", NULL);
    struct device_kernel *again;
    MUST(gpu->cuda->kernel(gpu->module, "saxpy", &again, &error));
    CHECK(kernel == again, "one kernel, two structures");
    CHECK(!gpu->cuda->kernel(gpu->module, "sapxy", &again, &error), "found a missing kernel");
    CHECK(error.code == ERROR_INPUT, "%s", error.text);

    /* Code for another architecture is refused. */
    struct device_description other = gpu->description;
    snprintf(other.architecture, sizeof other.architecture, "%s",
             other.compute_capability < 120 ? "sm_120" : "sm_90");
    const char *names[] = {"saxpy"};
    struct compile_request request = {
        .path = "test.cu", .text = saxpy, .length = strlen(saxpy), .kernels = names, .kernel_count = 1};
    struct compile_result compiled;
    if (!gpu->cuda->compile(&other, &request, &compiled, &error))
        return; /* unknown to this compiler */
    CHECK(!gpu->cuda->load(gpu->device, compiled.image, compiled.image_bytes, &module, &error), "loaded %s",
          other.architecture);
    CHECK(error.code == ERROR_WORK, "%s", error.text);
    printf("  %s\n", error.text);
}

/* Loading, launching and unloading leaks nothing: one process handles thousands of configurations. */
static void test_many_modules(struct gpu *gpu)
{
    struct device_kernel *kernel = kernel_of(gpu, saxpy, "saxpy", NULL);
    struct error error = {0};
    for (int i = 0; i < 500; i++) {
        gpu->cuda->unload(gpu->device, gpu->module);
        MUST(gpu->cuda->load(gpu->device, gpu->compiled.image, gpu->compiled.image_bytes, &gpu->module, &error));
        MUST(gpu->cuda->kernel(gpu->module, "saxpy", &kernel, &error));
        run_saxpy(gpu, kernel, 100);
    }
}

static const struct gpu_test tests[] = {
    {"description", test_description},
    {"saxpy", test_saxpy},
    {"symbols", test_symbols},
    {"dynamic_shared", test_dynamic_shared},
    {"copy_and_fill", test_copy_and_fill},
    {"resources", test_resources},
    {"parameters", test_parameters},
    {"occupancy", test_occupancy},
    {"copy_bandwidth", test_copy_bandwidth},
    {"state", test_state},
    {"refused_launches", test_refused_launches},
    {"out_of_memory", test_out_of_memory},
    {"wrong_images", test_wrong_images},
    {"many_modules", test_many_modules},
    {"illegal_address", test_illegal_address},
    {"misaligned_address", test_misaligned_address},
    {"trap", test_trap},
    {"assertion", test_assertion},
    {"stack_overflow", test_stack_overflow},
    {"fault_while_timed", test_fault_while_timed},
};

int main(int argument_count, char **arguments)
{
    return gpu_test_main(tests, sizeof tests / sizeof *tests, argument_count, arguments);
}
