/* SPDX-License-Identifier: Apache-2.0 */
/* Cubins and images that are whole, cut short, and damaged; the cubins are put together here, byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/device/cuda/cubin.h"
#include "tuner/device/cuda/image.h"

enum { SECTIONS = 9, SYMBOLS = 3, OTHER = 1, KERNEL = 2 };

struct fake {
    Elf64_Ehdr header;
    char names[128], strings[32];
    Elf64_Sym symbols[SYMBOLS];
    uint32_t info[15], kernel_info[14];
    Elf64_Shdr sections[SECTIONS];
};

static Elf64_Word add_name(char *table, size_t *at, const char *name)
{
    size_t start = *at;
    memcpy(table + start, name, strlen(name) + 1);
    *at += strlen(name) + 1;
    return (Elf64_Word)start;
}

static void set_section(struct fake *fake, size_t index, Elf64_Word name, Elf64_Word type, size_t offset, size_t size)
{
    fake->sections[index] = (Elf64_Shdr){.sh_name = name, .sh_type = type, .sh_offset = offset, .sh_size = size};
}

/* A kernel 'k' of 2 parameters with 40 registers, 64 bytes of stack, 2048 of shared memory, at most 16x8x2 threads.
 */
static struct fake make_fake(bool reserved)
{
    struct fake fake = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                   .e_shoff = offsetof(struct fake, sections),
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = SECTIONS,
                   .e_shstrndx = 1},
        .strings = "\0other\0k",
        .symbols = {{0}, {.st_name = 1, .st_info = STT_FUNC}, {.st_name = 7, .st_info = STT_FUNC}},
        /* Each line an attribute: 4 (sized), its number, its size, then a symbol and its value. */
        .info = {0x00082f04, OTHER, 99, 0x00082f04, KERNEL, 40, 0x00081104, KERNEL, 16, 0x00081204, KERNEL, 64,
                 0x00081204, OTHER, 4096},
        .kernel_info = {0x00043704, 130, 0x000c1704, 0, 0x00080001, 0, 0x000c1704, 0, 0, 0, 0x000c0504, 16, 8, 2},
    };
    size_t at = 1;
    set_section(&fake, 1, add_name(fake.names, &at, ".shstrtab"), SHT_STRTAB, offsetof(struct fake, names),
                sizeof fake.names);
    set_section(&fake, 2, add_name(fake.names, &at, ".strtab"), SHT_STRTAB, offsetof(struct fake, strings),
                sizeof fake.strings);
    set_section(&fake, 3, add_name(fake.names, &at, ".symtab"), SHT_SYMTAB, offsetof(struct fake, symbols),
                sizeof fake.symbols);
    fake.sections[3].sh_link = 2;
    set_section(&fake, 4, add_name(fake.names, &at, ".nv.info"), SHT_LOPROC, offsetof(struct fake, info),
                sizeof fake.info);
    set_section(&fake, 5, add_name(fake.names, &at, ".nv.info.k"), SHT_LOPROC, offsetof(struct fake, kernel_info),
                sizeof fake.kernel_info);
    set_section(&fake, 6, add_name(fake.names, &at, ".text.k"), SHT_PROGBITS, 0, 64);
    set_section(&fake, 7, add_name(fake.names, &at, ".nv.shared.k"), SHT_NOBITS, 0, reserved ? 3072 : 2048);
    set_section(&fake, 8, add_name(fake.names, &at, reserved ? ".nv.shared.reserved.0" : ".other"), SHT_NOBITS, 0, 0);
    return fake;
}

static void expect_whole(const struct fake *fake)
{
    struct cubin_kernel facts;
    struct error error = {0};
    if (!cubin_kernel(fake, sizeof *fake, "k", &facts, &error))
        fail_msg("%s", error.text);
    assert_int_equal(facts.registers, 40);
    assert_int_equal(facts.stack_bytes, 64);
    assert_int_equal(facts.shared_bytes, 2048);
    assert_int_equal(facts.max_threads, 16 * 8 * 2);
    assert_int_equal(facts.parameter_count, 2);
}

static void test_facts(void **state)
{
    (void)state;
    struct fake before_hopper = make_fake(false), hopper = make_fake(true);
    expect_whole(&before_hopper);
    expect_whole(&hopper);
}

