import { nearest } from '../errors.ts'
import { shallowJson } from '../json.ts'
import { formatTime, parseTime } from '../time.ts'
import type { Tool } from '../tool.ts'
import { toolCard } from './tool-card.ts'

export type Prepared = { input: unknown; notes: string[] } | { refusal: string; notes: string[] }

type Arguments = Record<string, unknown>
type Property = { type?: string; enum?: unknown[]; items?: Property; anyOf?: Property[] }

// Small models get arguments nearly right. Where the meaning is plain the call is mended and the mending noted; otherwise the
// planner is told what is wrong.
export function prepareArguments(tool: Tool, given: unknown, duration: number): Prepared {
  const notes: string[] = []
  const schema = toolCard(tool).parameters as {
    properties?: Record<string, Property>
    required?: string[]
  }
  const properties = schema.properties ?? {}
  const start = asObject(given, properties, schema.required ?? [])
  if (!start) return { refusal: `The arguments of ${tool.name} must be a JSON object${listKeys(properties)}.`, notes }
  const named = renameTimes(start, properties, notes)
  const typed = coerce(named, properties, notes)
  const timed = repairTimes(typed, duration, notes)
  const parsed = tool.input.safeParse(timed)
  if (parsed.success) return { input: parsed.data, notes }
  const wrong = parsed.error.issues.map(issue => `${issue.path.join('.') || 'arguments'}: ${issue.message}`).join('; ')
  return { refusal: `${tool.name}: ${wrong}${listKeys(properties)}.`, notes }
}

function asObject(given: unknown, properties: Record<string, Property>, required: string[]): Arguments | undefined {
  if (given === undefined || given === null || given === '') return {}
  if (typeof given === 'string') {
    try {
      const parsed = shallowJson(given)
      if (parsed && typeof parsed === 'object') return asObject(parsed, properties, required)
    } catch {
      // not JSON: a bare string is the one text that the tool asks for
    }
    const [only] = required
    if (only === undefined || required.length > 1 || properties[only]?.type !== 'string') return undefined
    return { [only]: given }
  }
  if (typeof given !== 'object' || Array.isArray(given)) return undefined
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined))
}

const otherNames: Record<string, string[]> = {
  start: ['start_time', 'startTime', 'begin', 'from', 'start_sec'],
  end: ['end_time', 'endTime', 'to', 'until', 'end_sec'],
  tracks: ['modality', 'modalities', 'track'],
  k: ['max_results', 'limit', 'top_k', 'n'],
  query: ['q', 'text', 'search', 'question', 'about'],
  question: ['query', 'prompt'],
  claim: ['statement', 'text', 'query'],
}

function renameTimes(given: Arguments, properties: Record<string, Property>, notes: string[]): Arguments {
  const named: Arguments = {}
  for (const [key, value] of Object.entries(given)) {
    if (key in properties) {
      named[key] = value
      continue
    }
    const name = Object.keys(properties).find(property => otherNames[property]?.includes(key))
    const span = 'start' in properties ? readSpan(value) : undefined
    if (name && !(name in given)) {
      named[name] = value
      notes.push(`"${key}" was read as "${name}".`)
    } else if (span && /span|time|range|stamp|window|interval/i.test(key)) {
      Object.assign(named, span)
      notes.push(`"${key}" was read as start and end.`)
    } else notes.push(`"${key}" is not an argument of this tool and was left out.`)
  }
  return named
}

// { start, end }, [start, end] or "1:00-1:30".
function readSpan(value: unknown): { start: unknown; end: unknown } | undefined {
  if (Array.isArray(value) && value.length === 2) return { start: value[0], end: value[1] }
  if (value && typeof value === 'object' && 'start' in value && 'end' in value)
    return { start: value.start, end: value.end }
  const match = typeof value === 'string' ? /^\s*\[?([\d:.]+)\s*(?:-|–|to)\s*([\d:.]+)\]?\s*$/.exec(value) : null
  return match ? { start: match[1], end: match[2] } : undefined
}

