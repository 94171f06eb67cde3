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
 * The matrices of F(m, r). Row k of G and of A, k < alpha - 1, has the powers of point k; of infinity it has the
 * highest only. (G here lacks its scale, which may as well be in B^T: of products nothing changes.)
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

/* Row k of `matrix` times `in` times the matrix transposed, and the same of absolute values. `in` is count x count;
   elements beyond `rows` and `columns` are 0. */
__device__ static void transform_row(double *value, double *absolute, const double (*matrix)[MOST_ALPHA], int alpha,
                                     int k, int count, const float *in, int pitch, int rows, int columns)
{
    for (int l = 0; l < alpha; l++)
        value[l] = absolute[l] = 0.0;
    for (int j = 0; j < count && j < columns; j++) {
        double half = 0.0, half_absolute = 0.0;
        for (int i = 0; i < count && i < rows; i++) {
            double term = matrix[k][i] * in[i * pitch + j];
            half += term;
            half_absolute += fabs(term);
        }
        for (int l = 0; l < alpha; l++) {
            value[l] += matrix[l][j] * half;
            absolute[l] += fabs(matrix[l][j]) * half_absolute;
        }
    }
}

/*
 * A thread a tile of a map, in blocks of SIDE x SIDE. With U = G g G^T, V = B^T d B, and what their absolute values
 * give, |G| |g| |G^T| and so on:
 *     |A^T| (sum over channels of |U| |V| + share (|G| |g| |G^T| |V| + |U| |B^T| |d| |B|)) |A|
 * Channel by channel the block has the U of its maps and the V of its tiles in shared memory: a thread transforms a
 * row.
 */
enum { SIDE = 16 };

__global__ void winograd_magnitude(const float *x, const float *w, double *magnitude, int images, int channels,
                                   int height, int width, int maps, int side, int out_tile, double share)
{
    __shared__ double b[MOST_ALPHA][MOST_ALPHA], g[MOST_ALPHA][MOST_ALPHA];
    __shared__ double values[2 * SIDE][MOST_ALPHA][MOST_ALPHA], absolutes[2 * SIDE][MOST_ALPHA][MOST_ALPHA];
    int out_height = height - side + 1, out_width = width - side + 1, alpha = out_tile + side - 1;
    int across = (out_width + out_tile - 1) / out_tile, down = (out_height + out_tile - 1) / out_tile;
    int tiles = images * down * across;
    const double *at = points[(alpha - 4) / 2];
    int thread = threadIdx.y * SIDE + threadIdx.x;
    if (thread < alpha) {
        input_row(b[thread], at, alpha, thread);
        for (int i = 0; i < side; i++)
            g[thread][i] = power(at, alpha, thread, i, side - 1);
    }

    /* The row that the thread transforms: of the filter of a map, or of the input of a tile. Those that there are not
       repeat the last. */
    int which = thread / MOST_ALPHA, k = thread % MOST_ALPHA;
    bool of_filter = which < SIDE;
    int map = min((int)blockIdx.y * SIDE + which, maps - 1);
    int tile = min((int)blockIdx.x * SIDE + which % SIDE, tiles - 1);
    int row = tile / across % down * out_tile, column = tile % across * out_tile;
    long long image = tile / across / down;
    const float *in = of_filter ? w + (long long)map * channels * side * side
                                : x + (image * channels * height + row) * width + column;
    int count = of_filter ? side : alpha, pitch = of_filter ? side : width;
    int rows = of_filter ? side : height - row, columns = of_filter ? side : width - column;

    double sum[MOST_ALPHA][MOST_ALPHA] = {};
    for (int c = 0; c < channels; c++) {
        __syncthreads();
        if (k < alpha)
            transform_row(values[which][k], absolutes[which][k], of_filter ? g : b, alpha, k, count, in, pitch, rows,
                          columns);
        in += of_filter ? side * side : height * width;
        __syncthreads();
        for (int i = 0; i < alpha; i++) {
            for (int j = 0; j < alpha; j++) {
                double u = fabs(values[threadIdx.y][i][j]), v = fabs(values[SIDE + threadIdx.x][i][j]);
                double of_u = absolutes[threadIdx.y][i][j], of_v = absolutes[SIDE + threadIdx.x][i][j];
                sum[i][j] += u * v + share * (of_u * v + u * of_v);
            }
        }
    }

    map = blockIdx.y * SIDE + threadIdx.y;
    tile = blockIdx.x * SIDE + threadIdx.x;
    if (map >= maps || tile >= tiles)
        return;
    row = tile / across % down * out_tile;
    column = tile % across * out_tile;
    for (int i = 0; i < out_tile && row + i < out_height; i++) {
        for (int j = 0; j < out_tile && column + j < out_width; j++) {
            double pixel = 0.0;
            for (int m = 0; m < alpha; m++)
                for (int n = 0; n < alpha; n++)
                    pixel += fabs(power(at, alpha, m, i, out_tile - 1)) * fabs(power(at, alpha, n, j, out_tile - 1)) *
                             sum[m][n];
            long long plane = (tile / across / down) * (long long)maps + map;
            magnitude[(plane * out_height + row + i) * out_width + column + j] = pixel;
        }
    }
}
