// expect: compile - the assembler cannot open it either
__asm__(".incbin \"@FOLDER@/canary\"");

int main()
{
    return 0;
}