function coerce(given: Arguments, properties: Record<string, Property>, notes: string[]): Arguments {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const mended = coerceValue(value, properties[key])
      if (mended !== value) notes.push(`${key}: ${JSON.stringify(value)} was read as ${JSON.stringify(mended)}.`)
      return [key, mended]
    }),
  )
}

function coerceValue(value: unknown, property: Property = {}): unknown {
  const kind = property.type ?? property.anyOf?.find(one => one.type && one.type !== 'null')?.type
  if ((kind === 'number' || kind === 'integer') && typeof value === 'string') {
    const time = parseTime(value)
    return time === undefined ? value : kind === 'integer' ? Math.round(time) : time
  }
  if (kind === 'integer' && typeof value === 'number' && !Number.isInteger(value)) return Math.round(value)
  if (kind === 'array') {
    const list = Array.isArray(value) ? value : typeof value === 'string' ? splitList(value) : [value]
    const mended = list.flatMap(item => coerceItem(item, property.items))
    return Array.isArray(value) && mended.length === value.length && mended.every((item, i) => item === value[i])
      ? value
      : mended
  }
  if (kind === 'string' && typeof value === 'number') return String(value)
  if (kind === 'string' && Array.isArray(value) && value.every(isWord)) return value.join(' ')
  if (kind === 'boolean' && typeof value === 'string')
    return value === 'true' ? true : value === 'false' ? false : value
  return value
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

function splitList(value: string): string[] {
  const inner = value.trim().replace(/^\[|\]$/g, '')
  return inner
    .split(/(?<!\s)\s*[,|]\s*/)
    .map(item => item.replace(/^["']|["']$/g, ''))
    .filter(Boolean)
}

const trackNames: Record<string, string[]> = {
  audio: ['speech', 'sound'],
  transcript: ['speech'],
  asr: ['speech'],
  voice: ['speech'],
  ocr: ['text'],
  screen: ['text'],
  visual: ['picture', 'text'],
  video: ['picture', 'text'],
  image: ['picture'],
  frame: ['picture'],
  all: [],
}

function coerceItem(item: unknown, property: Property | undefined): unknown[] {
  const allowed = property?.enum
  if (!allowed || allowed.includes(item) || typeof item !== 'string') return [item]
  const lower = item.toLowerCase()
  const trackNamesMeant = Object.hasOwn(trackNames, lower) ? trackNames[lower] : undefined
  if (trackNamesMeant?.every(name => allowed.includes(name))) return trackNamesMeant
  return [nearest(lower, allowed.map(String)) ?? item]
}

const shortest = 5 // seconds around a moment, where a span without length was asked for

function repairTimes(given: Arguments, duration: number, notes: string[]): Arguments {
  const mended = { ...given }
  for (const key of ['start', 'end', 'before', 'after']) {
    const value = mended[key]
    if (typeof value !== 'number') continue
    const clamped = Math.min(Math.max(0, value), duration)
    if (clamped === value) continue
    mended[key] = clamped
    notes.push(`${key} ${formatTime(value)} lies outside the video and was set to ${formatTime(clamped)}.`)
  }
  const { start, end } = mended
  if (typeof start !== 'number' || typeof end !== 'number') return mended
  if (end < start) {
    Object.assign(mended, { start: end, end: start })
    notes.push('start and end were swapped.')
  } else if (start === end) {
    const from = Math.max(0, Math.min(start, duration) - shortest / 2)
    Object.assign(mended, { start: from, end: Math.min(duration, from + shortest) })
    notes.push(`a span without length was widened to ${shortest} seconds.`)
  }
  return mended
}

function listKeys(properties: Record<string, Property>): string {
  const keys = Object.keys(properties)
  return keys.length > 0 ? `; it takes ${keys.join(', ')}` : ''
}
