/* SPDX-License-Identifier: Apache-2.0 */
/*
 * potential_map.c - the electrostatic potential around a molecule of caffeine as an image: red where it is negative,
 * blue where it is positive, in a plane 1.5 angstroms above the molecule's own. The sum over the atoms at each point
 * is the shipped template dcs, direct Coulomb summation.
 *
 *     tune dcs --device cpu --size NX=320,NY=256,NZ=1,ATOMS=15        # once: what is known for this size
 *     cc potential_map.c -o potential_map $(pkg-config --cflags --libs tune) -lm
 *     ./potential_map caffeine.ppm
 *
 * With -DWITH_CUDA and -lcudart it runs on a GPU; there leave out --device.
 *
 * What it shows: tune_kernel_buffer says how large a configuration wants a buffer, and tune_answer_find what the
 * values of its parameters are. Here some configurations enlarge the grid to whole blocks (PADDED), so that rows are
 * longer.
 */
#include "device_memory.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tune.h>

/* Position in angstroms and partial charge: PubChem, CID 2519, MMFF94; the other hydrogens have no charge. */
static const float molecule[][4] = {
    {0.4700F, 2.5688F, 0.0006F, -0.57F},    /* O */
    {-3.1271F, -0.4436F, -0.0003F, -0.57F}, /* O */
    {-0.9686F, -1.3125F, 0.0000F, -0.42F},  /* N */
    {2.2182F, 0.1412F, -0.0003F, 0.05F},    /* N */
    {-1.3477F, 1.0797F, -0.0001F, -0.42F},  /* N */
    {1.4119F, -1.9372F, 0.0002F, -0.57F},   /* N */
    {0.8579F, 0.2592F, -0.0008F, -0.24F},   /* C */
    {0.3897F, -1.0264F, -0.0004F, 0.29F},   /* C */
    {0.0307F, 1.4220F, -0.0006F, 0.71F},    /* C */
    {-1.9061F, -0.2495F, -0.0004F, 0.69F},  /* C */
    {2.5032F, -1.1998F, 0.0003F, 0.04F},    /* C */
    {-1.4276F, -2.6960F, 0.0008F, 0.30F},   /* C */
    {3.1926F, 1.2061F, 0.0003F, 0.26F},     /* C */
    {-2.2969F, 2.1881F, 0.0007F, 0.30F},    /* C */
    {3.5163F, -1.5787F, 0.0008F, 0.15F},    /* H */
};
enum { ATOMS = sizeof molecule / sizeof *molecule, WIDTH = 320, HEIGHT = 256 };

/* The grid of dcs: points are half a unit apart, from (0, 0, 0) on. */
static const float unit = 16;         /* of it in an angstrom */
static const float above = 1.5F;      /* angstroms */
static const double brightest = 0.12; /* elementary charges by angstroms */

static void must(enum tune_code code, const struct tune_error *error)
{
    if (code == TUNE_OK)
        return;
    fprintf(stderr, "potential_map: %s%s%s\n", error->text, error->hint[0] ? "\n    hint: " : "", error->hint);
    exit(1);
}

static void check(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "potential_map: %s\n", what);
    exit(1);
}

/* As dcs has them: charges, too, so that it sums the potential in charges by angstroms. */
static void place(float atoms[ATOMS][4])
{
    for (int i = 0; i < ATOMS; i++) {
        atoms[i][0] = molecule[i][0] * unit + WIDTH / 4.0F;
        atoms[i][1] = molecule[i][1] * unit + HEIGHT / 4.0F;
        atoms[i][2] = (molecule[i][2] + above) * unit;
        atoms[i][3] = molecule[i][3] * unit;
    }
}

static int64_t value_of(const struct tune_answer *answer, const char *parameter)
{
    struct tune_error error;
    struct tune_parameter found = {.bytes = sizeof found};
    must(tune_answer_find(answer, parameter, &found, &error), &error);
    return found.integer;
}

/* How many points a row has in memory. */
static size_t row_length(const struct tune_answer *answer)
{
    const int64_t block = value_of(answer, "BLOCK_X") * value_of(answer, "COARSEN");
    return (size_t)(value_of(answer, "PADDED") ? (WIDTH + block - 1) / block * block : WIDTH);
}

/* White is 0. */
static void colour(double potential, unsigned char pixel[3])
{
    const double share = fmin(fabs(potential) / brightest, 1);
    const unsigned char faded = (unsigned char)lround(255 * (1 - share));
    pixel[0] = potential < 0 ? 255 : faded;
    pixel[1] = faded;
    pixel[2] = potential < 0 ? faded : 255;
}

/* As a portable pixmap, y upwards. */
static void write_image(const char *name, const float *potential, size_t length)
{
    FILE *file = fopen(name, "wb");
    check(file != NULL, "the image cannot be written");
    fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
    for (size_t y = HEIGHT; y-- > 0;) {
        for (size_t x = 0; x < WIDTH; x++) {
            unsigned char pixel[3];
            colour((double)potential[y * length + x], pixel);
            fwrite(pixel, 1, sizeof pixel, file);
        }
    }
    const int failed = ferror(file);
    check(fclose(file) == 0 && !failed, "the image cannot be written");
}

/* The potential at all points; free it. */
static float *compute(struct tune_kernel *kernel)
{
    struct tune_error error;
    struct tune_buffer_info energy = {.bytes = sizeof energy};
    must(tune_kernel_buffer(kernel, 1, &energy, &error), &error);

    float atoms[ATOMS][4];
    place(atoms);
    const struct tune_buffer buffers[] = {{device_new(sizeof atoms), sizeof atoms},
                                          {device_new(energy.size), energy.size}};
    float *potential = malloc(energy.size);
    check(potential && buffers[0].address && buffers[1].address, "out of memory");
    check(device_copy(buffers[0].address, atoms, sizeof atoms), "the device failed");
    must(tune_launch(kernel, NULL, buffers, 2, &error), &error);
    check(device_copy(potential, buffers[1].address, energy.size), "the device failed");
    device_free(buffers[0].address);
    device_free(buffers[1].address);
    return potential;
}

int main(int count, char **arguments)
{
    check(count == 2, "usage: potential_map IMAGE.ppm");
    const struct tune_size sizes[] = {{"NX", WIDTH}, {"NY", HEIGHT}, {"NZ", 1}, {"ATOMS", ATOMS}};
    const struct tune_problem problem = {
        .bytes = sizeof problem, .kernel = "dcs", .device = device_name, .sizes = sizes, .size_count = 4};
    struct tune_error error;
    struct tune *tune;
    struct tune_answer *answer;
    struct tune_kernel *kernel;
    must(tune_open(NULL, &tune, &error), &error);
    must(tune_best(tune, &problem, &answer, &error), &error);
    must(tune_load(tune, answer, NULL, &kernel, &error), &error);

    float *potential = compute(kernel);
    write_image(arguments[1], potential, row_length(answer));

    free(potential);
    tune_kernel_free(kernel);
    tune_answer_free(answer);
    tune_close(tune);
    return 0;
}
