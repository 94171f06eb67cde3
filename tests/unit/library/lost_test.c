/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A GPU that is lost at any moment between the load of a kernel and its end: each call is an error from then on, at
 * once and for good, nothing is compiled again, and all that was had is given back. The GPU is the CPU device behind
 * a driver that refuses.
 */
#include "launched.h"

#include "tuner/library/kernel.h"

enum { N = 40 };

static struct device_driver driver;
static struct device_guest guest;

static struct {
    size_t calls, last; /* the calls that the device has answered, and how many it answers */
    bool happened;
    int views, modules, allocations, textures; /* that were not given back */
    int compilations;
} loss;

static const struct device_driver *cpu(void)
{
    return device_driver_find("cpu");
}

static bool is_lost(struct error *why)
{
    if (loss.calls < loss.last) {
        loss.calls++;
        return false;
    }
    loss.happened = true;
    error_set(why, ERROR_DEVICE, "the GPU is lost");
    return true;
}

/* ---- what a GPU is asked for ---- */

static bool view(struct device *device, struct device **result, struct error *why)
{
    const bool done = !is_lost(why) && cpu()->guest->view(device, result, why);
    loss.views += done;
    return done;
}

static void close_view(struct device *device)
{
    loss.views--;
    cpu()->close(device);
}

/* A lost GPU has contexts all the same. */
static bool enter(struct device *device, bool anyway, bool *entered, struct error *why)
{
    (void)device;
    *entered = anyway || !is_lost(why);
    return *entered;
}

static void leave(struct device *device, bool entered)
{
    (void)device, (void)entered;
}

static bool capturing(struct device *device, void *stream, bool *result, struct error *why)
{
    (void)device, (void)stream;
    *result = false;
    return !is_lost(why);
}

static bool launch_in(struct device *device, void *stream, struct device_kernel *kernel,
                      const struct launch_shape *shape, void *const *arguments, size_t count, struct error *why)
{
    return !is_lost(why) && cpu()->guest->launch(device, stream, kernel, shape, arguments, count, why);
}

static bool copy_in(struct device *device, void *stream, uint64_t to, uint64_t from, size_t bytes, struct error *why)
{
    return !is_lost(why) && cpu()->guest->copy(device, stream, to, from, bytes, why);
}

static bool fill_in(struct device *device, void *stream, uint64_t address, uint8_t byte, size_t bytes,
                    struct error *why)
{
    return !is_lost(why) && cpu()->guest->fill(device, stream, address, byte, bytes, why);
}

static bool compile(const struct device_description *description, const struct compile_request *request,
                    struct compile_result *result, struct error *why)
{
    loss.compilations++;
    return cpu()->compile(description, request, result, why);
}

static bool load(struct device *device, const void *image, size_t bytes, struct module **module, struct error *why)
{
    const bool done = !is_lost(why) && cpu()->load(device, image, bytes, module, why);
    loss.modules += done;
    return done;
}

static void unload(struct device *device, struct module *module)
{
    loss.modules -= module != NULL;
    cpu()->unload(device, module);
}

static bool kernel(struct module *module, const char *name, struct device_kernel **result, struct error *why)
{
    return !is_lost(why) && cpu()->kernel(module, name, result, why);
}

static bool symbol(struct module *module, const char *name, uint64_t *address, size_t *bytes, struct error *why)
{
    return !is_lost(why) && cpu()->symbol(module, name, address, bytes, why);
}

static bool resources(struct device *device, struct device_kernel *one, const struct launch_shape *shape,
                      struct kernel_resources *result, struct error *why)
{
    return !is_lost(why) && cpu()->resources(device, one, shape, result, why);
}

static bool allocate(struct device *device, size_t bytes, uint64_t *address, struct error *why)
{
    const bool done = !is_lost(why) && cpu()->allocate(device, bytes, address, why);
    loss.allocations += done;
    return done;
}

static void release(struct device *device, uint64_t address)
{
    loss.allocations -= address != 0;
    cpu()->release(device, address);
}

