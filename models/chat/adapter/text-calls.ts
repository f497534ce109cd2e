import type { ToolCard } from '../../../src/core/chat.ts'
import { looseJson } from './loose-json.ts'
import { argumentsFrom, type FoundCall, parseCalls, toolName } from './text-calls/found-call.ts'
import { functionTags, keyValueTags } from './text-calls/xml-calls.ts'

interface TextCalls {
  calls: FoundCall[]
  text: string // the rest of the reply
}

// Marks of tool calls that a server left in the text. A mark that is never closed runs to the end of the text.
const marks: { open: RegExp; close: RegExp }[] = [
  {
    open: /<(tool_calls?|toolcall|function_calls?|minimax:tool_call)>/i,
    close: /<\/(tool_calls?|toolcall|function_calls?|minimax:tool_call)>/i,
  },
  {
    open: /<(?=(?:function|invoke)(?:=|\s+name=))/i,
    close: /(?<=<\/(?:function|invoke)>)(?!\s*<(?:function|invoke)[= ])/i,
  },
  { open: /<\|tool_call(?:_start)?\|>/, close: /<\|\/tool_call\|>|<\|tool_call_end\|>|<\|end\|>/ },
  { open: /<\|tool_calls_section_begin\|>/, close: /<\|tool_calls_section_end\|>/ },
  { open: /<｜tool▁calls▁begin｜>/, close: /<｜tool▁calls▁end｜>/ },
  { open: /<\|python_tag\|>/, close: /<\|eom_id\|>|<\|eot_id\|>/ },
  { open: /\[TOOL_CALLS\]/, close: /<\/s>/ },
]

// The first place where a call may begin: text before it can be shown while the reply streams.
export const callMark = new RegExp(marks.map(mark => mark.open.source).join('|'), 'i')

// Finds tool calls in the text of a reply. Marked calls are accepted whatever tool they name; unmarked ones (bare JSON,
// a code block, search(...), "Action: search") only if they name a tool that was offered. `cutShort`: the reply ended
// at its length limit, so an unclosed call does not count.
export function readTextCalls(text: string, tools: readonly ToolCard[], cutShort = false): TextCalls {
  const marked = readMarked(text, tools, cutShort)
  return marked.calls.length > 0 ? marked : readUnmarked(text, new Set(tools.map(tool => tool.name)))
}

function readMarked(text: string, tools: readonly ToolCard[], cutShort: boolean): TextCalls {
  const calls: FoundCall[] = []
  const opens = openings(text)
  let rest = ''
  let at = 0
  for (;;) {
    const next = nextMark(text, at, opens)
    if (!next) return { calls, text: (rest + text.slice(at)).trim() }
    const bodyCalls = readBody(next.body, tools, cutShort && !next.closed)
    calls.push(...bodyCalls)
    rest += bodyCalls.length > 0 ? next.before : next.before + next.whole
    at = next.after
  }
}

type Opening = { mark: (typeof marks)[number]; match: RegExpExecArray }

// Finds the next opening mark. Caches the next match of each mark, because a reply may hold thousands of marks.
function openings(text: string): (from: number) => Opening | undefined {
  const searches = marks.map(mark => ({ mark, open: new RegExp(mark.open, `g${mark.open.flags}`) }))
  const nextMatches = new Map<(typeof marks)[number], RegExpExecArray | null>()
  return from => {
    for (const { mark, open } of searches) {
      const lastMatch = nextMatches.get(mark)
      if (lastMatch === null || (lastMatch && lastMatch.index >= from)) continue
      open.lastIndex = from
      nextMatches.set(mark, open.exec(text))
    }
    return [...nextMatches]
      .flatMap(([mark, match]) => (match ? [{ mark, match }] : []))
      .sort((a, b) => a.match.index - b.match.index)[0]
  }
}

function nextMark(text: string, at: number, opens: (from: number) => Opening | undefined) {
  const opening = opens(at)
  if (!opening) return undefined
  const start = opening.match.index
  // A lookahead mark (<function=) matches only "<": the body starts with the tag itself.
  const from = opening.match[0] === '<' ? start : start + opening.match[0].length
  const end = opening.mark.close.exec(text.slice(from))
  const until = end ? from + end.index : text.length
  const after = end ? until + end[0].length : text.length
  return {
    before: text.slice(at, start),
    body: text.slice(from, until),
    whole: text.slice(start, after),
    after,
    closed: end !== null,
  }
}

function readBody(body: string, tools: readonly ToolCard[], cut: boolean): FoundCall[] {
  if (/<(function|invoke)(=|\s+name=)/.test(body))
    return cut && !/<\/(function|invoke)>\s*$/.test(body) ? [] : functionTags(body, tools)
  if (/<arg_key>/.test(body)) return cut ? [] : keyValueTags(body, tools)
  const named = namedJson(body)
  if (named.length > 0) return named
  const listed = jsonCalls(body, cut)
  return listed.length > 0 ? listed : pythonCalls(body, undefined)
}

