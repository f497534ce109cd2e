import { expect, test } from 'vitest'
import { type ChatMessage, textContent } from '../../../src/core/chat.ts'
import { mediaAfterResults } from './chat-over-transport.ts'

const picture = (n: number) => ({ type: 'image' as const, jpeg: new Uint8Array([n]), time: n })
const result = (call: string, name: string, ...pictures: number[]): ChatMessage => ({
  role: 'tool',
  call,
  name,
  content: [...textContent(`rows of ${name}`), ...pictures.map(picture)],
})

test('pictures of results follow all results of their round in one user message, in their order', () => {
  const asked: ChatMessage = { role: 'user', content: textContent('Go on.') }
  const round = [result('a', 'skim', 1), result('b', 'search'), result('c', 'look', 2, 3)]
  expect(mediaAfterResults([...round, asked, result('d', 'look', 4)])).toEqual([
    result('a', 'skim'),
    result('b', 'search'),
    result('c', 'look'),
    {
      role: 'user',
      content: [
        ...textContent('From the result of skim:'),
        picture(1),
        ...textContent('From the result of look:'),
        picture(2),
        picture(3),
        ...textContent('Go on.'),
      ],
    },
    result('d', 'look'),
    { role: 'user', content: [...textContent('From the result of look:'), picture(4)] },
  ])
})

test('the label of a picture goes with it, and the words of the result stay', () => {
  const labelled: ChatMessage = {
    role: 'tool',
    call: 'a',
    name: 'view',
    content: [
      ...textContent('found.'),
      ...textContent('p1 0:01.0:'),
      picture(1),
      ...textContent('p2 0:02.0:'),
      picture(2),
      ...textContent('Gone: p0'),
    ],
  }
  expect(mediaAfterResults([labelled])).toEqual([
    { ...labelled, content: [...textContent('found.'), ...textContent('Gone: p0')] },
    {
      role: 'user',
      content: [
        ...textContent('From the result of view:'),
        ...textContent('p1 0:01.0:'),
        picture(1),
        ...textContent('p2 0:02.0:'),
        picture(2),
      ],
    },
  ])
})

test('a conversation without pictures in results stays as it is', () => {
  const messages: ChatMessage[] = [
    { role: 'user', content: [...textContent('See:'), picture(1)] },
    result('a', 'search'),
  ]
  expect(mediaAfterResults(messages)).toEqual(messages)
})
