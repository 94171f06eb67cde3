/*
 * The CUDA device on a real GPU. Each test runs in a process of its own, since a fault leaves nothing behind that
 * works.
 *
 *     gpu_device_test [name...]
 *
 * Exit status: 0 all passed, 1 some failed, 77 there is no GPU or no compiler here.
 */
#include "tuner/device/cuda/compiler.h"
#include "tuner/device/cuda/cubin.h"
#include "tuner/device/cuda/image.h"
#include "tuner/device/device.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_SKIPPED = 77, SECONDS_A_TEST = 60 };

#define CHECK(condition, ...)                                                                                        \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            printf("  %s:%d: %s is not so: ", __FILE__, __LINE__, #condition);                                       \
            printf(__VA_ARGS__);                                                                                     \
            printf("\n");                                                                                            \
            fflush(stdout);                                                                                          \
            _exit(EXIT_FAILURE);                                                                                     \
        }                                                                                                            \
    } while (0)

#define MUST(call) CHECK(call, "%s %s", error.text, error.hint)

/* What every test works with; one a process. */
struct bench {
    const struct device_driver *cuda;
    struct device *device;
    struct device_description description;
    struct compile_result compiled;
    struct module *module;
};

static void compile_and_load(struct bench *bench, const char *text, const char *kernel, const char *symbol)
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
    MUST(bench->cuda->compile(&bench->description, &request, &bench->compiled, &error));
    CHECK(bench->compiled.compiled, "%s", bench->compiled.log);
    MUST(
        bench->cuda->load(bench->device, bench->compiled.image, bench->compiled.image_bytes, &bench->module, &error));
}

static struct device_kernel *kernel_of(struct bench *bench, const char *text, const char *name, const char *symbol)
{
    struct error error = {0};
    struct device_kernel *kernel;
    compile_and_load(bench, text, name, symbol);
    MUST(bench->cuda->kernel(bench->module, name, &kernel, &error));
    return kernel;
}

static uint64_t allocate(struct bench *bench, size_t bytes)
{
    struct error error = {0};
    uint64_t address;
    MUST(bench->cuda->allocate(bench->device, bytes, &address, &error));
    CHECK(address % 256 == 0, "address %llx", (unsigned long long)address);
    return address;
}

static void *host_memory(size_t bytes)
{
    void *memory = calloc(1, bytes);
    CHECK(memory, "out of memory");
    return memory;
}

static const char saxpy[] = "__global__ void saxpy(int n, float a, const float *x, float *y)\n"
                            "{\n"
                            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "    if (i < n)\n"
                            "        y[i] = a * x[i] + y[i];\n"
                            "}\n";

static void run_saxpy(struct bench *bench, struct device_kernel *kernel, int n)
{
    struct error error = {0};
    size_t bytes = ((size_t)n + 1) * sizeof(float);
    float *x = host_memory(bytes), *y = host_memory(bytes), *out = host_memory(bytes), a = 3;
    for (int i = 0; i <= n; i++) {
        x[i] = (float)(i % 97);
        y[i] = (float)(i % 31);
    }
    uint64_t x_at = allocate(bench, bytes), y_at = allocate(bench, bytes);
    MUST(bench->cuda->upload(bench->device, x_at, x, bytes, &error));
    MUST(bench->cuda->upload(bench->device, y_at, y, bytes, &error));
    void *arguments[] = {&n, &a, &x_at, &y_at};
    MUST(bench->cuda->launch(bench->device, kernel, (struct dimensions){(uint32_t)(n + 127) / 128, 1, 1},
                             (struct dimensions){128, 1, 1}, 0, arguments, 4, &error));
    MUST(bench->cuda->synchronize(bench->device, &error));
    MUST(bench->cuda->download(bench->device, out, y_at, bytes, &error));
    for (int i = 0; i < n; i++)
        CHECK(out[i] == (float)(3 * (i % 97) + i % 31), "n %d, i %d: %g", n, i, (double)out[i]);
    CHECK(out[n] == y[n], "n %d: wrote behind the end", n);
    bench->cuda->release(bench->device, x_at);
    bench->cuda->release(bench->device, y_at);
    free(x);
    free(y);
    free(out);
}

