/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of convnet: y[n][m][i][j] = sum over c, r, s of x[n][c][i + r][j + s] w[m][c][r][s]. */
#include "tests/unit/measure/references.h"

/* A layer and its inputs. */
struct layer {
    int images, channels, height, width, maps, side;
    float *x, *w;
};

static struct layer fetch_layer(const struct fixture *fixture)
{
    struct layer layer = {
        .images = size_of(fixture, "N"),
        .channels = size_of(fixture, "C"),
        .height = size_of(fixture, "H"),
        .width = size_of(fixture, "W"),
        .maps = size_of(fixture, "M"),
        .side = size_of(fixture, "K"),
    };
    layer.x = fetch_input(fixture, "x", layer.images * layer.channels * layer.height * layer.width);
    layer.w = fetch_input(fixture, "w", layer.maps * layer.channels * layer.side * layer.side);
    return layer;
}

static void free_layer(struct layer *layer)
{
    free(layer->x);
    free(layer->w);
}

/* An element of y, or where in y it lies. */
struct pixel {
    int image, map, row, column;
};

static struct pixel pixel_of(const struct layer *layer, int index)
{
    int rows = layer->height - layer->side + 1, columns = layer->width - layer->side + 1;
    return (struct pixel){index / columns / rows / layer->maps, index / columns / rows % layer->maps,
                          index / columns % rows, index % columns};
}

static int pixel_count(const struct layer *layer)
{
    return layer->images * layer->maps * (layer->height - layer->side + 1) * (layer->width - layer->side + 1);
}

static long double input_at(const struct layer *layer, int image, int channel, int row, int column)
{
    if (row >= layer->height || column >= layer->width)
        return 0;
    return layer->x[((image * layer->channels + channel) * layer->height + row) * layer->width + column];
}

static long double filter_at(const struct layer *layer, int map, int channel, int row, int column)
{
    return layer->w[((map * layer->channels + channel) * layer->side + row) * layer->side + column];
}

static struct sum convolved(const struct layer *layer, struct pixel at)
{
    struct sum sum = {0};
    for (int i = 0; i < layer->channels * layer->side * layer->side; i++) {
        int channel = i / (layer->side * layer->side), r = i / layer->side % layer->side, s = i % layer->side;
        long double term = input_at(layer, at.image, channel, at.row + r, at.column + s) *
                           filter_at(layer, at.map, channel, r, s); /* exact, also in double */
        add(&sum, term, fabsl(term));
    }
    return sum;
}

/* With sanitizers every seventh pixel: the same program, and long sums. */
#ifdef TUNE_SANITIZED
enum { STRIDE = 7 };
#else
enum { STRIDE = 1 };
#endif

static void check_convnet(const struct fixture *fixture)
{
    struct layer layer = fetch_layer(fixture);
    struct expected y = fetch_expected(fixture, "y", pixel_count(&layer), false);
    for (int i = 0; i < y.count; i += STRIDE)
        assert_sum(&y, i, convolved(&layer, pixel_of(&layer, i)), layer.channels * layer.side * layer.side);
    free_expected(&y);
    free_layer(&layer);
}

/*
 * Minimal filtering F(m x m, 3 x 3) as published: A. Lavin and S. Gray, "Fast Algorithms for Convolutional Neural
 * Networks", CVPR 2016, section 4.
 */
enum { MOST_ALPHA = 6 };

static const struct minimal {
    int m, alpha;
    long double a[4][MOST_ALPHA], g[MOST_ALPHA][3], b[MOST_ALPHA][MOST_ALPHA]; /* A^T, G, B^T */
} minimals[] = {
    {.m = 2,
     .alpha = 4,
     .a = {{1, 1, 1, 0}, {0, 1, -1, -1}},
     .g = {{1, 0, 0}, {0.5L, 0.5L, 0.5L}, {0.5L, -0.5L, 0.5L}, {0, 0, 1}},
     .b = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}}},
    {.m = 4,
     .alpha = 6,
     .a = {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}},
     .g = {{1 / 4.0L, 0, 0},
           {-1 / 6.0L, -1 / 6.0L, -1 / 6.0L},
           {-1 / 6.0L, 1 / 6.0L, -1 / 6.0L},
           {1 / 24.0L, 1 / 12.0L, 1 / 6.0L},
           {1 / 24.0L, -1 / 12.0L, 1 / 6.0L},
           {0, 0, 1}},
     .b = {{4, 0, -5, 0, 1, 0},
           {0, -4, -4, 1, 1, 0},
           {0, 4, -4, -1, 1, 0},
           {0, -2, -1, 2, 1, 0},
           {0, 2, -1, -2, 1, 0},
           {0, 4, 0, -5, 0, 1}}},
};

