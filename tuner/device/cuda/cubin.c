/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/cubin.h"

#include <elf.h>
#include <string.h>

/* Attributes of .nv.info sections. Each starts with a byte of format, a byte of number and two more bytes. */
enum {
    FORMAT_SIZED = 0x04, /* the two bytes are the size of the payload that follows */
    ATTRIBUTE_MAX_THREADS = 0x05,
    ATTRIBUTE_FRAME_SIZE = 0x11,
    ATTRIBUTE_MIN_STACK_SIZE = 0x12,
    ATTRIBUTE_PARAMETER = 0x17,
    ATTRIBUTE_REGISTERS = 0x2f,
};

/* From compute capability 9.0 on, .nv.shared.<kernel> includes the part of a block's memory that the system keeps. */
enum { RESERVED_SHARED = 1024 };

struct elf {
    const unsigned char *bytes;
    size_t size;
    Elf64_Ehdr header;
    const char *names;
    size_t names_size;
};

/* The header of section `index`; false if it lies outside the file. */
static bool section_at(const struct elf *elf, size_t index, Elf64_Shdr *section)
{
    if (index >= elf->header.e_shnum)
        return false;
    uint64_t offset = elf->header.e_shoff + index * sizeof *section;
    if (elf->header.e_shoff > elf->size || offset > elf->size || elf->size - offset < sizeof *section)
        return false;
    memcpy(section, elf->bytes + offset, sizeof *section);
    return section->sh_type == SHT_NOBITS ||
           (section->sh_offset <= elf->size && section->sh_size <= elf->size - section->sh_offset);
}

/* A string in a string table; NULL if it does not end within. */
static const char *string_at(const char *table, size_t size, size_t offset)
{
    return offset < size && memchr(table + offset, '\0', size - offset) ? table + offset : NULL;
}

static bool open_elf(const void *bytes, size_t size, struct elf *elf)
{
    *elf = (struct elf){.bytes = bytes, .size = size};
    if (size < sizeof elf->header)
        return false;
    memcpy(&elf->header, bytes, sizeof elf->header);
    if (memcmp(elf->header.e_ident, ELFMAG, SELFMAG) != 0 || elf->header.e_ident[EI_CLASS] != ELFCLASS64 ||
        elf->header.e_shentsize != sizeof(Elf64_Shdr))
        return false;

    Elf64_Shdr names, section;
    if (!section_at(elf, elf->header.e_shstrndx, &names) || names.sh_type != SHT_STRTAB)
        return false;
    elf->names = (const char *)elf->bytes + names.sh_offset;
    elf->names_size = names.sh_size;
    for (size_t i = 1; i < elf->header.e_shnum; i++) {
        if (!section_at(elf, i, &section))
            return false;
    }
    return true;
}

/* The section named `prefix` followed by `suffix`. */
static bool find_section(const struct elf *elf, const char *prefix, const char *suffix, Elf64_Shdr *section)
{
    size_t length = strlen(prefix);
    for (size_t i = 1; i < elf->header.e_shnum; i++) {
        if (!section_at(elf, i, section))
            return false;
        const char *name = string_at(elf->names, elf->names_size, section->sh_name);
        if (name && strncmp(name, prefix, length) == 0 && strcmp(name + length, suffix) == 0)
            return true;
    }
    return false;
}

/* The index of the kernel's symbol, by which .nv.info refers to it. */
static bool find_symbol(const struct elf *elf, const char *kernel, uint32_t *number)
{
    Elf64_Shdr table, strings;
    if (!find_section(elf, ".symtab", "", &table) || table.sh_type != SHT_SYMTAB ||
        !section_at(elf, table.sh_link, &strings) || strings.sh_type != SHT_STRTAB)
        return false;
    for (size_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, elf->bytes + table.sh_offset + i * sizeof symbol, sizeof symbol);
        const char *name = string_at((const char *)elf->bytes + strings.sh_offset, strings.sh_size, symbol.st_name);
        if (name && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && strcmp(name, kernel) == 0) {
            *number = (uint32_t)i;
            return true;
        }
    }
    return false;
}

static uint32_t word_at(const unsigned char *bytes, size_t index)
{
    uint32_t word;
    memcpy(&word, bytes + index * sizeof word, sizeof word);
    return word;
}

