import type { ItemView, ReviewData, ReviewStep } from '../../make/review/page-data.ts'
import type { ReviewVerdict } from '../../make/review/verdict.ts'
import { openDraft } from './draft.ts'

export interface ItemFilter {
  kind?: string
  flagged?: boolean
}

// Where items come from and verdicts go to: the server, or the memory of this page.
interface ReviewStore {
  next(filter: ItemFilter): Promise<ReviewStep>
  say(verdict: ReviewVerdict): Promise<void>
  undo(): Promise<ReviewStep>
  save?(name: string): string // as a file: its name
}

export async function askServer<Reply>(name: string, body: object): Promise<Reply> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const reply = await fetch(name, request).catch(() => {
    throw new Error(
      'The server does not answer. What you have written stays here: start the server again and press once more.',
    )
  })
  const content = await reply.json()
  if (!reply.ok) throw new Error([content.error.message, content.error.hint].filter(Boolean).join(' '))
  return content
}

const servedStore: ReviewStore = {
  next: filter => askServer('next', filter),
  say: verdict => askServer('say', verdict),
  undo: () => askServer('undo', {}),
}

type Line = ReviewVerdict & { at: string }

export function openReviewStore(data: ReviewData): ReviewStore {
  if (data.mode === 'served') return servedStore
  const { items = [], total, reviewer } = data
  const memory = openDraft<Line[]>(`longtake review of ${data.set}${reviewer ? ` by ${reviewer}` : ''}`)
  let lines = memory.read() ?? []
  let isSaved = lines.length === 0
  addEventListener('beforeunload', event => {
    if (!isSaved) event.preventDefault()
  })
  const change = (changed: Line[]) => {
    lines = changed
    isSaved = lines.length === 0
    memory.write(lines)
  }
  const isReviewed = (item: ItemView) => lines.some(line => line.item === item.id && line.itemHash === item.hash)
  // What was said of its events in this question or another of the video stands in this one.
  const withMarks = (item: ItemView): ItemView => {
    const { key, video, before } = item
    const { events } = key
    if (!events) return item
    const otherItems = new Set(
      items.filter(one => one.video === video && one.key.events?.of === events.of).map(one => one.id),
    )
    const knownLines = [...lines.filter(line => otherItems.has(line.item)), ...(before ? [before] : [])].flatMap(line =>
      Object.entries(line.events ?? {}).filter(([event]) => events.list.includes(event)),
    )
    return {
      ...item,
      key: { ...key, events: { ...events, marks: { ...events.marks, ...Object.fromEntries(knownLines) } } },
    }
  }
  const step = (item?: ItemView): ReviewStep => {
    const reviewedCount = items.filter(isReviewed).length
    return { ...(item && { item: withMarks(item) }), done: reviewedCount, left: items.length - reviewedCount, total }
  }
  return {
    async next({ kind, flagged }) {
      const fits = (item: ItemView) => (!kind || item.kind === kind) && (!flagged || item.flags.length > 0)
      return step(items.find(item => !isReviewed(item) && fits(item)))
    },
    async say(verdict) {
      change([...lines, { ...verdict, at: new Date().toISOString() }])
    },
    async undo() {
      const at = lines.findLastIndex(line => items.some(item => item.id === line.item))
      const before = lines[at]
      const item = items.find(item => item.id === before?.item)
      if (!before || !item) throw new Error('There is nothing to take back.')
      change(lines.toSpliced(at, 1))
      return step({ ...item, before: { reviewer: reviewer ?? '', ...before } })
    },
    save(name) {
      const text = lines.map(line => `${JSON.stringify({ reviewer: name, ...line })}\n`).join('')
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([text], { type: 'application/jsonl' }))
      link.download = `verdicts-${name}.jsonl`
      link.click()
      isSaved = true
      return `${lines.length} verdicts are in ${link.download}. Bring them back with: longtake bench review SET --import ${link.download}`
    },
  }
}
