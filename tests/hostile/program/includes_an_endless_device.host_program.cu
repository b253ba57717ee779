// expect: compile - compilers may read random bytes, but not all of them
#include "/dev/urandom"

int main()
{
    return 0;
}
