import type { ChatModel, ChatRequest } from '../../src/core/chat.ts'
import { contentText } from '../../src/core/chat.ts'

// What a request for a part of an overview shows, read back.
export interface AskedStory {
  level: string
  pieces: { number: number; head: string; lines: string[]; ids: string[] }[]
  questions: string[]
  again: boolean
}

export function readAsked(level: string, shown: string): AskedStory {
  const [, body = ''] = /<data (?:clips|scenes|chapters)>\n([\s\S]*?)\n<\/data>/.exec(shown) ?? []
  const pieces: AskedStory['pieces'] = []
  for (const line of body.split('\n')) {
    const number = Number(/^(\d+)\. \[/.exec(line)?.[1])
    if (number === pieces.length + 1) pieces.push({ number, head: line, lines: [], ids: [] })
    else pieces.at(-1)?.lines.push(line)
  }
  for (const piece of pieces) piece.ids = piece.lines.join('\n').match(/\b[a-z][0-9a-f]{10}\b/g) ?? []
  const [, asked = ''] = /<data open questions>\n([\s\S]*?)\n<\/data>/.exec(shown) ?? []
  return {
    level,
    pieces,
    questions: asked.split('\n').filter(Boolean),
    again: shown.includes('<data faults>'),
  }
}

// Sums up by repeating: the first line of each piece, with its row; two pieces make a scene, and all scenes a chapter.
export function repeating(asked: AskedStory): object {
  const told = ({ lines, ids }: AskedStory['pieces'][number]) =>
    ids[0] ? [{ text: sentenceIn(lines[0] ?? ''), cites: [ids[0]] }] : []
  if (asked.level === 'clip')
    return { clips: asked.pieces.map(piece => ({ number: piece.number, sentences: told(piece) })) }
  if (asked.level === 'whole') return { sentences: asked.pieces.slice(0, 8).flatMap(told), open: [] }
  const size = asked.level === 'scene' ? 2 : asked.pieces.length
  const firsts = asked.pieces.filter((_, at) => at % size === 0)
  return {
    parts: firsts.map(piece => ({ first: piece.number, title: `the ${asked.level} of it`, sentences: told(piece) })),
    open: [],
  }
}

function sentenceIn(line: string): string {
  return line
    .replace(/^- /, '')
    .replace(/ \[[a-z0-9 ]+\]$/, '')
    .replace(/^[a-z][0-9a-f]{10} \S+ \w+(?: Speaker \d+)?: /, '')
}

// A writer by a function over what it was asked; keeps all that it was asked.
export function storyWriter(reply: (asked: AskedStory, count: number) => object | string) {
  const asked: AskedStory[] = []
  const requests: ChatRequest[] = []
  const model: ChatModel = {
    id: 'chat/test',
    accepts: new Set(['text']),
    async reply(request, signal) {
      signal.throwIfAborted()
      const one = readAsked(request.schema?.name ?? '', contentText(request.messages[1]?.content ?? []))
      requests.push(request)
      asked.push(one)
      const said = reply(one, asked.length)
      const text = typeof said === 'string' ? said : JSON.stringify(said)
      const letters = request.messages.reduce((sum, { content }) => sum + contentText(content).length, 0)
      const usage = { inputTokens: Math.ceil(letters / 4), outputTokens: Math.ceil(text.length / 4) }
      return { text, calls: [], stop: 'end', usage, model: 'test' }
    },
  }
  return { model, asked, requests }
}
