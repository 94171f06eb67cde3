static __device__ float below(const float *values, int i)
{
    return values[i - BROKEN]; // fault: header
}
