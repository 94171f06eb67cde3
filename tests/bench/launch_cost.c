/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_cost - what the library costs beside the driver: loading a kernel whose image is in the cache, and
 * tune_launch above a plain launch (cuLaunchKernel itself) of the same kernel with the same arguments, medians of
 * many rounds that take turns. Of that, what tune_launch does itself, with a driver that does nothing: in a loop, and
 * where each call has to fetch its code and data, as between the calls of a driver.
 *
 *     launch_cost [cpu:0 | cuda:0]
 *
 * Loaded is gemm as it is known best, launched its simplest variant on a single block.
 */
#include "tuner/device/monotonic.h"
#include "tuner/library/answer.h"
#include "tuner/library/kernel.h"
#include "tuner/library/tune.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 16, ROUNDS = 201, LAUNCHES = 500, COLD = 5001, LOADS = 21 };

static struct tune_error error;

static void must(enum tune_code code)
{
    if (code == TUNE_OK)
        return;
    fprintf(stderr, "launch_cost: %s: %s\n", tune_code_name(code), error.text);
    exit(EXIT_FAILURE);
}

static struct error own;

static void own_must(bool done)
{
    if (done)
        return;
    fprintf(stderr, "launch_cost: %s\n", own.text);
    exit(EXIT_FAILURE);
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

/* Of the middle half, since a clock may tick every 10 ns. */
static double middle_mean(double *values, size_t count)
{
    const size_t first = count / 4, end = count - first;
    double sum = 0;
    qsort(values, count, sizeof *values, compare);
    for (size_t i = first; i < end; i++)
        sum += values[i];
    return sum / (double)(end - first);
}

/* Beside what a launch takes: three matrices, as kernels of gemm have them, and the sizes. */
struct plain {
    const struct device_driver *driver;
    struct device *device;
    struct device_kernel *kernel;
    struct launch_shape shape;
    uint64_t matrices[3];
    int sizes[3];
    void *arguments[6];
    void *function; /* of CUDA, and cuLaunchKernel; NULL: the CPU device */
    int (*cuda)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                unsigned block_z, unsigned shared, void *stream, void **arguments, void **extra);
};

static void find_cuda(struct plain *plain)
{
    void *driver = plain->function ? dlopen("libcuda.so.1", RTLD_NOW) : NULL;
    void *launch = driver ? dlsym(driver, "cuLaunchKernel") : NULL;
    memcpy(&plain->cuda, &launch, sizeof launch);
}

static void find_plain(const struct tune_kernel *kernel, const struct tune_buffer buffers[3], struct plain *plain)
{
    struct tune_launch_info info = {.bytes = sizeof info};
    must(tune_kernel_launch(kernel, 0, &info, &error));
    const struct code *code = kernel_version(kernel)->variant->code;
    *plain = (struct plain){
        .driver = code->attached->driver,
        .device = code->attached->device,
        .kernel = code->program.kernels[0],
        .shape = {.grid = {info.grid[0], info.grid[1], info.grid[2]},
                  .block = {info.block[0], info.block[1], info.block[2]},
                  .dynamic_shared = info.shared_bytes},
        .sizes = {SIZE, SIZE, SIZE},
        .function = info.function,
    };
    find_cuda(plain);
    for (size_t i = 0; i < 3; i++) {
        plain->matrices[i] = (uint64_t)(uintptr_t)buffers[i].address;
        plain->arguments[i] = &plain->matrices[i];
        plain->arguments[3 + i] = &plain->sizes[i];
    }
}

static void launch_plain(struct plain *plain)
{
    const struct dimensions grid = plain->shape.grid, block = plain->shape.block;
    if (!plain->cuda)
        own_must(plain->driver->guest->launch(plain->device, NULL, plain->kernel, &plain->shape, plain->arguments, 6,
                                              &own));
    else if (plain->cuda(plain->function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                         (unsigned)plain->shape.dynamic_shared, NULL, plain->arguments, NULL) != 0)
        own_must(error_set(&own, ERROR_DEVICE, "cuLaunchKernel failed"));
}

static double time_plain(struct plain *plain)
{
    const double start = monotonic_seconds();
    for (size_t i = 0; i < LAUNCHES; i++)
        launch_plain(plain);
    const double seconds = monotonic_seconds() - start;
    (void)plain->driver->synchronize(plain->device, NULL);
    return 1e9 * seconds / LAUNCHES;
}

