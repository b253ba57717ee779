// expect: compile - static variables of 6 GB that the linker can reach
__asm__(".pushsection .lbss, \"aw\", @nobits\n.zero 6000000000\n.popsection");

int main()
{
    return 0;
}
