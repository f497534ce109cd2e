import { expect, test } from 'vitest'
import { iou, suppressDuplicates } from './nms.ts'

const box = (x: number, y: number, width = 0.2, height = 0.2) => ({ x, y, width, height })
const thing = (confidence: number, at: ReturnType<typeof box>) => ({ label: 'cup', confidence, box: at })

test('of boxes over each other the surest stays; boxes apart stay all', () => {
  const found = [thing(0.5, box(0.11, 0.1)), thing(0.9, box(0.1, 0.1)), thing(0.4, box(0.6, 0.6))]
  expect(suppressDuplicates(found).map(({ confidence }) => confidence)).toEqual([0.9, 0.4])
})

test('the shared area is a share of both together', () => {
  expect(iou(box(0, 0), box(0, 0))).toBeCloseTo(1)
  expect(iou(box(0, 0), box(0.1, 0))).toBeCloseTo(1 / 3)
  expect(iou(box(0, 0), box(0.2, 0))).toBe(0)
})
