import { expect, test } from 'vitest'
import { eventLog } from './event-log.ts'

test('an event is a line with its time, and holds no secret', () => {
  const lines: string[] = []
  const log = eventLog(line => lines.push(line), ['hunter2-hunter2'])
  log({ event: 'attempt', job: 'j1', message: 'postgres://me:other@db refused hunter2-hunter2\nand \u001b[31m' })
  expect(lines).toHaveLength(1)
  expect(lines[0]?.endsWith('\n')).toBe(true)
  const line = JSON.parse(lines[0] ?? '') as Record<string, string>
  expect(line).toMatchObject({ event: 'attempt', job: 'j1' })
  expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect(lines[0]).not.toMatch(/hunter2|other@|\u001b/)
})
