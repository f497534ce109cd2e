import { describe, expect, test } from 'vitest'
import { splitThinking } from './thinking.ts'

describe('thinking is parted from the answer', () => {
  const cases: [string, string, { text: string; thinking?: string; open: boolean }][] = [
    ['none', 'Just so.', { text: 'Just so.', open: false }],
    ['a block before', '<think>\nWhat?\n</think>\n\nJust so.', { text: 'Just so.', thinking: 'What?', open: false }],
    ['an empty block', '<think>\n\n</think>\n\nJust so.', { text: 'Just so.', open: false }],
    ['two blocks', '<think>a</think>One. <think>b</think>Two.', { text: 'One. Two.', thinking: 'a\n\nb', open: false }],
    [
      'a block that the template opened',
      'What?\n</think>\nJust so.',
      { text: 'Just so.', thinking: 'What?', open: false },
    ],
    [
      'an unclosed block is no answer',
      '<think>I am not sure whether',
      { text: '', thinking: 'I am not sure whether', open: true },
    ],
    ['other tags', '<thinking>x</thinking>Yes', { text: 'Yes', thinking: 'x', open: false }],
    ['Magistral', '[THINK]x[/THINK]Yes', { text: 'Yes', thinking: 'x', open: false }],
    ['Kimi', '◁think▷x◁/think▷Yes', { text: 'Yes', thinking: 'x', open: false }],
    [
      'gpt-oss channels',
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes<|return|>',
      { text: 'Yes', thinking: 'Hm.', open: false },
    ],
    ['gpt-oss with analysis alone', '<|channel|>analysis<|message|>Hm.', { text: '', thinking: 'Hm.', open: true }],
    [
      'gpt-oss with a call',
      '<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"query":"a"}<|call|>',
      { text: '<function=search>{"query":"a"}</function>', open: false },
    ],
    ['a smaller-than sign', 'a < think about it', { text: 'a < think about it', open: false }],
  ]
  for (const [name, reply, expected] of cases) test(name, () => expect(splitThinking(reply)).toEqual(expected))
})
