import { expect, test } from 'vitest'
import type { StageReport } from '../../core/runtime.ts'
import { indexKey } from './index-key.ts'

const stage = (name: string, key: string, state: StageReport['state'] = 'done'): StageReport => ({
  ...{ stage: name, key, state, by: 'x/y', started: 0, seconds: 1, items: 1 },
})
const shots = stage('shots', 'a')
const text = stage('text', 'b')

test('an index has one key, in whatever order its stages were made', () => {
  expect(indexKey([text, shots])).toBe(indexKey([shots, text]))
  expect(indexKey([shots, { ...text, state: 'reused' }])).toBe(indexKey([shots, text]))
})

test('an index that was found has the key of the one that was made: what was skipped is no part of it', () => {
  expect(indexKey([shots, text, stage('subtitles', '', 'skipped')])).toBe(indexKey([shots, text]))
})

test('an index has another key where a stage failed or was made otherwise', () => {
  expect(indexKey([shots, { ...text, state: 'failed' }])).not.toBe(indexKey([shots, text]))
  expect(indexKey([shots, stage('text', 'c')])).not.toBe(indexKey([shots, text]))
})
