#!/bin/sh
# The compiler of the variant `fuzz`: clang where it comes with libFuzzer; elsewhere every output is an empty file, for
# tests/fuzz/fuzz.py to notice.
runtime=$(clang -print-file-name=libclang_rt.fuzzer-x86_64.a 2> /dev/null)
[ -e "$runtime" ] || runtime=$(clang -print-file-name=libclang_rt.fuzzer.a 2> /dev/null)
if [ -e "$runtime" ]; then
    exec clang "$@"
fi
while [ $# -gt 0 ]; do
    case $1 in
        -o | -MF) : > "$2"; shift ;;
    esac
    shift
done
