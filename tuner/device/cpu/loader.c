/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/loader.h"

#include "tuner/device/cpu/image.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct module {
    int file; /* stays open: dlopen identifies a module by its path, which contains this number */
    void *library;
    const struct tune_symbol *symbols;
    struct device_kernel *kernels;
    const char **kernel_names;
    size_t kernel_count, launched_count; /* those that kernels alone launch follow the others */
};

static bool write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return true;
}

enum { SMALL = 64 << 20 };

/* A large image has itself to blame if it cannot be loaded; of a small one, the reason decides. */
static bool cannot_load(const void *image, size_t bytes, const char *why, struct error *error)
{
    static const char *const of_machine[] = {"annot allocate memory", "cannot map zero-fill",
                                             "failed to map segment"};
    uint64_t memory = image_memory_bytes(image, bytes);
    if (memory > SMALL)
        return error_set(error, ERROR_DOES_NOT_FIT, "a kernel's code and variables take %" PRIu64 " bytes: %s",
                         memory, why);
    enum error_code code = ERROR_WORK;
    for (size_t i = 0; i < sizeof of_machine / sizeof *of_machine; i++)
        code = strstr(why, of_machine[i]) ? ERROR_SYSTEM : code;
    return error_set(error, code, "cannot load a kernel's code: %s", why);
}

static bool open_library(struct module *module, const void *image, size_t bytes, struct error *error)
{
    module->file = memfd_create("tune-kernel", MFD_CLOEXEC);
    if (module->file < 0 || !write_all(module->file, image, bytes))
        return error_set(error, ERROR_SYSTEM, "cannot store a kernel's code in memory: %s", strerror(errno));
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", module->file);
    module->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module->library)
        return cannot_load(image, bytes, dlerror(), error);
    return true;
}

/* The compiler's "... tune_signature() [with T = const float*]", or "[T = ...]", holds the type. */
static void read_type_name(const char *signature, char *text, size_t size)
{
    const char *start = strstr(signature, "T = "), *end = strrchr(signature, ']');
    text[0] = '\0';
    if (start && end && end > start + 4 && (size_t)(end - start - 4) < size)
        snprintf(text, size, "%.*s", (int)(end - start - 4), start + 4);
}

static struct parameter_type read_type(const struct tune_parameter_type *type)
{
    static const enum parameter_kind kinds[] = {
        [TUNE_OTHER] = PARAMETER_OTHER,
        [TUNE_INTEGER] = PARAMETER_INTEGER,
        [TUNE_REAL] = PARAMETER_REAL,
        [TUNE_POINTER] = PARAMETER_POINTER,
    };
    bool known = type->kind < sizeof kinds / sizeof *kinds;
    return (struct parameter_type){known ? kinds[type->kind] : PARAMETER_UNKNOWN, type->bytes,
                                   type->is_unsigned != 0};
}

static bool read_parameters(struct device_kernel *kernel, struct error *error)
{
    const struct tune_kernel *entry = kernel->entry;
    kernel->parameters = calloc(entry->parameter_count + 1, sizeof *kernel->parameters);
    if (!kernel->parameters)
        return error_out_of_memory(error);
    for (size_t i = 0; i < entry->parameter_count; i++) {
        const struct tune_parameter *from = &entry->parameters[i];
        struct kernel_parameter *to = &kernel->parameters[i];
        to->type = read_type(&from->type);
        to->target = read_type(&from->target);
        read_type_name(from->signature, to->text, sizeof to->text);
    }
    return true;
}

/* The name without scope and template arguments: "k" of "ns::k<4>". */
static bool is_named(const char *kernel, const char *name)
{
    size_t length = strcspn(kernel, "<"), start = length;
    while (start > 0 && kernel[start - 1] != ':' && kernel[start - 1] != ' ')
        start--;
    return strlen(name) == length - start && strncmp(kernel + start, name, length - start) == 0;
}

static struct tune_index cluster_of(const struct tune_cluster_of *clusters, const char *kernel)
{
    for (; clusters->name; clusters++) {
        if (is_named(kernel, clusters->name))
            return clusters->size;
    }
    return (struct tune_index){0, 0, 0};
}

/* The tables that a module exports, and what is the same for all its kernels. */
struct tables {
    const struct tune_kernel *kernels;
    const char *const *launched;
    const struct tune_cluster_of *clusters;
    tune_context_function *context;
    const size_t *alignment;
};

