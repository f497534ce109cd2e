import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/support/longest-first.ts'
import { testFiles } from './tests/support/test-files.ts'

// Tests that start ffmpeg, run models, or take seconds. Each file has a process of its own.
const slow = [
  'tests/make/{checks,engine,recipes,review}/**',
  'tests/make/proof.test.ts',
  'eval/runner/videos/videos.test.ts',
  'eval/commands/{bench,fetch}.test.ts',
  'src/cli/{commands/{models,setup},completion/completion}.test.ts',
  'apps/serve/server/body-time.test.ts',
  'tests/{ablate,bench,cluster,contracts,conversation,end-to-end,faults,fuzz,hostile-text,injection,library,server,servers,simulated-sight,tools,trust}/**',
  'tests/agent/{baselines,compared,fuzz,hostile,inquiries,misbehaving,policies,questions,round-order,savers,speakers}.test.ts',
  'tests/agent/{captions-forecast,focus,long-lists,planner-sees,rating-by-sight,rules-*,simulated-sight,votes}.test.ts',
  'graphs/old-run.test.ts',
  'scripts/**',
  'src/media/**',
  'src/core/sight/view-frames.test.ts',
  'src/runtime/{models,tools,watch}/**',
  'src/cli/main.test.ts',
  'src/store/{library/cache,lock,temporary}.test.ts',
  'src/store/{run,stage}/**',
  'models/{detect,embed-image,embed-text,faces,hear,hub,http,onnx,pictures,read-text,shots,sound,tokens,transcribe,voice}/**',
  'models/{parity,chat/onnx/models}.test.ts',
  'models/chat/{langchain,ollama,onnx,onnx-vision,openai,probe}.test.ts',
  'tools/{code,mcp,web}/**',
  'tools/stages/{captions,story/write-story}.test.ts',
  'tools/stages/decode/**',
  'src/store/archive/**',
  'eval/data/{packed-files,parquet,picture-folders}.test.ts',
  'eval/{agree,runner}/**',
  'eval/benchmarks/{cg-bench,needle}/**',
  'eval/benchmarks/{read-split,score}.test.ts',
]
// What is in these folders and takes less than half a second without ffmpeg: a process of its own would cost more than the test.
const quick = [
  'eval/benchmarks/needle/grade-expectation.test.ts',
  'eval/runner/{shards,cost/*}.test.ts',
  'models/chat/langchain.test.ts',
  'models/detect/{nms,vlm}.test.ts',
  'models/{embed-text,hear}/openai.test.ts',
  'models/http/{address,retry-after,text-lines}.test.ts',
  'models/onnx/{batches,cuda-libraries,device,elf,resolve-auto}.test.ts',
  'models/read-text/{accents,best-lines,paddle,vlm}.test.ts',
  'models/transcribe/{hear-every-span,speech-lines,parakeet/greedy}.test.ts',
  'models/transcribe/whisper/{beam-search,hallucination-filter,merge-overlap,parity,speech-windows}.test.ts',
  'src/runtime/models/{digests,prices,tiers,choose/choose-graph,doctor/gpu}.test.ts',
  'src/runtime/{tools/toolbox,watch/changes}.test.ts',
  'src/media/{image,picture-tokens,speak,encodings/decode-text,ffmpeg/split-bytes,pass/gap-log}.test.ts',
  'src/media/{render/truth,sheet/sheet,subtitles/speaker-labels}.test.ts',
  'src/store/{temporary,archive/archives,run/checkpoints,run/run-start}.test.ts',
  'tests/bench/{interchange,own-benchmark,own-tools,released}.test.ts',
  'tests/cluster/{elsewhere,recipes,schema,traces,make/made-calls}.test.ts',
  'tests/contracts/{embed-text,shots,sqlite}.test.ts',
  'tests/faults/{rows,table}.test.ts',
  'tests/make/{recipes/describe,review/table}.test.ts',
  'tests/server/moved-names.test.ts',
  'tests/trust/{licences,supply-chain}.test.ts',
  'tools/{stages/decode/sampling,web/web}.test.ts',
]
// These end what they start and leave nothing behind, so that one process after another serves many files: most of their time was
// the start of a process and the import of the agent.
const shared = [
  'eval/{agree,runner}/**',
  'eval/benchmarks/{cg-bench,needle}/**',
  'eval/benchmarks/{read-split,score}.test.ts',
  'eval/{commands/bench,data/{packed-files,parquet}}.test.ts',
  'graphs/old-run.test.ts',
  'models/chat/{ollama,openai,probe,simulated/perceive}.test.ts',
  'models/{embed-image/colour-layout,pictures/pictures,sound/sound,transcribe/openai}.test.ts',
  'models/{faces/faces,hear/ast,hear/signal,hub/names,read-text/find-lines}.test.ts',
  'models/http/{ollama-pull,proxy,retry,server}.test.ts',
  'models/shots/{frame-difference,real-clips}.test.ts',
  'src/{runtime/models/models,cli/commands/models,core/sight/view-frames,store/library/cache,store/lock}.test.ts',
  'src/media/{audio,frames,sheet/compose-sheet,subtitles/read-subtitles}.test.ts',
  'src/media/pass/{decode-pass,decoder,holes,piece-files,sound-gaps}.test.ts',
  'src/media/{playback/piece,probe/probe,render/*}.test.ts',
  'src/runtime/models/{choose/choose,memory/*}.test.ts',
  'src/store/{archive/hostile-archives,run/run-folder,stage/stage,stage/stage-faults,stage/stage-parts}.test.ts',
  'tests/ablate/{ablate,judge-mode,shown}.test.ts',
  'tests/agent/{baselines,captions-forecast,compared,focus,fuzz,hostile,inquiries,long-lists,misbehaving,planner-sees}.test.ts',
  'tests/agent/{policies,questions,round-order,rules-*,savers,simulated-sight,speakers,votes}.test.ts',
  'tests/bench/{bench,blind,clue-clips,export,from-nothing,judges,map,modes,packed-judge,run-kill,tool-use}.test.ts',
  'tests/cluster/{catalogue,commands,database,engine,jobs,library-tables,library-vectors,lost-database,metrics,pack}.test.ts',
  'tests/cluster/{plan-video,server-view,shared-stages,slot-reopens,sources,upkeep,watch-queue}.test.ts',
  'tests/cluster/bench/{held,left-shards,run-store}.test.ts',
  'tests/contracts/{chat,detect,embed-image,vector-index,voice}.test.ts',
  'tests/conversation/{dialogues,events}.test.ts',
  'tests/end-to-end/{ask,odd-files,people,replaced-video,replay,server-down}.test.ts',
  'tests/end-to-end/{ask-library,burnt-in-clock,captions,deepen,in-process,model-word,needle-people}.test.ts',
  'tests/end-to-end/{search-all,seek,swap-roles,written-overview}.test.ts',
  'tests/make/{checks/*,engine/equal-calls,engine/media,engine/stages,proof}.test.ts',
  'tests/make/recipes/*.test.ts',
  'tests/make/review/*.test.ts',
  'tests/server/{long-entry,long-lists,open,seek-job,skill,uploads}.test.ts',
  'tests/simulated-sight/*.test.ts',
  'tests/tools/**',
  'tests/trust/{doors,readers,tracing}.test.ts',
  'tools/{mcp/mcp,stages/captions,stages/story/write-story,stages/decode/decode-file}.test.ts',
]
const matches = (file: string, glob: string) => {
  const pattern = glob
    .replaceAll('.', '\\.')
    .replace(/\*\*?/g, stars => (stars === '**' ? '.+' : '[^/]+'))
    .replaceAll('{', '(?:')
    .replaceAll('}', ')')
    .replaceAll(',', '|')
  return new RegExp(`^${pattern}$`).test(file)
}
const isIn = (file: string, globs: readonly string[]) => globs.some(glob => matches(file, glob))
const projectOf = (file: string) =>
  !isIn(file, slow) || isIn(file, quick) ? 'unit' : isIn(file, shared) ? 'shared' : 'slow'
