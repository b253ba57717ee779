// What cuSPARSE answers: the codes of wrong arguments, and results that are exact in any order of summation. Every line that
// this prints must be the same on every device. cusparse.txt holds what it printed with NVIDIA's library (of CUDA 13.0) on
// an H200.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>
#include <cusparse.h>

static sigjmp_buf before_call;
static void fell(int) { siglongjmp(before_call, 1); }

#define CODE(call)                                     \
    do {                                               \
        if (sigsetjmp(before_call, 1) == 0)            \
            printf("%s: %d\n", #call, (int)(call));    \
        else                                           \
            printf("%s: segmentation fault\n", #call); \
        fflush(stdout);                                \
    } while (0)
#define MUST(call)                                                        \
    do {                                                                  \
        int code_ = (int)(call);                                          \
        if (code_ != 0)                                                   \
            printf("line %d: %s: %d\n", __LINE__, #call, code_), exit(1); \
    } while (0)

template <typename T> struct device_array {
    T *at;
    size_t count;
    explicit device_array(const std::vector<T> &values) : at(nullptr), count(values.size())
    {
        MUST(cudaMalloc(&at, count * sizeof(T) + 1));
        MUST(cudaMemcpy(at, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~device_array() { cudaFree(at); }
    std::vector<T> host() const
    {
        std::vector<T> values(count);
        MUST(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
};
static void print_one(float v) { printf(" %g", v); }
static void print_one(double v) { printf(" %g", v); }
static void print_one(int v) { printf(" %d", v); }
static void print_one(cuComplex v) { printf(" (%g %g)", v.x, v.y); }
template <typename T> static void show(const char *name, const device_array<T> &a)
{
    printf("%s:", name);
    for (const T &v : a.host())
        print_one(v);
    printf("\n");
    fflush(stdout);
}

static cusparseHandle_t h;
static const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE, T = CUSPARSE_OPERATION_TRANSPOSE;
static const cusparseOperation_t H = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, op7 = (cusparseOperation_t)7;
static const cusparseIndexType_t I32 = CUSPARSE_INDEX_32I, I64 = CUSPARSE_INDEX_64I, I16 = CUSPARSE_INDEX_16U;
static const cusparseIndexBase_t ZERO = CUSPARSE_INDEX_BASE_ZERO, ONE = CUSPARSE_INDEX_BASE_ONE;
static const cudaDataType F = CUDA_R_32F, D = CUDA_R_64F, C = CUDA_C_32F;

// 3 x 4: [1 0 2 0; 0 0 0 3; 4 5 0 6]
struct matrix {
    device_array<int> offsets{{0, 2, 3, 6}}, columns{{0, 2, 3, 0, 1, 3}}, rows{{0, 0, 1, 2, 2, 2}};
    device_array<int> by_column{{0, 2, 3, 4, 6}}, rows_by_column{{0, 2, 2, 0, 1, 2}};
    device_array<float> values{{1, 2, 3, 4, 5, 6}}, values_by_column{{1, 4, 5, 2, 3, 6}};
};

static void codes()
{
    matrix m;
    device_array<float> x({1, 2, 3, 4}), y({1, 1, 1}), b(std::vector<float>(16, 1)), c(std::vector<float>(16, 1));
    cusparseSpMatDescr_t a, wrong;
    cusparseDnVecDescr_t vx, vy, vd;
    cusparseDnMatDescr_t mb, mc;
    cusparseMatDescr_t d;
    float one = 1, zero = 0;
    size_t size = 0;
    int v = 0;
    CODE(cusparseCreate(nullptr));
    CODE(cusparseDestroy(nullptr));
    CODE(cusparseSetStream(nullptr, 0));
    CODE(cusparseGetVersion(nullptr, &v));
    CODE(cusparseGetVersion(h, nullptr));
    CODE(cusparseGetProperty(MAJOR_VERSION, nullptr));
    CODE(cusparseGetProperty((libraryPropertyType)7, &v));
    CODE(cusparseSetPointerMode(h, (cusparsePointerMode_t)7));
    CODE(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST));
    CODE(cusparseGetPointerMode(h, nullptr));
    CODE(cusparseCreateCsr(nullptr, 3, 4, 6, m.offsets.at, m.columns.at, m.values.at, I32, I32, ZERO, F));
    CODE(cusparseCreateCsr(&wrong, -1, 4, 6, m.offsets.at, m.columns.at, m.values.at, I32, I32, ZERO, F));
    CODE(cusparseCreateCsr(&wrong, 0, 0, 0, m.offsets.at, m.columns.at, m.values.at, I32, I32, ZERO, F));
    CODE(cusparseCreateCsr(&wrong, 3, 4, 13, m.offsets.at, m.columns.at, m.values.at, I32, I32, ZERO, F));
    CODE(cusparseCreateCsr(&wrong, 3, 4, -1, m.offsets.at, m.columns.at, m.values.at, I32, I32, ZERO, F));
    CODE(cusparseCreateCsr(&wrong, 3, 4, 6, nullptr, m.columns.at, m.values.at, I32, I32, ZERO, F));
    CODE(cusparseCreateCsr(&wrong, 3, 4, 6, m.offsets.at, nullptr, m.values.at, I32, I32, ZERO, F));
    CODE(cusparseCreateCsr(&wrong, 3, 4, 0, nullptr, nullptr, nullptr, I32, I32, ZERO, F));
    CODE(cusparseCreateCsr(&wrong, 3, 4, 6, m.offsets.at, m.columns.at, m.values.at, I16, I16, ZERO, F));
    CODE(cusparseCreateCsr(&wrong, 3, 4, 6, m.offsets.at, m.columns.at, m.values.at, I64, I32, ZERO, F));
    CODE(cusparseCreateCsr(&wrong, 3, 4, 6, m.offsets.at, m.columns.at, m.values.at, I32, I32, (cusparseIndexBase_t)7, F));
    CODE(cusparseCreateCsr(&wrong, 3, 4, 6, m.offsets.at, m.columns.at, m.values.at, I32, I32, ZERO, (cudaDataType)77));
    CODE(cusparseCreateCoo(&wrong, 3, 4, 6, nullptr, m.columns.at, m.values.at, I32, ZERO, F));
    CODE(cusparseCreateDnVec(&vd, -1, x.at, F));
    CODE(cusparseCreateDnVec(&vd, 4, nullptr, F));
    CODE(cusparseCreateDnVec(nullptr, 4, x.at, F));
    CODE(cusparseCreateDnMat(&mb, 4, 2, 3, b.at, F, CUSPARSE_ORDER_COL));
    CODE(cusparseCreateDnMat(&mb, 4, 2, 1, b.at, F, CUSPARSE_ORDER_ROW));
    CODE(cusparseCreateDnMat(&mb, 4, 2, 4, nullptr, F, CUSPARSE_ORDER_COL));
    CODE(cusparseCreateDnMat(&mb, 4, 2, 4, b.at, F, (cusparseOrder_t)7));
    CODE(cusparseDestroySpMat(nullptr));
    CODE(cusparseDestroyDnVec(nullptr));
    MUST(cusparseCreateCsr(&a, 3, 4, 6, m.offsets.at, m.columns.at, m.values.at, I32, I32, ZERO, F));
    MUST(cusparseCreateDnVec(&vx, 4, x.at, F));
    MUST(cusparseCreateDnVec(&vy, 3, y.at, F));
    MUST(cusparseCreateDnVec(&vd, 3, y.at, D));
    MUST(cusparseCreateDnMat(&mb, 4, 2, 4, b.at, F, CUSPARSE_ORDER_COL));
    MUST(cusparseCreateDnMat(&mc, 3, 2, 3, c.at, F, CUSPARSE_ORDER_COL));
    CODE(cusparseSpMV_bufferSize(nullptr, N, &one, a, vx, &zero, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, &size));
    CODE(cusparseSpMV_bufferSize(h, N, &one, a, vx, &zero, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
    CODE(cusparseSpMV_bufferSize(h, N, &one, nullptr, vx, &zero, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, &size));
    CODE(cusparseSpMV_bufferSize(h, N, &one, a, vx, &zero, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, &size));
    device_array<char> w(std::vector<char>(size + 4096, 0));
    CODE(cusparseSpMV(nullptr, N, &one, a, vx, &zero, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    CODE(cusparseSpMV(h, N, nullptr, a, vx, &zero, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    CODE(cusparseSpMV(h, N, &one, nullptr, vx, &zero, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    CODE(cusparseSpMV(h, N, &one, a, nullptr, &zero, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    CODE(cusparseSpMV(h, N, &one, a, vx, nullptr, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    CODE(cusparseSpMV(h, N, &one, a, vy, &zero, vx, F, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    CODE(cusparseSpMV(h, T, &one, a, vx, &zero, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    CODE(cusparseSpMV(h, op7, &one, a, vx, &zero, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    CODE(cusparseSpMV(h, N, &one, a, vx, &zero, vd, F, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    CODE(cusparseSpMV(h, N, &one, a, vx, &zero, vy, D, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    CODE(cusparseSpMV(h, N, &one, a, vx, &zero, vy, C, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    CODE(cusparseSpMV(h, N, &one, a, vx, &zero, vy, F, (cusparseSpMVAlg_t)77, w.at));
    CODE(cusparseSpMV(h, N, &one, a, vx, &zero, vy, F, CUSPARSE_SPMV_COO_ALG1, w.at));
    CODE(cusparseSpMV(h, N, &one, a, vx, &zero, vy, F, CUSPARSE_SPMV_CSR_ALG2, w.at));
    show("y", y);
    CODE(cusparseSpMM(h, N, N, &one, a, mc, &zero, mc, F, CUSPARSE_SPMM_ALG_DEFAULT, w.at));
    CODE(cusparseSpMM(h, N, N, &one, a, mb, &zero, mc, D, CUSPARSE_SPMM_ALG_DEFAULT, w.at));
    CODE(cusparseSpMM(h, N, N, &one, a, mb, &zero, mc, F, (cusparseSpMMAlg_t)77, w.at));
    CODE(cusparseSpMM(h, N, N, &one, a, nullptr, &zero, mc, F, CUSPARSE_SPMM_ALG_DEFAULT, w.at));
    CODE(cusparseCreateMatDescr(nullptr));
    CODE(cusparseCreateMatDescr(&d));
    CODE(cusparseSetMatType(d, (cusparseMatrixType_t)7));
    CODE(cusparseSetMatIndexBase(d, (cusparseIndexBase_t)7));
    CODE(cusparseSetMatType(nullptr, CUSPARSE_MATRIX_TYPE_GENERAL));
    CODE(cusparseSetMatType(d, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
    CODE(cusparseXcoo2csr(nullptr, m.rows.at, 6, 3, m.offsets.at, ZERO));
    CODE(cusparseXcoo2csr(h, m.rows.at, -1, 3, m.offsets.at, ZERO));
    CODE(cusparseXcoo2csr(h, m.rows.at, 6, -3, m.offsets.at, ZERO));
    CODE(cusparseXcoo2csr(h, m.rows.at, 6, 3, m.offsets.at, (cusparseIndexBase_t)7));
    CODE(cusparseXcsr2coo(h, m.offsets.at, -1, 3, m.rows.at, ZERO));
    CODE(cusparseXcsrsort_bufferSizeExt(h, -3, 4, 6, m.offsets.at, m.columns.at, &size));
    CODE(cusparseXcsrsort_bufferSizeExt(h, 3, 4, 6, m.offsets.at, m.columns.at, nullptr));
    CODE(cusparseXcsrsort(h, 3, 4, 6, d, m.offsets.at, m.columns.at, nullptr, w.at));
    CODE(cusparseCreateIdentityPermutation(h, -1, m.rows.at));
    CODE(cusparseCsr2cscEx2(h, 3, 4, 6, m.values.at, m.offsets.at, m.columns.at, b.at, m.by_column.at, m.rows_by_column.at,
                            F, CUSPARSE_ACTION_NUMERIC, ZERO, (cusparseCsr2CscAlg_t)7, w.at));
    CODE(cusparseCsr2cscEx2(h, -3, 4, 6, m.values.at, m.offsets.at, m.columns.at, b.at, m.by_column.at, m.rows_by_column.at,
                            F, CUSPARSE_ACTION_NUMERIC, ZERO, CUSPARSE_CSR2CSC_ALG1, w.at));
    CODE(cusparseXcoosortByRow(h, 3, 4, 6, m.rows.at, m.columns.at, nullptr, w.at));
    CODE(cusparseXcscsort(h, 3, 4, 6, d, m.by_column.at, m.rows_by_column.at, nullptr, w.at));
    CODE(cusparseCsr2cscEx2(nullptr, 3, 4, 6, m.values.at, m.offsets.at, m.columns.at, b.at, m.by_column.at,
                            m.rows_by_column.at, F, CUSPARSE_ACTION_NUMERIC, ZERO, CUSPARSE_CSR2CSC_ALG1, w.at));
    CODE(cusparseSnnz(nullptr, CUSPARSE_DIRECTION_ROW, 3, 4, d, b.at, 3, m.by_column.at, &v));
    CODE(cusparseSnnz(h, CUSPARSE_DIRECTION_ROW, 3, 4, d, b.at, 2, m.by_column.at, &v));
    CODE(cusparseSnnz(h, (cusparseDirection_t)7, 3, 4, d, b.at, 3, m.by_column.at, &v));
    CODE(cusparseCreateIdentityPermutation(nullptr, 3, m.rows.at));
    printf("%s, %s\n", cusparseGetErrorName((cusparseStatus_t)3), cusparseGetErrorName((cusparseStatus_t)77));
    printf("%s, %s\n", cusparseGetErrorString((cusparseStatus_t)10), cusparseGetErrorString((cusparseStatus_t)77));
    for (int i = 0; i < 12; i++)
        printf("%s: %s\n", cusparseGetErrorName((cusparseStatus_t)i), cusparseGetErrorString((cusparseStatus_t)i));
    CODE(cusparseDestroyMatDescr(d));
    CODE(cudaDeviceSynchronize());
}

static void products()
{
    matrix m;
    device_array<float> x({1, 2, 3, 4}), y({1, 1, 1}), y4({1, 1, 1, 1}), x3({1, 2, 3});
    device_array<float> b({1, 2, 3, 4, 5, 6, 7, 8}), c(std::vector<float>(8, 1));
    device_array<char> w(std::vector<char>(1 << 16, 0));
    float two = 2, minus = -1;
    cusparseSpMatDescr_t a[3];
    MUST(cusparseCreateCsr(&a[0], 3, 4, 6, m.offsets.at, m.columns.at, m.values.at, I32, I32, ZERO, F));
    MUST(cusparseCreateCoo(&a[1], 3, 4, 6, m.rows.at, m.columns.at, m.values.at, I32, ZERO, F));
    MUST(cusparseCreateCsc(&a[2], 3, 4, 6, m.by_column.at, m.rows_by_column.at, m.values_by_column.at, I32, I32, ZERO, F));
    cusparseDnVecDescr_t vx, vy, vy4, vx3;
    MUST(cusparseCreateDnVec(&vx, 4, x.at, F));
    MUST(cusparseCreateDnVec(&vy, 3, y.at, F));
    MUST(cusparseCreateDnVec(&vx3, 3, x3.at, F));
    MUST(cusparseCreateDnVec(&vy4, 4, y4.at, F));
    for (int i = 0; i < 3; i++) {
        CODE(cusparseSpMV(h, N, &two, a[i], vx, &minus, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
        show("y", y);
        CODE(cusparseSpMV(h, T, &two, a[i], vx3, &minus, vy4, F, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
        show("transposed", y4);
    }
    for (int i = 0; i < 3; i++)
        for (int order = 1; order <= 2; order++)
            for (int transposed = 0; transposed < 2; transposed++) {
                cusparseDnMatDescr_t mb, mc;
                int rows = transposed ? 2 : 4, columns = transposed ? 4 : 2;
                MUST(cusparseCreateDnMat(&mb, rows, columns, order == 1 ? rows : columns, b.at, F, (cusparseOrder_t)order));
                MUST(cusparseCreateDnMat(&mc, 3, 2, order == 1 ? 4 : 2, c.at, F, (cusparseOrder_t)order));
                CODE(cusparseSpMM(h, N, transposed ? T : N, &two, a[i], mb, &minus, mc, F, CUSPARSE_SPMM_ALG_DEFAULT, w.at));
                show("C", c);
            }
    device_array<float> dense(std::vector<float>(12, 7));
    cusparseDnMatDescr_t md;
    MUST(cusparseCreateDnMat(&md, 3, 4, 3, dense.at, F, CUSPARSE_ORDER_COL));
    for (int i = 0; i < 3; i++) {
        CODE(cusparseSparseToDense(h, a[i], md, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, w.at));
        show("dense", dense);
    }
    device_array<int> o(std::vector<int>(4, -1)), k(std::vector<int>(6, -1));
    device_array<float> v(std::vector<float>(6, -1));
    cusparseSpMatDescr_t s;
    int64_t r = 0, q = 0, nnz = 0;
    MUST(cusparseCreateCsr(&s, 3, 4, 0, o.at, nullptr, nullptr, I32, I32, ONE, F));
    CODE(cusparseDenseToSparse_analysis(h, md, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, w.at));
    CODE(cusparseSpMatGetSize(s, &r, &q, &nnz));
    printf("%lld %lld %lld\n", (long long)r, (long long)q, (long long)nnz);
    CODE(cusparseCsrSetPointers(s, o.at, k.at, v.at));
    CODE(cusparseDenseToSparse_convert(h, md, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, w.at));
    show("offsets", o), show("columns", k), show("values", v);
}

static void complex_products()
{
    device_array<int> offsets({1, 2, 4}), columns({1, 1, 2});
    device_array<cuComplex> values({{1, 2}, {3, -1}, {0, 1}}), x({{1, 1}, {2, 0}}), y({{1, 0}, {0, 1}});
    cuComplex alpha = {0, 1}, beta = {2, 0};
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t vx, vy;
    MUST(cusparseCreateCsr(&a, 2, 2, 3, offsets.at, columns.at, values.at, I32, I32, ONE, C));
    MUST(cusparseCreateDnVec(&vx, 2, x.at, C));
    MUST(cusparseCreateDnVec(&vy, 2, y.at, C));
    device_array<char> w(std::vector<char>(1 << 16, 0));
    CODE(cusparseSpMV(h, N, &alpha, a, vx, &beta, vy, C, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    show("y", y);
    CODE(cusparseSpMV(h, T, &alpha, a, vx, &beta, vy, C, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    show("y", y);
    CODE(cusparseSpMV(h, H, &alpha, a, vx, &beta, vy, C, CUSPARSE_SPMV_ALG_DEFAULT, w.at));
    show("y", y);
}

static void conversions()
{
    matrix m;
    device_array<int> offsets(std::vector<int>(4, -1)), rows(std::vector<int>(6, -1)), p(std::vector<int>(6, -1));
    device_array<int> ci({2, 0, 3, 3, 0, 1}), ri({2, 0, 1, 0, 2, 2}), rc({3, 2, 3, 0, 0, 1}), columns(std::vector<int>(5,
        -1));
    device_array<float> v(std::vector<float>(6, -1));
    device_array<char> w(std::vector<char>(1 << 16, 0));
    CODE(cusparseXcoo2csr(h, m.rows.at, 6, 3, offsets.at, ZERO));
    show("offsets", offsets);
    CODE(cusparseXcsr2coo(h, m.offsets.at, 6, 3, rows.at, ZERO));
    show("rows", rows);
    CODE(cusparseCreateIdentityPermutation(h, 6, p.at));
    show("p", p);
    cusparseMatDescr_t d;
    MUST(cusparseCreateMatDescr(&d));
    CODE(cusparseXcsrsort(h, 3, 4, 6, d, m.offsets.at, ci.at, p.at, w.at));
    show("columns", ci), show("p", p);
    MUST(cusparseCreateIdentityPermutation(h, 6, p.at));
    CODE(cusparseXcoosortByRow(h, 3, 4, 6, ri.at, rc.at, p.at, w.at));
    show("rows", ri), show("columns", rc), show("p", p);
    CODE(cusparseXcoosortByColumn(h, 3, 4, 6, ri.at, rc.at, p.at, w.at));
    show("rows", ri), show("columns", rc), show("p", p);
    CODE(cusparseCsr2cscEx2(h, 3, 4, 6, m.values.at, m.offsets.at, m.columns.at, v.at, columns.at, rows.at, F,
                            CUSPARSE_ACTION_NUMERIC, ZERO, CUSPARSE_CSR2CSC_ALG1, w.at));
    show("offsets", columns), show("rows", rows), show("values", v);
    // The matrix and one that has an element more and one less: [0 0 -1 0; 7 0 0 3; 4 0 0 6]
    device_array<int> bo({0, 1, 3, 5}), bc({2, 0, 3, 0, 3}), oc(std::vector<int>(4, -1)), cc(std::vector<int>(7, -1));
    device_array<float> bv({-1, 7, 3, 4, 6}), cv(std::vector<float>(7, -1));
    float one = 1, two = 2;
    int nnz = -1;
    CODE(cusparseXcsrgeam2Nnz(h, 3, 4, d, 6, m.offsets.at, m.columns.at, d, 5, bo.at, bc.at, d, oc.at, &nnz, w.at));
    printf("%d\n", nnz);
    show("offsets", oc);
    CODE(cusparseScsrgeam2(h, 3, 4, &one, d, 6, m.values.at, m.offsets.at, m.columns.at, &two, d, 5, bv.at, bo.at, bc.at, d,
                           cv.at, oc.at, cc.at, w.at));
    show("columns", cc), show("values", cv);
    int host = -1;
    device_array<int> each(std::vector<int>(4, -1));
    device_array<float> dense({1, 0, 4, 0, 0, 5, 2, 0, 0, 0, 3, 6});
    CODE(cusparseSnnz(h, CUSPARSE_DIRECTION_COLUMN, 3, 4, d, dense.at, 3, each.at, &host));
    printf("%d\n", host);
    show("each", each);
    device_array<int> some(std::vector<int>(3, -1));
    CODE(cusparseSnnz_compress(h, 3, d, m.values.at, m.offsets.at, some.at, &host, 2.0f));
    printf("%d\n", host);
    show("each", some);
}

static void solves()
{
    // [2 0 0; 1 4 0; 0 3 5]
    device_array<int> offsets({0, 1, 3, 5}), columns({0, 0, 1, 1, 2});
    device_array<float> values({2, 1, 4, 3, 5}), x({2, 9, 16}), y({0, 0, 0}), b({2, 9, 16, 4, 6, 8}),
        c(std::vector<float>(6, 0));
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t vx, vy;
    cusparseDnMatDescr_t mb, mc;
    float one = 1;
    size_t size = 0;
    cusparseFillMode_t lower = CUSPARSE_FILL_MODE_LOWER;
    cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
    MUST(cusparseCreateCsr(&a, 3, 3, 5, offsets.at, columns.at, values.at, I32, I32, ZERO, F));
    CODE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &lower, sizeof lower));
    CODE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
    CODE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, 1));
    CODE(cusparseSpMatSetAttribute(a, (cusparseSpMatAttribute_t)7, &diagonal, sizeof diagonal));
    MUST(cusparseCreateDnVec(&vx, 3, x.at, F));
    MUST(cusparseCreateDnVec(&vy, 3, y.at, F));
    MUST(cusparseCreateDnMat(&mb, 3, 2, 3, b.at, F, CUSPARSE_ORDER_COL));
    MUST(cusparseCreateDnMat(&mc, 3, 2, 3, c.at, F, CUSPARSE_ORDER_COL));
    for (int op = 0; op < 2; op++) {
        cusparseOperation_t o = (cusparseOperation_t)op;
        cusparseSpSVDescr_t v;
        cusparseSpSMDescr_t m;
        MUST(cusparseSpSV_createDescr(&v));
        MUST(cusparseSpSM_createDescr(&m));
        CODE(cusparseSpSV_bufferSize(h, o, &one, a, vx, vy, F, CUSPARSE_SPSV_ALG_DEFAULT, v, &size));
        device_array<char> w(std::vector<char>(size + 1, 0));
        CODE(cusparseSpSV_analysis(h, o, &one, a, vx, vy, F, CUSPARSE_SPSV_ALG_DEFAULT, v, w.at));
        CODE(cusparseSpSV_solve(h, o, &one, a, vx, vy, F, CUSPARSE_SPSV_ALG_DEFAULT, v));
        show("y", y);
        CODE(cusparseSpSM_bufferSize(h, o, N, &one, a, mb, mc, F, CUSPARSE_SPSM_ALG_DEFAULT, m, &size));
        device_array<char> u(std::vector<char>(size + 1, 0));
        CODE(cusparseSpSM_analysis(h, o, N, &one, a, mb, mc, F, CUSPARSE_SPSM_ALG_DEFAULT, m, u.at));
        CODE(cusparseSpSM_solve(h, o, N, &one, a, mb, mc, F, CUSPARSE_SPSM_ALG_DEFAULT, m));
        show("c", c);
    }
}

static void sparse_products()
{
    matrix m; // times its transpose, which has the same arrays by columns
    float one = 1, zero = 0;
    cusparseSpMatDescr_t a, b, c;
    device_array<int> offsets(std::vector<int>(4, -1)), columns(std::vector<int>(9, -1));
    device_array<float> values(std::vector<float>(9, -1));
    MUST(cusparseCreateCsr(&a, 3, 4, 6, m.offsets.at, m.columns.at, m.values.at, I32, I32, ZERO, F));
    MUST(cusparseCreateCsr(&b, 4, 3, 6, m.by_column.at, m.rows_by_column.at, m.values_by_column.at, I32, I32, ZERO, F));
    MUST(cusparseCreateCsr(&c, 3, 3, 0, nullptr, nullptr, nullptr, I32, I32, ZERO, F));
    cusparseSpGEMMDescr_t g;
    size_t first = 0, second = 0;
    int64_t r = 0, q = 0, nnz = 0;
    void *w1 = nullptr, *w2 = nullptr;
    const cusparseSpGEMMAlg_t alg = CUSPARSE_SPGEMM_DEFAULT;
    CODE(cusparseSpGEMM_createDescr(&g));
    CODE(cusparseSpGEMM_workEstimation(h, N, N, &one, a, a, &zero, c, F, alg, g, &first, nullptr));
    CODE(cusparseSpGEMM_workEstimation(h, T, N, &one, a, b, &zero, c, F, alg, g, &first, nullptr));
    CODE(cusparseSpGEMM_workEstimation(h, N, N, &one, a, b, &zero, c, F, alg, g, &first, nullptr));
    MUST(cudaMalloc(&w1, first + 1));
    CODE(cusparseSpGEMM_workEstimation(h, N, N, &one, a, b, &zero, c, F, alg, g, &first, w1));
    CODE(cusparseSpGEMM_compute(h, N, N, &one, a, b, &zero, c, F, alg, g, &second, nullptr));
    MUST(cudaMalloc(&w2, second + 1));
    CODE(cusparseSpGEMM_compute(h, N, N, &one, a, b, &zero, c, F, alg, g, &second, w2));
    CODE(cusparseSpMatGetSize(c, &r, &q, &nnz));
    printf("%lld %lld %lld\n", (long long)r, (long long)q, (long long)nnz);
    CODE(cusparseCsrSetPointers(c, offsets.at, columns.at, values.at));
    CODE(cusparseSpGEMM_copy(h, N, N, &one, a, b, &zero, c, F, alg, g));
    show("offsets", offsets), show("columns", columns), show("values", values);
    CODE(cusparseSpGEMM_destroyDescr(g));
    cudaFree(w1), cudaFree(w2);
}

static void factors()
{
    // [4 1 0; 1 4 1; 0 1 4]
    device_array<int> offsets({0, 2, 5, 7}), columns({0, 1, 0, 1, 2, 1, 2});
    device_array<double> a({4, 8, 2, 8, 1, 3, 9}), b({4, 2, 2, 10, 3, 3, 10});
    device_array<double> lower({0, 1, 2}), middle({2, 4, 8}), upper({4, 1, 0}), x({10, 12, 28, 1, 2, 3});
    device_array<char> w(std::vector<char>(1 << 16, 0));
    cusparseMatDescr_t d;
    csrilu02Info_t lu;
    csric02Info_t ll;
    int size = 0, position = 7;
    size_t wide = 0;
    MUST(cusparseCreateMatDescr(&d));
    CODE(cusparseCreateCsrilu02Info(&lu));
    CODE(cusparseCreateCsric02Info(&ll));
    CODE(cusparseDcsrilu02_bufferSize(h, 3, 7, d, a.at, offsets.at, columns.at, lu, &size));
    CODE(cusparseDcsrilu02_analysis(h, 3, 7, d, a.at, offsets.at, columns.at, lu, CUSPARSE_SOLVE_POLICY_NO_LEVEL, w.at));
    CODE(cusparseDcsrilu02(h, 3, 7, d, a.at, offsets.at, columns.at, lu, CUSPARSE_SOLVE_POLICY_NO_LEVEL, w.at));
    CODE(cusparseXcsrilu02_zeroPivot(h, lu, &position));
    printf("%d\n", position);
    show("LU", a);
    CODE(cusparseDcsric02_bufferSize(h, 3, 7, d, b.at, offsets.at, columns.at, ll, &size));
    CODE(cusparseDcsric02_analysis(h, 3, 7, d, b.at, offsets.at, columns.at, ll, CUSPARSE_SOLVE_POLICY_NO_LEVEL, w.at));
    CODE(cusparseDcsric02(h, 3, 7, d, b.at, offsets.at, columns.at, ll, CUSPARSE_SOLVE_POLICY_NO_LEVEL, w.at));
    CODE(cusparseXcsric02_zeroPivot(h, ll, &position));
    printf("%d\n", position);
    show("LL", b);
    CODE(cusparseDgtsv2_bufferSizeExt(h, 3, 2, lower.at, middle.at, upper.at, x.at, 3, &wide));
    CODE(cusparseDgtsv2(h, 3, 2, lower.at, middle.at, upper.at, x.at, 3, w.at));
    printf("x:");
    for (double v : x.host())
        printf(" %.4f", v);
    printf("\n");
    CODE(cusparseDgtsv2(h, 2, 1, lower.at, middle.at, upper.at, x.at, 2, w.at));
}

static void vectors()
{
    device_array<int> at({3, 0});
    device_array<float> some({5, 7}), all({1, 2, 3, 4});
    float two = 2, three = 3, result = -1;
    cusparseSpVecDescr_t s;
    cusparseDnVecDescr_t d;
    device_array<char> w(std::vector<char>(1 << 12, 0));
    CODE(cusparseCreateSpVec(&s, 4, 5, at.at, some.at, I32, ZERO, F));
    CODE(cusparseCreateSpVec(&s, 4, 2, at.at, some.at, I32, ZERO, F));
    MUST(cusparseCreateDnVec(&d, 4, all.at, F));
    CODE(cusparseSpVV(h, N, s, d, &result, F, w.at));
    printf("%g\n", result);
    CODE(cusparseAxpby(h, &two, s, &three, d));
    show("all", all);
    CODE(cusparseGather(h, d, s));
    show("some", some);
    CODE(cusparseAxpby(h, &two, s, &three, d));
    CODE(cusparseScatter(h, s, d));
    show("all", all);
    CODE(cusparseRot(h, &two, &three, s, d));
    show("some", some), show("all", all);
}

int main()
{
    signal(SIGSEGV, fell);
    MUST(cudaFree(0));
    MUST(cusparseCreate(&h));
    codes();
    products();
    complex_products();
    conversions();
    solves();
    sparse_products();
    factors();
    vectors();
    CODE(cusparseDestroy(h));
    return 0;
}
