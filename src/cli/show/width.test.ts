import { expect, test } from 'vitest'
import { terminal } from '../terminal.ts'
import { alignColumns } from './format.ts'
import { cutToWidth, measureWidth, piecesOfWidth, wrapLine } from './width.ts'

test('wide letters take two columns, marks none', () => {
  expect(measureWidth('北京 ab')).toBe(7)
  expect(measureWidth('cafe\u0301')).toBe(4)
  expect(cutToWidth('北京大学', 5)).toBe('北京')
  expect(piecesOfWidth('北京大学在', 4)).toEqual(['北京', '大学', '在'])
})

test('a line that is drawn live fits on one row of the terminal, from the first one on', () => {
  let written = ''
  const stream = {
    isTTY: true,
    columns: 40,
    write: (text: string) => {
      written += text
    },
  }
  terminal(stream, stream, {}).draw(['大学'.repeat(30)])
  const line = written.replace(/\u001b\[\w+/g, '').replace('\n', '')
  expect(line).toBe(cutToWidth('大学'.repeat(30), 39))
  expect(measureWidth(line)).toBeLessThan(40)
})

test('columns are aligned by what is seen', () => {
  const rows = alignColumns([
    ['北京', 'x'],
    ['abcdef', 'y'],
  ])
  expect(rows.map(row => measureWidth(row))).toEqual([9, 9])
})

test('a line breaks between words and keeps its indent; styles and links take no room', () => {
  expect(wrapLine('  one two three', 10)).toBe('  one two\n  three')
  expect(wrapLine('東京 大阪 京都', 9)).toBe('東京 大阪\n京都')
  const bold = '\u001b[1mone two\u001b[22m'
  expect(wrapLine(bold, 7)).toBe(bold)
  const link = '\u001b]8;;file:///a.mp4#t=3\u001b\\[0:03-0:04]\u001b]8;;\u001b\\ words'
  expect(wrapLine(link, 17)).toBe(link)
  expect(wrapLine('averyveryverylongword', 10)).toBe('averyveryverylongword')
})