const filesOf = (project: string) => testFiles().filter(file => projectOf(file) === project)
const env = { LONGTAKE_SERVERS: 'off' } // what listens on this machine is not part of a test
const noFfmpeg = 'no-ffmpeg-in-unit-tests' // a unit test that starts ffmpeg fails: its file belongs into `slow`

const maxWorkers = '--maxWorkers='

export default defineConfig({
  test: {
    pool: 'forks',
    // Five for two cores: for two thirds of its time a file waits for a timer, a server or a lock. The projects inherit this number, which goes
    // before that of the command line.
    maxWorkers: Number(process.argv.find(word => word.startsWith(maxWorkers))?.slice(maxWorkers.length) ?? 5),
    globalSetup: 'tests/support/shared-fixture.ts',
    sequence: { sequencer: LongestFirst },
    testTimeout: 240_000, // for what hangs: a machine under load is not a failure
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } }, // one that polls measures nothing: on a loaded machine a page takes its time
    projects: [
      {
        extends: true,
        test: { name: 'slow', include: filesOf('slow'), env },
      },
      {
        extends: true,
        test: { name: 'shared', include: filesOf('shared'), isolate: false, env },
      },
      {
        extends: true,
        test: {
          name: 'unit', // `npm run unit`: all in a few processes, one after another
          include: filesOf('unit'),
          isolate: false,
          env: { ...env, LONGTAKE_FFMPEG: noFfmpeg, LONGTAKE_FFPROBE: noFfmpeg },
        },
      },
    ],
  },
})