static double time_library(struct tune_kernel *kernel, const struct tune_buffer buffers[3], const struct plain *plain)
{
    const double start = monotonic_seconds();
    for (size_t i = 0; i < LAUNCHES; i++)
        must(tune_launch(kernel, NULL, buffers, 3, &error));
    const double seconds = monotonic_seconds() - start;
    (void)plain->driver->synchronize(plain->device, NULL);
    return 1e9 * seconds / LAUNCHES;
}

static void compare_launches(struct tune_kernel *kernel)
{
    static double plain_ns[ROUNDS], library_ns[ROUNDS], above_ns[ROUNDS];
    const struct attached *attached = kernel_version(kernel)->variant->code->attached;
    struct tune_buffer buffers[3];
    struct plain plain;
    for (size_t i = 0; i < 3; i++) {
        uint64_t address;
        own_must(attached->driver->allocate(attached->device, SIZE * SIZE * sizeof(float), &address, &own));
        buffers[i] = (struct tune_buffer){(void *)(uintptr_t)address, SIZE * SIZE * sizeof(float)};
    }
    find_plain(kernel, buffers, &plain);
    for (size_t i = 0; i < ROUNDS; i++) {
        plain_ns[i] = time_plain(&plain);
        library_ns[i] = time_library(kernel, buffers, &plain);
        above_ns[i] = library_ns[i] - plain_ns[i];
    }
    printf("plain launch    %8.0f ns\ntune_launch     %8.0f ns\nabove it        %8.0f ns\n", median(plain_ns, ROUNDS),
           median(library_ns, ROUNDS), median(above_ns, ROUNDS));
    for (size_t i = 0; i < 3; i++)
        attached->driver->release(attached->device, (uint64_t)(uintptr_t)buffers[i].address);
}

/* ---- what tune_launch does itself ---- */

/* Stands in for the driver. In the cold it leaves no cache of the first level as it was, as drivers do: it runs 512
 * KiB of code and touches 128 KiB of data. When it begins and ends is noted. */
static struct {
    bool cold;
    double entered, left;
} driver_call;

static void leave_nothing_in_the_caches(void)
{
    static volatile unsigned char data[128 << 10];
    for (size_t i = 0; i < sizeof data; i += 64)
        data[i]++;
#if defined(__x86_64__)
    __asm__ volatile("lfence\n.rept 8192\njmp 1f\n.balign 64\n1:\n.endr" ::: "memory");
#elif defined(__aarch64__)
    __asm__ volatile("isb\n.rept 8192\nb 1f\n.balign 64\n1:\n.endr" ::: "memory");
#endif
}

static bool launch_nothing(void)
{
    if (driver_call.cold) {
        driver_call.entered = monotonic_seconds();
        leave_nothing_in_the_caches();
        driver_call.left = monotonic_seconds();
    }
    return true;
}

static bool stand_in(struct device *device, void *stream, struct device_kernel *kernel,
                     const struct launch_shape *shape, void *const *arguments, size_t argument_count,
                     struct error *failure)
{
    (void)device, (void)stream, (void)kernel, (void)shape, (void)arguments, (void)argument_count, (void)failure;
    return launch_nothing();
}

static bool stand_in_at_once(struct device *device, void *stream, struct device_kernel *kernel,
                             const struct launch_shape *shape, void *const *arguments)
{
    (void)device, (void)stream, (void)kernel, (void)shape, (void)arguments;
    return launch_nothing();
}

static double time_hot(struct tune_kernel *kernel, const struct tune_buffer buffers[3])
{
    static double own_ns[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++) {
        const double start = monotonic_seconds();
        for (size_t j = 0; j < LAUNCHES; j++)
            must(tune_launch(kernel, NULL, buffers, 3, &error));
        own_ns[i] = 1e9 * (monotonic_seconds() - start) / LAUNCHES;
    }
    return median(own_ns, ROUNDS);
}

/* Beside the driver's call alone: both include what it takes to look at the clock. */
static double time_cold(struct tune_kernel *kernel, const struct tune_buffer buffers[3])
{
    static double own_ns[COLD], alone_ns[COLD];
    bool (*volatile alone)(void) = launch_nothing;
    driver_call.cold = true;
    for (size_t i = 0; i < COLD; i++) {
        double start = monotonic_seconds();
        must(tune_launch(kernel, NULL, buffers, 3, &error));
        own_ns[i] = 1e9 * (monotonic_seconds() - start - (driver_call.left - driver_call.entered));
        start = monotonic_seconds();
        (void)alone();
        alone_ns[i] = 1e9 * (monotonic_seconds() - start - (driver_call.left - driver_call.entered));
    }
    driver_call.cold = false;
    return middle_mean(own_ns, COLD) - middle_mean(alone_ns, COLD);
}

