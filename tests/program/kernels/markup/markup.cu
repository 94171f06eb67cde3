#ifdef BLOCK
#error </script><script>window.taken = 1</script>
#endif
__global__ void f(double *y)
{
    y[threadIdx.x] = 1;
}
