/* Asynchronous copies and barrier objects: all of it is in async.c and mbarrier.c. Part of executor.c. */

OPERATION(async_source)
{
    async_source(warp, operation);
    NEXT(operation + 1);
}

OPERATION(async_copy)
{
    async_copy(warp, operation);
    NEXT(operation + 1);
}

OPERATION(async_group)
{
    async_group(warp, operation);
    NEXT(operation + 1);
}

OPERATION(mbarrier)
{
    mbarrier_run(warp, operation);
    NEXT(operation + 1);
}
