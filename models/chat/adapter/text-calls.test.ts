import { describe, expect, test } from 'vitest'
import type { ToolCard } from '../../../src/core/chat.ts'
import { processorTime } from '../../../tests/support/processor-time.ts'
import { readTextCalls } from './text-calls.ts'

const tools: ToolCard[] = [
  {
    name: 'search',
    description: '',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, k: { type: 'number' }, tracks: { type: 'array' } },
    },
  },
  { name: 'look', description: '', parameters: { type: 'object', properties: { start: { type: 'number' } } } },
  { name: 'overview', description: '', parameters: { type: 'object', properties: {} } },
]
const search = { name: 'search', arguments: { query: 'red car', k: 3 } }
const look = { name: 'look', arguments: { start: 12.5 } }
const overview = { name: 'overview', arguments: {} }

// Each text, and the calls that it stands for.
const understood: [string, string, object[]][] = [
  [
    'Hermes and Qwen',
    '<tool_call>\n{"name": "search", "arguments": {"query": "red car", "k": 3}}\n</tool_call>',
    [search],
  ],
  [
    'arguments that are JSON in a string',
    '<tool_call>{"name":"search","arguments":"{\\"query\\":\\"red car\\",\\"k\\":3}"}</tool_call>',
    [search],
  ],
  [
    'two tags',
    '<tool_call>{"name":"search","arguments":{"query":"red car","k":3}}</tool_call>\n<tool_call>{"name":"look","arguments":{"start":12.5}}</tool_call>',
    [search, look],
  ],
  [
    'two calls in one tag',
    '<tool_call>\n{"name":"search","arguments":{"query":"red car","k":3}}\n{"name":"look","arguments":{"start":12.5}}\n</tool_call>',
    [search, look],
  ],
  [
    'a list in one tag',
    '<tool_calls>[{"name":"search","arguments":{"query":"red car","k":3}},{"name":"look","arguments":{"start":12.5}}]</tool_calls>',
    [search, look],
  ],
  [
    'a tag that is never closed',
    'I will search.\n<tool_call>{"name":"search","arguments":{"query":"red car","k":3}}',
    [search],
  ],
  [
    'a forgotten last bracket',
    '<tool_call>{"name":"search","arguments":{"query":"red car","k":3}</tool_call>',
    [search],
  ],
  ['a forgotten last bracket and tag', '<tool_call>{"name":"search","arguments":{"query":"red car","k":3}', [search]],
  ['one bracket too many', '<tool_call>{"name":"search","arguments":{"query":"red car","k":3}}}</tool_call>', [search]],
  ['single quotes', "<tool_call>{'name': 'search', 'arguments': {'query': 'red car', 'k': 3}}</tool_call>", [search]],
  ['curly quotes', '<tool_call>{“name”: “search”, “arguments”: {“query”: “red car”, “k”: 3}}</tool_call>', [search]],
  [
    'bare keys, trailing commas, a comment',
    '<tool_call>{name: "search", arguments: {query: "red car", k: 3,}, /* go */}</tool_call>',
    [search],
  ],
  [
    'a code block in a tag',
    '<tool_call>\n```json\n{"name":"search","arguments":{"query":"red car","k":3}}\n```\n</tool_call>',
    [search],
  ],
  ['no arguments', '<tool_call>{"name":"overview"}</tool_call>', [overview]],
  ['null arguments', '<tool_call>{"name":"overview","arguments":null}</tool_call>', [overview]],
  ['empty string as arguments', '<tool_call>{"name":"overview","arguments":""}</tool_call>', [overview]],
  [
    'OpenAI shape in a tag',
    '<tool_call>{"id":"1","type":"function","function":{"name":"search","arguments":"{\\"query\\":\\"red car\\",\\"k\\":3}"}}</tool_call>',
    [search],
  ],
  ['arguments beside the name', '<tool_call>{"name":"search","query":"red car","k":3}</tool_call>', [search]],
  [
    'Qwen3-Coder',
    '<tool_call>\n<function=search>\n<parameter=query>\nred car\n</parameter>\n<parameter=k>\n3\n</parameter>\n</function>\n</tool_call>',
    [search],
  ],
  [
    'function tags alone',
    '<function=search><parameter=query>red car</parameter><parameter=k>3</parameter></function>',
    [search],
  ],
  [
    'function tags, two of them',
    '<function=search><parameter=query>red car</parameter><parameter=k>3</parameter></function>\n<function=look><parameter=start>12.5</parameter></function>',
    [search, look],
  ],
  [
    'function tags, the parameter never closed',
    '<function=search><parameter=query>red car<parameter=k>3</function>',
    [search],
  ],
  [
    'a number that the schema calls a string',
    '<function=search><parameter=query>1984</parameter></function>',
    [{ name: 'search', arguments: { query: '1984' } }],
  ],
  ['Llama 3.1 with JSON', '<function=search>{"query": "red car", "k": 3}</function>', [search]],
  ['Llama 3.1, never closed', '<function=search>{"query": "red car", "k": 3}', [search]],
  ['Llama 3 bare', '{"name": "search", "parameters": {"query": "red car", "k": 3}}', [search]],
  [
    'Llama 3, several with semicolons',
    '{"name": "search", "parameters": {"query": "red car", "k": 3}}; {"name": "look", "parameters": {"start": 12.5}}',
    [search, look],
  ],
  [
    'Llama 3 python tag',
    '<|python_tag|>{"name": "search", "parameters": {"query": "red car", "k": 3}}<|eom_id|>',
    [search],
  ],
  ['Llama 4 python', '[search(query="red car", k=3), look(start=12.5)]', [search, look]],
  [
    'python with lists and None',
    'search(query="red car", tracks=["speech", "text"], k=None)',
    [{ name: 'search', arguments: { query: 'red car', tracks: ['speech', 'text'], k: null } }],
  ],
  ['LFM2', '<|tool_call_start|>[search(query="red car", k=3)]<|tool_call_end|>', [search]],
  ['Mistral list', '[TOOL_CALLS] [{"name": "search", "arguments": {"query": "red car", "k": 3}}]', [search]],
  ['Mistral by name', '[TOOL_CALLS]search[ARGS]{"query": "red car", "k": 3}', [search]],
  ['Mistral by name with an id', '[TOOL_CALLS]search[CALL_ID]a1b2[ARGS]{"query": "red car", "k": 3}', [search]],
  ['Granite', '<|tool_call|>[{"name": "search", "arguments": {"query": "red car", "k": 3}}]', [search]],
  [
    'DeepSeek R1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{"query": "red car", "k": 3}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [search],
  ],
  [
    'DeepSeek V3.1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{"query": "red car", "k": 3}<｜tool▁call▁end｜><｜tool▁call▁begin｜>look<｜tool▁sep｜>{"start": 12.5}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [search, look],
  ],
  [
    'Kimi K2',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"query": "red car", "k": 3}<|tool_call_end|><|tool_calls_section_end|>',
    [search],
  ],
  [
    'GLM 4.5',
    '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>red car</arg_value>\n<arg_key>k</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
    [search],
  ],
  [
    'invoke tags',
    '<function_calls>\n<invoke name="search">\n<parameter name="query">red car</parameter>\n<parameter name="k">3</parameter>\n</invoke>\n</function_calls>',
    [search],
  ],
  [
    'a JSON code block',
    'Let me look.\n```json\n{"name": "search", "arguments": {"query": "red car", "k": 3}}\n```',
    [search],
  ],
  [
    'a code block without a language, Windows lines',
    '```\r\n{"tool": "search", "tool_input": {"query": "red car", "k": 3}}\r\n```',
    [search],
  ],
  ['a code block in Python', '```python\nsearch(query="red car", k=3)\n```', [search]],
  [
    'a code block of tool_call',
    '```tool_call\n{"name": "search", "arguments": {"query": "red car", "k": 3}}\n```',
    [search],
  ],
  [
    'tool_calls in an object',
    '{"tool_calls": [{"function": {"name": "search", "arguments": {"query": "red car", "k": 3}}}]}',
    [search],
  ],
  [
    'ReAct',
    'Thought: I need to look.\nAction: search\nAction Input: {"query": "red car", "k": 3}\nObservation: none',
    [search],
  ],
  ['action and action_input', '{"action": "search", "action_input": {"query": "red car", "k": 3}}', [search]],
  ['the name as the key', '{"search": {"query": "red car", "k": 3}}', [search]],
  [
    'words, then JSON to the end',
    'I will search for it now.\n{"name": "search", "arguments": {"query": "red car", "k": 3}}',
    [search],
  ],
  [
    'with the prefix "functions."',
    '<tool_call>{"name":"functions.search","arguments":{"query":"red car","k":3}}</tool_call>',
    [search],
  ],
  [
    'line breaks and quotes in a string',
    '<tool_call>{"name":"search","arguments":{"query":"say \\"hi\\"\nand go"}}</tool_call>',
    [{ name: 'search', arguments: { query: 'say "hi"\nand go' } }],
  ],
  [
    'letters beyond ASCII',
    '<tool_call>{"name":"search","arguments":{"query":"r\\u00f6tes Auto 映画 🎬"}}</tool_call>',
    [{ name: 'search', arguments: { query: 'rötes Auto 映画 🎬' } }],
  ],
]

