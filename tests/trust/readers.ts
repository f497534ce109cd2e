// Everything that reads bytes which longtake did not write itself in this process. A source that reads otherwise than by `readBounded` or
// `readText` is named here, with who wrote what it reads and what bounds it; tests/trust/readers.test.ts fails at one that is not.
export type Writer =
  | 'strangers' // a video and what lies beside it, archives, benchmarks, models, servers, run folders, clients
  | 'ours' // longtake, in the data folder or its own package; damage is found by hashes or schemas
  | 'user' // who named the file, and is trusted
  | 'system'

export interface Reader {
  file: string
  by: Writer
  bound: string
}

export const bounded: { what: string; bound: string; held: string }[] = [
  { what: 'subtitle file next to a video', bound: '32 MB', held: 'tests/trust/readers.test.ts' },
  {
    what: 'subtitle stream of a video',
    bound: '256 MB of output of ffmpeg',
    held: 'src/media/program/run-program.test.ts',
  },
  { what: 'tables of an MP4', bound: '10,000 boxes, 16 million samples, 128 MB a table', held: 'tests/fuzz' },
  { what: 'settings file that was found', bound: '1 MB', held: 'src/config/layers/found-file.test.ts' },
  { what: 'record, call or turn of a run folder', bound: '64 MB', held: 'tests/trust/readers.test.ts' },
  { what: 'trace and checkpoints of a run folder', bound: '500 MB', held: 'tests/trust/readers.test.ts' },
  { what: 'JSON, template or vocabulary of a model folder', bound: '64 MB', held: 'tests/trust/readers.test.ts' },
  { what: 'what a hub says of a repository', bound: '64 MB', held: 'tests/trust/readers.test.ts' },
  { what: 'reply of a model server', bound: 'its limits', held: 'models/http/server.test.ts' },
  { what: 'page of the web', bound: '2 MB', held: 'tools/web' },
  { what: 'message and call of an MCP server', bound: '4 MB; 8 MB', held: 'tools/mcp/hostile-server.test.ts' },
  { what: 'message of an MCP host', bound: '1 MB, 100 levels', held: 'apps/serve/server/mcp/screen-messages.test.ts' },
  { what: 'body of a request', bound: '1 MB; of a question to `/v1` 32 MB', held: 'tests/server/event-loop.test.ts' },
  { what: 'upload', bound: 'serve.uploadGigabytes', held: 'tests/server/uploads.test.ts' },
  { what: 'benchmark as records', bound: '500 MB', held: 'tests/trust/readers.test.ts' },
  { what: 'what a made set says of itself', bound: '64 MB', held: 'tests/trust/readers.test.ts' },
  { what: 'line of a benchmark', bound: '64 MB', held: 'tests/trust/readers.test.ts' },
  {
    what: 'Parquet file',
    bound: '1 GB of heap of its own process, 60 s, 500 MB, a million rows',
    held: 'eval/data/parquet.test.ts',
  },
  { what: 'member of a tar or zip', bound: '1 GB or 50 times the packed size; 128 MB of a list', held: 'tests/fuzz' },
  {
    what: 'pack of recorded calls of a cluster',
    bound: '64 MB a line, 1 GB or 50 times its size',
    held: 'tests/cluster/bench/run-store.test.ts',
  },
  { what: 'answer of a store (S3)', bound: '8 MB', held: 'tests/cluster' },
  { what: 'picture of a person, frame of a report', bound: '256 MB; 32 MB', held: 'tests/trust/readers.test.ts' },
  { what: 'output of a program', bound: '256 MB', held: 'src/media/program/run-program.test.ts' },
]

