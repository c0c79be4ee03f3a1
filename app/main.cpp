#include "app/cli/command_line.h"

int main(int argumentCount, char** arguments) {
    return warplens::runCommandLine(argumentCount, arguments);
}
