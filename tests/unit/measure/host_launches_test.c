/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches on the host beside another device, which is the CPU device again with memory and programs in two parts, as
 * a GPU has them: jobs are lowered for a GPU, and what a launch on the host takes lies in the host's memory.
 */
#include "tests/unit/h100.h"
#include "tests/unit/measure/compiled.h"
#include "tests/unit/measure/shipped.h"
#include "tuner/device/host_part.h"
#include "tuner/measure/evaluate.h"

#include <pthread.h>

static struct evaluator *evaluator;
static struct error error;

/* ---- the device in two parts ----------------------------------------------------------------------------------- */

static const struct device_driver *cpu;
static struct device_driver parted;
static struct host *host;
static size_t calls;

static struct {
    uint64_t address, bytes;
} shared[64]; /* memory of the host's */
static size_t shared_count;

struct both_modules {
    struct module *own;
    struct host_module *host;
};

struct both_kernels {
    struct both_kernels *next;
    struct device_kernel *own;
    struct host_kernel *host; /* one of them is NULL */
};
static struct both_kernels *kernels;

static bool compile_both(const struct device_description *description, const struct compile_request *request,
                         struct compile_result *result, struct error *problem)
{
    return host_compile(cpu->compile, description, request, result, problem);
}

static bool load(struct device *device, const void *image, size_t bytes, struct module **module,
                 struct error *problem)
{
    struct both_modules *both = calloc(1, sizeof *both);
    struct host_image parts;
    assert_non_null(both);
    must(host_image_split(image, bytes, &parts, problem));
    must(cpu->load(device, parts.own, parts.own_bytes, &both->own, problem));
    if (parts.host)
        must(host_load(host, &parts, &both->host, problem));
    *module = (struct module *)both;
    return true;
}

static void unload(struct device *device, struct module *module)
{
    struct both_modules *both = (struct both_modules *)module;
    cpu->unload(device, both->own);
    if (both->host)
        host_unload(host, both->host);
    free(both);
}

static bool find(struct module *module, const char *name, struct device_kernel **kernel, struct error *problem)
{
    struct both_modules *both = (struct both_modules *)module;
    struct both_kernels *found = calloc(1, sizeof *found);
    const char *of_host = host_kernel_name(name);
    assert_non_null(found);
    found->next = kernels;
    kernels = found;
    *kernel = (struct device_kernel *)found;
    return of_host ? host_find(host, both->host, of_host, &found->host, problem)
                   : cpu->kernel(both->own, name, &found->own, problem);
}

static bool find_symbol(struct module *module, const char *name, uint64_t *address, size_t *bytes,
                        struct error *problem)
{
    return cpu->symbol(((struct both_modules *)module)->own, name, address, bytes, problem);
}

static const struct kernel_parameter *parameters(const struct device_kernel *kernel, size_t *count)
{
    const struct both_kernels *both = (const struct both_kernels *)kernel;
    return both->host ? host_parameters(host, both->host, count) : cpu->parameters(both->own, count);
}

static bool resources(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                      struct kernel_resources *result, struct error *problem)
{
    const struct both_kernels *both = (const struct both_kernels *)kernel;
    return both->host ? host_resources(host, both->host, shape, result, problem)
                      : cpu->resources(device, both->own, shape, result, problem);
}

static bool is_shared(uint64_t address)
{
    for (size_t i = 0; i < shared_count; i++) {
        if (address >= shared[i].address && address - shared[i].address < shared[i].bytes)
            return true;
    }
    return false;
}

static void *run(void *call)
{
    host_call_run(call);
    return NULL;
}

