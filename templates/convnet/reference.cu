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

enum { MOST_ALPHA = 8 };

/* The points of F(m, r), m + r - 1 = alpha, as templates/convnet/winograd.cuh orders them; infinity is last. */
__constant__ double points[3][MOST_ALPHA - 1] = {
    {0.0, 1.0, -1.0},
    {0.0, 1.0, -1.0, 2.0, -2.0},
    {0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5},
};

/*
 * The matrices of F(m, r). Row k of G and of A, k < alpha - 1, has the powers of point k; of infinity it has the highest
 * only. (G here lacks its scale, which may as well be in B^T: of products nothing changes.)
 */
__device__ static double power(const double *at, int alpha, int k, int exponent, int highest)
{
    double value = 1.0;
    if (k == alpha - 1)
        return exponent == highest ? 1.0 : 0.0;
    for (int i = 0; i < exponent; i++)
        value *= at[k];
    return value;
}

/* Row k of B^T: the coefficients of the product of (t - q) / (p - q) over all points q but p, the k-th; for infinity of
   (t - q) over all. */
__device__ static void input_row(double *row, const double *at, int alpha, int k)
{
    double scale = 1.0;
    for (int i = 0; i < MOST_ALPHA; i++)
        row[i] = i == 0 ? 1.0 : 0.0;
    for (int q = 0; q < alpha - 1; q++) {
        if (q == k)
            continue;
        for (int i = alpha - 1; i >= 0; i--)
            row[i] = (i > 0 ? row[i - 1] : 0.0) - at[q] * row[i];
        scale *= k < alpha - 1 ? at[k] - at[q] : 1.0;
    }
    for (int i = 0; i < alpha; i++)
        row[i] /= scale;
}

typedef double square[MOST_ALPHA][MOST_ALPHA];

/* `matrix` (alpha x count) times `in` times its transpose, and the same of absolute values. */
__device__ static void transform(square &value, square &absolute, const square &matrix, const square &in, int alpha,
                                 int count)
{
    square half = {}, half_absolute = {};
    for (int k = 0; k < alpha; k++) {
        for (int j = 0; j < count; j++) {
            for (int i = 0; i < count; i++) {
                half[k][j] += matrix[k][i] * in[i][j];
                half_absolute[k][j] += fabs(matrix[k][i] * in[i][j]);
            }
        }
    }
    for (int k = 0; k < alpha; k++) {
        for (int l = 0; l < alpha; l++) {
            value[k][l] = absolute[k][l] = 0.0;
            for (int j = 0; j < count; j++) {
                value[k][l] += matrix[l][j] * half[k][j];
                absolute[k][l] += fabs(matrix[l][j]) * half_absolute[k][j];
            }
        }
    }
}

/*
 * A thread a tile of a map. With U = G g G^T, V = B^T d B, and what their absolute values give, |G| |g| |G^T| and so on:
 *     |A^T| (sum over channels of |U| |V| + share (|G| |g| |G^T| |V| + |U| |B^T| |d| |B|)) |A|
 */
__global__ void winograd_magnitude(const float *x, const float *w, double *magnitude, int images, int channels,
                                   int height, int width, int maps, int side, int out_tile, double share)
{
    int out_height = height - side + 1, out_width = width - side + 1, alpha = out_tile + side - 1;
    int across = (out_width + out_tile - 1) / out_tile, down = (out_height + out_tile - 1) / out_tile;
    long long number = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= (long long)images * maps * across * down)
        return;
    int column0 = number % across * out_tile, row0 = number / across % down * out_tile;
    int map = number / across / down % maps;
    long long image = number / across / down / maps;

    const double *at = points[(alpha - 4) / 2];
    square b, g, sum = {};
    for (int k = 0; k < alpha; k++) {
        input_row(b[k], at, alpha, k);
        for (int i = 0; i < side; i++)
            g[k][i] = power(at, alpha, k, i, side - 1);
    }
    for (int c = 0; c < channels; c++) {
        square in, u, u_absolute, v, v_absolute;
        const float *filter = w + ((long long)map * channels + c) * side * side;
        const float *input = x + (image * channels + c) * height * width;
        for (int i = 0; i < side; i++)
            for (int j = 0; j < side; j++)
                in[i][j] = filter[i * side + j];
        transform(u, u_absolute, g, in, alpha, side);
        for (int i = 0; i < alpha; i++)
            for (int j = 0; j < alpha; j++)
                in[i][j] = row0 + i < height && column0 + j < width ? input[(row0 + i) * width + column0 + j] : 0.0;
        transform(v, v_absolute, b, in, alpha, alpha);
        for (int k = 0; k < alpha; k++)
            for (int l = 0; l < alpha; l++)
                sum[k][l] += fabs(u[k][l] * v[k][l]) +
                             share * (u_absolute[k][l] * fabs(v[k][l]) + fabs(u[k][l]) * v_absolute[k][l]);
    }
    for (int i = 0; i < out_tile && row0 + i < out_height; i++) {
        for (int j = 0; j < out_tile && column0 + j < out_width; j++) {
            double pixel = 0.0;
            for (int k = 0; k < alpha; k++)
                for (int l = 0; l < alpha; l++)
                    pixel += fabs(power(at, alpha, k, i, out_tile - 1) * power(at, alpha, l, j, out_tile - 1)) * sum[k][l];
            magnitude[((image * maps + map) * out_height + row0 + i) * out_width + column0 + j] = pixel;
        }
    }
}
