// expect: compile - a FIFO would keep the compiler waiting
#include "@FOLDER@/fifo"

int main()
{
    return 0;
}
