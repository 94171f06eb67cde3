/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - the potential by definition in double precision, and how far off single precision may be.
 *
 * To be linear in the volume, as what it judges, it looks for atoms in cells of its own: linked lists, in any order,
 * that nothing else shares. Cells are CELL grid points wide.
 *
 * The bound, in units of u = 2^-24. Let s = r^2 / cutoff^2 and t = 1 - s, so that a term is q t^2 / r. Of r^2 each
 * difference is rounded once, hence its square twice and with its own rounding three times, and two sums add two: its
 * relative error is 5 u; with 1 / cutoff^2 the error of s is 6 u s, and that of t is 6 u s + u t. So t^2 is off by 2 u
 * t^2 + 12 u s t. The root adds half of 5 u and its own 4 u (2 ulp), three products one each: together less than 12 u t^2
 * + 12 u s t = 12 u t, relative to |q| / r. What this leaves out, of second order, is less than (7 u)^2, and as little is
 * what an atom adds that rounding puts on the other side of the cutoff: 2^-17 u covers both. The sum of n terms in any
 * order adds 10 sqrt(n) u of the sum of absolute terms, with negligible probability of more (Higham & Mary, SIAM J. Sci.
 * Comput. 41, 2019).
 */
enum { CELL = 8 };

static __device__ int cell_along(double position, double spacing, int cells)
{
    return min((int)(position / (spacing * CELL)), cells - 1);
}

__global__ void list_atoms(const float4 *atoms, int *heads, int *next, int count, double spacing, int nx, int ny, int nz)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    int cells_x = (nx - 1) / CELL + 1, cells_y = (ny - 1) / CELL + 1, cells_z = (nz - 1) / CELL + 1;
    int x = cell_along(atoms[n].x, spacing, cells_x);
    int y = cell_along(atoms[n].y, spacing, cells_y);
    int z = cell_along(atoms[n].z, spacing, cells_z);
    next[n] = atomicExch(&heads[(z * cells_y + y) * cells_x + x], n);
}

struct found {
    double sum, absolute, terms; /* of q t^2 / r */
    double first_order;          /* sum of |q| t / r */
    double beyond;               /* of |q| / r, also of those that rounding may bring within the cutoff */
};

static __device__ void add_cell(found *all, const float4 *atoms, const int *next, int n, double3 at, double cutoff2)
{
    for (; n >= 0; n = next[n]) {
        double dx = at.x - (double)atoms[n].x;
        double dy = at.y - (double)atoms[n].y;
        double dz = at.z - (double)atoms[n].z;
        double d = dx * dx + dy * dy + dz * dz;
        if (d > cutoff2 * (1.0 + 0x1p-20))
            continue;
        double t = fmax(1.0 - d / cutoff2, 0.0);
        double potential = (double)atoms[n].w / sqrt(d);
        all->sum += potential * t * t;
        all->absolute += fabs(potential) * t * t;
        all->first_order += fabs(potential) * t;
        all->beyond += fabs(potential);
        all->terms += 1.0;
    }
}

/* The first and last cell along one axis within the cutoff, in cells, of grid point i. */
static __device__ int first_cell(int i, double reach)
{
    return max((int)floor((i - reach) / CELL), 0);
}

static __device__ int last_cell(int i, double reach, int extent)
{
    return min((int)floor((i + reach) / CELL), (extent - 1) / CELL);
}

__global__ void cutoff_reference(const float4 *atoms, const int *heads, const int *next, double *expected,
                                 double *magnitude, double spacing, double cutoff, int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z;
    if (i >= nx || j >= ny || k >= nz)
        return;
    int cells_x = (nx - 1) / CELL + 1, cells_y = (ny - 1) / CELL + 1;
    double reach = cutoff / spacing + 0.5; /* grid points, and some to spare */
    double3 at = make_double3(spacing * i, spacing * j, spacing * k);
    found all = {0.0, 0.0, 0.0, 0.0, 0.0};
    for (int z = first_cell(k, reach); z <= last_cell(k, reach, nz); z++)
        for (int y = first_cell(j, reach); y <= last_cell(j, reach, ny); y++)
            for (int x = first_cell(i, reach); x <= last_cell(i, reach, nx); x++)
                add_cell(&all, atoms, next, heads[(z * cells_y + y) * cells_x + x], at, cutoff * cutoff);
    size_t point = ((size_t)k * ny + j) * nx + i;
    expected[point] = all.sum;
    magnitude[point] = 12.0 * all.first_order + 0x1p-17 * all.beyond + 10.0 * sqrt(all.terms) * all.absolute;
}
