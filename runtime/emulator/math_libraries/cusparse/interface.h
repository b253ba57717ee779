/* The functions of cusparse.h that are not made from typed rows of cusparse.def. They take and return what NVIDIA's documentation
 * says; enumerations are ints here, and handles and descriptors have no type. Descriptors refer to the program's arrays, and own
 * none. */
#ifndef EMULATOR_CUSPARSE_INTERFACE_H
#define EMULATOR_CUSPARSE_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"

CUSPARSE_EXPORT int cusparseAxpby(void *handle, const void *alpha, const void *vecX, const void *beta, void *vecY);
CUSPARSE_EXPORT int cusparseConstCooGet(const void *spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz,
                                        const void **cooRowInd, const void **cooColInd, const void **cooValues, int *idxType,
                                        int *idxBase, int *valueType);
CUSPARSE_EXPORT int cusparseConstCscGet(const void *spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz,
                                        const void **cscColOffsets, const void **cscRowInd, const void **cscValues,
                                        int *cscColOffsetsType, int *cscRowIndType, int *idxBase, int *valueType);
CUSPARSE_EXPORT int cusparseConstCsrGet(const void *spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz,
                                        const void **csrRowOffsets, const void **csrColInd, const void **csrValues,
                                        int *csrRowOffsetsType, int *csrColIndType, int *idxBase, int *valueType);
CUSPARSE_EXPORT int cusparseConstDnMatGet(const void *dnMatDescr, int64_t *rows, int64_t *cols, int64_t *ld,
                                          const void **values, int *type, int *order);
CUSPARSE_EXPORT int cusparseConstDnMatGetValues(const void *dnMatDescr, const void **values);
CUSPARSE_EXPORT int cusparseConstDnVecGet(const void *dnVecDescr, int64_t *size, const void **values, int *valueType);
CUSPARSE_EXPORT int cusparseConstDnVecGetValues(const void *dnVecDescr, const void **values);
CUSPARSE_EXPORT int cusparseConstSpMatGetValues(const void *spMatDescr, const void **values);
CUSPARSE_EXPORT int cusparseConstSpVecGet(const void *spVecDescr, int64_t *size, int64_t *nnz, const void **indices,
                                          const void **values, int *idxType, int *idxBase, int *valueType);
CUSPARSE_EXPORT int cusparseConstSpVecGetValues(const void *spVecDescr, const void **values);
CUSPARSE_EXPORT int cusparseCooGet(void *spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz, void **cooRowInd,
                                   void **cooColInd, void **cooValues, int *idxType, int *idxBase, int *valueType);
CUSPARSE_EXPORT int cusparseCooSetPointers(void *spMatDescr, void *cooRows, void *cooColumns, void *cooValues);
CUSPARSE_EXPORT int cusparseCreate(void **handle);
CUSPARSE_EXPORT int cusparseCreateConstCoo(const void **spMatDescr, int64_t rows, int64_t cols, int64_t nnz,
                                           const void *cooRowInd, const void *cooColInd, const void *cooValues,
                                           int cooIdxType, int idxBase, int valueType);
CUSPARSE_EXPORT int cusparseCreateConstCsc(const void **spMatDescr, int64_t rows, int64_t cols, int64_t nnz,
                                           const void *cscColOffsets, const void *cscRowInd, const void *cscValues,
                                           int cscColOffsetsType, int cscRowIndType, int idxBase, int valueType);
CUSPARSE_EXPORT int cusparseCreateConstCsr(const void **spMatDescr, int64_t rows, int64_t cols, int64_t nnz,
                                           const void *csrRowOffsets, const void *csrColInd, const void *csrValues,
                                           int csrRowOffsetsType, int csrColIndType, int idxBase, int valueType);
CUSPARSE_EXPORT int cusparseCreateConstDnMat(const void **dnMatDescr, int64_t rows, int64_t cols, int64_t ld,
                                             const void *values, int valueType, int order);
CUSPARSE_EXPORT int cusparseCreateConstDnVec(const void **dnVecDescr, int64_t size, const void *values, int valueType);
CUSPARSE_EXPORT int cusparseCreateConstSpVec(const void **spVecDescr, int64_t size, int64_t nnz, const void *indices,
                                             const void *values, int idxType, int idxBase, int valueType);
