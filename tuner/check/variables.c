/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/variables.h"

#include "tuner/device/cpu/image.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* The length of a mangled symbol's last name: the number that equals the count of characters between it and `end`; 0
 * if there is none. */
static size_t last_name(const char *symbol, const char *end)
{
    for (const char *c = symbol; c < end; c++) {
        char *after;
        if (!isdigit((unsigned char)*c) || (c > symbol && isdigit((unsigned char)c[-1])))
            continue;
        unsigned long count = strtoul(c, &after, 10);
        if (after < end && count == (size_t)(end - after))
            return count;
    }
    return 0;
}

/* Strip scope and mangling (Itanium C++ ABI, 5.1); a discriminator may follow the name: tile_0, tile__10_. */
static void plain_name(const char *symbol, char *name, size_t size)
{
    snprintf(name, size, "%s", symbol);
    if (strncmp(symbol, "_Z", 2) != 0)
        return;
    const char *end = symbol + strlen(symbol);
    size_t count = last_name(symbol + 2, end);
    while (count == 0 && end > symbol + 2) {
        end--;
        if (*end == '_')
            count = last_name(symbol + 2, end);
        else if (!isdigit((unsigned char)*end))
            return;
    }
    if (count > 0)
        snprintf(name, size, "%.*s", (int)count, end - count);
}

static bool inside(size_t bytes, uint64_t offset, uint64_t count)
{
    return offset <= bytes && count <= bytes - offset;
}

static Elf64_Shdr section_at(const char *image, size_t i)
{
    Elf64_Ehdr header;
    Elf64_Shdr section;
    memcpy(&header, image, sizeof header);
    memcpy(&section, image + header.e_shoff + i * sizeof section, sizeof section);
    return section;
}

static void add(struct variables *variables, const Elf64_Sym *symbol, const char *name)
{
    bool local = ELF64_ST_TYPE(symbol->st_info) == STT_TLS;
    if (local && strcmp(name, "_ZL12tune_context") == 0) {
        variables->context = symbol->st_value;
        return;
    }
    struct variable *variable = &variables->list[variables->count++];
    *variable = (struct variable){.value = symbol->st_value, .bytes = symbol->st_size, .thread_local = local};
    variable->in_function = strncmp(name, "_ZZ", 3) == 0;
    plain_name(name, variable->name, sizeof variable->name);
}

static bool read_symbols(const char *image, size_t bytes, const Elf64_Shdr *table, const Elf64_Shdr *names,
                         struct variables *variables, struct error *error)
{
    size_t count = table->sh_size / sizeof(Elf64_Sym);
    if (!inside(bytes, table->sh_offset, table->sh_size) || !inside(bytes, names->sh_offset, names->sh_size))
        return error_set(error, ERROR_INPUT, "the image's symbol table lies outside the image");
    free(variables->list);
    variables->count = 0;
    variables->list = calloc(count + 1, sizeof *variables->list);
    if (!variables->list)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, image + table->sh_offset + i * sizeof symbol, sizeof symbol);
        int type = ELF64_ST_TYPE(symbol.st_info);
        if ((type != STT_TLS && type != STT_OBJECT) || symbol.st_shndx == SHN_UNDEF ||
            symbol.st_name >= names->sh_size)
            continue;
        const char *name = image + names->sh_offset + symbol.st_name;
        if (strnlen(name, names->sh_size - symbol.st_name) < names->sh_size - symbol.st_name)
            add(variables, &symbol, name);
    }
    return true;
}

static void read_data(const char *image, size_t bytes, const Elf64_Ehdr *header, struct variables *variables)
{
    for (size_t i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        uint64_t at = header->e_phoff + i * sizeof segment;
        if (!inside(bytes, at, sizeof segment))
            return;
        memcpy(&segment, image + at, sizeof segment);
        if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W))
            continue;
        variables->writable = segment.p_vaddr;
        variables->writable_end = segment.p_vaddr + segment.p_memsz;
    }
}

bool variables_read(const void *image, size_t bytes, struct variables *variables, struct error *error)
{
    Elf64_Ehdr header;
    *variables = (struct variables){0};
    if (!image_is_valid(image, bytes))
        return error_set(error, ERROR_INPUT, "this image was not compiled for the CPU device");
    memcpy(&header, image, sizeof header);
    read_data(image, bytes, &header, variables);
    for (size_t s = 0; s < header.e_shnum; s++) {
        Elf64_Shdr table = section_at(image, s);
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= header.e_shnum)
            continue;
        Elf64_Shdr names = section_at(image, table.sh_link);
        if (!read_symbols(image, bytes, &table, &names, variables, error)) {
            variables_clear(variables);
            return false;
        }
    }
    return true;
}

void variables_clear(struct variables *variables)
{
    free(variables->list);
    *variables = (struct variables){0};
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

void variables_dynamic_name(const char *source, char *name, size_t size)
{
    static const char *const word = "__shared__";
    bool found = false;
    snprintf(name, size, "dynamic shared memory");
    for (const char *at = source; (at = strstr(at, "extern")); at += strlen("extern")) {
        const char *end = at + strcspn(at, ";{=");
        const char *bracket = memchr(at, '[', (size_t)(end - at)), *shared = strstr(at, word);
        if (!bracket || !shared || shared > bracket)
            continue;
        const char *last = bracket;
        while (last > shared && isspace((unsigned char)last[-1]))
            last--;
        const char *first = last;
        while (first > shared && is_word(first[-1]))
            first--;
        size_t length = (size_t)(last - first);
        if (found && (strlen(name) != length || strncmp(name, first, length) != 0)) {
            snprintf(name, size, "dynamic shared memory");
            return;
        }
        snprintf(name, size, "%.*s", (int)length, first);
        found = true;
    }
}