/* On another thread, as CUDA's driver calls it. */
static bool launch_on_host(struct host_kernel *kernel, const struct launch_shape *shape, void *const *arguments,
                           size_t count, struct error *problem)
{
    struct host_call *call;
    pthread_t thread;
    size_t known;
    const struct kernel_parameter *taken = host_parameters(host, kernel, &known);
    assert_int_equal(known, count);
    for (size_t i = 0; i < count; i++)
        assert_true(taken[i].type.kind != PARAMETER_POINTER || is_shared(*(const uint64_t *)arguments[i]));
    must(host_call_create(host, kernel, shape, arguments, count, &call, problem));
    assert_int_equal(pthread_create(&thread, NULL, run, call), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    calls++;
    return host_check(host, problem);
}

static bool launch(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                   void *const *arguments, size_t count, struct error *problem)
{
    const struct both_kernels *both = (const struct both_kernels *)kernel;
    return both->host ? launch_on_host(both->host, shape, arguments, count, problem)
                      : cpu->launch(device, both->own, shape, arguments, count, problem);
}

static bool host_allocate(struct device *device, size_t bytes, uint64_t *address, struct error *problem)
{
    assert_true(shared_count < sizeof shared / sizeof *shared);
    must(cpu->allocate(device, bytes, address, problem));
    shared[shared_count].address = *address;
    shared[shared_count++].bytes = bytes;
    return true;
}

static void host_release(struct device *device, uint64_t address)
{
    size_t i = 0;
    while (i < shared_count && shared[i].address != address)
        i++;
    assert_true(i < shared_count);
    shared[i] = shared[--shared_count];
    cpu->release(device, address);
}

static void release(struct device *device, uint64_t address)
{
    assert_false(is_shared(address));
    cpu->release(device, address);
}

/* ---- fixture --------------------------------------------------------------------------------------------------- */

static int make_evaluator(void **state)
{
    assert_int_equal(scratch_folder_create(state), 0);
    cpu = device_driver_find("cpu");
    parted = *cpu;
    parted.compile = compile_both;
    parted.load = load;
    parted.unload = unload;
    parted.kernel = find;
    parted.symbol = find_symbol;
    parted.parameters = parameters;
    parted.resources = resources;
    parted.launch = launch;
    parted.release = release;
    parted.host_allocate = host_allocate;
    parted.host_release = host_release;
    must(host_open(false, &host, &error));
    must(evaluator_create(&parted, 0, NULL, &evaluator, &error));
    return 0;
}

static int drop_evaluator(void **state)
{
    evaluator_free(evaluator);
    host_close(host);
    assert_int_equal(shared_count, 0);
    while (kernels) {
        struct both_kernels *next = kernels->next;
        free(kernels);
        kernels = next;
    }
    return scratch_folder_remove(state);
}

static void evaluate(const struct shipped *shipped, size_t index)
{
    struct job *job;
    struct device_description description;
    struct evaluation evaluation;
    must(job_lower(shipped->problem, index, 1, &job, &error));
    must(evaluator_describe(evaluator, &description, &error));
    struct compile_result result = compiled(&job->program, &parted, &description);
    must(evaluator_run(evaluator, job, result.image, result.image_bytes,
                       &(struct evaluation_effort){.incumbent_ns = 1e-3}, &evaluation, &error));
    if (evaluation.outcome != OUTCOME_OK)
        fail_msg("%s: %s", outcome_name(evaluation.outcome), evaluation.message);
    evaluation_clear(&evaluation);
    free(result.image);
    free(result.log);
    job_free(job);
}

/* The rest of rows by a power law; then a variant whose buffers of the same names are the device's. */
static void the_rest_of_spmv(void **state)
{
    const struct size_setting sizes[] = {{"ROWS", 331}, {"COLUMNS", 97}, {"MEAN", 4}, {"SHAPE", 3}};
    struct shipped shipped;
    (void)state;
    shipped_open(&shipped, "spmv", "hybrid_host", &h100, sizes, 4);
    evaluate(&shipped, 0);
    assert_true(calls > 2); /* at both sizes, and timed */
    assert_int_equal(shared_count, 2 * 5);
    shipped_close(&shipped);
    const size_t before = calls;
    shipped_open(&shipped, "spmv", "hybrid", &h100, sizes, 4);
    evaluate(&shipped, 0);
    assert_int_equal(calls, before);
    assert_int_equal(shared_count, 0);
    shipped_close(&shipped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_rest_of_spmv)};
    return cmocka_run_group_tests(tests, make_evaluator, drop_evaluator);
}
