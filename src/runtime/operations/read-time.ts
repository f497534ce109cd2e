import { Refused } from '../../core/api/problem.ts'
import { parseTime } from '../../core/time.ts'

export type TimeInput = string | number

const maxTime = 40 // characters
const maxSecond = 1e7 // of any recording

export function readTime(given: TimeInput, name: string): number {
  const second = String(given).length > maxTime ? undefined : parseTime(given)
  if (second !== undefined && second <= maxSecond) return second
  const isRowToo = name === 'at'
  throw new Refused(
    'usage',
    `"${name}" is ${isRowToo ? 'neither a time nor the id of a row' : 'not a time'}: ${JSON.stringify(String(given).slice(0, maxTime))}.`,
    `Write "3:20.5", or seconds${isRowToo ? ', or an id as "t80d5e"' : ''}.`,
  )
}
