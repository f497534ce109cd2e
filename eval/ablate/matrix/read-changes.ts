import { UsageError, unknownName } from '../../../src/core/errors.ts'
import { type JudgeMode, judgeModes } from '../../protocols/judge/protocol.ts'
import {
  type AblationChange,
  captionTrack,
  type OracleName,
  oracleNames,
  trackWords,
} from '../../runner/changes/change.ts'

// The names that a matrix may use on this machine.
export interface KnownNames {
  tools: readonly string[]
  policies: readonly string[]
  graphs: readonly string[]
  backends: Readonly<Record<string, readonly string[]>> // by role
}

const otherNames = new Map<string, string>([
  ['ocr', 'text'],
  ['asr', 'speech'],
  ['transcript', 'speech'],
  ['sounds', 'sound'],
  ['captions', captionTrack],
])
const groups = { policies: 'policy', tools: 'tool', tracks: 'track' } as const

// "text", "policy:verifier", "speech+sound" (both at once), or "policies": each of them, one row each.
export function readWithout(text: string, known: KnownNames): AblationChange[][] {
  return splitAtCommas(text).flatMap(word => {
    if (Object.hasOwn(groups, word)) return all(groups[word as keyof typeof groups], known).map(change => [change])
    return [word.split('+').map(name => without(name.trim(), known))]
  })
}

function without(word: string, known: KnownNames): AblationChange {
  const [, kind, named = ''] = /^(?:(tool|track|policy):)?(.*)$/.exec(word) ?? []
  const name = kind === undefined || kind === 'track' ? (otherNames.get(plain(named)) ?? named) : named
  const candidates = (['track', 'policy', 'tool'] as const).flatMap(what => {
    const fitting = listKnownNames(what, known).find(one => plain(one) === plain(name))
    return (kind === undefined || kind === what) && fitting !== undefined ? [{ what, name: fitting }] : []
  })
  const [one, ...others] = candidates
  if (one && others.length === 0) return { kind: 'without', ...one }
  if (one)
    throw new UsageError(`"${word}" is the name of a ${candidates.map(one => one.what).join(' and of a ')}.`, {
      hint: `Write ${candidates.map(one => `${one.what}:${one.name}`).join(' or ')}.`,
    })
  throw unknownName(kind ?? 'tool, track or policy', name, [
    ...(kind
      ? listKnownNames(kind as 'tool', known)
      : [...listKnownNames('track', known), ...known.policies, ...known.tools]),
  ])
}

// "Novelty-Guard" and "OCR" are understood as well.
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

function listKnownNames(what: 'tool' | 'track' | 'policy', known: KnownNames): readonly string[] {
  return what === 'track' ? [...trackWords, captionTrack] : what === 'policy' ? known.policies : known.tools
}

function all(what: 'tool' | 'track' | 'policy', known: KnownNames): AblationChange[] {
  return (what === 'track' ? trackWords : listKnownNames(what, known)).map(name => ({ kind: 'without', what, name }))
}

// "readText=tesseract,paddle"; a model may follow its backend: "planner=ollama:qwen3:4b".
export function readSwap(text: string, known: KnownNames): AblationChange[] {
  const { name: role, values } = assignment('--swap', text)
  const backends = Object.hasOwn(known.backends, role) ? known.backends[role] : undefined
  if (!backends) throw unknownName('role', role, Object.keys(known.backends))
  return values.map(value => {
    const [backend = '', ...model] = value.split(':')
    if (backend !== 'off' && !backends.includes(backend))
      throw unknownName(`${role} backend`, backend, [...backends, 'off'])
    return { kind: 'swap', role, backend, ...(model.length > 0 && { model: model.join(':') }) }
  })
}

export function readSet(text: string): AblationChange[] {
  const { name: key, values } = assignment('--set', text)
  return values.map(value => ({ kind: 'set', key, value }))
}

export function readOption(text: string): AblationChange[] {
  const { name, values } = assignment('--option', text)
  return values.map(value => ({ kind: 'option', name, value }))
}

export function readGraphs(text: string, known: KnownNames): AblationChange[] {
  return splitAtCommas(text).map(name => {
    if (!known.graphs.includes(name)) throw unknownName('graph', name, known.graphs)
    return { kind: 'graph', name }
  })
}

export function readJudgeModes(text: string): AblationChange[] {
  return splitAtCommas(text).map(mode => {
    if (!judgeModes.includes(mode as JudgeMode)) throw unknownName('judge mode', mode, judgeModes)
    return { kind: 'judge-mode', mode: mode as JudgeMode }
  })
}

export function readOracles(text: string): AblationChange[] {
  return splitAtCommas(text).map(name => {
    if (!oracleNames.includes(name as OracleName)) throw unknownName('oracle', name, oracleNames)
    return { kind: 'oracle', name: name as OracleName }
  })
}

function assignment(flag: string, text: string): { name: string; values: string[] } {
  const at = text.indexOf('=')
  const values = at > 0 ? splitAtCommas(text.slice(at + 1)) : []
  if (values.length > 0) return { name: text.slice(0, at).trim(), values }
  throw new UsageError(`${flag} "${text}" names nothing to compare.`, { hint: `Write it as ${flag} name=a,b.` })
}

// Apart at commas, but not at those inside of JSON.
export function splitAtCommas(text: string): string[] {
  const pieces: string[] = []
  let depth = 0
  let quoted = false
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    const sign = text[at]
    if (sign === '"' && text[at - 1] !== '\\') quoted = !quoted
    if (!quoted && (sign === '[' || sign === '{')) depth++
    if (!quoted && (sign === ']' || sign === '}')) depth--
    if (at < text.length && (sign !== ',' || quoted || depth > 0)) continue
    pieces.push(text.slice(from, at).trim())
    from = at + 1
  }
  return pieces.filter(part => part !== '')
}
