/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static bool read_line(const char *path, char *line, size_t bytes)
{
    FILE *stream = fopen(path, "re");
    if (!stream)
        return false;
    bool read = fgets(line, (int)bytes, stream) != NULL;
    fclose(stream);
    if (read)
        line[strcspn(line, "\r\n")] = '\0';
    return read;
}

/* The value of the first "key : value" line of a file like /proc/cpuinfo. */
static bool read_field(const char *path, const char *key, char *value, size_t bytes)
{
    FILE *stream = fopen(path, "re");
    if (!stream)
        return false;
    char line[512];
    bool found = false;
    while (!found && fgets(line, sizeof line, stream)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, key, strlen(key)) != 0)
            continue;
        const char *text = colon + 1 + strspn(colon + 1, " \t");
        snprintf(value, bytes, "%.*s", (int)strcspn(text, "\r\n"), text);
        found = true;
    }
    fclose(stream);
    return found;
}

int64_t machine_cache_bytes(void)
{
    int64_t largest = 0;
    for (int i = 0; i < 8; i++) {
        char path[96], text[32];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        if (!read_line(path, text, sizeof text))
            break;
        char *unit;
        int64_t bytes = strtoll(text, &unit, 10);
        bytes <<= *unit == 'K' ? 10 : *unit == 'M' ? 20 : 0;
        if (bytes > largest)
            largest = bytes;
    }
    return largest;
}

static int64_t clock_khz(void)
{
    char text[64];
    if (read_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", text, sizeof text))
        return strtoll(text, NULL, 10);
    if (read_field("/proc/cpuinfo", "cpu MHz", text, sizeof text))
        return (int64_t)(strtod(text, NULL) * 1000.0);
    return 0;
}

/* Half of a field of /proc/meminfo: a sweep shares the machine with its compilers. */
static int64_t half_memory(const char *field)
{
    char text[64];
    if (!read_field("/proc/meminfo", field, text, sizeof text))
        return 0;
    return strtoll(text, NULL, 10) * 1024 / 2;
}

int64_t machine_available_bytes(void)
{
    return half_memory("MemAvailable");
}

/*
 * fp32 operations per cycle: the lanes of the widest vectors, times two such units, times two for a fused
 * multiply-add. Server cores have had two units since Haswell, Zen and Neoverse N1; a core with one AVX-512 unit does
 * half of this.
 */
static double operations_per_cycle(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return 16 * 2 * 2;
    if (__builtin_cpu_supports("fma"))
        return 8 * 2 * 2;
    if (__builtin_cpu_supports("avx"))
        return 8 * 2;
    return 4 * 2;
#elif defined(__aarch64__)
    return 4 * 2 * 2;
#else
    return 0;
#endif
}

/* FNV-1a, 64 bits: the machine's id itself must not leave the machine (machine-id(5)). */
static uint64_t hash(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

void machine_describe(int64_t processors, struct device_description *description)
{
    struct utsname system;
    if (uname(&system) != 0)
        memset(&system, 0, sizeof system);
    if (!read_field("/proc/cpuinfo", "model name", description->name, sizeof description->name))
        snprintf(description->name, sizeof description->name, "%.100s processor", system.machine);
    snprintf(description->architecture, sizeof description->architecture, "%.31s",
             strcmp(system.machine, "x86_64") == 0 ? "x86-64" : system.machine);
    snprintf(description->driver, sizeof description->driver, "%.63s", system.release);

    char id[128];
    const char *node = getenv("TUNE_NODE"); /* for tests of several nodes on one: tuner/cluster/hand.h */
    if (node && *node)
        snprintf(id, sizeof id, "%.127s", node);
    else if (!read_line("/etc/machine-id", id, sizeof id) || !*id)
        snprintf(id, sizeof id, "%.127s", system.nodename);
    snprintf(description->uuid, sizeof description->uuid, "cpu-%016" PRIx64, hash(id));

    description->l2_bytes = machine_cache_bytes();
    description->memory_bytes =
        half_memory("MemTotal"); /* not the free memory, which would make another device each day */
    description->clock_khz = clock_khz();
    description->peak_flops = (double)processors * (double)description->clock_khz * 1e3 * operations_per_cycle();
}
