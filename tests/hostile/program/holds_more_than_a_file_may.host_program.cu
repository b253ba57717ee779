// expect: compile - 2 GB of initialized data would be written into a file
static char data[2000000000] = {1};

int main(int count, char **)
{
    return data[count];
}
