// expect: compile - the assembler runs out of memory
__asm__(".rept 2000000000\n nop\n.endr");

int main()
{
    return 0;
}
