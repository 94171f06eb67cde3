namespace a::b {
__global__ void k(int (*f)(int), float *, ...) { R"x(