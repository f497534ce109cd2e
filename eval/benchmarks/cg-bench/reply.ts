import { type Interval, intervalIoU, mergeIntervals } from '../../metrics/intervals.ts'
import { parsePythonJson } from '../../python/json.ts'
import { blank, pythonNumbers, standingAlone, strip, wordLetter } from '../../python/text.ts'
import { isDict, isTrue, type PythonValue, pythonNumber } from '../../python/value.ts'

// What the released scorer makes of one reply; null if it saves nothing and asks again in the next run.
interface Reading<Value> {
  value: Value | null
  rule:
    | 'json'
    | 'letters'
    | 'numbers'
    | 'digit'
    | 'whole reply'
    | 'empty'
    | 'none'
    | 'odd count'
    | 'overlap outside JSON'
}

type Reply = string | null | undefined

const bareWord = new RegExp(`(?<=:${blank})([A-Za-z_]${wordLetter}*)`, 'gu')

// 1 if the JSON names exactly the right letter; without usable JSON, if the right letter is among those that stand alone.
export function readLetter(reply: Reply, right: string): Reading<0 | 1> {
  if (!reply) return { value: null, rule: 'empty' }
  const json = fencedResult(reply, content => content.replace(bareWord, '"$1"'))
  if (json) return { value: json.result === right ? 1 : 0, rule: 'json' }
  const letters = reply.match(standingAlone('A-H'))
  return letters ? { value: letters.includes(right) ? 1 : 0, rule: 'letters' } : { value: null, rule: 'none' }
}

// IoU with the clue intervals. Lists in the JSON may be reversed and then have negative length; outside JSON every two
// numbers are a pair, and pairs that overlap make the released scorer raise.
export function readGrounding(reply: Reply, clues: readonly Interval[]): Reading<number> {
  if (!reply) return { value: null, rule: 'empty' }
  const json = fencedResult(reply)
  const listed = json && listedIntervals(json.result)
  if (listed) return { value: intervalIoU(listed, clues), rule: 'json' }
  const pairs = numberPairs(reply)
  if (!pairs) return { value: null, rule: 'odd count' }
  if (mergeIntervals(pairs).length < pairs.length) return { value: null, rule: 'overlap outside JSON' }
  return { value: intervalIoU(pairs, clues), rule: 'numbers' }
}

// The intervals that a reply names, for strict scoring: a list of pairs in the JSON, else every two numbers.
export function namedIntervals(reply: Reply): Interval[] | undefined {
  if (!reply) return undefined
  const json = fencedResult(reply)
  return (json && listedIntervals(json.result)) ?? numberPairs(reply)
}

// The open answer: the JSON's result, else the whole reply.
export function readOpen(reply: Reply): Reading<PythonValue> {
  if (!reply) return { value: null, rule: 'empty' }
  const result = fencedResult(reply)?.result ?? null
  return result === null ? { value: reply, rule: 'whole reply' } : { value: result, rule: 'json' }
}

// A verdict of the judge. Whatever the JSON holds is kept; else the first of the step's digits in the reply.
export function readCgBenchVerdict(reply: Reply, step: 1 | 2): Reading<PythonValue> {
  if (!reply) return { value: null, rule: 'empty' }
  const result = fencedResult(reply)?.result ?? null
  if (result !== null) return { value: result, rule: 'json' }
  const digit = (step === 1 ? /[012]/ : /[01]/).exec(reply)?.[0]
  return digit ? { value: BigInt(digit), rule: 'digit' } : { value: null, rule: 'none' }
}

// 0 and 1 of the first step are final; true and 1.0 are 1 to Python, "1" is not.
export function isFinal(verdict: PythonValue): boolean {
  const number = pythonNumber(verdict)
  return number === 0 || number === 1
}

export function isRight(verdict: PythonValue): boolean {
  return pythonNumber(verdict) === 1
}

// A result in the form that the scorer reads first.
export function fenced(result: unknown): string {
  return `\`\`\`json\n${JSON.stringify({ result: result ?? null })}\n\`\`\``
}

// "result" of the JSON between the first ```json and the next ```; undefined if there is no such thing.
function fencedResult(reply: string, prepare = (content: string) => content): { result: PythonValue } | undefined {
  const start = reply.indexOf('```json')
  const end = reply.indexOf('```', start + '```json'.length)
  const content = start < 0 || end < 0 ? '' : strip(reply.slice(start + '```json'.length, end))
  if (!content) return undefined
  try {
    const value = parsePythonJson(prepare(content))
    const result = isDict(value) ? value.get('result') : undefined
    return result === undefined ? undefined : { result }
  } catch {
    return undefined
  }
}

// What Python would calculate an IoU from without an error. An emptiness of any kind is not an interval; of an interval that
// merges into an earlier one only the first two values are ever looked at.
function listedIntervals(result: PythonValue): Interval[] | undefined {
  if (!isTrue(result)) return []
  if (!Array.isArray(result)) return undefined
  const items: { start: number; end: number; length: number }[] = []
  for (const item of result) {
    if (!Array.isArray(item)) return undefined
    const [start, end] = [pythonNumber(item[0]), pythonNumber(item[1])]
    if (start === undefined || end === undefined) return undefined
    items.push({ start, end, length: item.length })
  }
  return items.some(item => item.length !== 2 && !isMergedAway(item, items))
    ? undefined
    : items.map(({ start, end }): Interval => [start, end])
}

function isMergedAway(item: { start: number }, items: readonly { start: number; end: number }[]): boolean {
  const sorted = [...items].sort((a, b) => a.start - b.start)
  let reach: number | undefined
  for (const other of sorted) {
    const merges = reach !== undefined && other.start <= reach
    if (other === item) return merges
    reach = merges && reach !== undefined ? Math.max(reach, other.end) : other.end
  }
  return false
}

function numberPairs(reply: string): Interval[] | undefined {
  const numbers = pythonNumbers(reply)
  if (numbers.length % 2 !== 0) return undefined
  return Array.from({ length: numbers.length / 2 }, (_, i): Interval => [numbers[2 * i]!, numbers[2 * i + 1]!])
}
