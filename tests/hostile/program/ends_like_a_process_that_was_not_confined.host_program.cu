// expect: program_end - only what did not become the program is the machine's fault
#include <cstdlib>

int main()
{
    std::exit(120);
}
