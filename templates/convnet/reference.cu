/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - the layer by definition, in double precision, and the sums of absolute values that error bounds are
 * relative to: of the products for a sum of products, and for minimal filtering of all that it multiplies and adds.
 */

/* A thread an element of y; `out_height` x `out_width` is a plane of y. */
__global__ void convnet_reference(const float *x, const float *w, double *y, double *magnitude, int images,
                                  int channels, int height, int width, int maps, int side)
{
    int out_height = height - side + 1, out_width = width - side + 1;
    long long element = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (element >= (long long)images * maps * out_height * out_width)
        return;
    int column = element % out_width, row = element / out_width % out_height;
    int map = element / out_width / out_height % maps;
    long long image = element / out_width / out_height / maps;
    double sum = 0.0, absolute = 0.0;
    for (int c = 0; c < channels; c++) {
        for (int r = 0; r < side; r++) {
            for (int s = 0; s < side; s++) {
                double product = (double)x[((image * channels + c) * height + row + r) * width + column + s] *
                                 (double)w[(((long long)map * channels + c) * side + r) * side + s];
                sum += product;
                absolute += fabs(product);
            }
        }
    }
    y[element] = sum;
    magnitude[element] = absolute;
}

/* ---- minimal filtering ---------------------------------------------------------------------------------------- */

/* The points of F(m, r), m + r - 1 = alpha, as templates/convnet/winograd.cuh orders them; infinity is last. */
__constant__ double points[3][7] = {
    {0.0, 1.0, -1.0},
    {0.0, 1.0, -1.0, 2.0, -2.0},
    {0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5},
};

enum { MOST_ALPHA = 8 };

/*
 * |B^T|, from the points alone: row k < alpha - 1 has the coefficients of the product of (t - q) over all other points
 * q, up to a factor; the last row those of the product over all points. `common` is the factor of row k.
 */
__device__ static void filter_polynomial(double *coefficients, const double *at, int count, int without)
{
    for (int i = 0; i < MOST_ALPHA; i++)
        coefficients[i] = i == 0 ? 1.0 : 0.0;
    int degree = 0;
    for (int q = 0; q < count; q++) {
        if (q == without)
            continue;
        degree++;
        for (int i = degree; i >= 0; i--)
            coefficients[i] = (i > 0 ? coefficients[i - 1] : 0.0) - at[q] * coefficients[i];
    }
}

/* A thread a tile of a map: |A^T| (sum over channels of (|G| |g| |G^T|) * (|B^T| |d| |B|)) |A| for its pixels. */
__global__ void winograd_magnitude(const float *x, const float *w, double *magnitude, int images, int channels,
                                   int height, int width, int maps, int side, int out_tile)
{
    int out_height = height - side + 1, out_width = width - side + 1, alpha = out_tile + side - 1;
    int across = (out_width + out_tile - 1) / out_tile, down = (out_height + out_tile - 1) / out_tile;
    long long number = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= (long long)images * maps * across * down)
        return;
    int column0 = number % across * out_tile, row0 = number / across % down * out_tile;
    int map = number / across / down % maps;
    long long image = number / across / down / maps;

    /* The product (G g) * (B^T d) of a row does not change if a factor moves from one matrix to the other: here G has
       powers of the point only. */
    const double *at = points[(alpha - 4) / 2];
    double b[MOST_ALPHA][MOST_ALPHA], powers[MOST_ALPHA][MOST_ALPHA];
    for (int k = 0; k < alpha; k++) {
        filter_polynomial(b[k], at, alpha - 1, k);
        double scale = 1.0;
        for (int q = 0; q < alpha - 1 && k < alpha - 1; q++)
            scale *= q == k ? 1.0 : at[k] - at[q];
        for (int i = 0; i < alpha; i++) {
            b[k][i] = fabs(b[k][i] / scale);
            powers[k][i] = k < alpha - 1 ? (i == 0 ? 1.0 : powers[k][i - 1] * fabs(at[k])) : 0.0;
        }
    }

    double sum[MOST_ALPHA][MOST_ALPHA] = {};
    for (int c = 0; c < channels; c++) {
        const float *d = x + (image * channels + c) * height * width;
        const float *g = w + ((long long)map * channels + c) * side * side;
        double half_d[MOST_ALPHA][MOST_ALPHA] = {}, half_g[MOST_ALPHA][MOST_ALPHA] = {};
        for (int k = 0; k < alpha; k++) {
            for (int i = 0; i < alpha && row0 + i < height; i++)
                for (int j = 0; j < alpha && column0 + j < width; j++)
                    half_d[k][j] += b[k][i] * fabs((double)d[(row0 + i) * width + column0 + j]);
            for (int i = 0; i < side; i++)
                for (int j = 0; j < side; j++)
                    half_g[k][j] += (k < alpha - 1 ? powers[k][i] : i == side - 1) * fabs((double)g[i * side + j]);
        }
        for (int k = 0; k < alpha; k++) {
            for (int l = 0; l < alpha; l++) {
                double of_d = 0.0, of_g = 0.0;
                for (int j = 0; j < alpha; j++)
                    of_d += b[l][j] * half_d[k][j];
                for (int j = 0; j < side; j++)
                    of_g += (l < alpha - 1 ? powers[l][j] : j == side - 1) * half_g[k][j];
                sum[k][l] += of_d * of_g;
            }
        }
    }

    for (int i = 0; i < out_tile && row0 + i < out_height; i++) {
        for (int j = 0; j < out_tile && column0 + j < out_width; j++) {
            double pixel = 0.0;
            for (int k = 0; k < alpha; k++)
                for (int l = 0; l < alpha; l++)
                    pixel += (k < alpha - 1 ? powers[k][i] : i == out_tile - 1) *
                             (l < alpha - 1 ? powers[l][j] : j == out_tile - 1) * sum[k][l];
            magnitude[((image * maps + map) * out_height + row0 + i) * out_width + column0 + j] = pixel;
        }
    }
}
