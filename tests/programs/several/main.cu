// Calls what a file beside it has, and that one what a third has; neither is named.
#include <cstdio>
#include "sums.h"

int main() {
    int numbers[64];
    for (int i = 0; i < 64; ++i) numbers[i] = i;
    if (sumOnDevice(numbers, 64) != 2016) return puts("wrong");
    puts("ok");
}