// search[ARGS]{...}, functions.search:0<|...|>{...}, function<sep>search + a code block: a name before its arguments.
function namedJson(body: string): FoundCall[] {
  const plain = body.replace(/(^|\W)function<｜tool▁sep｜>/g, '$1')
  const head =
    /(?:^|[>\]\s])([A-Za-z_][\w.-]*(?::\d+)?)(?:\[CALL_ID\][\w-]*|\[ARGS\]|<[^>\n]{1,40}>|```(?:json)?|\s)+(?=\{)/g
  const calls: FoundCall[] = []
  for (let match = head.exec(plain); match; match = head.exec(plain)) {
    const read = looseJson(plain, head.lastIndex)
    if (!read || read.cut === 'value') return []
    calls.push({ name: toolName(match[1] ?? ''), arguments: read.value })
    head.lastIndex = read.end
  }
  return calls
}

// One or more JSON values. A call that cannot be parsed keeps its raw text as arguments.
function jsonCalls(body: string, cut: boolean): FoundCall[] {
  const calls: FoundCall[] = []
  let at = nextBracket(body, 0)
  while (at >= 0) {
    const read = looseJson(body, at)
    const whole = read && (read.cut === 'no' || (read.cut === 'brackets' && !cut))
    if (whole) calls.push(...parseCalls(read.value))
    else if (!cut) calls.push(...salvaged(body.slice(at)))
    at = read && read.cut === 'no' ? nextBracket(body, read.end) : -1
  }
  return calls
}

function nextBracket(text: string, from: number): number {
  const offset = text.slice(from).search(/[{[]/)
  return offset < 0 ? -1 : from + offset
}

function salvaged(text: string): FoundCall[] {
  const name = /["']?(?:name|tool|action)["']?\s*:\s*["']([\w.:-]+)["']/.exec(text)?.[1]
  return name ? [{ name: toolName(name), arguments: text.trim() }] : []
}

function readUnmarked(text: string, known: ReadonlySet<string>): TextCalls {
  const trimmed = text.trim()
  const whole = wholeJson(trimmed)
  if (whole !== undefined) {
    const calls = parseCalls(whole, known)
    if (calls.length > 0) return { calls, text: '' }
  }
  const python = trimmed === '' ? [] : pythonCalls(trimmed, known)
  if (python.length > 0) return { calls: python, text: '' }
  return (
    readFenced(text, known) ?? readAction(text, known) ?? readTrailing(trimmed, known) ?? { calls: [], text: trimmed }
  )
}

function wholeJson(text: string): unknown {
  if (!/^[{[]/.test(text)) return undefined
  const values: unknown[] = []
  let at = 0
  while (at < text.length) {
    const read = looseJson(text, at)
    if (!read || read.cut === 'value') return undefined
    values.push(read.value)
    at = read.end
    at += /^[\s;,]*/.exec(text.slice(at))?.[0].length ?? 0
  }
  return values
}

function readFenced(text: string, known: ReadonlySet<string>): TextCalls | undefined {
  const fence = /```[\w-]*[ \t]*\r?\n?([\s\S]*?)```/g
  const calls: FoundCall[] = []
  const remainder = text.replace(fence, (block, inner: string) => {
    const blockCalls = fencedCalls(inner.trim(), known)
    calls.push(...blockCalls)
    return blockCalls.length > 0 ? '' : block
  })
  return calls.length > 0 ? { calls, text: remainder.trim() } : undefined
}

function fencedCalls(inner: string, known: ReadonlySet<string>): FoundCall[] {
  const value = wholeJson(inner)
  return value === undefined ? pythonCalls(inner, known) : parseCalls(value, known)
}

// Action: search / Action Input: {"query": "red car"}
function readAction(text: string, known: ReadonlySet<string>): TextCalls | undefined {
  const match = /^[ \t]*Action:[ \t]*([\w.-]+)[ \t]*\r?\n[ \t]*Action Input:[ \t]*([\s\S]*)$/im.exec(text)
  const [, written = '', given = ''] = match ?? []
  const name = toolName(written)
  if (!match || !known.has(name)) return undefined
  const input = given.replace(/^[ \t]*Observation:[\s\S]*/im, '').trim()
  return { calls: [{ name, arguments: argumentsFrom(input) }], text: text.slice(0, match.index).trim() }
}

// Prose, then one JSON object on its own lines, up to the end, that names a tool.
function readTrailing(text: string, known: ReadonlySet<string>): TextCalls | undefined {
  const start = /^[{[]/m.exec(text)
  if (!start) return undefined
  const value = wholeJson(text.slice(start.index))
  const calls = value === undefined ? [] : parseCalls(value, known)
  return calls.length > 0 ? { calls, text: text.slice(0, start.index).trim() } : undefined
}

// search(query="red car", k=3), alone or in a list: the whole text must be calls of known tools, or it is prose.
function pythonCalls(text: string, known: ReadonlySet<string> | undefined): FoundCall[] {
  const inner = text.trim().replace(/^\[([\s\S]*)\]$/, '$1')
  const calls: FoundCall[] = []
  let at = 0
  while (at < inner.length) {
    const head = /\s*(?:[,;]\s*)?([A-Za-z_][\w.]*)\s*\(/y
    head.lastIndex = at
    const match = head.exec(inner)
    if (!match) return /^\s*$/.test(inner.slice(at)) ? calls : []
    const name = toolName(match[1] ?? '')
    if (known && !known.has(name)) return []
    const read = readArguments(inner, head.lastIndex)
    if (!read) return []
    calls.push({ name, arguments: read.values })
    at = read.end
  }
  return calls
}

function readArguments(text: string, start: number): { values: Record<string, unknown>; end: number } | undefined {
  const values: Record<string, unknown> = {}
  let at = start
  for (;;) {
    const rest = /\s*,?\s*/y
    rest.lastIndex = at
    rest.exec(text)
    at = rest.lastIndex
    if (text[at] === ')') return { values, end: at + 1 }
    const key = /([A-Za-z_]\w*)\s*=\s*/y
    key.lastIndex = at
    const match = key.exec(text)
    if (!match) return undefined
    const value = looseJson(text, key.lastIndex)
    if (value?.cut !== 'no') return undefined
    values[match[1] ?? ''] = value.value
    at = value.end
  }
}
