import { createHash } from 'node:crypto'
import { errorText } from '../../../src/core/errors.ts'
import { parseLiteral } from '../../python/literal.ts'
import { isDict, type PythonValue, pythonRepr, pythonText } from '../../python/value.ts'

export type Judgment = { score: number; justification: string } | { score: null; error: string }

// As released: the reply must be a Python literal, a dict with a score that is an int from 0 to 10 and a justification.
// So a code fence, 7.0, "7", and JSON's true or null anywhere fail; Python's True is 1.
export function readScore(reply: string | null): Judgment {
  if (reply === null) return { score: null, error: 'no reply' }
  let value: PythonValue
  try {
    value = parseLiteral(reply)
  } catch (error) {
    return { score: null, error: errorText(error) }
  }
  if (!isDict(value) || !value.has('score') || !value.has('justification'))
    return { score: null, error: `Invalid response format: ${pythonRepr(value)}` }
  const score = value.get('score') as PythonValue
  const whole = typeof score === 'boolean' ? Number(score) : typeof score === 'bigint' ? Number(score) : undefined
  if (whole === undefined || whole < 0 || whole > 10)
    return { score: null, error: `Invalid score: ${pythonText(score)}. Must be integer between 0-10` }
  return { score: whole, justification: pythonText(value.get('justification') as PythonValue) }
}

const passing = [
  'connection error',
  'timeout',
  'rate limit',
  'server error',
  '503',
  '502',
  '500',
  '429',
  'network',
  'connection',
]

// Whether the released script asks again: by words in the error, so "Invalid score: 500" is asked again too.
export function mayPass(error: string): boolean {
  return passing.some(words => error.toLowerCase().includes(words))
}

export const released = {
  model: 'gpt-4o-mini',
  temperature: 0.1,
  maxTokens: 500,
  timeoutSeconds: 30,
  format: 'json_object',
  tries: 4,
  systemCharacters: 1581,
  systemSha256: '4bd6c83b40e423eaf44f803272203e4a9a71703b15410da786e8b24f6a0c4d09',
}

// Asks until there is a judgment, an error that will not pass, or no try left; `wait` comes between tries.
export async function judgeOpenAnswer(
  ask: () => Promise<string | null>,
  wait: (tryNumber: number) => Promise<void> = async () => {},
): Promise<{ judgment: Judgment; calls: number }> {
  for (let calls = 1; ; calls++) {
    const judgment = await ask().then(readScore, error => ({ score: null, error: errorText(error) }) as const)
    if (judgment.score !== null || calls === released.tries || !mayPass(judgment.error)) return { judgment, calls }
    await wait(calls)
  }
}

// Our words. The released system text may come from a person's own file; `isReleasedSystem` knows it by its hash.
export const ownSystem = `You judge how well an answer to a question about a video agrees with the right answer.

Look at the meaning: are the facts right, is everything important of the right answer there, and nothing made up or contradicting it? Other words for the same thing are as good; style does not matter. When in doubt be strict, but fair.

Give a whole number from 0 (nothing right) to 10 (says the same), and one to three sentences why.

Reply with JSON of this form and nothing else:
{"score": 7, "justification": "It has the main point, but leaves out where it happens."}`

export function judgeText(asked: { question: string; answer: string; predicted: string }): string {
  return `Question: ${asked.question}\nRight answer: ${asked.answer}\nAnswer to judge: ${asked.predicted}\n\nReply with the JSON object.`
}

export function isReleasedSystem(text: string): boolean {
  return createHash('sha256').update(text).digest('hex') === released.systemSha256
}
