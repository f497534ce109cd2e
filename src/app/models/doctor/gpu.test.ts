import { expect, test } from 'vitest'
import { whyNoCuda } from '../../../../models/onnx/cuda-libraries.ts'
import { testHost } from '../../../../tests/servers/host.ts'
import { examineGpu } from './gpu.ts'

test('what a card needs is told in the order in which it is put right, each with its mend', async () => {
  const { ready, steps } = await examineGpu(testHost({ PATH: process.env.PATH }))
  expect(steps.map(step => step.what)).toEqual([
    'NVIDIA driver',
    'ONNX Runtime for CUDA',
    'CUDA 12 and cuDNN 9',
    'a model on CUDA',
    'decoding on the card',
  ])
  expect(ready).toBe(steps.slice(0, 4).every(step => step.state === 'ready')) // models do not decode
  for (const { state, mend } of steps) if (state === 'missing' || state === 'broken') expect(mend).toBeTruthy()
  if (whyNoCuda()) expect(steps[1]).toMatchObject({ state: 'missing', mend: expect.stringContaining('setup-cuda.sh') })
})