static void test_unknown_kernel(void **state)
{
    (void)state;
    struct fake fake = make_fake(true);
    struct cubin_kernel facts;
    struct error error = {0};
    assert_false(cubin_kernel(&fake, sizeof fake, "absent", &facts, &error));
    assert_non_null(strstr(error.text, "'absent'"));
    assert_false(cubin_kernel(&fake, sizeof fake, "", &facts, &error));
    assert_false(cubin_kernel("not ELF at all, but long enough to hold a header of sixty-four bytes", 64, "k", &facts,
                              &error));
    assert_non_null(strstr(error.text, "not a cubin"));
}

/* In memory of just its size, so that the address sanitizer sees each step beyond. */
static bool read_copy(const void *bytes, size_t size, struct cubin_kernel *facts)
{
    void *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    struct error error = {0};
    bool read = cubin_kernel(copy, size, "k", facts, &error);
    assert_int_equal(read, error.code == ERROR_NONE);
    free(copy);
    return read;
}

/* The section headers are at the end: nothing that is cut short can be read. */
static void test_cut_short(void **state)
{
    (void)state;
    struct fake fake = make_fake(true);
    struct cubin_kernel facts;
    for (size_t size = 0; size < sizeof fake; size++)
        assert_false(read_copy(&fake, size, &facts));
    assert_true(read_copy(&fake, sizeof fake, &facts));
}

/* Each byte changed to each of a few values: it may be read or not, but never out of bounds. */
static void test_damaged(void **state)
{
    (void)state;
    static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    struct fake fake = make_fake(true);
    struct cubin_kernel facts;
    size_t refused = 0;
    for (size_t i = 0; i < sizeof fake; i++) {
        for (size_t j = 0; j < sizeof values; j++) {
            unsigned char *at = (unsigned char *)&fake + i, before = *at;
            *at = values[j];
            refused += !read_copy(&fake, sizeof fake, &facts);
            *at = before;
        }
    }
    assert_true(refused > 100);
    expect_whole(&fake);
}

static const struct image_name names[] = {{"f", "_Z1fv"}, {"&table", "table"}, {"a<b>", ""}};

static void test_image(void **state)
{
    (void)state;
    struct image_view view;
    struct error error = {0};
    void *cubin;
    size_t bytes;
    char *image = image_create(names, 3, 5, &cubin, &bytes);
    assert_non_null(image);
    memcpy(cubin, "cubin", 5);
    assert_true(image_view(image, bytes, &view, &error));
    assert_int_equal(view.name_count, 3);
    assert_int_equal(view.cubin_bytes, 5);
    assert_memory_equal(view.cubin, "cubin", 5);
    assert_int_equal(((const char *)view.cubin - image) % 16, 0);
    assert_string_equal(image_lowered(&view, "f"), "_Z1fv");
    assert_string_equal(image_lowered(&view, "&table"), "table");
    assert_string_equal(image_lowered(&view, "a<b>"), "");
    assert_null(image_lowered(&view, "_Z1fv"));
    free(image);
}

static void test_damaged_image(void **state)
{
    (void)state;
    struct image_view view;
    struct error error = {0};
    void *cubin;
    size_t bytes;
    char *image = image_create(names, 3, 1, &cubin, &bytes);
    assert_non_null(image);
    for (size_t size = 0; size < bytes; size++) {
        char *copy = malloc(size ? size : 1);
        assert_non_null(copy);
        memcpy(copy, image, size);
        assert_false(image_view(copy, size, &view, &error));
        assert_true(strlen(error.text) > 0);
        free(copy);
    }
    for (size_t i = 0; i < bytes; i++) {
        for (int value = 0; value < 256; value += 17) {
            char before = image[i];
            image[i] = (char)value;
            if (image_view(image, bytes, &view, &error))
                image_lowered(&view, "absent");
            image[i] = before;
        }
    }
    image[8] = 100; /* more names than there are */
    assert_false(image_view(image, bytes, &view, &error));
    assert_non_null(strstr(error.text, "table of names"));
    free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),   cmocka_unit_test(test_unknown_kernel), cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_damaged), cmocka_unit_test(test_image),          cmocka_unit_test(test_damaged_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
