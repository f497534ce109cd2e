import { expect, test } from 'vitest'
import { whyNoCuda } from '../../../../models/onnx/cuda-libraries.ts'
import { testHost } from '../../../../tests/servers/host.ts'
import { examineDevices, examineGpu } from './gpu.ts'

test('what a card needs is told in the order in which it is put right, each with its mend', async () => {
  const { ready, steps } = await examineGpu(testHost({ PATH: process.env.PATH }))
  expect(steps.map(step => step.what)).toEqual([
    'NVIDIA driver',
    'ONNX Runtime for CUDA',
    'CUDA libraries',
    'a model on cuda',
    'devices',
    'decoding on the card',
  ])
  expect(ready).toBe(steps.slice(0, 4).every(step => step.state === 'ready')) // models do not decode
  for (const { state, mend } of steps) if (state === 'missing' || state === 'broken') expect(mend).toBeTruthy()
  expect(steps[4]?.detail).toMatch(/there are .*cpu; auto tries cuda, then cpu/)
  if (whyNoCuda()) expect(steps[1]).toMatchObject({ state: 'missing', mend: expect.stringContaining('setup-cuda.sh') })
})

test('which devices there are is told by what ONNX Runtime lists, and why auto leaves one out', () => {
  const { detail } = examineDevices(['cpu', 'dml', 'webgpu'], 'win32')
  expect(detail).toBe('there are dml, webgpu, cpu; auto tries dml, then cpu')
  expect(examineDevices(['cpu', 'coreml'], 'darwin').detail).toMatch(
    /^there are coreml, cpu; .*; not webgpu: ONNX Runtime has no webgpu/,
  )
})