CUSPARSE_EXPORT int cusparseCreateCoo(void **spMatDescr, int64_t rows, int64_t cols, int64_t nnz, void *cooRowInd,
                                      void *cooColInd, void *cooValues, int cooIdxType, int idxBase, int valueType);
CUSPARSE_EXPORT int cusparseCreateCsc(void **spMatDescr, int64_t rows, int64_t cols, int64_t nnz, void *cscColOffsets,
                                      void *cscRowInd, void *cscValues, int cscColOffsetsType, int cscRowIndType,
                                      int idxBase, int valueType);
CUSPARSE_EXPORT int cusparseCreateCsr(void **spMatDescr, int64_t rows, int64_t cols, int64_t nnz, void *csrRowOffsets,
                                      void *csrColInd, void *csrValues, int csrRowOffsetsType, int csrColIndType,
                                      int idxBase, int valueType);
CUSPARSE_EXPORT int cusparseCreateCsric02Info(void **info);
CUSPARSE_EXPORT int cusparseCreateCsrilu02Info(void **info);
CUSPARSE_EXPORT int cusparseCreateDnMat(void **dnMatDescr, int64_t rows, int64_t cols, int64_t ld, void *values,
                                        int valueType, int order);
CUSPARSE_EXPORT int cusparseCreateDnVec(void **dnVecDescr, int64_t size, void *values, int valueType);
CUSPARSE_EXPORT int cusparseCreateIdentityPermutation(void *handle, int n, int *p);
CUSPARSE_EXPORT int cusparseCreateMatDescr(void **descrA);
CUSPARSE_EXPORT int cusparseCreateSpVec(void **spVecDescr, int64_t size, int64_t nnz, void *indices, void *values,
                                        int idxType, int idxBase, int valueType);
CUSPARSE_EXPORT int cusparseCscGet(void *spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz, void **cscColOffsets,
                                   void **cscRowInd, void **cscValues, int *cscColOffsetsType, int *cscRowIndType,
                                   int *idxBase, int *valueType);
CUSPARSE_EXPORT int cusparseCscSetPointers(void *spMatDescr, void *cscColOffsets, void *cscRowInd, void *cscValues);
CUSPARSE_EXPORT int cusparseCsr2cscEx2(void *handle, int m, int n, int nnz, const void *csrVal, const int *csrRowPtr,
                                       const int *csrColInd, void *cscVal, int *cscColPtr, int *cscRowInd, int valType,
                                       int copyValues, int idxBase, int alg, void *buffer);
CUSPARSE_EXPORT int cusparseCsr2cscEx2_bufferSize(void *handle, int m, int n, int nnz, const void *csrVal,
                                                  const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
                                                  int *cscRowInd, int valType, int copyValues, int idxBase, int alg,
                                                  size_t *bufferSize);
CUSPARSE_EXPORT int cusparseCsrGet(void *spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz, void **csrRowOffsets,
                                   void **csrColInd, void **csrValues, int *csrRowOffsetsType, int *csrColIndType,
                                   int *idxBase, int *valueType);
CUSPARSE_EXPORT int cusparseCsrSetPointers(void *spMatDescr, void *csrRowOffsets, void *csrColInd, void *csrValues);
CUSPARSE_EXPORT int cusparseDenseToSparse_analysis(void *handle, const void *matA, void *matB, int alg,
                                                   void *externalBuffer);
CUSPARSE_EXPORT int cusparseDenseToSparse_bufferSize(void *handle, const void *matA, void *matB, int alg,
                                                     size_t *bufferSize);
CUSPARSE_EXPORT int cusparseDenseToSparse_convert(void *handle, const void *matA, void *matB, int alg, void *externalBuffer);
CUSPARSE_EXPORT int cusparseDestroy(void *handle);
CUSPARSE_EXPORT int cusparseDestroyCsric02Info(void *info);
CUSPARSE_EXPORT int cusparseDestroyCsrilu02Info(void *info);
CUSPARSE_EXPORT int cusparseDestroyDnMat(const void *dnMatDescr);
CUSPARSE_EXPORT int cusparseDestroyDnVec(const void *dnVecDescr);
CUSPARSE_EXPORT int cusparseDestroyMatDescr(void *descrA);
CUSPARSE_EXPORT int cusparseDestroySpMat(const void *spMatDescr);
CUSPARSE_EXPORT int cusparseDestroySpVec(const void *spVecDescr);
CUSPARSE_EXPORT int cusparseDnMatGet(void *dnMatDescr, int64_t *rows, int64_t *cols, int64_t *ld, void **values, int *type,
                                     int *order);
