import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Database } from '../../../apps/cluster/data/sql.ts'
import { openFolderStore } from '../../../apps/cluster/store/folder-store.ts'
import { unpackStage } from '../../../apps/cluster/store/pack/unpack.ts'
import { runLongtake } from './start.ts'
import type { ProofWork } from './work.ts'

// An index of videos: every file that a stage has made.
export function indexWork(
  videos: readonly string[],
  { store, collected }: { store: string; collected: string },
): ProofWork {
  return {
    words: () => ['index', '--queue', ...videos],
    async alone(start) {
      await runLongtake(['index', ...videos], start)
      return listResultFiles(start.home)
    },
    async together(database) {
      await collect(database, store, collected)
      return listResultFiles(collected)
    },
  }
}

interface Row {
  video: string
  stage: string
  key: string
  object: string
  bytes: number
  sha256: string
}

// Unpacks what rows name, and nothing else. A result that goes without another is of a time at which that one counted as failed: asked
// again, the whole one is made beside it.
async function collect(database: Database, folder: string, home: string): Promise<void> {
  const store = openFolderStore(folder)
  const { rows } = await database.query<Row>(
    `select video, stage, key, object, bytes::float8 as bytes, sha256 from longtake.artifact where key not like '%-without-%'`,
  )
  for (const { video, stage, key, object, bytes, sha256 } of rows) {
    const stagePlace = { video, stage, key }
    const into = { folder: join(home, 'library', video), stage: stagePlace, expected: { bytes, sha256 } }
    await unpackStage(await store.get(object), into)
  }
}

// The hash of every file that stages have made in a library, by its place. meta.json says when and how fast it was made, so it is
// another one each time; the hashes in it are checked when a pack is opened.
async function listResultFiles(home: string): Promise<Map<string, string>> {
  const root = join(home, 'library')
  const hashes = new Map<string, string>()
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const resultPath = relative(root, path)
    const isResult = /^[^/]+\/stages\/[^/.]+\/[^/.]+\/[^/]+$/.test(resultPath)
    if (entry.isFile() && isResult && entry.name !== 'meta.json') hashes.set(resultPath, await hashOf(path))
  }
  return hashes
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}
