import { errorText } from '../../src/core/errors.ts'

// The messages of ONNX Runtime on CPU and GPU.
export function isOutOfMemory(error: unknown): boolean {
  return /out of memory|failed to allocate|bad[ _]alloc|bad allocation|OUT_OF_DEVICE_MEMORY|exceeds? .*memory/i.test(
    errorText(error),
  )
}
