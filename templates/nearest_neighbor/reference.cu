/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - the nearest other point by definition: all squared distances in double precision, from the first
 * point to the last, so that the lowest index wins a tie. A lone point has none: index -1, distance 0.
 *
 * An implementation in single precision may take point j for the nearest if its squared distance is at most best * (1
 * + relative) + absolute, as the template derives. If no other point is as near as that, the magnitude of the index
 * is 0: it has to be right. Else any index will do, and the distance tells whether it was a good one.
 */
__global__ void nearest_reference(const float *points, double *index, double *index_magnitude, double *distance,
                                  double *distance_magnitude, int count, double relative, double absolute)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= count)
        return;
    double best = 1e300;
    double second = 1e300;
    int nearest = -1;
    for (int j = 0; j < count; j++) {
        if (j == q)
            continue;
        double dx = (double)points[3 * j] - (double)points[3 * q];
        double dy = (double)points[3 * j + 1] - (double)points[3 * q + 1];
        double dz = (double)points[3 * j + 2] - (double)points[3 * q + 2];
        double d = dx * dx + dy * dy + dz * dz;
        if (d < best) {
            second = best;
            best = d;
            nearest = j;
        } else if (d < second) {
            second = d;
        }
    }
    bool certain = relative == 0.0 || nearest < 0 || second > best * (1.0 + relative) + absolute;
    index[q] = nearest;
    index_magnitude[q] = certain ? 0.0 : (double)count;
    distance[q] = nearest < 0 ? 0.0 : best;
    distance_magnitude[q] = nearest < 0 ? 0.0 : relative > 0.0 ? best + absolute / relative : best;
}