CUSPARSE_EXPORT int cusparseDnMatGetStridedBatch(const void *dnMatDescr, int *batchCount, int64_t *batchStride);
CUSPARSE_EXPORT int cusparseDnMatGetValues(void *dnMatDescr, void **values);
CUSPARSE_EXPORT int cusparseDnMatSetStridedBatch(void *dnMatDescr, int batchCount, int64_t batchStride);
CUSPARSE_EXPORT int cusparseDnMatSetValues(void *dnMatDescr, void *values);
CUSPARSE_EXPORT int cusparseDnVecGet(void *dnVecDescr, int64_t *size, void **values, int *valueType);
CUSPARSE_EXPORT int cusparseDnVecGetValues(void *dnVecDescr, void **values);
CUSPARSE_EXPORT int cusparseDnVecSetValues(void *dnVecDescr, void *values);
CUSPARSE_EXPORT int cusparseGather(void *handle, const void *vecY, void *vecX);
CUSPARSE_EXPORT const char *cusparseGetErrorName(int status);
CUSPARSE_EXPORT const char *cusparseGetErrorString(int status);
CUSPARSE_EXPORT int cusparseGetMatDiagType(const void *descrA);
CUSPARSE_EXPORT int cusparseGetMatFillMode(const void *descrA);
CUSPARSE_EXPORT int cusparseGetMatIndexBase(const void *descrA);
CUSPARSE_EXPORT int cusparseGetMatType(const void *descrA);
CUSPARSE_EXPORT int cusparseGetPointerMode(void *handle, int *mode);
CUSPARSE_EXPORT int cusparseGetProperty(int type, int *value);
CUSPARSE_EXPORT int cusparseGetStream(void *handle, void **streamId);
CUSPARSE_EXPORT int cusparseGetVersion(void *handle, int *version);
CUSPARSE_EXPORT int cusparseLoggerForceDisable(void);
CUSPARSE_EXPORT int cusparseLoggerOpenFile(const char *logFile);
CUSPARSE_EXPORT int cusparseLoggerSetCallback(void *callback);
CUSPARSE_EXPORT int cusparseLoggerSetFile(void *file);
CUSPARSE_EXPORT int cusparseLoggerSetLevel(int level);
CUSPARSE_EXPORT int cusparseLoggerSetMask(int mask);
CUSPARSE_EXPORT int cusparseRot(void *handle, const void *c_coeff, const void *s_coeff, void *vecX, void *vecY);
CUSPARSE_EXPORT int cusparseScatter(void *handle, const void *vecX, void *vecY);
CUSPARSE_EXPORT int cusparseSetMatDiagType(void *descrA, int diagType);
CUSPARSE_EXPORT int cusparseSetMatFillMode(void *descrA, int fillMode);
CUSPARSE_EXPORT int cusparseSetMatIndexBase(void *descrA, int base);
CUSPARSE_EXPORT int cusparseSetMatType(void *descrA, int type);
CUSPARSE_EXPORT int cusparseSetPointerMode(void *handle, int mode);
CUSPARSE_EXPORT int cusparseSetStream(void *handle, void *streamId);
CUSPARSE_EXPORT int cusparseSpGEMM_compute(void *handle, int opA, int opB, const void *alpha, const void *matA,
                                           const void *matB, const void *beta, void *matC, int computeType, int alg,
                                           void *spgemmDescr, size_t *bufferSize2, void *externalBuffer2);
CUSPARSE_EXPORT int cusparseSpGEMM_copy(void *handle, int opA, int opB, const void *alpha, const void *matA,
                                        const void *matB, const void *beta, void *matC, int computeType, int alg,
                                        void *spgemmDescr);