export const raw: Reader[] = [
  { file: 'eval/benchmarks/allvb/recipe/templates.ts', by: 'user', bound: 'named by an option' },
  { file: 'eval/benchmarks/prompt-file.ts', by: 'user', bound: 'named by an option' },
  { file: 'src/store/archive/pieces.ts', by: 'strangers', bound: 'a range of known length, in pieces' },
  { file: 'src/store/archive/tar-bytes.ts', by: 'strangers', bound: '1 GB or 50 times the packed size' },
  { file: 'src/store/archive/zip.ts', by: 'strangers', bound: '1,033 times the packed size, and what the list says' },
  { file: 'eval/data/lines.ts', by: 'strangers', bound: '64 MB a line, in pieces' },
  { file: 'eval/report/export/export-run.ts', by: 'user', bound: 'named by an option' },
  { file: 'eval/report/page/page-file.ts', by: 'ours', bound: 'its own package' },
  { file: 'eval/runner/ask/by/agent-process.ts', by: 'system', bound: '/proc' },
  { file: 'eval/runner/ask/by/host.ts', by: 'ours', bound: 'its own package' },
  { file: 'eval/judges/bench-judge.ts', by: 'user', bound: 'named by an option' },
  { file: 'eval/make/load-recipe.ts', by: 'user', bound: 'named by an option' },
  { file: 'eval/make/set/write-set.ts', by: 'ours', bound: 'a made set' },
  { file: 'eval/make/source/read-source.ts', by: 'ours', bound: 'records of a making' },
  { file: 'models/chat/openai/request.ts', by: 'ours', bound: 'a clip that was just cut' },
  { file: 'models/chat/recorded.ts', by: 'user', bound: 'a folder that the settings name' },
  { file: 'models/chat/scripted.ts', by: 'user', bound: 'a file that the settings name' },
  { file: 'models/hub/folder-hub.ts', by: 'user', bound: 'written to the disk piece by piece, its sha256 checked' },
  { file: 'models/hub/hub-model.ts', by: 'strangers', bound: '64 MB, looked at before' },
  {
    file: 'models/onnx/count-ops-by-provider.ts',
    by: 'system',
    bound: 'the profile that ONNX Runtime has just written',
  },
  { file: 'src/runtime/data-set/pinned-files.ts', by: 'strangers', bound: 'hashed in pieces' },
  { file: 'src/runtime/index/stage-runner.ts', by: 'ours', bound: 'a stage' },
  { file: 'src/runtime/models/manager/state.ts', by: 'strangers', bound: 'hashed in pieces' },
  { file: 'src/runtime/models/memory/memory-gate.ts', by: 'system', bound: '/proc' },
  { file: 'eval/commands/ablate-request.ts', by: 'user', bound: 'named by an option' },
  { file: 'src/cli/chat/lines.ts', by: 'user', bound: 'standard input' },
  { file: 'src/cli/version.ts', by: 'ours', bound: 'package.json' },
  { file: 'apps/cluster/bench/asked-row.ts', by: 'ours', bound: 'records of a run of this machine' },
  { file: 'apps/cluster/bench/calls-pack.ts', by: 'strangers', bound: '64 MB a line, 1 GB or 50 times its size' },
  { file: 'apps/cluster/bench/send-run.ts', by: 'user', bound: 'files that the options name' },
  { file: 'apps/cluster/store/folder-store.ts', by: 'strangers', bound: 'in pieces' },
  { file: 'apps/cluster/store/pack/pack.ts', by: 'ours', bound: 'in pieces' },
  { file: 'apps/cluster/store/sources.ts', by: 'strangers', bound: 'in pieces' },
  { file: 'src/config/later-policies.ts', by: 'user', bound: 'the settings file that was named' },
  { file: 'src/config/layers/file-layer.ts', by: 'user', bound: 'the settings file that was named' },
  { file: 'src/config/layers/found-file.ts', by: 'strangers', bound: '1 MB' },
  { file: 'src/core/machine/read-bounded.ts', by: 'strangers', bound: 'what is asked of it' },
  { file: 'src/core/machine/resource-fault.ts', by: 'ours', bound: 'package.json' },
  { file: 'src/media/file/full-hash.ts', by: 'strangers', bound: 'in pieces' },
  { file: 'src/media/render/script-file.ts', by: 'user', bound: 'named by an option' },
  { file: 'src/search/vectors/exact.ts', by: 'ours', bound: 'a stage' },
  { file: 'apps/serve/server/media.ts', by: 'strangers', bound: 'in pieces' },
  { file: 'apps/serve/server/page-files.ts', by: 'ours', bound: 'the built page' },
  { file: 'src/store/json-lines.ts', by: 'ours', bound: 'a file that is gone on with, after its run was read' },
  { file: 'src/store/lock.ts', by: 'ours', bound: 'the progress of a lock' },
  { file: 'src/store/models/model-files.ts', by: 'strangers', bound: 'in pieces' },
  { file: 'src/store/models/model-pins.ts', by: 'strangers', bound: 'hashed in pieces' },
  { file: 'src/store/serve/piece-cache.ts', by: 'ours', bound: 'a piece' },
  { file: 'src/store/stage/file-check.ts', by: 'ours', bound: 'in pieces' },
  { file: 'src/store/stage/stage-parts.ts', by: 'ours', bound: 'a part of a stage' },
  { file: 'src/store/stage/stage.ts', by: 'ours', bound: 'a stage, by its hash' },
  { file: 'src/store/temporary.ts', by: 'system', bound: '/proc' },
  { file: 'tools/code/guest.ts', by: 'ours', bound: 'the sandbox' },
  { file: 'tools/stages/journal.ts', by: 'ours', bound: 'a part of a stage' },
  { file: 'tools/stages/results.ts', by: 'ours', bound: 'a stage' },
]
