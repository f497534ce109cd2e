import { expect, test } from 'vitest'
import { AllVideos } from './all-videos.ts'
import type { RuntimeParts } from './context.ts'

// What of a runtime is used before anything is searched, and what of it was opened.
function parts(graph: string) {
  const opened: string[] = []
  const planner = { id: 'blind', accepts: new Set(['text']) }
  const runtime = {
    host: { signal: new AbortController().signal },
    health: { assertModelsReady: () => {} },
    settings: { graph, tools: { files: [], servers: {} }, permissions: {} },
    models: {
      keep: async () => opened.push('tools'),
      async open(role: string) {
        opened.push(role)
        return { service: planner }
      },
      leaveCard: async () => opened.push('search'),
    },
  }
  return { opened, runtime: runtime as unknown as RuntimeParts }
}

test('a question over all videos is refused before a tool server starts if its graph has no such name', async () => {
  const { opened, runtime } = parts('investigat')
  const asked = new AllVideos(runtime).ask({ text: 'What is said of onions?' })
  await expect(asked).rejects.toThrow(/Unknown graph "investigat"/)
  expect(opened).toEqual([])
})

test('a question over all videos is refused if its graph shows pictures to a model that takes none', async () => {
  const { opened, runtime } = parts('seek')
  const asked = new AllVideos(runtime).ask({ text: 'What is said of onions?' })
  await expect(asked).rejects.toThrow(/blind takes none/)
  expect(opened).toEqual(['tools', 'planner'])
})
