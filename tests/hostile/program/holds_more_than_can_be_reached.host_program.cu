// expect: compile - the linker refuses static variables of 6 GB
static char first[3ull << 30], second[3ull << 30];

int main(int count, char **)
{
    first[count] = 1;
    second[count] = 2;
    return first[count + 1] + second[count + 1];
}
