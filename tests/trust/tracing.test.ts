import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { preprocess } from '../../src/runtime/index/preprocess.ts'
import { ask } from '../agent/ask.ts'
import { handMadeIndex } from '../agent/hand-made-index.ts'
import { lecture } from '../agent/lecture.ts'

const requests: string[] = []
const endpoint = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`)
  response.end('{}')
})

beforeAll(async () => {
  await new Promise<void>(resolve => endpoint.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`
  for (const family of ['LANGSMITH', 'LANGCHAIN']) {
    vi.stubEnv(`${family}_TRACING`, 'true')
    vi.stubEnv(`${family}_TRACING_V2`, 'true')
    vi.stubEnv(`${family}_ENDPOINT`, url)
    vi.stubEnv(`${family}_API_KEY`, 'canary')
  }
  vi.stubEnv('LANGCHAIN_CALLBACKS_BACKGROUND', 'false')
})
afterAll(() => {
  vi.unstubAllEnvs()
  endpoint.close()
})

// A traced run of LangGraph's own: what a leak looks like, and the sign that all that came before it has been sent.
async function tracedRun(): Promise<void> {
  const { Annotation, END, START, StateGraph } = await import('@langchain/langgraph')
  const { awaitAllCallbacks } = await import('@langchain/core/callbacks/promises')
  const graph = new StateGraph(Annotation.Root({ canary: Annotation<string> }))
    .addNode('node', async () => ({ canary: 'seen' }))
    .addEdge(START, 'node')
    .addEdge('node', END)
  await graph.compile().invoke({ canary: '' })
  await awaitAllCallbacks()
  await vi.waitFor(() => expect(requests.some(line => line.startsWith('POST'))).toBe(true), { timeout: 20_000 })
}

test.each(['investigate', 'single-pass', 'search-then-answer', 'longshot-v2'])(
  'the graph %s sends nothing to a tracing service that the shell names, and leaves its variables alone',
  async graph => {
    requests.length = 0
    const { answer } = await ask(handMadeIndex(lecture), 'What is the password?', { graph })
    expect(answer.text).not.toBe('')
    const { awaitAllCallbacks } = await import('@langchain/core/callbacks/promises')
    await awaitAllCallbacks()
    expect(requests).toEqual([])
    expect(process.env.LANGSMITH_TRACING).toBe('true')
  },
)

test('preprocessing sends nothing either', async () => {
  requests.length = 0
  await preprocess([{ name: 'decode', after: [] }], async () => ({ state: 'done' }), new AbortController().signal)
  const { awaitAllCallbacks } = await import('@langchain/core/callbacks/promises')
  await awaitAllCallbacks()
  expect(requests).toEqual([])
})

test('the endpoint would have heard of a run that is traced', async () => {
  requests.length = 0
  await tracedRun()
})