describe('a call is found that a model writes as', () => {
  for (const [name, text, calls] of understood)
    test(name, () => expect(readTextCalls(text, tools).calls).toEqual(calls))
})

describe('text that is no call stays text', () => {
  const prose = [
    'The red car appears at 0:12.',
    '{"answer": "red", "cites": ["s1"]}',
    '{"name": "Anna", "arguments": "none"}',
    '```json\n{"name": "Anna", "age": 3}\n```',
    'Use search(query) to find it (or look at it).',
    'if a < b then search',
    '[1, 2, 3]',
    'Action: leave\nAction Input: now',
    '',
  ]
  for (const text of prose)
    test(JSON.stringify(text), () => expect(readTextCalls(text, tools)).toEqual({ calls: [], text }))
})

test('what is said around a call is kept', () => {
  const text = 'First I search.\n<tool_call>{"name":"overview"}</tool_call>\nThen I look.'
  expect(readTextCalls(text, tools).text).toBe('First I search.\n\nThen I look.')
})

test('a mark names a call even where no such tool is offered, so that the model is told', () => {
  expect(readTextCalls('<tool_call>{"name":"fly","arguments":{"to":"Mars"}}</tool_call>', tools).calls).toEqual([
    { name: 'fly', arguments: { to: 'Mars' } },
  ])
})