/* An index, the parameter's number with its offset, and flags with its size. */
static void take_parameter(const unsigned char *payload, size_t words, struct cubin_kernel *result)
{
    result->parameter_count++;
    uint32_t number = words >= 3 ? word_at(payload, 1) & 0xffff : CUBIN_PARAMETERS;
    if (number < CUBIN_PARAMETERS)
        result->parameter_bytes[number] = (uint16_t)(word_at(payload, 2) >> 18);
}

/* An attribute of the kernel; its payload is whole words. False: no block has that many threads. */
static bool take_attribute(unsigned attribute, const unsigned char *payload, size_t words,
                           struct cubin_kernel *result)
{
    if (attribute == ATTRIBUTE_PARAMETER)
        take_parameter(payload, words, result);
    if (attribute != ATTRIBUTE_MAX_THREADS || words < 3)
        return true;
    result->max_threads = 1;
    for (size_t i = 0; i < 3; i++) {
        if (word_at(payload, i) > UINT16_MAX)
            return false;
        result->max_threads *= word_at(payload, i);
    }
    return true;
}

/* An attribute of .nv.info: the index of a symbol, and a value. */
static void take_symbol_attribute(unsigned attribute, int64_t value, struct cubin_kernel *result)
{
    switch (attribute) {
    case ATTRIBUTE_REGISTERS:
        result->registers = value;
        break;
    case ATTRIBUTE_FRAME_SIZE: /* of the kernel alone; the minimum stack includes callees */
    case ATTRIBUTE_MIN_STACK_SIZE:
        if (value > result->stack_bytes)
            result->stack_bytes = value;
        break;
    default:
        break;
    }
}

/* Read an .nv.info section: the kernel's own, or the common one, where the kernel is symbol `number`.
 * False: it is damaged. */
static bool read_attributes(const struct elf *elf, const Elf64_Shdr *section, bool common, uint32_t number,
                            struct cubin_kernel *result)
{
    const unsigned char *at = elf->bytes + section->sh_offset;
    size_t left = section->sh_size;
    while (left >= 4) {
        unsigned format = at[0], attribute = at[1];
        size_t payload = format == FORMAT_SIZED ? (size_t)at[2] | (size_t)at[3] << 8 : 0;
        if (payload > left - 4)
            return true;
        if (format == FORMAT_SIZED && !common && !take_attribute(attribute, at + 4, payload / 4, result))
            return false;
        if (format == FORMAT_SIZED && common && payload == 8 && word_at(at + 4, 0) == number)
            take_symbol_attribute(attribute, word_at(at + 4, 1), result);
        at += 4 + payload;
        left -= 4 + payload;
    }
    return true;
}

static bool read_section(const struct elf *elf, const char *prefix, const char *suffix, uint32_t number,
                         struct cubin_kernel *result)
{
    Elf64_Shdr section;
    return !find_section(elf, prefix, suffix, &section) || section.sh_type == SHT_NOBITS ||
           read_attributes(elf, &section, !*suffix, number, result);
}

static bool read_shared(const struct elf *elf, const char *kernel, struct cubin_kernel *result)
{
    Elf64_Shdr section;
    if (!find_section(elf, ".nv.shared.", kernel, &section))
        return true;
    if (section.sh_size > UINT32_MAX)
        return false;
    result->shared_bytes = (int64_t)section.sh_size;
    if (section.sh_size >= RESERVED_SHARED && find_section(elf, ".nv.shared.", "reserved.0", &section))
        result->shared_bytes -= RESERVED_SHARED;
    return true;
}

bool cubin_kernel(const void *cubin, size_t bytes, const char *kernel, struct cubin_kernel *result,
                  struct error *error)
{
    struct elf elf;
    if (!open_elf(cubin, bytes, &elf))
        return error_set(error, ERROR_WORK, "the compiled program is not a cubin, or is damaged");

    Elf64_Shdr section;
    uint32_t number;
    if (!find_section(&elf, ".text.", kernel, &section) || !find_symbol(&elf, kernel, &number))
        return error_set(error, ERROR_WORK, "the compiled program has no kernel '%s', or is damaged", kernel);

    *result = (struct cubin_kernel){.registers = -1, .stack_bytes = -1};
    if (!read_section(&elf, ".nv.info", "", number, result) ||
        !read_section(&elf, ".nv.info.", kernel, number, result) || !read_shared(&elf, kernel, result))
        return error_set(error, ERROR_WORK, "the compiled program is damaged where it describes '%s'", kernel);
    return true;
}