static void test_saxpy(struct bench *bench)
{
    struct device_kernel *kernel = kernel_of(bench, saxpy, "saxpy", NULL);
    static const int sizes[] = {1, 31, 127, 128, 129, 1000, 1 << 20, (1 << 20) + 17};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        run_saxpy(bench, kernel, sizes[i]);
}

static void test_symbols(struct bench *bench)
{
    static const char text[] = "__constant__ int table[64];\n"
                               "__global__ void look_up(int *out) { out[threadIdx.x] = table[threadIdx.x ^ 5]; }\n";
    struct device_kernel *kernel = kernel_of(bench, text, "look_up", "table");
    struct error error = {0};
    uint64_t table, out = allocate(bench, 64 * sizeof(int));
    size_t bytes = 0;
    int values[64], seen[64];
    MUST(bench->cuda->symbol(bench->module, "table", &table, &bytes, &error));
    CHECK(bytes == sizeof values, "%zu bytes", bytes);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 64; i++)
            values[i] = i * i + round;
        MUST(bench->cuda->upload(bench->device, table, values, sizeof values, &error));
        MUST(bench->cuda->launch(bench->device, kernel, (struct dimensions){1, 1, 1}, (struct dimensions){64, 1, 1},
                                 0, (void *[]){&out}, 1, &error));
        MUST(bench->cuda->download(bench->device, seen, out, sizeof seen, &error));
        for (int i = 0; i < 64; i++)
            CHECK(seen[i] == (i ^ 5) * (i ^ 5) + round, "round %d, i %d: %d", round, i, seen[i]);
    }
    CHECK(!bench->cuda->symbol(bench->module, "look_up", &table, &bytes, &error), "a kernel is no variable");
    CHECK(error.code == ERROR_INPUT, "%s", error.text);
}

/* Reverses `n` integers by way of dynamic shared memory. */
static const char reverse[] = "extern __shared__ int staged[];\n"
                              "__global__ void reverse(int *x, int n)\n"
                              "{\n"
                              "    for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
                              "        staged[i] = x[i];\n"
                              "    __syncthreads();\n"
                              "    for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
                              "        x[i] = staged[n - 1 - i];\n"
                              "}\n";

static void test_dynamic_shared(struct bench *bench)
{
    struct device_kernel *kernel = kernel_of(bench, reverse, "reverse", NULL);
    struct error error = {0};
    size_t most = (size_t)bench->description.max_shared_per_block_optin;
    size_t sizes[] = {1024, 48 * 1024, most, 2048};
    uint64_t x = allocate(bench, most);
    int *values = host_memory(most);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int n = (int)(sizes[i] / sizeof(int));
        for (int j = 0; j < n; j++)
            values[j] = j;
        MUST(bench->cuda->upload(bench->device, x, values, sizes[i], &error));
        MUST(bench->cuda->launch(bench->device, kernel, (struct dimensions){1, 1, 1}, (struct dimensions){256, 1, 1},
                                 sizes[i], (void *[]){&x, &n}, 2, &error));
        MUST(bench->cuda->download(bench->device, values, x, sizes[i], &error));
        for (int j = 0; j < n; j++)
            CHECK(values[j] == n - 1 - j, "%zu bytes, %d: %d", sizes[i], j, values[j]);
    }
    int n = 1;
    CHECK(!bench->cuda->launch(bench->device, kernel, (struct dimensions){1, 1, 1}, (struct dimensions){1, 1, 1},
                               most + 4, (void *[]){&x, &n}, 2, &error),
          "too much shared memory was granted");
    CHECK(error.code == ERROR_RESOURCES, "%s", error.text);
    free(values);
}

