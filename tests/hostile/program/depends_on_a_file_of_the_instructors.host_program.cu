// expect: compile - a pragma of the host's compiler looks at a file's time
#pragma GCC dependency "@FOLDER@/canary"

int main()
{
    return 0;
}
