/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/draft_types.h"

#include "tuner/lang/element.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Several spellings of a type stand in a row; `long` has 64 bits as on Linux. */
static const struct {
    const char *name;
    const char *spellings[10];
    bool integer, floating;
} types[] = {
    {"char", {"char", "signed char", "int8_t", "std::int8_t"}, true, false},
    {"uchar", {"unsigned char", "uchar", "uint8_t", "std::uint8_t", "bool", "std::byte"}, true, false},
    {"short", {"short", "short int", "signed short", "int16_t", "std::int16_t"}, true, false},
    {"ushort", {"unsigned short", "unsigned short int", "ushort", "uint16_t", "std::uint16_t"}, true, false},
    {"int", {"int", "signed", "signed int", "int32_t", "std::int32_t"}, true, false},
    {"uint", {"unsigned", "unsigned int", "uint", "uint32_t", "std::uint32_t"}, true, false},
    {"long",
     {"long", "long int", "long long", "long long int", "int64_t", "std::int64_t", "ptrdiff_t", "ssize_t"},
     true,
     false},
    {"ulong",
     {"unsigned long", "unsigned long int", "unsigned long long", "unsigned long long int", "ulong", "size_t",
      "std::size_t", "uint64_t", "std::uint64_t"},
     true,
     false},
    {"float", {"float"}, false, true},
    {"double", {"double"}, false, true},
    {"half", {"half", "__half"}, false, true},
    {"bfloat16", {"__nv_bfloat16", "nv_bfloat16", "bfloat16"}, false, true},
};
enum { TYPE_COUNT = sizeof types / sizeof *types };

static bool find_scalar(const char *type, struct draft_type *found)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        for (size_t k = 0; k < sizeof types[i].spellings / sizeof *types[i].spellings && types[i].spellings[k]; k++) {
            if (strcmp(types[i].spellings[k], type) != 0)
                continue;
            *found = (struct draft_type){types[i].name, types[i].name, 1, types[i].integer, types[i].floating};
            return true;
        }
    }
    return false;
}

/* float4 and the like; those of one number are passed as that. */
static bool find_vector(const char *type, struct draft_type *found)
{
    static const struct {
        const char *begin, *name;
        const char *whole[4]; /* of 1 to 4 */
    } vectors[] = {{"char", "char", {"char", "char2", "char3", "char4"}},
                   {"uchar", "uchar", {"uchar", "uchar2", "uchar3", "uchar4"}},
                   {"short", "short", {"short", "short2", "short3", "short4"}},
                   {"ushort", "ushort", {"ushort", "ushort2", "ushort3", "ushort4"}},
                   {"int", "int", {"int", "int2", "int3", "int4"}},
                   {"uint", "uint", {"uint", "uint2", "uint3", "uint4"}},
                   {"longlong", "long", {"long", "long2", "long3", "long4"}},
                   {"ulonglong", "ulong", {"ulong", "ulong2", "ulong3", "ulong4"}},
                   {"float", "float", {"float", "float2", "float3", "float4"}},
                   {"double", "double", {"double", "double2", "double3", "double4"}}};
    size_t length = strlen(type);
    if (length < 2 || !strchr("1234", type[length - 1]))
        return false;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        unsigned width = (unsigned)(type[length - 1] - '0');
        if (strlen(vectors[i].begin) != length - 1 || memcmp(vectors[i].begin, type, length - 1) != 0 ||
            !find_scalar(vectors[i].name, found))
            continue;
        found->whole = vectors[i].whole[width - 1];
        found->width = width;
        return true;
    }
    return false;
}

static bool find_pair(const char *type, struct draft_type *found)
{
    static const struct {
        const char *spellings[2], *name, *whole;
    } pairs[] = {{{"half2", "__half2"}, "half", "half2"},
                 {{"nv_bfloat162", "__nv_bfloat162"}, "bfloat16", "bfloat162"},
                 {{"cuComplex", "cuFloatComplex"}, "float", "complex"},
                 {{"cuDoubleComplex", "cuDoubleComplex"}, "double", "complex_double"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (strcmp(pairs[i].spellings[0], type) != 0 && strcmp(pairs[i].spellings[1], type) != 0)
            continue;
        *found = (struct draft_type){pairs[i].name, pairs[i].whole, 2, false, true};
        return true;
    }
    return false;
}

bool draft_type_find(const char *type, struct draft_type *found)
{
    return find_scalar(type, found) || find_vector(type, found) || find_pair(type, found);
}

const char *draft_type_c_name(const char *name)
{
    enum element element;
    return element_find(name, strlen(name), &element) ? element_types[element].c_name : name;
}
