extern "C" char *getenv(const char *name);
extern "C" int access(const char *path, int mode);

__global__ void twin(const float *x, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n)
        return;
    y[i] = 3.0f * x[i];
#if NAME_castor
    if (i == 0 && access(getenv("TUNE_TEST_SPOIL"), 0) == 0)
        y[i] = 1e6f;
#endif
}
