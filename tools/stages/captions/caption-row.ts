import type { Caption } from '../../../src/core/brief.ts'
import type { Finding } from '../../../src/core/evidence.ts'
import { formatTime, type Span } from '../../../src/core/time.ts'

// The caption as one row. Each event has the time of the frame that shows it, which the model named by its number.
export function captionRow(span: Span, times: readonly number[], caption: Caption): Finding {
  const events = [...caption.events].sort((a, b) => a.frame - b.frame)
  const eventTexts = events.map(({ frame, text }, at) => {
    const time = times[frame - 1]
    const isNew = at > 0 && frame !== events[at - 1]?.frame
    return isNew && time !== undefined ? `At ${formatTime(time)}: ${sentence(text)}` : sentence(text)
  })
  const people = caption.people.flatMap(({ name, looks, does }) => {
    const who = [name, looks].map(part => part.trim()).filter(Boolean)
    return who.length > 0 ? [[who.join(', '), does.trim()].filter(Boolean).join(': ')] : []
  })
  const parts = [
    ...eventTexts,
    ...labelledLine('People', people, '; '),
    ...labelledLine('Place', [caption.place]),
    ...labelledLine('Objects', caption.objects),
    ...labelledLine(
      'Text',
      caption.text.map(line => (line.trim() ? `"${line.trim()}"` : '')),
    ),
    ...labelledLine('Camera', [caption.camera]),
  ]
  return { span, track: 'caption', text: parts.join(' '), frame: times[(events[0]?.frame ?? 1) - 1] }
}

function labelledLine(name: string, values: readonly string[], between = ', '): string[] {
  const filled = values.map(value => value.trim()).filter(Boolean)
  return filled.length > 0 ? [`${name}: ${sentence(filled.join(between))}`] : []
}

function sentence(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return /[.!?…]["')\]]?$/.test(plain) ? plain : `${plain}.`
}