static bool find_tables(struct module *module, struct tables *tables, struct error *error)
{
    tables->kernels = dlsym(module->library, TUNE_MODULE_KERNELS);
    tables->launched = dlsym(module->library, TUNE_MODULE_LAUNCHED);
    tables->clusters = dlsym(module->library, TUNE_MODULE_CLUSTERS);
    tables->alignment = dlsym(module->library, TUNE_MODULE_ALIGNMENT);
    *(void **)&tables->context = dlsym(module->library, TUNE_MODULE_CONTEXT);
    module->symbols = dlsym(module->library, TUNE_MODULE_SYMBOLS);
    return (tables->kernels && tables->launched && tables->clusters && tables->alignment && tables->context &&
            module->symbols) ||
           error_set(error, ERROR_INPUT, "this image was not compiled for the CPU device");
}

static bool reserve_kernels(struct module *module, const struct tables *tables, struct error *error)
{
    while (tables->kernels[module->kernel_count].name)
        module->kernel_count++;
    while (tables->launched[module->launched_count])
        module->launched_count++;
    size_t count = module->kernel_count + module->launched_count;
    module->kernels = calloc(count + 1, sizeof *module->kernels);
    module->kernel_names = calloc(count + 1, sizeof *module->kernel_names);
    if (!module->kernels || !module->kernel_names)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++)
        module->kernel_names[i] =
            i < module->kernel_count ? tables->kernels[i].name : tables->launched[i - module->kernel_count];
    return true;
}

static bool read_tables(struct module *module, const void *image, size_t bytes, struct error *error)
{
    struct tables tables;
    if (!find_tables(module, &tables, error) || !reserve_kernels(module, &tables, error))
        return false;
    size_t count = module->kernel_count + module->launched_count;
    for (size_t i = 0; i < count; i++) {
        struct device_kernel *kernel = &module->kernels[i];
        *kernel = (struct device_kernel){.name = module->kernel_names[i],
                                         .entry = i < module->kernel_count ? &tables.kernels[i] : NULL,
                                         .context = tables.context,
                                         .shared_alignment = *tables.alignment,
                                         .module = module};
        kernel->cluster = cluster_of(tables.clusters, kernel->name);
        kernel->shared_bytes = image_shared_bytes(image, bytes, kernel->name, module->kernel_names, count);
        if (kernel->entry && !read_parameters(kernel, error))
            return false;
    }
    return true;
}

bool loader_open(const void *image, size_t bytes, struct module **result, struct error *error)
{
    if (!image_is_valid(image, bytes))
        return error_set(error, ERROR_INPUT, "this image was not compiled for the CPU device");
    struct module *module = calloc(1, sizeof *module);
    if (!module)
        return error_out_of_memory(error);
    module->file = -1;
    if (!open_library(module, image, bytes, error) || !read_tables(module, image, bytes, error)) {
        loader_close(module);
        return false;
    }
    *result = module;
    return true;
}

void loader_close(struct module *module)
{
    if (!module)
        return;
    if (module->library)
        dlclose(module->library);
    if (module->file >= 0)
        close(module->file);
    for (size_t i = 0; module->kernels && i < module->kernel_count; i++)
        free(module->kernels[i].parameters);
    free(module->kernels);
    free(module->kernel_names);
    free(module);
}

bool loader_kernel(struct module *module, const char *name, struct device_kernel **kernel, struct error *error)
{
    for (size_t i = 0; i < module->kernel_count; i++) {
        if (strcmp(module->kernels[i].name, name) == 0) {
            *kernel = &module->kernels[i];
            return true;
        }
    }
    error_set(error, ERROR_INPUT, "there is no kernel '%s' in the module", name);
    const char *near = error_nearest(name, module->kernel_names, module->kernel_count);
    return near ? error_hint(error, "did you mean '%s'?", near) : false;
}

const struct device_kernel *loader_launched(const struct device_kernel *parent, const char *name)
{
    const struct module *module = parent->module;
    for (size_t i = 0; i < module->launched_count; i++) {
        const struct device_kernel *kernel = &module->kernels[module->kernel_count + i];
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    }
    return parent;
}

bool loader_symbol(struct module *module, const char *name, uint64_t *address, size_t *bytes, struct error *error)
{
    for (const struct tune_symbol *symbol = module->symbols; symbol->name; symbol++) {
        if (strcmp(symbol->name, name) == 0) {
            *address = (uint64_t)(uintptr_t)symbol->address;
            *bytes = symbol->bytes;
            return true;
        }
    }
    return error_set(error, ERROR_INPUT, "there is no symbol '%s' in the module", name);
}

const struct kernel_parameter *loader_parameters(const struct device_kernel *kernel, size_t *count)
{
    *count = kernel->entry->parameter_count;
    return kernel->parameters;
}
