/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/cache_lines.h"

#include <stdint.h>

#ifdef __x86_64__

#include <cpuid.h>

struct cache_lines cache_lines_find(void)
{
    enum { CLFLUSH = 1u << 19, CLFLUSHOPT = 1u << 23 }; /* in EDX of leaf 1, in EBX of leaf 7 */
    struct cache_lines lines = {0};
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(edx & CLFLUSH))
        return lines;
    lines.bytes = (size_t)8 * (ebx >> 8 & 0xff);
    lines.weak = __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx & CLFLUSHOPT);
    return lines;
}

void cache_lines_flush(struct cache_lines lines, const void *start, size_t bytes)
{
    uintptr_t first = (uintptr_t)start / lines.bytes * lines.bytes, end = (uintptr_t)start + bytes;
    /* Only fences order CLFLUSHOPT with earlier stores and later loads. */
    __asm__ volatile("mfence" ::: "memory");
    for (uintptr_t at = first; at < end; at += lines.bytes) {
        if (lines.weak)
            __asm__ volatile("clflushopt %0" : "+m"(*(volatile char *)at));
        else
            __asm__ volatile("clflush %0" : "+m"(*(volatile char *)at));
    }
    __asm__ volatile("mfence" ::: "memory");
}

#else

struct cache_lines cache_lines_find(void)
{
    return (struct cache_lines){0};
}

void cache_lines_flush(struct cache_lines lines, const void *start, size_t bytes)
{
    (void)lines;
    (void)start;
    (void)bytes;
}

#endif