static bool download(struct device *device, void *to, uint64_t from, size_t bytes, struct error *why)
{
    return !is_lost(why) && cpu()->download(device, to, from, bytes, why);
}

static bool copy(struct device *device, uint64_t to, uint64_t from, size_t bytes, struct error *why)
{
    return !is_lost(why) && cpu()->copy(device, to, from, bytes, why);
}

static bool fill(struct device *device, uint64_t address, uint8_t byte, size_t bytes, struct error *why)
{
    return !is_lost(why) && cpu()->fill(device, address, byte, bytes, why);
}

static bool texture_create(struct device *device, const struct texture_shape *shape, const struct texel *texel,
                           uint64_t address, struct device_texture **texture, uint64_t *handle, struct error *why)
{
    const bool done = !is_lost(why) && cpu()->texture_create(device, shape, texel, address, texture, handle, why);
    loss.textures += done;
    return done;
}

static void texture_release(struct device *device, struct device_texture *texture)
{
    loss.textures--;
    cpu()->texture_release(device, texture);
}

static bool launch(struct device *device, struct device_kernel *one, const struct launch_shape *shape,
                   void *const *arguments, size_t count, struct error *why)
{
    return !is_lost(why) && cpu()->launch(device, one, shape, arguments, count, why);
}

static bool use_stream(struct device *device, unsigned stream, struct error *why)
{
    (void)device, (void)stream;
    return !is_lost(why);
}

static bool wait_for(struct device *device, uint32_t waiters, uint32_t awaited, struct error *why)
{
    (void)device, (void)waiters, (void)awaited;
    return !is_lost(why);
}

static bool synchronize(struct device *device, struct error *why)
{
    return !is_lost(why) && cpu()->synchronize(device, why);
}

static void pretend(struct launched *l)
{
    guest = *cpu()->guest;
    guest.view = view;
    guest.enter = enter;
    guest.leave = leave;
    guest.capturing = capturing;
    guest.launch = launch_in;
    guest.copy = copy_in;
    guest.fill = fill_in;
    driver = *cpu();
    driver.guest = &guest;
    driver.close = close_view;
    driver.compile = compile;
    driver.load = load;
    driver.unload = unload;
    driver.kernel = kernel;
    driver.symbol = symbol;
    driver.resources = resources;
    driver.allocate = allocate;
    driver.release = release;
    driver.download = download;
    driver.copy = copy;
    driver.fill = fill;
    driver.texture_create = texture_create;
    driver.texture_release = texture_release;
    driver.launch = launch;
    driver.use_stream = use_stream;
    driver.wait = wait_for;
    driver.synchronize = synchronize;
    l->attached->driver = &driver;
}

/* ---- the life of a kernel ---- */

struct life {
    enum tune_code code; /* the first that is not TUNE_OK */
    struct tune_error why;
    _Alignas(16) int x[N], y[N];
};

/* After the first failure nothing works. */
static void step(struct life *life, struct tune_error *why, enum tune_code code)
{
    if (life->code == TUNE_OK) {
        life->code = code;
        life->why = *why;
    } else {
        assert_int_equal(code, TUNE_ERROR_DEVICE);
        assert_string_equal(why->text, life->why.text);
    }
}

static void run_blocks(struct life *life, struct tune_kernel *one)
{
    const struct tune_buffer buffers[] = {{life->x, sizeof life->x}, {life->y, sizeof life->y}};
    struct tune_error why = {0};
    if (variant_steps(one->versions[0].variant, VARIANT_PREPARE)->count > 0)
        step(life, &why, tune_prepare(one, NULL, buffers, 2, &why));
    if (!atomic_load(&one->versions[0].variant->prepared)) /* then launches are refused as wrong calls */
        return;
    for (int round = 0; round < 2; round++)
        step(life, &why, tune_launch(one, NULL, buffers, 2, &why));
    step(life, &why, tune_finish(one, NULL, buffers, 2, &why));
}

