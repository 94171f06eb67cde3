/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/image.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

/* Do `count` times `size` bytes at `offset` lie inside the image? */
static bool inside(size_t bytes, uint64_t offset, uint64_t count, uint64_t size)
{
    return offset <= bytes && (size == 0 || count <= (bytes - offset) / size);
}

bool image_is_valid(const void *image, size_t bytes)
{
    Elf64_Ehdr header;
    if (bytes < sizeof header)
        return false;
    memcpy(&header, image, sizeof header);
    return memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
           header.e_type == ET_DYN && header.e_shentsize == sizeof(Elf64_Shdr) &&
           inside(bytes, header.e_shoff, header.e_shnum, sizeof(Elf64_Shdr));
}

uint64_t image_memory_bytes(const void *image, size_t bytes)
{
    Elf64_Ehdr header;
    uint64_t total = 0;
    if (!image_is_valid(image, bytes))
        return 0;
    memcpy(&header, image, sizeof header);
    if (header.e_phentsize != sizeof(Elf64_Phdr) ||
        !inside(bytes, header.e_phoff, header.e_phnum, sizeof(Elf64_Phdr)))
        return 0;
    for (size_t i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, (const char *)image + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_LOAD && __builtin_add_overflow(total, segment.p_memsz, &total))
            return UINT64_MAX;
    }
    return total;
}

static Elf64_Shdr section_at(const char *image, size_t i)
{
    Elf64_Ehdr header;
    Elf64_Shdr section;
    memcpy(&header, image, sizeof header);
    memcpy(&section, image + header.e_shoff + i * sizeof section, sizeof section);
    return section;
}

/* The name of a function's variable starts with _ZZ and the function's: of each of its parts the length and the part,
 * after N if there are several; I follows if it is a template's. */
static bool belongs_to(const char *symbol, size_t length, const char *kernel)
{
    enum { MOST = 1200 };
    char start[MOST];
    size_t path = strcspn(kernel, "<"), used;
    const char *at = strncmp(kernel, "::", 2) == 0 ? kernel + 2 : kernel, *end = kernel + path;
    used = (size_t)snprintf(start, sizeof start, "_ZZ%s", memchr(at, ':', (size_t)(end - at)) ? "N" : "");
    while (at < end) {
        size_t part = strcspn(at, ":<");
        int written = snprintf(start + used, sizeof start - used, "%zu%.*s", part, (int)part, at);
        if (written < 0 || (size_t)written >= sizeof start - used)
            return false;
        used += (size_t)written;
        at += part;
        at += at < end ? strspn(at, ":") : 0;
    }
    if (*end == '<' && used + 1 < sizeof start)
        start[used++] = 'I';
    return length >= used && memcmp(symbol, start, used) == 0;
}

static bool is_shared(const char *symbol, size_t length, const char *kernel, const char *const *kernels, size_t count)
{
    if (belongs_to(symbol, length, kernel))
        return true;
    for (size_t i = 0; i < count; i++) {
        if (belongs_to(symbol, length, kernels[i]))
            return false;
    }
    return strcmp(symbol, "_ZL12tune_context") != 0;
}

/* The name of a symbol; NULL: it does not end within the table. */
static const char *name_of(const char *image, const Elf64_Shdr *names, const Elf64_Sym *symbol, size_t *length)
{
    if (symbol->st_name >= names->sh_size)
        return NULL;
    const char *name = image + names->sh_offset + symbol->st_name;
    *length = strnlen(name, names->sh_size - symbol->st_name);
    return *length < names->sh_size - symbol->st_name ? name : NULL;
}

int64_t image_shared_bytes(const void *image, size_t bytes, const char *kernel, const char *const *kernels,
                           size_t kernel_count)
{
    const uint64_t most = INT64_MAX / 2;
    Elf64_Ehdr header;
    if (!image_is_valid(image, bytes))
        return 0;
    memcpy(&header, image, sizeof header);
    uint64_t total = 0;
    for (size_t s = 0; s < header.e_shnum; s++) {
        Elf64_Shdr table = section_at(image, s);
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= header.e_shnum)
            continue;
        Elf64_Shdr names = section_at(image, table.sh_link);
        if (!inside(bytes, table.sh_offset, table.sh_size, 1) || !inside(bytes, names.sh_offset, names.sh_size, 1))
            continue;
        for (uint64_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); i++) {
            Elf64_Sym symbol;
            size_t length;
            memcpy(&symbol, (const char *)image + table.sh_offset + i * sizeof symbol, sizeof symbol);
            const char *name = name_of(image, &names, &symbol, &length);
            if (name && ELF64_ST_TYPE(symbol.st_info) == STT_TLS &&
                is_shared(name, length, kernel, kernels, kernel_count))
                total = symbol.st_size < most - total ? total + symbol.st_size : most;
        }
    }
    return (int64_t)total;
}