static void time_alone(struct tune_kernel *kernel, const struct template *template)
{
    struct variant *variant = kernel->versions[0].variant;
    struct attached *attached = variant->code->attached;
    const struct device_driver *driver = attached->driver;
    struct device_guest guest = *driver->guest;
    struct device_driver idle = *driver;
    struct tune_kernel other = {0};
    float matrix[SIZE * SIZE];
    const struct tune_buffer buffers[] = {{matrix, sizeof matrix}, {matrix, sizeof matrix}, {matrix, sizeof matrix}};
    guest.launch = stand_in;
    guest.launch_at_once = stand_in_at_once;
    idle.guest = &guest;
    attached->driver = &idle;
    must(variant_create(code_share(variant->code), template, &other.versions[0].variant, &error));
    printf("of its own      %8.0f ns\n", time_hot(&other, buffers));
    printf("cold            %8.0f ns\n", time_cold(&other, buffers));
    variant_free(other.versions[0].variant);
    attached->driver = driver;
}

/* As a program has it that uses the device itself: its context is current. */
static void enter_device(const struct tune_kernel *kernel)
{
    const struct attached *attached = kernel_version(kernel)->variant->code->attached;
    const struct device_guest *guest = attached->driver->guest;
    bool entered;
    if (guest->enter)
        own_must(guest->enter(attached->device, false, &entered, &own));
}

/* The simplest variant as a kernel, beside the one that is known best. */
static void load_naive(const struct tune_answer *answer, const struct tune_kernel *best, struct tune_kernel *naive)
{
    const struct problem_request request = {.template = answer->topic->own->template,
                                            .device = &answer->topic->device.description,
                                            .sizes = answer->sizes,
                                            .size_count = 3};
    struct code_request wanted = {.attached = kernel_version(best)->variant->code->attached};
    struct problem *problem;
    struct code *code;
    own_must(problem_from_configuration(
        &request, "{\"VARIANT\":\"naive\",\"BLOCK_X\":16,\"BLOCK_Y\":16,\"UNROLL\":1}", &problem, &own));
    wanted.problem = problem;
    must(code_load(&wanted, &code, &error));
    must(variant_create(code, request.template, &naive->versions[0].variant, &error));
    problem_free(problem);
}

static double time_load(struct tune *tune, const struct tune_answer *answer, struct tune_kernel **kernel)
{
    const struct tune_load_options options = {.bytes = sizeof options, .flags = TUNE_LOAD_UNVALIDATED};
    const double start = monotonic_seconds();
    must(tune_load(tune, answer, &options, kernel, &error));
    return 1e3 * (monotonic_seconds() - start);
}

int main(int argument_count, char **arguments)
{
    const struct tune_size sizes[] = {{"M", SIZE}, {"N", SIZE}, {"K", SIZE}};
    const struct tune_problem problem = {.bytes = sizeof problem,
                                         .kernel = "gemm",
                                         .device = argument_count > 1 ? arguments[1] : "cpu:0",
                                         .sizes = sizes,
                                         .size_count = 3};
    struct tune *tune;
    struct tune_answer *answer;
    struct tune_kernel *first, *again, naive = {0};
    struct tune_kernel_info info = {.bytes = sizeof info};
    double loads[LOADS];
    must(tune_open(NULL, &tune, &error));
    must(tune_best(tune, &problem, &answer, &error));
    const double whole = time_load(tune, answer, &first);
    tune_kernel_describe(first, &info);
    printf("first load      %8.3f ms%s\n", whole, info.from_cache ? ", from the cache" : ", compiled");
    for (size_t i = 0; i < LOADS; i++) {
        loads[i] = time_load(tune, answer, &again);
        tune_kernel_free(again);
    }
    printf("cached load     %8.3f ms\n", median(loads, LOADS));
    enter_device(first);
    load_naive(answer, first, &naive);
    compare_launches(&naive);
    time_alone(&naive, answer->topic->own->template);
    variant_free(naive.versions[0].variant);
    tune_kernel_free(first);
    tune_answer_free(answer);
    tune_close(tune);
    return EXIT_SUCCESS;
}
