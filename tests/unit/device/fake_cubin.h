/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_cubin.h - a cubin assembled by hand.
 */
#ifndef TUNE_TESTS_FAKE_CUBIN_H
#define TUNE_TESTS_FAKE_CUBIN_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SECTIONS = 9, SYMBOLS = 3, OTHER = 1, KERNEL = 2 };

struct fake_cubin {
    Elf64_Ehdr header;
    char names[128], strings[32];
    Elf64_Sym symbols[SYMBOLS];
    uint32_t info[15], kernel_info[14];
    Elf64_Shdr sections[SECTIONS];
};

static inline Elf64_Word fake_name(char *table, size_t *at, const char *name)
{
    size_t start = *at;
    memcpy(table + start, name, strlen(name) + 1);
    *at += strlen(name) + 1;
    return (Elf64_Word)start;
}

static inline void fake_section(struct fake_cubin *fake, size_t index, Elf64_Word name, Elf64_Word type,
                                size_t offset, size_t size)
{
    fake->sections[index] = (Elf64_Shdr){.sh_name = name, .sh_type = type, .sh_offset = offset, .sh_size = size};
}

/* A kernel 'k' of 2 parameters, 8 and 4 bytes, with 40 registers, 64 bytes of stack, 2048 of shared memory, at most
 * 16x8x2 threads.
 */
static inline struct fake_cubin fake_cubin(bool reserved)
{
    struct fake_cubin fake = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                   .e_shoff = offsetof(struct fake_cubin, sections),
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = SECTIONS,
                   .e_shstrndx = 1},
        .strings = "\0other\0k",
        .symbols = {{0}, {.st_name = 1, .st_info = STT_FUNC}, {.st_name = 7, .st_info = STT_FUNC}},
        /* Each line an attribute: 4 (sized), its number, its size, then a symbol and its value. */
        .info = {0x00082f04, OTHER, 99, 0x00082f04, KERNEL, 40, 0x00081104, KERNEL, 16, 0x00081204, KERNEL, 64,
                 0x00081204, OTHER, 4096},
        .kernel_info = {0x00043704, 130, 0x000c1704, 0, 0x00080001, 4 << 18 | 0x1f000, 0x000c1704, 0, 0,
                        8 << 18 | 0x1f000, 0x000c0504, 16, 8, 2},
    };
    size_t at = 1;
    fake_section(&fake, 1, fake_name(fake.names, &at, ".shstrtab"), SHT_STRTAB, offsetof(struct fake_cubin, names),
                 sizeof fake.names);
    fake_section(&fake, 2, fake_name(fake.names, &at, ".strtab"), SHT_STRTAB, offsetof(struct fake_cubin, strings),
                 sizeof fake.strings);
    fake_section(&fake, 3, fake_name(fake.names, &at, ".symtab"), SHT_SYMTAB, offsetof(struct fake_cubin, symbols),
                 sizeof fake.symbols);
    fake.sections[3].sh_link = 2;
    fake_section(&fake, 4, fake_name(fake.names, &at, ".nv.info"), SHT_LOPROC, offsetof(struct fake_cubin, info),
                 sizeof fake.info);
    fake_section(&fake, 5, fake_name(fake.names, &at, ".nv.info.k"), SHT_LOPROC,
                 offsetof(struct fake_cubin, kernel_info), sizeof fake.kernel_info);
    fake_section(&fake, 6, fake_name(fake.names, &at, ".text.k"), SHT_PROGBITS, 0, 64);
    fake_section(&fake, 7, fake_name(fake.names, &at, ".nv.shared.k"), SHT_NOBITS, 0, reserved ? 3072 : 2048);
    fake_section(&fake, 8, fake_name(fake.names, &at, reserved ? ".nv.shared.reserved.0" : ".other"), SHT_NOBITS, 0,
                 0);
    return fake;
}

#endif
