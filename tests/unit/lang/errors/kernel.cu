__global__ void kernel(const float *x, float *y, int n) {}
