/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory from the symbols of a handmade shared object, whole and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Names as the Itanium C++ ABI mangles them: _ZZ, the function, E, the variable. */
static const struct {
    const char *name;
    unsigned char type;
    uint64_t bytes;
} variables[] = {
    {"_ZZ5smallPiE1a", STT_TLS, 400},
    {"_ZZ5smallPiE1b_0", STT_TLS, 8},
    {"_ZZ5largePiE1b", STT_TLS, 5000},
    {"_ZZ6helperiE6common", STT_TLS, 40}, /* of a function that any kernel may call */
    {"_ZL5outer", STT_TLS, 1},            /* outside functions */
    {"_ZL12tune_context", STT_TLS, 96},   /* the device's own */
    {"_ZZ5smallPiE6static", STT_OBJECT, 70000},
    {"_ZZ6smallePiE1a", STT_TLS, 600}, /* of another kernel, whose name begins alike */
};

enum { VARIABLES = sizeof variables / sizeof *variables };

struct fake {
    Elf64_Ehdr header;
    Elf64_Shdr sections[3];
    Elf64_Sym symbols[VARIABLES];
    char names[256];
};

static const char *const kernels[] = {"small", "large", "smalle"};

static struct fake make_fake(void)
{
    struct fake fake = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                   .e_type = ET_DYN,
                   .e_shoff = offsetof(struct fake, sections),
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = 3},
        .sections = {{0},
                     {.sh_type = SHT_SYMTAB,
                      .sh_link = 2,
                      .sh_offset = offsetof(struct fake, symbols),
                      .sh_size = sizeof fake.symbols},
                     {.sh_type = SHT_STRTAB,
                      .sh_offset = offsetof(struct fake, names),
                      .sh_size = sizeof fake.names}},
    };
    size_t at = 1;
    for (size_t i = 0; i < VARIABLES; i++) {
        fake.symbols[i] =
            (Elf64_Sym){.st_name = (Elf64_Word)at, .st_info = variables[i].type, .st_size = variables[i].bytes};
        memcpy(fake.names + at, variables[i].name, strlen(variables[i].name) + 1);
        at += strlen(variables[i].name) + 1;
    }
    return fake;
}

static int64_t shared_of(const struct fake *fake, const char *kernel)
{
    return image_shared_bytes(fake, sizeof *fake, kernel, kernels, 3);
}

static void each_kernel_has_its_own_and_the_common_ones(void **state)
{
    (void)state;
    struct fake fake = make_fake();
    assert_true(image_is_valid(&fake, sizeof fake));
    assert_int_equal(shared_of(&fake, "small"), 400 + 8 + 40 + 1);
    assert_int_equal(shared_of(&fake, "large"), 5000 + 40 + 1);
    assert_int_equal(shared_of(&fake, "smalle"), 600 + 40 + 1);
}

static void memory_is_that_of_the_loaded_segments(void **state)
{
    (void)state;
    struct fake fake = make_fake();
    assert_int_equal(image_memory_bytes(&fake, sizeof fake), 0);
    struct {
        struct fake file;
        Elf64_Phdr segments[3];
    } whole = {fake,
               {{.p_type = PT_LOAD, .p_memsz = 4096},
                {.p_type = PT_TLS, .p_memsz = 99},
                {.p_type = PT_LOAD, .p_filesz = 8, .p_memsz = (uint64_t)1 << 40}}};
    whole.file.header.e_phoff = sizeof fake;
    whole.file.header.e_phnum = 3;
    whole.file.header.e_phentsize = sizeof(Elf64_Phdr);
    assert_true(image_memory_bytes(&whole, sizeof whole) == ((uint64_t)1 << 40) + 4096);
    assert_int_equal(image_memory_bytes(&whole, sizeof whole - 1), 0);
    whole.segments[0].p_memsz = UINT64_MAX;
    assert_true(image_memory_bytes(&whole, sizeof whole) == UINT64_MAX);
    assert_int_equal(image_memory_bytes("", 0), 0);
}

static void other_files_are_not_valid(void **state)
{
    (void)state;
    struct fake fake = make_fake();
    fake.header.e_type = ET_EXEC;
    assert_false(image_is_valid(&fake, sizeof fake));
    fake = make_fake();
    fake.header.e_ident[EI_CLASS] = ELFCLASS32;
    assert_false(image_is_valid(&fake, sizeof fake));
    fake = make_fake();
    fake.header.e_shoff = UINT64_MAX - 10;
    assert_false(image_is_valid(&fake, sizeof fake));
    assert_int_equal(shared_of(&fake, "small"), 0);
    assert_false(image_is_valid("", 0));
}

/* In memory of just its size, so that the address sanitizer sees each step beyond. */
static void read_copy(const struct fake *fake, size_t size)
{
    void *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, fake, size);
    image_shared_bytes(copy, size, "small", kernels, 3);
    image_memory_bytes(copy, size);
    free(copy);
}

static void truncated_and_damaged(void **state)
{
    (void)state;
    static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    struct fake fake = make_fake();
    for (size_t size = 0; size < sizeof fake; size++)
        read_copy(&fake, size);
    for (size_t i = 0; i < sizeof fake; i++) {
        unsigned char *at = (unsigned char *)&fake + i, before = *at;
        for (size_t j = 0; j < sizeof values; j++) {
            *at = values[j];
            read_copy(&fake, sizeof fake);
        }
        *at = before;
    }
    assert_int_equal(shared_of(&fake, "small"), 449);
}

/* Sizes that no variable can have do not wrap to a small or negative sum. */
static void sizes_beyond_64_bits(void **state)
{
    (void)state;
    struct fake fake = make_fake();
    fake.symbols[0].st_size = UINT64_MAX;
    assert_int_equal(shared_of(&fake, "small"), INT64_MAX / 2);
    fake.symbols[0].st_size = INT64_MAX / 2;
    assert_int_equal(shared_of(&fake, "small"), INT64_MAX / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kernel_has_its_own_and_the_common_ones),
        cmocka_unit_test(memory_is_that_of_the_loaded_segments),
        cmocka_unit_test(other_files_are_not_valid),
        cmocka_unit_test(truncated_and_damaged),
        cmocka_unit_test(sizes_beyond_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
