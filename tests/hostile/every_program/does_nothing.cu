// expect: output_form - the program ends at once, with status 0
int main()
{
    return 0;
}
