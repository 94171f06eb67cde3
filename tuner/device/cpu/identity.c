/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/identity.h"

#include "tuner/device/cpu/options.h"
#include "tuner/device/cpu/source.h"
#include "tuner/device/cpu/toolchain.h"
#include "tuner/device/headers.h"
#include "tuner/error/text_stream.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* -march=native depends on the processor; the first one stands for all. False: it could not be read to its end. */
static bool write_processor(FILE *stream)
{
    static const char *const keys[] = {"vendor_id",   "cpu family", "model",       "stepping",
                                       "cache size",  "flags",      "Features",    "CPU implementer",
                                       "CPU variant", "CPU part",   "CPU revision"};
    FILE *processors = fopen("/proc/cpuinfo", "re");
    if (!processors)
        return errno != ENOMEM;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while ((length = getline(&line, &size, processors)) > 1) { /* the first processor's lines end with an empty one */
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            if (strncmp(line, keys[i], strlen(keys[i])) == 0) {
                fputs(line, stream);
                break;
            }
        }
    }
    bool whole = length > 0 || feof(processors);
    free(line);
    fclose(processors);
    return whole;
}

static void write_environment(FILE *stream)
{
    static const char *const names[] = {"CPATH",        "CPLUS_INCLUDE_PATH",   "GCC_EXEC_PREFIX",  "COMPILER_PATH",
                                        "LIBRARY_PATH", "CCC_OVERRIDE_OPTIONS", "SOURCE_DATE_EPOCH"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        fprintf(stream, "%s=%s\n", names[i], value ? value : "");
    }
}

/* The compiler's file (path, size, time) stands in for its version, so no process is started. */
bool cpu_compile_identity(const struct device_description *description, char **text, struct error *error)
{
    (void)description;
    char path[PATH_MAX];
    struct stat status;
    struct text_stream stream;
    *text = NULL;
    if (!toolchain_find(path, sizeof path, error))
        return false;
    if (stat(path, &status) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot examine '%s': %s", path, strerror(errno));
    if (!text_stream_open(&stream, error))
        return false;
    fprintf(stream.out, "%s %lld %lld.%09ld\n", path, (long long)status.st_size, (long long)status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec);
    options_write(stream.out);
    write_environment(stream.out);
    stream.failed = !write_processor(stream.out) || stream.failed;
    source_write_words(stream.out);
    headers_write_all(stream.out);
    *text = text_stream_close(&stream, error);
    return *text != NULL;
}
