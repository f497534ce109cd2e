import { textLines } from './text-lines.ts'

interface ServerEvent {
  name: string // "message" by default
  data: string
  whole: boolean // false: the stream ended before the empty line that ends an event
}

// Server-sent events. Ignores comments (": ping") and the fields "id" and "retry".
export async function* serverEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let name = 'message'
  let data: string[] = []
  for await (const { line } of textLines(chunks)) {
    if (line === '') {
      if (data.length > 0) yield { name, data: data.join('\n'), whole: true }
      name = 'message'
      data = []
      continue
    }
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (field === 'data') data.push(value)
    else if (field === 'event') name = value
  }
  if (data.length > 0) yield { name, data: data.join('\n'), whole: false }
}
