// expect: program_end - the system ends it before it begins
__asm__(".pushsection .lbss, \"aw\", @nobits\n.zero 6000000000\n.popsection");

int main()
{
    return 0;
}
