__global__ void reference(const float *x, double *y) {}
