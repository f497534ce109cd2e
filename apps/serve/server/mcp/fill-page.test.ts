import { expect, test } from 'vitest'
import { fillPage, maxReply, type ReplyPage } from './fill-page.ts'

const lines = (words: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ item: { row: `s${at}` }, words }))

test('pages hold every line once and fit a reply, also where JSON makes a text longer', () => {
  for (const words of [
    'short',
    '"'.repeat(20_000),
    '\u0001'.repeat(5000),
    '\u{1f3ac}'.repeat(4000),
    'a\n"b" '.repeat(300),
  ]) {
    const all = lines(words, 60)
    const seen: string[] = []
    let cursor: string | undefined = '0'
    while (cursor !== undefined) {
      const page: ReplyPage<{ row: string }> = fillPage(all, cursor)
      expect(page.items.length).toBeGreaterThan(0)
      expect(JSON.stringify({ items: page.items, words: page.words.join('\n') }).length).toBeLessThan(maxReply - 500)
      seen.push(...page.items.map(({ row }) => row))
      cursor = page.cursor
    }
    expect(seen).toEqual(all.map(({ item }) => item.row))
  }
})

test('what is said before takes its share; where nothing is left the lines are counted', () => {
  expect(fillPage(lines('x'.repeat(1000), 20), '0', 5000).items.length).toBe(1)
  expect(fillPage(lines('x'.repeat(1000), 20), '0', 6500)).toMatchObject({ items: [], left: 20 })
  expect(fillPage(lines('x', 2), '9')).toMatchObject({ items: [], left: 0 })
})
