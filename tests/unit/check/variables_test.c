/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of modules that are ELF files made here, whole and broken. */
#include "tests/unit/fixture.h"

#include "tuner/check/variables.h"

#include <elf.h>
#include <stdlib.h>

static struct error error;

enum { MOST_SYMBOLS = 16, NAMES = 1024 };

/* The header, a writable segment, the sections "none", symbols and names, in this order. */
struct elf {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    Elf64_Shdr sections[3];
    Elf64_Sym symbols[MOST_SYMBOLS];
    char names[NAMES];
    size_t symbol_count, name_bytes;
};

static void add(struct elf *elf, const char *name, unsigned char type, uint64_t value, uint64_t bytes,
                uint16_t section)
{
    elf->symbols[elf->symbol_count++] = (Elf64_Sym){.st_name = (Elf64_Word)elf->name_bytes,
                                                    .st_info = ELF64_ST_INFO(STB_LOCAL, type),
                                                    .st_shndx = section,
                                                    .st_value = value,
                                                    .st_size = bytes};
    elf->name_bytes += 1 + (size_t)snprintf(elf->names + elf->name_bytes, NAMES - elf->name_bytes, "%s", name);
    elf->sections[1].sh_size = elf->symbol_count * sizeof(Elf64_Sym);
    elf->sections[2].sh_size = elf->name_bytes;
}

static struct elf make(void)
{
    struct elf elf = {0};
    memcpy(elf.header.e_ident, ELFMAG, SELFMAG);
    elf.header.e_ident[EI_CLASS] = ELFCLASS64;
    elf.header.e_type = ET_DYN;
    elf.header.e_phoff = offsetof(struct elf, segment);
    elf.header.e_phnum = 1;
    elf.header.e_shoff = offsetof(struct elf, sections);
    elf.header.e_shentsize = sizeof(Elf64_Shdr);
    elf.header.e_shnum = 3;
    elf.segment = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_vaddr = 0x3000, .p_memsz = 0x800};
    elf.sections[1] = (Elf64_Shdr){.sh_type = SHT_SYMTAB, .sh_link = 2, .sh_offset = offsetof(struct elf, symbols)};
    elf.sections[2] = (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = offsetof(struct elf, names)};
    return elf;
}

static void variables_lose_scope_and_mangling(void **state)
{
    (void)state;
    static const struct {
        const char *symbol, *name;
        bool in_function;
    } table[] = {
        {"_ZZ6kernelPfE4tile", "tile", true},
        {"_ZZ6kernelPfE4tile_0", "tile", true},
        {"_ZZ6kernelPfE4tile__10_", "tile", true},
        {"_ZL5table", "table", false},
        {"plain", "plain", false},
        {"_ZN2ns5innerE", "_ZN2ns5innerE", false},
        {"_ZZ2k2PfE10table12345", "table12345", true},
        {"_Z", "_Z", false},
    };
    enum { COUNT = sizeof table / sizeof *table };
    struct elf elf = make();
    for (size_t i = 0; i < COUNT; i++)
        add(&elf, table[i].symbol, STT_OBJECT, 16 * i, 8 + i, 5);
    struct variables variables;
    assert_success(variables_read(&elf, sizeof elf, &variables, &error), &error);
    assert_int_equal(variables.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_string_equal(variables.list[i].name, table[i].name);
        assert_int_equal(variables.list[i].value, 16 * i);
        assert_int_equal(variables.list[i].bytes, 8 + i);
        assert_int_equal(variables.list[i].in_function, table[i].in_function);
        assert_false(variables.list[i].thread_local);
    }
    variables_clear(&variables);
}

static void data_and_context_are_found(void **state)
{
    (void)state;
    struct elf elf = make();
    add(&elf, "_ZL12tune_context", STT_TLS, 0x40, 96, 5);
    add(&elf, "_ZZ1kvE4tile", STT_TLS, 0x80, 256, 5);
    add(&elf, "kernel", STT_FUNC, 0x1000, 64, 5);
    add(&elf, "elsewhere", STT_OBJECT, 0, 8, SHN_UNDEF);
    struct variables variables;
    assert_success(variables_read(&elf, sizeof elf, &variables, &error), &error);
    assert_int_equal(variables.context, 0x40);
    assert_int_equal(variables.writable, 0x3000);
    assert_int_equal(variables.writable_end, 0x3800);
    assert_int_equal(variables.count, 1);
    assert_true(variables.list[0].thread_local);
    assert_string_equal(variables.list[0].name, "tile");
    variables_clear(&variables);
}

static void long_names_are_cut(void **state)
{
    (void)state;
    struct elf elf = make();
    char name[200], symbol[256];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(symbol, sizeof symbol, "_ZL199%s", name);
    add(&elf, symbol, STT_OBJECT, 0, 8, 5);
    struct variables variables;
    assert_success(variables_read(&elf, sizeof elf, &variables, &error), &error);
    assert_int_equal(strlen(variables.list[0].name), sizeof variables.list[0].name - 1);
    variables_clear(&variables);
}

static void broken_images_are_refused_or_survived(void **state)
{
    (void)state;
    struct variables variables;
    struct elf elf = make();
    add(&elf, "table", STT_OBJECT, 0, 8, 5);
    assert_false(variables_read("not an ELF file", 15, &variables, &error));
    assert_int_equal(error.code, ERROR_INPUT);

    struct elf broken = elf;
    broken.sections[1].sh_offset = sizeof elf - 4;
    assert_false(variables_read(&broken, sizeof broken, &variables, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_null(variables.list);

    broken = elf;
    broken.sections[2].sh_size = UINT64_MAX;
    assert_false(variables_read(&broken, sizeof broken, &variables, &error));

    broken = elf;
    broken.symbols[0].st_name = 4000; /* beyond the names */
    assert_success(variables_read(&broken, sizeof broken, &variables, &error), &error);
    assert_int_equal(variables.count, 0);
    variables_clear(&variables);

    broken = elf;
    broken.sections[2].sh_size = 3; /* the name has no end */
    assert_success(variables_read(&broken, sizeof broken, &variables, &error), &error);
    assert_int_equal(variables.count, 0);
    variables_clear(&variables);

    broken = elf;
    broken.header.e_phoff = UINT64_MAX - 3;
    assert_success(variables_read(&broken, sizeof broken, &variables, &error), &error);
    assert_int_equal(variables.writable_end, 0);
    variables_clear(&variables);
}

static void assert_dynamic_name(const char *source, const char *expected)
{
    char name[64];
    variables_dynamic_name(source, name, sizeof name);
    assert_string_equal(name, expected);
}

static void dynamic_memory_is_named_by_its_declaration(void **state)
{
    (void)state;
    static const char unknown[] = "dynamic shared memory";
    assert_dynamic_name("", unknown);
    assert_dynamic_name("extern __shared__ float tile[];", "tile");
    assert_dynamic_name("extern  __shared__ __align__(16)\n unsigned char room_2 [] ;", "room_2");
    assert_dynamic_name("extern __shared__ float a[]; extern __shared__ float a[];", "a");
    assert_dynamic_name("extern __shared__ float a[]; extern __shared__ float ab[];", unknown);
    assert_dynamic_name("__shared__ float tile[32];", unknown);
    assert_dynamic_name("extern float table[]; __shared__ int x;", unknown);
    assert_dynamic_name("extern \"C\" __global__ void k(float x[]) { __shared__ float t[3]; }", unknown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_lose_scope_and_mangling),
        cmocka_unit_test(data_and_context_are_found),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(broken_images_are_refused_or_survived),
        cmocka_unit_test(dynamic_memory_is_named_by_its_declaration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