test('a call whose arguments cannot be read keeps its name and the text of its arguments', () => {
  const text = '<tool_call>{"name": "search", "arguments": {"query": "red car, "k": 3}}</tool_call>'
  const { calls } = readTextCalls(text, tools)
  expect(calls).toHaveLength(1)
  expect(calls[0]!.name).toBe('search')
  expect(typeof calls[0]!.arguments).toBe('string')
})

test('a call that the length limit cut off is no call', () => {
  const cut = [
    '<tool_call>{"name": "search", "arguments": {"query": "red c',
    '<tool_call>{"name": "look", "arguments": {"start": 12',
    '<function=search><parameter=query>red c',
  ]
  for (const text of cut) expect(readTextCalls(text, tools, true).calls).toEqual([])
})

test('a call written into a hundred thousand brackets does not stop the program', () => {
  const deep = `<tool_call>${'{"name":['.repeat(100_000)}`
  const used = processorTime()
  expect(() => readTextCalls(deep, tools)).not.toThrow()
  expect(used()).toBeLessThan(1000)
})

test('every beginning of every form is read without an error, and never as a tool that was not named', () => {
  for (const [, text] of understood) {
    for (let length = 0; length <= text.length; length += 3) {
      for (const call of readTextCalls(text.slice(0, length), tools, true).calls) {
        expect(['search', 'look', 'overview']).toContain(call.name)
      }
    }
  }
})
