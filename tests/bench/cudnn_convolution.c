/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cudnn_convolution - the times of cuDNN's forward convolutions in fp32 (CUDNN_FMA_MATH: no TF32), measured as tune
 * measures a kernel.
 *
 *     cudnn_convolution N C H W M K [padding [samples]]
 *
 * N images of C planes of H x W, M filters of C x K x K, or of C x R x S if K is written RxS, stride 1, NCHW. The
 * padding is a number, or "same" for outputs as large as inputs. Each of cuDNN's algorithms that takes this
 * layer and needs at most 8 GiB of workspace is timed (peer.h says how), once if it is hopeless; the workspace is
 * allocated before. Prints a line for each, and the fastest last, with the rate at which the layer by its definition,
 * 2 M C R S operations a pixel, is computed. $CUDNN may name the library.
 */
#include "tests/bench/peer.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NCHW = 0, FLOAT = 0, CROSS_CORRELATION = 1, FMA_MATH = 3 }; /* cuDNN's names for them are longer */

static const size_t most_workspace_bytes = (size_t)8 << 30;

static struct {
    int (*create)(void **);
    int (*tensor)(void **);
    int (*set_tensor)(void *, int, int, int, int, int, int);
    int (*filter)(void **);
    int (*set_filter)(void *, int, int, int, int, int, int);
    int (*convolution)(void **);
    int (*set_convolution)(void *, int, int, int, int, int, int, int, int);
    int (*set_math)(void *, int);
    int (*workspace)(void *, void *, void *, void *, void *, int, size_t *);
    int (*forward)(void *, const void *, void *, uint64_t, void *, uint64_t, void *, int, uint64_t, size_t,
                   const void *, void *, uint64_t);
} api;

static const struct peer_symbol symbols[] = {
    {"cudnnCreate", &api.create},
    {"cudnnCreateTensorDescriptor", &api.tensor},
    {"cudnnSetTensor4dDescriptor", &api.set_tensor},
    {"cudnnCreateFilterDescriptor", &api.filter},
    {"cudnnSetFilter4dDescriptor", &api.set_filter},
    {"cudnnCreateConvolutionDescriptor", &api.convolution},
    {"cudnnSetConvolution2dDescriptor", &api.set_convolution},
    {"cudnnSetConvolutionMathType", &api.set_math},
    {"cudnnGetConvolutionForwardWorkspaceSize", &api.workspace},
    {"cudnnConvolutionForward", &api.forward},
};

/* In the order of cuDNN's numbers. */
static const char *const algorithms[] = {
    "implicit_gemm", "implicit_precomp_gemm", "gemm", "direct", "fft", "fft_tiling", "winograd", "winograd_nonfused"};

enum { N, C, H, W, M, R, S, PAD_R, PAD_S, SIZES };

struct layer {
    void *cudnn, *x, *w, *convolution, *y;
    uint64_t x_data, w_data, y_data, workspace;
    size_t workspace_bytes;
    int algorithm;
};

static int try_forward(const struct layer *layer)
{
    const float one = 1, zero = 0;
    return api.forward(layer->cudnn, &one, layer->x, layer->x_data, layer->w, layer->w_data, layer->convolution,
                       layer->algorithm, layer->workspace, layer->workspace_bytes, &zero, layer->y, layer->y_data);
}

static void forward(void *layer)
{
    peer_check(try_forward(layer), "cudnnConvolutionForward");
}

static size_t height_of(const size_t *size)
{
    return size[H] + 2 * size[PAD_R] - size[R] + 1;
}

static size_t width_of(const size_t *size)
{
    return size[W] + 2 * size[PAD_S] - size[S] + 1;
}

