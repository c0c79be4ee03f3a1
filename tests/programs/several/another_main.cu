#include "sums.h"
int sumOnDevice(const int*, int) { return 0; }
int main() { return 1; }