static void live(struct launched *l, struct life *life)
{
    const struct code_request request = {.attached = l->attached, .problem = l->problem};
    struct tune_kernel one = {0};
    struct code *code, *again;
    *life = (struct life){.code = TUNE_OK};
    for (int i = 0; i < N; i++)
        life->x[i] = 3 * i + 1;
    step(life, &life->why, code_load(&request, &code, &life->why));
    if (life->code != TUNE_OK)
        return;
    code_share(code);
    step(life, &life->why, variant_create(code, l->template, &one.versions[0].variant, &life->why));
    if (life->code == TUNE_OK) {
        run_blocks(life, &one);
        variant_free(one.versions[0].variant);
    }
    struct tune_error why = {0};
    enum tune_code loaded = code_load_again(code, &again, &why);
    step(life, &why, loaded);
    if (loaded == TUNE_OK)
        code_release(again);
    code_release(code);
}

/* Lose it before each of its calls in turn. */
static void lose(const char *template, const char *source, int last)
{
    struct launched l;
    struct life life;
    launched_write(&l, template, source);
    pretend(&l);
    memset(&loss, 0, sizeof loss);
    loss.last = SIZE_MAX;
    live(&l, &life);
    const size_t calls = loss.calls;
    assert_int_equal(life.code, TUNE_OK);
    assert_int_equal(life.y[N - 1], last);
    assert_true(calls > 10);
    const int compilations = loss.compilations;
    for (size_t n = 0; n < calls; n++) {
        loss.calls = 0;
        loss.last = n;
        live(&l, &life);
        assert_int_equal(life.code, TUNE_ERROR_DEVICE);
        assert_non_null(strstr(life.why.text, "the GPU is lost"));
        assert_true(loss.views == 0 && loss.modules == 0 && loss.allocations == 0 && loss.textures == 0);
        assert_int_equal(loss.compilations, compilations);
    }
    loss.last = SIZE_MAX; /* for what is closed now */
    l.attached->driver = cpu();
    launched_close(&l);
}

static void plans(void **state)
{
    (void)state;
    lose("template t \"t\"\nsize n = 40\nsource \"t.cu\"\n"
         "buffer x : int[n] in index()\nbuffer half : int[n] temp\nbuffer y : int[n] out\n"
         "launch {\n    fill half = 0\n    copy half <- x\n    copy table <- x[0 : 4]\n"
         "    add<<<2, 32>>>(half, y, n)\n}\ncheck y exact\n",
         "__constant__ int table[4];\n"
         "extern \"C\" __global__ void add(const int *x, int *y, int n)\n"
         "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + table[3]; }\n"
         "extern \"C\" __global__ void zero(double *y, int n) { }\n",
         3 * (N - 1) + 1 + 10);
}

static void what_is_interpreted(void **state)
{
    (void)state;
    lose("template t \"t\"\nsize n = 40\nsource \"t.cu\"\ncount m at most 100\n"
         "buffer x : int[n] in index()\nbuffer ones : int[n] scratch constant(1)\n"
         "buffer late : int[m] temp\nbuffer y : int[n] out\n"
         "prepare {\n    add<<<2, 32, stream = 1>>>(x, ones, n)\n    wait 0 after 1\n    read m = ones[3]\n"
         "    first<<<1, 1>>>(late, m)\n}\n"
         "launch { look<<<1, 1>>>(texture(x), late, y, m, n) }\nfinish { add<<<2, 32>>>(x, y, n) }\ncheck y exact\n",
         "extern \"C\" __global__ void add(const int *x, int *y, int n)\n"
         "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += x[i]; }\n"
         "extern \"C\" __global__ void first(int *late, int m) { for (int i = 0; i < m; i++) late[i] = 100 * i; }\n"
         "extern \"C\" __global__ void look(cudaTextureObject_t x, const int *late, int *y, int m, int n)\n"
         "{ for (int i = 0; i < n; i++) y[i] = tex1Dfetch<int>(x, i) + late[m - 1]; }\n"
         "extern \"C\" __global__ void zero(double *y, int n) { }\n",
         2 * (3 * (N - 1) + 1) + 100 * (1 + 10 - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans),
        cmocka_unit_test(what_is_interpreted),
    };
    return cmocka_run_group_tests(tests, launched_cache, scratch_folder_remove);
}
