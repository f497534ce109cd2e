import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/support/longest-first.ts'

// Tests that start programs, servers or threads, run models, or take more than a second. Each file has a process of its own.
const slow = [
  'tests/make/{checks,engine,recipes,review}/**',
  'tests/make/proof.test.ts',
  'eval/runner/videos/videos.test.ts',
  'eval/commands/{bench,fetch}.test.ts',
  'src/cli/{commands/{models,setup},completion/completion}.test.ts',
  'apps/serve/server/body-time.test.ts',
  'tests/{ablate,bench,cluster,contracts,conversation,end-to-end,faults,fuzz,hostile-text,injection,library,server,servers,tools,trust}/**',
  'tests/agent/{baselines,compared,fuzz,hostile,inquiries,misbehaving,policies,questions,round-order,savers,speakers}.test.ts',
  'tests/agent/{captions-forecast,focus,long-lists,planner-sees,rating-by-sight,rules-*,simulated-sight,votes}.test.ts',
  'graphs/old-run.test.ts',
  'scripts/**',
  'src/media/**',
  'src/core/sight/view-frames.test.ts',
  'src/runtime/{models,tools,watch}/**',
  'src/cli/{bin,interrupt,main}.test.ts',
  'src/store/{library/cache,lock,temporary}.test.ts',
  'src/store/{run,stage}/**',
  'models/{detect,embed-image,embed-text,faces,hear,hub,http,onnx,pictures,read-text,shots,sound,tokens,transcribe,voice}/**',
  'models/{parity,chat/simulated/perceive,chat/onnx/models}.test.ts',
  'models/chat/{langchain,ollama,onnx,onnx-vision,openai,probe}.test.ts',
  'tools/{code,mcp,web}/**',
  'tools/stages/{captions/captions,story/write-story}.test.ts',
  'tools/stages/decode/**',
  'src/store/archive/**',
  'eval/data/packed-files.test.ts',
  'eval/{agree,runner}/**',
  'eval/benchmarks/{cg-bench,needle}/**',
  'eval/benchmarks/{read-split,score}.test.ts',
]
const all = ['src', 'models', 'tools', 'graphs', 'eval', 'apps', 'scripts', 'tests'].map(
  folder => `${folder}/**/*.test.ts`,
)
const env = { LONGTAKE_SERVERS: 'off' } // what listens on this machine is no part of a test
const noFfmpeg = 'no-ffmpeg-in-unit-tests' // a unit test that starts ffmpeg fails: its file belongs into `slow`

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 3, // for two cores: some wait for a timer, a server or a lock
    globalSetup: 'tests/support/shared-fixture.ts',
    sequence: { sequencer: LongestFirst },
    testTimeout: 240_000, // for what hangs: a machine under load is no failure
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } }, // one that polls measures nothing: on a loaded machine a page takes its time
    projects: [
      {
        extends: true,
        test: { name: 'slow', include: slow.map(files => (files.endsWith('**') ? `${files}/*.test.ts` : files)), env },
      },
      {
        extends: true,
        test: {
          name: 'unit', // `npm run unit`: all in two processes, one after another
          include: all,
          exclude: [...configDefaults.exclude, ...slow],
          isolate: false,
          env: { ...env, LONGTAKE_FFMPEG: noFfmpeg, LONGTAKE_FFPROBE: noFfmpeg },
        },
      },
    ],
  },
})
