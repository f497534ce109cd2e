import { expect, test } from 'vitest'
import { handMadeIndex, heard, said, shown } from '../../../tests/agent/hand-made-index.ts'
import { indexLines } from './index-lines.ts'

const linesOf = (rows: Parameters<typeof handMadeIndex>[0]['rows']) =>
  indexLines(handMadeIndex({ duration: 600, rows }).evidence()).map(({ line }) => line.slice(12))

test('a line that runs over the screen is one row, the longest reading with the whole span', () => {
  const running = ['Flight ti', 'Flight to Toro', 'Flight to Toronto la', 'Flight to Syd']
  expect(linesOf(running.map((text, i) => shown(10 + i, 11 + i, text)))).toEqual([
    '0:10.0-0:13.0 text: Flight to Toronto la',
    '0:13.0-0:14.0 text: Flight to Syd',
  ])
})

test('slides that follow one another stay apart if they differ in a letter or a number', () => {
  const slides = ['Plan A', 'Plan B', 'Room 204', 'Room 205', 'Chapter 1', 'Chapter 10: home']
  expect(linesOf(slides.map((text, i) => shown(i, i + 1, text)))).toHaveLength(6)
})

test('slides whose titles begin alike stay apart if another lies between them', () => {
  expect(linesOf([shown(0, 5, 'Plan A'), shown(5, 9, 'Break'), shown(9, 12, 'Plan A')])).toHaveLength(3)
})

test('silence and sounds of talking are left out, and times are to a tenth', () => {
  const rows = [heard(0, 9, 'silence'), heard(1, 3, 'loud speech-like sound (somebody may be talking)')]
  expect(linesOf([...rows, said(1.04, 2.97, 'good morning'), heard(4, 4.3, 'knock')])).toEqual([
    '0:01.0-0:03.0 speech: good morning',
    '0:04.0-0:04.3 sound: knock',
  ])
})
