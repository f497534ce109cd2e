import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import whole from './vitest.config.ts'

// `npm run unit`, for work on the code: under a minute on two cores. Left out are tests that start programs, servers or threads, run
// models, or take more than a second. One that starts ffmpeg fails here: its file belongs into this list.
const slow = [
  'tests/make/{checks,engine,recipes,review}/**',
  'tests/make/proof.test.ts',
  'eval/videos/videos.test.ts',
  'src/cli/commands/bench/{bench,fetch}.test.ts',
  'src/cli/{commands/{models,setup},completion/completion}.test.ts',
  'src/server/body-time.test.ts',
  'tests/{ablate,bench,cluster,contracts,conversation,end-to-end,faults,fuzz,hostile-text,injection,library,server,tools,trust}/**',
  'tests/agent/{baselines,compared,fuzz,hostile,inquiries,misbehaving,policies,questions,round-order,savers,speakers}.test.ts',
  'tests/agent/{captions-forecast,focus,long-lists,planner-sees,rating-by-sight,rules-*,simulated-sight,votes}.test.ts',
  'graphs/old-run.test.ts',
  'scripts/**',
  'src/media/**',
  'src/app/{models,tools,watch}/**',
  'src/cli/{bin,interrupt,main}.test.ts',
  'src/store/{library/cache,lock,temporary}.test.ts',
  'src/store/{run,stage}/**',
  'models/{detect,embed-image,embed-text,faces,hear,hub,http,onnx,pictures,read-text,rerank,shots,sound,tokens,transcribe,voice}/**',
  'models/{parity,chat/simulated/perceive,chat/onnx/models}.test.ts',
  'models/chat/{langchain,ollama,onnx,onnx-vision,openai,probe}.test.ts',
  'tools/{code,mcp,web}/**',
  'tools/stages/{captions/captions.test.ts,decode/**,story/write-story.test.ts}',
  'eval/data/{archives/**,packed-files.test.ts}',
  'eval/{agree,runner}/**',
  'eval/benchmarks/{cg-bench,needle}/**',
  'eval/benchmarks/{read-split,score}.test.ts',
]

export default mergeConfig(
  whole,
  defineConfig({
    test: {
      exclude: [...configDefaults.exclude, ...slow],
      env: { LONGTAKE_FFMPEG: 'no-ffmpeg-in-unit-tests', LONGTAKE_FFPROBE: 'no-ffmpeg-in-unit-tests' },
    },
  }),
)