static void open_layer(struct layer *layer, const size_t *size)
{
    size_t height = height_of(size), width = width_of(size);
    int n = (int)size[N], c = (int)size[C], m = (int)size[M], r = (int)size[R], s = (int)size[S];
    peer_check(api.create(&layer->cudnn), "cudnnCreate");
    peer_check(api.tensor(&layer->x), "cudnnCreateTensorDescriptor");
    peer_check(api.tensor(&layer->y), "cudnnCreateTensorDescriptor");
    peer_check(api.filter(&layer->w), "cudnnCreateFilterDescriptor");
    peer_check(api.convolution(&layer->convolution), "cudnnCreateConvolutionDescriptor");
    peer_check(api.set_tensor(layer->x, NCHW, FLOAT, n, c, (int)size[H], (int)size[W]), "cudnnSetTensor4dDescriptor");
    peer_check(api.set_tensor(layer->y, NCHW, FLOAT, n, m, (int)height, (int)width), "cudnnSetTensor4dDescriptor");
    peer_check(api.set_filter(layer->w, FLOAT, NCHW, m, c, r, s), "cudnnSetFilter4dDescriptor");
    peer_check(api.set_convolution(layer->convolution, (int)size[PAD_R], (int)size[PAD_S], 1, 1, 1, 1,
                                   CROSS_CORRELATION, FLOAT),
               "cudnnSetConvolution2dDescriptor");
    peer_check(api.set_math(layer->convolution, FMA_MATH), "cudnnSetConvolutionMathType");
    layer->x_data = peer_random(size[N] * size[C] * size[H] * size[W]);
    layer->w_data = peer_random(size[M] * size[C] * size[R] * size[S]);
    layer->y_data = peer_allocate(size[N] * size[M] * height * width * sizeof(float));
}

enum { HOPELESS = 4 }; /* times as long as the best so far: timed once */

/* False if cuDNN does not have this algorithm for the layer, or it needs too large a workspace. */
static int prepare(struct layer *layer, int algorithm)
{
    layer->algorithm = algorithm;
    if (api.workspace(layer->cudnn, layer->x, layer->w, layer->convolution, layer->y, algorithm,
                      &layer->workspace_bytes) ||
        layer->workspace_bytes > most_workspace_bytes)
        return 0;
    layer->workspace = layer->workspace_bytes ? peer_allocate(layer->workspace_bytes) : 0;
    return try_forward(layer) == 0;
}

static void print(const char *algorithm, const size_t *size, double milliseconds, double flops)
{
    printf("{\"library\": \"cuDNN\", \"n\": %zu, \"c\": %zu, \"h\": %zu, \"w\": %zu, \"m\": %zu, \"r\": %zu, "
           "\"s\": %zu, \"algorithm\": \"%s\", \"time_ms\": %.6f, \"gflops\": %.1f}\n",
           size[N], size[C], size[H], size[W], size[M], size[R], size[S], algorithm, milliseconds,
           flops / milliseconds * 1e-6);
}

/* The sizes of the command line. K is a number or two, "RxS". */
static bool read_sizes(int count, char **arguments, size_t *size)
{
    for (int i = N; i <= M; i++)
        size[i] = count > i + 1 ? (size_t)atoi(arguments[i + 1]) : 0;
    if (count < 7)
        return false;
    const char *columns = strchr(arguments[6], 'x');
    size[R] = (size_t)atoi(arguments[6]);
    size[S] = columns ? (size_t)atoi(columns + 1) : size[R];
    bool same = count > 7 && strcmp(arguments[7], "same") == 0;
    size[PAD_R] = same ? size[R] / 2 : count > 7 ? (size_t)atoi(arguments[7]) : 0;
    size[PAD_S] = same ? size[S] / 2 : size[PAD_R];
    return true;
}

int main(int count, char **arguments)
{
    const char *const libraries[] = {getenv("CUDNN") ? getenv("CUDNN") : "libcudnn.so.9", "libcudnn.so.9",
                                     "libcudnn.so", NULL};
    size_t size[SIZES];
    int samples = count > 8 ? atoi(arguments[8]) : 30, best = -1;
    struct layer layer = {0};
    double best_time = 0;
    if (!read_sizes(count, arguments, size) || samples < 1 || samples > PEER_MOST_SAMPLES) {
        fprintf(stderr, "usage: cudnn_convolution N C H W M K [padding [samples]]\n");
        return 2;
    }
    peer_open(libraries, symbols, sizeof symbols / sizeof *symbols);
    open_layer(&layer, size);
    double flops =
        2.0 * (double)(size[N] * size[M] * height_of(size) * width_of(size)) * (double)(size[C] * size[R] * size[S]);
    for (int i = 0; i < (int)(sizeof algorithms / sizeof *algorithms); i++) {
        if (!prepare(&layer, i))
            continue;
        double time = peer_time(forward, &layer, 1);
        if (best < 0 || time < HOPELESS * best_time) /* some take a second a call */
            time = peer_time(forward, &layer, samples);
        print(algorithms[i], size, time, flops);
        if (best < 0 || time < best_time) {
            best = i;
            best_time = time;
        }
    }
    peer_check(best < 0, "every algorithm");
    print(algorithms[best], size, best_time, flops);
    return 0;
}