CUSPARSE_EXPORT int cusparseSpGEMM_createDescr(void **descr);
CUSPARSE_EXPORT int cusparseSpGEMM_destroyDescr(void *descr);
CUSPARSE_EXPORT int cusparseSpGEMM_getNumProducts(void *spgemmDescr, int64_t *num_prods);
CUSPARSE_EXPORT int cusparseSpGEMM_workEstimation(void *handle, int opA, int opB, const void *alpha, const void *matA,
                                                  const void *matB, const void *beta, void *matC, int computeType, int alg,
                                                  void *spgemmDescr, size_t *bufferSize1, void *externalBuffer1);
CUSPARSE_EXPORT int cusparseSpMM(void *handle, int opA, int opB, const void *alpha, const void *matA, const void *matB,
                                 const void *beta, void *matC, int computeType, int alg, void *externalBuffer);
CUSPARSE_EXPORT int cusparseSpMM_bufferSize(void *handle, int opA, int opB, const void *alpha, const void *matA,
                                            const void *matB, const void *beta, void *matC, int computeType, int alg,
                                            size_t *bufferSize);
CUSPARSE_EXPORT int cusparseSpMM_preprocess(void *handle, int opA, int opB, const void *alpha, const void *matA,
                                            const void *matB, const void *beta, void *matC, int computeType, int alg,
                                            void *externalBuffer);
CUSPARSE_EXPORT int cusparseSpMV(void *handle, int opA, const void *alpha, const void *matA, const void *vecX,
                                 const void *beta, void *vecY, int computeType, int alg, void *externalBuffer);
CUSPARSE_EXPORT int cusparseSpMV_bufferSize(void *handle, int opA, const void *alpha, const void *matA, const void *vecX,
                                            const void *beta, void *vecY, int computeType, int alg, size_t *bufferSize);
CUSPARSE_EXPORT int cusparseSpMV_preprocess(void *handle, int opA, const void *alpha, const void *matA, const void *vecX,
                                            const void *beta, void *vecY, int computeType, int alg, void *externalBuffer);
CUSPARSE_EXPORT int cusparseSpMatGetAttribute(const void *spMatDescr, int attribute, void *data, size_t dataSize);
CUSPARSE_EXPORT int cusparseSpMatGetFormat(const void *spMatDescr, int *format);
CUSPARSE_EXPORT int cusparseSpMatGetIndexBase(const void *spMatDescr, int *idxBase);
CUSPARSE_EXPORT int cusparseSpMatGetSize(const void *spMatDescr, int64_t *rows, int64_t *cols, int64_t *nnz);
CUSPARSE_EXPORT int cusparseSpMatGetStridedBatch(const void *spMatDescr, int *batchCount);
CUSPARSE_EXPORT int cusparseSpMatGetValues(void *spMatDescr, void **values);
CUSPARSE_EXPORT int cusparseSpMatSetAttribute(void *spMatDescr, int attribute, void *data, size_t dataSize);
CUSPARSE_EXPORT int cusparseSpMatSetValues(void *spMatDescr, void *values);
CUSPARSE_EXPORT int cusparseSpSM_analysis(void *handle, int opA, int opB, const void *alpha, const void *matA,
                                          const void *matB, void *matC, int computeType, int alg, void *spsmDescr,
                                          void *externalBuffer);
CUSPARSE_EXPORT int cusparseSpSM_bufferSize(void *handle, int opA, int opB, const void *alpha, const void *matA,
                                            const void *matB, void *matC, int computeType, int alg, void *spsmDescr,
                                            size_t *bufferSize);
CUSPARSE_EXPORT int cusparseSpSM_createDescr(void **descr);
CUSPARSE_EXPORT int cusparseSpSM_destroyDescr(void *descr);
CUSPARSE_EXPORT int cusparseSpSM_solve(void *handle, int opA, int opB, const void *alpha, const void *matA, const void *matB,
                                       void *matC, int computeType, int alg, void *spsmDescr);
CUSPARSE_EXPORT int cusparseSpSV_analysis(void *handle, int opA, const void *alpha, const void *matA, const void *vecX,
                                          void *vecY, int computeType, int alg, void *spsvDescr, void *externalBuffer);
CUSPARSE_EXPORT int cusparseSpSV_bufferSize(void *handle, int opA, const void *alpha, const void *matA, const void *vecX,
                                            void *vecY, int computeType, int alg, void *spsvDescr, size_t *bufferSize);
