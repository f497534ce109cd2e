import { expect, test } from 'vitest'
import { resolveConfig } from '../../../config/resolve.ts'
import { effortAdvice, graphFor, withGraph } from './choose-models.ts'

test.each([
  ['qwen3-vl:32b', 'converse'],
  ['openai/gpt-5.6', 'converse'],
  ['Qwen/Qwen3-VL-8B-Instruct', 'converse'],
  ['qwen3.5:4b', 'investigate'],
  ['my-own-model', 'investigate'],
  ['SmolLM2-135M-Instruct', 'retrieve-and-write'],
  ['gemma3:1b', 'retrieve-and-write'],
])('%s plans in the graph %s', (model, graph) => {
  expect(graphFor({ backend: 'openai', model })).toBe(graph)
})

test("a file of one's own plans by the size that its name says", () => {
  const inProcess = { backend: 'llama-cpp', folder: 'models', file: 'SmolLM2-135M-Instruct.Q4_1.gguf' }
  expect(graphFor(inProcess)).toBe('retrieve-and-write')
  expect(graphFor({ ...inProcess, file: 'Qwen3-4B-Q4_K_M.gguf' })).toBe('investigate')
})

test('a large model whose server takes no tool calls follows investigate, and the line says why', async () => {
  const model = 'Qwen/Qwen3-VL-32B-Instruct'
  expect(graphFor({ backend: 'openai', model, toolMode: 'schema' })).toBe('investigate')
  expect(graphFor({ backend: 'openai', model, toolMode: 'auto' })).toBe('converse')
  const config = await chosen('effort=high', 'models.planner.toolMode=schema')
  expect(effortAdvice(config, withGraph(config))).toBe(
    'gpt-5.6: its server takes no tool calls, so code steers the search and checks (graph investigate; --graph converse overrides it).',
  )
})

test('rules follow investigate', () => {
  expect(graphFor({ backend: 'rules' })).toBe('investigate')
})

const chosen = async (...set: string[]) => {
  const roles = ['planner', 'writer', 'vision'].flatMap(role => [
    `models.${role}.backend=openai`,
    `models.${role}.model=gpt-5.6`,
  ])
  return resolveConfig({
    cwd: '/',
    environment: {},
    search: false,
    flags: { set: ['model=openai/gpt-5.6', ...roles, ...set] },
  })
}

test('who names a model reads in one line how it answers and what a higher effort adds and costs', async () => {
  const config = await chosen('prices={"openai/gpt-5.6":{"input":2,"output":10}}')
  const line = effortAdvice(config, withGraph(config))
  expect(line).toBe(
    'gpt-5.6: it is large and calls tools, so it answers in one conversation (graph converse). --effort high adds captions and a written overview of each video ("longtake index VIDEO --effort high --dry-run" says what they cost), up to 512 frames and 400,000 tokens, at most 4.00 by your prices, a question (now 256 and 120,000)',
  )
})

test('who chose a high effort is offered no more, and who named no model reads nothing', async () => {
  const high = await chosen('effort=high')
  expect(effortAdvice(high, withGraph(high))).toBe(
    'gpt-5.6: it is large and calls tools, so it answers in one conversation (graph converse).',
  )
  const none = await resolveConfig({ cwd: '/', environment: {}, search: false })
  expect(effortAdvice(none, withGraph(none))).toBeUndefined()
})
