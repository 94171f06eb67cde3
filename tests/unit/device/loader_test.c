/* SPDX-License-Identifier: Apache-2.0 */
/* Modules in this process: their kernels and symbols, many of them, and what is no module. */
#include "cpu_fixture.h"

#include <stdio.h>

/* Modules that are loaded at the same time and one after the other must not be taken for each other. */
static void many_modules(void **state)
{
    struct bench *bench = *state;
    const char *name = "k";
    struct compile_result results[3];
    for (int i = 0; i < 3; i++) {
        char defines[32];
        snprintf(defines, sizeof defines, "#define VALUE %d\n", i);
        struct compile_request request =
            request_for(bench, "__shared__ int s;\n__global__ void k(int *x) { s = VALUE; *x = s; }\n", &name);
        request.defines = defines;
        ok(cpu->compile(&bench->description, &request, &results[i], &bench->error));
        assert_true(results[i].compiled);
    }
    uint64_t address = device_room(bench, sizeof(int));
    struct module *kept[3] = {NULL};
    for (int round = 0; round < 60; round++) {
        int which = round % 3, slot = round * 7 % 3, got = -1;
        if (kept[slot])
            cpu->unload(bench->device, kept[slot]);
        ok(cpu->load(bench->device, results[which].image, results[which].image_bytes, &kept[slot], &bench->error));
        ok(cpu->kernel(kept[slot], "k", &bench->kernel, &bench->error));
        launch(bench, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&address));
        fetch(bench, &got, address, sizeof got);
        assert_int_equal(got, which);
    }
    for (int i = 0; i < 3; i++) {
        cpu->unload(bench->device, kept[i]);
        free(results[i].image);
        free(results[i].log);
    }
    struct module *none;
    assert_false(cpu->load(bench->device, "not an image", 12, &none, &bench->error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cpu_test(many_modules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