static void expect_fault(struct bench *bench, const char *body)
{
    char text[512];
    snprintf(text, sizeof text, "__global__ void bad(int *x) { %s }\n", body);
    struct device_kernel *kernel = kernel_of(bench, text, "bad", NULL);
    struct error error = {0};
    uint64_t x = allocate(bench, 1024);
    MUST(bench->cuda->launch(bench->device, kernel, (struct dimensions){1, 1, 1}, (struct dimensions){32, 1, 1}, 0,
                             (void *[]){&x}, 1, &error));
    CHECK(!bench->cuda->synchronize(bench->device, &error), "no fault: %s", body);
    CHECK(error.code == ERROR_FAULT, "%s", error.text);
    printf("  %s\n", error.text);
    CHECK(!bench->cuda->fill(bench->device, x, 0, 4, &error) || !bench->cuda->synchronize(bench->device, &error),
          "the context lives on");
    CHECK(error.code == ERROR_FAULT, "%s", error.text);
}

static void test_illegal_address(struct bench *bench)
{
    expect_fault(bench, "x[1ll << 40] = 1;");
}

static void test_misaligned_address(struct bench *bench)
{
    expect_fault(bench, "*(int *)((char *)x + 1) = 1;");
}

static void test_trap(struct bench *bench)
{
    expect_fault(bench, "__trap();");
}

static void expect_refused(struct bench *bench, struct device_kernel *kernel, struct dimensions grid,
                           struct dimensions block, size_t argument_count, enum error_code code)
{
    struct error error = {0};
    uint64_t x = 0;
    CHECK(!bench->cuda->launch(bench->device, kernel, grid, block, 0, (void *[]){&x, &x}, argument_count, &error),
          "a grid of %ux%ux%u, blocks of %ux%ux%u went through", grid.x, grid.y, grid.z, block.x, block.y, block.z);
    CHECK(error.code == code, "%s", error.text);
    printf("  %s\n", error.text);
}

static void test_refused_launches(struct bench *bench)
{
    static const char text[] = "__global__ void __launch_bounds__(128) bounded(int *x) { *x = 1; }\n";
    struct device_kernel *kernel = kernel_of(bench, text, "bounded", NULL);
    struct dimensions one = {1, 1, 1};
    expect_refused(bench, kernel, one, (struct dimensions){129, 1, 1}, 1, ERROR_RESOURCES);
    expect_refused(bench, kernel, one, (struct dimensions){64, 2, 2}, 1, ERROR_RESOURCES);
    expect_refused(bench, kernel, one, (struct dimensions){1u << 31, 2, 1}, 1, ERROR_RESOURCES);
    expect_refused(bench, kernel, one, (struct dimensions){1, 1, 65}, 1, ERROR_RESOURCES);
    expect_refused(bench, kernel, (struct dimensions){1, 70000, 1}, one, 1, ERROR_RESOURCES);
    expect_refused(bench, kernel, (struct dimensions){0, 1, 1}, one, 1, ERROR_INPUT);
    expect_refused(bench, kernel, one, (struct dimensions){1, 0, 1}, 1, ERROR_INPUT);
    expect_refused(bench, kernel, one, one, 2, ERROR_INPUT);
    expect_refused(bench, kernel, one, one, 0, ERROR_INPUT);
    bench->cuda->unload(bench->device, bench->module);
    test_saxpy(bench); /* none of it harmed the device */
}

/* The GPU's own nanosecond clock, which events know nothing of. */
static void test_timing(struct bench *bench)
{
    static const char text[] = "__global__ void wait(long long nanoseconds)\n"
                               "{\n"
                               "    long long start, now;\n"
                               "    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(start));\n"
                               "    do\n"
                               "        asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));\n"
                               "    while (now - start < nanoseconds);\n"
                               "}\n";
    struct device_kernel *kernel = kernel_of(bench, text, "wait", NULL);
    struct error error = {0};
    struct dimensions one = {1, 1, 1};
    static const long long waits[] = {1000, 1000000, 20000000};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        long long wait = waits[i];
        double measured;
        for (int repeat = 0; repeat < 2; repeat++) { /* the first one loads the kernel */
            MUST(bench->cuda->flush_cache(bench->device, &error));
            MUST(bench->cuda->start(bench->device, &error));
            MUST(bench->cuda->launch(bench->device, kernel, one, one, 0, (void *[]){&wait}, 1, &error));
            MUST(bench->cuda->stop(bench->device, &measured, &error));
        }
        printf("  %lld ns waited, %.0f ns measured\n", wait, measured);
        /* The clock ticks in steps of up to 1.024 us; 10 us for the launch. */
        CHECK(measured > (double)wait - 1100 && measured < 1.02 * (double)wait + 10000, "%g ns", measured);
    }
}

