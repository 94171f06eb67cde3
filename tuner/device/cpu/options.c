/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/options.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- the lists ---- */

/* Contraction is CUDA's own default; no other floating-point relaxations. */
static const char *const base_options[] = {
    "-std=c++17",
    "-nostdinc", /* NVRTC has no headers of the host, so there are none here (headers.h) */
    "-fPIC",
    "-pipe",
    "-O2",
    "-w",
    "-fmax-errors=20",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-strict-aliasing",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ffp-contract=fast",
    "-fvisibility=hidden",
    "-fno-threadsafe-statics",
    "-fno-asynchronous-unwind-tables",
    "-fno-stack-protector",
#ifdef __x86_64__
    "-march=native",
#endif
};

/* A kernel needs neither C++'s start-up code nor its run time. */
static const char *const link_options[] = {"-shared", "-Wl,-z,defs"};
static const char *const libraries[] = {"-nostdlib", "-lm", "-lc"};

/*
 * Cheap thread-local accesses, and no unique symbols, which would keep a module loaded forever. Thread-local memory
 * is touched before any kernel runs: the C library allocates it lazily without saving vector registers (glibc bug
 * 31372).
 */
static const char *const gcc_options[] = {
    "-fno-gnu-unique",
    "-fdiagnostics-color=never",
#ifdef __x86_64__
    "-mtls-dialect=gnu2",
#endif
    /*
     * A sweep spends more time compiling than running. These keep the parts of -O3 that make kernels fast (loops are
     * vectorized even where that takes a check at run time, after short inner ones were unrolled) and disable passes
     * that take half of its time and made no kernel faster. Passes were tried alone and together on gemm's spaces:
     * instructions executed by the compiler against processor time of the kernels. Kept, since some kernels are
     * slower without: copy propagation, selection of induction variables, complete unrolling beyond two steps.
     */
    "-O3",
    "--param=max-completely-peel-times=4",
    "-fno-unswitch-loops",
    "-fno-split-loops",
    "-fno-split-paths",
    "-fno-loop-interchange",
    "-fno-loop-unroll-and-jam",
    "-fno-predictive-commoning",
    "-fno-tree-loop-distribution",
    "-fno-version-loops-for-strides",
    "-fno-ipa-cp-clone",
    "-fno-tree-pre",
    "-fno-tree-vrp",
    "-fno-thread-jumps",
    "-fno-code-hoisting",
    "-fno-gcse",
    "-fno-schedule-insns2",
    "-fno-cse-follow-jumps",
    "-fno-rerun-cse-after-loop",
    "-fno-caller-saves",
    "-fno-lra-remat",
    "-fno-crossjumping",
    "-fno-ipa-cp",
    "-fno-ipa-sra",
    "-fno-ipa-icf",
    "-fno-ipa-vrp",
    "-fno-ipa-bit-cp",
    "-fno-ipa-ra",
    "-fno-ipa-pure-const",
    "-fno-ipa-profile",
    "-fno-ipa-reference",
    "-fno-partial-inlining",
    "-fno-devirtualize",
    "-fno-tree-dominator-opts",
    "-fno-tree-dse",
    "-fno-cprop-registers",
    "-fno-gcse-after-reload",
    "-fno-ree",
    "-fno-peephole2",
    "-fno-compare-elim",
    "-fno-combine-stack-adjustments",
    "--param=max-combine-insns=2",
    "-fira-algorithm=priority",
    "-fira-region=one",
};

/* Options of NVRTC, and the host compiler's equivalents; NULL: none. */
static const struct {
    const char *start, *here;
} nvrtc_options[] = {
    {"--fmad=false", "-ffp-contract=off"},
    {"-fmad=false", "-ffp-contract=off"},
    {"--fmad", NULL},
    {"-fmad", NULL},
    {"--use_fast_math", NULL},
    {"-use_fast_math", NULL},
    {"--ftz", NULL},
    {"-ftz", NULL},
    {"--prec-", NULL},
    {"-prec-", NULL},
    {"--gpu-architecture", NULL},
    {"-arch", NULL},
    {"--maxrregcount", NULL},
    {"-maxrregcount", NULL},
    {"--ptxas-options", NULL},
    {"-Xptxas", NULL},
    {"--extra-device-vectorization", NULL},
    {"-extra-device-vectorization", NULL},
    {"-lineinfo", NULL},
    {"--generate-line-info", NULL},
    {"--std", NULL},
    {"-default-device", NULL},
    {"--device-as-default-execution-space", NULL},
    {"--restrict", NULL},
    {"-restrict", NULL},
    {"-Ofc", NULL},
    {"--dopt", NULL},
    {"-dopt", NULL},
    {"--no-cache", NULL},
};

static const char *translate(const char *option)
{
    for (size_t i = 0; i < sizeof nvrtc_options / sizeof *nvrtc_options; i++) {
        if (strncmp(option, nvrtc_options[i].start, strlen(nvrtc_options[i].start)) == 0)
            return nvrtc_options[i].here;
    }
    return option;
}

/* ---- arguments ---- */

bool arguments_begin(struct arguments *arguments, const struct compile_request *request, struct error *error)
{
    enum { OWN = COUNT(base_options) + COUNT(gcc_options) + COUNT(link_options) + COUNT(libraries) };
    arguments->count = 0;
    arguments->list = calloc(OWN + 2 * request->option_count + ARGUMENTS_SPARE, sizeof *arguments->list);
    return arguments->list || error_out_of_memory(error);
}

void arguments_add(struct arguments *arguments, const char *argument)
{
    arguments->list[arguments->count++] = argument;
}

static void add_all(struct arguments *arguments, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        arguments_add(arguments, list[i]);
}

/* NVRTC's spellings of -I and -include: false for any other option. */
static bool add_include(struct arguments *arguments, const char *option)
{
    static const struct {
        const char *start, *here;
    } spellings[] = {{"--include-path=", "-I"},
                     {"-include-path=", "-I"},
                     {"-include=", "-include"},
                     {"--pre-include=", "-include"},
                     {"-pre-include=", "-include"}};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        size_t length = strlen(spellings[i].start);
        if (strncmp(option, spellings[i].start, length) != 0)
            continue;
        arguments_add(arguments, spellings[i].here);
        arguments_add(arguments, option + length);
        return true;
    }
    return false;
}

size_t arguments_add_request(struct arguments *arguments, const struct compile_request *request)
{
    size_t before = arguments->count;
    for (size_t i = 0; i < request->option_count; i++) {
        const char *option = request->options[i];
        if (!add_include(arguments, option) && (option = translate(option)))
            arguments_add(arguments, option);
    }
    return arguments->count - before;
}

void arguments_add_base(struct arguments *arguments, bool clang)
{
    add_all(arguments, base_options, COUNT(base_options));
    if (!clang)
        add_all(arguments, gcc_options, COUNT(gcc_options));
}

void arguments_add_link(struct arguments *arguments)
{
    add_all(arguments, link_options, COUNT(link_options));
}

void arguments_add_libraries(struct arguments *arguments)
{
    add_all(arguments, libraries, COUNT(libraries));
}

static void write_list(FILE *stream, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s\n", texts[i]);
}

void options_write(FILE *stream)
{
    write_list(stream, base_options, COUNT(base_options));
    write_list(stream, gcc_options, COUNT(gcc_options));
    write_list(stream, link_options, COUNT(link_options));
    write_list(stream, libraries, COUNT(libraries));
}
