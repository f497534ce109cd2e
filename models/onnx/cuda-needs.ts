// What ONNX Runtime 1.30 with CUDA loads when it starts, by the names of the libraries on Linux. The release that npm brings
// is made for CUDA 12 and cuDNN 9; a machine that has CUDA 13 alone needs those of CUDA 12 beside it.
export const cudaNeeds: { part: string; file: string; pip: string }[] = [
  { part: 'CUDA 12 runtime', file: 'libcudart.so.12', pip: 'nvidia-cuda-runtime-cu12' },
  { part: 'cuBLAS 12', file: 'libcublas.so.12', pip: 'nvidia-cublas-cu12' },
  { part: 'cuBLASLt 12', file: 'libcublasLt.so.12', pip: 'nvidia-cublas-cu12' },
  { part: 'cuFFT 11', file: 'libcufft.so.11', pip: 'nvidia-cufft-cu12' },
  { part: 'cuRAND 10', file: 'libcurand.so.10', pip: 'nvidia-curand-cu12' },
  { part: 'cuDNN 9', file: 'libcudnn.so.9', pip: 'nvidia-cudnn-cu12' },
]