/* (G g G^T)[k][l] and (B^T d B)[k][l], for the tile that starts at `tile`; the sums of their terms' absolute values.
 */
struct factors {
    struct sum u, v;
};

static struct factors factors(const struct minimal *minimal, const struct layer *layer, struct pixel tile,
                              int channel, int k, int l)
{
    struct factors factors = {0};
    for (int i = 0; i < 9; i++) {
        long double u =
            minimal->g[k][i / 3] * minimal->g[l][i % 3] * filter_at(layer, tile.map, channel, i / 3, i % 3);
        add(&factors.u, u, fabsl(u));
    }
    for (int i = 0; i < minimal->alpha * minimal->alpha; i++) {
        int row = i / minimal->alpha, column = i % minimal->alpha;
        long double v = minimal->b[k][row] * minimal->b[l][column] *
                        input_at(layer, tile.image, channel, tile.row + row, tile.column + column);
        add(&factors.v, v, fabsl(v));
    }
    return factors;
}

/* A pixel from its tile, and the magnitude that the template's comment derives. */
static struct sum filtered(const struct minimal *minimal, const struct layer *layer, struct pixel at)
{
    const long double u = 0x1p-24L, terms = layer->channels + 1;
    long double transforms = 13 * u / (1 - 13 * u), outer = 11 * u / (1 - 11 * u);
    long double share = transforms / (expl(10 * sqrtl(terms) * u + terms * u * u / (1 - u)) - 1 + outer);
    int i = at.row % minimal->m, j = at.column % minimal->m;
    struct pixel tile = {at.image, at.map, at.row - i, at.column - j};
    struct sum sum = {0};
    for (int k = 0; k < minimal->alpha; k++) {
        for (int l = 0; l < minimal->alpha; l++) {
            long double factor = minimal->a[i][k] * minimal->a[j][l];
            for (int c = 0; c < layer->channels && factor != 0; c++) {
                struct factors of = factors(minimal, layer, tile, c, k, l);
                long double absolute = fabsl(of.u.value * of.v.value) + share * (of.u.absolute * fabsl(of.v.value) +
                                                                                 fabsl(of.u.value) * of.v.absolute);
                add(&sum, factor * of.u.value * of.v.value, fabsl(factor) * absolute);
            }
        }
    }
    return sum;
}

static const struct minimal *minimal_used; /* by check_winograd */

/*
 * The reference's values are those of the definition; the long double loop through the transforms is off by 2**-11 of
 * a rounding in double per operation, relative to the magnitude. The magnitude has fewer than 100 roundings, beside
 * those of the sum: some 15 in a coefficient, of which a term has six, and sums of six.
 */
static void check_winograd(const struct fixture *fixture)
{
    struct layer layer = fetch_layer(fixture);
    struct expected y = fetch_expected(fixture, "y", pixel_count(&layer), false);
    for (int i = 0; i < y.count; i += STRIDE)
        assert_sum(&y, i, filtered(minimal_used, &layer, pixel_of(&layer, i)), layer.channels * 9 + 100);
    free_expected(&y);
    free_layer(&layer);
}

/* Magnitudes depend on the tiles, and values do not. */
static void check_minimal_filtering(const struct size_setting *sizes, size_t size_count)
{
    struct shipped shipped;
    shipped_open(&shipped, "convnet", "winograd", &kernels.description, sizes, size_count);
    for (size_t i = 0; i < sizeof minimals / sizeof *minimals; i++) {
        size_t index = 0, count = problem_configuration_count(shipped.problem);
        while (index < count && value_of(&shipped, index, "OUT_TILE") != minimals[i].m)
            index++;
        assert_true(index < count);
        minimal_used = &minimals[i];
        check_configuration(&shipped, index, check_winograd);
    }
    shipped_close(&shipped);
}

static void convnet(void **state)
{
    const struct size_setting odd[] = {{"N", 2}, {"C", 3}, {"H", 11}, {"W", 7}, {"M", 5}, {"K", 5}};
    const struct size_setting one_pixel[] = {{"C", 2}, {"H", 3}, {"W", 3}, {"M", 2}, {"K", 3}};
    (void)state;
    check_template("convnet", NULL, 0, check_convnet);
    check_template("convnet", odd, 6, check_convnet);
    check_minimal_filtering(one_pixel, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convnet),
    };
    return cmocka_run_group_tests_name("references of convnet", tests, open_kernels, close_kernels);
}
