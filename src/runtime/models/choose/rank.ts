import type { ServedModel } from './found-server.ts'

// Which models of a server fill the chat roles.
interface Ranked<Model extends ServedModel> {
  text?: Model // plans, writes, checks and judges
  sees?: Model // looks at frames
}

// One that sees and calls tools does all; else the best for text, and the best that sees beside it. Models that embed, rank,
// transcribe, draw or speak do none of it.
export function rank<Model extends ServedModel>(models: readonly Model[]): Ranked<Model> {
  const ordered = models.filter(canChat).sort(betterFirst)
  const seeing = ordered.filter(model => model.sees === true)
  const all = seeing.find(model => model.callsTools === true)
  if (all) return { text: all, sees: all }
  const text = ordered.find(model => model.callsTools === true) ?? ordered.find(callsPerhaps) ?? ordered[0]
  return { text, sees: seeing[0] }
}

export function canChat(model: ServedModel): boolean {
  return model.chats !== false && !model.embeds && !model.transcribes
}

function callsPerhaps(model: ServedModel): boolean {
  return model.callsTools === undefined
}

// Usual models before special builds, newer families before older ones, higher versions and larger models first.
function betterFirst(a: ServedModel, b: ServedModel): number {
  return (
    Number(isSpecial(a)) - Number(isSpecial(b)) ||
    compare(b.since ?? '', a.since ?? '') ||
    parseVersion(b) - parseVersion(a) ||
    (b.size ?? 0) - (a.size ?? 0) ||
    Number(isSnapshot(a)) - Number(isSnapshot(b)) ||
    a.name.length - b.name.length ||
    compare(a.name, b.name)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function isSpecial({ name }: ServedModel): boolean {
  return /coder|codex|math|medical|med-?gemma|search|research|-pro(-|$)|preview|-exp(-|$)|base$|:free$|customtools/i.test(
    name,
  )
}

// "gpt-5.1-2025-11-13", "claude-sonnet-4-20250514": an alias names the newest of them.
function isSnapshot({ name }: ServedModel): boolean {
  return /\d{4}-?\d{2}-?\d{2}|-\d{3,4}$/.test(name)
}

// "gpt-5.2", "claude-opus-4-5", "qwen3.6": the first number of the name that is not a size.
function parseVersion({ name }: ServedModel): number {
  const [, whole, part] = /(?<![\d.])(\d{1,2})(?:[.-](\d{1,2}))?(?![\dbm])/i.exec(name.replace(/.*\//, '')) ?? []
  return whole === undefined ? 0 : Number(whole) + Number(part ?? 0) / 100
}
