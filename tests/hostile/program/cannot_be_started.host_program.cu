// expect: program_end - the system refuses a program with such a name of its loader
__asm__(".pushsection .interp, \"a\", @progbits\n.zero 8000\n.popsection");

int main()
{
    return 0;
}
