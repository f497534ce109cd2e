import { expect, test } from 'vitest'
import { cudaNeeds } from './cuda-libraries.ts'

// As libonnxruntime_providers_cuda.so of PyPI's onnxruntime-gpu 1.30.0 is linked.
const ofPypi = ['libcublasLt.so.13', 'libcublas.so.13', 'libcurand.so.10', 'libcudart.so.13', 'libcuda.so.1']
const ofSystem = ['libdl.so.2', 'libstdc++.so.6', 'libc.so.6', 'ld-linux-x86-64.so.2']

test('what CUDA needs is what the provider is linked with: release, driver, libraries and the wheels that bring them', () => {
  const { cuda, driver, needs, beside } = cudaNeeds({ needed: [...ofPypi, ...ofSystem], folders: [] })
  expect({ cuda, driver, beside }).toEqual({ cuda: 13, driver: 580, beside: false })
  expect(needs.filter(({ atStart }) => atStart).map(({ file }) => file)).toEqual(ofPypi)
  expect(Object.fromEntries(needs.map(({ part, pip }) => [part, pip]))).toEqual({
    'cuBLASLt 13': 'nvidia-cublas~=13.0',
    'cuBLAS 13': 'nvidia-cublas~=13.0',
    'cuRAND 10': 'nvidia-curand~=10.0',
    'CUDA runtime 13': 'nvidia-cuda-runtime~=13.0',
    'the driver': undefined,
    'cuDNN 9': 'nvidia-cudnn-cu13~=9.0',
    'cuFFT 12': 'nvidia-cufft~=12.0',
  })
})

test('a provider for CUDA 12 asks for the wheels of CUDA 12, and for a driver of its time', () => {
  const needed = ['libcublas.so.12', 'libcudnn.so.9', 'libcufft.so.11', 'libcudart.so.12', ...ofSystem]
  const { cuda, driver, needs, beside } = cudaNeeds({ needed, folders: ['/opt/lib', '$ORIGIN'] })
  expect({ cuda, driver, beside }).toEqual({ cuda: 12, driver: 525, beside: true })
  expect(needs.map(({ pip }) => pip)).toEqual([
    'nvidia-cublas-cu12~=12.0',
    'nvidia-cudnn-cu12~=9.0',
    'nvidia-cufft-cu12~=11.0',
    'nvidia-cuda-runtime-cu12~=12.0',
  ])
  expect(needs.every(({ atStart }) => atStart)).toBe(true)
})

test('a library that asks for no CUDA gives no release and no needs', () => {
  expect(cudaNeeds({ needed: ofSystem, folders: [] })).toEqual({ needs: [], beside: false })
})