static void test_copy_bandwidth(struct bench *bench)
{
    size_t bytes = (size_t)512 << 20;
    struct error error = {0};
    uint64_t from = allocate(bench, bytes), to = allocate(bench, bytes);
    double nanoseconds;
    for (int repeat = 0; repeat < 2; repeat++) {
        MUST(bench->cuda->start(bench->device, &error));
        MUST(bench->cuda->copy(bench->device, to, from, bytes, &error));
        MUST(bench->cuda->stop(bench->device, &nanoseconds, &error));
    }
    double rate = 2e9 * (double)bytes / nanoseconds;
    printf("  %.2f of %.2f TB/s\n", rate * 1e-12, bench->description.peak_bandwidth * 1e-12);
    CHECK(rate > 0.5 * bench->description.peak_bandwidth && rate < bench->description.peak_bandwidth, "%g B/s", rate);
}

static void test_copy_and_fill(struct bench *bench)
{
    struct error error = {0};
    unsigned char bytes[1000];
    uint64_t a = allocate(bench, sizeof bytes), b = allocate(bench, sizeof bytes);
    MUST(bench->cuda->fill(bench->device, a, 0x5a, sizeof bytes, &error));
    MUST(bench->cuda->fill(bench->device, b, 0, sizeof bytes, &error));
    MUST(bench->cuda->copy(bench->device, b + 10, a, 100, &error));
    MUST(bench->cuda->download(bench->device, bytes, b, sizeof bytes, &error));
    for (size_t i = 0; i < sizeof bytes; i++)
        CHECK(bytes[i] == (i >= 10 && i < 110 ? 0x5a : 0), "byte %zu: %d", i, bytes[i]);
}

/*
 * 512 integers shared, 64 in local memory. Those are written at indices that only the input knows: an array that is
 * merely read so is no proof, since the assembler keeps it in registers and selects among them.
 */
static void test_resources(struct bench *bench)
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
    struct device_kernel *kernel = kernel_of(bench, text, "shared", NULL);
    struct kernel_resources resources;
    struct error error = {0};
    MUST(bench->cuda->resources(bench->device, kernel, 512, 1000, &resources, &error));
    CHECK(resources.shared_bytes == 512 * 4 + 1000, "%lld bytes", (long long)resources.shared_bytes);
    CHECK(resources.max_threads == 1024, "%lld threads", (long long)resources.max_threads);
    CHECK(resources.local_bytes >= 256, "%lld bytes", (long long)resources.local_bytes);

    struct image_view view;
    struct cubin_kernel facts;
    MUST(image_view(bench->compiled.image, bench->compiled.image_bytes, &view, &error));
    MUST(cubin_kernel(view.cubin, view.cubin_bytes, image_lowered(&view, "shared"), &facts, &error));
    CHECK(facts.registers == resources.registers, "%lld and %lld", (long long)facts.registers,
          (long long)resources.registers);
    CHECK(facts.stack_bytes == resources.local_bytes, "%lld and %lld", (long long)facts.stack_bytes,
          (long long)resources.local_bytes);
    CHECK(facts.shared_bytes == 512 * 4, "%lld", (long long)facts.shared_bytes);
    bench->cuda->unload(bench->device, bench->module);

    kernel = kernel_of(bench, saxpy, "saxpy", NULL);
    MUST(bench->cuda->resources(bench->device, kernel, 512, 0, &resources, &error));
    CHECK(resources.local_bytes == 0, "%lld bytes of a kernel that uses none", (long long)resources.local_bytes);
    CHECK(resources.shared_bytes == 0, "%lld bytes of a kernel that uses none", (long long)resources.shared_bytes);
}

