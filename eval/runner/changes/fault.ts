import { UsageError, unknownName } from '../../../src/core/errors.ts'

// Something that is broken on purpose, as strongly as `amount` says, always in the same way for the same seed.
export type AblationFault =
  | { target: 'asr'; measure: 'wer'; amount: number }
  | { target: 'ocr'; measure: 'cer'; amount: number }
  | { target: 'frames'; measure: 'drop'; amount: number }
  | { target: 'tool'; tool: string; amount: number } // 1: every call fails

const measures = { asr: 'wer', ocr: 'cer', frames: 'drop' } as const

// Reads "asr:wer=0.2", "asr:wer=0.1,0.2", "tool:search=down"; several strengths are several faults.
export function readFaults(text: string, tools: readonly string[]): AblationFault[] {
  const match = /^\s*(\w+)\s*:\s*([\w-]+)\s*=\s*(.+?)\s*$/.exec(text)
  if (!match)
    throw new UsageError(`--fault "${text}" says nothing that can be planted.`, {
      hint: 'Write it as asr:wer=0.2, ocr:cer=0.1, frames:drop=0.3 or tool:NAME=down.',
    })
  const [, target = '', name = '', values = ''] = match
  return values.split(',').map(value => readFault(text, target, name, value.trim(), tools))
}

function readFault(text: string, target: string, name: string, value: string, tools: readonly string[]): AblationFault {
  if (target === 'tool') {
    if (!tools.includes(name)) throw unknownName('tool', name, tools)
    return { target, tool: name, amount: value === 'down' ? 1 : share(text, value) }
  }
  if (target !== 'asr' && target !== 'ocr' && target !== 'frames')
    throw unknownName('fault', target, [...Object.keys(measures), 'tool'])
  const measure = measures[target]
  if (name !== measure) throw unknownName(`measure of the fault ${target}`, name, [measure])
  return { target, measure, amount: share(text, value) } as AblationFault
}

function share(text: string, value: string): number {
  const amount = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN
  if (amount >= 0 && amount <= 1) return amount
  throw new UsageError(`--fault "${text}": "${value}" must be between 0 and 1.`, {
    hint: 'Write 0.2 for one in five.',
  })
}

export function faultName(fault: AblationFault): string {
  if (fault.target === 'tool') return `tool:${fault.tool}=${fault.amount === 1 ? 'down' : fault.amount}`
  return `${fault.target}:${fault.measure}=${fault.amount}`
}

// Strengths of one fault belong together: a factorial study never plants two of them at once.
export function faultAxis(fault: AblationFault): string {
  return fault.target === 'tool' ? `tool:${fault.tool}` : `${fault.target}:${fault.measure}`
}
