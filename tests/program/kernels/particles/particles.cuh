// SPDX-License-Identifier: Apache-2.0
struct particle {
    double age;
    float3 position;
    float spin[2];
    short kind;
    char charge;
    uint2 cell;
};

struct world {
    const particle *before;
    particle *after;
    float3 wind;
    int offsets[2];
    double step;
};