static void test_occupancy(struct bench *bench)
{
    static const char text[] = "__global__ void small(int *x) { *x = 1; }\n";
    struct device_kernel *kernel = kernel_of(bench, text, "small", NULL);
    const struct device_description *limits = &bench->description;
    struct kernel_resources resources;
    struct error error = {0};
    MUST(bench->cuda->resources(bench->device, kernel, 256, 0, &resources, &error));
    CHECK(resources.occupancy == 1.0, "%g", resources.occupancy);
    MUST(bench->cuda->resources(bench->device, kernel, 32, 0, &resources, &error));
    double expected = (double)(32 * limits->max_blocks_per_sm) / (double)limits->max_threads_per_sm;
    CHECK(resources.occupancy == (expected < 1 ? expected : 1), "%g, not %g", resources.occupancy, expected);

    /* All the shared memory that a block can have leaves room for one block. */
    MUST(bench->cuda->resources(bench->device, kernel, 256, (size_t)limits->max_shared_per_block_optin, &resources,
                                &error));
    CHECK(resources.occupancy == 256.0 / (double)limits->max_threads_per_sm, "%g", resources.occupancy);
    MUST(bench->cuda->resources(bench->device, kernel, 2048, 0, &resources, &error));
    CHECK(resources.occupancy == 0, "%g", resources.occupancy);
    CHECK(!bench->cuda->resources(bench->device, kernel, 256, (size_t)limits->max_shared_per_block_optin + 1,
                                  &resources, &error),
          "too much shared memory");
    CHECK(error.code == ERROR_RESOURCES, "%s", error.text);
}

/* Is there a line of nvidia-smi's answer with all three? True as well where there is no nvidia-smi. */
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

