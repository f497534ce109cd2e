import { expect, test } from 'vitest'
import { countThreads, providersFor, whyNot } from './device.ts'

test.each([
  ['linux', ['cuda', 'cpu']],
  ['win32', ['dml', 'cpu']],
  ['darwin', ['webgpu', 'coreml', 'cpu']],
  ['freebsd', ['cpu']],
] as [NodeJS.Platform, string[]][])('on %s auto tries %j', (platform, order) => {
  expect(providersFor('auto', platform)).toEqual(order)
  expect(providersFor('webgpu', platform)).toEqual(['webgpu'])
})

test('a device that this ONNX Runtime does not list is refused before it is tried; the processor never is', () => {
  const listed = ['cpu', 'webgpu', 'cuda']
  expect(whyNot('dml', listed)).toBe(`ONNX Runtime has no dml on ${process.platform} ${process.arch}`)
  expect(whyNot('webgpu', listed)).toBeUndefined()
  expect(whyNot('cpu', [])).toBeUndefined()
})

test('threads left to us are half of the cores, and one at least', () => {
  expect([1, 2, 3, 16].map(cores => countThreads('auto', cores))).toEqual([1, 1, 1, 8])
  expect(countThreads(5, 2)).toBe(5)
})