CUSPARSE_EXPORT int cusparseSpSV_createDescr(void **descr);
CUSPARSE_EXPORT int cusparseSpSV_destroyDescr(void *descr);
CUSPARSE_EXPORT int cusparseSpSV_solve(void *handle, int opA, const void *alpha, const void *matA, const void *vecX,
                                       void *vecY, int computeType, int alg, void *spsvDescr);
CUSPARSE_EXPORT int cusparseSpVV(void *handle, int opX, const void *vecX, const void *vecY, void *result, int computeType,
                                 void *externalBuffer);
CUSPARSE_EXPORT int cusparseSpVV_bufferSize(void *handle, int opX, const void *vecX, const void *vecY, const void *result,
                                            int computeType, size_t *bufferSize);
CUSPARSE_EXPORT int cusparseSpVecGet(void *spVecDescr, int64_t *size, int64_t *nnz, void **indices, void **values,
                                     int *idxType, int *idxBase, int *valueType);
CUSPARSE_EXPORT int cusparseSpVecGetIndexBase(const void *spVecDescr, int *idxBase);
CUSPARSE_EXPORT int cusparseSpVecGetValues(void *spVecDescr, void **values);
CUSPARSE_EXPORT int cusparseSpVecSetValues(void *spVecDescr, void *values);
CUSPARSE_EXPORT int cusparseSparseToDense(void *handle, const void *matA, void *matB, int alg, void *externalBuffer);
CUSPARSE_EXPORT int cusparseSparseToDense_bufferSize(void *handle, const void *matA, void *matB, int alg,
                                                     size_t *bufferSize);
CUSPARSE_EXPORT int cusparseXcoo2csr(void *handle, const int *cooRowInd, int nnz, int m, int *csrSortedRowPtr, int idxBase);
CUSPARSE_EXPORT int cusparseXcoosortByColumn(void *handle, int m, int n, int nnz, int *cooRowsA, int *cooColsA, int *P,
                                             void *pBuffer);
CUSPARSE_EXPORT int cusparseXcoosortByRow(void *handle, int m, int n, int nnz, int *cooRowsA, int *cooColsA, int *P,
                                          void *pBuffer);
CUSPARSE_EXPORT int cusparseXcoosort_bufferSizeExt(void *handle, int m, int n, int nnz, const int *cooRowsA,
                                                   const int *cooColsA, size_t *pBufferSizeInBytes);
CUSPARSE_EXPORT int cusparseXcscsort(void *handle, int m, int n, int nnz, const void *descrA, const int *cscColPtrA,
                                     int *cscRowIndA, int *P, void *pBuffer);
CUSPARSE_EXPORT int cusparseXcscsort_bufferSizeExt(void *handle, int m, int n, int nnz, const int *cscColPtrA,
                                                   const int *cscRowIndA, size_t *pBufferSizeInBytes);
CUSPARSE_EXPORT int cusparseXcsr2coo(void *handle, const int *csrSortedRowPtr, int nnz, int m, int *cooRowInd, int idxBase);
CUSPARSE_EXPORT int cusparseXcsrgeam2Nnz(void *handle, int m, int n, const void *descrA, int nnzA,
                                         const int *csrSortedRowPtrA, const int *csrSortedColIndA, const void *descrB,
                                         int nnzB, const int *csrSortedRowPtrB, const int *csrSortedColIndB,
                                         const void *descrC, int *csrSortedRowPtrC, int *nnzTotalDevHostPtr,
                                         void *workspace);
CUSPARSE_EXPORT int cusparseXcsric02_zeroPivot(void *handle, void *info, int *position);
CUSPARSE_EXPORT int cusparseXcsrilu02_zeroPivot(void *handle, void *info, int *position);
CUSPARSE_EXPORT int cusparseXcsrsort(void *handle, int m, int n, int nnz, const void *descrA, const int *csrRowPtrA,
                                     int *csrColIndA, int *P, void *pBuffer);
CUSPARSE_EXPORT int cusparseXcsrsort_bufferSizeExt(void *handle, int m, int n, int nnz, const int *csrRowPtrA,
                                                   const int *csrColIndA, size_t *pBufferSizeInBytes);

#endif