static void test_description(struct bench *bench)
{
    const struct device_description *d = &bench->description;
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
    CHECK(smi_agrees(d), "nvidia-smi says otherwise");
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

static void test_state(struct bench *bench)
{
    struct device_state state;
    bench->cuda->state(bench->device, &state);
    printf("  %lld MHz, memory %lld MHz, %lld degrees, %lld mW, reasons %llx\n", (long long)state.sm_clock_mhz,
           (long long)state.memory_clock_mhz, (long long)state.temperature_c, (long long)state.power_mw,
           (unsigned long long)state.throttle_reasons);
    CHECK(state.sm_clock_mhz == -1 || (state.sm_clock_mhz >= 100 && state.sm_clock_mhz <= 5000), "clock");
    CHECK(state.temperature_c == -1 || (state.temperature_c > 5 && state.temperature_c < 120), "temperature");
    CHECK(state.power_mw == -1 || (state.power_mw > 1000 && state.power_mw < 2000000), "power");
    if (strchr(bench->description.driver, '.') && strncmp(bench->description.driver, "CUDA", 4) != 0)
        CHECK(state.sm_clock_mhz > 0 && state.throttle_reasons >= 0, "NVML is here but does not know this GPU");
}

static void test_out_of_memory(struct bench *bench)
{
    struct error error = {0};
    uint64_t address;
    CHECK(!bench->cuda->allocate(bench->device, (size_t)1 << 50, &address, &error), "a petabyte was granted");
    CHECK(error.code == ERROR_MEMORY, "%s", error.text);
    test_saxpy(bench);
}

static void test_wrong_images(struct bench *bench)
{
    struct error error = {0};
    struct module *module;
    CHECK(!bench->cuda->load(bench->device, "not an image at all", 19, &module, &error), "loaded nonsense");
    CHECK(error.code == ERROR_WORK, "%s", error.text);

    struct device_kernel *kernel = kernel_of(bench, saxpy, "saxpy", NULL);
    struct device_kernel *again;
    MUST(bench->cuda->kernel(bench->module, "saxpy", &again, &error));
    CHECK(kernel == again, "one kernel, two structures");
    CHECK(!bench->cuda->kernel(bench->module, "sapxy", &again, &error), "found a kernel that is not there");
    CHECK(error.code == ERROR_INPUT, "%s", error.text);

    /* Code for another architecture is refused. */
    struct device_description other = bench->description;
    snprintf(other.architecture, sizeof other.architecture, "%s",
             other.compute_capability < 120 ? "sm_120" : "sm_90");
    const char *names[] = {"saxpy"};
    struct compile_request request = {
        .path = "test.cu", .text = saxpy, .length = strlen(saxpy), .kernels = names, .kernel_count = 1};
    struct compile_result compiled;
    if (!bench->cuda->compile(&other, &request, &compiled, &error))
        return; /* this compiler does not know it */
    CHECK(!bench->cuda->load(bench->device, compiled.image, compiled.image_bytes, &module, &error), "loaded %s",
          other.architecture);
    CHECK(error.code == ERROR_WORK, "%s", error.text);
    printf("  %s\n", error.text);
}

/* Loading, launching and unloading leaves nothing behind: thousands of configurations pass through one process. */
static void test_many_modules(struct bench *bench)
{
    struct device_kernel *kernel = kernel_of(bench, saxpy, "saxpy", NULL);
    struct error error = {0};
    for (int i = 0; i < 500; i++) {
        bench->cuda->unload(bench->device, bench->module);
        MUST(bench->cuda->load(bench->device, bench->compiled.image, bench->compiled.image_bytes, &bench->module,
                               &error));
        MUST(bench->cuda->kernel(bench->module, "saxpy", &kernel, &error));
        run_saxpy(bench, kernel, 100);
    }
}

static const struct test {
    const char *name;
    void (*run)(struct bench *bench);
} tests[] = {
    {"description", test_description},
    {"saxpy", test_saxpy},
    {"symbols", test_symbols},
    {"dynamic_shared", test_dynamic_shared},
    {"copy_and_fill", test_copy_and_fill},
    {"resources", test_resources},
    {"occupancy", test_occupancy},
    {"timing", test_timing},
    {"copy_bandwidth", test_copy_bandwidth},
    {"state", test_state},
    {"refused_launches", test_refused_launches},
    {"out_of_memory", test_out_of_memory},
    {"wrong_images", test_wrong_images},
    {"many_modules", test_many_modules},
    {"illegal_address", test_illegal_address},
    {"misaligned_address", test_misaligned_address},
    {"trap", test_trap},
};

static void run_in_child(const struct test *test)
{
    struct error error = {0};
    struct bench bench = {.cuda = device_driver_find("cuda")};
    alarm(SECONDS_A_TEST);
    CHECK(bench.cuda, "there is no driver for CUDA");
    MUST(bench.cuda->open(0, &bench.device, &error));
    MUST(bench.cuda->describe(bench.device, &bench.description, &error));
    test->run(&bench);
    if (bench.module)
        bench.cuda->unload(bench.device, bench.module);
    bench.cuda->close(bench.device);
}

static void look_for_gpu(const struct test *unused)
{
    (void)unused;
    struct error error = {0};
    int count = 0;
    char compiler[128];
    alarm(SECONDS_A_TEST);
    MUST(device_driver_find("cuda")->count(&count, &error));
    cuda_compiler_name(compiler, sizeof compiler);
    if (count > 0 && compiler[0])
        return;
    printf("skipped: %s\n", count > 0 ? "NVRTC was not found" : error.text);
    fflush(stdout);
    _exit(EXIT_SKIPPED);
}

/* The exit status of `run` in a process of its own; one that was killed counts as failed. */
static int in_child(void (*run)(const struct test *), const struct test *test)
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

int main(int argument_count, char **arguments)
{
    int found = in_child(look_for_gpu, NULL);
    if (found != EXIT_SUCCESS)
        return found;
    size_t run = 0, failed = 0;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
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
