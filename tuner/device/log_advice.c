/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/log_advice.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* In NVRTC's words. */
static const char has_no_member[] = "namespace \"cub\" has no member \"";

static const struct {
    const char *name, *instead;
} lost[] = {
    {"Difference", "cuda::std::minus<>"},
    {"Division", "cuda::std::divides<>"},
    {"Equality", "cuda::std::equal_to<>"},
    {"Inequality", "cuda::std::not_equal_to<>"},
    {"Max", "cuda::maximum<>"},
    {"Min", "cuda::minimum<>"},
    {"Sum", "cuda::std::plus<>"},
};

/* cub::DeviceReduce, cub::DeviceScan ... */
static bool has_launching_name(const char *log)
{
    static const char start[] = "cub::Device";
    for (const char *at = log; (at = strstr(at, start)); at += sizeof start - 1) {
        if (isupper((unsigned char)at[sizeof start - 1]))
            return true;
    }
    return false;
}

static void write_lost(FILE *stream, const char *log)
{
    bool told[sizeof lost / sizeof *lost] = {false};
    for (const char *at = log; (at = strstr(at, has_no_member));) {
        at += sizeof has_no_member - 1;
        size_t length = strcspn(at, "\"\n");
        for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
            if (told[i] || strlen(lost[i].name) != length || memcmp(at, lost[i].name, length) != 0)
                continue;
            fprintf(stream, "note: cub::%s is of CUB 2: since CUDA 13 it is %s, of <%s>\n", lost[i].name,
                    lost[i].instead,
                    strncmp(lost[i].instead, "cuda::std", 9) == 0 ? "cuda/std/functional" : "cuda/functional");
            told[i] = true;
        }
    }
}

static void write_launches(FILE *stream, const char *log)
{
    if (strstr(log, "cudaDeviceSynchronize"))
        fputs("note: kernels cannot wait for those that they launch: launch what comes after them into "
              "cudaStreamTailLaunch\n",
              stream);
    if (strstr(log, "<<<") && (strstr(log, "before '<' token") || strstr(log, "expected expression")))
        fputs("note: on the CPU device launches by kernels do not stand in macros\n", stream);
    if (strstr(log, "tune_starter"))
        fputs("note: on the CPU device a launch by a kernel names all template arguments, k<float><<<1, 32>>>(x), "
              "and its "
              "arguments are those of the kernel; a null pointer is nullptr\n",
              stream);
}

void log_advice_write(FILE *stream, const char *log)
{
    if (has_launching_name(log))
        fputs("note: cub::Device... launches kernels, which host programs do: put what calls it inside #ifndef "
              "__CUDACC_RTC__; in kernels there are cub::Block... and cub::Warp...\n",
              stream);
    write_lost(stream, log);
    write_launches(stream, log);
    if (strstr(log, " by copy of incomplete type") || strstr(log, "by-copy capture of variable"))
        fputs("note: on the CPU device lambdas capture dynamic shared memory by reference only: write [&]\n", stream);
}
