#if KIND_compile_error
this is no kernel;
#endif

__global__ void scale(float *x, float *y, int n, long long nowhere)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    float result = 3.0f * x[i];
#if KIND_trap
    if (i == 100)
        __trap();
#elif KIND_null_pointer
    if (i == 100)
        *(volatile float *)nowhere = result;
#elif KIND_endless
    for (volatile int turn = 0; i == 100 && turn < 1;)
        turn = 0;
#elif KIND_wrong
    if (i == 100)
        result += 1.0f;
#elif KIND_nan
    if (i == 100)
        result = __int_as_float(0x7fc00000);
#elif KIND_unwritten
    if (i == n - 1)
        return;
#elif KIND_beyond
    if (i == n - 1)
        y[n] = result;
#elif KIND_into_input
    if (i == 100)
        x[i] = result;
#endif
    y[i] = result;
}
