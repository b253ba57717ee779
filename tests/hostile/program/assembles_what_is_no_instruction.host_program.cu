// expect: compile line=4 - what the assembler refuses is the source's fault
int main()
{
    __asm__("frobnicate %rax");
    return 0;
}
